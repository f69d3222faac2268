//! What one application of overlays knows while it walks: where it stands, what it found, whom it tells.
//!
//! The steps of the walk are in `walk` and `operation`; everything below them uses this.

use std::cell::{Ref, RefCell, RefMut};
use std::collections::HashSet;

use super::annotation::{Counts, RightKind};
use super::index::Indexes;
use super::outcome::Notes;
use super::problem::{Added, Caller, Problem, Warning};
use super::renames::Renames;
use crate::call::{Arg, Call, ValueHandle};
use crate::source::{Span, to_u32};
use crate::yaml::{Applied, Arena, Event, EventId, MatchedBy, NodeId, PosId, ReaderKind, TooDeep, Val, What};

/// One application of rights to a left side.
pub(super) struct Engine<'c> {
    pub(super) calls: &'c mut dyn Call,
    listener: &'c mut dyn Listener,
    /// Data values and schemas: the one left document is the match.
    pub(super) exact: bool,
    /// Right items that are being worked on, outermost first.
    pub(super) trail: Vec<TrailStep>,
    pub(super) indexes: Indexes,
    /// Places of annotations and items that were already warned of.
    pub(super) warned: HashSet<PosId>,
    /// Comparisons that are left for warnings of items that are there already.
    pub(super) comparisons: usize,
    /// Count of placed raw values when the left was last made nodes.
    raws_known: u64,
    /// Items that got a raw value since then.
    raw: Vec<NodeId>,
    removed: Vec<Removed>,
    rewritten: Vec<Rewritten>,
    /// Map items that were added.
    pub(super) added: Vec<Added>,
    renames: RefCell<Renames>,
    /// All overlays of the stage, and how many have begun.
    pub(super) overlays: Vec<NodeId>,
    pub(super) begun_overlays: usize,
    /// The documents of each file that the stage changes.
    pub(super) sets: Vec<NodeId>,
    /// Nodes that were placed in the left, as they are.
    pub(super) placed: Vec<NodeId>,
    /// The event with which the right side began that is being applied, if a record is kept.
    begun: Option<EventId>,
    /// What lints want to know.
    pub(super) notes: Notes,
}

/// Who is told of what happens, while nodes are still as they were then.
pub(super) trait Listener {
    /// Whether the walk goes on after a problem.
    fn goes_on(&self) -> bool;
    /// Takes a problem of the innermost item. True: people will see it.
    fn problem(&mut self, scene: Scene<'_>, problem: Problem, extent: Extent) -> bool;
    fn warning(&mut self, scene: Scene<'_>, warning: Warning);
}

/// How much of an item a problem stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    Whole,
    /// The match at hand.
    Match,
    /// Nothing: it stands inside of an item that is skipped already.
    Skipped,
}

/// Where the walk stands, as a listener sees it; `report` makes diagnostics of it.
pub(super) struct Scene<'a> {
    pub(super) calls: &'a mut dyn Call,
    pub(super) trail: &'a [TrailStep],
    pub(super) exact: bool,
    pub(super) removed: &'a [Removed],
    pub(super) rewritten: &'a [Rewritten],
    pub(super) renames: Option<&'a RefCell<Renames>>,
    /// All overlays of the stage.
    pub(super) overlays: &'a [NodeId],
    /// Those that come behind the one at hand.
    pub(super) later: &'a [NodeId],
    /// The documents of each file that the stage changes.
    pub(super) sets: &'a [NodeId],
    /// Right items of which this problem tells as well.
    pub(super) told: Vec<NodeId>,
    /// How many problems were told before this one.
    pub(super) before: usize,
}

/// A left item that is gone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Removed {
    pub(super) container: NodeId,
    pub(super) item: NodeId,
    /// What is in its place.
    pub(super) new: Option<NodeId>,
    /// The right item that took it out or gave it another key.
    pub(super) by: NodeId,
    /// The right document that this one is in, and the left one that it was applied to.
    pub(super) document: Option<(NodeId, NodeId)>,
}

/// A left text that a merge put another one in the place of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rewritten {
    pub(super) item: NodeId,
    pub(super) before: Val,
    /// The right item.
    pub(super) by: NodeId,
}

/// A right item that is being worked on.
#[derive(Clone, Debug)]
pub(super) struct TrailStep {
    pub(super) node: NodeId,
    pub(super) kind: RightKind,
    /// Whether it matches by a matcher, not by its own key.
    pub(super) by: bool,
    /// All left items that it matched; kept for documents only.
    pub(super) found: Vec<NodeId>,
    /// How many it matched.
    pub(super) matches: u32,
    /// The left item it is being applied to.
    pub(super) matched: Option<LeftItem>,
    /// The same in the record of events.
    event: Option<EventId>,
}

/// A left item, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeftItem {
    pub(super) container: NodeId,
    /// Its position in the container, if it is known.
    pub(super) at: u32,
    pub(super) item: NodeId,
}

impl TrailStep {
    pub(super) fn new(node: NodeId, kind: RightKind) -> TrailStep {
        TrailStep { node, kind, by: false, found: Vec::new(), matches: 0, matched: None, event: None }
    }
}

/// A right item and who else may know it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Right {
    pub(super) node: NodeId,
    /// Nobody else has it: it may be placed as it is.
    pub(super) owned: bool,
    /// A function saw it and may have kept it.
    pub(super) exposed: bool,
}

/// A right item that is to be applied.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    /// The containers that it is applied to: one for each file, for documents.
    pub(super) lefts: &'a [NodeId],
    pub(super) right: Right,
    pub(super) kind: RightKind,
    pub(super) defaults: &'a Counts,
}

impl<'c> Engine<'c> {
    pub(super) fn new(calls: &'c mut dyn Call, listener: &'c mut dyn Listener, exact: bool) -> Engine<'c> {
        Engine {
            calls,
            listener,
            exact,
            trail: Vec::new(),
            indexes: Indexes::default(),
            warned: HashSet::new(),
            comparisons: 20_000,
            raws_known: 0,
            raw: Vec::new(),
            removed: Vec::new(),
            rewritten: Vec::new(),
            added: Vec::new(),
            renames: RefCell::default(),
            overlays: Vec::new(),
            begun_overlays: 0,
            sets: Vec::new(),
            placed: Vec::new(),
            begun: None,
            notes: Notes::default(),
        }
    }

    pub(super) fn arena(&self) -> Ref<'_, Arena> {
        self.calls.arena().borrow()
    }

    pub(super) fn arena_mut(&self) -> RefMut<'_, Arena> {
        self.calls.arena().borrow_mut()
    }

    pub(super) fn items(&self, container: NodeId) -> Vec<NodeId> {
        self.arena().items(container).to_vec()
    }

    pub(super) fn value(&self, item: NodeId) -> Val {
        self.arena().value(item)
    }

    /// Calls a function of an annotation.
    pub(super) fn call(
        &mut self,
        function: ValueHandle,
        args: &[Arg<'_>],
        caller: Caller,
    ) -> Result<ValueHandle, Problem> {
        if !matches!(caller, Caller::Count) {
            self.note_function();
        }
        self.calls.call(function, args).map_err(|diagnostic| Problem::Failed(diagnostic, caller))
    }

    // Telling.

    /// The listener, and where the walk stands.
    fn scene(&mut self) -> (&mut dyn Listener, Scene<'_>) {
        let Engine { calls, listener, trail, exact, removed, rewritten, renames, .. } = self;
        let (overlays, begun_overlays, sets) = (&self.overlays, &self.begun_overlays, &self.sets);
        let later = overlays.get(*begun_overlays..).unwrap_or_default();
        let (calls, exact, told) = (&mut **calls, *exact, Vec::new());
        let renames = Some(&*renames);
        let scene = Scene { calls, trail, exact, removed, rewritten, renames, overlays, later, sets, told, before: 0 };
        (&mut **listener, scene)
    }

    /// Tells of a problem of the innermost item. True: people will see it.
    pub(super) fn tell(&mut self, problem: Problem, extent: Extent) -> bool {
        let (listener, scene) = self.scene();
        listener.problem(scene, problem, extent)
    }

    pub(super) fn warn(&mut self, warning: Warning) {
        let (listener, scene) = self.scene();
        listener.warning(scene, warning);
    }

    /// Whether the walk goes on after a problem.
    pub(super) fn goes_on(&self) -> bool {
        self.listener.goes_on()
    }

    /// Remembers what is gone, for the problems of a stage that goes on.
    pub(super) fn note_removed(&mut self, container: NodeId, item: NodeId, new: Option<NodeId>) {
        const MOST: usize = 10_000;
        if let (true, Some(first), Some(last)) =
            (self.goes_on() && self.removed.len() < MOST, self.trail.first(), self.trail.last())
        {
            let by = last.node;
            let document = first.matched.map(|matched| (first.node, matched.item));
            self.removed.push(Removed { container, item, new, by, document });
        }
    }

    /// Remembers what a left item was before a merge, for the problems of a stage that goes on.
    pub(super) fn note_rewritten(&mut self, item: NodeId, before: Val, by: NodeId) {
        const MOST: usize = 10_000;
        if matches!(before, Val::Str { .. }) && self.rewritten.len() < MOST && self.goes_on() {
            self.rewritten.push(Rewritten { item, before, by });
        }
    }

    // Copies and raw values.

    /// Makes sure that the right item may be placed.
    pub(super) fn own(&self, right: &mut Right) -> Result<(), TooDeep> {
        if !right.owned {
            right.node = self.arena_mut().copy(right.node)?;
            right.owned = true;
        }
        Ok(())
    }

    /// Makes nodes of the raw values below the value of a left item, if any were placed since the left was made nodes.
    /// The value itself stays raw: the reference works on a copy of it.
    pub(super) fn nodes_below(&self, item: NodeId) -> Result<(), TooDeep> {
        let mut arena = self.arena_mut();
        let value = arena.value(item);
        if arena.raw_placed() != self.raws_known && matches!(value, Val::Node(_)) {
            arena.nodes(value)?;
        }
        Ok(())
    }

    /// Makes nodes of all raw values below the left sides, unless none can be there.
    pub(super) fn nodes_in(&mut self, lefts: &[NodeId], first: bool) -> Result<(), TooDeep> {
        let raw = std::mem::take(&mut self.raw);
        {
            let mut arena = self.arena_mut();
            let are_known = !first && arena.raw_placed() == self.raws_known.saturating_add(raw.len() as u64);
            for &node in if are_known { &raw } else { lefts } {
                arena.nodes(Val::Node(node))?;
            }
        }
        self.note_no_raws();
        Ok(())
    }

    /// The left side has no raw values now.
    pub(super) fn note_no_raws(&mut self) {
        let placed = self.arena().raw_placed();
        self.raws_known = placed;
    }

    /// Whether no raw value was placed since the left was made nodes.
    pub(super) fn has_no_raws(&self) -> bool {
        self.arena().raw_placed() == self.raws_known
    }

    /// Remembers an item that may have got a raw value.
    pub(super) fn note_raw(&mut self, item: NodeId, value: Val) {
        if matches!(value, Val::Raw(_)) {
            self.raw.push(item);
        }
    }

    // The record of events.

    /// Notes that a right side begins to be applied, which a call gave.
    pub(super) fn begin(&mut self, by: Applied, call: Option<Span>) {
        let of_values = self.exact;
        let event = self.arena_mut().events.add(|| Event::Overlay { by, call, of_values });
        self.begun = event;
    }

    /// Whether a record is kept.
    pub(super) fn records(&self) -> bool {
        self.begun.is_some()
    }

    /// What is around the innermost item in the record.
    fn outer(&self) -> Option<EventId> {
        let begun = self.begun?;
        Some(self.trail.iter().rev().skip(1).find_map(|step| step.event).unwrap_or(begun))
    }

    /// A right item begins: what its functions read is noted for it.
    pub(super) fn begin_reads(&mut self, right: NodeId) {
        let events = &mut self.arena_mut().events;
        if events.explains() {
            events.readers.begin(ReaderKind::Overlay(right));
        }
    }

    pub(super) fn end_reads(&mut self) {
        let events = &mut self.arena_mut().events;
        if events.explains() {
            events.readers.end();
        }
    }

    /// Notes how many items the innermost right item found.
    pub(super) fn note_tried(&self, right: NodeId, matches: usize) {
        let Some(outer) = self.outer() else { return };
        let events = &mut self.arena_mut().events;
        if events.explains() {
            events.add(|| Event::Tried { right, matches: to_u32(matches), outer });
        }
    }

    /// Notes which left item the innermost right item is being applied to.
    pub(super) fn at(&mut self, matched: LeftItem) {
        let LeftItem { container, at: place, item } = matched;
        let outer = self.outer();
        let event =
            outer.and_then(|outer| self.arena_mut().events.add(|| Event::Matched { container, item, place, outer }));
        if let Some(step) = self.trail.last_mut() {
            step.matched = Some(matched);
            step.event = event;
        }
    }

    /// The innermost right item that has a matcher; else the outermost one.
    fn matched_by(&self) -> MatchedBy {
        let step = self.trail.iter().rev().find(|step| step.by).or(self.trail.first());
        step.map_or(MatchedBy { right: NodeId(0), matches: 0 }, |step| MatchedBy {
            right: step.node,
            matches: step.matches,
        })
    }

    /// Notes that the innermost right item changed a container, or the left item that it matched.
    pub(super) fn note_changed(&self, node: NodeId, what: What) {
        let Some(step) = self.trail.last() else {
            return;
        };
        let own = step.event.filter(|_| step.matched.is_some_and(|matched| matched.item == node));
        if let Some(outer) = own.or_else(|| self.outer()) {
            let (right, matched) = (step.node, self.matched_by());
            let events = &mut self.arena_mut().events;
            let by = events.readers.now();
            events.add(|| Event::Changed { node, right, outer, what, matched, by });
        }
    }
}

impl Drop for Engine<'_> {
    fn drop(&mut self) {
        self.indexes.unlisten(self.calls.arena());
    }
}
