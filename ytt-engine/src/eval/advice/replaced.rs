//! A field that a map of data values lost, since a later document replaces the map.

use super::super::host::Host;
use crate::diag::Diagnostic;
use crate::nearest::only;
use crate::source::{Source, SourceId, Span, to_u32};

/// Tells of the annotation above the key of a map, where another document has the field in the map of that name.
pub(super) fn told(host: &Host<'_>, problem: &Diagnostic, map: Span, name: &str) -> Option<Diagnostic> {
    let source = host.sources.get(map.source);
    let key = source.written(map)?.trim_end_matches(':').to_owned();
    let annotation = annotation(&source, map)?;
    let others = host.sources.all().into_iter().enumerate().filter(|(number, other)| {
        let text = other.text.as_str().unwrap_or_default();
        SourceId(to_u32(*number)) != map.source && text.contains("#@data/values") && host.may_advise(text.len())
    });
    let lost = only(others.filter_map(|(number, other)| below(&other, SourceId(to_u32(number)), &key, name)))?;
    let line = source.line_range(source.line(annotation.start));
    let whole = Span { start: line.start, end: line.end.checked_add(1)?, ..annotation };
    let told = problem
        .clone()
        .label(annotation, format!("replaces the whole of `{key}`"))
        .label(lost, format!("`{name}` is set here, and goes with what is replaced"));
    Some(told.help_edit(format!("merge into `{key}` instead: leave the annotation out"), whole, "").if_it_mends())
}

/// `#@overlay/replace` among the comments above a key.
fn annotation(source: &Source, key: Span) -> Option<Span> {
    let lines = (1..source.line(key.start)).rev().map(|line| (line, source.line_text(line)));
    let mut above = lines.take_while(|(_, text)| text.trim_start().starts_with("#@"));
    let (line, text) = above.find(|(_, text)| text.trim() == "#@overlay/replace")?;
    let start = source.line_range(line).start.checked_add(to_u32(text.len().checked_sub(text.trim_start().len())?))?;
    Some(Span { start, end: start.checked_add(to_u32(text.trim().len()))?, ..key })
}

/// Where a file has a key right in the map of another key.
fn below(source: &Source, file: SourceId, outer: &str, name: &str) -> Option<Span> {
    let text = source.text.as_str()?;
    let indent = |line: &str| line.len().saturating_sub(line.trim_start().len());
    let is_key = |line: &str, key: &str| line.trim_start().strip_prefix(key).is_some_and(|rest| rest.starts_with(':'));
    let (mut start, mut around, mut own) = (0_usize, None, None);
    for line in text.split_inclusive('\n') {
        let at = start;
        start = start.saturating_add(line.len());
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        match around {
            Some(outside) if indent(line) > outside => {
                let inside = *own.get_or_insert(indent(line));
                if indent(line) == inside && is_key(line, name) {
                    let at = at.checked_add(inside)?;
                    return Some(Span::new(file, to_u32(at), to_u32(at.checked_add(name.len())?)));
                }
            }
            _ => {
                around = is_key(line, outer).then(|| indent(line));
                own = None;
            }
        }
    }
    None
}
