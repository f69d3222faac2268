//! Marks a tree of which nothing is annotated, so that it merges plainly.
//!
//! `library/module.rs` does so for `with_data_values(…, plain=True)`, whose tree belongs to code. Values files and flags, whose
//! trees nobody else sees, are merged by `library/values` without annotations.

use super::annotation::{MATCH, Operation};
use crate::diag::{Code, Diagnostic};
use crate::source::{SourceMap, Span};
use crate::yaml::{AnnId, Annotation, Arena, ArgId, Body, Node, NodeId, PosId, TooDeep, Val, comment_text};

/// Marks a document of plain YAML so that it merges plainly: maps deeply, everything else replaces what is there.
///
/// # Errors
///
/// The document has annotations or comments with code.
pub(crate) fn plain_merge_annotations(
    arena: &mut Arena,
    sources: &SourceMap,
    document: NodeId,
) -> Result<(), Diagnostic> {
    let nodes = below(arena, document).map_err(|error| error.diagnostic(arena))?;
    for &node in &nodes {
        if let Some(span) = code_at(arena, sources, node) {
            let text = "Expected to be plain YAML, having no annotations (hint: remove comments starting with `#@`)";
            return Err(Diagnostic::error(Code::OVERLAY_ARGUMENTS, text).at(span.or_else(|| arena.span_of(node))));
        }
    }
    let mark = |name: &str, args| Annotation { name: name.into(), args, pos: PosId(0) };
    let missing_ok = mark(MATCH, ArgId::MISSING_OK);
    let or_add = mark(Operation::Replace.name(), ArgId::OR_ADD);
    let merged = arena.add_anns([missing_ok.clone()].into());
    let replaced = arena.add_anns([missing_ok, or_add].into());
    mark_below(arena, document, merged, replaced);
    Ok(())
}

/// All nodes of a tree, from the top.
pub(super) fn below(arena: &Arena, top: NodeId) -> Result<Vec<NodeId>, TooDeep> {
    let mut nodes = Vec::new();
    each_below(arena, top, |id, _| nodes.push(id))?;
    Ok(nodes)
}

/// Looks at all nodes of a tree, from the top.
pub(super) fn each_below(arena: &Arena, top: NodeId, mut look: impl FnMut(NodeId, &Node)) -> Result<(), TooDeep> {
    let mut open = vec![(top, 0_u32)];
    while let Some((id, depth)) = open.pop() {
        if depth > arena.depth() {
            return Err(TooDeep { limit: arena.depth(), node: id });
        }
        let node = arena.get(id);
        look(id, node);
        match &node.body {
            Body::Doc(value) | Body::MapItem(_, value) | Body::ArrayItem(value) => {
                if let Val::Node(inner) = value {
                    open.push((*inner, depth.saturating_add(1)));
                }
            }
            Body::Set(items) | Body::Map(items) | Body::Array(items) => {
                open.extend(items.iter().rev().map(|&item| (item, depth)));
            }
        }
    }
    Ok(())
}

/// Whether a node has an annotation of the user or a comment with code; where, if that is known.
#[expect(clippy::option_option, reason = "found at an unknown place is not the same as not found")]
fn code_at(arena: &Arena, sources: &SourceMap, node: NodeId) -> Option<Option<Span>> {
    let ours = [ArgId::MISSING_OK, ArgId::OR_ADD];
    if let Some(annotation) = arena.anns_of(node).iter().find(|annotation| !ours.contains(&annotation.args)) {
        return Some(arena.place(annotation.pos).map(|place| place.key()));
    }
    let is_code = |comment: &&Span| comment_text(&sources.get(comment.source), **comment).starts_with('@');
    arena.comments(node).iter().find(is_code).map(|comment| Some(*comment))
}

/// Below arrays nothing is marked: they replace as a whole.
fn mark_below(arena: &mut Arena, top: NodeId, merged: AnnId, replaced: AnnId) {
    let mut open = vec![top];
    while let Some(item) = open.pop() {
        let map = match arena.value(item) {
            Val::Node(value) if matches!(arena.get(value).body, Body::Map(_)) => Some(value),
            _ => None,
        };
        arena.get_mut(item).ann = if map.is_some() { merged } else { replaced };
        if let Some(map) = map {
            open.extend_from_slice(arena.items(map));
        }
    }
}
