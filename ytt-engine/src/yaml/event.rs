//! What happened to nodes, in order: the record from which it can be told where a value comes from.
//!
//! It is kept only when somebody asks (`Arena::events`): then templates, data values, schemas and overlays each note
//! what they did. Numbers of events lead from a change to the items that were matched on the way to it. How much is
//! noted says [`Keep`]: hints about shared nodes need the changes, an explanation all, with the copies of nodes here and
//! who read which data values in `readers`.
#![cfg_attr(not(feature = "explain"), expect(dead_code, reason = "an explanation reads the record"))]

use super::arena::{NodeId, Val};
use super::readers::{Moment, ReaderId, Readers};
use crate::source::{Span, to_u32};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct EventId(pub(crate) u32);

/// One thing that happened.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// Code of a template gave an item its value; `by` is the expression.
    Set { item: NodeId, value: Val, at: Option<Span>, by: Option<ReaderId> },
    /// `template.replace` put an item or document into a container.
    Placed { container: NodeId, item: NodeId, at: Option<Span> },
    /// The defaults of a schema are what data values begin with.
    Defaults { document: NodeId },
    /// A value from outside, of a flag or values file, was put into the data values: `item` is new, maybe in place of
    /// another one, or has a new value. `above` are the items that lead to it, outermost first.
    Given { item: NodeId, above: Vec<NodeId>, before: Before },
    /// A schema filled in an item that was not given, into this map.
    Filled { item: NodeId, map: NodeId },
    /// The data values of a library are complete; the name of the root is empty. Behind `~` stands the alias.
    Values { document: NodeId, library: Box<str> },
    /// A right side of an overlay begins to be applied; `call` is the one that gave it, if code did. `of_values`: data
    /// values or their schema.
    Overlay { by: Applied, call: Option<Span>, of_values: bool },
    /// A right item looked for left ones, and found so many. Only if all is noted.
    Tried { right: NodeId, matches: u32, outer: EventId },
    /// A right item is applied to a left one. `outer` is the same for the items around them, or the beginning.
    Matched { container: NodeId, item: NodeId, place: u32, outer: EventId },
    /// A right item changed the value of an item, or the list of a container; `outer` as for `Matched`.
    Changed { node: NodeId, right: NodeId, outer: EventId, what: What, matched: MatchedBy, by: Option<Moment> },
}

/// What there was before a value was given.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Before {
    /// No such key in this map.
    Nothing(NodeId),
    /// The item stayed, and had this value.
    Value(Val),
    /// Another item, which is gone.
    Item(NodeId),
}

/// The right item, an outer one or the document, by whose matcher the way led to a change; and how many it matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MatchedBy {
    pub(crate) right: NodeId,
    pub(crate) matches: u32,
}

/// What an overlay did.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    /// An item got a value, in place of this one.
    Value {
        before: Val,
    },
    /// An item came into a list.
    Added {
        item: NodeId,
    },
    /// An item came in place of another one.
    Replaced {
        old: NodeId,
        item: NodeId,
    },
    Removed {
        item: NodeId,
    },
}

/// Who applies an overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applied {
    /// A stage: files, data values, schemas.
    Stage,
    /// A program, by `overlay.apply`.
    Program,
}

/// How much is noted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Keep {
    #[default]
    Nothing,
    /// The changes of nodes.
    Changes,
    /// All that an explanation says.
    All,
}

/// A node that was made as a copy of another one, and how many events there were then.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copied {
    pub(crate) new: NodeId,
    pub(crate) old: NodeId,
    pub(crate) at: EventId,
}

/// Nodes from `first` on, up to `end`, that were made of the raw value of an item.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unpacked {
    pub(crate) first: NodeId,
    pub(crate) end: NodeId,
    pub(crate) holder: NodeId,
}

/// A part of a text that a template printed at once, up to where the next one begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextPart {
    /// Where it begins in the text.
    pub(crate) at: usize,
    /// The literal text, or the code that gave the value.
    pub(crate) place: Span,
    pub(crate) computed: bool,
    /// Who printed it.
    pub(crate) by: Option<Moment>,
}

/// The record, if it is kept.
#[derive(Debug, Default)]
pub(crate) struct Events {
    keep: Keep,
    list: Vec<Event>,
    /// Both in the order of their new nodes.
    copied: Vec<Copied>,
    unpacked: Vec<Unpacked>,
    pub(crate) readers: Readers,
    /// The parts of the text that ended last.
    pub(crate) text: Vec<TextPart>,
}

impl Events {
    pub(crate) fn keep(&mut self, keep: Keep) {
        self.keep = self.keep.max(keep);
    }

    pub(crate) fn kept(&self) -> bool {
        self.keep > Keep::Nothing
    }

    /// Whether all is noted.
    pub(crate) fn explains(&self) -> bool {
        self.keep == Keep::All
    }

    /// Adds what `event` makes, if the record is kept.
    pub(crate) fn add(&mut self, event: impl FnOnce() -> Event) -> Option<EventId> {
        if !self.kept() {
            return None;
        }
        let id = EventId(to_u32(self.list.len()));
        self.list.push(event());
        Some(id)
    }

    /// All of the record so far.
    pub(crate) fn all(&self) -> &[Event] {
        &self.list
    }

    /// Notes a copy, if all is noted.
    pub(crate) fn note_copy(&mut self, new: NodeId, old: NodeId) {
        if self.explains() {
            let at = EventId(to_u32(self.list.len()));
            self.copied.push(Copied { new, old, at });
        }
    }

    /// Notes nodes that were made of the raw value of an item, if all is noted.
    pub(crate) fn note_unpacked(&mut self, first: NodeId, end: NodeId, holder: NodeId) {
        if self.explains() {
            self.unpacked.push(Unpacked { first, end, holder });
        }
    }

    /// What a node is a copy of.
    pub(crate) fn copy_of(&self, new: NodeId) -> Option<Copied> {
        let at = self.copied.binary_search_by_key(&new, |copied| copied.new).ok()?;
        self.copied.get(at).copied()
    }

    /// Whoever runs takes the value of an item out of the nodes: [`Readers::adopt`], also of what it is a copy of.
    pub(crate) fn adopt(&mut self, item: NodeId) {
        let mut next = self.explains().then_some(item);
        while let Some(item) = next {
            self.readers.adopt(item);
            next = self.copy_of(item).map(|copied| copied.old);
        }
    }

    /// The item in whose raw value a node stood.
    pub(crate) fn unpacked_from(&self, node: NodeId) -> Option<NodeId> {
        let at = self.unpacked.partition_point(|unpacked| unpacked.first <= node).checked_sub(1)?;
        let found = self.unpacked.get(at)?;
        (node < found.end).then_some(found.holder)
    }
}
