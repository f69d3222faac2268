//! YAML as ytt reads and prints it: a reader that keeps every place and comment, the arena of nodes, the printers.

pub(crate) mod arena;
pub(crate) mod meta;

pub(crate) use arena::{Arena, Body, Node, NodeId, Plain, TooDeep, Val};
pub(crate) use meta::{AnnId, AnnSet, Annotation, ArgId, Comment, Place, PosId};
