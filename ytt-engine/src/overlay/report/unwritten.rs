//! What an overlay looks for stands in a template, which did not write it in this render: a condition around it does not
//! hold, or a loop had nothing to go over.
//!
//! What a file says is the tree that was read of it: a node that nothing made a copy of was not written. Whether a
//! condition holds is told once more from the data values that it asks for.

use std::collections::{HashMap, HashSet};

use super::nearest::subsets;
use super::parts::{at_path, leaves};
use super::words::{key_text, scalar_text};
use crate::diag::Diagnostic;
use crate::files::is_in_library;
use crate::nearest::only;
use crate::overlay::annotation::RightKind;
use crate::overlay::compare::{key_value, leaf};
use crate::overlay::engine::Scene;
use crate::overlay::matcher::Test;
use crate::overlay::problem::Unmet;
use crate::source::{Origin, SourceId, Span, to_u32};
use crate::template::code::FileCode;
use crate::template::outline;
use crate::template::written::{self, Asked};
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::words::{article, kind_name};
use crate::yaml::{Arena, Body, NodeId, PosId, Val};

/// Nodes of a render that are looked through.
const NODES: usize = 200_000;
/// Places that may be what is looked for.
const PLACES: usize = 20;
/// Functions that are called by each other.
const CALLS: usize = 4;
/// Conditions of which none is known to fail.
const SHOWN: usize = 2;

/// What stands in a template and was not written.
pub(super) struct Unwritten {
    /// Where it stands, and what is said there.
    place: Span,
    text: String,
    /// What it is in a sentence.
    what: String,
    /// Why: none of these holds, as far as it is known.
    gates: Vec<Gate>,
    /// They are known to fail.
    is_known: bool,
}

/// What decides whether a place is written.
struct Gate {
    code: Span,
    text: &'static str,
    /// The data values that make it fail.
    by: Vec<Cause>,
}

/// A data value that decides.
struct Cause {
    item: NodeId,
    place: Span,
    /// As `data.values` has it, as far as the code shows.
    name: String,
    code: Span,
    is_default: bool,
}

impl Scene<'_> {
    /// The place of a template that would have written what an overlay looks for.
    pub(super) fn unwritten(&self, unmet: &Unmet) -> Option<Unwritten> {
        if self.exact || self.calls.is_tried() || !unmet.found.is_empty() {
            return None;
        }
        let places = self.places_of(unmet);
        if places.len() > PLACES {
            return None;
        }
        let told = places.into_iter().filter_map(|(place, text, what)| {
            let mut gates = Vec::new();
            self.gates(place, &mut gates, CALLS)?;
            // The innermost one stands nearest.
            let (failing, open): (Vec<_>, Vec<_>) = gates.into_iter().flatten().partition(|(_, is_known)| *is_known);
            let is_known = !failing.is_empty();
            let gates = failing.into_iter().take(1).chain(open.into_iter().filter(|_| !is_known));
            let gates: Vec<Gate> = gates.map(|(gate, _)| gate).collect();
            (!gates.is_empty()).then_some(Unwritten { place, text, what, gates, is_known })
        });
        let (mut known, open): (Vec<Unwritten>, Vec<Unwritten>) = told.partition(|one| one.is_known);
        if !known.is_empty() {
            return Some(known.remove(0));
        }
        only(open).filter(|one| one.gates.len() <= SHOWN)
    }

    /// Labels the place, what decides there and the data values that it asks for.
    pub(super) fn label_unwritten(&self, diagnostic: Diagnostic, unwritten: &Unwritten) -> Diagnostic {
        let diagnostic = diagnostic.label(unwritten.place, unwritten.text.clone());
        unwritten.gates.iter().fold(diagnostic, |diagnostic, gate| {
            let diagnostic = diagnostic.label(gate.code, gate.text);
            gate.by.iter().fold(diagnostic, |diagnostic, cause| {
                if diagnostic.parts().labels.iter().any(|label| label.span == cause.place) {
                    return diagnostic;
                }
                let arena = self.arena();
                let value = match arena.value(cause.item) {
                    Val::Node(node) if arena.count(node) == 0 => {
                        format!("an empty {}", kind_name(&arena, Val::Node(node)))
                    }
                    value @ Val::Node(_) => scalar_text(&arena, value),
                    value => format!("`{}`", scalar_text(&arena, value).trim_matches('`')),
                };
                let default = if cause.is_default { ", the default" } else { "" };
                diagnostic.label(cause.place, format!("`{}` is {value}{default}", cause.name))
            })
        })
    }

    /// How to have it written.
    pub(super) fn advise_unwritten(&self, diagnostic: Diagnostic, unwritten: &Unwritten) -> Diagnostic {
        let [Gate { by, .. }] = &unwritten.gates[..] else { return diagnostic };
        if !unwritten.is_known {
            return diagnostic;
        }
        let what = &unwritten.what;
        let is_first = |(at, cause): &(usize, &Cause)| by.iter().take(*at).all(|other| other.place != cause.place);
        let by: Vec<&Cause> = by.iter().enumerate().filter(is_first).map(|(_, cause)| cause).collect();
        let [cause] = by[..] else {
            return match &by[..] {
                [] => diagnostic,
                several => {
                    let names: Vec<String> = several.iter().map(|cause| format!("`{}`", cause.name)).collect();
                    diagnostic.help(format!("if {what} is meant to be there, change {}", names.join(" or ")))
                }
            };
        };
        let name = &cause.name;
        let Val::Bool(is) = self.arena().value(cause.item) else {
            return diagnostic.help(format!("if {what} is meant to be there, change the data value `{name}`"));
        };
        let text = format!("if {what} is meant to be there, set `{name}` to {}", !is);
        match self.edit_of(cause, !is) {
            Some((span, new)) => diagnostic.help_edit(text, span, new).guessing(),
            None => diagnostic.help(format!("{text}, as a data value")),
        }
    }

    /// The edit that sets a data value: where it is set, or beside what a file of data values sets of its map.
    fn edit_of(&self, cause: &Cause, new: bool) -> Option<(Span, String)> {
        let is_file = |span: Span| {
            let origin = &self.calls.sources().get(span.source).origin;
            matches!(origin, Origin::File(_) | Origin::Memory)
        };
        let arena = self.arena();
        let place = arena.place_of(cause.item)?;
        if !cause.is_default {
            let old = self.written(place.value())?;
            let is_plain = is_file(place.key()) && matches!(&*old, "true" | "false");
            return is_plain.then(|| (place.value(), new.to_string()));
        }
        let above = written::receiver(self.calls.sources(), cause.code)?;
        let around = only(self.calls.data_items(above))?;
        let mut items = arena.items(arena.map_of(arena.value(around))?).iter().filter_map(|item| arena.span_of(*item));
        let beside = items.find(|span| {
            let source = self.calls.sources().get(span.source);
            let above = source.line(span.start).checked_sub(1).map(|line| source.line_text(line));
            // Annotations stay above the item that they are of.
            let is_annotated = above.is_some_and(|above| above.trim_start().starts_with("#@"));
            is_file(*span) && !is_annotated && !outline::is_in_schema(&source, *span)
        })?;
        let (span, indent) = self.calls.sources().get(beside.source).above(beside)?;
        let key = key_text(&arena, arena.key(cause.item));
        needs_no_quotes(&key).then(|| (span, format!("{key}: {new}\n{indent}")))
    }

    /// Where templates have what is looked for, each with what is said there and what it is called.
    fn places_of(&self, unmet: &Unmet) -> Vec<(Span, String, String)> {
        let mut test = unmet.test.clone();
        let targets = test.as_mut().map(subsets).unwrap_or_default().into_iter().next().unwrap_or_default();
        let targets: Vec<Val> = targets.into_iter().filter_map(|target| self.target_nodes(target)).collect();
        let arena = self.arena();
        if arena.len() > NODES {
            return Vec::new();
        }
        let all = || (0..to_u32(arena.len())).map(NodeId);
        let mut counts: HashMap<PosId, usize> = HashMap::new();
        for node in all().filter(|node| matches!(arena.get(*node).body, Body::MapItem(..))) {
            let count = counts.entry(arena.get(node).pos).or_default();
            *count = count.saturating_add(1);
        }
        let own: HashSet<SourceId> =
            self.overlays.iter().filter_map(|overlay| Some(arena.span_of(*overlay)?.source)).collect();
        // What nothing made a copy of, in a file that makes documents.
        let is_open = |item: NodeId| {
            let Some(span) = arena.span_of(item).filter(|span| !own.contains(&span.source)) else { return false };
            let source = self.calls.sources().get(span.source);
            let is_overlay =
                source.text.as_str().is_some_and(|text| text.lines().any(|line| line.starts_with("#@overlay/match ")));
            counts.get(&arena.get(item).pos) == Some(&1) && !is_overlay && !outline::is_of_values(&source, span)
        };
        let left: HashSet<PosId> =
            unmet.lefts.iter().flat_map(|left| arena.items(*left)).map(|item| arena.get(*item).pos).collect();
        let is_beside = |items: &[NodeId]| items.iter().any(|item| left.contains(&arena.get(*item).pos));
        let found = all().filter_map(|node| match (&arena.get(node).body, unmet.kind, &unmet.test) {
            (Body::Map(_), RightKind::Document, _) => {
                let (item, is_sure) = self.may_be(&arena, node, &targets)?;
                // Of what code names, one that is there may as well be the one that is meant.
                let is_there = |left: &NodeId| {
                    let map = arena.map_of(arena.value(*left));
                    let there = map.and_then(|map| arena.find(map, arena.key(item)));
                    there.is_some_and(|there| leaf(&arena, arena.value(there), arena.value(item)))
                };
                let mut all = unmet.lefts.iter().flat_map(|left| arena.items(*left));
                if !is_sure && all.any(is_there) {
                    return None;
                }
                let kind = arena.find_str(node, "kind").and_then(|kind| arena.str(arena.value(kind)));
                let what = match kind {
                    Some(kind) => format!("{} {kind}", article(&kind.to_lowercase())),
                    None => "this document".to_owned(),
                };
                let text = if is_sure { "this would match" } else { "this may be what is meant" };
                Some((item, text.to_owned(), what))
            }
            (Body::Map(items), RightKind::MapItem, None) => {
                let item = arena.find(node, arena.key(unmet.right)).filter(|_| is_beside(items))?;
                let name = format!("`{}`", key_text(&arena, arena.key(item)));
                Some((item, format!("{name} stands here"), name))
            }
            (Body::Array(items), RightKind::ArrayItem, Some(Test::Key(key))) => {
                let wanted = key_value(&arena, arena.value(unmet.right), *key).ok()?;
                let is_it = |item: &NodeId| {
                    key_value(&arena, arena.value(*item), *key).is_ok_and(|value| leaf(&arena, value, wanted))
                };
                let item = items.iter().copied().filter(|_| is_beside(items)).find(is_it)?;
                let name = scalar_text(&arena, wanted);
                Some((arena.find(arena.map_of(arena.value(item))?, *key)?, format!("{name} stands here"), name))
            }
            _ => None,
        });
        let found = found.filter(|(item, ..)| is_open(*item)).take(PLACES.saturating_add(1));
        let found = found.filter_map(|(item, text, what)| {
            Some((arena.span_of(item)?, format!("{text}, but was not written in this render"), what))
        });
        found.collect()
    }

    /// The item by which a map of a template may be what a matcher looks for, and whether it is so whatever its code
    /// gives: of the kind that is wanted, and nothing that is written there is another than what is wanted.
    fn may_be(&self, arena: &Arena, map: NodeId, targets: &[Val]) -> Option<(NodeId, bool)> {
        let (mut known, mut is_sure) = (None, true);
        for (path, wanted) in targets.iter().flat_map(|target| leaves(arena, *target)) {
            let (first, _) = path.first()?;
            let is_kind = path.len() == 1 && arena.str(arena.key(*first)) == Some("kind");
            arena.find(map, arena.key(*first))?;
            match at_path(arena, Val::Node(map), &path) {
                Some((value, Some(item))) if leaf(arena, value, wanted) => {
                    known = known.filter(|_| !is_kind).or(Some(item));
                }
                Some((_, Some(item))) if is_kind || arena.place_of(item)?.code(self.calls.sources()).is_none() => {
                    return None;
                }
                _ => is_sure = false,
            }
        }
        Some((known?, is_sure))
    }

    /// All that decides whether a place is written, and whether it is known to fail: conditions, loops, and the same of the
    /// one call of the function around it. `None` if there is no telling.
    fn gates(&self, place: Span, found: &mut Vec<Option<(Gate, bool)>>, calls: usize) -> Option<()> {
        let sources = self.calls.sources();
        let code = FileCode::read(&sources.get(place.source), place.source)?;
        for (condition, is_wanted) in code.conditions(place) {
            let held = written::holds(sources, condition, &|name| self.asked(name));
            let (text, is_known) = match (&held, is_wanted) {
                (Some(held), _) if held.is_true == is_wanted => continue,
                (Some(_), true) => ("only if this holds, which it does not", true),
                (Some(_), false) => ("only if this does not hold, and it does", true),
                (None, true) => ("only if this holds", false),
                (None, false) => ("only if this does not hold", false),
            };
            let by = held.map(|held| self.causes(&held.by)).unwrap_or_default();
            found.push(Some((Gate { code: condition, text, by }, is_known)));
        }
        for (_, over) in code.turns(place) {
            if self.asked(over) == Some(Asked::Items(0)) {
                let by = self.causes(&[over]);
                found.push(Some((Gate { code: over, text: "for each of these, and there are none", by }, true)));
            }
        }
        let Some(function) = code.function_around(place) else { return Some(()) };
        let (name, calls) = (function.name?, calls.checked_sub(1)?);
        let own = self.written(name)?;
        let all = sources.all();
        let numbers = (0..to_u32(all.len())).map(SourceId);
        let callers =
            numbers.zip(&all).filter(|(_, source)| source.text.as_str().is_some_and(|text| text.contains(&own)));
        let mut called = Vec::new();
        for (id, source) in callers {
            let Some(code) = FileCode::read(source, id) else { continue };
            let is_it = self.home(id, &own).is_some_and(|home| home == (place.source, own.clone()));
            called.extend(code.calls_of(&own).into_iter().filter(|_| is_it).map(|(call, _)| call));
        }
        match &called[..] {
            [call] => self.gates(*call, found, calls)?,
            [] if self.uses(&own) == 1 => {
                let gate = Gate { code: name, text: "nothing calls this function", by: Vec::new() };
                found.push(Some((gate, true)));
            }
            // What is called at several places, or as a value, may be called or not.
            _ => {}
        }
        Some(())
    }

    /// What a name stands for that a condition asks for.
    fn asked(&self, name: Span) -> Option<Asked> {
        let source = self.calls.sources().get(name.source);
        // A library has data values of its own.
        if is_in_library(&source.name) {
            return None;
        }
        // What is set at several places has the value of one of them.
        let root = written::path(self.calls.sources(), name).map(|path| path.root)?;
        let root_name = self.written(root)?;
        if root_name != "data" && !FileCode::read(&source, name.source)?.is_bound_once(root, &root_name) {
            return None;
        }
        let items = self.calls.data_items(name);
        let arena = self.arena();
        let mut all = items.iter().map(|item| match arena.value(*item) {
            Val::Null => Some(Asked::Null),
            Val::Bool(value) => Some(Asked::Bool(value)),
            Val::Int(value) => Some(Asked::Int(value)),
            // A map is a struct, which is true also without fields.
            Val::Node(node) if matches!(arena.get(node).body, Body::Map(_)) => None,
            Val::Node(node) => Some(Asked::Items(arena.count(node))),
            value => arena.str(value).map(|text| Asked::Text(text.to_owned())),
        });
        let first = all.next()??;
        all.all(|other| other.as_ref() == Some(&first)).then_some(first)
    }

    fn causes(&self, names: &[Span]) -> Vec<Cause> {
        let sources = self.calls.sources();
        let cause = |code: &Span| {
            let item = only(self.calls.data_items(*code))?;
            // Of a list that is set the key may be that of the schema.
            let first = match self.arena().value(item) {
                Val::Node(list) if matches!(self.arena().get(list).body, Body::Array(_)) => {
                    self.arena().items(list).first().copied()
                }
                _ => None,
            };
            let place = self.arena().place_of(first.unwrap_or(item))?.value_or_key(sources);
            let is_default = outline::is_in_schema(&sources.get(place.source), place);
            let code_text = self.written(*code)?;
            let name = match code_text.strip_prefix("data.values.") {
                Some(path) => path.to_owned(),
                None => key_text(&self.arena(), self.arena().key(item)),
            };
            Some(Cause { item, place, name, code: *code, is_default })
        };
        names.iter().filter_map(cause).collect()
    }
}
