//! Which left items a matcher may take, by the indexes: the others need not be asked.

use smallvec::{SmallVec, smallvec};

use super::annotation::RightKind;
use super::compare::key_value;
use super::engine::{Engine, Right};
use super::failure::Failure;
use super::index::{DEEPEST, LeafIndex, Path, Rows};
use super::matcher::{Candidate, Test};
use super::select::{FoundList, Selected, UNKNOWN};
use crate::yaml::{Arena, Body, NodeId, Raw, Val};

/// Leaves of one `subset` target that are looked up.
const LEAVES: usize = 4;
/// Stands for the documents of all left sets.
const DOCUMENTS: NodeId = NodeId(u32::MAX);

/// Rows of one list: its number, and theirs.
type Candidates = (u32, Rows);

impl Engine<'_> {
    /// Brings the indexes up to date with what was changed since.
    pub(super) fn sync(&mut self) {
        self.indexes.follow(&self.calls.arena().borrow(), None);
    }

    /// Tells the indexes of an edit that was made: which items of a container are gone, and which are new.
    pub(super) fn edited(&mut self, container: NodeId, taken: &[NodeId], new: &[NodeId]) {
        let arena = self.calls.arena().borrow();
        let list = if matches!(arena.get(container).body, Body::Set(_)) { DOCUMENTS } else { container };
        self.indexes.edited(&arena, list, container, taken, new);
    }

    /// The matches of a matcher by an index; `None` where there is none to use.
    pub(super) fn indexed(
        &mut self,
        lefts: &[NodeId],
        test: &mut Test,
        right: &mut Right,
        kind: RightKind,
    ) -> Result<Option<FoundList>, Failure> {
        if !self.indexes.are_many(lefts.iter().map(|left| self.arena().count(*left))) {
            return Ok(None);
        }
        self.sync();
        let Some((list, rows)) = self.candidates(lefts, test, right, kind) else {
            return Ok(None);
        };
        let Some(mut found) = self.items_of(lefts, list, &rows) else {
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

    /// The items of rows in left order. The place of a single one is not looked for.
    fn items_of(&self, lefts: &[NodeId], list: u32, rows: &[u32]) -> Option<FoundList> {
        let list = self.indexes.list(list)?;
        let rows = rows.iter().map(|row| list.row(*row));
        let are_single = rows.clone().all(|row| row.times == 1);
        let mut found: FoundList = rows.map(|row| Selected { set: row.set, place: UNKNOWN, item: row.item }).collect();
        if found.len() > 1 || !are_single {
            self.order(lefts, &mut found, are_single);
        }
        Some(found)
    }

    /// Left items outside of which the matcher takes none, if an index can tell.
    fn candidates(&mut self, lefts: &[NodeId], test: &mut Test, right: &Right, kind: RightKind) -> Option<Candidates> {
        match test {
            Test::Key(key) => {
                let index = self.table(lefts, &[*key], kind, true)?;
                // Else a scan finds out which item is to be told of.
                let arena = self.calls.arena().borrow();
                let wanted = key_value(&arena, arena.value(right.node), *key).ok()?;
                let rows = self.indexes.rows_at(&arena, index, wanted)?;
                self.indexes.is_complete(index).then_some((index.list, rows))
            }
            Test::Subset(target) => {
                let wanted = self.target(target).ok()?;
                let leaves = leaves(&self.arena(), wanted);
                let (index, leaf) = self.best_leaf(lefts, &leaves, kind)?;
                Some((index.list, self.indexes.rows_at(&self.calls.arena().borrow(), index, leaf)?))
            }
            Test::And(tests) => {
                for test in tests {
                    if let Some(found) = self.candidates(lefts, test, right, kind) {
                        return Some(found);
                    }
                    if !self.cannot_fail(test, kind) {
                        return None;
                    }
                }
                None
            }
            Test::Or(tests) => {
                let mut all: Option<Candidates> = None;
                for test in tests {
                    if !self.cannot_fail(test, kind) {
                        return None;
                    }
                    let (list, mut rows) = self.candidates(lefts, test, right, kind)?;
                    if let Some((known, others)) = all {
                        // Made anew in between.
                        if known != list {
                            return None;
                        }
                        rows.extend(others);
                    }
                    all = Some((list, rows));
                }
                let (list, mut rows) = all?;
                rows.sort_unstable();
                rows.dedup();
                Some((list, rows))
            }
            _ => None,
        }
    }

    /// The leaf that the fewest left items have: its index and value.
    fn best_leaf(&mut self, lefts: &[NodeId], leaves: &[(Path, Val)], kind: RightKind) -> Option<(LeafIndex, Val)> {
        let mut best: Option<(usize, LeafIndex, Val)> = None;
        // First by the indexes that there are. One row or none: no other path can narrow it down.
        for make in [false, true] {
            for (path, leaf) in leaves {
                let Some(index) = self.table(lefts, path, kind, make) else {
                    continue;
                };
                let count = self.indexes.count_at(&self.arena(), index, *leaf)?;
                if count <= 1 {
                    // What was of no use beside this one is not followed any longer.
                    let other = best.filter(|(count, other, _)| count * 4 > self.indexes.len(*other));
                    if let Some((_, other, _)) = other {
                        self.indexes.drop_table(other);
                    }
                    return Some((self.table(lefts, path, kind, false)?, *leaf));
                }
                if best.is_none_or(|(least, ..)| count < least) {
                    best = Some((count, index, *leaf));
                }
            }
        }
        best.map(|(_, index, leaf)| (index, leaf))
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

    fn table(&mut self, lefts: &[NodeId], path: &[Val], kind: RightKind, make: bool) -> Option<LeafIndex> {
        let list = if kind == RightKind::Document { DOCUMENTS } else { *lefts.first()? };
        self.indexes.table(self.calls.arena(), list, lefts, path, make)
    }
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
