//! What the problems of overlays show: path, labels on both sides, candidates, helps.
//!
//! The message is always the reference's. The steps of the error path (`Document on line a.yml:3`) are contexts.

use super::annotation::{self, Argument, CHILD_DEFAULTS, MATCH, MatchRule, Operation, RightKind};
use super::compare::{Difference, Why};
use super::count::{Unmet, Wanted};
use super::engine::Engine;
use super::failure::Failure;
use super::matcher::Test;
use super::place::place_in;
use super::select::Attempt;
use crate::call::{Seen, ValueHandle};
use crate::diag::path::push_key;
use crate::diag::{Code, DataValue, Diagnostic};
use crate::source::Span;
use crate::yaml::words::{self, article, kind_name};
use crate::yaml::{Arena, Body, NodeId, Val};

/// Places shown for one problem.
pub(super) const SHOWN: usize = 8;

impl Engine<'_> {
    /// Adds the error path, and a primary place if there is none.
    pub(super) fn complete(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        let arena = self.arena();
        if let Some(step) = self.trail.last() {
            diagnostic = diagnostic.at(arena.span_of(step.node)).at(self.calls.place());
        }
        if let (true, Some(path)) = (self.exact, self.keys(&arena)) {
            let written = self.trail.last().is_some_and(|step| arena.place_of(step.node).is_some());
            diagnostic = diagnostic.about(DataValue { path, found: String::new(), written });
        }
        let tried = self.calls.is_tried();
        for step in self.trail.iter().rev() {
            let line = self.line_of(&arena, step.node).unwrap_or_else(|| "?".to_string());
            diagnostic = diagnostic.context(match step.kind {
                RightKind::Document => format!("Document on line {line}"),
                RightKind::ArrayItem => format!("Array item on line {line}"),
                RightKind::MapItem => {
                    let key = arena.key(step.node);
                    let key = if tried { self.host_key(&arena, step.node) } else { key_text(&arena, key) };
                    format!("Map item (key '{key}') on line {line}")
                }
            });
        }
        diagnostic
    }

    /// The path of keys to the innermost right item; `None` if it leads through an array.
    fn keys(&self, arena: &Arena) -> Option<String> {
        let mut path = String::new();
        for step in &self.trail {
            match step.kind {
                RightKind::Document => {}
                RightKind::MapItem => push_key(&mut path, &key_text(arena, arena.key(step.node))),
                RightKind::ArrayItem => return None,
            }
        }
        Some(path)
    }

    /// Compat: a key that is no text, as programs see it in the reference's messages.
    fn host_key(&self, arena: &Arena, item: NodeId) -> String {
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

    /// A label that tells which left document the overlay is being applied to.
    pub(super) fn chain(&self, diagnostic: Diagnostic) -> Diagnostic {
        let Some((document, inner)) = self.trail.split_first().filter(|_| !self.exact) else {
            return diagnostic;
        };
        let (RightKind::Document, Some((left, _)), false) = (document.kind, document.matched, inner.is_empty()) else {
            return diagnostic;
        };
        let span = annotation::annotation_span(&*self.calls, document.node, MATCH);
        let Some(span) = span.or_else(|| self.arena().span_of(document.node)) else {
            return diagnostic;
        };
        let arena = self.arena();
        let name = self.document_name(&arena, left);
        match self.line_of(&arena, left) {
            Some(line) => diagnostic.label(span, format!("this overlay matched {name} ({line})")),
            None => diagnostic.label(span, format!("this overlay matched {name}")),
        }
    }

    /// Labels of two values of different kinds.
    pub(super) fn kind_labels(&self, diagnostic: Diagnostic, left: Val, right: NodeId) -> Diagnostic {
        let (mut diagnostic, arena) = (diagnostic, self.arena());
        let wanted = arena.get(right).body.kind();
        let item = self.trail.last();
        if let Some(span) = item.and_then(|step| arena.span_of(step.node)).or_else(|| arena.span_of(right)) {
            let article = article(wanted);
            diagnostic = diagnostic.label(
                span,
                format!("the overlay has {article} {wanted} here, so it expects {article} {wanted} to change"),
            );
        }
        if let Some((left_item, _)) = item.and_then(|step| step.matched)
            && let Some(span) = arena.span_of(left_item)
        {
            let kind = kind_name(&arena, left);
            let value = match left {
                Val::Node(_) | Val::Raw(_) => String::new(),
                left => format!(": {}", scalar_text(&arena, left)),
            };
            diagnostic = diagnostic.label(span, format!("{} {kind} is here{value}", article(kind)));
        }
        diagnostic = self.chain(diagnostic);
        if let Val::Node(left) = left {
            diagnostic = match arena.get(left).body {
                Body::Array(_) => diagnostic.help("to change one item: write it as `- …` below #@overlay/match by=…"),
                Body::Map(_) => diagnostic.help("to change one key: write `key: …` here"),
                _ => diagnostic,
            };
        }
        match item.and_then(|step| self.line_start(step.node)) {
            Some((span, indent)) => diagnostic.help_edit(
                "to replace the old value by the new one: #@overlay/replace",
                span,
                format!("#@overlay/replace\n{indent}"),
            ),
            None => diagnostic,
        }
    }

    /// The start of an item as an empty span, and the indentation in front of it; only where an annotation fits.
    pub(super) fn line_start(&self, node: NodeId) -> Option<(Span, String)> {
        let span = self.arena().span_of(node)?;
        self.calls.sources().get(span.source).above(span)
    }

    /// The right value is no part of the left one.
    pub(super) fn assert_failed(
        &self,
        arena: &Arena,
        item: NodeId,
        right: NodeId,
        difference: &Difference,
    ) -> Diagnostic {
        let text = format!("Expected objects to equal, but did not: {}", difference.text(arena));
        let mut diagnostic = Diagnostic::error(Code::OVERLAY_ASSERT, text);
        let right_item = difference.path.first().copied().unwrap_or(right);
        let mut path = Vec::new();
        let mut around = arena.value(right);
        for &item in difference.path.iter().rev() {
            path.push(match (around, &arena.get(item).body) {
                (Val::Node(array), Body::ArrayItem(_)) => {
                    let place = arena.items(array).iter().position(|known| *known == item);
                    place.map_or("[]".to_string(), |place| format!("[{place}]"))
                }
                _ => step_text(arena, item),
            });
            around = arena.value(item);
        }
        let (document, inside) = self.left_path(&self.trail);
        let expected = match difference.why {
            Why::Key => format!("asserts this key, which is not in {}", place_in(document.as_deref(), &inside)),
            Why::Length => "asserts this item, but the array there has fewer items".to_string(),
            Why::Collection { map } => format!("asserts {}", if map { "a map" } else { "an array" }),
            Why::Leaf => format!("asserts {}", scalar_text(arena, difference.right)),
        };
        let left_item = difference.left_item.unwrap_or(item);
        // Where two values differ they are shown, not their keys.
        let values = (difference.why == Why::Leaf).then(|| self.value_span(arena, right_item));
        if let Some(span) = values.flatten().or_else(|| self.mark(arena, right_item)) {
            diagnostic = diagnostic.label(span, expected);
        }
        let value = values.and_then(|_| self.value_span(arena, left_item)).or_else(|| self.mark(arena, left_item));
        if let Some(span) = value {
            let here = scalar_text(arena, arena.value(left_item));
            diagnostic = diagnostic.label(span, format!("here it is {here}"));
        }
        if !path.is_empty() && difference.why != Why::Key {
            let path = inside + &path.concat();
            let place = place_in(document.as_deref(), path.trim_start_matches('.'));
            diagnostic = diagnostic.note(format!("the first difference is at {place}"));
        }
        if difference.why == Why::Key {
            diagnostic = diagnostic.help("add the key there, or remove it from the assertion");
        }
        self.chain(diagnostic)
    }

    /// Where a scalar value of one line is written.
    fn value_span(&self, arena: &Arena, item: NodeId) -> Option<Span> {
        let place = arena.place_of(item).filter(|place| place.value < place.end)?;
        let is_scalar = !matches!(arena.value(item), Val::Node(_) | Val::Raw(_));
        let written = self.written(place.value())?;
        (is_scalar && !written.contains('\n')).then(|| place.value())
    }

    /// A label of a left item with its value.
    pub(super) fn left_label(&self, diagnostic: Diagnostic, item: NodeId) -> Diagnostic {
        let arena = self.arena();
        match self.mark(&arena, item) {
            Some(span) => diagnostic.label(span, format!("here it is {}", scalar_text(&arena, arena.value(item)))),
            None => diagnostic,
        }
    }

    // Counts.

    /// An expectation of the number of matches that is not met.
    pub(super) fn unmet(&mut self, attempt: Attempt<'_>, test: Option<Test>) -> Failure {
        let Attempt { lefts, right, kind, rule, found, unmet } = attempt;
        let code = match unmet.wanted {
            Wanted::Function => Code::OVERLAY_EXPECTS_FUNCTION,
            Wanted::AtLeast(_) => Code::OVERLAY_TOO_FEW,
            Wanted::Exactly(wanted) if (found.len() as i128) < wanted => {
                if found.is_empty() {
                    Code::OVERLAY_NO_MATCH
                } else {
                    Code::OVERLAY_TOO_FEW
                }
            }
            Wanted::Exactly(_) => Code::OVERLAY_TOO_MANY,
        };
        let mut diagnostic = Diagnostic::error(code, unmet.text.clone());
        let item_span = self.mark(&self.arena(), right.node);
        let written = unmet.argument.and_then(|(name, argument)| {
            annotation::argument_span(&*self.calls, argument.pos, name).map(|span| (span, argument))
        });
        let what = self.nothing_like(kind, rule, found.len());
        // The matcher is where to look, unless it compares with a value of the item itself.
        let outside = kind == RightKind::Document || matches!(&test, Some(test) if !matches!(test, Test::Key(_)));
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
                let own = self.arena().ann(right.node, MATCH).is_some_and(|ann| ann.pos == argument.pos);
                let asked = match (own, unmet.wanted) {
                    (_, Wanted::Function) => {
                        format!("called with {}, the number of matches; did not return True", found.len())
                    }
                    (true, _) => self.allowed(unmet, argument),
                    (false, _) => format!("{}, for all items below", self.allowed(unmet, argument)),
                };
                diagnostic = diagnostic.label(span, asked);
                if let Some(span) = item_span.filter(|_| kind != RightKind::Document || tried.is_none()) {
                    diagnostic = diagnostic.label(span, what);
                }
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
                let key = self.arena().key(right.node);
                diagnostic = diagnostic.note(match kind {
                    RightKind::MapItem => format!("key `{}`: {what}", key_text(&self.arena(), key)),
                    _ => what,
                });
            }
        }
        if let Some((span, text)) = tried.filter(|_| written.is_some() || !outside) {
            diagnostic = diagnostic.label(span, text);
        }
        if let (true, Some((span, text))) = (found.is_empty(), self.without_match(right.node)) {
            diagnostic = diagnostic.label(span, text);
        }
        diagnostic = self.chain(diagnostic);
        for one in found.iter().take(SHOWN) {
            if let Some(span) = self.mark(&self.arena(), one.item) {
                let text = match kind {
                    RightKind::Document => format!("matched: {}", self.document_name(&self.arena(), one.item)),
                    _ => "matched".to_string(),
                };
                diagnostic = diagnostic.label(span, text);
            }
        }
        if found.len() > SHOWN {
            diagnostic = diagnostic.note(format!("{} more match", found.len() - SHOWN));
        }
        Failure::from(self.advise(diagnostic, attempt, test))
    }

    /// What an argument asks for, in words.
    fn allowed(&self, unmet: &Unmet, argument: Argument) -> String {
        let counts = match argument.see(&*self.calls) {
            _ if matches!(unmet.argument, Some(("missing_ok", _))) => vec![0, 1],
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
        let operation = annotation::operation(&*self.calls, right).ok().filter(|known| *known != Operation::Merge)?;
        let name = operation.name();
        let span = annotation::annotation_span(&*self.calls, right, name)?;
        let replace = annotation::replace_rule(&*self.calls, right).unwrap_or_default();
        Some(match operation {
            Operation::Replace if replace.or_add => {
                (span, "or_add=True adds it only together with missing_ok=True".to_string())
            }
            Operation::Append => return None,
            _ => (span, format!("there is nothing to {}", name.trim_start_matches("overlay/"))),
        })
    }

    /// What is said at the item itself.
    fn nothing_like(&self, kind: RightKind, rule: &MatchRule, found: usize) -> String {
        let place = self.left_place(&self.trail[..self.trail.len().saturating_sub(1)]);
        let inside = if place.is_empty() { String::new() } else { format!(" in {place}") };
        match (found, kind, rule.by) {
            (0, RightKind::MapItem, None) => format!("no such key{inside}"),
            (0, RightKind::Document, _) => "matches no document".to_string(),
            (0, RightKind::MapItem, _) => format!("matches no key{inside}"),
            (0, ..) => format!("matches no item{inside}"),
            (1, RightKind::Document, _) => "matches 1 document".to_string(),
            (1, RightKind::MapItem, _) => format!("matches 1 key{inside}"),
            (1, ..) => format!("matches 1 item{inside}"),
            (found, RightKind::Document, _) => format!("matches {found} documents"),
            (found, RightKind::MapItem, _) => format!("matches {found} keys{inside}"),
            (found, ..) => format!("matches {found} items{inside}"),
        }
    }

    /// Two of the keywords of which only one may be given.
    pub(super) fn only_one(
        &self,
        first: (&str, annotation::Argument),
        second: (&str, annotation::Argument),
    ) -> Failure {
        let text = format!("Expected only one of keyword arguments ('{}', '{}') specified", first.0, second.0);
        let mut diagnostic = Diagnostic::error(Code::OVERLAY_ARGUMENTS, text);
        let (mut inherited, mut one_is_own) = (None, false);
        let mut other = second.0;
        for (name, argument) in [first, second] {
            let own = self
                .trail
                .last()
                .is_some_and(|step| self.arena().ann(step.node, MATCH).is_some_and(|ann| ann.pos == argument.pos));
            one_is_own |= own;
            if !own {
                inherited = Some(name);
                other = if name == first.0 { second.0 } else { first.0 };
            }
            if let Some(span) = annotation::argument_span(&*self.calls, argument.pos, name) {
                let text = match (own, name == first.0) {
                    (false, _) => "inherited from here",
                    (true, true) => "given here",
                    (true, false) => "and here",
                };
                diagnostic = diagnostic.label(span, text);
            }
        }
        if inherited == Some(first.0) {
            // The item itself is the place to look at; what it inherits may hold for many others.
            let labels = &mut diagnostic.parts_mut().labels;
            labels.reverse();
            if let Some(own) = labels.first_mut().filter(|_| one_is_own) {
                own.text = format!("conflicts with the inherited `{}`", first.0);
            }
        }
        Failure::argument(match (inherited, first.0) {
            (Some("missing_ok"), _) => {
                let text = "for exactly 1 match, whatever was inherited: missing_ok=False";
                let span = annotation::argument_span(&*self.calls, second.1.pos, second.0);
                let diagnostic = match span {
                    Some(span) => diagnostic.help_edit(text, span, "missing_ok=False"),
                    None => diagnostic.help(text),
                };
                diagnostic.help(format!("for any other number, remove missing_ok from @{CHILD_DEFAULTS}"))
            }
            (Some(name), _) => diagnostic.help(format!("remove `{name}` from @{CHILD_DEFAULTS}, or `{other}` here")),
            (None, "missing_ok") => {
                diagnostic.help("remove one of them: missing_ok=True is the same as expects=[0, 1]")
            }
            (None, _) => diagnostic.help("remove one of them: `expects` fails where `when` does nothing"),
        })
    }
}

/// What a matcher that takes nothing is told to have done.
fn tried(kind: RightKind, count: usize) -> String {
    let (one, several) = match kind {
        RightKind::Document => ("document", "documents"),
        RightKind::MapItem => ("key", "keys"),
        RightKind::ArrayItem => ("item", "items"),
    };
    match count {
        0 => "had nothing to match".to_string(),
        1 => format!("does not match the only {one}"),
        count => format!("matches none of the {count} {several}"),
    }
}

/// A key as YAML prints it.
pub(super) fn key_text(arena: &Arena, key: Val) -> String {
    match key {
        Val::Bytes(_) => scalar_text(arena, key),
        _ => words::key_text(arena, key),
    }
}

/// A value in a message: scalars as YAML, collections by kind.
pub(super) fn scalar_text(arena: &Arena, value: Val) -> String {
    match value {
        Val::Null | Val::Bool(_) | Val::Int(_) | Val::UInt(_) | Val::Float(_) => words::key_text(arena, value),
        Val::Str { .. } => format!("`{}`", shortened(arena.str(value).unwrap_or_default())),
        Val::Bytes(_) => "a string of bytes".to_string(),
        Val::Node(_) | Val::Raw(_) => {
            let kind = kind_name(arena, value);
            format!("{} {kind}", article(kind))
        }
    }
}

/// The beginning of a long text.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// `.key` or `[]`: one step of a path.
pub(super) fn step_text(arena: &Arena, item: NodeId) -> String {
    match arena.get(item).body {
        Body::MapItem(key, _) => format!(".{}", key_text(arena, key)),
        _ => "[]".to_string(),
    }
}
