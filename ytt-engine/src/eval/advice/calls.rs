//! Calls that fail: arguments that a function does not take, assertions in helpers, recursion without an end.

use super::code_of;
use crate::diag::{Code, Diagnostic, Fact, Frame, Label};
use crate::source::{SourceMap, Span};
use crate::template::code::{FileCode, Parameter};
use crate::template::outline;
use crate::template::snippet::ArgumentRole;
use crate::template::written::{self, Argument};

/// Characters of an argument that a label shows.
const SHOWN: usize = 40;

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
            (Span { end: last.value.end, ..first.value }, format!("these are too many: {}", told.join(", ")))
        }
        ([one], _) => (one.value, format!("this is one too many: {}", told.join(", "))),
        ([], []) => return diagnostic,
        ([], missing) => {
            told.push(format!("{} is missing", missing.join(", ")));
            (place, told.join(", "))
        }
    };
    let mut diagnostic = diagnostic;
    if let Some(label) = diagnostic.parts_mut().labels.first_mut() {
        *label = Label { span, text };
    }
    other_function(sources, diagnostic, place, (&given, defined))
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
fn fits(sources: &SourceMap, given: &[Argument], parameters: &[Argument]) -> bool {
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
fn parameters(sources: &SourceMap, defined: Span) -> Option<Vec<Argument>> {
    let code = FileCode::read(&sources.get(defined.source), defined.source)?;
    let as_written = |parameter: Parameter| Argument {
        name: (parameter.role == ArgumentRole::Named).then_some(parameter.span),
        value: parameter.whole,
    };
    Some(code.function_at(defined.start)?.parameters.into_iter().map(as_written).collect())
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

/// An assertion that a function makes: the call that broke it comes first.
pub(in crate::eval) fn asserted(sources: &SourceMap, diagnostic: &mut Diagnostic) {
    let parts = diagnostic.parts();
    let [label] = &parts.labels[..] else { return };
    let at = label.span;
    // Nothing was called that could be at fault.
    if parts.trace.first().is_some_and(|frame| frame.name == "<toplevel>") {
        return;
    }
    let outside = |frame: &&Frame| frame.span.is_some_and(|span| span.source != at.source);
    let outer = parts.trace.get(1..).unwrap_or_default();
    let Some(call) = outer.iter().find(outside).or(outer.first()).and_then(|frame| frame.span) else { return };
    if call.source == at.source && sources.get(at.source).line(call.start) == sources.get(at.source).line(at.start) {
        return;
    }
    let labels = &mut diagnostic.parts_mut().labels;
    labels.insert(0, Label { span: call, text: "this call fails".to_owned() });
    if let Some(assertion) = labels.get_mut(1).filter(|label| label.text.is_empty()) {
        assertion.text = "by this assertion".to_owned();
    }
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
