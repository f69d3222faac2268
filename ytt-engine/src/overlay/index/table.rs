//! The tables of indexes, and how they follow the arena's record of changed nodes.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::overlay::hash::hash_of;
use crate::overlay::matcher::key_value;
use crate::overlay::select::{Found, UNKNOWN};
use crate::yaml::{Arena, Body, NodeId, Val};

/// Below this many items a scan is as good.
const FEW: usize = 16;
/// Look-ups of one kind in one list before an index is made.
const ASKED: u32 = 2;

/// The indexes of one application.
#[derive(Debug)]
pub(in crate::overlay) struct Indexes {
    pub(super) few: usize,
    pub(super) asked: u32,
    pub(super) listening: bool,
    /// How much of the arena's record was read.
    pub(super) read: usize,
    pub(super) asked_keys: HashMap<NodeId, u32>,
    pub(super) asked_leaves: HashMap<(NodeId, Box<str>), u32>,
    pub(super) keys: HashMap<NodeId, HashMap<u64, Vec<NodeId>>>,
    pub(super) leaves: HashMap<(NodeId, Box<str>), u32>,
    pub(super) tables: Vec<Option<LeafTable>>,
    /// Tables over each list.
    pub(super) lists: HashMap<NodeId, Vec<u32>>,
    /// Rows to read again when a node changes.
    pub(super) readers: HashMap<NodeId, Vec<(u32, u32)>>,
}

impl Default for Indexes {
    fn default() -> Indexes {
        #[cfg(test)]
        let (few, asked) = if EAGER.get() { (0, 1) } else { (FEW, ASKED) };
        #[cfg(not(test))]
        let (few, asked) = (FEW, ASKED);
        Indexes {
            few,
            asked,
            listening: false,
            read: 0,
            asked_keys: HashMap::new(),
            asked_leaves: HashMap::new(),
            keys: HashMap::new(),
            leaves: HashMap::new(),
            tables: Vec::new(),
            lists: HashMap::new(),
            readers: HashMap::new(),
        }
    }
}

#[cfg(test)]
thread_local! {
    /// Tests use indexes for everything, or as usual, and compare.
    pub(in crate::overlay) static EAGER: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// For each item of a list the leaf at one path.
#[derive(Debug)]
pub(super) struct LeafTable {
    pub(super) id: (NodeId, Box<str>),
    pub(super) path: Vec<Val>,
    pub(super) rows: Vec<Row>,
    /// Rows in left order.
    pub(super) order: BTreeMap<Rank, u32>,
    pub(super) by_leaf: HashMap<u64, Vec<u32>>,
    /// Rows without a value at the path.
    pub(super) bad: BTreeMap<Rank, u32>,
    /// Rows whose value at the path is a map or array.
    pub(super) collections: BTreeMap<Rank, u32>,
}

/// Where a row stands among the others: numbers with room in between, so that a row can be put between two.
pub(super) type Rank = u128;
/// The room between two rows of a list that was read at once.
const ROOM: Rank = 1 << 64;
/// Rank of the first row.
const FIRST: Rank = 1 << 112;

#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) set: u32,
    pub(super) item: NodeId,
    pub(super) rank: Rank,
    pub(super) state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    Leaf(u64),
    Collection,
    Bad,
    /// Taken out of the list.
    Gone,
}

impl LeafTable {
    pub(super) fn new(id: (NodeId, Box<str>), path: Vec<Val>) -> LeafTable {
        LeafTable {
            id,
            path,
            rows: Vec::new(),
            order: BTreeMap::new(),
            by_leaf: HashMap::new(),
            bad: BTreeMap::new(),
            collections: BTreeMap::new(),
        }
    }

    /// A rank behind all rows.
    fn last(&self) -> Rank {
        self.order.last_key_value().map_or(FIRST, |(rank, _)| rank + ROOM)
    }

    /// A rank next to that of a row, before or behind it, made free if there is none.
    fn beside(&mut self, row: u32, before: bool) -> Rank {
        loop {
            let rank = self.rows[row as usize].rank;
            let other = match before {
                true => {
                    self.order.range(..rank).next_back().map_or(rank.checked_sub(2 * ROOM), |(rank, _)| Some(*rank))
                }
                false => {
                    self.order.range(rank + 1..).next().map_or(rank.checked_add(2 * ROOM), |(rank, _)| Some(*rank))
                }
            };
            match other {
                Some(other) if other.abs_diff(rank) > 1 => return other.midpoint(rank),
                _ => self.spread(),
            }
        }
    }

    /// Gives all rows ranks with room in between.
    fn spread(&mut self) {
        let rows: Vec<u32> = self.order.values().copied().collect();
        self.order.clear();
        self.bad.clear();
        self.collections.clear();
        for (number, row) in rows.into_iter().enumerate() {
            let rank = FIRST + number as Rank * ROOM;
            let entry = &mut self.rows[row as usize];
            entry.rank = rank;
            match entry.state {
                State::Collection => self.collections.insert(rank, row),
                State::Bad => self.bad.insert(rank, row),
                State::Leaf(_) | State::Gone => None,
            };
            self.order.insert(rank, row);
        }
    }

    pub(super) fn unlink(&mut self, row: u32) {
        let Row { rank, state, .. } = self.rows[row as usize];
        match state {
            State::Leaf(hash) => {
                if let Some(rows) = self.by_leaf.get_mut(&hash)
                    && let Ok(at) = rows.binary_search_by_key(&rank, |row| self.rows[*row as usize].rank)
                {
                    rows.remove(at);
                }
            }
            State::Collection => {
                self.collections.remove(&rank);
            }
            State::Bad => {
                self.bad.remove(&rank);
            }
            State::Gone => {}
        }
        self.order.remove(&rank);
        self.rows[row as usize].state = State::Gone;
    }

    pub(super) fn link(&mut self, row: u32, state: State) {
        let rank = self.rows[row as usize].rank;
        match state {
            State::Leaf(hash) => {
                let rows = self.by_leaf.entry(hash).or_default();
                if let Err(at) = rows.binary_search_by_key(&rank, |row| self.rows[*row as usize].rank) {
                    rows.insert(at, row);
                }
            }
            State::Collection => {
                self.collections.insert(rank, row);
            }
            State::Bad => {
                self.bad.insert(rank, row);
            }
            State::Gone => {}
        }
        self.order.insert(rank, row);
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
        Val::Node(_) | Val::Plain(_) => State::Collection,
        leaf => State::Leaf(hash_of(arena, leaf)),
    }
}

/// A reader of a whole list.
pub(super) const WHOLE: u32 = u32::MAX;

impl Indexes {
    /// A node was changed. `list`: its list of items, if it has one, was changed by others.
    pub(super) fn changed(&mut self, arena: &Arena, node: NodeId, list: bool) {
        if list && self.keys.remove(&node).is_some() {
            self.asked_keys.remove(&node);
        }
        let Some(readers) = self.readers.get(&node) else {
            return;
        };
        for (table, row) in readers.clone() {
            if row == WHOLE {
                if list {
                    self.drop_table(table);
                }
            } else {
                self.read_row(arena, table, row);
            }
        }
    }

    pub(super) fn tables_of(&self, list: NodeId) -> Vec<u32> {
        self.lists.get(&list).cloned().unwrap_or_default()
    }

    pub(super) fn drop_table(&mut self, table: u32) {
        if let Some(table) = self.tables[table as usize].take() {
            self.leaves.remove(&table.id);
            self.asked_leaves.remove(&table.id);
            if let Some(tables) = self.lists.get_mut(&table.id.0) {
                tables.retain(|number| self.tables[*number as usize].is_some());
            }
        }
    }

    pub(super) fn add_row(&mut self, arena: &Arena, number: u32, set: u32, item: NodeId) {
        let Some(table) = &mut self.tables[number as usize] else {
            return;
        };
        let rank = table.last();
        self.new_row(arena, number, Row { set, item, rank, state: State::Gone });
    }

    /// Adds the row of an item that was put before or behind another one of the same list.
    pub(super) fn insert_row(&mut self, arena: &Arena, number: u32, item: NodeId, beside: NodeId, before: bool) {
        let row = self.row_of(number, beside);
        match (row, &mut self.tables[number as usize]) {
            (Some(row), Some(table)) => {
                let (rank, set) = (table.beside(row, before), table.rows[row as usize].set);
                self.new_row(arena, number, Row { set, item, rank, state: State::Gone });
            }
            _ => self.drop_table(number),
        }
    }

    fn new_row(&mut self, arena: &Arena, number: u32, row: Row) {
        if let Some(table) = &mut self.tables[number as usize] {
            table.rows.push(row);
            let row = table.rows.len() as u32 - 1;
            self.link_row(arena, number, row, false);
        }
    }

    /// Reads a row that has no state; `again`: it had one.
    fn link_row(&mut self, arena: &Arena, number: u32, row: u32, again: bool) {
        let Some(table) = &mut self.tables[number as usize] else {
            return;
        };
        let mut readers = Vec::new();
        let state = read_leaf(arena, table.rows[row as usize].item, &table.path, &mut readers);
        table.link(row, state);
        for node in readers {
            let known = self.readers.entry(node).or_default();
            if known.last() != Some(&(number, row)) && !(again && known.contains(&(number, row))) {
                known.push((number, row));
            }
        }
    }

    pub(super) fn read_row(&mut self, arena: &Arena, number: u32, row: u32) {
        let Some(table) = &mut self.tables[number as usize] else {
            return;
        };
        if table.rows[row as usize].state != State::Gone {
            table.unlink(row);
            self.link_row(arena, number, row, true);
        }
    }

    /// The row of an item, if it has exactly one.
    pub(super) fn row_of(&self, number: u32, item: NodeId) -> Option<u32> {
        let table = self.tables[number as usize].as_ref()?;
        let rows = self.readers.get(&item)?.iter().filter(|(reader, row)| {
            *reader == number && *row != WHOLE && {
                let row = table.rows[*row as usize];
                row.item == item && row.state != State::Gone
            }
        });
        let mut rows = rows.map(|(_, row)| *row);
        rows.next().filter(|_| rows.next().is_none())
    }

    /// The rows of items in left order, if each has exactly one.
    pub(super) fn in_order(&self, number: u32, items: &HashSet<NodeId>) -> Option<Vec<Found>> {
        let table = self.tables[number as usize].as_ref()?;
        let rows = items.iter().map(|item| Some(table.rows[self.row_of(number, *item)? as usize]));
        let mut rows: Vec<Row> = rows.collect::<Option<_>>()?;
        rows.sort_by_key(|row| row.rank);
        Some(rows.into_iter().map(|row| Found { set: row.set, place: UNKNOWN, item: row.item }).collect())
    }

    pub(super) fn replace_row(&mut self, arena: &Arena, number: u32, old: NodeId, new: NodeId) {
        let row = self.row_of(number, old);
        match (row, &mut self.tables[number as usize]) {
            (Some(row), Some(table)) => {
                table.unlink(row);
                table.rows[row as usize].item = new;
                self.link_row(arena, number, row, true);
            }
            _ => self.drop_table(number),
        }
    }

    pub(super) fn take_row(&mut self, number: u32, item: NodeId) {
        let row = self.row_of(number, item);
        match (row, &mut self.tables[number as usize]) {
            (Some(row), Some(table)) => table.unlink(row),
            _ => self.drop_table(number),
        }
    }
}
