//! Rows of a table in code: brackets that begin in one column, line below line. Where one of them is not closed, the next
//! row lies inside of it, and the grammar fails somewhere else.

use super::scan::Scanner;
use super::token::{Kind, Token};

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
