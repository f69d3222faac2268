//! [`Value`] and [`NodeRef`] with other formats: both can be serialized, a value can be read from any format.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::{JSON_NUMBER, json_number};
use crate::constant::tree::DEPTH;
use crate::yaml::view::View;
use crate::yaml::{Array, Map, NodeRef, Value};

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(bool) => serializer.serialize_bool(*bool),
            Value::Int(int) => serializer.serialize_i64(*int),
            Value::UInt(int) => serializer.serialize_u64(*int),
            Value::Float(float) => serializer.serialize_f64(*float),
            Value::Str(text) => serializer.serialize_str(text),
            Value::Bytes(bytes) => serializer.serialize_bytes(bytes),
            Value::Map(map) => serializer.collect_map(map.iter()),
            Value::Array(array) => serializer.collect_seq(array.iter()),
        }
    }
}

/// Values that contain themselves, or are nested deeper than 128 levels, are refused.
impl Serialize for NodeRef<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Node { node: *self, depth: DEPTH }.serialize(serializer)
    }
}

struct Node<'a> {
    node: NodeRef<'a>,
    /// Collections that may still be opened.
    depth: u32,
}

impl Serialize for Node<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let inner = |node| match self.depth.checked_sub(1) {
            Some(depth) => Ok(Node { node, depth }),
            None => Err(serde::ser::Error::custom(format_args!("nesting is deeper than {DEPTH} levels"))),
        };
        match self.node.view() {
            View::Null => serializer.serialize_unit(),
            View::Bool(bool) => serializer.serialize_bool(bool),
            View::Int(int) => serializer.serialize_i64(int),
            View::UInt(int) => serializer.serialize_u64(int),
            View::Float(float) => serializer.serialize_f64(float),
            View::Str(text) => serializer.serialize_str(text),
            View::Bytes(bytes) => serializer.serialize_bytes(bytes),
            View::Map(entries) => {
                let mut out = serializer.serialize_map(Some(entries.len()))?;
                for (key, value) in self.node.entries() {
                    out.serialize_entry(&inner(key)?, &inner(value)?)?;
                }
                out.end()
            }
            View::Array(entries) => {
                let mut out = serializer.serialize_seq(Some(entries.len()))?;
                for item in self.node.items() {
                    out.serialize_element(&inner(item)?)?;
                }
                out.end()
            }
            View::Other(_) => Err(serde::ser::Error::custom("Unexpected document within a document")),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

/// Scalars that a value holds as they are.
macro_rules! plain {
    ($($name:ident $kind:ty)*) => {
        $(fn $name<E>(self, value: $kind) -> Result<Value, E> {
            Ok(value.into())
        })*
    };
}

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    plain! {
        visit_bool bool
        visit_i64 i64
        visit_u64 u64
        visit_f64 f64
        visit_str &str
        visit_string String
    }

    fn visit_bytes<E>(self, value: &[u8]) -> Result<Value, E> {
        Ok(Value::bytes(value))
    }
    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Array::new();
        while let Some(value) = items.next_element::<Value>()? {
            array.push(value);
        }
        Ok(array.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<Value>()? {
            let value = entries.next_value::<Value>()?;
            if map.is_empty() && key.as_str() == Some(JSON_NUMBER) {
                let text = value.as_str().unwrap_or_default();
                return json_number(text)
                    .ok_or_else(|| A::Error::custom(format_args!("number {text} is out of range")));
            }
            map.insert(key, value);
        }
        Ok(map.into())
    }
}
