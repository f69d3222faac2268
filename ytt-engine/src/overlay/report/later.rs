//! An assertion that fails for what a later overlay changes: asked again with what that one gives, it agrees.

use super::nearest::COMPARISONS;
use crate::call::{Arg, Matcher, Seen, ValueHandle};
use crate::diag::Diagnostic;
use crate::overlay::annotation::{Argument, MATCH, Operation};
use crate::overlay::compare::{is_part, key_value, leaf};
use crate::overlay::engine::Scene;
use crate::overlay::matcher::Target;
use crate::overlay::operation::verdict;
use crate::overlay::rules;
use crate::overlay::target::target_value;
use crate::yaml::{Body, NodeId, Val};

/// Overlays that come later, of which each is looked at.
const MOST: usize = 200;

impl Scene<'_> {
    /// Adds the later overlay that changes a left item so that the function of an assertion takes it.
    pub(super) fn agrees_later(&mut self, told: Diagnostic, item: NodeId, via: Argument) -> Diagnostic {
        let Some((by, right)) = self.trail.last().filter(|_| self.may_ask()).map(|step| (via.value, step.node)) else {
            return told;
        };
        let later: Vec<NodeId> = self.later.iter().copied().take(MOST).collect();
        let mut changes = later.into_iter().filter(|overlay| self.is_for_this(*overlay));
        let Some(there) = changes.find_map(|overlay| self.same_place(overlay)) else { return told };
        let Some(new) = self.given_by(there, item) else { return told };
        let wanted = self.arena().value(right);
        if !self.agrees(by, new, wanted) {
            return told;
        }
        let arena = self.arena();
        let Some((first, then)) = arena.span_of(there).zip(arena.span_of(right)) else { return told };
        let told = told.label_at(self.mark(&arena, there), "changes it, but only after this");
        match self.in_order(first, then) {
            Some(advice) => told.advise(advice),
            None => told.help(
                "overlays are applied in the order in which they are written: move the document that asserts below the one \
                 that changes what it asserts",
            ),
        }
    }

    /// Whether the function of an assertion takes a value.
    fn agrees(&mut self, by: ValueHandle, left: Val, right: Val) -> bool {
        let Ok(gave) = self.calls.ask(by, &[Arg::Val(left), Arg::Val(right)]) else { return false };
        match self.calls.see(gave) {
            Seen::Null | Seen::Bool(true) => true,
            Seen::List(values) | Seen::Tuple(values) => matches!(verdict(&*self.calls, &values), Some((true, _))),
            _ => false,
        }
    }

    /// What a right item makes of a left one, if that is a scalar or the value of a function.
    fn given_by(&mut self, right: NodeId, left: NodeId) -> Option<Val> {
        let operation = rules::operation(&*self.calls, right).ok()?;
        let (old, new) = (self.arena().value(left), self.arena().value(right));
        match operation {
            Operation::Merge => {
                (!matches!(new, Val::Node(_) | Val::Raw(_)) && !leaf(&self.arena(), old, new)).then_some(new)
            }
            Operation::Replace => match rules::replace_rule(&*self.calls, right).ok()?.via {
                Some(via) => {
                    let gave = self.calls.ask(via, &[Arg::Val(old), Arg::Val(new)]).ok()?;
                    self.calls.to_val(gave).ok()
                }
                None => Some(new),
            },
            _ => None,
        }
    }

    /// The item of another overlay document that is for the left item at hand.
    fn same_place(&self, overlay: NodeId) -> Option<NodeId> {
        let mut at = overlay;
        for step in self.trail.get(1..)? {
            let left = step.matched?.item;
            let is_merge = |item| matches!(rules::operation(&*self.calls, item), Ok(Operation::Merge));
            let items = {
                let arena = self.arena();
                let Val::Node(container) = arena.value(at) else { return None };
                arena.items(container).iter().copied().take(COMPARISONS).collect::<Vec<_>>()
            };
            at = is_merge(at).then(|| items.into_iter().find(|item| self.takes(*item, left))).flatten()?;
        }
        (at != overlay).then_some(at)
    }

    /// Whether a right item is for a left one, as far as that is seen without a call.
    fn takes(&self, right: NodeId, left: NodeId) -> bool {
        let args = self.arena().ann(right, MATCH).map(|annotation| annotation.args);
        let by = args.and_then(|args| {
            let args = self.calls.args(args);
            args.named.iter().find(|(name, _)| &**name == "by").map(|(_, by)| *by)
        });
        let is_key = matches!(self.arena().get(right).body, Body::MapItem(..));
        let Some(by) = by else {
            let arena = self.arena();
            return is_key && arena.same(arena.key(right), arena.key(left));
        };
        match self.calls.see(by) {
            Seen::Matcher(Matcher::All) => true,
            Seen::Matcher(Matcher::Subset(target)) => {
                let wanted = target_value(&*self.calls, &mut Target::Live(target));
                let arena = self.arena();
                wanted.is_ok_and(|wanted| is_part(&arena, arena.value(left), wanted))
            }
            _ => {
                let Some(key) = self.compared_key(right) else { return false };
                let arena = self.arena();
                let at = |item: NodeId| {
                    let map = arena.map_of(arena.value(item))?;
                    key_value(&arena, arena.value(item), arena.key(arena.find_str(map, &key)?)).ok()
                };
                at(left).zip(at(right)).is_some_and(|(left, right)| leaf(&arena, left, right))
            }
        }
    }
}
