//! Functions of the user's own that decide: the line of their body, the values that they compare, and what they would
//! have taken.
//!
//! A function is asked again, with small changes of what it was given, while a problem is told: what makes it agree is
//! what differs. It is asked a few times only, and not at all where programs print.

use super::SHOWN;
use super::cause::Cause;
use super::words::scalar_text;
use crate::call::{Arg, Seen, ValueHandle};
use crate::diag::{Code, Diagnostic, suggest};
use crate::overlay::annotation::RightKind;
use crate::overlay::engine::Scene;
use crate::overlay::matcher::Test;
use crate::overlay::problem::Unmet;
use crate::source::{SourceId, Span, to_u32};
use crate::template::code::FileCode;
use crate::template::word;
use crate::template::written::{self, KeysOfName};
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::{Arena, NodeId, Val};

/// Left items that a function is asked about.
const ITEMS: usize = 12;
/// Calls for one problem.
pub(super) const CALLS: usize = 80;

/// What makes a function agree.
enum Change {
    /// The value of another key of the same map.
    Key(String),
    /// The text in another case: the method that gives it.
    Case(&'static str),
    /// The same as another type: the function that gives it.
    Type(&'static str),
}

impl Scene<'_> {
    /// Why a matcher of the user's own takes nothing.
    pub(super) fn by_function(&mut self, unmet: &Unmet) -> Option<Cause> {
        let function = function_of(unmet.test.as_ref()?)?;
        let lefts: Vec<NodeId> = {
            let arena = self.arena();
            unmet.lefts.iter().flat_map(|left| arena.items(*left)).copied().take(ITEMS).collect()
        };
        if let Some(cause) = self.sought_by_matcher(unmet, &lefts) {
            return Some(cause);
        }
        let cause = self.by_reads(function, unmet, &lefts);
        if cause.as_ref().is_some_and(|cause| !cause.helps.is_empty()) {
            return cause;
        }
        let cause = match self.refusals(unmet, &lefts) {
            told if told.is_empty() => cause,
            told => {
                let labels = told.into_iter().map(|(span, text)| (Some(span), text)).collect();
                Some(Cause { labels, ..Cause::default() })
            }
        };
        cause.map(|cause| self.with_near_scalar(cause, unmet, &lefts))
    }

    /// The same by what it reads first of the items there.
    fn by_reads(&mut self, function: ValueHandle, unmet: &Unmet, lefts: &[NodeId]) -> Option<Cause> {
        let reads = self.reads(function, unmet, lefts);
        if reads.is_empty() {
            let by = self.by_span()?;
            let span = self.returned(by).filter(|span| !by.holds(*span));
            return Some(Cause {
                labels: span.map(|span| (Some(span), "is never True there".to_string())).into_iter().collect(),
                ..Cause::default()
            });
        }
        let mut cause = Cause::default();
        let changed = reads.iter().find_map(|read| Some((read, self.change(function, unmet, lefts, read)?)));
        let near = reads.iter().find_map(|read| self.near_literal(lefts, read));
        // Of what is read in order, only what decides is of interest.
        let told = match (&changed, &near) {
            (Some((read, _)), _) => vec![*read],
            (None, Some((read, ..))) => vec![*read],
            (None, None) => reads.iter().take(2).collect(),
        };
        for read in told {
            let values = self.values_of(lefts, &read.keys);
            let name = read.keys.last()?;
            let text = match values.is_empty() {
                true => format!("`{name}` is nowhere there"),
                false => format!("`{name}` is {} there", values.join(", ")),
            };
            cause.labels.push((Some(read.whole), text));
        }
        match (changed, near) {
            (Some((read, (change, value))), _) => {
                let code = self.written(read.whole)?;
                let (text, span, new) = match change {
                    Change::Key(key) => {
                        let name = read.keys.last()?;
                        let text =
                            format!("`{key}` is {value}, with which it matches: did you mean `{key}`, not `{name}`?");
                        (text, read.last, format!("\"{key}\""))
                    }
                    Change::Case(method) => {
                        let text = format!("{value} differs in case only: compare `{code}.{method}()`");
                        (text, read.whole, format!("{code}.{method}()"))
                    }
                    Change::Type(convert) => {
                        let (is, other) = if convert == "str" { ("number", "text") } else { ("text", "number") };
                        let text = format!("{value} is a {is}, compared with a {other}: compare `{convert}({code})`");
                        (text, read.whole, format!("{convert}({code})"))
                    }
                };
                cause = cause.help(text, Some((span, new)));
            }
            (None, Some((_, span, near))) => {
                cause = cause.help(format!("did you mean `{near}`?"), Some((span, format!("\"{near}\""))));
            }
            (None, None) => {}
        }
        Some(cause)
    }

    /// What a function of `expects` says of the number of matches.
    pub(super) fn expects_function(&mut self, unmet: &Unmet) -> Option<Cause> {
        const NUMBERS: i64 = 12;
        let (name, argument) = unmet.argument?;
        let whole = self.argument_span(argument.pos, name)?;
        let span = self.returned(whole);
        let found = unmet.found.len();
        let mut agreed = Vec::new();
        if matches!(self.calls.see(argument.value), Seen::Function) && self.may_ask() {
            for number in 0..=NUMBERS {
                let Ok(gave) = self.calls.ask(argument.value, &[Arg::Val(Val::Int(number))]) else { break };
                if matches!(self.calls.see(gave), Seen::Bool(true)) {
                    agreed.push(number.to_string());
                }
            }
        }
        let only = match &agreed[..] {
            [] => String::new(),
            agreed => format!("; True for {}", agreed.get(..4).unwrap_or(agreed).join(", ")),
        };
        let place = span.filter(|span| !whole.holds(*span));
        let taken = self.refused_number(whole, found).filter(|(span, _)| !whole.holds(*span));
        if place.is_none() && taken.is_none() && agreed.is_empty() {
            return None;
        }
        let cause = match taken {
            Some((place, text)) => Cause::new(Some(place), format!("{text}{only}")),
            None => Cause::new(place, format!("False for {found}{only}")),
        };
        let ([agreed], Some(span)) = (&agreed[..], span) else { return Some(cause) };
        let text = self.written(span)?;
        let belong = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
        let mut places = word::apart(&text, agreed, belong);
        let (Some(at), None) = (places.next(), places.next()) else { return Some(cause) };
        let start = span.start.saturating_add(to_u32(at));
        let number = Span { start, end: start.saturating_add(to_u32(agreed.len())), ..span };
        Some(cause.help(format!("if {found} is right, ask for {found}"), Some((number, found.to_string()))))
    }

    /// Functions are asked again only where nobody sees it: not in a program that goes on, nor in one that prints.
    pub(super) fn may_ask(&self) -> bool {
        let prints = || {
            let sources = self.calls.sources().all();
            sources.iter().any(|source| source.text.as_str().is_none_or(|text| text.contains("print")))
        };
        !self.calls.is_tried() && !prints()
    }

    /// What a function reads of a left item, on the line where it does so first.
    fn reads(&mut self, function: ValueHandle, unmet: &Unmet, lefts: &[NodeId]) -> Vec<KeysOfName> {
        let Some(&first) = lefts.first().filter(|_| self.may_ask()) else { return Vec::new() };
        // It fails where it reads.
        let Err(failed) = self.ask(function, unmet, first, Val::Null) else { return Vec::new() };
        let Some(span) = failed.parts().labels.first().map(|label| label.span) else { return Vec::new() };
        let source = self.calls.sources().get(span.source);
        let line = source.line_range(source.line(span.start));
        let names = self.parameters_around(span, self.by_span());
        let [_, name, _] = &names[..] else { return Vec::new() };
        written::keys_of(self.calls.sources(), Span { start: line.start, end: line.end, ..span }, name)
    }

    pub(super) fn ask(
        &mut self,
        function: ValueHandle,
        unmet: &Unmet,
        item: NodeId,
        left: Val,
    ) -> Result<bool, Diagnostic> {
        let (first, right) = {
            let arena = self.arena();
            let first = if unmet.kind == RightKind::MapItem { arena.key(item) } else { Val::Int(0) };
            (first, arena.value(unmet.right))
        };
        let gave = self.calls.ask(function, &[Arg::Val(first), Arg::Val(left), Arg::Val(right)])?;
        Ok(matches!(self.calls.see(gave), Seen::Bool(true)))
    }

    /// The change of what is read that makes a function take an item, and the value that is there.
    fn change(
        &mut self,
        function: ValueHandle,
        unmet: &Unmet,
        lefts: &[NodeId],
        read: &KeysOfName,
    ) -> Option<(Change, String)> {
        let mut calls_left = CALLS;
        for &left in lefts {
            let changes = {
                let arena = self.arena();
                let Some(item) = item_at(&arena, arena.value(left), &read.keys) else { continue };
                changes(&arena, left, item, &read.keys)
            };
            for (change, new, shown) in changes {
                calls_left = calls_left.checked_sub(1)?;
                let value = {
                    let mut arena = self.calls.arena().borrow_mut();
                    let new = match new {
                        New::Val(value) => value,
                        New::Text(text) => arena.intern(&text),
                    };
                    let value = arena.value(left);
                    let copy = arena.copy_val(value).ok()?;
                    let item = item_at(&arena, copy, &read.keys)?;
                    arena.set_value(item, new);
                    copy
                };
                match self.ask(function, unmet, left, value) {
                    Ok(true) => return Some((change, shown)),
                    Ok(false) => {}
                    Err(failed) if failed.code() == Code::LIMIT_BUDGET => return None,
                    Err(_) => {}
                }
            }
        }
        None
    }

    /// A text of the line, or of the call that makes the matcher, that is nearly a value there.
    fn near_literal<'r>(&self, lefts: &[NodeId], read: &'r KeysOfName) -> Option<(&'r KeysOfName, Span, String)> {
        let arena = self.arena();
        let values = lefts.iter().filter_map(|left| item_at(&arena, arena.value(*left), &read.keys));
        let values: Vec<&str> = values.filter_map(|item| arena.str(arena.value(item))).collect();
        let source = self.calls.sources().get(read.whole.source);
        let line = source.line_range(source.line(read.whole.start));
        let behind = Span { start: read.whole.end, end: line.end, ..read.whole };
        [Some(behind), self.by_span()].into_iter().flatten().find_map(|span| {
            let text = self.written(span)?;
            let mut words = text.split('"').skip(1).step_by(2);
            words.find_map(|word| {
                let near = suggest::similar(word, values.iter().copied())?;
                let is_new = needs_no_quotes(near) && !values.contains(&word);
                let literal = self.literal(span, word).filter(|_| is_new)?;
                Some((read, literal, near.to_string()))
            })
        })
    }

    /// The values that left items have at some keys, each once.
    fn values_of(&self, lefts: &[NodeId], keys: &[String]) -> Vec<String> {
        let arena = self.arena();
        let mut values: Vec<String> = Vec::new();
        for item in lefts.iter().filter_map(|left| item_at(&arena, arena.value(*left), keys)) {
            let text = match scalar_text(&arena, arena.value(item)) {
                text if text.starts_with('`') || matches!(arena.value(item), Val::Node(_) | Val::Raw(_)) => text,
                text => format!("`{text}`"),
            };
            if !values.contains(&text) && values.len() < SHOWN {
                values.push(text);
            }
        }
        values
    }

    /// What the function of an argument returns, as it is written, if it decides at one place.
    pub(super) fn returned(&self, argument: Span) -> Option<Span> {
        match self.returns(argument)[..] {
            [one] => Some(one),
            _ => None,
        }
    }

    /// What the function of an argument returns, as it is written: the body of a lambda, or at each `return` of a `def`.
    pub(super) fn returns(&self, argument: Span) -> Vec<Span> {
        let (sources, value) = (self.calls.sources(), self.value_in(argument));
        let name = self.written(value).unwrap_or_default();
        let lambda = written::lambda(sources, value);
        if let Some((_, body)) = lambda.or_else(|| written::lambda(sources, self.named_lambda(argument, name.trim())?))
        {
            return vec![body];
        }
        let name = name.split('(').next().unwrap_or_default().trim();
        let name = name.rsplit('.').next().unwrap_or_default();
        let header = format!("def {name}(");
        let (own, all) = (argument.source.0 as usize, sources.all());
        let order = std::iter::once(own).chain((0..all.len()).filter(|number| *number != own));
        let found = order.filter_map(|number| Some((number, all.get(number)?))).find_map(|(number, source)| {
            source.text.as_str().filter(|text| text.contains(&header))?;
            FileCode::read(source, SourceId(to_u32(number)))?.decisions(name)
        });
        found.unwrap_or_default()
    }

    /// The value of an argument that is written as `name=value`.
    pub(super) fn value_in(&self, argument: Span) -> Span {
        let text = self.written(argument).unwrap_or_default();
        let named = text.split_once('=').filter(|(name, rest)| {
            !rest.starts_with('=') && name.trim().chars().all(|letter| letter.is_alphanumeric() || letter == '_')
        });
        let value = named.map_or(&*text, |(_, value)| value).trim_start();
        let before = text.len().saturating_sub(value.len());
        Span { start: argument.start.saturating_add(to_u32(before)), ..argument }
    }
}

/// A value to put in the place of another.
enum New {
    Val(Val),
    Text(String),
}

/// The changes of a value that are tried, with what is there now.
fn changes(arena: &Arena, left: NodeId, item: NodeId, keys: &[String]) -> Vec<(Change, New, String)> {
    let value = arena.value(item);
    let shown = scalar_text(arena, value);
    let mut changes = Vec::new();
    if let Some(text) = arena.str(value) {
        for (method, other) in [("lower", text.to_lowercase()), ("upper", text.to_uppercase())] {
            if other != text {
                changes.push((Change::Case(method), New::Text(other), shown.clone()));
            }
        }
        if let Ok(number) = text.parse() {
            changes.push((Change::Type("int"), New::Val(Val::Int(number)), shown.clone()));
        }
    }
    if let Val::Int(number) = value {
        changes.push((Change::Type("str"), New::Text(number.to_string()), format!("`{shown}`")));
    }
    let holder = match keys.split_last() {
        Some((_, [])) => Some(arena.value(left)),
        Some((_, above)) => item_at(arena, arena.value(left), above).map(|item| arena.value(item)),
        None => None,
    };
    if let Some(Val::Node(map)) = holder {
        for &other in arena.items(map).iter().filter(|other| **other != item).take(SHOWN) {
            let (key, value) = (arena.str(arena.key(other)), arena.value(other));
            if let (Some(key), false) = (key, matches!(value, Val::Node(_) | Val::Raw(_))) {
                changes.push((Change::Key(key.to_string()), New::Val(value), scalar_text(arena, value)));
            }
        }
    }
    changes
}

/// The item at some keys.
fn item_at(arena: &Arena, mut value: Val, keys: &[String]) -> Option<NodeId> {
    let mut item = None;
    for key in keys {
        let Val::Node(map) = value else { return None };
        let found = arena.find_str(map, key)?;
        (value, item) = (arena.value(found), Some(found));
    }
    item
}

/// The first function of the user's own in a matcher.
pub(super) fn function_of(test: &Test) -> Option<ValueHandle> {
    match test {
        Test::Function(function) => Some(*function),
        Test::And(tests) | Test::Or(tests) => tests.iter().find_map(function_of),
        _ => None,
    }
}
