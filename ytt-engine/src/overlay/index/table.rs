//! The tables of indexes, and how they follow the arena's record of changed nodes.

use std::collections::{BTreeSet, HashMap};

use crate::overlay::hash::hash_of;
use crate::overlay::matcher::key_value;
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
    pub(super) by_leaf: HashMap<u64, Vec<u32>>,
    /// Rows without a value at the path.
    pub(super) bad: BTreeSet<u32>,
    /// Rows whose value at the path is a map or array.
    pub(super) collections: BTreeSet<u32>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) set: u32,
    pub(super) item: NodeId,
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
            by_leaf: HashMap::new(),
            bad: BTreeSet::new(),
            collections: BTreeSet::new(),
        }
    }

    pub(super) fn unlink(&mut self, row: u32) {
        match self.rows[row as usize].state {
            State::Leaf(hash) => {
                if let Some(rows) = self.by_leaf.get_mut(&hash)
                    && let Ok(at) = rows.binary_search(&row)
                {
                    rows.remove(at);
                }
            }
            State::Collection => {
                self.collections.remove(&row);
            }
            State::Bad => {
                self.bad.remove(&row);
            }
            State::Gone => {}
        }
        self.rows[row as usize].state = State::Gone;
    }

    pub(super) fn link(&mut self, row: u32, state: State) {
        match state {
            State::Leaf(hash) => {
                let rows = self.by_leaf.entry(hash).or_default();
                if let Err(at) = rows.binary_search(&row) {
                    rows.insert(at, row);
                }
            }
            State::Collection => {
                self.collections.insert(row);
            }
            State::Bad => {
                self.bad.insert(row);
            }
            State::Gone => {}
        }
        self.rows[row as usize].state = state;
    }
}

/// State of an item, and the nodes it was read from.
fn read_leaf(arena: &Arena, item: NodeId, path: &[Val], readers: &mut Vec<NodeId>) -> State {
    readers.clear();
    readers.push(item);
    let mut value = arena.value(item);
    for (depth, key) in path.iter().enumerate() {
        let Val::Node(map) = value else {
            // A raw dict is rare and short-lived: only the look-up by one key knows it.
            match (value, key_value(arena, value, *key)) {
                (Val::Plain(_), Ok(inner)) if depth + 1 == path.len() => value = inner,
                _ => return State::Bad,
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

    pub(super) fn drop_tables(&mut self, list: NodeId) {
        for table in self.tables_of(list) {
            self.drop_table(table);
        }
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
        let row = table.rows.len() as u32;
        table.rows.push(Row { set, item, state: State::Gone });
        self.link_row(arena, number, row);
    }

    /// Reads a row that has no state.
    pub(super) fn link_row(&mut self, arena: &Arena, number: u32, row: u32) {
        let Some(table) = &mut self.tables[number as usize] else {
            return;
        };
        let mut readers = Vec::new();
        let state = read_leaf(arena, table.rows[row as usize].item, &table.path, &mut readers);
        table.link(row, state);
        for node in readers {
            let known = self.readers.entry(node).or_default();
            if !known.contains(&(number, row)) {
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
            self.link_row(arena, number, row);
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

    pub(super) fn replace_row(&mut self, arena: &Arena, number: u32, old: NodeId, new: NodeId) {
        let row = self.row_of(number, old);
        match (row, &mut self.tables[number as usize]) {
            (Some(row), Some(table)) => {
                table.unlink(row);
                table.rows[row as usize].item = new;
                self.link_row(arena, number, row);
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
