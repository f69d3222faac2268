//! A key that a document has no more, while what the overlay has below it is elsewhere there: a newer form of the same
//! resource has it below other keys.

use super::cause::Cause;
use super::elsewhere::{Found, way_text};
use super::words::key_text;
use crate::overlay::annotation::{MATCH, Operation, RightKind};
use crate::overlay::engine::{Scene, TrailStep};
use crate::overlay::problem::Unmet;
use crate::overlay::rules;
use crate::yaml::{Arena, Body, NodeId};

impl Scene<'_> {
    /// Where the left document has what a missing key should hold: further down, in the same map as the key would be. What
    /// stands right beside it is another thing of the same shape, as two probes are.
    pub(super) fn contents_elsewhere(&mut self, unmet: &Unmet) -> Option<Cause> {
        if unmet.kind != RightKind::MapItem || unmet.rule.by.is_some() || self.exact {
            return None;
        }
        let inside: Vec<NodeId> = {
            let arena = self.arena();
            let map = arena.map_of(arena.value(unmet.right))?;
            let is_plain = |item: &NodeId| {
                arena.ann(*item, MATCH).is_none()
                    && matches!(rules::operation(&*self.calls, *item), Ok(Operation::Merge))
            };
            arena.items(map).iter().copied().filter(is_plain).collect()
        };
        let &first = inside.first()?;
        // As if the walk had gone on to that key.
        let mut trail = self.trail.to_vec();
        trail.push(TrailStep::new(first, RightKind::MapItem));
        let scene = Scene {
            calls: &mut *self.calls,
            trail: &trail,
            exact: self.exact,
            removed: self.removed,
            rewritten: self.rewritten,
            renames: self.renames,
            overlays: self.overlays,
            later: self.later,
            sets: self.sets,
            told: Vec::new(),
            before: self.before,
        };
        let arena = scene.arena();
        let wanted = arena.key(first);
        let is_same =
            |_, item| matches!(arena.get(item).body, Body::MapItem(..)) && arena.same(arena.key(item), wanted);
        let Found { rank: (lacks, _), way, is_one_of_many } = scene.elsewhere(&arena, first, &is_same)?;
        let (there, above) = way.split_last()?;
        let around = scene.steps_around(&way)?;
        // One key says something if what is below it fits, too.
        let is_deep = shares_key(&arena, *there, first);
        let map = above.last().and_then(|item| arena.map_of(arena.value(*item)))?;
        let has_others = inside.iter().all(|item| arena.find(map, arena.key(*item)).is_some());
        let is_sure = has_others && (is_deep || inside.len() > 1);
        if lacks || is_one_of_many || !is_sure || above.len() < around.checked_add(2)? {
            return None;
        }
        let path = way_text(&arena, above);
        let (key, child) = (key_text(&arena, arena.key(unmet.right)), key_text(&arena, wanted));
        let cause = Cause::new(scene.mark(&arena, *there), format!("`{child}` is here, in `{path}`"));
        let edit = (inside.len() == 1).then(|| scene.written_there(&arena, first, &way)).flatten();
        let text = format!("what `{key}` holds is in `{path}` there: write it there");
        Some(cause.help(text, edit.map(|(span, new, _)| (span, new))).guessing(true))
    }

    /// How many steps of a way the walk took on the left, up to the map in which a key is missing; `None` if the way leaves
    /// them.
    fn steps_around(&self, way: &[NodeId]) -> Option<usize> {
        let steps = self.trail.get(1..self.trail.len().checked_sub(2)?)?;
        let is_shared = |(step, item): (&TrailStep, &NodeId)| step.matched.is_some_and(|left| left.item == *item);
        (steps.len() <= way.len() && steps.iter().zip(way).all(is_shared)).then_some(steps.len())
    }
}

/// Whether two items hold maps that have a key in common.
fn shares_key(arena: &Arena, left: NodeId, right: NodeId) -> bool {
    let [left, right] = [left, right].map(|item| arena.map_of(arena.value(item)));
    left.zip(right)
        .is_some_and(|(left, right)| arena.items(right).iter().any(|item| arena.find(left, arena.key(*item)).is_some()))
}
