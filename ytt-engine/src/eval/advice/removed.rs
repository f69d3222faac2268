//! A field that a map of data values lost, since a document of data values removes it.

use super::super::host::Host;
use super::super::scope::SourceUnit;
use super::library::LIBRARIES;
use super::{code_of, items, place_at, replaced};
use crate::diag::Diagnostic;
use crate::nearest::only;
use crate::quoted;
use crate::source::{Source, SourceId, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::written::{self, CodeStep};
use crate::template::{outline, word};

/// Tells of the annotation above the key in a document of the same data values.
pub(super) fn told(host: &Host<'_>, unit: &SourceUnit, problem: &Diagnostic, name: &str) -> Option<Diagnostic> {
    let label = problem.parts().labels.first()?;
    let code = code_of(&host.sources, label.span);
    // A condition is marked as a whole.
    let start = label.span.start.checked_add(to_u32(only(word::whole(&code, name))?))?;
    let place = Span { start, end: start.checked_add(to_u32(name.len()))?, ..label.span };
    let of = items::receiver(host, place)?;
    let keys = keys(host, of)?;
    // The data values are those of one library.
    let library = |name: &str| Some(name.get(..name.rfind(LIBRARIES)?.checked_add(LIBRARIES.len())?)?.to_owned());
    let own = host.sources.get(unit.source).name.clone();
    (place.source == unit.source && library(&own).is_none()).then_some(())?;
    let others = host.sources.all().into_iter().zip(0..).filter(|(source, _)| {
        let text = source.text.as_str().unwrap_or_default();
        let may_look = library(&source.name).is_none() && host.may_advise(text.len());
        may_look && text.contains("#@data/values") && text.contains(REMOVE)
    });
    let found = others.flat_map(|(source, id)| removals(&source, SourceId(id), &keys, name));
    let removed = only(found)?;
    // It was there: another document has it.
    let is_set = host.sources.all().into_iter().zip(0..).any(|(source, id)| {
        let text = source.text.as_str().unwrap_or_default();
        SourceId(id) != removed.source
            && library(&source.name).is_none()
            && text.contains("#@data/values")
            && host.may_advise(text.len())
            && replaced::below(&source, SourceId(id), &keys, name).is_some()
    });
    is_set.then_some(())?;
    let mut told = problem.clone().label(removed, format!("takes `{name}` out of the data values"));
    let object = code_of(&host.sources, of);
    let field = quoted::starlark(name);
    let whole = Span { start: of.start, ..place };
    if label.text.is_empty() {
        place_at(&mut told, whole);
    }
    let text = format!("`{name}` may not be there: read it by `getattr`, which gives None then");
    if !is_asked(&host.sources.get(place.source), whole) {
        return Some(told.help(format!("`{name}` may not be there: ask first by `hasattr({object}, {field})`")));
    }
    let told = told.help_edit(text, whole, format!("getattr({object}, {field}, None)")).guessing();
    Some(told.help(format!("in place of removing `{name}`, set it to null there, by `#@overlay/replace`")))
}

/// Annotations that are looked at in one file.
const MOST: usize = 50;
/// An annotation that removes a key.
const REMOVE: &str = "#@overlay/remove";

/// The keys that lead from all data values to what code reads.
fn keys(host: &Host<'_>, code: Span) -> Option<Vec<String>> {
    let sources = &host.sources;
    let file = FileCode::read(&sources.get(code.source), code.source)?;
    let bound = |root: Span| file.bound(root, &code_of(sources, root)).map(|bound| bound.by);
    let mut path = written::path(sources, code)?;
    if let Some(Binder::Value(value)) = bound(path.root) {
        file.is_bound_once(path.root, &code_of(sources, path.root)).then_some(())?;
        let outer = written::path(sources, value)?;
        path.root = outer.root;
        path.steps = outer.steps.into_iter().chain(path.steps).collect();
    }
    (code_of(sources, path.root) == "data" && bound(path.root) == Some(Binder::Load)).then_some(())?;
    let (module, _) = outline::brought(&sources.get(code.source), code.source, "data")?;
    (module.name == "@ytt:data").then_some(())?;
    let keys = path.steps.into_iter().map(|step| match step {
        CodeStep::Key(key) => Some(key),
        _ => None,
    });
    let mut keys: Vec<String> = keys.collect::<Option<_>>()?;
    (keys.first().map(String::as_str) == Some("values")).then(|| keys.split_off(1))
}

/// Where a file removes a key of the map to which these keys lead, in a document of data values whatever runs.
fn removals(source: &Source, file: SourceId, keys: &[String], name: &str) -> Vec<Span> {
    let Some(text) = source.text.as_str() else { return Vec::new() };
    let is_code = |line: &str| line.trim_start().strip_prefix("#@").is_some_and(|code| code.starts_with([' ', '-']));
    // What has conditions or functions may not remove it.
    let is_open = |line: &str| is_code(line) && !line.contains("load(");
    let lines: Vec<&str> = text.lines().collect();
    if lines.iter().any(|line| is_open(line)) {
        return Vec::new();
    }
    let mut next = 0_usize;
    let starts = text.split_inclusive('\n').map(|line| {
        let start = next;
        next = next.saturating_add(line.len());
        start
    });
    let removes = |number: usize| {
        let below = lines.get(number..).unwrap_or_default().iter().find(|line| !is_comment(line));
        below.is_some_and(|line| key(line) == Some(name))
    };
    let found = starts
        .zip(0..)
        .filter(|(_, number)| lines.get(*number).is_some_and(|line| line.trim() == REMOVE) && removes(*number));
    let found = found.take(MOST).filter_map(|(start, number)| {
        let line = lines.get(number).filter(|_| leads_to(&lines, number, keys))?;
        let start = start.checked_add(line.len().checked_sub(line.trim_start().len())?)?;
        Some(Span::new(file, to_u32(start), to_u32(start.checked_add(REMOVE.len())?)))
    });
    found.collect()
}

fn is_comment(line: &str) -> bool {
    line.trim().is_empty() || line.trim_start().starts_with('#')
}

/// The key of a map that a line begins with.
fn key(line: &str) -> Option<&str> {
    Some(line.trim_start().split_once(':')?.0.trim_matches('"'))
}

/// Is the annotation in this line for a key of the map to which these keys lead, in a document of data values?
fn leads_to(lines: &[&str], number: usize, keys: &[String]) -> bool {
    let indent = |line: &str| line.len().saturating_sub(line.trim_start().len());
    let [above, below] = [lines.get(..number), lines.get(number..)].map(Option::unwrap_or_default);
    let Some(own) = below.iter().find(|line| !is_comment(line)) else { return false };
    let around = below.iter().take_while(|line| is_comment(line));
    // Another matcher removes what it finds.
    if around.chain(above.iter().rev().take_while(|line| is_comment(line))).any(|line| line.contains("by=")) {
        return false;
    }
    let mut wanted = keys.iter().map(String::as_str).rev();
    let mut inner = indent(own);
    let mut rest = above.iter().rev();
    for line in rest.by_ref().filter(|line| !is_comment(line)) {
        if line.starts_with("---") {
            break;
        }
        if indent(line) < inner {
            let is_item = line.trim_start().starts_with('-');
            if is_item || key(line).is_none_or(|key| wanted.next() != Some(key)) {
                return false;
            }
            inner = indent(line);
        }
    }
    let marks: Vec<&str> = rest.take_while(|line| is_comment(line)).map(|line| line.trim()).collect();
    let is_of_values = marks.iter().any(|mark| mark.split(' ').next() == Some("#@data/values"));
    wanted.next().is_none() && inner == 0 && is_of_values && !marks.iter().any(|mark| mark.starts_with("#@library/"))
}

/// Is code a condition, or a part of one that is asked by itself?
fn is_asked(source: &Source, code: Span) -> bool {
    let line = source.line_range(source.line(code.start));
    let part = |start, end| source.written(Span { start, end, ..code }).unwrap_or_default();
    let (before, behind) = (part(line.start, code.start), part(code.end, line.end).trim_end());
    let word = before.trim_end().rsplit([' ', '@', '(']).next().unwrap_or_default();
    let is_begun = before.ends_with(' ') && ["if", "elif", "if/end", "and", "or", "not"].contains(&word);
    let head = ["#@", "(@-", "(@"].iter().find_map(|mark| before.trim_start().strip_prefix(mark)).unwrap_or(before);
    let head = head.trim_start();
    let is_head = ["if ", "elif ", "if/end "].iter().any(|word| head.starts_with(word));
    let is_ended = behind.is_empty() || [":", " and ", " or "].iter().any(|word| behind.starts_with(word));
    is_begun && is_head && is_ended
}
