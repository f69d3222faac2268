//! Which left items an item matches: a map item without `by` those with its key, an array item without a rule none, a
//! document of data values or of a schema the one that is there, others those that their matcher takes. All matches are
//! found before anything is changed.

use smallvec::smallvec;

use super::annotation::{MatchRule, RightKind};
use super::candidates::{Finder, order, resolve};
use super::count::Counted;
use super::engine::{Engine, Task};
use super::matcher::{Asked, Match, Matches, Test, UNKNOWN};
use super::problem::{Problem, Unmet};
use crate::source::to_u32;
use crate::yaml::duplicates::same_key;
use crate::yaml::{Arena, Did, NodeId, Val};

impl Engine<'_> {
    /// The matches of an item, their number checked. `None`: `when` is not met.
    pub(super) fn select(&mut self, task: &mut Task<'_>, rule: &MatchRule) -> Result<Option<Matches>, Problem> {
        if rule.nothing {
            return Ok(Some(Matches::new()));
        }
        if let Some(step) = self.trail.last_mut() {
            step.by = rule.by.is_some();
        }
        let (mut found, test) = self.find(task, rule)?;
        let Task { lefts, right, kind, .. } = *task;
        if found.len() > 1 || self.records() {
            resolve(self.calls.arena(), lefts, &mut found);
        }
        if let Some(step) = self.trail.last_mut() {
            step.matches = to_u32(found.len());
            if kind == RightKind::Document {
                step.found = found.iter().map(|one| one.item).collect();
            }
        }
        self.note_tried(right.node, found.len());
        self.note_matches(&rule.counts, found.len());
        match self.check_count(&rule.counts, found.len())? {
            Counted::Kept => {
                if found.is_empty() && kind == RightKind::Document && !self.exact {
                    self.warn_matched_nothing(task, test.as_ref());
                }
                Ok(Some(found))
            }
            Counted::Off => {
                if !found.is_empty() {
                    self.note(Did::CHANGE);
                }
                Ok(None)
            }
            Counted::Unmet(expected, argument) => {
                let (lefts, right, rule) = (lefts.to_vec(), right.node, *rule);
                Err(Problem::Unmet(Box::new(Unmet { expected, argument, lefts, right, kind, rule, found, test })))
            }
        }
    }

    fn find(&mut self, task: &mut Task<'_>, rule: &MatchRule) -> Result<(Matches, Option<Test>), Problem> {
        let Task { lefts, right, kind, .. } = *task;
        if self.exact && kind == RightKind::Document {
            let first = lefts.first().and_then(|set| self.arena().items(*set).first().copied());
            return Ok((first.map(|item| Match { set: 0, at: 0, item }).into_iter().collect(), None));
        }
        let Some(mut test) = self.test_of(rule, kind)? else {
            return Ok((lefts.first().map(|map| self.find_key(*map, right.node)).unwrap_or_default(), None));
        };
        let found = match test {
            Test::Index(index) if kind != RightKind::MapItem => find_index(&self.arena(), lefts, index),
            _ => {
                let (calls, indexes) = (&*self.calls, &mut self.indexes);
                match (Finder { calls, indexes, lefts, right: right.node, kind }).find(&mut test) {
                    Some(found) => self.ask_each(found, &mut test, task)?,
                    None => self.scan(&mut test, task)?,
                }
            }
        };
        self.note_test(&test, right.node);
        Ok((found, Some(test)))
    }

    /// Items of a map with the key of the right item.
    fn find_key(&mut self, map: NodeId, right: NodeId) -> Matches {
        let key = self.arena().key(right);
        if let Some(items) = self.indexes.items_with_key(self.calls.arena(), map, key) {
            let mut found: Matches = items.into_iter().map(|item| Match { set: 0, at: UNKNOWN, item }).collect();
            // Two with one key are rare.
            if found.len() > 1 {
                order(self.calls.arena(), &[map], &mut found, false);
            }
            return found;
        }
        let arena = self.arena();
        let items = arena.items(map).iter().enumerate();
        items
            .filter(|(_, item)| same_key(&arena, arena.key(**item), key))
            .map(|(at, &item)| Match { set: 0, at: to_u32(at), item })
            .collect()
    }

    /// Asks the matcher for each of the items that an index gave.
    fn ask_each(&mut self, mut found: Matches, test: &mut Test, task: &mut Task<'_>) -> Result<Matches, Problem> {
        let lefts = task.lefts;
        // How many items there are in the containers before each one.
        let mut before = Vec::new();
        if !test.needs_no_position() {
            resolve(self.calls.arena(), lefts, &mut found);
            // There may be as many files as overlays: only those before the last match are counted.
            let sets = found.last().map_or(0, |last| (last.set as usize).saturating_add(1));
            let mut sum = 0_i64;
            for left in lefts.iter().take(sets) {
                before.push(sum);
                sum = sum.saturating_add_unsigned(self.arena().count(*left) as u64);
            }
        }
        let mut matched = Matches::new();
        for one in found {
            let first = match (task.kind, before.get(one.set as usize)) {
                (RightKind::MapItem, _) => self.arena().key(one.item),
                (_, Some(before)) => Val::Int(before.saturating_add(one.at.into())),
                // The matcher does not look at it.
                _ => Val::Null,
            };
            if self.matches(test, Asked { first, item: one.item }, &mut task.right)? {
                matched.push(one);
            }
        }
        Ok(matched)
    }

    /// Asks the matcher for each left item, in order.
    fn scan(&mut self, test: &mut Test, task: &mut Task<'_>) -> Result<Matches, Problem> {
        let (mut found, mut index) = (Matches::new(), 0_i64);
        // The lists are fixed here: a function may change them.
        let lists: Vec<Vec<NodeId>> = task.lefts.iter().map(|&container| self.items(container)).collect();
        for (set, items) in lists.into_iter().enumerate() {
            for (at, item) in items.into_iter().enumerate() {
                let first = if task.kind == RightKind::MapItem { self.arena().key(item) } else { Val::Int(index) };
                index = index.saturating_add(1);
                if self.matches(test, Asked { first, item }, &mut task.right)? {
                    found.push(Match { set: to_u32(set), at: to_u32(at), item });
                }
            }
        }
        Ok(found)
    }
}

/// The item at an index among those of all containers.
fn find_index(arena: &Arena, lefts: &[NodeId], index: i64) -> Matches {
    let mut index = usize::try_from(index).unwrap_or(usize::MAX);
    for (set, &container) in lefts.iter().enumerate() {
        if let Some(item) = arena.item_at(container, index) {
            return smallvec![Match { set: to_u32(set), at: to_u32(index), item }];
        }
        index = index.saturating_sub(arena.count(container));
    }
    Matches::new()
}
