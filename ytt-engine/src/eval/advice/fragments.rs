//! Methods of dicts and lists that are asked of YAML, which has none: the function that gives it, and the dict or list to
//! make of it.

use super::super::host::Host;
use super::origin::Origins;
use super::{code_of, listed, place_at};
use crate::diag::{Diagnostic, NoteKind};
use crate::source::{Source, SourceMap, Span};
use crate::template::code::{Binder, CHANGING, FileCode};
use crate::template::{methods, word, written};
use crate::yaml::Val;

/// Adds to a call of a method where the YAML comes from, if it is a method of dicts or lists. Was it one?
pub(super) fn told(host: &Host<'_>, data: Val, problem: &mut Diagnostic, name: &str) -> bool {
    let sources = &host.sources;
    let place = problem.parts().labels.first().map(|label| label.span);
    let Some(of) = place.and_then(|place| written::receiver(sources, place)) else { return false };
    let Some(method) = methods::named(name.as_bytes()) else { return false };
    let source = sources.get(of.source);
    let [is_of_dict, is_of_list] = ["dict", "list"].map(|kind| method.is_of(kind));
    if !(is_of_dict || is_of_list) || !is_call(&source, of, name) {
        return false;
    }
    let trace = problem.parts().trace.clone();
    let side = listed::side(sources, &Origins::new(host, data, &trace), of);
    let is_list = side.given.as_ref().map(|given| given.is_list);
    // Which of the two it is may be known by the method, by the function, or by neither.
    let made = match (is_list, is_of_dict, is_of_list) {
        (None | Some(false), true, false) | (Some(false), true, true) => Some("dict"),
        (None | Some(true), false, true) | (Some(true), true, true) => Some("list"),
        _ => None,
    };
    let mut told = problem.clone().relabel(match is_list {
        Some(true) => "an array of YAML, which is no list of code",
        Some(false) => "a map of YAML, which is no dict of code",
        None => "this is YAML, which has no methods",
    });
    place_at(&mut told, of);
    told.parts_mut().notes.retain(|note| note.kind != NoteKind::Hint);
    let wanted = made.unwrap_or(if is_of_dict { "dict" } else { "list" });
    told = listed::came_from(sources, told, &side, wanted);
    let Some(made) = made else {
        *problem = match is_list {
            Some(true) => told.help(format!("only dicts have `{name}`, and an array of YAML becomes a list")),
            Some(false) => {
                let text = format!("only lists have `{name}`: if the map is one more item, make a list of it");
                let edit = side.set.map(|_| format!("[{}]", code_of(sources, side.value)));
                match edit {
                    Some(new) => told.help_edit(text, side.value, new).guessing(),
                    None => told.help(text),
                }
            }
            None => told.help(format!("`{name}` is of dicts and lists: make one of it, `dict(…)` or `list(…)`")),
        };
        return true;
    };
    let make = |span: Span| (span, format!("{made}({})", code_of(sources, span)));
    // Those that we do are told by their names.
    let changes = method.changes || CHANGING.contains(&name) || name == "setdefault";
    *problem = if changes {
        let text = format!("what YAML gives is not changed by methods: make a {made} of it");
        match side.set {
            Some(_) => {
                let (span, new) = make(side.value);
                told.help_edit(text, span, new)
            }
            None => match copied_above(sources, &source, of, made) {
                Some((span, new)) => told.help_edit(format!("{text} first"), span, new).guessing(),
                None => told.help(format!("{text} under a name, `… = {made}(…)`, and change that")),
            },
        }
    } else {
        // One edit for all of them where the name has more of its methods asked.
        let several = side.set.is_some() && calls_of(&source, &code_of(sources, of)) > 1;
        let (span, new) = make(if several { side.value } else { of });
        told.help_edit(format!("only a {made} has `{name}`: make one of what YAML gives"), span, new)
    };
    // It may be documents, or of the other kind.
    if is_list.is_none() && problem.parts().helps.last().is_some_and(|help| help.edit.is_some()) {
        *problem = problem.clone().if_it_mends();
    }
    true
}

/// Is it `of.name(`?
fn is_call(source: &Source, of: Span, name: &str) -> bool {
    let line = source.line_range(source.line(of.end));
    let behind = source.written(Span { start: of.end, end: line.end, ..of }).unwrap_or_default();
    let behind = behind.strip_prefix('.').and_then(|behind| behind.strip_prefix(name));
    behind.is_some_and(|behind| behind.trim_start().starts_with('('))
}

/// How many methods of dicts and lists a file asks of a name.
fn calls_of(source: &Source, name: &str) -> usize {
    let text = source.text.as_str().unwrap_or_default();
    let asked = |at: usize| {
        let behind = text.get(at.saturating_add(name.len())..).and_then(|behind| behind.strip_prefix('.'))?;
        let method = behind.split('(').next().filter(|method| method.len() < behind.len())?;
        methods::named(method.as_bytes()).filter(|method| method.is_of("dict") || method.is_of("list"))
    };
    word::whole(text, name).filter(|at| asked(*at).is_some()).count()
}

/// The line above a statement that makes a dict or list of a parameter, where the function returns that.
fn copied_above(sources: &SourceMap, source: &Source, of: Span, made: &str) -> Option<(Span, String)> {
    let name = code_of(sources, of);
    let code = FileCode::read(source, of.source)?;
    let Binder::Parameter(Some(function)) = code.bound(of, &name)?.by else { return None };
    let function = code.function_at(function.start)?;
    let is_returned = function.returned.iter().any(|returned| code_of(sources, *returned) == name);
    let start = source.line_range(source.line(of.start)).start;
    let before = source.written(Span { start, end: of.start, ..of })?;
    let is_start = matches!(before.trim(), "" | "#@");
    (is_returned && is_start).then(|| (Span { start, end: start, ..of }, format!("{before}{name} = {made}({name})\n")))
}
