//! Text that code decodes: where a problem in it stands, if the text is that of a file as `data.read` gives it.

use std::sync::Arc;

use crate::diag::{Diagnostic, Label, Note};
use crate::eval::Host;
use crate::source::{Source, SourceId, Span};

/// Bytes that are compared for a message.
const MOST: usize = 16 << 20;

/// The file that a text was read from, which nothing was added to or taken from.
pub(super) fn file_of(host: &Host<'_>, text: &[u8]) -> Option<SourceId> {
    if text.is_empty() || text.len() > MOST {
        return None;
    }
    let sources = host.sources.all();
    let is_it = |source: &Arc<Source>| !source.name.starts_with('(') && source.text.as_bytes() == text;
    Some(SourceId(u32::try_from(sources.iter().position(is_it)?).ok()?))
}

/// A problem at an offset of a text: in its file, or with a note that says where in the text.
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "`file_of` finds no empty text and none above 16 MiB, and `last` is an offset of it"
)]
pub(super) fn located(
    host: &Host<'_>,
    problem: Diagnostic,
    (text, at): (&[u8], usize),
    label: &str,
    note: impl FnOnce() -> Note,
) -> Diagnostic {
    match file_of(host, text) {
        Some(file) => {
            // Behind the end of a line there is nothing to point at.
            let is_end = matches!(text.get(at), None | Some(b'\n' | b'\r'));
            let last = at.min(text.len()).saturating_sub(usize::from(is_end));
            let start = (0..=last).rev().find(|at| text[*at] & 0xC0 != 0x80).unwrap_or(0);
            let first = text[start..(start + 4).min(text.len())].utf8_chunks().next();
            let width = first.and_then(|part| part.valid().chars().next()).map_or(1, char::len_utf8);
            let mut problem = problem;
            problem.parts_mut().labels.insert(
                0,
                Label { span: Span::new(file, start as u32, (start + width) as u32), text: label.to_owned() },
            );
            problem
        }
        None => problem.note(note()),
    }
}
