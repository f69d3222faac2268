//! For each item of a list the leaf at one path: found by its hash, in left order.

use std::collections::BTreeMap;
use std::hash::BuildHasherDefault;

use hashbrown::HashMap;
use smallvec::SmallVec;

use crate::overlay::matcher::key_value;
use crate::overlay::select::Side;
use crate::yaml::keys::{AsIs, hash_of};
use crate::yaml::{Arena, Body, NodeId, Val};

/// Paths are short: this is the greatest number of keys of one.
pub(super) const DEEPEST: usize = 4;
/// Keys from an item of a list down to a leaf.
pub(super) type Path = SmallVec<[Val; DEEPEST]>;

/// The table of one path over one list.
#[derive(Debug)]
pub(super) struct LeafTable {
    /// The list, and the hash of the path.
    pub(super) id: (NodeId, u64),
    pub(super) path: Path,
    rows: Vec<Row>,
    /// How many rows are in the list.
    length: usize,
    /// The last row in left order; [`NONE`] if there is none.
    last: u32,
    by_leaf: HashMap<u64, Rows, BuildHasherDefault<AsIs>>,
    /// Rows without a value at the path.
    bad: BTreeMap<Rank, u32>,
    /// Rows whose value at the path is a map or array.
    collections: BTreeMap<Rank, u32>,
}

/// Rows in left order; most often one.
type Rows = SmallVec<[u32; 2]>;

/// Where a row stands among the others: numbers with room in between, so that a row can be put between two.
type Rank = u64;
/// The room between two rows of a list that was read at once.
const ROOM: Rank = 1 << 31;
/// Rank of the first row.
const FIRST: Rank = 1 << 62;

/// One item of the list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) set: u32,
    pub(super) item: NodeId,
    rank: Rank,
    /// The rows beside it; [`NONE`] at an end.
    before: u32,
    behind: u32,
    state: State,
}

const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Leaf(u64),
    Collection,
    Bad,
    /// Not read yet, or taken out of the list.
    Gone,
}

impl LeafTable {
    pub(super) fn new(id: (NodeId, u64), path: Path) -> LeafTable {
        LeafTable {
            id,
            path,
            rows: Vec::new(),
            length: 0,
            last: NONE,
            by_leaf: HashMap::default(),
            bad: BTreeMap::new(),
            collections: BTreeMap::new(),
        }
    }

    /// How many rows are in the list.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    pub(super) fn row(&self, row: u32) -> &Row {
        &self.rows[row as usize]
    }

    /// Whether the item of a row was taken out of the list.
    pub(super) fn is_gone(&self, row: u32) -> bool {
        self.row(row).state == State::Gone
    }

    /// Whether a row is the one of an item that is in the list.
    pub(super) fn is_row_of(&self, row: u32, item: NodeId) -> bool {
        self.row(row).item == item && !self.is_gone(row)
    }

    /// Rows that may have that value at the path, in left order.
    pub(super) fn rows_at(&self, arena: &Arena, value: Val) -> impl Iterator<Item = u32> + '_ {
        let is_collection = matches!(value, Val::Node(_) | Val::Raw(_));
        let leaves = if is_collection { None } else { self.leaf_rows(arena, value) };
        let collections = is_collection.then(|| self.collections.values());
        leaves.into_iter().flatten().chain(collections.into_iter().flatten()).copied()
    }

    /// How many [`LeafTable::rows_at`] gives.
    pub(super) fn count_at(&self, arena: &Arena, value: Val) -> usize {
        match value {
            Val::Node(_) | Val::Raw(_) => self.collections.len(),
            leaf => self.leaf_rows(arena, leaf).map_or(0, |rows| rows.len()),
        }
    }

    fn leaf_rows(&self, arena: &Arena, leaf: Val) -> Option<&Rows> {
        self.by_leaf.get(&hash_of(arena, leaf)?)
    }

    /// The first row without a value at the path.
    pub(super) fn first_bad(&self) -> Option<NodeId> {
        self.bad.values().next().map(|row| self.row(*row).item)
    }

    /// Sorts rows by left order.
    pub(super) fn sort(&self, rows: &mut [u32]) {
        rows.sort_by_key(|row| self.row(*row).rank);
    }

    // Changes. Each row that is added gets its state by `read`, which also says what nodes it was read from.

    /// Adds a row at the end.
    pub(super) fn push(&mut self, set: u32, item: NodeId) -> u32 {
        match self.last {
            NONE => self.add(Row { set, item, rank: FIRST, before: NONE, behind: NONE, state: State::Gone }),
            last => self.insert(set, item, last, Side::Behind),
        }
    }

    /// Adds a row beside another one that is in the list.
    pub(super) fn insert(&mut self, set: u32, item: NodeId, beside: u32, side: Side) -> u32 {
        let rank = self.rank_beside(beside, side);
        let here = *self.row(beside);
        let (before, behind) = match side {
            Side::Before => (here.before, beside),
            Side::Behind => (beside, here.behind),
        };
        self.add(Row { set, item, rank, before, behind, state: State::Gone })
    }

    fn add(&mut self, row: Row) -> u32 {
        let number = self.rows.len() as u32;
        self.rows.push(row);
        self.length += 1;
        self.join(row.before, number);
        self.join(number, row.behind);
        number
    }

    /// Makes two rows neighbours; [`NONE`] is the outside.
    fn join(&mut self, before: u32, behind: u32) {
        if let Some(row) = self.rows.get_mut(before as usize) {
            row.behind = behind;
        }
        match self.rows.get_mut(behind as usize) {
            Some(row) => row.before = before,
            None => self.last = before,
        }
    }

    /// A rank next to that of a row, made free if there is none.
    fn rank_beside(&mut self, row: u32, side: Side) -> Rank {
        loop {
            let Row { rank, before, behind, .. } = *self.row(row);
            let other = match side {
                Side::Before => self.rank_of(before).unwrap_or(rank.saturating_sub(2 * ROOM)),
                Side::Behind => self.rank_of(behind).unwrap_or(rank.saturating_add(2 * ROOM)),
            };
            if other.abs_diff(rank) > 1 {
                return other.midpoint(rank);
            }
            self.make_room(row);
        }
    }

    /// Spreads the rows around one over the smallest range of ranks that is not too full for its size.
    ///
    /// "Two simplified algorithms for maintaining order in a list" (Bender and others, 2002): the share of a range that
    /// may be taken shrinks with its size, so a range that was spread has room for as many rows again, and an
    /// insertion costs O(log n) on average wherever it is.
    fn make_room(&mut self, row: u32) {
        let middle = self.row(row).rank;
        let (mut first, mut last, mut count) = (row, row, 1_u64);
        let mut most = 1.0;
        for bits in 1..Rank::BITS {
            // Full, it would hold 2^bits.
            most *= 1.5;
            let low = middle >> bits << bits;
            let high = low | ((1 << bits) - 1);
            while self.rank_of(self.row(first).before).is_some_and(|rank| rank >= low) {
                first = self.row(first).before;
                count += 1;
            }
            while self.rank_of(self.row(last).behind).is_some_and(|rank| rank <= high) {
                last = self.row(last).behind;
                count += 1;
            }
            let step = (high - low) / (count + 1);
            if count as f64 <= most && step > 1 {
                self.spread(first, last, low, step);
                return;
            }
        }
    }

    /// `None` outside of the list.
    fn rank_of(&self, row: u32) -> Option<Rank> {
        self.rows.get(row as usize).map(|row| row.rank)
    }

    /// Gives the rows from `first` to `last` new ranks.
    fn spread(&mut self, first: u32, last: u32, low: Rank, step: Rank) {
        let mut rows = vec![first];
        while let Some(row) = rows.last().filter(|row| **row != last) {
            rows.push(self.row(*row).behind);
        }
        for &row in &rows {
            let Row { rank, state, .. } = *self.row(row);
            if let Some(order) = self.order_of(state) {
                order.remove(&rank);
            }
        }
        let mut rank = low;
        for &row in &rows {
            rank += step;
            self.rows[row as usize].rank = rank;
            if let Some(order) = self.order_of(self.row(row).state) {
                order.insert(rank, row);
            }
        }
    }

    /// The rows of a state that are kept in order.
    fn order_of(&mut self, state: State) -> Option<&mut BTreeMap<Rank, u32>> {
        match state {
            State::Collection => Some(&mut self.collections),
            State::Bad => Some(&mut self.bad),
            State::Leaf(_) | State::Gone => None,
        }
    }

    /// Takes a row out of the list.
    pub(super) fn take(&mut self, row: u32) {
        self.set_state(row, State::Gone);
        self.length -= 1;
        let Row { before, behind, .. } = *self.row(row);
        self.join(before, behind);
    }

    /// Puts another item in the place of a row's.
    pub(super) fn replace(&mut self, row: u32, item: NodeId) {
        self.rows[row as usize].item = item;
    }

    /// Reads the leaf of a row; `readers` are then the nodes that it depends on.
    pub(super) fn read(&mut self, arena: &Arena, row: u32, readers: &mut Vec<NodeId>) {
        let state = read_leaf(arena, self.row(row).item, &self.path, readers);
        self.set_state(row, state);
    }

    fn set_state(&mut self, row: u32, state: State) {
        let Row { rank, state: old, .. } = *self.row(row);
        if old == state {
            return;
        }
        let place = |rows: &Rows, all: &[Row]| rows.binary_search_by_key(&rank, |row| all[*row as usize].rank);
        if let State::Leaf(hash) = old
            && let Some(rows) = self.by_leaf.get_mut(&hash)
            && let Ok(at) = place(rows, &self.rows)
        {
            rows.remove(at);
        }
        if let Some(order) = self.order_of(old) {
            order.remove(&rank);
        }
        if let State::Leaf(hash) = state {
            let rows = self.by_leaf.entry(hash).or_default();
            if let Err(at) = place(rows, &self.rows) {
                rows.insert(at, row);
            }
        }
        if let Some(order) = self.order_of(state) {
            order.insert(rank, row);
        }
        self.rows[row as usize].state = state;
    }
}

/// State of an item, and the nodes it was read from.
fn read_leaf(arena: &Arena, item: NodeId, path: &[Val], readers: &mut Vec<NodeId>) -> State {
    readers.clear();
    readers.push(item);
    let mut value = arena.value(item);
    for key in path {
        let Val::Node(map) = value else {
            // Raw dicts never change.
            match key_value(arena, value, *key) {
                Ok(inner) => value = inner,
                Err(_) => return State::Bad,
            }
            continue;
        };
        readers.push(map);
        if !matches!(arena.get(map).body, Body::Map(_)) {
            return State::Bad;
        }
        let Some(entry) = arena.find(map, *key) else {
            return State::Bad;
        };
        readers.push(entry);
        value = arena.value(entry);
    }
    match value {
        Val::Node(_) | Val::Raw(_) => State::Collection,
        // NaN is equal to nothing: a look-up for it asks for no hash.
        leaf => State::Leaf(hash_of(arena, leaf).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::PosId;

    fn item(arena: &mut Arena, value: Val) -> NodeId {
        arena.add(Body::ArrayItem(value), PosId(0))
    }

    /// Adds a row as the index does, and reads it.
    fn read(table: &mut LeafTable, arena: &Arena, row: u32) {
        table.read(arena, row, &mut Vec::new());
    }

    fn items_at(table: &LeafTable, arena: &Arena, value: Val) -> Vec<NodeId> {
        table.rows_at(arena, value).map(|row| table.row(row).item).collect()
    }

    #[test]
    fn rows_stay_in_left_order_wherever_they_are_put() {
        let mut arena = Arena::new(10);
        let array = arena.add(Body::Array(Vec::new().into()), PosId(0));
        // Where the path is empty the leaf is the value of the item; for a path of one key there is none.
        let key = || Path::from_iter([Val::Int(0)]);
        for (path, value) in [(Path::new(), Val::Int(1)), (Path::new(), Val::Node(array)), (key(), Val::Int(1))] {
            let is_bad = !path.is_empty();
            let mut table = LeafTable::new((NodeId(0), 0), path);
            let mut expected: Vec<(NodeId, u32)> = Vec::new();
            for turn in 0..4_000_usize {
                let new = item(&mut arena, value);
                let at = match turn {
                    // At the end, at the start, always at one place, and anywhere.
                    0..500 => expected.len(),
                    500..1_000 => 0,
                    1_000..3_000 => expected.len() / 2,
                    _ => turn * 7_919 % (expected.len() + 1),
                };
                let row = match at.checked_sub(1) {
                    Some(before) if turn % 2 == 0 => table.insert(0, new, expected[before].1, Side::Behind),
                    _ if at < expected.len() => table.insert(0, new, expected[at].1, Side::Before),
                    _ => table.push(0, new),
                };
                read(&mut table, &arena, row);
                expected.insert(at, (new, row));
                if turn % 3 == 0 {
                    let (_, row) = expected.remove(turn * 31 % expected.len());
                    table.take(row);
                    assert!(table.is_gone(row));
                }
            }
            assert_eq!(table.len(), expected.len());
            let items: Vec<NodeId> = expected.iter().map(|(item, _)| *item).collect();
            let mut rows: Vec<u32> = expected.iter().rev().map(|(_, row)| *row).collect();
            table.sort(&mut rows);
            assert!(rows.iter().eq(expected.iter().map(|(_, row)| row)));
            if is_bad {
                assert_eq!(table.first_bad(), items.first().copied());
                assert_eq!(table.count_at(&arena, value), 0);
            } else {
                assert_eq!(items_at(&table, &arena, value), items);
                assert_eq!((table.count_at(&arena, value), table.first_bad()), (items.len(), None));
            }
        }
    }

    #[test]
    fn room_is_made_by_moving_few_rows() {
        let mut arena = Arena::new(10);
        let mut table = LeafTable::new((NodeId(0), 0), Path::new());
        let first = table.push(0, item(&mut arena, Val::Null));
        table.push(0, item(&mut arena, Val::Null));
        let (count, mut moved) = (10_000, 0);
        for _ in 0..count {
            let ranks: Vec<Rank> = table.rows.iter().map(|row| row.rank).collect();
            table.insert(0, first_item(&table), first, Side::Behind);
            moved += ranks.iter().zip(&table.rows).filter(|(old, row)| **old != row.rank).count();
        }
        assert!(moved < 30 * count, "{moved} ranks changed");
    }

    fn first_item(table: &LeafTable) -> NodeId {
        table.row(0).item
    }

    #[test]
    fn a_row_moves_to_the_leaf_that_its_item_has_now() {
        let mut arena = Arena::new(10);
        let array = arena.add(Body::Array(Vec::new().into()), PosId(0));
        let items =
            [Val::Int(1), Val::Null, Val::Node(array), Val::Float(f64::NAN)].map(|value| item(&mut arena, value));
        let mut table = LeafTable::new((NodeId(0), 0), Path::new());
        for item in items {
            let row = table.push(0, item);
            read(&mut table, &arena, row);
        }
        assert_eq!(items_at(&table, &arena, Val::Int(1)), items[..1]);
        assert_eq!(items_at(&table, &arena, Val::Node(array)), items[2..3]);
        assert_eq!(items_at(&table, &arena, Val::Float(f64::NAN)), []);
        arena.set_value(items[2], Val::Int(1));
        arena.set_value(items[0], Val::Null);
        for row in [0, 2] {
            read(&mut table, &arena, row);
        }
        assert_eq!(items_at(&table, &arena, Val::Int(1)), items[2..3]);
        assert_eq!(items_at(&table, &arena, Val::Null), items[..2]);
        assert_eq!(items_at(&table, &arena, Val::Node(array)), []);
        table.replace(1, items[2]);
        read(&mut table, &arena, 1);
        assert!(table.is_row_of(1, items[2]) && !table.is_row_of(1, items[1]));
        assert_eq!(items_at(&table, &arena, Val::Int(1)), [items[2], items[2]]);
    }
}
