//! A value that is nothing, such as 0 or an empty text, where a rule wants something: beside it a switch turns off what it
//! is for.

use crate::diag::Diagnostic;
use crate::source::{SourceMap, Span};
use crate::yaml::{Arena, NodeId, Val};

/// What switches are called.
const NAMES: [&str; 4] = ["enabled", "enable", "active", "on"];

/// Says of a problem of the value `node` in the map `parent` that a switch beside it is on, with the edit.
pub(super) fn told(
    (arena, sources): (&Arena, &SourceMap),
    (parent, node): (Val, NodeId),
    problem: Diagnostic,
) -> Diagnostic {
    match edit((arena, sources), (parent, node)) {
        Some((name, switch, span, new)) => problem
            .note(format!("`{name}` at {} turns it off", sources.name_line(switch)))
            .help_edit("if it is meant to be off, say so", span, new)
            .guessing(),
        None => problem,
    }
}

fn edit(
    (arena, sources): (&Arena, &SourceMap),
    (parent, node): (Val, NodeId),
) -> Option<(&'static str, Span, Span, String)> {
    let map = arena.map_of(parent)?;
    let value = arena.value(node);
    let is_nothing = matches!(value, Val::Int(0) | Val::UInt(0) | Val::Float(0.0)) || arena.str(value) == Some("");
    let is_on = |name: &&str| arena.find_str(map, name).is_some_and(|item| arena.value(item) == Val::Bool(true));
    let name = NAMES.into_iter().find(is_on).filter(|_| is_nothing)?;
    let (own, switch) = (arena.place_of(node)?, arena.place_of(arena.find_str(map, name)?)?);
    let source = sources.get(own.source);
    let whole = Span { end: own.end, ..own.key() };
    // On one line, in a file: what is there of the value alone is replaced.
    let is_line = source.line(whole.start) == source.line(whole.end) && source.above(own.key()).is_some();
    let is_own = switch.source == own.source;
    (is_line && !is_own).then(|| (name, switch.key(), whole, format!("{name}: false")))
}
