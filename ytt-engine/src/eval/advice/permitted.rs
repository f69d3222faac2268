//! Conditions of an assertion that look for a value in a dict or list: what there is, and which of it was probably meant.

use super::super::host::Host;
use super::assertions::Looked;
use super::code_of;
use super::origin::Origins;
use crate::diag::{Diagnostic, Label, suggest};
use crate::quoted;
use crate::source::Span;
use crate::template::code::{Binder, Bound, FileCode};
use crate::template::{outline, word, written};
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::words::key_text;
use crate::yaml::{Body, Val};

/// Names that are followed.
const STEPS: usize = 4;
/// Items of a data value that are looked at.
const ITEMS: usize = 200;

/// What a condition asks for.
struct Asked {
    value: Span,
    /// Where what is permitted is written, if it is not in the condition itself.
    place: Option<Span>,
    name: String,
    permitted: Vec<String>,
    /// The dict or list that is written out with it.
    within: Option<Span>,
}

/// Adds what a condition permits, and the part of it that is near to the value that was looked at.
pub(super) fn told(
    host: &Host<'_>,
    origins: &Origins<'_, '_>,
    told: Diagnostic,
    code: &FileCode,
    (condition, holds): (Span, bool),
    looked: &[Looked],
) -> Diagnostic {
    let Some(asked) = asked(host, origins, code, (condition, holds)) else { return told };
    let Asked { value, place, name, permitted, within } = asked;
    let Some(listed) = suggest::listed(permitted.iter().map(String::as_str)) else { return told };
    // Those that call a library are told what it said.
    let text = format!("`{name}` has: {listed}");
    let place =
        place.filter(|place| told.parts().labels.iter().all(|label| label.span != *place || label.text != text));
    let told = told.label_at(place, text);
    let one = looked.iter().find(|one| one.code == value).or_else(|| match origins.only(value, 0) {
        Some(item) => looked.iter().find(|one| one.item == item),
        None => looked.iter().find(|one| is_same(host, code, one.code, value)),
    });
    let Some(one) = one else { return told };
    let arena = host.arena.borrow();
    let text = arena.str(arena.value(one.item)).filter(|text| permitted.iter().all(|key| key != text));
    let Some(text) = text else { return told };
    let same = permitted.iter().find(|key| key.to_lowercase() == text.to_lowercase());
    let meant = suggest::meant(text, permitted.iter().map(String::as_str));
    let Some(near) = same.map(String::as_str).or_else(|| meant.only()) else {
        return match &meant.names[..] {
            [] => told,
            several => told.help(format!("did you mean {}?", suggest::either(several))),
        };
    };
    let help = format!("did you mean `{near}`?");
    let edits = [one.place].into_iter().chain(one.also.iter().copied());
    let edits = edits.map(|place| edit_of(host, (place, text), near)).collect::<Option<Vec<_>>>();
    let edit = edits.filter(|edits| edits.iter().all(|(span, _)| span.source == one.place.source));
    let edit = edit.and_then(|mut edits| {
        edits.sort_unstable_by_key(|(span, _)| span.start);
        host.sources.get(one.place.source).replaced(edits.iter().map(|(span, new)| (*span, new.as_str())))
    });
    let told = match edit {
        Some((span, new)) => told.help_edit(help, span, new),
        None => told.help(help),
    };
    let entry = within.and_then(|within| written::string(&host.sources, within, near));
    let entry = entry.filter(|entry| told.parts().labels.iter().all(|label| !label.span.holds(*entry)));
    let entry = entry.map(|span| Label { span, text: format!("`{name}` has `{near}` here") });
    let told = told.proposing(near).beside_help(entry);
    // A value that is not known may be a new one.
    if same.is_some() { told } else { told.guessing() }
}

/// Does code at two places of a function mean the same, by a name that is bound once?
fn is_same(host: &Host<'_>, code: &FileCode, one: Span, other: Span) -> bool {
    let root = |of: Span| written::path(&host.sources, of).map(|path| path.root);
    let is_one = one.source == other.source && code_of(&host.sources, one) == code_of(&host.sources, other);
    let [Some(first), Some(second)] = [one, other].map(root) else { return false };
    let name = code_of(&host.sources, first);
    is_one && code.is_bound_once(first, &name) && code.bound(first, &name) == code.bound(second, &name)
}

/// The edit of a value where it is written.
pub(super) fn edit_of(host: &Host<'_>, (place, text): (Span, &str), near: &str) -> Option<(Span, String)> {
    let code = code_of(&host.sources, place);
    if code == quoted::go(text.as_bytes()) {
        return Some((place, quoted::go(near.as_bytes())));
    }
    (code == text && needs_no_quotes(near)).then(|| (place, near.to_owned()))
}

/// A condition that did not find a value, or found none but these.
fn asked(
    host: &Host<'_>,
    origins: &Origins<'_, '_>,
    code: &FileCode,
    (condition, holds): (Span, bool),
) -> Option<Asked> {
    if let Some((value, of)) = got(host, code, condition, holds) {
        let name = code_of(&host.sources, of);
        let (place, permitted, within) = written_out(host, code, of).or_else(|| in_data(host, origins, of))?;
        return Some(Asked { value, place: Some(place), name, permitted, within });
    }
    // `not a in b` is `a not in b`.
    let negated = code_of(&host.sources, condition).starts_with("not ");
    let start = if negated { condition.start.checked_add(4)? } else { condition.start };
    let [value, of] = written::operands(&host.sources, Span { start, ..condition })?;
    let between = code_of(&host.sources, Span { start: value.end, end: of.start, ..value });
    let asks_in = negated == holds;
    let is_in = between.split_whitespace().eq(if asks_in { &["in"][..] } else { &["not", "in"] }.iter().copied());
    is_in.then_some(())?;
    if let Some(permitted) = written::choices(&host.sources, of) {
        return Some(Asked { value, place: None, name: String::new(), permitted, within: None });
    }
    let of = keys_of(host, of);
    let name = code_of(&host.sources, of);
    let (place, permitted, within) = written_out(host, code, of).or_else(|| in_data(host, origins, of))?;
    Some(Asked { value, place: Some(place), name, permitted, within })
}

/// The key and the dict of `dict.get(key)`, where a condition finds that it gave nothing.
fn got(host: &Host<'_>, code: &FileCode, condition: Span, holds: bool) -> Option<(Span, Span)> {
    let text = code_of(&host.sources, condition);
    let subject = match (written::operands(&host.sources, condition), text.strip_prefix("not ")) {
        (Some([value, none]), _) => {
            let between = code_of(&host.sources, Span { start: value.end, end: none.start, ..value });
            let is_none = code_of(&host.sources, none) == "None" && between.trim() == if holds { "==" } else { "!=" };
            is_none.then_some(value)?
        }
        (None, Some(_)) if holds => Span { start: condition.start.checked_add(4)?, ..condition },
        (None, None) if !holds => condition,
        _ => return None,
    };
    let name = code_of(&host.sources, subject);
    let value = match code.bound(subject, &name).filter(|_| code.is_bound_once(subject, &name)) {
        Some(Bound { by: Binder::Value(value), .. }) => value,
        _ => subject,
    };
    let function = written::callee(&host.sources, value)?;
    let [key] = written::call(&host.sources, value)?[..] else { return None };
    let of = code_of(&host.sources, function).ends_with(".get").then(|| written::receiver(&host.sources, value))??;
    Some((key.value, of))
}

/// The dict whose keys `d.keys()` gives, or the code itself.
fn keys_of(host: &Host<'_>, of: Span) -> Span {
    let is_keys = |function: Span| code_of(&host.sources, function).ends_with(".keys");
    match written::callee(&host.sources, of).filter(|function| is_keys(*function)) {
        Some(_) => written::receiver(&host.sources, of).unwrap_or(of),
        None => of,
    }
}

/// Does a file put more into what a name has, or take it out?
fn is_changed(text: &str, name: &str) -> bool {
    const CHANGING: [&str; 9] =
        ["append", "clear", "extend", "insert", "pop", "popitem", "remove", "setdefault", "update"];
    word::whole(text, name).any(|at| {
        let behind = text.get(at.saturating_add(name.len())..).unwrap_or_default();
        let line = behind.lines().next().unwrap_or_default();
        let method = line.strip_prefix('.').and_then(|rest| rest.split_once('(')).map(|(method, _)| method.trim());
        let target = line.split_once(']').filter(|_| line.starts_with('[')).map_or(line, |(_, rest)| rest).trim_start();
        let is_set = line.starts_with('[') && target.starts_with('=') && !target.starts_with("==");
        let is_added = ["+=", "|="].iter().any(|sign| target.starts_with(sign));
        method.is_some_and(|method| CHANGING.contains(&method)) || is_set || is_added
    })
}

/// Where what is permitted is named, the keys or items, and the dict or list of them, if code writes it out.
type Permitted = (Span, Vec<String>, Option<Span>);

/// Where a dict or list that is written out gets its name, and its keys or items.
fn written_out(host: &Host<'_>, code: &FileCode, of: Span) -> Option<Permitted> {
    let name = code_of(&host.sources, of);
    let bound = code.bound(of, &name).filter(|_| code.is_bound_once(of, &name))?;
    let (place, set_to) = match bound.by {
        Binder::Value(value) => {
            let source = host.sources.get(of.source);
            (!is_changed(source.text.as_str()?, &name)).then_some(())?;
            (bound.name, value)
        }
        Binder::Load => {
            let (file, own) = outline::home(&host.sources, of.source, &name)?;
            let source = host.sources.get(file);
            host.may_advise(source.text.as_bytes().len()).then_some(())?;
            (!is_changed(source.text.as_str()?, &own)).then_some(())?;
            (outline::defined(&source, file, &own)?, outline::value(&source, file, &own)?)
        }
        _ => return None,
    };
    let mut set_to = set_to;
    for _ in 0..STEPS {
        if let Some(keys) = written::choices(&host.sources, set_to) {
            return Some((place, keys, Some(set_to)));
        }
        set_to = keys_of(host, written::passed_on(&host.sources, set_to).filter(|inner| *inner != set_to)?);
    }
    None
}

/// The keys of a map of data values, or the items of a list, and where it stands.
fn in_data(host: &Host<'_>, origins: &Origins<'_, '_>, of: Span) -> Option<Permitted> {
    let item = origins.only(of, 0)?;
    let arena = host.arena.borrow();
    let Val::Node(inner) = arena.value(item) else { return None };
    let items = arena.items(inner);
    let texts = items.iter().take(ITEMS).map(|item| match arena.get(*item).body {
        Body::MapItem(key, _) => Some(key_text(&arena, key)),
        _ => arena.str(arena.value(*item)).map(str::to_owned),
    });
    let texts: Vec<String> = texts.collect::<Option<_>>()?;
    let place = arena.place_of(item)?.key();
    (!texts.is_empty() && items.len() <= ITEMS).then_some((place, texts, None))
}
