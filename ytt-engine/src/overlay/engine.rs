//! The walk of one right tree over one left tree, and where it stands.
//!
//! The left side is changed in place, item by item, and the next item sees it. Each right item is copied once before it
//! is used, so that the right is neither changed nor shared with the result; below, only what is placed at several
//! places, or was shown to a function, is copied again. The steps of one item are in `item`.

use std::cell::{Ref, RefMut};
use std::collections::{HashMap, HashSet};

use super::annotation::{Counts, RightKind};
use super::failure::{Failure, Problem};
use super::gather::Gather;
use super::index::Indexes;
use crate::call::{Arg, Call, ValueHandle};
use crate::diag::{Code, Diagnostic};
use crate::yaml::words::kind_name;
use crate::yaml::{AnnId, Applied, Arena, Body, Event, EventId, NodeId, PosId, TooDeep, Val};

/// One application of rights to a left side.
pub(super) struct Engine<'c> {
    pub(super) calls: &'c mut dyn Call,
    /// Data values and schemas: the one left document is the match.
    pub(super) exact: bool,
    /// Right items that are being worked on, outermost first.
    pub(super) trail: Vec<TrailStep>,
    /// Problems so far, if the walk goes on after them.
    pub(super) gather: Option<Gather>,
    pub(super) indexes: Indexes,
    /// Annotations that were already warned of.
    pub(super) warned: HashSet<PosId>,
    /// Count of placed raw values when the left was last made nodes.
    settled: u64,
    /// Items that got a raw value since then.
    raw: Vec<NodeId>,
    /// Left items that are gone: their list, and the right item that took them out or gave them another key.
    pub(super) removed: Vec<(NodeId, NodeId, NodeId)>,
    /// Nodes that were placed in the left, as they are.
    pub(super) placed: Vec<NodeId>,
    /// The event with which the right side began that is being applied, if a record is kept.
    begun: Option<EventId>,
}

/// A right item that is being worked on.
#[derive(Clone, Debug)]
pub(super) struct TrailStep {
    pub(super) node: NodeId,
    pub(super) kind: RightKind,
    /// Whether it matches by a matcher, not by its own key.
    pub(super) by: bool,
    /// All left items that it matched.
    pub(super) found: Vec<NodeId>,
    /// The left item it is being applied to, and its place.
    pub(super) matched: Option<(NodeId, usize)>,
    /// The same in the record of events.
    pub(super) event: Option<EventId>,
}

impl TrailStep {
    pub(super) fn new(node: NodeId, kind: RightKind) -> TrailStep {
        TrailStep { node, kind, by: false, found: Vec::new(), matched: None, event: None }
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

impl<'c> Engine<'c> {
    pub(super) fn new(calls: &'c mut dyn Call, exact: bool, gather: Option<Gather>) -> Engine<'c> {
        Engine {
            calls,
            exact,
            trail: Vec::new(),
            gather,
            indexes: Indexes::default(),
            warned: HashSet::new(),
            settled: 0,
            raw: Vec::new(),
            removed: Vec::new(),
            placed: Vec::new(),
            begun: None,
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
    pub(super) fn call(&mut self, function: ValueHandle, args: &[Arg<'_>]) -> Result<ValueHandle, Diagnostic> {
        self.calls.call(function, args).map_err(|mut diagnostic| {
            let code = diagnostic.code();
            let keeps = ["limit::", "overlay::", "engine::"].iter().any(|area| code.as_str().starts_with(area));
            if !keeps {
                diagnostic.parts_mut().code = Code::OVERLAY_FUNCTION;
            }
            diagnostic
        })
    }

    // Copies and conversions.

    pub(super) fn too_deep(&self, error: TooDeep) -> Diagnostic {
        too_deep(&self.arena(), error)
    }

    pub(super) fn copy(&self, node: NodeId) -> Result<NodeId, Diagnostic> {
        let copied = self.arena_mut().copy(node);
        copied.map_err(|error| self.too_deep(error))
    }

    pub(super) fn copy_val(&self, value: Val) -> Result<Val, Diagnostic> {
        let copied = self.arena_mut().copy_val(value);
        copied.map_err(|error| self.too_deep(error))
    }

    /// Makes sure that the right item may be placed.
    pub(super) fn own(&self, right: &mut Right) -> Result<(), Diagnostic> {
        if !right.owned {
            right.node = self.copy(right.node)?;
            right.owned = true;
        }
        Ok(())
    }

    pub(super) fn make_nodes(&self, value: Val) -> Result<Val, Diagnostic> {
        let made = self.arena_mut().nodes(value);
        made.map_err(|error| self.too_deep(error))
    }

    /// Makes nodes of the raw values below the value of a left item, if any were placed since the left was made nodes.
    /// The value itself stays raw: the reference works on a copy of it.
    pub(super) fn settle(&self, item: NodeId) -> Result<(), Diagnostic> {
        if self.arena().raw_placed() == self.settled {
            return Ok(());
        }
        match self.value(item) {
            Val::Node(value) => self.make_nodes(Val::Node(value)).map(|_| ()),
            _ => Ok(()),
        }
    }

    /// Makes nodes of all raw values below the left sides, unless none can be there.
    pub(super) fn settle_all(&mut self, lefts: &[NodeId], first: bool) -> Result<(), Diagnostic> {
        let raw = std::mem::take(&mut self.raw);
        let own = raw.len() as u64;
        let placed = self.arena().raw_placed();
        if first || placed != self.settled + own {
            for &left in lefts {
                self.make_nodes(Val::Node(left))?;
            }
        } else {
            for item in raw {
                self.make_nodes(Val::Node(item))?;
            }
        }
        let placed = self.arena().raw_placed();
        self.settled = placed;
        Ok(())
    }

    /// The left side has no raw values now.
    pub(super) fn settled(&mut self) {
        let placed = self.arena().raw_placed();
        self.settled = placed;
    }

    /// Whether no raw value was placed since the left was made nodes.
    pub(super) fn is_settled(&self) -> bool {
        self.arena().raw_placed() == self.settled
    }

    /// Remembers an item that may have got a raw value.
    pub(super) fn note_raw(&mut self, item: NodeId, value: Val) {
        if matches!(value, Val::Raw(_)) {
            self.raw.push(item);
        }
    }

    // The record of events.

    /// Notes that a right side begins to be applied.
    pub(super) fn begin(&mut self, by: Applied) {
        let event = self.arena_mut().events.add(|| Event::Overlay(by));
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

    /// Notes which left item the innermost right item is being applied to.
    pub(super) fn at(&mut self, container: NodeId, item: NodeId, place: u32) {
        let outer = self.outer();
        let event =
            outer.and_then(|outer| self.arena_mut().events.add(|| Event::Matched { container, item, place, outer }));
        if let Some(step) = self.trail.last_mut() {
            step.matched = Some((item, place as usize));
            step.event = event;
        }
    }

    /// Notes that the innermost right item changed a container, or the left item that it matched.
    pub(super) fn note_changed(&self, node: NodeId) {
        let Some(step) = self.trail.last() else {
            return;
        };
        let own = step.event.filter(|_| step.matched.is_some_and(|(item, _)| item == node));
        if let Some(outer) = own.or_else(|| self.outer()) {
            self.arena_mut().events.add(|| Event::Changed { node, right: step.node, outer });
        }
    }

    // The walk.

    /// Applies the right value to the left one. True: the right value replaces the left one.
    pub(super) fn walk(&mut self, left: Val, right: Val, defaults: &Counts, owned: bool) -> Result<bool, Failure> {
        let top = self.trail.is_empty();
        let Val::Node(right) = right else {
            return Ok(true);
        };
        let container = self.expect_kind(left, right)?;
        // The list is fixed here: functions may change it.
        for node in self.items(right) {
            let mut item = Right { node, owned, exposed: false };
            if top {
                self.own(&mut item)?;
            }
            self.item(&[container], item, defaults)?;
        }
        Ok(false)
    }

    /// The left container for a right one: of the same kind, or an error.
    fn expect_kind(&self, left: Val, right: NodeId) -> Result<NodeId, Failure> {
        let arena = self.arena();
        let wanted = arena.get(right).body.kind();
        if let Val::Node(left) = left
            && arena.get(left).body.kind() == wanted
            && matches!(arena.get(left).body, Body::Set(_) | Body::Map(_) | Body::Array(_))
        {
            return Ok(left);
        }
        let problem = Diagnostic::mismatch(Code::OVERLAY_KIND, wanted, kind_name(&arena, left));
        Err(Failure::from(self.kind_labels(problem, left, right)))
    }

    /// One right item against the items of the left: all its steps, and its problem if it has one.
    pub(super) fn item(&mut self, lefts: &[NodeId], item: Right, defaults: &Counts) -> Result<(), Failure> {
        let Some(kind) = RightKind::of(&self.arena().get(item.node).body) else {
            return Ok(());
        };
        self.trail.push(TrailStep::new(item.node, kind));
        let result = self.operate(lefts, item, kind, defaults);
        let result = match result {
            Ok(()) => Ok(()),
            Err(failure) => {
                if let Some(step) = self.trail.last_mut() {
                    step.matched = None;
                }
                self.fail(failure)
            }
        };
        self.trail.pop();
        result
    }

    /// Completes a problem of the innermost item: then the walk ends, or goes on if problems are gathered.
    pub(super) fn fail(&mut self, failure: Failure) -> Result<(), Failure> {
        let Failure::Fresh(problem) = failure else {
            return Err(failure);
        };
        let Problem { diagnostic, may_follow } = problem;
        if self.gather.is_none() {
            return Err(Failure::Final(self.complete(diagnostic)));
        }
        self.collect(diagnostic, may_follow);
        Ok(())
    }

    /// Deletes all overlay annotations below a value.
    pub(super) fn strip(&self, value: Val) -> Result<(), Diagnostic> {
        let limit = self.arena().depth();
        let mut known = HashMap::<AnnId, AnnId>::new();
        let mut open = match value {
            Val::Node(id) => vec![(id, 0)],
            _ => return Ok(()),
        };
        while let Some((id, depth)) = open.pop() {
            if depth > limit {
                return Err(self.too_deep(TooDeep { limit, node: id }));
            }
            let mut arena = self.arena_mut();
            let ann = arena.get(id).ann;
            if ann != AnnId(0) {
                let new = match known.get(&ann) {
                    Some(new) => *new,
                    None => {
                        arena.remove_anns(id, "overlay/");
                        arena.get(id).ann
                    }
                };
                known.insert(ann, new);
                if new != ann {
                    arena.get_mut(id).ann = new;
                }
            }
            match arena.value(id) {
                Val::Node(inner) if inner != id => open.push((inner, depth)),
                _ => open.extend(arena.items(id).iter().map(|&item| (item, depth + 1))),
            }
        }
        Ok(())
    }
}

/// The error of the limit `depth`.
pub(super) fn too_deep(arena: &Arena, error: TooDeep) -> Diagnostic {
    let text = format!("nesting is deeper than {} levels", error.limit);
    Diagnostic::limit(Code::LIMIT, "depth", text).at(arena.span_of(error.node))
}
