//! Indexes that keep many look-ups linear: items of a map by their keys, items of a list by the leaf at one path.
//!
//! An index says which items a scan would have to look at, in no order, and is made only from the second look-up on and
//! above a few items. All live as long as one application. What they were read from may be changed from anywhere (another
//! path to a shared node, `overlay.apply` in a function), so the arena records changed nodes, and each look-up first
//! reads again what depends on them. What cannot be told from a changed node is not followed: the index is dropped, and
//! made again when it is asked for again. So it is where others changed the list itself, and where rows share a node.

use std::cell::RefCell;
use std::hash::BuildHasherDefault;

use hashbrown::HashMap;
use smallvec::SmallVec;

use super::compare::key_value;
use crate::yaml::keys::{AsIs, KeyTable, hash_of};
use crate::yaml::{Arena, Body, NodeId, Val};

/// Below this many items a scan is as good.
const FEW: usize = 16;
/// Look-ups of one kind in one list before an index is made.
const ASKED: u32 = 2;
/// Paths of one list that are indexed.
const PATHS: usize = 8;

/// Paths are short: this is the greatest number of keys of one.
pub(super) const DEEPEST: usize = 4;
/// Keys from an item of a list down to a leaf.
pub(super) type Path = SmallVec<[Val; DEEPEST]>;
/// Numbers of rows of one list; most often one.
pub(super) type Rows = SmallVec<[u32; 2]>;

/// The indexes of one application.
#[derive(Debug)]
pub(super) struct Indexes {
    /// Lists of at most that length are not worth an index.
    few: usize,
    /// With which look-up of one kind in one list an index is made.
    asked: u32,
    /// How much of the arena's record of changed nodes was read; `None` before there is an index.
    read: Option<usize>,
    keys: HashMap<NodeId, Keys>,
    /// The lists with an index, by what stands for them.
    numbers: HashMap<NodeId, u32>,
    lists: Vec<Option<List>>,
    /// How often a leaf was looked for that has no index: by list and path.
    leaves_asked: HashMap<(NodeId, u64), u32>,
    /// What the indexes were read from.
    readers: HashMap<NodeId, Reader>,
}

#[cfg(test)]
thread_local! {
    /// Tests use indexes for everything, or as usual, and compare.
    pub(super) static EAGER: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
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
            read: None,
            keys: HashMap::new(),
            numbers: HashMap::new(),
            lists: Vec::new(),
            leaves_asked: HashMap::new(),
            readers: HashMap::new(),
        }
    }
}

/// The items of a map by their keys, and how often they were asked for.
#[derive(Debug, Default)]
struct Keys {
    asked: u32,
    table: Option<KeyTable>,
}

/// A list of items, and its leaves at some paths.
#[derive(Debug)]
pub(super) struct List {
    /// What stands for it: the container, or one number for all documents.
    id: NodeId,
    /// The containers of which it consists, by their numbers.
    sets: HashMap<NodeId, u32>,
    rows: Vec<Row>,
    tables: Vec<LeafTable>,
}

/// An item of a list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) item: NodeId,
    /// The number of its container.
    pub(super) set: u32,
    /// How often it stands there: most often once.
    pub(super) times: u32,
}

/// The rows of a list by what is at one path. A row may also be under what was there before.
#[derive(Debug)]
struct LeafTable {
    path: Path,
    /// What is at the path now, for each row.
    leaves: Vec<u64>,
    rows: HashMap<u64, Rows, BuildHasherDefault<AsIs>>,
}

/// Instead of the hash of a leaf: the row is no longer in the list.
const GONE: u64 = 0;
/// There is no value at the path, for the item or what is above it is no map.
const MISSING: u64 = 1;
/// A map or array.
const COLLECTION: u64 = 2;

/// Which row was read from a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reader {
    list: u32,
    row: u32,
}

/// Instead of the number of a row: the list itself is the node.
const WHOLE: u32 = u32::MAX;
/// Rows of several lists, or several rows of one.
const SEVERAL: u32 = u32::MAX - 1;

impl Indexes {
    /// Whether lists of these lengths are worth an index.
    pub(super) fn are_many(&self, mut counts: impl Iterator<Item = usize>) -> bool {
        let mut sum = 0;
        // There may be as many files as overlays, so they are not all counted for each.
        counts.any(|count| {
            sum += count;
            sum > self.few
        })
    }

    // Following changes.

    /// Begins to listen to changes.
    fn listen(&mut self, arena: &RefCell<Arena>) {
        if self.read.is_none() {
            self.read = Some(arena.borrow_mut().listen());
        }
    }

    /// Ends listening; all indexes are dropped.
    pub(super) fn unlisten(&mut self, arena: &RefCell<Arena>) {
        if std::mem::take(self).read.is_some() {
            // A panic on its way out may have left the arena borrowed.
            if let Ok(mut arena) = arena.try_borrow_mut() {
                arena.unlisten();
            }
        }
    }

    /// Brings the indexes up to date with what was changed. An edit of the list `own` was told already.
    pub(super) fn follow(&mut self, arena: &Arena, own: Option<NodeId>) {
        let Some(read) = self.read else {
            return;
        };
        let (changed, mut last) = (arena.changed(), None);
        for &node in &changed[read.min(changed.len())..] {
            // Value and place of an item are set one after the other.
            if last.replace(node) != Some(node) {
                self.changed(arena, node, own == Some(node));
            }
        }
        self.read = Some(changed.len());
    }

    fn changed(&mut self, arena: &Arena, node: NodeId, own: bool) {
        if !own {
            self.keys.remove(&node);
        }
        match self.readers.get(&node).copied() {
            None => {}
            Some(Reader { row: WHOLE, .. }) if own => {}
            Some(Reader { list, row: WHOLE }) => self.drop_list(list),
            Some(Reader { row: SEVERAL, .. }) => {
                (0..self.lists.len() as u32).for_each(|list| self.drop_list(list));
            }
            Some(Reader { list, row }) => self.read_row(arena, list, row),
        }
    }

    fn drop_list(&mut self, number: u32) {
        if let Some(list) = self.lists[number as usize].take() {
            self.numbers.remove(&list.id);
        }
        if self.numbers.is_empty() {
            self.readers.clear();
        }
    }

    /// Reads all leaves of a row, and notes what they were read from.
    fn read_row(&mut self, arena: &Arena, number: u32, row: u32) {
        let paths = self.lists[number as usize].as_ref().map_or(0, |list| list.tables.len());
        (0..paths).for_each(|table| self.read_leaf(arena, number, table, row));
    }

    fn read_leaf(&mut self, arena: &Arena, number: u32, table: usize, row: u32) {
        let Some(list) = &mut self.lists[number as usize] else {
            return;
        };
        let Row { item, times, .. } = list.rows[row as usize];
        let table = &mut list.tables[table];
        let mut nodes: SmallVec<[NodeId; 2 * DEEPEST + 1]> = SmallVec::new();
        let leaf = if times == 0 { GONE } else { leaf_at(arena, item, &table.path, &mut nodes) };
        table.set(row, leaf);
        for node in nodes {
            self.note_reader(node, Reader { list: number, row });
        }
    }

    fn note_reader(&mut self, node: NodeId, reader: Reader) {
        let known = self.readers.entry(node).or_insert(reader);
        if *known == reader {
            return;
        }
        let lives = self.lists[known.list as usize].as_ref().is_some_and(|list| {
            let row = list.rows.get(known.row as usize);
            row.is_none_or(|row| row.times > 0)
        });
        *known = if lives { Reader { row: SEVERAL, ..reader } } else { reader };
    }

    // Keys of maps.

    /// The items of a map with a key, in no certain order, if there is an index or it is time to make one.
    pub(super) fn items_with_key(
        &mut self,
        arena: &RefCell<Arena>,
        map: NodeId,
        key: Val,
    ) -> Option<SmallVec<[NodeId; 2]>> {
        if arena.borrow().count(map) <= self.few {
            return None;
        }
        self.follow(&arena.borrow(), None);
        let keys = self.keys.entry(map).or_default();
        if keys.table.is_none() {
            keys.asked += 1;
            if keys.asked < self.asked {
                return None;
            }
            keys.table = Some(KeyTable::of(&arena.borrow(), arena.borrow().items(map)));
            self.listen(arena);
        }
        let table = self.keys.get(&map)?.table.as_ref()?;
        Some(table.find(&arena.borrow(), key).collect())
    }

    fn keys_of(&mut self, map: NodeId) -> Option<&mut KeyTable> {
        self.keys.get_mut(&map)?.table.as_mut()
    }

    // Leaves of lists.

    /// The number of the index of a list by a path, if there is one or `make` and it is time to make one. `id` stands for
    /// the items of all of `lefts`.
    pub(super) fn table(
        &mut self,
        arena: &RefCell<Arena>,
        id: NodeId,
        lefts: &[NodeId],
        path: &[Val],
        make: bool,
    ) -> Option<LeafIndex> {
        let arena_ref = arena.borrow();
        let same = |known: &LeafTable| {
            known.path.len() == path.len() && known.path.iter().zip(path).all(|(a, b)| arena_ref.same(*a, *b))
        };
        let known = self.numbers.get(&id).copied();
        let list = known.and_then(|list| Some((list, self.lists[list as usize].as_ref()?)));
        if let Some((list, tables)) = list.map(|(number, list)| (number, &list.tables))
            && let Some(table) = tables.iter().position(same)
        {
            return Some(LeafIndex { list, table });
        }
        if !make {
            return None;
        }
        let hash =
            path.iter().fold(0, |hash: u64, key| hash.rotate_left(5) ^ hash_of(&arena_ref, *key).unwrap_or_default());
        let asked = self.leaves_asked.entry((id, hash)).or_default();
        *asked += 1;
        if *asked < self.asked {
            return None;
        }
        *asked = 0;
        drop(arena_ref);
        self.listen(arena);
        let arena = arena.borrow();
        let list = known.unwrap_or_else(|| self.make_list(&arena, id, lefts));
        self.make_table(&arena, list, path)
    }

    fn make_list(&mut self, arena: &Arena, id: NodeId, lefts: &[NodeId]) -> u32 {
        let number = self.lists.len() as u32;
        let mut list = List { id, sets: HashMap::with_capacity(lefts.len()), rows: Vec::new(), tables: Vec::new() };
        for (set, &left) in lefts.iter().enumerate() {
            list.sets.insert(left, set as u32);
        }
        self.numbers.insert(id, number);
        self.lists.push(Some(list));
        for &left in lefts {
            self.note_reader(left, Reader { list: number, row: WHOLE });
            for &item in arena.items(left) {
                self.add_row(arena, number, left, item);
            }
        }
        number
    }

    fn make_table(&mut self, arena: &Arena, number: u32, path: &[Val]) -> Option<LeafIndex> {
        let list = self.lists[number as usize].as_mut()?;
        if list.tables.len() == PATHS {
            list.tables.remove(0);
        }
        let leaves = vec![GONE; list.rows.len()];
        list.tables.push(LeafTable { path: path.into(), leaves, rows: HashMap::default() });
        let (table, rows) = (list.tables.len() - 1, list.rows.len() as u32);
        (0..rows).for_each(|row| self.read_leaf(arena, number, table, row));
        Some(LeafIndex { list: number, table })
    }

    /// Forgets a path.
    pub(super) fn drop_table(&mut self, index: LeafIndex) {
        if let Some(list) = &mut self.lists[index.list as usize] {
            list.tables.remove(index.table);
        }
    }

    pub(super) fn list(&self, number: u32) -> Option<&List> {
        self.lists[number as usize].as_ref()
    }

    /// How many rows an index has.
    pub(super) fn len(&self, index: LeafIndex) -> usize {
        self.list(index.list).map_or(0, |list| list.rows.len())
    }

    /// About how many rows have a value at a path.
    pub(super) fn count_at(&self, arena: &Arena, index: LeafIndex, value: Val) -> Option<usize> {
        let table = &self.list(index.list)?.tables[index.table];
        Some(leaf_of(arena, value).and_then(|leaf| table.rows.get(&leaf)).map_or(0, |rows| rows.len()))
    }

    /// The rows that may have a value at a path.
    pub(super) fn rows_at(&mut self, arena: &Arena, index: LeafIndex, value: Val) -> Option<Rows> {
        let table = &mut self.lists[index.list as usize].as_mut()?.tables[index.table];
        Some(leaf_of(arena, value).map(|leaf| table.at(leaf)).unwrap_or_default())
    }

    /// Whether each row has a value at a path.
    pub(super) fn is_complete(&mut self, index: LeafIndex) -> bool {
        let list = self.lists[index.list as usize].as_mut();
        list.is_some_and(|list| list.tables[index.table].at(MISSING).is_empty())
    }

    // Edits, after they were made.

    /// Tells of an edit of a container; `taken` and `new` may be the same item.
    pub(super) fn edited(&mut self, arena: &Arena, id: NodeId, container: NodeId, taken: &[NodeId], new: &[NodeId]) {
        if self.read.is_none() {
            return;
        }
        if let Some(keys) = self.keys_of(container) {
            taken.iter().for_each(|item| keys.remove(arena, *item));
            new.iter().for_each(|item| keys.add(arena, *item));
        }
        if let Some(list) = self.numbers.get(&id).copied() {
            taken.iter().for_each(|item| self.take_row(arena, list, *item));
            new.iter().for_each(|item| self.add_row(arena, list, container, *item));
        }
        self.follow(arena, Some(container));
    }

    /// The row of an item that stands in a list, or did.
    fn row_of(&self, number: u32, item: NodeId) -> Option<u32> {
        let row = self.readers.get(&item).filter(|reader| reader.list == number)?.row;
        (self.list(number)?.rows.get(row as usize)?.item == item).then_some(row)
    }

    fn add_row(&mut self, arena: &Arena, number: u32, container: NodeId, item: NodeId) {
        if self.readers.get(&item).is_some_and(|reader| reader.row == SEVERAL) {
            return self.drop_list(number);
        }
        let known = self.row_of(number, item);
        let Some(list) = &mut self.lists[number as usize] else {
            return;
        };
        let set = list.sets.get(&container).copied();
        let row = known.unwrap_or(list.rows.len() as u32);
        match (list.rows.get_mut(row as usize), set) {
            (Some(row), Some(set)) if row.set == set || row.times == 0 => {
                *row = Row { set, times: row.times + 1, ..*row }
            }
            (None, Some(set)) => {
                list.rows.push(Row { item, set, times: 1 });
                list.tables.iter_mut().for_each(|table| table.leaves.push(GONE));
            }
            // In two containers, or in one that is not of this list.
            _ => return self.drop_list(number),
        }
        self.note_reader(item, Reader { list: number, row });
        self.read_row(arena, number, row);
    }

    fn take_row(&mut self, arena: &Arena, number: u32, item: NodeId) {
        match (self.row_of(number, item), &mut self.lists[number as usize]) {
            (Some(row), Some(list)) => {
                let times = &mut list.rows[row as usize].times;
                *times = times.saturating_sub(1);
                self.read_row(arena, number, row);
            }
            _ => self.drop_list(number),
        }
    }
}

/// An index of a list by one path: their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LeafIndex {
    pub(super) list: u32,
    table: usize,
}

impl List {
    pub(super) fn row(&self, row: u32) -> Row {
        self.rows[row as usize]
    }
}

impl LeafTable {
    /// Notes what is at the path of a row. Where it was before it is left, for [`LeafTable::at`] to find.
    fn set(&mut self, row: u32, leaf: u64) {
        let old = std::mem::replace(&mut self.leaves[row as usize], leaf);
        if old != leaf && leaf != GONE {
            self.rows.entry(leaf).or_default().push(row);
        }
    }

    /// The rows with a leaf.
    fn at(&mut self, leaf: u64) -> Rows {
        let Some(rows) = self.rows.get_mut(&leaf) else {
            return Rows::new();
        };
        rows.retain(|row| self.leaves[*row as usize] == leaf);
        // What left and came back is there twice.
        rows.sort_unstable();
        rows.dedup();
        rows.clone()
    }
}

/// What a leaf table has for a value; `None` if it equals nothing.
fn leaf_of(arena: &Arena, value: Val) -> Option<u64> {
    match value {
        Val::Node(_) | Val::Raw(_) => Some(COLLECTION),
        scalar => hash_of(arena, scalar).map(|hash| hash.max(COLLECTION + 1)),
    }
}

/// What is at a path of an item, and the nodes it was read from.
fn leaf_at(arena: &Arena, item: NodeId, path: &[Val], nodes: &mut SmallVec<[NodeId; 2 * DEEPEST + 1]>) -> u64 {
    nodes.push(item);
    let mut value = arena.value(item);
    for key in path {
        let Val::Node(map) = value else {
            // Raw dicts never change.
            match key_value(arena, value, *key) {
                Ok(inner) => value = inner,
                Err(_) => return MISSING,
            }
            continue;
        };
        nodes.push(map);
        if !matches!(arena.get(map).body, Body::Map(_)) {
            return MISSING;
        }
        let Some(entry) = arena.find(map, *key) else {
            return MISSING;
        };
        nodes.push(entry);
        value = arena.value(entry);
    }
    // A look-up for NaN finds nothing.
    leaf_of(arena, value).unwrap_or(COLLECTION)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::PosId;

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

    /// An index that is made at the first look-up.
    fn eager() -> Indexes {
        Indexes { few: 0, asked: 1, ..Indexes::default() }
    }

    fn items_at(indexes: &mut Indexes, arena: &RefCell<Arena>, index: LeafIndex, value: Val) -> Vec<(NodeId, u32)> {
        indexes.follow(&arena.borrow(), None);
        let rows = indexes.rows_at(&arena.borrow(), index, value).unwrap_or_default();
        let list = indexes.list(index.list).expect("the list has an index");
        rows.iter().map(|row| (list.row(*row).item, list.row(*row).times)).collect()
    }

    #[test]
    fn a_row_is_found_by_what_its_item_has_now() {
        let mut arena = Arena::new(10);
        let values = [Val::Int(1), Val::Null, Val::Bool(true), Val::Float(f64::NAN)];
        let items = values.map(|value| arena.add(Body::ArrayItem(value), PosId(0)));
        let array = arena.add(Body::Array(items.to_vec().into()), PosId(0));
        let (arena, mut indexes) = (RefCell::new(arena), eager());
        let index = indexes.table(&arena, array, &[array], &[], true).expect("it is asked for");
        assert_eq!(items_at(&mut indexes, &arena, index, Val::Int(1)), [(items[0], 1)]);
        assert_eq!(items_at(&mut indexes, &arena, index, Val::Float(f64::NAN)), []);
        // There and back: it is found once.
        for value in [Val::Null, Val::Int(1), Val::Null, Val::Int(1)] {
            arena.borrow_mut().set_value(items[0], value);
            assert!(items_at(&mut indexes, &arena, index, value).contains(&(items[0], 1)));
        }
        assert_eq!(items_at(&mut indexes, &arena, index, Val::Int(1)), [(items[0], 1)]);
        arena.borrow_mut().set_value(items[2], Val::Node(array));
        assert_eq!(items_at(&mut indexes, &arena, index, Val::Node(array)).len(), 2, "NaN is among the collections");
        assert_eq!(items_at(&mut indexes, &arena, index, Val::Null), [(items[1], 1)]);
    }

    #[test]
    fn edits_are_followed_and_those_of_others_drop_the_index() {
        let mut arena = Arena::new(10);
        let items: Vec<NodeId> = (0..4).map(|at| arena.add(Body::ArrayItem(Val::Int(at)), PosId(0))).collect();
        let array = arena.add(Body::Array(vec![items[0], items[1], items[0]].into()), PosId(0));
        let (arena, mut indexes) = (RefCell::new(arena), eager());
        let index = indexes.table(&arena, array, &[array], &[], true).expect("it is asked for");
        assert_eq!(items_at(&mut indexes, &arena, index, Val::Int(0)), [(items[0], 2)]);
        for (times, expected) in [(1, vec![(items[0], 1)]), (0, vec![])] {
            arena.borrow_mut().items_mut(array).remove(0);
            indexes.edited(&arena.borrow(), array, array, &items[..1], &[]);
            assert_eq!(items_at(&mut indexes, &arena, index, Val::Int(0)), expected, "{times}");
        }
        arena.borrow_mut().items_mut(array).push(items[0]);
        indexes.edited(&arena.borrow(), array, array, &[], &items[..1]);
        assert_eq!(items_at(&mut indexes, &arena, index, Val::Int(0)), [(items[0], 1)]);

        arena.borrow_mut().items_mut(array).push(items[3]);
        indexes.follow(&arena.borrow(), None);
        assert_eq!(indexes.table(&arena, array, &[array], &[], false), None);
    }

    #[test]
    fn a_change_of_a_node_that_rows_share_drops_the_index() {
        let mut arena = Arena::new(10);
        let (array, items, shared) = groups(&mut arena, 100);
        let path = [arena.make_str("labels"), arena.make_str("team")];
        let (arena, mut indexes) = (RefCell::new(arena), eager());
        let index = indexes.table(&arena, array, &[array], &path, true).expect("it is asked for");
        let found = items_at(&mut indexes, &arena, index, Val::Int(3));
        assert!(found.iter().map(|(item, _)| *item).eq(items[30..40].iter().copied()));
        assert!(indexes.is_complete(index));
        let team = arena.borrow().items(shared[3])[0];
        arena.borrow_mut().set_value(team, Val::Int(99));
        indexes.follow(&arena.borrow(), None);
        assert_eq!(indexes.table(&arena, array, &[array], &path, false), None);
        let index = indexes.table(&arena, array, &[array], &path, true).expect("it is made again");
        assert_eq!(items_at(&mut indexes, &arena, index, Val::Int(99)).len(), 10);
    }
}
