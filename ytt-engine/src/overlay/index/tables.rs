//! All indexes of one application, and how they follow the arena's record of changed nodes.

use hashbrown::HashMap;
use smallvec::SmallVec;

use super::table::{LeafTable, Path};
use crate::overlay::select::Side;
use crate::yaml::keys::{KeyTable, hash_of};
use crate::yaml::{Arena, NodeId, Val};

/// Below this many items a scan is as good.
const FEW: usize = 16;
/// Look-ups of one kind in one list before an index is made.
const ASKED: u32 = 2;
/// Readers of one node that are looked at without asking whether a new table is cheaper.
const CHEAP: usize = 16;

/// The indexes of one application.
#[derive(Debug)]
pub(in crate::overlay) struct Indexes {
    /// Lists of at most that length are not worth an index.
    pub(super) few: usize,
    /// With which look-up of one kind in one list an index is made.
    asked: u32,
    cheap: usize,
    /// How much of the arena's record of changed nodes was read; `None` before there is an index.
    pub(super) read: Option<usize>,
    asked_keys: HashMap<NodeId, u32>,
    /// Items of maps by their keys.
    keys: HashMap<NodeId, KeyTable>,
    /// Paths that were looked for, by their list and hash.
    paths: HashMap<(NodeId, u64), PathState>,
    tables: Vec<Option<LeafTable>>,
    /// Tables over each list.
    lists: HashMap<NodeId, Numbers>,
    readers: Readers,
    /// The table and row that the last look-up gave, if it was one: most edits follow their look-up.
    recent: Option<(u32, u32)>,
    /// Scratch: the nodes that a row was read from.
    nodes: Vec<NodeId>,
}

/// Numbers of tables.
pub(super) type Numbers = SmallVec<[u32; 4]>;

/// How often a path was asked for, and its table.
#[derive(Clone, Copy, Debug, Default)]
struct PathState {
    times: u32,
    table: Option<u32>,
}

impl Default for Indexes {
    fn default() -> Indexes {
        #[cfg(test)]
        let (few, asked, cheap) = if EAGER.get() { (0, 1, 2) } else { (FEW, ASKED, CHEAP) };
        #[cfg(not(test))]
        let (few, asked, cheap) = (FEW, ASKED, CHEAP);
        Indexes {
            few,
            asked,
            cheap,
            read: None,
            asked_keys: HashMap::new(),
            keys: HashMap::new(),
            paths: HashMap::new(),
            tables: Vec::new(),
            lists: HashMap::new(),
            readers: Readers::default(),
            recent: None,
            nodes: Vec::new(),
        }
    }
}

#[cfg(test)]
thread_local! {
    /// Tests use indexes for everything, or as usual, and compare.
    pub(in crate::overlay) static EAGER: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

/// What to do about an index that is asked for.
pub(super) enum Asked {
    /// There is this table.
    Known(u32),
    /// It is time to make it.
    Make,
    /// It is not worth it yet.
    NotYet,
}

/// Who depends on which node: rows of tables, and whole tables on their lists.
#[derive(Debug, Default)]
struct Readers {
    /// The last reader of each node.
    last: HashMap<NodeId, u32>,
    all: Vec<Reader>,
    /// How many of `all` each table has.
    counts: Vec<usize>,
    /// How many of `all` are of tables that are gone.
    dead: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
        if self.counts.len() <= table as usize {
            self.counts.resize(table as usize + 1, 0);
        }
        self.counts[table as usize] += 1;
    }

    /// Readers of a node, last first; some may be of tables that are gone.
    fn of(&self, node: NodeId) -> impl Iterator<Item = Reader> + '_ {
        let mut next = self.last.get(&node).copied();
        std::iter::from_fn(move || {
            let number = next?;
            let reader = self.all[number as usize];
            next = (reader.previous != number).then_some(reader.previous);
            Some(reader)
        })
    }

    /// Notes that a table is gone. Its readers are forgotten when such ones are the majority.
    fn leave(&mut self, table: u32, lives: impl Fn(u32) -> bool) {
        self.dead += self.counts.get_mut(table as usize).map_or(0, std::mem::take);
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
    // Keys.

    /// The items of a map by their keys, if they are known.
    pub(super) fn keys_of(&self, map: NodeId) -> Option<&KeyTable> {
        self.keys.get(&map)
    }

    pub(super) fn keys_of_mut(&mut self, map: NodeId) -> Option<&mut KeyTable> {
        self.keys.get_mut(&map)
    }

    /// Notes that a key of a map was asked for whose keys are not known. True: it is time to collect them.
    pub(super) fn ask_keys(&mut self, map: NodeId) -> bool {
        let times = self.asked_keys.entry(map).or_default();
        *times += 1;
        *times >= self.asked
    }

    pub(super) fn collect_keys(&mut self, arena: &Arena, map: NodeId) {
        self.keys.insert(map, KeyTable::of(arena, arena.items(map)));
    }

    // Tables.

    /// The table of a number, unless it was dropped.
    pub(super) fn table(&self, number: u32) -> Option<&LeafTable> {
        self.tables[number as usize].as_ref()
    }

    pub(super) fn tables_of(&self, list: NodeId) -> Numbers {
        self.lists.get(&list).cloned().unwrap_or_default()
    }

    /// The table of a path over a list, if there is one.
    pub(super) fn known(&self, arena: &Arena, list: NodeId, path: &[Val]) -> Option<u32> {
        let number = self.paths.get(&(list, path_hash(arena, path)))?.table?;
        let known = &self.table(number)?.path;
        // Two paths may have one hash.
        let same = known.len() == path.len() && known.iter().zip(path).all(|(a, b)| arena.same(*a, *b));
        same.then_some(number)
    }

    /// Asks for the table of a path over a list.
    pub(super) fn ask(&mut self, arena: &Arena, list: NodeId, path: &[Val]) -> Asked {
        if let Some(table) = self.known(arena, list, path) {
            return Asked::Known(table);
        }
        let state = self.paths.entry((list, path_hash(arena, path))).or_default();
        state.times += 1;
        if state.times < self.asked { Asked::NotYet } else { Asked::Make }
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
        if let Some(state) = self.paths.get_mut(&table.id).filter(|state| state.table == Some(number)) {
            *state = PathState::default();
        }
        self.readers.leave(number, |number| self.tables[number as usize].is_some());
    }

    // Rows.

    pub(super) fn add_row(&mut self, arena: &Arena, number: u32, set: u32, item: NodeId) {
        if let Some(table) = &mut self.tables[number as usize] {
            let row = table.push(set, item);
            self.read_new(arena, number, row);
        }
    }

    /// Adds the row of an item that was put before or behind another one of the same list.
    pub(super) fn insert_row(&mut self, arena: &Arena, number: u32, item: NodeId, beside: NodeId, side: Side) {
        match (self.row_of(number, beside), &mut self.tables[number as usize]) {
            (Some(row), Some(table)) => {
                let row = table.insert(table.row(row).set, item, row, side);
                self.read_new(arena, number, row);
            }
            _ => self.drop_table(number),
        }
    }

    pub(super) fn replace_row(&mut self, arena: &Arena, number: u32, old: NodeId, new: NodeId) {
        match (self.row_of(number, old), &mut self.tables[number as usize]) {
            (Some(row), Some(table)) => {
                table.replace(row, new);
                self.read_again(arena, number, row);
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

    /// Reads a row that was just added.
    fn read_new(&mut self, arena: &Arena, number: u32, row: u32) {
        // It may be a second one of its item.
        self.recent = None;
        // Nodes know it only where it comes by twice.
        self.read_row(arena, number, row, 1);
    }

    /// Reads a row that was read before.
    fn read_again(&mut self, arena: &Arena, number: u32, row: u32) {
        self.read_row(arena, number, row, usize::MAX);
    }

    /// Reads a row. The last `known` readers of a node may be this one.
    fn read_row(&mut self, arena: &Arena, number: u32, row: u32, known: usize) {
        let Some(table) = &mut self.tables[number as usize] else {
            return;
        };
        table.read(arena, row, &mut self.nodes);
        for &node in &self.nodes {
            let this = |reader: Reader| (reader.table, reader.row) == (number, row);
            if !self.readers.of(node).take(known).any(this) {
                self.readers.add(node, number, row);
            }
        }
    }

    /// Notes the only row that a look-up gave. An item with two rows has them at one leaf, so this is the only one of its.
    pub(super) fn note_row(&mut self, table: u32, row: u32) {
        self.recent = Some((table, row));
    }

    /// The row of an item, if it has exactly one.
    pub(super) fn row_of(&self, number: u32, item: NodeId) -> Option<u32> {
        let table = self.table(number)?;
        if let Some((_, row)) = self.recent.filter(|(recent, row)| *recent == number && table.is_row_of(*row, item)) {
            return Some(row);
        }
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
        let readers: SmallVec<[Reader; 8]> =
            self.readers.of(node).filter(|one| self.table(one.table).is_some()).collect();
        let mut rows: SmallVec<[(u32, usize); 4]> = SmallVec::new();
        if readers.len() > self.cheap {
            let mut counts: HashMap<u32, usize> = HashMap::new();
            readers.iter().for_each(|reader| *counts.entry(reader.table).or_default() += 1);
            rows.extend(counts);
        }
        // To make a table anew, if it is asked for again, costs less than to read a large part of it for each change.
        for (table, count) in rows {
            if self.table(table).is_some_and(|table| count * 4 > table.len()) {
                self.drop_table(table);
            }
        }
        for Reader { table, row, .. } in readers {
            if row == WHOLE {
                if list {
                    self.drop_table(table);
                }
            } else if self.table(table).is_some_and(|table| !table.is_gone(row)) {
                self.read_again(arena, table, row);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{Body, PosId};

    #[test]
    fn readers_of_living_tables_outlast_the_others_in_order() {
        let mut readers = Readers::default();
        for row in 0..6 {
            for table in 0..3 {
                readers.add(NodeId(row % 2), table, row);
            }
        }
        let rows = |readers: &Readers, node: u32| -> Vec<(u32, u32)> {
            readers.of(NodeId(node)).filter(|one| one.table == 1).map(|one| (one.table, one.row)).collect()
        };
        readers.leave(0, |table| table > 0);
        assert_eq!(readers.all.len(), 18, "a third is gone: nothing is moved yet");
        readers.leave(2, |table| table == 1);
        assert_eq!((readers.all.len(), readers.dead), (6, 0));
        assert_eq!(rows(&readers, 0), [(1, 4), (1, 2), (1, 0)]);
        assert_eq!(rows(&readers, 1), [(1, 5), (1, 3), (1, 1)]);
    }

    /// Items of an array, each a map with a name, and for groups of ten a map that they share.
    fn groups(arena: &mut Arena, count: u32) -> (NodeId, Vec<NodeId>, Vec<NodeId>) {
        let (name, labels) = (arena.make_str("name"), arena.make_str("labels"));
        let (mut items, mut shared) = (Vec::new(), Vec::new());
        for number in 0..count {
            if number % 10 == 0 {
                let key = arena.make_str("team");
                let team = arena.add(Body::MapItem(key, Val::Int(i64::from(number / 10))), PosId(0));
                shared.push(arena.add(Body::Map(vec![team].into()), PosId(0)));
            }
            let last = shared[shared.len() - 1];
            let entries = vec![
                arena.add(Body::MapItem(name, Val::Int(i64::from(number))), PosId(0)),
                arena.add(Body::MapItem(labels, Val::Node(last)), PosId(0)),
            ];
            let map = arena.add(Body::Map(entries.into()), PosId(0));
            items.push(arena.add(Body::ArrayItem(Val::Node(map)), PosId(0)));
        }
        (arena.add(Body::Array(items.clone().into()), PosId(0)), items, shared)
    }

    #[test]
    fn a_table_is_dropped_only_if_a_large_part_of_it_changed() {
        let mut arena = Arena::new(10);
        let (array, items, shared) = groups(&mut arena, 100);
        let path = Path::from_iter([arena.make_str("labels"), arena.make_str("team")]);
        let mut indexes = Indexes { cheap: 2, ..Indexes::default() };
        let table = indexes.make_table(&arena, array, &[array], &path);
        let team = arena.items(shared[3])[0];
        arena.set_value(team, Val::Int(99));
        indexes.changed(&arena, team, true);
        let found: Vec<NodeId> = {
            let table = indexes.table(table).expect("a tenth changed");
            table.rows_at(&arena, Val::Int(99)).map(|row| table.row(row).item).collect()
        };
        assert_eq!(found, items[30..40]);
        assert_eq!(indexes.known(&arena, array, &path), Some(table));

        // The same map everywhere: every row depends on it.
        for &item in &items {
            let Val::Node(map) = arena.value(item) else { unreachable!("each item is a map") };
            let labels = arena.items(map)[1];
            arena.set_value(labels, Val::Node(shared[3]));
            indexes.changed(&arena, labels, true);
        }
        indexes.changed(&arena, team, true);
        assert!(indexes.table(table).is_none());
        assert_eq!(indexes.known(&arena, array, &path), None);
        assert!(matches!(indexes.ask(&arena, array, &path), Asked::NotYet));
    }

    #[test]
    fn an_item_that_stands_twice_has_no_row_of_its_own() {
        let mut arena = Arena::new(10);
        let item = arena.add(Body::ArrayItem(Val::Int(1)), PosId(0));
        let other = arena.add(Body::ArrayItem(Val::Int(2)), PosId(0));
        let array = arena.add(Body::Array(vec![item, other, item].into()), PosId(0));
        let mut indexes = Indexes::default();
        let table = indexes.make_table(&arena, array, &[array], &Path::new());
        assert_eq!((indexes.row_of(table, item), indexes.row_of(table, other)), (None, Some(1)));
        indexes.take_row(table, item);
        assert!(indexes.table(table).is_none(), "which row is gone is not known");
    }
}
