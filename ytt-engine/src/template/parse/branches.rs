//! Branches of an `if` that show where its `end` was left out.

use super::blocks::Blocks;
use super::ends::nodes;
use super::lines::{line_end, line_start};
use super::pairs::{Block, Turn, TurnKind};
use crate::nearest::only;
use crate::source::Span;

impl Blocks<'_> {
    /// The one `if` whose last branch takes in a further block, and has as many nodes in front of that as the branch before:
    /// its `end` probably belongs in front of that block. What to say, and the line of the `end`.
    pub(super) fn uneven(&self, turns: &[Turn], blocks: &[&Block], line: &str) -> Option<(String, Span, String)> {
        let text = self.scanner.input.source_text();
        let found = blocks.iter().filter_map(|block| {
            let header = turns.get(block.opens)?;
            let inner = turns.get(block.opens.checked_add(1)?..block.closes?)?;
            let mut beside = inner.iter().filter(|turn| turn.column == header.column);
            let turn = beside.next().filter(|turn| turn.kind == TurnKind::Turns)?;
            let taken = beside.next().filter(|turn| turn.kind == TurnKind::Opens)?;
            let behind = |turn: &Turn| line_end(text, turn.at);
            let nodes_of = |from: &Turn, to: &Turn| text.get(behind(from)..line_start(text, to.at)).map_or(0, nodes);
            let (first, second) = (nodes_of(header, turn), nodes_of(turn, taken));
            (first == second && first > 0).then_some((*header, *turn, *taken))
        });
        let (header, turn, taken) = only(found)?;
        let start = line_start(text, taken.at);
        let before = text.get(start..taken.at)?;
        let blanks = " ".repeat(before.len().saturating_sub(before.trim_ascii_start().len()));
        let (own, other) = (self.code_of(header), self.code_of(taken));
        let place = self.scanner.input.source_span(start, start);
        let branch = self.word(turn);
        let text = format!("`{own}` ends here, unless `{other}` belongs to its `{branch}`");
        Some((text, place, format!("{blanks}{line}\n")))
    }
}
