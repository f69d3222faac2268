//! Where annotations and their arguments are written, and what stands in a source.

use crate::overlay::annotation::MATCH;
use crate::overlay::engine::Scene;
use crate::source::Span;
use crate::template::written;
use crate::yaml::{NodeId, PosId};

impl Scene<'_> {
    /// Where `by=` of the innermost right item is written.
    pub(super) fn by_span(&self) -> Option<Span> {
        let pos = self.arena().ann(self.trail.last()?.node, MATCH)?.pos;
        self.argument_span(pos, "by")
    }

    /// Where an annotation of a node is written.
    pub(super) fn annotation_span(&self, node: NodeId, name: &str) -> Option<Span> {
        self.annotation_end(node, name).map(|(span, _)| span)
    }

    /// An annotation of a node, and the place behind its last argument.
    pub(super) fn annotation_end(&self, node: NodeId, name: &str) -> Option<(Span, Span)> {
        let arena = self.arena();
        let place = arena.place(arena.ann(node, name)?.pos)?;
        Some((place.key(), Span::new(place.source, place.end, place.end)))
    }

    /// Where the name of a keyword argument stands in an annotation.
    pub(super) fn argument_name_span(&self, pos: PosId, name: &str) -> Option<Span> {
        written::named(self.calls.sources(), self.arena().place(pos)?.value(), name)?.name
    }

    /// Where `name=value` stands in an annotation, if it is written there.
    pub(super) fn argument_span(&self, pos: PosId, name: &str) -> Option<Span> {
        let place = *self.arena().place(pos)?;
        written::named(self.calls.sources(), place.value(), name).map(|argument| argument.whole())
    }

    /// The start of an item as an empty span, and the indentation in front of it; only where an annotation fits.
    pub(super) fn line_start(&self, node: NodeId) -> Option<(Span, String)> {
        let span = self.arena().span_of(node)?;
        self.calls.sources().get(span.source).above(span)
    }

    /// Where a string is written in some code, if it is there once.
    pub(super) fn literal(&self, code: Span, wanted: &str) -> Option<Span> {
        written::string(self.calls.sources(), code, wanted)
    }

    /// Whether a matcher is written as a key, or as `overlay.map_key` of it.
    pub(super) fn is_key(&self, by: Span, key: &str) -> bool {
        let value = self.value_in(by);
        let Some(literal) = self.literal(value, key) else { return false };
        let before = self.written(Span { end: literal.start, ..value });
        let behind = self.written(Span { start: literal.end, ..value });
        matches!((before.as_deref(), behind.as_deref()), (Some(""), Some("")) | (Some("overlay.map_key("), Some(")")))
    }

    /// The text of a place.
    pub(super) fn written(&self, span: Span) -> Option<String> {
        self.calls.sources().get(span.source).written(span).map(str::to_string)
    }
}
