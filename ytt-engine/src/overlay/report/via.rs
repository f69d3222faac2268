//! Functions of `via` that are made or defined elsewhere: the line that decides, and the values that it works with.

use super::words::scalar_text;
use crate::diag::Diagnostic;
use crate::overlay::engine::Scene;
use crate::source::{Span, to_u32};
use crate::template::code::{Binder, Ends, FileCode};
use crate::template::{outline, written};
use crate::yaml::{Arena, NodeId, Val};

/// A function that returns nothing on one of its ways.
pub(super) struct NoReturn {
    name: String,
    defined: Span,
    ends: Ends,
}

impl NoReturn {
    /// Says so, with the edit.
    pub(super) fn told(self, diagnostic: Diagnostic) -> Diagnostic {
        let NoReturn { name, defined, ends } = self;
        match (&ends.thrown[..], &ends.falls[..]) {
            ([thrown, ..], _) => {
                let start = Span { end: thrown.start, ..*thrown };
                diagnostic
                    .label(*thrown, format!("`{name}` computes this and does not return it"))
                    .help_edit("return it", start, "return ")
                    .guessing()
            }
            (_, [(behind, fall), ..]) if !ends.never => {
                let told = diagnostic.label(*behind, fall.told(&name));
                let (help, line) = ("return a value there, too", "return False\n");
                let place = ends.end.as_ref().map(|(place, _)| *place);
                told.edit_at(help, place, ends.end.map_or(String::new(), |(_, before)| before + line)).guessing()
            }
            _ => diagnostic.label(defined, format!("`{name}` has no `return`")),
        }
    }
}

impl Scene<'_> {
    /// The function that an argument such as `by=name` names, or that one such as `by=name("a")` makes, if it returns nothing
    /// on one of its ways.
    pub(super) fn without_return(&self, argument: Span) -> Option<NoReturn> {
        let text = self.written(argument)?;
        let value = text.split_once('=').map_or(&*text, |(_, value)| value).trim();
        let (name, is_called) = value.split_once('(').map_or((value, false), |(name, _)| (name, true));
        let (file, own) = self.home(argument.source, name)?;
        let code = FileCode::read(&self.calls.sources().get(file), file)?;
        let function = code.function_of(&own, is_called)?;
        let (defined, ends) = (function.name?, code.ends(&function)?);
        Some(NoReturn { name: self.written(defined)?, defined, ends })
    }

    /// The edit that moves an annotation of an array item to its only key, whose value in the left item is what a function
    /// of values works with.
    pub(super) fn meant_for_key(&self, right: NodeId, left: NodeId, name: &str) -> Option<(String, Span, String)> {
        let arena = self.arena();
        let [only] = *arena.items(arena.map_of(arena.value(right))?) else { return None };
        let key = arena.str(arena.key(only))?;
        let there = arena.find_str(arena.map_of(arena.value(left))?, key)?;
        if matches!(arena.value(there), Val::Node(_) | Val::Raw(_)) {
            return None;
        }
        let (item, inner) = (arena.span_of(right)?, arena.span_of(only)?);
        let source = self.calls.sources().get(item.source);
        let head = source.written(Span { end: inner.start, ..item })?;
        let written = self.annotation_span(right, name)?;
        let line = source.line_range(source.line(written.start));
        let text = source.written(Span { start: line.start, end: line.end, ..written })?;
        let sign = text.find("#@").filter(|at| text.trim_start().len() == text.len().saturating_sub(*at))?;
        let sign = line.start.saturating_add(to_u32(sign));
        let (start, indent) = source.above(Span { start: sign, ..written })?;
        let annotation = source.written(Span { end: line.end, ..start })?;
        let between = source.written(Span { start: line.end, end: item.start, ..item })?;
        (head.trim_end() == "-" && source.line(item.start) == source.line(inner.start)).then_some(())?;
        let between = between.trim_start_matches(['\r', '\n']).trim_start_matches(' ');
        let new = format!("{between}-\n{indent}  {}\n{indent}  ", annotation.trim_end());
        let text = format!("`right` is the whole item: to change `{key}` alone, put the annotation above it");
        Some((text, Span { end: inner.start, ..start }, new))
    }

    /// The function of the `via` that made the value of a left item, if it returns nothing.
    pub(super) fn made_null_by(&self, left: NodeId) -> Option<NoReturn> {
        let place = self.arena().span_of(left)?;
        let source = self.calls.sources().get(place.source);
        let above = source.line(place.start).checked_sub(1).filter(|line| *line > 0)?;
        let (range, text) = (source.line_range(above), source.line_text(above));
        text.trim_start().strip_prefix("#@overlay/replace ")?;
        let at = text.find("via=")?;
        let length = text.get(at..)?.split([' ', ',']).next()?.len();
        let start = range.start.saturating_add(to_u32(at));
        let found = self.without_return(Span::new(place.source, start, start.saturating_add(to_u32(length))))?;
        // What the value of a replacement should be there, only people know.
        Some(NoReturn { ends: Ends { end: None, ..found.ends }, ..found })
    }

    /// Where a function that refused an item decides, with what it compared. Nothing is said of one that stands in the
    /// annotation.
    pub(super) fn decided(&self, diagnostic: Diagnostic, via: Option<Span>, left: NodeId, verdict: &str) -> Diagnostic {
        const SHOWN: usize = 3;
        let Some(via) = via else { return diagnostic };
        let is_elsewhere = |span: &Span| span.source != via.source || span.start < via.start || via.end < span.end;
        let is_named = self.returns(via).first().is_some_and(is_elsewhere);
        let diagnostic = self.sought_in_values(diagnostic, via, left);
        let diagnostic = match is_named {
            true => match self.refused_values(diagnostic, via, left) {
                Ok(told) => return told,
                Err(diagnostic) => diagnostic,
            },
            false => diagnostic,
        };
        let agrees = |span: &Span| self.written(*span).is_none_or(|text| matches!(&*text, "True" | "True, None"));
        let all: Vec<Span> = self.returns(via).into_iter().filter(|span| is_elsewhere(span) && !agrees(span)).collect();
        let verdict = match all.len() {
            1 => verdict.to_owned(),
            0..=SHOWN => format!("{verdict} here, or at another `return`"),
            _ => return diagnostic,
        };
        all.into_iter().fold(diagnostic, |diagnostic, decides| {
            let lambda = written::lambda(self.calls.sources(), decides);
            let code = lambda.as_ref().map_or(decides, |(_, body)| *body);
            let known = self.arguments_of(via, decides, lambda.map(|(names, _)| names), left);
            let file = FileCode::read(&self.calls.sources().get(code.source), code.source);
            let is_parameter = |span: Span, name: &str| {
                let bound = file.as_ref().and_then(|file| file.bound(span, name));
                bound.is_none_or(|bound| matches!(bound.by, Binder::Parameter(_)))
            };
            let mut told: Vec<String> = Vec::new();
            for span in written::names(self.calls.sources(), code) {
                let Some(name) = self.written(span).filter(|name| is_parameter(span, name)) else { continue };
                let value = known.iter().find(|(known, _)| *known == name).map(|(_, value)| value);
                told.extend(value.map(|value| format!("`{name}` is {value}")).filter(|text| !told.contains(text)));
            }
            let text = match told.is_empty() {
                true => verdict.clone(),
                false => format!("{verdict}: {}", told.join(", ")),
            };
            diagnostic.label(code, text)
        })
    }

    /// The names that the code of a function knows, with their values: its parameters, and those of the function that made
    /// it, whose call is the value of `via`. `made` has the parameters of a lambda that was made.
    fn arguments_of(&self, via: Span, decides: Span, made: Option<Vec<Span>>, left: NodeId) -> Vec<(String, String)> {
        let arena = self.arena();
        let right = self.trail.last().map(|step| step.node);
        let shown = |item: Option<NodeId>| item.map(|item| shown(&arena, item)).unwrap_or_default();
        let around = self.parameters_around(decides, Some(via));
        let names = |spans: &Vec<Span>| spans.iter().filter_map(|span| self.written(*span)).collect();
        let own: Vec<String> = made.as_ref().map_or_else(|| around.clone(), names);
        let mut known: Vec<(String, String)> = match &own[..] {
            [first, second] => vec![(first.clone(), shown(Some(left))), (second.clone(), shown(right))],
            _ => Vec::new(),
        };
        let given = written::call(self.calls.sources(), self.value_in(via)).filter(|_| made.is_some());
        for (number, argument) in given.into_iter().flatten().enumerate() {
            let name = match argument.name {
                Some(name) => self.written(name),
                None => around.get(number).cloned(),
            };
            known.extend(name.zip(self.written(argument.value).map(|text| format!("`{text}`"))));
        }
        known
    }

    /// The parameters of the function that code stands in; it may be a lambda in an argument of an annotation.
    pub(super) fn parameters_around(&self, code: Span, argument: Option<Span>) -> Vec<String> {
        const DEPTH: usize = 10;
        let sources = self.calls.sources();
        let inside = argument.filter(|argument| {
            argument.source == code.source && argument.start <= code.start && code.end <= argument.end
        });
        let mut value = inside.map(|argument| self.value_in(argument));
        for _ in 0..DEPTH {
            let Some(part) = value else { break };
            if let Some((names, _)) = written::lambda(sources, part) {
                return names.into_iter().filter_map(|name| self.written(name)).collect();
            }
            // One of those that a call combines.
            let given = written::call(sources, part).into_iter().flatten().map(|argument| argument.value);
            value = given.into_iter().find(|given| given.holds(code));
        }
        let file = FileCode::read(&sources.get(code.source), code.source);
        let function = file.and_then(|file| file.function_around(code));
        function.into_iter().flat_map(|function| function.parameters).map(|parameter| parameter.name).collect()
    }

    /// The code of a `lambda` that a name is set to, here or in a file that this one loads.
    pub(super) fn named_lambda(&self, from: Span, name: &str) -> Option<Span> {
        let (file, own) = self.home(from.source, name)?;
        let value = outline::value(&self.calls.sources().get(file), file, &own)?;
        let text = self.written(value)?;
        let code = text.trim_start();
        let start = value.start.saturating_add(to_u32(text.len().saturating_sub(code.len())));
        code.starts_with("lambda").then_some(Span { start, ..value })
    }
}

fn shown(arena: &Arena, item: NodeId) -> String {
    match scalar_text(arena, arena.value(item)) {
        text if text.starts_with('`') => format!("the text {text}"),
        text if matches!(arena.value(item), Val::Node(_) | Val::Raw(_)) => text,
        text => format!("`{text}`"),
    }
}
