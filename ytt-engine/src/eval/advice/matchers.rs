//! Matchers of overlays with `&` or `|` between them, which are functions.

use super::super::host::Host;
use super::{code_of, place_at};
use crate::diag::{Diagnostic, Fact, NoteKind};
use crate::source::Span;
use crate::template::written;

/// An operator between two matchers: the function that combines them.
pub(super) fn told(host: &Host<'_>, problem: &Diagnostic) -> Option<Diagnostic> {
    let Some(Fact::Operands { operator, .. }) = &problem.parts().fact else { return None };
    let function = match operator.as_str() {
        "&" => "overlay.and_op",
        "|" => "overlay.or_op",
        _ => return None,
    };
    let place = problem.parts().labels.first()?.span;
    let sources = &host.sources;
    let [first, second] = written::operands(sources, place)?;
    let [one, other] = [first, second].map(|span| code_of(sources, span));
    (one.starts_with("overlay.") && other.starts_with("overlay.")).then_some(())?;
    let whole = Span { end: second.end, ..first };
    let mut told = problem.clone().relabel(format!("matchers are functions: `{operator}` does not join them"));
    place_at(&mut told, whole);
    let parts = told.parts_mut();
    parts.labels.truncate(1);
    parts.helps.clear();
    parts.notes.retain(|note| note.kind != NoteKind::Hint);
    Some(told.help_edit(format!("join matchers by `{function}`"), whole, format!("{function}({one}, {other})")))
}
