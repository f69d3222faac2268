//! A list, dict or set that is changed while a loop goes over it: the loop, which can go over a copy.

use super::super::host::Host;
use super::code_of;
use super::origin::Origins;
use crate::diag::Diagnostic;
use crate::source::{SourceMap, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::written::{self, CodeStep};
use crate::yaml::Val;

/// Names that are followed to what they are set to.
const STEPS: usize = 4;

/// Adds the loop that goes over what is changed, if it is one around the change, or around the call that hands it over.
pub(super) fn told(host: &Host<'_>, data: Val, problem: &mut Diagnostic, kind: &str) {
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let sources = &host.sources;
    let Some(changed) = written::changed(sources, place).or_else(|| augmented(sources, place)) else { return };
    let trace = problem.parts().trace.clone();
    let (handed, _) = Origins::new(host, data, &trace).handed_on(changed);
    let call = handed.iter().copied().find_map(|argument| Some((over(host, argument)?, argument)));
    let (over, call) = match (over(host, changed), call) {
        (Some(over), _) => (over, None),
        (None, Some((over, argument))) => (over, Some(argument)),
        (None, None) => return,
    };
    let code = code_of(sources, over);
    let told = problem.clone().relabel(format!("this changes the {kind} that a loop goes over"));
    let told = told.label(over, format!("the loop goes over this {kind}"));
    let told = told.label_at(call, "it is handed on here");
    let text = format!("go over a copy: `list({code})`");
    let told = told.help_edit(text, over, format!("list({code})"));
    // Somebody may want what is added in the loop as well.
    *problem = told.guessing();
}

/// What stands in front of `+=` or its like, which is marked with it.
fn augmented(sources: &SourceMap, place: Span) -> Option<Span> {
    let code = code_of(sources, place);
    let target = code.strip_suffix("+=").or_else(|| code.strip_suffix("|="))?.trim_end();
    Some(Span { end: place.start.checked_add(to_u32(target.len()))?, ..place })
}

/// What a loop around a place goes over, if that is the value of the code there.
fn over(host: &Host<'_>, place: Span) -> Option<Span> {
    let source = host.sources.get(place.source);
    if !host.may_advise(source.text.as_bytes().len()) {
        return None;
    }
    let code = FileCode::read(&source, place.source)?;
    let turns = code.turns(place).into_iter().map(|(_, over)| over);
    turns.into_iter().find(|over| is_same(&host.sources, &code, *over, place))
}

/// Does code at two places have one value, by names that are set once between them?
fn is_same(sources: &SourceMap, code: &FileCode, first: Span, second: Span) -> bool {
    let [Some(first), Some(second)] = [first, second].map(|place| root(sources, code, place)) else { return false };
    first == second
}

/// The place that binds the name which code begins with, names for another one left out, and the steps from there.
fn root(sources: &SourceMap, code: &FileCode, place: Span) -> Option<(Span, Vec<CodeStep>)> {
    let mut path = written::path(sources, place)?;
    for _ in 0..STEPS {
        if path.steps.contains(&CodeStep::Any) {
            return None;
        }
        let bound = code.bound(path.root, &code_of(sources, path.root))?;
        let other = match bound.by {
            Binder::Value(value) if code.is_bound_once(path.root, &code_of(sources, path.root)) => {
                written::path(sources, value)
            }
            _ => None,
        };
        match other {
            Some(mut other) => {
                other.steps.append(&mut path.steps);
                path = other;
            }
            None => return Some((bound.name, path.steps)),
        }
    }
    None
}
