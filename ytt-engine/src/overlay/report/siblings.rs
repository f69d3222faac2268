//! Several keys of one map that are all missing: one cause, one report.

use super::SHOWN;
use super::nearest::COMPARISONS;
use super::words::key_text;
use crate::diag::Diagnostic;
use crate::overlay::annotation::{CHILD_DEFAULTS, MATCH, Operation, RightKind};
use crate::overlay::engine::Scene;
use crate::overlay::problem::Unmet;
use crate::overlay::rules;
use crate::yaml::{Body, NodeId, Val};

impl Scene<'_> {
    /// Tells of all new keys beside a missing one at once, with what lets them be added.
    ///
    /// # Errors
    ///
    /// The problem as it was: the key is the only one.
    pub(super) fn with_siblings(&mut self, diagnostic: Diagnostic, unmet: &Unmet) -> Result<Diagnostic, Diagnostic> {
        let is_plain = unmet.kind == RightKind::MapItem && unmet.rule.by.is_none() && unmet.argument.is_none();
        let around = self.trail.iter().rev().nth(1).map(|step| step.node);
        let (Some(around), [left]) = (around.filter(|_| is_plain && !self.exact), &unmet.lefts[..]) else {
            return Err(diagnostic);
        };
        let (others, is_doubtful) = self.also_missing(around, *left, unmet.right);
        let example = self.example_of_defaults(around);
        let own = self.annotation_span(around, MATCH).filter(|_| self.allows_missing(&self.arena(), around));
        let is_told = !others.is_empty() || example.is_some() || own.is_some();
        let Some((span, indent)) = self.line_start(around).filter(|_| is_told) else {
            return Err(diagnostic);
        };
        let diagnostic = {
            let arena = self.arena();
            let key = key_text(&arena, arena.key(around));
            let keys = match others.len() {
                0 => "the key".to_string(),
                more => format!("all {} keys", more.saturating_add(1)),
            };
            let place = match arena.get(around).body {
                Body::Doc(_) => "above the document".to_string(),
                Body::ArrayItem(_) => "above the item".to_string(),
                _ => format!("above `{key}`"),
            };
            let new = format!("#@{CHILD_DEFAULTS} missing_ok=True\n{indent}");
            let known = example.and_then(|example| self.annotation_span(example, CHILD_DEFAULTS));
            let has_edit = known.is_some() || own.is_some();
            let told = match (known, own) {
                // Who lets it be new has new keys in mind.
                (None, Some(own)) => diagnostic
                    .label(own, format!("this is for `{key}`, not for the keys below it"))
                    .help_edit(format!("let {keys} be added, too: one line {place}"), span, new),
                (Some(known), _) => diagnostic
                    .label(known, format!("lets new keys be added to another `{key}`"))
                    .help_edit(format!("let {keys} be added, too: the same {place}"), span, new),
                (None, None) => diagnostic
                    .help_edit(format!("if {keys} are new, let them be added: one line {place}"), span, new)
                    .silencing(),
            };
            // It would let what is misspelt be added as well.
            if has_edit && is_doubtful { told.guessing() } else { told }
        };
        Ok(self.tell_missing(diagnostic, others))
    }

    /// Tells of other keys that are missing too, so that they get no report of their own.
    pub(super) fn tell_missing(&mut self, diagnostic: Diagnostic, others: Vec<NodeId>) -> Diagnostic {
        let diagnostic = others.iter().take(SHOWN).fold(diagnostic, |diagnostic, item| {
            let arena = self.arena();
            diagnostic.label_at(arena.span_of(*item), format!("nor `{}`", key_text(&arena, arena.key(*item))))
        });
        self.told = others;
        diagnostic
    }

    /// The other keys of the right map that are missing where a key is.
    pub(super) fn missing_too(&self, unmet: &Unmet) -> Vec<NodeId> {
        match (self.trail.iter().rev().nth(1), &unmet.lefts[..]) {
            (Some(around), [left]) if unmet.kind == RightKind::MapItem => {
                self.also_missing(around.node, *left, unmet.right).0
            }
            _ => Vec::new(),
        }
    }

    /// The other plain keys of a right map that are not in the left one, and are like none that is; and whether more are
    /// missing, which are like one.
    fn also_missing(&self, around: NodeId, left: NodeId, right: NodeId) -> (Vec<NodeId>, bool) {
        let arena = self.arena();
        let Val::Node(map) = arena.value(around) else { return (Vec::new(), false) };
        if arena.count(map).saturating_mul(arena.count(left)) > COMPARISONS {
            return (Vec::new(), false);
        }
        let items = arena.items(map).iter().copied();
        let is_plain = |item: &NodeId| {
            arena.ann(*item, MATCH).is_none() && matches!(rules::operation(&*self.calls, *item), Ok(Operation::Merge))
        };
        let is_missing = |item: &NodeId| arena.find(left, arena.key(*item)).is_none();
        // Those before it that are missing were told of already.
        let behind = items.skip_while(|item| *item != right).filter(|item| *item != right);
        let missing = behind.filter(|item| is_plain(item) && is_missing(item));
        let (unlike, like): (Vec<NodeId>, Vec<NodeId>) =
            missing.partition(|item| self.near_keys(left, *item).is_empty());
        (unlike, !like.is_empty())
    }

    /// The item of an overlay of the stage that has the same key, and lets keys be added below it.
    fn example_of_defaults(&self, around: NodeId) -> Option<NodeId> {
        let arena = self.arena();
        let wanted = arena.str(arena.key(around))?;
        let mut open = self.overlays.to_vec();
        for _ in 0..COMPARISONS {
            let item = open.pop()?;
            if let Val::Node(container) = arena.value(item) {
                open.extend_from_slice(arena.items(container));
            }
            if arena.str(arena.key(item)) == Some(wanted)
                && let Some(annotation) = arena.ann(item, CHILD_DEFAULTS)
                && self.calls.args(annotation.args).named.iter().any(|(name, _)| &**name == "missing_ok")
            {
                return Some(item);
            }
        }
        None
    }
}
