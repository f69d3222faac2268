//! What a node has beside its value: its place, its comments, its annotations.

use std::sync::Arc;

use crate::source::{Origin, SourceId, SourceMap, Span, to_u32};

/// Where a node is, in bytes of its source.
///
/// `start` is the indicator: `-` of a block item, the `[` or `,` before a flow item, the key with its anchor and tag,
/// the `---` of a document (or the start of its first node). Its line is the line that ytt prints for the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeSpan {
    pub(crate) source: SourceId,
    pub(crate) start: u32,
    /// Behind the key of a map item, behind the indicator of another node.
    pub(crate) key_end: u32,
    /// Where the value begins; `end` where there is none.
    pub(crate) value: u32,
    pub(crate) end: u32,
}

impl NodeSpan {
    /// The key of a map item, or the indicator of another node.
    pub(crate) fn key(&self) -> Span {
        Span::new(self.source, self.start, self.key_end)
    }

    /// The value; empty where there is none.
    pub(crate) fn value(&self) -> Span {
        Span::new(self.source, self.value, self.end)
    }

    /// The key of a map item; the value of an array item, whose indicator says little.
    pub(crate) fn declared(&self, sources: &SourceMap) -> Span {
        let source = sources.get(self.source);
        match source.text.as_bytes().get(self.start as usize..self.key_end as usize) {
            Some(b"-" | b"[" | b",") => self.value_or_key(sources),
            _ => self.key(),
        }
    }

    /// The value, or the code that gives it; the key if it does not begin on the line that is printed for the node.
    pub(crate) fn value_or_key(&self, sources: &SourceMap) -> Span {
        let (key, value) = (self.key(), self.value());
        let source = sources.get(self.source);
        if matches!(source.origin, Origin::Rust(_)) && value.start == value.end {
            return value;
        }
        let is_shown = value.start < value.end && source.line(value.start) == source.line(key.start);
        if is_shown { value } else { self.code(sources).unwrap_or(key) }
    }

    /// The code of an item that is its value: `1 + 2` of `a: #@ 1 + 2`.
    pub(crate) fn code(&self, sources: &SourceMap) -> Option<Span> {
        let source = sources.get(self.source);
        let end = source.line_range(source.line(self.key_end)).end;
        let line = source.text.as_str()?.get(self.key_end as usize..end as usize)?;
        let code = line.trim_start_matches([' ', '\t', ':']).strip_prefix("#@ ").filter(|_| self.value == self.end)?;
        let end = self.key_end.saturating_add(to_u32(line.trim_end().len()));
        Some(Span::new(self.source, end.saturating_sub(to_u32(code.trim().len())), end))
    }

    pub(crate) fn whole(&self) -> Span {
        Span::new(self.source, self.start, self.end.max(self.start))
    }
}

/// Number of a [`NodeSpan`] in the arena; 0 means that the place is not known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PosId(pub(crate) u32);

/// Number of an [`AnnSet`] in the arena; 0 is the empty set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct AnnId(pub(crate) u32);

/// Number of the arguments of one annotation, which `Call::args` gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ArgId(pub(crate) u32);

impl ArgId {
    /// `missing_ok=True`, written by the engine itself: the first of every render.
    pub(crate) const MISSING_OK: ArgId = ArgId(0);
    /// `or_add=True`, written by the engine itself: the second one.
    pub(crate) const OR_ADD: ArgId = ArgId(1);
    /// No arguments.
    pub(crate) const NONE: ArgId = ArgId(2);
}

/// One annotation of a node, such as `overlay/match`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Annotation {
    pub(crate) name: Arc<str>,
    pub(crate) args: ArgId,
    /// The place of the comment: `start` is the `#`, `key_end` is behind the name, `value` begins the arguments.
    pub(crate) pos: PosId,
}

/// The annotations of a node in order; never changed, so copies of nodes share it. Of two with one name the last counts.
pub(crate) type AnnSet = Arc<[Annotation]>;
