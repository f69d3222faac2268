//! A data value that a library does not declare, while the application around it does.

use super::super::host::Host;
use super::origin::{Origins, described, name_of, place_of};
use super::{code_of, passed};
use crate::diag::{Diagnostic, Fact, Help, PathStep};
use crate::files::is_in_library;
use crate::nearest::only;
use crate::quoted;
use crate::source::{Source, SourceId, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::written::GivenInCall;
use crate::template::{outline, word};
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::words::example_like;
use crate::yaml::{NodeId, Val};

/// The method that gives a library its values.
pub(super) const METHOD: &str = "with_data_values";
/// The folder that libraries lie in.
pub(super) const LIBRARIES: &str = "_ytt_lib/";

/// The problem of `name`, which is read in a library; `outer` is the item that the application declares for it.
pub(super) fn not_seen(host: &Host<'_>, problem: &Diagnostic, name: &str, outer: NodeId) -> Option<Diagnostic> {
    let place = problem.parts().labels.first()?.span;
    let sources = host.sources.all();
    let file = sources.get(place.source.0 as usize)?;
    let (root, library) = library_of(&file.name)?;
    let schema = sources.iter().position(|other| is_of(&other.name, root) && outline::has_schema(other));
    let schema = schema.map(|number| SourceId(to_u32(number)));
    let mut told = problem.clone();
    told = told.relabel(format!("the values of the library `{library}` have no `{name}`"));
    if let Some(place) = schema.and_then(|id| declaration(host, id)) {
        told = told.label(place, format!("the library `{library}` declares its values here, without `{name}`"));
    }
    let given = problem.parts().trace.iter().filter_map(|frame| frame.span).find_map(|span| given(host, span));
    if let Some(given) = given {
        told = told.label(given, format!("its values are given here, without `{name}`"));
    }
    let (place, value) = {
        let arena = host.arena.borrow();
        (arena.span_of(outer), arena.value(outer))
    };
    told = told.label_at(place, "this is the application's value: a library does not see it");
    if let Some((own, span, new)) = schema.and_then(|schema| named_in_library(host, problem, schema)) {
        told = told.label(own, format!("`{new}` is declared here"));
        told = told.help_edit(format!("the library has it as `{new}`"), span, new).guessing();
    }
    let declare = match schema {
        Some(id) => format!("declare `{name}` in {}", host.sources.get(id).shown_name()),
        None => format!("declare `{name}` in a schema of the library"),
    };
    let edits = schema.zip(given).and_then(|(schema, given)| {
        Some([declared(&host.sources.get(schema), schema, name, value)?, passed(host, given, name)?])
    });
    let text = match &edits {
        Some(_) => format!("declare `{name}` in the library, and pass it where the library is called"),
        None => format!(
            "{declare}, and pass it where the library is called: `\"{name}\": data.values.{name}` in `with_data_values`"
        ),
    };
    told.parts_mut().helps.push(Help { is_guess: true, ..Help::with_edits(text, edits.into_iter().flatten()) });
    Some(told)
}

/// What is read below the name that a library does not have, where the library declares it at the top: the place of the
/// declaration, and the edit that reads that.
fn named_in_library(host: &Host<'_>, problem: &Diagnostic, schema: SourceId) -> Option<(Span, Span, String)> {
    let place = problem.parts().labels.first()?.span;
    let source = host.sources.get(place.source);
    let behind =
        source.written(Span { start: place.end, end: source.line_range(source.line(place.end)).end, ..place })?;
    let is_path = |letter: char| letter.is_alphanumeric() || ['_', '.'].contains(&letter);
    let path = behind.get(..behind.find(|letter| !is_path(letter)).unwrap_or(behind.len()))?;
    let name = path.strip_prefix('.').filter(|name| !name.is_empty() && !name.contains('.'))?;
    let declared = outline::key_at_top(&host.sources.get(schema), schema, name)?;
    let end = place.end.checked_add(to_u32(path.len()))?;
    Some((declared, Span { end, ..place }, name.to_owned()))
}

/// A data value that code of a library reads, where another file loads that code by itself: it sees the data values of
/// whoever loads it. An evaluated library exports it with its own.
pub(super) fn loaded(host: &Host<'_>, problem: &Diagnostic, name: &str) -> Option<Diagnostic> {
    let place = problem.parts().labels.first()?.span;
    let sources = host.sources.all();
    let own = sources.get(place.source.0 as usize)?;
    let (root, library) = library_of(&own.name)?;
    // Is it read of the data values themselves?
    let of = super::items::receiver(host, place)?;
    let read = code_of(&host.sources, of);
    let code = FileCode::read(own, place.source)?;
    let set = || match code.bound(of, &read)?.by {
        Binder::Value(value) => Some(code_of(&host.sources, value)),
        _ => None,
    };
    (read == "data.values" || set().is_some_and(|set| set == "data.values")).then_some(())?;
    let outside = problem.parts().trace.iter().filter_map(|frame| frame.span);
    let outside = outside
        .map(|span| span.source)
        .find(|file| sources.get(file.0 as usize).is_some_and(|source| !is_of(&source.name, root)))?;
    let source = sources.get(outside.0 as usize)?;
    let start = format!("@{library}:");
    let load = only(outline::loads(source, outside).into_iter().filter(|load| load.path.name.starts_with(&start)))?;
    let is_schema = |other: &&std::sync::Arc<Source>| is_of(&other.name, root) && outline::has_schema(other);
    // Of a library that nothing has evaluated yet the schema was not read.
    let schema = sources.iter().enumerate().find(|(_, other)| is_schema(other));
    let declared = schema.and_then(|(number, schema)| outline::key_at_top(schema, SourceId(to_u32(number)), name));
    if schema.is_some() && declared.is_none() {
        return None;
    }
    let path = load.path.span;
    let told = problem
        .clone()
        .label(path, format!("by this `load` the code reads the data values of this file, which have no `{name}`"))
        .label_at(declared, format!("the library `{library}` declares `{name}`"));
    let text =
        format!("let the library export it, with its own data values: `….export(…)` of `library.get(\"{library}\")`");
    let line = source.line_range(source.line(path.start));
    let whole = Span { start: line.start, end: line.end, ..path };
    let written = source.written(whole).unwrap_or_default();
    let get = format!("library.get({}", quoted::go(library.as_bytes()));
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let above = source.text.as_str()?.get(..line.start as usize)?;
    let instances = above.lines().filter_map(|line| {
        let (name, value) = line.trim_start().trim_start_matches("#@").trim_start().split_once('=')?;
        let name = name.trim_end();
        (value.trim_start().starts_with(&get) && !value.contains(".eval(") && name.chars().all(is_name)).then_some(name)
    });
    let instance = only(instances);
    let set = instance.and_then(|name| {
        let at = above.find(&format!("{name} = {get}"))?;
        Some(Span { start: to_u32(at), end: to_u32(at.checked_add(name.len())?), ..path })
    });
    let told = told.label_at(set, "this is the library with values of its own");
    let indent = written.get(..written.find("load(").unwrap_or_default()).unwrap_or_default();
    let exports = |instance: &str| {
        let all =
            load.names.iter().map(|loaded| format!("{} = {instance}.export(\"{}\")", loaded.here(), loaded.own.name));
        all.map(|line| format!("{indent}{line}")).collect::<Vec<_>>().join("\n")
    };
    Some(match instance {
        Some(instance) if written.trim_end().ends_with(')') => told
            .help_edit(format!("let `{instance}` export it, with its own data values"), whole, exports(instance))
            .if_it_mends(),
        _ => told.help(text),
    })
}

/// The edit that declares a value like another one at the end of a schema of one document.
fn declared(source: &Source, id: SourceId, name: &str, like: Val) -> Option<(Span, String)> {
    let default = example_like(like)?;
    let text = source.text.as_str()?;
    let is_only = text.lines().filter(|line| line.starts_with("---")).count() == 1;
    let last = text.lines().rfind(|line| !line.trim().is_empty())?;
    // A comment may be about what is behind it, and a block of text goes on.
    let is_value = !last.trim_start().starts_with('#') && !text.contains(['|', '>']);
    let end = to_u32(text.len());
    let before = if text.ends_with('\n') { "" } else { "\n" };
    // Keys in lines of their own, and no map in braces.
    let is_block = text.lines().any(|line| {
        let key = line.split(':').next().unwrap_or_default();
        line.contains(':') && key.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')
    });
    (is_only && is_value && is_block).then(|| (Span::new(id, end, end), format!("{before}{name}: {default}\n")))
}

/// The edit that passes a data value in the dict that `with_data_values` is given, whose name stands at a place.
fn passed(host: &Host<'_>, method: Span, name: &str) -> Option<(Span, String)> {
    let source = host.sources.get(method.source);
    outline::brought(&source, method.source, "data").filter(|(path, _)| path.name == "@ytt:data")?;
    let text = source.text.as_str()?;
    let behind = text.get(method.end as usize..)?.strip_prefix("({")?;
    let start = method.end.checked_add(2)?;
    let entry = format!("\"{name}\": data.values.{name}");
    let (line, rest) = behind.split_once('\n')?;
    if !line.trim().is_empty() {
        let new = if line.starts_with('}') { entry } else { format!("{entry}, ") };
        return Some((Span { start, end: start, ..method }, new));
    }
    let prefix = rest.get(..rest.find('"')?).filter(|prefix| matches!(prefix.trim(), "" | "#@"))?;
    let at = start.checked_add(to_u32(line.len()))?.checked_add(1)?;
    Some((Span { start: at, end: at, ..method }, format!("{prefix}{entry},\n")))
}

/// A library is given more than it declares, by code that hands on a data value: where the application has what is too much.
pub(super) fn given_more(host: &Host<'_>, data: Val, problem: &mut Diagnostic) {
    let parts = problem.parts();
    let Some((path, label)) = parts.value.as_ref().map(|value| value.path.clone()).zip(parts.labels.first()) else {
        return;
    };
    if path.contains(['.', '[']) {
        return;
    }
    let trace = parts.trace.clone();
    let found = Origins::new(host, data, &trace).of(label.span, 0);
    let arena = host.arena.borrow();
    let own = |item: NodeId| {
        let inner = arena.find_str(arena.map_of(arena.value(item))?, &path)?;
        Some((arena.span_of(inner)?, arena.value(inner)))
    };
    let given = found.into_iter().find_map(own);
    if let Some(read) = read_there(host, problem, &path) {
        let like = given.map_or(Val::Null, |(_, value)| value);
        let edit = declared(&host.sources.get(read.schema), read.schema, &path, like);
        let text = format!("declare `{path}` in the schema of the library, which reads it");
        let mut told = problem.clone().label(read.place, format!("the library reads `{path}` here"));
        let help = match edit {
            Some((span, new)) => Help { is_guess: true, ..Help::with_edit(text, span, new) },
            None => Help::new(text),
        };
        // To give less would leave out what the library needs.
        told.parts_mut().helps = vec![help];
        *problem = told;
    }
    let parts = problem.parts();
    let Some(label) = parts.labels.first() else { return };
    if let Some((place, _)) = given {
        let span = label.span;
        let told = problem.clone().label(place, format!("`{path}` comes from here"));
        *problem = told;
        // The place of the call says less than its argument.
        problem.parts_mut().labels.retain(|label| label.span == span || !label.span.holds(span));
    }
}

/// A data value that a library reads and does not declare.
struct ReadThere {
    schema: SourceId,
    place: Span,
}

/// Does the library whose schema a problem shows read a value of this name in its templates?
fn read_there(host: &Host<'_>, problem: &Diagnostic, name: &str) -> Option<ReadThere> {
    let sources = host.sources.all();
    let files = problem.parts().labels.iter().skip(1).map(|label| label.span.source);
    let schema =
        files.into_iter().find(|id| sources.get(id.0 as usize).is_some_and(|file| is_in_library(&file.name)))?;
    let (root, _) = library_of(&sources.get(schema.0 as usize)?.name)?;
    let own = sources.iter().enumerate().filter(|(_, source)| is_of(&source.name, root));
    own.filter_map(|(number, source)| {
        let text = source.text.as_str()?;
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        // A member of the data values themselves, also by a name for them.
        let is_member = |at: &usize| {
            let Some(before) = text.get(..*at).and_then(|before| before.strip_suffix('.')) else { return false };
            let own = before.rsplit(|letter| !is_part(letter)).next().unwrap_or_default();
            before.ends_with("data.values")
                || !own.is_empty()
                    && text.lines().any(|line| line.trim_end().ends_with(&format!(" {own} = data.values")))
        };
        let start = to_u32(word::whole(text, name).find(is_member)?);
        let id = SourceId(to_u32(number));
        let place = Span::new(id, start, start.checked_add(to_u32(name.len()))?);
        let before =
            source.written(Span { start: source.line_range(source.line(start)).start, end: start, ..place })?;
        let is_code = source.name.ends_with(".star") || before.contains("#@") || before.contains("(@");
        is_code.then_some(ReadThere { schema, place })
    })
    .next()
}

/// The folder of the library that a file belongs to, and its name.
fn library_of(file: &str) -> Option<(&str, &str)> {
    let at = file.rfind(LIBRARIES)?.checked_add(LIBRARIES.len())?;
    let library = file.get(at..)?.split('/').next().filter(|library| !library.is_empty())?;
    Some((file.get(..at.checked_add(library.len())?)?, library))
}

/// Is it a file of the library in this folder, and not of one inside of that?
fn is_of(file: &str, root: &str) -> bool {
    file.strip_prefix(root).is_some_and(|rest| rest.starts_with('/') && !rest.contains(LIBRARIES))
}

/// A library is given a value of another type than it declares, by code that hands on a data value: where that is set.
pub(super) fn given_another(host: &Host<'_>, data: Val, problem: &mut Diagnostic) {
    let parts = problem.parts();
    let Some(label) = parts.labels.first() else { return };
    let (span, trace) = (label.span, parts.trace.clone());
    let origins = Origins::new(host, data, &trace);
    let Some(item) = origins.only(span, 0) else { return };
    let Some(place) = place_of(host, item).filter(|place| parts.labels.iter().all(|label| label.span != *place)) else {
        return;
    };
    let code = code_of(&host.sources, span);
    let value = host.arena.borrow().value(item);
    let what = described(&host.arena.borrow(), value);
    let told = problem.clone().label(place, format!("`{}` is {what}, from here", name_of(host, item, &code)));
    let is_open = told.parts().helps.is_empty();
    let (expected, is_number) = match told.parts().fact.clone() {
        Some(Fact::Mismatch { expected, .. }) => {
            let arena = host.arena.borrow();
            (expected, arena.str(value).is_some_and(|text| text.parse::<i64>().is_ok()))
        }
        _ => return *problem = told,
    };
    *problem = match (&*expected, value) {
        ("integer" | "float", Val::Str { .. }) if is_open && is_number => {
            told.help_edit("make a number of the text", span, format!("int({code})"))
        }
        // A text of the number has other digits than those that are written: 1.10.
        ("string", Val::Float(_)) if is_open => match host.sources.get(place.source).written(place) {
            Some(number) if number.starts_with(|first: char| first.is_ascii_digit()) => {
                let quoted = format!("\"{number}\"");
                told.help_edit("write a text where it is set", place, quoted).if_it_mends()
            }
            _ => told,
        },
        ("string", Val::Int(_) | Val::UInt(_)) if is_open => {
            told.help_edit("make a text of it", span, format!("str({code})"))
        }
        _ => told,
    };
}

/// Values that a function gives, which a library gets elsewhere: where they are handed over.
pub(super) fn handed_over(host: &Host<'_>, problem: &mut Diagnostic) {
    let parts = problem.parts();
    let Some(label) = parts.labels.first() else { return };
    let place = label.span;
    let source = host.sources.get(place.source);
    let function = FileCode::read(&source, place.source)
        .and_then(|code| code.function_around(place))
        .and_then(|function| function.name)
        .map(|name| code_of(&host.sources, name));
    let (Some(function), Some(text)) = (function, source.text.as_str()) else { return };
    let calls = word::whole(text, &function).filter_map(|at| {
        let start = text.get(..at)?.rfind('\n').map_or(0, |line| line.saturating_add(1));
        let method = text.get(start..at)?.rfind(METHOD)?.checked_add(start)?;
        Some(Span::new(place.source, to_u32(method), to_u32(method.checked_add(METHOD.len())?)))
    });
    let line = |span: Span| source.line(span.start);
    let is_shown = |call: Span| {
        parts.labels.iter().any(|label| label.span.source == call.source && line(label.span) == line(call))
    };
    if let Some(call) = only(calls).filter(|call| !is_shown(*call)) {
        let text = format!("what `{function}` gives is handed to the library here");
        *problem = problem.clone().label(call, text);
    }
}

/// A library's rule for a value that is its default: where the library is given its values, without this one. A value that
/// stands nowhere is no default, but given by code.
pub(super) fn not_given(host: &Host<'_>, data: Val, problem: &mut Diagnostic) {
    let parts = problem.parts();
    let is_inside = parts.labels.iter().all(|label| is_in_library(&host.sources.get(label.span.source).name));
    let Some(value) = parts.value.as_ref().filter(|_| is_inside) else { return };
    let (path, is_default) = (value.path.clone(), value.written);
    let Some(span) = parts.trace.iter().find_map(|frame| frame.span) else { return };
    // Of several libraries in one file another one may be given those values.
    let text = host.sources.get(span.source);
    let is_only = text.text.as_str().is_some_and(|text| text.matches("library.get(").count() == 1);
    let method = given(host, span);
    let (given, is_call) = method.filter(|_| is_only).map_or((span, false), |given| (given, true));
    let text = match (is_call, is_default) {
        (true, true) => format!("the library's values are given here, without `{path}`"),
        (false, true) => format!("the library is evaluated here, and nothing gives it `{path}`"),
        (true, false) => "the library's values are given here".to_owned(),
        (false, false) => "the library is evaluated here".to_owned(),
    };
    let told = problem.clone().label(given, text);
    if !is_default {
        *problem = passed::told(host, data, told, method);
        return;
    }
    if !is_call || path.contains(['.', '[']) {
        *problem = told;
        return;
    }
    let source = host.sources.get(given.source);
    let behind = source.text.as_str().and_then(|text| text.get(given.end as usize..)?.strip_prefix("({"));
    let start = given.end.saturating_add(2);
    *problem = match behind.filter(|behind| !behind.starts_with(['}', '\n'])) {
        Some(_) => told
            .help_edit(
                format!("give `{path}` with the other values, and write its value between the quotes"),
                Span { start, end: start, ..given },
                format!("\"{path}\": \"…\", "),
            )
            .guessing(),
        None => told,
    };
}

/// A library's rule for a value that code of a template gives it: where that comes from, and the value to write there.
pub(super) fn given_wrong(host: &Host<'_>, data: Val, problem: &mut Diagnostic) {
    let parts = problem.parts();
    let (Some(label), Some(Fact::Rule { near, .. })) = (parts.labels.first(), parts.fact.clone()) else { return };
    let (span, trace) = (label.span, parts.trace.clone());
    let Some(item) = Origins::new(host, data, &trace).only(span, 0) else { return };
    let arena = host.arena.borrow();
    let value = arena.value(item);
    let Some(place) = place_of(host, item).filter(|place| parts.labels.iter().all(|label| label.span != *place)) else {
        return;
    };
    let name = name_of(host, item, &code_of(&host.sources, span));
    let mut told = problem.clone().label(place, format!("`{name}` is {}, from here", described(&arena, value)));
    let written = code_of(&host.sources, place);
    let is_written = arena.str(value).is_some_and(|text| written == text || written == quoted::go(text.as_bytes()));
    if let Some((near, is_guess)) = near.filter(|(near, _)| is_written && needs_no_quotes(near)) {
        told.parts_mut().helps.clear();
        told = told.help_edit(format!("did you mean `{near}`?"), place, near);
        // Others may read the value, too.
        if is_guess {
            told = told.guessing();
        }
    }
    *problem = told;
}

/// The code outside of a library that gave it this data value, written out in the call of `with_data_values`.
pub(super) fn giving(host: &Host<'_>, origins: &Origins<'_, '_>, item: NodeId) -> Option<Span> {
    let sources = host.sources.all();
    let name = |span: &Span| sources.get(span.source.0 as usize).map(|source| &*source.name);
    let mut places = origins.trace().iter().filter_map(|frame| frame.span);
    let (root, _) = library_of(name(&places.next()?)?)?;
    let outside = places.find(|span| name(span).is_some_and(|name| !is_of(name, root)))?;
    let method = given(host, outside)?;
    let code = FileCode::read(sources.get(method.source.0 as usize)?, method.source)?;
    let (_, call, _) = code.calls().into_iter().find(|(function, ..)| function.end == method.end)?;
    let keys = origins.keys_to(item)?;
    let path: Vec<PathStep<'_>> = keys.iter().map(|key| PathStep::Key(key)).collect();
    Some(GivenInCall::new(call).entry(&host.sources, &path)?.value)
}

/// Where the values of a schema begin.
fn declaration(host: &Host<'_>, id: SourceId) -> Option<Span> {
    let source = host.sources.get(id);
    let at = to_u32(source.text.as_str()?.find("#@data/values-schema")?);
    let line = source.line_range(source.line(at));
    Some(Span::new(id, line.start, line.end))
}

/// The name of the method that gives a library its values: in the code of a call, or where the name is set that it is
/// called on. Of several in a file the nearest one may be another library's.
fn given(host: &Host<'_>, span: Span) -> Option<Span> {
    let source = host.sources.get(span.source);
    let text = source.text.as_str()?;
    // The place is where the call ends: what it is called on may stand on lines above.
    let before = text.get(..span.end as usize)?;
    let found = |at: usize| {
        let at = to_u32(at);
        Some(Span { start: at, end: at.checked_add(to_u32(METHOD.len()))?, ..span })
    };
    let mut all = text.match_indices(METHOD).map(|(at, _)| at);
    if let (Some(at), None) = (all.next(), all.next()) {
        return if at < before.len() { found(at) } else { None };
    }
    let line = before.rfind('\n').map_or(0, |newline| newline.saturating_add(1));
    let own = before.get(line..)?;
    if let Some(at) = own.rfind(METHOD) {
        return found(line.checked_add(at)?);
    }
    let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let name = own.rsplit(|letter: char| !is_of_name(letter) && letter != '.').find(|word| word.contains('.'))?;
    let name = name.split('.').next().filter(|name| !name.is_empty())?;
    let mut end = line;
    for above in before.get(..line)?.lines().rev() {
        end = before.get(..end)?.trim_end_matches('\n').len().checked_sub(above.len())?;
        let code = above.trim_start().trim_start_matches("#@").trim_start();
        if let Some(rest) = code.strip_prefix(name)
            && rest.trim_start().starts_with('=')
            && !rest.trim_start().starts_with("==")
        {
            return found(end.checked_add(above.rfind(METHOD)?)?);
        }
    }
    None
}
