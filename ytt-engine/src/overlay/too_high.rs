//! Keys that an overlay adds beside the map in which other documents have them: one level too high.
//!
//! Where what is missing may be added, nothing else tells of it. What is right cannot be known of one document, so others
//! have to show it: they have the key below the map, at the same path, and no map of any has both beside each other. And the
//! map has to be one that holds a part of what is around it, as a template does: in others the key is another thing.

use std::collections::{HashMap, HashSet};

use super::annotation::RightKind;
use super::engine::{Engine, Task};
use super::problem::{Added, TooHigh, Warning};
use crate::yaml::{Arena, NodeId, PosId, Val};

/// Keys that are looked at.
const MOST: usize = 500;
/// Keys of a map that is looked at, and items of a list on the way to one.
const WIDEST: usize = 50;
/// Documents that are asked.
const DOCUMENTS: usize = 1_000;
/// Items that are gone through for all of it.
const STEPS: usize = 300_000;
/// Maps that hold what people write one level too high. In maps of people's own names, or of one part among others, a key
/// has another meaning: `type` of a Secret is nothing of its `stringData`, nor `timeout` of a release that of its `install`.
const WRAPPERS: [&str; 3] = ["spec", "template", "jobTemplate"];
/// One that does at the top alone.
const TOP: &str = "metadata";

impl Engine<'_> {
    /// Notes a map item that was added to a left map.
    pub(super) fn note_added(&mut self, task: &Task<'_>, map: NodeId) {
        if self.exact || self.sets.is_empty() || task.kind != RightKind::MapItem || self.added.len() >= MOST {
            return;
        }
        let noted = {
            let arena = self.arena();
            let [document, above @ .., own] = &self.trail[..] else { return };
            let around = above.last().unwrap_or(document);
            let (Val::Node(around), Some(matched)) = (arena.value(around.node), document.matched) else { return };
            let is_small = arena.count(map) <= WIDEST && !own.by;
            let is_alone = document.matches == 1;
            let path = above.iter().map(|step| match step.kind {
                RightKind::MapItem => Some(Some(arena.key(step.matched?.item))),
                _ => Some(None),
            });
            let path = is_small.then(|| path.collect::<Option<Vec<_>>>()).flatten();
            path.map(|path| Added { path, map, item: task.right.node, around, document: matched.item, is_alone })
        };
        self.added.extend(noted);
    }

    /// Warns of added keys that other documents have one level below, when all overlays were applied.
    pub(super) fn warn_too_high(&mut self, added: &[Added]) {
        if added.is_empty() {
            return;
        }
        let found = {
            let arena = self.arena();
            let documents: Vec<NodeId> =
                self.sets.iter().flat_map(|set| arena.items(*set)).copied().take(DOCUMENTS).collect();
            Search { arena: &arena, documents: &documents, left: STEPS }.all(added)
        };
        for one in found {
            let all: Vec<PosId> = one.items.iter().map(|item| self.arena().get(*item).pos).collect();
            if all.first().is_some_and(|first| !self.warned.contains(first)) {
                self.warned.extend(all);
                self.warn(Warning::TooHigh(one));
            }
        }
    }
}

struct Search<'a> {
    arena: &'a Arena,
    documents: &'a [NodeId],
    /// Items that are left to go through.
    left: usize,
}

/// Where another document has a key: the map beside which it was added, the key there, and the document.
#[derive(Clone, Copy)]
struct Shown {
    child: NodeId,
    other: NodeId,
    document: NodeId,
}

impl Search<'_> {
    fn all(&mut self, added: &[Added]) -> Vec<TooHigh> {
        let known: HashSet<NodeId> = self.documents.iter().copied().collect();
        let is_there = |one: &&Added| {
            let key = self.arena.key(one.item);
            known.contains(&one.document) && self.arena.find(one.map, key) == Some(one.item)
        };
        // By where they are written: one mistake may be made in several documents.
        let (mut found, mut at): (Vec<TooHigh>, HashMap<(NodeId, &str), usize>) = (Vec::new(), HashMap::new());
        let mut told = HashSet::new();
        for one in added.iter().filter(is_there).collect::<Vec<_>>() {
            let Some(shown) = self.shown(one) else { continue };
            let is_new = told.insert(self.arena.get(one.item).pos);
            let Shown { child, other, document } = shown;
            let place = (one.around, self.arena.str(self.arena.key(child)).unwrap_or_default());
            match at.get(&place).and_then(|at| found.get_mut(*at)) {
                Some(known) => {
                    known.items.extend(is_new.then_some(one.item));
                    known.is_alone &= one.is_alone;
                }
                None if is_new => {
                    at.insert(place, found.len());
                    let (items, around, is_alone) = (vec![one.item], one.around, one.is_alone);
                    found.push(TooHigh { items, around, child, other, document, is_alone });
                }
                None => {}
            }
        }
        for one in &mut found {
            one.items.sort_by_key(|item| self.arena.span_of(*item).map(|span| span.start));
        }
        found
    }

    /// What shows that a key belongs one level below.
    fn shown(&mut self, one: &Added) -> Option<Shown> {
        let arena = self.arena;
        arena.span_of(one.item)?;
        let (key, pos) = (arena.key(one.item), arena.get(one.item).pos);
        let is_wrapper = |name: &str| WRAPPERS.contains(&name) || name == TOP && one.path.is_empty();
        let is_map = |item: &NodeId| {
            let map = arena.map_of(arena.value(*item)).filter(|_| *item != one.item);
            // What is there already was not meant to be added.
            map.is_some_and(|map| arena.find(map, key).is_none()) && arena.str(arena.key(*item)).is_some_and(is_wrapper)
        };
        let children: Vec<NodeId> = arena.items(one.map).iter().copied().filter(is_map).collect();
        if children.is_empty() {
            return None;
        }
        let mut shown = None;
        for document in self.documents.iter().filter(|document| **document != one.document) {
            for map in self.maps_at(*document, &one.path)? {
                self.step(Val::Node(map))?;
                // The same overlay may do it in several documents.
                if arena.find(map, key).is_some_and(|found| arena.get(found).pos != pos) {
                    return None;
                }
                if shown.is_some() || !is_alike(arena, one, *document) {
                    continue;
                }
                shown = children.iter().find_map(|child| {
                    let below = arena.map_of(arena.value(arena.find(map, arena.key(*child))?))?;
                    let other = arena.find(below, key)?;
                    Some(Shown { child: *child, other, document: *document })
                });
            }
        }
        let shown = shown?;
        let is_beside = self.is_beside((key, arena.key(shown.child)), one)?;
        (!is_beside).then_some(shown)
    }

    /// Counts a container that is gone through, with its items.
    fn step(&mut self, value: Val) -> Option<()> {
        let items = match value {
            Val::Node(container) => self.arena.count(container),
            _ => 0,
        };
        self.left = self.left.checked_sub(items.saturating_add(1))?;
        Some(())
    }

    /// The maps at a path of keys, on which a list stands for all of its items; `None` if too much was looked at.
    fn maps_at(&mut self, document: NodeId, path: &[Option<Val>]) -> Option<Vec<NodeId>> {
        let arena = self.arena;
        let mut values = vec![arena.value(document)];
        for step in path {
            let mut next = Vec::new();
            for value in values {
                self.step(value)?;
                match (step, value) {
                    (Some(key), _) => {
                        let item = arena.map_of(value).and_then(|map| arena.find(map, *key));
                        next.extend(item.map(|item| arena.value(item)));
                    }
                    (None, Val::Node(list)) if arena.map_of(value).is_none() => {
                        next.extend(arena.items(list).iter().take(WIDEST).map(|item| arena.value(*item)));
                    }
                    (None, _) => {}
                }
            }
            values = next;
        }
        Some(values.into_iter().filter_map(|value| arena.map_of(value)).collect())
    }

    /// Has any map both keys, other than by the same item of an overlay? `None` if too much was looked at.
    fn is_beside(&mut self, (key, child): (Val, Val), one: &Added) -> Option<bool> {
        let arena = self.arena;
        let pos = arena.get(one.item).pos;
        let mut open: Vec<Val> = self.documents.iter().map(|document| arena.value(*document)).collect();
        while let Some(value) = open.pop() {
            self.step(value)?;
            let Val::Node(container) = value else { continue };
            if let Some(map) = arena.map_of(value)
                && let Some(found) = arena.find(map, key)
                && arena.get(found).pos != pos
                && arena.find(map, child).is_some()
            {
                return Some(true);
            }
            let inner = arena.items(container).iter().map(|item| arena.value(*item));
            open.extend(inner.filter(|value| matches!(value, Val::Node(_))));
        }
        Some(false)
    }
}

/// Is another document one of the same sort? Of other kinds of one API it may be inside of them.
fn is_alike(arena: &Arena, one: &Added, other: NodeId) -> bool {
    let text = |document: NodeId, key: &str| {
        let map = arena.map_of(arena.value(document))?;
        arena.str(arena.value(arena.find_str(map, key)?))
    };
    let is_same = |key: &str| text(one.document, key).is_some_and(|own| text(other, key) == Some(own));
    is_same("kind") || !one.path.is_empty() && is_same("apiVersion")
}
