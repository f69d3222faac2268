//! A parameter that is None since a call hands on a data value that is null: there the call is what is left out.

use super::super::host::Host;
use super::code_of;
use crate::diag::{Diagnostic, Help};
use crate::nearest::only;
use crate::source::{Source, Span};
use crate::template::code::{Binder, FileCode};
use crate::template::written;

/// Adds the call, and the edit that leaves its line out; `null_at` says where the null stands that code leads to.
pub(super) fn around_call(
    host: &Host<'_>,
    problem: &mut Diagnostic,
    (place, code): (Span, &str),
    null_at: &dyn Fn(&Source, &str) -> Option<Span>,
) {
    let name = code.split('.').next().unwrap_or_default();
    let source = host.sources.get(place.source);
    let bound = FileCode::read(&source, place.source).and_then(|file| file.bound(place, name));
    let is_parameter = bound.is_some_and(|bound| matches!(bound.by, Binder::Parameter(Some(_))));
    let call = problem.parts().trace.get(1).and_then(|frame| frame.span).filter(|_| is_parameter);
    let Some((call, arguments)) = call.and_then(|call| Some((call, written::call(&host.sources, call)?))) else {
        return;
    };
    let caller = host.sources.get(call.source);
    let is_null = |value: &Span| null_at(&caller, &code_of(&host.sources, *value)).is_some();
    let Some(given) = only(arguments.iter().map(|argument| argument.value).filter(is_null)) else { return };
    let given_code = code_of(&host.sources, given);
    let mut told = problem.clone().label(given, format!("`{name}` is None in this call"));
    if let Some(edit) = left_out(&caller, call, &given_code) {
        let text = format!("leave it out where `{given_code}` is None");
        let help = Help { is_guess: true, ..Help::with_edit(text, edit.0, edit.1) };
        told.parts_mut().helps.insert(0, help);
    }
    *problem = told;
}

/// The line above a node whose value is the call, or what the call gives in place of the node.
fn left_out(caller: &Source, call: Span, given: &str) -> Option<(Span, String)> {
    let line = caller.line_range(caller.line(call.start));
    let before = caller.written(Span { start: line.start, end: call.start, ..call })?;
    let behind = caller.written(Span { start: call.end, end: line.end, ..call })?;
    let (node, code) = before.split_once("#@")?;
    let is_node = matches!(node.trim(), "---" | "-") || node.trim_end().ends_with(':') && !node.contains("- ");
    let is_all = matches!((code.trim(), behind.trim()), ("", "") | ("template.replace(", ")"));
    let (above, indent) = caller.above(Span { start: line.start, end: line.start, ..call })?;
    let indent =
        if indent.is_empty() { node.get(..node.len().checked_sub(node.trim_start().len())?)? } else { &indent };
    (is_node && is_all).then(|| (above, format!("{indent}#@ if/end {given}:\n")))
}
