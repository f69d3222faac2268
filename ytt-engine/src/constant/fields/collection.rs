//! Which types arrays and maps of the YAML become.

use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::vec::Vec;
#[cfg(feature = "std")]
use core::hash::{BuildHasher, Hash};
#[cfg(feature = "std")]
use std::collections::{HashMap, HashSet};

/// A type that holds the items of an array.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold this array of the YAML",
    label = "this is `{Self}`, the YAML has an array",
    note = "a type of this crate can implement `List` and `Items`; for others write `as serde` instead of `as fields`"
)]
pub trait List {
    /// Its items.
    type Item;

    /// Removes all items.
    fn clear(&mut self);

    /// Adds an item at the end.
    fn push(&mut self, item: Self::Item);
}

/// A [`List`] whose last item can be changed where it is.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold this array of maps or arrays of the YAML",
    label = "in a `{Self}` items cannot be filled",
    note = "a type of this crate can implement `List` and `Items`; for others write `as serde` instead of `as fields`"
)]
pub trait Items: List {
    /// Adds an item at the end and gives it.
    fn grow(&mut self, item: Self::Item) -> &mut Self::Item;
}

/// A type that holds the entries of a map.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no map with keys of its own",
    label = "this is `{Self}`",
    note = "a type of this crate can implement `Table`; for others write `as serde` instead of `as fields`"
)]
pub trait Table {
    /// Its keys.
    type Key;
    /// Its values.
    type Value;

    /// Removes all entries.
    fn clear(&mut self);

    /// Sets the value of a key.
    fn insert(&mut self, key: Self::Key, value: Self::Value);

    /// The value of a key, `Default::default()` if it had none.
    fn entry(&mut self, key: Self::Key) -> &mut Self::Value
    where
        Self::Value: Default;
}

impl<T> List for Vec<T> {
    type Item = T;

    fn clear(&mut self) {
        self.clear();
    }

    fn push(&mut self, item: T) {
        self.push(item);
    }
}

impl<T> Items for Vec<T> {
    fn grow(&mut self, item: T) -> &mut T {
        let last = self.len();
        self.push(item);
        &mut self[last]
    }
}

impl<T> List for VecDeque<T> {
    type Item = T;

    fn clear(&mut self) {
        self.clear();
    }

    fn push(&mut self, item: T) {
        self.push_back(item);
    }
}

impl<T> Items for VecDeque<T> {
    fn grow(&mut self, item: T) -> &mut T {
        let last = self.len();
        self.push_back(item);
        &mut self[last]
    }
}

impl<T: Ord> List for BTreeSet<T> {
    type Item = T;

    fn clear(&mut self) {
        self.clear();
    }

    fn push(&mut self, item: T) {
        self.insert(item);
    }
}

impl<K: Ord, V> Table for BTreeMap<K, V> {
    type Key = K;
    type Value = V;

    fn clear(&mut self) {
        self.clear();
    }

    fn insert(&mut self, key: K, value: V) {
        self.insert(key, value);
    }

    fn entry(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        self.entry(key).or_default()
    }
}

#[cfg(feature = "std")]
impl<T: Eq + Hash, S: BuildHasher> List for HashSet<T, S> {
    type Item = T;

    fn clear(&mut self) {
        self.clear();
    }

    fn push(&mut self, item: T) {
        self.insert(item);
    }
}

#[cfg(feature = "std")]
impl<K: Eq + Hash, V, S: BuildHasher> Table for HashMap<K, V, S> {
    type Key = K;
    type Value = V;

    fn clear(&mut self) {
        self.clear();
    }

    fn insert(&mut self, key: K, value: V) {
        self.insert(key, value);
    }

    fn entry(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        self.entry(key).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constant::fields::{YamlInt, YamlNull, YamlText, add, entry, item, list, map, put, set};

    fn two<L: List<Item = Option<u8>> + Default>() -> L {
        let mut made = L::default();
        made.push(Some(9));
        let items = list(&mut made);
        add(YamlInt::<2, 7>, items);
        add(YamlNull, items);
        made
    }

    #[test]
    fn arrays_are_filled_from_empty() {
        assert_eq!((two::<Vec<_>>(), two::<VecDeque<_>>()), (vec![Some(2), None], [Some(2), None].into()));
        assert_eq!(two::<BTreeSet<_>>(), [Some(2), None].into());
        #[cfg(feature = "std")]
        assert_eq!(two::<HashSet<_>>(), [Some(2), None].into());
        fn grown<L: Items<Item = u8> + Default>() -> L {
            let mut made = L::default();
            put(YamlInt::<1, 7>, item(&mut made));
            item(&mut made);
            made
        }
        assert_eq!((grown::<Vec<u8>>(), grown::<VecDeque<u8>>()), (vec![1, 0], [1, 0].into()));
    }

    #[test]
    fn maps_are_filled_from_empty() {
        fn filled<M: Table<Key = &'static str, Value = Option<u8>> + Default>() -> M {
            let mut made = M::default();
            made.insert("former", None);
            let table = map(&mut made);
            set(YamlText("a"), YamlInt::<1, 7>, table);
            put(YamlInt::<2, 7>, entry(YamlText("b"), table));
            entry(YamlText("c"), table);
            made
        }
        let expected = [("a", Some(1)), ("b", Some(2)), ("c", None)];
        assert_eq!(filled::<BTreeMap<_, _>>(), expected.into());
        #[cfg(feature = "std")]
        assert_eq!(filled::<HashMap<_, _>>(), expected.into());
    }
}
