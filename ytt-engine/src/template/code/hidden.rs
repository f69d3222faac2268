//! Names of a function that hide those outside of it.
#![allow(
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "offsets are those of code in a source and of the lines it stands in, all below 2³¹"
)]

use super::{Binder, Bound, FileCode, Function};
use crate::nearest::only;
use crate::source::Span;

/// A name of a function that hides an outer one.
#[derive(Clone, Debug)]
pub(crate) struct Hidden {
    /// Where it is the function's own first.
    pub(crate) own: Span,
    pub(crate) outer: Bound,
    /// The operator with its `=` that changes it at `own`, where it is nowhere set.
    pub(crate) changed: Option<String>,
    /// It may not be set, so the function goes on with the outer value.
    pub(crate) goes_on: bool,
    /// Where the first line of the function begins, and what stands there in front of code; `None` if it begins with
    /// something else than a line of code.
    pub(crate) first: Option<(Span, String)>,
    /// All places of the function that mean its own; empty where that is not known.
    pub(crate) renamed: Vec<Span>,
    /// The function makes a new value of the old one, of which it does nothing else: it counts for others.
    pub(crate) counts: bool,
    /// Where the outer one is read outside of the function; empty where that is not known.
    pub(crate) outside: Vec<Span>,
}

impl FileCode {
    /// The name of a function around a place that hides one of the same name outside of it, which is asked for there
    /// before the function has set its own.
    pub(crate) fn hidden(&self, place: Span, name: &str) -> Option<Hidden> {
        let walk = self.walk();
        let mut bound: Vec<&(usize, String, Bound)> = walk.bound.iter().filter(|(_, known, _)| known == name).collect();
        let mut changes: Vec<&(usize, Span, String)> =
            walk.changed.iter().filter(|(_, span, _)| self.written(*span) == name).collect();
        let set = |bound: &[&(usize, String, Bound)], scope: usize| {
            bound.iter().find(|(at, ..)| *at == scope).map(|(.., bound)| bound.clone())
        };
        let change = |changes: &[&(usize, Span, String)], scope: usize| {
            changes.iter().find(|(at, ..)| *at == scope).map(|change| (*change).clone())
        };
        let mut scopes = walk.around(place.start).into_iter().rev();
        let scope = scopes.find(|scope| set(&bound, *scope).is_some() || change(&changes, *scope).is_some())?;
        let outer = scopes.find_map(|scope| set(&bound, scope))?;
        let function = self.function_around(place)?;
        let within = |span: Span| function.whole.start <= span.start && span.end <= function.whole.end;
        let is_known = |bound: &Bound| bound.name == outer.name || within(bound.name);
        let is_alone = bound.iter().all(|(.., bound)| is_known(bound));
        let read: Vec<Span> =
            walk.read.iter().map(|(_, span)| *span).filter(|span| self.written(*span) == name).collect();
        let outside = read.iter().copied().filter(|span| is_alone && !within(*span) && *span != outer.name).collect();
        bound.retain(|(.., bound)| within(bound.name));
        changes.retain(|(_, span, _)| within(*span));
        let is_in_loop = |place: Span| {
            let mut loops = walk.loops.iter().filter(|(_, whole)| within(*whole));
            loops.any(|(_, whole)| whole.start <= place.start && place.end <= whole.end)
        };
        // What stands in front of the body, such as a default, means the outer one.
        let body = function.head.end;
        let (own, changed, from) = match (set(&bound, scope), change(&changes, scope)) {
            (Some(Bound { name, by: Binder::Value(value) }), _) => {
                let is_sure = self.conditions(name).is_empty() && !is_in_loop(name);
                (name, None, if is_sure { value.end } else { body })
            }
            (None, Some((_, name, operator))) => (name, Some(operator), body),
            _ => return None,
        };
        let goes_on = from == body;
        // Where an inner function or a loop has the name once more, or it is read before, what is meant is not known.
        let names: Vec<Span> = bound.iter().map(|(.., bound)| bound.name).collect();
        let is_own = bound.iter().all(|(at, _, bound)| *at == scope && matches!(bound.by, Binder::Value(_)))
            && changes.iter().all(|(at, span, _)| *at == scope && span.start >= from);
        let made_of: Vec<Span> = bound
            .iter()
            .filter_map(|(.., bound)| match bound.by {
                Binder::Value(value) => Some(value),
                _ => None,
            })
            .collect();
        let is_for_itself = |span: &Span| {
            changes.iter().any(|(_, changed, _)| changed == span)
                || made_of.iter().any(|value| value.start <= span.start && span.end <= value.end)
        };
        let read: Vec<Span> = read.into_iter().filter(|span| within(*span)).collect();
        let counts = read.iter().all(is_for_itself);
        let mut renamed: Vec<Span> = read.into_iter().filter(|span| span.start >= from).chain(names).collect();
        renamed.sort_unstable_by_key(|span| span.start);
        let renamed = if is_own { renamed } else { Vec::new() };
        let first = self.first_line(&function);
        Some(Hidden { own, outer, changed, goes_on, first, renamed, counts, outside })
    }

    /// Where the first line of the body of a function begins, and what stands in front of its code.
    fn first_line(&self, function: &Function) -> Option<(Span, String)> {
        function.name?;
        let text = self.text.as_str()?;
        let front = |at: usize| &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..at];
        let is_template = match front(function.whole.start as usize).trim_start() {
            "" => false,
            sign if sign.trim_end() == "#@" => true,
            _ => return None,
        };
        let start = function.head.end as usize + text.get(function.head.end as usize..)?.find('\n')? + 1;
        let line = text[start..].lines().next()?;
        let code = match is_template {
            true => line.trim_start().strip_prefix("#@ ")?.trim_start(),
            false => line.trim_start(),
        };
        let prefix = &line[..line.len() - code.len()];
        (!code.is_empty())
            .then(|| (Span { start: start as u32, end: start as u32, ..function.whole }, prefix.to_owned()))
    }
}

/// A variable of a loop of a function that hides what the loop goes over.
#[derive(Clone, Debug)]
pub(crate) struct HiddenByLoop {
    /// The variable.
    pub(crate) own: Span,
    pub(crate) outer: Bound,
    /// What means the variable in the loop, the first one is itself.
    pub(crate) uses: Vec<Span>,
    /// What means the other one there, behind what the loop goes over.
    pub(crate) kept: Vec<Span>,
}

impl FileCode {
    /// The loop whose variable has a name that it goes over itself, at this place.
    ///
    /// Which name is meant in the loop say the members: those that are read of the hidden one where the loop begins are
    /// read of it further down, too.
    pub(crate) fn hidden_by_loop(&self, place: Span, name: &str) -> Option<HiddenByLoop> {
        let walk = self.walk();
        let own = |scope: usize| only(walk.bounds(scope, name)).cloned();
        let mut scopes = walk.around(place.start).into_iter().rev();
        let (scope, bound) = scopes.find_map(|scope| Some((scope, own(scope)?)))?;
        let Binder::Loop { over, .. } = bound.by else { return None };
        let is_in = |span: Span, whole: Span| whole.start <= span.start && span.end <= whole.end;
        if scope == 0 || !is_in(place, over) {
            return None;
        }
        let outer = scopes.find_map(own)?;
        let around = |(_, whole): &&(Span, Span)| is_in(over, *whole);
        let (_, whole) = *walk.loops.iter().filter(around).min_by_key(|(_, whole)| whole.end - whole.start)?;
        let member = |span: Span| {
            let rest = self.text.as_str()?.get(span.end as usize..)?.strip_prefix('.')?;
            rest.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()
        };
        let all = walk.read.iter().map(|(_, span)| *span).filter(|span| self.written(*span) == name);
        let (begin, inside): (Vec<Span>, Vec<Span>) =
            all.filter(|span| is_in(*span, whole)).partition(|span| is_in(*span, over));
        let members: Vec<Option<&str>> = begin.iter().map(|span| member(*span)).collect();
        let is_outer = |span: &Span| member(*span).is_some_and(|own| members.contains(&Some(own)));
        let (kept, mut uses): (Vec<Span>, Vec<Span>) = inside.into_iter().partition(is_outer);
        uses.insert(0, bound.name);
        Some(HiddenByLoop { own: bound.name, outer, uses, kept })
    }
}
