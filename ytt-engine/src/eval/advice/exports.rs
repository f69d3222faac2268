//! A name that a library does not export: the function that is probably meant, by what the call names and what is called
//! with it, and where it is defined.

use super::{calls, code_of};
use crate::diag::{Diagnostic, suggest};
use crate::nearest::only;
use crate::source::{SourceMap, Span};
use crate::template::code::{Binder, FileCode};
use crate::template::outline;
use crate::template::written::{self, Argument};

/// Functions of a library that are shown where none is known to be meant.
const SHOWN: usize = 4;

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
    let mut told = diagnostic.clone();
    let shown = left().filter(|(name, _)| near.is_none_or(|near| near == name));
    for (name, place) in shown.take(SHOWN) {
        told = told.label_at(*place, format!("`{name}` is defined here"));
    }
    *diagnostic = match near {
        Some(near) if code_of(sources, place) == symbol => told.help_edit(text, place, near).guessing(),
        Some(_) => told.help(text),
        None if meant.names.is_empty() => told,
        None => told.help(format!("is {} meant?", suggest::either(&meant.names))),
    };
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
