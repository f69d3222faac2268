//! Types read from nodes in place. Every error gets the place of the innermost node that has one.

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, Unexpected, VariantAccess, Visitor};
use serde::{de::Error as _, forward_to_deserialize_any};

use super::error::Failure;
use crate::yaml::view::{self, Entries, View};
use crate::yaml::{NodeRef, Value};

/// Reads one value.
#[derive(Clone, Copy)]
pub(super) struct NodeDeserializer<'a> {
    node: NodeRef<'a>,
    /// Collections that may still be opened.
    depth: u32,
}

/// How a key shows in a path.
pub(super) fn step(key: &Value) -> String {
    match key {
        Value::Str(text) => text.to_string(),
        Value::Null => "null".into(),
        Value::Bool(bool) => bool.to_string(),
        Value::Int(int) => int.to_string(),
        Value::UInt(int) => int.to_string(),
        Value::Float(float) => float.to_string(),
        other => format!("({})", other.kind()),
    }
}

/// Collections that `serde` may open inside each other. Types recurse, with stack frames of unknown size, so this is less
/// than the limit `depth`, and as much as `serde_json` allows.
pub(super) const DEPTH: u32 = 128;

impl<'a> NodeDeserializer<'a> {
    pub(super) fn new(node: NodeRef<'a>) -> NodeDeserializer<'a> {
        NodeDeserializer { node, depth: DEPTH }
    }

    /// Counts one more open collection.
    fn deeper(self) -> Result<NodeDeserializer<'a>, Failure> {
        match self.depth.checked_sub(1) {
            Some(depth) => Ok(NodeDeserializer { depth, ..self }),
            None => Err(view::too_deep(DEPTH, self.node.span()).into()),
        }
    }

    fn at<T>(self, result: Result<T, Failure>) -> Result<T, Failure> {
        result.map_err(|failure| failure.at(self.node.span()))
    }

    fn any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Failure> {
        match self.node.view() {
            View::Null => visitor.visit_unit(),
            View::Bool(bool) => visitor.visit_bool(bool),
            View::Int(int) => visitor.visit_i64(int),
            View::UInt(int) => visitor.visit_u64(int),
            View::Float(float) => visitor.visit_f64(float),
            View::Str(text) => visitor.visit_borrowed_str(text),
            View::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
            View::Map(entries) => visitor.visit_map(Items { parent: self.deeper()?, entries, next: 0, value: None }),
            View::Array(entries) => {
                let parent = self.deeper()?;
                let mut items = Items { parent, entries, next: 0, value: None };
                let value = visitor.visit_seq(&mut items)?;
                // A tuple reads as many items as it has.
                if items.next < entries.len() {
                    return Err(Failure::invalid_length(entries.len(), &format!("{} items", items.next).as_str()));
                }
                Ok(value)
            }
            View::Other(node) => Err(view::misplaced(self.node.arena(), node, self.node.span()).into()),
        }
    }

    /// A float without fraction is as good as the integer: `1.0` prints as `1`.
    fn integer<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Failure> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let result = match self.node.view() {
            View::Float(float) if float.fract() == 0.0 && float.abs() <= EXACT => visitor.visit_i64(float as i64),
            _ => self.any(visitor),
        };
        self.at(result)
    }
}

macro_rules! integers {
    ($($name:ident)*) => {
        $(fn $name<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Failure> {
            self.integer(visitor)
        })*
    };
}

impl<'a> Deserializer<'a> for NodeDeserializer<'a> {
    type Error = Failure;

    fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.at(self.any(visitor))
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Failure> {
        if self.node.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(self, _: &'static str, visitor: V) -> Result<V::Value, Failure> {
        self.at(visitor.visit_newtype_struct(self))
    }

    /// Bytes are text, too, where somebody asks for bytes.
    fn deserialize_bytes<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Failure> {
        let result = match self.node.as_bytes() {
            Some(bytes) => visitor.visit_borrowed_bytes(bytes),
            None => self.any(visitor),
        };
        self.at(result)
    }

    fn deserialize_byte_buf<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_enum<V: Visitor<'a>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        let result = match self.node.view() {
            View::Str(_) => visitor.visit_enum(Variant { name: self, content: None }),
            View::Map(entries) if entries.len() == 1 => match entries.get(0) {
                Some(entry) => self.deeper().and_then(|parent| {
                    let (key, value) = self.node.inner(entry);
                    let (name, content) =
                        (NodeDeserializer { node: key, ..parent }, NodeDeserializer { node: value, ..parent });
                    visitor
                        .visit_enum(Variant { name, content: Some(content) })
                        .map_err(|failure| failure.under(|| key.as_str().unwrap_or_default().into()))
                }),
                None => Err(Failure::new("expected an entry")),
            },
            View::Map(entries) => Err(Failure::invalid_length(entries.len(), &"a map with one entry, the variant")),
            _ => Err(Failure::invalid_type(self.unexpected(), &"a variant: its name, or a map with the name as key")),
        };
        self.at(result)
    }

    fn deserialize_ignored_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Failure> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        <V: Visitor<'a>>
        bool f32 f64 char str string unit unit_struct seq tuple tuple_struct map struct identifier
    }
}

impl<'a> NodeDeserializer<'a> {
    fn unexpected(self) -> Unexpected<'a> {
        match self.node.view() {
            View::Null => Unexpected::Unit,
            View::Bool(bool) => Unexpected::Bool(bool),
            View::Int(int) => Unexpected::Signed(int),
            View::UInt(int) => Unexpected::Unsigned(int),
            View::Float(float) => Unexpected::Float(float),
            View::Str(text) => Unexpected::Str(text),
            View::Bytes(bytes) => Unexpected::Bytes(bytes),
            View::Map(_) => Unexpected::Map,
            View::Array(_) => Unexpected::Seq,
            View::Other(_) => Unexpected::Other("document"),
        }
    }
}

/// Entries of a map or items of an array.
struct Items<'a> {
    parent: NodeDeserializer<'a>,
    entries: Entries<'a>,
    next: usize,
    /// The entry whose key was read.
    value: Option<(NodeRef<'a>, NodeRef<'a>)>,
}

impl<'a> SeqAccess<'a> for &mut Items<'a> {
    type Error = Failure;

    fn next_element_seed<T: DeserializeSeed<'a>>(&mut self, seed: T) -> Result<Option<T::Value>, Failure> {
        let Some(entry) = self.entries.get(self.next) else { return Ok(None) };
        let index = self.next;
        self.next += 1;
        let node = self.parent.node.inner(entry).1;
        let item = NodeDeserializer { node, ..self.parent };
        seed.deserialize(item).map(Some).map_err(|failure| failure.at(node.span()).under(|| format!("[{index}]")))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len() - self.next)
    }
}

impl<'a> MapAccess<'a> for Items<'a> {
    type Error = Failure;

    fn next_key_seed<K: DeserializeSeed<'a>>(&mut self, seed: K) -> Result<Option<K::Value>, Failure> {
        let Some(entry) = self.entries.get(self.next) else { return Ok(None) };
        self.next += 1;
        let (key, value) = self.parent.node.inner(entry);
        self.value = Some((key, value));
        let item = NodeDeserializer { node: key, ..self.parent };
        seed.deserialize(item).map(Some).map_err(|failure| failure.at(key.span()))
    }

    fn next_value_seed<V: DeserializeSeed<'a>>(&mut self, seed: V) -> Result<V::Value, Failure> {
        let Some((key, node)) = self.value.take() else {
            return Err(Failure::new("a value was asked for before its key"));
        };
        let item = NodeDeserializer { node, ..self.parent };
        seed.deserialize(item).map_err(|failure| {
            failure.at(node.span()).under(|| key.to_value().map_or_else(|_| String::new(), |key| step(&key)))
        })
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len() - self.next)
    }
}

/// A variant of an enum: its name, and what it holds.
struct Variant<'a> {
    name: NodeDeserializer<'a>,
    content: Option<NodeDeserializer<'a>>,
}

impl<'a> EnumAccess<'a> for Variant<'a> {
    type Error = Failure;
    type Variant = Content<'a>;

    fn variant_seed<V: DeserializeSeed<'a>>(self, seed: V) -> Result<(V::Value, Content<'a>), Failure> {
        Ok((seed.deserialize(self.name)?, Content(self.content)))
    }
}

/// What a variant holds.
struct Content<'a>(Option<NodeDeserializer<'a>>);

impl<'a> Content<'a> {
    fn required(self, expected: &str) -> Result<NodeDeserializer<'a>, Failure> {
        self.0.ok_or_else(|| Failure::invalid_type(Unexpected::UnitVariant, &expected))
    }
}

impl<'a> VariantAccess<'a> for Content<'a> {
    type Error = Failure;

    fn unit_variant(self) -> Result<(), Failure> {
        match self.0 {
            Some(content) if !content.node.is_null() => {
                Err(Failure::invalid_type(content.unexpected(), &"nothing: a variant without content")
                    .at(content.node.span()))
            }
            _ => Ok(()),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'a>>(self, seed: T) -> Result<T::Value, Failure> {
        seed.deserialize(self.required("a variant with a value")?)
    }

    fn tuple_variant<V: Visitor<'a>>(self, _: usize, visitor: V) -> Result<V::Value, Failure> {
        self.required("a variant with an array")?.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'a>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Failure> {
        self.required("a variant with a map")?.deserialize_any(visitor)
    }
}
