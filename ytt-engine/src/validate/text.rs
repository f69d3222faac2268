//! Values as Starlark prints them: `repr`, `str`, and floats with six digits.
//!
//! Descriptions of rules contain them: `a value >= "b"`, `one of [1, 2, 3]`. Also keys and paths as messages name them.

use crate::quoted;
use crate::yaml::{Arena, Body, Raw, Val, number};

pub(crate) use crate::yaml::words::key_text;

/// As `str`: strings bare, all else as [`repr`].
pub(crate) fn text(arena: &Arena, value: Val) -> String {
    match arena.text_bytes(value) {
        Some(text) => String::from_utf8_lossy(text).into_owned(),
        None => repr(arena, value),
    }
}

/// As `repr`. What is deeper than the limit `depth` is `...`.
pub(crate) fn repr(arena: &Arena, value: Val) -> String {
    let mut out = String::new();
    write(arena, value, &mut out, arena.depth());
    out
}

fn write(arena: &Arena, value: Val, out: &mut String, depth: u32) {
    match value {
        Val::Null => out.push_str("None"),
        Val::Bool(true) => out.push_str("True"),
        Val::Bool(false) => out.push_str("False"),
        Val::Int(value) => out.push_str(&value.to_string()),
        Val::UInt(value) => out.push_str(&value.to_string()),
        Val::Float(value) => out.push_str(&float_text(value)),
        Val::Str { .. } | Val::Bytes(_) => quoted::write_go(out, arena.text_bytes(value).unwrap_or_default()),
        Val::Raw(number) if depth > 0 => match arena.raw(number) {
            Raw::List(items) => list(arena, items.iter().copied(), out, depth.saturating_sub(1)),
            Raw::Dict(entries) => dict(arena, entries.iter().copied(), out, depth.saturating_sub(1)),
        },
        Val::Node(id) if depth > 0 => match &arena.get(id).body {
            Body::Doc(value) | Body::MapItem(_, value) | Body::ArrayItem(value) => {
                write(arena, *value, out, depth.saturating_sub(1))
            }
            Body::Map(_) => dict(arena, arena.entries(id), out, depth.saturating_sub(1)),
            Body::Array(_) | Body::Set(_) => {
                list(arena, arena.entries(id).map(|entry| entry.1), out, depth.saturating_sub(1))
            }
        },
        Val::Raw(_) | Val::Node(_) => out.push_str("..."),
    }
}

fn list(arena: &Arena, items: impl Iterator<Item = Val>, out: &mut String, depth: u32) {
    separated(out, ['[', ']'], items, |out, item| write(arena, item, out, depth));
}

fn dict(arena: &Arena, entries: impl Iterator<Item = (Val, Val)>, out: &mut String, depth: u32) {
    separated(out, ['{', '}'], entries, |out, (key, value)| {
        write(arena, key, out, depth);
        out.push_str(": ");
        write(arena, value, out, depth);
    });
}

fn separated<T>(
    out: &mut String,
    [open, close]: [char; 2],
    items: impl Iterator<Item = T>,
    write: impl Fn(&mut String, T),
) {
    out.push(open);
    for (number, item) in items.enumerate() {
        out.push_str(if number > 0 { ", " } else { "" });
        write(out, item);
    }
    out.push(close);
}

/// A float with six digits, as Starlark prints it.
pub(crate) fn float_text(value: f64) -> String {
    let mut text = String::new();
    number::write_starlark(&mut text, value);
    text
}
