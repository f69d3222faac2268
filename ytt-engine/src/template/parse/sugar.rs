//! What stands in the place of the beginning of a block: `if/end` and its kind, which end by themselves, and comments.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "offsets are those of tokens and of the lines that they stand in"
)]

use super::blocks::Blocks;
use super::ends::nodes;
use super::lines::{line_end, line_start};
use super::pairs::{Turn, TurnKind};
use crate::diag::Diagnostic;
use crate::template::tree::TokenId;

/// What ends a block by itself, behind the node that follows.
const SUGAR: &[u8] = b"/end";

/// Words that begin blocks.
const HEADS: [&[u8]; 3] = [b"if", b"for", b"def"];
/// Lines above an `end` that are looked at.
const MOST_LINES: usize = 200;

impl Blocks<'_> {
    /// An `end` at `at` below `if/end` or one of its kind, with nodes between them.
    pub(super) fn ended_twice(&self, error: &Diagnostic, turns: &[Turn], at: usize) -> Option<Diagnostic> {
        let input = self.scanner.input;
        let text = input.source_text();
        let column = at - line_start(text, at);
        let same = |turn: &&Turn| turn.kind != TurnKind::Closes && turn.column == Some(column) && turn.at < at;
        let header = turns.iter().rev().find(same)?;
        let word = self.word(*header);
        let cut = header.at + word.len();
        let between = text.get(line_end(text, cut)..line_start(text, at))?;
        let count = nodes(between);
        if !text.get(cut..)?.starts_with(SUGAR) || count == 0 {
            return None;
        }
        let (start, end) = self.header_of(header.token);
        let mut told = error.clone();
        told.parts_mut().labels.truncate(1);
        let label = format!("`{word}/end` ends by itself, behind the first node below it");
        let told = told.label(input.span(start as u32, end as u32), label);
        let place = input.source_span(cut, cut + SUGAR.len());
        if count == 1 {
            let line = input.source_span(line_start(text, at), line_end(text, at));
            return Some(told.help_edit("remove this `end`", line, ""));
        }
        let told = told.help_edit(format!("write `{word}` if all nodes down to this `end` are meant"), place, "");
        Some(told.help(format!("remove this `end` if `{word}/end` is about that one node")))
    }

    /// A comment in the column of an `end` at `at` that would begin its block as code: `#! if x:`.
    pub(super) fn commented_head(&self, error: Diagnostic, at: usize) -> Diagnostic {
        let input = self.scanner.input;
        let text = input.source_text();
        let start = line_start(text, at);
        let column = |line: &[u8]| line.iter().position(|byte| *byte != b' ');
        let Some(own) = text.get(start..at).and_then(column) else { return error };
        let mut end = start;
        for _ in 0..MOST_LINES {
            let Some(last) = end.checked_sub(1) else { break };
            let begin = line_start(text, last);
            let line = text.get(begin..last).unwrap_or_default();
            let comment = line.get(own..).filter(|_| column(line) == Some(own)).unwrap_or_default();
            let code = comment.strip_prefix(b"#!").unwrap_or_default();
            // It has an end that is a comment, too.
            if code.trim_ascii() == b"end" {
                break;
            }
            let word = code.trim_ascii().split(|byte| matches!(byte, b' ' | b'(')).next().unwrap_or_default();
            if code.starts_with(b" ") && code.trim_ascii_end().ends_with(b":") && HEADS.contains(&word) {
                let word = String::from_utf8_lossy(word).into_owned();
                let mark = input.source_span(begin + own, begin + own + b"#!".len());
                let whole = input.source_span(begin + own, begin + line.trim_ascii_end().len());
                let told = error.label(whole, "this is a comment, so it begins no block");
                return told.help_edit(format!("write it as code: `#@ {word} …`"), mark, "#@");
            }
            end = begin;
        }
        error
    }

    /// An `else` or `elif` behind `if/end`, which is closed already.
    pub(super) fn ended_before(&self, error: &Diagnostic, id: TokenId, word: &str) -> Option<Diagnostic> {
        let input = self.scanner.input;
        let text = input.source_text();
        let at = input.place(self.token(id).start).0 as usize;
        let column = at - line_start(text, at);
        let same = |turn: &&Turn| turn.kind != TurnKind::Closes && turn.column == Some(column) && turn.at < at;
        let turns = self.turns();
        let header = turns.iter().rev().find(same)?;
        let opened = self.word(*header);
        let cut = header.at + opened.len();
        if !matches!(&*opened, "if" | "elif") {
            return None;
        }
        if !text.get(cut..)?.starts_with(SUGAR) {
            return self.ended_too_early(error, &turns, (*header, column, at), word);
        }
        let (start, end) = self.header_of(header.token);
        let label = format!("`{opened}/end` ends by itself, behind the first node below it");
        let told = error.clone().label(input.span(start as u32, end as u32), label);
        let place = input.source_span(cut, cut + SUGAR.len());
        Some(told.help_edit(format!("write `{opened}`: what has an `{word}` ends with an `end` of its own"), place, ""))
    }
    /// An `end` right in front of an `else` or `elif`, which closes its `if` already.
    fn ended_too_early(
        &self,
        error: &Diagnostic,
        turns: &[Turn],
        (header, column, at): (Turn, usize, usize),
        word: &str,
    ) -> Option<Diagnostic> {
        let input = self.scanner.input;
        let text = input.source_text();
        let end = turns.iter().rev().find(|turn| turn.at < at)?;
        (end.kind == TurnKind::Closes && end.column == Some(column)).then_some(())?;
        let (start, stop) = self.header_of(header.token);
        let token = self.token(end.token);
        let opened = self.word(header);
        let told = error
            .clone()
            .label(input.span(start as u32, stop as u32), format!("the `{opened}` that it continues"))
            .label(input.span(token.start, token.end), format!("this `end` closes that `{opened}` already"));
        let line = line_start(text, end.at);
        let behind = line_end(text, end.at);
        let between = text.get(behind..line_start(text, at))?;
        if !between.trim_ascii().is_empty() {
            return Some(
                told.help(format!("move what stands between that `end` and this `{word}`, and remove the `end`")),
            );
        }
        let place = input.source_span(line, behind);
        // Without another one below, this is the one of both.
        let is_end =
            |line: &[u8]| matches!(line.trim_ascii(), b"#@ end" | b"#@end" | b"end" | b"(@ end @)" | b"(@ end -@)");
        if !text.get(line_end(text, at)..)?.split(|byte| *byte == b'\n').any(is_end) {
            return Some(told.help(format!("write that `end` below the lines of the `{word}`")));
        }
        Some(told.help_edit(format!("remove that `end`: the one below the `{word}` closes both"), place, ""))
    }
}
