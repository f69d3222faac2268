//! A matcher that asks for more, and so takes less, as code.

use super::several::subset;
use crate::overlay::engine::Scene;
use crate::quoted;
use crate::source::Span;
use crate::template::outline;
use crate::yaml::{NodeId, Val};

impl Scene<'_> {
    /// A matcher that takes, of what the one written at `by` takes, only what has a value at a path, or has it not.
    pub(super) fn narrowed(&self, by: Span, path: &[NodeId], value: Val, has_it: bool) -> Option<String> {
        let arena = self.arena();
        let wanted = subset(&arena, path, value)?;
        self.narrowed_to(by, arena.str(arena.key(*path.first()?))?, &wanted, has_it)
    }

    /// As [`Scene::narrowed`], with a dict whose first key is this one.
    pub(super) fn narrowed_to(&self, by: Span, key: &str, wanted: &str, has_it: bool) -> Option<String> {
        let source = self.calls.sources().get(by.source);
        outline::brought(&source, by.source, "overlay")?;
        let written = source.written(by)?;
        let old = written.strip_prefix("by=").unwrap_or(written).trim();
        let key = quoted::starlark(key);
        if old == "overlay.all" && has_it {
            return Some(format!("by=overlay.subset({wanted})"));
        }
        let inside = old.strip_prefix("overlay.subset({").and_then(|old| old.strip_suffix("})"));
        // A dict that says nothing of the key takes it in.
        if let Some(inside) = inside.filter(|inside| has_it && !inside.contains(&key) && !inside.contains(')')) {
            let inside = inside.trim_end().trim_end_matches(',');
            let more = wanted.strip_prefix('{')?.strip_suffix('}')?;
            return Some(format!("by=overlay.subset({{{inside}, {more}}})"));
        }
        let old = if old.starts_with(['"', '\'']) { format!("overlay.map_key({old})") } else { old.to_string() };
        let wanted = format!("overlay.subset({wanted})");
        if old == "overlay.all" {
            return Some(format!("by=overlay.not_op({wanted})"));
        }
        Some(match has_it {
            true => format!("by=overlay.and_op({old}, {wanted})"),
            false => format!("by=overlay.and_op({old}, overlay.not_op({wanted}))"),
        })
    }
}
