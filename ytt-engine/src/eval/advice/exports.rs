//! A name that a library does not export: the function that is probably meant, by what the call names and what is called
//! with it, and where it is defined.

use std::collections::BTreeSet;

use std::collections::BTreeMap;

use super::{calls, code_of};
use crate::diag::{Diagnostic, suggest};
use crate::nearest::only;
use crate::source::{SourceMap, Span};
use crate::template::code::{Binder, FileCode};
use crate::template::written::{self, Argument};
use crate::template::{outline, word};

/// Functions of a library that are shown where none is known to be meant.
const SHOWN: usize = 4;

/// Calls of `export` in a file that are looked at.
const ASKED: usize = 20;

/// A call of `export` in a file.
struct Export {
    whole: Span,
    /// What it is set to.
    name: Option<String>,
}

/// Tells of a symbol that none of these is, each with its place.
pub(super) fn told(
    sources: &SourceMap,
    diagnostic: &mut Diagnostic,
    symbol: &str,
    exported: &[(String, Option<Span>)],
) {
    let [label] = &diagnostic.parts().labels[..] else { return };
    let place = label.span;
    let Some(code) = FileCode::read(&sources.get(place.source), place.source) else { return };
    let all = code.calls();
    let is_export = |callee: Span| code_of(sources, callee).ends_with(".export");
    let Some((own, call, _)) = all.iter().rfind(|(callee, whole, _)| whole.holds(place) && is_export(*callee)) else {
        return;
    };
    let export = Export { whole: *call, name: set_to(sources, &code, *call) };
    // What the file has from the library already is hardly meant once more.
    let of_same = all.iter().filter(|(callee, ..)| code_of(sources, *callee) == code_of(sources, *own));
    let asked: Vec<Span> = of_same.filter_map(|(.., given)| Some(given.first()?.value)).collect();
    let is_known = |name: &str| asked.iter().any(|text| written::string(sources, *text, name).is_some());
    let left = || exported.iter().filter(|(name, _)| !is_known(name));
    let names = || left().map(|(name, _)| name.as_str());
    let calls = calls_of(sources, &code, &export);
    let fits = |(_, place): &&(String, Option<Span>)| {
        let parameters = place.and_then(|place| calls::parameters(sources, place));
        parameters.is_some_and(|all| calls.iter().all(|given| calls::fits(sources, given, &all)))
    };
    let meant = suggest::meant(symbol, names());
    let by_name = || export.name.as_deref().map(|name| (name, suggest::meant(name, names())));
    // One argument fits many.
    let tells = |given: &Vec<Argument>| given.len() > 1 || given.iter().any(|one| one.name.is_some());
    let by_calls = || only(left().filter(fits)).filter(|_| calls.iter().any(tells)).map(|(name, _)| name.as_str());
    let (near, text) = match (meant.only(), by_name()) {
        (Some(near), _) => (Some(near), format!("is `{near}` meant?")),
        (None, Some((name, near))) if near.only().is_some() => {
            let near = near.only().unwrap_or_default();
            (Some(near), format!("is `{near}` meant, for `{name}`?"))
        }
        _ => match by_calls() {
            Some(near) => {
                (Some(near), format!("is `{near}` meant? Of those that are left it alone takes these arguments"))
            }
            None => (None, String::new()),
        },
    };
    // Of functions of one name in several files one may be a copy that should have this one.
    let mut homes: BTreeMap<&str, Vec<Span>> = BTreeMap::new();
    for (name, place) in exported {
        homes.entry(name).or_default().extend(*place);
    }
    let copies = homes.iter().filter_map(|(name, places)| Some((*name, copy_of(sources, symbol, name, places)?)));
    let copy = only(copies);
    let mut told = diagnostic.clone();
    let shown = left().filter(|(name, _)| near.map_or(copy.is_none(), |near| near == name));
    for (name, place) in shown.take(SHOWN) {
        told = told.label_at(*place, format!("`{name}` is defined here"));
    }
    *diagnostic = match near {
        Some(near) if code_of(sources, place) == symbol => told.help_edit(text, place, near).guessing(),
        Some(_) => told.help(text),
        None if meant.names.is_empty() => told,
        None => told.help(format!("is {} meant?", suggest::either(&meant.names))),
    };
    if let Some((name, place)) = copy {
        let is_shown = diagnostic.parts().labels.iter().any(|label| label.span == place);
        let text = format!("`{name}` is defined here");
        let told = diagnostic.clone().label_at((!is_shown).then_some(place), text);
        *diagnostic = renamed(told, place, symbol);
    }
}

/// With the help in front that gives a copied function the name that is missing.
pub(super) fn renamed(told: Diagnostic, place: Span, missing: &str) -> Diagnostic {
    let text = format!("call this one `{missing}`, which no file defines");
    let mut told = told.help_edit(text, place, missing).if_it_mends();
    told.parts_mut().helps.rotate_right(1);
    told
}

/// Of the functions of one name that several files of a library have, the one in a file whose own name says that it was copied
/// from another one, and should have the name that is missing: where its name stands.
fn copy_of(sources: &SourceMap, missing: &str, symbol: &str, places: &[Span]) -> Option<Span> {
    let is_it = |place: &&Span| {
        let source = sources.get(place.source);
        let stem = source.name.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
        suggest::has_word_of(stem, missing)
            && !suggest::has_word_of(stem, symbol)
            && suggest::ends_with_same_word(missing, symbol)
    };
    let place = *only(places.iter().filter(is_it))?;
    let source = sources.get(place.source);
    // What uses it by that name would need the other one, too.
    let is_alone = word::whole(source.text.as_str()?, symbol).take(2).count() == 1;
    (places.len() > 1 && is_alone && code_of(sources, place) == symbol).then_some(place)
}

/// The name that a copied function should have, and where to write it: the one that the same code asks for elsewhere, and
/// that no file has.
pub(super) fn copied(sources: &SourceMap, call: Span, symbol: &str, places: &[Span]) -> Option<(String, Span)> {
    let code = FileCode::read(&sources.get(call.source), call.source)?;
    let all = code.calls();
    let (own, ..) = all.iter().find(|(_, whole, _)| *whole == call)?;
    let own = code_of(sources, *own);
    let defines = |name: &str| {
        let head = format!("def {name}(");
        sources.all().iter().any(|source| source.text.as_str().is_some_and(|text| text.contains(&head)))
    };
    let asked = all.iter().filter(|(callee, ..)| code_of(sources, *callee) == own).take(ASKED);
    let asked = asked.filter_map(|(.., given)| {
        let text = code_of(sources, given.first()?.value);
        text.strip_prefix('"')?.strip_suffix('"').map(str::to_owned)
    });
    let asked: BTreeSet<String> = asked.filter(|name| name != symbol).collect();
    let missing = asked.into_iter().filter(|name| !defines(name));
    let found = missing.filter_map(|name| Some((copy_of(sources, &name, symbol, places)?, name)));
    only(found).map(|(place, name)| (name, place))
}

/// The name that a call is set to, if nothing else sets it.
fn set_to(sources: &SourceMap, code: &FileCode, call: Span) -> Option<String> {
    let source = sources.get(call.source);
    let line = source.line_range(source.line(call.start)).start;
    let before = code_of(sources, Span { start: line, end: call.start, ..call });
    let name = before.trim_start().trim_start_matches("#@").trim().strip_suffix('=')?.trim_end().to_owned();
    let at = outline::defined(&source, call.source, &name).unwrap_or(call);
    let bound = code.bound(call, &name).filter(|_| code.is_bound_once(at, &name))?;
    (bound.by == Binder::Value(call)).then_some(name)
}

/// What is given wherever the exported function is called.
fn calls_of(sources: &SourceMap, code: &FileCode, export: &Export) -> Vec<Vec<Argument>> {
    let is_it = |callee: Span| {
        let is_named = export.name.as_ref().is_some_and(|name| {
            code_of(sources, callee) == *name
                && code.bound(callee, name).is_some_and(|bound| bound.by == Binder::Value(export.whole))
        });
        callee == export.whole || is_named
    };
    code.calls().into_iter().filter(|(callee, ..)| is_it(*callee)).map(|(.., given)| given).collect()
}
