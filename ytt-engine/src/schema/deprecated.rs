//! Warnings for values that set a deprecated key. They never change a result.

use crate::diag::path::push_key;
use crate::diag::{Code, Diagnostic};
use crate::validate::key_text;
use crate::yaml::words::push_item;
use crate::yaml::{Arena, NodeId, PosId, Val};

use super::{ItemId, Schema, TypeKind};

/// One warning for each deprecated key that a document sets; nothing is said of what is below such a key.
pub(crate) fn deprecated(arena: &Arena, schema: &Schema, document: NodeId) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if schema.types.iter().any(|ty| ty.docs.deprecated.is_some()) {
        let mut open = vec![(schema.root, document, String::new(), arena.depth())];
        while let Some((ty, node, path, depth)) = open.pop() {
            if let Some(warning) = warning(arena, schema, ty, arena.get(node).pos, &path) {
                found.push(warning);
                continue;
            }
            let (Val::Node(value), Some(depth)) = (arena.value(node), depth.checked_sub(1)) else { continue };
            let mut below = Vec::new();
            for (index, &item) in arena.items(value).iter().enumerate() {
                if let Some(child) = schema.below(ty, arena, item) {
                    let mut path = path.clone();
                    push_item(&mut path, arena, item, index);
                    below.push((child, item, path, depth));
                }
            }
            open.extend(below.into_iter().rev());
        }
    }
    found
}

/// The warning for a value that is set by its path, if a key of the path is deprecated.
pub(crate) fn deprecated_path(arena: &Arena, schema: &Schema, keys: &[(Val, PosId)]) -> Option<Diagnostic> {
    let (mut ty, mut path) = (schema.root, String::new());
    for &(key, pos) in keys {
        let TypeKind::Map(map) = &schema.inner(schema.item(ty).ty).kind else { return None };
        ty = schema.declared_item(map, arena, key)?;
        push_key(&mut path, &key_text(arena, key));
        if let Some(warning) = warning(arena, schema, ty, pos, &path) {
            return Some(warning);
        }
    }
    None
}

fn warning(arena: &Arena, schema: &Schema, id: ItemId, pos: PosId, path: &str) -> Option<Diagnostic> {
    let item = schema.item(id);
    let notice = schema.ty(item.ty).docs.deprecated.as_ref()?;
    let mut warning = Diagnostic::warning(Code::SCHEMA_DEPRECATED, format!("data value `{path}` is deprecated"));
    for (pos, text) in [(pos, "set here"), (item.pos, "declared here")] {
        if let Some(place) = arena.place(pos) {
            warning = warning.label(place.key(), text);
        }
    }
    Some(if notice.is_empty() { warning } else { warning.note(notice.clone()) })
}
