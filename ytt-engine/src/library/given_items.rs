//! What a schema does not say well, and data values know: items of an array of which the schema has several (a default would
//! stay in front of those), and the type of a value that is null there.

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
        if problem.code() == Code::SCHEMA_NULL {
            let of_files = given.overlays.iter().chain(&given.plain).filter_map(item);
            let of_flags = given.flags.iter().filter(|(keys, ..)| {
                keys.len() == path.len() && keys.iter().zip(&path).all(|(one, other)| arena.same(*one, *other))
            });
            let of_files = of_files.map(|item| (arena.value(item), arena.span_of(item)));
            let of_flags = of_flags.map(|(_, value, pos)| (*value, arena.place(*pos).map(|place| place.whole())));
            nullable(arena, sources, declared, of_files.chain(of_flags), problem);
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
    let Val::Node(own) = arena.value(declared) else { return };
    let has_none = arena.items(own).is_empty();
    let parts = problem.parts_mut();
    if has_none {
        // What the items are like is written there.
        let first = match arena.value(given) {
            Val::Node(list) => arena.items(list).first().and_then(|item| arena.place_of(*item)),
            _ => None,
        };
        parts.labels.push(Label { span: place.key(), text: "data values give items here".to_owned() });
        if let Some(first) = first.map(|first| first.value_or_key(sources)) {
            parts.labels.push(Label { span: first, text: "of this type".to_owned() });
        }
        let value = match arena.value(given) {
            Val::Node(list) => arena.items(list).first().map(|item| arena.value(*item)),
            _ => None,
        };
        like(arena, sources, declared, value, parts.helps.first_mut());
        return;
    }
    let text = "data values give the items here: they come behind those of a default";
    parts.labels.push(Label { span: place.key(), text: text.to_owned() });
    for help in &mut parts.helps {
        help.is_guess = true;
    }
    let text = "leave one item as the example: data values give the others";
    let edit = schema::one_left(arena, sources, declared);
    parts.helps.insert(0, Help { edit, is_guess: true, ..Help::new(text) });
}

/// Makes the example of the item of a list one of the kind that data values give; of maps, whose keys would all have to be
/// declared, anything is let be an item.
fn like(arena: &Arena, sources: &SourceMap, declared: NodeId, value: Option<Val>, help: Option<&mut Help>) {
    let (Some(value), Some(help)) = (value, help) else { return };
    if !matches!(value, Val::Node(_)) {
        if let Some((example, (_, new))) = example_like(value).zip(help.edit.as_mut()) {
            *new = format!("[{example}]");
        }
        return;
    }
    let place = arena.span_of(declared);
    let above = place.and_then(|place| sources.get(place.source).above(place));
    let edit = above.map(|(start, indent)| (start, format!("#@schema/type any=True\n{indent}")));
    let text = "to let the items be any maps, say so; or give one item, with all keys that they may have";
    *help = Help { edit, is_guess: true, ..Help::new(text) };
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
    matches!(arena.value(item), Val::Node(inner) if matches!(arena.get(inner).body, Body::Array(_)))
}
