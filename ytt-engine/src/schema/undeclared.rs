//! Keys of a document that no map of the schema declares, found without a check of the values.

use super::misfit::{Checked, HINTED, Told};
use super::{Schema, TypeKind};
use crate::diag::Diagnostic;
use crate::source::{SourceMap, Span};
use crate::template::written::GivenInCall;
use crate::yaml::words::push_item;
use crate::yaml::{Arena, NodeId, PosId, Val};

/// A key of a document that no map of the schema declares.
pub(crate) struct Undeclared {
    /// Where it is; `None` if code gave it.
    pub(crate) span: Option<Span>,
    pub(crate) path: String,
    pub(crate) told: Diagnostic,
}

/// All of them. `given` is the value of the call that gave the document, if code did.
pub(crate) fn undeclared(
    arena: &Arena,
    sources: &SourceMap,
    schema: &Schema,
    document: NodeId,
    given: Option<&GivenInCall>,
) -> Vec<Undeclared> {
    let mut found = Vec::new();
    let mut open = vec![(schema.root, document, String::new(), arena.depth(), (PosId(0), 0_usize))];
    while let Some((ty, node, path, depth, (near, below))) = open.pop() {
        let (Val::Node(value), Some(depth)) = (arena.value(node), depth.checked_sub(1)) else { continue };
        let inner = schema.inner(schema.item(ty).ty);
        for (index, &item) in arena.items(value).iter().enumerate() {
            let mut path = path.clone();
            push_item(&mut path, arena, item, index);
            let below = below.saturating_add(1);
            let near = match arena.get(item).pos {
                PosId(0) => (near, below),
                own => (own, 0),
            };
            if let Some(child) = schema.below(ty, arena, item) {
                open.push((child, item, path, depth, near));
            } else if let TypeKind::Map(map) = &inner.kind {
                let (from, hints) = (Checked::Values, found.len() < HINTED);
                let told = Told { arena, sources, schema, from, given, path: &path, near, hints, merged: true };
                let told = told.undeclared(value, item, map, inner.pos);
                found.push(Undeclared { span: arena.span_of(item), path, told });
            }
        }
    }
    found
}
