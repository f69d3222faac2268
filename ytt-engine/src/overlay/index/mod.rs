//! Indexes that keep many look-ups linear: keys of a map, a leaf at one path in each item of a list.
//!
//! They give the same items as a scan, in left order, and are made only from the second look-up on and above a few
//! items. They live as long as one application. What they read may be changed from anywhere (another path to a shared
//! node, `overlay.apply` in a function), so the arena records changed nodes, and each look-up first re-reads what
//! depends on them.

mod table;
mod tables;

use hashbrown::HashSet;
use smallvec::{SmallVec, smallvec};

use super::annotation::RightKind;
use super::engine::{Engine, Right};
use super::failure::Failure;
use super::matcher::{Candidate, Test, key_value};
use super::select::{FoundList, Selected, Side, UNKNOWN};
use crate::yaml::{Arena, Body, NodeId, Raw, Val};

use table::{DEEPEST, LeafTable, Path};
use tables::Asked;
#[cfg(test)]
pub(super) use tables::EAGER;
pub(super) use tables::Indexes;

/// Leaves of one `subset` target that are looked up.
const LEAVES: usize = 4;
/// Stands for the documents of all left sets.
const DOCUMENTS: NodeId = NodeId(u32::MAX);

impl Engine<'_> {
    /// Begins to listen to changes.
    fn listen(&mut self) {
        if self.indexes.read.is_none() {
            let read = self.arena_mut().listen();
            self.indexes.read = Some(read);
        }
    }

    /// Ends listening; indexes are of no use afterwards.
    pub(super) fn unlisten(&mut self) {
        if self.indexes.read.is_some() {
            self.indexes = Indexes::default();
            // A panic on its way out may have left the arena borrowed.
            if let Ok(mut arena) = self.calls.arena().try_borrow_mut() {
                arena.unlisten();
            }
        }
    }

    /// Brings the indexes up to date with what was changed since.
    pub(super) fn sync(&mut self) {
        self.follow(None);
    }

    /// As [`Engine::sync`], after an edit of the list `known` that the indexes over it know already.
    fn follow(&mut self, known: Option<NodeId>) {
        let Some(read) = self.indexes.read else {
            return;
        };
        let arena = self.calls.arena().borrow();
        let changed = arena.changed();
        let mut last = None;
        for &node in &changed[read.min(changed.len())..] {
            // Value and place of an item are set one after the other.
            if last.replace(node) != Some(node) {
                self.indexes.changed(&arena, node, known != Some(node));
            }
        }
        self.indexes.read = Some(changed.len());
    }

    // Edits of lists, after they were made.

    /// Tells the indexes of an edit; `edit` is given what stands for the list in them.
    fn edited(&mut self, container: NodeId, edit: impl FnOnce(&mut Indexes, &Arena, NodeId)) {
        if self.indexes.read.is_none() {
            return;
        }
        {
            let arena = self.calls.arena().borrow();
            let list = if matches!(arena.get(container).body, Body::Set(_)) { DOCUMENTS } else { container };
            edit(&mut self.indexes, &arena, list);
        }
        self.follow(Some(container));
    }

    pub(super) fn pushed(&mut self, container: NodeId, item: NodeId) {
        self.edited(container, |indexes, arena, list| {
            if let Some(keys) = indexes.keys_of_mut(container) {
                keys.add(arena, item);
            }
            // A new document may stand before those of other files: it goes behind the one before it.
            let before = arena.count(container).checked_sub(2).and_then(|place| arena.item_at(container, place));
            for table in indexes.tables_of(list) {
                match before {
                    _ if list == container => indexes.add_row(arena, table, 0, item),
                    Some(before) => indexes.insert_row(arena, table, item, before, Side::Behind),
                    None => indexes.drop_table(table),
                }
            }
        });
    }

    /// `item` was put beside another one.
    pub(super) fn inserted(&mut self, container: NodeId, item: NodeId, beside: NodeId, side: Side) {
        self.edited(container, |indexes, arena, list| {
            for table in indexes.tables_of(list) {
                indexes.insert_row(arena, table, item, beside, side);
            }
        });
    }

    pub(super) fn replaced(&mut self, container: NodeId, old: NodeId, new: NodeId) {
        self.edited(container, |indexes, arena, list| {
            if let Some(keys) = indexes.keys_of_mut(container) {
                keys.remove(arena, old);
                keys.add(arena, new);
            }
            for table in indexes.tables_of(list) {
                indexes.replace_row(arena, table, old, new);
            }
        });
    }

    pub(super) fn taken(&mut self, container: NodeId, items: &[NodeId]) {
        self.edited(container, |indexes, arena, list| {
            for &item in items {
                if let Some(keys) = indexes.keys_of_mut(container) {
                    keys.remove(arena, item);
                }
                for table in indexes.tables_of(list) {
                    indexes.take_row(table, item);
                }
            }
        });
    }

    // Look-ups.

    /// The items of a map with a key, in no certain order, if there is an index or it is time to make one.
    pub(super) fn find_key_indexed(&mut self, map: NodeId, key: Val) -> Option<SmallVec<[NodeId; 2]>> {
        if self.arena().count(map) <= self.indexes.few {
            return None;
        }
        self.sync();
        if self.indexes.keys_of(map).is_none() {
            if !self.indexes.ask_keys(map) {
                return None;
            }
            self.listen();
            self.indexes.collect_keys(&self.calls.arena().borrow(), map);
        }
        Some(self.indexes.keys_of(map)?.find(&self.arena(), key).collect())
    }

    /// The matches of a matcher by an index; `None` where there is none to use.
    pub(super) fn indexed(
        &mut self,
        lefts: &[NodeId],
        test: &mut Test,
        right: &mut Right,
        kind: RightKind,
    ) -> Result<Option<FoundList>, Failure> {
        if !self.are_many(lefts) {
            return Ok(None);
        }
        if let Test::Key(key) = test {
            return self.find_leaf(lefts, *key, test, right, kind);
        }
        let Some((mut found, _)) = self.candidates(lefts, test, kind) else {
            return Ok(None);
        };
        let mut before = Vec::new();
        if !needs_no_index(test) {
            self.resolve(lefts, &mut found);
            // There may be as many files as overlays: only those before the last match are counted.
            let sets = found.last().map_or(0, |last| last.set as usize + 1);
            let mut sum = 0;
            for left in &lefts[..sets.min(lefts.len())] {
                before.push(sum);
                sum += self.arena().count(*left) as i64;
            }
        }
        let mut matched = FoundList::new();
        for one in found {
            let first = match (kind, before.get(one.set as usize)) {
                (RightKind::MapItem, _) => self.arena().key(one.item),
                (_, Some(before)) => Val::Int(before + i64::from(one.place)),
                // The matcher does not look at it.
                _ => Val::Null,
            };
            if self.matches(test, Candidate { first, item: one.item }, right)? {
                matched.push(one);
            }
        }
        Ok(Some(matched))
    }

    /// Whether an index is worth it.
    fn are_many(&self, lefts: &[NodeId]) -> bool {
        let (arena, mut count) = (self.arena(), 0);
        // There may be as many files as overlays, so they are not all counted for each.
        lefts.iter().any(|left| {
            count += arena.count(*left);
            count > self.indexes.few
        })
    }

    /// `map_key` as the whole matcher: the errors of a scan, in its order, then the look-up.
    fn find_leaf(
        &mut self,
        lefts: &[NodeId],
        key: Val,
        test: &Test,
        right: &mut Right,
        kind: RightKind,
    ) -> Result<Option<FoundList>, Failure> {
        let Some(table) = self.table(lefts, &smallvec![key], kind) else {
            return Ok(None);
        };
        let (bad, first, new) = {
            let (arena, table) = (self.arena(), self.indexes.table(table));
            let first = lefts.iter().find_map(|left| arena.item_at(*left, 0));
            (table.and_then(LeafTable::first_bad), first, key_value(&arena, arena.value(right.node), key))
        };
        // A scan meets the first left item, then the right one, then the other left ones.
        let failing = match (bad, first) {
            (Some(bad), Some(first)) if bad == first => Some(bad),
            _ if new.is_err() => first,
            (Some(bad), _) => Some(bad),
            _ => None,
        };
        if let Some(item) = failing {
            let candidate = Candidate { first: Val::Null, item };
            return match self.matches(&mut test.clone(), candidate, right) {
                Err(diagnostic) => Err(diagnostic.into()),
                // Not reached: the item is bad, or the right one is.
                Ok(_) => Ok(None),
            };
        }
        let Ok(new) = new else {
            return Ok(None);
        };
        let Some(rows) = self.rows_at(table, new) else {
            return Ok(None);
        };
        let mut found = FoundList::new();
        for one in rows {
            let candidate = Candidate { first: Val::Null, item: one.item };
            if self.matches(&mut test.clone(), candidate, right)? {
                found.push(one);
            }
        }
        Ok(Some(found))
    }

    /// Rows that may have that value at the path, in left order. `None`: the table was dropped.
    fn rows_at(&mut self, number: u32, value: Val) -> Option<FoundList> {
        let arena = self.calls.arena().borrow();
        let table = self.indexes.table(number)?;
        let mut rows = table.rows_at(&arena, value);
        let (first, second) = (rows.next(), rows.next());
        let found: FoundList = first.into_iter().chain(second).chain(rows).map(|row| found(table, row)).collect();
        if let (Some(row), None) = (first, second) {
            self.indexes.note_row(number, row);
        }
        Some(found)
    }

    /// The leaf that the fewest left items have: how many, its table, its value.
    fn best_leaf(&mut self, lefts: &[NodeId], leaves: &[(Path, Val)], kind: RightKind) -> Option<(usize, u32, Val)> {
        self.sync();
        let mut best: Option<(usize, u32, Val)> = None;
        // First by the tables that there are. One row or none: no other table can narrow it down.
        for make in [false, true] {
            for (path, leaf) in leaves {
                let table = match make {
                    true => self.table(lefts, path, kind),
                    false => self.indexes.known(&self.arena(), list_of(lefts, kind)?, path),
                };
                let Some(table) = table else {
                    continue;
                };
                let count = self.indexes.table(table)?.count_at(&self.arena(), *leaf);
                if count <= 1 {
                    // What was of no use beside this one is not followed any longer.
                    if let Some((_, other, _)) = best.filter(|(count, other, _)| {
                        self.indexes.table(*other).is_some_and(|table| count * 4 > table.len())
                    }) {
                        self.indexes.drop_table(other);
                    }
                    return Some((count, table, *leaf));
                }
                if best.is_none_or(|(least, ..)| count < least) {
                    best = Some((count, table, *leaf));
                }
            }
        }
        best
    }

    /// Left items outside of which the matcher takes none, if an index can tell, in left order; and a table of the list.
    fn candidates(&mut self, lefts: &[NodeId], test: &mut Test, kind: RightKind) -> Option<(FoundList, u32)> {
        match test {
            Test::Subset(target) => {
                let wanted = self.target(target).ok()?;
                let leaves = leaves(&self.arena(), wanted);
                let (_, table, leaf) = self.best_leaf(lefts, &leaves, kind)?;
                Some((self.rows_at(table, leaf)?, table))
            }
            Test::And(tests) => {
                for test in tests {
                    if let Some(rows) = self.candidates(lefts, test, kind) {
                        return Some(rows);
                    }
                    if !self.cannot_fail(test, kind) {
                        return None;
                    }
                }
                None
            }
            Test::Or(tests) => {
                let (mut items, mut any) = (HashSet::new(), None);
                for test in tests {
                    if !self.cannot_fail(test, kind) {
                        return None;
                    }
                    let (rows, table) = self.candidates(lefts, test, kind)?;
                    items.extend(rows.iter().map(|one| one.item));
                    any = Some(table);
                }
                let table = any?;
                let rows = self.sorted_rows(table, &items);
                Some((rows.unwrap_or_else(|| self.places_of(lefts, &items)), table))
            }
            _ => None,
        }
    }

    /// The rows of items in left order, if each has exactly one.
    fn sorted_rows(&self, number: u32, items: &HashSet<NodeId>) -> Option<FoundList> {
        let table = self.indexes.table(number)?;
        let rows = items.iter().map(|item| self.indexes.row_of(number, *item));
        let mut rows: Vec<u32> = rows.collect::<Option<_>>()?;
        table.sort(&mut rows);
        Some(rows.into_iter().map(|row| found(table, row)).collect())
    }

    /// Each place at which one of the items stands, in left order.
    fn places_of(&self, lefts: &[NodeId], wanted: &HashSet<NodeId>) -> FoundList {
        let (arena, mut found) = (self.arena(), FoundList::new());
        for (set, &left) in lefts.iter().enumerate() {
            for (place, &item) in arena.items(left).iter().enumerate() {
                if wanted.contains(&item) {
                    found.push(Selected { set: set as u32, place: place as u32, item });
                }
            }
        }
        found
    }

    /// Whether a matcher gives a bool for every left item, whatever it is.
    fn cannot_fail(&mut self, test: &mut Test, kind: RightKind) -> bool {
        match test {
            Test::All => true,
            Test::Index(_) => kind != RightKind::MapItem,
            Test::Subset(target) => self.target(target).is_ok(),
            Test::And(tests) | Test::Or(tests) => tests.iter_mut().all(|test| self.cannot_fail(test, kind)),
            Test::Not(test) => self.cannot_fail(test, kind),
            Test::Key(_) | Test::Function(_) | Test::Uncallable(..) => false,
        }
    }

    /// The table of a path over a list, if there is one or it is time to make it.
    fn table(&mut self, lefts: &[NodeId], path: &Path, kind: RightKind) -> Option<u32> {
        self.sync();
        let list = list_of(lefts, kind)?;
        match self.indexes.ask(&self.calls.arena().borrow(), list, path) {
            Asked::Known(table) => return Some(table),
            Asked::NotYet => return None,
            Asked::Make => {}
        }
        self.listen();
        Some(self.indexes.make_table(&self.calls.arena().borrow(), list, lefts, path))
    }
}

/// What stands for the left items in indexes.
fn list_of(lefts: &[NodeId], kind: RightKind) -> Option<NodeId> {
    if kind == RightKind::Document { Some(DOCUMENTS) } else { lefts.first().copied() }
}

/// The match of a row; where it stands is not known yet.
fn found(table: &LeafTable, row: u32) -> Selected {
    let row = table.row(row);
    Selected { set: row.set, place: UNKNOWN, item: row.item }
}

/// Whether a matcher never looks at the index of a left item.
fn needs_no_index(test: &Test) -> bool {
    match test {
        Test::Index(_) | Test::Function(_) => false,
        Test::And(tests) | Test::Or(tests) => tests.iter().all(needs_no_index),
        Test::Not(test) => needs_no_index(test),
        _ => true,
    }
}

/// Scalar leaves of a `subset` target that are reached by string keys, with their paths.
fn leaves(arena: &Arena, target: Val) -> SmallVec<[(Path, Val); LEAVES]> {
    let mut found = SmallVec::new();
    let mut open: SmallVec<[(Path, Val); LEAVES]> = smallvec![(Path::new(), target)];
    while let Some((path, value)) = open.pop().filter(|_| found.len() < LEAVES) {
        let mut below = |(key, value): (Val, Val)| {
            if path.len() < DEEPEST && arena.str(key).is_some() {
                let mut path = path.clone();
                path.push(key);
                open.push((path, value));
            }
        };
        match value {
            Val::Node(map) if matches!(arena.get(map).body, Body::Map(_)) => {
                arena.entries(map).take(LEAVES).for_each(&mut below);
            }
            Val::Raw(number) => {
                if let Raw::Dict(entries) = arena.raw(number) {
                    entries.iter().copied().take(LEAVES).for_each(&mut below);
                }
            }
            Val::Node(_) => {}
            leaf if !path.is_empty() => found.push((path, leaf)),
            _ => {}
        }
    }
    found
}
