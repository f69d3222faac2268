//! Keys, values and types in the words of messages.

use crate::overlay::annotation::RightKind;
use crate::overlay::compare::{Difference, Why};
use crate::quoted;
use crate::yaml::words::{self, article, kind_name};
use crate::yaml::{Arena, Body, NodeId, Val};

/// A key as YAML prints it.
pub(super) fn key_text(arena: &Arena, key: Val) -> String {
    match key {
        Val::Bytes(_) => scalar_text(arena, key),
        _ => words::key_text(arena, key),
    }
}

/// A value in a message: scalars as YAML, collections by kind.
pub(super) fn scalar_text(arena: &Arena, value: Val) -> String {
    match value {
        Val::Null | Val::Bool(_) | Val::Int(_) | Val::UInt(_) | Val::Float(_) => words::key_text(arena, value),
        Val::Str { .. } => {
            let text = arena.str(value).unwrap_or_default();
            // What nobody sees is shown between quotes.
            let is_padded = (text.trim() != text || text.is_empty()) && !text.contains('\n') && text.len() <= LONGEST;
            let shown = if is_padded { quoted::starlark(text) } else { shortened(text) };
            format!("`{shown}`")
        }
        Val::Bytes(_) => "a string of bytes".to_string(),
        Val::Node(_) | Val::Raw(_) => {
            let kind = kind_name(arena, value);
            format!("{} {kind}", article(kind))
        }
    }
}

/// Characters of a text that are shown.
const LONGEST: usize = 60;

/// The beginning of a text that is long or has several lines.
fn shortened(text: &str) -> String {
    let first = text.trim_end().lines().next().unwrap_or_default();
    let shown: String = first.chars().take(LONGEST).collect();
    if shown.len() < text.trim_end().len() { format!("{shown}…") } else { shown }
}

/// `.key` or `[]`: one step of a path.
pub(super) fn step_text(arena: &Arena, item: NodeId) -> String {
    match arena.get(item).body {
        Body::MapItem(key, _) => format!(".{}", key_text(arena, key)),
        _ => "[]".to_string(),
    }
}

/// What items of a kind are called on the left.
pub(super) fn noun(kind: RightKind) -> &'static str {
    match kind {
        RightKind::Document => "document",
        RightKind::MapItem => "key",
        RightKind::ArrayItem => "item",
    }
}

/// `1 key`, `3 documents`.
pub(super) fn counted(count: usize, kind: RightKind) -> String {
    format!("{count} {}{}", noun(kind), if count == 1 { "" } else { "s" })
}

/// The text of the reference for a difference of two values.
pub(super) fn difference_text(arena: &Arena, difference: &Difference) -> String {
    let Difference { why, left, right, .. } = difference;
    match why {
        Why::Collection { map: true } => format!("Expected map, but was {}", kind_name(arena, *left)),
        Why::Collection { map: false } => format!("Expected array, but was {}", kind_name(arena, *left)),
        Why::Key => "Expected at least one map item to match by key".to_string(),
        Why::Length => "Expected to have matching number of array items".to_string(),
        Why::Leaf => {
            format!("Expected leaf values to match {} {}", kind_name(arena, *left), kind_name(arena, *right))
        }
    }
}

/// A type of Starlark as the reference's messages name it.
pub(crate) fn host_kind(kind: &str) -> &str {
    match kind {
        "NoneType" => "starlark.NoneType",
        "bool" => "starlark.Bool",
        "int" => "starlark.Int",
        "float" => "starlark.Float",
        "string" => "starlark.String",
        "list" => "*starlark.List",
        "dict" => "*starlark.Dict",
        "tuple" => "starlark.Tuple",
        "set" => "*starlark.Set",
        "range" => "starlark.rangeValue",
        "function" => "*starlark.Function",
        "builtin_function_or_method" => "*starlark.Builtin",
        "struct" => "*core.StarlarkStruct",
        "module" => "*starlarkstruct.Module",
        "yamlfragment" => "*yamltemplate.StarlarkFragment",
        other => other,
    }
}

/// A type of Starlark in plain words, with its article.
pub(super) fn kind_in_words(kind: &str) -> String {
    match kind {
        "NoneType" => "None".to_string(),
        "int" => "an integer".to_string(),
        "yamlfragment" => "a YAML fragment".to_string(),
        "builtin_function_or_method" => "a built-in function".to_string(),
        other => format!("a {other}"),
    }
}
