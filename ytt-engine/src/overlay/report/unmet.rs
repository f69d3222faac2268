//! A number of matches that was not expected: what was asked, by what, and what there is.

use super::SHOWN;
use super::several::told_apart;
use super::words::{counted, key_text, noun, scalar_text, step_text};
use crate::call::{Seen, ValueHandle};
use crate::diag::{Code, Diagnostic};
use crate::overlay::annotation::{Argument, MATCH, MatchRule, Operation, RightKind};
use crate::overlay::engine::Scene;
use crate::overlay::matcher::{Match, Test};
use crate::overlay::problem::{Expected, Unmet};
use crate::overlay::rules;
use crate::source::Span;
use crate::template::code::FileCode;
use crate::yaml::{Arena, NodeId, Val};

/// Items that are told apart by what made them.
const FEW: usize = 200;

/// The code of an expectation that is not met.
pub(super) fn code(unmet: &Unmet) -> Code {
    match unmet.expected {
        Expected::Agreement => Code::OVERLAY_EXPECTS_FUNCTION,
        Expected::Exactly(wanted) if unmet.found.len() as i128 > wanted => Code::OVERLAY_TOO_MANY,
        Expected::Exactly(_) if unmet.found.is_empty() => Code::OVERLAY_NO_MATCH,
        Expected::AtLeast(_) | Expected::Exactly(_) => Code::OVERLAY_TOO_FEW,
    }
}

impl Scene<'_> {
    /// An expectation of the number of matches that is not met.
    pub(super) fn unmet(&mut self, unmet: Unmet) -> Diagnostic {
        let Unmet { expected, argument, lefts, right, kind, rule, found, test } = &unmet;
        let (right, kind, argument) = (*right, *kind, *argument);
        let text = match *expected {
            Expected::Agreement => "Expectation of number of matched nodes failed".to_string(),
            Expected::AtLeast(wanted) => self.numbers(&format!(">= {wanted}"), found),
            Expected::Exactly(wanted) => self.numbers(&wanted.to_string(), found),
        };
        let mut diagnostic = Diagnostic::error(code(&unmet), text);
        let item_span = self.mark(&self.arena(), right);
        let written =
            argument.and_then(|(name, argument)| self.argument_span(argument.pos, name).map(|span| (span, argument)));
        let what = self.nothing_like(right, kind, rule, found.len());
        // The matcher is where to look, unless it compares with a value of the item itself.
        let outside = kind == RightKind::Document || matches!(test, Some(test) if !matches!(test, Test::Key(_)));
        let by = self.by_span().filter(|_| !(self.exact && kind == RightKind::Document));
        let tried = match found.len() {
            0 => Some(tried(kind, lefts.iter().map(|left| self.arena().count(*left)).sum())),
            _ if kind == RightKind::Document => Some(what.clone()),
            _ => None,
        };
        let mut tried = by.zip(tried);
        if let (true, true, Some((span, text))) = (outside, written.is_none(), &tried) {
            diagnostic = diagnostic.label(*span, text.clone());
            if kind != RightKind::Document {
                tried = None;
            }
        }
        match (written, item_span) {
            (None, Some(_)) if kind == RightKind::Document && tried.is_some() => {}
            (Some((span, argument)), item_span) => {
                let own = self.arena().ann(right, MATCH).is_some_and(|ann| ann.pos == argument.pos);
                let asked = match (own, *expected) {
                    (_, Expected::Agreement) => {
                        format!("called with {}, the number of matches; did not return True", found.len())
                    }
                    (true, _) => self.allowed(argument),
                    (false, _) => format!("{}, for all items below", self.allowed(argument)),
                };
                let item_span = item_span.filter(|_| kind != RightKind::Document || tried.is_none());
                diagnostic = diagnostic.label(span, asked).label_at(item_span, what);
            }
            (None, Some(span)) => diagnostic = diagnostic.label(span, what),
            (None, None) => {
                if let Some(place) = self.calls.place() {
                    let what = if self.exact {
                        "the data values that code gave (with_data_values) are used here"
                    } else {
                        "what code made is applied here"
                    };
                    diagnostic = diagnostic.label(place, what);
                }
                let key = self.arena().key(right);
                diagnostic = diagnostic.note(match (kind, rule.by) {
                    (RightKind::MapItem, Some(_)) => format!("key `{}`: {what}", key_text(&self.arena(), key)),
                    _ => what,
                });
            }
        }
        if let Some((span, text)) = tried.filter(|_| written.is_some() || !outside) {
            diagnostic = diagnostic.label(span, text);
        }
        if let (true, Some((span, text))) = (found.is_empty(), self.without_match(right)) {
            diagnostic = diagnostic.label(span, text);
        }
        diagnostic = self.chain(diagnostic);
        diagnostic = self.matched(diagnostic, kind, found);
        if found.len() > SHOWN {
            diagnostic = diagnostic.note(format!("{} more match", found.len().saturating_sub(SHOWN)));
        }
        self.advise(diagnostic, unmet)
    }

    /// Labels what matched: each item at the key in which the first two differ, and once where one line made several.
    fn matched(&self, mut diagnostic: Diagnostic, kind: RightKind, found: &[Match]) -> Diagnostic {
        let arena = self.arena();
        let differs = match found {
            [first, second, ..] => {
                let all: Vec<NodeId> = found.iter().take(SHOWN).map(|one| one.item).collect();
                told_apart(&arena, &all, (first.item, second.item))
            }
            _ => None,
        };
        let path = differs.map(|(path, ..)| path).unwrap_or_default();
        let keys: Vec<Val> = path.iter().map(|item| arena.key(*item)).collect();
        let steps: String = path.iter().map(|item| step_text(&arena, *item)).collect();
        let mut places: Vec<(Option<Span>, Vec<String>)> = Vec::new();
        let mut own: Vec<(Option<Span>, String)> = Vec::new();
        for one in found.iter().take(SHOWN) {
            let here = keys.iter().try_fold((arena.value(one.item), None), |(value, _), key| match value {
                Val::Node(map) => arena.find(map, *key).map(|item| (arena.value(item), Some(item))),
                _ => None,
            });
            let (value, item) = match here {
                Some((value, Some(item))) => (Some(scalar_text(&arena, value)), item),
                _ => (None, one.item),
            };
            let name = self.document_name(&arena, one.item);
            let text = match (kind, value) {
                (RightKind::Document, None) => name,
                (_, None) => String::new(),
                (_, Some(value)) => value,
            };
            let span = self.mark_left(&arena, item);
            own.push((self.called_at(&arena, one.item, span), text.clone()));
            match places.iter_mut().find(|(known, _)| *known == span) {
                Some((_, texts)) => texts.push(text),
                None => places.push((span, vec![text])),
            }
        }
        let steps = steps.trim_start_matches('.');
        // What one line of a function made is told apart by the calls.
        let is_one = places.len() == 1 && own.len() > 1 && !steps.is_empty();
        let mut calls: Vec<(Option<Span>, Vec<String>)> = Vec::new();
        for (call, value) in own.into_iter().filter(|_| is_one) {
            match calls.iter_mut().find(|(known, _)| *known == call) {
                Some((_, values)) => values.push(value),
                None => calls.push((call, vec![value])),
            }
        }
        if calls.len() > 1 && calls.iter().all(|(call, _)| call.is_some()) {
            let count: usize = calls.iter().map(|(_, values)| values.len()).sum();
            let span = places.first().and_then(|(span, _)| *span);
            let told = diagnostic.label_at(span, format!("matched {count} times, for each of these calls"));
            return calls.into_iter().fold(told, |told, (call, values)| {
                told.label_at(call, format!("matched: `{steps}` is {}", values.join(", ")))
            });
        }
        for (span, mut texts) in places {
            let times = if texts.len() > 1 { format!("matched {} times", texts.len()) } else { "matched".to_string() };
            texts.retain(|text| !text.is_empty());
            let text = match (texts.is_empty(), steps.is_empty()) {
                (true, _) => times,
                (false, true) => format!("{times}: {}", texts.join(", ")),
                (false, false) => format!("{times}: `{steps}` is {}", texts.join(", ")),
            };
            diagnostic = diagnostic.label_at(span, text);
        }
        self.made_at(diagnostic, kind, found)
    }

    /// Labels what made several of those that matched: the loop around their place, or that place.
    fn made_at(&self, diagnostic: Diagnostic, kind: RightKind, found: &[Match]) -> Diagnostic {
        let arena = self.arena();
        let mut places: Vec<(Span, NodeId, usize)> = Vec::new();
        for one in found.iter().take(FEW) {
            let Some(place) = arena.span_of(one.item) else { continue };
            match places.iter_mut().find(|(known, ..)| *known == place) {
                Some((.., count)) => *count = count.saturating_add(1),
                None => places.push((place, one.item, 1)),
            }
        }
        places.into_iter().filter(|(.., count)| *count > 1).fold(diagnostic, |told, (place, item, count)| {
            let code = FileCode::read(&self.calls.sources().get(place.source), place.source);
            let around = code.and_then(|code| code.loop_around(place));
            let what = if around.is_some() { "come of this loop" } else { "are made here" };
            let place = around.or_else(|| self.mark(&arena, item));
            let is_known = |place: Span| told.parts().labels.iter().any(|label| label.span == place);
            let place = place.filter(|place| !is_known(*place));
            told.label_at(place, format!("{} {what}", counted(count, kind)))
        })
    }

    /// The code of a left item whose value a function made, which stands elsewhere.
    fn called_at(&self, arena: &Arena, item: NodeId, inside: Option<Span>) -> Option<Span> {
        let place = arena.place_of(item)?;
        let code = place.code(self.calls.sources())?;
        inside.is_some_and(|inside| inside.source != code.source || inside.start < code.start).then_some(code)
    }

    /// What an argument asks for, in words.
    fn allowed(&self, argument: Argument) -> String {
        let counts = match self.calls.see(argument.value) {
            Seen::Bool(false) => return "one match is asked for here".to_string(),
            Seen::Bool(true) => vec![0, 1],
            Seen::List(list) => {
                let count = |live: &ValueHandle| match self.calls.see(*live) {
                    Seen::Int(count) => Some(count),
                    _ => None,
                };
                list.iter().map(count).collect::<Option<Vec<i64>>>().unwrap_or_default()
            }
            _ => Vec::new(),
        };
        match counts.split_last() {
            Some((last, rest @ [_, ..])) => {
                let rest: Vec<String> = rest.iter().map(i64::to_string).collect();
                let matches = if *last == 1 { "match is" } else { "matches are" };
                format!("{} or {last} {matches} allowed here", rest.join(", "))
            }
            _ => "this count is asked for here".to_string(),
        }
    }

    /// An operation that has nothing to work on.
    fn without_match(&self, right: NodeId) -> Option<(Span, String)> {
        let operation = rules::operation(&*self.calls, right).ok().filter(|known| *known != Operation::Merge)?;
        let span = self.annotation_span(right, operation.name())?;
        let replace = rules::replace_rule(&*self.calls, right).unwrap_or_default();
        Some(match operation {
            Operation::Replace if replace.or_add => {
                (span, "or_add=True adds it only together with missing_ok=True".to_string())
            }
            Operation::Insert => (span, "inserts beside what is matched, which is nothing".to_string()),
            _ => (span, format!("there is nothing to {}", operation.name().trim_start_matches("overlay/"))),
        })
    }

    /// What is said at the item itself.
    fn nothing_like(&self, right: NodeId, kind: RightKind, rule: &MatchRule, found: usize) -> String {
        let above = self.trail.split_last().map_or(self.trail, |(_, above)| above);
        let place = self.left_text(above.iter().filter_map(|step| step.matched));
        let inside = if place.is_empty() { String::new() } else { format!(" in {place}") };
        match (found, kind, rule.by) {
            (0, RightKind::MapItem, None) => {
                let arena = self.arena();
                format!("no key `{}`{inside}", key_text(&arena, arena.key(right)))
            }
            (0, ..) => format!("matches no {}{inside}", noun(kind)),
            _ => format!("matches {}{inside}", counted(found, kind)),
        }
    }

    /// The text of the reference for a number of matches.
    fn numbers(&self, wanted: &str, found: &[Match]) -> String {
        let lines = self.lines(found);
        format!("Expected number of matched nodes to be {wanted}, but was {}{lines}", found.len())
    }
}

/// What a matcher that takes nothing is told to have done.
fn tried(kind: RightKind, count: usize) -> String {
    match count {
        0 => "had nothing to match".to_string(),
        1 => format!("does not match the only {}", noun(kind)),
        count => format!("matches none of the {}", counted(count, kind)),
    }
}
