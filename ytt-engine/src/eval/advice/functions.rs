//! Functions where their values are meant, and names of a function that hide those outside of it.

use super::super::host::Host;
use super::origin::{Origins, described, name_of, place_of};
use super::{chosen, code_of, place_at};
use crate::diag::{Diagnostic, Fact, Help, NoteKind};
use crate::nearest::only;
use crate::source::{SourceId, SourceMap, Span, to_u32};
use crate::template::code::{Binder, Bound, Fall, FileCode, Function, HiddenByLoop};
use crate::template::snippet::ArgumentRole;
use crate::template::{outline, word, written};
use crate::yaml::Val;

/// Methods that are called without arguments.
const ALONE: [&str; 10] =
    ["items", "keys", "values", "lower", "upper", "strip", "title", "capitalize", "split", "splitlines"];

/// Methods of lists, dicts and sets that may give None.
const OF_COLLECTIONS: [&str; 11] =
    ["add", "append", "clear", "discard", "extend", "get", "insert", "pop", "remove", "setdefault", "update"];

/// A function where its value is meant: where it is defined, and the call.
pub(super) fn uncalled(sources: &SourceMap, told: Diagnostic, of: Span) -> Diagnostic {
    let code = code_of(sources, of);
    let call = Span { start: of.end, ..of };
    let Some((function, place)) = defined(sources, of.source, &code) else {
        let is_method = code.rsplit_once('.').is_some_and(|(_, name)| ALONE.contains(&name));
        return match is_method {
            true => told.help_edit("call it", call, "()"),
            false => told.help(format!("call it: `{code}(…)`")),
        };
    };
    let is_needed = |role: ArgumentRole| role == ArgumentRole::Plain;
    let needed = function.parameters.iter().filter(|one| is_needed(one.role) && !one.name.is_empty());
    let needed: Vec<&str> = needed.map(|one| one.name.as_str()).collect();
    let told = match told.parts().labels.iter().any(|label| label.span == place) {
        true => told,
        false => told.label(place, format!("`{code}` is defined here")),
    };
    match needed.is_empty() {
        true => told.help_edit(format!("call it: `{code}()`"), call, "()"),
        false => told.help(format!("call it with its arguments: `{code}({})`", needed.join(", "))),
    }
}

/// Says where the function is defined that a problem names.
pub(super) fn defined_at(sources: &SourceMap, problem: &mut Diagnostic) {
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let code = code_of(sources, place);
    if let Some((_, defined)) = defined(sources, place.source, &code) {
        *problem = problem.clone().label(defined, format!("`{code}` is defined here"));
    }
}

/// The function that a name of a file means, and where its name stands.
pub(super) fn defined(sources: &SourceMap, file: SourceId, name: &str) -> Option<(Function, Span)> {
    let (file, own) = outline::home(sources, file, name)?;
    let source = sources.get(file);
    let all = FileCode::read(&source, file)?.defined();
    let (_, function) = all.into_iter().rfind(|(known, _)| *known == own)?;
    let place = function.name?;
    Some((function, place))
}

/// Does a name of a file mean one function, whatever runs?
pub(super) fn is_always(sources: &SourceMap, place: Span) -> bool {
    let is_function = || {
        let (file, own) = outline::home(sources, place.source, &code_of(sources, place))?;
        Some(FileCode::read(&sources.get(file), file)?.is_function(&own))
    };
    is_function().unwrap_or_default()
}

/// A call of a function of the project that gave None, where it may end without a value: which ways of it do, and the
/// `return` that is missing.
pub(super) fn gave_none(host: &Host<'_>, told: Diagnostic, (name, call): (&str, Span)) -> Option<Diagnostic> {
    const SHOWN: usize = 3;
    let (of, name) = name.rsplit_once('.').map_or((None, name), |(of, name)| (Some(of), name));
    // A method of a list or dict is not the function that has its name.
    if of.is_some() && OF_COLLECTIONS.contains(&name) {
        return None;
    }
    let sources = &host.sources;
    let (function, place) = defined(sources, call.source, name).or_else(|| elsewhere(host, name))?;
    let ends = FileCode::read(&sources.get(place.source), place.source)?.ends(&function)?;
    let is_here = told.parts().labels.first().is_some_and(|label| label.span == call);
    let is_bare = told.parts().labels.first().is_some_and(|label| label.text.is_empty());
    let mut told = match is_here {
        true if is_bare => told.relabel("this is None"),
        true => told,
        false => told.label(call, format!("`{name}` gives None here")),
    };
    let bare: Vec<Span> = ends.falls.iter().filter(|(_, fall)| *fall == Fall::Return).map(|(at, _)| *at).collect();
    if ends.never && bare.is_empty() {
        told = told.label(place, format!("`{name}` has no `return`, so it gives None"));
    }
    for thrown in ends.thrown.iter().take(SHOWN) {
        told = told.label(
            *thrown,
            match ends.never {
                true => "this is computed and thrown away".to_owned(),
                false => format!("`{name}` computes this and does not return it"),
            },
        );
    }
    if !ends.never || !bare.is_empty() {
        let falls = ends.falls.iter().take(SHOWN.saturating_sub(ends.thrown.len()));
        told = falls.fold(told, |told, (behind, fall)| told.label(*behind, fall.told(name)));
    }
    let instead = empty_for(told.parts().fact.as_ref());
    Some(match (&ends.thrown[..], &ends.falls[..]) {
        ([thrown], falls) => {
            let told = told.help_edit("return it", Span { end: thrown.start, ..*thrown }, "return ");
            if falls.is_empty() { told } else { told.if_it_mends() }
        }
        ([], falls) if !bare.is_empty() => match instead.filter(|_| bare.len() == falls.len()) {
            Some(value) => {
                let mut told = told;
                let new = format!("return {value}");
                let help = format!("return a value there, too: `{new}`");
                let edits = bare.iter().map(|span| (*span, new.clone()));
                told.parts_mut().helps.push(Help { is_guess: true, ..Help::with_edits(help, edits) });
                told
            }
            None => told.help("return a value there, too"),
        },
        (_, _) if ends.never && ends.changed.is_none() => match ends.end.zip(instead) {
            Some(((end, before), value)) => {
                let help = format!("end `{name}` with a `return`, such as of `{value}`");
                told.help_edit(help, end, format!("{before}return {value}\n")).guessing()
            }
            None => told.help(format!("end `{name}` with a `return`")),
        },
        ([], _) if ends.changed.is_some() => {
            let changed = ends.changed.unwrap_or_default();
            let help = format!("return what was changed: `{changed}`");
            let (end, before) = ends.end.unzip();
            told.edit_at(help, end, format!("{}return {changed}\n", before.unwrap_or_default())).guessing()
        }
        ([], _) => match ends.end.zip(instead) {
            Some(((end, before), value)) => {
                let help = format!("return a value there, too, such as `{value}`");
                told.help_edit(help, end, format!("{before}return {value}\n")).guessing()
            }
            None => told.help("return a value there, too"),
        },
        _ => told.help(format!("let each way through `{name}` end with a `return`")),
    })
}

/// Tells of None that a call gave, where it is one of a function that may end without a value.
pub(super) fn none_of_call(host: &Host<'_>, problem: &mut Diagnostic, call: Span) -> bool {
    let callee = written::callee(&host.sources, call).map(|callee| code_of(&host.sources, callee));
    let told = callee.and_then(|callee| gave_none(host, problem.clone(), (&callee, call)));
    let is_told = told.is_some();
    told.into_iter().for_each(|told| *problem = told);
    is_told
}

/// None where `template.replace` takes items: the function that gave it.
pub(super) fn replaced(host: &Host<'_>, problem: &mut Diagnostic) {
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let sources = &host.sources;
    let Some(only) = super::only_argument(sources, place) else { return };
    let Some(callee) = written::callee(sources, only.value).map(|callee| code_of(sources, callee)) else { return };
    let mut told = problem.clone();
    place_at(&mut told, only.value);
    told.parts_mut().helps.clear();
    if let Some(told) = gave_none(host, told, (&callee, only.value)) {
        *problem = told;
    }
}

/// What stands for nothing where None was refused.
fn empty_for(fact: Option<&Fact>) -> Option<&'static str> {
    match fact? {
        Fact::NotIterable { .. } | Fact::NoneArgument => Some("[]"),
        Fact::Argument { wanted: "string", .. } | Fact::NotText { .. } => Some("\"\""),
        Fact::NullForItems { is_map } => Some(if *is_map { "{}" } else { "[]" }),
        Fact::Operands { operator, .. } if operator == "in" => Some("[]"),
        Fact::Operands { left, right, .. } => match [&**left, &**right] {
            [kind, "NoneType"] | ["NoneType", kind] => match kind {
                "string" => Some("\"\""),
                "int" | "float" => Some("0"),
                "list" => Some("[]"),
                _ => None,
            },
            _ => None,
        },
        Fact::Joined { .. } => Some("\"\""),
        _ => None,
    }
}

/// The function of that name in another file, if one has it: it came by another way than by a `load`.
fn elsewhere(host: &Host<'_>, name: &str) -> Option<(Function, Span)> {
    let head = format!("def {name}(");
    let all = host.sources.all().into_iter().enumerate().filter_map(|(number, source)| {
        let file = SourceId(to_u32(number));
        let is_there = source.text.as_str().is_some_and(|text| text.contains(&head));
        (is_there && host.may_advise(source.text.as_bytes().len())).then(|| defined(&host.sources, file, name))?
    });
    only(all)
}

/// A name that is set on some ways only, or further down.
fn set_too_seldom((host, data): (&Host<'_>, Val), code: &FileCode, problem: &mut Diagnostic, place: Span, name: &str) {
    let Some(bound) = code.bound(place, name) else { return };
    let conditions = code.conditions(bound.name);
    let told = problem.clone().relabel("this has no value yet");
    *problem = match (&conditions[..], bound.name.start > place.start) {
        (_, true) => {
            told.label(bound.name, format!("`{name}` is set here, further down")).help(format!("set `{name}` above"))
        }
        ([(condition, holds), ..], false) => {
            let told = told.label(bound.name, format!("`{name}` is set here"));
            let text = if *holds { "only if this holds" } else { "only if this does not hold" };
            let trace = told.parts().trace.clone();
            let origins = Origins::new(host, data, &trace);
            let told = decided(host, &origins, told.label(*condition, text), *condition);
            let told = chosen::told(host, &origins, told, &conditions);
            let when = if *holds { "does not hold" } else { "holds" };
            let or = if told.parts().helps.is_empty() { "" } else { "or " };
            told.help(format!("{or}set `{name}` in front of the `if` as well, to what it is where that {when}"))
        }
        _ => match code.loop_around(bound.name) {
            Some(head) => told
                .label(bound.name, format!("`{name}` is set here"))
                .label(head, "only if this loop has a turn")
                .help(format!("set `{name}` in front of the loop, too")),
            None => return,
        },
    };
}

/// Adds to a condition the data values that it looks at.
fn decided(host: &Host<'_>, origins: &Origins<'_, '_>, mut told: Diagnostic, condition: Span) -> Diagnostic {
    const SHOWN: usize = 2;
    let all = written::paths(&host.sources, condition).into_iter();
    for (item, path) in all.filter_map(|path| Some((origins.only(path, 0)?, path))).take(SHOWN) {
        let Some(place) = place_of(host, item) else { continue };
        let name = name_of(host, item, &code_of(&host.sources, path));
        // A condition may ask for it twice.
        if told.parts().labels.iter().any(|label| label.span == place) {
            continue;
        }
        let what = described(&host.arena.borrow(), host.arena.borrow().value(item));
        told = told.label(place, format!("`{name}` is {what}"));
    }
    told
}

fn bound_by(bound: &Bound) -> &'static str {
    match bound.by {
        Binder::Load => "loaded",
        Binder::Def => "defined",
        Binder::Parameter(_) => "a parameter",
        _ => "set",
    }
}

/// A loop in a function whose variable hides what the loop goes over.
fn by_loop(host: &Host<'_>, code: &FileCode, problem: &mut Diagnostic, name: &str, hidden: &HiddenByLoop) {
    let source = host.sources.get(hidden.own.source);
    let function = code.function_around(hidden.own).and_then(|function| function.name);
    let whose =
        function.map_or_else(|| "the function".to_owned(), |name| format!("`{}`", code_of(&host.sources, name)));
    let mut told = problem
        .clone()
        .relabel(format!("so this is not the other `{name}`, and has no value yet"))
        .label(hidden.own, format!("this makes `{name}` a name of all of {whose}"))
        .label(hidden.outer.name, format!("the other `{name}` is {} here", bound_by(&hidden.outer)));
    if let Some(kept) = hidden.kept.first() {
        told = told.label(*kept, format!("this means the other `{name}`, too"));
    }
    told.parts_mut().notes.retain(|note| note.kind != NoteKind::Hint);
    let around = code.function_around(hidden.own).map(|function| code_of(&host.sources, function.whole));
    let is_free = |name: &String| {
        let is_used = around.as_ref().is_none_or(|text| word::whole(text, name).next().is_some());
        !is_used && code.bound(hidden.own, name).is_none()
    };
    // One of `services` is a `service`.
    let of_many = code.loop_around(hidden.own).map(|head| code_of(&host.sources, head)).and_then(|head| {
        let last = head.trim_end_matches("()").rsplit('.').next()?;
        let is_name = last.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        last.strip_suffix('s').filter(|one| is_name && one.len() > 2).map(str::to_owned)
    });
    let mut free = of_many.filter(is_free).unwrap_or_else(|| format!("own_{name}"));
    while around.is_some() && !is_free(&free) {
        free.push('_');
    }
    let help = format!("give the variable of the loop another name, such as `{free}`");
    *problem = match source.replaced(hidden.uses.iter().map(|span| (*span, free.as_str()))) {
        Some((span, new)) => told.help_edit(help, span, new).if_it_mends().guessing(),
        None => told.help(help),
    };
}

/// A name that is read before its function has set it, where there is one of that name outside.
pub(super) fn hidden(host: &Host<'_>, data: Val, problem: &mut Diagnostic, name: &str) {
    let [label] = &problem.parts().labels[..] else { return };
    let place = label.span;
    let source = host.sources.get(place.source);
    let Some(code) = FileCode::read(&source, place.source) else { return };
    let Some(hidden) = code.hidden(place, name) else {
        match code.hidden_by_loop(place, name) {
            Some(hidden) => by_loop(host, &code, problem, name, &hidden),
            None => set_too_seldom((host, data), &code, problem, place, name),
        }
        return;
    };
    let what = bound_by(&hidden.outer);
    let mut told = match &hidden.changed {
        Some(changed) => {
            let text = format!("`{changed}` makes `{name}` a name of the function, which has no value yet");
            let mut told = problem.clone().relabel(text);
            place_at(&mut told, hidden.own);
            told
        }
        None => {
            let told = problem.clone().relabel(format!("this is the `{name}` of the function, which has no value yet"));
            told.label(hidden.own, format!("this makes `{name}` a name of the function, and hides the other one"))
        }
    };
    told = told.label(hidden.outer.name, format!("the other `{name}` is {what} here"));
    told.parts_mut().notes.retain(|note| note.kind != NoteKind::Hint);
    if hidden.counts {
        // Under another name it would count for nobody.
        let stays = |told: Diagnostic, span: &Span| {
            told.label(*span, format!("this reads the other `{name}`, which stays what it is"))
        };
        told = hidden.outside.iter().take(2).fold(told, stays);
        let user = hidden.outside.first().and_then(|span| code.function_around(*span)?.name);
        let user = user.map(|span| format!("`{}`", code_of(&host.sources, span)));
        let user = user.unwrap_or_else(|| "the function that uses it".to_owned());
        *problem = told.help(format!(
            "a function cannot change what is set outside of it: keep `{name}` in {user}, and change it there, or give \
             it as an argument and return the new value"
        ));
        return;
    }
    let text = source.text.as_str().unwrap_or_default();
    let mut free = format!("own_{name}");
    while word::whole(text, &free).next().is_some() {
        free.push('_');
    }
    let help = match (&hidden.changed, hidden.goes_on) {
        (Some(_), _) => "a function cannot change what is set outside of it: let one of its own begin with that value",
        (None, true) => "give the one of the function another name, and let it begin with the value of the other one",
        (None, false) => "give the one of the function another name",
    };
    let begins = match hidden.goes_on {
        true => hidden.first.as_ref().map(|(first, prefix)| {
            let is_list =
                matches!(hidden.outer.by, Binder::Value(value) if code_of(&host.sources, value).starts_with('['));
            // What `+=` adds to a list would be added to the other one.
            let value = if is_list { format!("list({name})") } else { name.to_owned() };
            Some((*first, format!("{prefix}{free} = {value}\n")))
        }),
        false => Some(None),
    };
    let edit = begins.filter(|_| !hidden.renamed.is_empty()).and_then(|begins| {
        let begins = begins.iter().map(|(span, line)| (*span, line.as_str()));
        source.replaced(begins.chain(hidden.renamed.iter().map(|span| (*span, free.as_str()))))
    });
    *problem = match edit {
        Some((span, new)) => told.help_edit(help, span, new),
        None => told.help(help),
    };
}

/// Does code stand in a function, whose result goes to whoever calls it?
pub(super) fn is_given(host: &Host<'_>, code: Span) -> bool {
    let file = FileCode::read(&host.sources.get(code.source), code.source);
    file.is_none_or(|file| file.function_around(code).is_some())
}
