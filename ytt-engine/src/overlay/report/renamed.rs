//! A text that an earlier overlay changed, told where a later one looks for what it was.

use super::nearest::Fix;
use crate::overlay::engine::Scene;
use crate::yaml::{Arena, NodeId, Val};

impl Scene<'_> {
    /// The right item that changed what a left one is from the wanted text.
    pub(super) fn renamed_by(&self, arena: &Arena, item: NodeId, wanted: Val) -> Option<NodeId> {
        let mut renames = self.renames?.borrow_mut();
        renames.extend(self.removed, self.rewritten);
        renames.from(arena, item, wanted)
    }

    /// The edit to what a text is now, with who changed it.
    pub(super) fn as_renamed(&self, arena: &Arena, fix: Fix, (old, new): (&str, &str), by: NodeId) -> Fix {
        let who = self.line_of(arena, by).unwrap_or_else(|| "an earlier overlay".to_string());
        Fix { text: format!("did you mean `{new}`? {who} changes `{old}` to that, before this overlay"), ..fix }
    }
}
