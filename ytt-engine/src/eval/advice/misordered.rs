//! Arguments in another order than the parameters: one has the name of another parameter than it is given for.

use super::code_of;
use crate::diag::Diagnostic;
use crate::source::{SourceMap, Span};
use crate::template::code::{FileCode, Parameter};
use crate::template::snippet::ArgumentRole;
use crate::template::word;
use crate::template::written::{self, Argument, CodeStep};

/// Calls that are looked at, the innermost one first.
const CALLS: usize = 4;

/// A call of the trace whose arguments seem to be in another order than its function has them, where what failed reads one
/// of the parameters.
pub(super) fn told(sources: &SourceMap, problem: &mut Diagnostic) {
    let frames: Vec<Option<Span>> = problem.parts().trace.iter().take(CALLS).map(|frame| frame.span).collect();
    for pair in frames.windows(2) {
        let [Some(place), Some(call)] = pair else { continue };
        if let Some(told) = in_call(sources, problem, *place, *call) {
            *problem = told;
            return;
        }
    }
}

fn in_call(sources: &SourceMap, problem: &Diagnostic, place: Span, call: Span) -> Option<Diagnostic> {
    let code = FileCode::read(&sources.get(place.source), place.source)?;
    let function = code.function_around(place)?;
    let parameters = &function.parameters;
    let given = written::call(sources, call)?;
    let text = |span: Span| code_of(sources, span);
    let is_in_order = |one: &Parameter| matches!(one.role, ArgumentRole::Plain | ArgumentRole::Named);
    if !parameters.iter().all(is_in_order) || given.iter().any(|one| text(one.value).starts_with('*')) {
        return None;
    }
    let by_place = given.iter().take_while(|one| one.name.is_none()).count();
    let place_of = |name: &str| parameters.iter().position(|one| one.name == name);
    // The arguments that have the name of another parameter, which nobody names.
    let mut moved: Vec<(usize, usize)> = Vec::new();
    for (number, argument) in given.iter().take(by_place).enumerate() {
        let Some(name) = last_name(sources, argument.value) else { continue };
        let own = parameters.get(number)?;
        let Some(meant) = place_of(&name).filter(|meant| *meant != number && own.name != name) else { continue };
        if given.iter().all(|one| one.name.is_none_or(|span| text(span) != name)) {
            moved.push((number, meant));
        }
    }
    let (first, meant) = *moved.first()?;
    let read = text(place);
    let is_read =
        |number: usize| parameters.get(number).is_some_and(|one| word::whole(&read, &one.name).next().is_some());
    if !moved.iter().any(|(number, meant)| is_read(*number) || is_read(*meant)) {
        return None;
    }
    let argument = given.get(first)?.value;
    let (own, other) = (&parameters.get(first)?.name, &parameters.get(meant)?.name);
    let mut told = problem.clone();
    let note = format!("for `{own}`; there is a parameter `{other}`");
    match told.parts_mut().labels.iter_mut().find(|label| label.span == argument) {
        Some(label) => label.text = format!("{}, {note}", label.text),
        None => told = told.label(argument, format!("given {note}")),
    }
    let head = Span { start: parameters.first()?.whole.start, end: parameters.last()?.whole.end, ..function.head };
    if told
        .parts()
        .labels
        .iter()
        .all(|label| label.span.source != head.source || label.span.start >= head.end || label.span.end <= head.start)
    {
        told = told.label(head, "the parameters, in their order");
    }
    let (span, new) = reordered(sources, &given, by_place, parameters, &moved)?;
    let helps = &told.parts().helps;
    // The call is told already.
    if helps.iter().any(|help| help.edit.as_ref().is_some_and(|(own, _)| *own == span)) {
        return Some(problem.clone());
    }
    let mut told = told.help_edit("give the arguments in the order of the parameters", span, new).if_it_mends();
    // The others say how to go on with the value that came by mistake.
    told.parts_mut().helps.rotate_right(1);
    Some(told)
}

/// The arguments in the order of the parameters; behind a parameter that gets none they have names.
fn reordered(
    sources: &SourceMap,
    given: &[Argument],
    by_place: usize,
    parameters: &[Parameter],
    moved: &[(usize, usize)],
) -> Option<(Span, String)> {
    let text = |span: Span| code_of(sources, span);
    let mut slots: Vec<Option<Span>> = vec![None; parameters.len()];
    for (number, meant) in moved {
        let slot = slots.get_mut(*meant).filter(|slot| slot.is_none())?;
        *slot = Some(given.get(*number)?.value);
    }
    let named: Vec<String> = given.iter().filter_map(|one| one.name).map(text).collect();
    for (number, argument) in given.iter().take(by_place).enumerate() {
        if moved.iter().any(|(own, _)| *own == number) {
            continue;
        }
        // Where its own place is taken, it goes to the first one that is free.
        let own = slots.get(number)?.is_none().then_some(number);
        let free = || {
            let mut all = slots.iter().zip(parameters).enumerate();
            all.find(|(_, (slot, parameter))| slot.is_none() && !named.contains(&parameter.name)).map(|(at, _)| at)
        };
        let at = own.or_else(free)?;
        *slots.get_mut(at)? = Some(argument.value);
    }
    let mut has_gap = false;
    let mut all = Vec::new();
    for (slot, parameter) in slots.iter().zip(parameters) {
        match slot {
            Some(value) if has_gap => all.push(format!("{}={}", parameter.name, text(*value))),
            Some(value) => all.push(text(*value)),
            None => has_gap = true,
        }
    }
    let (first, last) = (given.first()?.value, given.get(by_place.checked_sub(1)?)?.value);
    Some((Span { end: last.end, ..first }, all.join(", ")))
}

/// The last name of a path: `tls` of `data.values.tls`.
fn last_name(sources: &SourceMap, code: Span) -> Option<String> {
    let path = written::path(sources, code)?;
    match path.steps.last() {
        Some(CodeStep::Key(name)) => Some(name.clone()),
        Some(_) => None,
        None => Some(code_of(sources, path.root)),
    }
}
