//! Validations: the rules that `@schema/validation` and `@assert/validate` attach to a tree of data values.
//!
//! Rules are data (`rule`), read from the arguments once (`annotation`); `text` writes values as Starlark prints them. What
//! runs them is in `schema`, which knows the types that have rules.

mod annotation;
mod rule;
#[cfg(test)]
pub(crate) mod script;
#[cfg(test)]
mod tests;
mod text;

pub(crate) use annotation::read;
pub(crate) use rule::{Rule, Rules, Test, whole};
pub(crate) use text::{key_text, repr};
