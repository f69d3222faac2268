//! A map that data values give where the schema declares an array: what its items look like, and the map written as such.

use crate::diag::{Diagnostic, Fact, Help};
use crate::schema::{self, ItemId, Schema, Type, TypeKind};
use crate::source::{SourceMap, Span, indented};
use crate::validate::key_text;
use crate::yaml::words::article;
use crate::yaml::{Arena, NodeId, Val};

/// Entries of a map that is written anew.
const MOST: usize = 30;

/// Adds to a problem of a kind what the declared items are, with the edit if it is mechanical. `document` has the values.
pub(super) fn as_items(
    (arena, sources, schema): (&Arena, &SourceMap, &Schema),
    document: NodeId,
    problem: &mut Diagnostic,
) {
    let Some(Fact::Mismatch { expected: given, found: declared }) = &problem.parts().fact else { return };
    if (given.as_str(), declared.as_str()) != ("map", "array") {
        return;
    }
    let parts = problem.parts_mut();
    let Some((item, ty)) = parts.labels.iter().find_map(|label| find((arena, schema, document), label.span)) else {
        return;
    };
    let TypeKind::Array(element) = schema.inner(schema.item(ty).ty).kind else { return };
    let element = schema.inner(schema.item(element).ty);
    let place = arena.place(schema.item(ty).pos).map(|place| place.key());
    let shape = shape_of(arena, schema, element);
    if let Some(label) = parts.labels.iter_mut().find(|label| Some(label.span) == place) {
        label.text = format!("an array is declared here, whose items are {shape}");
    }
    if parts.notes.is_empty() {
        parts.notes.push("`map` in the first line is what is given, `array` what is declared".into());
    }
    let scene = (arena, sources, schema);
    let edit = written_anew(scene, (item, element)).or_else(|| maps_anew(scene, (item, element)));
    if let Some((span, new)) = edit {
        let help = Help { must_mend: true, ..Help::with_edit("write the map as items of a list", span, new) };
        parts.helps.insert(0, help);
    } else if parts.helps.is_empty() {
        parts.helps.push(Help::new(format!("give a list, whose items are {shape}")));
    }
}

/// Adds to a problem of a list where a map is declared the edit that makes keys of its items, if each has a name.
pub(super) fn as_keys(
    (arena, sources, schema): (&Arena, &SourceMap, &Schema),
    document: NodeId,
    problem: &mut Diagnostic,
) {
    let is_list = matches!(&problem.parts().fact, Some(Fact::Mismatch { expected, found }) if expected == "array" && found == "map");
    let labels = &problem.parts().labels;
    let found = labels.iter().filter(|_| is_list).find_map(|label| find((arena, schema, document), label.span));
    let Some((item, ty)) = found else { return };
    let TypeKind::Map(map) = &schema.inner(schema.item(ty).ty).kind else { return };
    if let Some((span, new)) = schema::as_keys((arena, sources, schema), item, map) {
        let help = Help { must_mend: true, ..Help::with_edit(schema::AS_KEYS, span, new) };
        problem.parts_mut().helps.insert(0, help);
    }
}

/// The item of a document that stands at a place, with its declared type.
pub(super) fn find((arena, schema, document): (&Arena, &Schema, NodeId), place: Span) -> Option<(NodeId, ItemId)> {
    let mut open = vec![(document, schema.root)];
    while let Some((item, ty)) = open.pop() {
        if arena.span_of(item) == Some(place) {
            return Some((item, ty));
        }
        if let Val::Node(inner) = arena.value(item) {
            open.extend(arena.items(inner).iter().filter_map(|item| Some((*item, schema.below(ty, arena, *item)?))));
        }
    }
    None
}

/// What the items of an array are, in a few words.
fn shape_of(arena: &Arena, schema: &Schema, element: &Type) -> String {
    match &element.kind {
        TypeKind::Map(map) if !map.items.is_empty() => {
            let keys = map.items.iter().take(6).map(|id| format!("`{}`", key_text(arena, schema.item(*id).key)));
            let more = if map.items.len() > 6 { ", …" } else { "" };
            format!("maps with the keys {}{more}", keys.collect::<Vec<_>>().join(", "))
        }
        _ => format!("each {} {}", article(element.name()), element.name()),
    }
}

/// The edit that makes items of a map which is written with one line for each entry.
fn written_anew(
    (arena, sources, schema): (&Arena, &SourceMap, &Schema),
    (item, element): (NodeId, &Type),
) -> Option<(Span, String)> {
    let TypeKind::Map(map) = &element.kind else { return None };
    let given = arena.map_of(arena.value(item))?;
    let entries = arena.items(given);
    let place = *arena.place_of(*entries.first()?)?;
    let source = sources.get(place.source);
    let first = source.line(place.start);
    let indent = first_indent(&source.line_text(first));
    let declared: Vec<String> = map.items.iter().map(|id| key_text(arena, schema.item(*id).key)).collect();
    let is_one = entries.iter().all(|entry| declared.contains(&key_text(arena, arena.key(*entry))));
    let mut lines = Vec::new();
    for (number, entry) in (first..).zip(entries.iter().take(MOST + 1)) {
        let span = *arena.place_of(*entry)?;
        let line = source.line_text(number);
        // One below the other, each on one line, and nothing else there.
        let is_line =
            source.line(span.start) == number && source.line(span.end) == number && first_indent(&line) == indent;
        let is_scalar = !matches!(arena.value(*entry), Val::Node(_) | Val::Raw(_));
        if !is_line || !is_scalar || line.contains('#') || span.source != place.source {
            return None;
        }
        let (key, value) = (source.written(span.key())?.to_owned(), source.written(span.value())?.to_owned());
        lines.push(match (is_one, &declared[..]) {
            (true, _) => format!("{}{key}: {value}", if lines.is_empty() { "- " } else { "  " }),
            (false, [name, content]) => format!("- {name}: {key}\n{indent}  {content}: {value}"),
            _ => return None,
        });
    }
    let last = first.checked_add(u32::try_from(entries.len()).ok()?)?.checked_sub(1)?;
    let span = Span { source: place.source, start: place.start, end: source.line_range(last).end };
    let end = source.written(span)?.trim_end().len();
    let span = Span { end: span.start.checked_add(u32::try_from(end).ok()?)?, ..span };
    (entries.len() <= MOST).then(|| (span, lines.join(&format!("\n{indent}"))))
}

/// The edit that makes items of a map of maps: what was the key of each is its name.
fn maps_anew(
    (arena, sources, schema): (&Arena, &SourceMap, &Schema),
    (item, element): (NodeId, &Type),
) -> Option<(Span, String)> {
    let TypeKind::Map(map) = &element.kind else { return None };
    let entries = arena.items(arena.map_of(arena.value(item))?);
    let inside = |entry: &NodeId| arena.map_of(arena.value(*entry)).map(|inner| arena.items(inner));
    let key = |item: &NodeId| key_text(arena, arena.key(*item));
    let is_declared = |item: &NodeId| schema.declared_item(map, arena, arena.key(*item)).is_some();
    let is_empty = |entry: &NodeId| {
        let span = arena.place_of(*entry).map(|place| place.value());
        span.is_some_and(|span| sources.get(span.source).written(span) == Some("{}"))
    };
    let fits = |entry: &NodeId| {
        inside(entry).is_some_and(|inner| (!inner.is_empty() || is_empty(entry)) && inner.iter().all(is_declared))
    };
    if entries.len() > MOST || !entries.iter().all(fits) {
        return None;
    }
    let is_free = |name: &String| !entries.iter().filter_map(inside).flatten().any(|inner| key(inner) == *name);
    let texts = map.items.iter().filter(|id| matches!(schema.inner(schema.item(**id).ty).kind, TypeKind::Str));
    let names: Vec<String> = texts.map(|id| key_text(arena, schema.item(*id).key)).filter(is_free).collect();
    // What else is a text is hardly what names an item.
    let name = names.iter().find(|name| matches!(name.as_str(), "name" | "id" | "key"))?;
    let (first, last) = (*arena.place_of(*entries.first()?)?, *arena.place_of(*entries.last()?)?);
    let source = sources.get(first.source);
    let (_, indent) = source.above(first.key())?;
    let mut new = String::new();
    for entry in entries {
        let place = *arena.place_of(*entry)?;
        let written = source.written(place.key())?;
        new.push_str(&format!("{indent}- {name}: {written}\n"));
        let Some(inner) = inside(entry)?.first() else { continue };
        let inner = arena.span_of(*inner)?;
        let lines = source.lines_of(Span { end: place.end, ..inner })?;
        let (_, deeper) = source.above(inner)?;
        new.push_str(&indented(source.written(lines)?, deeper.len(), indent.len().checked_add(2)?)?);
    }
    let span = source.lines_of(Span { end: last.end, ..first.key() })?;
    (!source.written(span)?.contains('#')).then_some((span, new))
}

fn first_indent(line: &str) -> String {
    line.chars().take_while(|letter| *letter == ' ').collect()
}
