//! A tree without places: what two texts are compared by.

use crate::yaml::view::View;
use crate::yaml::{Arena, Val};

/// A value of YAML. Maps may have a key twice.
#[derive(Clone, Debug)]
pub(super) enum Tree {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    Float(f64),
    /// Text, UTF-8 or not.
    Text(Vec<u8>),
    Map(Vec<(Tree, Tree)>),
    Array(Vec<Tree>),
}

impl Tree {
    pub(super) fn of(arena: &Arena, value: Val) -> Tree {
        match View::of(arena, value) {
            View::Null => Tree::Null,
            View::Bool(value) => Tree::Bool(value),
            View::Int(value) => Tree::Int(value),
            View::UInt(value) => Tree::UInt(value),
            View::Float(value) => Tree::Float(value),
            View::Str(text) => Tree::Text(text.into()),
            View::Bytes(bytes) => Tree::Text(bytes.into()),
            View::Map(entries) => Tree::Map(
                entries.iter().map(|entry| (Tree::of(arena, entry.key), Tree::of(arena, entry.value))).collect(),
            ),
            View::Array(entries) => Tree::Array(entries.iter().map(|entry| Tree::of(arena, entry.value)).collect()),
            View::Other(node) => panic!("{:?} stands inside of a document", arena.get(node)),
        }
    }
}

/// Equal by kind and value; NaN is equal to itself, and the zeros are two.
impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        match (self, other) {
            (Tree::Null, Tree::Null) => true,
            (Tree::Bool(a), Tree::Bool(b)) => a == b,
            (Tree::Int(a), Tree::Int(b)) => a == b,
            (Tree::UInt(a), Tree::UInt(b)) => a == b,
            (Tree::Float(a), Tree::Float(b)) => a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
            (Tree::Text(a), Tree::Text(b)) => a == b,
            (Tree::Map(a), Tree::Map(b)) => a == b,
            (Tree::Array(a), Tree::Array(b)) => a == b,
            _ => false,
        }
    }
}
