//! What `join` and `int` do not take: which value it is, where it is set, and what makes the right one of it.

use std::sync::Arc;

use super::super::host::Host;
use super::calls::article;
use super::origin::{self, Origins};
use super::{code_of, functions, operands, place_at};
use crate::diag::{Diagnostic, Label, NoteKind, suggest};
use crate::source::{Source, SourceMap, Span};
use crate::template::code::{Binder, FileCode};
use crate::template::unfilled::is_taken_as_text;
use crate::template::unit::{self, OtherUnit, TakenOff};
use crate::template::written;
use crate::yaml::{NodeId, Val};

/// Bytes between the first and the last place of one edit.
const LONGEST: u32 = 600;
/// Reads of a name: of one that has more nothing is told.
const READS: usize = 2_000;

/// Where a name is read that has a number, as far as it is the same one.
struct Reads {
    source: Arc<Source>,
    code: Arc<FileCode>,
    name: String,
    all: Vec<Span>,
}

impl Reads {
    fn of(sources: &SourceMap, place: Span) -> Option<Reads> {
        let (source, name) = (sources.get(place.source), code_of(sources, place));
        let code = FileCode::read(&source, place.source).filter(|code| code.is_bound_once(place, &name))?;
        let own = code.bound(place, &name);
        let reads = code.reads(&name);
        if reads.len() > READS {
            return None;
        }
        let reads = reads.into_iter().map(|read| read.whole);
        let all = reads.filter(|read| code.bound(*read, &name) == own).collect();
        Some(Reads { source, code, name, all })
    }

    /// Is it added to a text?
    fn is_joined(&self, sources: &SourceMap, read: Span) -> bool {
        let Some([one, other]) = self.code.operands_around(read) else { return false };
        let between = self.source.written(Span { start: one.end, end: other.start, ..one });
        let beside = if one == read { other } else { one };
        let is_text = |code: Span| written::is_text(sources, code);
        // Of `a + ":"` the last one is what stands beside it.
        let is_of_text =
            is_text(beside) || written::operands(sources, beside).is_some_and(|both| both.into_iter().any(is_text));
        between.is_some_and(|between| between.trim() == "+") && is_of_text
    }
}

/// The edit that makes a text of what a name is set to, where all that reads it takes a text, and a place that is none of the
/// joined ones.
pub(super) fn set_as_text(sources: &SourceMap, place: Span) -> Option<(Span, String, Span)> {
    let reads = Reads::of(sources, place)?;
    let Binder::Value(value) = reads.code.bound(place, &reads.name)?.by else { return None };
    let is_taken = |read: &Span| is_taken_as_text(&reads.source, *read);
    let taken = reads.all.iter().copied().find(is_taken)?;
    let is_of_text = |read: &Span| *read == place || is_taken(read) || reads.is_joined(sources, *read);
    reads.all.iter().all(is_of_text).then(|| (value, operands::as_text(&code_of(sources, value)), taken))
}

/// The edit that makes a text of a name wherever one is joined with it, and in which lines: `None` if that is only here.
pub(super) fn also_joined(sources: &SourceMap, place: Span) -> Option<(Span, String, String)> {
    let reads = Reads::of(sources, place)?;
    let is_near = |read: &Span| read.start.abs_diff(place.start) <= LONGEST;
    let is_meant = |read: &Span| is_near(read) && (*read == place || reads.is_joined(sources, *read));
    let joined: Vec<Span> = reads.all.iter().copied().filter(is_meant).collect();
    let ([first, .., last], true) = (&joined[..], joined.contains(&place)) else { return None };
    let whole = Span { end: last.end, ..*first };
    let (mut new, mut at) = (String::new(), whole.start);
    for read in &joined {
        new.push_str(reads.source.written(Span { start: at, end: read.start, ..whole })?);
        new.push_str(&format!("str({})", reads.name));
        at = read.end;
    }
    let mut lines: Vec<u32> = joined.iter().map(|read| reads.source.line(read.start)).collect();
    lines.dedup();
    let own = reads.source.line(place.start);
    let others: Vec<String> = lines.iter().filter(|line| **line != own).map(|line| format!("in line {line}")).collect();
    let lines = match others.is_empty() {
        true => "each time".to_owned(),
        false => format!("also {}", suggest::all_of(&others)),
    };
    Some((whole, new, lines))
}

/// An item of `join`, or what should have been a list.
pub(super) fn item(host: &Host<'_>, data: Val, problem: &mut Diagnostic, (number, kind): (Option<usize>, &str)) {
    let Some(call) = problem.parts().labels.first().map(|label| label.span) else { return };
    let Some(&[given]) = written::call(&host.sources, call).as_deref() else { return };
    let trace = problem.parts().trace.clone();
    let origins = Origins::new(host, data, &trace);
    let code = code_of(&host.sources, given.value);
    if code.starts_with('*') {
        return;
    }
    let elements = written::elements(&host.sources, given.value);
    let mut told = problem.clone();
    told.parts_mut().notes.retain(|note| note.kind != NoteKind::Hint);
    let element = number.and_then(|number| elements.get(number).copied());
    let is_mild = matches!(kind, "int" | "string");
    *problem = match (number, element) {
        (None, _) => {
            told = told.relabel(format!("this is {}: `join` takes a list of texts", article(kind)));
            place_at(&mut told, given.value);
            match origins.only(given.value, 0) {
                Some(item) => set(host, told, item, &code),
                None => told,
            }
        }
        (Some(_), Some(element)) => {
            let code = code_of(&host.sources, element);
            told = told.relabel(format!("this is {}", article(kind)));
            place_at(&mut told, element);
            if matches!(kind, "function" | "builtin_function_or_method") {
                *problem = functions::uncalled(&host.sources, told, element);
                return;
            }
            let callee = written::callee(&host.sources, element).map(|callee| code_of(&host.sources, callee));
            if let Some(callee) = callee.filter(|_| kind == "NoneType")
                && let Some(told) = functions::gave_none(host, told.clone(), (&callee, element))
            {
                *problem = told;
                return;
            }
            if let Some(item) = origins.only(element, 0) {
                told = set(host, told, item, &code);
            }
            match kind {
                "int" | "float" | "bool" => {
                    let told = told.help_edit("make a text of it", element, operands::as_text(&code));
                    if is_mild { told } else { told.guessing() }
                }
                _ => told,
            }
        }
        (Some(number), None) => {
            told = told.relabel(format!("item {} of this is {}", number.saturating_add(1), article(kind)));
            place_at(&mut told, given.value);
            let item = match origins.only(given.value, 0).map(|list| host.arena.borrow().value(list)) {
                Some(Val::Node(list)) => host.arena.borrow().item_at(list, number),
                _ => None,
            };
            if let Some(item) = item {
                told = set(host, told, item, "item");
            }
            match (kind, code.contains('\n') || !elements.is_empty()) {
                ("int" | "float" | "bool", false) => {
                    let told = match written::element(&host.sources, given.value) {
                        Some(element) => {
                            let new = format!("str({})", code_of(&host.sources, element));
                            told.help_edit("make a text of each item", element, new)
                        }
                        None => {
                            let new = format!("[str(one) for one in {code}]");
                            told.help_edit("make texts of all items", given.value, new)
                        }
                    };
                    if is_mild { told } else { told.guessing() }
                }
                _ => told,
            }
        }
    };
}

/// Where a data value is set.
fn set(host: &Host<'_>, told: Diagnostic, item: NodeId, code: &str) -> Diagnostic {
    let Some(place) = origin::place_of(host, item) else { return told };
    let name = origin::name_of(host, item, code);
    let arena = host.arena.borrow();
    let what = origin::described(&arena, arena.value(item));
    if told.parts().labels.iter().any(|label| label.span == place) {
        return told;
    }
    match name.as_str() {
        "item" => told.label(place, format!("it is {what}")),
        name => told.label(place, format!("`{name}` is {what}")),
    }
}

/// A text that is no number.
pub(super) fn no_number(host: &Host<'_>, data: Val, problem: &mut Diagnostic, text: &str) {
    let Some(call) = problem.parts().labels.first().map(|label| label.span) else { return };
    let Some(given) = written::call(&host.sources, call) else { return };
    let Some(value) = given.first().map(|one| one.value) else { return };
    let trace = problem.parts().trace.clone();
    let origins = Origins::new(host, data, &trace);
    let mut told = problem.clone().relabel("this text is no number");
    place_at(&mut told, value);
    if let Some(told) = in_other_unit(host, &origins, &told, (value, text)) {
        *problem = told;
        return;
    }
    if let Some(item) = origins.only(value, 0) {
        told = set(host, told, item, &code_of(&host.sources, value));
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at_checked(digits).unwrap_or_default();
    let is_unit = !number.is_empty() && !unit.is_empty() && unit.bytes().all(|byte| byte.is_ascii_alphabetic());
    let code = code_of(&host.sources, value);
    *problem = match is_unit && !code.contains(['\n', '"']) {
        true => {
            let end = Span { start: value.end, ..value };
            let text = format!("if it always ends in `{unit}`, take that off first");
            told.help_edit(text, end, format!(".replace(\"{unit}\", \"\")")).guessing()
        }
        false => told,
    };
}

/// A quantity with another unit than the one that code takes off: where it is written, and what it is in that unit.
fn in_other_unit(
    host: &Host<'_>,
    origins: &Origins<'_, '_>,
    told: &Diagnostic,
    (value, text): (Span, &str),
) -> Option<Diagnostic> {
    let sources = &host.sources;
    let TakenOff { text: code, unit } = unit::taken_off(sources, value)?;
    let OtherUnit { new, write_it, read_it } = OtherUnit::of(text, &unit)?;
    let arena = host.arena.borrow();
    let item = origins.only(code, 0).filter(|item| arena.str(arena.value(*item)) == Some(text));
    let told = match item {
        Some(item) => set(host, told.clone(), item, &code_of(sources, code)),
        None => told.clone(),
    };
    let place = match item {
        Some(item) => origin::place_of(host, item).and_then(|place| unit::within(sources, place, text)),
        None => unit::only_place(sources, text, &|bytes| host.may_advise(bytes)),
    };
    let told = match (place, new) {
        (Some(place), Some(new)) => {
            let label = Label { span: place, text: format!("`{text}` is written here") };
            let labels = item.is_none().then_some(label);
            told.help_edit(write_it, place, new).guessing().beside_help(labels)
        }
        _ => told.help(write_it),
    };
    Some(told.help(read_it))
}
