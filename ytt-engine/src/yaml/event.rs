//! What happened to nodes, in order: the record from which it can be told where a value comes from.
//!
//! It is kept only when somebody asks (`Arena::events`): then templates, data values, schemas and overlays each note
//! what they did. Numbers of events lead from a change to the items that were matched on the way to it.

use super::arena::{NodeId, Val};
use crate::source::Span;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct EventId(pub(crate) u32);

/// One thing that happened.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    /// Code of a template gave an item its value.
    Set { item: NodeId, value: Val, at: Option<Span> },
    /// `template.replace` put an item or document into a container.
    Placed { container: NodeId, item: NodeId, at: Option<Span> },
    /// A value from outside, of a flag or values file, was put into the data values: `item` is new or has a new value.
    /// `above` are the items that lead to it, outermost first.
    Given { item: NodeId, above: Vec<NodeId> },
    /// A schema filled in an item that was not given.
    Filled { item: NodeId },
    /// A right side of an overlay begins to be applied.
    Overlay(Applied),
    /// A right item is applied to a left one. `outer` is the same for the items around them, or the beginning.
    Matched { container: NodeId, item: NodeId, place: u32, outer: EventId },
    /// A right item changed the value of an item, or the list of a container; `outer` as for `Matched`.
    Changed { node: NodeId, right: NodeId, outer: EventId },
}

/// Who applies an overlay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applied {
    /// A stage: files, data values, schemas.
    Stage,
    /// A program, by `overlay.apply`.
    Program,
}

/// The record, if it is kept.
#[derive(Debug, Default)]
pub(crate) struct Events(Option<Vec<Event>>);

impl Events {
    pub(crate) fn keep(&mut self) {
        self.0.get_or_insert_default();
    }

    pub(crate) fn kept(&self) -> bool {
        self.0.is_some()
    }

    /// Adds what `event` makes, if the record is kept.
    pub(crate) fn add(&mut self, event: impl FnOnce() -> Event) -> Option<EventId> {
        let events = self.0.as_mut()?;
        events.push(event());
        Some(EventId(events.len() as u32 - 1))
    }

    /// All of the record so far.
    pub(crate) fn all(&self) -> &[Event] {
        self.0.as_deref().unwrap_or_default()
    }
}
