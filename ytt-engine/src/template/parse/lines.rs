//! Lines of a text by places in it.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "places that are found in the text are not behind its end"
)]

pub(super) fn line_start(text: &[u8], at: usize) -> usize {
    line_start_from(text, 0, at)
}

/// The start of the line of `at`, which is not in front of the line start `from`.
pub(super) fn line_start_from(text: &[u8], from: usize, at: usize) -> usize {
    let at = at.min(text.len());
    let from = from.min(at);
    text[from..at].iter().rposition(|byte| *byte == b'\n').map_or(from, |found| from + found + 1)
}

/// Behind the break of the line of `at`.
pub(super) fn line_end(text: &[u8], at: usize) -> usize {
    let at = at.min(text.len());
    text[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |found| at + found + 1)
}

/// How far a line is indented.
pub(super) fn blanks(line: &[u8]) -> usize {
    line.len() - line.trim_ascii_start().len()
}

pub(super) fn line_of(text: &[u8], start: usize, end: usize) -> &[u8] {
    let line = &text[start..end];
    line.strip_suffix(b"\n").unwrap_or(line)
}

pub(super) fn trimmed(text: &[u8], start: usize, end: usize) -> &[u8] {
    line_of(text, start, end).trim_ascii()
}

/// Is the first word of a line of code `return`?
pub(super) fn begins_with_return(code: &[u8]) -> bool {
    let rest = code.strip_prefix(b"return");
    rest.is_some_and(|rest| !rest.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'))
}
