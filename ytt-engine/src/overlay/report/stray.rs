//! Annotations that stand one line too high or too low, or at the end of a line, where they are of another item.

use super::cause::Cause;
use super::words::key_text;
use crate::call::Seen;
use crate::overlay::annotation::{CHILD_DEFAULTS, MATCH, RightKind};
use crate::overlay::engine::Scene;
use crate::overlay::problem::Unmet;
use crate::source::Span;
use crate::yaml::{Annotation, Arena, Body, NodeId, Val};

impl Scene<'_> {
    /// The annotation that was probably meant for an item that matches nothing.
    pub(super) fn stray(&self, unmet: &Unmet) -> Option<Cause> {
        self.at_end_of_line().or_else(|| {
            let is_key = unmet.kind == RightKind::MapItem && unmet.rule.by.is_none() && unmet.argument.is_none();
            is_key.then(|| {
                let moved = self.written_below(unmet).or_else(|| self.written_above(unmet));
                moved.or_else(|| self.defaults_too_low(unmet))
            })?
        })
    }

    /// `match-child-defaults` stands above the key that is missing: it lets keys be added below it.
    fn defaults_too_low(&self, unmet: &Unmet) -> Option<Cause> {
        let arena = self.arena();
        let annotation = arena.ann(unmet.right, CHILD_DEFAULTS)?;
        let args = self.calls.args(annotation.args);
        let mut named = args.named.iter();
        named.find(|(name, value)| **name == *"missing_ok" && matches!(self.calls.see(*value), Seen::Bool(true)))?;
        let key = key_text(&arena, arena.key(unmet.right));
        let (span, indent) = self.line_start(unmet.right)?;
        let text = format!("lets new keys be added below `{key}`, not `{key}` itself");
        let help = format!("let `{key}` be added, too: `#@{MATCH} missing_ok=True`");
        let edit = (span, format!("#@{MATCH} missing_ok=True\n{indent}"));
        let place = arena.place(annotation.pos).map(|place| place.key());
        Some(Cause::new(place, text).help(help, Some(edit)))
    }

    /// An annotation behind the first key of a list item belongs to that key.
    fn at_end_of_line(&self) -> Option<Cause> {
        let arena = self.arena();
        self.trail.iter().rev().filter(|step| step.kind == RightKind::ArrayItem).find_map(|step| {
            let Val::Node(map) = arena.value(step.node) else { return None };
            let first = arena.item_at(map, 0)?;
            let key = arena.span_of(first)?;
            let source = self.calls.sources().get(key.source);
            let is_of_overlays = |annotation: &&Annotation| annotation.name.starts_with("overlay/");
            let annotation = arena.anns_of(first).iter().find(is_of_overlays)?;
            let span = self.whole_annotation(&arena, annotation)?;
            let (start, indent) = self.line_start(step.node)?;
            let line = source.line(start.start);
            if source.line(span.start) != line || span.start < key.end {
                return None;
            }
            let named = key_text(&arena, arena.key(first));
            let text = format!("at the end of a line it belongs to the key `{named}` alone");
            let item = source.written(Span { end: span.start, ..start })?.trim_end();
            let new = format!("{}\n{indent}{item}", source.written(span)?);
            let help = "write it above the item: then it is for all of it";
            Some(Cause::new(Some(span), text).help(help, Some((Span { end: span.end, ..start }, new))))
        })
    }

    /// `missing_ok` stands below the item: above the first one inside of it, or above the next one, which is there.
    fn written_below(&self, unmet: &Unmet) -> Option<Cause> {
        let arena = self.arena();
        let inside = match arena.value(unmet.right) {
            Val::Node(map) => arena.item_at(map, 0),
            _ => None,
        };
        let inside = inside.filter(|item| self.allows_missing(&arena, *item));
        let next = || self.neighbour(&arena, unmet, 1).filter(|_| arena.span_of(unmet.right).is_some());
        let owner = inside.or_else(next)?;
        let annotation = arena.ann(owner, MATCH)?;
        let span = self.whole_annotation(&arena, annotation)?;
        let (start, indent) = self.line_start(unmet.right)?;
        let source = self.calls.sources().get(span.source);
        let line = source.line_range(source.line(span.start));
        let between = source.written(Span { end: line.start, ..start })?.trim_end();
        if span.source != start.source || span.start < start.start || between.lines().count() > 10 {
            return None;
        }
        let new = format!("{}\n{indent}{between}", source.written(span)?);
        let edit = (Span { end: span.end, ..start }, new);
        Some(self.moved(&arena, owner, span, unmet.right, "up", edit))
    }

    /// `missing_ok` stands above what is around the item, or above the one before it, which both are there.
    fn written_above(&self, unmet: &Unmet) -> Option<Cause> {
        let arena = self.arena();
        let around =
            self.trail.iter().rev().nth(1).filter(|step| step.kind == RightKind::MapItem).map(|step| step.node);
        let around = around.filter(|item| self.allows_missing(&arena, *item) && self.is_first(&arena, *item, unmet));
        let owner = self.neighbour(&arena, unmet, -1).or(around)?;
        let span = self.whole_annotation(&arena, arena.ann(owner, MATCH)?)?;
        let (start, indent) = self.line_start(unmet.right)?;
        let edit = self.lower(span, start, &indent)?;
        Some(self.moved(&arena, owner, span, unmet.right, "down", edit))
    }

    /// The edit that moves an annotation down to an item that starts at `start`.
    fn lower(&self, annotation: Span, start: Span, indent: &str) -> Option<(Span, String)> {
        let source = self.calls.sources().get(annotation.source);
        let line = source.line(annotation.start);
        let (range, behind) = (source.line_range(line), source.line_range(line + 1).start);
        let is_above = annotation.source == start.source && annotation.start <= start.start;
        // Behind its key it cannot be moved with the line.
        let is_alone =
            source.written(Span { start: range.start, end: annotation.start, ..annotation })?.trim().is_empty();
        if !is_above || !is_alone || source.line(start.start) - line > 10 {
            return None;
        }
        let between = source.written(Span { start: behind, ..start })?;
        let new = format!("{between}{}\n{indent}", source.written(annotation)?);
        Some((Span { start: range.start, ..start }, new))
    }

    /// A matcher by a key that stands above the key of a list whose items have it: the key of the list, and the edit that
    /// moves the matcher to the first item.
    pub(super) fn for_the_list_below(&self, right: NodeId, name: &str) -> Option<(Span, (Span, String))> {
        let arena = self.arena();
        let Val::Node(list) = arena.value(right) else { return None };
        let first = arena.item_at(list, 0).filter(|_| matches!(arena.get(list).body, Body::Array(_)))?;
        let Val::Node(map) = arena.value(first) else { return None };
        arena.find_str(map, name)?;
        let annotation = self.whole_annotation(&arena, arena.ann(right, MATCH)?)?;
        let (start, indent) = self.line_start(first)?;
        Some((arena.span_of(right)?, self.lower(annotation, start, &indent)?))
    }

    fn moved(&self, arena: &Arena, owner: NodeId, span: Span, right: NodeId, way: &str, edit: (Span, String)) -> Cause {
        let [owner_key, wanted] = [owner, right].map(|item| key_text(arena, arena.key(item)));
        let line = self.calls.sources().get(span.source).line(span.start);
        let is_only_place = self.is_only_place(arena, owner, right);
        let text = match is_only_place {
            true => format!("move line {line} {way}, above `{wanted}`"),
            false => format!(
                "if line {line} is meant for `{wanted}`, move it {way}, above `{wanted}`: each new key needs its own"
            ),
        };
        Cause::new(Some(span), format!("this is for `{owner_key}`, not for `{wanted}`"))
            .help(text, Some(edit))
            .guessing(!is_only_place)
    }

    /// Whether an annotation of `owner` can be meant for nothing else than `right`: neither beside the one nor beside the
    /// other another key is missing.
    fn is_only_place(&self, arena: &Arena, owner: NodeId, right: NodeId) -> bool {
        let above = &self.trail[..self.trail.len().saturating_sub(1)];
        let is_around = above.last().is_some_and(|step| step.node == owner);
        above.iter().rev().take(1 + usize::from(is_around)).all(|step| {
            let left = step.matched.map(|matched| arena.value(matched.item));
            let (Val::Node(rights), Some(Val::Node(lefts))) = (arena.value(step.node), left) else { return false };
            let is_missing = |item: &NodeId| arena.find(lefts, arena.key(*item)).is_none();
            arena.items(rights).iter().all(|item| *item == right || !is_missing(item))
        })
    }

    /// Whether an item is the first one, or the only new one, in what is around it.
    fn is_first(&self, arena: &Arena, around: NodeId, unmet: &Unmet) -> bool {
        matches!(arena.value(around), Val::Node(map) if arena.item_at(map, 0) == Some(unmet.right))
    }

    /// The item beside the right one that is there, and may be missing all the same.
    fn neighbour(&self, arena: &Arena, unmet: &Unmet, way: isize) -> Option<NodeId> {
        let Val::Node(around) = arena.value(self.trail.iter().rev().nth(1)?.node) else { return None };
        // Of several documents, one may lack what another has.
        if self.trail.first().is_some_and(|step| step.found.len() > 1) {
            return None;
        }
        let items = arena.items(around);
        let at = items.iter().position(|item| *item == unmet.right)?;
        let item = *items.get(at.checked_add_signed(way)?)?;
        let left = arena.find(*unmet.lefts.first()?, arena.key(item))?;
        (left != item && self.allows_missing(arena, item)).then_some(item)
    }

    /// Whether all that is said of the match of an item is that it may be missing.
    fn allows_missing(&self, arena: &Arena, item: NodeId) -> bool {
        arena.ann(item, MATCH).is_some_and(|annotation| {
            let args = self.calls.args(annotation.args);
            matches!(&args.named[..], [(name, value)]
                if &**name == "missing_ok" && matches!(self.calls.see(*value), Seen::Bool(true)))
        })
    }

    /// An annotation with its arguments, on one line.
    pub(super) fn whole_annotation(&self, arena: &Arena, annotation: &Annotation) -> Option<Span> {
        let place = arena.place(annotation.pos)?;
        let key = place.key();
        let span = Span { end: place.end.max(key.end), ..key };
        let written = self.written(span)?;
        (written.starts_with("#@") && !written.contains('\n')).then_some(span)
    }
}
