//! Documents that must fit a type of the caller's.

use std::any::type_name;
use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use ytt_engine::codegen::items::{no_document, scalar_text};
use ytt_engine::yaml::NodeRef;
use ytt_engine::{Diagnostic, Rendered, codegen};

use crate::failure::Failure;

/// Reads a value into the type, and forgets it.
type Read = dyn Fn(NodeRef<'_>) -> Result<(), Diagnostic> + Send + Sync;

/// A type, and which documents must fit it.
#[derive(Clone)]
pub(crate) struct Check {
    /// Paths of keys, and the text of the value.
    conditions: Vec<(Vec<String>, String)>,
    read: Arc<Read>,
    name: &'static str,
}

impl fmt::Debug for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Check").field("conditions", &self.conditions).field("name", &self.name).finish_non_exhaustive()
    }
}

impl Check {
    /// `conditions` are `path=value` with commas between.
    pub(crate) fn new<T: DeserializeOwned + 'static>(conditions: &str) -> Result<Check, String> {
        let one = |condition: &str| {
            let (path, value) = condition
                .split_once('=')
                .ok_or_else(|| format!("`{condition}` is no condition: write `kind=Deployment,metadata.name=web`"))?;
            Ok::<_, String>((path.trim().split('.').map(str::to_owned).collect(), value.trim().to_owned()))
        };
        let conditions = conditions.split(',').filter(|condition| !condition.trim().is_empty()).map(one);
        Ok(Check {
            conditions: conditions.collect::<Result<_, _>>()?,
            read: Arc::new(|node| node.deserialize::<T>().map(drop)),
            name: type_name::<T>(),
        })
    }

    /// All documents that should fit and do not.
    pub(crate) fn run(&self, rendered: &Rendered) -> Result<(), Failure> {
        let mut left: Vec<NodeRef<'_>> = rendered.documents().filter(|node| !node.is_null()).collect();
        for (number, (path, wanted)) in self.conditions.iter().enumerate() {
            let found: Vec<NodeRef<'_>> =
                left.iter().copied().filter(|node| at(*node, path).as_ref() == Some(wanted)).collect();
            if found.is_empty() {
                return Err(Failure::settings(self.nothing(number, &left)));
            }
            left = found;
        }
        if left.is_empty() {
            return Err(Failure::settings(format!("no document is rendered that could be a `{}`", self.name)));
        }
        let misfits: Vec<String> = left
            .iter()
            .filter_map(|node| (self.read)(*node).err())
            .map(|problem| {
                let drawn = codegen::warning(&problem);
                format!("a document does not fit `{}`\n{drawn}", self.name).trim_end().to_owned()
            })
            .collect();
        if misfits.is_empty() { Ok(()) } else { Err(Failure::Settings { problems: misfits, inputs: None }) }
    }

    fn nothing(&self, number: usize, left: &[NodeRef<'_>]) -> String {
        let said: Vec<String> =
            self.conditions[..=number].iter().map(|(path, value)| format!("{} = {value}", path.join("."))).collect();
        let (path, wanted) = &self.conditions[number];
        let values = left.iter().filter_map(|node| at(*node, path));
        no_document(&said, &path.join("."), values, wanted)
    }
}

/// The scalar at a path, as text.
fn at(node: NodeRef<'_>, path: &[String]) -> Option<String> {
    path.iter().try_fold(node, |node, key| node.get(key)).and_then(scalar_text)
}
