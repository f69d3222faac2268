//! A key that is missing in one of the documents that an overlay matched, and is in others of them: it matches too many.

use super::cause::Cause;
use super::words::{key_text, scalar_text};
use crate::nearest::only;
use crate::overlay::annotation::{MATCH, RightKind};
use crate::overlay::engine::Scene;
use crate::overlay::problem::Unmet;
use crate::yaml::{Arena, NodeId};

/// Documents of one match that are looked at.
const MOST: usize = 1_000;
/// Where each document may have keys that others have not, whatever its kind.
const FREE: [&str; 1] = ["metadata"];

impl Scene<'_> {
    /// The documents without the key are of other kinds than those with it: those that are left out by their kind.
    pub(super) fn excepted(&self, unmet: &Unmet) -> Option<Cause> {
        let (step, inner) = self.trail.split_first().filter(|_| !self.exact)?;
        let matched = step.matched.filter(|_| step.kind == RightKind::Document && step.found.len() > 1)?;
        let arena = self.arena();
        let is_plain = |kind: RightKind| kind != RightKind::ArrayItem;
        let first = inner.first().filter(|_| inner.iter().all(|step| is_plain(step.kind) && !step.by))?;
        if inner.len() > 1 && FREE.contains(&arena.str(arena.key(first.node))?) || step.found.len() > MOST {
            return None;
        }
        let has_it = |document: &NodeId| self.followed(&arena, arena.value(*document), inner).is_some();
        let (having, lacking): (Vec<NodeId>, Vec<NodeId>) = step.found.iter().partition(|document| has_it(document));
        let (with, without) = (kinds(&arena, &having)?, kinds(&arena, &lacking)?);
        if having.is_empty() || with.iter().any(|(kind, _)| without.iter().any(|(other, _)| other == kind)) {
            return None;
        }
        let key = key_text(&arena, arena.key(unmet.right));
        let (_, own) = kinds(&arena, &[matched.item])?.into_iter().next()?;
        let those = match having.len() {
            1 => "the other one that is matched has it".to_string(),
            more => format!("{more} others that are matched have it"),
        };
        let cause = Cause::new(
            arena.span_of(own),
            format!("a {} without `{key}`: {those}", scalar_text(&arena, arena.value(own))),
        );
        let by = arena.ann(step.node, MATCH).and_then(|annotation| self.argument_span(annotation.pos, "by"));
        let narrowed = |kind: NodeId, is_it: bool| {
            let new = self.narrowed(by?, &[kind], arena.value(kind), is_it)?;
            Some((by?, new))
        };
        let shown = |kind: NodeId| scalar_text(&arena, arena.value(kind));
        let (text, edit) = match (only(&with), only(&without)) {
            (Some((_, kind)), _) => {
                (format!("if every {} is meant, ask for that kind", shown(*kind)), narrowed(*kind, true))
            }
            (None, Some((_, kind))) => {
                (format!("if no {} is meant, leave that kind out", shown(*kind)), narrowed(*kind, false))
            }
            (None, None) => return None,
        };
        Some(cause.help(text, edit).guessing(true))
    }
}

/// The kinds of documents, each with the first item that says so. `None`: one has none.
fn kinds<'a>(arena: &'a Arena, documents: &[NodeId]) -> Option<Vec<(&'a str, NodeId)>> {
    let mut found: Vec<(&str, NodeId)> = Vec::new();
    for document in documents {
        let item = arena.find_str(arena.map_of(arena.value(*document))?, "kind")?;
        let kind = arena.str(arena.value(item))?;
        if found.iter().all(|(known, _)| *known != kind) {
            found.push((kind, item));
        }
    }
    Some(found)
}
