//! Values of Rust's own types.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::yaml::value::{Array, Map, Value};

macro_rules! from_integers {
    ($($int:ty)*) => {
        $(impl From<$int> for Value {
            fn from(int: $int) -> Value {
                Value::Int(int.into())
            }
        })*
    };
}

from_integers!(i8 i16 i32 i64 u8 u16 u32);

impl From<u64> for Value {
    fn from(int: u64) -> Value {
        i64::try_from(int).map_or(Value::UInt(int), Value::Int)
    }
}

impl From<usize> for Value {
    fn from(int: usize) -> Value {
        (int as u64).into()
    }
}

impl From<isize> for Value {
    fn from(int: isize) -> Value {
        (int as i64).into()
    }
}

impl From<bool> for Value {
    fn from(bool: bool) -> Value {
        Value::Bool(bool)
    }
}

impl From<f64> for Value {
    fn from(float: f64) -> Value {
        Value::Float(float)
    }
}

impl From<f32> for Value {
    fn from(float: f32) -> Value {
        Value::Float(float.into())
    }
}

impl From<()> for Value {
    fn from((): ()) -> Value {
        Value::Null
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::Str(text.into())
    }
}

impl From<&String> for Value {
    fn from(text: &String) -> Value {
        Value::Str(text.as_str().into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::Str(text.into())
    }
}

impl From<Arc<str>> for Value {
    fn from(text: Arc<str>) -> Value {
        Value::Str(text)
    }
}

impl From<char> for Value {
    fn from(character: char) -> Value {
        Value::Str(character.encode_utf8(&mut [0; 4]).to_owned().into())
    }
}

impl From<Map> for Value {
    fn from(map: Map) -> Value {
        Value::Map(Arc::new(map))
    }
}

impl From<Array> for Value {
    fn from(array: Array) -> Value {
        Value::Array(Arc::new(array))
    }
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
    }
}
