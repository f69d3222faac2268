//! A struct that is handed to a function which works with dicts: the call that hands it over.

use super::super::host::Host;
use super::origin::Origins;
use super::structs::{self, METHODS};
use super::{calls, code_of, items};
use crate::diag::Diagnostic;
use crate::source::{SourceId, Span};
use crate::template::code::{Binder, FileCode, Function};
use crate::template::{outline, word, written};
use crate::yaml::Val;

/// Calls that are looked at for one that gives a dict.
const CALLS: usize = 50;

/// A method of dicts on a parameter: the edit belongs to the call that gives the struct, since others give dicts.
pub(super) fn told(host: &Host<'_>, data: Val, problem: &mut Diagnostic, name: &str) {
    if !METHODS.contains(&name) {
        return;
    }
    let sources = &host.sources;
    let place = problem.parts().labels.first().map(|label| label.span);
    let Some(of) = place.and_then(|place| items::receiver(host, place)) else { return };
    let trace = problem.parts().trace.clone();
    let Some(given) = Origins::new(host, data, &trace).handed(of) else { return };
    // What is made for the call is made as a struct on purpose.
    if written::path(sources, given).is_none() {
        return;
    }
    let source = sources.get(of.source);
    let parameter = code_of(sources, of);
    let function = FileCode::read(&source, of.source).and_then(|code| match code.bound(of, &parameter)?.by {
        Binder::Parameter(Some(function)) => code.function_at(function.start),
        _ => None,
    });
    let Some(function) = function.filter(|function| !reads_fields(&code_of(sources, function.whole), &parameter))
    else {
        return;
    };
    let mut told = problem.clone();
    told.parts_mut().helps.clear();
    let code = code_of(sources, given);
    told = told.label(given, "a struct is given here, where the function works with a dict");
    let caller = sources.get(given.source);
    let set = FileCode::read(&caller, given.source).and_then(|file| match file.bound(given, &code)?.by {
        Binder::Value(value) => Some(value),
        _ => None,
    });
    told = told.label_at(set, format!("`{code}` is set to it here"));
    if let Some(other) = with_dict(host, &function, &parameter, given) {
        told = told.label(other, "a dict is given here");
    }
    let new = format!("struct.decode({code})");
    *problem = structs::decoded(&sources.get(given.source), told, "give a dict that is made of the struct", given, new);
}

/// Does code take fields of a name, which a dict does not have?
fn reads_fields(code: &str, name: &str) -> bool {
    word::whole(code, name).any(|at| {
        let behind = code.get(at.saturating_add(name.len())..).and_then(|behind| behind.strip_prefix('.'));
        let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        behind.is_some_and(|field| {
            let field = field.split(|letter| !is_name(letter)).next().unwrap_or_default();
            !METHODS.contains(&field)
        })
    })
}

/// The argument of another call of the function that is a dict, as far as code says so.
fn with_dict(host: &Host<'_>, function: &Function, parameter: &str, given: Span) -> Option<Span> {
    let sources = &host.sources;
    let own = function.name?;
    let name = code_of(sources, own);
    let mut left = CALLS;
    for (source, id) in sources.all().into_iter().zip(0..).map(|(source, id)| (source, SourceId(id))) {
        let is_there = source.text.as_str().is_some_and(|text| text.contains(&name));
        if !is_there || !host.may_advise(source.text.as_bytes().len()) {
            continue;
        }
        let Some((file, home)) = outline::home(sources, id, &name) else { continue };
        let Some(code) = FileCode::read(&source, id).filter(|_| file == own.source && home == name) else { continue };
        for (_, arguments) in code.calls_of(&name) {
            left = left.checked_sub(1)?;
            let value = calls::argument_for(sources, &function.parameters, parameter, &arguments);
            let Some(value) = value.filter(|value| *value != given) else { continue };
            let set = match code.bound(value, &code_of(sources, value)).map(|bound| bound.by) {
                Some(Binder::Value(set)) => set,
                _ => value,
            };
            if ["{", "dict(", "struct.decode("].iter().any(|start| code_of(sources, set).starts_with(start)) {
                return Some(value);
            }
        }
    }
    None
}
