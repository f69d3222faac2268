//! Feature `serde_yaml`: conversions from and to `serde_yaml::Value`, and nothing else.
//!
//! What that type cannot hold: bytes become the text of their base64 with the tag `!binary`, which is read back. Other
//! tags are dropped.

use ::serde_yaml as other;

use crate::yaml::resolve::decode_base64;
use crate::yaml::{Array, Map, Value, write};

const BINARY: &str = "binary";

impl From<other::Value> for Value {
    fn from(value: other::Value) -> Value {
        match value {
            other::Value::Null => Value::Null,
            other::Value::Bool(bool) => bool.into(),
            other::Value::Number(number) => match (number.as_i64(), number.as_u64(), number.as_f64()) {
                (Some(int), ..) => int.into(),
                (_, Some(int), _) => int.into(),
                (.., Some(float)) => float.into(),
                _ => Value::Null,
            },
            other::Value::String(text) => text.into(),
            other::Value::Sequence(items) => Array::from_iter(items).into(),
            other::Value::Mapping(entries) => Map::from_iter(entries).into(),
            other::Value::Tagged(tagged) => {
                let bytes = match &tagged.value {
                    // Text of several lines is none that this module wrote.
                    other::Value::String(text) if tagged.tag == BINARY && !text.contains(['\r', '\n']) => {
                        decode_base64(text)
                    }
                    _ => None,
                };
                bytes.map_or_else(|| tagged.value.into(), Value::bytes)
            }
        }
    }
}

impl From<Value> for other::Value {
    fn from(value: Value) -> other::Value {
        other::Value::from(&value)
    }
}

impl From<&Value> for other::Value {
    fn from(value: &Value) -> other::Value {
        match value {
            Value::Null => other::Value::Null,
            Value::Bool(bool) => (*bool).into(),
            Value::Int(int) => (*int).into(),
            Value::UInt(int) => (*int).into(),
            Value::Float(float) => (*float).into(),
            Value::Str(text) => (&**text).into(),
            Value::Bytes(bytes) => other::Value::Tagged(Box::new(other::value::TaggedValue {
                tag: other::value::Tag::new(BINARY),
                value: write::base64(bytes).into(),
            })),
            Value::Map(map) => {
                other::Value::Mapping(map.iter().map(|(key, value)| (key.into(), value.into())).collect())
            }
            Value::Array(array) => other::Value::Sequence(array.iter().map(Into::into).collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let mut map = Map::new();
        map.insert("text", "x");
        map.insert(1, 1.5);
        map.insert("big", u64::MAX);
        for bytes in [&[0xFF][..], &[0xFF, 1], &[0xFF, 1, 2], &[0xFF, 1, 2, 3]] {
            map.insert(bytes.len(), Value::bytes(bytes));
        }
        let value = Value::from(vec![map.into(), Value::Null, false.into(), (-3).into()]);
        let there = other::Value::from(value.clone());
        assert_eq!(there[0]["text"].as_str(), Some("x"));
        assert_eq!(Value::from(there), value);
    }

    #[test]
    fn tags_are_dropped() {
        let there: other::Value = other::from_str("a: !Ref x\nb: 0x10\nc: !binary \"not base64\"\n").unwrap();
        let value = Value::from(there);
        assert_eq!(value.get("a").and_then(Value::as_str), Some("x"));
        assert_eq!(value.get("b").and_then(Value::as_i64), Some(16));
        assert_eq!(value.get("c").and_then(Value::as_str), Some("not base64"));
    }
}
