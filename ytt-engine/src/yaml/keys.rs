//! Hashes of scalars and keys, and the items of one map by their keys.

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::LazyLock;

use hashbrown::{DefaultHashBuilder, HashTable};

use super::arena::{Arena, NodeId, Val};
use super::duplicates::same_key;
use crate::source::to_u32;

/// Maps up to that size are searched; larger ones are hashed.
pub(super) const SEARCHED: usize = 16;

/// A hash that agrees with [`same_key`], another one in each process. `None`: the key holds a NaN, so it equals nothing.
pub(crate) fn hash_of(arena: &Arena, key: Val) -> Option<u64> {
    static STATE: LazyLock<DefaultHashBuilder> = LazyLock::new(DefaultHashBuilder::default);
    let mut hasher = STATE.build_hasher();
    hash_key(arena, key, &mut hasher).then(|| hasher.finish())
}

/// Hashes a key, and the number of its kind but for text, which most keys are. False: it holds a NaN.
fn hash_key(arena: &Arena, key: Val, hasher: &mut impl Hasher) -> bool {
    match key {
        Val::Null => hasher.write_u8(0),
        Val::Bool(value) => (1_u8, value).hash(hasher),
        Val::Int(value) => (2_u8, value).hash(hasher),
        Val::UInt(value) => (3_u8, value).hash(hasher),
        Val::Float(value) if value.is_nan() => return false,
        // Both zeros are equal.
        Val::Float(value) => (4_u8, (value + 0.0).to_bits()).hash(hasher),
        Val::Str { .. } | Val::Bytes(_) => hasher.write(arena.text_bytes(key).unwrap_or_default()),
        Val::Node(id) => {
            let items = arena.items(id);
            (6_u8, items.len()).hash(hasher);
            return items.iter().all(|&item| {
                arena.get(item).pos.hash(hasher);
                hash_key(arena, arena.key(item), hasher) && hash_key(arena, arena.value(item), hasher)
            });
        }
        Val::Raw(_) => hasher.write_u8(7),
    }
    true
}

/// The hash of what is a hash already.
#[derive(Default)]
pub(crate) struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    /// Only numbers of 64 bits are hashed: of another key each byte takes part.
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// What stands under keys: items of one map, or their places in it. Whoever changes the map or a key tells it.
#[derive(Clone, Debug)]
pub(crate) struct KeyTable<T = NodeId>(HashTable<Entry<T>>);

/// Eight bytes, so half of the hash has to do.
#[derive(Clone, Copy, Debug)]
struct Entry<T> {
    hash: u32,
    what: T,
}

impl<T> Entry<T> {
    fn whole_hash(&self) -> u64 {
        widened(self.hash)
    }
}

/// The half of a hash that is kept.
#[allow(clippy::cast_possible_truncation, reason = "each half of a hash is one")]
fn half(hash: u64) -> u32 {
    hash as u32
}

/// The table looks at the lowest bits of a hash and at the highest ones.
fn widened(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

impl<T> Default for KeyTable<T> {
    fn default() -> KeyTable<T> {
        KeyTable(HashTable::new())
    }
}

impl<T: Copy + PartialEq> KeyTable<T> {
    pub(crate) fn with_capacity(count: usize) -> KeyTable<T> {
        KeyTable(HashTable::with_capacity(count))
    }

    /// Adds what stands under a key, beside others that do.
    pub(crate) fn put(&mut self, arena: &Arena, key: Val, what: T) {
        if let Some(hash) = hash_of(arena, key) {
            let entry = Entry { hash: half(hash), what };
            self.0.insert_unique(entry.whole_hash(), entry, Entry::whole_hash);
        }
    }

    /// What stands under a key, in no certain order. `key_of` gives the key under which something was put.
    pub(crate) fn under<'a>(
        &'a self,
        arena: &'a Arena,
        key: Val,
        key_of: impl Fn(T) -> Val + 'a,
    ) -> impl Iterator<Item = T> + 'a {
        let hash = hash_of(arena, key).map(half);
        let entries = hash.into_iter().flat_map(|hash| self.0.iter_hash(widened(hash)));
        let same_hash = entries.filter(move |entry| Some(entry.hash) == hash).map(|entry| entry.what);
        same_hash.filter(move |what| same_key(arena, key_of(*what), key))
    }
}

impl KeyTable {
    /// A table of all items of a map.
    pub(crate) fn of(arena: &Arena, items: &[NodeId]) -> KeyTable {
        let mut table = KeyTable::with_capacity(items.len());
        items.iter().for_each(|item| table.add(arena, *item));
        table
    }

    /// Adds an item, beside others with its key.
    pub(crate) fn add(&mut self, arena: &Arena, item: NodeId) {
        self.put(arena, arena.key(item), item);
    }

    /// The items with a key, in no certain order.
    pub(crate) fn find<'a>(&'a self, arena: &'a Arena, key: Val) -> impl Iterator<Item = NodeId> + 'a {
        self.under(arena, key, |item| arena.key(item))
    }

    /// Removes an item once, if it is there.
    pub(crate) fn remove(&mut self, arena: &Arena, item: NodeId) {
        let hash = hash_of(arena, arena.key(item)).map(|hash| widened(half(hash)));
        if let Some(Ok(entry)) = hash.map(|hash| self.0.find_entry(hash, |one| one.what == item)) {
            entry.remove();
        }
    }
}

/// Finds items of a map that does not change: by hash when there are many.
pub(crate) struct MapIndex(Option<KeyTable<u32>>);

impl MapIndex {
    pub(crate) fn new(arena: &Arena, map: NodeId) -> MapIndex {
        let items = arena.items(map);
        MapIndex((items.len() > SEARCHED).then(|| {
            let mut table = KeyTable::with_capacity(items.len());
            items.iter().enumerate().for_each(|(at, item)| table.put(arena, arena.key(*item), to_u32(at)));
            table
        }))
    }

    /// Place of the first item with that key; items that were added since are not looked at.
    #[allow(clippy::indexing_slicing, reason = "the map does not change while there is an index")]
    pub(crate) fn find(&self, arena: &Arena, map: NodeId, key: Val) -> Option<usize> {
        let items = arena.items(map);
        match &self.0 {
            Some(table) => table.under(arena, key, |at| arena.key(items[at as usize])).min().map(|at| at as usize),
            None => items.iter().position(|item| same_key(arena, arena.key(*item), key)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::{Body, PosId, Raw};

    #[test]
    fn items_are_found_by_equal_keys_only() {
        let mut arena = Arena::new(10);
        let text = arena.make_str("1");
        let keys = [Val::Int(1), text, Val::Float(1.0), Val::Null, Val::Float(f64::NAN), Val::Float(0.0), Val::UInt(1)];
        let items = keys.map(|key| arena.add(Body::MapItem(key, Val::Null), PosId(0)));
        let again = arena.add(Body::MapItem(Val::Int(1), Val::Null), PosId(0));
        let mut table = KeyTable::of(&arena, &items);
        let other_text = arena.make_str("1");
        let find = |table: &KeyTable, key| table.find(&arena, key).collect::<Vec<_>>();
        assert_eq!(find(&table, other_text), [items[1]]);
        assert_eq!(find(&table, Val::Float(-0.0)), [items[5]]);
        assert_eq!(find(&table, Val::Float(f64::NAN)), []);
        assert_eq!(find(&table, Val::Bool(true)), []);
        table.add(&arena, again);
        table.add(&arena, again);
        let mut ones = find(&table, Val::Int(1));
        ones.sort();
        assert_eq!(ones, [items[0], again, again]);
        table.remove(&arena, again);
        table.remove(&arena, items[0]);
        table.remove(&arena, items[0]);
        assert_eq!(find(&table, Val::Int(1)), [again]);
    }

    #[test]
    fn equal_keys_have_equal_hashes() {
        let mut arena = Arena::new(10);
        let (a, other_a, b) = (arena.make_str("a"), arena.make_str("a"), arena.make_str("b"));
        let scalars = [
            Val::Null,
            Val::Bool(true),
            Val::Int(1),
            Val::UInt(1),
            Val::Float(1.0),
            Val::Float(0.0),
            Val::Float(-0.0),
            Val::Float(f64::NAN),
            a,
            other_a,
            b,
        ];
        let mut keys = scalars.to_vec();
        for value in scalars {
            // Items on one place or two, in maps and arrays, and in raw lists.
            for pos in [PosId(1), PosId(1), PosId(2)] {
                let in_map = arena.add(Body::MapItem(a, value), pos);
                let in_array = arena.add(Body::ArrayItem(value), pos);
                keys.push(Val::Node(arena.add(Body::Map(vec![in_map].into()), PosId(0))));
                keys.push(Val::Node(arena.add(Body::Array(vec![in_array].into()), PosId(0))));
            }
            keys.push(arena.add_raw(Raw::List(vec![value, a])));
        }
        let mut equal = 0;
        for &one in &keys {
            for &other in &keys {
                if same_key(&arena, one, other) {
                    assert!(hash_of(&arena, one).is_some(), "{one:?}");
                    assert_eq!(hash_of(&arena, one), hash_of(&arena, other), "{one:?} and {other:?}");
                    equal += 1;
                }
            }
        }
        assert!(equal > keys.len() + 20, "{equal}");
    }
}
