//! Arguments of module functions: how many, which names, of which kind. The texts are the reference's.

use std::borrow::Cow;

use starlark::values::{UnpackValue, Value};

use crate::diag::{Code, Diagnostic, Fact, Note, NoteKind, WordKind, suggest};
pub(crate) use crate::eval::object::expect_text as text;
use crate::eval::object::{CallArgs, Func};
use crate::eval::text::readable;
use crate::eval::type_name;
use crate::eval::{EvalResult, Returned, error};
use crate::overlay::host_kind;

/// What is said of a function that takes one argument.
pub(crate) const ONLY_ONE: &str = "expected exactly one argument";

/// An error about an argument.
pub(crate) fn wrong(text: impl Into<String>) -> starlark::Error {
    error::wrap(Diagnostic::error(Code::MODULE_ARGUMENT, text))
}

/// Exactly so many positional arguments, or `text`.
pub(crate) fn expect_count(given: &CallArgs<'_>, count: usize, text: &str) -> EvalResult<()> {
    if given.positional.len() == count { Ok(()) } else { Err(wrong(text)) }
}

/// Exactly so many positional arguments, which are given, or `text`.
pub(crate) fn expect<'v, const N: usize>(given: &CallArgs<'v>, text: &str) -> EvalResult<[Value<'v>; N]> {
    <[Value<'v>; N]>::try_from(&given.positional[..]).map_err(|_| wrong(text))
}

/// No keyword arguments but these.
pub(crate) fn only_names(given: &CallArgs<'_>, names: &[&str]) -> EvalResult<()> {
    match given.named.iter().find(|(name, _)| !names.contains(&name.as_str())) {
        None => Ok(()),
        Some((name, _)) => {
            let name = readable(name.as_str());
            let meant = suggest::meant(&name, names.iter().copied());
            let near = meant.only();
            let diagnostic = Diagnostic::error(Code::MODULE_ARGUMENT, format!("invalid argument name: {name}"));
            let told = diagnostic.misspelt_as(WordKind::Argument, &*name, near).saying("no such argument");
            Err(error::wrap(match near {
                Some(_) if meant.is_guess() => told.guessing(),
                Some(_) => told,
                None => {
                    let known = names.iter().map(|name| (*name).to_owned()).collect();
                    // What Python sorts on demand is sorted always.
                    let is_idle = name == "sort_keys" && given.named(&name).and_then(Value::unpack_bool) == Some(true);
                    told.fact(Fact::NoSuchArgument { name: name.into_owned(), known, is_idle })
                }
            }))
        }
    }
}

/// Warns of keyword arguments that a function ignores, as the reference does.
pub(crate) fn warn_unknown(function: &Func<'_>, given: &CallArgs<'_>, names: &[&str]) {
    for name in given.named.keys() {
        if !names.contains(&name.as_str()) {
            let shown = readable(name.as_str());
            let text = format!("{}: argument `{shown}` is ignored", function.name);
            let near = suggest::nearest(&shown, names.iter().copied());
            let warning = Diagnostic::warning(Code::MODULE_UNKNOWN_ARGUMENT, text);
            let warning = warning.misspelt_as(WordKind::Argument, &*shown, near);
            function.inst.as_ref().host.as_ref().warn_of_call(warning);
        }
    }
}

/// The one argument of a function that takes no more; names are ignored, with a warning.
pub(crate) fn only<'v>(function: &Func<'v>, given: &CallArgs<'v>) -> Returned<'v> {
    let [value] = expect(given, ONLY_ONE)?;
    warn_unknown(function, given, &[]);
    Ok(value)
}

/// The same, where it is a string: its bytes.
pub(crate) fn only_text<'v>(function: &Func<'v>, given: &CallArgs<'v>) -> EvalResult<Cow<'v, [u8]>> {
    let [value] = expect(given, ONLY_ONE)?;
    let bytes = text(value)?;
    warn_unknown(function, given, &[]);
    Ok(bytes)
}

/// A keyword argument that is a bool; false where it is not given.
pub(crate) fn flag(given: &CallArgs<'_>, name: &str) -> EvalResult<bool> {
    given.named(name).map_or(Ok(false), |value| named_boolean(name, value))
}

/// The value of a keyword argument, which must be a bool.
pub(crate) fn named_boolean(name: &str, value: Value<'_>) -> EvalResult<bool> {
    boolean(value).map_err(|raised| match error::diagnostic_of(&raised) {
        Some(told) => error::wrap(
            told.clone().misspelt_as(WordKind::Argument, name, None).saying(format!("`{name}` must be True or False")),
        ),
        None => raised,
    })
}

/// A bool.
pub(crate) fn boolean(value: Value<'_>) -> EvalResult<bool> {
    value.unpack_bool().ok_or_else(|| kind_error("expected starlark.Bool", value))
}

/// The keyword argument `indent`; 0 where it is not given.
pub(crate) fn indent(given: &CallArgs<'_>) -> EvalResult<usize> {
    let Some(value) = given.named("indent") else { return Ok(0) };
    match usize::try_from(integer(value)?) {
        Ok(number @ 0..=8) => Ok(number),
        _ => Err(wrong("indent value must be between 0 and 8")),
    }
}

/// An integer of 64 bits.
pub(crate) fn integer(value: Value<'_>) -> EvalResult<i64> {
    if value.get_type() != "int" {
        return Err(noted("expected starlark.Int", value));
    }
    i64::unpack_value(value).ok().flatten().ok_or_else(|| wrong("expected int64 value"))
}

/// `EXPECTED, but was KIND`, with the reference's name of the kind and ours beside it.
pub(crate) fn kind_error(expected: &str, value: Value<'_>) -> starlark::Error {
    let text = format!("{expected}, but was {}", host_kind(type_name(value)));
    noted(text, value)
}

fn noted(text: impl Into<String>, value: Value<'_>) -> starlark::Error {
    let note = format!("the argument is of type `{}`", type_name(value));
    error::wrap(Diagnostic::error(Code::MODULE_ARGUMENT, text).note(note))
}

/// `line 2 of the text: …`, for errors inside of a text that was given.
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "`at` is in the text or at its end, and its line around it"
)]
pub(crate) fn place_in_text(text: &[u8], at: usize) -> Note {
    let at = at.min(text.len());
    let begin = text[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |found| found + 1);
    let end = text[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |found| at + found);
    let number = text[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
    let column = String::from_utf8_lossy(&text[begin..at]).chars().count() + 1;
    let line = String::from_utf8_lossy(&text[begin..end]);
    // Around the column, since such texts may be one long line.
    let from = column.saturating_sub(61);
    let shown: String = line.chars().skip(from).take(120).collect();
    Note::new(NoteKind::Position, format!("line {number}, column {column} of the text: {}", shown.trim_end()))
}
