//! A keyword argument that a function does not take: where the parameter is written that was probably meant, and which one
//! is by what it is given.

use super::super::host::Host;
use super::code_of;
use super::origin::Origins;
use crate::diag::{Diagnostic, Label};
use crate::nearest::only;
use crate::source::Span;
use crate::template::code::{Binder, FileCode, Function, Parameter};
use crate::template::outline;
use crate::template::snippet::ArgumentRole;
use crate::template::written::{self, Argument};
use crate::yaml::{Body, Val};

/// Tells of the keyword at the place of a problem. `defined` is the function, if that has a name.
pub(super) fn told(host: &Host<'_>, data: Val, problem: &mut Diagnostic, keyword: &str, defined: Option<Span>) {
    let sources = &host.sources;
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let Some(code) = FileCode::read(&sources.get(place.source), place.source) else { return };
    let Some((callee, given)) = code.call_of_argument(place).filter(|_| code_of(sources, place) == keyword) else {
        return;
    };
    let function = match defined {
        Some(defined) => FileCode::read(&sources.get(defined.source), defined.source)
            .and_then(|code| code.function_at(defined.start)),
        None => set_to(host, &code, callee),
    };
    let Some(function) = function else { return };
    let mut told = problem.clone();
    if defined.is_none() {
        told = told.label(function.head, format!("`{}` is set to this function", code_of(sources, callee)));
    }
    let open = open(host, &function, &given).unwrap_or_default();
    let value = given.iter().find(|one| one.name == Some(place)).map(|one| one.value);
    // Who writes a longer or shorter form of another parameter means that one.
    let is_of_another = |one: &&str| one.contains(keyword) || keyword.contains(*one);
    let mut names = function.parameters.iter().map(|one| one.name.as_str());
    if told.parts().helps.is_empty()
        && !names.any(|name| is_of_another(&name))
        && let Some(kind) = value.and_then(|value| kind_of(host, data, problem, value))
        && let Some(meant) = only(open.iter().filter(|one| default(host, one) == Some(kind)))
    {
        let text =
            format!("is `{}` meant? Of the parameters that are left only its default is {kind}, too", meant.name);
        told = told.help_edit(text, place, meant.name.as_str()).guessing().if_it_mends();
    }
    let of = function.name.map_or("this function".to_owned(), |name| format!("`{}`", code_of(sources, name)));
    for help in &mut told.parts_mut().helps {
        let is_meant = |one: &&&Parameter| help.edit.as_ref() == Some(&(place, one.name.clone()));
        if let Some(meant) = open.iter().find(is_meant) {
            help.labels.push(Label { span: meant.whole, text: format!("a parameter of {of}") });
        }
    }
    *problem = told;
}

/// The lambda that a name is always set to, in its file or in the one that it is loaded from.
fn set_to(host: &Host<'_>, code: &FileCode, callee: Span) -> Option<Function> {
    let sources = &host.sources;
    let name = code_of(sources, callee);
    match code.bound(callee, &name).filter(|_| code.is_bound_once(callee, &name))?.by {
        Binder::Value(value) => code.function_at(value.start).filter(|function| function.whole == value),
        Binder::Load => {
            let (file, own) = outline::home(sources, callee.source, &name)?;
            let home = FileCode::read(&sources.get(file), file)?;
            let set = outline::defined(&sources.get(file), file, &own)?;
            home.is_bound_once(set, &own).then(|| home.function_of(&own, false))?
        }
        _ => None,
    }
}

/// The parameters that a call gives nothing; `None` if some arguments are spread.
fn open<'f>(host: &Host<'_>, function: &'f Function, given: &[Argument]) -> Option<Vec<&'f Parameter>> {
    let text = |span: Span| code_of(&host.sources, span);
    if given.iter().any(|one| text(one.value).starts_with('*')) {
        return None;
    }
    let by_place = given.iter().filter(|one| one.name.is_none()).count();
    let named: Vec<String> = given.iter().filter_map(|one| one.name).map(text).collect();
    let is_open =
        |one: &&Parameter| matches!(one.role, ArgumentRole::Plain | ArgumentRole::Named) && !named.contains(&one.name);
    Some(function.parameters.iter().skip(by_place).filter(is_open).collect())
}

/// The kind of the default of a parameter.
fn default(host: &Host<'_>, parameter: &Parameter) -> Option<&'static str> {
    let start = parameter.span.end;
    let behind = code_of(&host.sources, Span { start, ..parameter.whole });
    let value = behind.trim_start().strip_prefix('=')?.trim_start();
    let start = parameter.whole.end.checked_sub(u32::try_from(value.len()).ok()?)?;
    literal(host, Span { start, ..parameter.whole })
}

/// The kind of a value, by how it is written or by the data value that it is.
fn kind_of(host: &Host<'_>, data: Val, problem: &Diagnostic, value: Span) -> Option<&'static str> {
    let by_data = || {
        let trace = problem.parts().trace.clone();
        let item = Origins::new(host, data, &trace).only(value, 0)?;
        let arena = host.arena.borrow();
        Some(match arena.value(item) {
            Val::Str { .. } => TEXT,
            Val::Bool(_) => BOOLEAN,
            Val::Int(_) | Val::UInt(_) | Val::Float(_) => NUMBER,
            Val::Node(id) if matches!(arena.get(id).body, Body::Array(_)) => LIST,
            _ => return None,
        })
    };
    literal(host, value).or_else(by_data)
}

const TEXT: &str = "a text";
const BOOLEAN: &str = "a boolean";
const NUMBER: &str = "a number";
const LIST: &str = "a list";

fn literal(host: &Host<'_>, value: Span) -> Option<&'static str> {
    let code = code_of(&host.sources, value);
    let is_number = code.starts_with(|first: char| first.is_ascii_digit()) && code.parse::<f64>().is_ok();
    match &*code {
        "True" | "False" => Some(BOOLEAN),
        _ if is_number => Some(NUMBER),
        _ if written::is_text(&host.sources, value) => Some(TEXT),
        _ if code.starts_with('[') && code.ends_with(']') => Some(LIST),
        _ if code.starts_with('{') && code.ends_with('}') => Some("a dict"),
        _ => None,
    }
}
