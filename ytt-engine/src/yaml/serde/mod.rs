//! Feature `serde`: any `Serialize` value becomes a [`Value`], any `Deserialize` type is read from a [`NodeRef`] in
//! place, with the position in its errors.
//!
//! Both know the form of `serde_json`'s numbers under its feature `arbitrary_precision`, which the Starlark interpreter
//! switches on for everybody.

mod de;
mod error;
mod ser;
mod value;

use serde::de::Deserialize;
use serde::ser::Serialize;

use self::error::Failure;
use crate::constant::tree;
use crate::diag::Diagnostic;
use crate::yaml::document::with_sources;
use crate::yaml::{NodeRef, Value};

impl Value {
    /// Makes a value of anything that can be serialized.
    ///
    /// ```
    /// let value = ytt_engine::Value::serialized(&std::collections::BTreeMap::from([("replicas", 3)])).unwrap();
    /// assert_eq!(value.get("replicas").and_then(ytt_engine::Value::as_i64), Some(3));
    /// ```
    ///
    /// # Errors
    ///
    /// If the type refuses to be serialized, or holds an integer beyond 64 bits.
    pub fn serialized<T: Serialize + ?Sized>(value: &T) -> Result<Value, Diagnostic> {
        value.serialize(ser::ValueSerializer).map_err(Failure::into_diagnostic)
    }
}

impl<'a> NodeRef<'a> {
    /// Reads a type from this value. Text may be borrowed; integral floats are taken where an integer is asked for.
    ///
    /// # Errors
    ///
    /// If the value does not fit the type: with the place of what does not, and the path that leads to it. If it is
    /// nested deeper than 128 levels.
    pub fn deserialize<T: Deserialize<'a>>(self) -> Result<T, Diagnostic> {
        tree::read(self).map_err(|failure: Failure| with_sources(failure.into_diagnostic(), self.sources()))
    }
}

/// Name of the struct, and of its only field, as which `serde_json` hands out numbers of any precision.
const JSON_NUMBER: &str = "$serde_json::private::Number";

/// The number of a text of JSON.
fn json_number(text: &str) -> Option<Value> {
    let looks_whole = text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
    if looks_whole {
        if let Ok(int) = text.parse::<i64>() {
            return Some(Value::Int(int));
        }
        if let Ok(int) = text.parse::<u64>() {
            return Some(Value::UInt(int));
        }
    }
    let float = text.parse::<f64>().ok()?;
    float.is_finite().then_some(Value::Float(float))
}

#[cfg(test)]
mod tests;
