//! Keys that were added where the base has another name for them now, in words.

use super::words::{key_text, scalar_text};
use crate::diag::{Code, Diagnostic};
use crate::overlay::engine::Scene;
use crate::overlay::problem::OldKey;
use crate::source::{Span, to_u32};
use crate::yaml::resolve::needs_no_quotes;

impl Scene<'_> {
    pub(super) fn old_key(&self, found: &OldKey) -> Option<Diagnostic> {
        let arena = self.arena();
        let (old, new) = (key_text(&arena, arena.key(found.item)), key_text(&arena, arena.key(found.left)));
        let kept = scalar_text(&arena, arena.value(found.left));
        let place = arena.span_of(found.item)?;
        let is_written = self.written(place)?.starts_with(&old);
        let place = Span { end: place.start.checked_add(to_u32(old.len()))?, ..place };
        let text = format!("`{old}` is added beside `{new}`, which stays {kept}");
        let warning =
            Diagnostic::warning(Code::OVERLAY_OLD_KEY, text).label(place, "not there before: it is added").label_at(
                self.mark(&arena, found.left),
                "no overlay sets this, and its value is that of another environment",
            );
        let help = format!("if `{old}` is the old name of `{new}`, write `{new}`");
        Some(match is_written && needs_no_quotes(&new) {
            true => warning.help_edit(help, place, new).guessing(),
            false => warning.help(help),
        })
    }
}
