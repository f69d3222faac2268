//! Equal keys that an overlay made in a map.

use super::words::key_text;
use crate::diag::{Code, Diagnostic};
use crate::overlay::annotation::Operation;
use crate::yaml::{Arena, NodeId};

/// A key that is there twice: at its first item, and at a later one.
pub(in crate::overlay) fn equal_keys(arena: &Arena, first: NodeId, second: NodeId) -> Diagnostic {
    let text = format!("Unexpected duplicate key: {}", key_text(arena, arena.key(second)));
    let mut diagnostic = Diagnostic::error(Code::OVERLAY_DUPLICATE_KEY, text);
    match (arena.span_of(second), arena.span_of(first)) {
        (Some(second), Some(first)) if second == first => {
            diagnostic = diagnostic.label(second, "this item replaced several, so its key is there more than once");
        }
        (second, first) => {
            diagnostic = diagnostic.label_at(second, "brought this key").label_at(first, "the key is here already");
        }
    }
    let replace = arena.ann(second, Operation::Replace.name()).and_then(|ann| arena.place(ann.pos));
    diagnostic = match replace {
        Some(place) => diagnostic.label(place.key(), "puts its item, with the key, in the place of what matches"),
        None => diagnostic.note("@overlay/replace puts its item, with the key, in the place of what matches"),
    };
    diagnostic.help("to keep the keys of the left side, remove @overlay/replace: merging keeps them")
}
