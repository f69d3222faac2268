//! Members of what has none: a text, a number or a list among the data values, where it is set, and the slip that made it.

use super::super::host::Host;
use super::origin::{self, Origins, described, name_of, place_of};
use super::{article, code_of, floats, items, member, place_at};
use crate::diag::{Diagnostic, Fact, WordKind, suggest};
use crate::source::{SourceId, SourceMap, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::loading::with_load;
use crate::template::{methods, outline, written};
use crate::yaml::{Arena, Body, NodeId, Val};

/// Places that are shown.
const SHOWN: usize = 3;

/// Adds where the value is set of which code reads a member. `of` is the code in front of the dot.
pub(super) fn set_at(host: &Host<'_>, data: Val, problem: &mut Diagnostic, of: Span, (kind, name): (&str, &str)) {
    // What is known to be meant needs no values.
    if !problem.parts().helps.is_empty() {
        return;
    }
    let trace = problem.parts().trace.clone();
    let origins = Origins::new(host, data, &trace);
    let mut items = origins.of(of, 0);
    items.retain(|item| is_of_kind(&host.arena.borrow(), *item, kind));
    let mut places: Vec<(Span, NodeId)> =
        items.iter().filter_map(|item| Some((place_of(host, *item)?, *item))).collect();
    places.sort_unstable_by_key(|(place, _)| (place.source, place.start));
    places.dedup_by_key(|(place, _)| *place);
    let is_known = |place: Span| problem.parts().labels.iter().any(|label| label.span == place);
    places.retain(|(place, _)| !is_known(*place));
    let code = code_of(&host.sources, of);
    if places.is_empty() && kind == "string" && code.starts_with("data.values.") {
        // What code gave to a library has no place.
        *problem = surplus(host, problem.clone(), of, name);
    }
    if places.is_empty() || places.len() > SHOWN {
        return;
    }
    let mut told = problem.clone();
    if let Some(first) = told.parts_mut().labels.first_mut().filter(|first| first.text.is_empty()) {
        (first.span, first.text) = (of, format!("this is {}", article(kind)));
    }
    for (place, item) in &places {
        let what = described(&host.arena.borrow(), host.arena.borrow().value(*item));
        told = told.label(*place, format!("`{}` is {what}", name_of(host, *item, &code)));
    }
    let [(_, item)] = places[..] else {
        *problem = told;
        return;
    };
    *problem = match kind {
        "string" => surplus(host, apart(host, told, item, name), of, name),
        "list" => of_item(host, told, &origins, (of, item), name),
        _ => told,
    };
}

/// A text whose member is read, where it is itself what is meant.
fn surplus(host: &Host<'_>, told: Diagnostic, of: Span, name: &str) -> Diagnostic {
    let end = of.end.saturating_add(to_u32(name.len()).saturating_add(1));
    let surplus = Span { start: of.end, end, ..of };
    let code = code_of(&host.sources, of);
    match code_of(&host.sources, surplus) == format!(".{name}") {
        true => {
            told.help_edit(format!("`{code}` is the text: leave out `.{name}`"), surplus, "").if_it_mends().guessing()
        }
        false => told,
    }
}

/// Makes an edit of the method that the message of an error names as the one that was probably meant. Members
/// of structs are known with what they hold: see [`attribute`].
pub(in crate::eval) fn of_method(diagnostic: Diagnostic) -> Diagnostic {
    match diagnostic.parts().fact.clone() {
        Some(Fact::NoMember { kind, name, near: Some(near), .. }) => {
            match &suggest::equally_similar(&name, methods::of_kind(&kind))[..] {
                // The reference proposes what is far away, too: `.endswith` for `.beginsWith`.
                [] => {
                    diagnostic.misspelt_as(WordKind::Attribute, &*name, None).help(format!("did you mean `.{near}`?"))
                }
                [_] => diagnostic.misspelt_as(WordKind::Attribute, &*name, Some(&near)),
                several => diagnostic.misspelt_among(WordKind::Attribute, &*name, several),
            }
        }
        _ => diagnostic,
    }
}

/// A member that a struct does not have, with the one that was probably meant.
pub(in crate::eval) fn attribute(sources: &SourceMap, diagnostic: Diagnostic, name: &str, near: &str) -> Diagnostic {
    let whole = member("", near);
    if whole.starts_with('.') {
        return diagnostic.misspelt_as(WordKind::Attribute, name, Some(near));
    }
    // A name that is no identifier cannot stand after a dot.
    let place = diagnostic.parts().labels.first().map(|label| label.span);
    let edit = place.and_then(|place| {
        let code = code_of(sources, place);
        let of = code.strip_suffix(name)?.strip_suffix('.')?;
        Some((place, member(of, near)))
    });
    let help = format!("did you mean `{near}`? It is no name of code, so it is read with `getattr`");
    match edit {
        Some((place, new)) => diagnostic.help_edit(help, place, new),
        None => diagnostic.help(help),
    }
}

/// A member of which a name is a part, or with which it shares a word, where nothing else was told.
pub(super) fn like(host: &Host<'_>, problem: &mut Diagnostic, name: &str, known: &[String]) {
    let sources = &host.sources;
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let known = known.iter().map(String::as_str).filter(|known| member("", known).starts_with('.'));
    let meant = suggest::meant(name, known);
    if meant.names.is_empty() || !problem.parts().helps.is_empty() || code_of(sources, place) != name {
        return;
    }
    let told = problem.clone();
    *problem = match meant.only() {
        Some(near) => {
            let made = items::receiver(host, place).and_then(|of| made_with(sources, of, near));
            let told = told.label_at(made, format!("`{near}` is set here"));
            told.help_edit(format!("is `.{near}` meant?"), place, near).guessing()
        }
        None => told.help(format!("is {} meant?", suggest::either(&meant.names))),
    };
}

/// Where `struct.make` is given a field of the struct that a name is always set to.
fn made_with(sources: &SourceMap, of: Span, field: &str) -> Option<Span> {
    let name = code_of(sources, of);
    let set = |code: &FileCode, place: Span, name: &str| {
        code.bound(place, name).filter(|_| code.is_bound_once(place, name)).map(|bound| bound.by)
    };
    let code = |file: SourceId| FileCode::read(&sources.get(file), file);
    let value = match set(&*code(of.source)?, of, &name)? {
        Binder::Value(value) => value,
        Binder::Load => {
            let (file, own) = outline::home(sources, of.source, &name)?;
            match set(&*code(file)?, outline::defined(&sources.get(file), file, &own)?, &own)? {
                Binder::Value(value) => value,
                _ => return None,
            }
        }
        _ => return None,
    };
    let makes = code_of(sources, written::callee(sources, value)?).ends_with(".make");
    let names = written::call(sources, value).filter(|_| makes)?.into_iter().filter_map(|one| one.name);
    names.into_iter().find(|name| code_of(sources, *name) == field)
}

/// What a method of other languages is called here.
fn known_as(kind: &str, name: &str) -> Option<&'static str> {
    Some(match (kind, name) {
        ("string", "toUpperCase" | "toUpper" | "upcase") => "upper",
        ("string", "toLowerCase" | "toLower" | "downcase") => "lower",
        ("string", "trim" | "trimSpace") => "strip",
        ("string", "startsWith" | "hasPrefix" | "starts_with") => "startswith",
        ("string", "endsWith" | "hasSuffix" | "ends_with") => "endswith",
        ("string", "replaceAll") => "replace",
        ("string", "indexOf") => "find",
        ("list", "push" | "add") => "append",
        _ => return None,
    })
}

/// A method that has another name here, or that texts have, of a number.
pub(super) fn method(host: &Host<'_>, data: Val, problem: &mut Diagnostic, of: Span, (kind, name): (&str, &str)) {
    let start = of.end.saturating_add(1);
    let member = Span { start, end: start.saturating_add(to_u32(name.len())), ..of };
    let code = code_of(&host.sources, of);
    if !problem.parts().helps.is_empty() || code_of(&host.sources, member) != name {
        return;
    }
    if let Some(here) = known_as(kind, name) {
        place_at(problem, member);
        *problem = problem.clone().help_edit(format!("it is `.{here}` here"), member, here);
    } else if matches!(kind, "int" | "float" | "bool") && methods::of_kind("string").any(|known| known == name) {
        place_at(problem, of);
        let told = problem.clone().relabel(format!("this is {}", article(kind)));
        *problem = told.help_edit(format!("a text has `{name}`: make one of it"), of, format!("str({code})"));
        if kind == "float" {
            floats::taken_for_text(host, data, problem, of);
        }
    }
}

/// Is it how other languages ask for the length of a value?
pub(super) fn is_length(kind: &str, name: &str) -> bool {
    // A struct lacks a data value of that name.
    // Of a dict or a fragment it is mostly a key.
    matches!(kind, "list" | "string" | "tuple") && matches!(name, "length" | "len" | "size" | "count")
}

/// `value.length`, which is `len(value)` here.
pub(super) fn length(host: &Host<'_>, problem: &mut Diagnostic, name: &str) {
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let Some(of) = written::receiver(&host.sources, place).or_else(|| items::receiver(host, place)) else { return };
    let source = host.sources.get(of.source);
    let member = of.end.saturating_add(1).saturating_add(to_u32(name.len()));
    let is_called = source.written(Span { start: member, end: member.saturating_add(2), ..of }) == Some("()");
    let end = if is_called { member.saturating_add(2) } else { member };
    let new = format!("len({})", code_of(&host.sources, of));
    let mut told = problem.clone();
    told.parts_mut().helps.clear();
    *problem = told.help_edit(format!("write `{new}`"), Span { end, ..of }, new);
}

/// Functions of modules that people look for in another one.
const OFFERED: [(&str, &[&str]); 9] = [
    ("@ytt:assert", &["equals", "fail", "try_to", "min", "max", "min_len", "max_len", "not_null", "one_of"]),
    ("@ytt:data", &["values", "read", "list"]),
    ("@ytt:json", &["encode", "decode"]),
    ("@ytt:library", &["get"]),
    ("@ytt:overlay", &["apply", "index", "all", "map_key", "subset", "and_op", "or_op", "not_op"]),
    ("@ytt:regexp", &["match", "replace"]),
    ("@ytt:struct", &["encode", "decode", "make", "make_and_bind", "bind"]),
    ("@ytt:template", &["replace"]),
    ("@ytt:yaml", &["encode", "decode"]),
];

/// A member of a module that another one has: one that the file loads, or the only one of all.
pub(super) fn of_another_module(host: &Host<'_>, problem: &mut Diagnostic, name: &str) {
    let sources = &host.sources;
    let Some(label) = problem.parts().labels.first().filter(|_| problem.parts().helps.is_empty()) else { return };
    let is_member = code_of(sources, label.span) == name;
    let of = if is_member { super::items::receiver(host, label.span) } else { Some(label.span) };
    let Some(of) = of else { return };
    let source = sources.get(of.source);
    let written = code_of(sources, of);
    let has_it = |module: &str| OFFERED.iter().any(|(known, members)| *known == module && members.contains(&name));
    let loads = outline::loads(&source, of.source);
    let loaded = loads.iter().filter(|load| has_it(&load.path.name)).filter_map(|load| load.names.first());
    match &loaded.collect::<Vec<_>>()[..] {
        [only] if only.here() != written => {
            let text = format!("did you mean `{}.{name}`?", only.here());
            let told = problem.clone().label(only.own.span, format!("`{}` is loaded here", only.here()));
            *problem = told.help_edit(text, of, only.here());
        }
        // What structs and dicts have, too, is hardly that of a module.
        [] if !["get", "index", "values"].contains(&name) => {
            let mut all = OFFERED.iter().filter(|(_, members)| members.contains(&name)).map(|(module, _)| *module);
            if let (Some(only), None) = (all.next(), all.next()) {
                let own = only.trim_start_matches("@ytt:");
                let text = format!("did you mean `{own}.{name}`?");
                *problem = match with_load(&source, (only, own), of, own.to_owned()) {
                    Some((span, new)) => problem.clone().help_edit(text, span, new),
                    None => problem.clone().help(text),
                };
            }
        }
        _ => {}
    }
}

fn is_of_kind(arena: &Arena, item: NodeId, kind: &str) -> bool {
    match arena.value(item) {
        Val::Str { .. } => kind == "string",
        Val::Int(_) | Val::UInt(_) => kind == "int",
        Val::Float(_) => kind == "float",
        Val::Bool(_) => kind == "bool",
        Val::Node(id) => kind == "list" && matches!(arena.get(id).body, Body::Array(_)),
        _ => false,
    }
}

/// A text that was meant as a map: each line lacks the blank behind its colon.
fn apart(host: &Host<'_>, told: Diagnostic, item: NodeId, name: &str) -> Diagnostic {
    let Some(value) = host.arena.borrow().place_of(item).map(|place| place.value()) else { return told };
    let written = code_of(&host.sources, value);
    let mut is_named = false;
    let lines = written.split('\n').map(|line| {
        let (key, rest) = line.split_once(':')?;
        let is_key = |key: &str| {
            !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
        };
        is_named |= key.trim() == name;
        let is_slip = is_key(key.trim()) && !rest.starts_with(' ') && !rest.starts_with("//") && !rest.is_empty();
        is_slip.then(|| format!("{key}: {rest}"))
    });
    let Some(lines) = lines.collect::<Option<Vec<_>>>().filter(|_| is_named) else { return told };
    told.help_edit("write a blank behind the colon: without it this is a text", value, lines.join("\n")).if_it_mends()
}

/// A list whose items have the member: the variable of the loop over it, or one item.
fn of_item(
    host: &Host<'_>,
    told: Diagnostic,
    origins: &Origins<'_, '_>,
    (of, item): (Span, NodeId),
    name: &str,
) -> Diagnostic {
    if !items_have(&host.arena.borrow(), item, name) {
        return told;
    }
    let source = host.sources.get(of.source);
    let turns = FileCode::read(&source, of.source).map_or_else(Vec::new, |code| code.turns(of));
    let mut turns = turns.into_iter().filter(|(_, over)| !(over.start <= of.start && of.end <= over.end));
    let over_it = turns.find_map(|(vars, over)| {
        let (list, var) = origin::turn(&host.sources, vars, over)?;
        (origins.only(list, 0) == Some(item)).then_some((vars, var))
    });
    if let Some((vars, var)) = over_it {
        let told = told.label(vars, format!("each item of the list is `{var}` here, and has `{name}`"));
        return told.help_edit(format!("did you mean `{}`?", member(&var, name)), of, var);
    }
    let code = code_of(&host.sources, of);
    told.help(format!(
        "each item of the list has `{name}`: go over them with a loop, or take one, `{}`",
        member(&format!("{code}[0]"), name)
    ))
}

fn items_have(arena: &Arena, list: NodeId, name: &str) -> bool {
    let Val::Node(list) = arena.value(list) else { return false };
    let has = |item: &NodeId| arena.map_of(arena.value(*item)).is_some_and(|map| arena.find_str(map, name).is_some());
    arena.items(list).iter().any(has)
}
