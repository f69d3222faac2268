//! Functions of `via` that are made or defined elsewhere: the line that decides, and the values that it works with.

use super::words::scalar_text;
use crate::diag::Diagnostic;
use crate::overlay::engine::Scene;
use crate::source::Span;
use crate::template::{outline, written};
use crate::yaml::{Arena, NodeId, Val};

/// A function that returns nothing.
pub(super) struct NoReturn {
    name: String,
    defined: Span,
    /// The last line of its body, if that computes a value.
    thrown: Option<Span>,
}

impl NoReturn {
    /// Says so, with the edit.
    pub(super) fn told(self, diagnostic: Diagnostic) -> Diagnostic {
        let NoReturn { name, defined, thrown } = self;
        match thrown {
            Some(thrown) => {
                let start = Span { end: thrown.start, ..thrown };
                diagnostic
                    .label(thrown, format!("`{name}` computes this and does not return it"))
                    .help_edit("return it", start, "return ")
                    .guessing()
            }
            None => diagnostic.label(defined, format!("`{name}` has no `return`")),
        }
    }
}

impl Scene<'_> {
    /// The function that an argument such as `by=name` names, if it returns nothing.
    pub(super) fn without_return(&self, argument: Span) -> Option<NoReturn> {
        let text = self.written(argument)?;
        let name = text.split_once('=').map_or(&*text, |(_, name)| name).trim();
        let (file, own) = self.home(argument.source, name)?;
        let (defined, thrown) = outline::without_return(&self.calls.sources().get(file), file, &own)?;
        Some(NoReturn { name: name.to_string(), defined, thrown })
    }

    /// The function of the `via` that made the value of a left item, if it returns nothing.
    pub(super) fn made_null_by(&self, left: NodeId) -> Option<NoReturn> {
        let place = self.arena().span_of(left)?;
        let source = self.calls.sources().get(place.source);
        let above = source.line(place.start).checked_sub(1).filter(|line| *line > 0)?;
        let (range, text) = (source.line_range(above), source.line_text(above));
        text.trim_start().strip_prefix("#@overlay/replace ")?;
        let at = text.find("via=")?;
        let length = text[at..].find([' ', ',']).unwrap_or(text.len() - at);
        let start = range.start + at as u32;
        self.without_return(Span::new(place.source, start, start + length as u32))
    }

    /// Where a function that refused an item decides, with what it compared. Nothing is said of one that stands in the
    /// annotation.
    pub(super) fn decided(&self, diagnostic: Diagnostic, via: Option<Span>, left: NodeId, verdict: &str) -> Diagnostic {
        let Some((via, decides)) = via.and_then(|via| Some((via, self.returned(via)?))) else { return diagnostic };
        if decides.source == via.source && via.start <= decides.start && decides.end <= via.end {
            return diagnostic;
        }
        let (place, code) = self.lambda_body(decides);
        let known = self.arguments_of(via, place, code.is_some(), left);
        let code = code.unwrap_or(decides);
        let mut told: Vec<String> = Vec::new();
        for span in written::names(self.calls.sources(), code) {
            let Some(name) = self.written(span).filter(|name| !self.is_set_anew(decides, name)) else { continue };
            let value = known.iter().find(|(known, _)| *known == name).map(|(_, value)| value);
            told.extend(value.map(|value| format!("`{name}` is {value}")).filter(|text| !told.contains(text)));
        }
        let text = match told.is_empty() {
            true => verdict.to_string(),
            false => format!("{verdict}: {}", told.join(", ")),
        };
        diagnostic.label(code, text)
    }

    /// Does the function of a line set a name before that line, or the line itself in a comprehension?
    fn is_set_anew(&self, line: Span, name: &str) -> bool {
        let source = self.calls.sources().get(line.source);
        let until = source.line_range(source.line(line.end)).end as usize;
        let Some(above) = source.text.as_str().and_then(|text| text.get(..until)) else { return false };
        let body = &above[above.rfind("def ").unwrap_or(0)..];
        body.lines().skip(1).any(|line| {
            let code = line.trim_start().trim_start_matches("#@").trim_start();
            let is_set = code.strip_prefix(name).is_some_and(|rest| {
                let rest = rest.trim_start();
                rest.starts_with('=') && !rest.starts_with("==")
            });
            is_set || code.contains(&format!("for {name} in "))
        })
    }

    /// A `lambda` that code is: all of it, and what it gives.
    fn lambda_body(&self, code: Span) -> (Span, Option<Span>) {
        let body = self.written(code).filter(|text| text.starts_with("lambda ")).and_then(|text| {
            let behind = text.find(':')? + 1;
            let behind = behind + text[behind..].len() - text[behind..].trim_start().len();
            Some(Span { start: code.start + behind as u32, ..code })
        });
        (code, body)
    }

    /// The names that the line of a function knows, with their values: its parameters, and those of the function that
    /// made it, whose call is the value of `via`.
    fn arguments_of(&self, via: Span, place: Span, is_made: bool, left: NodeId) -> Vec<(String, String)> {
        let arena = self.arena();
        let right = self.trail.last().map(|step| step.node);
        let shown = |item: Option<NodeId>| item.map(|item| shown(&arena, item)).unwrap_or_default();
        let own = match is_made {
            true => self.written(place).as_deref().and_then(parameters_of_lambda),
            false => self.lambda_before(place).or_else(|| self.head_above(place)),
        };
        let mut known: Vec<(String, String)> = match own.as_deref() {
            Some([first, second]) => vec![(first.clone(), shown(Some(left))), (second.clone(), shown(right))],
            _ => Vec::new(),
        };
        let value = self
            .written(via)
            .and_then(|text| text.find('='))
            .map(|at| Span { start: via.start + at as u32 + 1, ..via });
        let given = value.and_then(|value| written::call(self.calls.sources(), value)).filter(|_| is_made);
        for (number, argument) in given.into_iter().flatten().enumerate() {
            let name = match argument.name {
                Some(name) => self.written(name),
                None => self.head_above(place).and_then(|names| names.get(number).cloned()),
            };
            known.extend(name.zip(self.written(argument.value).map(|text| format!("`{text}`"))));
        }
        known
    }

    /// The parameters of the `lambda` whose body a place is.
    fn lambda_before(&self, place: Span) -> Option<Vec<String>> {
        let source = self.calls.sources().get(place.source);
        let line = source.line_range(source.line(place.start)).start;
        let before = source.written(Span { start: line, end: place.start, ..place })?;
        let head = &before[before.rfind("lambda ")?..];
        head.trim_end().ends_with(':').then(|| parameters_of_lambda(head)).flatten()
    }

    /// The parameters of the `def` that a line stands in.
    fn head_above(&self, place: Span) -> Option<Vec<String>> {
        const FAR: usize = 50;
        let source = self.calls.sources().get(place.source);
        let above = source.text.as_str()?.get(..place.start as usize)?;
        above.lines().rev().take(FAR).find_map(|line| {
            let (_, list) =
                line.trim_start().trim_start_matches("#@").trim_start().strip_prefix("def ")?.split_once('(')?;
            Some(parameters(list.rsplit_once(')')?.0))
        })
    }

    /// The code of a `lambda` that a name is set to, here or in a file that this one loads.
    pub(super) fn named_lambda(&self, from: Span, name: &str) -> Option<Span> {
        let (file, own) = self.home(from.source, name)?;
        let value = outline::value(&self.calls.sources().get(file), file, &own)?;
        let text = self.written(value)?;
        let start = value.start + (text.len() - text.trim_start().len()) as u32;
        text.trim_start().starts_with("lambda ").then_some(Span { start, ..value })
    }
}

/// The parameters of `lambda a, b: …`.
pub(super) fn parameters_of_lambda(code: &str) -> Option<Vec<String>> {
    Some(parameters(code.strip_prefix("lambda ")?.split_once(':')?.0))
}

fn parameters(list: &str) -> Vec<String> {
    list.split(',').map(|name| name.split('=').next().unwrap_or_default().trim().to_string()).collect()
}

fn shown(arena: &Arena, item: NodeId) -> String {
    match scalar_text(arena, arena.value(item)) {
        text if text.starts_with('`') => format!("the text {text}"),
        text if matches!(arena.value(item), Val::Node(_) | Val::Raw(_)) => text,
        text => format!("`{text}`"),
    }
}
