//! Brackets that are not closed. Of rows of a table, which begin in one column, line below line, one that is not closed has
//! the next one inside of itself, and the grammar fails somewhere else.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "numbers of tokens are cut to how many there are, and offsets are those of tokens and their lines"
)]

use super::input::Origin;
use super::scan::Scanner;
use super::token::{Kind, Token};
use crate::diag::{Diagnostic, Label};
use crate::source::Span;

/// A row that is not closed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// Its bracket.
    pub(super) open: Token,
    /// The last of its tokens in front of the comma at its end.
    pub(super) last: Token,
    /// The bracket of the row below.
    pub(super) next: Token,
}

/// A bracket that is open.
struct Opened {
    token: Token,
    /// Where its line begins, and the blanks in front of it, if nothing else is.
    line: Option<(usize, usize)>,
    row: Option<Row>,
}

impl Scanner<'_> {
    /// Says of an error in front of the token `found` which bracket is not closed, and how to close it.
    pub(super) fn not_closed(&self, mut error: Diagnostic, open: Token, found: usize) -> Diagnostic {
        let row = self.open_row(found);
        let open = row.map_or(open, |row| row.open);
        let opened = self.input.span(open.start, open.end);
        let here = Label { span: opened, text: "opened here and not closed".to_owned() };
        let labels = &mut error.parts_mut().labels;
        if let Some(row) = row {
            let span = self.input.span(row.next.start, row.next.end);
            *labels = vec![Label { span, text: "so this lies inside of it".to_owned() }];
        }
        if let Some(label) = labels.first_mut().filter(|label| label.text.is_empty()) {
            "to be closed before this".clone_into(&mut label.text);
        }
        labels.retain(|label| label.span.start != opened.start);
        labels.insert(0, here);
        let tokens = &self.tokens[..found.min(self.tokens.len())];
        let last = || tokens.iter().rfind(|token| !token.made && token.end > token.start).copied();
        let Some(last) =
            row.map(|row| row.last).or_else(last).filter(|last| last.start >= open.start && last.kind != Kind::Newline)
        else {
            return error;
        };
        let span = self.input.span(last.start, last.end);
        let close = open.kind.closing().bare();
        // An item begins a deeper line where one ended: which of the two helps holds, the trial says.
        // In the source: programs have lines without it.
        let indent = |at: u32| {
            let before = self.input.source_text().get(..self.input.span(at, at).start as usize).unwrap_or_default();
            let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
            let code = line.trim_ascii_start();
            let code = code.strip_prefix(b"#@").unwrap_or(code);
            line.len() - code.trim_ascii_start().len()
        };
        let begins = self.tokens.get(found).filter(|next| {
            matches!(next.kind, Kind::Str | Kind::Name | Kind::Int | Kind::OpenBrace | Kind::OpenBracket)
                && row.is_none()
                && open.kind != Kind::OpenParen
                && self.spans_lines(last.end as usize, next.start as usize)
                && indent(next.start) > indent(open.start)
        });
        if row.is_none()
            && let Some(joined) = self.texts_side_by_side(&error, open, last, found)
        {
            return joined;
        }
        if row.is_none() && self.goes_on_below(open) {
            return error.help(
                "the value of a node ends with its line: give it a name in lines of code above, `#@ name = {` to `#@ }`, \
                 and write that name here",
            );
        }
        let error = match begins {
            Some(_) => error.help_edit("separate the items by a comma", Span { start: span.end, ..span }, ","),
            None => error,
        };
        error.help_edit(format!("close it with `{close}`"), Span { start: span.end, ..span }, close)
    }

    /// A bracket in the value of a node, with lines of code below that were meant to close it.
    fn goes_on_below(&self, open: Token) -> bool {
        let is_value = self.input.part_at(open.start).is_some_and(|part| matches!(part.origin, Origin::Argument(_)));
        let place = self.input.span(open.start, open.end);
        let below = self.input.source_text().get(place.end as usize..).unwrap_or_default();
        let mut lines = below.split(|byte| *byte == b'\n');
        let is_last = lines.next().is_some_and(|rest| rest.trim_ascii().is_empty());
        is_value && is_last && lines.next().is_some_and(|line| line.trim_ascii_start().starts_with(b"#@ "))
    }

    /// Two texts with nothing between them: other languages join them. In a group that is all they can mean, among arguments
    /// and items a comma may be missing as well.
    fn texts_side_by_side(&self, error: &Diagnostic, open: Token, last: Token, found: usize) -> Option<Diagnostic> {
        let next = self.tokens.get(found).filter(|next| next.kind == Kind::Str && last.kind == Kind::Str)?;
        let before = self.tokens.iter().take_while(|token| token.start < open.start).last();
        let is_call = before.is_some_and(|before| {
            matches!(before.kind, Kind::Name | Kind::CloseParen | Kind::CloseBracket) && before.end == open.start
        });
        let (span, behind) = (self.input.span(last.start, last.end), self.input.span(next.start, next.end));
        let mut told = error.clone();
        let labels = &mut told.parts_mut().labels;
        *labels = vec![
            Label { span: behind, text: "this text stands right behind the other one".to_owned() },
            Label { span, text: String::new() },
        ];
        let at = Span { start: span.end, ..span };
        if open.kind == Kind::OpenParen && !is_call {
            return Some(told.help_edit("join texts with `+`", at, " +"));
        }
        // The next key of a dict is no part of a value.
        let rest = self.input.source_text().get(behind.end as usize..).unwrap_or_default();
        if open.kind == Kind::OpenBrace && rest.trim_ascii_start().starts_with(b":") {
            return Some(told.help_edit("separate the items by a comma", at, ","));
        }
        if open.kind == Kind::OpenBrace {
            return Some(told.help_edit("join the parts of a text with `+`", at, " +"));
        }
        let told = told.help_edit("if it is one text, join the parts with `+`", at, " +").guessing();
        Some(told.help_edit("if they are two, separate them by a comma", at, ",").guessing())
    }

    /// The first row in front of the token `found` that has the next one inside of itself.
    pub(super) fn open_row(&self, found: usize) -> Option<Row> {
        let tokens = &self.tokens[..found.min(self.tokens.len())];
        let text = &self.input.text;
        // Where the line of a bracket begins, if nothing but blanks is in front of it.
        let line = |token: &Token| {
            let start = token.start as usize;
            let blanks = text[..start].iter().rev().take_while(|byte| **byte == b' ').count();
            let line = start - blanks;
            (line == 0 || text[line - 1] == b'\n').then_some((line, blanks))
        };
        let mut open: Vec<Opened> = Vec::new();
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                Kind::OpenParen | Kind::OpenBracket | Kind::OpenBrace => {
                    let here = line(token).filter(|_| !token.made);
                    if let (
                        Some(Opened { token: bracket, line: Some((line, blanks)), row: row @ None }),
                        Some((below, own)),
                    ) = (open.last_mut(), here)
                        && bracket.kind == token.kind
                        && *blanks == own
                        && *line < below
                        && tokens[at - 1].kind == Kind::Comma
                        && let Some(last) = tokens[..at - 1].last()
                        && last.start > bracket.start
                        && !last.made
                    {
                        *row = Some(Row { open: *bracket, last: *last, next: *token });
                    }
                    open.push(Opened { token: *token, line: here, row: None });
                }
                Kind::CloseParen | Kind::CloseBracket | Kind::CloseBrace => {
                    open.pop();
                }
                _ => {}
            }
        }
        // A row that is closed further down was meant to hold the next one.
        open.into_iter().find_map(|bracket| bracket.row)
    }
}
