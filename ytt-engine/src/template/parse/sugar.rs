//! `if/end` and its kind, which end by themselves, where something else is written as if they did not.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "offsets are those of tokens and of the lines that they stand in"
)]

use super::blocks::Blocks;
use super::pairs::{Turn, TurnKind, line_end, line_start, nodes};
use crate::diag::Diagnostic;
use crate::template::tree::TokenId;

/// What ends a block by itself, behind the node that follows.
const SUGAR: &[u8] = b"/end";

impl Blocks<'_> {
    /// An `end` at `at` below `if/end` or one of its kind, with several nodes between them.
    pub(super) fn ended_twice(&self, error: &Diagnostic, turns: &[Turn], at: usize) -> Option<Diagnostic> {
        let input = self.scanner.input;
        let text = input.source_text();
        let column = at - line_start(text, at);
        let same = |turn: &&Turn| turn.kind != TurnKind::Closes && turn.column == Some(column) && turn.at < at;
        let header = turns.iter().rev().find(same)?;
        let word = self.word(*header);
        let cut = header.at + word.len();
        let between = text.get(line_end(text, cut)..line_start(text, at))?;
        if !text.get(cut..)?.starts_with(SUGAR) || nodes(between) < 2 {
            return None;
        }
        let (start, end) = self.header_of(header.token);
        let mut told = error.clone();
        told.parts_mut().labels.truncate(1);
        let label = format!("`{word}/end` ends by itself, behind the first node below it");
        let told = told.label(input.span(start as u32, end as u32), label);
        let place = input.source_span(cut, cut + SUGAR.len());
        let told = told.help_edit(format!("write `{word}` if all nodes down to this `end` are meant"), place, "");
        Some(told.help(format!("remove this `end` if `{word}/end` is about that one node")))
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
        if !matches!(&*opened, "if" | "elif") || !text.get(cut..)?.starts_with(SUGAR) {
            return None;
        }
        let (start, end) = self.header_of(header.token);
        let label = format!("`{opened}/end` ends by itself, behind the first node below it");
        let told = error.clone().label(input.span(start as u32, end as u32), label);
        let place = input.source_span(cut, cut + SUGAR.len());
        Some(told.help_edit(format!("write `{opened}`: what has an `{word}` ends with an `end` of its own"), place, ""))
    }
}
