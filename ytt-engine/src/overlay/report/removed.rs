//! What an earlier overlay took out of the place where a later one looks for it.

use super::SHOWN;
use super::cause::{Cause, is_like};
use super::several::first_difference;
use super::words::counted;
use crate::overlay::annotation::{CHILD_DEFAULTS, MATCH, Operation, RightKind};
use crate::overlay::compare::leaf;
use crate::overlay::engine::{Removed, Scene, TrailStep};
use crate::overlay::problem::Unmet;
use crate::source::{Span, to_u32};
use crate::template::code::FileCode;
use crate::yaml::{Arena, Body, NodeId, Val};

/// A right item whose matcher took more than one left item, among them one that had to stay.
struct TooWide {
    right: NodeId,
    stays: NodeId,
    others: Vec<NodeId>,
}

impl Scene<'_> {
    /// An earlier overlay of the stage took out what would have matched.
    pub(super) fn removed_before(&self, unmet: &Unmet) -> Option<Cause> {
        let arena = self.arena();
        let (removed, item) = self.removed.iter().rev().find_map(|removed| {
            let item = self.lost_with(&arena, unmet, removed)?;
            Some((removed, item))
        })?;
        let was = self.line_of(&arena, item).map_or(String::new(), |line| format!(" ({line})"));
        let operations = [Operation::Remove, Operation::Replace];
        let mut annotations = operations.iter().filter_map(|known| self.annotation_span(removed.by, known.name()));
        let span = annotations.next().or_else(|| self.mark(&arena, removed.by));
        let does = if item == removed.item { "takes out" } else { "replaces all that is there, also" };
        let cause = Cause::new(span, format!("{does} what would match{was}, before this overlay"));
        let what = self.called(&arena, unmet);
        if let Some(too_wide) = self.too_wide(removed) {
            return Some(self.told_of_width(&arena, cause, (&too_wide, removed), &what));
        }
        let line = self.line_of(&arena, removed.by);
        if let (true, Some(line)) = (item != removed.item, &line) {
            let edit = self.merged_instead(&arena, removed.by);
            let place = if edit.is_some() { String::new() } else { format!(" at {line}") };
            let text = format!("if {what} is to stay, merge in place of replacing{place}");
            let cause = cause.help(text, edit);
            return Some(cause.help(format!("or, if it is to go, delete {what} here"), None).guessing(true));
        }
        // What is taken out for some renders only is there for others.
        let may_stay = || self.is_conditional(&arena, removed.by) || self.is_of_other_input(&arena, removed.by, unmet);
        let is_document = unmet.kind == RightKind::Document;
        if let Some(turn) = self.turn_of(&arena, unmet).filter(|_| !is_document || !may_stay()) {
            return Some(self.leave_out_turn(&arena, cause, &turn, (removed.by, &what)));
        }
        // The document of a loop is there for its other turns, too.
        let is_of_many = is_document && self.is_of_many(&arena, unmet.right);
        let container = self.trail.iter().rev().nth(1).map(|step| arena.value(step.node));
        let alone = matches!(container, Some(Val::Node(container)) if arena.count(container) < 2);
        let edit = self
            .lines_of(&arena, unmet.right)
            .filter(|_| !alone && !is_of_many)
            .map(|lines| (self.with_comments(lines), String::new()));
        let delete = match is_of_many {
            true => format!("leave {what} out of the loop that makes it: nothing is left to change"),
            false => format!("delete {what} here: nothing is left to change"),
        };
        // What is taken out under a condition only may be there another time.
        if let Some(edit) = self.only_when_there(&arena, removed.by, unmet.right) {
            let text = format!("it is taken out under a condition: change {what} only where it is there, `when=1`");
            let cause = cause.help(text, Some(edit));
            return Some(cause.help(format!("or, if it always is, {delete}"), None).guessing(true));
        }
        Some(match line {
            // With it nothing would be left of this overlay.
            Some(line) if alone || unmet.kind == RightKind::Document => {
                let is_document = matches!(arena.get(removed.by).body, Body::Doc(_));
                let by = if is_document { "document" } else { "item" };
                let kept = if unmet.kind == RightKind::Document { "it" } else { what.as_str() };
                let does = match self.is_of_many(&arena, removed.by) {
                    true => format!("leave it out of the loop around the {by} at {line}"),
                    false => format!("delete the {by} at {line}"),
                };
                let stay = format!("if {kept} is to stay, {does}, which is applied first and takes it out");
                if let (true, Some(cause)) = (is_document, self.other_file(&arena, &cause, (removed.by, unmet.right))) {
                    let this = if is_of_many { &*delete } else { "delete this overlay: nothing is left to change" };
                    let text = format!("or, if it is meant, and what it takes out is to go, {this}");
                    return Some(cause.help(text, None));
                }
                cause.help(stay, None).help(format!("or, if it is to go, {delete}"), edit)
            }
            Some(line) => cause
                .help(delete, edit)
                .help(format!("or keep it: delete the item at {line}, which takes it out"), None),
            None => cause.help(delete, edit),
        })
    }

    /// Is an overlay there under a condition only?
    fn is_conditional(&self, arena: &Arena, by: NodeId) -> bool {
        arena.span_of(by).is_some_and(|place| {
            let code = FileCode::read(&self.calls.sources().get(place.source), place.source);
            code.is_some_and(|code| !code.conditions(place).is_empty())
        })
    }

    /// Does an overlay of another input take out what an item is for?
    fn is_of_other_input(&self, arena: &Arena, by: NodeId, unmet: &Unmet) -> bool {
        let inputs = [by, unmet.right].map(|item| Some(self.calls.sources().get(arena.span_of(item)?.source).input));
        matches!(inputs, [Some(one), Some(other)] if one != other)
    }

    /// Where it is taken out under a condition: the argument that lets nothing be changed where it is gone.
    fn only_when_there(&self, arena: &Arena, by: NodeId, right: NodeId) -> Option<(Span, String)> {
        let annotation = arena.ann(right, MATCH)?.pos;
        let has = |name: &str| self.argument_span(annotation, name).is_some();
        let is_free = !["expects", "missing_ok", "when"].iter().any(|name| has(name)) && has("by");
        let (_, end) = self.annotation_end(right, MATCH).filter(|_| is_free)?;
        self.is_conditional(arena, by).then(|| (end, ", when=1".to_owned()))
    }

    /// A document of another input took it out: its whole file may be meant for other renders than this one. Where it does
    /// more than that, its other documents go with it.
    fn other_file(&self, arena: &Arena, cause: &Cause, (by, right): (NodeId, NodeId)) -> Option<Cause> {
        let (own, other) = (arena.span_of(right)?, arena.span_of(by)?);
        let [here, source] = [own, other].map(|span| self.calls.sources().get(span.source));
        // What lies in one folder is meant for the same renders.
        if here.input == source.input {
            return None;
        }
        let name = source.shown_name();
        let mut cause = Cause { labels: cause.labels.clone(), ..Cause::default() };
        let text = source.text.as_str()?;
        let mut starts = text.match_indices("#@overlay/match ");
        let beside = starts.find(|(at, _)| {
            let start = text.get(*at..).and_then(|rest| rest.find("\n---")).and_then(|start| at.checked_add(start));
            let is_at_line = source.line_range(source.line(to_u32(*at))).start == to_u32(*at);
            let is_of_it =
                start.is_some_and(|start| source.line(to_u32(start)).checked_add(1) == Some(source.line(other.start)));
            is_at_line && start.is_some() && !is_of_it
        });
        if let Some((at, _)) = beside {
            let line = source.line_range(source.line(to_u32(at)));
            let span = Span { start: line.start, end: line.end, ..other };
            cause.labels.push((Some(span), "this overlay of the same file is applied, too".to_owned()));
        }
        let text = format!(
            "{name} is applied as well, since it lies in what is given: if it is not meant for this render, leave the \
             whole file out"
        );
        Some(cause.help(text, None))
    }

    /// What would have matched, if it went with a left item: that one, or an item inside of it.
    fn lost_with(&self, arena: &Arena, unmet: &Unmet, removed: &Removed) -> Option<NodeId> {
        if unmet.lefts.contains(&removed.container) && is_like(arena, removed.item, unmet.right, &unmet.test) {
            return Some(removed.item);
        }
        let new = removed.new?;
        let is_in = |step: &TrailStep| step.matched.is_some_and(|matched| matched.item == new);
        let at = self.trail.iter().position(is_in)?;
        let (_, below) = self.trail.get(at..)?.split_first()?;
        self.followed(arena, arena.value(removed.item), below)
    }

    /// The item itself, or its document, if it took others as well.
    fn too_wide(&self, removed: &Removed) -> Option<TooWide> {
        let by_it = || self.removed.iter().filter(|other| other.by == removed.by);
        let is_document = matches!(self.arena().get(removed.by).body, Body::Doc(_));
        let beside = by_it().filter(|other| is_document || other.container == removed.container);
        let mut found =
            vec![TooWide { right: removed.by, stays: removed.item, others: beside.map(|other| other.item).collect() }];
        if let Some((right, stays)) = removed.document.filter(|_| !is_document) {
            let others = by_it().filter_map(|other| Some(other.document?.1)).collect();
            found.push(TooWide { right, stays, others });
        }
        found.into_iter().find_map(|mut found| {
            found.others.retain(|other| *other != found.stays);
            found.others.dedup();
            (!found.others.is_empty()).then_some(found)
        })
    }

    fn told_of_width(
        &self,
        arena: &Arena,
        mut cause: Cause,
        (too_wide, removed): (&TooWide, &Removed),
        what: &str,
    ) -> Cause {
        let TooWide { right, stays, others } = too_wide;
        let is_whole = *stays == removed.item;
        let matcher = arena.ann(*right, MATCH).and_then(|annotation| self.argument_span(annotation.pos, "by"));
        let kind = RightKind::of(&arena.get(*right).body).unwrap_or(RightKind::Document);
        let place = matcher.or_else(|| self.mark(arena, *right));
        cause.labels.push((place, format!("matched {}", counted(others.len().saturating_add(1), kind))));
        for other in others.iter().take(SHOWN) {
            let name = match kind {
                RightKind::Document => format!(": {}", self.document_name(arena, *other)),
                _ => String::new(),
            };
            cause.labels.push((self.mark_left(arena, *other), format!("matched too{name}")));
        }
        let edit = matcher.and_then(|span| Some((span, self.leaving_out(arena, span, *stays, others)?)));
        let line = self.line_of(arena, *right).filter(|_| edit.is_none());
        let line = line.map_or(String::new(), |line| format!(" at {line}"));
        let kept = match kind {
            RightKind::Document if is_whole => self.document_name(arena, *stays),
            RightKind::Document => format!("{what} in {}", self.document_name(arena, *stays)),
            _ => what.to_string(),
        };
        cause
            .help(format!("if {kept} is to stay, match less{line}"), edit)
            .help(format!("or, if it is to go, delete {what} here: nothing is left to change"), None)
            .guessing(true)
    }

    /// The edit that merges a map where it replaces one.
    fn merged_instead(&self, arena: &Arena, by: NodeId) -> Option<(Span, String)> {
        let Val::Node(map) = arena.value(by) else { return None };
        let span = self.annotation_span(by, Operation::Replace.name())?;
        let args = self.calls.args(arena.ann(by, Operation::Replace.name())?.args);
        let is_written = self.written(span).as_deref() == Some(&*format!("#@{}", Operation::Replace.name()));
        let is_map = matches!(arena.get(map).body, Body::Map(_));
        (is_map && is_written && args.named.is_empty() && args.positional.is_empty())
            .then(|| (span, format!("#@{CHILD_DEFAULTS} missing_ok=True")))
    }

    /// A matcher that takes the others, and not what has to stay.
    fn leaving_out(&self, arena: &Arena, by: Span, stays: NodeId, others: &[NodeId]) -> Option<String> {
        let (own, other) = (arena.value(stays), arena.value(*others.first()?));
        if others.len() == 1 {
            let (path, value, _) = first_difference(arena, other, own)?;
            return self.narrowed(by, &path, value, true);
        }
        let (path, value, _) = first_difference(arena, own, other)?;
        let has_it = |item: &NodeId| {
            let there = path.iter().try_fold(arena.value(*item), |value, step| match value {
                Val::Node(map) => arena.find(map, arena.key(*step)).map(|item| arena.value(item)),
                _ => None,
            });
            there.is_some_and(|there| leaf(arena, there, value))
        };
        if others.iter().any(has_it) { None } else { self.narrowed(by, &path, value, false) }
    }
}
