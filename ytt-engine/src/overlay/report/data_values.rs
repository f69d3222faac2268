//! A data value that a matcher looks for: where it is written.

use std::collections::HashSet;

use super::parts::Path;
use super::words::scalar_text;
use crate::diag::Diagnostic;
use crate::overlay::engine::Scene;
use crate::source::{Origin, SourceId, Span, to_u32};
use crate::template::code::FileCode;
use crate::template::written;
use crate::yaml::{Arena, Body, NodeId, Val};

/// A data value, as it is given.
pub(super) struct DataPlace {
    pub(super) span: Span,
    /// `data.values.app`, as code reads it.
    pub(super) code: String,
    /// It is a scalar in a file, which nothing else reads as far as the matcher's file tells.
    pub(super) is_alone: bool,
    pub(super) is_file: bool,
}

/// A scalar of the data values that the matcher at hand may read, by its last key.
pub(super) struct GivenLeaf {
    value: Val,
    span: Span,
    code: String,
}

impl Scene<'_> {
    /// What the matcher at hand may read of data values, found in one walk for all that it looks for.
    pub(super) fn given_leaves(&self, arena: &Arena) -> Vec<GivenLeaf> {
        const READ: &str = "data.values.";
        let by = self.by_span().filter(|by| self.written(*by).is_some_and(|text| text.contains(READ)));
        let Some(by) = by else { return Vec::new() };
        let paths = written::paths(self.calls.sources(), self.value_in(by));
        let paths = paths.into_iter().filter_map(|span| self.written(span)).filter(|path| path.starts_with(READ));
        let paths: Vec<String> = paths.collect();
        // What is overlaid, and overlays, may have the same key.
        let documents = self.sets.iter().flat_map(|set| arena.items(*set)).chain(self.overlays);
        let own: HashSet<SourceId> = documents.filter_map(|document| Some(arena.span_of(*document)?.source)).collect();
        let all = (0..to_u32(arena.len())).map(NodeId);
        let leaves = all.filter_map(|node| {
            let Body::MapItem(key, value) = arena.get(node).body else { return None };
            if matches!(value, Val::Node(_) | Val::Raw(_) | Val::Null) {
                return None;
            }
            let key = arena.str(key)?;
            let code = paths.iter().find(|path| path.rsplit('.').next() == Some(key))?;
            let place = arena.place_of(node).filter(|place| place.value < place.end && !own.contains(&place.source))?;
            Some(GivenLeaf { value, span: place.value(), code: code.clone() })
        });
        leaves.collect()
    }

    /// The data value that is what a matcher looks for. Of two nobody knows which one is read.
    pub(super) fn data_value(&self, arena: &Arena, given: &[GivenLeaf], wanted: Val) -> Option<DataPlace> {
        if matches!(wanted, Val::Node(_) | Val::Raw(_) | Val::Null) {
            return None;
        }
        let mut found = given.iter().filter(|leaf| arena.same(leaf.value, wanted));
        let GivenLeaf { span, code, .. } = found.next()?;
        if found.any(|other| other.span != *span) {
            return None;
        }
        let is_file = matches!(self.calls.sources().get(span.source).origin, Origin::File(_) | Origin::Memory);
        Some(DataPlace { span: *span, code: code.clone(), is_alone: self.uses_of(code) == 1, is_file })
    }

    fn uses_of(&self, code: &str) -> usize {
        let sources = self.calls.sources().all();
        sources.iter().filter_map(|source| source.text.as_str()).map(|text| text.matches(code).count()).sum()
    }

    /// Marks what a matcher looks for and has from elsewhere: from a data value, or from what a loop goes over.
    pub(super) fn label_given(&self, diagnostic: Diagnostic, missed: &Path) -> Diagnostic {
        let arena = self.arena();
        let Some(value) = missed.last().map(|(item, _)| arena.value(*item)) else { return diagnostic };
        let shown = scalar_text(&arena, value);
        if let Some(place) = self.data_value(&arena, &self.given_leaves(&arena), value) {
            return diagnostic.label(place.span, format!("`{}` is {shown}", place.code));
        }
        let in_loop = || {
            let (by, text) = (self.by_span()?, arena.str(value)?);
            if self.literal(by, text).is_some() {
                return None;
            }
            let code = FileCode::read(&self.calls.sources().get(by.source), by.source)?;
            self.literal(code.loop_around(by)?, text)
        };
        diagnostic.label_at(in_loop(), "for this one")
    }
}
