//! Plain data: what a caller gives as data values, and what a document holds when places do not matter.
//!
//! A [`Value`] owns what it holds and is made on demand; the nodes of a render stay in their arena.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

mod from;
mod tree;

pub(crate) use tree::{from_arena, to_arena, too_long};

/// A value of YAML: a scalar, a map or an array. Cheap to clone.
///
/// Numbers remember their kind: `Int`, `UInt` (only above the largest `i64`) and `Float` are different values. Text that
/// is not UTF-8 is `Bytes`, other text never is.
///
/// ```
/// use ytt_engine::yaml::{Map, Value};
///
/// let value: Value = Map::from_iter([("host", Value::from("localhost")), ("ports", [80, 443].into())]).into();
/// assert_eq!(value.get("host").and_then(Value::as_str), Some("localhost"));
/// assert_eq!(value.get("ports").and_then(|ports| ports.at(1)), Some(&Value::Int(443)));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// An integer that fits `i64`.
    Int(i64),
    /// An integer above the largest `i64`.
    UInt(u64),
    /// A float, NaN and the infinities included.
    Float(f64),
    /// Text.
    Str(Arc<str>),
    /// Text that is not UTF-8, as `!!binary` gives it.
    Bytes(Arc<[u8]>),
    /// Keys and values in their order.
    Map(Arc<Map>),
    /// Values in their order.
    Array(Arc<Array>),
}

impl Value {
    /// A value for bytes: `Str` if they are UTF-8, else `Bytes`.
    pub fn bytes(bytes: impl AsRef<[u8]>) -> Value {
        match std::str::from_utf8(bytes.as_ref()) {
            Ok(text) => Value::Str(text.into()),
            Err(_) => Value::Bytes(bytes.as_ref().into()),
        }
    }

    /// Is it null?
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// The boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(bool) = self { Some(*bool) } else { None }
    }

    /// The integer, if it is one and fits.
    pub fn as_i64(&self) -> Option<i64> {
        if let Value::Int(int) = self { Some(*int) } else { None }
    }

    /// The integer, if it is one and not negative.
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Value::Int(int) => u64::try_from(*int).ok(),
            Value::UInt(int) => Some(*int),
            _ => None,
        }
    }

    /// The number as a float: integers are rounded to the nearest one.
    #[allow(clippy::cast_precision_loss, reason = "people are told that integers are rounded")]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Int(int) => Some(*int as f64),
            Value::UInt(int) => Some(*int as f64),
            Value::Float(float) => Some(*float),
            _ => None,
        }
    }

    /// The text, if it is UTF-8.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::Str(text) = self { Some(text) } else { None }
    }

    /// The bytes of text, UTF-8 or not.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        match self {
            Value::Str(text) => Some(text.as_bytes()),
            Value::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The map, if it is one.
    pub fn as_map(&self) -> Option<&Map> {
        if let Value::Map(map) = self { Some(map) } else { None }
    }

    /// The array, if it is one.
    pub fn as_array(&self) -> Option<&Array> {
        if let Value::Array(array) = self { Some(array) } else { None }
    }

    /// The value of a string key, if it is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map()?.get(key)
    }

    /// The item with that index from 0, if it is an array that has it.
    pub fn at(&self, index: usize) -> Option<&Value> {
        self.as_array()?.items.get(index)
    }

    /// `null`, `boolean`, `int`, `float`, `string`, `map` or `array`: the words that messages use.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Int(_) | Value::UInt(_) => "int",
            Value::Float(_) => "float",
            Value::Str(_) | Value::Bytes(_) => "string",
            Value::Map(_) => "map",
            Value::Array(_) => "array",
        }
    }
}

/// Values in their order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Array {
    items: Vec<Value>,
}

impl Array {
    /// An empty array.
    pub fn new() -> Array {
        Array::default()
    }

    /// Adds a value at the end.
    pub fn push(&mut self, value: impl Into<Value>) {
        self.items.push(value.into());
    }

    /// Its items.
    pub fn as_slice(&self) -> &[Value] {
        &self.items
    }

    /// Its items, one after the other.
    pub fn iter(&self) -> std::slice::Iter<'_, Value> {
        self.items.iter()
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Are there no items?
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl<'a> IntoIterator for &'a Array {
    type Item = &'a Value;
    type IntoIter = std::slice::Iter<'a, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: Into<Value>> FromIterator<T> for Array {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Array {
        Array { items: items.into_iter().map(Into::into).collect() }
    }
}

/// Keys and values in their order; each key once.
///
/// Keys are equal by kind and value: `1`, `1.0` and `"1"` are three keys, `0.0` and `-0.0` are one, and NaN is never
/// found. Two maps are equal if they hold equal entries in equal order.
#[derive(Clone, Default)]
pub struct Map {
    entries: Vec<(Value, Value)>,
    /// Places of the entries by the hash of the key; empty in small maps.
    index: HashMap<u64, Vec<usize>>,
}

/// Maps up to this size are searched entry by entry.
const SMALL: usize = 16;

#[allow(clippy::indexing_slicing, reason = "`index` has places of entries, and none goes away")]
impl Map {
    /// An empty map.
    pub fn new() -> Map {
        Map::default()
    }

    /// Sets the value of a key and gives the former one; a key that is there stays at its place.
    pub fn insert(&mut self, key: impl Into<Value>, value: impl Into<Value>) -> Option<Value> {
        let (key, value) = (key.into(), value.into());
        if let Some(place) = self.place(&key) {
            return Some(std::mem::replace(&mut self.entries[place].1, value));
        }
        self.entries.push((key, value));
        if self.entries.len() > SMALL {
            let first = if self.index.is_empty() { 0 } else { self.entries.len().saturating_sub(1) };
            for place in first..self.entries.len() {
                self.index.entry(hash(&self.entries[place].0)).or_default().push(place);
            }
        }
        None
    }

    /// The value of a string key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        let place = if self.index.is_empty() {
            self.entries.iter().position(|(other, _)| other.as_str() == Some(key))
        } else {
            let places = self.index.get(&hash_text(key.as_bytes()))?;
            places.iter().copied().find(|place| self.entries[*place].0.as_str() == Some(key))
        };
        Some(&self.entries[place?].1)
    }

    /// The value of a key of any kind.
    pub fn get_value(&self, key: &Value) -> Option<&Value> {
        Some(&self.entries[self.place(key)?].1)
    }

    fn place(&self, key: &Value) -> Option<usize> {
        if self.index.is_empty() {
            return self.entries.iter().position(|(other, _)| other == key);
        }
        self.index.get(&hash(key))?.iter().copied().find(|place| self.entries[*place].0 == *key)
    }

    /// Keys and values, one after the other.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Value, &Value)> {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Are there no entries?
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl PartialEq for Map {
    fn eq(&self, other: &Map) -> bool {
        self.entries == other.entries
    }
}

impl std::fmt::Debug for Map {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: Into<Value>, V: Into<Value>> FromIterator<(K, V)> for Map {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Map {
        let mut map = Map::new();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}

fn hash_text(text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Equal keys have equal hashes.
fn hash(key: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    match key {
        Value::Str(text) => return hash_text(text.as_bytes()),
        Value::Bytes(bytes) => return hash_text(bytes),
        Value::Null => {}
        Value::Bool(bool) => bool.hash(&mut hasher),
        Value::Int(int) => int.hash(&mut hasher),
        Value::UInt(int) => int.hash(&mut hasher),
        // Makes one zero of the two.
        Value::Float(float) => (float + 0.0).to_bits().hash(&mut hasher),
        Value::Map(map) => map.len().hash(&mut hasher),
        Value::Array(array) => array.len().hash(&mut hasher),
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_equal_by_kind_and_value_in_small_and_large_maps() {
        for filler in [0, 40] {
            let mut map = Map::new();
            for number in 0..filler {
                map.insert(format!("f{number}"), number);
            }
            for (key, value) in [(Value::Int(1), 1), (Value::Float(1.0), 2), ("1".into(), 3), (Value::Float(0.0), 4)] {
                assert_eq!(map.insert(key, value), None);
            }
            map.insert(Value::Float(f64::NAN), 5);
            map.insert(Value::Float(f64::NAN), 6);
            assert_eq!(map.len(), filler as usize + 6);
            assert_eq!(map.get("1"), Some(&Value::Int(3)));
            assert_eq!(map.get_value(&Value::Int(1)), Some(&Value::Int(1)));
            assert_eq!(map.get_value(&Value::Float(-0.0)), Some(&Value::Int(4)));
            assert_eq!(map.get_value(&Value::Float(f64::NAN)), None);
            assert_eq!(map.insert("1", 9), Some(Value::Int(3)));
            assert_eq!(map.get("f0"), (filler > 0).then_some(&Value::Int(0)));
            assert_eq!(map.get("f39"), (filler > 0).then_some(&Value::Int(39)));
        }
    }

    /// What the accessors give for a value: null, boolean, int, natural number, float, text, bytes, and its kind.
    type Seen<'a> =
        (bool, Option<bool>, Option<i64>, Option<u64>, Option<f64>, Option<&'a str>, Option<&'a [u8]>, &'a str);

    fn seen(value: &Value) -> Seen<'_> {
        (
            value.is_null(),
            value.as_bool(),
            value.as_i64(),
            value.as_u64(),
            value.as_f64(),
            value.as_str(),
            value.as_bytes(),
            value.kind(),
        )
    }

    #[test]
    fn each_accessor_gives_its_kind_alone() {
        let large = 1 << 63;
        let all: [(Value, Seen<'_>); 9] = [
            (Value::Null, (true, None, None, None, None, None, None, "null")),
            (true.into(), (false, Some(true), None, None, None, None, None, "boolean")),
            (Value::Int(-2), (false, None, Some(-2), None, Some(-2.0), None, None, "int")),
            (Value::Int(2), (false, None, Some(2), Some(2), Some(2.0), None, None, "int")),
            (
                Value::UInt(large),
                (false, None, None, Some(large), Some(9_223_372_036_854_775_808.0), None, None, "int"),
            ),
            (Value::Float(0.5), (false, None, None, None, Some(0.5), None, None, "float")),
            ("a".into(), (false, None, None, None, None, Some("a"), Some(b"a"), "string")),
            (Value::bytes(b"\xff"), (false, None, None, None, None, None, Some(b"\xff"), "string")),
            (Map::new().into(), (false, None, None, None, None, None, None, "map")),
        ];
        for (value, expected) in &all {
            assert_eq!(seen(value), *expected);
        }
        let array: Value = [1, 2].into();
        assert_eq!((array.kind(), array.at(1), array.get("a")), ("array", Some(&Value::Int(2)), None));
        let items = array.as_array().unwrap();
        assert_eq!((items.as_slice(), items.len(), items.is_empty()), (&[Value::Int(1), Value::Int(2)][..], 2, false));
        assert!(items.into_iter().eq(items.iter()) && Array::new().is_empty());
    }

    #[test]
    fn keys_of_every_kind_are_found() {
        let keys: [Value; 8] = [
            Value::Null,
            true.into(),
            Value::Int(1),
            Value::UInt(u64::MAX),
            Value::Float(1.5),
            Value::bytes(b"\xff"),
            Map::new().into(),
            [1].into(),
        ];
        for filler in [0, 40] {
            let mut map: Map = (0..filler).map(|number| (format!("f{number}"), number)).collect();
            for (number, key) in (100..).zip(&keys) {
                map.insert(key.clone(), number);
            }
            for (number, key) in (100..).zip(&keys) {
                assert_eq!(map.get_value(key), Some(&Value::Int(number)), "{key:?}");
            }
            assert_eq!(map.get_value(&[2].into()), None);
        }
    }
}
