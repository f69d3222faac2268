//! Values of Rust's own types.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::yaml::value::{Array, Map, Value};

/// Each type with what its values become.
macro_rules! from {
    ($($kind:ty: $value:pat => $made:expr;)*) => {
        $(impl From<$kind> for Value {
            fn from($value: $kind) -> Value {
                $made
            }
        })*
    };
}

from! {
    i8: int => Value::Int(int.into());
    i16: int => Value::Int(int.into());
    i32: int => Value::Int(int.into());
    i64: int => Value::Int(int);
    isize: int => Value::Int(int as i64);
    u8: int => Value::Int(int.into());
    u16: int => Value::Int(int.into());
    u32: int => Value::Int(int.into());
    u64: int => i64::try_from(int).map_or(Value::UInt(int), Value::Int);
    usize: int => Value::from(int as u64);
    bool: bool => Value::Bool(bool);
    f64: float => Value::Float(float);
    f32: float => Value::Float(float.into());
    (): () => Value::Null;
    &str: text => Value::Str(text.into());
    &String: text => Value::Str(text.as_str().into());
    String: text => Value::Str(text.into());
    Arc<str>: text => Value::Str(text);
    char: character => Value::Str(character.encode_utf8(&mut [0; 4]).to_owned().into());
    Map: map => Value::Map(Arc::new(map));
    Array: array => Value::Array(Arc::new(array));
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Null, Into::into)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Value {
        Array::from_iter(items).into()
    }
}

impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(items: [T; N]) -> Value {
        Array::from_iter(items).into()
    }
}

impl<T: Into<Value> + Clone> From<&[T]> for Value {
    fn from(items: &[T]) -> Value {
        items.iter().cloned().collect::<Array>().into()
    }
}

impl<K: Into<Value>, V: Into<Value>> From<BTreeMap<K, V>> for Value {
    fn from(map: BTreeMap<K, V>) -> Value {
        Map::from_iter(map).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions() {
        assert_eq!(Value::from(u64::MAX), Value::UInt(u64::MAX));
        assert_eq!(Value::from(7u64), Value::Int(7));
        assert_eq!(Value::from(Some("x")), Value::Str("x".into()));
        assert_eq!(Value::from(None::<i32>), Value::Null);
        assert_eq!(Value::bytes(b"a"), Value::Str("a".into()));
        assert_eq!(Value::bytes([0xFF]).as_bytes(), Some(&[0xFF][..]));
        assert_eq!(Value::from([1, 2]).at(1), Some(&Value::Int(2)));
        assert_eq!(Value::from(7u8).as_u64(), Some(7));
        assert_eq!(Value::from(-7).as_u64(), None);
        assert_eq!(Value::from(&["a", "b"][..]), Value::from(["a", "b"]));
        assert_eq!(Value::from(BTreeMap::from([("a", 1)])).get("a"), Some(&Value::Int(1)));
    }
}
