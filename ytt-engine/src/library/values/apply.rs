//! Puts given values into the document: by a path of keys, or by the plain merge.
//!
//! Both give what the overlay engine would give for the documents that the reference makes of flags and values files
//! (`docs/data-values.md#merging-of-flags-and-files-of-values`): places, copies and errors too. A path is walked down,
//! and only what it touched is checked.

use crate::diag::path::push_key;
use crate::diag::{Code, Diagnostic};
use crate::library::number_for_text;
use crate::schema::{self, Schema, TypeKind, too_deep};
use crate::source::SourceMap;
use crate::validate::key_text;
use crate::yaml::keys::MapIndex;
use crate::yaml::words::{article, kind_name, place_text};
use crate::yaml::{Arena, Before, Body, Did, Event, NodeId, PosId, Val};

/// Sets the value at a path. What is wrong is left out.
pub(super) fn key(
    arena: &mut Arena,
    sources: &SourceMap,
    schema: &Schema,
    document: NodeId,
    path: &[(Val, PosId)],
    value: Val,
    pos: PosId,
) -> Vec<Diagnostic> {
    let value = match arena.copy_val(value) {
        Ok(value) => value,
        Err(deep) => return vec![too_deep(arena, deep)],
    };
    // The document or item that is walked into, with its type; the steps and the path so far.
    let (mut holder, mut ty) = (document, Some(schema.root));
    let mut steps = vec![format!("Document on line {}", place_text(arena, sources, pos))];
    let mut text = String::new();
    let mut above = Vec::new();
    let (mut left, mut around) = (path, None);
    while let [(key, at), behind @ ..] = left {
        let (key, at, here) = (*key, *at, std::mem::replace(&mut left, behind));
        let holder_at = around.replace(at);
        let old = arena.value(holder);
        let Some(map) = arena.map_of(old) else {
            if old != Val::Null {
                return vec![kind_error(arena, old, steps, at, holder)];
            }
            let chain = chain(arena, here, value, pos);
            arena.set_value(holder, chain);
            if let Some(at) = holder_at.filter(|_| holder != document) {
                arena.get_mut(holder).pos = at;
            }
            arena.events.add(|| Event::Given { item: holder, above, before: Before::Value(old) });
            break;
        };
        // A path is short and its maps are looked through once, so an index of their keys would cost more than it saves.
        let found = arena.items(map).iter().position(|item| arena.same(arena.key(*item), key));
        let name = key_text(arena, key);
        let there = found.and_then(|found| arena.items(map).get(found)).copied();
        if let Some(item) = there.filter(|_| !behind.is_empty()) {
            above.push(holder);
            ty = ty.and_then(|ty| schema.below(ty, arena, item));
            holder = item;
            steps.push(format!("Map item (key '{name}') on line {}", place_text(arena, sources, at)));
            push_key(&mut text, &name);
            continue;
        }
        let new = chain(arena, behind, value, pos);
        let item = arena.add(Body::MapItem(key, new), at);
        let before = put(arena, map, found, item);
        above.push(holder);
        arena.events.add(|| Event::Given { item, above, before });
        let child = ty.and_then(|ty| schema.below(ty, arena, item));
        // A key that is not declared is reported, and dropped, by who checks its map.
        if child.is_some() || ty.is_none_or(|ty| matches!(schema.inner(schema.item(ty).ty).kind, TypeKind::Any)) {
            push_key(&mut text, &name);
            (holder, ty) = (item, child);
        }
        break;
    }
    ty.map_or_else(Vec::new, |ty| schema::conform_item(arena, sources, schema, ty, holder, text).0)
}

/// Puts an item into a map, in place of the one that is there; gives what was there.
fn put(arena: &mut Arena, map: NodeId, found: Option<usize>, item: NodeId) -> Before {
    let items = arena.items_mut(map);
    match found.and_then(|found| items.get_mut(found)) {
        Some(there) => Before::Item(std::mem::replace(there, item)),
        None => {
            items.push(item);
            Before::Nothing(map)
        }
    }
}

/// Nested maps of the keys, around the value.
fn chain(arena: &mut Arena, path: &[(Val, PosId)], value: Val, pos: PosId) -> Val {
    path.iter().rev().fold(value, |value, &(key, at)| {
        let item = arena.add(Body::MapItem(key, value), at);
        Val::Node(arena.add(Body::Map(vec![item].into()), pos))
    })
}

/// `Expected map, but was integer`, with the steps that led there.
fn kind_error(arena: &Arena, found: Val, steps: Vec<String>, right: PosId, left: NodeId) -> Diagnostic {
    let kind = kind_name(arena, found);
    let problem = Diagnostic::mismatch(Code::OVERLAY_KIND, "map", kind)
        .label_at(arena.place(right).map(|place| place.key()), "a map is given here")
        .label_at(arena.span_of(left), format!("{} {kind} is here", article(kind)));
    steps.into_iter().rev().fold(problem, Diagnostic::context)
}

/// The left document, which may be new, what was left out, and what is to be warned of.
type Merged = (NodeId, Vec<Diagnostic>, Vec<Diagnostic>);

/// Merges a plain document.
pub(super) fn merge_plain(
    arena: &mut Arena,
    sources: &SourceMap,
    left: Option<NodeId>,
    right: NodeId,
) -> Result<Merged, Diagnostic> {
    let copy = arena.copy(right).map_err(|deep| too_deep(arena, deep))?;
    let value = arena.nodes(arena.value(copy)).map_err(|deep| too_deep(arena, deep))?;
    arena.set_value(copy, value);
    let Some(left) = left.filter(|_| arena.map_of(value).is_some()) else { return Ok((copy, Vec::new(), Vec::new())) };
    let (problems, warnings) = (Vec::new(), Vec::new());
    let mut merge = Plain { arena, sources, steps: Vec::new(), above: Vec::new(), problems, warnings };
    merge.value(left, copy, true);
    Ok((left, merge.problems, merge.warnings))
}

/// The right side is a copy of its own, so its nodes can be placed as they are.
struct Plain<'a> {
    arena: &'a mut Arena,
    sources: &'a SourceMap,
    /// The right items that are being merged.
    steps: Vec<NodeId>,
    /// The left items that they are merged into.
    above: Vec<NodeId>,
    problems: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl Plain<'_> {
    /// Merges the map of a right document or item into the left one.
    fn value(&mut self, left: NodeId, right: NodeId, is_document: bool) {
        let (old, new) = (self.arena.value(left), self.arena.value(right));
        self.note(right, if old == Val::Null { Did::CHANGE } else { Did::MATCH });
        self.steps.push(right);
        match (old, new) {
            (Val::Null, _) => {
                self.arena.set_value(left, new);
                if !is_document {
                    self.arena.get_mut(left).pos = self.arena.get(right).pos;
                }
                self.given(left, Before::Value(old));
            }
            _ => match self.arena.map_of(old).zip(self.arena.map_of(new)) {
                Some((old, new)) => {
                    self.above.push(left);
                    self.map(old, new);
                    self.above.pop();
                }
                None => {
                    let at = self.arena.get(right).pos;
                    let steps = self.steps.iter().map(|step| self.step(*step)).collect();
                    let problem = kind_error(self.arena, old, steps, at, left);
                    self.problems.push(problem);
                }
            },
        }
        self.steps.pop();
    }

    fn step(&self, item: NodeId) -> String {
        let place = place_text(self.arena, self.sources, self.arena.get(item).pos);
        match self.arena.get(item).body {
            Body::MapItem(key, _) => format!("Map item (key '{}') on line {place}", key_text(self.arena, key)),
            _ => format!("Document on line {place}"),
        }
    }

    fn map(&mut self, left: NodeId, right: NodeId) {
        let index = MapIndex::new(self.arena, left);
        for item in self.arena.items(right).to_vec() {
            let key = self.arena.key(item);
            let is_map = self.arena.map_of(self.arena.value(item)).is_some();
            let found = index.find(self.arena, left, key);
            match found.and_then(|at| self.arena.items(left).get(at)).copied() {
                Some(there) if is_map => self.value(there, item, false),
                there => {
                    let number = there.and_then(|left| number_for_text::told(self.arena, self.sources, left, item));
                    self.warnings.extend(number);
                    if self.arena.outcomes.kept_of_values() {
                        let old = there.map(|there| self.arena.value(there));
                        let is_same = old.is_some_and(|old| self.arena.prints_same(old, self.arena.value(item)));
                        self.note(item, if is_same { Did::KEEP } else { Did::CHANGE });
                    }
                    let before = put(self.arena, left, found, item);
                    self.given(item, before);
                }
            }
        }
    }

    /// Notes what came of a right item, if a lint asks.
    fn note(&mut self, item: NodeId, did: Did) {
        if self.arena.outcomes.kept_of_values() {
            let pos = |node: NodeId| self.arena.get(node).pos;
            let (own, around) = (pos(item), self.steps.last().map_or(PosId(0), |step| pos(*step)));
            let start = self.arena.place(own).map_or(0, |place| place.start);
            let outcome = self.arena.outcomes.of(own, around, start);
            outcome.is_values = true;
            outcome.add(did);
        }
    }

    fn given(&mut self, item: NodeId, before: Before) {
        self.arena.events.add(|| Event::Given { item, above: self.above.clone(), before });
    }
}
