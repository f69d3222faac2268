//! Several items of an array in a schema, where data values give items too: a default would stay in front of those.

use crate::diag::{Code, Diagnostic, Help, Label};
use crate::schema;
use crate::source::{SourceMap, Span};
use crate::yaml::{Arena, Body, NodeId, Val};

/// Says where documents of data values give the items of an array that has several ones in the schema.
pub(super) fn explain(
    arena: &Arena,
    sources: &SourceMap,
    schemas: &[NodeId],
    values: &[NodeId],
    problems: &mut [Diagnostic],
) {
    let of_arrays = problems.iter_mut().filter(|problem| problem.code() == Code::SCHEMA_ARRAY);
    for problem in of_arrays.take(schema::HINTED) {
        let parts = problem.parts_mut();
        let Some(at) = parts.labels.first().map(|label| label.span) else { continue };
        let found = schemas.iter().find_map(|document| declared(arena, sources, *document, at));
        let Some((declared, path)) = found else { continue };
        let given = values.iter().filter_map(|document| item_at(arena, *document, &path));
        let mut given = given.filter(|item| is_array(arena, *item));
        let Some(place) = given.next().and_then(|item| arena.place_of(item)) else { continue };
        let text = "data values give the items here: they come behind those of a default";
        parts.labels.push(Label { span: place.key(), text: text.to_owned() });
        for help in &mut parts.helps {
            help.is_guess = true;
        }
        let text = "leave one item as the example: data values give the others";
        let edit = schema::one_left(arena, sources, declared);
        parts.helps.insert(0, Help { edit, is_guess: true, ..Help::new(text) });
    }
}

/// The item of a schema that stands there, and the keys that lead to it.
fn declared(arena: &Arena, sources: &SourceMap, document: NodeId, at: Span) -> Option<(NodeId, Vec<Val>)> {
    let mut open = vec![(document, Vec::new())];
    while let Some((holder, path)) = open.pop() {
        let place = arena.place_of(holder);
        if place.is_some_and(|place| place.key() == at || place.value_or_key(sources) == at) {
            return Some((holder, path));
        }
        let Some(map) = arena.map_of(arena.value(holder)) else { continue };
        for &item in arena.items(map) {
            let mut path = path.clone();
            path.push(arena.key(item));
            open.push((item, path));
        }
    }
    None
}

fn item_at(arena: &Arena, document: NodeId, path: &[Val]) -> Option<NodeId> {
    path.iter().try_fold(document, |holder, key| {
        let map = arena.map_of(arena.value(holder))?;
        arena.items(map).iter().copied().find(|item| arena.same(arena.key(*item), *key))
    })
}

fn is_array(arena: &Arena, item: NodeId) -> bool {
    matches!(arena.value(item), Val::Node(inner) if matches!(arena.get(inner).body, Body::Array(_)))
}
