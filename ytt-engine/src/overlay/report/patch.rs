//! Directives of strategic merge patches, which are keys like any other to ytt: what they ask for is an annotation here.

use super::cause::Cause;
use super::words::key_text;
use crate::overlay::annotation::{MATCH, Operation, RightKind};
use crate::overlay::engine::Scene;
use crate::overlay::problem::Unmet;
use crate::source::Span;
use crate::yaml::{Arena, Body, NodeId};

impl Scene<'_> {
    /// A key such as `$patch`, which is not on the left.
    pub(super) fn directive(&self, unmet: &Unmet) -> Option<Cause> {
        if unmet.kind != RightKind::MapItem || unmet.rule.by.is_some() || !unmet.found.is_empty() || self.exact {
            return None;
        }
        let holder = self.trail.iter().rev().nth(1)?.node;
        let arena = self.arena();
        let key = key_text(&arena, arena.key(unmet.right));
        let what = key.strip_prefix('$')?.split('/').next()?;
        let value = arena.str(arena.value(unmet.right)).unwrap_or_default();
        let told = |text: &str| Cause::new(None, format!("`{key}` is for patches of kustomize and kubectl: {text}"));
        let plain = "to ytt it is a key like any other";
        let (name, operation) = match (what, value) {
            ("patch", "delete") => ("removed", Some(Operation::Remove)),
            ("patch", "replace") => ("replaced", Some(Operation::Replace)),
            ("patch", "merge") => ("merged", None),
            ("setElementOrder", _) => {
                let edit = self.without_key(&arena, holder, unmet.right, None);
                return Some(told(plain).help("ytt keeps items in their order: leave it out", edit));
            }
            ("retainKeys", _) => {
                let help = "leave it out, and remove each key that is not to stay by `#@overlay/remove`, or write the whole \
                            map and replace it by `#@overlay/replace`";
                return Some(told(plain).help(help, None));
            }
            ("deleteFromPrimitiveList", _) => {
                let help = "leave it out, and remove each item by `#@overlay/remove` and a matcher such as \
                            `#@overlay/match by=lambda i, left, right: left == \"…\"`";
                return Some(told(plain).help(help, None));
            }
            _ => return None,
        };
        let which = match arena.get(holder).body {
            Body::MapItem(key, _) => format!("`{}`", key_text(&arena, key)),
            Body::Doc(_) => "this document".to_owned(),
            _ => "this item".to_owned(),
        };
        // An item of a list is there by a matcher only.
        let is_matched = !matches!(arena.get(holder).body, Body::ArrayItem(_)) || arena.ann(holder, MATCH).is_some();
        let edit = is_matched.then(|| self.without_key(&arena, holder, unmet.right, operation)).flatten();
        Some(match operation {
            Some(operation) => {
                let help = format!("{which} is {name} by `#@{}` above it, in place of this key", operation.name());
                told(plain).help(help, edit)
            }
            None => told(plain).help(format!("{which} is merged without it: leave it out"), edit),
        })
    }

    /// The edit that takes a key out of the item that holds it, and writes an operation above that one.
    fn without_key(
        &self,
        arena: &Arena,
        holder: NodeId,
        key: NodeId,
        operation: Option<Operation>,
    ) -> Option<(Span, String)> {
        let place = arena.place_of(key)?.whole();
        let source = self.calls.sources().get(place.source);
        let (line, list) = (source.line_range(source.line(place.start)).start, arena.place_of(holder)?.value());
        let before = source.written(Span { start: line, end: place.start, ..place })?;
        let is_flow = source.written(list).is_some_and(|text| text.starts_with('{'));
        // Behind a dash, the next key goes where this one stood.
        let is_behind_dash = before.trim() == "-";
        let gone = match is_behind_dash {
            _ if is_flow => {
                let braces = Span { start: list.start.checked_add(1)?, end: list.end.checked_sub(1)?, ..list };
                source.with_comma(braces, place)
            }
            true => {
                let lines = source.lines_of(Span { start: line, ..place })?;
                let next = source.line_text(source.line(lines.end));
                let indent = next.len().checked_sub(next.trim_start().len())?;
                (indent == before.len() && !next.trim_start().starts_with('#')).then_some(())?;
                Span { start: place.start, end: lines.end.checked_add(crate::source::to_u32(indent))?, ..place }
            }
            false => source.lines_of(Span { start: line, ..place }).filter(|_| before.trim().is_empty())?,
        };
        let Some(operation) = operation else { return Some((gone, String::new())) };
        let (start, indent) = self.line_start(holder)?;
        (start.source == gone.source && start.start <= gone.start).then_some(())?;
        let kept = source.written(Span { end: gone.start, ..start })?;
        Some((Span { end: gone.end, ..start }, format!("#@{}\n{indent}{kept}", operation.name())))
    }
}
