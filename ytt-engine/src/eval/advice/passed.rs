//! A library's rule for a value that code gave it in a map which it made, as `struct.decode` does, so that the value has no
//! place: where it comes from among the data values.

use super::super::host::Host;
use super::code_of;
use super::origin::{Origins, described, name_of, place_of};
use crate::diag::path::steps;
use crate::diag::{Diagnostic, Fact, Help, Label, PathStep};
use crate::nearest::only;
use crate::quoted;
use crate::source::Span;
use crate::template::code::FileCode;
use crate::template::written::CodeStep;
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::words::key_text;
use crate::yaml::{NodeId, Val};

/// Data values that are looked at where code does not tell which one it is.
const ITEMS: usize = 1_000;
/// Places that are shown, and those that are edited.
const SHOWN: usize = 3;
const EDITED: usize = 10;
/// A shorter text may be another value by chance.
const SHORTEST: usize = 3;

/// Adds where the value is set, and what is to be written there. `method` gives the library its values.
pub(super) fn told(host: &Host<'_>, data: Val, problem: Diagnostic, method: Option<Span>) -> Diagnostic {
    let Some(Fact::Rule { path, near, given: Some(given), .. }) = problem.parts().fact.clone() else { return problem };
    let trace = problem.parts().trace.clone();
    let origins = Origins::new(host, data, &trace);
    let argument = method.and_then(|method| argument(host, method));
    let found = argument.zip(steps_to(&path)).map(|(code, steps)| origins.below(code, &steps)).unwrap_or_default();
    let mut items: Vec<NodeId> = found.into_iter().filter(|item| is_given(host, *item, &given)).collect();
    let is_sure = !items.is_empty();
    if !is_sure && is_written_once(host, &given) {
        items.extend(only_with(host, data, &given));
    }
    let mut places: Vec<(NodeId, Span)> = Vec::new();
    for item in items.into_iter().take(EDITED.saturating_add(1)) {
        let Some(place) = place_of(host, item) else { return problem };
        if !places.iter().any(|(_, known)| *known == place) {
            places.push((item, place));
        }
    }
    let mut told = problem;
    for (number, (item, place)) in places.iter().take(SHOWN).enumerate() {
        let arena = host.arena.borrow();
        let what = described(&arena, arena.value(*item));
        let text = match (is_sure, number) {
            (true, 0) => format!("`{}` is {what}, from here", name_of(host, *item, &path)),
            (true, _) => "and here".to_owned(),
            (false, _) => format!("the only data value that is {what}"),
        };
        told.parts_mut().labels.insert(number, Label { span: *place, text });
    }
    let is_written = |place: &Span| {
        let written = code_of(&host.sources, *place);
        written == given || written == quoted::go(given.as_bytes())
    };
    let can_be_edited = !places.is_empty() && places.len() <= EDITED;
    let can_be_edited = can_be_edited && places.iter().all(|(_, place)| is_written(place));
    let Some((near, is_guess)) = near.filter(|(near, _)| can_be_edited && needs_no_quotes(near)) else { return told };
    let edits = places.iter().map(|(_, place)| (*place, near.clone()));
    let help = Help::with_edits(format!("did you mean `{near}`?"), edits);
    told.parts_mut().helps = vec![Help { is_guess, must_mend: !is_sure, ..help }];
    told
}

/// Does an item hold the scalar that the library was given?
fn is_given(host: &Host<'_>, item: NodeId, given: &str) -> bool {
    let arena = host.arena.borrow();
    let value = arena.value(item);
    !matches!(value, Val::Null | Val::Node(_) | Val::Raw(_)) && key_text(&arena, value) == given
}

/// The values that a method is given.
fn argument(host: &Host<'_>, method: Span) -> Option<Span> {
    let code = FileCode::read(&host.sources.get(method.source), method.source)?;
    let (.., given) = code.calls().into_iter().find(|(function, ..)| function.end == method.end)?;
    given.first().map(|argument| argument.value)
}

/// The steps of a path as reports name it: `rules[0].name`.
fn steps_to(path: &str) -> Option<Vec<CodeStep>> {
    let step = |step| match step {
        PathStep::Key(key) => CodeStep::Key(str::to_owned(key)),
        PathStep::Index(number) => CodeStep::Index(number),
    };
    Some(steps(path)?.into_iter().map(step).collect())
}

/// Does one place of all files have the text? Code that has it, too, may have given it.
fn is_written_once(host: &Host<'_>, text: &str) -> bool {
    let mut count = 0_usize;
    for source in host.sources.all() {
        let Some(written) = source.text.as_str().filter(|written| host.may_advise(written.len())) else { return false };
        count = count.saturating_add(written.matches(text).take(2).count());
    }
    count == 1
}

/// The only item of the data values that holds a text.
fn only_with(host: &Host<'_>, data: Val, text: &str) -> Option<NodeId> {
    let (mut open, mut found, mut left) = (vec![data], Vec::new(), ITEMS);
    while let Some(at) = open.pop() {
        let Val::Node(container) = at else { continue };
        let arena = host.arena.borrow();
        for item in arena.items(container) {
            left = left.checked_sub(1)?;
            let value = arena.value(*item);
            open.push(value);
            if arena.str(value) == Some(text) && text.len() >= SHORTEST {
                found.push(*item);
            }
        }
    }
    only(found)
}
