//! The walk of one right tree over one left tree.
//!
//! The left side is changed in place, item by item, and the next item sees it. Each right item is copied once before it
//! is used, so that the right is neither changed nor shared with the result; below, only what is placed at several
//! places, or was shown to a function, is copied again. The steps of one item are in `operation`, which walks deeper.

use std::collections::HashMap;

use super::annotation::{Counts, Operation, RightKind};
use super::engine::{Engine, Extent, Right, Task, TrailStep};
use super::marks::each_below;
use super::problem::{Failure, Problem};
use super::rules;
use crate::call::Call;
use crate::yaml::{AnnId, Arena, Body, NodeId, TooDeep, Val};

impl Engine<'_> {
    /// Applies the right value to the left one. True: the right value replaces the left one.
    pub(super) fn walk(&mut self, left: Val, right: Val, defaults: &Counts, owned: bool) -> Result<bool, Failure> {
        let top = self.trail.is_empty();
        let Val::Node(right) = right else {
            return Ok(true);
        };
        let container = expect_kind(&self.arena(), left, right)?;
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

    /// One right item against the items of the left: all its steps, and its problem if it has one.
    pub(super) fn item(&mut self, lefts: &[NodeId], item: Right, defaults: &Counts) -> Result<(), Failure> {
        let Some(kind) = RightKind::of(&self.arena().get(item.node).body) else {
            return Ok(());
        };
        self.trail.push(TrailStep::new(item.node, kind));
        self.begin_reads(item.node);
        let mut result = self.operate(Task { lefts, right: item, kind, defaults });
        if let Err(failure) = result {
            result = self.fail(failure, Extent::Whole);
        }
        self.end_reads();
        self.trail.pop();
        result
    }

    /// Tells of a problem of the innermost item: then the walk ends, or goes on.
    pub(super) fn fail(&mut self, failure: Failure, extent: Extent) -> Result<(), Failure> {
        // It may have done a part of its work.
        self.note_changed_whole();
        let Failure::Fresh(problem) = failure else {
            return Err(failure);
        };
        let is_seen = self.tell(problem, extent);
        if !self.goes_on() {
            return Err(Failure::Ended);
        }
        // If only one match failed, its inside is worked on elsewhere.
        if is_seen && extent == Extent::Whole {
            self.check_skipped();
        }
        Ok(())
    }

    // What is wrong inside of a skipped item and needs no left side.

    /// Tells of what is wrong inside of the innermost item, which is skipped.
    fn check_skipped(&mut self) {
        let Some(node) = self.trail.last().map(|step| step.node) else {
            return;
        };
        let operation = rules::operation(&*self.calls, node).unwrap_or(Operation::Merge);
        if matches!(operation, Operation::Merge | Operation::Assert) {
            self.check_inside(node);
        }
    }

    fn check_inside(&mut self, node: NodeId) {
        let Val::Node(container) = self.value(node) else {
            return;
        };
        for item in self.items(container) {
            let Some(kind) = RightKind::of(&self.arena().get(item).body) else {
                continue;
            };
            self.trail.push(TrailStep::new(item, kind));
            match check_item(&*self.calls, item, kind, self.exact) {
                Ok(true) => self.check_inside(item),
                Ok(false) => {}
                Err(problem) => {
                    self.tell(problem, Extent::Skipped);
                }
            }
            self.trail.pop();
        }
    }
}

/// The left container for a right one: of the same kind, or an error.
fn expect_kind(arena: &Arena, left: Val, right: NodeId) -> Result<NodeId, Problem> {
    match left {
        Val::Node(node)
            if arena.get(node).body.kind() == arena.get(right).body.kind()
                && matches!(arena.get(node).body, Body::Set(_) | Body::Map(_) | Body::Array(_)) =>
        {
            Ok(node)
        }
        _ => Err(Problem::OtherKind { left, right }),
    }
}

/// Names and kinds of arguments of one item. True: its inside would be evaluated.
fn check_item(calls: &dyn Call, item: NodeId, kind: RightKind, exact: bool) -> Result<bool, Problem> {
    let operation = rules::operation(calls, item)?;
    let none = Counts::default();
    if kind == RightKind::MapItem && matches!(operation, Operation::Insert | Operation::Append) {
        return Err(Problem::NoOrder(item, operation));
    }
    match operation {
        Operation::Append => return Ok(false),
        Operation::Merge | Operation::Assert => rules::child_defaults(calls, item, &none).map(drop)?,
        _ => {}
    }
    let rule = rules::match_rule(calls, item, kind, exact, &none)?;
    match operation {
        Operation::Replace => rules::replace_rule(calls, item).map(drop)?,
        Operation::Insert => rules::insert_rule(calls, item).map(drop)?,
        Operation::Assert => rules::assert_rule(calls, item).map(drop)?,
        _ => {}
    }
    // An array item without a match rule is added whole.
    Ok(matches!(operation, Operation::Merge | Operation::Assert) && !rule.nothing)
}

/// Deletes all overlay annotations below a value.
pub(super) fn strip(arena: &mut Arena, value: Val) -> Result<(), TooDeep> {
    let Val::Node(top) = value else {
        return Ok(());
    };
    let mut known = HashMap::<AnnId, AnnId>::new();
    let mut annotated = Vec::new();
    each_below(arena, top, |id, node| {
        if node.ann != AnnId(0) {
            annotated.push((id, node.ann));
        }
    })?;
    for (id, ann) in annotated {
        let new = *known.entry(ann).or_insert_with(|| {
            arena.remove_anns(id, "overlay/");
            arena.get(id).ann
        });
        if new != ann {
            arena.get_mut(id).ann = new;
        }
    }
    Ok(())
}
