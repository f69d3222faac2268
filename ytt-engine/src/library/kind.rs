//! What a template is for, told from its annotations before anything runs (`docs/libraries.md#kinds-of-files`).

use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::eval::{Host, Prepared};
use crate::source::{Source, Span};
use crate::template::Item;
use crate::yaml::{Body, PosId};

pub(super) const VALUES: &str = "data/values";
pub(super) const SCHEMA: &str = "data/values-schema";
/// Annotations that stand above a document alone.
const OF_DOCUMENTS: [&str; 3] = [SCHEMA, VALUES, "library/ref"];

/// What a file is to a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    Schema,
    Values,
    /// Its documents or text are output.
    Output,
    /// Evaluated once by itself; the result is thrown away, its names are what the library exports.
    Library,
}

/// Is a template a schema or a data values file? Told from its annotations, before anything runs.
pub(super) fn kind_of_values(host: &Host<'_>, prepared: &Prepared) -> Result<Option<Use>, Diagnostics> {
    let Prepared::Template(compiled) = prepared else { return Ok(None) };
    let mut used = None;
    for item in &compiled.program.skeleton.items {
        for (name, means) in [(SCHEMA, Use::Schema), (VALUES, Use::Values)] {
            let mut named = item.annotations.iter().filter(|(known, _)| &**known == name).map(|(_, pos)| *pos);
            let Some(first) = named.next() else { continue };
            if !matches!(host.arena.borrow().get(item.node).body, Body::Doc(_)) {
                return Err(misplaced(host, item, name).into());
            }
            if let Some(second) = named.next() {
                return Err(repeated(host, name, first, second).into());
            }
            if used != Some(Use::Schema) {
                used = Some(means);
            }
        }
    }
    Ok(used)
}

/// An annotation of documents that a document has twice.
fn repeated(host: &Host<'_>, name: &str, first: PosId, second: PosId) -> Diagnostic {
    let arena = host.arena.borrow();
    let text = format!("{name} annotation may only be used once per document");
    let problem = Diagnostic::error(Code::VALUES_DOCUMENT, text);
    let places = arena.place(first).zip(arena.place(second));
    let Some((first, second)) = places.map(|(first, second)| (first.whole(), second.whole())) else { return problem };
    let source = host.sources.get(second.source);
    let told = problem.label(second, "").label(first, "the first one");
    match source.lines_of(second) {
        Some(line) if host.sources.get(first.source).written(first) == source.written(second) => {
            told.help_edit("leave the second one out", line, "")
        }
        _ => told.help("keep one of the two"),
    }
}

/// Lines of annotations that stand right below the `---` of their document, up to `end`: where that begins, and all of it
/// the other way round.
fn above_the_document(source: &Source, first: Span, end: u32) -> Option<(Span, String)> {
    let line = source.line(first.start);
    let above = source.line_range(line.checked_sub(1)?);
    let begin = Span { start: above.start, end: above.end, ..first };
    (source.written(begin)? == "---").then_some(())?;
    let start = source.line_range(line).start;
    let lines = source.written(Span { start, end, ..first })?;
    Some((begin, format!("{lines}---\n")))
}

/// An annotation of documents on another node.
fn misplaced(host: &Host<'_>, item: &Item, name: &str) -> Diagnostic {
    let arena = host.arena.borrow();
    let span = arena.span_of(item.node);
    let place = span.map(|span| format!(" ({})", host.sources.name_line(span))).unwrap_or_default();
    let kind = arena.get(item.node).body.kind();
    let text = format!("Found @{name} on {kind}{place}; only documents (---) can be annotated with @{name}");
    let problem = Diagnostic::error(Code::VALUES_DOCUMENT, text);
    // Behind it and what else belongs to a document: annotations of schemas stay with their node.
    let of_node = |name: &str| name.starts_with("schema/");
    let last = item.annotations.iter().filter(|(known, _)| !of_node(known));
    let last = last.filter_map(|(_, pos)| arena.place(*pos)).max_by_key(|place| place.end);
    let named = item.annotations.iter().find(|(known, _)| &**known == name).and_then(|(_, pos)| arena.place(*pos));
    let last = last.zip(span).filter(|(last, span)| last.end <= span.start).map(|(last, _)| last);
    let is_clear = item.annotations.iter().all(|(known, _)| of_node(known) || OF_DOCUMENTS.contains(&&**known));
    let starts_line = |span: &Span| {
        let source = host.sources.get(span.source);
        source.line_range(source.line(span.start)).start == span.start
    };
    match span.filter(starts_line).zip(last) {
        Some((span, last)) => {
            let source = host.sources.get(span.source);
            let at = source.line_range(source.line(last.end).saturating_add(1)).start.min(span.start);
            let first = named.unwrap_or(last);
            if let Some((begin, new)) = above_the_document(&source, first.key(), at) {
                let told = problem
                    .label(first.key(), "belongs to a document, and stands below its `---`")
                    .label(begin, "the document begins here: its annotations stand above this line")
                    .help_edit("write it above the `---`", Span { end: at, ..begin }, new);
                return if is_clear { told } else { told.guessing() };
            }
            let told = problem
                .label(named.unwrap_or(last).key(), "belongs to a document: no `---` follows it")
                .label(span, format!("so it belongs to this {kind}"))
                .help_edit("write `---` below the annotation", Span::new(span.source, at, at), "---\n");
            if is_clear { told } else { told.guessing() }
        }
        None => problem.at(span).help(format!("write #@{name} above a line with ---")),
    }
}
