//! A field that a map of data values lost, since a later document replaces the map.

use super::super::host::Host;
use crate::diag::{Diagnostic, Label};
use crate::files::is_in_library;
use crate::nearest::only;
use crate::source::{Source, SourceId, Span, to_u32};
use crate::template::outline;

/// The only key of a map that replaces another one, which holds a list or a map.
#[derive(Clone, Copy)]
pub(super) struct Lone {
    pub(super) key: Span,
    pub(super) is_list: bool,
}

/// Adds helps for the annotation above the key of a map, where another document has the field in the same map.
pub(super) fn told(
    host: &Host<'_>,
    problem: &Diagnostic,
    (map, lone): (Span, Option<Lone>),
    name: &str,
) -> Option<Diagnostic> {
    let source = host.sources.get(map.source);
    let annotation = annotation(&source, map)?;
    let path = path(&source, map);
    let key = path.last()?.clone();
    let others = host.sources.all().into_iter().enumerate().filter(|(number, other)| {
        let text = other.text.as_str().unwrap_or_default();
        SourceId(to_u32(*number)) != map.source
            && is_in_library(&other.name) == is_in_library(&source.name)
            && text.contains("#@data/values")
            && host.may_advise(text.len())
    });
    let lost = only(others.filter_map(|(number, other)| below(&other, SourceId(to_u32(number)), &path, name)))?;
    let whole = source.whole_lines(annotation)?;
    let places = [
        Label { span: annotation, text: format!("replaces the whole of `{key}`") },
        Label { span: lost, text: format!("`{name}` is set here, and goes with what is replaced") },
    ];
    let lower = lone.and_then(|lone| {
        let own = source.written(lone.key)?.trim_end_matches(':').to_owned();
        // What is not there cannot be replaced.
        below(&host.sources.get(lost.source), lost.source, &path, &own)?;
        Some((moved(&source, whole, lone.key)?, own, lone.is_list))
    });
    let told = problem.clone();
    let (told, text) = match lower {
        Some(((span, new), own, is_list)) => {
            let text = format!("to replace `{own}` alone, and keep the rest of `{key}`: move the annotation to it");
            let told = told.help_edit(text, span, new).if_it_mends().guessing().beside_help(places.clone());
            (
                told,
                match is_list {
                    true => format!("leave it out, if `{own}` is to be added to what is there"),
                    false => format!("leave it out, if nothing of `{key}` was to go"),
                },
            )
        }
        None => (told, format!("if nothing of `{key}` was to go, merge into it: leave the annotation out")),
    };
    Some(told.help_edit(text, whole, "").if_it_mends().guessing().beside_help(places))
}

/// The edit that moves the line of an annotation to a key below it, which has none yet.
fn moved(source: &Source, annotation: Span, key: Span) -> Option<(Span, String)> {
    let (_, indent) = source.above(key)?;
    let line = source.line(key.start);
    let has_own = source.line_text(line.checked_sub(1)?).trim_start().starts_with("#@");
    let new = format!("{indent}{}", source.written(annotation)?.trim_start());
    (!has_own && key.start >= annotation.end)
        .then(|| source.moved(annotation, [source.line_range(line).start], &new))?
}

/// The keys that lead to one, that one included, the outermost first.
fn path(source: &Source, key: Span) -> Vec<String> {
    let name = |key: Span| source.written(key).unwrap_or_default().trim_end_matches(':').to_owned();
    let (mut at, mut found) = (key, vec![name(key)]);
    while let Some(outer) = source.parent_key(at) {
        at = outer;
        found.push(name(outer));
    }
    found.reverse();
    found
}

/// `#@overlay/replace` among the comments above a key.
fn annotation(source: &Source, key: Span) -> Option<Span> {
    let lines = (1..source.line(key.start)).rev().map(|line| (line, source.line_text(line)));
    let mut above = lines.take_while(|(_, text)| text.trim_start().starts_with("#@"));
    let (line, text) = above.find(|(_, text)| text.trim() == "#@overlay/replace")?;
    let start = source.line_range(line).start.checked_add(to_u32(text.len().checked_sub(text.trim_start().len())?))?;
    Some(Span { start, end: start.checked_add(to_u32(text.trim().len()))?, ..key })
}

/// Where documents of data values of a file have a key in the map that a path leads to, at the top if it leads nowhere.
pub(super) fn below(source: &Source, file: SourceId, outer: &[String], name: &str) -> Option<Span> {
    let text = source.text.as_str()?;
    let start = format!("{name}:");
    let places =
        text.match_indices(&start).map(|(at, _)| Span::new(file, to_u32(at), to_u32(at.saturating_add(name.len()))));
    only(places.filter(|place| {
        let line = source.line_range(source.line(place.start)).start;
        let is_first = source
            .written(Span { start: line, end: place.start, ..*place })
            .is_some_and(|before| before.trim().is_empty());
        is_first
            && outline::is_of_values(source, *place)
            && source.parent_key(*place).map_or_else(Vec::new, |parent| path(source, parent)) == outer
    }))
}
