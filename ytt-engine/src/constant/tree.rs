//! Types read from a tree of values by `serde`: the same rules for constants and for the nodes of a render.
//!
//! A tree says how it is walked ([`Tree`]); errors gain the path, and their place if there is one, on the way out.

use alloc::format;
use alloc::string::{String, ToString};
use core::marker::PhantomData;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

/// Collections that `serde` may open inside each other. Types recurse, with stack frames of unknown size, so this is less
/// than the limit `depth`, and as much as `serde_json` allows.
pub(crate) const DEPTH: u32 = 128;

/// One level of a tree.
pub(crate) enum View<'de, E> {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    Float(f64),
    Str(&'de str),
    /// Not UTF-8.
    Bytes(&'de [u8]),
    Map(E),
    Array(E),
}

impl<'de, E> View<'de, E> {
    fn unexpected(&self) -> Unexpected<'de> {
        match self {
            View::Null => Unexpected::Unit,
            View::Bool(bool) => Unexpected::Bool(*bool),
            View::Int(int) => Unexpected::Signed(*int),
            View::UInt(int) => Unexpected::Unsigned(*int),
            View::Float(float) => Unexpected::Float(*float),
            View::Str(text) => Unexpected::Str(text),
            View::Bytes(bytes) => Unexpected::Bytes(bytes),
            View::Map(_) => Unexpected::Map,
            View::Array(_) => Unexpected::Seq,
        }
    }

    /// How a key shows in a path.
    fn key(&self) -> String {
        match self {
            View::Null => "null".into(),
            View::Bool(bool) => bool.to_string(),
            View::Int(int) => int.to_string(),
            View::UInt(int) => int.to_string(),
            View::Float(float) => float.to_string(),
            View::Str(text) => (*text).into(),
            View::Bytes(_) => "(string)".into(),
            View::Map(_) => "(map)".into(),
            View::Array(_) => "(array)".into(),
        }
    }
}

/// A step of the path to an error.
pub(crate) enum Step {
    Key(String),
    Index(usize),
}

/// A value of a tree, and how to walk on from it.
pub(crate) trait Tree<'de>: Copy {
    /// The entries of a map, or the items of an array.
    type Entries: Copy;
    /// What does not fit.
    type Error: serde::de::Error;

    /// The value; an error if it cannot stand where it is.
    fn view(self) -> Result<View<'de, Self::Entries>, Self::Error>;
    fn count(entries: Self::Entries) -> usize;
    /// Key and value of an entry. The key of an item is of no use.
    fn entry(self, entries: Self::Entries, index: usize) -> Option<(Self, Self)>;
    /// There are more than [`DEPTH`] collections around this one.
    fn too_deep(self) -> Self::Error;
    /// Gives an error the place of this value, if it has none yet.
    fn at(self, error: Self::Error) -> Self::Error;
    /// Adds the step that led to an error.
    fn under(step: Step, error: Self::Error) -> Self::Error;
}

pub(crate) fn read<'de, N: Tree<'de>, T: Deserialize<'de>>(node: N) -> Result<T, N::Error> {
    T::deserialize(TreeDeserializer { node, depth: DEPTH, lifetime: PhantomData })
}

#[derive(Clone, Copy)]
struct TreeDeserializer<'de, N> {
    node: N,
    /// Collections that may still be opened.
    depth: u32,
    lifetime: PhantomData<&'de ()>,
}

impl<'de, N: Tree<'de>> TreeDeserializer<'de, N> {
    /// Another value, at the same depth.
    fn with(self, node: N) -> Self {
        TreeDeserializer { node, ..self }
    }

    /// Counts one more open collection.
    fn deeper(self) -> Result<Self, N::Error> {
        match self.depth.checked_sub(1) {
            Some(depth) => Ok(TreeDeserializer { depth, ..self }),
            None => Err(self.node.too_deep()),
        }
    }

    fn at<T>(self, result: Result<T, N::Error>) -> Result<T, N::Error> {
        result.map_err(|error| self.node.at(error))
    }

    /// How this key shows in a path.
    fn step(self) -> Step {
        Step::Key(self.node.view().map_or_else(|_| String::new(), |view| view.key()))
    }

    fn any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, N::Error> {
        match self.node.view()? {
            View::Null => visitor.visit_unit(),
            View::Bool(bool) => visitor.visit_bool(bool),
            View::Int(int) => visitor.visit_i64(int),
            View::UInt(int) => visitor.visit_u64(int),
            View::Float(float) => visitor.visit_f64(float),
            View::Str(text) => visitor.visit_borrowed_str(text),
            View::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
            View::Map(entries) => visitor.visit_map(Items { parent: self.deeper()?, entries, next: 0, open: None }),
            View::Array(entries) => {
                let mut items = Items { parent: self.deeper()?, entries, next: 0, open: None };
                let value = visitor.visit_seq(&mut items)?;
                // A tuple reads as many items as it has.
                let (read, all) = (items.next, N::count(entries));
                if read < all {
                    return Err(N::Error::invalid_length(all, &format!("{read} items").as_str()));
                }
                Ok(value)
            }
        }
    }

    /// A float without fraction is as good as the integer: `1.0` prints as `1`.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "`EXACT` is where both begin")]
    fn integer<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, N::Error> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        let result = match self.node.view() {
            Ok(View::Float(float)) if (-EXACT..=EXACT).contains(&float) && (float as i64) as f64 == float => {
                visitor.visit_i64(float as i64)
            }
            _ => self.any(visitor),
        };
        self.at(result)
    }

    /// `name`, or `name: content`.
    fn variant<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, N::Error> {
        match self.node.view()? {
            View::Str(_) => visitor.visit_enum(Variant { name: self, content: None }),
            View::Map(entries) if N::count(entries) == 1 => match self.node.entry(entries, 0) {
                Some((key, value)) => {
                    let parent = self.deeper()?;
                    let (name, content) = (parent.with(key), parent.with(value));
                    visitor
                        .visit_enum(Variant { name, content: Some(content) })
                        .map_err(|error| N::under(name.step(), error))
                }
                None => Err(N::Error::custom("expected an entry")),
            },
            View::Map(entries) => {
                Err(N::Error::invalid_length(N::count(entries), &"a map with one entry, the variant"))
            }
            other => {
                Err(N::Error::invalid_type(other.unexpected(), &"a variant: its name, or a map with the name as key"))
            }
        }
    }
}

macro_rules! integers {
    ($($name:ident)*) => {
        $(fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, N::Error> {
            self.integer(visitor)
        })*
    };
}

impl<'de, N: Tree<'de>> Deserializer<'de> for TreeDeserializer<'de, N> {
    type Error = N::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, N::Error> {
        self.at(self.any(visitor))
    }

    integers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, N::Error> {
        match self.node.view() {
            Ok(View::Null) => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, N::Error> {
        self.at(visitor.visit_newtype_struct(self))
    }

    /// Bytes are text, too, where somebody asks for bytes.
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, N::Error> {
        let result = match self.node.view() {
            Ok(View::Str(text)) => visitor.visit_borrowed_bytes(text.as_bytes()),
            _ => self.any(visitor),
        };
        self.at(result)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, N::Error> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, N::Error> {
        self.at(self.variant(visitor))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, N::Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        <V: Visitor<'de>>
        bool f32 f64 char str string unit unit_struct seq tuple tuple_struct map struct identifier
    }
}

/// Entries of a map or items of an array.
struct Items<'de, N: Tree<'de>> {
    parent: TreeDeserializer<'de, N>,
    entries: N::Entries,
    next: usize,
    /// The entry whose key was read.
    open: Option<(N, N)>,
}

impl<'de, N: Tree<'de>> Items<'de, N> {
    fn left(&self) -> Option<usize> {
        N::count(self.entries).checked_sub(self.next)
    }
}

impl<'de, N: Tree<'de>> SeqAccess<'de> for &mut Items<'de, N> {
    type Error = N::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, N::Error> {
        let index = self.next;
        let Some((_, item)) = self.parent.node.entry(self.entries, index) else { return Ok(None) };
        self.next = index.saturating_add(1);
        let value = seed.deserialize(self.parent.with(item));
        value.map(Some).map_err(|error| N::under(Step::Index(index), item.at(error)))
    }

    fn size_hint(&self) -> Option<usize> {
        self.left()
    }
}

impl<'de, N: Tree<'de>> MapAccess<'de> for Items<'de, N> {
    type Error = N::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, N::Error> {
        let Some((key, value)) = self.parent.node.entry(self.entries, self.next) else { return Ok(None) };
        self.next = self.next.saturating_add(1);
        self.open = Some((key, value));
        let name = self.parent.with(key);
        seed.deserialize(name).map(Some).map_err(|error| N::under(name.step(), key.at(error)))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, N::Error> {
        let Some((key, value)) = self.open.take() else {
            return Err(N::Error::custom("a value was asked for before its key"));
        };
        let name = self.parent.with(key);
        seed.deserialize(self.parent.with(value)).map_err(|error| N::under(name.step(), value.at(error)))
    }

    fn size_hint(&self) -> Option<usize> {
        self.left()
    }
}

/// A variant of an enum: its name, and what it holds.
struct Variant<'de, N> {
    name: TreeDeserializer<'de, N>,
    content: Option<TreeDeserializer<'de, N>>,
}

impl<'de, N: Tree<'de>> EnumAccess<'de> for Variant<'de, N> {
    type Error = N::Error;
    type Variant = Content<'de, N>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Content<'de, N>), N::Error> {
        Ok((seed.deserialize(self.name)?, Content(self.content)))
    }
}

/// What a variant holds.
struct Content<'de, N>(Option<TreeDeserializer<'de, N>>);

impl<'de, N: Tree<'de>> Content<'de, N> {
    fn required(self, expected: &str) -> Result<TreeDeserializer<'de, N>, N::Error> {
        self.0.ok_or_else(|| N::Error::invalid_type(Unexpected::UnitVariant, &expected))
    }
}

impl<'de, N: Tree<'de>> VariantAccess<'de> for Content<'de, N> {
    type Error = N::Error;

    fn unit_variant(self) -> Result<(), N::Error> {
        let Some(content) = self.0 else { return Ok(()) };
        match content.node.view()? {
            View::Null => Ok(()),
            other => {
                let expected = "nothing: a variant without content";
                Err(content.node.at(N::Error::invalid_type(other.unexpected(), &expected)))
            }
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, N::Error> {
        seed.deserialize(self.required("a variant with a value")?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, N::Error> {
        self.required("a variant with an array")?.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, N::Error> {
        self.required("a variant with a map")?.deserialize_any(visitor)
    }
}
