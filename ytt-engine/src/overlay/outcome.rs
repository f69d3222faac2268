//! Notes what came of each right item of a stage, for the lints of `useless`.
//!
//! Each note is one branch if no lint asks. What a function of the user may have seen counts as changed: nobody knows what
//! it makes of it.

use std::collections::{HashMap, HashSet};

use super::annotation::Counts;
use super::engine::{Engine, TrailStep};
use super::marks::below;
use super::matcher::{Target, Test};
use crate::call::Seen;
use crate::yaml::{Arena, Body, Did, NodeId, Outcome, PosId, Raw, Val};

/// What lints know of one application.
#[derive(Default)]
pub(super) struct Notes {
    pub(super) on: bool,
    /// Left items that were set, by the item that did it last, and how many functions had run then.
    set: HashMap<NodeId, (PosId, u32)>,
    functions: u32,
    /// Keys that matchers look at.
    keys: HashSet<Box<str>>,
}

impl Engine<'_> {
    /// Notes what the innermost item did.
    pub(super) fn note(&mut self, did: Did) {
        if !self.notes.on {
            return;
        }
        let Some(step) = self.trail.last() else { return };
        let around = self.around(1);
        let is_known = {
            let arena = self.arena();
            let pos = arena.get(step.node).pos;
            arena.outcomes.is_settled(pos) || arena.outcomes.is_noted(pos, around, did)
        };
        if is_known {
            return;
        }
        let node = step.node;
        let rule = match did {
            Did::MISS => self.arena().ann(node, "overlay/match").map(|annotation| annotation.pos),
            _ => None,
        };
        self.note_of(node, around, |outcome| {
            outcome.add(did);
            outcome.rule = rule.unwrap_or(outcome.rule);
        });
    }

    /// The place of the right item around the innermost one, `inner` being 1, or around one in it.
    fn around(&self, inner: usize) -> PosId {
        self.trail.iter().rev().nth(inner).map_or(PosId(0), |step| self.arena().get(step.node).pos)
    }

    fn note_of(&self, node: NodeId, around: PosId, note: impl FnOnce(&mut Outcome)) {
        let mut arena = self.arena_mut();
        let pos = arena.get(node).pos;
        // What code made without a place belongs to what is around it.
        if pos == PosId(0) || pos == around {
            if let Some(outcome) = arena.outcomes.known(around) {
                outcome.add(Did::CHANGE);
            }
            return;
        }
        let start = first_line(&arena, node);
        let outcome = arena.outcomes.of(pos, around, start);
        outcome.is_values = self.exact;
        note(outcome);
    }

    /// Notes that the innermost item is added, or may have been seen, with all that is in it.
    pub(super) fn note_changed_whole(&mut self) {
        if !self.notes.on {
            return;
        }
        self.note(Did::CHANGE);
        let Some(step) = self.trail.last() else { return };
        let inside = below(&self.arena(), step.node).unwrap_or_default();
        for node in inside {
            let mut arena = self.arena_mut();
            let pos = arena.get(node).pos;
            if !matches!(arena.get(node).body, Body::Map(_) | Body::Array(_) | Body::Set(_)) && pos != PosId(0) {
                let start = first_line(&arena, node);
                arena.outcomes.of(pos, PosId(0), start).add(Did::CHANGE);
            }
        }
    }

    /// Notes how many the innermost item matched, by which matcher, and whether its rule asks for a number.
    pub(super) fn note_matches(&mut self, counts: &Counts, found: usize) {
        if !self.notes.on {
            return;
        }
        self.note(if found > 0 { Did::MATCH } else { Did::MISS });
        // A number that has to be met is a check; `0+` and the like say that nothing may be there.
        let is_check = |seen| !matches!(seen, Seen::Str(_) | Seen::List(_)) || found > 0;
        if counts.expects.is_some_and(|argument| is_check(self.calls.see(argument.value))) {
            self.note(Did::CHANGE);
        }
        if let Some(argument) = counts.missing_ok
            && matches!(self.calls.see(argument.value), Seen::Bool(true))
        {
            self.arena_mut().outcomes.note_missing_ok(argument.pos, found == 0);
        }
    }

    /// Notes which keys a matcher compared, on both sides, and what of the right item says the same again.
    pub(super) fn note_test(&mut self, test: &Test, right: NodeId) {
        if !self.notes.on {
            return;
        }
        match test {
            Test::Key(key) => {
                let served = {
                    let arena = self.arena();
                    match arena.value(right) {
                        Val::Node(map) if matches!(arena.get(map).body, Body::Map(_)) => arena.find(map, *key),
                        _ => None,
                    }
                };
                if let Some(item) = served {
                    self.note_of(item, self.around(0), |outcome| outcome.add(Did::SERVE));
                }
                self.note_key_of_matcher(*key);
            }
            Test::Subset(Target::Val(wanted)) => {
                self.note_keys_in(*wanted);
                self.note_served(*wanted, right);
            }
            Test::And(tests) | Test::Or(tests) => tests.iter().for_each(|test| self.note_test(test, right)),
            Test::Not(test) => self.note_test(test, right),
            Test::Function(_) => self.note_changed_whole(),
            Test::Subset(_) | Test::Index(_) | Test::All | Test::Uncallable(..) => {}
        }
    }

    fn note_key_of_matcher(&mut self, key: Val) {
        let arena = self.calls.arena().borrow();
        if let Some(key) = arena.str(key) {
            self.notes.keys.insert(key.into());
        }
    }

    /// Notes the items of a right one that say again what `subset` looks for.
    fn note_served(&self, wanted: Val, right: NodeId) {
        let mut served = Vec::new();
        {
            let arena = self.arena();
            let mut open = vec![(wanted, right)];
            while let Some((wanted, item)) = open.pop() {
                let is_map = |node: NodeId| matches!(arena.get(node).body, Body::Map(_));
                let Val::Node(map) = arena.value(item) else { continue };
                let entries: Vec<(Val, Val)> = match wanted {
                    Val::Node(node) if is_map(node) => arena.entries(node).collect(),
                    Val::Raw(number) => match arena.raw(number) {
                        Raw::Dict(entries) => entries.clone(),
                        Raw::List(_) => continue,
                    },
                    _ => continue,
                };
                for (key, wanted) in entries.into_iter().filter(|_| is_map(map)) {
                    let Some(inner) = arena.find(map, key) else { continue };
                    match wanted {
                        Val::Node(_) | Val::Raw(_) => open.push((wanted, inner)),
                        _ => served.push((inner, arena.get(item).pos)),
                    }
                }
            }
        }
        for (item, around) in served {
            self.note_of(item, around, |outcome| outcome.add(Did::SERVE));
        }
    }

    /// Does the innermost item say which object of Kubernetes the document, or a reference in it, is about? People write that
    /// for themselves, and editors ask for it.
    fn is_identity(&self) -> bool {
        let arena = self.arena();
        let key = |step: &TrailStep| arena.str(arena.key(step.node));
        match &self.trail[..] {
            [.., item] if matches!(key(item), Some("apiVersion" | "apiGroup" | "kind")) => true,
            [_, metadata, item] => key(metadata) == Some("metadata") && matches!(key(item), Some("name" | "namespace")),
            _ => false,
        }
    }

    fn note_keys_in(&mut self, value: Val) {
        let arena = self.calls.arena().borrow();
        let keys = &mut self.notes.keys;
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match value {
                Val::Node(node) => match arena.get(node).body {
                    Body::Map(_) | Body::Array(_) | Body::Set(_) => {
                        open.extend(arena.items(node).iter().map(|item| Val::Node(*item)));
                    }
                    _ => {
                        keys.extend(arena.str(arena.key(node)).map(Box::from));
                        open.push(arena.value(node));
                    }
                },
                Val::Raw(number) => match arena.raw(number) {
                    Raw::List(values) => open.extend(values.iter().copied()),
                    Raw::Dict(entries) => {
                        for (key, value) in entries {
                            keys.extend(arena.str(*key).map(Box::from));
                            open.push(*value);
                        }
                    }
                },
                _ => {}
            }
        }
    }

    /// Notes that a function of the user runs: it may look at anything.
    pub(super) fn note_function(&mut self) {
        self.notes.functions = self.notes.functions.saturating_add(1);
    }

    /// Notes that the innermost item sets the value of a left item, before it does. `new` is the item that holds the value
    /// then.
    pub(super) fn note_set(&mut self, item: NodeId, new: NodeId, value: Val) {
        if !self.notes.on {
            return;
        }
        let Some(step) = self.trail.last() else { return };
        let is_scalar = !matches!(value, Val::Node(_) | Val::Raw(_));
        let (old, at, is_same) = {
            let arena = self.arena();
            // What it sets again is asked of who set it before, whatever it did itself.
            let asks_before = arena.outcomes.kept_of_set_again();
            if is_scalar && !asks_before && arena.outcomes.is_settled(arena.get(step.node).pos) {
                return;
            }
            let old = arena.value(item);
            (old, arena.get(item).pos, arena.prints_same(old, value))
        };
        let (node, around) = (step.node, self.around(1));
        if is_same {
            let did = if self.is_identity() { Did::SERVE } else { Did::KEEP };
            self.note_of(node, around, |outcome| {
                outcome.add(did);
                outcome.other = at;
            });
            return;
        }
        if !is_scalar {
            self.note_changed_whole();
            return;
        }
        if self.arena().outcomes.kept_of_set_again() {
            self.note_set_again(item, new, old);
        }
        self.note_of(node, around, |outcome| {
            outcome.add(Did::SET);
            outcome.set = outcome.set.saturating_add(1);
        });
    }

    /// Notes that what set a left item, whose value was `old`, did so for nothing if nobody looked at it.
    fn note_set_again(&mut self, item: NodeId, new: NodeId, old: Val) {
        let Some(step) = self.trail.last() else { return };
        let pos = self.arena().get(step.node).pos;
        let before = self.notes.set.remove(&item);
        let is_read = {
            let arena = self.arena();
            let read = |key: &str| self.notes.keys.contains(key);
            matches!(old, Val::Node(_)) || arena.str(arena.key(item)).is_none_or(read)
        };
        if let Some((before, functions)) = before
            && before != pos
            && functions == self.notes.functions
            && !is_read
            && let Some(outcome) = self.arena_mut().outcomes.known(before)
        {
            outcome.set_again = outcome.set_again.saturating_add(1);
            outcome.other = pos;
        }
        self.notes.set.insert(new, (pos, self.notes.functions));
    }

    /// Notes that the innermost item replaces a left one by a new one.
    pub(super) fn note_replaced(&mut self, old: NodeId, new: NodeId, by_function: bool) {
        if !self.notes.on {
            return;
        }
        let value = self.value(new);
        let is_renamed = {
            let arena = self.arena();
            !arena.same(arena.key(old), arena.key(new))
        };
        match by_function || is_renamed {
            true => self.note_changed_whole(),
            false => self.note_set(old, new, value),
        }
    }
}

/// Where the annotations of a node begin, or it itself.
fn first_line(arena: &Arena, node: NodeId) -> u32 {
    let Some(own) = arena.place(arena.get(node).pos) else { return 0 };
    let annotations = arena.anns_of(node).iter().filter_map(|annotation| arena.place(annotation.pos));
    annotations.filter(|place| place.source == own.source).map(|place| place.start).fold(own.start, u32::min)
}
