//! What nodes are made of: their numbers, values and kinds. None of it owns text; the arena does.

use super::{Arena, Items};
use crate::diag::Diagnostic;
use crate::yaml::meta::{AnnId, PosId};
use crate::yaml::view;

/// Number of a node in its [`Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub(crate) u32);

/// A value as nodes hold it: 16 bytes, `Copy`.
///
/// `Str` is UTF-8 and `Bytes` is not, always: so that equal texts are equal values. `UInt` is above `i64::MAX`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Val {
    Null,
    Bool(bool),
    Int(i64),
    UInt(u64),
    Float(f64),
    /// Part of text number `text` of the arena.
    Str {
        text: u32,
        at: u32,
        len: u32,
    },
    Bytes(u32),
    Node(NodeId),
    /// A list or dict that code set and that is not nodes yet.
    Raw(u32),
}

/// A list or dict that code set, copied from the heap when it was set.
#[derive(Clone, Debug)]
pub(crate) enum Raw {
    List(Vec<Val>),
    Dict(Vec<(Val, Val)>),
}

/// What kind of node, and what it holds: 32 bytes.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    Set(Items),
    Doc(Val),
    Map(Items),
    MapItem(Val, Val),
    Array(Items),
    ArrayItem(Val),
}

impl Body {
    /// `document set`, `map item` and so on: the reference's words.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Body::Set(_) => "document set",
            Body::Doc(_) => "document",
            Body::Map(_) => "map",
            Body::MapItem(..) => "map item",
            Body::Array(_) => "array",
            Body::ArrayItem(_) => "array item",
        }
    }

    /// Items of a document set, map or array.
    pub(super) fn items(&self) -> Option<&Items> {
        match self {
            Body::Set(items) | Body::Map(items) | Body::Array(items) => Some(items),
            _ => None,
        }
    }

    pub(super) fn items_mut(&mut self) -> Option<&mut Items> {
        match self {
            Body::Set(items) | Body::Map(items) | Body::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The same kind with nothing in it; the key of a map item stays.
    pub(crate) fn emptied(&self) -> Body {
        match self {
            Body::Set(_) => Body::Set(Items::default()),
            Body::Doc(_) => Body::Doc(Val::Null),
            Body::Map(_) => Body::Map(Items::default()),
            Body::MapItem(key, _) => Body::MapItem(*key, Val::Null),
            Body::Array(_) => Body::Array(Items::default()),
            Body::ArrayItem(_) => Body::ArrayItem(Val::Null),
        }
    }
}

/// A node: 40 bytes.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) body: Body,
    pub(crate) pos: PosId,
    pub(crate) ann: AnnId,
}

/// A tree is nested deeper than the limit `depth`, or contains itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooDeep {
    pub(crate) limit: u32,
    /// The node below which it goes on.
    pub(crate) node: NodeId,
}

impl TooDeep {
    /// The error of the limit, at the place where the tree goes on.
    pub(crate) fn diagnostic(self, arena: &Arena) -> Diagnostic {
        view::too_deep(self.limit, arena.span_of(self.node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_what_the_memory_figures_rest_on() {
        assert_eq!((size_of::<Val>(), size_of::<Body>(), size_of::<Node>()), (16, 32, 40));
    }
}
