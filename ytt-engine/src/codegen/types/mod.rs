//! Types of Rust for values of YAML, and the values as constants of these types.
//!
//! `shape` puts together what is known, from a `schema` and from values; `layout` gives names; `emit` writes types and
//! values as text of Rust, which the compiler's own lexer reads faster than a macro can make tokens. `declared` holds
//! values against types that a call declares.

pub(super) mod declared;
pub(super) mod docs;
pub(super) mod emit;
pub(super) mod layout;
pub(super) mod merge;
pub(super) mod names;
pub(super) mod pattern;
pub(super) mod schema;
pub(super) mod shape;
