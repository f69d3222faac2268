//! Kinds, keys and places in the words of messages.

use super::arena::{Arena, Body, NodeId, Raw, Val};
use super::meta::PosId;
use super::view::View;
use crate::diag::path::{push_index, push_key};
use crate::source::SourceMap;

/// The reference's word for the kind of a value: `integer`, `map`, `null`.
pub(crate) fn kind_name(arena: &Arena, value: Val) -> &'static str {
    match value {
        Val::Null => "null",
        Val::Bool(_) => "boolean",
        Val::Int(_) | Val::UInt(_) => "integer",
        Val::Float(_) => "float",
        Val::Str { .. } | Val::Bytes(_) => "string",
        Val::Node(id) => arena.get(id).body.kind(),
        Val::Raw(number) => match arena.raw(number) {
            Raw::List(_) => "array",
            Raw::Dict(_) => "map",
        },
    }
}

/// A key as messages name it: texts as they are, others as YAML writes them, collections by their kind.
pub(crate) fn key_text(arena: &Arena, key: Val) -> String {
    match key {
        Val::Str { .. } | Val::Bytes(_) => {
            String::from_utf8_lossy(arena.text_bytes(key).unwrap_or_default()).into_owned()
        }
        Val::Node(_) | Val::Raw(_) => kind_name(arena, key).to_owned(),
        scalar => {
            let mut text = String::new();
            View::of(arena, scalar).write(&mut text, 0);
            text
        }
    }
}

/// Where a node or annotation stands, as messages say it: `file:line`, or `?`.
pub(crate) fn place_text(arena: &Arena, sources: &SourceMap, pos: PosId) -> String {
    arena.place(pos).map_or_else(|| "?".to_owned(), |place| sources.name_line(place.key()))
}

/// Adds an item of a collection to a path: its key, or its index.
pub(crate) fn push_item(path: &mut String, arena: &Arena, item: NodeId, index: usize) {
    match arena.get(item).body {
        Body::MapItem(key, _) => push_key(path, &key_text(arena, key)),
        _ => push_index(path, index),
    }
}

/// An empty scalar of the same type, as an example in a schema is written.
pub(crate) fn example_like(value: Val) -> Option<&'static str> {
    Some(match value {
        Val::Str { .. } => "\"\"",
        Val::Int(_) | Val::UInt(_) => "0",
        Val::Float(_) => "0.0",
        Val::Bool(_) => "false",
        Val::Null | Val::Bytes(_) | Val::Node(_) | Val::Raw(_) => return None,
    })
}

/// The article of a kind: `a` or `an`.
pub(crate) fn article(kind: &str) -> &'static str {
    if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_written_as_in_yaml() {
        let mut arena = Arena::new(10);
        let text = arena.make_str("1");
        let list = arena.add_raw(Raw::List(Vec::new()));
        let keys = [Val::Null, Val::Bool(true), Val::Int(-1), Val::UInt(u64::MAX), Val::Float(1.5), text, list];
        let shown: Vec<String> = keys.iter().map(|key| key_text(&arena, *key)).collect();
        assert_eq!(shown, ["null", "true", "-1", "18446744073709551615", "1.5", "1", "array"]);
    }
}
