//! What a schema does not say well, and data values know: items of an array of which the schema has several (a default would
//! stay in front of those), and the type of a value that is null there.

mod empty;

use crate::diag::{Code, Diagnostic, Help, Label};
use crate::schema;
use crate::source::{SourceMap, Span};
use crate::yaml::words::{article, example_like, kind_name};
use crate::yaml::{Arena, Body, NodeId, PosId, Val};

/// What data values give.
#[derive(Default)]
pub(super) struct GivenValues {
    /// Documents that are overlays.
    pub(super) overlays: Vec<NodeId>,
    /// Plain files, whose arrays replace others.
    pub(super) plain: Vec<NodeId>,
    /// Values of flags, with their keys and places.
    pub(super) flags: Vec<(Vec<Val>, Val, PosId)>,
}

/// Says where data values give what a schema leaves open.
pub(super) fn explain(
    arena: &Arena,
    sources: &SourceMap,
    schemas: &[NodeId],
    given: &GivenValues,
    problems: &mut [Diagnostic],
) {
    for problem in problems.iter_mut().filter(|problem| is_open(problem)).take(schema::HINTED) {
        let Some(at) = problem.parts().labels.first().map(|label| label.span) else { continue };
        let found = schemas.iter().find_map(|document| declared(arena, sources, *document, at));
        let Some((declared, path)) = found else { continue };
        let item = |document: &NodeId| item_at(arena, *document, &path);
        let of_flags = given.flags.iter().filter(|(keys, ..)| {
            keys.len() == path.len() && keys.iter().zip(&path).all(|(one, other)| arena.same(*one, *other))
        });
        let of_flags = of_flags.map(|(_, value, pos)| (*value, arena.place(*pos).map(|place| place.whole())));
        let of_files = given.overlays.iter().chain(&given.plain).filter_map(item);
        let of_files = of_files.map(|item| (arena.value(item), arena.span_of(item)));
        let all = of_files.chain(of_flags);
        if problem.code() == Code::SCHEMA_NULL {
            nullable(arena, sources, declared, all, problem);
        } else if !has_items(arena, declared) {
            let lists = all.filter_map(|(value, place)| Some((list_of(arena, value)?, place?)));
            empty::explain((arena, sources), declared, &lists.collect::<Vec<_>>(), problem);
        } else if let Some(item) = given.overlays.iter().filter_map(item).find(|item| is_array(arena, *item)) {
            items(arena, sources, declared, item, problem);
        }
    }
}

/// Whether data values can say more of it.
pub(super) fn is_open(problem: &Diagnostic) -> bool {
    [Code::SCHEMA_ARRAY, Code::SCHEMA_NULL].contains(&problem.code())
}

fn items(arena: &Arena, sources: &SourceMap, declared: NodeId, given: NodeId, problem: &mut Diagnostic) {
    let Some(place) = arena.place_of(given) else { return };
    let parts = problem.parts_mut();
    let text = "data values give the items here: they come behind those of a default";
    parts.labels.push(Label { span: place.key(), text: text.to_owned() });
    for help in &mut parts.helps {
        help.is_guess = true;
    }
    let text = "leave one item as the example: data values give the others";
    let edit = schema::one_left(arena, sources, declared);
    parts.helps.insert(0, Help { edit, is_guess: true, ..Help::new(text) });
}

/// A null in a schema where data values give a scalar: the example of a nullable value is of its type.
fn nullable(
    arena: &Arena,
    sources: &SourceMap,
    declared: NodeId,
    given: impl Iterator<Item = (Val, Option<Span>)>,
    problem: &mut Diagnostic,
) {
    let mut given = given.filter_map(|(value, place)| Some((value, example_like(value)?, place?)));
    let Some((value, example, label)) = given.next() else { return };
    if given.any(|(_, other, _)| other != example) {
        return;
    }
    let kind = kind_name(arena, value);
    let kind = format!("{} {kind}", article(kind));
    let Some(edit) = schema::with_example(arena, sources, declared, example) else { return };
    let parts = problem.parts_mut();
    parts.labels.push(Label { span: label, text: format!("data values give {kind} here") });
    let text = format!("to let it be null or {kind}, give an example of its type below `#@schema/nullable`");
    // The first one leaves the type open.
    if let Some(first) = parts.helps.first_mut() {
        *first = Help { edit: Some(edit), ..Help::new(text) };
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
    list_of(arena, arena.value(item)).is_some()
}

fn list_of(arena: &Arena, value: Val) -> Option<NodeId> {
    match value {
        Val::Node(list) if matches!(arena.get(list).body, Body::Array(_)) => Some(list),
        _ => None,
    }
}

/// Whether the list that a schema has at an item holds anything.
fn has_items(arena: &Arena, declared: NodeId) -> bool {
    list_of(arena, arena.value(declared)).is_some_and(|list| !arena.items(list).is_empty())
}
