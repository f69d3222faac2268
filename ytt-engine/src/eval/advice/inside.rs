//! A field that a map of data values does not have: where the map is and what it has, and what has the name in a map below.

use super::super::host::Host;
use super::super::scope::SourceUnit;
use super::library::LIBRARIES;
use super::operands::items_named;
use super::origin::Origins;
use super::replaced::{self, Lone};
use super::{code_of, items, member};
use crate::diag::{Diagnostic, suggest};
use crate::source::{Source, SourceId, Span, to_u32};
use crate::template::code::FileCode;
use crate::yaml::words::key_text;
use crate::yaml::{Arena, NodeId, Val};

/// Keys whose lines are shown.
const SHOWN: usize = 4;
/// Names that are looked for in all groups.
const NAMES: usize = 16;

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
    let values = origins.values(of);
    let [value] = values[..] else {
        if let Some(told) = in_none(host, problem, (of, place), &origins.of(of, 0), name) {
            *problem = told;
        }
        return;
    };
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
        *problem = match with_others(host, &arena, (of, place), (map, group)) {
            Some((text, (span, new))) => told.help_edit(text, span, new),
            None => told.help_edit(format!("did you mean `{code}.{path}`?"), place, path.as_str()),
        };
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
    let lone = match arena.items(map) {
        [item] if matches!(arena.value(*item), Val::Node(_)) => {
            arena.span_of(*item).map(|key| Lone { key, is_list: arena.map_of(arena.value(*item)).is_none() })
        }
        _ => None,
    };
    // What is to be done is known, whichever of its helps is.
    if let Some(merged) = own.and_then(|own| replaced::told(host, &told, (own, lone), name)) {
        *problem = merged;
        return;
    }
    *problem = match below.len() {
        0 | 1 => {
            let new =
                if super::has_schema(host) { "declare it beside them in the schema" } else { "set it beside them" };
            told.help(format!("if `{name}` is a new data value, {new}"))
        }
        _ => {
            let all: Vec<String> = below.iter().take(3).map(|(path, _)| format!("`{code}.{path}`")).collect();
            told.help(format!("there is {}", all.join(", ")))
        }
    };
}

/// Where code around reads other fields of the same map that lie in the same group of it: the help for all of them, since each
/// alone would only lead to the next. `place` is the field that was read.
pub(super) fn with_others(
    host: &Host<'_>,
    arena: &Arena,
    (of, place): (Span, Span),
    (map, group): (NodeId, &str),
) -> Option<(String, (Span, String))> {
    let mut keys = group.split('.');
    let inner = keys.try_fold(map, |map, key| arena.map_of(arena.value(arena.find_str(map, key)?)))?;
    let source = host.sources.get(of.source);
    let text = source.text.as_str()?;
    let file = FileCode::read(&source, of.source)?;
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    // Of a name that another group has as well nobody knows which of them is meant.
    let mut known: Vec<(&str, bool)> = Vec::new();
    let mut is_only = |name| match known.iter().find(|(known, _)| *known == name) {
        Some((_, is_only)) => *is_only,
        None => {
            let is_only = known.len() < NAMES && items_named(host, Val::Node(map), name).len() == 1;
            known.push((name, is_only));
            is_only
        }
    };
    let read = |end: u32| {
        let behind = text.get(end as usize..)?.strip_prefix('.')?;
        let name = behind.get(..behind.find(|letter| !is_name(letter)).unwrap_or(behind.len()))?;
        let is_there = arena.find_str(inner, name).is_some() && arena.find_str(map, name).is_none();
        let start = end.saturating_add(1);
        let span = Span { start, end: start, ..of };
        let is_it = is_there && is_only(name) && (start == place.start || !is_asked_for(&source, &file, span, name));
        is_it.then_some((span, name))
    };
    let reads: Vec<_> = file.ends_of(of).into_iter().filter_map(read).collect();
    reads.iter().find(|(span, _)| span.start == place.start)?;
    let mut names: Vec<&str> = Vec::new();
    for (_, name) in &reads {
        if !names.contains(name) {
            names.push(name);
        }
    }
    (reads.len() > 1).then_some(())?;
    let code = code_of(&host.sources, of);
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{code}.{group}.{name}`")).collect();
    let more = if names.len() > SHOWN { ", and so on" } else { "" };
    let new = format!("{group}.");
    let edit = source.replaced(reads.iter().map(|(span, _)| (*span, new.as_str())))?;
    Some((format!("did you mean {}{more}?", suggest::all_of(&shown)), edit))
}

/// Does code around a read ask whether there is such a field, so that it may well be missing?
fn is_asked_for(source: &Source, file: &FileCode, read: Span, name: &str) -> bool {
    let asks = |code: &str| {
        let is_named = [format!("\"{name}\""), format!("'{name}'")].iter().any(|name| code.contains(name.as_str()));
        is_named && ["hasattr(", "getattr("].iter().any(|function| code.contains(function))
    };
    let conditions = file.conditions(read);
    let mut conditions = conditions.iter().filter_map(|(condition, _)| source.written(*condition));
    asks(&source.line_text(source.line(read.start))) || conditions.any(asks)
}

/// A field that none of the items has which a name may be: the first of them, and the field that other code reads in the
/// same way.
fn in_none(
    host: &Host<'_>,
    problem: &Diagnostic,
    (of, place): (Span, Span),
    items: &[NodeId],
    name: &str,
) -> Option<Diagnostic> {
    let arena = host.arena.borrow();
    let maps: Vec<NodeId> = items.iter().map(|item| arena.map_of(arena.value(*item))).collect::<Option<_>>()?;
    if maps.iter().any(|map| arena.find_str(*map, name).is_some()) {
        return None;
    }
    let first = arena.place_of(*items.first()?)?.key();
    let keys = arena.items(*maps.first()?).iter().filter_map(|item| arena.str(arena.key(*item)));
    let keys: Vec<String> = keys.map(str::to_owned).collect();
    let code = code_of(&host.sources, of);
    let new = if super::has_schema(host) { "declare it beside them in the schema" } else { "set it beside them" };
    let shared = keys.iter().map(String::as_str);
    let shared = shared
        .filter(|key| member("", key).starts_with('.') && maps.iter().all(|map| arena.find_str(*map, key).is_some()));
    let meant = suggest::meant(name, shared);
    if let Some(near) = meant.only()
        && let Some(there) = arena.find_str(*maps.first()?, near).and_then(|item| arena.span_of(item))
    {
        let text = format!("`{code}` is one of these items, which have `{near}` and no `{name}`");
        let told = problem.clone().label(there, text);
        let told = told.help_edit(format!("did you mean `{code}.{near}`?"), place, near).guessing();
        return Some(told.help(format!("if `{name}` is a new data value, {new}")));
    }
    let told = problem.clone().label(first, format!("`{code}` is one of these items, which have no `{name}`"));
    if !meant.names.is_empty() {
        return Some(
            told.help(format!(
                "did you mean {}? If `{name}` is a new data value, {new}",
                suggest::either(&meant.names)
            )),
        );
    }
    if let Some((key, other)) = read_alike(host, (of, place), &keys) {
        let told = told.label(other, format!("the same is read of `{key}` here"));
        return Some(told.help_edit(format!("did you mean `{code}.{key}`?"), place, key).guessing());
    }
    Some(told.help(format!("if `{name}` is a new data value, {new}")))
}

/// The one of these keys that other code reads behind the same code: where most of what stands in front of it is the same.
fn read_alike(host: &Host<'_>, (of, place): (Span, Span), keys: &[String]) -> Option<(String, Span)> {
    /// Characters that are the same in front of the name that is read of, at least.
    const LEAST: usize = 8;
    let source = host.sources.get(place.source);
    let line = source.line_range(source.line(place.start)).start;
    let before = source.written(Span { start: line, end: place.start, ..place })?;
    let length = (place.start.checked_sub(of.start)? as usize).checked_add(LEAST)?;
    let tail = before.get(before.len().checked_sub(length)?..)?;
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut found: Vec<(usize, &String, Span)> = Vec::new();
    for (source, id) in host.sources.all().into_iter().zip(0..).map(|(source, id)| (source, SourceId(id))) {
        let Some(text) = source.text.as_str().filter(|text| text.contains(tail)) else { continue };
        if !host.may_advise(text.len()) {
            break;
        }
        for (at, _) in text.match_indices(tail) {
            let end = at.saturating_add(tail.len());
            let behind = text.get(end..).unwrap_or_default().split(|letter| !is_name(letter)).next();
            let Some(key) = keys.iter().find(|key| Some(key.as_str()) == behind) else { continue };
            let above = text.get(..end).unwrap_or_default().bytes().rev();
            let same = above.zip(before.bytes().rev()).take_while(|(one, other)| one == other).count();
            // `name: #@ app.` is no part of `hostname: #@ app.`.
            let goes_on = |text: &str| {
                let at = text.len().saturating_sub(same);
                let [front, first] = [text.get(..at), text.get(at..)].map(Option::unwrap_or_default);
                front.ends_with(is_name) && first.starts_with(is_name)
            };
            if goes_on(before) || goes_on(text.get(..end).unwrap_or_default()) {
                continue;
            }
            let start = to_u32(end);
            found.push((same, key, Span { source: id, start, end: start.saturating_add(to_u32(key.len())) }));
        }
    }
    let most = found.iter().map(|(same, ..)| *same).max()?;
    let mut best = found.into_iter().filter(|(same, ..)| *same == most);
    let (_, key, span) = best.next()?;
    best.all(|(_, other, _)| other == key).then(|| (key.clone(), span))
}
