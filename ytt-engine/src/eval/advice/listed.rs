//! YAML that is added to a list: which function gives it, where it got its name, and the list to make of it.

use super::super::host::Host;
use super::origin::Origins;
use super::{code_of, functions, place_at};
use crate::diag::{Diagnostic, NoteKind};
use crate::source::{SourceMap, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::written;
use crate::yaml::Val;

/// Functions that are followed, each of which returns what the next one gives.
const STEPS: usize = 4;

/// A side of a `+`, or what a method is asked of, that is YAML.
pub(super) struct Side {
    span: Span,
    /// The value to make a list of: the side itself, or what its name is set to.
    pub(super) value: Span,
    /// The name, where that is set to `value`.
    pub(super) set: Option<Span>,
    /// The argument that a parameter got, in a call elsewhere.
    handed: Option<Span>,
    /// What it comes from, where a function of nodes is called for it.
    pub(super) given: Option<Given>,
}

/// The function that gives YAML.
pub(super) struct Given {
    name: Span,
    /// The first of its nodes.
    node: Span,
    pub(super) is_list: bool,
}

/// Two pieces of YAML that are added in code: lists of both, where they are arrays.
pub(super) fn both(host: &Host<'_>, data: Val, problem: &mut Diagnostic, kinds: [&str; 2]) {
    let mut told = problem.clone();
    told.parts_mut().helps.clear();
    added(host, data, &mut told, kinds);
    if told.parts().helps.iter().any(|help| help.edit.is_some()) {
        *problem = told;
    }
}

/// A `+` or `+=` of a list and YAML.
pub(super) fn added(host: &Host<'_>, data: Val, problem: &mut Diagnostic, kinds: [&str; 2]) {
    let sources = &host.sources;
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let grown = written::added(sources, place);
    let Some(both) = grown.or_else(|| written::operands(sources, place)) else { return };
    let trace = problem.parts().trace.clone();
    let origins = Origins::new(host, data, &trace);
    let sides: Vec<Side> = both
        .into_iter()
        .zip(kinds)
        .filter(|(_, kind)| *kind == "yamlfragment")
        .map(|(span, _)| side(sources, &origins, span))
        .collect();
    let Some(first) = sides.first() else { return };
    let what = |side: &Side| match &side.given {
        Some(Given { is_list: true, .. }) => "an array of YAML, which is no list of code",
        Some(Given { is_list: false, .. }) => "a map of YAML",
        None => "this is YAML, not a list",
    };
    let mut told = problem.clone().relabel(what(first));
    place_at(&mut told, first.span);
    told.parts_mut().notes.retain(|note| note.kind != NoteKind::Hint);
    for (span, kind) in both.into_iter().zip(kinds) {
        match sides.iter().find(|side| side.span == span) {
            Some(side) if span != first.span => told = told.label(span, what(side)),
            None if kind == "list" => told = told.label(span, "this is a list"),
            _ => {}
        }
    }
    let told = sides.iter().fold(told, |told, side| came_from(sources, told, side, "list"));
    let is_map = |side: &Side| side.given.as_ref().is_some_and(|given| !given.is_list);
    let maps = sides.iter().filter(|side| is_map(side)).count();
    let text = match maps {
        0 => "only lists have `+`: make a list of what YAML gives",
        _ if maps == sides.len() && kinds.contains(&"list") => {
            "only lists have `+`: if the map is one more item, make a list of it"
        }
        _ => {
            *problem = told.help("only lists have `+`, and a map of YAML is none");
            return;
        }
    };
    let is_sure = maps == 0 && sides.iter().all(|side| side.given.is_some());
    let told = match edit(sources, both, &sides, grown.is_some(), maps > 0) {
        Some((span, new)) => told.help_edit(text, span, new),
        None => told.help(text),
    };
    *problem = if is_sure { told } else { told.guessing() };
}

/// Marks where YAML has its name from, and the function that gives it; `wanted` is what code takes it for.
pub(super) fn came_from(sources: &SourceMap, told: Diagnostic, side: &Side, wanted: &str) -> Diagnostic {
    let mut told = told;
    if let Some(set) = side.set {
        told = told.label(set, format!("`{}` is set to it here", code_of(sources, side.span)));
    }
    match side.given {
        Some(Given { name, node, .. }) if told.parts().labels.iter().all(|label| label.span != name) => {
            let text = format!("`{}` has YAML in it: it gives YAML, not a {wanted}", code_of(sources, name));
            let told = told.label(name, text).label(node, "it gives what begins here");
            told.label_at(side.handed, format!("`{}` is given this", code_of(sources, side.span)))
        }
        _ => told,
    }
}

/// The edit that makes a list of each side that is YAML.
fn edit(sources: &SourceMap, both: [Span; 2], sides: &[Side], is_grown: bool, is_item: bool) -> Option<(Span, String)> {
    let list = |span: Span| match is_item {
        true => format!("[{}]", code_of(sources, span)),
        false => format!("list({})", code_of(sources, span)),
    };
    let source = sources.get(both[0].source);
    let mut parts: Vec<(Span, String)> = Vec::new();
    for side in sides {
        // `name += more`, where the name may have got its value in several ways: `name = list(name) + more`.
        if is_grown && side.span == both[0] && side.set.is_none() {
            let between = Span { start: side.span.end, end: both[1].start, ..side.span };
            let more = code_of(sources, both[1]);
            let is_one = written::path(sources, both[1]).is_some()
                || written::callee(sources, both[1]).is_some()
                || more.starts_with('[') && written::operands(sources, both[1]).is_none();
            if !is_one {
                return None;
            }
            parts.push((between, format!(" = {} + ", list(side.span))));
        } else {
            parts.push((side.value, list(side.value)));
        }
    }
    parts.sort_by_key(|(span, _)| span.start);
    parts.dedup_by_key(|(span, _)| *span);
    source.replaced(parts.iter().map(|(span, new)| (*span, new.as_str())))
}

/// Where a piece of YAML comes from that code has.
pub(super) fn side(sources: &SourceMap, origins: &Origins<'_, '_>, span: Span) -> Side {
    let given = |call: Span| given(sources, call, STEPS);
    let bare = Side { span, value: span, set: None, handed: None, given: given(span) };
    if bare.given.is_some() || !is_name(sources, span) {
        return bare;
    }
    let source = sources.get(span.source);
    let name = code_of(sources, span);
    let code = FileCode::read(&source, span.source);
    let bound = code.as_ref().and_then(|code| code.bound(span, &name));
    match bound.map(|bound| (bound.name, bound.by)) {
        // Where several statements set it, which of them did is known to nobody.
        Some((set, Binder::Value(value))) if code.is_some_and(|code| code.is_bound_once(span, &name)) => {
            Side { value, set: Some(set), given: given(value), ..bare }
        }
        Some((_, Binder::Parameter(_))) => {
            let call = origins.given_by(span, 0).map(|(call, _)| call);
            Side { handed: call, given: call.and_then(given), ..bare }
        }
        _ => bare,
    }
}

fn is_name(sources: &SourceMap, span: Span) -> bool {
    written::path(sources, span).is_some_and(|path| path.steps.is_empty())
}

/// The function of nodes that a call gets its value from.
fn given(sources: &SourceMap, call: Span, left: usize) -> Option<Given> {
    let left = left.checked_sub(1)?;
    let callee = code_of(sources, written::callee(sources, call)?);
    let (function, name) = functions::defined(sources, call.source, &callee)?;
    if let [returned] = function.returned[..] {
        return given(sources, returned, left);
    }
    let source = sources.get(name.source);
    if !function.returned.is_empty() || source.name.ends_with(".star") {
        return None;
    }
    let head = source.line(function.head.end);
    let lines = head.saturating_add(1)..=source.line(function.whole.end);
    let (line, text) = lines
        .map(|line| (line, source.line_text(line)))
        .find(|(_, text)| !text.trim().is_empty() && !text.trim_start().starts_with('#'))?;
    let node = text.trim();
    if node.starts_with("---") {
        return None;
    }
    let start =
        source.line_range(line).start.saturating_add(to_u32(text.len().saturating_sub(text.trim_start().len())));
    let place = Span { start, end: start.saturating_add(to_u32(node.len())), ..name };
    Some(Given { name, node: place, is_list: node == "-" || node.starts_with("- ") })
}
