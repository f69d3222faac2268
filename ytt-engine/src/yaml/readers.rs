//! Who read which data values, as far as an explanation needs it.
//!
//! Texts and numbers do not carry where they come from, so a read belongs to the one who runs at that time: the expression
//! that is the value of an item; else the body of the template or function that runs, and all that this body makes from
//! then on; else the item of an overlay that is being applied. Readers are in each other, as what runs is.
#![cfg_attr(all(not(feature = "explain"), not(test)), expect(dead_code, reason = "an explanation reads the record"))]

use std::collections::{HashMap, HashSet};

use super::arena::NodeId;
use crate::source::{SourceId, Span, to_u32};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ReaderId(pub(crate) u32);

/// A reader at a moment: it had read so much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) reader: ReaderId,
    pub(crate) reads: u32,
}

/// What is read: an item of data values, or all that is below it as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Read {
    pub(crate) item: NodeId,
    pub(crate) whole: bool,
}

/// What code took from elsewhere, and the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Taken {
    pub(crate) from: TakenFrom,
    pub(crate) call: Option<Span>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum TakenFrom {
    /// A file, as text.
    File(SourceId),
    /// A text that was decoded; the name of the format.
    Text(&'static str),
    /// A function without nodes, by this `return`.
    Return(Span),
}

/// What a reader read: a data value, or the number of what it took from elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Noted {
    Value(Read),
    Taken(u32),
}

/// Who reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReaderKind {
    /// The expression that is the value of an item.
    Expression(NodeId),
    /// A template or a function with nodes, and where it was called.
    Body { call: Option<Span> },
    /// A right item of an overlay.
    Overlay(NodeId),
}

#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) kind: ReaderKind,
    /// In whom it runs.
    pub(crate) around: Option<Moment>,
    /// Each once, in order.
    pub(crate) reads: Vec<Noted>,
    known: HashSet<Noted>,
}

impl Reader {
    fn add(&mut self, read: Noted) {
        if self.known.insert(read) {
            self.reads.push(read);
        }
    }
}

/// Nodes from `first` on, up to `end`, and who made them.
#[derive(Clone, Copy, Debug)]
struct Made {
    first: NodeId,
    end: NodeId,
    by: Moment,
}

/// All readers of a render. Nothing of it is used where no explanation is wanted.
#[derive(Debug, Default)]
pub(crate) struct Readers {
    all: Vec<Reader>,
    /// Those that run, innermost last.
    running: Vec<ReaderId>,
    /// In the order of the nodes.
    made: Vec<Made>,
    taken: Vec<Taken>,
    taken_numbers: HashMap<Taken, u32>,
    /// The last expression of each item that has one.
    expressions: HashMap<NodeId, ReaderId>,
}

#[allow(clippy::indexing_slicing, reason = "`begin` alone makes numbers of readers, and none goes away")]
impl Readers {
    pub(crate) fn get(&self, id: ReaderId) -> &Reader {
        &self.all[id.0 as usize]
    }

    /// The innermost reader as it is now.
    pub(crate) fn now(&self) -> Option<Moment> {
        let &reader = self.running.last()?;
        Some(Moment { reader, reads: to_u32(self.get(reader).reads.len()) })
    }

    /// A moment, and those around it, innermost first.
    pub(crate) fn chain(&self, moment: Option<Moment>) -> impl Iterator<Item = Moment> {
        std::iter::successors(moment, |moment| self.get(moment.reader).around)
    }

    /// How many run: what to go back to when an error is caught.
    pub(crate) fn height(&self) -> usize {
        self.running.len()
    }

    /// Ends those that an error left running.
    pub(crate) fn restore(&mut self, height: usize) {
        self.running.truncate(height);
    }

    /// Somebody begins to run.
    pub(crate) fn begin(&mut self, kind: ReaderKind) {
        let around = self.now();
        self.running.push(ReaderId(to_u32(self.all.len())));
        self.all.push(Reader { kind, around, reads: Vec::new(), known: HashSet::new() });
    }

    /// The expression of an item begins; one that set nothing ends.
    pub(crate) fn begin_expression(&mut self, item: NodeId) {
        self.end_expression();
        self.begin(ReaderKind::Expression(item));
    }

    /// Ends the innermost reader if it is an expression.
    pub(crate) fn end_expression(&mut self) -> Option<ReaderId> {
        let &top = self.running.last()?;
        let ReaderKind::Expression(item) = self.get(top).kind else { return None };
        self.expressions.insert(item, top);
        self.running.pop()
    }

    /// Whoever runs takes the value of an item: what was read for it, was read for what is made of it.
    pub(crate) fn adopt(&mut self, item: NodeId) {
        let Some(expression) = self.expressions.get(&item) else { return };
        let reads = self.get(*expression).reads.clone();
        reads.into_iter().for_each(|read| self.note(read));
    }

    /// Ends the innermost body or overlay item. What follows around it may depend on what it read.
    pub(crate) fn end(&mut self) {
        self.end_expression();
        let Some(ended) = self.running.pop() else { return };
        let reads = self.get(ended).reads.clone();
        if let Some(around) = self.running.last() {
            let around = &mut self.all[around.0 as usize];
            reads.into_iter().for_each(|read| around.add(read));
        }
    }

    /// An item of data values was read.
    pub(crate) fn read(&mut self, item: NodeId, whole: bool) {
        self.note(Noted::Value(Read { item, whole }));
    }

    /// Whether the innermost reader is an expression.
    pub(crate) fn in_expression(&self) -> bool {
        self.running.last().is_some_and(|top| matches!(self.get(*top).kind, ReaderKind::Expression(_)))
    }

    /// Something was taken from elsewhere.
    pub(crate) fn take(&mut self, taken: Taken) {
        let next = to_u32(self.taken.len());
        let number = *self.taken_numbers.entry(taken).or_insert(next);
        if number == next {
            self.taken.push(taken);
        }
        self.note(Noted::Taken(number));
    }

    fn note(&mut self, read: Noted) {
        if let Some(reader) = self.running.last() {
            self.all[reader.0 as usize].add(read);
        }
    }

    pub(crate) fn taken(&self, number: u32) -> Option<Taken> {
        self.taken.get(number as usize).copied()
    }

    /// Nodes were made.
    pub(crate) fn made(&mut self, first: NodeId, end: NodeId) {
        let Some(by) = self.now() else { return };
        match self.made.last_mut() {
            Some(last) if last.by == by && last.end == first => last.end = end,
            _ => self.made.push(Made { first, end, by }),
        }
    }

    /// Who made a node.
    pub(crate) fn maker(&self, node: NodeId) -> Option<Moment> {
        let at = self.made.partition_point(|made| made.first <= node).checked_sub(1)?;
        let found = self.made.get(at)?;
        (node < found.end).then_some(found.by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_belongs_to_who_runs_and_to_what_is_made_later() {
        let (mut readers, item) = (Readers::default(), NodeId);
        let body = ReaderKind::Body { call: None };
        readers.begin(body);
        readers.made(item(1), item(2));
        readers.read(item(100), false);
        readers.read(item(100), false);
        readers.made(item(2), item(3));
        readers.begin_expression(item(2));
        readers.read(item(101), false);
        readers.begin(body);
        readers.read(item(102), false);
        readers.made(item(5), item(8));
        readers.end();
        let expression = readers.end_expression().unwrap();
        let item_of = |noted: &Noted| if let Noted::Value(read) = noted { read.item.0 } else { 0 };
        let reads = |reader: ReaderId| readers.get(reader).reads.iter().map(item_of).collect::<Vec<_>>();
        assert_eq!(reads(expression), [101, 102]);
        let maker = |node| readers.maker(item(node)).map(|moment| (moment.reader.0, moment.reads));
        assert_eq!([1, 2, 3, 5, 7, 8].map(maker), [Some((0, 0)), Some((0, 1)), None, Some((2, 1)), Some((2, 1)), None]);
        assert_eq!(readers.get(ReaderId(2)).around, Some(Moment { reader: expression, reads: 1 }));
        assert_eq!(reads(ReaderId(0)), [100], "an expression keeps its reads to itself");
    }
}
