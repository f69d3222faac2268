//! Nodes that code cannot make: keys that are no texts or are there twice, and values that are no texts.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "offsets and lines are those of code in a source, which has fewer than 2³¹ bytes"
)]

use super::super::host::Host;
use super::operands::items_named;
use super::{begins, code_of, functions, place_at};
use crate::diag::{Diagnostic, Fact, Help, NoteKind, suggest};
use crate::source::{Source, SourceMap, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::loading::with_load;
use crate::template::{outline, unfilled, written};
use crate::yaml::Val;
use crate::yaml::joined::{Joined, joined};
use crate::yaml::layout::{self, Change};
use crate::yaml::words::article;

/// Keys or items that are named in one message.
const SHOWN: usize = 3;

/// A value in a text template that is no text.
pub(super) fn not_text(sources: &SourceMap, problem: &mut Diagnostic, kind: &str) {
    let parts = problem.parts();
    let Some(label) = parts.labels.first().filter(|label| label.text.is_empty() && parts.helps.is_empty()) else {
        return;
    };
    let (span, code) = (label.span, code_of(sources, label.span));
    *problem = problem.clone().relabel(format!("of type {kind}: only a string can be put into a text"));
    let is_code = !code.is_empty() && !code.contains('\n') && !code.starts_with(|first| "\"'|>".contains(first));
    if is_code && kind != "NoneType" {
        let told = problem.clone().help_edit("make a string of it", span, format!("str({code})"));
        // How anything else is written is for whoever reads the text.
        *problem = if kind == "int" { told } else { told.guessing() };
    }
}

/// A text that `overlay.apply` is given to change: its first argument, which has to be decoded first.
pub(super) fn overlaid(sources: &SourceMap, problem: &mut Diagnostic, wanted: &str, right: Option<Span>) {
    let [label] = &problem.parts().labels[..] else { return };
    let given = written::call(sources, label.span).and_then(|all| all.first().copied());
    let mut told = problem.clone().relabel("this is a text: an overlay changes what it says after it is decoded");
    if let Some(given) = given {
        place_at(&mut told, given.value);
    }
    told = told.label_at(right, format!("the overlay has {} {wanted} here", article(wanted)));
    let code = given.map(|given| code_of(sources, given.value)).filter(|code| !code.is_empty());
    let edit = given.zip(code).and_then(|(given, code)| {
        let place = given.value;
        with_load(&sources.get(place.source), ("@ytt:yaml", "yaml"), place, format!("yaml.decode({code})"))
    });
    let help = "decode it first, and encode what comes out: `yaml.encode(overlay.apply(yaml.decode(…), …))`";
    *problem = match edit {
        Some((span, new)) => told.help_edit(help, span, new),
        None => told.help(help),
    };
}

/// A set of documents as the value of a node: the documents take the place of one, or an item has one of them.
pub(super) fn documents(sources: &SourceMap, problem: &mut Diagnostic, is_document: bool) {
    let place = problem.parts().labels.first().map(|label| label.span);
    let place = place.map(|place| match code_of(sources, place).strip_prefix("#@ ") {
        Some(code) => Span { start: place.end - code.len() as u32, ..place },
        None => place,
    });
    let code = place.map(|place| code_of(sources, place)).filter(|code| !code.is_empty() && !code.contains('\n'));
    let of = code.as_deref().unwrap_or("…");
    let told = problem.clone();
    *problem = match (place, is_document) {
        (Some(place), true) => {
            let help = "to have its documents in the place of this one, write `template.replace(…)`";
            let new = format!("template.replace({of})");
            match code.as_ref().and_then(|_| with_load(&sources.get(place.source), ("@ytt:template", "template"), place, new)) {
                Some((span, new)) => told.help_edit(help, span, new),
                None => told.help(help),
            }
        }
        _ => told.help(format!(
            "take one of its documents, `{of}[0]`; or put all of them at document level, `--- #@ template.replace({of})`"
        )),
    };
}

/// A map for which an item of an array makes way: it is one item, which stands there as it is.
pub(super) fn one_item(sources: &SourceMap, problem: &mut Diagnostic) {
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let Some(only) = super::only_argument(sources, place) else { return };
    let source = sources.get(place.source);
    let line = source.line_range(source.line(place.start));
    let around = |start: u32, end: u32| source.written(Span { start, end, ..place }).unwrap_or_default();
    let is_item =
        around(line.start, place.start).trim_start() == "- #@ " && around(place.end, line.end).trim().is_empty();
    let code = code_of(sources, only.value);
    let mut told = problem.clone().relabel("the value is a map, which is one item");
    let callee = written::callee(sources, only.value).map(|callee| code_of(sources, callee));
    if let Some((file, own)) = callee.and_then(|name| outline::home(sources, place.source, &name)) {
        let defined = outline::defined(&sources.get(file), file, &own);
        told = told.label_at(defined, format!("`{own}` gives a map"));
    }
    let text = "one item needs no `template.replace`";
    let (edit, rest) = (is_item.then_some((place, code)), std::mem::take(&mut told.parts_mut().helps));
    let mut told = match edit {
        Some((span, new)) => told.help_edit(text, span, new),
        None => told.help(text),
    };
    told.parts_mut().helps.extend(rest);
    *problem = told;
}

/// Two fragments that are added: each of them in the place of an item of one collection.
pub(super) fn added(sources: &SourceMap, problem: &mut Diagnostic) {
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let source = sources.get(place.source);
    let Some(operands) = written::operands(sources, place) else { return };
    let line = source.line_range(source.line(place.start));
    let around = |start: u32, end: u32| source.written(Span { start, end, ..place }).unwrap_or_default();
    let (before, behind) = (around(line.start, place.start), around(place.end, line.end));
    let general = "fragments cannot be added: give each of them an item that `template.replace` makes way for";
    let edit = (|| {
        let head = before.strip_suffix("#@ ").filter(|_| behind.trim().is_empty())?.trim_end();
        let key = head.strip_suffix(':')?.trim_start();
        let indent = head.len() - head.trim_start().len();
        let item = match operands.map(|operand| is_list(sources, operand)) {
            [Some(true), Some(true)] => ["- ", "- "],
            [Some(false), Some(false)] => ["  _: ", "  __: "],
            _ => return None,
        };
        let is_item = key.starts_with(['-', '#']);
        let items = item.iter().zip(operands).map(|(item, operand)| {
            format!("\n{}{item}#@ template.replace({})", " ".repeat(indent), code_of(sources, operand))
        });
        let new: String = items.collect();
        let place = Span { start: line.start + head.len() as u32, end: place.end, ..place };
        with_load(&source, ("@ytt:template", "template"), place, new).filter(|_| !is_item)
    })();
    let mut told = problem.clone();
    for operand in operands {
        let Some(callee) = written::callee(sources, operand) else { continue };
        let name = code_of(sources, callee);
        let Some((file, own)) = outline::home(sources, place.source, &name) else { continue };
        let defined = outline::defined(&sources.get(file), file, &own);
        told = told.label_at(defined, format!("`{own}` has YAML in it: it gives a fragment"));
    }
    *problem = match edit {
        Some((span, new)) => told.help_edit(general, span, new),
        None => told.help(general),
    };
}

/// A text with several documents: a loop that decodes each, where the call is the whole value of a document.
pub(super) fn several_documents(sources: &SourceMap, problem: &mut Diagnostic) {
    let Some(place) = problem.parts().trace.iter().find_map(|frame| frame.span) else { return };
    // The line that begins the second document, where the text is that of a file.
    let marker = problem.parts().labels.first().map(|label| label.span).filter(|span| span.source != place.source);
    let marker = marker.and_then(|span| {
        let file = sources.get(span.source);
        let line = file.line_text(file.line(span.start));
        line.starts_with("---").then(|| (span, line.trim_end() == "---"))
    });
    let text = match marker {
        Some((_, false)) => "decode each document for itself, in a loop: `for part in text.split(\"\\n---\")`",
        _ => "decode each document for itself, in a loop: `for part in text.split(\"\\n---\\n\")`",
    };
    let edit = (|| {
        let source = sources.get(place.source);
        let line = source.line_range(source.line(place.start));
        let whole = Span { start: line.start, end: line.end, ..place };
        let code = source.written(whole)?.trim_end();
        let value = line.start + (code.len() - code.strip_prefix("--- #@ ")?.len()) as u32;
        let end = line.start + code.len() as u32;
        let given = written::call(sources, place)?;
        let [only] = &given[..] else { return None };
        let part = |start: u32, end: u32| source.written(Span { start, end, ..place });
        let (before, after) = (part(value, only.value.start)?, part(only.value.end, end)?);
        let argument = source.written(only.value)?;
        let is_plain = argument.starts_with("data.read(") && !argument.contains('#');
        let behind = source.whole_lines(whole)?;
        let next = source.written(Span { start: behind.end, end: behind.end.checked_add(1)?, ..place });
        // What stands below belongs to this document.
        let is_alone = next.is_none_or(|next| next == "#" || next == "-" || next == "\n");
        let is_bare = !matches!(marker, Some((_, false)));
        (is_plain && is_alone && is_bare).then(|| {
            let head = format!("#@ for part in {argument}.split(\"\\n---\\n\"):");
            (Span { end, ..whole }, format!("{head}\n--- #@ {before}part{after}\n#@ end"))
        })
    })();
    let is_shown = problem.parts().labels.iter().any(|label| label.span == place);
    let told = problem.clone();
    let told = if is_shown { told } else { told.label(place, "`yaml.decode` takes a text with one document") };
    // With words behind it, it is hardly there to part documents.
    let told = match marker {
        Some((span, false)) => {
            let start = Span { end: span.start, ..span };
            told.help_edit("if it parts lines of one document, make a comment of it", start, "# ")
                .if_it_mends()
                .guessing()
        }
        _ => told,
    };
    *problem = match edit {
        Some((span, new)) => told.help_edit(text, span, new).if_it_mends(),
        None => told.help(text),
    };
}

/// Two maps of different kinds, or two dicts, that are put together by an operator which does not.
pub(super) fn put_together(sources: &SourceMap, problem: &mut Diagnostic, kinds: [&str; 2]) {
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let Some(operands) = written::operands(sources, place) else { return };
    let what = |kind: &str| match kind {
        "struct" => "this is a struct",
        "dict" => "this is a dict",
        _ => "this is a YAML fragment",
    };
    let [first, second] = operands;
    let mut told = problem.clone().relabel(what(kinds[0]));
    place_at(&mut told, first);
    told.parts_mut().notes.retain(|note| note.kind != NoteKind::Hint);
    let told = told.label(second, what(kinds[1]));
    if kinds.contains(&"yamlfragment") {
        *problem = told.help(
            "maps are not added: write the keys into the nodes, or merge them by `overlay.apply(a, b)` of `@ytt:overlay`",
        );
        return;
    }
    let code = |span: Span, kind: &str| match kind {
        "struct" => format!("struct.decode({})", code_of(sources, span)),
        _ => code_of(sources, span),
    };
    let mut new = format!("{} | {}", code(first, kinds[0]), code(second, kinds[1]));
    let mut span = Span { end: second.end, ..first };
    for next in added_dicts(sources, span) {
        new.push_str(&format!(" | {}", code_of(sources, next)));
        span.end = next.end;
    }
    let source = sources.get(place.source);
    let edit = match kinds.contains(&"struct") {
        true => with_load(&source, ("@ytt:struct", "struct"), span, new),
        false => Some((span, new)),
    };
    let text = "`|` makes one dict of two: of equal keys the second one counts";
    *problem = match edit {
        Some((span, new)) => told.help_edit(text, span, new),
        None => told
            .help(format!("{text}; first make one of the struct by `struct.decode(…)`, by a name that is free here")),
    };
}

/// The dicts that the line goes on to add to what a part of it gives: as they are written, or by names that mean them.
fn added_dicts(sources: &SourceMap, mut span: Span) -> Vec<Span> {
    let source = sources.get(span.source);
    let line = source.line_range(source.line(span.end));
    let mut found = Vec::new();
    while let Some(rest) = source.written(Span { start: span.end, end: line.end, ..span })
        && let Some(operand) = rest.trim_start_matches(' ').strip_prefix("+ ").map(str::trim_start)
    {
        let length = match operand.strip_prefix('{') {
            Some(inside) => {
                inside.split_once('}').filter(|(inside, _)| !inside.contains('{')).map(|(inside, _)| inside.len() + 2)
            }
            None => operand.find(|letter: char| !letter.is_alphanumeric() && letter != '_').or(Some(operand.len())),
        };
        let Some(length) = length.filter(|length| *length > 0) else { break };
        let start = span.end + to_u32(rest.len() - operand.len());
        let next = Span { start, end: start + to_u32(length), ..span };
        if !operand.starts_with('{') && !is_dict(sources, next)
            || operand.get(length..).is_none_or(|rest| rest.starts_with(['(', '.', '[']))
        {
            break;
        }
        found.push(next);
        span.end = next.end;
    }
    found
}

/// Does a name mean a dict, as far as what sets it says so?
fn is_dict(sources: &SourceMap, name: Span) -> bool {
    let source = sources.get(name.source);
    let Some(code) = FileCode::read(&source, name.source) else { return false };
    let own = code_of(sources, name);
    let value = match code.bound(name, &own).map(|bound| bound.by) {
        Some(Binder::Value(value)) => code_of(sources, value),
        Some(Binder::Parameter(Some(function))) => {
            let parameters = code.function_at(function.start).map(|function| function.parameters).unwrap_or_default();
            let whole = parameters.iter().find(|parameter| parameter.name == own).map(|parameter| parameter.whole);
            let whole = whole.map(|whole| code_of(sources, whole)).unwrap_or_default();
            whole.split_once('=').map(|(_, default)| default.trim().to_owned()).unwrap_or_default()
        }
        _ => return false,
    };
    value.starts_with('{') || value.starts_with("dict(")
}

/// Does the call of a function with nodes give a list? Nothing is said of other code.
fn is_list(sources: &SourceMap, call: Span) -> Option<bool> {
    let callee = code_of(sources, written::callee(sources, call)?);
    let (function, place) = functions::defined(sources, call.source, &callee)?;
    let source = sources.get(place.source);
    let head = source.line(function.whole.start);
    let mut lines = (head + 1..=source.line(function.whole.end)).map(|line| source.line_text(line));
    let first = lines.find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))?;
    let node = first.trim_start();
    // A document is none of both.
    (!node.starts_with("---")).then(|| node.starts_with('-'))
}

/// A key that is written twice with a map each time: one map with the lines of both.
pub(super) fn twice(host: &Host<'_>, data: Val, problem: &mut Diagnostic) {
    let sources = &host.sources;
    if let [only] = &problem.parts().labels[..] {
        let key = code_of(sources, only.span);
        if matches!(problem.parts().fact, Some(Fact::CodeAsKey)) {
            *problem = as_written(host, problem, only.span);
            return;
        }
        if key.contains("(@=") {
            // It has a part that was meant to differ.
            let mut told = problem.clone().relabel("the code in this key gave the same text again");
            let called = key.split_once("(@=").and_then(|(_, code)| code.split_once('('));
            let called = called.map(|(name, _)| name.trim()).filter(|name| !name.is_empty());
            if let Some((file, own)) = called.and_then(|name| outline::home(sources, only.span.source, name)) {
                let functions = FileCode::read(&sources.get(file), file).map(|code| code.defined()).unwrap_or_default();
                let function = functions.into_iter().find(|(name, _)| *name == own);
                let returned = function.and_then(|(_, function)| function.returned.last().copied());
                told = told.label_at(returned, format!("`{own}` gives this"));
            }
            told.parts_mut().helps.truncate(1);
            if let Some(help) = told.parts_mut().helps.first_mut() {
                *help = Help::new("look at what the code in the key gives: it has to be another text at each turn");
            }
            *problem = told;
        } else if let Some(told) = begins::above_loop(sources, problem) {
            *problem = told;
        }
        return;
    }
    let [second, first] = &problem.parts().labels[..] else { return };
    let (second, first, source) = (second.span, first.span, sources.get(second.span.source));
    // A key that code makes is mostly that of a data value.
    let (key, code) = (code_of(sources, first), code_of(sources, second));
    if code.contains("(@=")
        && let [(_, item)] = &items_named(host, data, key.trim_end_matches(':'))[..]
        && let Some(place) = host.arena.borrow().span_of(*item)
    {
        let text = format!("leave `{0}` out of the data values, or out of the template", key.trim_end_matches(':'));
        let mut told = problem.clone().label(place, "this data value has the key");
        // Without the line in which code makes it all other keys would go, too.
        let helps = &mut told.parts_mut().helps;
        let last = helps.pop();
        *helps = std::iter::once(Help::new(text)).chain(last).collect();
        *problem = told;
    }
    let Some(text) = source.text.as_str().filter(|_| first.source == second.source && first.start < second.start)
    else {
        return;
    };
    if let Some(help) = missing_start(&source, second) {
        problem.parts_mut().helps.insert(0, help);
        return;
    }
    let Some(joined) = joined(text, first.start as usize, second.start as usize) else { return };
    let span = |(start, end): (usize, usize)| Span::new(second.source, start as u32, end as u32);
    let with = |text: &str, change: Change| Help::with_edit(text, span((change.start, change.end)), change.new);
    let help = match joined {
        Joined::Moved { change, is_list: false } => {
            with("to keep both, remove the second key and put its lines at the end of the first one", change)
        }
        // Of items less can be seen.
        Joined::Moved { change, is_list: true } => Help {
            is_guess: true,
            ..with(
                "to keep both, as after a merge, remove the second key and put its items at the end of the first list",
                change,
            )
        },
        Joined::Removed(change) => with("remove the second one: all of it is in the first one, too", change),
        Joined::InBoth { both, is_list } => {
            let (what, count) = (if is_list { "items" } else { "keys" }, both.len());
            let mut told = problem.clone();
            for (_, places) in both.iter().take(SHOWN) {
                told = places.iter().fold(told, |told, place| told.label(span(*place), "in both"));
            }
            *problem = told;
            let mut names: Vec<String> = both.into_iter().take(SHOWN).map(|(name, _)| format!("`{name}`")).collect();
            if count > SHOWN {
                names.push(format!("{} more", count - SHOWN));
            }
            let (are, its) = if count == 1 { ("is", "its") } else { ("are", "their") };
            let names = suggest::all_of(&names);
            Help::new(format!(
                "to keep both, put the {what} of the second one at the end of the first one; {names} {are} in both: keep one \
                 of {its} two"
            ))
        }
    };
    let helps = &mut problem.parts_mut().helps;
    if let Some(first) = helps.first_mut().filter(|help| help.edit.is_none()) {
        *first = help;
    }
}

/// A key that only looks like code, so that it is the same text at each turn.
fn as_written(host: &Host<'_>, problem: &Diagnostic, key: Span) -> Diagnostic {
    let mut told =
        problem.clone().relabel("no code, but the same text at each turn: no annotation makes a template of it");
    told.parts_mut().helps.clear();
    let Some(((span, new), holder)) = unfilled::covering(&host.sources.get(key.source), key) else { return told };
    let above = holder.map_or("it".to_owned(), |holder| format!("`{}`", code_of(&host.sources, holder)));
    let shown = unfilled::shown_in(&host.sources, key.source, |bytes| host.may_advise(bytes));
    let shown = shown.map(|file| format!(", as in `{file}`")).unwrap_or_default();
    let text =
        format!("write `#@yaml/text-templated-strings` above {above}{shown}: `(@= … @)` is code below that only");
    told.label_at(holder, "above this the annotation is missing").help_edit(text, span, new)
}

/// An annotation for documents above a key that begins its line: the `---` between the two was left out.
fn missing_start(source: &Source, key: Span) -> Option<Help> {
    let line = source.line(key.start);
    let start = source.line_range(line).start;
    let above = source.line_text(line.checked_sub(1).filter(|above| *above > 0)?);
    let is_match = above.trim_end().strip_prefix("#@overlay/match").is_some_and(|rest| rest.contains("by="));
    (start == key.start && is_match).then(|| {
        Help::with_edit(
            "a new document was meant: write `---` below its annotation",
            Span { end: start, ..key },
            "---\n",
        )
    })
}

/// A key that is no text: `{{ .Values.x }}` of Helm.
pub(super) fn helm(sources: &SourceMap, problem: &mut Diagnostic) {
    let Some(label) = problem.parts().labels.first() else { return };
    let (span, source) = (label.span, sources.get(label.span.source));
    let line = source.line_range(source.line(span.start));
    let Some(text) = source.written(Span::new(span.source, line.start, line.end)) else { return };
    let Some((start, end)) = layout::helm_value(text) else { return };
    let place = Span::new(span.source, line.start + start as u32, line.start + end as u32);
    if let Some(quoted) = text.get(start..end).and_then(layout::foreign) {
        *problem = problem.clone().relabel(layout::FOREIGN);
        place_at(problem, place);
        *problem = problem.clone().help_edit("put quotes around the whole text", place, quoted).guessing();
        return;
    }
    *problem = problem.clone().relabel(layout::HELM);
    place_at(problem, place);
    let file = source.text.as_str().unwrap_or_default();
    *problem = match text.get(start..end).and_then(|value| layout::helm(value, file)) {
        Some(code) => {
            let load = layout::helm_load(file);
            problem.clone().help_edit(format!("write it as code of ytt{load}"), place, code)
        }
        None => problem.clone().help("write it as code of ytt: `#@ …`"),
    };
}
