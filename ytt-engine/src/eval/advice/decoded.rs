//! A key that an item of a decoded file lacks: where the item stands, and whether the others in its list have the key.

use std::sync::Arc;

use super::super::host::Host;
use super::lacking::Lacking;
use super::tables;
use crate::diag::Diagnostic;
use crate::source::{Origin, Source, SourceId, to_u32};
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
            let code = "let the code do without it: `.get(…)` gives `None` for a key that is not there";
            let otherwise = format!("write `{wanted}` in this item, or {code}");
            *problem = found.told((host, &arena), problem.clone(), wanted, &otherwise);
            return;
        }
    }
    tables::lacks(host, problem, wanted, keys);
}

/// A file without code, as people decode them.
fn is_data(source: &Arc<Source>) -> bool {
    !matches!(source.origin, Origin::Flag | Origin::Rust(_))
        && ENDINGS.iter().any(|ending| source.name.ends_with(ending))
        && source.text.as_str().is_some_and(|text| !text.contains("#@") && !text.contains("(@"))
}

/// The first map with just these keys that stands beside one with the wanted key, or the only map with these keys.
fn find(arena: &Arena, root: NodeId, wanted: &str, keys: &[String]) -> Option<Lacking> {
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
            let other = maps().find_map(|map| arena.find_str(map, wanted)).filter(|_| is_group);
            if other.is_some() {
                return Some(Lacking { map, other });
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
        [map] => Some(Lacking { map, other: None }),
        _ => None,
    }
}
