//! What the generated text tells about the place of an error: the expression, the method that was called, loops and
//! functions around it.

use starlark::codemap::FileSpan;

use super::{Definition, Texts};
use crate::template::methods::{self, Way};

/// The place of an error.
pub(super) struct ErrorSite<'e> {
    /// Text of the innermost expression or statement; empty if the error has no place.
    pub(super) snippet: &'e str,
    /// The method of the interpreter that raised the error.
    pub(super) method: Option<&'e str>,
    /// The type of the value that the method was to change, and whether the end of its file locked it, if that is known.
    pub(super) changed: Option<(&'static str, bool)>,
    /// Name of the last function that was called, as it was defined.
    pub(super) called: Option<&'e str>,
    span: Option<&'e FileSpan>,
    /// Did the call fail before its function began?
    refused: bool,
    others: Texts<'e>,
    /// All places of the call stack.
    frames: Vec<&'e FileSpan>,
}

/// Is it a method that the interpreter brings?
fn is_native(name: &str) -> bool {
    methods::named(name.as_bytes()).is_some_and(|method| method.way != Way::Ours)
}

impl<'e> ErrorSite<'e> {
    pub(super) fn of(failure: &'e starlark::Error, others: Texts<'e>) -> ErrorSite<'e> {
        let span = failure.span();
        let frames = &failure.call_stack().frames;
        let last = frames.last();
        // A function of the interpreter was called exactly where the error is.
        let native = last.filter(|frame| frame.location.as_ref() == span && is_native(&frame.name));
        let snippet = span.map_or("", FileSpan::source_span);
        let method = native.map(|frame| frame.name.as_str()).filter(|name| is_call_of(snippet, name));
        ErrorSite {
            snippet,
            method,
            changed: None,
            called: last.map(|frame| frame.name.as_str()),
            span,
            refused: last.is_some_and(|frame| frame.location.is_some() && frame.location.as_ref() == span),
            others,
            frames: frames.iter().filter_map(|frame| frame.location.as_ref()).collect(),
        }
    }

    /// The text of the line of the error, and its number.
    pub(super) fn line(&self) -> Option<(&'e str, usize)> {
        let span = self.span?;
        let number = span.resolve_span().begin.line;
        Some((source(span).lines().nth(number)?, number))
    }

    /// The whole generated text.
    pub(super) fn source(&self) -> &'e str {
        self.span.map_or("", source)
    }

    /// What stands behind the error's place, to the end of the text.
    pub(super) fn after(&self) -> &'e str {
        self.span.and_then(|span| source(span).get(span.span.end().get() as usize..)).unwrap_or_default()
    }

    /// Does any frame stand inside of a loop over a value?
    pub(super) fn in_loop(&self) -> bool {
        self.span.into_iter().chain(self.frames.iter().copied()).any(|span| {
            let number = span.resolve_span().begin.line;
            let line = source(span).lines().nth(number).unwrap_or_default();
            let comprehension = line.contains(['[', '{']) && line.contains(" for ") && line.contains(" in ");
            comprehension || around(source(span), number).any(|(line, _)| line.starts_with("for ") && !is_while(line))
        })
    }

    /// Lines of the blocks around the error, innermost first, without indentation, with their numbers.
    pub(super) fn around(&self) -> impl Iterator<Item = (&'e str, usize)> {
        let number = self.span.map_or(0, |span| span.resolve_span().begin.line);
        around(self.source(), number)
    }

    /// The function that could not be called with its arguments, and where it is defined: its frame stands exactly where
    /// the error is. `None` if several functions have that name.
    pub(super) fn refused(&self) -> Option<(&'e str, Definition<'e>)> {
        let name = self.called.filter(|name| self.refused && self.method.is_none() && is_name(name))?;
        let opening = format!("def {name}(");
        let found = |(file, text): &(&'e str, &'e str)| {
            let (at, _) = text.match_indices(&opening).next()?;
            let begin = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
            let several = text.matches(&opening).nth(1).is_some();
            let line = text[..at].matches('\n').count() as u32;
            Some((several, Definition { file, line, column: text[begin..at].chars().count() as u32 }))
        };
        let mut all = self.texts().into_iter().filter_map(|text| found(&text));
        match (all.next(), all.next()) {
            (Some((false, definition)), None) => Some((name, definition)),
            _ => None,
        }
    }

    /// Parameters of the function of that name, as they are written. `None` if it is not found, or if two functions of
    /// that name differ.
    pub(super) fn parameters(&self, name: &str) -> Option<Vec<&'e str>> {
        let lambda = name == "lambda";
        let opening = if lambda { "lambda".to_owned() } else { format!("def {name}(") };
        let mut found: Option<Vec<&'e str>> = None;
        for (_, text) in self.texts() {
            for (at, _) in text.match_indices(&opening) {
                let list = &text[at + opening.len()..];
                let names = split(&list[..end_of(list, if lambda { ':' } else { ')' })]);
                if found.as_ref().is_some_and(|known| *known != names) {
                    return None;
                }
                found = Some(names);
            }
        }
        found
    }

    /// The text of the error's file, and all others that are known, each once.
    fn texts(&self) -> Vec<(&'e str, &'e str)> {
        let own = self.span.map(|span| (span.filename(), source(span)));
        let others = self.others.iter().copied().filter(|(file, _)| own.is_none_or(|(own, _)| own != *file));
        own.into_iter().chain(others).collect()
    }
}

fn source(span: &FileSpan) -> &str {
    span.file.source()
}

fn around(source: &str, number: usize) -> impl Iterator<Item = (&str, usize)> {
    let lines: Vec<&str> = source.lines().take(number + 1).collect();
    let mut indent = lines.last().map_or(0, |line| indentation(line));
    lines.into_iter().enumerate().rev().filter_map(move |(number, line)| {
        let inner = indentation(line);
        if inner >= indent || line.trim().is_empty() {
            return None;
        }
        indent = inner;
        Some((line.trim_start(), number))
    })
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start_matches(' ').len()
}

/// The loop that stands for a `while` counts, and locks nothing.
fn is_while(line: &str) -> bool {
    line.starts_with("for __ytt_")
}

/// Is it the name of a function written in Starlark?
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn is_call_of(snippet: &str, name: &str) -> bool {
    snippet.ends_with(')') && snippet.contains(&format!(".{name}"))
}

/// Walks a text of Starlark outside of strings: calls `visit` with offset, character and depth of brackets.
pub(super) fn scan(text: &str, mut visit: impl FnMut(usize, char, usize) -> bool) {
    let (mut depth, mut quote): (usize, Option<char>) = (0, None);
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match (quote, character) {
            (Some(_), '\\') => {
                characters.next();
            }
            (Some(open), _) => {
                if character == open {
                    quote = None;
                }
            }
            (None, '"' | '\'') => quote = Some(character),
            (None, ')' | ']' | '}') => {
                if visit(at, character, depth) {
                    return;
                }
                depth = depth.saturating_sub(1);
            }
            (None, _) => {
                if matches!(character, '(' | '[' | '{') {
                    depth += 1;
                }
                if visit(at, character, depth) {
                    return;
                }
            }
        }
    }
}

/// Where the bracket ends that was open before `text`, or the first `close` outside of brackets.
fn end_of(text: &str, close: char) -> usize {
    let mut end = text.len();
    scan(text, |at, character, depth| {
        let found = character == close && depth == 0;
        if found {
            end = at;
        }
        found
    });
    end
}

/// The parts of a list between commas.
pub(super) fn split(text: &str) -> Vec<&str> {
    let mut parts = split_at(text, ',');
    parts.retain(|part| !part.is_empty());
    parts
}

/// The parts of a text between separators that stand outside of brackets.
pub(super) fn split_at(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    scan(text, |at, character, depth| {
        if character == separator && depth == 0 {
            parts.push(text[start..at].trim());
            start = at + 1;
        }
        false
    });
    parts.push(text[start..].trim());
    parts
}

/// The arguments of the call that a snippet ends with.
pub(super) fn arguments(snippet: &str) -> Vec<&str> {
    last_bracket(snippet, '(').map(split).unwrap_or_default()
}

/// What stands inside of the last bracket of this kind, if the snippet ends with it.
pub(super) fn last_bracket(snippet: &str, open: char) -> Option<&str> {
    let mut found = None;
    scan(snippet, |at, character, depth| {
        if character == open && depth == 1 {
            found = Some(at + 1);
        }
        false
    });
    snippet.get(found?..snippet.len().checked_sub(1)?)
}
