//! Values of the wrong type in an expression: which operand or argument it is, and what gives it.
#![allow(
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "offsets are those of texts found in a source, which has fewer than 2³¹ bytes"
)]

use super::super::host::Host;
use super::calls::article;
use super::guards::{self, Guard};
use super::origin::Origins;
use super::{absent, asked, changed as changing, code_of, functions, helpers, joined, structs};
use crate::diag::{Code, Diagnostic, Fact, NoteKind};
use crate::nearest::only;
use crate::source::{Source, SourceMap, Span, to_u32};
use crate::template::code::{Binder, CHANGING, FileCode};
use crate::template::{outline, written};
use crate::yaml::{NodeId, Val};

/// Values among which one is looked for by its name.
const SEARCHED: usize = 10_000;
/// Bytes of sources that are looked through.
const MOST_BYTES: usize = 2 << 20;

/// Narrows the primary place to the operand, argument or value that is wrong.
pub(in crate::eval) fn narrow(sources: &SourceMap, diagnostic: Diagnostic) -> Diagnostic {
    let diagnostic = with_modules(sources, diagnostic);
    // What has a text was narrowed before.
    let label = diagnostic.parts().labels.first().filter(|label| label.text.is_empty());
    let Some(place) = label.map(|label| label.span) else { return diagnostic };
    let (diagnostic, place) = match condition(sources, place) {
        Some(condition) => (at(diagnostic, condition, ""), condition),
        None => (diagnostic, place),
    };
    match diagnostic.parts().fact.clone() {
        Some(Fact::Operands { operator, left, right }) => {
            let Some([first, second]) = written::operands(sources, place) else { return diagnostic };
            let is_number = |kind: &str| matches!(kind, "int" | "float" | "bool");
            match (left.as_str(), right.as_str()) {
                (_, "NoneType") => at(diagnostic, second, "this is None"),
                ("NoneType", _) => at(diagnostic, first, "this is None"),
                ("string", kind) if operator == "+" && is_number(kind) => number(sources, diagnostic, second, kind),
                (kind, "string") if operator == "+" && is_number(kind) => number(sources, diagnostic, first, kind),
                ("string", kind) | (kind, "string") if is_number(kind) => {
                    let [first_is, second_is] = [&*left, &*right].map(|kind| match kind {
                        "int" => "this is an integer",
                        "float" => "this is a float",
                        "bool" => "this is a boolean",
                        _ => "this is a text",
                    });
                    at(diagnostic, first, first_is).label(second, second_is)
                }
                _ => diagnostic,
            }
        }
        Some(Fact::NoneArgument) => match written::call(sources, place).as_deref() {
            Some([only]) if !code_of(sources, only.value).starts_with('*') => {
                at(diagnostic, only.value, "this is None")
            }
            // `sorted(of, key=by)`; stars may give any of them.
            Some([first, ..]) if first.name.is_none() && !code_of(sources, first.value).starts_with('*') => {
                at(diagnostic, first.value, "this is None")
            }
            _ => diagnostic,
        },
        Some(Fact::LibraryAsValue) => match written::call(sources, place).as_deref() {
            Some([only]) => {
                let end = Span { start: only.value.end, ..only.value };
                let told = at(diagnostic, only.value, "this is a library, not its documents");
                told.help_edit("evaluate it", end, ".eval()")
            }
            given => {
                match given.and_then(|given| only(given.iter().filter_map(|one| library_in(sources, one.value)))) {
                    Some((name, set)) => {
                        let told = at(diagnostic, name, "this is a library, not its documents");
                        let end = Span { start: name.end, ..name };
                        told.label(set, "it is set here").help_edit("evaluate it", end, ".eval()")
                    }
                    None => diagnostic.help("evaluate it: `….eval()` gives the documents of a library"),
                }
            }
        },
        Some(Fact::NotIndexed { kind }) => match written::indexed(sources, place) {
            // What a name holds is told with where it is set.
            Some(of) if code_of(sources, of).contains(['.', '[', '(']) => {
                at(diagnostic, of, &format!("this is {}", article(&kind)))
            }
            _ => diagnostic,
        },
        Some(Fact::NoMember { kind, name, .. }) if kind == "yamlfragment" && name == "get" => {
            got(sources, diagnostic, place)
        }
        Some(Fact::NoMember { kind, .. }) if kind == "NoneType" => match written::receiver(sources, place) {
            Some(of) => at(diagnostic, of, "this is None"),
            None => diagnostic,
        },
        _ => diagnostic,
    }
}

/// The condition of an `if`, for which the interpreter names the whole statement.
fn condition(sources: &SourceMap, line: Span) -> Option<Span> {
    let code = code_of(sources, line);
    let code = code.lines().next()?.trim_end();
    let rest = code.strip_prefix("if ").or_else(|| code.strip_prefix("elif "))?;
    let start = line.start + (code.len() - rest.trim_start().len()) as u32;
    let rest = rest.trim_start();
    // In a text template the code ends on its line, too.
    let rest = rest.strip_suffix("@)").map_or(rest, |rest| rest.trim_end_matches([' ', '-']));
    let rest = rest.strip_suffix(':')?.trim_end();
    Some(Span { start, end: start + rest.len() as u32, ..line })
}

/// `.get` of a fragment, which has no methods: what asks it the same.
fn got(sources: &SourceMap, diagnostic: Diagnostic, place: Span) -> Diagnostic {
    let Some(of) = written::receiver(sources, place) else { return diagnostic };
    let given = written::call(sources, place).unwrap_or_default();
    let told = at(diagnostic, Span { start: of.end, ..place }, "a YAML fragment has no methods: it is read by `[…]`");
    let [of, key, default] = [Some(of), given.first().map(|one| one.value), given.get(1).map(|one| one.value)]
        .map(|span| span.map(|span| code_of(sources, span)));
    let (Some(of), Some(key)) = (of, key) else { return told };
    // What is read of the value has to be asked for too.
    let source = sources.get(place.source);
    let behind = Span { end: source.line_range(source.line(place.end)).end, start: place.end, ..place };
    if source.written(behind).is_some_and(|behind| behind.trim_start().starts_with(['.', '['])) {
        return told.help(format!("ask for the key first: `{key} in {of}`"));
    }
    let default = default.unwrap_or_else(|| "None".to_owned());
    let new = format!("({of}[{key}] if {key} in {of} else {default})");
    told.help_edit("ask for the key first", place, new)
}

fn at(mut diagnostic: Diagnostic, span: Span, text: &str) -> Diagnostic {
    if let Some(label) = diagnostic.parts_mut().labels.first_mut() {
        label.span = span;
        text.clone_into(&mut label.text);
    }
    diagnostic
}

/// A number that is added to a text.
fn number(sources: &SourceMap, diagnostic: Diagnostic, span: Span, kind: &str) -> Diagnostic {
    let what = match kind {
        "int" => "this is an integer, not a text",
        "float" => "this is a float, not a text",
        _ => "this is a boolean, not a text",
    };
    let mut told = at(diagnostic, span, what);
    told.parts_mut().notes.retain(|note| note.kind != NoteKind::Hint);
    let code = code_of(sources, span);
    let told = structs::set_to(sources, told, span);
    let told = match (joined::set_as_text(sources, span), joined::also_joined(sources, span)) {
        (Some((value, new, taken)), _) => {
            let told = told.label(taken, "Kubernetes takes a text here");
            told.help_edit("make a text of it where it is set: all that reads it takes one", value, new)
        }
        (None, Some((span, new, lines))) => told.help_edit(format!("make a text of it, {lines}"), span, new),
        (None, None) => told.help_edit("make a text of it", span, as_text(&code)),
    };
    if kind == "int" { told } else { told.guessing() }
}

/// The call that makes a text of code, without the parentheses that stand around all of it.
pub(super) fn as_text(code: &str) -> String {
    let inner = code.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let is_one = |inner: &str| {
        let mut open = 0_usize;
        let stays = inner.chars().all(|letter| {
            let now = match letter {
                '(' => open.checked_add(1),
                ')' => open.checked_sub(1),
                // A text may have parentheses of its own: numbers are computed without.
                _ => (letter.is_alphanumeric() || " ._+-*/%,[]".contains(letter)).then_some(open),
            };
            open = now.unwrap_or_default();
            now.is_some()
        });
        stays && open == 0
    };
    match inner.filter(|inner| is_one(inner)) {
        Some(inner) => format!("str({inner})"),
        None => format!("str({code})"),
    }
}

/// A value that is None, and stands at the primary place: where it comes from, and what to do where there is none.
pub(super) fn none(host: &Host<'_>, data: Val, problem: &mut Diagnostic) {
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let code = code_of(&host.sources, place);
    let source = host.sources.get(place.source);
    if let Some(function) = code.strip_suffix(')').and_then(|call| call.split_once('(')) {
        return returns_nothing(host, problem, (function.0, place));
    }
    if let Some(told) = changed(&host.sources, problem, place, &code) {
        *problem = told;
        return;
    }
    let trace = problem.parts().trace.clone();
    let origins = Origins::new(host, data, &trace);
    if let Some((call, _)) = origins.given_by(place, 0)
        && let Some(function) = written::callee(&host.sources, call)
    {
        let function = code_of(&host.sources, function);
        return returns_nothing(host, problem, (&function, call));
    }
    let is_path = |part: &str| !part.is_empty() && part.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    if !code.split('.').all(is_path) {
        return;
    }
    if code == "data.values" && data == Val::Null {
        return document(host, &source, problem);
    }
    let names = data_path(&source, &code);
    let last = code.rsplit('.').next().unwrap_or_default();
    let places = match &names {
        Some(names) => follow(host, data, names).into_iter().collect(),
        None => match nulls_of(host, &origins.of(place, 0)) {
            places if places.is_empty() && code.contains('.') => nulls(host, data, last),
            places => places,
        },
    };
    let is_member = matches!(problem.parts().fact, Some(Fact::NoMember { .. }));
    if places.is_empty() && (names.is_some() || is_member) {
        return;
    }
    let mut told = problem.clone();
    let mut nullable = None;
    for place in &places {
        let source = host.sources.get(place.source);
        // A parameter may have another name than what was given for it.
        let key = source.written(*place).unwrap_or_default().trim_end().trim_end_matches(':');
        let key = if is_path(key) { key } else { last };
        let is_nullable = is_nullable(&source, *place);
        let text = match (is_nullable, names.is_some()) {
            (true, true) => format!("`{key}` is nullable, and nothing sets it"),
            (true, false) => format!("`{key}` is nullable: null where nothing sets it"),
            (false, _) => format!("`{key}` is null here"),
        };
        told = told.label(*place, text);
        nullable = nullable.or(is_nullable.then(|| key.to_owned()));
    }
    told.parts_mut().notes.retain(|note| note.kind != NoteKind::Hint);
    *problem = absent::help(host, told, &source, place, &code);
    let is_guarded = is_member && matches!(guards::guard(&source, place, &code), Some(Guard::Alone(..)));
    guards::around_call(host, problem, (place, &code), is_guarded, &|source, code| {
        follow(host, data, &data_path(source, code)?)
    });
    if let Some(names) = &names {
        helpers::around(host, problem, (place, &code), names);
    }
    if let Some(key) = nullable {
        asked::for_null(host, data, problem, &key);
    }
    if let [place] = places[..] {
        taken_for_default(host, problem, place);
    }
}

/// The same in a function that an overlay calls, whose problem tells of the overlay, too: where it is a data value that is
/// None, since of what the overlay gave it that tells more.
pub(super) fn none_of_overlay(host: &Host<'_>, data: Val, problem: &mut Diagnostic) {
    let parts = problem.parts();
    let is_of_none = match &parts.fact {
        Some(Fact::Operands { left, right, .. }) => [&**left, &**right].contains(&"NoneType"),
        Some(Fact::NoMember { kind, .. } | Fact::NotIterable { kind } | Fact::NotIndexed { kind }) => {
            kind == "NoneType"
        }
        Some(Fact::NoneArgument) => true,
        _ => false,
    };
    let Some(place) = parts.labels.first().map(|label| label.span) else { return };
    if !is_of_none || parts.code != Code::OVERLAY_FUNCTION {
        return;
    }
    let trace = parts.trace.clone();
    if nulls_of(host, &Origins::new(host, data, &trace).of(place, 0)).is_empty() {
        return;
    }
    // Whether another function is meant, or what it does without a left side, is no question where this value is the one.
    let known = std::mem::take(&mut problem.parts_mut().helps);
    none(host, data, problem);
    let helps = &mut problem.parts_mut().helps;
    if helps.is_empty() {
        *helps = known;
    }
}

/// A name that is set to a library which is not evaluated, and where it is set.
fn library_in(sources: &SourceMap, code: Span) -> Option<(Span, Span)> {
    let source = sources.get(code.source);
    let bound = FileCode::read(&source, code.source)?.bound(code, source.written(code)?)?;
    let Binder::Value(value) = bound.by else { return None };
    let set = source.written(value)?;
    (set.starts_with("library.get(") && !set.contains(".eval(")).then_some((code, bound.name))
}

/// Modules are of the interpreter's type of structs: of names that a `load` brings the type is known better.
fn with_modules(sources: &SourceMap, mut diagnostic: Diagnostic) -> Diagnostic {
    let parts = diagnostic.parts_mut();
    let Some(Fact::Operands { operator, left, right }) = &mut parts.fact else { return diagnostic };
    if left != "struct" && right != "struct" {
        return diagnostic;
    }
    let operands = parts.labels.first().and_then(|label| written::operands(sources, label.span));
    let Some([first, second]) = operands else { return diagnostic };
    let before = format!("{left} {operator} {right}");
    for (kind, place) in [(&mut *left, first), (&mut *right, second)] {
        if kind == "struct" && is_module(sources, place) {
            "module".clone_into(kind);
        }
    }
    parts.message = parts.message.replacen(&before, &format!("{left} {operator} {right}"), 1);
    diagnostic
}

/// Is it the name of a module of ours?
fn is_module(sources: &SourceMap, place: Span) -> bool {
    let (source, name) = (sources.get(place.source), code_of(sources, place));
    let is_loaded = || {
        let bound = FileCode::read(&source, place.source).and_then(|code| code.bound(place, &name));
        bound.is_some_and(|bound| matches!(bound.by, Binder::Load))
    };
    let path = outline::brought(&source, place.source, &name).map(|(path, _)| path.name);
    path.is_some_and(|path| path.starts_with("@ytt:")) && is_loaded()
}

/// A name that is set to what a method gives that changes its list or dict: None.
fn changed(sources: &SourceMap, problem: &Diagnostic, place: Span, code: &str) -> Option<Diagnostic> {
    let source = sources.get(place.source);
    let bound = FileCode::read(&source, place.source)?.bound(place, code)?;
    let Binder::Value(value) = bound.by else { return None };
    let callee = code_of(sources, written::callee(sources, value)?);
    let (of, method) = callee.rsplit_once('.').filter(|(_, method)| CHANGING.contains(method))?;
    // A function of the project may have such a name.
    let root = of.split(['.', '[']).next().unwrap_or(of);
    let binder = FileCode::read(&source, place.source)?.bound(value, root);
    if binder.is_some_and(|bound| matches!(bound.by, Binder::Load)) {
        return None;
    }
    let mut told = problem.clone();
    told.parts_mut().notes.retain(|note| note.kind != NoteKind::Hint);
    let told = told.label(value, format!("`{method}` changes what stands in front of it, and gives None"));
    let is_name = of.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    Some(match of == code {
        // `all = all.append(…)`
        true => told.help_edit("change it, and set nothing", Span { end: value.start, ..bound.name }, ""),
        false if is_name => told.help(format!("change `{of}` on a line of its own, and go on with `{of}`")),
        false => {
            let text = format!("set `{code}` first, and change it on the next line: `{code}.{method}(…)`");
            let whole = code_of(sources, value);
            let line = source.line_range(source.line(bound.name.start)).start;
            let before = code_of(sources, Span { start: line, end: bound.name.start, ..value });
            let is_statement = matches!(before.trim(), "" | "#@") && !whole.contains('\n');
            let new = format!("{of}\n{before}{code}{}", whole.strip_prefix(of).unwrap_or_default());
            told.edit_at(text, is_statement.then_some(value), new)
        }
    })
}

/// The names below `data.values` that code leads to, also by a name that the file gives a part of them.
pub(super) fn data_path(source: &Source, code: &str) -> Option<Vec<String>> {
    let names = |code: &str| code.split('.').map(str::to_owned).collect::<Vec<_>>();
    if let Some(path) = code.strip_prefix("data.values.") {
        return Some(names(path));
    }
    let (first, rest) = code.split_once('.').map_or((code, None), |(first, rest)| (first, Some(rest)));
    let value = outline::assigned(source, first)?;
    let path = value.strip_prefix("data.values")?;
    let mut all = match path.strip_prefix('.') {
        Some(path) => names(path),
        None if path.is_empty() => Vec::new(),
        None => return None,
    };
    all.extend(rest.into_iter().flat_map(names));
    Some(all)
}

/// The value that a path of data values in code leads to, and where it is set.
pub(super) fn value_of(host: &Host<'_>, data: Val, source: &Source, code: &str) -> Option<(Val, Option<Span>)> {
    let names = data_path(source, code)?;
    let arena = host.arena.borrow();
    let (mut at, mut place) = (data, None);
    for name in &names {
        let Val::Node(map) = at else { return None };
        let item = arena.find_str(map, name)?;
        (at, place) = (arena.value(item), arena.span_of(item));
    }
    Some((at, place))
}

/// Where the null that a path of data values leads to stands.
fn follow(host: &Host<'_>, data: Val, names: &[String]) -> Option<Span> {
    let arena = host.arena.borrow();
    let (mut at, mut place) = (data, None);
    for name in names {
        let Val::Node(map) = at else { return None };
        let item = arena.find_str(map, name)?;
        at = arena.value(item);
        place = arena.span_of(item);
    }
    place.filter(|_| at == Val::Null)
}

/// Items of data values with that key.
pub(super) fn items_named(host: &Host<'_>, data: Val, name: &str) -> Vec<(String, NodeId)> {
    let arena = host.arena.borrow();
    let (mut open, mut found, mut left) = (vec![(String::new(), data)], Vec::new(), SEARCHED);
    while let Some((path, value)) = open.pop() {
        let Val::Node(id) = value else { continue };
        for &item in arena.items(id) {
            left = left.saturating_sub(1);
            if left == 0 || path.len() > 200 {
                return found;
            }
            let key = arena.str(arena.key(item)).unwrap_or_default();
            let below = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
            if key == name {
                found.push((below.clone(), item));
            }
            open.push((below, arena.value(item)));
        }
    }
    found
}

/// The places of nulls under that key, if they are few.
fn nulls(host: &Host<'_>, data: Val, name: &str) -> Vec<Span> {
    let found: Vec<NodeId> = items_named(host, data, name).into_iter().map(|(_, item)| item).collect();
    nulls_of(host, &found)
}

fn nulls_of(host: &Host<'_>, items: &[NodeId]) -> Vec<Span> {
    let arena = host.arena.borrow();
    let nulls = items.iter().filter(|item| arena.value(**item) == Val::Null);
    let mut places: Vec<Span> = nulls.filter_map(|item| arena.span_of(*item)).collect();
    places.sort_unstable_by_key(|place| (place.source, place.start));
    places.dedup();
    if places.len() > 3 { Vec::new() } else { places }
}

/// Do annotations above the item make it nullable?
pub(super) fn is_nullable(source: &Source, place: Span) -> bool {
    let first = source.line(place.start);
    let above = (1..first).rev().map(|line| source.line_text(line));
    let mut annotations = above.take_while(|line| line.trim_start().starts_with('#')).take(20);
    annotations.any(|line| line.contains("@schema/nullable"))
}

/// A value below `@schema/nullable` that was probably meant as the default, which is null.
fn taken_for_default(host: &Host<'_>, problem: &mut Diagnostic, key: Span) {
    let source = host.sources.get(key.source);
    let line = source.line(key.start);
    let text = source.line_text(line);
    let Some((_, value)) = text.split_once(": ") else { return };
    let value = value.split(" #").next().unwrap_or_default().trim();
    let is_empty = value.is_empty() || value.len() == 2 && value.starts_with(|sign: char| !sign.is_alphanumeric());
    if is_empty || matches!(value, "0" | "0.0" | "false") {
        return;
    }
    let is_comment = |line: &u32| source.line_text(*line).trim_start().starts_with('#');
    let mut above = (1..line).rev().take_while(is_comment);
    let Some(nullable) = above.find(|line| source.line_text(*line).trim() == "#@schema/nullable") else { return };
    let (start, end) = (source.line_range(nullable).start, source.line_range(nullable.saturating_add(1)).start);
    let line = source.line_range(nullable);
    let indent = to_u32(source.line_text(nullable).len().saturating_sub("#@schema/nullable".len()));
    let annotation = Span { start: line.start.saturating_add(indent), end: line.end, ..key };
    let told = problem.clone().label(annotation, "this makes the default null");
    let help = format!("if `{value}` is meant as the default, leave the annotation out");
    *problem = told.help_edit(help, Span { start, end, ..key }, "").guessing();
    problem.parts_mut().helps.rotate_right(1);
}

/// All data values are null: the annotation of the schema that makes them so.
fn document(host: &Host<'_>, here: &Source, problem: &mut Diagnostic) {
    let Some((place, edit)) = nullable_document(host, here) else { return };
    problem.parts_mut().notes.retain(|note| note.kind != NoteKind::Hint);
    let told = problem.clone().label(place, "this makes all data values null where none are given");
    *problem = match edit {
        Some((key, span, new)) => {
            let source = host.sources.get(span.source);
            let (from, to) = (source.line(span.start), source.line(span.end));
            told.help_edit(format!("move line {from} above line {to}: is it `{key}` that may be null?"), span, new)
        }
        None => told.help("annotate the key that may be null, not the document"),
    };
}

/// The annotation that makes a document of a schema nullable, and the edit that moves it to the key which code asks for.
type Moved = (String, Span, String);
fn nullable_document(host: &Host<'_>, here: &Source) -> Option<(Span, Option<Moved>)> {
    const ANNOTATION: &str = "#@schema/nullable";
    let sources = host.sources.all();
    for (number, source) in sources.iter().enumerate() {
        let Some(text) = source.text.as_str().filter(|text| text.len() < MOST_BYTES) else { continue };
        let Some(head) = text.find("#@data/values-schema") else { continue };
        let Some(end) = text[head..].find("\n---").map(|end| head + end) else { continue };
        let Some(at) = text[..end].find(ANNOTATION) else { continue };
        let id = crate::source::SourceId(number as u32);
        let place = Span::new(id, at as u32, (at + ANNOTATION.len()) as u32);
        let body = at + ANNOTATION.len() + 1;
        let asked = here.text.as_str().unwrap_or_default();
        let asked = asked.match_indices("data.values.").filter_map(|(found, _)| {
            let before = asked[..found].trim_end();
            let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
            let name: String = asked[found + 12..].chars().take_while(|letter| is_name(*letter)).collect();
            (before.ends_with("if") || before.ends_with("if/end")).then_some(name)
        });
        let edit = asked.filter(|name| !name.is_empty()).find_map(|name| {
            let key = end + text[end..].find(&format!("\n{name}:"))? + 1;
            let between = text.get(body..key)?;
            let span = Span::new(id, at as u32, key as u32);
            Some((name, span, format!("{between}{ANNOTATION}\n")))
        });
        return Some((place, edit));
    }
    None
}

/// A call that gave None.
fn returns_nothing(host: &Host<'_>, problem: &mut Diagnostic, call: (&str, Span)) {
    if let Some(told) = changing::given_back(host, problem, call) {
        *problem = told;
        return;
    }
    if let Some(told) = functions::gave_none(host, problem.clone(), call) {
        *problem = told;
    }
}

#[cfg(test)]
mod tests {
    use super::as_text;

    #[test]
    fn only_parentheses_around_all_of_it_are_taken() {
        for (code, expected) in [
            ("n", "str(n)"),
            ("(a + b)", "str(a + b)"),
            ("(a) + (b)", "str((a) + (b))"),
            ("((a) + (b))", "str((a) + (b))"),
            ("(len(\")\"))", "str((len(\")\")))"),
            ("(a", "str((a)"),
        ] {
            assert_eq!(as_text(code), expected, "{code}");
        }
    }
}
