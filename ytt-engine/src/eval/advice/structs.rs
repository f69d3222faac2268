//! Members that a struct does not have: methods of dicts, and data values that lie in another group.
#![allow(
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "offsets are those of texts found in a source, which has fewer than 2³¹ bytes"
)]

use super::super::host::Host;
use super::operands::items_named;
use super::origin::Origins;
use super::{code_of, early, inside, items, library, member};
use crate::diag::{Advice, Diagnostic, WordKind, grouped, suggest};
use crate::files::is_in_library;
use crate::nearest::{folded, only};
use crate::quoted;
use crate::source::{Source, SourceId, SourceMap, Span, to_u32};
use crate::template::code::{Binder, Bound, FileCode};
use crate::template::loading::with_load;
use crate::template::{outline, plain, word, written};
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::{Arena, NodeId, Val};

/// Methods of dicts that people look for at structs.
pub(super) const METHODS: [&str; 4] = ["items", "keys", "values", "get"];

/// A method of dicts on a struct: the dict that has it.
pub(in crate::eval) fn method(
    sources: &SourceMap,
    diagnostic: Diagnostic,
    name: &str,
    fields: &[String],
) -> Diagnostic {
    let place = diagnostic.parts().labels.first().map(|label| label.span);
    let Some((place, of)) = place.and_then(|place| Some((place, written::receiver(sources, place)?))) else {
        return diagnostic;
    };
    if !METHODS.contains(&name) {
        return diagnostic.misspelt_as(WordKind::Attribute, name, None).saying("no such field");
    }
    let struct_of = code_of(sources, of);
    let told = diagnostic.misspelt_as(WordKind::Attribute, name, None);
    let told = told.saying(format!("a struct has fields only: a dict has `{name}`"));
    if name == "get" {
        let given = written::call(sources, place).unwrap_or_default();
        let field = given.first().map(|key| code_of(sources, key.value));
        let field = field.as_deref().and_then(|field| field.strip_prefix('"')?.strip_suffix('"'));
        if let Some(field) = field.filter(|field| fields.iter().any(|known| known == field)) {
            return told.help_edit(format!("the struct has the field `{field}`"), place, member(&struct_of, field));
        }
        return match &given[..] {
            [key] => {
                let new = format!("getattr({struct_of}, {}, None)", code_of(sources, key.value));
                told.help_edit("read the field with `getattr`", place, new)
            }
            [key, default] => {
                let (key, default) = (code_of(sources, key.value), code_of(sources, default.value));
                let new = format!("getattr({struct_of}, {key}, {default})");
                told.help_edit("read the field with `getattr`", place, new)
            }
            _ => told.help("read the field with `getattr`"),
        };
    }
    decoded(&sources.get(place.source), told, "make a dict of the struct", of, format!("struct.decode({struct_of})"))
}

/// A method of dicts on a struct that is a data value: where the map stands.
pub(super) fn of_data(host: &Host<'_>, data: Val, problem: &mut Diagnostic, name: &str) {
    let place = problem.parts().labels.first().map(|label| label.span);
    let Some(of) = place.and_then(|place| items::receiver(host, place)).filter(|_| METHODS.contains(&name)) else {
        return;
    };
    let trace = problem.parts().trace.clone();
    let found = Origins::new(host, data, &trace).of(of, 0);
    let arena = host.arena.borrow();
    let Some(map) = found.iter().find_map(|item| arena.span_of(*item)) else { return };
    let text = "this map is a data value: in code it is a struct, and so is each map in it";
    *problem = problem.clone().label(map, text);
}

/// A help whose edit uses `struct.decode`, with the `load` that it needs.
pub(super) fn decoded(source: &Source, told: Diagnostic, text: &str, place: Span, new: String) -> Diagnostic {
    match with_load(source, ("@ytt:struct", "struct"), place, new) {
        Some((place, new)) => told.help_edit(text, place, new),
        None => told.help(format!("{text}: `struct.decode(…)`, under a name that is free here")),
    }
}

/// A field that data values have in another group.
pub(super) fn elsewhere(host: &Host<'_>, data: Val, problem: &mut Diagnostic, name: &str) {
    let parts = problem.parts();
    let Some(label) = parts.labels.first().filter(|_| parts.helps.is_empty()) else { return };
    let span = label.span;
    let source = host.sources.get(span.source);
    let line = source.line_range(source.line(span.start)).start;
    let before = source.written(Span::new(span.source, line, span.start)).unwrap_or_default();
    let path = before.trim_end_matches(|letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.'));
    let start = line + path.len() as u32;
    let Some(group) = before[path.len()..].strip_prefix("data.values.") else { return };
    let found = items_named(host, data, name);
    let is_plain = |path: &str| !path.contains("..") && path.split('.').all(|key| member("", key).starts_with('.'));
    let found: Vec<_> = found.into_iter().filter(|(path, _)| is_plain(path)).collect();
    match &found[..] {
        [(path, item)] => {
            let value = format!("data.values.{path}");
            let place = host.arena.borrow().span_of(*item);
            // What is written there already is not what was meant.
            let is_written = *path == format!("{group}{name}");
            if is_written {
                if let Some(told) = library::not_seen(host, problem, name, *item) {
                    *problem = told;
                }
                return;
            }
            let mut told = problem.clone();
            told.parts_mut().notes.clear();
            if let Some(place) = place {
                let group = path.rsplit_once('.').map_or("at the top".to_owned(), |(group, _)| format!("in `{group}`"));
                told = told.label(place, format!("`{name}` is declared here, {group}"));
            }
            let of = Span { start, end: span.start.saturating_sub(1), ..span };
            let others = path.strip_prefix(group).and_then(|below| below.rsplit_once('.')).and_then(|(below, _)| {
                let arena = host.arena.borrow();
                let mut keys = group.trim_end_matches('.').split('.');
                let map = keys.try_fold(data, |at, key| Some(arena.value(arena.find_str(arena.map_of(at)?, key)?)))?;
                inside::with_others(host, &arena, (of, span), (arena.map_of(map)?, below))
            });
            *problem = match others {
                Some((text, (place, new))) => told.help_edit(text, place, new),
                None => told.help_edit(format!("did you mean `{value}`?"), Span { start, ..span }, value),
            };
        }
        [] if path.len() + "data.values.".len() == before.len() && early::told(host, data, problem, name) => {}
        [] if source.text.as_str().is_some_and(|text| text.contains("#@data/values")) => {
            let mut told = problem.clone();
            told.parts_mut().notes.clear();
            *problem = told.relabel("data values are not there yet where they are made");
            let text = format!("give the value a name, and use it here and for `{name}`");
            let is_all = path.len() + "data.values.".len() == before.len();
            let found = made_here(&source, span, name).filter(|_| is_all);
            // A name for one of several would only lead to the next.
            let line = source.line_range(source.line(span.start));
            let line = source.text.as_str().and_then(|text| text.get(line.start as usize..line.end as usize));
            let is_one_of_several = line.is_some_and(|line| line.matches("data.values.").count() > 1);
            *problem = match found {
                Some(Made { document, key, edit }) => {
                    let told = problem
                        .clone()
                        .label(document, "this document makes data values")
                        .label(key, "the value is here");
                    match is_one_of_several {
                        true => told.help(
                            "what they are is known when all are given: leave this one empty, and put it together in the \
                             template that uses it",
                        ),
                        false => told.help_edit(text, edit.0, edit.1),
                    }
                }
                None => problem.clone().help(format!("{text}: `#@ {name} = …` above `---`")),
            };
        }
        [] if path.len() + "data.values.".len() == before.len() => {
            plain_file(host, problem, name);
            if problem.parts().helps.is_empty() && host.count(data) == 0 && !is_in_library(&source.name) {
                no_values(problem, name);
            }
        }
        [] => {}
        many => {
            let paths: Vec<String> = many.iter().take(3).map(|(path, _)| format!("`data.values.{path}`")).collect();
            *problem = problem.clone().help(format!("there is {}", paths.join(", ")));
        }
    }
}

/// A value that a document of data values sets, in the file that reads it.
struct Made {
    /// Its annotation.
    document: Span,
    key: Span,
    edit: (Span, String),
}

/// Where a document of data values sets the key that it reads as a data value: the edit that gives its value a name.
fn made_here(source: &Source, used: Span, name: &str) -> Option<Made> {
    const READ: &str = "data.values.";
    let text = source.text.as_str()?;
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_free = FileCode::read(source, used.source)?.bound(used, name).is_none();
    (is_free && name.chars().all(is_name)).then_some(())?;
    let at = |offset: usize| to_u32(offset);
    let mut lines = text.split_inclusive('\n').scan(0, |next, line| {
        let start = *next;
        *next += line.len();
        Some((start, line.trim_end()))
    });
    let (above, annotation) = lines.find(|(_, line)| line.starts_with("#@data/values"))?;
    let own = lines.find_map(|(start, line)| {
        let value = line.strip_prefix(name)?.strip_prefix(':')?.strip_prefix(' ')?.trim();
        Some((start, start + line.len() - value.len(), value))
    });
    let (key, value, written) = own?;
    let literal = literal_of(written)?;
    let place = |start: usize, end: usize| Span { start: at(start), end: at(end), ..used };
    // What is read stands in the same document or below it.
    let read = Span { start: used.start.checked_sub(at(READ.len()))?, end: used.start + at(name.len()), ..used };
    let before = format!("#@ {name} = {literal}\n");
    let own = format!("#@ {name}");
    let mut parts =
        vec![(place(above, above), before.as_str()), (place(value, value + written.len()), own.as_str()), (read, name)];
    parts.sort_by_key(|(span, _)| span.start);
    Some(Made {
        document: place(above, above + annotation.len()),
        key: place(key, value + written.len()),
        edit: source.replaced(parts)?,
    })
}

/// A plain scalar of one line, as code writes it.
pub(super) fn literal_of(written: &str) -> Option<String> {
    let is_quoted = |quote: char| {
        let inside = written.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
        inside.is_some_and(|inside| !inside.contains([quote, '\\']))
    };
    match written {
        "true" => Some("True".to_owned()),
        "false" => Some("False".to_owned()),
        _ if is_quoted('"') => Some(written.to_owned()),
        _ if written.bytes().all(|byte| byte.is_ascii_digit()) && !written.starts_with('0') => Some(written.to_owned()),
        _ if needs_no_quotes(written) => Some(quoted::go(written.as_bytes())),
        _ => None,
    }
}

/// A field that the data values have by a name like it: either of the two may be the wrong one.
pub(super) fn declared_as(host: &Host<'_>, data: Val, problem: &mut Diagnostic, name: &str) {
    let [label] = &problem.parts().labels[..] else { return };
    let place = label.span;
    let Some(of) = items::receiver(host, place) else { return };
    let trace = problem.parts().trace.clone();
    let [map] = Origins::new(host, data, &trace).values(of)[..] else { return };
    let arena = host.arena.borrow();
    let Some(map) = arena.map_of(map) else { return };
    if let Some(told) = by_levels(host, &arena, problem, (place, name), map) {
        *problem = told;
        return;
    }
    let keys = || arena.items(map).iter().filter_map(|item| arena.str(arena.key(*item)));
    let meant = suggest::meant(name, keys());
    let Some((near, item)) = meant.only().and_then(|near| Some((near, arena.find_str(map, near)?))) else {
        if !meant.names.is_empty() && problem.parts().helps.is_empty() {
            *problem = problem.clone().help(format!("is {} meant?", suggest::either(&meant.names)));
        }
        return;
    };
    let Some(declared) = arena.span_of(item) else { return };
    // A map under a name that is not spelt alike is hardly what a value is asked for.
    let behind = code_of(&host.sources, Span { start: place.end, end: place.end.saturating_add(1), ..place });
    let is_group = meant.is_guess() && arena.map_of(arena.value(item)).is_some() && behind != ".";
    if is_group {
        return;
    }
    let told = problem.clone().label(declared, there(&host.sources, declared, near));
    let mut told = set_to(&host.sources, told, of);
    if told.parts().helps.is_empty() {
        told = told.help_edit(format!("is `.{near}` meant?"), place, near).guessing();
    }
    let source = host.sources.get(declared.source);
    if source.written(declared) == Some(near) && needs_no_quotes(name) && !is_in_library(&source.name) {
        told = told.help_edit(format!("code reads `.{name}`: declare it by that name"), declared, name).other_side();
    }
    *problem = told;
}

/// Marks where a name is set that code reads, or reads a field of.
pub(super) fn set_to(sources: &SourceMap, told: Diagnostic, of: Span) -> Diagnostic {
    let name = code_of(sources, of);
    let source = sources.get(of.source);
    let code = FileCode::read(&source, of.source).filter(|code| code.is_bound_once(of, &name));
    match code.and_then(|code| code.bound(of, &name)) {
        Some(Bound { by: Binder::Value(value), .. }) if !code_of(sources, value).contains('\n') => {
            told.label(value, format!("`{name}` is set to this"))
        }
        _ => told,
    }
}

/// What is said of a value where it stands: in a schema, or where it is given.
fn there(sources: &SourceMap, place: Span, key: &str) -> String {
    match outline::is_in_schema(&sources.get(place.source), place) {
        true => format!("`{key}` is declared here"),
        false => format!("`{key}` is given here"),
    }
}

/// A field whose name joins those of several levels, or the other way round: `service_port` for `service.port`.
fn by_levels(
    host: &Host<'_>,
    arena: &Arena,
    problem: &Diagnostic,
    (place, name): (Span, &str),
    map: NodeId,
) -> Option<Diagnostic> {
    let is_free = problem.parts().helps.is_empty();
    let in_group = || is_free.then(|| in_short_group(arena, map, name))?;
    let (keys, item) = match below(arena, map, &folded(name)).or_else(in_group) {
        Some(found) => found,
        None => {
            let source = host.sources.get(place.source);
            let line = source.line_range(source.line(place.end)).end;
            let behind = source.written(Span { start: place.end, end: line, ..place })?;
            let part = |letter: char| letter.is_alphanumeric() || letter == '_';
            let mut joined = folded(name);
            let mut end = 0;
            let item = loop {
                let rest = behind.get(end..)?.strip_prefix('.')?;
                let next = rest.get(..rest.find(|letter| !part(letter)).unwrap_or(rest.len()))?;
                joined.push_str(&folded(next));
                end = end.checked_add(1)?.checked_add(next.len()).filter(|_| !next.is_empty())?;
                let is_it = |item: &&NodeId| arena.str(arena.key(**item)).is_some_and(|key| folded(key) == joined);
                if let Some(item) = arena.items(map).iter().find(is_it) {
                    break *item;
                }
            };
            let key = arena.str(arena.key(item))?;
            let whole = Span { end: place.end.checked_add(to_u32(end))?, ..place };
            let place = arena.span_of(item)?;
            let told = problem.clone().label(place, there(&host.sources, place, key));
            let is_name = member("", key).starts_with('.');
            return is_name.then(|| told.help_edit(format!("did you mean `.{key}`?"), whole, key));
        }
    };
    let is_name = keys.iter().all(|key| member("", key).starts_with('.'));
    let [group, .., last] = &keys[..] else { return None };
    let joined = keys.join(".");
    let mut told = problem.clone();
    told.parts_mut().helps.clear();
    let first = arena.find_str(map, group)?;
    let told = told
        .label_at(arena.span_of(first), format!("`{group}` is a group here"))
        .label_at(arena.span_of(item), format!("and `{last}` in it"));
    is_name.then(|| told.help_edit(format!("did you mean `.{joined}`?"), place, joined).guessing())
}

/// The keys of the only group that the first word of a name is short for and that has the rest: `database.name` for
/// `db_name`.
fn in_short_group(arena: &Arena, map: NodeId, name: &str) -> Option<(Vec<String>, NodeId)> {
    let found = arena.items(map).iter().filter_map(|group| {
        let key = arena.str(arena.key(*group))?;
        let member = folded(grouped::member_in(name, key)?);
        let own = |item: &&NodeId| arena.str(arena.key(**item)).is_some_and(|own| folded(own) == member);
        let item = arena.items(arena.map_of(arena.value(*group))?).iter().find(own)?;
        Some((vec![key.to_owned(), arena.str(arena.key(*item))?.to_owned()], *item))
    });
    only(found)
}

/// The keys of several levels that are this name together, and the item to which they lead.
fn below(arena: &Arena, map: NodeId, name: &str) -> Option<(Vec<String>, NodeId)> {
    let mut open = vec![(map, name, Vec::new())];
    while let Some((map, name, above)) = open.pop() {
        for &item in arena.items(map) {
            let Some(key) = arena.str(arena.key(item)) else { continue };
            let own = folded(key);
            let Some(rest) = name.strip_prefix(&*own).filter(|_| !own.is_empty()) else { continue };
            let keys: Vec<String> = above.iter().cloned().chain([key.to_owned()]).collect();
            match arena.map_of(arena.value(item)) {
                _ if rest.is_empty() && keys.len() > 1 => return Some((keys, item)),
                Some(inner) if !rest.is_empty() => open.push((inner, rest, keys)),
                _ => {}
            }
        }
    }
    None
}

/// A struct that code took for something else, since it asks `type(…) == "dict"`: the comparison, with the edit.
pub(super) fn taken_for_dict(sources: &SourceMap, problem: &mut Diagnostic) {
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let code = code_of(sources, place);
    let source = sources.get(place.source);
    let Some(text) = source.text.as_str() else { return };
    let asked = format!("type({code})");
    let found = text.match_indices(&*asked).find_map(|(at, _)| {
        let behind = text.get(at + asked.len()..)?;
        let line = behind.split('\n').next()?;
        let dict = line.find("\"dict\"").filter(|to| line[..*to].trim().trim_start_matches('=').trim().is_empty())?;
        let start = (at + asked.len() + dict) as u32;
        Some(Span { start, end: start + 6, ..place })
    });
    let Some(dict) = found else { return };
    let told = problem.clone().label(dict, "a map of data values is a `struct`, no `dict`");
    *problem = told.help_edit("ask for a struct", dict, "\"struct\"").if_it_mends();
}

/// A data value where there are none at all.
fn no_values(problem: &mut Diagnostic, name: &str) {
    let mut told = problem.clone().relabel(format!("no data value `{name}`, since there are no data values at all"));
    told.parts_mut().notes.clear();
    *problem = told.advise(Advice::SetValue(name.to_owned()));
}

/// A data value that a plain file sets, which is a document of the output as it is given.
fn plain_file(host: &Host<'_>, problem: &mut Diagnostic, name: &str) {
    for (number, source) in host.sources.all().iter().enumerate() {
        if !host.may_advise(source.text.as_bytes().len()) {
            return;
        }
        let Some(place) = plain::top_key(source, SourceId(to_u32(number)), name) else { continue };
        let mut told = problem.clone();
        told.parts_mut().notes.clear();
        told = told.label(place, format!("`{name}` is set here, in a plain file, which sets no data values"));
        let text = "to set data values, annotate the document of the file with `#@data/values`";
        told = match plain::annotated(source, place) {
            Some((span, new)) => told.help_edit(text, span, new),
            None => told.help(text),
        };
        *problem = told.advise(Advice::GiveValuesFile { why: "or give the file" });
        return;
    }
}

/// `value.name or DEFAULT`: a field that is not there is an error before `or` is asked.
pub(super) fn with_default(sources: &SourceMap, problem: &Diagnostic, name: &str) -> Option<Diagnostic> {
    let parts = problem.parts();
    let label = parts.labels.first().filter(|_| parts.helps.is_empty())?;
    let code = FileCode::read(&sources.get(label.span.source), label.span.source)?;
    let [whole, value, default] = code.default_behind(label.span)?;
    let new = format!("getattr({}, \"{name}\", None) or {}", code_of(sources, value), code_of(sources, default));
    let told = problem.clone().relabel("no such field, which is an error before `or` is asked");
    Some(told.help_edit("ask by `getattr`, which gives None then", whole, new))
}

/// An item or a field of a struct that is set, or a method of dicts that `is_called`: where the struct comes from, and the
/// dict that can be changed.
pub(super) fn set(host: &Host<'_>, problem: &mut Diagnostic, is_called: bool) {
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let Some(changed) = written::changed(&host.sources, place) else { return };
    // Of `app.count += 1` it is the field.
    let is_field = !is_called && !code_of(&host.sources, Span { start: changed.end, ..place }).starts_with(['.', '[']);
    let of_field = written::receiver(&host.sources, changed).or_else(|| written::indexed(&host.sources, changed));
    let changed = of_field.filter(|_| is_field).unwrap_or(changed);
    let (source, name) = (host.sources.get(changed.source), code_of(&host.sources, changed));
    let told = problem.clone().relabel("a struct cannot be changed");
    let bound = FileCode::read(&source, changed.source).and_then(|code| code.bound(changed, &name));
    let text = "make a dict of it, which can be changed";
    let Some(bound) = bound else {
        *problem =
            told.help(format!("make a dict of it under another name, `… = struct.decode({name})`, and change that"));
        return;
    };
    // A field is set as an item then; a method of dicts stays what it is.
    let target = code_of(&host.sources, Span { start: changed.end, ..place });
    let field = target.strip_prefix('.').filter(|_| !is_called).map(|rest| {
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
        (&rest[..end], changed.end + 1 + end as u32)
    });
    let edit = |at: Span, new: String| {
        let (span, new) = match field {
            Some((field, end)) => {
                let between = Span { start: at.end, end: changed.end, ..at };
                (Span { end, ..at }, format!("{new}{}[\"{field}\"]", code_of(&host.sources, between)))
            }
            None => (at, new),
        };
        with_load(&source, ("@ytt:struct", "struct"), span, new)
    };
    *problem = match bound.by {
        Binder::Value(value) => {
            let told = told.label(bound.name, format!("`{name}` is set to a struct here"));
            let all = source.text.as_str().unwrap_or_default();
            let mut uses = word::whole(all, &name).filter(|at| !(place.start..place.end).contains(&to_u32(*at)));
            // As a dict it has no fields.
            if uses.any(|at| all.get(at + name.len()..).is_some_and(|rest| rest.starts_with('.'))) {
                told.help(format!("{text}, by `struct.decode(…)`, and read it as `{name}[\"…\"]` everywhere"))
            } else {
                match edit(value, format!("struct.decode({})", code_of(&host.sources, value))) {
                    Some((span, new)) => told.help_edit(text, span, new).if_it_mends(),
                    None => told.help(format!("{text}: `struct.decode(…)`, by a name that is free here")),
                }
            }
        }
        Binder::Parameter(_) | Binder::Loop { .. } => {
            let line = source.line_range(source.line(place.start)).start;
            let before = code_of(&host.sources, Span { start: line, end: place.start, ..place });
            let told = told.label(bound.name, format!("`{name}` is a struct here"));
            let at = Span { start: line, end: line, ..place };
            let is_alone = matches!(before.trim(), "" | "#@");
            match is_alone.then(|| edit(at, format!("{before}{name} = struct.decode({name})\n"))).flatten() {
                Some((span, new)) => told.help_edit(text, span, new),
                None => told.help(format!("make a dict of it: `{name} = struct.decode({name})`")),
            }
        }
        _ => told.help(format!("make a dict of it under another name, `… = struct.decode({name})`, and change that")),
    };
}
