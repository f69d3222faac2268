//! Texts of the left side that an earlier overlay changed: a later one may look for what they were.

use std::collections::HashMap;

use super::compare::leaf;
use super::engine::{Removed, Rewritten};
use crate::yaml::{Arena, NodeId, Val};

/// Times that one text was changed.
const STEPS: usize = 8;

/// What left items were, and who changed them: made of what a stage noted when somebody asks, and carried on from there.
#[derive(Debug, Default)]
pub(super) struct Renames {
    /// How many notes are in.
    known: (usize, usize),
    /// Of an item that was replaced, by the new one: the old one, and the right item.
    replaced: HashMap<NodeId, (NodeId, NodeId)>,
    /// Texts that an item had, and the right items.
    rewritten: HashMap<NodeId, Vec<(Val, NodeId)>>,
}

impl Renames {
    /// Takes in the notes that came since the last time.
    pub(super) fn extend(&mut self, removed: &[Removed], rewritten: &[Rewritten]) {
        for removed in removed.iter().skip(self.known.0) {
            if let Some(new) = removed.new {
                self.replaced.insert(new, (removed.item, removed.by));
            }
        }
        for rewritten in rewritten.iter().skip(self.known.1) {
            self.rewritten.entry(rewritten.item).or_default().push((rewritten.before, rewritten.by));
        }
        self.known = (removed.len(), rewritten.len());
    }

    /// The right item that changed what a left one is from the wanted text.
    pub(super) fn from(&self, arena: &Arena, item: NodeId, wanted: Val) -> Option<NodeId> {
        let mut item = item;
        for _ in 0..STEPS {
            let known = self.rewritten.get(&item).into_iter().flatten();
            if let Some((_, by)) = known.rev().find(|(before, _)| leaf(arena, *before, wanted)) {
                return Some(*by);
            }
            let (old, by) = *self.replaced.get(&item)?;
            if leaf(arena, arena.value(old), wanted) {
                return Some(by);
            }
            item = old;
        }
        None
    }

    /// What a left item was, the last value first, each with the right item that changed it.
    pub(super) fn former(&self, arena: &Arena, item: NodeId) -> Vec<(Val, NodeId)> {
        let (mut item, mut found) = (item, Vec::new());
        for _ in 0..STEPS {
            found.extend(self.rewritten.get(&item).into_iter().flatten().rev().take(STEPS));
            let Some((old, by)) = self.replaced.get(&item) else { break };
            found.push((arena.value(*old), *by));
            item = *old;
        }
        found
    }
}
