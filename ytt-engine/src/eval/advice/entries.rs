//! A value that code takes of a dict by a name or in a loop: the entries of the dict that are of its type, and where these
//! are set.

use super::super::host::Host;
use super::calls::article;
use super::code_of;
use super::origin::{self, Origins, described, name_of, place_of};
use crate::diag::{Diagnostic, PathStep};
use crate::source::Span;
use crate::template::code::{Binder, FileCode};
use crate::template::written::{self, CodeStep};
use crate::yaml::{NodeId, Val};

/// Entries that are shown.
const SHOWN: usize = 3;
/// Entries of a dict that is looked at.
const MOST: usize = 50;

/// An entry of a dict that is written out.
struct Entry {
    key: String,
    value: Span,
    item: Option<NodeId>,
}

/// Adds to a problem of a value of this type the entries of a dict which it may be.
pub(super) fn told(
    host: &Host<'_>,
    origins: &Origins<'_, '_>,
    told: Diagnostic,
    value: Span,
    kind: &str,
) -> Diagnostic {
    let Some((dict, frame)) = dict_of(host, origins, value) else { return told };
    let mut told = told;
    for Entry { key, value, item } in of_kind(host, origins, (dict, frame), kind) {
        told = told.label(value, format!("`{key}` is {} here", article(kind)));
        let Some((item, place)) = item.and_then(|item| Some((item, place_of(host, item)?))) else { continue };
        let name = name_of(host, item, &code_of(&host.sources, value));
        let arena = host.arena.borrow();
        told = told.label(place, format!("`{name}` is {}", described(&arena, arena.value(item))));
    }
    told
}

/// The dict that is written out of which a value is taken, and the frame that it stands in.
fn dict_of(host: &Host<'_>, origins: &Origins<'_, '_>, value: Span) -> Option<(Span, usize)> {
    let sources = &host.sources;
    let path = written::path(sources, value)?;
    let dict = match path.steps[..] {
        [CodeStep::Any] => path.root,
        [] => {
            let source = sources.get(value.source);
            let bound = FileCode::read(&source, value.source)?.bound(path.root, &code_of(sources, path.root))?;
            let Binder::Loop { vars, over } = bound.by else { return None };
            // Of a dict itself these are the keys.
            let (list, name) = origin::turn(sources, vars, over).filter(|(list, _)| *list != over)?;
            (name == code_of(sources, path.root)).then_some(list)?
        }
        _ => return None,
    };
    let is_dict = |code: Span| written::choices(sources, code).is_some() && code_of(sources, code).starts_with('{');
    if is_dict(dict) {
        return Some((dict, 0));
    }
    origins.given_by(dict, 0).filter(|(code, _)| is_dict(*code))
}

/// The entries whose values are of a type, as far as that is known.
fn of_kind(host: &Host<'_>, origins: &Origins<'_, '_>, (dict, frame): (Span, usize), kind: &str) -> Vec<Entry> {
    let keys = written::choices(&host.sources, dict).filter(|keys| keys.len() <= MOST).unwrap_or_default();
    let entry = |key: String| {
        let value = written::within(&host.sources, dict, &[PathStep::Key(&key)])?.value;
        let item = origins.only(value, frame);
        let is_it = match item {
            Some(item) => is_of(host.arena.borrow().value(item), kind),
            None => is_literal(&code_of(&host.sources, value), kind),
        };
        is_it.then_some(Entry { key, value, item })
    };
    keys.into_iter().filter_map(entry).take(SHOWN).collect()
}

fn is_of(value: Val, kind: &str) -> bool {
    matches!(
        (value, kind),
        (Val::Int(_) | Val::UInt(_), "int")
            | (Val::Float(_), "float")
            | (Val::Bool(_), "bool")
            | (Val::Null, "NoneType")
    )
}

fn is_literal(code: &str, kind: &str) -> bool {
    match kind {
        "int" => !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_digit()),
        "float" => code.contains('.') && code.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'),
        "bool" => matches!(code, "True" | "False"),
        "NoneType" => code == "None",
        _ => false,
    }
}
