//! Slips around `assert.try_to`: its two values under each other's names (the value comes first, then the error), and a
//! call that has run before it where it takes a function.

use super::super::host::Host;
use super::calls::article;
use super::{code_of, only_argument, place_at};
use crate::diag::Diagnostic;
use crate::source::{SourceMap, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::written;

/// How errors are called.
const ERRORS: [&str; 3] = ["e", "err", "error"];

/// Marks the statement that names the error first, where one of these conditions asks for that name.
pub(super) fn swapped(
    host: &Host<'_>,
    problem: &Diagnostic,
    code: &FileCode,
    conditions: &[(Span, bool)],
) -> Option<Diagnostic> {
    let sources = &host.sources;
    let is_error = |name: &str| ERRORS.contains(&name);
    // A condition that asks whether there is an error, and nothing else.
    let is_bare = |condition: &Span| {
        let code = code_of(sources, *condition);
        is_error(code.trim_end_matches("!= None").trim())
    };
    let bare = conditions.iter().filter(|(condition, holds)| *holds && is_bare(condition));
    let asked = bare.flat_map(|(condition, _)| written::paths(sources, *condition));
    let (name, value) = asked.filter(|name| is_error(&code_of(sources, *name))).find_map(|asked| {
        let bound = code.bound(asked, &code_of(sources, asked))?;
        let Binder::Part(value) = bound.by else { return None };
        let callee = written::callee(sources, value)?;
        code_of(sources, callee).ends_with(".try_to").then_some((bound.name, value))
    })?;
    let source = sources.get(name.source);
    let between = source.written(Span { start: name.start, end: value.start, ..name })?;
    let (first, second) = between.trim_end().strip_suffix('=')?.trim_end().split_once(',')?;
    let first = first.trim_end();
    let is_name = |name: &str| name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    let second = second.trim_start();
    (first == code_of(sources, name) && is_name(second) && second != "_" && !is_error(second)).then_some(())?;
    let whole = first.len().checked_add(between.get(first.len()..)?.find(second)?)?.checked_add(second.len())?;
    let both = Span { end: name.start.checked_add(to_u32(whole))?, ..name };
    let told = problem.clone().label(both, format!("`{first}` is the value here, and `{second}` the error"));
    let help = "`assert.try_to` gives the value first, then the error";
    Some(told.help_edit(help, both, format!("{second}, {first}")).guessing())
}

/// A value of this type where a function is to be tried: if it is what a call gives, the call was to be tried.
pub(super) fn result(sources: &SourceMap, problem: &mut Diagnostic, kind: &str) {
    let Some(call) = problem.parts().labels.first().map(|label| label.span) else { return };
    let Some(given) = only_argument(sources, call).filter(|given| given.name.is_none()) else { return };
    let mut told = problem.clone();
    place_at(&mut told, given.value);
    let Some(callee) = written::callee(sources, given.value) else {
        *problem = told.relabel(format!("this is {}", article(kind)));
        return;
    };
    told = told.relabel(format!("this call has run already, and its result is {}", article(kind)));
    // What is looked up may have been meant to be a function.
    let callee = code_of(sources, callee);
    let is_looked_up = callee == "getattr" || callee.ends_with(".get") || callee.ends_with(".pop");
    if !is_looked_up {
        let start = Span { end: given.value.start, ..given.value };
        told = told.help_edit("`assert.try_to` calls a function: make one of the call", start, "lambda: ");
        // A function that gives nothing may lack the `return` of a function.
        if kind == "NoneType" {
            told = told.guessing();
        }
    }
    *problem = told;
}
