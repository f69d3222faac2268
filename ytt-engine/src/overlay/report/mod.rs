//! What happened in a walk, as people are told: the reference's message, labels on both sides, candidates, helps.
//!
//! The walk hands over problems and warnings as data, while nodes are still as they were then. Only here are sources
//! looked at and diagnostics made. The message is always the reference's; the steps of the error path (`Document on line
//! a.yml:3`) are contexts.

mod added;
mod advice;
mod arguments;
mod asked;
mod beside;
mod cause;
mod combined;
mod composed;
mod constants;
mod contents;
mod data_values;
mod deeper;
mod differs;
mod doubt;
mod elsewhere;
mod excepted;
mod fault;
mod former;
mod fragments;
mod functions;
mod gather;
mod junction;
mod keyless;
mod keys;
mod kinds;
mod later;
mod left;
mod matchers;
mod moved;
mod named;
mod narrowed;
mod nearest;
mod old_key;
mod other_way;
mod packed;
mod pairs;
mod parts;
mod patch;
mod quantities;
mod refused;
mod removed;
mod renamed;
mod replay;
mod scalars;
mod sets;
mod several;
mod shared;
mod siblings;
mod slips;
mod sought;
mod spans;
mod stray;
mod swallowed;
mod swapped;
mod taken;
mod targets;
mod too_high;
mod translated;
mod turns;
mod twice;
mod unmet;
mod unrolled;
mod unwritten;
mod useless;
mod usual_key;
mod values;
mod via;
mod warnings;
mod words;

use std::cell::Ref;

use super::annotation::{MATCH, RightKind};
use super::engine::Scene;
use super::problem::Problem;
use crate::call::Call;
use crate::diag::path::push_key;
use crate::diag::{Code, DataValue, Diagnostic, Step};
use crate::source::Span;
use crate::yaml::{Arena, NodeId, Val};

pub(super) use gather::Gather;
pub(crate) use junction::{may_join, warn_of_joined, warn_of_junctions};
pub(super) use keys::equal_keys;
pub(crate) use shared::warn_of_shared;
pub(crate) use useless::{USELESS, useless};
pub(crate) use words::host_kind;

use words::key_text;

/// Places shown for one problem.
const SHOWN: usize = 8;

impl<'a> Scene<'a> {
    /// Without a walk.
    pub(super) fn outside(calls: &'a mut dyn Call) -> Scene<'a> {
        Scene {
            calls,
            trail: &[],
            exact: false,
            removed: &[],
            rewritten: &[],
            renames: None,
            overlays: &[],
            later: &[],
            sets: &[],
            told: Vec::new(),
            before: 0,
        }
    }

    fn arena(&self) -> Ref<'_, Arena> {
        self.calls.arena().borrow()
    }

    /// A problem of the innermost right item, with its path.
    fn problem(&mut self, problem: Problem) -> Diagnostic {
        let diagnostic = self.told(problem);
        self.complete(diagnostic)
    }

    fn told(&mut self, problem: Problem) -> Diagnostic {
        match problem {
            Problem::SeveralOperations(node) => self.several_operations(node),
            Problem::NoOrder(node, operation) => self.no_order(node, operation),
            Problem::NoArguments { node, annotation, kind } => self.no_arguments(node, annotation, kind),
            Problem::UnknownArgument { annotation, name, argument, known } => {
                self.unknown_argument(annotation, &name, argument, known)
            }
            Problem::WrongArgument { name, argument, wanted } => self.wrong_argument(name, argument, &wanted),
            Problem::OnlyOneOf(first, second) => self.only_one_of(first, second),
            Problem::NoMatcher(kind) => self.no_matcher(kind),
            Problem::Within(name, problem) => self.told(*problem).context(name),
            Problem::KeyAsIndex { is_number: true } => {
                Diagnostic::error(Code::OVERLAY_MATCHER_KEY, "expected int64 value")
            }
            Problem::KeyAsIndex { is_number: false } => {
                Diagnostic::error(Code::OVERLAY_MATCHER_KEY, "expected starlark.Int")
                    .note("overlay.index compares with the key of a map item, which is not a number here")
            }
            Problem::Uncallable(kind, text) => self.uncallable(kind, text.as_deref()),
            Problem::NoBool { gave, item } => self.no_bool(gave, item),
            Problem::SetAsTarget(document) => self.set_as_target(document),
            Problem::KeyFault { fault, item, key, right } => self.key_fault(fault, item, key, right),
            Problem::Unmet(unmet) => {
                let told = self.unmet(*unmet);
                self.given_twice_first(told)
            }
            Problem::NoDocument(node) => self.no_document(node),
            Problem::OtherKind { left, right } => self.other_kind(left, right),
            Problem::NoPart { item, right, difference } => self.no_part(item, right, &difference),
            Problem::Refused { item, via, verdict } => {
                let told = self.refused(item, via, verdict);
                self.agrees_later(told, item, via)
            }
            Problem::NotPlaceable(kind, value) => self.not_placeable(kind, value),
            Problem::Failed(diagnostic, caller) => self.failed(diagnostic, caller),
            Problem::NoValue(diagnostic) => {
                let via = self.via_span();
                diagnostic.label_at(via, "this is what the function gave")
            }
            Problem::Other(diagnostic) => diagnostic,
            Problem::TooDeep(error) => error.diagnostic(&self.arena()),
            Problem::TooDeepList(limit) => {
                Diagnostic::limit(Code::LIMIT, "depth", format!("nesting is deeper than {limit} levels"))
            }
        }
    }

    /// Adds the error path, and a primary place if there is none.
    fn complete(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        let arena = self.arena();
        if let Some(step) = self.trail.last() {
            diagnostic = diagnostic.at(arena.span_of(step.node)).at(self.calls.place());
        }
        // In a file with other places the step of the call says where it is, with its line.
        let is_known = |place: Span| diagnostic.parts().labels.iter().any(|label| label.span.source == place.source);
        // Other code that runs, such as `eval` of a library, does more than that.
        let applies = |place: Span| self.written(place).is_some_and(|code| code.contains("apply("));
        if let Some(place) = self.calls.place().filter(|place| !is_known(*place) && applies(*place)) {
            diagnostic = diagnostic.label(place, "applied here");
        }
        if let (true, Some(path)) = (self.exact, self.keys(&arena)) {
            let written = self.trail.last().is_some_and(|step| arena.place_of(step.node).is_some());
            diagnostic = diagnostic.about(DataValue { path, found: String::new(), written, is_whole: false });
        }
        let tried = self.calls.is_tried();
        // The way to the item is named unless the report is about its line, or nobody can look there.
        let primary = diagnostic.parts().labels.first().map(|label| self.calls.sources().name_line(label.span));
        let is_shown = self
            .trail
            .last()
            .is_some_and(|step| arena.span_of(step.node).is_none() || primary.as_ref() == Some(&self.line(step.node)));
        for step in self.trail.iter().rev() {
            let line = self.line(step.node);
            let text = match step.kind {
                RightKind::Document => format!("Document on line {line}"),
                RightKind::ArrayItem => format!("Array item on line {line}"),
                RightKind::MapItem => {
                    let key = arena.key(step.node);
                    let key = if tried { host_key(&arena, step.node) } else { key_text(&arena, key) };
                    format!("Map item (key '{key}') on line {line}")
                }
            };
            diagnostic = diagnostic.context(Step::from(text).shown_if(is_shown));
        }
        diagnostic
    }

    /// The path of keys to the innermost right item; `None` if it leads through an array.
    fn keys(&self, arena: &Arena) -> Option<String> {
        let mut path = String::new();
        for step in self.trail {
            match step.kind {
                RightKind::Document => {}
                RightKind::MapItem => push_key(&mut path, &key_text(arena, arena.key(step.node))),
                RightKind::ArrayItem => return None,
            }
        }
        Some(path)
    }

    /// A label that tells which left document the overlay is being applied to.
    fn chain(&self, diagnostic: Diagnostic) -> Diagnostic {
        let Some((document, inner)) = self.trail.split_first().filter(|_| !self.exact) else {
            return diagnostic;
        };
        let (RightKind::Document, Some(matched), false) = (document.kind, document.matched, inner.is_empty()) else {
            return diagnostic;
        };
        let span = self.annotation_span(document.node, MATCH);
        let Some(span) = span.or_else(|| self.arena().span_of(document.node)) else {
            return diagnostic;
        };
        let arena = self.arena();
        let name = self.document_name(&arena, matched.item);
        let line = self.line_of(&arena, matched.item).map_or(String::new(), |line| format!(" ({line})"));
        diagnostic.label(span, format!("this overlay matched {name}{line}"))
    }
}

/// Compat: a key that is no text, as programs see it in the reference's messages.
fn host_key(arena: &Arena, item: NodeId) -> String {
    let key = arena.key(item);
    let made = arena.place_of(item).is_none();
    match key {
        Val::Null => "%!s(<nil>)".to_string(),
        Val::Bool(value) => format!("%!s(bool={value})"),
        Val::Int(value) if made => format!("%!s(int64={value})"),
        Val::Int(value) => format!("%!s(int={value})"),
        Val::UInt(value) => format!("%!s(uint64={value})"),
        Val::Float(_) => format!("%!s(float64={})", key_text(arena, key)),
        _ => key_text(arena, key),
    }
}
