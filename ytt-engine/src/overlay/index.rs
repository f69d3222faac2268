//! Indexes that keep many look-ups linear: items of a map by their keys, items of a list by the leaf at one path.
//!
//! An index says which items a scan would have to look at, in no order, and is made only from the second look-up on and
//! above a few items. All live as long as one application. What they were read from may be changed from anywhere (another
//! path to a shared node, `overlay.apply` in a function), so the arena records changed nodes, and each look-up first
//! reads again what depends on them. What cannot be told from a changed node is not followed: the index is dropped, and
//! made again when it is asked for again. So it is where others changed the list itself, and where rows share a node.
#![allow(
    clippy::indexing_slicing,
    reason = "numbers of lists and rows are given here and stay; that of a table is asked for just before it is used"
)]

use std::cell::RefCell;
use std::hash::BuildHasherDefault;

use hashbrown::HashMap;
use smallvec::SmallVec;

use super::compare::key_value;
use crate::source::to_u32;
use crate::yaml::keys::{AsIs, KeyTable, hash_of};
use crate::yaml::{Arena, Body, NodeId, Val};

/// Below this many items a scan is as good.
const FEW: usize = 16;
/// Look-ups of one kind in one list before an index is made.
const ASKED: u32 = 2;
/// Paths of one list that are indexed.
const PATHS: usize = 8;

/// Stands for the documents of all left sets.
pub(super) const DOCUMENTS: NodeId = NodeId(u32::MAX);

/// Paths are short: this is the greatest number of keys of one.
pub(super) const DEEPEST: usize = 4;
/// Keys from an item of a list down to a leaf.
pub(super) type Path = SmallVec<[Val; DEEPEST]>;
/// Numbers of rows of one list; most often one.
pub(super) type Rows = SmallVec<[u32; 2]>;

/// The indexes of one application.
#[derive(Debug, Default)]
pub(super) struct Indexes {
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

/// What an index is made for: lists longer than the first number, with the look-up of one kind that the second one counts.
fn worth() -> (usize, u32) {
    #[cfg(test)]
    if EAGER.get() {
        return (0, 1);
    }
    (FEW, ASKED)
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
    pub(super) fn are_many(mut counts: impl Iterator<Item = usize>) -> bool {
        let mut sum = 0_usize;
        // There may be as many files as overlays, so they are not all counted for each.
        counts.any(|count| {
            sum = sum.saturating_add(count);
            sum > worth().0
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
                (0..to_u32(self.lists.len())).for_each(|list| self.drop_list(list));
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
        if arena.borrow().count(map) <= worth().0 {
            return None;
        }
        self.follow(&arena.borrow(), None);
        let keys = self.keys.entry(map).or_default();
        if keys.table.is_none() {
            keys.asked = keys.asked.saturating_add(1);
            if keys.asked < worth().1 {
                return None;
            }
            keys.table = Some(KeyTable::of(&arena.borrow(), arena.borrow().items(map)));
            self.listen(arena);
        }
        let table = self.keys.get(&map)?.table.as_ref()?;
        Some(table.find(&arena.borrow(), key).collect())
    }

    // Leaves of lists.

    /// The index of a list by a path, if there is one, or `make` and it is time to make one. `id` stands for the items of
    /// all of `lefts`.
    pub(super) fn table(
        &mut self,
        arena: &RefCell<Arena>,
        id: NodeId,
        lefts: &[NodeId],
        path: &[Val],
        make: bool,
    ) -> Option<LeafIndex> {
        let known = self.numbers.get(&id).copied();
        if let Some(list) = known
            && let Some(table) = self.list(list)?.tables.iter().position(|table| table.is_of(&arena.borrow(), path))
        {
            return Some(LeafIndex { list, table });
        }
        if !make || !self.is_time(&arena.borrow(), id, path) {
            return None;
        }
        self.listen(arena);
        let arena = arena.borrow();
        let number = known.unwrap_or_else(|| self.make_list(&arena, id, lefts));
        let list = self.lists[number as usize].as_mut()?;
        if list.tables.len() == PATHS {
            list.tables.remove(0);
        }
        let (table, rows) = (list.tables.len(), list.rows.len());
        list.tables.push(LeafTable { path: path.into(), leaves: vec![GONE; rows], rows: HashMap::default() });
        (0..to_u32(rows)).for_each(|row| self.read_leaf(&arena, number, table, row));
        Some(LeafIndex { list: number, table })
    }

    /// Notes that a leaf was looked for without an index. True: it is time to make one.
    fn is_time(&mut self, arena: &Arena, id: NodeId, path: &[Val]) -> bool {
        let hash = path.iter().fold(0, |hash: u64, key| hash.rotate_left(5) ^ hash_of(arena, *key).unwrap_or_default());
        let asked = self.leaves_asked.entry((id, hash)).or_default();
        *asked = asked.saturating_add(1);
        let is_time = *asked >= worth().1;
        if is_time {
            *asked = 0;
        }
        is_time
    }

    fn make_list(&mut self, arena: &Arena, id: NodeId, lefts: &[NodeId]) -> u32 {
        let number = to_u32(self.lists.len());
        let sets = lefts.iter().enumerate().map(|(set, left)| (*left, to_u32(set))).collect();
        self.numbers.insert(id, number);
        self.lists.push(Some(List { id, sets, rows: Vec::new(), tables: Vec::new() }));
        for &left in lefts {
            self.note_reader(left, Reader { list: number, row: WHOLE });
            arena.items(left).iter().for_each(|item| self.add_row(arena, number, left, *item));
        }
        number
    }

    /// Forgets a path, and what was read for it alone: a node that many rows share would else drop the list at each change.
    pub(super) fn drop_table(&mut self, arena: &Arena, index: LeafIndex) {
        let Some(list) = &mut self.lists[index.list as usize] else { return };
        list.tables.remove(index.table);
        // What other lists have read cannot be told apart from it.
        if self.numbers.len() == 1 {
            let (lefts, rows): (Vec<NodeId>, _) = (list.sets.keys().copied().collect(), list.rows.len());
            self.readers.clear();
            lefts.into_iter().for_each(|left| self.note_reader(left, Reader { list: index.list, row: WHOLE }));
            (0..to_u32(rows)).for_each(|row| self.read_row(arena, index.list, row));
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

    /// Tells of an edit of a container: which items are gone, and which are new.
    pub(super) fn edited(&mut self, arena: &Arena, container: NodeId, taken: &[NodeId], new: &[NodeId]) {
        if self.read.is_none() {
            return;
        }
        let id = if matches!(arena.get(container).body, Body::Set(_)) { DOCUMENTS } else { container };
        if let Some(keys) = self.keys.get_mut(&container).and_then(|keys| keys.table.as_mut()) {
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
        let row = known.unwrap_or(to_u32(list.rows.len()));
        match (list.rows.get_mut(row as usize), set) {
            (Some(row), Some(set)) if row.set == set || row.times == 0 => {
                *row = Row { set, times: row.times.saturating_add(1), ..*row }
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
    fn is_of(&self, arena: &Arena, path: &[Val]) -> bool {
        self.path.len() == path.len() && self.path.iter().zip(path).all(|(a, b)| arena.same(*a, *b))
    }

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
