//! Which node a comment belongs to.
//!
//! The nodes of a document are its document, its map items and its array items, in tree order, each on the line of its
//! indicator. A comment belongs to the smallest line that is not before its own: to the last node there if it is the
//! comment's own line, else to the first. Comments behind all nodes are left over; they go to the next document.

use super::arena::{Arena, Body, NodeId, Val};
use super::compose::Composer;
use super::scan::Mark;
use crate::source::Span;

/// Gives the comments of a document, in order of lines, to its nodes: adds them to `given` and returns those that are
/// left over. `known` says that the document itself has a line.
pub(super) fn attach<'c>(
    composer: &Composer<'_, '_>,
    document: NodeId,
    known: bool,
    comments: &'c [Mark],
    given: &mut Vec<(NodeId, Span)>,
) -> &'c [Mark] {
    let source = composer.parser.scanner.source;
    let nodes = nodes_by_line(composer, document, known);
    let mut nodes = nodes.into_iter().peekable();
    let mut left = comments;
    while let [raw, behind @ ..] = left {
        while nodes.next_if(|node| node.0 < raw.line).is_some() {}
        let Some(&(_, first)) = nodes.peek() else { break };
        let mut owner = first;
        // Only one comment stands on a line, so no line is walked twice.
        while let Some((_, node)) = nodes.next_if(|node| node.0 == raw.line) {
            owner = node;
        }
        given.push((owner, raw.span(source)));
        left = behind;
    }
    left
}

/// Documents and items with their lines: sorted by line, in tree order where lines are equal.
fn nodes_by_line(composer: &Composer<'_, '_>, document: NodeId, known: bool) -> Vec<(u32, NodeId)> {
    let arena: &Arena = composer.arena;
    let mut nodes = Vec::new();
    let mut open = vec![document];
    while let Some(id) = open.pop() {
        let node = arena.get(id);
        match node.body {
            Body::Doc(value) | Body::MapItem(_, value) | Body::ArrayItem(value) => {
                if known || id != document {
                    nodes.push((composer.line_of(node.pos), id));
                }
                if let Val::Node(collection) = value {
                    open.extend(arena.items(collection).iter().rev());
                }
            }
            _ => {}
        }
    }
    if !nodes.is_sorted_by_key(|node| node.0) {
        nodes.sort_by_key(|node| node.0);
    }
    nodes
}
