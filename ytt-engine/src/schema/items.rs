//! Several items of an array in a schema, written as its default.

use crate::quoted;
use crate::source::{Source, SourceMap, Span};
use crate::yaml::words::key_text;
use crate::yaml::{Arena, Body, NodeId, Val};

/// What the help says.
pub(super) const ALL: &str =
    "to have all of them as the default, give them to `#@schema/default`, and leave one as the example";

/// The edit that gives the items of a block array below a key to `@schema/default`, and leaves the first as the example.
pub(super) fn as_default(arena: &Arena, sources: &SourceMap, node: NodeId) -> Option<(Span, String)> {
    let Val::Node(array) = arena.value(node) else { return None };
    let items = arena.items(array).iter();
    let texts: Vec<String> = items.map(|item| starlark(arena, arena.value(*item), 0)).collect::<Option<_>>()?;
    let Block { span, indent, first } = block(arena, sources, node)?;
    Some((span, format!("{indent}#@schema/default [{}]\n{first}", texts.join(", "))))
}

/// The edit that leaves the first item of a block array below a key, and takes the others out.
pub(crate) fn one_left(arena: &Arena, sources: &SourceMap, node: NodeId) -> Option<(Span, String)> {
    let Block { span, first, .. } = block(arena, sources, node)?;
    Some((span, first))
}

/// A key with a block array.
struct Block {
    /// All of its lines.
    span: Span,
    indent: String,
    /// The lines up to the end of the first item.
    first: String,
}

/// Nothing if anything but the items stands in the lines.
fn block(arena: &Arena, sources: &SourceMap, node: NodeId) -> Option<Block> {
    const MOST: usize = 20;
    let Val::Node(array) = arena.value(node) else { return None };
    let (items, key) = (arena.items(array), arena.place_of(node)?.key());
    let source = sources.get(key.source);
    let (_, indent) = source.above(key)?;
    let lines: Vec<u32> =
        items.iter().map(|item| Some(source.line(arena.place_of(*item)?.whole().start))).collect::<Option<_>>()?;
    let (begin, last) = (source.line(key.start), last_line(arena, &source, *items.last()?)?);
    // One below the other, with nothing between that is no part of them.
    let is_block = begin < *lines.first()? && lines.is_sorted_by(|line, next| line < next) && items.len() <= MOST;
    let has_comment = (begin..=last).any(|line| source.line_text(line).contains('#'));
    if !is_block || has_comment {
        return None;
    }
    let (start, kept) = (source.line_range(begin).start, source.line_range(lines.get(1)?.saturating_sub(1)).end);
    let span = Span { start, end: source.line_range(last).end, ..key };
    let first = source.written(Span { end: kept, ..span })?.trim_end_matches(['\n', '\r']).to_owned();
    Some(Block { span, indent, first })
}

fn last_line(arena: &Arena, source: &Source, item: NodeId) -> Option<u32> {
    let own = source.line(arena.place_of(item)?.whole().end);
    let Val::Node(inner) = arena.value(item) else { return Some(own) };
    arena.items(inner).iter().try_fold(own, |last, item| Some(last.max(last_line(arena, source, *item)?)))
}

/// A value as code writes it; `None` of one that is long or no plain value.
fn starlark(arena: &Arena, value: Val, depth: usize) -> Option<String> {
    const DEPTH: usize = 4;
    match value {
        Val::Str { .. } => {
            let text = arena.str(value)?;
            (!text.contains('\n')).then(|| quoted::go(text.as_bytes()))
        }
        Val::Int(_) | Val::UInt(_) | Val::Float(_) => Some(key_text(arena, value)),
        Val::Bool(value) => Some(if value { "True" } else { "False" }.to_owned()),
        Val::Node(inner) if depth < DEPTH => {
            let items = arena.items(inner).iter();
            match arena.get(inner).body {
                Body::Map(_) => {
                    let entry = |item: &NodeId| {
                        let key = starlark(arena, arena.key(*item), DEPTH)?;
                        Some(format!("{key}: {}", starlark(arena, arena.value(*item), depth.saturating_add(1))?))
                    };
                    Some(format!("{{{}}}", items.map(entry).collect::<Option<Vec<_>>>()?.join(", ")))
                }
                _ => {
                    let all = items.map(|item| starlark(arena, arena.value(*item), depth.saturating_add(1)));
                    Some(format!("[{}]", all.collect::<Option<Vec<_>>>()?.join(", ")))
                }
            }
        }
        _ => None,
    }
}
