//! A field that has the name of a variable which holds keys of the map: `services.name` for `services[name]`.

use super::super::host::Host;
use super::origin::Origins;
use super::{code_of, items};
use crate::diag::Diagnostic;
use crate::nearest::only;
use crate::source::{SourceMap, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::written;
use crate::yaml::{NodeId, Val};

/// Tells of a field that a struct, dict or fragment does not have, where a loop or function around it sets a variable of that
/// name to keys of it.
pub(super) fn told(host: &Host<'_>, data: Val, problem: &Diagnostic, (kind, name): (&str, &str)) -> Option<Diagnostic> {
    let (sources, place) = (&host.sources, problem.parts().labels.first()?.span);
    let of = match code_of(sources, place) == name {
        true => items::receiver(host, place)?,
        false => written::receiver(sources, place)?,
    };
    let start = of.end.checked_add(1)?;
    let field = Span { start, end: start.checked_add(to_u32(name.len()))?, ..of };
    let source = sources.get(of.source);
    let behind = source.written(Span { start: field.end, end: source.line_range(source.line(field.end)).end, ..of })?;
    if code_of(sources, field) != name || behind.trim_start().starts_with('(') {
        return None;
    }
    let code = host.may_advise(source.text.as_bytes().len()).then(|| FileCode::read(&source, of.source))??;
    let bound = code.bound(field, name)?;
    let trace = problem.parts().trace.clone();
    let origins = Origins::new(host, data, &trace);
    let map = only(origins.values(of)).and_then(|value| host.arena.borrow().map_of(value));
    let set = match bound.by {
        Binder::Loop { vars, over } if code.turns(field).contains(&(vars, over)) => {
            let first = code_of(sources, vars);
            let is_first = first.trim_start_matches('(').split(',').next().map(str::trim) == Some(name);
            let is_key = is_first && is_over_keys(sources, &origins, (over, first.contains(',')), of, map);
            (is_key || is_among(host, &origins.values(field), map)).then_some("this loop sets")?
        }
        Binder::Parameter(Some(_)) => {
            let given = origins.given_by(field, 0).map(|(given, _)| code_of(sources, given));
            let text = given.as_deref().and_then(|given| given.strip_prefix('"')?.strip_suffix('"'));
            let has_it = |key: &str| map.is_some_and(|map| host.arena.borrow().find_str(map, key).is_some());
            (text.is_some_and(has_it) || is_among(host, &origins.values(field), map)).then_some("a call gives")?
        }
        _ => return None,
    };
    let mut told = problem.clone().relabel(format!("this is the field `{name}`, whatever the variable `{name}` is"));
    let parts = told.parts_mut();
    // A field that is spelt alike is not meant then.
    parts.labels.truncate(1);
    parts.helps.clear();
    parts.word = None;
    let mut told = told.label(bound.name, format!("`{name}` is a key of the map, which {set}"));
    let of_code = code_of(sources, of);
    let text = format!("to take the key that `{name}` has, write `{of_code}[{name}]`");
    // All that reads it in that way, as far as the variable is the same one. What a fragment has below has no fields, either;
    // what a dict has may be anything.
    let ends = code.ends_of(of);
    let edit = |with_keys: bool| {
        let parts = ends.iter().filter_map(|start| {
            let field = Span {
                start: start.checked_add(1)?,
                end: start.checked_add(1)?.checked_add(to_u32(name.len()))?,
                ..of
            };
            let is_it = source.written(field) == Some(name) && code.bound(field, name).as_ref() == Some(&bound);
            let below = code.chain_as_keys(field.end).filter(|_| with_keys);
            let is_whole = |rest: &str| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_');
            let rest =
                source.written(Span { start: field.end, end: source.line_range(source.line(field.end)).end, ..of })?;
            let (end, keys) = below.map_or((field.end, String::new()), |(span, keys)| (span.end, keys));
            (is_it && is_whole(rest)).then(|| (Span { start: *start, end, ..of }, format!("[{name}]{keys}")))
        });
        let parts: Vec<(Span, String)> = parts.collect();
        source.replaced(parts.iter().map(|(span, new)| (*span, new.as_str())))
    };
    let (span, new) = edit(kind == "yamlfragment")?;
    told = told.help_edit(text.clone(), span, new.clone());
    if kind == "struct" {
        return Some(told);
    }
    told = told.if_it_mends();
    match edit(true).filter(|(_, keys)| kind == "dict" && *keys != new) {
        Some((span, new)) => Some(told.help_edit(text, span, new).if_it_mends()),
        None => Some(told),
    }
}

/// Does a loop go over the keys of the map that code reads of?
fn is_over_keys(
    sources: &SourceMap,
    origins: &Origins<'_, '_>,
    (over, is_pair): (Span, bool),
    of: Span,
    map: Option<NodeId>,
) -> bool {
    let mut at = over;
    let mut has_items = false;
    for _ in 0..3 {
        let method = written::callee(sources, at).map(|callee| code_of(sources, callee)).unwrap_or_default();
        at = match method.rsplit('.').next() {
            Some("items") => {
                has_items = true;
                written::receiver(sources, at).unwrap_or(at)
            }
            Some("keys") => written::receiver(sources, at).unwrap_or(at),
            Some("sorted" | "reversed" | "list" | "dir" | "decode") => {
                let given = written::call(sources, at).unwrap_or_default();
                given.first().map_or(at, |argument| argument.value)
            }
            _ => break,
        };
    }
    let is_same = || map.is_some() && only(origins.values(at)).and_then(|value| origins.map_of(value)) == map;
    has_items == is_pair && (code_of(sources, at) == code_of(sources, of) || is_same())
}

/// Are these texts, each of which is a key of the map?
fn is_among(host: &Host<'_>, values: &[Val], map: Option<NodeId>) -> bool {
    let arena = host.arena.borrow();
    let is_key = |value: &Val| {
        let key = host.text(*value).and_then(|key| String::from_utf8(key).ok());
        key.zip(map).is_some_and(|(key, map)| arena.find_str(map, &key).is_some())
    };
    !values.is_empty() && values.iter().all(is_key)
}
