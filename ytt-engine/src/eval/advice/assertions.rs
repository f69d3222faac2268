//! Assertions that data values break: the values that were looked at, and where they are set.

use super::super::host::Host;
use super::origin::{Origins, described, name_of, place_of};
use super::permitted::{self, edit_of};
use super::{code_of, library, tried};
use crate::diag::{Diagnostic, Fact, Frame, Label, suggest};
use crate::source::Span;
use crate::template::code::FileCode;
use crate::template::{outline, word, written};
use crate::yaml::words::key_text;
use crate::yaml::{NodeId, Val};

/// Values that are shown.
const SHOWN: usize = 3;

/// A data value that decided.
pub(super) struct Looked {
    pub(super) item: NodeId,
    pub(super) place: Span,
    name: String,
    /// Other items with this value, of which any may be the one.
    pub(super) also: Vec<Span>,
    /// The code that looks at it.
    pub(super) code: Span,
    /// It stands in a schema.
    is_default: bool,
    /// The place is code outside of a library, which gives it.
    is_given: bool,
}

/// Adds to a failure of an assertion the data values that led there. `of` is where a value came from that was found in a
/// library: what gave it to that one is asked next.
pub(super) fn given(host: &Host<'_>, data: Val, problem: &mut Diagnostic, of: Option<(Span, String)>) {
    if let Some((code, text)) = of {
        return from_outside(host, &Origins::returned(host, data), problem, (code, &text));
    }
    let trace = problem.parts().trace.clone();
    let origins = Origins::new(host, data, &trace);
    let Some(place) = trace.first().and_then(|frame| frame.span) else { return };
    let source = host.sources.get(place.source);
    let Some(code) = FileCode::read(&source, place.source) else { return };
    let conditions = code.conditions(place);
    if let Some(told) = tried::swapped(host, problem, &code, &conditions) {
        *problem = told;
        return;
    }
    let mut looked: Vec<Looked> = Vec::new();
    let in_conditions = conditions.iter().flat_map(|(condition, _)| written::paths(&host.sources, *condition));
    let said = Said::by(host, problem, place);
    let arguments = arguments(host, problem, &trace);
    let given_alone = arguments.len() == 1;
    for (code, frame) in in_conditions.map(|code| (code, 0)).chain(arguments) {
        let found = of_code(host, &origins, (code, frame), &said);
        if frame > 0 && !looked.is_empty() {
            break;
        }
        // Of several arguments the message tells which one is meant.
        let is_said = |one: &Looked| {
            let arena = host.arena.borrow();
            word::whole(&said.message, &key_text(&arena, arena.value(one.item))).next().is_some()
        };
        let found = found.filter(|one| frame == 0 || given_alone || is_said(one));
        if let Some(found) = found.filter(|one| looked.iter().all(|known| known.place != one.place)) {
            looked.push(found);
        }
    }
    looked.truncate(SHOWN);
    // What somebody set comes before the defaults.
    looked.sort_by_key(|one| one.is_default);
    let is_only = looked.iter().filter(|one| !one.is_default).count() == 1;
    let mut told = problem.clone();
    for one in &looked {
        told = with_value(host, told, one, is_only && !one.is_default);
    }
    // What the message says beside them helps to find the item.
    for code in said.codes.iter().take(SHOWN.saturating_sub(looked.len())) {
        if let Some(one) = of_code(host, &origins, (*code, 0), &said) {
            told = with_value(host, told, &one, false);
            looked.push(one);
        }
    }
    for condition in conditions {
        told = permitted::told(host, &origins, told, &code, condition, &looked);
    }
    // A branch that was to return what it computes goes on to the assertion.
    let thrown = code.function_around(place).map(|function| code.thrown_before(&function, place));
    if let Some([value]) = thrown.as_deref() {
        let start = Span { end: value.start, ..*value };
        told = told
            .label(*value, "computed, and not returned")
            .help_edit("return it", start, "return ")
            .if_it_mends()
            .guessing();
    }
    *problem = told;
}

/// Adds to a check of a bound the data value that is out of it. `allowed` are the texts that would do.
pub(super) fn checked(host: &Host<'_>, data: Val, problem: &mut Diagnostic, allowed: &[String]) {
    let trace = problem.parts().trace.clone();
    let origins = Origins::new(host, data, &trace);
    let Some(call) = trace.first().and_then(|frame| frame.span) else { return };
    let Some(given) = written::call(&host.sources, call) else { return };
    let Some(one) = given.first().and_then(|only| origins.only(only.value, 0).map(|item| (only.value, item))) else {
        return;
    };
    let Some(place) = place_of(host, one.1) else { return };
    let one = looked_at(host, (one.1, place), one.0);
    let is_set = !one.is_default;
    let told = with_value(host, problem.clone(), &one, is_set);
    let arena = host.arena.borrow();
    let text = arena.str(arena.value(one.item));
    let near = text.and_then(|text| Some((text, suggest::similar(text, allowed.iter().map(String::as_str))?)));
    *problem = match near {
        Some((text, near)) => {
            let help = format!("did you mean `{near}`?");
            let told = match edit_of(host, (one.place, text), near) {
                Some((span, new)) => told.help_edit(help, span, new),
                None => told.help(help),
            };
            told.guessing()
        }
        None => told,
    };
}

/// The arguments of the call that fails.
fn arguments(host: &Host<'_>, problem: &Diagnostic, trace: &[Frame]) -> Vec<(Span, usize)> {
    let call = problem.parts().labels.first().map(|label| label.span);
    let frame = trace.iter().position(|frame| frame.span == call).filter(|frame| *frame > 0);
    let given = call.zip(frame).and_then(|(call, frame)| Some((written::call(&host.sources, call)?, frame)));
    given.map_or_else(Vec::new, |(given, frame)| given.into_iter().map(|one| (one.value, frame)).collect())
}

/// What an assertion says when it fails: its message, and the code in it whose values that has.
struct Said {
    message: String,
    codes: Vec<Span>,
}

impl Said {
    fn by(host: &Host<'_>, problem: &Diagnostic, call: Span) -> Said {
        let given = written::call(&host.sources, call).unwrap_or_default();
        let codes = given.iter().flat_map(|one| written::paths(&host.sources, one.value)).collect();
        Said { message: problem.message().to_owned(), codes }
    }

    /// Does what people wrote for the message have a text between quotes?
    fn quotes(&self, text: &str) -> bool {
        let quoted = [format!("'{text}'"), format!("\"{text}\""), format!("`{text}`")];
        quoted.iter().any(|quoted| word::whole(&self.message, quoted).next().is_some())
    }

    /// Is it a value of this code that the message has?
    fn has(&self, host: &Host<'_>, code: Span, text: &str) -> bool {
        let written = code_of(&host.sources, code);
        let is_said = self.codes.iter().any(|said| code_of(&host.sources, *said) == written);
        is_said && word::whole(&self.message, text).next().is_some()
    }
}

/// The one scalar that code speaks of: of several items the only one whose value the message has.
fn of_code(host: &Host<'_>, origins: &Origins<'_, '_>, (code, frame): (Span, usize), said: &Said) -> Option<Looked> {
    let is_scalar = |item: NodeId| !matches!(host.arena.borrow().value(item), Val::Node(_) | Val::Raw(_));
    let mut items = origins.of(code, frame);
    if items.len() > 1 {
        items.retain(|item| {
            let arena = host.arena.borrow();
            is_scalar(*item) && said.has(host, code, &key_text(&arena, arena.value(*item)))
        });
        // A message that lists what is known has other values, too: what it quotes is meant.
        let arena = host.arena.borrow();
        let is_quoted = |item: &NodeId| said.quotes(&key_text(&arena, arena.value(*item)));
        if items.iter().any(is_quoted) {
            items.retain(is_quoted);
        }
    }
    let (&item, others) = items.split_first()?;
    let arena = host.arena.borrow();
    others.iter().all(|other| arena.same(arena.value(*other), arena.value(item))).then_some(())?;
    drop(arena);
    is_scalar(item).then_some(())?;
    match place_of(host, item) {
        Some(place) => {
            let also = others.iter().filter_map(|other| place_of(host, *other)).collect();
            Some(Looked { also, ..looked_at(host, (item, place), code) })
        }
        None => {
            let place = library::giving(host, origins, item)?;
            Some(Looked { is_given: true, ..looked_at(host, (item, place), code) })
        }
    }
}

fn looked_at(host: &Host<'_>, (item, place): (NodeId, Span), code: Span) -> Looked {
    let source = host.sources.get(place.source);
    let is_default = outline::is_in_schema(&source, place);
    Looked {
        item,
        place,
        name: name_of(host, item, &code_of(&host.sources, code)),
        also: Vec::new(),
        code,
        is_default,
        is_given: false,
    }
}

/// Says of a value what it is. The only one that is set comes first: there it is mended.
fn with_value(host: &Host<'_>, told: Diagnostic, one: &Looked, is_only: bool) -> Diagnostic {
    let arena = host.arena.borrow();
    let value = arena.value(one.item);
    let default = if one.is_default { ", the default" } else { "" };
    let label = Label { span: one.place, text: format!("`{}` is {}{default}", one.name, described(&arena, value)) };
    let code = match one.is_given {
        true => Some(one.place),
        false => arena.place_of(one.item).and_then(|place| place.code(&host.sources)),
    };
    let mut told = told;
    let parts = told.parts_mut();
    if parts.labels.iter().any(|known| known.span == label.span) {
        return told;
    }
    if let Some(first) = parts.labels.first_mut().filter(|first| is_only && first.text.is_empty()) {
        first.text = "this fails for it".to_owned();
    }
    let at = if is_only { 0 } else { parts.labels.len() };
    let also = one.also.iter().take(SHOWN).map(|span| Label { span: *span, text: label.text.clone() });
    parts.labels.extend(also.collect::<Vec<_>>());
    parts.labels.insert(at, label);
    if let Some(code) = code.filter(|_| is_only) {
        parts.fact = Some(Fact::Assertion { of: Some((code, key_text(&arena, value))) });
    }
    told
}

/// The value of a library that code outside of it gave: where that is set.
fn from_outside(host: &Host<'_>, origins: &Origins<'_, '_>, problem: &mut Diagnostic, (code, text): (Span, &str)) {
    let mut items = origins.of(code, 0);
    items.retain(|item| {
        let arena = host.arena.borrow();
        let value = arena.value(*item);
        !matches!(value, Val::Node(_) | Val::Raw(_)) && key_text(&arena, value) == text
    });
    let [item] = items[..] else { return };
    let Some(place) = place_of(host, item) else { return };
    let mut told = problem.clone();
    told.parts_mut().fact = Some(Fact::Assertion { of: None });
    // A hint of what was meant belongs to where the value is written.
    let inner = told.parts().labels.first().map(|label| label.span);
    if let Some(label) = told.parts_mut().labels.first_mut().filter(|label| label.span == code) {
        label.text = "this gives it to the library".to_owned();
    }
    let one = looked_at(host, (item, place), code);
    let is_set = !one.is_default;
    let mut told = with_value(host, told, &one, is_set);
    for help in told.parts_mut().helps.iter_mut().filter(|help| help.near.is_some()) {
        if inner == Some(code)
            && let Some(near) = help.near.clone()
        {
            help.edit = edit_of(host, (place, text), &near);
        }
    }
    *problem = told;
}
