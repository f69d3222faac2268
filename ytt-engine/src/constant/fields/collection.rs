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

/// Types of the standard library: their parameters, and how an item is added.
macro_rules! lists {
    ($($(#[$cfg:meta])? [$($parameters:tt)*] $kind:ty: $push:ident;)*) => {
        $($(#[$cfg])?
        impl<$($parameters)*> List for $kind {
            type Item = T;

            fn clear(&mut self) {
                self.clear();
            }

            fn push(&mut self, item: T) {
                self.$push(item);
            }
        })*
    };
}

lists! {
    [T] Vec<T>: push;
    [T] VecDeque<T>: push_back;
    [T: Ord] BTreeSet<T>: insert;
    #[cfg(feature = "std")]
    [T: Eq + Hash, S: BuildHasher] HashSet<T, S>: insert;
}

impl<T> Items for Vec<T> {
    #[allow(clippy::indexing_slicing, reason = "the item is there since it was pushed")]
    fn grow(&mut self, item: T) -> &mut T {
        let last = self.len();
        self.push(item);
        &mut self[last]
    }
}

impl<T> Items for VecDeque<T> {
    #[allow(clippy::indexing_slicing, reason = "the item is there since it was pushed")]
    fn grow(&mut self, item: T) -> &mut T {
        let last = self.len();
        self.push_back(item);
        &mut self[last]
    }
}

/// As `lists`, for maps.
macro_rules! tables {
    ($($(#[$cfg:meta])? [$($parameters:tt)*] $kind:ty;)*) => {
        $($(#[$cfg])?
        impl<$($parameters)*> Table for $kind {
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
        })*
    };
}

tables! {
    [K: Ord, V] BTreeMap<K, V>;
    #[cfg(feature = "std")]
    [K: Eq + Hash, V, S: BuildHasher] HashMap<K, V, S>;
}
