//! Nodes of a function, and others behind them that are no more of them: without `---` they are one document.
#![allow(clippy::arithmetic_side_effects, reason = "places of a text in memory, which lines are parts of")]

use super::layout;

/// What the help says that puts a line `---` above the second place.
pub(crate) const BEGIN: &str = "begin another document here: a line `---` above it";

/// Words of code that open a block.
const OPENING: [&str; 4] = ["def ", "for ", "if ", "while "];

/// A block of code around nodes: where its line starts.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Block<'t> {
    start: usize,
    /// Of a function.
    name: Option<&'t str>,
}

/// The outermost blocks of code around two places of one document, of which a function has one alone.
pub(crate) struct Apart<'t> {
    first: Option<Block<'t>>,
    second: Option<Block<'t>>,
    /// Where the first one ends.
    end: Option<usize>,
    /// The start of the line of the second place.
    own: usize,
}

impl<'t> Apart<'t> {
    /// Of the lines that start at two places.
    pub(crate) fn of(text: &'t str, first: usize, second: usize) -> Option<Apart<'t>> {
        let start = layout::above(text, first).find(|(_, line)| line.starts_with("---")).map_or(0, |(start, _)| start);
        let (mut at, mut open) = (start, Vec::<Block<'t>>::new());
        let mut around = Apart { first: None, second: None, end: None, own: second };
        for line in text.get(start..second).unwrap_or_default().split_inclusive('\n') {
            if at == first {
                around.first = open.first().copied();
            }
            let code = line.trim().strip_prefix("#@ ").unwrap_or_default().trim_start();
            if code == "end" || code.starts_with("end ") {
                if open.pop().is_some_and(|block| at > first && Some(block) == around.first) {
                    around.end = Some(at);
                }
            } else if OPENING.iter().any(|word| code.starts_with(word)) {
                let name = code.strip_prefix("def ").map(|head| head.split('(').next().unwrap_or(head).trim());
                open.push(Block { start: at, name });
            }
            at += line.len();
        }
        around.second = open.first().copied();
        let is_of_function = [around.first, around.second].iter().flatten().any(|block| block.name.is_some());
        (around.first != around.second && is_of_function).then_some(around)
    }

    /// The function of the first place.
    pub(crate) fn upper(&self) -> Option<&'t str> {
        self.first?.name
    }

    /// The function of the second place.
    pub(crate) fn lower(&self) -> Option<&'t str> {
        self.second?.name
    }

    /// The line that ends the function of the first place.
    pub(crate) fn end(&self) -> Option<usize> {
        self.end.filter(|_| self.upper().is_some())
    }

    /// Where a document begins that has the second place alone: with the head of its function.
    pub(crate) fn begin(&self) -> usize {
        self.second.filter(|block| block.name.is_some()).map_or(self.own, |block| block.start)
    }
}
