//! Variables as Docker Compose lists them, `- NAME=value`, where a map is declared: the list as keys.

use super::misfit::{Checked, Told};
use super::{ItemId, MapType, Schema, TypeKind};
use crate::diag::Diagnostic;
use crate::source::{Source, SourceMap, Span};
use crate::validate::key_text;
use crate::yaml::quote::write_str;
use crate::yaml::resolve::{Resolved, resolve};
use crate::yaml::{Arena, Body, NodeId, Val};

/// Items of a list that is written anew.
const MOST: usize = 50;

/// What is said of the edit.
pub(crate) const AS_KEYS: &str = "a map is declared: write the items as keys of it";

impl Told<'_> {
    /// Adds the edit that makes keys of a list where a map is declared.
    pub(super) fn listed(&self, told: Diagnostic, item: NodeId, map: &MapType) -> Diagnostic {
        let edit = as_keys((self.arena, self.sources, self.schema), item, map);
        match edit.filter(|_| matches!(self.from, Checked::Values)) {
            Some((span, new)) => told.help_edit(AS_KEYS, span, new).if_it_mends(),
            None => told,
        }
    }
}

/// The edit that makes keys of a list whose items are texts `NAME=value`, or maps of one key, all of them declared.
pub(crate) fn as_keys(
    (arena, sources, schema): (&Arena, &SourceMap, &Schema),
    item: NodeId,
    map: &MapType,
) -> Option<(Span, String)> {
    let Val::Node(list) = arena.value(item) else { return None };
    let items = arena.items(list);
    let is_list = matches!(arena.get(list).body, Body::Array(_)) && !items.is_empty() && items.len() <= MOST;
    let place = arena.place_of(item).filter(|_| is_list)?;
    let source = sources.get(place.source);
    // Items may begin where their key does; keys may not.
    let around = source.line_text(source.line(place.start));
    let around = around.len().saturating_sub(around.trim_start_matches([' ', '-']).len());
    let (mut parts, mut keys, mut indents) = (Vec::new(), Vec::new(), Vec::new());
    for &one in items {
        let place = *arena.place_of(one).filter(|one| one.source == place.source)?;
        let (_, indent) = source.above(place.key())?;
        let (key, value) = variable(arena, one)?;
        let declared = map.items.iter().copied().find(|id| key_text(arena, schema.item(*id).key) == key)?;
        let written = source.written(value.map_or(place.value(), |value| value.1))?.trim_end();
        if keys.contains(&key) || written.is_empty() || written.contains('\n') || !begins_item(&source, place.key()) {
            return None;
        }
        let new = match value {
            None => written_as(arena, schema, declared, written_text(arena, one)?),
            Some((value, _)) => match (is_text(schema, declared), value) {
                (true, Val::Int(_) | Val::UInt(_) | Val::Float(_) | Val::Bool(_)) => format!("\"{written}\""),
                _ => written.to_owned(),
            },
        };
        let end = value.map_or(place.value(), |value| value.1);
        let end = end.start.checked_add(u32::try_from(written.len()).ok()?)?;
        parts.push((Span { end, ..place.key() }, format!("{key}: {new}")));
        keys.push(key);
        indents.push(indent.len());
    }
    let first = *indents.first()?;
    if indents.iter().any(|indent| *indent != first) {
        return None;
    }
    let (span, new) = source.replaced(parts.iter().map(|(span, new)| (*span, &**new)))?;
    Some((span, if first <= around { format!("  {}", new.replace('\n', "\n  ")) } else { new }))
}

/// The name of a variable; of one in a map its value, too, and where that stands.
fn variable(arena: &Arena, item: NodeId) -> Option<(String, Option<(Val, Span)>)> {
    let Some(map) = arena.map_of(arena.value(item)) else {
        let (name, _) = arena.str(arena.value(item))?.split_once('=').filter(|(_, text)| !text.contains('\n'))?;
        return is_name(name).then(|| (name.to_owned(), None));
    };
    let [only] = arena.items(map) else { return None };
    let (name, value) = (arena.str(arena.key(*only)).filter(|name| is_name(name))?, arena.value(*only));
    let is_scalar = !matches!(value, Val::Node(_) | Val::Raw(_) | Val::Null);
    is_scalar.then(|| Some((name.to_owned(), Some((value, arena.place_of(*only)?.value())))))?
}

fn written_text(arena: &Arena, item: NodeId) -> Option<&str> {
    Some(arena.str(arena.value(item))?.split_once('=')?.1)
}

/// A text as a value of the declared type: what it is read as without quotes, where that is what is declared.
fn written_as(arena: &Arena, schema: &Schema, declared: ItemId, text: &str) -> String {
    let ty = schema.inner(schema.item(declared).ty);
    let is_plain = match ty.kind {
        TypeKind::Int => is_int(text),
        TypeKind::Float => matches!(resolve(text), Resolved::Float(_)) || is_int(text),
        TypeKind::Bool => matches!(text, "true" | "false"),
        // What an example of any type is, this one may be.
        TypeKind::Any => match ty.default {
            Val::Int(_) => is_int(text),
            Val::Bool(_) => matches!(text, "true" | "false"),
            _ => arena.str(ty.default).is_none() && text.is_empty(),
        },
        _ => false,
    };
    let mut new = String::new();
    match is_plain {
        true => new.push_str(text),
        false => drop(write_str(&mut new, text, 0)),
    }
    new
}

/// Is it read as the integer that it says? `010` is 8.
fn is_int(text: &str) -> bool {
    matches!(resolve(text), Resolved::Int(number) if text.parse() == Ok(number))
        && (text == "0" || !text.starts_with('0'))
}

fn is_text(schema: &Schema, declared: ItemId) -> bool {
    matches!(schema.inner(schema.item(declared).ty).kind, TypeKind::Str)
}

/// Is it the dash of an item?
fn begins_item(source: &Source, key: Span) -> bool {
    source.written(key).is_some_and(|written| written.starts_with('-'))
}

/// Is it the name of a variable?
fn is_name(name: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') && name.bytes().all(is_letter)
}

#[cfg(test)]
mod tests {
    use super::is_int;

    #[test]
    fn an_integer_is_one_that_yaml_reads_as_it_is_written() {
        for text in ["0", "8080", "-5"] {
            assert!(is_int(text), "{text}");
        }
        for text in ["", "010", "08", "00", "1.5", "0x10", "1_000", "text", "99999999999999999999"] {
            assert!(!is_int(text), "{text}");
        }
    }
}
