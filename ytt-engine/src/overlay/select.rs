//! Which left items an item matches, and the edits of lists of items.
//!
//! All matches are found before anything is changed. They are place numbers in lists; where an index gave the items,
//! their places are worked out only when they are needed. Every edit here keeps the indexes right.

use hashbrown::HashSet;
use smallvec::{SmallVec, smallvec};

use super::annotation::{MatchRule, RightKind};
use super::count::{Counted, Matches, Unmet};
use super::engine::{Engine, Right};
use super::failure::Failure;
use super::matcher::{Candidate, Test};
use crate::yaml::duplicates::same_key;
use crate::yaml::{Arena, Body, Items, NodeId, Val};

/// A left item that matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Selected {
    /// Number of the left container: the file, for documents.
    pub(super) set: u32,
    /// Place in it, or [`UNKNOWN`].
    pub(super) place: u32,
    pub(super) item: NodeId,
}

/// Matches in left order; most often one.
pub(super) type FoundList = SmallVec<[Selected; 2]>;

/// A match whose number is not the expected one, for its report.
#[derive(Clone, Copy)]
pub(super) struct Attempt<'a> {
    pub(super) lefts: &'a [NodeId],
    pub(super) right: Right,
    pub(super) kind: RightKind,
    pub(super) rule: &'a MatchRule,
    pub(super) found: &'a [Selected],
    pub(super) unmet: &'a Unmet,
}

/// A place that was not worked out.
pub(super) const UNKNOWN: u32 = u32::MAX;

impl Engine<'_> {
    /// The matches of an item, their number checked. `None`: `when` is not met.
    pub(super) fn select(
        &mut self,
        lefts: &[NodeId],
        right: &mut Right,
        kind: RightKind,
        rule: &MatchRule,
    ) -> Result<Option<FoundList>, Failure> {
        if rule.nothing {
            return Ok(Some(FoundList::new()));
        }
        if let Some(step) = self.trail.last_mut() {
            step.by = rule.by.is_some();
        }
        let (mut found, test) = self.find(lefts, right, kind, rule)?;
        if found.len() > 1 || self.records() {
            self.resolve(lefts, &mut found);
        }
        if kind == RightKind::Document
            && let Some(step) = self.trail.last_mut()
        {
            step.found = found.iter().map(|one| one.item).collect();
        }
        let matches = Matches { count: found.len(), lines: &|engine: &Engine<'_>| engine.lines(&found) };
        match self.check_count(&rule.counts, &matches)? {
            Counted::Kept => Ok(Some(found)),
            Counted::Off => Ok(None),
            Counted::Unmet(unmet) => {
                let attempt = Attempt { lefts, right: *right, kind, rule, found: &found, unmet: &unmet };
                Err(self.unmet(attempt, test))
            }
        }
    }

    fn find(
        &mut self,
        lefts: &[NodeId],
        right: &mut Right,
        kind: RightKind,
        rule: &MatchRule,
    ) -> Result<(FoundList, Option<Test>), Failure> {
        if self.exact && kind == RightKind::Document {
            let first = lefts.first().and_then(|set| self.arena().items(*set).first().copied());
            return Ok((first.map(|item| Selected { set: 0, place: 0, item }).into_iter().collect(), None));
        }
        let Some(mut test) = self.test_of(rule, kind)? else {
            return Ok((lefts.first().map(|map| self.find_key(*map, right.node)).unwrap_or_default(), None));
        };
        let found = match test {
            Test::Index(index) if kind != RightKind::MapItem => self.find_index(lefts, index),
            _ => match self.indexed(lefts, &mut test, right, kind)? {
                Some(found) => found,
                None => self.scan(lefts, &mut test, right, kind)?,
            },
        };
        Ok((found, Some(test)))
    }

    /// Items of a map with the key of the right item.
    fn find_key(&mut self, map: NodeId, right: NodeId) -> FoundList {
        let key = self.arena().key(right);
        if let Some(items) = self.indexes.items_with_key(self.calls.arena(), map, key) {
            let mut found: FoundList =
                items.into_iter().map(|item| Selected { set: 0, place: UNKNOWN, item }).collect();
            // Two with one key are rare.
            if found.len() > 1 {
                self.order(&[map], &mut found, false);
            }
            return found;
        }
        let arena = self.arena();
        let items = arena.items(map).iter().enumerate();
        items
            .filter(|(_, item)| same_key(&arena, arena.key(**item), key))
            .map(|(place, &item)| Selected { set: 0, place: place as u32, item })
            .collect()
    }

    fn find_index(&self, lefts: &[NodeId], index: i64) -> FoundList {
        let arena = self.arena();
        let mut index = usize::try_from(index).unwrap_or(usize::MAX);
        for (set, &container) in lefts.iter().enumerate() {
            if let Some(item) = arena.item_at(container, index) {
                return smallvec![Selected { set: set as u32, place: index as u32, item }];
            }
            index -= arena.count(container);
        }
        FoundList::new()
    }

    /// Asks the matcher for each left item, in order.
    fn scan(
        &mut self,
        lefts: &[NodeId],
        test: &mut Test,
        right: &mut Right,
        kind: RightKind,
    ) -> Result<FoundList, Failure> {
        let (mut found, mut index) = (FoundList::new(), 0);
        // The lists are fixed here: a function may change them.
        let lists: Vec<Vec<NodeId>> = lefts.iter().map(|&container| self.items(container)).collect();
        for (set, items) in lists.into_iter().enumerate() {
            for (place, item) in items.into_iter().enumerate() {
                let first = if kind == RightKind::MapItem { self.arena().key(item) } else { Val::Int(index) };
                index += 1;
                if self.matches(test, Candidate { first, item }, right)? {
                    found.push(Selected { set: set as u32, place: place as u32, item });
                }
            }
        }
        Ok(found)
    }

    // Places.

    /// Works out the place of a match that an index gave: only single ones come without.
    pub(super) fn resolve(&self, lefts: &[NodeId], found: &mut [Selected]) {
        for one in found.iter_mut().filter(|one| one.place == UNKNOWN) {
            if let Some(&left) = lefts.get(one.set as usize) {
                one.place = self.arena_mut().index_in(left, one.item).map_or(UNKNOWN, |place| place as u32);
            }
        }
    }

    /// Brings matches that an index gave into left order, with their places. Those that do not stand at single places are
    /// given once for each.
    pub(super) fn order(&self, lefts: &[NodeId], found: &mut FoundList, are_single: bool) {
        if are_single && found.len() <= FEW {
            self.resolve(lefts, found);
            found.sort_unstable_by_key(|one| (one.set, one.place));
            return;
        }
        // In one pass over each list.
        let arena = self.arena();
        let wanted: HashSet<NodeId> = found.iter().map(|one| one.item).collect();
        let mut sets: SmallVec<[u32; 2]> = found.iter().map(|one| one.set).collect();
        sets.sort_unstable();
        sets.dedup();
        found.clear();
        for set in sets {
            let items = lefts.get(set as usize).map(|&left| arena.items(left)).unwrap_or_default();
            let items = items.iter().enumerate().filter(|(_, item)| wanted.contains(*item));
            found.extend(items.map(|(place, &item)| Selected { set, place: place as u32, item }));
        }
    }

    /// The item that stands at a match's place now; `None` if the list became shorter.
    pub(super) fn item_at(&self, lefts: &[NodeId], one: Selected) -> Option<NodeId> {
        if one.place == UNKNOWN {
            return Some(one.item);
        }
        self.arena().item_at(*lefts.get(one.set as usize)?, one.place as usize)
    }

    // Edits.

    /// Adds an item at the end.
    pub(super) fn push(&mut self, container: NodeId, item: NodeId) {
        self.sync();
        self.note_placed(Val::Node(item));
        self.note_key();
        self.arena_mut().items_mut(container).push(item);
        self.note_changed(container);
        self.edited(container, &[], &[item]);
    }

    /// Puts an item at a place; beyond the end nothing happens.
    pub(super) fn put(&mut self, container: NodeId, place: usize, item: NodeId) {
        self.sync();
        self.note_placed(Val::Node(item));
        if place >= self.arena().count(container) {
            return;
        }
        let old = self.arena_mut().items_mut(container).replace(place, item);
        self.note_key();
        self.note_changed(container);
        self.note_removed(container, old);
        self.edited(container, &[old], &[item]);
    }

    /// A map item that matches by something else than its key may bring a key that is there already.
    fn note_key(&mut self) {
        if self.trail.last().is_some_and(|step| step.by && step.kind == RightKind::MapItem) {
            self.arena_mut().may_repeat_keys = true;
        }
    }

    /// Notes what is placed in the left: its annotations go with those of the left, and a document may act again.
    pub(super) fn note_placed(&mut self, value: Val) {
        let Val::Node(node) = value else {
            return;
        };
        if self.exact {
            self.placed.push(node);
        } else if matches!(self.arena().get(node).body, Body::Doc(_)) {
            self.arena_mut().note_overlaid(node);
        }
    }

    /// Remembers what is gone, for the problems of a stage that goes on.
    fn note_removed(&mut self, container: NodeId, item: NodeId) {
        const MOST: usize = 10_000;
        if let (true, Some(step)) = (self.gather.is_some() && self.removed.len() < MOST, self.trail.last()) {
            let right = step.node;
            self.removed.push((container, item, right));
        }
    }

    /// Puts new items before and behind those at places: each is a place, and what is new. `list` is
    /// what the container then has, if others may have changed it.
    pub(super) fn put_beside(
        &mut self,
        container: NodeId,
        list: Option<Vec<NodeId>>,
        new: &[(usize, NodeId)],
        before: bool,
        after: bool,
    ) {
        if let Some(list) = list
            && *self.arena().items(container) != *list
        {
            *self.arena_mut().items_mut(container) = list.into();
        }
        if !before && !after {
            return;
        }
        self.sync();
        put_all(self.arena_mut().items_mut(container), new, before, after);
        self.note_changed(container);
        let times = usize::from(before) + usize::from(after);
        let inserted: Vec<NodeId> =
            new.iter().flat_map(|(_, inserted)| std::iter::repeat_n(*inserted, times)).collect();
        self.edited(container, &[], &inserted);
    }

    /// Takes matched items out of their lists: only at the places that matched.
    pub(super) fn take_out(&mut self, lefts: &[NodeId], found: &[Selected]) {
        let mut found = found.to_vec();
        self.resolve(lefts, &mut found);
        self.sync();
        let mut rest = found.as_slice();
        while let Some(first) = rest.first() {
            let count = rest.iter().take_while(|one| one.set == first.set).count();
            let (here, later) = rest.split_at(count);
            rest = later;
            let Some(&container) = lefts.get(here[0].set as usize) else {
                continue;
            };
            let taken = remove_places(&mut self.arena_mut(), container, here);
            for item in &taken {
                self.note_removed(container, *item);
            }
            self.note_changed(container);
            self.edited(container, &taken, &[]);
        }
    }
}

/// So many places are looked for, or edited, one by one: a pass over a long list would put its pieces together.
const FEW: usize = 8;

/// Puts items before and behind others.
fn put_all(items: &mut Items, new: &[(usize, NodeId)], before: bool, after: bool) {
    if new.len() <= FEW {
        // From the last one on, so that the places stay right.
        for (place, inserted) in new.iter().rev() {
            if after {
                items.insert(place + 1, *inserted);
            }
            if before {
                items.insert(*place, *inserted);
            }
        }
        return;
    }
    let mut next = new.iter().peekable();
    items.change(|items| {
        for (place, item) in std::mem::take(items).into_iter().enumerate() {
            let inserted = next.next_if(|(wanted, _)| *wanted == place).map(|(_, inserted)| *inserted);
            items.extend(inserted.filter(|_| before));
            items.push(item);
            items.extend(inserted.filter(|_| after));
        }
    });
}

/// Removes the items at the places of `found`; gives what was removed, in order.
fn remove_places(arena: &mut Arena, container: NodeId, found: &[Selected]) -> Vec<NodeId> {
    let items = arena.items_mut(container);
    let mut taken = Vec::with_capacity(found.len());
    if found.len() <= FEW {
        for one in found.iter().rev() {
            if (one.place as usize) < items.len() {
                taken.push(items.remove(one.place as usize));
            }
        }
        taken.reverse();
        return taken;
    }
    let (mut next, mut place) = (found.iter().peekable(), 0);
    let stays = |item: &NodeId| {
        let out = next.next_if(|one| one.place as usize == place).is_some();
        place += 1;
        if out {
            taken.push(*item);
        }
        !out
    };
    items.change(|items| items.retain(stays));
    taken
}
