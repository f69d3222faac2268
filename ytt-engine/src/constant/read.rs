//! Types of the user's read from a constant.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

use serde::de::Deserialize;

use super::Value;
use super::tree::{self, DEPTH, Step, Tree, View};

/// Reads a type from a constant. Text and bytes are borrowed from it; integral floats are taken where an integer is asked
/// for.
///
/// ```
/// use ytt_engine::constant::{Value, from_value};
///
/// #[derive(serde::Deserialize)]
/// struct Service {
///     host: &'static str,
///     ports: Vec<u16>,
/// }
///
/// static WEB: Value = Value::Map(&[
///     (Value::Str("host"), Value::Str("localhost")),
///     (Value::Str("ports"), Value::Seq(&[Value::Int(80), Value::Int(70_000)])),
/// ]);
///
/// let error = from_value::<Service>(&WEB).err().unwrap();
/// assert_eq!(error.path(), "ports[1]");
/// assert_eq!(error.to_string(), "ports[1]: invalid value: integer `70000`, expected u16");
/// ```
///
/// # Errors
///
/// If the value does not fit the type: what does not, and the path that leads to it. If it is nested deeper than 128
/// levels.
pub fn from_value<T: Deserialize<'static>>(value: &Value) -> Result<T, FromValueError> {
    tree::read(*value)
}

impl Tree<'static> for Value {
    type Entries = Parts;
    type Error = FromValueError;

    fn view(self) -> Result<View<'static, Parts>, FromValueError> {
        Ok(match self {
            Value::Null => View::Null,
            Value::Bool(bool) => View::Bool(bool),
            Value::Int(int) => View::Int(int),
            Value::UInt(int) => View::UInt(int),
            Value::Float(float) => View::Float(float),
            Value::Str(text) => View::Str(text),
            Value::Bytes(bytes) => View::Bytes(bytes),
            Value::Seq(items) => View::Array(Parts::Items(items)),
            Value::Map(entries) => View::Map(Parts::Entries(entries)),
        })
    }

    fn count(entries: Parts) -> usize {
        match entries {
            Parts::Items(items) => items.len(),
            Parts::Entries(entries) => entries.len(),
        }
    }

    fn entry(self, entries: Parts, index: usize) -> Option<(Value, Value)> {
        match entries {
            Parts::Items(items) => Some((Value::Null, *items.get(index)?)),
            Parts::Entries(entries) => entries.get(index).copied(),
        }
    }

    fn too_deep(self) -> FromValueError {
        FromValueError::new(format!("nesting is deeper than {DEPTH} levels"))
    }

    fn at(self, error: FromValueError) -> FromValueError {
        error
    }

    fn under(step: Step, mut error: FromValueError) -> FromValueError {
        let inner = &mut error.0.path;
        let step = match step {
            Step::Index(index) => format!("[{index}]"),
            // As in the messages of the engine.
            Step::Key(key) if key.is_empty() || key.contains(['.', '[', ']', '"', '\n']) => format!("{key:?}"),
            Step::Key(key) => key,
        };
        let dot = if inner.is_empty() || inner.starts_with('[') { "" } else { "." };
        *inner = format!("{step}{dot}{inner}");
        error
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Parts {
    Items(&'static [Value]),
    Entries(&'static [(Value, Value)]),
}

/// A constant does not fit a type: what does not, and where.
///
/// It prints as `path: message`.
///
/// ```
/// use ytt_engine::constant::{Value, from_value};
///
/// let error = from_value::<bool>(&Value::Int(1)).unwrap_err();
/// assert_eq!((error.path(), error.message()), ("", "invalid type: integer `1`, expected a boolean"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct FromValueError(Box<Problem>);

#[derive(Clone, PartialEq, Eq)]
struct Problem {
    message: String,
    path: String,
}

impl FromValueError {
    fn new(message: String) -> FromValueError {
        FromValueError(Box::new(Problem { message, path: String::new() }))
    }

    /// The path to what does not fit, as in `spec.containers[0].image`; empty for the whole value. Keys that are not
    /// plain words are quoted: `labels."app.kubernetes.io/name"`.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// What is wrong there.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Of these paths, each with something that belongs to it, the one that leads to the problem or nearest to it: of
    /// a key that is missing, that is the map without it.
    ///
    /// ```
    /// use ytt_engine::constant::{Value, from_value};
    ///
    /// static PORTS: Value = Value::Seq(&[Value::Map(&[(Value::Str("port"), Value::Bool(true))])]);
    /// let error = from_value::<Vec<std::collections::BTreeMap<String, u16>>>(&PORTS).unwrap_err();
    /// assert_eq!(error.path(), "[0].port");
    /// assert_eq!(error.nearest(&[("", "ports.yml:1:1"), ("[0]", "ports.yml:1:3")]), Some("ports.yml:1:3"));
    /// ```
    pub fn nearest<'a>(&self, paths: &[(&str, &'a str)]) -> Option<&'a str> {
        let leads = |path: &str| match self.0.path.strip_prefix(path) {
            Some(rest) => path.is_empty() || rest.is_empty() || rest.starts_with(['.', '[']),
            None => false,
        };
        paths.iter().filter(|(path, _)| leads(path)).max_by_key(|(path, _)| path.len()).map(|(_, of)| *of)
    }
}

impl fmt::Display for FromValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Problem { message, path } = &*self.0;
        if path.is_empty() { f.write_str(message) } else { write!(f, "{path}: {message}") }
    }
}

impl fmt::Debug for FromValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FromValueError").field("path", &self.path()).field("message", &self.message()).finish()
    }
}

impl core::error::Error for FromValueError {}

impl serde::de::Error for FromValueError {
    fn custom<T: fmt::Display>(message: T) -> FromValueError {
        FromValueError::new(message.to_string())
    }
}

#[cfg(test)]
mod tests;
