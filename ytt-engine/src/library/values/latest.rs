//! A value that has to be set, and is not: the last file of values is where one run differs from others, and not always the
//! one that sets what is beside it.

use super::{GivenContent, GivenKind, GivenValue};
use crate::diag::path::{PathStep, steps};
use crate::diag::{Code, Diagnostic, Fact, Help, Label};
use crate::schema::HINTED;
use crate::source::SourceMap;
use crate::yaml::{Arena, NodeId};

/// Adds the last file of values to broken rules of values that no file sets, where an earlier one sets others of the map.
pub(super) fn in_the_latest(arena: &Arena, sources: &SourceMap, problems: &mut [Diagnostic], given: &[GivenValue]) {
    let of_file = |given: &GivenValue| match (given.kind, &given.content) {
        (GivenKind::ValuesFile, GivenContent::Overlay(document) | GivenContent::Plain(document)) => Some(*document),
        _ => None,
    };
    let Some(document) = given.iter().rev().find_map(of_file) else { return };
    let Some(own) = arena.span_of(document).map(|span| span.source) else { return };
    for problem in problems.iter_mut().filter(|problem| problem.code() == Code::VALIDATE_RULE).take(HINTED) {
        let Some(Fact::Rule { path, beside: Some(beside), .. }) = &problem.parts().fact else { continue };
        if beside.source == own {
            continue;
        }
        let place = steps(path).and_then(|path| arena.place_of(place(arena, document, &path)?));
        let Some(place) = place.map(|place| place.key()) else { continue };
        let file = sources.get(own).shown_name();
        let help =
            Help::new(format!("set `{path}` in `{file}`, the last file of values, unless it is the same for all"));
        let label = Label { span: place, text: format!("the last file of values: nothing in it sets `{path}`") };
        let parts = problem.parts_mut();
        parts.helps.insert(0, help);
        parts.labels.insert(0, label);
    }
}

/// The innermost item that leads to what is at a path, else the first one.
fn place(arena: &Arena, document: NodeId, path: &[PathStep<'_>]) -> Option<NodeId> {
    let first = arena.item_at(arena.map_of(arena.value(document))?, 0)?;
    let mut item = document;
    for step in path {
        let PathStep::Key(key) = step else { break };
        match arena.map_of(arena.value(item)).and_then(|map| arena.find_str(map, key)) {
            Some(inner) => item = inner,
            None => break,
        }
    }
    Some(if item == document { first } else { item })
}
