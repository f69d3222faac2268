//! Indexes that keep many look-ups linear: keys of a map, a leaf at one path in each item of a list.
//!
//! They give the same items as a scan, in left order, and are made only from the second look-up on and above a few
//! items. They live as long as one application. What they read may be changed from anywhere (another path to a shared
//! node, `overlay.apply` in a function), so the arena records changed nodes, and each look-up first re-reads what
//! depends on them.

mod table;

use std::collections::{HashMap, HashSet};

use super::annotation::Kind;
use super::engine::{Engine, Right};
use super::failure::Failure;
use super::hash::hash_of;
use super::matcher::{Candidate, Test, key_value};
use super::select::{Found, UNKNOWN};
use crate::yaml::duplicates::same_key;
use crate::yaml::{Arena, Body, NodeId, Val};

#[cfg(test)]
pub(super) use table::EAGER;
pub(super) use table::Indexes;
use table::{LeafTable, WHOLE};

/// Paths of one `subset` target that are indexed.
const PATHS: usize = 4;
/// Stands for the documents of all left sets.
const DOCUMENTS: NodeId = NodeId(u32::MAX);

impl Engine<'_> {
    /// Begins to listen to changes.
    fn listen(&mut self) {
        if !self.indexes.listening {
            self.indexes.listening = true;
            let read = self.arena_mut().listen();
            self.indexes.read = read;
        }
    }

    /// Ends listening; indexes are of no use afterwards.
    pub(super) fn unlisten(&mut self) {
        if self.indexes.listening {
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
        if !self.indexes.listening {
            return;
        }
        let arena = self.calls.arena().borrow();
        let changed = arena.changed();
        let indexes = &mut self.indexes;
        for &node in &changed[indexes.read.min(changed.len())..] {
            indexes.changed(&arena, node, known != Some(node));
        }
        indexes.read = changed.len();
    }

    // Edits of lists, after they were made.

    pub(super) fn pushed(&mut self, container: NodeId, item: NodeId) {
        if !self.indexes.listening {
            return;
        }
        {
            let arena = self.calls.arena().borrow();
            let indexes = &mut self.indexes;
            if let Some(keys) = indexes.keys.get_mut(&container) {
                keys.entry(hash_of(&arena, arena.key(item))).or_default().push(item);
            }
            let is_set = matches!(arena.get(container).body, Body::Set(_));
            for table in indexes.tables_of(container) {
                indexes.add_row(&arena, table, 0, item);
            }
            // The new document may stand before others: it goes behind the one before it.
            if is_set {
                let before = arena.items(container).iter().rev().nth(1).copied();
                for table in indexes.tables_of(DOCUMENTS) {
                    match before {
                        Some(before) => indexes.insert_row(&arena, table, item, before, false),
                        None => indexes.drop_table(table),
                    }
                }
            }
        }
        self.follow(Some(container));
    }

    /// `item` was put before or behind `beside`.
    pub(super) fn inserted(&mut self, container: NodeId, item: NodeId, beside: NodeId, before: bool) {
        if !self.indexes.listening {
            return;
        }
        {
            let arena = self.calls.arena().borrow();
            let indexes = &mut self.indexes;
            let list = if matches!(arena.get(container).body, Body::Set(_)) { DOCUMENTS } else { container };
            for table in indexes.tables_of(list) {
                indexes.insert_row(&arena, table, item, beside, before);
            }
        }
        self.follow(Some(container));
    }

    pub(super) fn replaced(&mut self, container: NodeId, old: NodeId, new: NodeId) {
        if !self.indexes.listening {
            return;
        }
        {
            let arena = self.calls.arena().borrow();
            let indexes = &mut self.indexes;
            let same_key = same_key(&arena, arena.key(old), arena.key(new));
            match indexes.keys.get_mut(&container) {
                Some(keys) if same_key => {
                    let handles = keys.entry(hash_of(&arena, arena.key(old))).or_default();
                    match handles.iter().filter(|handle| **handle == old).count() {
                        1 => handles.iter_mut().filter(|handle| **handle == old).for_each(|handle| *handle = new),
                        // One of several places of the same item: which one is not known here.
                        _ => {
                            indexes.keys.remove(&container);
                        }
                    }
                }
                _ => {
                    indexes.keys.remove(&container);
                }
            }
            let list = if matches!(arena.get(container).body, Body::Set(_)) { DOCUMENTS } else { container };
            for table in indexes.tables_of(list) {
                indexes.replace_row(&arena, table, old, new);
            }
        }
        self.follow(Some(container));
    }

    pub(super) fn taken(&mut self, container: NodeId, items: &[NodeId]) {
        if !self.indexes.listening {
            return;
        }
        {
            let arena = self.calls.arena().borrow();
            let indexes = &mut self.indexes;
            let list = if matches!(arena.get(container).body, Body::Set(_)) { DOCUMENTS } else { container };
            for &item in items {
                if let Some(keys) = indexes.keys.get_mut(&container)
                    && let Some(handles) = keys.get_mut(&hash_of(&arena, arena.key(item)))
                    && let Some(at) = handles.iter().position(|handle| *handle == item)
                {
                    handles.remove(at);
                }
                for table in indexes.tables_of(list) {
                    indexes.take_row(table, item);
                }
            }
        }
        self.follow(Some(container));
    }

    // Look-ups.

    /// Items of a map with a key, in order, if there is an index or it is time to make one.
    pub(super) fn find_key_indexed(&mut self, map: NodeId, key: Val) -> Option<Vec<NodeId>> {
        if self.arena().items(map).len() <= self.indexes.few {
            return None;
        }
        self.sync();
        if !self.indexes.keys.contains_key(&map) {
            let asked = self.indexes.asked_keys.entry(map).or_default();
            *asked += 1;
            if *asked < self.indexes.asked {
                return None;
            }
            self.listen();
            let arena = self.calls.arena().borrow();
            let mut keys: HashMap<u64, Vec<NodeId>> = HashMap::new();
            for &item in arena.items(map) {
                keys.entry(hash_of(&arena, arena.key(item))).or_default().push(item);
            }
            self.indexes.keys.insert(map, keys);
        }
        let arena = self.calls.arena().borrow();
        let handles = self.indexes.keys.get(&map)?.get(&hash_of(&arena, key));
        let items = handles.into_iter().flatten().copied();
        Some(items.filter(|item| same_key(&arena, arena.key(*item), key)).collect())
    }

    /// The matches of a matcher by an index; `None` where there is none to use.
    pub(super) fn indexed(
        &mut self,
        lefts: &[NodeId],
        test: &mut Test,
        right: &mut Right,
        kind: Kind,
    ) -> Result<Option<Vec<Found>>, Failure> {
        let count: usize = lefts.iter().map(|left| self.arena().items(*left).len()).sum();
        if count <= self.indexes.few {
            return Ok(None);
        }
        if let Test::Key(key) = test {
            return self.find_leaf(lefts, *key, test, right, kind);
        }
        let Some((rows, _)) = self.candidates(lefts, test, kind) else {
            return Ok(None);
        };
        let mut found = rows;
        let mut before = Vec::new();
        if !needs_no_index(test) {
            self.resolve(lefts, &mut found);
            let mut sum = 0;
            for left in lefts {
                before.push(sum);
                sum += self.arena().items(*left).len() as i64;
            }
        }
        let mut matched = Vec::new();
        for one in found {
            let first = match (kind, before.get(one.set as usize)) {
                (Kind::MapItem, _) => self.arena().key(one.item),
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

    /// `map_key` as the whole matcher: the errors of a scan, in its order, then the look-up.
    fn find_leaf(
        &mut self,
        lefts: &[NodeId],
        key: Val,
        test: &Test,
        right: &mut Right,
        kind: Kind,
    ) -> Result<Option<Vec<Found>>, Failure> {
        let Some(table) = self.table(lefts, &[key], kind) else {
            return Ok(None);
        };
        let (bad, first, new) = {
            let (arena, table) = (self.arena(), self.indexes.tables[table as usize].as_ref());
            let Some(table) = table else {
                return Ok(None);
            };
            let first = lefts.iter().find_map(|left| arena.items(*left).first().copied());
            let bad = table.bad.values().next().map(|row| table.rows[*row as usize].item);
            (bad, first, key_value(&arena, arena.value(right.node), key))
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
        let rows = self.rows_at(table, new);
        let mut found = Vec::new();
        for one in rows {
            let candidate = Candidate { first: Val::Null, item: one.item };
            if self.matches(&mut test.clone(), candidate, right)? {
                found.push(one);
            }
        }
        Ok(Some(found))
    }

    /// Rows that may have that value at the path, in left order.
    fn rows_at(&self, table: u32, value: Val) -> Vec<Found> {
        let arena = self.arena();
        let Some(table) = &self.indexes.tables[table as usize] else {
            return Vec::new();
        };
        let found = |row: &u32| {
            let row = table.rows[*row as usize];
            Found { set: row.set, place: UNKNOWN, item: row.item }
        };
        match value {
            Val::Node(_) | Val::Plain(_) => table.collections.values().map(found).collect(),
            leaf => table.by_leaf.get(&hash_of(&arena, leaf)).into_iter().flatten().map(found).collect(),
        }
    }

    /// How many rows [`Engine::rows_at`] gives.
    fn count_at(&self, table: u32, value: Val) -> usize {
        match (&self.indexes.tables[table as usize], value) {
            (Some(table), Val::Node(_) | Val::Plain(_)) => table.collections.len(),
            (Some(table), leaf) => table.by_leaf.get(&hash_of(&self.arena(), leaf)).map_or(0, Vec::len),
            (None, _) => 0,
        }
    }

    /// Left items outside of which the matcher takes none, if an index can tell, in left order; and a table of the list.
    fn candidates(&mut self, lefts: &[NodeId], test: &mut Test, kind: Kind) -> Option<(Vec<Found>, u32)> {
        match test {
            Test::Subset(target) => {
                let wanted = self.target(target).ok()?;
                let leaves = leaves(&self.arena(), wanted);
                let mut best: Option<(usize, u32, Val)> = None;
                for (path, leaf) in leaves {
                    let Some(table) = self.table(lefts, &path, kind) else {
                        continue;
                    };
                    let count = self.count_at(table, leaf);
                    if best.is_none_or(|(least, ..)| count < least) {
                        best = Some((count, table, leaf));
                    }
                }
                best.map(|(_, table, leaf)| (self.rows_at(table, leaf), table))
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
                let rows = self.indexes.in_order(table, &items);
                Some((rows.unwrap_or_else(|| self.places_of(lefts, &items)), table))
            }
            _ => None,
        }
    }

    /// Each place at which one of the items stands, in left order.
    fn places_of(&self, lefts: &[NodeId], wanted: &HashSet<NodeId>) -> Vec<Found> {
        let (arena, mut found) = (self.arena(), Vec::new());
        for (set, &left) in lefts.iter().enumerate() {
            for (place, &item) in arena.items(left).iter().enumerate() {
                if wanted.contains(&item) {
                    found.push(Found { set: set as u32, place: place as u32, item });
                }
            }
        }
        found
    }

    /// Whether a matcher gives a bool for every left item, whatever it is.
    fn cannot_fail(&mut self, test: &mut Test, kind: Kind) -> bool {
        match test {
            Test::All => true,
            Test::Index(_) => kind != Kind::MapItem,
            Test::Subset(target) => self.target(target).is_ok(),
            Test::And(tests) | Test::Or(tests) => tests.iter_mut().all(|test| self.cannot_fail(test, kind)),
            Test::Not(test) => self.cannot_fail(test, kind),
            Test::Key(_) | Test::Function(_) | Test::Uncallable(..) => false,
        }
    }

    /// The table of a path over a list, if there is one or it is time to make it.
    fn table(&mut self, lefts: &[NodeId], path: &[Val], kind: Kind) -> Option<u32> {
        self.sync();
        let list = if kind == Kind::Document { DOCUMENTS } else { *lefts.first()? };
        let id = (list, path_text(&self.arena(), path));
        if let Some(table) = self.indexes.leaves.get(&id) {
            return Some(*table);
        }
        let asked = self.indexes.asked_leaves.entry(id.clone()).or_default();
        *asked += 1;
        if *asked < self.indexes.asked {
            return None;
        }
        self.listen();
        let arena = self.calls.arena().borrow();
        let indexes = &mut self.indexes;
        let table = indexes.tables.len() as u32;
        indexes.tables.push(Some(LeafTable::new(id.clone(), path.to_vec())));
        for (set, left) in lefts.iter().enumerate() {
            for &item in arena.items(*left) {
                indexes.add_row(&arena, table, set as u32, item);
            }
            // An edit of the list by others makes the table useless.
            indexes.readers.entry(*left).or_default().push((table, WHOLE));
        }
        indexes.lists.entry(list).or_default().push(table);
        indexes.leaves.insert(id, table);
        Some(table)
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

/// A path as one text; keys are told apart by a character that they rarely have, lengths make it certain.
fn path_text(arena: &Arena, path: &[Val]) -> Box<str> {
    let mut text = String::new();
    for key in path {
        let key = arena.str(*key).unwrap_or_default();
        text.push_str(&format!("{}:{key}/", key.len()));
    }
    text.into()
}

/// Scalar leaves of a `subset` target that are reached by string keys, with their paths.
fn leaves(arena: &Arena, target: Val) -> Vec<(Vec<Val>, Val)> {
    let mut found = Vec::new();
    let mut open = vec![(Vec::new(), target)];
    while let Some((path, value)) = open.pop() {
        let Val::Node(map) = value else {
            if !path.is_empty() && !matches!(value, Val::Plain(_)) && found.len() < PATHS {
                found.push((path, value));
            }
            continue;
        };
        if matches!(arena.get(map).body, Body::Map(_)) && path.len() < PATHS {
            for (key, value) in arena.entries(map).take(PATHS) {
                if arena.str(key).is_some() {
                    let mut path = path.clone();
                    path.push(key);
                    open.push((path, value));
                }
            }
        }
    }
    found
}
