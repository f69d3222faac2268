//! Texts of the left side that an earlier overlay changed: a later one may look for what they were.

use std::collections::HashMap;

use super::nearest::Fix;
use crate::overlay::compare::leaf;
use crate::overlay::engine::Scene;
use crate::yaml::{Arena, NodeId, Val};

/// Times that one text was changed.
const STEPS: usize = 8;

/// What left items were, and who changed them.
#[derive(Default)]
pub(super) struct Renames {
    /// Of an item that was replaced, by the new one: the old one, and the right item.
    replaced: HashMap<NodeId, (NodeId, NodeId)>,
    /// Texts that an item had, and the right items.
    rewritten: HashMap<NodeId, Vec<(Val, NodeId)>>,
}

impl Renames {
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
}

impl Scene<'_> {
    /// What overlays changed so far.
    pub(super) fn renames(&self) -> Renames {
        let mut renames = Renames::default();
        for removed in self.removed {
            if let Some(new) = removed.new {
                renames.replaced.insert(new, (removed.item, removed.by));
            }
        }
        for rewritten in self.rewritten {
            renames.rewritten.entry(rewritten.item).or_default().push((rewritten.before, rewritten.by));
        }
        renames
    }

    /// The edit to what a text is now, with who changed it.
    pub(super) fn as_renamed(&self, arena: &Arena, fix: Fix, (old, new): (&str, &str), by: NodeId) -> Fix {
        let who = self.line_of(arena, by).unwrap_or_else(|| "an earlier overlay".to_string());
        Fix { text: format!("did you mean `{new}`? {who} changes `{old}` to that, before this overlay"), ..fix }
    }
}
