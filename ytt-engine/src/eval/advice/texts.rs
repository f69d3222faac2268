//! Texts that are taken for something else: the name of a file for what is in it, braces for fields, a list that is
//! written as one text.

use super::super::host::Host;
use super::super::scope::SourceUnit;
use super::calls::article;
use super::operands::value_of;
use super::origin::{self, Origins};
use super::{code_of, counted, place_at};
use crate::diag::{Code, Diagnostic, NoteKind};
use crate::source::{SourceMap, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::loading::with_load;
use crate::template::written;
use crate::yaml::Val;

/// Endings of files that are decoded.
const ENDINGS: [&str; 5] = [".json", ".yml", ".yaml", ".toml", ".txt"];

/// The name of a file that `decode` is given in place of its text.
pub(super) fn decoded(host: &Host<'_>, unit: &SourceUnit, problem: &mut Diagnostic) {
    let [label] = &problem.parts().labels[..] else { return };
    let call = label.span;
    let by = problem.parts().trace.first().and_then(|frame| frame.span);
    if let Some(by) = by.filter(|by| by.source != call.source) {
        *problem = problem.clone().label(by, "decoded here");
        return;
    }
    let code = code_of(&host.sources, call);
    let Some((function, _)) = code.split_once('(').filter(|(function, _)| function.ends_with(".decode")) else {
        return;
    };
    let Some(&[given]) = written::call(&host.sources, call).as_deref() else { return };
    if problem.code() == Code::JSON_SYNTAX
        && let Some(told) = double_quotes(&host.sources, problem, given.value)
    {
        *problem = told;
        return;
    }
    let Some((path, is_there)) = file_name(host, unit, given.value) else { return };
    let mut told = problem.clone().relabel("this is the name of a file, not what is in it");
    place_at(&mut told, given.value);
    told.parts_mut().notes.retain(|note| note.kind != NoteKind::Position);
    *problem = read(host, told, given.value, &path, (function, is_there));
}

/// JSON with the quotes of other languages.
fn double_quotes(sources: &SourceMap, problem: &Diagnostic, given: Span) -> Option<Diagnostic> {
    let code = code_of(sources, given);
    let inside = code.strip_prefix('"')?.strip_suffix('"')?;
    let is_meant = ["{'", "['", "'"].iter().any(|start| inside.trim_start().starts_with(start));
    if !is_meant || inside.contains(['"', '\\']) {
        return None;
    }
    let mut told = problem.clone().relabel("texts of JSON stand in double quotes");
    place_at(&mut told, given);
    Some(told.help_edit("swap the quotes", given, format!("'{}'", inside.replace('\'', "\""))))
}

/// A version with a `v` in front: without it, where it is given.
pub(super) fn leading_v(sources: &SourceMap, problem: &mut Diagnostic) {
    let Some(call) = problem.parts().labels.first().map(|label| label.span) else { return };
    let given = written::call(sources, call).and_then(|all| all.first().copied());
    let told = problem.clone().relabel("a version has no `v` in front");
    let Some(given) = given else {
        *problem = told;
        return;
    };
    let code = code_of(sources, given.value);
    let mut told = told;
    place_at(&mut told, given.value);
    let literal = code.strip_prefix("\"v").or_else(|| code.strip_prefix("\"V"));
    let new = literal.map_or_else(|| format!("{code}.lstrip(\"vV\")"), |rest| format!("\"{rest}"));
    *problem = told.help_edit("give it without the `v`", given.value, new);
}

/// The path that a text in code is, and whether there is such a file.
fn file_name(host: &Host<'_>, unit: &SourceUnit, value: Span) -> Option<(String, bool)> {
    let code = code_of(&host.sources, value);
    let path = code.strip_prefix('"')?.strip_suffix('"')?;
    if path.is_empty() || path.contains(['"', '\\', '\n', ' ', '{']) {
        return None;
    }
    let is_it = |known: &String| known == path || known.strip_suffix(path).is_some_and(|rest| rest.ends_with('/'));
    let is_there = unit.scope.list(None).is_ok_and(|files| files.iter().any(is_it));
    (is_there || ENDINGS.iter().any(|ending| path.ends_with(ending))).then(|| (path.to_owned(), is_there))
}

/// The help that reads the file.
fn read(host: &Host<'_>, told: Diagnostic, value: Span, path: &str, (function, is_there): (&str, bool)) -> Diagnostic {
    let new = format!("data.read(\"{path}\")");
    if !is_there {
        return told.help(format!("to decode a file, read it first: `{function}(data.read(\"…\"))`"));
    }
    match with_load(&host.sources.get(value.source), ("@ytt:data", "data"), value, new) {
        Some((span, new)) => told.help_edit("read the file", span, new),
        None => told.help("read the file: load `data` of `@ytt:data` under a name that is free here"),
    }
}

/// A value of a name that is set to the name of a file by `yaml.decode`, which is a text of YAML too.
pub(super) fn text_of_file(host: &Host<'_>, unit: &SourceUnit, told: Diagnostic, value: Span) -> Diagnostic {
    let code = code_of(&host.sources, value);
    let Some(function) = code.split_once('(').map(|(function, _)| function) else { return told };
    if function != "yaml.decode" {
        return told;
    }
    let Some(&[given]) = written::call(&host.sources, value).as_deref() else { return told };
    match file_name(host, unit, given.value) {
        Some((path, true)) => {
            let told = told.label(given.value, "this is the name of a file, not what is in it");
            read(host, told, given.value, &path, (function, true))
        }
        _ => told,
    }
}

/// A format with braces that are no fields, or with another number of places than values: those that it asks for, and
/// those that are there.
pub(super) fn format(host: &Host<'_>, problem: &mut Diagnostic, short: Option<(usize, usize)>) {
    braces(host, problem);
    let (Some((all, values)), []) = (short, &problem.parts().helps[..]) else { return };
    let [label] = &problem.parts().labels[..] else { return };
    let call = label.span;
    let places = counted::places(all);
    let arguments = match values {
        0 => "no argument without a name".to_owned(),
        1 => "1 argument".to_owned(),
        values => format!("{values} arguments"),
    };
    let given = written::call(&host.sources, call).unwrap_or_default();
    let is_counted = given.iter().all(|one| one.name.is_none() && !code_of(&host.sources, one.value).starts_with('*'));
    let list = given.first().zip(given.last()).filter(|_| is_counted);
    let told = match (written::receiver(&host.sources, call), list) {
        (Some(of), Some((first, last))) => {
            let mut told = problem.clone().relabel(format!("{places} for values"));
            place_at(&mut told, of);
            told.label(Span { end: last.value.end, ..first.value }, arguments)
        }
        _ => problem.clone().relabel(format!("{places} for values, and {arguments}")),
    };
    let missing = all.saturating_sub(values);
    *problem = counted::of_call(host, told, call, &given, missing).help(counted::missing(missing));
}

/// Values behind `%` without brackets, of which only the first one is given to the text.
pub(super) fn unbracketed(sources: &SourceMap, problem: &mut Diagnostic, places: usize) {
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let source = sources.get(place.source);
    let text = written::operands(sources, place).map_or(place, |[text, _]| text);
    let line_end = source.line_range(source.line(text.end)).end;
    let Some(rest) = source.written(Span { start: text.end, end: line_end, ..place }) else { return };
    let Some((before, values)) = rest.split_once('%').filter(|(before, _)| before.trim().is_empty()) else { return };
    let blanks = values.len().saturating_sub(values.trim_start().len());
    let start = before.len().saturating_add(1).saturating_add(blanks);
    let values = values.trim();
    let mut depth = 0_usize;
    let closes = |letter: char| match letter {
        '(' | '[' | '{' => {
            depth = depth.saturating_add(1);
            false
        }
        ')' | ']' | '}' => match depth.checked_sub(1) {
            Some(left) => {
                depth = left;
                false
            }
            None => true,
        },
        _ => false,
    };
    let values = values.find(closes).and_then(|at| values.get(..at)).unwrap_or(values);
    let start = text.end.saturating_add(to_u32(start));
    let span = Span { start, end: start.saturating_add(to_u32(values.len())), ..place };
    let elements = written::elements(sources, span);
    let (true, Some(last)) = (elements.len() == places, elements.last()) else { return };
    // A comment may follow.
    let span = Span { end: last.end, ..span };
    let Some(values) = source.written(span) else { return };
    problem.parts_mut().helps.clear();
    let told = problem.clone().label(span, "only the first of these is given to the text");
    *problem = told.help_edit("put the values into brackets", span, format!("({values})"));
}

/// The text that a name is set to above.
fn set_to(host: &Host<'_>, name: Span) -> Option<Span> {
    let code = FileCode::read(&host.sources.get(name.source), name.source)?;
    match code.bound(name, &code_of(&host.sources, name))?.by {
        Binder::Value(value) => Some(value).filter(|value| written::is_text(&host.sources, *value)),
        _ => None,
    }
}

/// A value of another type than a verb such as `%d` takes: which one, where it is set, and the verb that takes it.
pub(super) fn conversion(
    host: &Host<'_>,
    data: Val,
    problem: &mut Diagnostic,
    at: usize,
    (number, kind): (usize, &str),
) {
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let Some([format, values]) = written::operands(&host.sources, place) else { return };
    let format = set_to(host, format).unwrap_or(format);
    let elements = written::elements(&host.sources, values);
    let value = match &elements[..] {
        [] if number == 0 => values,
        all => match all.get(number) {
            Some(value) => *value,
            None => return,
        },
    };
    let mut told = problem.clone().relabel(format!("this is {}", article(kind)));
    place_at(&mut told, value);
    let trace = told.parts().trace.clone();
    if let Some(item) = Origins::new(host, data, &trace).only(value, 0)
        && let Some(set) = origin::place_of(host, item)
    {
        let what = origin::described(&host.arena.borrow(), host.arena.borrow().value(item));
        let name = origin::name_of(host, item, &code_of(&host.sources, value));
        told = told.label(set, format!("`{name}` is {what}"));
    }
    let written = code_of(&host.sources, format);
    let is_plain = written.starts_with('"') && !written.starts_with("\"\"\"") && !written.contains(['\\', '\n']);
    // Behind the quote.
    let verb = u32::try_from(at).ok().and_then(|at| {
        let start = format.start.checked_add(at)?.checked_add(1)?;
        Some(Span { start, end: start.checked_add(1)?, ..format })
    });
    *problem = match (kind, verb.filter(|_| is_plain && written.is_ascii())) {
        ("string", Some(verb)) => told.help_edit("`%s` takes texts too", verb, "s"),
        ("bool" | "list" | "dict" | "struct" | "yamlfragment", Some(verb)) => {
            told.help_edit("`%s` takes any value", verb, "s").guessing()
        }
        _ => told,
    };
}

/// A format with braces that are no fields.
#[allow(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "there is a literal brace, which is one byte of a format in a source"
)]
fn braces(host: &Host<'_>, problem: &mut Diagnostic) {
    let [label] = &problem.parts().labels[..] else { return };
    let call = label.span;
    let Some(given) = written::call(&host.sources, call) else { return };
    let Some(of) = written::receiver(&host.sources, call) else { return };
    let format = code_of(&host.sources, of);
    let is_text = written::is_text(&host.sources, of) && !format.contains('\n');
    let text = |span: Span| code_of(&host.sources, span);
    if !is_text || given.iter().any(|argument| text(argument.value).starts_with('*')) {
        return;
    }
    let named: Vec<String> = given.iter().filter_map(|argument| argument.name).map(text).collect();
    let count = given.len().saturating_sub(named.len());
    let Some(found) = Braces::read(&format, &named, count) else { return };
    let at = |offset: usize| of.start + offset as u32;
    let (first, is_open) = found.literal[0];
    let mut new = format.clone();
    for (offset, _) in found.literal.iter().rev() {
        new.insert_str(*offset, &format[*offset..=*offset]);
    }
    let brace = Span { start: at(first), end: at(first + 1), ..of };
    let mut told = problem.clone().relabel(match is_open {
        true => "this begins a field of `format`",
        false => "this ends a field of `format`",
    });
    place_at(&mut told, brace);
    *problem = told.help_edit("write braces that are no fields twice", of, new);
}

/// The braces of a format.
struct Braces {
    /// Those that are no part of a field, and stand there once: where, and whether they open.
    literal: Vec<(usize, bool)>,
}

impl Braces {
    /// `None` if it is not sure which are meant as fields.
    #[allow(
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::arithmetic_side_effects,
        reason = "`at` and what is behind a brace are offsets of `format`"
    )]
    fn read(format: &str, named: &[String], count: usize) -> Option<Braces> {
        let (mut literal, mut open) = (Vec::new(), Vec::new());
        let (mut automatic, mut used, mut names) = (0, false, Vec::new());
        let (mut at, bytes) = (0, format.as_bytes());
        while at < bytes.len() {
            let is_twice = bytes.get(at + 1) == Some(&bytes[at]);
            match bytes[at] {
                b'{' if is_twice => {
                    open.push(true);
                    at += 1;
                }
                b'{' => {
                    let inside = format[at + 1..].split_once('}').map_or("{", |(inside, _)| inside);
                    let name = inside.split('!').next().unwrap_or_default();
                    let number = name.parse::<usize>().ok();
                    let is_field = match number {
                        Some(number) => number < count,
                        None => name.is_empty() || named.iter().any(|known| known == name),
                    };
                    if is_field {
                        automatic += usize::from(name.is_empty());
                        used |= number.is_some();
                        at += 1 + inside.len();
                    } else {
                        let part = |letter: char| letter.is_alphanumeric() || letter == '_';
                        // A field as other languages have it: its value is meant, whatever is wrong with it.
                        if name.trim_start_matches(part).starts_with([':', '.', '[']) {
                            return None;
                        }
                        if !name.is_empty() && name.chars().all(part) {
                            names.push(name);
                        }
                        literal.push((at, true));
                        open.push(false);
                    }
                }
                b'}' => match open.pop() {
                    Some(false) => literal.push((at, false)),
                    _ if is_twice => at += 1,
                    _ => literal.push((at, false)),
                },
                _ => {}
            }
            at += 1;
        }
        // A name between braces may be a field whose value was forgotten.
        let all_used = if used { automatic == 0 } else { automatic == count };
        let is_sure = all_used && (names.is_empty() || named.is_empty() && count > 0);
        (is_sure && !literal.is_empty()).then_some(Braces { literal })
    }
}

/// Something that is no text is looked for in a text: what the text is, and the list that is meant.
pub(super) fn within(host: &Host<'_>, data: Val, problem: &mut Diagnostic) {
    let [first, second] = &problem.parts().labels[..] else { return };
    let (item, whole) = (first.span, second.span);
    let (item_code, code) = (code_of(&host.sources, item), code_of(&host.sources, whole));
    let Some((value, place)) = value_of(host, data, &host.sources.get(whole.source), &code) else { return };
    let arena = host.arena.borrow();
    let Some(text) = arena.str(value) else { return };
    let name = code.rsplit('.').next().unwrap_or_default();
    let shown = origin::described(&arena, value);
    let told = problem.clone().label_at(place, format!("`{name}` is {shown}"));
    let split = [", ", ",", ";", "\n"].into_iter().find(|separator| text.contains(separator));
    let split = split.map(|by| format!(".split(\"{}\")", by.escape_default()));
    let split = split.or_else(|| text.trim().contains(' ').then(|| ".split()".to_owned()));
    *problem = match split {
        Some(split) => {
            told.help_edit("look for its text among the parts of the other one", Span { end: whole.end, ..item }, {
                let between = Span { start: item.end, end: whole.start, ..item };
                format!("str({item_code}){}{code}{split}", code_of(&host.sources, between))
            })
        }
        None => {
            told.help(format!("make a list of `{name}` where it is set, or compare both: `str({item_code}) == {code}`"))
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_that_are_no_fields_are_found() {
        let doubled = |format: &str, named: &[&str], count| {
            let named: Vec<String> = named.iter().map(|name| (*name).to_owned()).collect();
            let found = Braces::read(format, &named, count)?;
            let mut new = format.to_owned();
            found.literal.iter().rev().for_each(|(at, _)| new.insert_str(*at, &format[*at..=*at]));
            Some(new)
        };
        for (format, named, count, expected) in [
            ("{a=\"{}\"}", &[][..], 1, Some("{{a=\"{}\"}}")),
            ("{\"a\": {\"b\": {}}}", &[], 1, Some("{{\"a\": {{\"b\": {}}}}}")),
            ("${HOME}/{}", &[], 1, Some("${{HOME}}/{}")),
            ("{x} { {y} }", &["x", "y"], 0, Some("{x} {{ {y} }}")),
            ("{{a}} {}", &[], 1, None),
            ("{host}:{port}", &["host"], 0, None),
            ("{name}", &[], 1, None),
            ("{:>10} {}", &[], 1, None),
            ("{a.b} {}", &["a"], 1, None),
            ("{a[0]}", &["a"], 0, None),
            ("{} {", &[], 1, Some("{} {{")),
            ("} {0}", &[], 1, Some("}} {0}")),
        ] {
            assert_eq!(doubled(format, named, count).as_deref(), expected, "{format}");
        }
    }
}
