//! A value that breaks a rule, and that others set before: people who mend one place should know of all.

use super::{GivenContent, GivenValue};
use crate::diag::path::{PathStep, steps};
use crate::diag::{Code, Diagnostic, Label};
use crate::schema::HINTED;
use crate::source::{SourceMap, Span};
use crate::validate::key_text;
use crate::yaml::{Arena, NodeId, Val};

/// Places that are shown beside the one that counts.
const SHOWN: usize = 2;

/// Adds to broken rules of values where else they are set, in documents of the library and in what it was given, in the
/// order in which they count.
pub(super) fn overridden(
    arena: &Arena,
    sources: &SourceMap,
    problems: &mut [Diagnostic],
    (documents, given): (&[NodeId], &[GivenValue]),
) {
    for problem in problems.iter_mut().filter(|problem| problem.code() == Code::VALIDATE_RULE).take(HINTED) {
        let Some(value) = problem.parts().value.clone() else { continue };
        let Some(path) = steps(&value.path).filter(|path| !path.is_empty()) else { continue };
        let own = documents.iter().map(|document| in_document(arena, sources, *document, &path));
        let places = own.chain(given.iter().map(|given| match &given.content {
            GivenContent::Overlay(document) | GivenContent::Plain(document) => {
                in_document(arena, sources, *document, &path)
            }
            GivenContent::Path(keys, _) => {
                let is_it = keys.len() == path.len()
                    && keys
                        .iter()
                        .zip(&path)
                        .all(|((key, _), step)| matches!(step, PathStep::Key(name) if key_text(arena, *key) == *name));
                is_it.then(|| Some(arena.place(given.pos)?.value_or_key(sources))).flatten()
            }
        }));
        let places: Vec<Span> = places.flatten().collect();
        let parts = problem.parts_mut();
        let is_known = |place: &Span| parts.labels.iter().any(|label| is_on_line(sources, label.span, *place));
        let Some(counts) = places.iter().position(is_known) else { continue };
        let before = places.get(..counts).unwrap_or_default().iter().rev().filter(|place| !is_known(place)).take(SHOWN);
        let name = value.path.rsplit('.').next().unwrap_or_default();
        let labels = before
            .map(|place| Label { span: *place, text: format!("`{name}` is set here before: the later value counts") });
        let labels: Vec<Label> = labels.collect();
        parts.labels.extend(labels);
    }
}

fn is_on_line(sources: &SourceMap, one: Span, other: Span) -> bool {
    let source = sources.get(one.source);
    one.source == other.source && source.line(one.start) == source.line(other.start)
}

/// Where a document sets what is at a path.
fn in_document(arena: &Arena, sources: &SourceMap, document: NodeId, path: &[PathStep<'_>]) -> Option<Span> {
    let mut item = document;
    for step in path {
        let PathStep::Key(key) = step else { return None };
        item = arena.find_str(arena.map_of(arena.value(item))?, key)?;
    }
    let is_scalar = !matches!(arena.value(item), Val::Node(_) | Val::Raw(_));
    is_scalar.then(|| Some(arena.place_of(item)?.value_or_key(sources))).flatten()
}
