//! Types read from nodes in place. Every error gets the place of the innermost node that has one.

use super::error::Failure;
use crate::constant::tree::{DEPTH, Step, Tree, View};
use crate::yaml::view::{self, Entries};
use crate::yaml::{NodeRef, Value};

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

impl<'a> Tree<'a> for NodeRef<'a> {
    type Entries = Entries<'a>;
    type Error = Failure;

    fn view(self) -> Result<View<'a, Entries<'a>>, Failure> {
        Ok(match self.view() {
            view::View::Null => View::Null,
            view::View::Bool(bool) => View::Bool(bool),
            view::View::Int(int) => View::Int(int),
            view::View::UInt(int) => View::UInt(int),
            view::View::Float(float) => View::Float(float),
            view::View::Str(text) => View::Str(text),
            view::View::Bytes(bytes) => View::Bytes(bytes),
            view::View::Map(entries) => View::Map(entries),
            view::View::Array(entries) => View::Array(entries),
            view::View::Other(node) => return Err(view::misplaced(self.arena(), node, self.span()).into()),
        })
    }

    fn count(entries: Entries<'a>) -> usize {
        entries.len()
    }

    fn entry(self, entries: Entries<'a>, index: usize) -> Option<(NodeRef<'a>, NodeRef<'a>)> {
        Some(self.inner(entries.get(index)?))
    }

    fn too_deep(self) -> Failure {
        view::too_deep(DEPTH, self.span()).into()
    }

    fn at(self, failure: Failure) -> Failure {
        failure.at(self.span())
    }

    fn under(step: Step, failure: Failure) -> Failure {
        failure.under(|| match step {
            Step::Key(key) => key,
            Step::Index(index) => format!("[{index}]"),
        })
    }
}
