//! Where the schema declares the data values that problems show: who looks at a value asks what it is meant to be.

use std::collections::HashMap;

use crate::diag::{Diagnostic, Diagnostics};
use crate::schema::Schema;
use crate::source::{SourceMap, Span};
use crate::yaml::{Arena, NodeId, NodeSpan, Val};

/// Items of the data values that are looked at.
const MOST: usize = 100_000;
/// Declarations that are added to one problem.
const ADDED: usize = 2;

/// Adds the declarations of values whose places are labels of the problems, of the `values` of one library.
pub(super) fn add(arena: &Arena, sources: &SourceMap, schema: &Schema, values: NodeId, problems: &mut Diagnostics) {
    let shown =
        |problem: &Diagnostic| problem.parts().labels.iter().skip(1).map(|label| label.span).collect::<Vec<_>>();
    let mut wanted: HashMap<Span, Option<NodeSpan>> =
        problems.0.iter().flat_map(shown).map(|span| (span, None)).collect();
    if wanted.is_empty() {
        return;
    }
    find(arena, schema, values, &mut wanted);
    for problem in &mut problems.0 {
        let mut left = ADDED;
        for span in shown(problem) {
            let Some(declared) = wanted.get(&span).copied().flatten().filter(|_| left > 0) else { continue };
            let source = sources.get(declared.source);
            let (place, text) = match source.written(declared.key()) {
                Some("-") => {
                    let end = source.line_range(source.line(declared.start)).end;
                    (Span { end, ..declared.key() }, "items are declared here")
                }
                _ => (declared.key(), "declared here"),
            };
            let line = |span: Span| (span.source, sources.get(span.source).line(span.start));
            if problem.parts().labels.iter().all(|label| line(label.span) != line(declared.key())) {
                *problem = problem.clone().label(place, text);
                left = left.saturating_sub(1);
            }
        }
    }
}

/// Sets of places of values those of their declarations.
fn find(arena: &Arena, schema: &Schema, values: NodeId, wanted: &mut HashMap<Span, Option<NodeSpan>>) {
    let mut open = vec![(schema.root, values)];
    let mut left = MOST;
    while let Some((ty, node)) = open.pop() {
        let Val::Node(map) = arena.value(node) else { continue };
        for &item in arena.items(map) {
            let Some(ty) = schema.below(ty, arena, item) else { continue };
            left = left.saturating_sub(1);
            if left == 0 {
                return;
            }
            open.push((ty, item));
            let (Some(place), Some(declared)) = (arena.place_of(item), arena.place(schema.item(ty).pos)) else {
                continue;
            };
            if place.key() == declared.key() {
                continue;
            }
            for span in [place.key(), place.value(), place.whole()] {
                if let Some(found) = wanted.get_mut(&span) {
                    *found = Some(*declared);
                }
            }
        }
    }
}
