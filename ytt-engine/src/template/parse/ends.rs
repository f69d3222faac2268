//! Where the `end` of a block stands that has none, by what its lines look like, and how it is written there.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "turns, blocks and tokens have the numbers of their lists, and offsets are those of lines of the text"
)]

use super::blocks::Blocks;
use super::lines::{blanks, line_end, line_of, line_start};
use super::pairs::{Block, Turn, TurnKind};
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::template::token::Kind;
use crate::template::tree::TokenId;

impl Blocks<'_> {
    /// An `else` where the innermost block that is open is no `if`, or has its `else` already.
    pub(super) fn branch_of_no_if(&self, error: &Diagnostic, id: TokenId) -> Option<Diagnostic> {
        let turns = self.turns();
        let mut open: Vec<Turn> = Vec::new();
        for turn in turns.iter().take_while(|turn| turn.token < id) {
            if turn.kind != TurnKind::Opens {
                open.pop();
            }
            if turn.kind != TurnKind::Closes {
                open.push(*turn);
            }
        }
        let inner = *open.last()?;
        let kind = |turn: &Turn| self.token(turn.token).kind;
        let (start, end) = self.header_of(inner.token);
        let head = self.scanner.input.span(start as u32, end as u32);
        if kind(&inner) == Kind::Else {
            let told = error.clone().relabel("this `if` has its `else` above");
            return Some(told.label(head, "the `else` of it").help("an `if` has one `else`, behind all of its `elif`"));
        }
        let told = error.clone().relabel("the block that is open here is no `if`").label(head, "this one is open");
        let around = open.len().checked_sub(2).and_then(|at| open.get(at));
        if !around.is_some_and(|around| matches!(kind(around), Kind::If | Kind::Elif)) {
            return Some(told.help("write the `end` of that block in front of this `else`, and its `if` above"));
        }
        let (text, at) = (self.scanner.input.source_text(), self.scanner.input.place(self.token(id).start).0 as usize);
        let before = text.get(line_start(text, inner.at)..inner.at)?;
        let line = std::str::from_utf8(before).ok().filter(|line| matches!(line.trim(), "" | "#@"));
        let at = line_start(text, at);
        let help = "write the `end` of that block in front of this `else`";
        Some(match line.filter(|_| !self.scanner.input.is_text()) {
            Some(line) => told.help_edit(help, self.scanner.input.source_span(at, at), format!("{line}end\n")),
            None => told.help(help),
        })
    }

    /// What is written in the last line above a place that is not empty.
    pub(super) fn line_above(&self, at: usize) -> Option<Span> {
        let text = self.scanner.input.source_text();
        let end = text.get(..at)?.trim_ascii_end().len();
        let start = line_start(text, end);
        let start = start + blanks(text.get(start..end)?);
        (start < end).then(|| self.scanner.input.source_span(start, end))
    }

    /// Whether a file of code begins a block without indentation, behind this line break.
    pub(super) fn is_flat(&self, line: usize, column: usize) -> bool {
        let rest = self.scanner.input.source_text().get(line..).unwrap_or_default();
        let mut lines = rest.split(|byte| *byte == b'\n').filter(|line| {
            let line = line.trim_ascii();
            !line.is_empty() && !line.starts_with(b"#")
        });
        lines.next().is_some_and(|line| blanks(line) <= column)
    }

    /// The edit that ends a block of a text in front of the `end` of the block around it, if both stand on lines of their
    /// own and no other code is between them.
    pub(super) fn end_in_text(&self, turns: &[Turn], block: &Block, closes: usize) -> Option<(Span, String)> {
        let input = self.scanner.input;
        let (text, header) = (input.source_text(), turns[block.opens]);
        (closes == block.opens + 1 && turns[closes].column.is_some()).then_some(())?;
        let start = line_start(text, header.at);
        let line = line_of(text, start, line_end(text, header.at));
        let (opening, closing) = (line.trim_ascii().starts_with(b"(@-"), line.trim_ascii().ends_with(b"-@)"));
        header.column.filter(|_| line.trim_ascii().ends_with(b"@)"))?;
        // Blanks are trimmed as in front of the block and behind its first line.
        let end = format!("(@{} end {}@)", if opening { "-" } else { "" }, if closing { "-" } else { "" });
        let at = match self.outgrown(turns, block) {
            Some((at, _)) => at,
            // Blank lines in front of the next `end` part what is around.
            None => line_end(text, text[..line_start(text, turns[closes].at)].trim_ascii_end().len()),
        };
        let indent = String::from_utf8_lossy(&line[..blanks(line)]);
        Some((input.source_span(at, at), format!("{indent}{end}\n")))
    }

    /// The `end` of a block as it is written where that begins: in a text of a YAML file as in a text template.
    pub(super) fn end_of(&self, header: Turn) -> String {
        let text = self.scanner.input.source_text();
        let before = text.get(line_start(text, header.at)..header.at).unwrap_or_default().trim_ascii_end();
        match before.ends_with(b"(@") || before.ends_with(b"(@-") {
            true => "(@ end -@)".to_owned(),
            false => self.scanner.input.written("end"),
        }
    }

    /// The first line that looks as if it were behind a block that a later `end` closes: of a text, one that is less
    /// deep than the first line of the block, of YAML, a key behind the items of a list. Gives the end of the line before, and
    /// where that one stands.
    pub(super) fn outgrown(&self, turns: &[Turn], block: &Block) -> Option<(usize, Span)> {
        let input = self.scanner.input;
        let text = input.source_text();
        let (_, header_end) = self.header_of(turns[block.opens].token);
        let mut line = line_end(text, input.place(header_end as u32 - 1).0 as usize);
        let (mut first, mut last) = (None, line);
        // As far as the next line of code: what stands behind may belong to that.
        let end = line_start(text, turns.get(block.opens + 1)?.at);
        while line < end {
            let (from, to) = (line, line_end(text, line));
            line = to;
            let content = line_of(text, from, to);
            let indent = blanks(content);
            let content = content.trim_ascii();
            if content.is_empty() || content.starts_with(b"#") && !input.is_text() {
                continue;
            }
            let is_key = content != b"-" && !content.starts_with(b"- ");
            let is_behind = match first {
                None => false,
                Some((own, _)) if input.is_text() => indent < own,
                Some((own, is_list)) => indent < own || indent == own && is_key && is_list,
            };
            if is_behind {
                return Some((last, input.source_span(from + indent, from + indent + content.len())));
            }
            first.get_or_insert((indent, !is_key));
            last = to;
        }
        None
    }
}

/// How many nodes stand beside each other in lines of YAML: documents, items of a list or keys of a map.
pub(super) fn nodes(lines: &[u8]) -> usize {
    let contents = lines.split(|byte| *byte == b'\n').filter_map(|line| {
        let content = line.trim_ascii_start();
        (!content.is_empty() && !content.starts_with(b"#")).then_some((line.len() - content.len(), content))
    });
    let mut contents = contents.peekable();
    let Some(&(own, first)) = contents.peek() else { return 0 };
    let kind = |content: &[u8]| (content.starts_with(b"---"), content == b"-" || content.starts_with(b"- "));
    contents.filter(|(indent, content)| *indent == own && kind(content) == kind(first)).count()
}
