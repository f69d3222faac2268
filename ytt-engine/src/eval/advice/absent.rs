//! What to write where a value may be None: what is left out then, or what stands in its place.
#![allow(
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "offsets are those of texts found in a source, which has fewer than 2³¹ bytes"
)]

use super::super::scope::{Form, SourceUnit};
use super::guards::{self, Guard};
use crate::diag::{Diagnostic, Fact};
use crate::source::{Source, Span};
use crate::template::code::FileCode;

/// What to write where a value may be None.
pub(super) fn help(told: Diagnostic, unit: &SourceUnit, source: &Source, place: Span, code: &str) -> Diagnostic {
    let is_number = |kind: &str| matches!(kind, "int" | "float");
    match told.parts().fact.clone() {
        Some(Fact::Operands { operator, left, right })
            if matches!(operator.as_str(), "+" | "-") && (is_number(&left) || is_number(&right)) =>
        {
            told.help_edit(format!("count 0 where `{code}` is None"), place, format!("({code} or 0)")).guessing()
        }
        Some(Fact::Operands { operator, left, .. }) if operator == "+" && left == "string" => {
            let line = source.line_range(source.line(place.start)).start;
            let before = source.written(Span::new(place.source, line, place.start)).unwrap_or_default();
            let text = before.trim_end().strip_suffix('+').map(str::trim_end);
            let literal = text.and_then(|text| {
                let open = text.strip_suffix('"')?.rfind('"')?;
                Some(&text[open..])
            });
            match literal {
                Some(literal) => {
                    let start = line + (text.unwrap_or_default().len() - literal.len()) as u32;
                    let new = format!("({literal} + {code} if {code} != None else \"\")");
                    let help = format!("leave both out where `{code}` is None");
                    told.help_edit(help, Span { start, ..place }, new).guessing()
                }
                None => told.help(format!("ask for it first: `… if {code} != None else …`")),
            }
        }
        Some(Fact::NoneArgument) => {
            let callee = FileCode::read(source, place.source).and_then(|code| code.call_with(place));
            let counts = callee.is_some_and(|(callee, _)| source.written(callee) == Some("len"));
            let verb = if counts { "count" } else { "take" };
            told.help_edit(format!("{verb} no items where `{code}` is None"), place, format!("{code} or []")).guessing()
        }
        Some(Fact::NotIterable { .. }) => {
            let told = told.relabel("this is None");
            told.help_edit(format!("go over nothing where `{code}` is None"), place, format!("{code} or []"))
        }
        Some(Fact::Operands { operator, left, .. }) if operator == "in" && left != "NoneType" => {
            told.help_edit(format!("look into nothing where `{code}` is None"), place, format!("({code} or [])"))
        }
        Some(Fact::NoMember { .. }) => member(told, unit, source, place, code),
        _ => told.help(format!("ask for it first: `… if {code} != None else …`")),
    }
}

/// A member of None: the node is left out where there is nothing, or is null.
fn member(told: Diagnostic, unit: &SourceUnit, source: &Source, place: Span, code: &str) -> Diagnostic {
    let line = source.line_range(source.line(place.start));
    let before = source.written(Span::new(place.source, line.start, place.start)).unwrap_or_default();
    let behind = source.written(Span::new(place.source, place.end, line.end)).unwrap_or_default();
    let is_bare = |rest: &str| rest.starts_with(':') || rest.starts_with("and ");
    let named = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
    if guards::is_condition(before) && is_bare(behind.trim_start_matches(named).trim_start()) {
        let text = format!("ask for `{code}` first, since it may be None");
        return told.help_edit(text, Span { end: place.start, ..place }, format!("{code} != None and "));
    }
    let part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
    let rest = behind.trim_start_matches(part);
    let key = before.split("#@").next().unwrap_or_default().trim();
    // The entry of a dict in code is none.
    let is_template = matches!(unit.form, Form::Yaml { .. }) && before.contains("#@");
    let is_item = is_template && (key == "-" || key.ends_with(':') && !key.starts_with('-'));
    let guard = is_item.then(|| guards::guard(source, place, code)).flatten();
    if let Some(Guard::Alone(condition, new)) = guard {
        let told = told.label(condition, format!("does not ask for `{code}`"));
        return told.help_edit(format!("ask for `{code}` too, since it may be None"), condition, new).guessing();
    }
    let left_out = is_item.then(|| left_out(&told, source, (line.start, place), (before, key, code))).flatten();
    let is_alone = before.trim_end().ends_with("#@") && rest.trim().is_empty();
    if is_alone && guard.is_none() {
        let whole = format!("{code}{}", behind.trim_end());
        let span = Span::new(place.source, place.start, place.start + whole.len() as u32);
        let new = format!("{whole} if {code} != None else None");
        // Few who read a value take null, as labels and annotations of Kubernetes do not.
        let (told, or) = match left_out {
            Some(told) => (told, "or "),
            None => (told, ""),
        };
        return told.help_edit(format!("{or}give null where `{code}` is None"), span, new).guessing();
    }
    left_out.unwrap_or_else(|| told.help(format!("ask for it first: `… if {code} != None else …`")))
}

/// The item of a line, whose beginning is `before`, left out where code is None.
fn left_out(
    told: &Diagnostic,
    source: &Source,
    (line, place): (u32, Span),
    (before, key, code): (&str, &str, &str),
) -> Option<Diagnostic> {
    let (above, _) = source.above(Span { start: line, end: line, ..place })?;
    let indent = before.get(..before.len().checked_sub(before.trim_start().len())?)?;
    let named = if key == "-" { "the item".to_owned() } else { format!("`{}`", key.trim_end_matches(':')) };
    let text = format!("leave {named} out where `{code}` is None");
    Some(told.clone().help_edit(text, above, format!("{indent}#@ if/end {code} != None:\n")).guessing())
}
