//! Maps that nobody meant: a list in braces, as other tools have it, and a text with a colon in it.

use super::misfit::{Checked, Told};
use crate::diag::Diagnostic;
use crate::source::{Span, to_u32};
use crate::yaml::{Body, NodeId, Val};

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

    /// A list item on one line where a string is declared: the blank behind its colon makes it a map.
    pub(super) fn in_quotes(&self, told: &Diagnostic, item: NodeId, value: Val) -> Option<Diagnostic> {
        let [only] = self.arena.items(self.arena.map_of(value)?) else { return None };
        let is_item = matches!(self.arena.get(item).body, Body::ArrayItem(_));
        let place = self.arena.place_of(item).filter(|_| matches!(self.from, Checked::Values) && is_item)?;
        let source = self.sources.get(place.key().source);
        let written = source.written(place.value())?.trim_end();
        let is_plain = !written.contains(['\n', '"', '\\', '#']) && !written.starts_with(['{', '\'']);
        let is_scalar = !matches!(self.arena.value(*only), Val::Node(_) | Val::Null);
        let span = Span { end: place.value().start.saturating_add(to_u32(written.len())), ..place.value() };
        let text = "a colon with a blank behind it makes a map: put the text into quotes";
        (is_plain && is_scalar).then(|| told.clone().help_edit(text, span, format!("\"{written}\"")))
    }
}
