//! A field that a map of data values does not have: where the map is and what it has, and what has the name in a map below.

use super::super::host::Host;
use super::super::scope::SourceUnit;
use super::library::LIBRARIES;
use super::operands::items_named;
use super::origin::Origins;
use super::{code_of, items, member, schemas};
use crate::diag::Diagnostic;
use crate::source::{SourceId, Span};
use crate::yaml::Val;
use crate::yaml::words::key_text;

/// Keys whose lines are shown.
const SHOWN: usize = 4;

/// Tells of a struct that comes from data values, where nothing else was told.
pub(super) fn told(host: &Host<'_>, unit: &SourceUnit, data: Val, problem: &mut Diagnostic, name: &str) {
    let parts = problem.parts();
    let ([label], true) = (&parts.labels[..], parts.helps.is_empty()) else { return };
    let place = label.span;
    // The data values are those of one library.
    let library = |source: SourceId| {
        let name = host.sources.get(source).name.clone();
        let at = name.rfind(LIBRARIES)?.checked_add(LIBRARIES.len())?;
        let end = name.get(at..)?.find('/')?.checked_add(at)?;
        Some(name.get(..end)?.to_owned())
    };
    let own = library(place.source);
    if own != library(unit.source) {
        return;
    }
    let Some(of) = items::receiver(host, place) else { return };
    let trace = parts.trace.clone();
    let origins = Origins::new(host, data, &trace);
    let [value] = origins.values(of)[..] else { return };
    let item = origins.only(of, 0);
    // What the application around a library has is told there.
    if item.is_none() && own.is_some() {
        return;
    }
    let below = items_named(host, value, name);
    let is_plain = |path: &str| !path.contains("..") && path.split('.').all(|key| member("", key).starts_with('.'));
    let below: Vec<_> = below.into_iter().filter(|(path, _)| is_plain(path)).collect();
    let arena = host.arena.borrow();
    let Some(map) = arena.map_of(value) else { return };
    let code = code_of(&host.sources, of);
    if let [(path, inner)] = &below[..]
        && let Some((group, _)) = path.rsplit_once('.')
    {
        let told = problem.clone().label_at(arena.span_of(*inner), format!("`{name}` is here, in `{code}.{group}`"));
        *problem = told.help_edit(format!("did you mean `{code}.{path}`?"), place, path.as_str());
        return;
    }
    let own = item.and_then(|item| arena.span_of(item));
    let keys: Vec<(String, Span)> = arena
        .items(map)
        .iter()
        .filter_map(|item| Some((key_text(&arena, arena.key(*item)), arena.span_of(*item)?)))
        .collect();
    let mut told = problem.clone().label_at(own, format!("`{code}` is this map, which has no `{name}`"));
    if keys.len() <= SHOWN {
        told = keys.iter().fold(told, |told, (key, place)| told.label(*place, format!("it has `{key}`")));
    }
    *problem = match below.len() {
        0 | 1 => {
            let new =
                if schemas::are_there(host) { "declare it beside them in the schema" } else { "set it beside them" };
            told.help(format!("did you mean one of these fields? If `{name}` is a new data value, {new}"))
        }
        _ => {
            let all: Vec<String> = below.iter().take(3).map(|(path, _)| format!("`{code}.{path}`")).collect();
            told.help(format!("there is {}", all.join(", ")))
        }
    };
}
