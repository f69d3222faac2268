//! All indexes of one application, and how they follow the arena's record of changed nodes.

use hashbrown::{HashMap, HashSet};
use smallvec::SmallVec;

use super::table::{LeafTable, Path};
use crate::yaml::keys::{KeyTable, hash_of};
use crate::yaml::{Arena, NodeId, Val};

/// Below this many items a scan is as good.
const FEW: usize = 16;
/// Look-ups of one kind in one list before an index is made.
const ASKED: u32 = 2;
/// So many rows are read again when a node changes on which they depend. If there are more, their tables are dropped.
const READ_AGAIN: usize = 64;

/// The indexes of one application.
#[derive(Debug)]
pub(in crate::overlay) struct Indexes {
    pub(super) few: usize,
    pub(super) asked: u32,
    read_again: usize,
    pub(super) listening: bool,
    /// How much of the arena's record was read.
    pub(super) read: usize,
    pub(super) asked_keys: HashMap<NodeId, u32>,
    /// Items of maps by their keys.
    pub(super) keys: HashMap<NodeId, KeyTable>,
    /// Paths that were looked for, by their list and hash.
    paths: HashMap<(NodeId, u64), Asked>,
    tables: Vec<Option<LeafTable>>,
    /// Tables over each list.
    lists: HashMap<NodeId, Numbers>,
    readers: Readers,
    /// Room for the nodes that a row was read from.
    nodes: Vec<NodeId>,
}

/// Numbers of tables.
pub(super) type Numbers = SmallVec<[u32; 4]>;

/// How often a path was asked for, and its table.
#[derive(Clone, Copy, Debug, Default)]
struct Asked {
    times: u32,
    table: Option<u32>,
}

impl Default for Indexes {
    fn default() -> Indexes {
        #[cfg(test)]
        let (few, asked, read_again) = if EAGER.get() { (0, 1, 2) } else { (FEW, ASKED, READ_AGAIN) };
        #[cfg(not(test))]
        let (few, asked, read_again) = (FEW, ASKED, READ_AGAIN);
        Indexes {
            few,
            asked,
            read_again,
            listening: false,
            read: 0,
            asked_keys: HashMap::new(),
            keys: HashMap::new(),
            paths: HashMap::new(),
            tables: Vec::new(),
            lists: HashMap::new(),
            readers: Readers::default(),
            nodes: Vec::new(),
        }
    }
}

#[cfg(test)]
thread_local! {
    /// Tests use indexes for everything, or as usual, and compare.
    pub(in crate::overlay) static EAGER: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// Who depends on which node: rows of tables, and whole tables on their lists.
#[derive(Debug, Default)]
struct Readers {
    /// The last reader of each node.
    last: HashMap<NodeId, u32>,
    all: Vec<Reader>,
    /// How many of `all` are rows of tables that are gone.
    dead: usize,
}

#[derive(Clone, Copy, Debug)]
struct Reader {
    table: u32,
    /// [`WHOLE`] for the list of the table.
    row: u32,
    /// The reader of the same node before this one; itself for the first one.
    previous: u32,
}

/// A reader of a whole list.
const WHOLE: u32 = u32::MAX;

impl Readers {
    fn add(&mut self, node: NodeId, table: u32, row: u32) {
        let number = self.all.len() as u32;
        let previous = self.last.insert(node, number).unwrap_or(number);
        self.all.push(Reader { table, row, previous });
    }

    /// Readers of a node, last first.
    fn of(&self, node: NodeId) -> impl Iterator<Item = Reader> + '_ {
        let mut next = self.last.get(&node).copied();
        std::iter::from_fn(move || {
            let number = next?;
            let reader = self.all[number as usize];
            next = (reader.previous != number).then_some(reader.previous);
            Some(reader)
        })
    }

    /// Forgets those of tables that are gone, if these are most.
    fn sweep(&mut self, dead: usize, lives: impl Fn(u32) -> bool) {
        self.dead += dead;
        if self.dead * 2 <= self.all.len() {
            return;
        }
        let old = std::mem::take(self);
        for &node in old.last.keys() {
            let mut readers: SmallVec<[Reader; 8]> = old.of(node).filter(|reader| lives(reader.table)).collect();
            readers.reverse();
            readers.into_iter().for_each(|reader| self.add(node, reader.table, reader.row));
        }
    }
}

fn path_hash(arena: &Arena, path: &[Val]) -> u64 {
    path.iter().fold(0, |hash: u64, key| hash.rotate_left(5) ^ hash_of(arena, *key).unwrap_or_default())
}

impl Indexes {
    // Tables.

    /// The table of a number, unless it was dropped.
    pub(super) fn table(&self, number: u32) -> Option<&LeafTable> {
        self.tables[number as usize].as_ref()
    }

    pub(super) fn tables_of(&self, list: NodeId) -> Numbers {
        self.lists.get(&list).cloned().unwrap_or_default()
    }

    /// The table of a path over a list if there is one, else how to note that it was asked for.
    pub(super) fn known(&mut self, arena: &Arena, list: NodeId, path: &[Val]) -> Result<u32, &mut u32> {
        let asked = self.paths.entry((list, path_hash(arena, path))).or_default();
        let table = asked.table.filter(|number| {
            let table = self.tables[*number as usize].as_ref();
            // Two paths may have one hash.
            table.is_some_and(|table| {
                table.path.len() == path.len() && table.path.iter().zip(path).all(|(a, b)| arena.same(*a, *b))
            })
        });
        table.ok_or(&mut asked.times)
    }

    /// Makes a table; `list` stands for the items of all of `lefts`.
    pub(super) fn make_table(&mut self, arena: &Arena, list: NodeId, lefts: &[NodeId], path: &Path) -> u32 {
        let number = self.tables.len() as u32;
        let id = (list, path_hash(arena, path));
        self.tables.push(Some(LeafTable::new(id, path.clone())));
        for (set, left) in lefts.iter().enumerate() {
            for &item in arena.items(*left) {
                self.add_row(arena, number, set as u32, item);
            }
            // An edit of the list by others makes the table useless.
            self.readers.add(*left, number, WHOLE);
        }
        self.lists.entry(list).or_default().push(number);
        self.paths.entry(id).or_default().table = Some(number);
        number
    }

    pub(super) fn drop_table(&mut self, number: u32) {
        let Some(table) = self.tables[number as usize].take() else {
            return;
        };
        if let Some(numbers) = self.lists.get_mut(&table.id.0) {
            numbers.retain(|one| *one != number);
        }
        if let Some(asked) = self.paths.get_mut(&table.id).filter(|asked| asked.table == Some(number)) {
            *asked = Asked::default();
        }
        self.readers.sweep(table.reads, |number| self.tables[number as usize].is_some());
    }

    // Rows.

    pub(super) fn add_row(&mut self, arena: &Arena, number: u32, set: u32, item: NodeId) {
        if let Some(table) = &mut self.tables[number as usize] {
            let row = table.push(set, item);
            self.read_row(arena, number, row, false);
        }
    }

    /// Adds the row of an item that was put before or behind another one of the same list.
    pub(super) fn insert_row(&mut self, arena: &Arena, number: u32, item: NodeId, beside: NodeId, before: bool) {
        match (self.row_of(number, beside), &mut self.tables[number as usize]) {
            (Some(row), Some(table)) => {
                let row = table.insert(table.row(row).set, item, row, before);
                self.read_row(arena, number, row, false);
            }
            _ => self.drop_table(number),
        }
    }

    pub(super) fn replace_row(&mut self, arena: &Arena, number: u32, old: NodeId, new: NodeId) {
        match (self.row_of(number, old), &mut self.tables[number as usize]) {
            (Some(row), Some(table)) => {
                table.replace(row, new);
                self.read_row(arena, number, row, true);
            }
            _ => self.drop_table(number),
        }
    }

    pub(super) fn take_row(&mut self, number: u32, item: NodeId) {
        match (self.row_of(number, item), &mut self.tables[number as usize]) {
            (Some(row), Some(table)) => table.take(row),
            _ => self.drop_table(number),
        }
    }

    /// Reads a row; `again`: it was read before.
    fn read_row(&mut self, arena: &Arena, number: u32, row: u32, again: bool) {
        let Some(table) = &mut self.tables[number as usize] else {
            return;
        };
        table.read(arena, row, &mut self.nodes);
        for &node in &self.nodes {
            let known = |reader: Reader| (reader.table, reader.row) == (number, row);
            // A new row is known for a node only if it comes by there twice.
            let looked_at = if again { usize::MAX } else { 1 };
            if !self.readers.of(node).take(looked_at).any(known) {
                table.reads += 1;
                self.readers.add(node, number, row);
            }
        }
    }

    /// The row of an item, if it has exactly one.
    pub(super) fn row_of(&self, number: u32, item: NodeId) -> Option<u32> {
        let table = self.table(number)?;
        let rows = self
            .readers
            .of(item)
            .filter(|reader| reader.table == number && reader.row != WHOLE && table.is_row_of(reader.row, item));
        let mut rows = rows.map(|reader| reader.row);
        rows.next().filter(|_| rows.next().is_none())
    }

    /// A node was changed. `list`: its list of items, if it has one, was changed by others.
    pub(super) fn changed(&mut self, arena: &Arena, node: NodeId, list: bool) {
        if list && self.keys.remove(&node).is_some() {
            self.asked_keys.remove(&node);
        }
        let readers: SmallVec<[Reader; 8]> = self.readers.of(node).take(self.read_again + 1).collect();
        if readers.len() > self.read_again {
            let tables = self.readers.of(node).filter(|reader| list || reader.row != WHOLE).map(|reader| reader.table);
            let tables: HashSet<u32> = tables.collect();
            tables.into_iter().for_each(|table| self.drop_table(table));
            return;
        }
        for Reader { table, row, .. } in readers {
            if row == WHOLE {
                if list {
                    self.drop_table(table);
                }
            } else if self.table(table).is_some_and(|table| !table.is_gone(row)) {
                self.read_row(arena, table, row, true);
            }
        }
    }
}
