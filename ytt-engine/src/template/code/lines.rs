//! The lines of a template that are code, as one program.
#![allow(
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "offsets are those of lines in a source below 2³¹ bytes"
)]

use crate::template::comment::{self, Meaning};
use crate::template::input::{Input, Origin};
use crate::template::parse::Single;
use crate::yaml;

/// What a line begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begins {
    Document,
    Item,
    Other,
}

/// The lines of code of a YAML template, and the values that are code.
pub(super) fn of_yaml(input: &mut Input, text: &str) {
    // What YAML cannot read is read by its lines: a message may be about that.
    let comments = yaml::comments(text);
    let is_comment = |at: usize| comments.as_ref().is_none_or(|all| all.binary_search(&(at as u32)).is_ok());
    /// A node whose block ends behind it: where it is indented, as soon as it is there, and what it is.
    type Ending = Option<(usize, Begins)>;
    let mut endings: Vec<Ending> = Vec::new();
    let mut next = 0;
    for line in text.split_inclusive('\n') {
        let start = next;
        next += line.len() as u32;
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        let line = line.trim_end();
        let text = trimmed.trim_end().strip_prefix('#');
        if text.is_some() && !is_comment(start as usize + indent) {
            continue;
        }
        let meaning = text.map(|text| comment::read(text, start + indent as u32, false));
        match meaning {
            Some(Meaning::Code { text, at }) => {
                let goes_on = ["else", "elif"].iter().any(|word| text.trim_start().starts_with(word));
                let is_behind = |ending: &Ending| ending.is_some_and(|(own, _)| indent <= own && own > 0 || goes_on);
                while endings.last().is_some_and(is_behind) {
                    endings.pop();
                    if goes_on {
                        break;
                    }
                    input.statement("end", start, start);
                }
                match comment::sugar(text) {
                    Some(cut) => {
                        input.line_without(text.as_bytes(), at, cut);
                        endings.push(None);
                    }
                    None => input.line(text.as_bytes(), Origin::Code(at)),
                }
            }
            Some(_) => {}
            None if trimmed.is_empty() => {}
            None => {
                let begins = match trimmed {
                    _ if line.starts_with("---") => Begins::Document,
                    _ if trimmed.starts_with('-') => Begins::Item,
                    _ => Begins::Other,
                };
                let is_behind = |ending: &Ending| {
                    ending.is_some_and(|(own, of)| match (of, begins) {
                        (_, Begins::Document) => true,
                        (Begins::Document, _) => false,
                        (of, Begins::Item) => indent < own || indent == own && of == Begins::Item,
                        (_, Begins::Other) => indent <= own,
                    })
                };
                while endings.last().is_some_and(is_behind) {
                    endings.pop();
                    input.statement("end", start, start);
                }
                for ending in &mut endings {
                    ending.get_or_insert((indent, begins));
                }
                let mark = line.match_indices(" #@ ").map(|(at, _)| at + 1).find(|at| is_comment(start as usize + at));
                let code = mark.map(|at| at + "#@ ".len());
                code.into_iter().for_each(|at| expression(input, &line[at..], start + at as u32));
            }
        }
    }
    for _ in endings {
        input.statement("end", next, next);
    }
}

/// Adds an expression, if it is one by itself.
fn expression(input: &mut Input, text: &str, start: u32) {
    let mut alone = Input::new(input.source_span(0, 0).source, ("", ""));
    alone.piece(text.as_bytes(), Origin::Code(start));
    if Single::read(alone).is_some() {
        input.lines(text.as_bytes(), start);
    }
}

/// The code of a text template.
pub(super) fn between_brackets(input: &mut Input, text: &str) {
    let mut at = 0;
    while let Some(open) = text[at..].find("(@").map(|open| at + open + 2) {
        let Some(close) = text[open..].find("@)").map(|close| open + close) else { return };
        let (mut start, mut end) = (open, close);
        end -= usize::from(text[start..end].ends_with('-'));
        start += usize::from(text[start..end].starts_with('-'));
        match text[start..end].strip_prefix('=') {
            Some(code) => expression(input, code, start as u32 + 1),
            None => input.lines(&text.as_bytes()[start..end], start as u32),
        }
        at = close + 2;
    }
}
