//! A list of a schema that has no item: the example of all is made like the items that data values give.

use crate::diag::{Diagnostic, Help, Label};
use crate::source::{SourceMap, Span};
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::words::{example_like, key_text, kind_name};
use crate::yaml::{Arena, Body, NodeId, Val};

/// Items that are looked at, and levels of them.
const ITEMS: usize = 200;
const DEPTH: usize = 4;
/// Lines of an example: who has more lets the items be anything.
const LINES: usize = 30;

/// Says where data values give items of the list, and of which kind.
pub(super) fn explain(
    (arena, sources): (&Arena, &SourceMap),
    declared: NodeId,
    given: &[(NodeId, Span)],
    problem: &mut Diagnostic,
) {
    let items = given.iter().flat_map(|(list, _)| arena.items(*list)).take(ITEMS.saturating_add(1));
    let items: Vec<Val> = items.map(|item| arena.value(*item)).collect();
    let Some((_, place)) = given.iter().find(|(list, _)| !arena.items(*list).is_empty()) else { return };
    let parts = problem.parts_mut();
    let text = format!("data values give {} here", kind_of_all(arena, &items));
    parts.labels.push(Label { span: *place, text });
    let Some(help) = parts.helps.first_mut().filter(|help| help.edit.is_some()) else { return };
    let mut left = LINES;
    let example = (items.len() <= ITEMS).then(|| like(arena, &items, DEPTH, &mut left)).flatten();
    let written = match &example {
        Some(Example::Scalar(example)) => help.edit.clone().map(|(place, _)| (place, format!("[{example}]"))),
        Some(Example::Map(lines)) => in_block(arena, sources, declared, lines),
        Some(Example::List(_)) | None => None,
    };
    match (written, matches!(example, Some(Example::Map(_)))) {
        (Some(edit), false) => help.edit = Some(edit),
        (Some(edit), true) => {
            let text = "give one item with these keys as the example of all: the default is an empty list all the same";
            *help = Help { edit: Some(edit), is_guess: true, ..Help::new(text) };
            let any = any_help(arena, sources, declared, "or, to let the items be any maps, say so");
            parts.helps.insert(1, any);
        }
        (None, _) => {
            let text = match items.iter().all(|item| arena.map_of(*item).is_some()) {
                true => "to let the items be any maps, say so; or give one item, with all keys that they may have",
                false => "to let the items be of any kind, say so",
            };
            *help = any_help(arena, sources, declared, text);
        }
    }
}

/// The kind of items, as one says of several.
fn kind_of_all(arena: &Arena, items: &[Val]) -> String {
    let mut kinds = items.iter().map(|item| kind_name(arena, *item));
    match kinds.next().filter(|first| *first != "null" && kinds.all(|kind| kind == *first)) {
        Some(kind) => format!("{kind}s"),
        None => "items".to_owned(),
    }
}

fn any_help(arena: &Arena, sources: &SourceMap, declared: NodeId, text: &str) -> Help {
    let place = arena.span_of(declared);
    let above = place.and_then(|place| sources.get(place.source).above(place));
    let edit = above.map(|(start, indent)| (start, format!("#@schema/type any=True\n{indent}")));
    Help { edit, is_guess: true, ..Help::new(text) }
}

/// The edit that writes the lines of a map as the item of an empty list behind a key.
fn in_block(arena: &Arena, sources: &SourceMap, declared: NodeId, lines: &[String]) -> Option<(Span, String)> {
    let place = arena.place_of(declared)?;
    let source = sources.get(place.source);
    let (_, indent) = source.above(place.key())?;
    let line = source.line_range(source.line(place.key_end));
    let rest = source.written(Span { start: place.key_end, end: line.end, ..place.key() })?;
    let is_plain = rest.strip_prefix(':').is_some_and(|value| value.trim() == "[]");
    let start = place.key_end.checked_add(1)?;
    let written: String = as_item(lines).iter().map(|line| format!("\n{indent}{line}")).collect();
    is_plain.then(|| (Span { start, end: line.end, ..place.key() }, written))
}

/// What an item is written like.
enum Example {
    Scalar(&'static str),
    Map(Vec<String>),
    List(Vec<String>),
}

/// The example of which all of these are. Nothing where they differ: what a map does not have it would get as a default.
fn like(arena: &Arena, values: &[Val], depth: usize, left: &mut usize) -> Option<Example> {
    let (first, depth) = (*values.first()?, depth.checked_sub(1)?);
    if let Some(example) = example_like(first) {
        return of_scalars(values, example);
    }
    let Val::Node(node) = first else { return None };
    match arena.get(node).body {
        Body::Array(_) => {
            let mut items = Vec::new();
            for value in values {
                let list = super::list_of(arena, *value)?;
                items.extend(arena.items(list).iter().map(|item| arena.value(*item)));
            }
            let lines = match like(arena, &items, depth, left)? {
                Example::Scalar(example) => vec![format!("- {example}")],
                Example::Map(lines) => as_item(&lines),
                Example::List(_) => return None,
            };
            Some(Example::List(lines))
        }
        _ => {
            let maps = values.iter().map(|value| arena.map_of(*value)).collect::<Option<Vec<_>>>()?;
            let own = arena.map_of(first)?;
            let count = arena.items(own).len();
            ((1..=LINES).contains(&count) && maps.iter().all(|map| arena.items(*map).len() == count)).then_some(())?;
            let mut lines = Vec::new();
            for item in arena.items(own) {
                *left = left.checked_sub(1)?;
                let key = arena.key(*item);
                let name = arena.str(key).map(|_| key_text(arena, key)).filter(|name| needs_no_quotes(name))?;
                let members = maps.iter().map(|map| Some(arena.value(arena.find(*map, key)?)));
                match like(arena, &members.collect::<Option<Vec<_>>>()?, depth, left)? {
                    Example::Scalar(example) => lines.push(format!("{name}: {example}")),
                    Example::Map(inner) => {
                        lines.push(format!("{name}:"));
                        lines.extend(inner.iter().map(|line| format!("  {line}")));
                    }
                    Example::List(inner) => {
                        lines.push(format!("{name}:"));
                        lines.extend(inner);
                    }
                }
            }
            Some(Example::Map(lines))
        }
    }
}

/// An integer among floats is one of them.
fn of_scalars(values: &[Val], first: &'static str) -> Option<Example> {
    let examples = values.iter().map(|value| example_like(*value)).collect::<Option<Vec<_>>>()?;
    let is_number = |example: &str| matches!(example, "0" | "0.0");
    let is_one = examples.iter().all(|example| *example == first);
    let example = if is_one { Some(first) } else { examples.iter().all(|one| is_number(one)).then_some("0.0") };
    example.map(Example::Scalar)
}

/// The lines of a map as those of an item of a list.
fn as_item(lines: &[String]) -> Vec<String> {
    let marks = std::iter::once("- ").chain(std::iter::repeat("  "));
    lines.iter().zip(marks).map(|(line, mark)| format!("{mark}{line}")).collect()
}
