//! Nodes that are open while templates run: `build` starts and closes them, `replace` puts others in their place.

use std::collections::HashSet;
use std::sync::Arc;

use super::host::Compiled;
use crate::yaml::keys::KeyTable;
use crate::yaml::{AnnSet, Annotation, Arena, NodeId, TextPart, Val};

/// What a context builds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Yaml,
    Text,
}

/// A template, or a function with nodes, that is being run.
#[derive(Debug)]
pub(crate) struct Context {
    /// Number of the evaluation it belongs to.
    pub(super) inst: u32,
    pub(super) compiled: Arc<Compiled>,
    pub(super) dialect: Dialect,
    /// A text-templated string, which code in it must not leave.
    pub(super) is_string: bool,
    pub(super) root: Option<NodeId>,
    pub(super) open: Vec<Open>,
    pub(super) pending: Vec<(u32, Annotation)>,
    pub(super) pending_key: Option<(u32, Val)>,
    pub(super) text: Vec<u8>,
    /// Where the parts of the text are from, if that is noted.
    pub(super) parts: Vec<TextPart>,
}

impl Context {
    /// The annotations that were kept for a node.
    pub(super) fn take_pending(&mut self, number: u32) -> AnnSet {
        if self.pending.iter().all(|(wanted, _)| *wanted == number) {
            // The common case, and of a length that is known.
            return self.pending.drain(..).map(|(_, annotation)| annotation).collect();
        }
        let mine = self.pending.extract_if(.., |(wanted, _)| *wanted == number);
        mine.map(|(_, annotation)| annotation).collect()
    }
}

/// A node that can still be added to.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) number: u32,
    pub(super) node: NodeId,
    /// Copied with all that is below it, in one step.
    pub(super) whole: bool,
    /// The items of a map that has many, by their keys.
    pub(super) keys: Option<KeyTable>,
    /// Items that later ones have overridden: they leave the map together, when it is closed.
    pub(super) overridden: HashSet<NodeId>,
}

impl Open {
    pub(super) fn new(number: u32, node: NodeId) -> Open {
        Open { number, node, whole: false, keys: None, overridden: HashSet::new() }
    }

    /// Takes overridden items out of the map.
    pub(super) fn drop_overridden(&mut self, arena: &mut Arena) {
        if !self.overridden.is_empty() {
            let overridden = std::mem::take(&mut self.overridden);
            arena.items_mut(self.node).change(|items| items.retain(|item| !overridden.contains(item)));
        }
    }

    /// Forgets the key of an item that leaves the map.
    pub(super) fn forget(&mut self, arena: &Arena, item: NodeId) {
        if let Some(keys) = &mut self.keys {
            keys.remove(arena, item);
        }
    }
}
