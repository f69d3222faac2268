//! Annotations that stand one line too high or too low, or at the end of a line, where they are of another item.

use super::cause::Cause;
use super::words::key_text;
use crate::call::Seen;
use crate::diag::Diagnostic;
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

    /// An annotation at the end of the line of an item around the one at hand, which belongs to an item inside of it.
    fn at_end_of_line(&self) -> Option<Cause> {
        let arena = self.arena();
        self.trail.iter().rev().find_map(|step| match step.kind {
            RightKind::ArrayItem => self.behind_first_key(&arena, step.node),
            RightKind::MapItem => self.behind_flow(&arena, step.node),
            RightKind::Document => None,
        })
    }

    /// An annotation behind the first line of a list item belongs to a key there.
    fn behind_first_key(&self, arena: &Arena, node: NodeId) -> Option<Cause> {
        let Val::Node(map) = arena.value(node) else { return None };
        let raised = |item: &NodeId| Some((*item, self.raised(arena, node, *item)?));
        let (inside, (span, edit)) = arena.items(map).iter().find_map(raised)?;
        let text = format!("at the end of a line it belongs to the key `{}` alone", key_text(arena, arena.key(inside)));
        Some(Cause::new(Some(span), text).help("write it above the item: then it is for all of it", Some(edit)))
    }

    /// An annotation behind a map or list in brackets belongs to an item inside of it.
    fn behind_flow(&self, arena: &Arena, node: NodeId) -> Option<Cause> {
        let Val::Node(container) = arena.value(node) else { return None };
        let (inside, (span, edit)) =
            arena.items(container).iter().find_map(|item| Some((*item, self.raised(arena, node, *item)?)))?;
        let (line, source) = (self.written(edit.0)?, self.calls.sources().get(span.source));
        let is_flow =
            line.contains(['{', '[']) && arena.span_of(inside).is_some_and(|inside| inside.start < span.start);
        let key = key_text(arena, arena.key(node));
        let of = match arena.get(inside).body {
            Body::MapItem(key, _) => {
                format!("here it belongs to `{}`, inside of", key_text(arena, key))
            }
            _ => "here it belongs to an item inside of".to_string(),
        };
        let help = format!("write it on the line above `{key}`: then it is for all of it");
        let is_one_line = source.line(edit.0.start) == source.line(span.start);
        (is_flow && is_one_line).then(|| Cause::new(Some(span), format!("{of} `{key}`")).help(help, Some(edit)))
    }

    /// An annotation of overlays that stands at the end of the line of `node`, and is of `inside`: with the edit that
    /// writes it on the line above.
    fn raised(&self, arena: &Arena, node: NodeId, inside: NodeId) -> Option<(Span, (Span, String))> {
        let key = arena.span_of(inside)?;
        let source = self.calls.sources().get(key.source);
        let is_of_overlays = |annotation: &&Annotation| annotation.name.starts_with("overlay/");
        let annotation = arena.anns_of(inside).iter().find(is_of_overlays)?;
        let span = self.whole_annotation(arena, annotation)?;
        let (start, indent) = self.line_start(node)?;
        if source.line(span.start) != source.line(start.start) || span.start < key.end {
            return None;
        }
        let item = source.written(Span { end: span.start, ..start })?.trim_end();
        let new = format!("{}\n{indent}{item}", source.written(span)?);
        Some((span, (Span { end: span.end, ..start }, new)))
    }

    /// A matcher by a key that stands inside of a list item which has that key.
    pub(super) fn misplaced_matcher(&self, arena: &Arena, node: NodeId, name: &str) -> Option<Cause> {
        let Val::Node(map) = arena.value(node) else { return None };
        let is_behind = arena.items(map).iter().any(|item| arena.ann(*item, MATCH).is_some());
        let behind = if is_behind { self.behind_first_key(arena, node) } else { None };
        behind.or_else(|| self.matcher_inside(arena, node, name))
    }

    /// A matcher by a key above one of the keys of a list item.
    fn matcher_inside(&self, arena: &Arena, node: NodeId, name: &str) -> Option<Cause> {
        let Val::Node(map) = arena.value(node) else { return None };
        arena.items(map).iter().find_map(|item| {
            let annotation = arena.ann(*item, MATCH)?;
            let args = self.calls.args(annotation.args);
            let is_it = |value| matches!(self.calls.see(value), Seen::Str(key) if *key == *name);
            args.named.iter().find(|(given, value)| &**given == "by" && is_it(*value))?;
            let span = self.whole_annotation(arena, annotation)?;
            let edit = self.higher(span, node)?;
            let line = self.calls.sources().get(span.source).line(span.start);
            let text = format!("inside of the item it is for `{}` alone", key_text(arena, arena.key(*item)));
            let help = format!("move line {line} up, above the item: then it is for all of it");
            Some(Cause::new(Some(span), text).help(help, Some(edit)))
        })
    }

    /// The edit that moves an annotation on a line of its own up, above an item that begins shortly before.
    fn higher(&self, annotation: Span, node: NodeId) -> Option<(Span, String)> {
        let (start, indent) = self.line_start(node)?;
        let source = self.calls.sources().get(annotation.source);
        let line = source.line_range(source.line(annotation.start));
        if annotation.source != start.source || annotation.start < start.start || line.start < start.start {
            return None;
        }
        let is_alone = source.written(Span { start: line.start, end: annotation.start, ..start })?.trim().is_empty();
        let between = source.written(Span { end: line.start, ..start })?.trim_end();
        let new = format!("{}\n{indent}{between}", source.written(annotation)?);
        (is_alone && between.lines().count() <= 10).then_some((Span { end: annotation.end, ..start }, new))
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
        if self.is_needed_elsewhere(unmet.right, owner) {
            return None;
        }
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
        // Other documents may lack it, and other keys would need an annotation of their own.
        let is_alone =
            || self.trail.first().is_none_or(|step| step.found.len() < 2) && self.missing_too(unmet).is_empty();
        let around = around
            .filter(|item| self.allows_missing(&arena, *item) && self.is_first(&arena, *item, unmet) && is_alone());
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
        let (range, behind) = (source.line_range(line), source.line_range(line.saturating_add(1)).start);
        let is_above = annotation.source == start.source && annotation.start <= start.start;
        // Behind its key it cannot be moved with the line.
        let is_alone =
            source.written(Span { start: range.start, end: annotation.start, ..annotation })?.trim().is_empty();
        if !is_above || !is_alone || source.line(start.start).saturating_sub(line) > 10 {
            return None;
        }
        let between = source.written(Span { start: behind, ..start })?;
        let new = format!("{between}{}\n{indent}", source.written(annotation)?);
        Some((Span { start: range.start, ..start }, new))
    }

    /// A matcher by a key that stands above the key of a list whose items have it: the problem with the edit that moves the
    /// matcher to the items.
    pub(super) fn for_the_list_below(&self, told: &Diagnostic, right: NodeId, name: &str) -> Option<Diagnostic> {
        let arena = self.arena();
        let Val::Node(list) = arena.value(right) else { return None };
        let first = arena.item_at(list, 0).filter(|_| matches!(arena.get(list).body, Body::Array(_)))?;
        let has_it =
            |item: &NodeId| arena.map_of(arena.value(*item)).is_some_and(|map| arena.find_str(map, name).is_some());
        let is_annotated =
            |item: &NodeId| arena.anns_of(*item).iter().any(|annotation| annotation.name.starts_with("overlay/"));
        let is_free = |item: &&NodeId| has_it(item) && !is_annotated(item);
        let items: Vec<NodeId> = arena.items(list).iter().filter(is_free).copied().collect();
        (items.first() == Some(&first)).then_some(())?;
        let annotation = self.whole_annotation(&arena, arena.ann(right, MATCH)?)?;
        let key = key_text(&arena, arena.key(right));
        let told = told
            .clone()
            .label(arena.span_of(right)?, format!("above `{key}` it is for this key, not for the items of its list"));
        if items.len() == 1 {
            let (start, indent) = self.line_start(first)?;
            let (span, new) = self.lower(annotation, start, &indent)?;
            let text = format!("write it one line lower, above the first item of `{key}`");
            return Some(told.help_edit(text, span, new).beside_help(self.first_below(&arena, first, name)));
        }
        let source = self.calls.sources().get(annotation.source);
        let (written, line) = (source.written(annotation)?, source.lines_of(annotation)?);
        let above = items.iter().map(|item| {
            let (start, indent) = self.line_start(*item)?;
            (start.source == annotation.source).then(|| (start, format!("{written}\n{indent}")))
        });
        let mut above: Vec<(Span, String)> = above.collect::<Option<_>>()?;
        // Items of a loop are one line.
        above.dedup();
        let parts = above.iter().map(|(start, new)| (*start, new.as_str()));
        let (span, new) = source.replaced(std::iter::once((line, "")).chain(parts))?;
        let told = told.help_edit(format!("write it above each item of `{key}` instead"), span, new);
        Some(told.beside_help(self.first_below(&arena, first, name)))
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
        let above = self.trail.split_last().map_or(self.trail, |(_, above)| above);
        let is_around = above.last().is_some_and(|step| step.node == owner);
        above.iter().rev().take(if is_around { 2 } else { 1 }).all(|step| {
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
    pub(super) fn allows_missing(&self, arena: &Arena, item: NodeId) -> bool {
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
