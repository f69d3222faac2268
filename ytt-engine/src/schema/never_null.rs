//! Values of a map of which only one may be set: where they are set, and those that are never null, since the schema does
//! not let them.

use super::{ItemId, Schema, TypeKind};
use crate::diag::suggest::all_of;
use crate::diag::{Diagnostic, Help, Label};
use crate::source::{Origin, Source, SourceId, SourceMap, Span, to_u32};
use crate::yaml::words::key_text;
use crate::yaml::{Arena, NodeId, Val};

/// Keys that are told of.
const MOST: usize = 6;

/// A value that no data values set and that is not null.
struct Child {
    key: String,
    place: Span,
}

/// Says which of the values of a map are set though nobody sets them, with the edit that makes them nullable. `keys` are
/// those that count; all do where there are none.
pub(super) fn told(
    (arena, sources, schema): (&Arena, &SourceMap, &Schema),
    (node, ty): (NodeId, ItemId),
    keys: Option<&[Val]>,
    told: &Diagnostic,
) -> Option<Diagnostic> {
    let map = arena.map_of(arena.value(node))?;
    let counts = |item: &NodeId| keys.is_none_or(|keys| keys.iter().any(|key| arena.same(arena.key(*item), *key)));
    let items = arena.items(map).iter().copied().filter(counts);
    let (mut never, mut set) = (Vec::new(), Vec::new());
    for item in items.filter(|item| arena.value(*item) != Val::Null) {
        let child = schema.item(schema.below(ty, arena, item)?);
        let place = arena.place(child.pos)?.key();
        let key = key_text(arena, arena.key(item));
        match schema.ty(child.ty).kind {
            TypeKind::Nullable(_) | TypeKind::Any => set.push(Child { key, place: arena.span_of(item)? }),
            _ if is_default(arena, item, place.source) => never.push(Child { key, place }),
            _ => set.push(Child { key, place: arena.span_of(item)? }),
        }
    }
    if never.len() > MOST {
        return None;
    }
    if never.is_empty() {
        return several(sources, told, set);
    }
    let mut told = told.clone();
    let parts = told.parts_mut();
    for child in &never {
        let text = format!("`{}` is not nullable, so it is never null", child.key);
        parts.labels.push(Label { span: child.place, text });
    }
    set.retain(|child| parts.labels.iter().all(|label| label.span != child.place));
    for child in set.iter().take(MOST) {
        parts.labels.push(Label { span: child.place, text: format!("`{}` is set here", child.key) });
    }
    let names: Vec<String> = never.iter().map(|child| format!("`{}`", child.key)).collect();
    let text = match &names[..] {
        [only] => format!("let {only} be null where nothing sets it: annotate it with `#@schema/nullable`"),
        all => {
            format!("let them be null where nothing sets them: annotate {} with `#@schema/nullable`", all_of(all))
        }
    };
    parts.helps = vec![match nullable(sources, never) {
        Some((span, new)) => Help::with_edit(text, span, new),
        None => Help::new(text),
    }];
    Some(told)
}

/// Several values are set: where, in the order in which they were, and what leaves one of them.
fn several(sources: &SourceMap, told: &Diagnostic, mut set: Vec<Child>) -> Option<Diagnostic> {
    set.sort_by_key(|child| (rank(sources, child.place.source), child.place.source, child.place.start));
    let (last, others) = set.split_last()?;
    if others.is_empty() || others.len() > MOST {
        return None;
    }
    let mut told = told.clone();
    let own = Label { span: last.place, text: format!("`{}` is set here", last.key) };
    let labels = others.iter().map(|child| Label { span: child.place, text: format!("`{}` is set here", child.key) });
    let labels: Vec<Label> = std::iter::once(own).chain(labels).collect();
    told.parts_mut().labels.splice(0..0, labels);
    let names: Vec<String> = others.iter().map(|child| format!("`{}`", child.key)).collect();
    let is_file = !matches!(sources.get(last.place.source).origin, Origin::Flag | Origin::Rust(_));
    let is_later = is_file && others.iter().all(|child| child.place.source != last.place.source);
    let text = match is_later {
        true => format!("if `{}` is meant, which is set last, set {} to null beside it", last.key, all_of(&names)),
        false => {
            let rest = if others.len() > 1 { "others" } else { "other" };
            format!("keep one of {} and `{}`, and take the {rest} away", names.join(", "), last.key)
        }
    };
    let source = sources.get(last.place.source);
    let edit = source.above(last.place).filter(|_| is_later);
    // A file that has one of them already, as by `{}`, sets nothing anew: it goes on with what was there.
    if let ([child], true) = (others, is_later)
        && let Some((key, value)) = beside(&source, last.place, &child.key)
    {
        let told = told.label(key, format!("this does not take `{}` away: what was set before stays", child.key));
        let text = format!("if `{}` is meant, which is set last, set `{}` to null there", last.key, child.key);
        return Some(match value {
            Some(value) => told.help_edit(text, value, "null").guessing(),
            None => told.help(text),
        });
    }
    Some(match edit {
        Some((at, indent)) => {
            let lines: String = others.iter().map(|child| format!("{}: null\n{indent}", child.key)).collect();
            told.help_edit(text, at, lines).guessing()
        }
        None => told.help(text),
    })
}

/// The key of that name in the same map of a file, and its value, if that stands on the same line.
fn beside(source: &Source, place: Span, name: &str) -> Option<(Span, Option<Span>)> {
    const MOST: usize = 200;
    let own = source.line(place.start);
    let indent = |line: &str| line.len().saturating_sub(line.trim_start_matches(' ').len());
    let column = indent(&source.line_text(own));
    let is_inside = |line: &u32| {
        let text = source.line_text(*line);
        text.trim().is_empty() || text.trim_start().starts_with('#') || indent(&text) >= column
    };
    let last = source.line(u32::MAX);
    let above = (1..own).rev().take_while(is_inside).take(MOST);
    let below = (own.saturating_add(1)..=last).take_while(is_inside).take(MOST);
    above.chain(below).find_map(|line| {
        let text = source.line_text(line);
        let rest = text.get(column..)?.strip_prefix(name)?.strip_prefix(':')?;
        let start = source.line_range(line).start.saturating_add(to_u32(column));
        let key = Span { start, end: start.saturating_add(to_u32(name.len())), ..place };
        let value = rest.split(" #").next()?.trim();
        let at = key.end.saturating_add(1).saturating_add(to_u32(rest.find(value)?));
        let value =
            (!value.is_empty()).then(|| Span { start: at, end: at.saturating_add(to_u32(value.len())), ..place });
        (indent(&text) == column).then_some((key, value))
    })
}

/// Which values are set last: those of flags after those of plain files, and these after documents.
fn rank(sources: &SourceMap, file: SourceId) -> u8 {
    let source = sources.get(file);
    match source.origin {
        Origin::Flag | Origin::Rust(_) => 2,
        _ => u8::from(!source.text.as_str().unwrap_or_default().contains("data/values")),
    }
}

/// Does all of a value stand in the schema?
fn is_default(arena: &Arena, item: NodeId, schema: SourceId) -> bool {
    let mut open = vec![item];
    while let Some(item) = open.pop() {
        if arena.place_of(item).is_none_or(|place| place.source != schema) {
            return false;
        }
        if let Val::Node(inner) = arena.value(item) {
            open.extend(arena.items(inner));
        }
    }
    true
}

/// The edit that annotates all of them.
fn nullable(sources: &SourceMap, mut never: Vec<Child>) -> Option<(Span, String)> {
    never.sort_by_key(|child| child.place.start);
    let file = never.first()?.place.source;
    // Schema files may declare parts of one map each.
    never.iter().all(|child| child.place.source == file).then_some(())?;
    let source = sources.get(file);
    let above = never.iter().map(|child| source.above(child.place));
    let above: Vec<(Span, String)> = above.collect::<Option<_>>()?;
    let (first, last) = (above.first()?.0, above.last()?.0);
    let (mut new, mut at) = (String::new(), first.start);
    for (span, indent) in &above {
        new.push_str(source.written(Span { start: at, end: span.start, ..first })?);
        new.push_str(&format!("#@schema/nullable\n{indent}"));
        at = span.end;
    }
    Some((Span { end: last.end, ..first }, new))
}
