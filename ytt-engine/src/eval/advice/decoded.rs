//! A key that an item of a decoded file lacks: where the item stands, and whether the others in its list have the key.

use std::sync::Arc;

use super::super::host::Host;
use super::dicts::keys_there;
use crate::diag::{Diagnostic, NoteKind, suggest};
use crate::quoted;
use crate::source::{Origin, Source, SourceId, Span, to_u32};
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::words::key_text;
use crate::yaml::{Arena, Body, NodeId, ReadOptions, Val, read};

/// Endings of files that code decodes and that the YAML reader reads.
const ENDINGS: [&str; 3] = [".json", ".yml", ".yaml"];

/// Adds to a problem of a dict that has `keys` and not `wanted` the item of a file that the dict was decoded from.
pub(super) fn lacks(host: &Host<'_>, problem: &mut Diagnostic, wanted: &str, keys: &[String]) {
    if keys.is_empty() {
        return;
    }
    for (number, source) in host.sources.all().iter().enumerate() {
        if !is_data(source) {
            continue;
        }
        if !host.may_advise(source.text.as_bytes().len()) {
            return;
        }
        let mut arena = Arena::new(host.limits.depth);
        let options = ReadOptions::new(false, &host.limits);
        let Ok(file) = read(&mut arena, &host.sources, SourceId(to_u32(number)), &options) else { continue };
        if let Some(found) = find(&arena, file.root, wanted, keys) {
            *problem = told(host, &arena, problem.clone(), (wanted, keys), &found);
            return;
        }
    }
}

/// A file without code, as people decode them.
fn is_data(source: &Arc<Source>) -> bool {
    !matches!(source.origin, Origin::Flag | Origin::Rust(_))
        && ENDINGS.iter().any(|ending| source.name.ends_with(ending))
        && source.text.as_str().is_some_and(|text| !text.contains("#@") && !text.contains("(@"))
}

/// The map that lacks a key, and the item with this key in a map beside it.
struct Found {
    map: NodeId,
    beside: Option<NodeId>,
}

/// The first map with just these keys that stands beside one with the wanted key, or the only map with these keys.
fn find(arena: &Arena, root: NodeId, wanted: &str, keys: &[String]) -> Option<Found> {
    let is_it = |map: NodeId| {
        let items = arena.items(map);
        items.len() == keys.len() && items.iter().zip(keys).all(|(item, key)| key_text(arena, arena.key(*item)) == *key)
    };
    let mut alone = Vec::new();
    let mut open = vec![root];
    while let Some(container) = open.pop() {
        let items = arena.items(container);
        let maps = || items.iter().filter_map(|item| arena.map_of(arena.value(*item)));
        let here: Vec<NodeId> = maps().filter(|map| is_it(*map)).collect();
        if let [map, ..] = here[..] {
            let is_group = matches!(arena.get(container).body, Body::Array(_) | Body::Map(_));
            let beside = maps().find_map(|map| arena.find_str(map, wanted)).filter(|_| is_group);
            if beside.is_some() {
                return Some(Found { map, beside });
            }
            alone.extend(here);
        }
        let below = items.iter().rev().filter_map(|item| match arena.value(*item) {
            Val::Node(inner) => Some(inner),
            _ => None,
        });
        open.extend(below);
    }
    match alone[..] {
        [map] => Some(Found { map, beside: None }),
        _ => None,
    }
}

fn told(
    host: &Host<'_>,
    arena: &Arena,
    told: Diagnostic,
    (wanted, keys): (&str, &[String]),
    found: &Found,
) -> Diagnostic {
    let near = suggest::similar(wanted, keys.iter().map(String::as_str));
    let items = arena.items(found.map);
    let place = |item: &NodeId| arena.place_of(*item).map(|place| place.key());
    let nearest = near.and_then(|near| place(&arena.find_str(found.map, near)?));
    let mut told = told;
    match (nearest, &found.beside) {
        (Some(span), None) => return told.label(span, "nearest key"),
        (Some(span), Some(_)) => told = told.label(span, format!("this item has no `{wanted}`")),
        (None, _) => {
            if let Some(listed) = suggest::listed(keys.iter().map(String::as_str)) {
                told.parts_mut().notes.retain(|note| note.kind != NoteKind::Text || note.text() != keys_there(&listed));
                told = told.label_at(items.first().and_then(place), format!("this item has: {listed}"));
            }
        }
    }
    let Some(other) = &found.beside else { return told };
    told = told.label_at(place(other), format!("others have `{wanted}`"));
    told.parts_mut().helps.clear();
    let general = || {
        let code = "let the code do without it: `.get(…)` gives `None` for a key that is not there";
        format!("write `{wanted}` in this item, or {code}")
    };
    match nearest.and_then(|span| written(host, span, near?, wanted)) {
        Some((span, new)) => told.help_edit(format!("did you mean `{wanted}`, as in the others?"), span, new),
        None => told.help(general()),
    }
}

/// The edit of a key as it is written, in its quotes if it has any.
fn written(host: &Host<'_>, span: Span, near: &str, wanted: &str) -> Option<(Span, String)> {
    let source = host.sources.get(span.source);
    let text = source.written(span)?;
    if text == near && needs_no_quotes(wanted) {
        return Some((span, wanted.to_owned()));
    }
    let is_quoted = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) == Some(near);
    is_quoted.then(|| (span, quoted::go(wanted.as_bytes())))
}
