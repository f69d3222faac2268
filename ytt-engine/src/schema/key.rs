//! An index of map keys: equal are keys of one kind and one value.
//!
//! Texts are found without making a copy of the text that is looked for. NaN is not equal to anything.

use std::collections::HashMap;

use crate::yaml::{Arena, NodeId, Val};

/// Places of keys in a list.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeyIndex {
    texts: HashMap<Box<[u8]>, u32>,
    others: HashMap<Scalar, u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Scalar {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    Float(u64),
}

fn scalar(value: Val) -> Option<Scalar> {
    match value {
        Val::Null => Some(Scalar::Null),
        Val::Bool(value) => Some(Scalar::Bool(value)),
        Val::Int(value) => Some(Scalar::Int(value)),
        Val::UInt(value) => Some(Scalar::UInt(value)),
        Val::Float(value) if value.is_nan() => None,
        // Both zeros are equal.
        Val::Float(value) => Some(Scalar::Float(if value == 0.0 { 0 } else { value.to_bits() })),
        Val::Str { .. } | Val::Bytes(_) | Val::Node(_) | Val::Plain(_) => None,
    }
}

impl KeyIndex {
    /// Adds a key unless it is there; says whether it was added.
    pub(crate) fn add(&mut self, arena: &Arena, key: Val, at: u32) -> bool {
        if self.get(arena, key).is_some() {
            return false;
        }
        if let Some(text) = arena.text_bytes(key) {
            self.texts.insert(text.into(), at);
        } else if let Some(scalar) = scalar(key) {
            self.others.insert(scalar, at);
        }
        true
    }

    pub(crate) fn get(&self, arena: &Arena, key: Val) -> Option<u32> {
        match arena.text_bytes(key) {
            Some(text) => self.texts.get(text).copied(),
            None => self.others.get(&scalar(key)?).copied(),
        }
    }
}

/// Finds items of a map that does not change: by hash when there are many.
pub(crate) struct MapIndex(Option<KeyIndex>);

impl MapIndex {
    pub(crate) fn new(arena: &Arena, map: NodeId) -> MapIndex {
        let items = arena.items(map);
        if items.len() <= 16 {
            return MapIndex(None);
        }
        let mut index = KeyIndex::default();
        for (at, item) in items.iter().enumerate() {
            index.add(arena, arena.key(*item), at as u32);
        }
        MapIndex(Some(index))
    }

    /// Place of the first item with that key; items that were added since are not looked at.
    pub(crate) fn find(&self, arena: &Arena, map: NodeId, key: Val) -> Option<usize> {
        match &self.0 {
            Some(index) => index.get(arena, key).map(|at| at as usize),
            None => arena.items(map).iter().position(|item| arena.same(arena.key(*item), key)),
        }
    }
}
