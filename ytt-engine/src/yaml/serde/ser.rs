//! Anything that can be serialized, as a [`Value`].

use std::fmt;

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::error::Failure;
use super::{JSON_NUMBER, json_number};
use crate::yaml::{Array, Map, Value};

/// Makes one value. Enums are written as `serde` does for self-describing formats: `Name`, or a map with the name.
pub(super) struct ValueSerializer;

type Made = Result<Value, Failure>;

/// Scalars that a value holds as they are.
macro_rules! plain {
    ($($name:ident $kind:ty)*) => {
        $(fn $name(self, value: $kind) -> Made {
            Ok(value.into())
        })*
    };
}

impl Serializer for ValueSerializer {
    type Ok = Value;
    type Error = Failure;
    type SerializeSeq = Items;
    type SerializeTuple = Items;
    type SerializeTupleStruct = Items;
    type SerializeTupleVariant = Items;
    type SerializeMap = Entries;
    type SerializeStruct = Entries;
    type SerializeStructVariant = Entries;

    plain! {
        serialize_bool bool
        serialize_i8 i8
        serialize_i16 i16
        serialize_i32 i32
        serialize_i64 i64
        serialize_u8 u8
        serialize_u16 u16
        serialize_u32 u32
        serialize_u64 u64
        serialize_f32 f32
        serialize_f64 f64
        serialize_char char
        serialize_str &str
    }

    fn serialize_i128(self, value: i128) -> Made {
        match (i64::try_from(value), u64::try_from(value)) {
            (Ok(int), _) => Ok(int.into()),
            (_, Ok(int)) => Ok(int.into()),
            _ => Err(out_of_range(value)),
        }
    }
    fn serialize_u128(self, value: u128) -> Made {
        u64::try_from(value).map(Value::from).map_err(|_| out_of_range(value))
    }
    fn serialize_bytes(self, value: &[u8]) -> Made {
        Ok(Value::bytes(value))
    }
    fn serialize_none(self) -> Made {
        Ok(Value::Null)
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Made {
        value.serialize(self)
    }
    fn serialize_unit(self) -> Made {
        Ok(Value::Null)
    }
    fn serialize_unit_struct(self, _: &'static str) -> Made {
        Ok(Value::Null)
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Made {
        Ok(variant.into())
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Made {
        value.serialize(self)
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Made {
        Ok(within(Some(variant), value.serialize(self)?))
    }
    fn serialize_seq(self, length: Option<usize>) -> Result<Items, Failure> {
        Ok(Items { items: Vec::with_capacity(length.unwrap_or(0).min(4096)), variant: None })
    }
    fn serialize_tuple(self, length: usize) -> Result<Items, Failure> {
        self.serialize_seq(Some(length))
    }
    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Items, Failure> {
        self.serialize_seq(Some(length))
    }
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Items, Failure> {
        Ok(Items { items: Vec::new(), variant: Some(variant) })
    }
    fn serialize_map(self, _: Option<usize>) -> Result<Entries, Failure> {
        Ok(Entries { map: Map::new(), key: Value::Null, variant: None, number: None })
    }
    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Entries, Failure> {
        let number = (name == JSON_NUMBER).then_some(Value::Null);
        Ok(Entries { map: Map::new(), key: Value::Null, variant: None, number })
    }
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Entries, Failure> {
        Ok(Entries { map: Map::new(), key: Value::Null, variant: Some(variant), number: None })
    }
}

fn out_of_range(int: impl fmt::Display) -> Failure {
    Failure::new(format!("int value {int} is out of range (-2^63 … 2^64-1)"))
}

/// `variant: value`, or the value alone.
fn within(variant: Option<&'static str>, value: Value) -> Value {
    match variant {
        Some(variant) => Map::from_iter([(variant, value)]).into(),
        None => value,
    }
}

/// Items of an array that is being made.
pub(super) struct Items {
    items: Vec<Value>,
    variant: Option<&'static str>,
}

impl Items {
    fn add<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        let index = self.items.len();
        self.items.push(value.serialize(ValueSerializer).map_err(|failure| failure.under(|| format!("[{index}]")))?);
        Ok(())
    }

    fn finish(self) -> Made {
        Ok(within(self.variant, Array::from_iter(self.items).into()))
    }
}

/// Entries of a map that is being made.
pub(super) struct Entries {
    map: Map,
    key: Value,
    variant: Option<&'static str>,
    /// The struct is a number of `serde_json`.
    number: Option<Value>,
}

impl Entries {
    fn add<T: Serialize + ?Sized>(&mut self, key: Value, value: &T) -> Result<(), Failure> {
        let step = || super::de::step(&key);
        let value = value.serialize(ValueSerializer).map_err(|failure| failure.under(step))?;
        if self.number.is_some() {
            let number = value.as_str().and_then(json_number);
            let text = value.as_str().unwrap_or_default();
            let number = number.ok_or_else(|| Failure::new(format!("number {text} is out of range")))?;
            self.number = Some(number);
        } else {
            self.map.insert(key, value);
        }
        Ok(())
    }

    fn finish(self) -> Made {
        Ok(within(self.variant, self.number.unwrap_or_else(|| self.map.into())))
    }
}

impl SerializeMap for Entries {
    type Ok = Value;
    type Error = Failure;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Failure> {
        self.key = key.serialize(ValueSerializer)?;
        Ok(())
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failure> {
        let key = std::mem::take(&mut self.key);
        self.add(key, value)
    }
    fn end(self) -> Made {
        self.finish()
    }
}

/// What is being made differs, and whether its parts have names; each ends in the same way.
macro_rules! compounds {
    ($($name:ident for $kind:ty: $add:ident($($key:ident)?))*) => {
        $(impl $name for $kind {
            type Ok = Value;
            type Error = Failure;

            fn $add<T: Serialize + ?Sized>(&mut self, $($key: &'static str,)? value: &T) -> Result<(), Failure> {
                self.add($($key.into(),)? value)
            }
            fn end(self) -> Made {
                self.finish()
            }
        })*
    };
}

compounds! {
    SerializeSeq for Items: serialize_element()
    SerializeTuple for Items: serialize_element()
    SerializeTupleStruct for Items: serialize_field()
    SerializeTupleVariant for Items: serialize_field()
    SerializeStruct for Entries: serialize_field(key)
    SerializeStructVariant for Entries: serialize_field(key)
}
