//! Arguments of another type than a built-in takes, and those that stand behind named ones.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::super::host::Host;
use super::calls::article;
use super::operands::{as_text, items_named, value_of};
use super::origin::{Origins, described, name_of, place_of};
use super::{absent, code_of, entries, functions, member, place_at};
use crate::diag::{Advice, Diagnostic, NoteKind, PathStep, suggest};
use crate::source::{Origin, Source, SourceMap, Span};
use crate::template::code::FileCode;
use crate::template::loading::with_load;
use crate::template::snippet::ArgumentRole;
use crate::template::written::{self, Argument};
use crate::yaml::words::key_text;
use crate::yaml::{NodeId, Val};

/// An argument that a call lacks: the data value of its name, if there is one.
pub(super) fn missing(host: &Host<'_>, data: Val, problem: &mut Diagnostic, name: &str) {
    let Some(call) = problem.parts().labels.first().map(|label| label.span) else { return };
    let source = host.sources.get(call.source);
    let is_whole = source.written(call).is_some_and(|code| code.ends_with(')'));
    let given = written::call(&host.sources, call).filter(|_| is_whole && problem.parts().helps.is_empty());
    let Some(given) = given else { return };
    let [(path, item)] = &items_named(host, data, name)[..] else { return };
    // Of a group that code takes apart, one of its values is meant.
    let is_group = matches!(host.arena.borrow().value(*item), Val::Node(_));
    let taken_apart = format!("data.values.{path}.");
    if is_group && source.text.as_str().is_some_and(|text| text.contains(&taken_apart)) {
        return;
    }
    let Some(end) = call.end.checked_sub(1) else { return };
    // Everything between the brackets stays, so that a `load` may come in front.
    let arguments = source.written(Span { end, ..call }).unwrap_or_default().trim_end();
    let before = if given.is_empty() || arguments.ends_with(',') { "" } else { ", " };
    let new = format!("{arguments}{before}{name}=data.values.{path})");
    let edit = with_load(&source, ("@ytt:data", "data"), call, new);
    let place = host.arena.borrow().span_of(*item);
    let told = problem.clone().label_at(place, format!("`data.values.{path}` has that name"));
    let help = format!("give it: `{name}=data.values.{path}`");
    *problem = match edit {
        Some((span, new)) => told.help_edit(help, span, new).guessing(),
        None => told.help(help),
    };
}

/// Several dicts for a matcher that takes one: one dict of them, or, where they have keys in common, a matcher for each.
pub(super) fn several_dicts(sources: &SourceMap, problem: &mut Diagnostic) {
    let Some(call) = problem.parts().labels.first().map(|label| label.span) else { return };
    let (Some(given), Some(callee)) = (written::call(sources, call), written::callee(sources, call)) else { return };
    let ([first, second, ..], Some(last)) = (&given[..], given.last()) else { return };
    let callee = code_of(sources, callee);
    let Some(module) = callee.strip_suffix(".subset") else { return };
    let all: Vec<String> = given.iter().map(|argument| code_of(sources, argument.value)).collect();
    let keys: Option<Vec<Vec<String>>> = given.iter().map(|one| written::choices(sources, one.value)).collect();
    let entries: Option<Vec<&str>> = all.iter().map(|code| code.strip_prefix('{')?.strip_suffix('}')).collect();
    let mut told = problem.clone();
    place_at(&mut told, second.value);
    told = told.relabel(format!("`{callee}` takes one dict, with all that is looked for"));
    let is_apart = |keys: &Vec<Vec<String>>| {
        let mut seen = BTreeSet::new();
        keys.iter().flatten().all(|key| seen.insert(key))
    };
    *problem = match (keys.filter(is_apart), entries) {
        (Some(_), Some(entries)) if all.iter().all(|code| !code.contains('#')) => {
            let entries =
                entries.iter().map(|entry| entry.trim().trim_end_matches(',')).filter(|entry| !entry.is_empty());
            let new = format!("{{{}}}", entries.collect::<Vec<_>>().join(", "));
            let span = Span { end: last.value.end, ..first.value };
            told.help_edit("write them as one dict: what matches has all of it", span, new)
        }
        _ => {
            let each: Vec<String> = all.iter().map(|code| format!("{callee}({code})")).collect();
            let each = each.join(", ");
            let told = match excludes(sources, &given) {
                true => told,
                false => {
                    let text = format!("for what has all of it: `{module}.and_op(…)` of a matcher for each");
                    told.help_edit(text, call, format!("{module}.and_op({each})")).guessing()
                }
            };
            let text = format!("for what has one of them: `{module}.or_op(…)` of a matcher for each");
            told.help_edit(text, call, format!("{module}.or_op({each})")).guessing()
        }
    };
}

/// Keywords for a function that takes one map: the map of them.
pub(super) fn keywords_for_map(sources: &SourceMap, problem: &mut Diagnostic) {
    let Some(call) = problem.parts().labels.first().map(|label| label.span) else { return };
    let (Some(given), Some(callee)) = (written::call(sources, call), written::callee(sources, call)) else { return };
    let entries = given.iter().map(|argument| {
        let (name, value) = (code_of(sources, argument.name?), code_of(sources, argument.value));
        Some(format!("\"{name}\": {value}"))
    });
    let Some(entries) = entries.collect::<Option<Vec<String>>>() else { return };
    let new = format!("{}({{{}}})", code_of(sources, callee), entries.join(", "));
    let mut told = problem.clone();
    told.parts_mut().helps.clear();
    *problem = told.help_edit(format!("give it as a map: `{new}`"), call, new);
}

/// An argument that a built-in does not know: those that it knows, or that it can go, since its effect is there without it.
pub(super) fn surplus(sources: &SourceMap, problem: &mut Diagnostic, (name, is_idle): (&str, bool), known: &[String]) {
    let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    let told = problem.clone();
    *problem = match (is_idle, &known[..]) {
        (true, _) => {
            let place = problem.parts().labels.first().map(|label| label.span);
            let edit = place.and_then(|place| without_argument(sources, place));
            told.edit_at(format!("leave `{name}` out: keys are sorted always"), edit, "")
        }
        (false, known) => told.help(format!("by their names it takes {}", suggest::all_of(known))),
    };
}

/// What goes with the argument of the name at a place: it, and the comma in front of it.
fn without_argument(sources: &SourceMap, name: Span) -> Option<Span> {
    let source = sources.get(name.source);
    let code = FileCode::read(&source, name.source)?;
    let (_, given) = code.call_of_argument(name)?;
    let at = given.iter().position(|argument| argument.name == Some(name))?;
    let whole = given.get(at)?.whole();
    let before = at.checked_sub(1).and_then(|before| given.get(before)).map(|before| before.whole().end);
    Some(Span { start: before.unwrap_or(whole.start), ..whole })
}

/// Whether dicts want different values at one key, so that nothing has what all of them want.
fn excludes(sources: &SourceMap, dicts: &[Argument]) -> bool {
    let mut wanted: BTreeMap<String, String> = BTreeMap::new();
    dicts.iter().any(|dict| {
        let keys = written::choices(sources, dict.value).unwrap_or_default();
        keys.into_iter().any(|key| {
            let entry = written::within(sources, dict.value, &[PathStep::Key(&key)]);
            let Some(value) = entry.map(|entry| code_of(sources, entry.value)) else { return false };
            let is_scalar = !value.starts_with(['{', '[']);
            wanted.insert(key, value.clone()).is_some_and(|other| is_scalar && other != value)
        })
    })
}

/// An argument of the wrong type: what it is, where it is set, and how to make the other type of it.
pub(super) fn mistyped(
    host: &Host<'_>,
    data: Val,
    problem: &mut Diagnostic,
    (wanted, found): (&str, &str),
    number: Option<usize>,
) {
    let Some(call) = problem.parts().labels.first().map(|label| label.span) else { return };
    let Some(given) = written::call(&host.sources, call) else { return };
    let value = match (number, &given[..]) {
        (None, [only]) => only.value,
        (Some(number), all) if all.iter().take(number.saturating_add(1)).all(|one| one.name.is_none()) => {
            match all.get(number) {
                Some(argument) => argument.value,
                None => return,
            }
        }
        _ => return,
    };
    let code = code_of(&host.sources, value);
    if code.starts_with('*') {
        return;
    }
    let mut told = problem.clone().relabel(format!("this is {}", article(found)));
    place_at(&mut told, value);
    told.parts_mut().notes.retain(|note| note.kind != NoteKind::Hint);
    let source = host.sources.get(value.source);
    let known = value_of(host, data, &source, &code);
    let arena = host.arena.borrow();
    let text = known.as_ref().and_then(|(value, _)| arena.str(*value));
    let place = known.as_ref().and_then(|(_, place)| *place);
    // Where a null stands is told below.
    if let Some((known, Some(place))) = known.as_ref().filter(|(known, _)| *known != Val::Null) {
        let shown = match known {
            Val::Node(_) | Val::Raw(_) => article(found).to_owned(),
            Val::Str { .. } => format!("the text `{}`", key_text(&arena, *known)),
            known => format!("`{}`", key_text(&arena, *known)),
        };
        let name = code.rsplit('.').next().unwrap_or_default();
        told = told.label(*place, format!("`{name}` is {shown}"));
    }
    if place.is_none() {
        let trace = told.parts().trace.clone();
        let origins = Origins::new(host, data, &trace);
        told = told.label_at(origins.handed(value), format!("`{code}` is given here"));
        told = match origins.only(value, 0).and_then(|item| Some((item, place_of(host, item)?))) {
            Some((item, place)) => {
                let what = described(&arena, arena.value(item));
                told.label(place, format!("`{}` is {what}", name_of(host, item, &code)))
            }
            None => entries::told(host, &origins, told, value, found),
        };
    }
    let is_number = |text: &str| text.parse::<i64>().is_ok();
    let flag = place.map(|place| host.sources.get(place.source)).filter(|source| source.origin == Origin::Flag);
    let is_map_or_list = matches!(found, "dict" | "list" | "yamlfragment");
    let encodes = |code: &str| code.ends_with("base64.encode") || code.ends_with(".sum");
    let callee = written::callee(&host.sources, call).map(|callee| code_of(&host.sources, callee));
    *problem = match (wanted, found, text) {
        // What is put into a text, such as the credentials of a registry, is JSON as a rule.
        ("string", _, _) if is_map_or_list && callee.is_some_and(|callee| encodes(&callee)) => {
            let new = format!("json.encode({code})");
            match with_load(&source, ("@ytt:json", "json"), value, new) {
                Some((span, new)) => told.help_edit("make a text of it, such as JSON", span, new).guessing(),
                None => told.help(format!("make a text of it, such as JSON: `json.encode({code})`")),
            }
        }
        ("string", "int", _) => told.help_edit("make a text of it", value, as_text(&code)),
        ("string", "float" | "bool", _) => told.help_edit("make a text of it", value, as_text(&code)).guessing(),
        ("int", "string", Some(text)) if is_number(text) => {
            let told = told.help_edit("make a number of the text", value, format!("int({code})"));
            let flag = flag.filter(|flag| flag.name.starts_with("(data-value arg"));
            match flag.as_ref().and_then(|flag| flag.text.as_str()) {
                Some(pair) => told.advise(Advice::GiveYaml {
                    why: "or, where no schema says that it is a text, give a number: write".to_owned(),
                    pair: pair.trim_end().to_owned(),
                }),
                None => told,
            }
        }
        ("int", "float", _) => {
            let new = format!("int({code})");
            let decodes = |source: &Arc<Source>| source.text.as_str().is_some_and(|text| text.contains("json.decode"));
            match host.sources.all().iter().any(decodes) {
                true => {
                    told.help_edit("make an integer of it: `json.decode` gives every number as a float", value, new)
                }
                false => told.help_edit("if it is a whole number, make an integer of it", value, new).guessing(),
            }
        }
        _ => told,
    };
    drop(arena);
    match found {
        "NoneType" => null(host, data, problem, value),
        "struct" if wanted == "string" => member_of(host, data, problem, value),
        _ => {}
    }
}

/// A text that a function of a module cannot read: the data value that it is.
pub(super) fn of_text(host: &Host<'_>, data: Val, problem: &mut Diagnostic) {
    let sources = &host.sources;
    let Some(call) = problem.parts().labels.first().map(|label| label.span) else { return };
    let Some(only) = super::only_argument(sources, call) else { return };
    let (trace, message) = (problem.parts().trace.clone(), problem.message().to_owned());
    let origins = Origins::new(host, data, &trace);
    let arena = host.arena.borrow();
    let is_it = |item: &NodeId| arena.str(arena.value(*item)).is_some_and(|text| message.ends_with(text));
    let items: Vec<NodeId> = origins.of(only.value, 0).into_iter().filter(is_it).collect();
    let [item] = items[..] else { return };
    let Some(place) = place_of(host, item) else { return };
    let text = arena.str(arena.value(item)).unwrap_or_default();
    let name = name_of(host, item, &code_of(sources, only.value));
    let told = problem.clone().label(place, format!("`{name}` is `{text}`"));
    // A single address of a network.
    let mask = match text.parse::<std::net::IpAddr>() {
        Ok(std::net::IpAddr::V4(_)) => "/32",
        Ok(std::net::IpAddr::V6(_)) => "/128",
        Err(_) => "",
    };
    // The address of a network ends in zeros.
    let is_written = code_of(sources, place) == text && message.contains("CIDR") && !text.ends_with(".0");
    *problem = match is_written && !mask.is_empty() {
        true => {
            let end = Span { start: place.end, ..place };
            let help = format!("a network of this address alone is `{text}{mask}`");
            told.help_edit(help, end, mask).if_it_mends().guessing()
        }
        false => told,
    };
}

/// Places that are shown.
const SHOWN: usize = 3;

/// An argument that is None: which data values are null that it may be.
fn null(host: &Host<'_>, data: Val, problem: &mut Diagnostic, value: Span) {
    if functions::none_of_call(host, problem, value) {
        return;
    }
    let trace = problem.parts().trace.clone();
    let items = Origins::new(host, data, &trace).of(value, 0);
    let is_null = |item: &NodeId| host.arena.borrow().value(*item) == Val::Null;
    let mut told = problem.clone();
    let mut places: Vec<(Span, NodeId)> =
        items.into_iter().filter(is_null).filter_map(|item| Some((place_of(host, item)?, item))).collect();
    places.retain(|(place, _)| told.parts().labels.iter().all(|label| label.span != *place));
    if places.is_empty() || places.len() > SHOWN {
        return;
    }
    let code = code_of(&host.sources, value);
    for (place, item) in places {
        told = told.label(place, format!("`{}` is null", name_of(host, item, &code)));
    }
    *problem = match absent::without_node(host, &told, value, &code) {
        Some(told) => told,
        None => told.help(format!("go on without it where it is None, as by `if {code} != None:`")),
    };
}

/// A map where a text is needed: its member that was probably meant, where the map is passed on.
fn member_of(host: &Host<'_>, data: Val, problem: &mut Diagnostic, value: Span) {
    let code = code_of(&host.sources, value);
    let trace = problem.parts().trace.clone();
    let origins = Origins::new(host, data, &trace);
    let items = origins.of(value, 0);
    let Some(item) = items.first().copied() else { return };
    let arena = host.arena.borrow();
    let Some(map) = arena.map_of(arena.value(item)) else { return };
    let texts = arena.items(map).iter().filter(|item| matches!(arena.value(**item), Val::Str { .. }));
    let keys: Vec<&str> = texts.filter_map(|item| arena.str(arena.key(*item))).collect();
    let name = code.rsplit('.').next().unwrap_or_default();
    let meant = keys.iter().find(|key| **key == name).or(match &keys[..] {
        [only] => Some(only),
        _ => None,
    });
    let place = arena.items(map).first().and_then(|first| arena.place_of(*first)).map(|place| place.key());
    let all: Vec<String> = arena.items(map).iter().map(|item| key_text(&arena, arena.key(*item))).collect();
    let Some(meant) = meant else { return };
    let told = problem.clone().label_at(place, format!("the map has: {}", all.join(", ")));
    let given = origins.given_by(value, 0).map_or(value, |(given, _)| given);
    let new = member(&code_of(&host.sources, given), meant);
    let is_sure = *meant == name && items.len() == 1;
    let told = told.help_edit(format!("did you mean `{new}`?"), given, new);
    *problem = if is_sure { told } else { told.guessing() };
}

/// A positional argument behind a named one: the parameter that it is meant for.
pub(super) fn unnamed(host: &Host<'_>, problem: &mut Diagnostic) {
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let sources = &host.sources;
    let Some(code) = FileCode::read(&sources.get(place.source), place.source) else { return };
    let Some((callee, given)) = code.call_with(place) else { return };
    let name = code_of(sources, callee);
    let Some((function, defined)) = functions::defined(sources, place.source, &name) else { return };
    let text = |span: Span| code_of(sources, span);
    if given.iter().any(|one| text(one.value).starts_with('*')) {
        return;
    }
    let is_one = |role: ArgumentRole| matches!(role, ArgumentRole::Plain | ArgumentRole::Named);
    let taken = given.iter().take_while(|one| one.name.is_none()).count();
    let named: Vec<String> = given.iter().filter_map(|one| one.name).map(text).collect();
    let free = function.parameters.iter().skip(taken).filter(|one| is_one(one.role) && !named.contains(&one.name));
    let free: Vec<_> = free.collect();
    let needed: Vec<_> = free.iter().filter(|one| one.role == ArgumentRole::Plain).collect();
    let own = text(place);
    let last = own.rsplit('.').next().unwrap_or_default();
    let behind = given.iter().skip(taken).filter(|one| one.name.is_none()).count();
    let meant = free.iter().find(|one| one.name == last).map(|one| one.name.as_str()).or(match &needed[..] {
        [only] if behind == 1 => Some(only.name.as_str()),
        _ => None,
    });
    let all: Vec<String> = function.parameters.iter().map(|one| text(one.whole)).collect();
    let told = problem.clone().relabel("this needs a name, as it stands behind an argument with one");
    let told = told.label(defined, format!("`{name}` takes {}", all.join(", ")));
    *problem = match meant {
        Some(meant) => {
            told.help_edit(format!("give it as `{meant}`"), Span { end: place.start, ..place }, format!("{meant}="))
        }
        None => told.help("give it by the name of its parameter"),
    };
}
