//! Types of Rust for values of YAML, and the values as constants of these types.
//!
//! `shape` puts together what is known, from a `schema` and from values; `layout` gives names; `emit` writes types and
//! values as text of Rust, which the compiler's own lexer reads faster than a macro can make tokens. `declared` holds
//! values against types that a call declares.

use crate::source::Span;

pub(super) mod declared;
pub(super) mod docs;
pub(super) mod emit;
pub(super) mod layout;
pub(super) mod merge;
pub(super) mod names;
pub(super) mod pattern;
pub(super) mod schema;
pub(super) mod shape;

/// What is wrong with a value or a key: it does not fit its type, it has no name, or none of its own.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) name: &'static str,
    pub(super) message: String,
    pub(super) at: Option<Span>,
}
