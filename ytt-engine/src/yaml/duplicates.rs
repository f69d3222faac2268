//! Equality of keys, and what becomes of keys that a plain file has twice.
//!
//! Keys are equal by kind and value; NaN is equal to nothing. Collections as keys are equal only if their items also
//! stand on equal lines, which the reader expresses by equal places.
#![allow(clippy::indexing_slicing, reason = "numbers of items are those of the list, of which each has its slot")]

use std::collections::HashSet;

use super::arena::{Arena, Body, NodeId, Raw, Val};
use super::keys::{KeyTable, SEARCHED};
use crate::source::to_u32;

/// Has the list of items of a map two with one key?
pub(crate) fn has_duplicates(arena: &Arena, items: &[NodeId]) -> bool {
    first_duplicate(arena, items).is_some()
}

/// The numbers of the first two items of a map that have one key.
fn first_duplicate(arena: &Arena, items: &[NodeId]) -> Option<(usize, usize)> {
    if items.len() <= SEARCHED {
        let key = |at: usize| arena.key(items[at]);
        let first = |at: usize| (0..at).find(|first| same_key(arena, key(at), key(*first)));
        return (0..items.len()).find_map(|at| Some((first(at)?, at)));
    }
    let mut index = Firsts::new(items);
    (0..items.len()).find_map(|at| Some((index.find_or_add(arena, items, at)?, at)))
}

/// Removes duplicate keys from all maps below: the last item stays, at the place of the first one. This is the rule
/// for plain files, after reading.
pub(crate) fn resolve_duplicate_keys(arena: &mut Arena, root: NodeId) {
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        if matches!(arena.get(id).body, Body::Map(_)) && has_duplicates(arena, arena.items(id)) {
            let items = std::mem::take(arena.items_mut(id));
            let left = last_items(arena, &items);
            *arena.items_mut(id) = left.into();
        }
        match arena.value(id) {
            Val::Node(value) if value != id => open.push(value),
            _ => open.extend_from_slice(arena.items(id)),
        }
    }
}

/// What of a file of data values hides what: an item, and the later one with its key.
pub(crate) type Hidden = Vec<(NodeId, NodeId)>;

/// As [`resolve_duplicate_keys`], for data values: maps under one key are merged, as they would be one after the other.
/// Gives the items that are removed.
pub(crate) fn merge_duplicate_keys(arena: &mut Arena, root: NodeId) -> Hidden {
    let (mut open, mut hidden) = (vec![root], Vec::new());
    while let Some(id) = open.pop() {
        if matches!(arena.get(id).body, Body::Map(_)) && has_duplicates(arena, arena.items(id)) {
            let items = std::mem::take(arena.items_mut(id));
            let mut left: Vec<(NodeId, Vec<NodeId>)> = Vec::with_capacity(items.len());
            let (mut index, mut slots) = (Firsts::new(&items), Vec::with_capacity(items.len()));
            for (at, &item) in items.iter().enumerate() {
                let slot = index.find_or_add(arena, &items, at).map(|first| slots[first]);
                slots.push(slot.unwrap_or(left.len()));
                match slot.map(|slot: usize| &mut left[slot]) {
                    None => left.push((item, Vec::new())),
                    Some((known, more)) => match (map_of(arena, *known), map_of(arena, item)) {
                        (Some(_), Some(map)) => more.extend(arena.items(map)),
                        _ => {
                            hidden.push((*known, item));
                            (*known, *more) = (item, Vec::new());
                        }
                    },
                }
            }
            let merged = left.into_iter().map(|(item, more)| match map_of(arena, item).filter(|_| !more.is_empty()) {
                Some(map) => {
                    let all: Vec<NodeId> = arena.items(map).iter().copied().chain(more).collect();
                    let (key, pos, of) = (arena.key(item), arena.get(item).pos, arena.get(map).pos);
                    let map = arena.add(Body::Map(all.into()), of);
                    arena.add(Body::MapItem(key, Val::Node(map)), pos)
                }
                None => item,
            });
            let merged: Vec<NodeId> = merged.collect();
            *arena.items_mut(id) = merged.into();
        }
        match (arena.value(id), &arena.get(id).body) {
            // A list is replaced as a whole.
            (_, Body::Array(_)) => resolve_duplicate_keys(arena, id),
            (Val::Node(value), _) if value != id => open.push(value),
            _ => open.extend_from_slice(arena.items(id)),
        }
    }
    hidden
}

fn map_of(arena: &Arena, item: NodeId) -> Option<NodeId> {
    match arena.value(item) {
        Val::Node(map) if matches!(arena.get(map).body, Body::Map(_)) => Some(map),
        _ => None,
    }
}

/// The first two items of one map below, in document order, that have one key.
pub(crate) fn first_duplicate_key(arena: &Arena, root: NodeId) -> Option<(NodeId, NodeId)> {
    let (mut open, mut known) = (vec![root], HashSet::new());
    while let Some(id) = open.pop() {
        // Nodes may be shared, or contain themselves.
        if !known.insert(id) {
            continue;
        }
        let items = arena.items(id);
        if matches!(arena.get(id).body, Body::Map(_))
            && let Some((first, second)) = first_duplicate(arena, items)
        {
            return Some((items[first], items[second]));
        }
        match arena.value(id) {
            Val::Node(value) if value != id => open.push(value),
            _ => open.extend(items.iter().rev()),
        }
    }
    None
}

fn last_items(arena: &Arena, items: &[NodeId]) -> Vec<NodeId> {
    let mut index = Firsts::new(items);
    // Where in `left` the item stands that was number `at`.
    let mut slots = Vec::with_capacity(items.len());
    let mut left: Vec<NodeId> = Vec::with_capacity(items.len());
    for (at, &item) in items.iter().enumerate() {
        match index.find_or_add(arena, items, at) {
            Some(first) => {
                let slot: usize = slots[first];
                left[slot] = item;
                slots.push(slot);
            }
            None => {
                slots.push(left.len());
                left.push(item);
            }
        }
    }
    left
}

/// Finds the first item with a key. The items of one map are given in order.
struct Firsts(KeyTable<u32>);

impl Firsts {
    fn new(items: &[NodeId]) -> Firsts {
        Firsts(KeyTable::with_capacity(items.len()))
    }

    /// The number of the first item with the key of item `at`; notes that one if there is none.
    fn find_or_add(&mut self, arena: &Arena, items: &[NodeId], at: usize) -> Option<usize> {
        let key = arena.key(items[at]);
        let first = self.0.under(arena, key, |at| arena.key(items[at as usize])).next();
        if first.is_none() {
            self.0.put(arena, key, to_u32(at));
        }
        first.map(|first| first as usize)
    }
}

/// Are two keys one? Collections of a text are compared with the places of their items, tuples of code by their content.
pub(crate) fn same_key(arena: &Arena, a: Val, b: Val) -> bool {
    let (a, b) = match (a, b) {
        (Val::Node(a), Val::Node(b)) => (arena.get(a), arena.get(b)),
        (Val::Raw(a), Val::Raw(b)) => {
            let (Raw::List(a), Raw::List(b)) = (arena.raw(a), arena.raw(b)) else {
                return a == b;
            };
            return a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| same_key(arena, a, b));
        }
        _ => return arena.same(a, b),
    };
    match (&a.body, &b.body) {
        (Body::Map(a), Body::Map(b)) | (Body::Array(a), Body::Array(b)) => {
            a.len() == b.len()
                && a.iter().zip(b).all(|(&a, &b)| {
                    arena.get(a).pos == arena.get(b).pos
                        && same_key(arena, arena.key(a), arena.key(b))
                        && same_key(arena, arena.value(a), arena.value(b))
                })
        }
        _ => false,
    }
}
