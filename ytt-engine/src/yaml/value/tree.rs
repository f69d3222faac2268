//! Plain data made of nodes, and nodes made of plain data.

use std::collections::HashMap;

use crate::diag::{Code, Diagnostic};
use crate::source::SourceId;
use crate::yaml::value::{Array, Map, Value};
use crate::yaml::view::{self, View};
use crate::yaml::{Arena, Body, NodeId, NodeSpan, PosId, Val};

/// Makes plain data of a value of the arena. Nodes that are shared become shared parts.
pub(crate) fn from_arena(arena: &Arena, value: Val) -> Result<Value, Diagnostic> {
    Reader { arena, made: HashMap::new() }.read(value, arena.depth())
}

struct Reader<'a> {
    arena: &'a Arena,
    /// Collections that are complete.
    made: HashMap<Shared, Value>,
}

#[derive(PartialEq, Eq, Hash)]
enum Shared {
    Node(NodeId),
    Plain(u32),
}

impl Reader<'_> {
    /// `depth` counts collections that may still be opened.
    fn read(&mut self, value: Val, depth: u32) -> Result<Value, Diagnostic> {
        let shared = match value {
            Val::Node(id) => Shared::Node(id),
            Val::Raw(number) => Shared::Plain(number),
            scalar => return Ok(scalar_value(self.arena, scalar)),
        };
        if let Some(value) = self.made.get(&shared) {
            return Ok(value.clone());
        }
        let span = if let Val::Node(id) = value { self.arena.span_of(id) } else { None };
        let Some(depth) = depth.checked_sub(1) else {
            return Err(view::too_deep(self.arena.depth(), span));
        };
        let made: Value = match View::of(self.arena, value) {
            View::Map(entries) => {
                let mut map = Map::new();
                for entry in entries.iter() {
                    map.insert(self.read(entry.key, depth)?, self.read(entry.value, depth)?);
                }
                map.into()
            }
            View::Array(entries) => {
                let mut items = Vec::with_capacity(entries.len());
                for entry in entries.iter() {
                    items.push(self.read(entry.value, depth)?);
                }
                Array { items }.into()
            }
            View::Other(node) => return Err(view::misplaced(self.arena, node, span)),
            _ => Value::Null,
        };
        self.made.insert(shared, made.clone());
        Ok(made)
    }
}

fn scalar_value(arena: &Arena, scalar: Val) -> Value {
    match View::of(arena, scalar) {
        View::Bool(bool) => Value::Bool(bool),
        View::Int(int) => Value::Int(int),
        View::UInt(int) => Value::UInt(int),
        View::Float(float) => Value::Float(float),
        View::Str(text) => Value::Str(text.into()),
        View::Bytes(bytes) => Value::Bytes(bytes.into()),
        View::Null | View::Map(_) | View::Array(_) | View::Other(_) => Value::Null,
    }
}

/// Makes nodes of plain data. Where `source` is given, the place of each item is the number of its value in pre-order:
/// the whole is 0, an item and the map or list in it have one number, and keys do not count.
pub(crate) fn to_arena(arena: &mut Arena, value: &Value, source: Option<SourceId>) -> Result<Val, Diagnostic> {
    let depth = arena.depth();
    let mut writer = Writer { arena, source, count: 0 };
    let pos = writer.pos();
    writer.write(value, pos, depth)
}

struct Writer<'a> {
    arena: &'a mut Arena,
    source: Option<SourceId>,
    count: u32,
}

impl Writer<'_> {
    fn pos(&mut self) -> PosId {
        let Some(source) = self.source else { return PosId(0) };
        let start = self.count;
        self.count = self.count.saturating_add(1);
        self.arena.add_place(NodeSpan { source, start, key_end: start, value: start, end: start })
    }

    /// `pos` is the place of the value, `depth` counts collections that may still be opened.
    fn write(&mut self, value: &Value, pos: PosId, depth: u32) -> Result<Val, Diagnostic> {
        let limit = self.arena.depth();
        let inner = || depth.checked_sub(1).ok_or_else(|| view::too_deep(limit, None));
        Ok(match value {
            Value::Null => Val::Null,
            Value::Bool(bool) => Val::Bool(*bool),
            Value::Int(int) => Val::Int(*int),
            Value::UInt(int) => i64::try_from(*int).map_or(Val::UInt(*int), Val::Int),
            Value::Float(float) => Val::Float(*float),
            Value::Str(text) if text.len() > Arena::LONGEST => return Err(too_long(text.len())),
            Value::Str(text) => self.arena.make_str(text),
            Value::Bytes(bytes) => self.arena.make_bytes(bytes),
            Value::Map(map) => {
                let depth = inner()?;
                let mut items = Vec::with_capacity(map.len());
                for (key, value) in map.iter() {
                    let item_pos = self.pos();
                    let key = match key {
                        Value::Str(text) if text.len() <= Arena::LONGEST => self.arena.intern(text),
                        other => self.write_key(other, item_pos, depth)?,
                    };
                    let value = self.write(value, item_pos, depth)?;
                    items.push(self.arena.add(Body::MapItem(key, value), item_pos));
                }
                Val::Node(self.arena.add(Body::Map(items.into()), pos))
            }
            Value::Array(array) => {
                let depth = inner()?;
                let mut items = Vec::with_capacity(array.len());
                for value in array.iter() {
                    let item_pos = self.pos();
                    let value = self.write(value, item_pos, depth)?;
                    items.push(self.arena.add(Body::ArrayItem(value), item_pos));
                }
                Val::Node(self.arena.add(Body::Array(items.into()), pos))
            }
        })
    }

    /// A key that is no string. Values in it have no numbers.
    fn write_key(&mut self, key: &Value, pos: PosId, depth: u32) -> Result<Val, Diagnostic> {
        let (source, count) = (self.source.take(), self.count);
        let key = self.write(key, pos, depth);
        (self.source, self.count) = (source, count);
        key
    }
}

/// The error of a text that no place can name.
pub(crate) fn too_long(length: usize) -> Diagnostic {
    let text = format!("text has {length} bytes, more than the limit of {}", Arena::LONGEST);
    Diagnostic::error(Code::LIMIT, text).note("this limit is fixed")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::yaml::{Raw, print};

    #[test]
    fn there_and_back() {
        let mut inner = Map::new();
        inner.insert(1, f64::INFINITY);
        inner.insert("b", Value::bytes([0xFF]));
        let value = Value::from(vec![inner.into(), Value::Null, u64::MAX.into(), Array::new().into(), true.into()]);
        let mut arena = Arena::new(1000);
        let tree = to_arena(&mut arena, &value, Some(SourceId(3))).unwrap();
        assert_eq!(from_arena(&arena, tree).unwrap(), value);
        assert_eq!(
            print::value(&arena, tree, u64::MAX).unwrap(),
            "- 1: .inf\n  b: !!binary /w==\n- null\n- 18446744073709551615\n- []\n- true\n"
        );
        let Val::Node(id) = tree else { panic!("an array is a node") };
        let last = *arena.items(id).last().unwrap();
        assert_eq!(arena.place_of(last).map(|place| (place.source, place.start)), Some((SourceId(3), 7)));
    }

    #[test]
    fn shared_parts_stay_shared_and_cycles_are_refused() {
        let mut arena = Arena::new(1000);
        let mut wide = arena.add_raw(Raw::List(vec![Val::Int(1)]));
        for _ in 0..100 {
            wide = arena.add_raw(Raw::List(vec![wide, wide]));
        }
        let value = from_arena(&arena, wide).unwrap();
        assert!(
            matches!((value.at(0), value.at(1)), (Some(Value::Array(a)), Some(Value::Array(b))) if Arc::ptr_eq(a, b))
        );

        let array = arena.add(Body::Array(vec![].into()), PosId(0));
        let item = arena.add(Body::ArrayItem(Val::Node(array)), PosId(0));
        arena.items_mut(array).push(item);
        let error = from_arena(&arena, Val::Node(array)).unwrap_err();
        assert_eq!(error.message(), "nesting is deeper than 1000 levels");

        let mut nested = Value::Null;
        for _ in 0..1001 {
            nested = vec![nested].into();
        }
        assert!(to_arena(&mut arena, nested.at(0).unwrap(), None).is_ok());
        assert!(to_arena(&mut arena, &nested, None).is_err());
    }

    /// A tree of nested maps and lists, empty ones and complex keys among them.
    fn tree(random: &mut impl FnMut(u32) -> u32, depth: u32) -> Value {
        let count = random(4);
        match random(if depth == 0 { 3 } else { 6 }) {
            0 => Value::Null,
            1 => Value::from(i64::from(random(9))),
            2 => Value::from("text"),
            3 => (0..count).map(|_| tree(random, depth - 1)).collect::<Vec<_>>().into(),
            _ => {
                let mut map = Map::new();
                for number in 0..count {
                    let key = match random(5) {
                        0 => Value::from(vec![tree(random, depth - 1), Value::from(i64::from(number))]),
                        _ => Value::from(format!("k{number}")),
                    };
                    map.insert(key, tree(random, depth - 1));
                }
                map.into()
            }
        }
    }

    /// How many values there are, in the walk of somebody who knows nothing of items.
    fn count(value: &Value) -> u32 {
        1 + match value {
            Value::Map(map) => map.iter().map(|(_, value)| count(value)).sum::<u32>(),
            Value::Array(array) => array.iter().map(count).sum(),
            _ => 0,
        }
    }

    /// Checks the numbers of the items below a value whose number is known.
    fn check(arena: &Arena, value: &Value, node: Val, number: u32) {
        let place = |id: NodeId| arena.place_of(id).map(|place| place.start);
        let Val::Node(id) = node else { return };
        assert_eq!(place(id), Some(number), "{value:?}");
        let values: Vec<&Value> = match value {
            Value::Map(map) => map.iter().map(|(_, value)| value).collect(),
            Value::Array(array) => array.iter().collect(),
            other => panic!("{other:?} is no node"),
        };
        let mut next = number + 1;
        assert_eq!(arena.items(id).len(), values.len());
        for (item, value) in arena.items(id).iter().zip(values) {
            assert_eq!(place(*item), Some(next), "{value:?}");
            if let Body::MapItem(Val::Node(key), _) = arena.get(*item).body {
                assert_eq!(place(key), Some(next), "a key has the number of its item");
            }
            check(arena, value, arena.value(*item), next);
            next += count(value);
        }
    }

    #[test]
    fn places_are_numbers_in_pre_order_over_values() {
        let mut state = 1u64;
        let mut random = |below: u32| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as u32 % below
        };
        let mut largest = 0;
        for _ in 0..2000 {
            let value = tree(&mut random, 5);
            let mut arena = Arena::new(1000);
            let made = to_arena(&mut arena, &value, Some(SourceId(3))).unwrap();
            check(&arena, &value, made, 0);
            largest = largest.max(count(&value));
        }
        assert!(largest > 30, "the trees are too small: {largest}");
    }
}
