//! The interpreter's messages in the reference's words, which people search for and programs see through
//! `assert.try_to`.
//!
//! An error of the interpreter is a text; what it leaves out (the method, the parameters) is taken from the program at the
//! place of the error. What is not listed keeps the interpreter's words. `values` has operators, attributes and changes of
//! containers, `calls` arguments, `place` what the program tells. What is wrong before anything runs is said by
//! `template`; what our own built-ins know, they say themselves.

mod calls;
mod place;
#[cfg(test)]
mod tests;
mod values;

use starlark::ErrorKind;
use starlark::values::Value;

use super::error;
use super::host::Host;
use super::keywords;
use super::text::from_star;
use crate::diag::{Code, Diagnostic, Fact, Note, NoteKind};
use crate::template::Program;
use place::ErrorSite;

/// What is said of an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Message {
    /// One line, without the hint.
    pub(crate) text: String,
    /// What the reference adds between brackets, without `hint: `.
    pub(crate) hint: Option<String>,
    /// What happened, where advice depends on it.
    pub(crate) fact: Option<Fact>,
}

impl From<String> for Message {
    fn from(text: String) -> Message {
        Message { text, hint: None, fact: None }
    }
}

impl Message {
    fn hinted(text: String, hint: &str) -> Message {
        Message { hint: Some(hint.to_owned()), ..Message::from(text) }
    }

    fn of(text: String, fact: Fact) -> Message {
        Message { fact: Some(fact), ..Message::from(text) }
    }

    pub(super) fn diagnostic(self) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(Code::STARLARK_ERROR, self.text);
        diagnostic.parts_mut().fact = self.fact;
        match self.hint {
            Some(hint) => diagnostic.note(Note::new(NoteKind::Hint, hint)),
            None => diagnostic,
        }
    }
}

/// What is known beside an error of the interpreter.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'e> {
    /// The programs of all files under the names that the interpreter knows them by.
    pub(crate) files: &'e [(String, &'e Program)],
    /// What was to be changed last: see `Host::changed`.
    pub(crate) changed: Option<(&'e str, &'static str, bool)>,
}

/// Where a function is defined: place in the generated text of a file, from 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Definition<'e> {
    pub(crate) program: &'e Program,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// What to say of an error of the interpreter. The text of a diagnostic of ours is left as it is.
pub(crate) fn message(failure: &starlark::Error, scene: Scene<'_>) -> Message {
    if let Some(diagnostic) = error::diagnostic_of(failure) {
        return Message::from(diagnostic.full_message());
    }
    let text = readable(&failure.without_diagnostic().to_string());
    let place = ErrorSite::of(failure, scene);
    let found = match failure.kind() {
        ErrorKind::StackOverflow(_) => Some(overflow(failure)),
        _ => values::words(&text, &place).or_else(|| calls::words(&text, &place)),
    };
    found.unwrap_or_else(|| Message::from(text))
}

/// The error of a change of a list or dict that is locked: by a loop over it, or since its file has ended.
pub(super) fn locked<'v>(method: &str, value: Value<'v>, host: Option<&Host<'v>>) -> starlark::Error {
    let is_frozen = host.is_some_and(|host| host.is_locked(value));
    error::wrap(values::locked(method, value.get_type(), is_frozen).diagnostic())
}

/// Name and definition of the function whose arguments the error is about, where it is known.
pub(crate) fn refused<'e>(failure: &'e starlark::Error, scene: Scene<'e>) -> Option<(&'e str, Definition<'e>)> {
    if error::diagnostic_of(failure).is_some() {
        return None;
    }
    ErrorSite::of(failure, scene).refused()
}

/// What is said if a function does not take so many arguments by position, which the engine gave it.
pub(crate) fn refused_by_engine(function: Value<'_>, given: usize) -> Option<String> {
    let spec = function.parameters_spec()?;
    if spec.can_fill_with_args(given, &[]) {
        return None;
    }
    calls::refused_by_engine(&spec.signature(), &spec.parameters_str(), given)
}

/// The parts of `text` in front of each of `literals`, behind `first`; `None` if it has another form.
fn matched<'t, const N: usize>(text: &'t str, first: &str, literals: [&str; N]) -> Option<[&'t str; N]> {
    let mut rest = text.strip_prefix(first)?;
    let (mut parts, mut left) = ([""; N], literals.iter());
    for part in &mut parts {
        let literal = left.next()?;
        if left.as_slice().is_empty() {
            *part = rest.strip_suffix(literal)?;
        } else {
            (*part, rest) = rest.split_once(literal)?;
        }
    }
    Some(parts)
}

fn overflow(failure: &starlark::Error) -> Message {
    let frames = &failure.call_stack().frames;
    let names = frames.iter().rev().map(|frame| frame.name.as_str());
    let name = names.filter(|name| !name.starts_with("__ytt_") && *name != "None").find(|name| place::is_name(name));
    let text = format!("call stack is deeper than {} frames", frames.len());
    match name {
        Some(name) => {
            let name = readable(name);
            Message::hinted(
                text,
                &format!("let `{name}` end: it calls itself every time, and needs a case in which it does not"),
            )
        }
        None => Message::from(text),
    }
}

/// The attribute that a struct was said not to have.
pub(super) fn missing_attribute(failure: &starlark::Error) -> Option<String> {
    let text = failure.without_diagnostic().to_string();
    let rest = text.strip_prefix("Object of type `struct` has no attribute `")?;
    rest.split_once('`').map(|(name, _)| name.to_owned())
}

/// Did a conditional name turn out not to be assigned?
pub(super) fn is_unassigned(failure: &starlark::Error) -> bool {
    failure.without_diagnostic().to_string().contains("referenced before assignment")
}

/// Was the evaluation stopped because a limit was reached?
pub(super) fn is_stopped(failure: &starlark::Error) -> bool {
    failure.without_diagnostic().to_string() == "Evaluation cancelled"
}

/// Text of the interpreter for people: characters that stand for bytes are joined to what they mean, escapes that its
/// own `repr` wrote too, and names are those of the source.
#[allow(
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    reason = "an escape that was found and its two digits are ASCII"
)]
fn readable(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\\x") {
        bytes.extend_from_slice(&from_star(&rest[..at]));
        let digits = rest.get(at + 2..at + 4).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match digits {
            Some(byte) if byte >= 0x80 => {
                bytes.push(byte);
                rest = &rest[at + 4..];
            }
            _ => {
                bytes.extend_from_slice(b"\\x");
                rest = &rest[at + 2..];
            }
        }
    }
    bytes.extend_from_slice(&from_star(rest));
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        chunk.invalid().iter().for_each(|byte| out.push_str(&format!("\\x{byte:02x}")));
    }
    unmangled_names(&out)
}

/// Undoes `YTT_U_` names wherever they stand.
#[allow(clippy::string_slice, reason = "a name that was found has only ASCII in it")]
fn unmangled_names(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("YTT_U_") {
        out.push_str(&rest[..at]);
        let tail = &rest[at..];
        let end = tail.find(|next: char| !next.is_ascii_alphanumeric() && next != '_').unwrap_or(tail.len());
        let name = keywords::unmangled(&tail[..end]);
        out.push_str(&String::from_utf8_lossy(&from_star(&name)));
        rest = &tail[end..];
    }
    out.push_str(rest);
    out
}
