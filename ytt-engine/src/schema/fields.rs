//! Fields that a rule reads of a map: what YAML gives has keys.

use crate::diag::{Diagnostic, Fact, Label};
use crate::source::SourceMap;
use crate::template::code::FileCode;
use crate::template::{chain, written};
use crate::yaml::{Arena, NodeId, Val};

/// Other places that are marked.
const MARKED: usize = 3;

/// Items of an array that are asked for keys.
const LOOKED: usize = 20;

/// Adds to a rule that crashed the edit that reads all keys of a map by index that its function reads as fields; `value` is
/// what the rule judges, the map or the array that has it.
pub(super) fn as_keys(
    (sources, arena): (&SourceMap, &Arena),
    told: &Diagnostic,
    crash: &Diagnostic,
    value: Val,
) -> Option<Diagnostic> {
    let Some(Fact::NoMember { kind, name, near: None, .. }) = &crash.parts().fact else { return None };
    let place = crash.parts().labels.first()?.span;
    let source = sources.get(place.source);
    let code = FileCode::read(&source, place.source)?;
    let place = code.field_in(place, name)?;
    let of = source.written(place)?.strip_suffix(name.as_str())?.strip_suffix('.')?;
    let maps = maps(arena, value);
    let has_key = |key: &str| maps.iter().any(|map| arena.find_str(*map, key).is_some());
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    if kind != "yamlfragment" || !has_key(name) || !of.chars().all(is_name) {
        return None;
    }
    let fields = code.keys_as_fields(place, of, &has_key)?;
    let others = fields.iter().filter(|(span, _)| span.end != place.end).take(MARKED);
    let others: Vec<Label> = others.map(|(span, _)| Label { span: *span, text: "the same here".to_owned() }).collect();
    let (span, new) = source.replaced(fields.iter().map(|(span, new)| (*span, new.as_str())))?;
    let told = told.clone().help_edit("what YAML gives has keys, no fields", span, new).if_it_mends();
    Some(told.beside_help(others))
}

/// Adds to a condition that crashed the edit that reads by keys what it reads as fields of a map, such as of `ctx.root`.
pub(super) fn of_condition(sources: &SourceMap, told: &Diagnostic, crash: &Diagnostic) -> Option<Diagnostic> {
    let Some(Fact::NoMember { kind, name, near: None, .. }) = &crash.parts().fact else { return None };
    let place = crash.parts().labels.first()?.span;
    let source = sources.get(place.source);
    let code = FileCode::read(&source, place.source)?;
    let of = written::receiver(sources, place)?;
    let is_field = source.written(place)?.strip_prefix(source.written(of)?)?.strip_prefix('.')? == name;
    // Annotations are no code of the file.
    let (span, new) = code.chains_as_keys(of).or_else(|| chain::as_keys_on_line(&source, of))?;
    (kind == "yamlfragment" && is_field)
        .then(|| told.clone().help_edit("what YAML gives has keys, no fields", span, new).if_it_mends())
}

/// A map itself, or those that an array has.
fn maps(arena: &Arena, value: Val) -> Vec<NodeId> {
    match (arena.map_of(value), value) {
        (Some(map), _) => vec![map],
        (None, Val::Node(array)) => {
            let items = arena.items(array).iter().take(LOOKED);
            items.filter_map(|item| arena.map_of(arena.value(*item))).collect()
        }
        (None, _) => Vec::new(),
    }
}
