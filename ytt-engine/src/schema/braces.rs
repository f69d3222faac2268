//! A list that is written in braces, as other tools have it: YAML reads `{a, b}` as a map.

use super::misfit::{Checked, Told};
use crate::diag::Diagnostic;
use crate::yaml::{NodeId, Val};

impl Told<'_> {
    /// A map of keys without values where a list is declared: the list.
    pub(super) fn in_braces(&self, told: &Diagnostic, item: NodeId, value: Val) -> Option<Diagnostic> {
        let items = self.arena.items(self.arena.map_of(value)?);
        let has_no_values = items.iter().all(|item| self.arena.value(*item) == Val::Null);
        let place = self.arena.place_of(item).filter(|_| matches!(self.from, Checked::Values) && has_no_values)?;
        let span = place.value();
        let source = self.sources.get(span.source);
        let inside = source.written(span)?.strip_prefix('{')?.strip_suffix('}')?;
        let is_plain = !inside.trim().is_empty() && !inside.contains([':', '{', '[', '#']);
        let text = "braces make a map, here of keys without values: a list has brackets";
        is_plain.then(|| told.clone().help_edit(text, span, format!("[{inside}]")))
    }
}
