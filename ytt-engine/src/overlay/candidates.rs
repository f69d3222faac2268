//! Which left items a matcher may take, by the indexes: it need not be asked about the others. (What was probably meant,
//! where nothing matches, is in `report/nearest`.)

use std::cell::RefCell;

use hashbrown::HashSet;
use smallvec::SmallVec;

use super::annotation::RightKind;
use super::compare::key_value;
use super::index::{DOCUMENTS, Indexes, LeafIndex, Path, Rows};
use super::matcher::{Match, Matches, Test, UNKNOWN};
use super::target::{leaves, target_value};
use crate::call::Call;
use crate::source::to_u32;
use crate::yaml::{Arena, NodeId, Val};

/// So many items are looked for one by one; for more one pass over the list costs less.
const ONE_BY_ONE: usize = 8;

/// Rows of one list: its number, and theirs.
type ListRows = (u32, Rows);

/// A right item that looks for left items.
pub(super) struct Finder<'a> {
    pub(super) calls: &'a dyn Call,
    pub(super) indexes: &'a mut Indexes,
    pub(super) lefts: &'a [NodeId],
    pub(super) right: NodeId,
    pub(super) kind: RightKind,
}

impl Finder<'_> {
    /// Left items outside of which the matcher takes none, in left order, if there is an index to use. The position of a
    /// single one is not looked for.
    pub(super) fn find(&mut self, test: &mut Test) -> Option<Matches> {
        let arena = self.calls.arena();
        if !Indexes::are_many(self.lefts.iter().map(|left| arena.borrow().count(*left))) {
            return None;
        }
        self.indexes.follow(&arena.borrow(), None);
        let (list, rows) = self.candidates(test)?;
        let list = self.indexes.list(list)?;
        let rows = rows.iter().map(|row| list.row(*row));
        let are_single = rows.clone().all(|row| row.times == 1);
        let mut found: Matches = rows.map(|row| Match { set: row.set, at: UNKNOWN, item: row.item }).collect();
        if found.len() > 1 || !are_single {
            order(arena, self.lefts, &mut found, are_single);
        }
        Some(found)
    }

    /// Rows outside of which the matcher takes none, if an index can tell.
    fn candidates(&mut self, test: &mut Test) -> Option<ListRows> {
        match test {
            Test::Key(key) => {
                let index = self.table(&[*key], true)?;
                // Else a scan finds out which item is to be told of.
                let arena = self.calls.arena().borrow();
                let wanted = key_value(&arena, arena.value(self.right), *key).ok()?;
                let rows = self.indexes.rows_at(&arena, index, wanted)?;
                self.indexes.is_complete(index).then_some((index.list, rows))
            }
            Test::Subset(target) => {
                let wanted = target_value(self.calls, target).ok()?;
                let leaves = leaves(&self.calls.arena().borrow(), wanted);
                let (index, leaf) = self.best_leaf(&leaves)?;
                Some((index.list, self.indexes.rows_at(&self.calls.arena().borrow(), index, leaf)?))
            }
            Test::And(tests) => {
                for test in tests {
                    if let Some(found) = self.candidates(test) {
                        return Some(found);
                    }
                    if !self.cannot_fail(test) {
                        return None;
                    }
                }
                None
            }
            Test::Or(tests) => {
                let mut all: Option<ListRows> = None;
                for test in tests {
                    if !self.cannot_fail(test) {
                        return None;
                    }
                    let (list, mut rows) = self.candidates(test)?;
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
    fn best_leaf(&mut self, leaves: &[(Path, Val)]) -> Option<(LeafIndex, Val)> {
        let mut best: Option<(usize, &(Path, Val))> = None;
        // First by the indexes that there are. One row or none: no other path can narrow it down.
        for make in [false, true] {
            for leaf in leaves {
                let Some(index) = self.table(&leaf.0, make) else {
                    continue;
                };
                let count = self.indexes.count_at(&self.calls.arena().borrow(), index, leaf.1)?;
                if best.is_none_or(|(least, _)| count < least) {
                    let is_wide = |(other, _): &(usize, _)| other.saturating_mul(4) > self.indexes.len(index);
                    let other = best.replace((count, leaf)).filter(is_wide);
                    // What is of no use beside this one is not followed any longer.
                    if let Some((_, (path, _))) = other.filter(|_| count <= 1)
                        && let Some(other) = self.table(path, false)
                    {
                        self.indexes.drop_table(&self.calls.arena().borrow(), other);
                    }
                }
                if count <= 1 {
                    break;
                }
            }
            if best.is_some_and(|(count, _)| count <= 1) {
                break;
            }
        }
        // Making one may have moved another, or have taken its place.
        let (_, (path, leaf)) = best?;
        Some((self.table(path, false)?, *leaf))
    }

    /// Whether a matcher gives a bool for every left item, whatever it is.
    fn cannot_fail(&self, test: &mut Test) -> bool {
        match test {
            Test::All => true,
            Test::Index(_) => self.kind != RightKind::MapItem,
            Test::Subset(target) => target_value(self.calls, target).is_ok(),
            Test::And(tests) | Test::Or(tests) => tests.iter_mut().all(|test| self.cannot_fail(test)),
            Test::Not(test) => self.cannot_fail(test),
            Test::Key(_) | Test::Function(_) | Test::Uncallable(..) => false,
        }
    }

    fn table(&mut self, path: &[Val], make: bool) -> Option<LeafIndex> {
        let list = if self.kind == RightKind::Document { DOCUMENTS } else { *self.lefts.first()? };
        self.indexes.table(self.calls.arena(), list, self.lefts, path, make)
    }
}

/// Works out the position of a match that an index gave: only single ones come without.
pub(super) fn resolve(arena: &RefCell<Arena>, lefts: &[NodeId], found: &mut [Match]) {
    for one in found.iter_mut().filter(|one| one.at == UNKNOWN) {
        if let Some(&left) = lefts.get(one.set as usize) {
            one.at = arena.borrow_mut().index_in(left, one.item).map_or(UNKNOWN, to_u32);
        }
    }
}

/// Brings matches that an index gave into left order, with their positions. Those that stand there more than once are
/// given as often.
pub(super) fn order(arena: &RefCell<Arena>, lefts: &[NodeId], found: &mut Matches, are_single: bool) {
    if are_single && found.len() <= ONE_BY_ONE {
        resolve(arena, lefts, found);
        found.sort_unstable_by_key(|one| (one.set, one.at));
        return;
    }
    // In one pass over each list.
    let arena = arena.borrow();
    let wanted: HashSet<NodeId> = found.iter().map(|one| one.item).collect();
    let mut sets: SmallVec<[u32; 2]> = found.iter().map(|one| one.set).collect();
    sets.sort_unstable();
    sets.dedup();
    found.clear();
    for set in sets {
        let items = lefts.get(set as usize).map(|&left| arena.items(left)).unwrap_or_default();
        let items = items.iter().enumerate().filter(|(_, item)| wanted.contains(*item));
        found.extend(items.map(|(at, &item)| Match { set, at: to_u32(at), item }));
    }
}
