//! `a ? b : c`, the choice of other languages.
#![allow(clippy::arithmetic_side_effects, reason = "offsets are those of parts of one line of a source")]

use super::input::Input;
use crate::diag::Diagnostic;
use crate::source::Span;

/// The problem of a `?` at a place of the program, with the edit where the choice is all that stands there.
pub(super) fn told(input: &Input, error: Diagnostic, at: u32) -> Diagnostic {
    if input.text.get(at as usize + 1) == Some(&b'?') {
        let place = input.span(at, at + 2);
        return error.relabel("`??` is `or` here").help_edit("write `or`", place, "or");
    }
    let error = error.relabel("there is no `a ? b : c` here");
    let (place, new) = edit(input, at).unzip();
    error.edit_at("write `b if a else c`", place, new.unwrap_or_default())
}

/// The edit of `a ? b : c`, if it is all that stands behind the mark of code, a `=` or a `return`.
fn edit(input: &Input, at: u32) -> Option<(Span, String)> {
    let text = std::str::from_utf8(input.source_text()).ok()?;
    let at = input.place(at).0 as usize;
    let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
    let line = text.get(start..)?.lines().next()?;
    let (before, behind) = line.split_at_checked(at - start)?;
    let begin =
        ["#@ ", "(@= ", " = ", "return "].iter().filter_map(|mark| Some(before.rfind(mark)? + mark.len())).max()?;
    let behind = behind.strip_prefix('?')?;
    let behind = ["-@)", "@)"].iter().find_map(|end| Some(behind.split_once(end)?.0)).unwrap_or(behind).trim_end();
    let (one, other) = behind.split_once(" : ")?;
    let condition = before.get(begin..)?.trim();
    if ["if ", "elif ", "for ", "while "].iter().any(|word| condition.starts_with(word)) {
        return None;
    }
    let is_whole = |code: &str| {
        let count = |letter: char| code.matches(letter).count();
        count('(') == count(')') && count('[') == count(']') && count('"') % 2 == 0 && !code.contains(['?', '#'])
    };
    let parts = [condition, one.trim(), other.trim()];
    let end = at + 1 + behind.len();
    let new = format!("{} if {condition} else {}", parts[1], parts[2]);
    parts.iter().all(|part| !part.is_empty() && is_whole(part)).then(|| (input.source_span(start + begin, end), new))
}
