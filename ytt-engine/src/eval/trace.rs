//! Errors of the interpreter to diagnostics: words, places through the line map, frames of the call stack.

use starlark::ErrorKind;
use starlark::codemap::{FileSpan, ResolvedPos};
use starlark::eval::{CallStack, Evaluator};

use super::host::{Host, Missed, Missing};
use super::messages::Scene;
use super::text::readable;
use super::{advice, budget, error, messages};
use crate::diag::{Code, Diagnostic, Diagnostics, Fact, Frame, Note, WordKind, suggest};
use crate::source::{SourceId, SourceMap, Span, to_u32};
use crate::template::{FILE_FUNCTION, Program, unmangle, written};
use crate::yaml::{Taken, TakenFrom, Val};

/// How frames name the top level of a file.
const TOP: &str = "<toplevel>";

/// What an error of the interpreter means, with places and frames. Diagnostics of ours come out as they went in; frames
/// of loads and callbacks around them are added.
pub(crate) fn diagnostics(host: &Host<'_>, failure: &starlark::Error) -> Diagnostics {
    with_frames(host, failure, frames(host, failure))
}

/// The same of an error at the top level of a file that has no program.
pub(super) fn at_top(host: &Host<'_>, failure: &starlark::Error, place: Span) -> Diagnostics {
    let mut frames = frames(host, failure);
    frames.push(Frame { name: TOP.to_owned(), span: Some(place) });
    with_frames(host, failure, frames)
}

fn with_frames(host: &Host<'_>, failure: &starlark::Error, mut frames: Vec<Frame>) -> Diagnostics {
    let ours = error::all_of(failure);
    let raised = ours.first().and_then(|diagnostic| diagnostic.parts().raised);
    if let (Some(frame), Some(raised)) = (frames.first_mut(), raised) {
        frame.span = Some(raised);
    }
    // Of an error that the program catches it gets the message, with the calls in a library; nobody sees more of it.
    let is_caught = host.trying.get() > 0;
    let place = frames.first().and_then(|frame| frame.span).or(raised).or_else(|| place(host, failure.span()));
    let mut all: Vec<Diagnostic> = match ours {
        [one]
            if !is_caught
                && matches!(
                    one.parts().fact,
                    Some(Fact::OutOfRange { .. } | Fact::NotInDict { .. } | Fact::NotInStruct { .. })
                ) =>
        {
            let one = one.clone().at(place);
            let told = |program: &Program| Some(advice::of_index(program, failure, one.clone()));
            let told = failure.span().and_then(|location| in_program(host, location, told));
            vec![told.unwrap_or(one)]
        }
        _ => ours.to_vec(),
    };
    if ours.is_empty() {
        let name = messages::missing_attribute(failure);
        let missed = name.as_ref().and_then(|name| host.take_missed(name));
        all.push(match (missed, name) {
            (Some(missed), Some(name)) => no_member(host, &name, missed, place),
            _ => explained(host, failure, place),
        });
    }
    for diagnostic in all.iter_mut().filter(|diagnostic| diagnostic.code() == Code::LIMIT_BUDGET) {
        // Where no code stands, the node that was started last is as near as it gets.
        *diagnostic = diagnostic.clone().at(place).at(host.last_started.get());
    }
    budget::told(host);
    let items = if is_caught { Vec::new() } else { string_items(host, failure) };
    for diagnostic in &mut all {
        diagnostic.parts_mut().raised = None;
        *diagnostic = diagnostic.clone().at(place);
        if !is_caught {
            advice::narrow(&host.sources, diagnostic);
        }
        if !is_caught && diagnostic.parts().labels.len() == 1 {
            *diagnostic = advice::operands::narrow(&host.sources, diagnostic.clone());
        }
        // A callback's stack goes down to the file already: frames around it were recorded with it.
        let trace = &mut diagnostic.parts_mut().trace;
        if !trace.ends_with(&frames) {
            trace.extend(frames.iter().cloned());
        }
        if is_caught {
            continue;
        }
        advice::told(&host.sources, diagnostic);
        diagnostic.parts_mut().notes.extend(items.iter().map(|item| Note::from(&**item)));
    }
    Diagnostics(all)
}

/// A member that an object does not have: the one that was probably meant, with the edit and where it is set; else those
/// that there are.
fn no_member(host: &Host<'_>, name: &str, missed: Missed, place: Option<Span>) -> Diagnostic {
    let (map, names) = match missed.reason {
        Missing::Because(reason) => return reason.at(place),
        Missing::Among(names) => (None, names),
        Missing::InMap(map) => {
            let keys = host.entries(map).into_iter();
            (
                Some(map),
                keys.filter_map(|(key, _)| Some(String::from_utf8_lossy(&host.text(key)?).into_owned())).collect(),
            )
        }
    };
    let proposed = suggest::nearest(name, names.iter().map(String::as_str));
    let mut diagnostic = Diagnostic::no_member(missed.kind, name, proposed).at(place);
    if let Some(Fact::NoMember { known, .. }) = &mut diagnostic.parts_mut().fact {
        known.clone_from(&names);
    }
    let mut alike = suggest::equally_similar(name, names.iter().map(String::as_str));
    if alike.is_empty() && missed.kind == "module" {
        // As the libraries of other languages have it.
        let other = match name {
            "dump" | "dumps" | "stringify" | "marshal" | "b64encode" | "quote" | "hexdigest" => "encode",
            "load" | "loads" | "parse" | "unmarshal" | "safe_load" | "b64decode" | "unquote" => "decode",
            _ => "",
        };
        alike.extend(names.iter().map(String::as_str).filter(|own| *own == other));
    }
    if alike.len() > 1 {
        return diagnostic.misspelt_among(WordKind::Attribute, name, &alike);
    }
    let Some(near) = alike.first() else {
        let diagnostic = match missed.kind {
            "struct" => advice::structs::method(&host.sources, diagnostic, name, &names),
            _ => diagnostic.misspelt_as(WordKind::Attribute, name, None),
        };
        return match suggest::listed(names.iter().map(String::as_str)) {
            Some(names) if missed.kind == "struct" => diagnostic.note(format!("its fields: {names}")),
            Some(names) => diagnostic.note(format!("there are: {names}")),
            None if names.is_empty() => diagnostic.note("there are no members at all"),
            None => diagnostic,
        };
    };
    if let Some(Val::Node(map)) = map {
        let arena = host.arena.borrow();
        let span = arena.find_str(map, near).and_then(|item| arena.span_of(item));
        if let Some(span) = span {
            diagnostic = diagnostic.label(span, format!("`{near}` is set here"));
        }
    }
    advice::attribute(&host.sources, diagnostic, name, near)
}

/// The interpreter's own error, with the definition of a function whose arguments it is about.
fn explained(host: &Host<'_>, failure: &starlark::Error, place: Option<Span>) -> Diagnostic {
    let stopped = if messages::is_stopped(failure) { host.budget.error() } else { None };
    if let Some(stopped) = stopped {
        return stopped.at(place);
    }
    let compiled = host.by_source.borrow();
    let files: Vec<(String, &Program)> =
        compiled.iter().map(|(source, file)| (source.0.to_string(), &file.program)).collect();
    let scene = Scene { files: &files, changed: host.changed() };
    if let ErrorKind::StackOverflow(_) = failure.kind() {
        let words = messages::message(failure, scene);
        let diagnostic = Diagnostic::limit(Code::LIMIT, "call_depth", words.text).at(place);
        return words.hint.into_iter().fold(diagnostic, Diagnostic::help);
    }
    let mut diagnostic = messages::message(failure, scene).diagnostic().at(place);
    if messages::missing_attribute(failure).is_none() {
        diagnostic = advice::of_method(diagnostic);
    }
    if let Some(Fact::UnknownKeyword { keyword, near, is_guess, .. }) = diagnostic.parts().fact.clone() {
        let near: Vec<&str> = near.iter().map(String::as_str).collect();
        let told = diagnostic.misspelt_among(WordKind::Argument, keyword, &near).saying("no such parameter");
        diagnostic = if is_guess { told.guessing() } else { told };
    }
    let Some((name, definition)) = messages::refused(failure, scene) else { return diagnostic };
    match definition.program.lines.span(definition.line, definition.column) {
        Some(span) => {
            if let Some(Fact::UnknownKeyword { defined, .. }) = &mut diagnostic.parts_mut().fact {
                *defined = Some(span);
            }
            let diagnostic = advice::calls::arguments(&host.sources, diagnostic, span);
            diagnostic.label(span, format!("`{}` is defined here", unmangle(name)))
        }
        None => diagnostic,
    }
}

/// The first of [`diagnostics`].
pub(crate) fn diagnostic(host: &Host<'_>, failure: &starlark::Error) -> Diagnostic {
    let mut all = diagnostics(host, failure).0;
    all.swap_remove(0)
}

/// Puts the name of a built-in in front of an error that it raised.
pub(crate) fn named(failure: &starlark::Error, name: &str, host: &Host<'_>) -> starlark::Error {
    let mut all = diagnostics(host, failure);
    for diagnostic in &mut all.0 {
        let parts = diagnostic.parts_mut();
        if parts.context.is_empty() {
            parts.message = format!("{}: {}", readable(name), parts.message);
        } else {
            // The name stands in front of the steps that led to the problem.
            parts.context.insert(0, readable(name).into_owned().into());
        }
    }
    error::wrap_all(all)
}

/// The interpreter refuses a program that was compiled, which names what the template compiler lacks.
pub(super) fn compile_error(
    sources: &SourceMap,
    source: SourceId,
    program: &Program,
    failure: &starlark::Error,
) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(Code::STARLARK_SYNTAX, messages::message(failure, Scene { files: &[], changed: None }).text);
    let found = failure.span().and_then(|location| span(program, location));
    match found {
        Some(found) => diagnostic.at(Some(found)),
        None => diagnostic.note(format!("in {}", sources.get(source).name)),
    }
}

/// Frames of the call stack, innermost first; those of built-ins are left out.
fn frames(host: &Host<'_>, failure: &starlark::Error) -> Vec<Frame> {
    frames_of(host, failure.call_stack(), failure.span())
}

/// Those of the running code, innermost first.
pub(super) fn running(host: &Host<'_>, eval: &Evaluator<'_, '_, '_>) -> Vec<Frame> {
    match eval.call_stack_count() {
        // the interpreter panics there
        0 => Vec::new(),
        _ => frames_of(host, &eval.call_stack(), None),
    }
}

fn frames_of(host: &Host<'_>, stack: &CallStack, last: Option<&FileSpan>) -> Vec<Frame> {
    let stack = &stack.frames;
    let mut frames = Vec::with_capacity(stack.len());
    for (number, frame) in stack.iter().enumerate() {
        // The stack records calls: a function stands where it calls the next one.
        let location = match stack.get(number.saturating_add(1)) {
            Some(next) => next.location.as_ref(),
            None => last,
        };
        let Some(span) = place(host, location) else { continue };
        // Built-ins of ours say what they are; one of the interpreter stands exactly where the error is.
        let native = number.saturating_add(1) == stack.len() && frame.location.as_ref() == last;
        if native || is_native(&frame.name) {
            continue;
        }
        let name = frame.name.rsplit('.').next().unwrap_or(&frame.name);
        let name = if name == FILE_FUNCTION { TOP.to_owned() } else { unmangle(name).into_owned() };
        frames.push(Frame { name, span: Some(span) });
    }
    frames.reverse();
    frames
}

/// How many frames of the running code an error raised now would have.
pub(crate) fn depth(host: &Host<'_>, eval: &Evaluator<'_, '_, '_>) -> usize {
    let stack = eval.call_stack().frames;
    let calls = stack.iter().zip(stack.iter().skip(1));
    calls.filter(|(frame, next)| !is_native(&frame.name) && place(host, next.location.as_ref()).is_some()).count()
}

fn is_native(name: &str) -> bool {
    name == "None" || name.starts_with("__ytt_native ")
}

/// Items whose text-templated strings were being run, innermost first. The reference names the line of the item where
/// ours names the line of the string.
fn string_items(host: &Host<'_>, failure: &starlark::Error) -> Vec<String> {
    let frames = &failure.call_stack().frames;
    let calls = frames.iter().rev().filter_map(|frame| frame.location.as_ref());
    let mut notes = Vec::new();
    for location in failure.span().into_iter().chain(calls) {
        let item =
            in_program(host, location, |program| program.lines.string_item(to_u32(location.resolve_span().begin.line)));
        let Some(item) = item else { continue };
        let note = format!("in the text of the item at {}", host.sources.name_line(item));
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes
}

/// Asks the program that a place of generated text lies in.
fn in_program<T>(host: &Host<'_>, location: &FileSpan, ask: impl FnOnce(&Program) -> Option<T>) -> Option<T> {
    let number: u32 = location.filename().parse().ok()?;
    let compiled = host.by_source.borrow();
    ask(&compiled.get(&SourceId(number))?.program)
}

/// The place in a source that a place in generated text means.
fn place(host: &Host<'_>, location: Option<&FileSpan>) -> Option<Span> {
    let location = location?;
    in_program(host, location, |program| span(program, location))
}

/// As [`place`], in a known program. An expression that spans lines is named by its operator, as in the reference.
pub(super) fn span(program: &Program, location: &FileSpan) -> Option<Span> {
    let whole = whole(program, location)?;
    // what a loop goes over, and what is unpacked, is the value as a whole
    let is_value = ["__ytt_over(", "__ytt_unpack("].iter().any(|call| location.source_span().starts_with(call));
    Some(program.lines.operator(whole).filter(|_| !is_value).unwrap_or(whole))
}

fn whole(program: &Program, location: &FileSpan) -> Option<Span> {
    let resolved = location.resolve_span();
    let place = |at: ResolvedPos| (to_u32(at.line), to_u32(at.column));
    program.lines.range(place(resolved.begin), place(resolved.end))
}

/// Where the innermost running code stands: the statement that called the built-in which asks.
pub(super) fn current_place(host: &Host<'_>, eval: &Evaluator<'_, '_, '_>) -> Option<Span> {
    let called = || place(host, eval.call_stack_top_location().as_ref()).or_else(|| standing(host, eval));
    standing_by(host, eval, 0).or_else(called)
}

/// The call of a built-in by code that is run as it was read.
fn standing(host: &Host<'_>, eval: &Evaluator<'_, '_, '_>) -> Option<Span> {
    // A call from outside of a program has an empty frame, and most built-ins have one of their own.
    standing_by(host, eval, 2)
}

/// The same, if no more than so many frames are above it: none where the built-in is called directly.
fn standing_by(host: &Host<'_>, eval: &Evaluator<'_, '_, '_>, frames: usize) -> Option<Span> {
    let (calls, place) = host.standing.get()?;
    (eval.call_stack_count() <= calls.saturating_add(frames)).then_some(place)
}

/// Tells the warnings of a built-in function that ran, at the place of its call.
pub(super) fn tell_of_call(host: &Host<'_>, eval: &Evaluator<'_, '_, '_>) {
    let warnings = host.of_call.take();
    if warnings.is_empty() {
        return;
    }
    let place = current_place(host, eval);
    for warning in warnings {
        let mut warning = warning.at(place);
        advice::narrow(&host.sources, &mut warning);
        host.warn(for_the_annotation(host, warning));
    }
}

/// The warning of an argument that a matcher ignores, with the help to give it to the annotation around.
fn for_the_annotation(host: &Host<'_>, warning: Diagnostic) -> Diagnostic {
    let place = warning.parts().labels.first().map(|label| label.span);
    let place = place
        .filter(|place| warning.code() == Code::MODULE_UNKNOWN_ARGUMENT && host.is_first_at(warning.code(), *place));
    let Some(inner) = place.and_then(|place| written::inner_at(&host.sources, place)) else { return warning };
    let text = inner.help(&host.sources);
    warning.help_edit(text, inner.edit.0, inner.edit.1).if_it_mends()
}

/// The whole of the innermost running call, also if it spans lines.
pub(crate) fn call_place(host: &Host<'_>, eval: &Evaluator<'_, '_, '_>) -> Option<Span> {
    if let Some(place) = standing_by(host, eval, 0) {
        return Some(place);
    }
    let Some(location) = eval.call_stack_top_location() else { return standing(host, eval) };
    in_program(host, &location, |program| whole(program, &location))
}

/// Notes what a built-in took from elsewhere, if an explanation is wanted.
pub(crate) fn note_taken(host: &Host<'_>, eval: &Evaluator<'_, '_, '_>, from: TakenFrom) {
    if host.explains {
        let call = call_place(host, eval);
        host.arena.borrow_mut().events.readers.take(Taken { from, call });
    }
}

/// Notes that the innermost running function, which has no nodes, returns for the expression of an item.
pub(super) fn note_returned(host: &Host<'_>, eval: &Evaluator<'_, '_, '_>) {
    if !host.arena.borrow().events.readers.in_expression() {
        return;
    }
    if let Some(place) = call_place(host, eval) {
        let call = caller_place(host, eval);
        host.arena.borrow_mut().events.readers.take(Taken { from: TakenFrom::Return(place), call });
    }
}

/// Where the innermost running function was called, if that is in a source: what opens a body asks.
pub(super) fn caller_place(host: &Host<'_>, eval: &Evaluator<'_, '_, '_>) -> Option<Span> {
    let stack = eval.call_stack().frames;
    // The last frame is the built-in that asks, the one before it the function, which stands where it was called.
    let function = stack.get(stack.len().checked_sub(2)?)?;
    // Both and the empty frame in front of them are all there is above code that is run as it was read.
    place(host, function.location.as_ref()).or_else(|| standing_by(host, eval, 3))
}
