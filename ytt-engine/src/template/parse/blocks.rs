//! Blocks of the language of ytt: `:` at the end of a line opens one, the word `end` closes it, `else:` and `elif` close
//! the one before them. Indentation means nothing.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "the scanner gave these numbers of its tokens"
)]

use std::collections::VecDeque;

use crate::diag::Diagnostic;
use crate::template::scan::Scanner;
use crate::template::token::{Kind, Token};
use crate::template::tree::TokenId;

/// Blocks may be nested so deep; parser and compiler recurse over them.
const BLOCKS: usize = 100;

/// Tokens with the indents and outdents that blocks mean.
#[derive(Debug)]
pub(super) struct Blocks<'a> {
    pub(super) scanner: Scanner<'a>,
    /// Read ahead; the flag says that the outdent in front of it was given.
    ahead: VecDeque<(TokenId, bool)>,
    /// Kinds of the two tokens given last.
    last: [Kind; 2],
    last_token: TokenId,
    /// The line break behind the colon of each open block.
    open: Vec<TokenId>,
}

impl<'a> Blocks<'a> {
    pub(super) fn new(scanner: Scanner<'a>) -> Blocks<'a> {
        Blocks { scanner, ahead: VecDeque::new(), last: [Kind::Newline; 2], last_token: 0, open: Vec::new() }
    }

    pub(super) fn token(&self, id: TokenId) -> Token {
        self.scanner.tokens[id as usize]
    }

    pub(super) fn error(&self, message: impl Into<String>, id: TokenId) -> Diagnostic {
        let token = self.token(id);
        self.scanner.error(message, token.start as usize, token.end as usize)
    }

    /// The next kind, and the token that it is or that it stands for: the `end` of an outdent.
    pub(super) fn next(&mut self) -> Result<(Kind, TokenId), Diagnostic> {
        let (kind, id) = self.given()?;
        self.last = [self.last[1], kind];
        self.last_token = id;
        Ok((kind, id))
    }

    fn read(&mut self) -> Result<(TokenId, bool), Diagnostic> {
        match self.ahead.pop_front() {
            Some(read) => Ok(read),
            None => Ok((self.scanner.next()?, false)),
        }
    }

    fn given(&mut self) -> Result<(Kind, TokenId), Diagnostic> {
        if self.last == [Kind::Colon, Kind::Newline] {
            let newline = self.last_token;
            if self.open.len() == BLOCKS {
                return Err(self.error("expression is nested too deeply", newline));
            }
            self.open.push(newline);
            return Ok((Kind::Indent, newline));
        }
        let (id, outdented) = self.read()?;
        let token = self.token(id);
        match token.kind {
            Kind::Else if !outdented => {
                let next = self.read()?.0;
                let closes = self.token(next).kind == Kind::Colon;
                self.ahead.push_front((next, false));
                if closes {
                    self.ahead.push_front((id, true));
                    return self.outdent(id);
                }
            }
            Kind::Elif if !outdented => {
                self.ahead.push_front((id, true));
                return self.outdent(id);
            }
            Kind::Pass => {
                let error = self.error("use of reserved keyword 'pass' is not allowed", id);
                return Err(error.help("where nothing is to be done, write `None`"));
            }
            Kind::Name if self.scanner.input.token(token) == b"end" => {
                let next = self.read()?;
                if self.token(next.0).kind != Kind::Newline {
                    self.ahead.push_front(next);
                }
                return self.outdent(id);
            }
            Kind::End => {
                if let Some(open) = self.open.last() {
                    let text = "mismatched set of block openings (if/else/elif/for/def) and closing (end)";
                    let (start, end) = self.header(*open);
                    return Err(self.say_missing(self.scanner.error(text, start, end)));
                }
            }
            _ => {}
        }
        Ok((token.kind, id))
    }

    /// The line that opens a block, from its keyword to the colon.
    fn header(&self, newline: TokenId) -> (usize, usize) {
        let before = &self.scanner.tokens[..newline as usize];
        let first = before.iter().rposition(|token| token.kind == Kind::Newline).map_or(0, |at| at + 1);
        let end = before.last().map_or(0, |token| token.end);
        (before.get(first).map_or(0, |token| token.start) as usize, end as usize)
    }

    fn outdent(&mut self, id: TokenId) -> Result<(Kind, TokenId), Diagnostic> {
        if self.open.pop().is_none() {
            let error = self.error("unexpected end", id);
            return Err(match self.last[1] {
                Kind::Dot => error.help("`end` is reserved: write x[\"end\"] or getattr(x, \"end\")"),
                Kind::Else | Kind::Elif if self.token(id).kind == Kind::Name => {
                    error.relabel("`end` is a reserved word, and no value")
                }
                Kind::Else | Kind::Elif => error.note("no `if` is open here: it was closed above, or is missing"),
                _ if matches!(self.token(id).kind, Kind::Else | Kind::Elif) => {
                    let word = if self.token(id).kind == Kind::Else { "else" } else { "elif" };
                    let mut error = error;
                    if let Some(label) = error.parts_mut().labels.first_mut() {
                        label.text = format!("`{word}` without an `if` before it");
                    }
                    match self.ended_before(&error, id, word) {
                        Some(told) => told,
                        None => error.help("write its `if` above, or remove this line"),
                    }
                }
                _ => self.say_extra(id),
            });
        }
        Ok((Kind::Outdent, id))
    }
}
