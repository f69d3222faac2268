//! Paths of files that have the same slip at several places of one file, and names of files without the folder that they
//! were listed in.

use super::super::scope::SourceUnit;
use super::{code_of, is_plain_literal, only_argument, origin};
use crate::diag::{Diagnostic, Fact, Label};
use crate::nearest::only;
use crate::source::{SourceMap, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::{outline, written};

/// Other places that are marked.
const MARKED: usize = 3;

/// A path that code puts together, with a folder too many in its only text that begins so.
fn in_code(sources: &SourceMap, problem: &mut Diagnostic) {
    let parts = problem.parts();
    let (Some(Fact::SurplusFolder { surplus }), Some(label)) = (&parts.fact, parts.labels.first()) else { return };
    let (span, code) = (label.span, code_of(sources, label.span));
    let begins = ['"', '\'']
        .iter()
        .flat_map(|quote| code.match_indices(&format!("{quote}{surplus}")).map(|(at, _)| at).collect::<Vec<_>>());
    let Some(at) = only(begins) else { return };
    let start = span.start.saturating_add(to_u32(at)).saturating_add(1);
    let place = Span { start, end: start.saturating_add(to_u32(surplus.len())), ..span };
    let Some(help) = problem.parts_mut().helps.first_mut() else { return };
    (help.edit, help.is_guess) = (Some((place, String::new())), true);
}

/// A file that another path leads to: where it has what is loaded, or its first line.
pub(super) fn found(sources: &SourceMap, unit: &SourceUnit, problem: &mut Diagnostic) {
    let parts = problem.parts();
    let ([label], Some(Some((_, meant)))) = (&parts.labels[..], parts.helps.first().map(|help| &help.edit)) else {
        return;
    };
    let Some(id) = unit.scope.resolve(meant).ok().map(|found| found.source) else { return };
    let source = sources.get(id);
    let loads = outline::loads(&sources.get(label.span.source), label.span.source);
    let load = loads.iter().find(|load| load.path.span.start <= label.span.start && label.span.end <= load.end);
    let names = load.into_iter().flat_map(|load| &load.names);
    let places = names.filter_map(|name| Some((&name.own.name, outline::defined(&source, id, &name.own.name)?)));
    let places: Vec<_> = places.take(MARKED).collect();
    let first = Span { end: source.line_range(1).end, ..Span::new(id, 0, 0) };
    let told = problem.clone();
    *problem = match places.is_empty() {
        true => told.label(first, format!("this file is `{meant}` from there")),
        false => places
            .into_iter()
            .fold(told, |told, (name, place)| told.label(place, format!("`{name}` is defined here, in `{meant}`"))),
    };
}

/// A path with a folder too many in front, as the others of its file have it: one edit for all of them.
pub(super) fn alike(sources: &SourceMap, problem: &mut Diagnostic) {
    let [help] = &problem.parts().helps[..] else { return };
    let Some((span, meant)) = &help.edit else { return in_code(sources, problem) };
    let (written, source) = (code_of(sources, *span), sources.get(span.source));
    let Some(surplus) = written.strip_suffix(meant.as_str()).filter(|surplus| surplus.ends_with('/')) else { return };
    let Some(text) = source.text.as_str() else { return };
    let mut all: Vec<Span> = ['"', '\'']
        .iter()
        .flat_map(|quote| text.match_indices(&format!("{quote}{surplus}")).map(|(at, _)| at).collect::<Vec<_>>())
        .map(|at| to_u32(at).saturating_add(1))
        .map(|start| Span { start, end: start.saturating_add(to_u32(surplus.len())), ..*span })
        .collect();
    all.sort_unstable_by_key(|place| place.start);
    let is_known = all.iter().any(|place| place.start == span.start);
    let Some((whole, new)) = source.replaced(all.iter().map(|place| (*place, ""))) else { return };
    if !is_known || all.len() < 2 {
        return;
    }
    let others = all.iter().filter(|place| place.start != span.start).take(MARKED);
    let mut told = others.fold(problem.clone(), |told, place| told.label(*place, "the same here"));
    told.parts_mut().helps.clear();
    let text = format!("paths begin in what is given as input, without its name: leave out `{surplus}`");
    *problem = told.help_edit(text, whole, new).if_it_mends();
}

/// A file that is read by the name that a loop over the files of a folder has for it: the folder goes in front.
pub(super) fn listed(sources: &SourceMap, problem: &mut Diagnostic) {
    let Some(read) = problem.parts().labels.first().map(|label| label.span) else { return };
    let Some((name, list, folder)) = in_folder(sources, read) else { return };
    let mut told = problem.clone();
    let label = Label { span: list, text: "this gives paths that begin in the folder, without its name".to_owned() };
    let help = "put the folder in front, which `data.list` leaves out";
    told = told.help_edit(help, name, folder).if_it_mends().beside_help([label]);
    told.parts_mut().helps.rotate_right(1);
    *problem = told;
}

/// The name in `data.read(name)`, the `data.list(folder)` that it is of, and what to read instead.
fn in_folder(sources: &SourceMap, read: Span) -> Option<(Span, Span, String)> {
    let code = FileCode::read(&sources.get(read.source), read.source)?;
    let name_at = |span: Span| written::path(sources, span).filter(|path| path.steps.is_empty()).map(|path| path.root);
    let module = |call: Span, function: &str| {
        let callee = code_of(sources, written::callee(sources, call)?);
        let name = callee.strip_suffix(function)?.strip_suffix('.')?.to_owned();
        code.bound(call, &name).filter(|bound| bound.by == Binder::Load)
    };
    let name = name_at(only_argument(sources, read).filter(|given| given.name.is_none())?.value)?;
    let written_name = code_of(sources, name);
    let Binder::Loop { vars, over } = code.bound(name, &written_name)?.by else { return None };
    let (files, _) = origin::turn(sources, vars, over).filter(|(_, var)| *var == written_name)?;
    let list = match name_at(files) {
        Some(files) => match code.bound(files, &code_of(sources, files))?.by {
            Binder::Value(value) if code.is_bound_once(files, &code_of(sources, files)) => {
                written::series(sources, value).filter(|(_, is_second)| !is_second).map_or(value, |(inner, _)| inner)
            }
            _ => return None,
        },
        None => files,
    };
    (module(read, "read")? == module(list, "list")?).then_some(())?;
    let folder = only_argument(sources, list).filter(|given| given.name.is_none())?.value;
    let text = code_of(sources, folder);
    let path = text.strip_prefix('"').and_then(|path| path.strip_suffix('"'));
    let before = match path.filter(|path| is_plain_literal(&text) && !path.contains('\\')) {
        // Of a path from the root, what is listed begins with a slash itself.
        Some(path) if path.starts_with('/') => format!("\"{path}\""),
        Some(path) => format!("\"{path}/\""),
        None if written::is_text(sources, folder) => format!("{text} + \"/\""),
        None => {
            let root = written::path(sources, folder)?.root;
            let name = code_of(sources, root);
            let is_same = code.bound(root, &name) == code.bound(read, &name) && code.is_bound_once(read, &name);
            is_same.then(|| format!("{text} + \"/\""))?
        }
    };
    Some((name, list, format!("{before} + {written_name}")))
}
