//! Numbers that are added to a text, as a version without quotes is: `1.20` is the number 1.2, `010` is 8.

use super::super::host::Host;
use super::code_of;
use super::operands::{items_named, none_of_overlay};
use super::origin::Origins;
use crate::diag::{Diagnostic, Diagnostics, Fact, Label};
use crate::source::{SourceId, SourceMap, Span, to_u32};
use crate::yaml::words::{article, key_text, kind_name};
use crate::yaml::{NodeId, NodeSpan, Val};

/// Places that are shown.
const SHOWN: usize = 3;

/// A float as it is written.
struct Written {
    name: String,
    value: Span,
    text: String,
    /// What code makes of it.
    printed: String,
    is_float: bool,
}

/// Where the number of a sum with a text is set: there it is written as a text.
pub(super) fn unquoted(host: &Host<'_>, data: Val, problem: &mut Diagnostic) {
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let trace = problem.parts().trace.clone();
    let code = code_of(&host.sources, place);
    let mut items = Origins::new(host, data, &trace).of(place, 0);
    let is_float = matches!(&problem.parts().fact, Some(Fact::Operands { left, right, .. }) if [&**left, &**right].contains(&"float"));
    if items.is_empty()
        && is_float
        && let Some((_, name)) = code.rsplit_once('.')
    {
        items = items_named(host, data, name).into_iter().map(|(_, item)| item).collect();
        items = Some(items).filter(|items| written(host, items, &code).len() == 1).unwrap_or_default();
    }
    let found = written(host, &items, &code);
    tell(&host.sources, problem, (place, &code), &found);
    if problem.parts().labels.len() > 1 {
        return;
    }
    let arena = host.arena.borrow();
    let set = items.iter().find_map(|item| Some((arena.value(*item), arena.span_of(*item)?)));
    if let Some((value @ (Val::Int(_) | Val::UInt(_) | Val::Float(_)), item)) = set {
        let kind = kind_name(&arena, value);
        *problem = problem.clone().label(item, format!("`{code}` comes from here, {} {kind}", article(kind)));
    }
}

/// A float that is asked for a method of texts: where it is set, as far as that is known, or the places of files that set
/// a float under its name.
pub(super) fn taken_for_text(host: &Host<'_>, data: Val, problem: &mut Diagnostic, of: Span) {
    let trace = problem.parts().trace.clone();
    let origins = Origins::new(host, data, &trace);
    let code = code_of(&host.sources, of);
    let found = written(host, &origins.of(of, 0), &code);
    if !found.is_empty() {
        return tell(&host.sources, problem, (of, &code), &found);
    }
    // What hands it on from file to file has its name at least, and mostly only there.
    let handed = origins.handed(of).map_or_else(|| code.clone(), |handed| code_of(&host.sources, handed));
    let [one] = &named(host, last_name(&handed))[..] else { return };
    let place = Label { span: one.value, text: one.shown() };
    let new = format!("\"{}\"", one.text);
    let told = problem.clone().help_edit("write it as a text", one.value, new).if_it_mends().guessing();
    *problem = told.beside_help([place]);
    problem.parts_mut().helps.rotate_right(1);
}

/// The last name of a path in code: `version` of `image.version` and of `image["version"]`.
fn last_name(code: &str) -> &str {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    let end = code.trim_end_matches(|letter| !is_name(letter));
    end.rsplit(|letter| !is_name(letter)).next().unwrap_or_default()
}

/// Floats that documents of data values have under a key.
fn named(host: &Host<'_>, name: &str) -> Vec<Written> {
    let mut found = Vec::new();
    for (number, source) in host.sources.all().iter().enumerate() {
        let is_yaml = source.name.ends_with(".yml") || source.name.ends_with(".yaml");
        let is_of_values = |text: &str| text.lines().any(|line| line.starts_with("#@data/values"));
        let Some(text) = source.text.as_str().filter(|text| is_yaml && host.may_advise(text.len())) else { continue };
        if !is_of_values(text) {
            continue;
        }
        let mut next = 0_usize;
        for line in text.split_inclusive('\n') {
            let start = next;
            next = next.saturating_add(line.len());
            let key = line.trim_start_matches([' ', '-']);
            if key.strip_prefix(name).is_some_and(|rest| rest.starts_with(": ")) {
                let at = start.saturating_add(line.len().saturating_sub(key.len()));
                let end = at.saturating_add(name.len());
                let key = Span::new(SourceId(to_u32(number)), to_u32(at), to_u32(end));
                found.extend(literal(&host.sources, key));
            }
        }
    }
    found
}

/// The same where a function of an overlay failed: its values stand in the overlay, or their code does.
pub(in crate::eval) fn of_overlays(host: &Host<'_>, data: Val, mut problems: Diagnostics) -> Diagnostics {
    for problem in &mut problems.0 {
        none_of_overlay(host, data, problem);
        let Some(Fact::Operands { operator, left, right }) = &problem.parts().fact else { continue };
        let is_sum = operator == "+" && is_text_with_number(left, right);
        let [first, rest @ ..] = &problem.parts().labels[..] else { continue };
        if !is_sum || rest.is_empty() {
            continue;
        }
        let (place, code) = (first.span, code_of(&host.sources, first.span));
        let origins = Origins::returned(host, data);
        let found = rest.iter().flat_map(|label| {
            let at = label.span;
            let span = NodeSpan { source: at.source, start: at.start, key_end: at.end, value: at.end, end: at.end };
            let items = span.code(&host.sources).map_or_else(Vec::new, |code| origins.of(code, 0));
            written(host, &items, &code).into_iter().chain(literal(&host.sources, at))
        });
        let found: Vec<Written> = found.collect();
        tell(&host.sources, problem, (place, &code), &found);
    }
    problems
}

pub(super) fn is_text_with_number(left: &str, right: &str) -> bool {
    matches!((left, right), ("string", "float" | "int") | ("float" | "int", "string"))
}

/// The floats of items, each where it is written, and the integers that code would write in another way.
fn written(host: &Host<'_>, items: &[NodeId], code: &str) -> Vec<Written> {
    let arena = host.arena.borrow();
    let numbers = items.iter().filter_map(|item| {
        let value = arena.value(*item);
        let is_float = matches!(value, Val::Float(_));
        let place = arena.place_of(*item).filter(|_| is_float || matches!(value, Val::Int(_) | Val::UInt(_)))?;
        let (text, printed) = (code_of(&host.sources, place.value()), key_text(&arena, value));
        let key = arena.str(arena.key(*item)).unwrap_or_else(|| code.rsplit('.').next().unwrap_or_default());
        let place = if is_number(&text) { place.value() } else { place.key() };
        let one = Written { name: key.to_owned(), value: place, text, printed, is_float };
        (is_float || one.is_lost()).then_some(one)
    });
    let mut found: Vec<Written> = numbers.collect();
    found.sort_by_key(|one| (one.value.source, one.value.start));
    found.dedup_by_key(|one| one.value);
    found
}

/// Is it a number as YAML has it, and no code?
fn is_number(text: &str) -> bool {
    let text = text.trim_start_matches(['-', '+']);
    text.starts_with(|first: char| first.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._+-".contains(&byte))
}

/// A float that is written behind a key.
fn literal(sources: &SourceMap, key: Span) -> Option<Written> {
    let source = sources.get(key.source);
    let end = source.line_range(source.line(key.end)).end;
    let line = source.written(Span { start: key.end, end, ..key })?;
    let text = line.trim_start_matches([' ', ':']).split(" #").next()?.trim_end();
    let number = text.parse::<f64>().ok().filter(|_| text.contains('.'))?;
    let start = key.end.checked_add(to_u32(line.find(text)?))?;
    let value = Span { start, end: start.checked_add(to_u32(text.len()))?, ..key };
    let name = source.written(key)?.to_owned();
    Some(Written { name, value, text: text.to_owned(), printed: number.to_string(), is_float: true })
}

fn tell(sources: &SourceMap, problem: &mut Diagnostic, (place, code): (Span, &str), found: &[Written]) {
    if found.is_empty() || found.len() > SHOWN {
        return;
    }
    let mut told = problem.clone();
    for one in found {
        told = told.label(one.value, one.shown());
    }
    if found.iter().any(Written::is_lost) {
        // What code would make of the float has lost the zeros at its end.
        let text_of = format!("str({code})");
        told.parts_mut().helps.retain(|help| help.edit.as_ref().is_none_or(|edit| *edit != (place, text_of.clone())));
    }
    if let Some((span, new)) = quoted(sources, found) {
        let text = if found.len() == 1 { "write it as a text" } else { "write them as texts" };
        told = told.help_edit(text, span, new).if_it_mends();
        told.parts_mut().helps.rotate_right(1);
    }
    *problem = told;
}

/// The edit that puts quotes around all of them, if they stand in one file.
fn quoted(sources: &SourceMap, found: &[Written]) -> Option<(Span, String)> {
    let (first, last) = (found.first()?, found.last()?);
    let source = sources.get(first.value.source);
    let (mut new, mut at) = (String::new(), first.value.start);
    for one in found {
        let is_written = one.value.source == first.value.source && source.written(one.value) == Some(&one.text);
        let between = Span { start: at, end: one.value.start, ..first.value };
        new.push_str(source.written(between).filter(|_| is_written)?);
        new.push_str(&format!("\"{}\"", one.text));
        at = one.value.end;
    }
    Some((Span { end: last.value.end, ..first.value }, new))
}

impl Written {
    /// What is said where it is written.
    fn shown(&self) -> String {
        let what = if self.is_float { "a float" } else { "an integer" };
        match self.is_lost() {
            true => {
                format!("`{}` is {what} here: without quotes `{}` is the number {}", self.name, self.text, self.printed)
            }
            false => format!("`{}` is {what} here", self.name),
        }
    }

    fn is_lost(&self) -> bool {
        self.text != self.printed && is_number(&self.text)
    }
}
