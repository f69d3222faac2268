//! Values of flags that no schema declares, where the schema itself is wrong: its documents say which keys there are, and
//! the flags would be told of in the next run else.

use super::values::{GivenContent, GivenValue};
use crate::diag::path::push_key;
use crate::diag::{Code, Diagnostic, suggest};
use crate::validate::key_text;
use crate::yaml::{Arena, NodeId, PosId, Val};

/// What lets a map take other keys than those that are written in it.
const TYPE: &str = "schema/type";

/// The problems of values that are given by a path of keys.
pub(super) fn undeclared(arena: &Arena, schemas: &[NodeId], given: &[GivenValue]) -> Vec<Diagnostic> {
    let paths = given.iter().filter(|given| given.route.is_here()).filter_map(|given| match &given.content {
        GivenContent::Path(keys, _) => Some(keys),
        _ => None,
    });
    paths.filter_map(|keys| of_path(arena, schemas, keys)).collect()
}

fn of_path(arena: &Arena, schemas: &[NodeId], keys: &[(Val, PosId)]) -> Option<Diagnostic> {
    let mut around: Vec<NodeId> = schemas.to_vec();
    let (mut path, mut group) = (String::new(), String::new());
    for (key, pos) in keys {
        let maps = || around.iter().filter_map(|item| arena.map_of(arena.value(*item)));
        let is_open = around.iter().any(|item| arena.ann(*item, TYPE).is_some());
        // Below what is no map the type is wrong, not the key.
        if is_open || maps().next().is_none() {
            return None;
        }
        push_key(&mut path, &key_text(arena, *key));
        let found: Vec<NodeId> = maps().filter_map(|map| arena.find(map, *key)).collect();
        if found.is_empty() {
            let name = key_text(arena, *key);
            let all: Vec<NodeId> = maps().flat_map(|map| arena.items(map)).copied().collect();
            let names: Vec<String> = all.iter().map(|item| key_text(arena, arena.key(*item))).collect();
            let near = suggest::similar(&name, names.iter().map(String::as_str));
            let told = Diagnostic::error(Code::SCHEMA_UNDECLARED, "Given data value is not declared in schema")
                .label(arena.place(*pos)?.key(), format!("found: {name}, but no `{path}` is declared"));
            let own = around.first().and_then(|item| arena.place_of(*item)).map(|place| place.key());
            let told = told.label_at(own.filter(|_| !group.is_empty()), format!("`{group}` is declared here"));
            let keys = suggest::listed(names.iter().map(String::as_str));
            return Some(match (near, keys) {
                (Some(near), _) => {
                    let mut meant = group;
                    push_key(&mut meant, near);
                    told.help(format!("did you mean `{meant}`?"))
                }
                (None, Some(keys)) => told.help(format!("declared keys of this map: {keys}")),
                (None, None) => told,
            });
        }
        around = found;
        group.clone_from(&path);
    }
    None
}
