//! A matcher by a key that items have, but below other keys: `by="name"` where the name is at `metadata.name`.

use super::nearest::COMPARISONS;
use super::several::subset;
use super::words::scalar_text;
use crate::diag::Diagnostic;
use crate::overlay::compare::leaf;
use crate::overlay::engine::Scene;
use crate::template::outline;
use crate::yaml::{Arena, NodeId, Val};

/// Levels, and items of one value, that are looked through.
const DEPTH: usize = 5;
const ITEMS: usize = 300;

/// The items that lead to a key, from the outermost one, and what is there.
type Way = (Vec<NodeId>, Val);

impl Scene<'_> {
    /// Says where the items have the key that a matcher compares.
    ///
    /// # Errors
    ///
    /// The problem as it was: they have it nowhere.
    pub(super) fn compared_deeper(
        &self,
        diagnostic: Diagnostic,
        arena: &Arena,
        right: NodeId,
        name: &str,
    ) -> Result<Diagnostic, Diagnostic> {
        let ways = ways_to(arena, arena.value(right), name);
        let list = self.trail.iter().rev().nth(1).and_then(|step| step.matched);
        let lefts = match list.map(|list| arena.value(list.item)) {
            Some(Val::Node(list)) if arena.count(list).saturating_mul(ways.len()) <= COMPARISONS => arena.items(list),
            _ => return Err(diagnostic),
        };
        let is_there = |way: &&Way| lefts.iter().any(|left| at_keys(arena, arena.value(*left), &way.0).is_some());
        let equals = |(way, wanted): &&Way| {
            let there = lefts.iter().filter_map(|left| at_keys(arena, arena.value(*left), way));
            there.filter(|there| leaf(arena, arena.value(*there), *wanted)).count() == 1
        };
        let equal: Vec<&Way> = ways.iter().filter(equals).collect();
        let known: Vec<&Way> = ways.iter().filter(is_there).collect();
        let (way, wanted) = match (&equal[..], &known[..]) {
            ([one], _) | ([], [one]) => one,
            _ => return Err(diagnostic),
        };
        let path = way.iter().filter_map(|item| arena.str(arena.key(*item))).collect::<Vec<_>>().join(".");
        let all = lefts.iter().filter_map(|left| at_keys(arena, arena.value(*left), way));
        let there = all.clone().find(|there| leaf(arena, arena.value(*there), *wanted)).or_else(|| all.clone().next());
        let diagnostic = diagnostic.label_at(
            there.and_then(|there| self.mark(arena, there)),
            there.map_or(String::new(), |there| format!("`{path}` is {}", scalar_text(arena, arena.value(there)))),
        );
        let Some(target) = subset(arena, way, *wanted) else { return Err(diagnostic) };
        let new = format!("by=overlay.subset({target})");
        let help = format!("did you mean `{path}`? That is where these items have a `{name}`");
        let by = self.by_span().filter(|by| {
            let is_whole =
                |written: String| [format!("by={name:?}"), format!("by=overlay.map_key({name:?})")].contains(&written);
            let source = self.calls.sources().get(by.source);
            self.written(*by).is_some_and(is_whole) && outline::brought(&source, by.source, "overlay").is_some()
        });
        Ok(match by.filter(|_| equal.len() == 1) {
            Some(by) => diagnostic.help_edit(help, by, new),
            None => diagnostic.help(format!("{help}: `{new}`")),
        })
    }
}

/// The ways through maps to a key that is not at the top, with a plain value.
fn ways_to(arena: &Arena, value: Val, name: &str) -> Vec<Way> {
    let (mut open, mut found, mut left) = (vec![(value, Vec::new())], Vec::new(), ITEMS);
    while let Some((value, above)) = open.pop() {
        let Some(map) = arena.map_of(value) else { continue };
        for &item in arena.items(map) {
            let Some(rest) = left.checked_sub(1) else { return found };
            left = rest;
            let mut way = above.clone();
            way.push(item);
            let value = arena.value(item);
            if way.len() > 1 && arena.str(arena.key(item)) == Some(name) && arena.str(value).is_some() {
                found.push((way, value));
            } else if way.len() < DEPTH {
                open.push((value, way));
            }
        }
    }
    found
}

/// The item at the keys of others.
fn at_keys(arena: &Arena, mut value: Val, way: &[NodeId]) -> Option<NodeId> {
    let mut found = None;
    for step in way {
        let item = arena.find(arena.map_of(value)?, arena.key(*step))?;
        (value, found) = (arena.value(item), Some(item));
    }
    found
}
