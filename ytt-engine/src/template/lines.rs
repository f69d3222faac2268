//! From places of the program back to places of the source.
//!
//! A program is text that the interpreter reads; its errors name lines and columns of that text. The map knows, for every
//! part of every line, where it comes from. It stores the changes only: a line that was copied is one entry.

use crate::source::{SourceId, Span};

/// A part of a line of the program; it ends where the next begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    line: u32,
    column: u32,
    start: u32,
    end: u32,
    /// Characters of the program and bytes of the source run in step.
    linear: bool,
}

/// Places of the program to places of the source. Lines and columns count from 0, columns in characters.
#[derive(Clone, Debug)]
pub(crate) struct LineMap {
    source: SourceId,
    entries: Vec<Piece>,
    /// Expressions that span lines, sorted by their start: where their operator is.
    operators: Vec<(Span, Span)>,
    /// First line, last line and item of each text-templated string.
    strings: Vec<(u32, u32, Span)>,
}

impl LineMap {
    pub(super) fn new(source: SourceId) -> LineMap {
        LineMap { source, entries: Vec::new(), operators: Vec::new(), strings: Vec::new() }
    }

    /// Adds what stands at `line` and `column`. Must be called in the order of the program.
    pub(super) fn add(&mut self, line: u32, column: u32, Span { start, end, .. }: Span, linear: bool) {
        if let Some(last) = self.entries.last_mut().filter(|last| last.line == line) {
            let goes_on = match (last.linear, linear) {
                (true, true) => start.checked_sub(last.start) == column.checked_sub(last.column),
                (false, false) => (last.start, last.end) == (start, end),
                _ => false,
            };
            if goes_on {
                last.end = last.end.max(end);
                return;
            }
        }
        self.entries.push(Piece { line, column, start, end, linear });
    }

    pub(super) fn add_operators(&mut self, mut operators: Vec<(Span, Span)>) {
        operators.sort_by_key(|(whole, _)| (whole.start, whole.end));
        self.operators = operators;
    }

    /// Notes that a line of the program belongs to a text-templated string of an item. In the order of the program.
    pub(super) fn add_string(&mut self, line: u32, item: Span) {
        match self.strings.last_mut() {
            Some((_, last, before)) if *before == item => *last = line,
            _ => self.strings.push((line, line, item)),
        }
    }

    /// The place in the source that a place of the program comes from.
    pub(crate) fn span(&self, line: u32, column: u32) -> Option<Span> {
        let next = self.entries.partition_point(|entry| (entry.line, entry.column) <= (line, column));
        // a place in front of the first part of its line belongs to that part
        let entry = match next.checked_sub(1).and_then(|at| self.entries.get(at)) {
            Some(entry) if entry.line == line => entry,
            before => self.entries.get(next).filter(|entry| entry.line == line).or(before)?,
        };
        let mut start = entry.start;
        if entry.linear && entry.line == line {
            start = start.saturating_add(column.saturating_sub(entry.column)).min(entry.end);
        }
        Some(Span::new(self.source, start, entry.end))
    }

    /// The part of the source that a part of the program comes from; `end` is behind its last character.
    pub(crate) fn range(&self, begin: (u32, u32), end: (u32, u32)) -> Option<Span> {
        let first = self.span(begin.0, begin.1)?;
        if end <= begin {
            return Some(Span::new(self.source, first.start, first.start));
        }
        let next = self.entries.partition_point(|entry| (entry.line, entry.column) < end);
        let entry = self.entries.get(next.checked_sub(1)?)?;
        let mut to = entry.end;
        if entry.linear && entry.line == end.0 {
            to = entry.start.saturating_add(end.1.saturating_sub(entry.column)).min(entry.end);
        }
        Some(Span::new(self.source, first.start, to.max(first.start)))
    }

    /// Where the operator, dot or bracket of an expression is that spans lines: there the reference sees its errors.
    pub(crate) fn operator(&self, whole: Span) -> Option<Span> {
        let key = (whole.start, whole.end);
        let at = self.operators.binary_search_by_key(&key, |(whole, _)| (whole.start, whole.end)).ok()?;
        self.operators.get(at).map(|(_, sign)| *sign)
    }

    /// The item whose text-templated string a line of the program belongs to. The reference names its line.
    pub(crate) fn string_item(&self, line: u32) -> Option<Span> {
        let next = self.strings.partition_point(|(first, ..)| *first <= line);
        let (_, last, item) = self.strings.get(next.checked_sub(1)?)?;
        (line <= *last).then_some(*item)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_line_map_back() {
        let mut map = LineMap::new(SourceId(0));
        let place = |start, end| Span::new(SourceId(0), start, end);
        map.add(0, 0, place(100, 120), false);
        map.add(1, 1, place(10, 13), true);
        map.add(1, 5, place(14, 16), true);
        map.add(1, 8, place(30, 34), true);
        let span = |line, column| map.span(line, column).map(|span| (span.start, span.end));
        assert_eq!(map.entries.len(), 3);
        assert_eq!(span(0, 7), Some((100, 120)));
        assert_eq!(span(1, 0), Some((10, 16)));
        assert_eq!(span(1, 3), Some((12, 16)));
        assert_eq!(span(1, 5), Some((14, 16)));
        assert_eq!(span(1, 9), Some((31, 34)));
        let range = |a, b| map.range(a, b).map(|span| (span.start, span.end));
        assert_eq!(range((1, 1), (1, 4)), Some((10, 13)));
        assert_eq!(range((1, 1), (1, 8)), Some((10, 16)));
        assert_eq!(range((1, 5), (1, 12)), Some((14, 34)));
        assert_eq!(range((0, 2), (0, 4)), Some((100, 120)));
    }
}
