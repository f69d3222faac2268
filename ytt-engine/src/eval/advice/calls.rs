//! Calls that fail: arguments that a function does not take, assertions in helpers, recursion without an end.

use super::{code_of, exports};
use crate::diag::{Code, Diagnostic, Fact, Frame, Label, suggest};
use crate::nearest::only;
use crate::quoted;
use crate::source::{SourceId, SourceMap, Span};
use crate::template::code::{Binder, FileCode, Parameter};
use crate::template::outline;
use crate::template::snippet::ArgumentRole;
use crate::template::written::{self, Argument};

/// Characters of an argument that a label shows.
const SHOWN: usize = 40;
/// The frame of a file.
const TOP: &str = "<toplevel>";

/// Files of a library of which one may be meant.
const FILES: usize = 3;

/// A call of `export` for a symbol that several files of the library have: where they do, and the argument that says which
/// one is meant.
pub(super) fn exported(
    sources: &SourceMap,
    diagnostic: &mut Diagnostic,
    symbol: &str,
    files: &[(String, Option<Span>)],
) {
    let [label] = &diagnostic.parts().labels[..] else { return };
    let call = label.span;
    let is_call = code_of(sources, call).ends_with(')');
    let Some(end) = call.end.checked_sub(1).filter(|_| is_call) else { return };
    let mut told = diagnostic.clone();
    for place in files.iter().take(FILES).filter_map(|(_, place)| *place) {
        told = told.label(place, format!("`{symbol}` is defined here"));
    }
    let argument = |path: &str| format!("path={}", quoted::go(path.as_bytes()));
    let place = Span { start: end, end, ..call };
    *diagnostic = match exported_beside(sources, call, files) {
        Some((path, other)) => told
            .help_edit(
                format!("if the one of `{path}` is meant, from which `{other}` comes, too, say so"),
                place,
                format!(", {}", argument(path)),
            )
            .guessing(),
        None => {
            let all: Vec<String> = files.iter().map(|(path, _)| argument(path)).collect();
            let all: Vec<&str> = all.iter().map(String::as_str).collect();
            told.help(format!("say which one is meant: {}", suggest::either(&all)))
        }
    };
    let places: Vec<Span> = files.iter().filter_map(|(_, place)| *place).collect();
    if let Some((missing, place)) = exports::copied(sources, call, symbol, &places) {
        *diagnostic = exports::renamed(diagnostic.clone(), place, &missing);
    }
}

/// A symbol that another file of the library exports than the one named: which one, and where `path` says so.
pub(super) fn exported_elsewhere(
    sources: &SourceMap,
    diagnostic: &mut Diagnostic,
    symbol: &str,
    (path, is_file): (&str, bool),
    files: &[(String, Option<Span>)],
) {
    let [label] = &diagnostic.parts().labels[..] else { return };
    let given = written::call(sources, label.span).unwrap_or_default();
    let is_path = |argument: &&Argument| argument.name.is_some_and(|name| code_of(sources, name) == "path");
    let argument = given.iter().find(is_path).copied();
    let mut told = diagnostic.clone();
    if let (Some(argument), Some(label)) = (argument, told.parts_mut().labels.first_mut()) {
        let text = if is_file {
            format!("`{path}` has no `{symbol}`")
        } else {
            format!("the library has no file `{path}` with exports")
        };
        *label = Label { span: argument.value, text };
    }
    for place in files.iter().take(FILES).filter_map(|(_, place)| *place) {
        told = told.label(place, format!("`{symbol}` is defined here"));
    }
    let new = |file: &str| quoted::go(file.as_bytes());
    let literal = argument.map(|argument| argument.value).filter(|value| code_of(sources, *value) == new(path));
    *diagnostic = match (files, literal) {
        ([(file, _)], Some(span)) => {
            told.help_edit(format!("`{symbol}` is in `{file}` of the library"), span, new(file))
        }
        (files, literal) => {
            let all: Vec<&str> = files.iter().map(|(file, _)| file.as_str()).collect();
            let text = format!("`{symbol}` is in {} of the library", suggest::either(&all));
            // A file of that name in another folder.
            let name = |file: &str| file.rsplit('/').next().unwrap_or(file).to_owned();
            let same = only(all.iter().filter(|file| name(file) == name(path)));
            match same.zip(literal) {
                Some((file, span)) => told.help_edit(text, span, new(file)).guessing(),
                None => told.help(text),
            }
        }
    };
    if files.len() == 1 {
        *diagnostic = diagnostic.clone().help("or leave `path` out: no other file of the library exports it");
    }
}

/// The one of several files of a library from which the same file exports something else, and what.
fn exported_beside<'f>(
    sources: &SourceMap,
    call: Span,
    files: &'f [(String, Option<Span>)],
) -> Option<(&'f str, String)> {
    let source = sources.get(call.source);
    let text = source.text.as_str()?;
    let names = text.split(".export(\"").skip(1).filter_map(|rest| rest.split_once('"')).map(|(name, _)| name);
    let mut found: Vec<(&str, String)> = Vec::new();
    for name in names {
        let has_it = |place: Span| outline::defined(&sources.get(place.source), place.source, name).is_some();
        let mut homes = files.iter().filter(|(_, place)| place.is_some_and(has_it));
        if let (Some((path, _)), None) = (homes.next(), homes.next()) {
            found.push((path, name.to_owned()));
        }
    }
    let first = found.first()?.0;
    let is_alone = found.iter().all(|(path, _)| *path == first);
    found.into_iter().next().filter(|_| is_alone)
}

/// Says which parameter has which argument, and marks those that are too many. `defined` is where the function is.
pub(in crate::eval) fn arguments(sources: &SourceMap, diagnostic: Diagnostic, defined: Span) -> Diagnostic {
    let Some(place) = diagnostic.parts().labels.first().map(|label| label.span) else { return diagnostic };
    let (Some(given), Some(parameters)) = (written::call(sources, place), parameters(sources, defined)) else {
        return diagnostic;
    };
    let text = |span: Span| code_of(sources, span);
    if given.iter().chain(&parameters).any(|argument| text(argument.value).starts_with('*')) {
        return diagnostic;
    }
    let name_of = |parameter: &Argument| text(parameter.name.unwrap_or(parameter.value));
    let positional: Vec<&Argument> = given.iter().filter(|argument| argument.name.is_none()).collect();
    let (mut told, mut missing) = (Vec::new(), Vec::new());
    for (number, parameter) in parameters.iter().enumerate() {
        let name = name_of(parameter);
        let named = given.iter().find(|argument| argument.name.is_some_and(|span| text(span) == name));
        match positional.get(number).copied().or(named) {
            Some(argument) => {
                let value = text(argument.value);
                let short: String = value.chars().take(SHOWN).collect();
                let more = if short.len() < value.len() { "…" } else { "" };
                told.push(format!("`{name}` is `{short}{more}`"));
            }
            None if parameter.name.is_none() => missing.push(format!("`{name}`")),
            None => {}
        }
    }
    let surplus = positional.get(parameters.len()..).unwrap_or_default();
    let (span, text) = match (surplus, missing.as_slice()) {
        ([first, .., last], _) => {
            let rest = if told.is_empty() { String::new() } else { format!(": {}", told.join(", ")) };
            (Span { end: last.value.end, ..first.value }, format!("these are too many{rest}"))
        }
        ([one], _) => {
            let rest = if told.is_empty() { String::new() } else { format!(": {}", told.join(", ")) };
            (one.value, format!("this is one too many{rest}"))
        }
        ([], []) => return diagnostic,
        ([], missing) => {
            told.push(format!("{} is missing", missing.join(", ")));
            let unknown = match &diagnostic.parts().fact {
                Some(Fact::UnknownKeyword { keyword, .. }) => format!("there is no parameter `{keyword}`: "),
                _ => String::new(),
            };
            (place, unknown + &told.join(", "))
        }
    };
    let mut diagnostic = diagnostic;
    if let Some(label) = diagnostic.parts_mut().labels.first_mut() {
        *label = Label { span, text };
    }
    let told = match super::redefined::told(sources, &diagnostic, (&given, defined)) {
        Some(told) => told,
        None => other_function(sources, diagnostic, place, (&given, defined)),
    };
    let has_help =
        !told.parts().helps.is_empty() || told.parts().word.as_ref().is_some_and(|word| word.meant.is_some());
    match has_help {
        true => told,
        false => by_elimination(sources, told, (&given, &parameters)),
    }
}

/// What is left to say where nothing is like what was meant: the only parameter without an argument, for the only argument
/// without a parameter; or that what is too much goes.
fn by_elimination(
    sources: &SourceMap,
    told: Diagnostic,
    (given, parameters): (&[Argument], &[Argument]),
) -> Diagnostic {
    let text = |span: Span| code_of(sources, span);
    let name_of = |parameter: &Argument| text(parameter.name.unwrap_or(parameter.value));
    let positional: Vec<&Argument> = given.iter().filter(|argument| argument.name.is_none()).collect();
    if let (Some(first), Some(last)) = (positional.get(parameters.len()), positional.last()) {
        let before = given.iter().filter(|one| one.value.end <= first.value.start).map(|one| one.value.end).max();
        let place = Span { start: before.unwrap_or(first.value.start), end: last.value.end, ..first.value };
        let more = match positional.len().saturating_sub(parameters.len()) {
            1 => "one more parameter".to_owned(),
            count => format!("{count} more parameters"),
        };
        return told
            .help_edit(format!("leave out what is too much, or give the function {more}"), place, "")
            .guessing();
    }
    let open = |parameter: &&Argument| {
        let is_named = given.iter().any(|one| one.name.is_some_and(|name| text(name) == name_of(parameter)));
        parameter.name.is_none() && !is_named
    };
    let mut missing = parameters.iter().skip(positional.len()).filter(open);
    let is_unknown = |one: &&Argument| {
        one.name.is_some_and(|name| parameters.iter().all(|parameter| name_of(parameter) != text(name)))
    };
    let mut unknown = given.iter().filter(is_unknown);
    match (missing.next(), missing.next(), unknown.next(), unknown.next()) {
        (Some(parameter), None, Some(Argument { name: Some(name), .. }), None) => {
            let meant = name_of(parameter);
            let help = format!("`{meant}` is the only parameter that is missing: is it meant?");
            told.help_edit(help, *name, meant).guessing()
        }
        _ => told,
    }
}

/// A function that is loaded under another name, and the one beside it that takes these arguments.
fn other_function(
    sources: &SourceMap,
    diagnostic: Diagnostic,
    call: Span,
    (given, defined): (&[Argument], Span),
) -> Diagnostic {
    let code = code_of(sources, call);
    let local = code.split('(').next().unwrap_or_default().trim();
    let brought = outline::brought(&sources.get(call.source), call.source, local);
    let Some((alias, word)) = brought.and_then(|(_, name)| Some((name.alias?, name.own))) else { return diagnostic };
    let diagnostic = diagnostic.label(alias.span, format!("`{local}` is `{}` of that file", word.name));
    let home = sources.get(defined.source);
    let others = outline::functions(&home, defined.source).filter(|other| other.name != word.name);
    let mut fitting =
        others.filter(|other| parameters(sources, other.span).is_some_and(|all| fits(sources, given, &all)));
    match (fitting.next(), fitting.next()) {
        (Some(other), None) => {
            let text = format!("`{}` takes these arguments: load it in place of `{}`", other.name, word.name);
            diagnostic.help_edit(text, word.span, other.name).guessing()
        }
        _ => diagnostic,
    }
}

/// Do the arguments of a call fit the parameters of a function?
pub(super) fn fits(sources: &SourceMap, given: &[Argument], parameters: &[Argument]) -> bool {
    let text = |span: Span| code_of(sources, span);
    let name_of = |parameter: &Argument| text(parameter.name.unwrap_or(parameter.value));
    let positional = given.iter().filter(|argument| argument.name.is_none()).count();
    let named: Vec<String> = given.iter().filter_map(|argument| argument.name).map(text).collect();
    let rest = parameters.get(positional..);
    let is_given = |parameter: &Argument| parameter.name.is_some() || named.contains(&name_of(parameter));
    let is_known = |name: &String| rest.is_some_and(|rest| rest.iter().any(|parameter| name_of(parameter) == *name));
    rest.is_some_and(|rest| rest.iter().all(is_given)) && named.iter().all(is_known)
}

/// The parameters of a function, whose head or name `defined` begins with.
pub(super) fn parameters(sources: &SourceMap, defined: Span) -> Option<Vec<Argument>> {
    let code = FileCode::read(&sources.get(defined.source), defined.source)?;
    let as_written = |parameter: Parameter| Argument {
        name: (parameter.role == ArgumentRole::Named).then_some(parameter.span),
        value: parameter.whole,
    };
    Some(code.function_at(defined.start)?.parameters.into_iter().map(as_written).collect())
}

/// Does a function take what one is called with that a `load` asks for in vain: as `resource_name` for `full_name`?
pub(super) fn takes_the_same(sources: &SourceMap, (place, name): (Span, &str), file: SourceId, other: &str) -> bool {
    let Some(code) = FileCode::read(&sources.get(place.source), place.source) else { return false };
    let is_loaded = |call: Span| code.bound(call, name).is_some_and(|bound| matches!(bound.by, Binder::Load));
    let calls: Vec<Vec<Argument>> =
        code.calls_of(name).into_iter().filter(|(call, _)| is_loaded(*call)).map(|(_, given)| given).collect();
    // What is called without arguments fits many.
    if calls.is_empty() || calls.iter().any(Vec::is_empty) {
        return false;
    }
    let parameters = outline::defined(&sources.get(file), file, other).and_then(|place| parameters(sources, place));
    parameters.is_some_and(|all| calls.iter().all(|given| fits(sources, given, &all)))
}

/// The value that the arguments of a call give a parameter; `None` where some of them are spread.
pub(super) fn argument_for(
    sources: &SourceMap,
    parameters: &[Parameter],
    name: &str,
    given: &[Argument],
) -> Option<Span> {
    let number = parameters.iter().position(|known| known.name == name)?;
    let before = parameters.get(..=number)?;
    let is_in_order = |known: &Parameter| matches!(known.role, ArgumentRole::Plain | ArgumentRole::Named);
    let is_spread = |argument: &Argument| code_of(sources, argument.value).starts_with('*');
    if given.iter().any(is_spread) {
        return None;
    }
    let named = given.iter().find(|one| one.name.is_some_and(|span| code_of(sources, span) == name));
    let by_place = given.get(number).filter(|one| one.name.is_none() && before.iter().all(is_in_order));
    Some(named.or(by_place)?.value)
}

/// An assertion that a function makes: the call that broke it comes first, and the calls between them in their order.
pub(in crate::eval) fn asserted(sources: &SourceMap, diagnostic: &mut Diagnostic) {
    const BETWEEN: usize = 3;
    if let Some(Fact::Check { must, .. }) = &diagnostic.parts().fact {
        let text = format!("the value must {must}");
        if let Some(label) = diagnostic.parts_mut().labels.first_mut().filter(|label| label.text.is_empty()) {
            label.text = text;
        }
    }
    let parts = diagnostic.parts();
    let [label] = &parts.labels[..] else { return };
    let at = label.span;
    // Nothing was called that could be at fault.
    if parts.trace.first().is_some_and(|frame| frame.name == TOP) {
        return;
    }
    let outer = parts.trace.get(1..).unwrap_or_default();
    // A call inside of a helper that passes on what it was given is not where it can be mended.
    let is_fault = |frame: &&Frame| frame.name == TOP || frame.span.is_some_and(|span| is_fixed(sources, span));
    let Some(number) = outer.iter().position(|frame| is_fault(&frame)).or(outer.len().checked_sub(1)) else { return };
    let Some(call) = outer.get(number).and_then(|frame| frame.span) else { return };
    let line = |span: Span| (span.source, sources.get(span.source).line(span.start));
    if line(call) == line(at) {
        return;
    }
    let mut labels = vec![Label { span: call, text: "this call fails".to_owned() }];
    let between = parts.trace.get(..number.saturating_add(1)).unwrap_or_default().windows(2).rev();
    for pair in between.take(BETWEEN) {
        let [inner, frame] = pair else { continue };
        let known = |span: &Span| labels.iter().any(|label| line(label.span) == line(*span)) || line(*span) == line(at);
        if let Some(span) = frame.span.filter(|span| !known(span)) {
            labels.push(Label { span, text: format!("it calls `{}` here", inner.name) });
        }
    }
    let parts = diagnostic.parts_mut();
    if let Some(assertion) = parts.labels.first_mut().filter(|label| label.text.is_empty()) {
        "by this assertion".clone_into(&mut assertion.text);
    }
    labels.append(&mut parts.labels);
    parts.labels = labels;
}

/// Is all that a call is given written out?
fn is_fixed(sources: &SourceMap, call: Span) -> bool {
    let given = written::call(sources, call).filter(|given| !given.is_empty());
    given.is_some_and(|given| given.iter().all(|one| written::paths(sources, one.value).is_empty()))
}

/// Both sides of `assert.equals`, each with its value.
pub(in crate::eval) fn compared(sources: &SourceMap, diagnostic: &mut Diagnostic) {
    let Some(Fact::NotEqual { left, right, kinds }) = diagnostic.parts().fact.clone() else { return };
    let [label] = &diagnostic.parts().labels[..] else { return };
    let place = label.span;
    let Some([first, second]) = written::call(sources, place).and_then(|given| <[Argument; 2]>::try_from(given).ok())
    else {
        return;
    };
    let (first, second) = (first.value, second.value);
    let shown = |value: &str, kind: &str| match value.lines().count() {
        1 if value.len() <= SHOWN => format!("{}: `{}`", article(kind), value.trim_end()),
        _ => article(kind).to_owned(),
    };
    let parts = diagnostic.parts_mut();
    parts.labels = vec![
        Label { span: first, text: shown(&left, &kinds.0) },
        Label { span: second, text: shown(&right, &kinds.1) },
    ];
    if left.lines().count() == 1 && right.lines().count() == 1 {
        parts.notes.clear();
    }
    let number = |text: &str| text.trim().trim_matches('"').parse::<i64>().is_ok();
    let wrong = match (kinds.0.as_str(), kinds.1.as_str()) {
        ("string", "int") if number(&left) => first,
        ("int", "string") if number(&right) => second,
        _ => return,
    };
    let code = code_of(sources, wrong);
    *diagnostic = diagnostic.clone().help_edit("make a number of the text", wrong, format!("int({code})"));
}

/// What a value of a type is called.
pub(super) fn article(kind: &str) -> &str {
    match kind {
        "string" => "a text",
        "int" => "an integer",
        "float" => "a float",
        "bool" => "a boolean",
        "NoneType" => "None",
        "dict" | "yamlfragment" | "struct" => "a map",
        "list" => "a list",
        "tuple" => "a tuple",
        "set" => "a set",
        "range" => "a range",
        "function" | "builtin_function_or_method" => "a function",
        "module" => "a module",
        kind => kind,
    }
}

/// A limit of the work of a program: the function that calls itself, or the loop that runs.
pub(in crate::eval) fn spent(sources: &SourceMap, diagnostic: &mut Diagnostic) {
    let parts = diagnostic.parts();
    let less = match parts.limit {
        Some("steps" | "seconds") => "",
        Some("memory" | "nodes") => "make less here: ",
        _ => return,
    };
    let Some(place) = parts.labels.first().map(|label| label.span) else { return };
    let again = parts.trace.iter().enumerate().find_map(|(at, frame)| {
        let is_same = |other: &&Frame| other.name == frame.name && frame.name != "<toplevel>";
        parts.trace.iter().skip(at.saturating_add(1)).find(is_same)
    });
    if let Some(frame) = again {
        let name = frame.name.clone();
        *diagnostic = diagnostic.clone().help(format!("{less}let `{name}` end sooner: it calls itself"));
        return;
    }
    let spans = std::iter::once(place).chain(parts.trace.iter().filter_map(|frame| frame.span));
    let turning = spans.filter_map(|span| {
        let source = sources.get(span.source);
        let head = FileCode::read(&source, span.source)?.loop_around(span)?;
        Some((head, head.source == place.source && source.line(head.start) == source.line(place.start)))
    });
    let mut turning = turning;
    *diagnostic = match turning.next() {
        Some((_, true)) => diagnostic.clone().help(format!("{less}let this loop end sooner")),
        Some((head, false)) => {
            let told = diagnostic.clone().label(head, "this loop runs here");
            told.help(format!("{less}let the loop end sooner"))
        }
        None if less.is_empty() => return,
        None => diagnostic.clone().help("make less here"),
    };
}

/// Recursion that does not end: the call that repeats, whether it passes what it was given, and the call that began it.
pub(in crate::eval) fn recursion(sources: &SourceMap, diagnostic: &mut Diagnostic) {
    let parts = diagnostic.parts();
    if parts.code != Code::LIMIT || parts.limit != Some("call_depth") || parts.labels.len() != 1 {
        return;
    }
    let trace = &parts.trace;
    if let Some(told) = in_turn(diagnostic) {
        *diagnostic = told;
        return;
    }
    let Some(inner) = trace.get(1).filter(|frame| trace.get(2) == Some(*frame)) else { return };
    let (Some(call), name) = (inner.span, inner.name.clone()) else { return };
    let first = trace.iter().rev().find(|frame| frame.name != name).and_then(|frame| frame.span);
    let given = written::call(sources, call);
    let defined = outline::defined(&sources.get(call.source), call.source, &name);
    let own = defined.and_then(|defined| parameters(sources, defined));
    let codes = |all: Vec<Argument>| -> Vec<String> {
        all.into_iter().map(|argument| code_of(sources, argument.name.unwrap_or(argument.value))).collect()
    };
    let repeated = given.map(codes).filter(|given| !given.is_empty() && own.map(codes).as_ref() == Some(given));
    let parts = diagnostic.parts_mut();
    let text = match &repeated {
        Some(given) => format!("`{name}` calls itself with the same `{}` again", given.join("`, `")),
        None => format!("`{name}` calls itself here again and again"),
    };
    parts.labels = vec![Label { span: call, text }];
    parts.labels.extend(defined.map(|span| Label { span, text: format!("`{name}` is defined here") }));
    parts.labels.extend(first.map(|span| Label { span, text: "the first call".to_owned() }));
    if repeated.is_none() {
        return;
    }
    parts.helps.clear();
    parts.limit = None;
    let told = match outline::idle(&sources.get(call.source), call.source).as_slice() {
        [idle] if idle.name.contains(&name) || name.contains(&idle.name) => diagnostic
            .clone()
            .label(idle.span, format!("`{}` is loaded and used nowhere", idle.name))
            .help(format!("did you mean `{}` in place of `{name}`?", idle.name)),
        _ => diagnostic.clone(),
    };
    *diagnostic = told.help(format!("call `{name}` with something that comes nearer to its end"));
}

/// Functions that call each other without an end: the calls by which they do, and the one that began it.
fn in_turn(diagnostic: &Diagnostic) -> Option<Diagnostic> {
    const MOST: usize = 5;
    let trace = &diagnostic.parts().trace;
    let repeats = |length: &usize| (1..=*length).all(|at| trace.get(at) == trace.get(at.saturating_add(*length)));
    let length = (1..=MOST).find(repeats).filter(|length| *length > 1)?;
    let around: Vec<&Frame> = trace.iter().skip(1).take(length).collect();
    let names: Vec<&str> = around.iter().rev().map(|frame| frame.name.as_str()).collect();
    let begun = trace.iter().rposition(|frame| names.contains(&frame.name.as_str()))?;
    let entered = trace.get(begun)?.name.as_str();
    // In the order in which they run, from the one that was called first.
    let start = names.iter().position(|name| *name == entered)?;
    let in_order: Vec<&str> = names.iter().cycle().skip(start).take(length).copied().collect();
    let mut labels = Vec::new();
    for (number, name) in in_order.iter().enumerate() {
        let next = in_order.get(number.saturating_add(1)).or(in_order.first())?;
        let call = around.iter().find(|frame| frame.name == *name)?.span?;
        let again = if number.saturating_add(1) == length { " again" } else { "" };
        labels.push(Label { span: call, text: format!("`{name}` calls `{next}`{again}") });
    }
    // What closes the circle comes first.
    labels.rotate_right(1);
    if let Some(first) = trace.get(begun.saturating_add(1)).and_then(|frame| frame.span) {
        labels.push(Label { span: first, text: format!("the first call of `{entered}`") });
    }
    let all: Vec<String> = in_order.iter().map(|name| format!("`{name}`")).collect();
    let named = suggest::all_of(&all);
    let mut told = diagnostic.clone();
    let parts = told.parts_mut();
    parts.labels = labels;
    // The labels have it; that it goes on is said by the message.
    let outside = parts.trace.get(begun.saturating_add(1)..).unwrap_or_default().to_vec();
    parts.trace = parts.trace.get(1..=length).unwrap_or_default().to_vec();
    parts.trace.extend(outside);
    let text = format!("{named} call each other every time: one of them needs a case in which it does not");
    if let Some(help) = parts.helps.first_mut() {
        help.text = text;
    }
    Some(told)
}
