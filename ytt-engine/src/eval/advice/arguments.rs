//! Arguments of another type than a built-in takes, and those that stand behind named ones.

use super::super::host::Host;
use super::calls::article;
use super::operands::value_of;
use super::{code_of, functions, place_at};
use crate::diag::{Advice, Diagnostic, NoteKind};
use crate::source::{Origin, Span};
use crate::template::code::FileCode;
use crate::template::snippet::ArgumentRole;
use crate::template::written;
use crate::yaml::Val;
use crate::yaml::words::key_text;

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
    if let Some((known, Some(place))) = &known {
        let shown = match known {
            Val::Node(_) | Val::Raw(_) => article(found).to_owned(),
            Val::Str { .. } => format!("the text `{}`", key_text(&arena, *known)),
            known => format!("`{}`", key_text(&arena, *known)),
        };
        let name = code.rsplit('.').next().unwrap_or_default();
        told = told.label(*place, format!("`{name}` is {shown}"));
    }
    let is_number = |text: &str| text.parse::<i64>().is_ok();
    let flag = place.map(|place| host.sources.get(place.source)).filter(|source| source.origin == Origin::Flag);
    *problem = match (wanted, found, text) {
        ("string", "int", _) => told.help_edit("make a text of it", value, format!("str({code})")),
        ("string", "float" | "bool", _) => {
            told.help_edit("make a text of it", value, format!("str({code})")).guessing()
        }
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
        _ => told,
    };
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
