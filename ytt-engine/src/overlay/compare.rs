//! Partial equality: what `subset` and `assert` mean by "is a part of", and equality of leaves.
//!
//! Maps may have more keys on the left, arrays more items; arrays are compared item by item from the start. Values
//! that code made and that are not nodes yet count as the maps and arrays that they will be.

use std::hash::BuildHasherDefault;

use hashbrown::HashMap;
use smallvec::SmallVec;

use crate::source::to_u32;
use crate::yaml::duplicates::same_key;
use crate::yaml::keys::{AsIs, hash_of};
use crate::yaml::{Arena, Body, NodeId, Raw, Val};

/// Why the right value is not a part of the left one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Why {
    /// A map (`true`) or array was expected.
    Collection {
        map: bool,
    },
    Key,
    Length,
    Leaf,
}

/// The first difference of two values.
#[derive(Clone, Debug)]
pub(super) struct Difference {
    pub(super) why: Why,
    pub(super) left: Val,
    pub(super) right: Val,
    /// Right items from the difference outwards.
    pub(super) path: Vec<NodeId>,
    /// The left item whose value differs, if there is one.
    pub(super) left_item: Option<NodeId>,
}

/// Is `right` a part of `left`?
pub(super) fn is_part(arena: &Arena, left: Val, right: Val) -> bool {
    part(arena, left, right).is_ok()
}

/// Is `right` a part of `left`? If not, the first difference. As deep as `right`, whose depth was checked when it was
/// copied or converted.
pub(super) fn part(arena: &Arena, left: Val, right: Val) -> Result<(), Box<Difference>> {
    if !matches!(right, Val::Node(_) | Val::Raw(_)) {
        return if leaf(arena, left, right) { Ok(()) } else { Err(differ(Why::Leaf, left, right)) };
    }
    match (collection(arena, right), collection(arena, left)) {
        (Some((true, wanted)), Some((true, count))) => compare_maps(arena, (left, count), (right, wanted)),
        (Some((false, wanted)), Some((false, count))) => compare_arrays(arena, (left, count), (right, wanted)),
        (Some((map, _)), _) => Err(differ(Why::Collection { map }, left, right)),
        (None, _) => Err(differ(Why::Leaf, left, right)),
    }
}

fn differ(why: Why, left: Val, right: Val) -> Box<Difference> {
    Box::new(Difference { why, left, right, path: Vec::new(), left_item: None })
}

/// Of a map (`true`) or array: how many entries it has.
fn collection(arena: &Arena, value: Val) -> Option<(bool, usize)> {
    match value {
        Val::Node(id) => match &arena.get(id).body {
            Body::Map(items) => Some((true, items.len())),
            Body::Array(items) => Some((false, items.len())),
            _ => None,
        },
        Val::Raw(number) => Some(match arena.raw(number) {
            Raw::Dict(entries) => (true, entries.len()),
            Raw::List(values) => (false, values.len()),
        }),
        _ => None,
    }
}

/// Key, value and, in a node, the item of an entry of a map or array.
#[allow(
    clippy::indexing_slicing,
    reason = "who asks counted the entries, and nothing changes while values are compared"
)]
fn entry(arena: &Arena, value: Val, at: usize) -> (Val, Val, Option<NodeId>) {
    match value {
        Val::Node(id) => {
            let item = arena.items(id)[at];
            (arena.key(item), arena.value(item), Some(item))
        }
        Val::Raw(number) => match arena.raw(number) {
            Raw::List(values) => (Val::Null, values[at], None),
            Raw::Dict(entries) => (entries[at].0, entries[at].1, None),
        },
        scalar => (Val::Null, scalar, None),
    }
}

fn compare_arrays(
    arena: &Arena,
    (left, items): (Val, usize),
    (right, wanted): (Val, usize),
) -> Result<(), Box<Difference>> {
    for at in 0..wanted {
        let (_, value, item) = entry(arena, right, at);
        if at >= items {
            return within(Err(differ(Why::Length, left, right)), item, None);
        }
        let (_, left_value, left_item) = entry(arena, left, at);
        within(part(arena, left_value, value), item, left_item)?;
    }
    Ok(())
}

fn compare_maps(
    arena: &Arena,
    (left, entries): (Val, usize),
    (right, wanted): (Val, usize),
) -> Result<(), Box<Difference>> {
    // Beyond a few keys a table of the left ones keeps this linear.
    let table = (wanted > 8 && entries > 16).then(|| {
        let mut table: HashMap<u64, SmallVec<[u32; 2]>, BuildHasherDefault<AsIs>> = HashMap::default();
        for at in 0..entries {
            if let Some(hash) = hash_of(arena, entry(arena, left, at).0) {
                table.entry(hash).or_default().push(to_u32(at));
            }
        }
        table
    });
    for at in 0..wanted {
        let (key, value, item) = entry(arena, right, at);
        let mut matched = false;
        let mut check = |at: usize| {
            let (left_key, left_value, left_item) = entry(arena, left, at);
            if !same_key(arena, left_key, key) {
                return Ok(());
            }
            matched = true;
            within(part(arena, left_value, value), item, left_item)
        };
        match &table {
            Some(table) => {
                for &at in hash_of(arena, key).and_then(|hash| table.get(&hash)).into_iter().flatten() {
                    check(at as usize)?;
                }
            }
            None => (0..entries).try_for_each(&mut check)?,
        }
        if !matched {
            return within(Err(differ(Why::Key, left, key)), item, None);
        }
    }
    Ok(())
}

fn within(
    result: Result<(), Box<Difference>>,
    item: Option<NodeId>,
    left_item: Option<NodeId>,
) -> Result<(), Box<Difference>> {
    result.map_err(|mut difference| {
        difference.path.extend(item);
        difference.left_item = difference.left_item.or(left_item);
        difference
    })
}

/// Equality of leaves: same kind and equal. A collection is never equal to a leaf.
pub(super) fn leaf(arena: &Arena, left: Val, right: Val) -> bool {
    match (left, right) {
        (Val::Node(_) | Val::Raw(_), _) | (_, Val::Node(_) | Val::Raw(_)) => false,
        _ => arena.same(left, right),
    }
}

/// Equality of the values of a key (`map_key`).
///
/// Compat: collections are equal only with equal content and equal file and line, node by node.
pub(super) fn key_values(arena: &Arena, left: Val, right: Val, line: &dyn Fn(NodeId) -> Option<String>) -> bool {
    let (Val::Node(a), Val::Node(b)) = (left, right) else {
        return leaf(arena, left, right);
    };
    if a == b {
        return true;
    }
    let (a_node, b_node) = (arena.get(a), arena.get(b));
    let same_kind = std::mem::discriminant(&a_node.body) == std::mem::discriminant(&b_node.body);
    let (a_items, b_items) = (arena.items(a), arena.items(b));
    same_kind
        && a_items.len() == b_items.len()
        && (a_node.pos == b_node.pos || line(a) == line(b))
        && a_items.iter().zip(b_items).all(|(&x, &y)| {
            (arena.get(x).pos == arena.get(y).pos || line(x) == line(y))
                && (arena.same(arena.key(x), arena.key(y)))
                && key_values(arena, arena.value(x), arena.value(y), line)
        })
}

/// Why a value has no value at a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum KeyFault {
    NotMap,
    NoKey,
}

/// The value at a string key: of the first item that has it.
pub(super) fn key_value(arena: &Arena, value: Val, key: Val) -> Result<Val, KeyFault> {
    match value {
        Val::Node(id) if matches!(arena.get(id).body, Body::Map(_)) => {
            arena.find(id, key).map(|item| arena.value(item)).ok_or(KeyFault::NoKey)
        }
        Val::Raw(number) => match arena.raw(number) {
            Raw::Dict(entries) => {
                let found = entries.iter().find(|(name, _)| arena.same(*name, key));
                found.map(|(_, value)| *value).ok_or(KeyFault::NoKey)
            }
            Raw::List(_) => Err(KeyFault::NotMap),
        },
        _ => Err(KeyFault::NotMap),
    }
}
