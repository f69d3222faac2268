//! Names that are not known: where the project defines them, and the `load` that brings them.

use super::super::host::Host;
use super::super::scope::{Form, SourceUnit};
use super::{calls, copied, dashed, filters, member, operands};
use crate::diag::{Diagnostic, Help, NoteKind, suggest};
use crate::nearest::only;
use crate::quoted;
use crate::source::{Source, SourceId, SourceMap, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::loading::{self, Style, with_load};
use crate::template::outline::{Load, Loaded, defined, loads};
use crate::template::{word, written};
use crate::yaml::Val;

/// Lines between a name's use and what binds it, over which the two are put in order.
const MOVED: u32 = 20;

/// Where another file defines a name.
struct Elsewhere {
    /// As a `load` here names the file.
    path: String,
    file: SourceId,
    place: Span,
}

/// The file of the library that defines a name, one that is loaded already before others.
fn elsewhere(host: &Host<'_>, unit: &SourceUnit, name: &str, loaded: &[Load]) -> Option<Elsewhere> {
    if name.starts_with('_') {
        return None;
    }
    let others = unit.scope.loadable().into_iter().filter(|(_, file)| *file != unit.source);
    let found = others.filter_map(|(path, file)| {
        let place = defined(&host.sources.get(file), file, name)?;
        Some(Elsewhere { path, file, place })
    });
    found.min_by_key(|found| load_of(unit, loaded, found.file).is_none())
}

/// The `load` of a file.
fn load_of<'l>(unit: &SourceUnit, loaded: &'l [Load], file: SourceId) -> Option<&'l Load> {
    let is_it = |load: &&Load| unit.scope.resolve(&load.path.name).is_ok_and(|found| found.source == file);
    loaded.iter().filter(|load| !load.path.name.starts_with("@ytt:")).find(is_it)
}

/// A `load` on a line of its own, as this file writes it; `name` is what stands behind the path.
fn line(unit: &SourceUnit, path: &str, name: &str) -> String {
    let style = match unit.form {
        Form::Yaml { .. } => Style::Yaml,
        Form::Text { .. } => Style::Text,
        Form::Starlark => Style::Code,
    };
    loading::line(style, path, name)
}

/// An undefined name: one that is bound further down, that another file defines, or that is a data value.
/// `is_like_others` says that several known names are equally near.
pub(super) fn undefined(
    host: &Host<'_>,
    unit: &SourceUnit,
    data: Val,
    problem: &mut Diagnostic,
    (name, is_like_others): (&str, bool),
) {
    let source = host.sources.get(unit.source);
    if problem.parts().labels.len() > 1 {
        return bound_below(&source, problem);
    }
    if let Some(told) = foreign(&host.sources, problem) {
        *problem = told;
        return;
    }
    if let Some(told) = key_without_quotes(&source, problem, name) {
        *problem = told;
        return;
    }
    let loaded = loads(&source, unit.source);
    match elsewhere(host, unit, name, &loaded) {
        Some(found) => not_loaded(host, unit, problem, name, found, &loaded),
        None => data_value(host, data, &source, problem, (name, is_like_others)),
    }
}

/// An undefined name that nothing else explains yet, and that may be the name of a data value.
pub(super) fn value_of_name(host: &Host<'_>, data: Val, problem: &mut Diagnostic, name: (&str, bool)) {
    if let [label] = &problem.parts().labels[..] {
        if let Some(told) = foreign(&host.sources, problem) {
            *problem = told;
            return;
        }
        let source = host.sources.get(label.span.source);
        data_value(host, data, &source, problem, name);
    }
}

/// What the same code means in other languages.
fn foreign(sources: &SourceMap, problem: &Diagnostic) -> Option<Diagnostic> {
    let dashed = || dashed::text(sources, problem);
    filters::told(sources, problem).or_else(|| filters::called(sources, problem)).or_else(dashed)
}

/// `{kind: "A"}`: a key of a dict that is a text.
fn key_without_quotes(source: &Source, problem: &Diagnostic, name: &str) -> Option<Diagnostic> {
    let label = problem.parts().labels.first().filter(|label| label.text.is_empty())?;
    let (place, text) = (label.span, source.text.as_str()?);
    let before = text.get(..place.start as usize)?.trim_end();
    let behind = text.get(place.end as usize..)?.trim_start_matches(' ');
    let is_key = before.ends_with(['{', ',']) && behind.starts_with(':');
    let is_it = source.written(place).is_some_and(|written| written == name);
    (is_key && is_it).then(|| {
        let mut told = problem.clone().relabel("as a key of a dict, a text stands in quotes");
        told.parts_mut().helps.clear();
        told.help_edit("put it into quotes", place, format!("\"{name}\""))
    })
}

fn not_loaded(
    host: &Host<'_>,
    unit: &SourceUnit,
    problem: &mut Diagnostic,
    name: &str,
    found: Elsewhere,
    loaded: &[Load],
) {
    let Elsewhere { path, file, place } = found;
    let parts = problem.parts_mut();
    parts.helps.clear();
    parts.notes.retain(|note| note.kind != NoteKind::Text);
    // Programs see the reference's text, with what it proposes.
    if host.trying.get() == 0 {
        parts.message = format!("undefined: {name}");
    }
    if let Some(label) = parts.labels.first_mut() {
        label.text = format!("`{name}` is not loaded");
    }
    let (defines, own) = (host.sources.get(file), quoted::go(name.as_bytes()));
    let mut told = problem.clone();
    let load = load_of(unit, loaded, file);
    let wrong = load.and_then(|load| {
        let lacks = |loaded: &&Loaded| loaded.alias.is_none() && defined(&defines, file, &loaded.own.name).is_none();
        let is_like = |loaded: &&Loaded| suggest::similar(name, [loaded.own.name.as_str()]).is_some();
        let lacking = || load.names.iter().filter(lacks);
        // The old name of what was renamed is one that the rest of the file does not know any more.
        let own = host.sources.get(unit.source);
        let code = FileCode::read(&own, unit.source);
        let is_idle = |loaded: &&Loaded| code.as_ref().is_some_and(|code| code.reads(&loaded.own.name).is_empty());
        let wrong = lacking().find(is_like).or_else(|| only(lacking()).filter(is_idle));
        wrong.map(|loaded| &loaded.own)
    });
    if let Some(wrong) = wrong {
        told = told.label(wrong.span, format!("`{path}` has no `{}`", wrong.name));
    }
    told = told.label(place, format!("`{name}` is defined here"));
    *problem = match (wrong, load, loaded.last()) {
        (Some(wrong), ..) => told.help_edit(format!("load `{name}`"), wrong.span, name),
        (None, Some(load), _) => {
            let at = Span::new(unit.source, load.close, load.close);
            told.help_edit(format!("load `{name}` too"), at, format!(", {own}"))
        }
        (None, None, Some(last)) => {
            let source = host.sources.get(unit.source);
            let end = source.line_range(source.line(last.end)).end;
            let at = Span::new(unit.source, end, end);
            let new = format!("\n{}", line(unit, &path, &own));
            told.help_edit(format!("load `{name}` from `{path}`"), at, new)
        }
        (None, None, None) => {
            let at = Span::new(unit.source, 0, 0);
            told.help_edit(format!("load `{name}` from `{path}`"), at, line(unit, &path, &own) + "\n")
        }
    };
}

/// A name that is bound further down: the two lines in the other order, where each is a whole statement.
fn bound_below(source: &Source, problem: &mut Diagnostic) {
    let [used, bound, ..] = &problem.parts().labels[..] else { return };
    let (used, bound) = (used.span, bound.span);
    if let Some(edit) = function_below(source, used, bound)
        && let Some(help) = problem.parts_mut().helps.first_mut().filter(|help| help.edit.is_none())
    {
        help.text = "move the function above what uses it".to_owned();
        help.edit = Some(edit);
        return;
    }
    let (first, last) = (source.line(used.start), source.line(bound.start));
    let moved = source.line_text(last);
    let is_simple =
        first < last && last.saturating_sub(first) <= MOVED && moved.contains('=') && !moved.trim_end().ends_with(':');
    if !is_simple || used.source != bound.source || problem.parts().helps.iter().any(|help| help.edit.is_some()) {
        return;
    }
    let (start, end) = (source.line_range(first).start, source.line_range(last).end);
    let Some(between) = source.written(Span::new(used.source, start, source.line_range(last).start)) else { return };
    let new = format!("{moved}\n{}", between.trim_end_matches(['\n', '\r']));
    if let Some(help) = problem.parts_mut().helps.first_mut() {
        help.text = format!("move line {last} above line {first}");
        help.edit = Some((Span::new(used.source, start, end), new));
    }
}

/// The edit that moves a function, whose name stands at `bound`, above a place: behind the code that the file begins
/// with, since what it needs may be set there.
fn function_below(source: &Source, used: Span, bound: Span) -> Option<(Span, String)> {
    let code = FileCode::read(source, bound.source)?;
    let (_, function) = code.defined().into_iter().find(|(_, function)| function.name == Some(bound))?;
    let whole = function.whole;
    let is_top =
        code.function_around(whole).is_none() && code.conditions(bound).is_empty() && code.loop_around(bound).is_none();
    let start = source.line_range(source.line(whole.start)).start;
    let end = source.line_range(source.line(whole.end)).end;
    let line = |from: u32, to: u32| source.written(Span { start: from, end: to, ..bound });
    let is_code = matches!(line(start, whole.start)?.trim(), "" | "#@");
    let ends = line(whole.end, end)?.trim().is_empty();
    let first = source.line_range(source.line(used.start)).start;
    if !is_top || !is_code || !ends || used.source != bound.source || first >= start {
        return None;
    }
    let mut to = if source.name.ends_with(".star") { first } else { 0 };
    let mut at = 0;
    for text in line(0, first)?.split_inclusive('\n') {
        at = to_u32(text.len()).saturating_add(at);
        match text.trim_start() {
            text if text.starts_with("#@ ") => {
                let here = Span { start: at, end: at, ..bound };
                let is_outside = code.function_around(here).is_none()
                    && code.loop_around(here).is_none()
                    && code.conditions(here).is_empty();
                to = if is_outside { at } else { to };
            }
            other if other.is_empty() || other.starts_with('#') => {}
            _ => break,
        }
    }
    let between = line(to, start)?.trim_end_matches(['\n', '\r']);
    Some((Span { start: to, end, ..bound }, format!("{}\n{between}", line(start, end)?)))
}

/// An undefined name that is the name of a data value, of one inside of others, or of all of them.
fn data_value(
    host: &Host<'_>,
    data: Val,
    source: &Source,
    problem: &mut Diagnostic,
    (name, is_like_others): (&str, bool),
) {
    if let Some(told) = copied::told(host, data, problem, name) {
        *problem = told;
        return;
    }
    let keys = host.entries(data).into_iter().filter_map(|(key, _)| String::from_utf8(host.text(key)?).ok());
    let keys: Vec<String> = keys.collect();
    let parts = problem.parts();
    let is_open = !is_like_others && parts.helps.iter().all(|help| help.edit.is_none());
    let Some(span) = parts.labels.first().map(|label| label.span) else { return };
    let is_data = |load: &Load| load.path.name == "@ytt:data" && load.names.iter().any(|name| name.here() == "data");
    let is_loaded = loads(source, span.source).iter().any(is_data);
    let same = keys.iter().map(String::as_str).find(|key| *key == name);
    if same.is_none() && !keys.is_empty() {
        let inner = inner_values(host, data, name);
        // What is loaded from a module or another file has a help of its own.
        let is_renamed = |help: &Help| help.edit.as_ref().is_none_or(|(place, _)| *place == span);
        if !inner.is_empty() && problem.parts().helps.iter().all(is_renamed) {
            return inside_of_values(problem, span, &inner, (is_loaded, is_like_others));
        }
        let is_part = || source.text.as_bytes().get(span.end as usize) == Some(&b'.');
        if is_open && is_loaded && name == "values" && is_part() {
            problem.parts_mut().helps.clear();
            *problem = problem.clone().help_edit("did you mean `data.values`?", span, "data.values");
            return;
        }
    }
    let near = || suggest::equally_similar(name, keys.iter().map(String::as_str));
    let near = same.map_or_else(|| if is_open { near() } else { Vec::new() }, |same| vec![same]);
    let values: Vec<String> = near.iter().map(|near| member("data.values", near)).collect();
    let names: Vec<&str> = values.iter().map(String::as_str).collect();
    if names.is_empty() {
        return;
    }
    let text = format!("did you mean the data value {}?", suggest::either(&names));
    problem.parts_mut().helps.clear();
    let edit = match names[..] {
        [value] => with_load(source, ("@ytt:data", "data"), span, value.to_owned()),
        _ => None,
    };
    *problem = match (edit, is_loaded) {
        (Some((span, new)), _) => problem.clone().help_edit(text, span, new),
        (None, true) => problem.clone().help(text),
        (None, false) => problem.clone().help(needs_load(&text)),
    };
}

fn needs_load(text: &str) -> String {
    format!("{text} It needs `load(\"@ytt:data\", \"data\")` at the top of the file")
}

/// Data values of a name that are no items of lists and stand inside of others, as code reads them.
fn inner_values(host: &Host<'_>, data: Val, name: &str) -> Vec<String> {
    let found = operands::items_named(host, data, name).into_iter().map(|(path, _)| path);
    let is_plain = |path: &String| !path.contains("..") && path.split('.').all(|key| member("", key).starts_with('.'));
    found.filter(is_plain).map(|path| format!("data.values.{path}")).collect()
}

/// The same name inside of data values says more than one that is only near; only people know which is meant.
fn inside_of_values(problem: &mut Diagnostic, span: Span, inner: &[String], (is_loaded, keeps): (bool, bool)) {
    let names: Vec<&str> = inner.iter().map(String::as_str).collect();
    let text = format!("did you mean the data value {}?", suggest::either(&names));
    let help = match (inner, is_loaded) {
        ([value], true) => Help::with_edit(text, span, value.as_str()),
        (_, true) => Help::new(text),
        (_, false) => Help::new(needs_load(&text)),
    };
    let helps = &mut problem.parts_mut().helps;
    helps.retain(|help| keeps || help.edit.is_some());
    helps.insert(0, help);
    helps.iter_mut().for_each(|help| help.is_guess = true);
}

/// A name that the loaded file does not have: where it has the one that was probably meant, or which file has it.
pub(super) fn not_exported(host: &Host<'_>, unit: &SourceUnit, problem: &mut Diagnostic, (path, name): (&str, &str)) {
    let source = host.sources.get(unit.source);
    let loaded = loads(&source, unit.source);
    if let Some(found) = elsewhere(host, unit, name, &loaded) {
        let place = problem.parts().labels.first().map(|label| label.span);
        let load = loaded.iter().find(|load| load.names.iter().any(|name| Some(name.own.span) == place));
        let edit = load.and_then(|load| moved(&source, unit, load, name, &found.path));
        problem.parts_mut().helps.clear();
        problem.parts_mut().notes.clear();
        let told = problem.clone().label(found.place, format!("`{name}` is defined here"));
        let text = format!("load `{name}` from `{}`", found.path);
        *problem = match edit {
            Some((span, new)) => told.help_edit(text, span, new),
            None => told.help(text),
        };
        return;
    }
    let resolved = unit.scope.resolve(path).ok().map(|found| found.source);
    if let Some(told) = resolved.and_then(|file| in_comments(&host.sources.get(file), file, problem, name)) {
        *problem = told;
        return;
    }
    let meant = problem.parts().helps.iter().find_map(|help| help.edit.as_ref()).map(|(_, new)| new.clone());
    // Of a file of the project the name that is used may be the misspelt one, too.
    if let Some(meant) = meant.as_ref().filter(|_| path.starts_with("@ytt:")) {
        keep_name(&host.sources, &source, problem, (name, meant));
    }
    let Some(file) = resolved else { return };
    if let Some(meant) = &meant {
        rename_reads(&source, problem, (name, meant));
    }
    if let Some(meant) = meant
        && let Some(place) = defined(&host.sources.get(file), file, &meant)
    {
        *problem = problem.clone().label(place, format!("`{meant}` is defined here"));
    }
}

/// Makes the edit of a name in a `load` one of all that reads it in the file: it would be undefined there else.
fn rename_reads(source: &Source, problem: &mut Diagnostic, (name, meant): (&str, &str)) {
    let is_free = word::whole(source.text.as_str().unwrap_or_default(), meant).next().is_none();
    let mut read = None;
    for help in problem.parts_mut().helps.iter_mut().filter(|_| is_free) {
        let Some((span, new)) = help.edit.as_mut().filter(|(_, new)| new == meant) else { continue };
        // Under another name it is read by that.
        let quote = span.start.saturating_sub(1);
        let before = source.written(Span { start: 0, end: quote, ..*span }).unwrap_or_default();
        if before.trim_end().ends_with('=') {
            continue;
        }
        let reads = reads_of_loaded(source, *span, name);
        read = reads.first().copied();
        let all = std::iter::once(*span).chain(reads).map(|part| (part, meant));
        if let Some(all) = source.replaced(all) {
            (*span, *new) = all;
        }
    }
    *problem = problem.clone().label_at(read, "used here");
}

/// The name that a `load` asks for, of which one that the file has is a longer or shorter form: it was renamed there, or is
/// remembered so here. The edit writes it wherever the file has it.
pub(super) fn shortened(
    host: &Host<'_>,
    unit: &SourceUnit,
    problem: &mut Diagnostic,
    (path, name, meant): (&str, &str, &str),
) {
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let source = host.sources.get(place.source);
    let inside = without_quotes(&source, place, name);
    let reads = reads_of_loaded(&source, inside, name);
    let mut told = problem.clone();
    if let Some(read) = reads.first() {
        told = told.label(*read, "used here");
    }
    if let Some(file) = unit.scope.resolve(path).ok().map(|found| found.source) {
        told = told.label_at(defined(&host.sources.get(file), file, meant), format!("`{meant}` is defined here"));
    }
    // Where the file has that name for something else, another one is needed.
    let is_free = word::whole(source.text.as_str().unwrap_or_default(), meant).next().is_none();
    let is_name = source.written(inside) == Some(name);
    let all = std::iter::once(inside).chain(reads).map(|part| (part, meant));
    let edit = source.replaced(all).filter(|_| is_free && is_name);
    if let Some(left_out) = left_out(&source, inside, name, meant).filter(|_| edit.is_none()) {
        *problem =
            told.help_edit(format!("leave it out: `{meant}` is loaded, and nothing uses `{name}`"), left_out, "");
        return;
    }
    let text = format!("did you mean `{meant}`?");
    *problem = match edit {
        Some((span, new)) => told.help_edit(text, span, new).guessing(),
        None => told.help(text),
    };
}

/// The part of a `load` to take out where it asks for a name that nothing uses, beside the one that is meant.
fn left_out(source: &Source, place: Span, name: &str, meant: &str) -> Option<Span> {
    let code = FileCode::read(source, place.source)?;
    let load = loads(source, place.source)
        .into_iter()
        .find(|load| load.close > place.end && load.path.span.end < place.start)?;
    let at = load.names.iter().position(|loaded| loaded.own.span == place && loaded.alias.is_none())?;
    let is_loaded = load.names.iter().any(|loaded| loaded.own.name == meant);
    let is_idle = code.reads(name).is_empty();
    // From behind the quote of what stands in front of it.
    let before = at.checked_sub(1).and_then(|at| load.names.get(at)).map_or(load.path.span, |loaded| loaded.own.span);
    let behind = |span: Span| span.end.saturating_add(1);
    (is_loaded && is_idle).then(|| Span { start: behind(before), end: behind(place), ..place })
}

/// The name that a `load` asks for, where none that the file has is like it: where these are, and where it is read.
pub(super) fn others(
    host: &Host<'_>,
    unit: &SourceUnit,
    problem: &mut Diagnostic,
    (path, name): (&str, &str),
    names: &[String],
) {
    const SHOWN: usize = 4;
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let Some(file) = unit.scope.resolve(path).ok().map(|found| found.source) else { return };
    let source = host.sources.get(place.source);
    // What this file loads already is hardly meant once more.
    let loaded = loads(&source, place.source);
    let is_loaded = |name: &str| loaded.iter().flat_map(|load| &load.names).any(|loaded| loaded.own.name == name);
    let left: Vec<&str> = names.iter().map(String::as_str).filter(|name| !is_loaded(name)).collect();
    let mut told = problem.clone();
    if let Some(read) = reads_of_loaded(&source, without_quotes(&source, place, name), name).first() {
        told = told.label(*read, "used here");
    }
    let alike = suggest::meant(name, left.iter().copied()).names;
    let near = match &alike[..] {
        [only] => Some(*only),
        [] => {
            let same = left.iter().copied().filter(|other| suggest::ends_with_same_word(name, other));
            // Of several with that word each first word says what it is, too.
            only(same).filter(|other| calls::takes_the_same(&host.sources, (place, name), file, other))
        }
        _ => None,
    };
    if let Some(near) = near {
        return shortened(host, unit, problem, (path, name, near));
    }
    let shown = if alike.is_empty() { &left } else { &alike };
    if shown.len() <= SHOWN {
        let module = host.sources.get(file);
        for name in shown {
            told = told.label_at(defined(&module, file, name), format!("`{name}` is defined here"));
        }
    }
    *problem = match &alike[..] {
        [] => told,
        alike => told.help(format!("is {} meant?", suggest::either(alike))),
    };
}

/// The name inside of the text of a `load`, whether its place is with the quotes or without.
fn without_quotes(source: &Source, place: Span, name: &str) -> Span {
    match source.written(place) {
        Some(written) if written == name => place,
        _ => Span { start: place.start.saturating_add(1), end: place.end.saturating_sub(1), ..place },
    }
}

/// Where a file reads a name that a `load` brings, below that.
fn reads_of_loaded(source: &Source, load: Span, name: &str) -> Vec<Span> {
    let Some(code) = FileCode::read(source, load.source) else { return Vec::new() };
    // A parameter or variable of that name is another one.
    let is_loaded = |read: Span| code.bound(read, name).is_some_and(|bound| matches!(bound.by, Binder::Load));
    let reads = code.reads(name).into_iter().map(|read| read.whole);
    let reads = reads.filter(|read| read.start > load.end && is_loaded(*read));
    reads.map(|read| Span { end: read.start.saturating_add(to_u32(name.len())), ..read }).collect()
}

/// A member of a module that is loaded for itself, as by `from module import name` elsewhere.
pub(super) fn member_loaded(host: &Host<'_>, problem: &mut Diagnostic, name: &str, module: &str) {
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let source = host.sources.get(place.source);
    let member = format!("{module}.{name}");
    let inside = without_quotes(&source, place, name);
    let reads = reads_of_loaded(&source, inside, name);
    let edit =
        source.replaced(std::iter::once((inside, module)).chain(reads.into_iter().map(|read| (read, member.as_str()))));
    let mut told = problem.clone().relabel(format!("a member of `{module}`, which is what the module offers"));
    told.parts_mut().helps.clear();
    told.parts_mut().notes.clear();
    let text = format!("load `{module}`, and write `{member}`");
    *problem = match edit.filter(|_| source.written(inside) == Some(name)) {
        Some((span, new)) => told.help_edit(text, span, new),
        None => told.help(text),
    };
}

/// A file of code whose lines begin with `#@`, as those of a template do, and so are comments.
fn in_comments(source: &Source, file: SourceId, problem: &Diagnostic, name: &str) -> Option<Diagnostic> {
    let text = source.text.as_str().filter(|_| source.name.ends_with(".star"))?;
    let (mut place, mut edited) = (None, None);
    let (mut at, mut new, mut last) = (0_u32, String::new(), 0);
    for line in text.split_inclusive('\n') {
        let start = at;
        at = at.saturating_add(to_u32(line.len()));
        let indent = line.len().saturating_sub(line.trim_start().len());
        match line.trim_start().strip_prefix("#@") {
            Some(code) => {
                let code = code.strip_prefix(' ').unwrap_or(code);
                let defines = |word: &str| {
                    code.trim_start().strip_prefix(word).is_some_and(|rest| {
                        rest.trim_start()
                            .strip_prefix(name)
                            .is_some_and(|rest| rest.trim_start().starts_with(['(', '=']))
                    })
                };
                if place.is_none() && (defines("def ") || defines("")) {
                    let end = at.saturating_sub(to_u32(line.len().saturating_sub(line.trim_end().len())));
                    place = Some(Span::new(file, start.saturating_add(to_u32(indent)), end));
                }
                edited.get_or_insert(start);
                new.push_str(line.get(..indent)?);
                new.push_str(code);
                last = new.len();
            }
            None if edited.is_some() => new.push_str(line),
            None => {}
        }
    }
    let (place, start) = (place?, edited?);
    // What follows the last of these lines stays.
    let rest = to_u32(new.len().saturating_sub(last));
    new.truncate(last);
    let mut told = problem.clone();
    told.parts_mut().helps.clear();
    let told = told.label(place, "a comment here: a .star file has code without `#@`");
    Some(told.help_edit("take the `#@` off the lines", Span::new(file, start, at.saturating_sub(rest)), new))
}

/// Where the file goes on with the name that a module does not have, the right one is loaded under it.
fn keep_name(sources: &SourceMap, source: &Source, problem: &mut Diagnostic, (name, meant): (&str, &str)) {
    let Some(text) = source.text.as_str() else { return };
    for help in &mut problem.parts_mut().helps {
        let Some((span, new)) = &mut help.edit else { continue };
        let (Some(start), Some(end)) = (span.start.checked_sub(1), span.end.checked_add(1)) else { continue };
        let rest = text.get(end as usize..).unwrap_or_default();
        let is_used = |name: &str| word::whole(rest, name).next().is_some();
        let quoted = Span { start, end, ..*span };
        if written::is_text(sources, quoted) && is_used(name) && !is_used(meant) {
            (*span, *new) = (quoted, format!("{name}=\"{meant}\""));
        }
    }
}

/// The edit that takes a name out of a `load` and loads it from another file.
fn moved(source: &Source, unit: &SourceUnit, load: &Load, name: &str, path: &str) -> Option<(Span, String)> {
    let [_, ..] = &load.names[..] else { return None };
    if load.names.len() == 1 {
        return Some((load.path.span, path.to_owned()));
    }
    let (moved, rest): (Vec<&Loaded>, Vec<&Loaded>) = load.names.iter().partition(|loaded| loaded.own.name == name);
    let written = |names: &[&Loaded]| names.iter().map(|name| name.written()).collect::<Vec<_>>().join(", ");
    if rest.is_empty() {
        return Some((load.path.span, path.to_owned()));
    }
    let behind = source.written(Span::new(unit.source, load.close, source.line_range(source.line(load.close)).end))?;
    let first = load.names.first()?.start();
    let end = load.close.saturating_add(to_u32(behind.len()));
    let new = format!("{}{behind}\n{}", written(&rest), line(unit, path, &written(&moved)));
    Some((Span::new(unit.source, first, end), new))
}
