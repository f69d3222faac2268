//! A match rule of an array item that does not say which item it means: the key by which such items are told apart.

use super::nearest::COMPARISONS;
use crate::diag::Diagnostic;
use crate::overlay::annotation::MATCH;
use crate::overlay::engine::Scene;
use crate::source::Span;
use crate::template::written;
use crate::yaml::{Body, NodeId, Val};

/// Keys by which items are told apart, the most usual one first.
const USUAL: [&str; 3] = ["name", "id", "key"];

impl Scene<'_> {
    /// A help that writes `by="name"`, if the item and all that are there have that key.
    pub(super) fn with_usual_key(&self, told: Diagnostic, node: NodeId) -> Diagnostic {
        match self.usual_key(node) {
            Some((key, place, new)) => {
                let text = format!("if the one with the same `{key}` as here is meant, write `by=\"{key}\"`");
                told.help_edit(text, place, new).guessing()
            }
            None => told,
        }
    }

    fn usual_key(&self, node: NodeId) -> Option<(&'static str, Span, String)> {
        let arena = self.arena();
        matches!(arena.get(node).body, Body::ArrayItem(_)).then_some(())?;
        let has = |item: NodeId, key: &str| {
            let value = arena.map_of(arena.value(item)).and_then(|map| arena.find_str(map, key));
            value.is_some_and(|value| !matches!(arena.value(value), Val::Null | Val::Node(_) | Val::Raw(_)))
        };
        let around = self.trail.iter().rev().nth(1).and_then(|step| step.matched);
        let items = around.and_then(|around| match arena.value(around.item) {
            Val::Node(list) if matches!(arena.get(list).body, Body::Array(_)) => Some(arena.items(list).to_vec()),
            _ => None,
        });
        let items = items.filter(|items| !items.is_empty())?;
        let are_keyed = |key: &str| has(node, key) && items.iter().take(COMPARISONS).all(|item| has(*item, key));
        let key = USUAL.into_iter().find(|key| are_keyed(key))?;
        let annotation = arena.ann(node, MATCH)?;
        let place = arena.place(annotation.pos)?;
        let arguments = place.value();
        let text = self.written(arguments)?;
        if self.written(place.key())? != format!("#@{MATCH}") {
            return None;
        }
        let has_names = written::arguments(self.calls.sources(), arguments).iter().all(|one| one.name.is_some());
        if !has_names {
            return None;
        }
        if text.trim().is_empty() {
            let name = place.key();
            return Some((key, Span { start: name.end, ..name }, format!(" by=\"{key}\"")));
        }
        Some((key, Span { end: arguments.start, ..arguments }, format!("by=\"{key}\", ")))
    }
}
