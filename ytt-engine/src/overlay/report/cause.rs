//! What explains that an item matches nothing, where something does: then the report says that, and nothing that would
//! only silence it.

use super::nearest::COMPARISONS;
use super::parts::{Path, at_path, leaves};
use super::words::{key_text, scalar_text};
use crate::call::{Matcher, Seen};
use crate::diag::{Advice, Diagnostic, Label, suggest};
use crate::overlay::annotation::{CHILD_DEFAULTS, Counts, MATCH, Operation, RightKind};
use crate::overlay::compare::{is_part, key_value, leaf};
use crate::overlay::engine::Scene;
use crate::overlay::matcher::{Target, Test};
use crate::overlay::problem::Unmet;
use crate::overlay::rules;
use crate::overlay::target::target_value;
use crate::source::Span;
use crate::template::meant_by;
use crate::yaml::{Arena, Body, NodeId, Val};

/// A cause: where it is seen, and what to do about it.
#[derive(Default)]
pub(super) struct Cause {
    /// What is wrong at the matcher, in place of what is said there otherwise.
    pub(super) instead: Option<Label>,
    pub(super) labels: Vec<(Option<Span>, String)>,
    /// With the edit, where it can be made.
    pub(super) helps: Vec<(String, Option<(Span, String)>)>,
    pub(super) advice: Option<Advice>,
    /// Only people know whether an edit is meant.
    pub(super) is_guess: bool,
}

impl Cause {
    pub(super) fn new(span: Option<Span>, text: impl Into<String>) -> Cause {
        Cause { labels: vec![(span, text.into())], ..Cause::default() }
    }

    pub(super) fn help(mut self, text: impl Into<String>, edit: Option<(Span, String)>) -> Cause {
        self.helps.push((text.into(), edit));
        self
    }

    pub(super) fn guessing(self, is_guess: bool) -> Cause {
        Cause { is_guess, ..self }
    }

    pub(super) fn told(self, mut diagnostic: Diagnostic, by: Option<Span>) -> Diagnostic {
        if let Some(instead) = self.instead {
            let labels = &mut diagnostic.parts_mut().labels;
            labels.retain(|label| Some(label.span) != by);
            labels.insert(0, instead);
        }
        for (span, text) in self.labels {
            // Inside of what is marked, what decides is marked instead.
            let is_inside = |by: &Span| {
                span.is_some_and(|span| span.source == by.source && by.start < span.start && span.end <= by.end)
            };
            let mut labels = diagnostic.parts_mut().labels.iter_mut();
            if let (Some(span), Some(by)) = (span, by.filter(is_inside))
                && let Some(label) = labels.find(|label| label.span == by)
            {
                *label = Label { span, text: format!("{}: {text}", label.text) };
                continue;
            }
            diagnostic = match span {
                Some(span) => diagnostic.label(span, text),
                None => diagnostic.note(text),
            };
        }
        let is_guess = self.is_guess || self.helps.len() > 1;
        for (text, edit) in self.helps {
            diagnostic = match edit {
                Some((span, new)) if is_guess => diagnostic.help_edit(text, span, new).guessing(),
                Some((span, new)) => diagnostic.help_edit(text, span, new),
                None => diagnostic.help(text),
            };
        }
        self.advice.into_iter().fold(diagnostic, Diagnostic::advise)
    }
}

impl Scene<'_> {
    /// The problem with its cause, if one is found.
    ///
    /// # Errors
    ///
    /// The problem as it was: nothing explains it.
    pub(super) fn explained(&self, diagnostic: Diagnostic, unmet: &Unmet) -> Result<Diagnostic, Diagnostic> {
        let cause = self
            .text_as_target(unmet)
            .or_else(|| self.directive(unmet))
            .or_else(|| self.document_begins_here(unmet))
            .or_else(|| self.unknown_annotation(unmet))
            .or_else(|| self.slip(unmet))
            .or_else(|| self.packed(unmet))
            .or_else(|| self.no_resource(unmet))
            .or_else(|| self.removed_before(unmet))
            .or_else(|| self.added_later(unmet));
        match cause {
            Some(cause) => Ok(cause.told(diagnostic, self.by_span())),
            None => Err(diagnostic),
        }
    }

    /// As [`Scene::explained`], for annotations that stand beside the place for which they are meant.
    pub(super) fn explained_by_stray(&self, diagnostic: Diagnostic, unmet: &Unmet) -> Result<Diagnostic, Diagnostic> {
        match self.stray(unmet) {
            Some(cause) => {
                // What is said of the annotation is why it does not do what it is for.
                let is_said = |span: Span| cause.labels.iter().any(|(said, _)| *said == Some(span));
                let mut diagnostic = diagnostic;
                diagnostic.parts_mut().labels.retain(|label| !is_said(label.span));
                Ok(cause.told(diagnostic, None))
            }
            None => Err(diagnostic),
        }
    }

    /// `overlay.subset` was given a text where maps are on the left.
    fn text_as_target(&self, unmet: &Unmet) -> Option<Cause> {
        let Some(Test::Subset(Target::Val(wanted @ Val::Str { .. }))) = unmet.test else { return None };
        let arena = self.arena();
        let mut items = unmet.lefts.iter().flat_map(|left| arena.items(*left)).take(COMPARISONS);
        if !items.all(|item| matches!(arena.value(*item), Val::Node(_))) {
            return None;
        }
        let text = arena.str(wanted)?;
        let by = self.by_span()?;
        let span = self.literal(by, text);
        let what = match unmet.kind {
            RightKind::Document => "document",
            _ => "map or list",
        };
        let instead = Label { span: span.unwrap_or(by), text: format!("a text, not a map: no {what} equals a text") };
        let map = map_of_text(text);
        let edit = span.zip(map.clone());
        let help = match map {
            Some(map) => format!("give a map: `overlay.subset({map})`"),
            None => "give a map: `overlay.subset({\"KEY\": \"VALUE\"})`".to_string(),
        };
        Some(Cause { instead: Some(instead), ..Cause::default() }.help(help, edit))
    }

    /// A matcher for documents stands on a key of the document above, since there is no `---` below it.
    fn document_begins_here(&self, unmet: &Unmet) -> Option<Cause> {
        let Some(Test::Subset(mut target)) = unmet.test.clone() else { return None };
        let Some(Val::Node(wanted)) = self.target_nodes(&mut target) else { return None };
        let [document, _] = self.trail else { return None };
        let arena = self.arena();
        let is_of_documents =
            ["kind", "apiVersion", "metadata"].iter().any(|key| arena.find_str(wanted, key).is_some());
        // A document has what the keys of another one have not.
        let fits = document.found.iter().any(|found| is_part(&arena, arena.value(*found), Val::Node(wanted)));
        if unmet.kind != RightKind::MapItem || document.kind != RightKind::Document || !(is_of_documents || fits) {
            return None;
        }
        let instead = Label { span: self.by_span()?, text: "a matcher for documents, above a key of one".to_string() };
        let (span, indent) = self.line_start(unmet.right)?;
        let cause = Cause { instead: Some(instead), ..Cause::default() };
        let edit = (span, format!("---\n{indent}"));
        Some(cause.help("begin the document: a line `---` below the annotation", Some(edit)))
    }

    /// An annotation of the item whose name is nearly one of overlays.
    fn unknown_annotation(&self, unmet: &Unmet) -> Option<Cause> {
        let arena = self.arena();
        let names: Vec<&str> = Operation::ALL.iter().map(|known| known.name()).chain([MATCH, CHILD_DEFAULTS]).collect();
        let mut unknown = arena.anns_of(unmet.right).iter().filter(|annotation| !names.contains(&&*annotation.name));
        unknown.find_map(|annotation| {
            let meant = meant_by(&annotation.name);
            meant.iter().all(|meant| names.contains(meant)).then_some(())?;
            let near = meant.first()?;
            let place = arena.place(annotation.pos)?;
            let span = place.key();
            let is_written = self.written(span).is_some_and(|written| *written == format!("#@{}", annotation.name));
            let cause = Cause::new(Some(span), format!("ytt knows no `{}`, and ignores it", annotation.name));
            if meant.len() > 1 && unmet.kind == RightKind::MapItem {
                let new = format!("#@{MATCH} missing_ok=True");
                let edit = (is_written && place.end <= span.end).then(|| (span, new.clone()));
                return Some(cause.help(format!("a new key is added by `{new}`"), edit).guessing(true));
            }
            let is_one = is_written && meant.len() == 1;
            let text = format!("did you mean {}?", suggest::either(&meant));
            Some(cause.help(text, is_one.then(|| (span, format!("#@{near}")))))
        })
    }

    /// A later overlay adds what would match.
    fn added_later(&self, unmet: &Unmet) -> Option<Cause> {
        const MOST: usize = 200;
        let mut left = COMPARISONS;
        let found = self.later.iter().take(MOST).find_map(|overlay| {
            self.is_for_this(*overlay).then(|| self.added_by(*overlay, unmet, &mut left)).flatten()
        })?;
        let arena = self.arena();
        let (here, there) = (arena.span_of(unmet.right)?, self.mark_left(&arena, found)?);
        let what = self.called(&arena, unmet);
        let is_set = unmet.kind == RightKind::Document && matches!(arena.get(found).body, Body::MapItem(..));
        let does = if is_set { "what it asks for is set".to_string() } else { format!("{what} is added") };
        let cause = Cause::new(Some(there), format!("{does} here, after this overlay"));
        if here.source == there.source {
            let help = "overlays are applied in the order in which they are written: move that document above this one";
            return Some(cause.help(help, None));
        }
        Some(Cause { advice: self.in_order(there, here), ..cause })
    }

    /// Whether an overlay document may be for the left document at hand.
    pub(super) fn is_for_this(&self, overlay: NodeId) -> bool {
        let Some(aim) = self.aim(overlay) else { return false };
        let document = self.trail.first().and_then(|step| step.matched);
        document.is_none_or(|document| aim.takes(&self.arena(), document.item))
    }

    /// Which documents an overlay document is for; `None` if it cannot be told that it is for any.
    pub(super) fn aim(&self, overlay: NodeId) -> Option<Aim> {
        let none = Counts::default();
        let rule = rules::match_rule(&*self.calls, overlay, RightKind::Document, false, &none);
        let by = rule.ok()?.by?;
        let Seen::Matcher(Matcher::Subset(target)) = self.calls.see(by.value) else { return Some(Aim::Unknown) };
        target_value(&*self.calls, &mut Target::Live(target)).ok().map(Aim::Subset)
    }

    /// The item of an overlay document that adds what would match; counts what it looks at.
    fn added_by(&self, overlay: NodeId, unmet: &Unmet, left: &mut usize) -> Option<NodeId> {
        let calls = &*self.calls;
        let below = |item, counts: &Counts| rules::child_defaults(calls, item, counts).unwrap_or_default();
        let allows = |item, kind, counts: &Counts| {
            let rule = rules::match_rule(calls, item, kind, false, counts).ok()?;
            let missing_ok =
                rule.counts.missing_ok.is_some_and(|given| matches!(calls.see(given.value), Seen::Bool(true)));
            let adds = matches!(rules::operation(calls, item), Ok(Operation::Append | Operation::Insert));
            let joins = matches!(rules::operation(calls, item), Ok(Operation::Merge)) && (rule.nothing || missing_ok);
            (adds || joins).then_some(())
        };
        if unmet.kind == RightKind::Document {
            return match rules::operation(calls, overlay) {
                Ok(Operation::Append | Operation::Insert) => {
                    is_like(&self.arena(), overlay, unmet.right, &unmet.test).then_some(overlay)
                }
                Ok(Operation::Merge) => self.completed_by(overlay, unmet, left),
                _ => None,
            };
        }
        let inner = self.trail.get(1..)?;
        let mut open = vec![(overlay, below(overlay, &Counts::default()), 0_usize)];
        while let Some((item, counts, depth)) = open.pop() {
            let [step, deeper @ ..] = inner.get(depth..)? else { return None };
            let items = {
                let arena = self.arena();
                let Val::Node(container) = arena.value(item) else { continue };
                let items = arena.items(container);
                *left = left.checked_sub(items.len())?;
                items.to_vec()
            };
            for item in items {
                if deeper.is_empty() {
                    let is_like = is_like(&self.arena(), item, unmet.right, &unmet.test);
                    if is_like && allows(item, unmet.kind, &counts).is_some() {
                        return Some(item);
                    }
                    continue;
                }
                let arena = self.arena();
                let enters = step.kind == RightKind::ArrayItem || arena.same(arena.key(item), arena.key(step.node));
                drop(arena);
                if enters {
                    open.push((item, below(item, &counts), depth.saturating_add(1)));
                }
            }
        }
        None
    }

    /// The item of an overlay document that sets what a left one lacks to be matched; counts what it looks at.
    fn completed_by(&self, overlay: NodeId, unmet: &Unmet, left: &mut usize) -> Option<NodeId> {
        let Some(Test::Subset(Target::Val(wanted))) = unmet.test else { return None };
        let aim = self.aim(overlay)?;
        let wanted = self.calls.arena().borrow_mut().nodes(wanted).ok()?;
        let arena = self.arena();
        let leaves = leaves(&arena, wanted);
        let met_by = |document: NodeId, (path, wanted): &(Path, Val)| {
            let there = at_path(&arena, arena.value(document), path);
            there.filter(|(there, _)| leaf(&arena, *there, *wanted)).and_then(|(_, item)| item)
        };
        let documents = unmet.lefts.iter().flat_map(|container| arena.items(*container));
        documents.copied().find_map(|document| {
            *left = left.checked_sub(1)?;
            let mut missing = leaves.iter().filter(|part| met_by(document, part).is_none());
            let found = met_by(overlay, missing.next()?)?;
            let is_completed = missing.all(|part| met_by(overlay, part).is_some());
            (is_completed && aim.takes(&arena, document)).then_some(found)
        })
    }

    /// What an item that matches nothing is called in a sentence.
    pub(super) fn called(&self, arena: &Arena, unmet: &Unmet) -> String {
        match (unmet.kind, &unmet.test) {
            (RightKind::MapItem, None) => format!("`{}`", key_text(arena, arena.key(unmet.right))),
            (_, Some(Test::Key(key))) => match key_value(arena, arena.value(unmet.right), *key) {
                Ok(value @ Val::Str { .. }) => scalar_text(arena, value),
                Ok(value) => format!("`{}`", scalar_text(arena, value)),
                Err(_) => "this item".to_string(),
            },
            (RightKind::Document, _) => "this document".to_string(),
            _ => "this item".to_string(),
        }
    }

    /// The lines of an item, with those of its annotations.
    pub(super) fn lines_of(&self, arena: &Arena, item: NodeId) -> Option<Span> {
        let place = arena.place_of(item)?;
        let source = self.calls.sources().get(place.source);
        let starts = arena.anns_of(item).iter().filter_map(|annotation| arena.place(annotation.pos));
        let start = starts.map(|place| place.key().start).fold(place.key().start, u32::min);
        let span = Span::new(place.source, start, place.end);
        // Code behind a key goes with it.
        source.whole_lines(span).or_else(|| source.lines_of(span))
    }
}

/// Which documents an overlay is for.
pub(super) enum Aim {
    /// A matcher that only an application can ask.
    Unknown,
    Subset(Val),
}

impl Aim {
    pub(super) fn takes(&self, arena: &Arena, document: NodeId) -> bool {
        match self {
            Aim::Unknown => true,
            Aim::Subset(wanted) => is_part(arena, arena.value(document), *wanted),
        }
    }
}

/// Whether a left item is what the right item looks for, as far as that is seen without a call.
pub(super) fn is_like(arena: &Arena, item: NodeId, right: NodeId, test: &Option<Test>) -> bool {
    match test {
        None => arena.same(arena.key(item), arena.key(right)),
        Some(Test::Subset(Target::Val(wanted))) => is_part(arena, arena.value(item), *wanted),
        Some(Test::Key(key)) => {
            let value = |item| key_value(arena, arena.value(item), *key);
            matches!((value(item), value(right)), (Ok(a), Ok(b)) if leaf(arena, a, b))
        }
        Some(_) => false,
    }
}

/// The map that a text such as `kind: Service` was meant to be, in Starlark.
fn map_of_text(text: &str) -> Option<String> {
    let text = text.trim().trim_start_matches('{').trim_end_matches('}');
    let is_plain = |part: &str| !part.is_empty() && part.len() <= 80 && !part.contains(['"', '\\', '{', '[', ':', '#']);
    let entries = text.split([',', '\n']).map(|entry| {
        let (key, value) = entry.split_once(':')?;
        let [key, value] = [key, value].map(|part| part.trim().trim_matches('\''));
        (is_plain(key) && is_plain(value)).then(|| format!("\"{key}\": \"{value}\""))
    });
    Some(format!("{{{}}}", entries.collect::<Option<Vec<_>>>()?.join(", ")))
}
