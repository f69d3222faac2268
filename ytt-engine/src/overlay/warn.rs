//! What has no effect, or another one than it seems.

use super::annotation::{CHILD_DEFAULTS, MATCH, MatchRule, Operation};
use super::compare::{key_value, leaf};
use super::engine::{Engine, Task};
use super::marks::below;
use super::matcher::Test;
use super::problem::Warning;
use crate::call::{Call, Seen};
use crate::yaml::{Annotation, ArgId, Body, NodeId, Val};

impl Engine<'_> {
    /// Warns of arguments that are ignored: positional ones, and all of operations that take none.
    pub(super) fn warn_of_arguments(&mut self, node: NodeId, operation: Operation) {
        let annotations = self.arena().anns_of(node).clone();
        for annotation in annotations.iter().filter(|annotation| annotation.name.starts_with("overlay/")) {
            if self.warned.contains(&annotation.pos) {
                continue;
            }
            let args = self.calls.args(annotation.args);
            let takes_none = [Operation::Merge, Operation::Remove, Operation::Append];
            let all = takes_none.iter().any(|operation| *annotation.name == *operation.name());
            let given = !args.positional.is_empty() || all && !args.named.is_empty();
            let known = [MATCH, CHILD_DEFAULTS, operation.name()].contains(&&*annotation.name) || all;
            if given && known {
                self.warned.insert(annotation.pos);
                let only_positional = args.named.is_empty();
                self.warn(Warning::UnusedArguments { annotation: annotation.clone(), all, only_positional });
            }
        }
    }

    /// Warns of a replaced map item that got another key.
    pub(super) fn warn_renamed(&mut self, old: NodeId, new: NodeId, by: bool, matches: usize) {
        let differs = {
            let arena = self.arena();
            matches!(arena.get(new).body, Body::MapItem(..)) && !arena.same(arena.key(old), arena.key(new))
        };
        if by && matches == 1 && differs {
            self.warn(Warning::Renamed { old, new });
        }
    }

    /// Warns of an array item without a matcher that is added beside one of the same name. The name is the value of the
    /// key by which other items of the list are matched.
    pub(super) fn warn_second(&mut self, lefts: &[NodeId], item: NodeId) {
        let found = {
            let arena = self.arena();
            let (Val::Node(own), [left]) = (arena.value(item), lefts) else { return };
            let around = self.trail.iter().rev().nth(1).map(|step| arena.value(step.node));
            let (Some(Val::Node(around)), Some(_)) = (around, arena.span_of(item)) else { return };
            let count = arena.count(around).saturating_add(arena.count(*left));
            let Some(rest) = self.comparisons.checked_sub(count) else { return };
            let by = |item: &NodeId| {
                let args = self.calls.args(arena.ann(*item, MATCH)?.args);
                let (_, by) = args.named.iter().find(|(name, _)| &**name == "by")?;
                match self.calls.see(*by) {
                    Seen::Str(key) => arena.find_str(own, &key),
                    _ => None,
                }
            };
            let name = arena.items(around).iter().find_map(by).or_else(|| arena.find_str(own, "name"));
            let found = name.and_then(|name| {
                let (key, wanted) = (arena.key(name), arena.value(name));
                let is_same = |other: &&NodeId| {
                    let value = key_value(&arena, arena.value(**other), key);
                    value.is_ok_and(|value| leaf(&arena, value, wanted))
                };
                let left =
                    arena.items(*left).iter().find(is_same).filter(|left| !arena.items(around).contains(left))?;
                Some((*left, key, arena.get(item).pos))
            });
            (found, rest)
        };
        self.comparisons = found.1;
        if let Some((left, key, pos)) = found.0
            && self.warned.insert(pos)
        {
            self.warn(Warning::Second { item, left, key });
        }
    }

    /// Warns of an array item that does nothing, since it says what is done and not to which item.
    pub(super) fn warn_without_match(&mut self, task: &Task<'_>, rule: &MatchRule, operation: Operation) {
        let item = task.right.node;
        let pos = self.arena().get(item).pos;
        let count: usize = task.lefts.iter().map(|left| self.arena().count(*left)).sum();
        let Some(rest) = self.comparisons.checked_sub(count).filter(|_| rule.nothing) else { return };
        self.comparisons = rest;
        if self.warned.insert(pos) {
            self.warn(Warning::WithoutMatch { item, operation, lefts: task.lefts.to_vec() });
        }
    }

    /// Warns of a key that is to be removed and is not there, if one like it is.
    pub(super) fn warn_removes_nothing(&mut self, lefts: &[NodeId], item: NodeId) {
        let &[map] = lefts else { return };
        let count = self.arena().count(map);
        let Some(rest) = self.comparisons.checked_sub(count) else { return };
        self.comparisons = rest;
        let pos = self.arena().get(item).pos;
        if matches!(self.arena().get(item).body, Body::MapItem(..)) && self.warned.insert(pos) {
            self.warn(Warning::RemovesNothing { item, map });
        }
    }

    /// Warns of a document that may match nothing, and does, if what it looks for is there in other letters.
    pub(super) fn warn_matched_nothing(&mut self, task: &Task<'_>, test: Option<&Test>) {
        let document = task.right.node;
        let pos = self.arena().get(document).pos;
        let count: usize = task.lefts.iter().map(|left| self.arena().count(*left)).sum();
        let Some(rest) = self.comparisons.checked_sub(count) else { return };
        self.comparisons = rest;
        // Those of a loop are many, and stand for one another.
        if self.warned.insert(pos) {
            self.warn(Warning::MatchedNothing { document, lefts: task.lefts.to_vec(), test: test.cloned() });
        }
    }

    /// Tells, on request, of annotations inside of an item that is added whole.
    pub(super) fn warn_not_evaluated(&mut self, node: NodeId) {
        let found = first_inside(&*self.calls, node);
        if let Some(annotation) = found.filter(|annotation| self.warned.insert(annotation.pos)) {
            self.warn(Warning::NotEvaluated { annotation, node });
        }
    }

    /// Warns of an overlay that an overlay of another library run placed: it acts once more.
    pub(super) fn warn_again(&mut self, document: NodeId) {
        let again = self.arena().is_overlaid(document);
        if again {
            self.warn(Warning::Again(document));
        }
    }
}

/// The first annotation below an item that would do more than allow what is missing.
fn first_inside(calls: &dyn Call, node: NodeId) -> Option<Annotation> {
    let arena = calls.arena().borrow();
    let inside = below(&arena, node).unwrap_or_default().into_iter().skip(1);
    let mut found = inside.flat_map(|id| arena.anns_of(id).iter());
    found.find(|ann| ann.name.starts_with("overlay/") && does_more(calls, ann)).cloned()
}

/// Whether an annotation asks for more than what adding its item whole gives.
fn does_more(calls: &dyn Call, annotation: &Annotation) -> bool {
    match &*annotation.name {
        _ if annotation.args == ArgId::OR_ADD => false,
        "overlay/merge" | "overlay/append" | CHILD_DEFAULTS => false,
        MATCH => {
            let args = calls.args(annotation.args);
            args.named.iter().any(|(name, _)| matches!(&**name, "by" | "expects"))
        }
        _ => true,
    }
}
