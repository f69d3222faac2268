//! A long list of nodes that is edited at many positions: kept in pieces, so that an edit moves few of them.
//!
//! What needs it are single edits all over a list of more than 10,000 items. As one `Vec`, 16,000 removals by key took
//! 44 ms instead of 32, 2.6 times as long as 8,000 (`cargo bench --bench overlay`, "remove of map items"; with "insert at
//! array items by key" and "insert and remove of documents" it was 2.4 times): half of that to find a node in the list,
//! half to move those behind it.
#![allow(clippy::indexing_slicing, reason = "`locate` and `numbers` give numbers of pieces, and no piece goes away")]
#![allow(clippy::arithmetic_side_effects, reason = "numbers of nodes in lists that are in memory")]

use std::sync::OnceLock;

use hashbrown::HashMap;

use super::NodeId;
use crate::source::to_u32;

/// Length of a piece at first.
const PIECE: usize = if cfg!(test) { 2 } else { 512 };

/// The list. Reading it whole puts the pieces together, once until the next edit.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    /// In order; those that lost all nodes stay.
    pieces: Vec<Vec<NodeId>>,
    length: usize,
    /// The number of the piece in which each node stands, from the first question on.
    numbers: Option<HashMap<NodeId, u32>>,
    whole: OnceLock<Vec<NodeId>>,
}

/// Instead of the number of a piece: the node stands at several positions, or once did.
const SEVERAL: u32 = u32::MAX;

impl Pieces {
    pub(super) fn new(list: &[NodeId]) -> Pieces {
        let pieces = list.chunks(PIECE).map(<[NodeId]>::to_vec).collect();
        Pieces { pieces, length: list.len(), numbers: None, whole: OnceLock::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.length
    }

    pub(super) fn whole(&self) -> &[NodeId] {
        self.whole.get_or_init(|| self.pieces.concat())
    }

    pub(super) fn get(&self, at: usize) -> Option<NodeId> {
        let (piece, at) = self.locate(at)?;
        self.pieces[piece].get(at).copied()
    }

    /// Which piece, and the position in it; behind the last node for the length.
    fn locate(&self, mut at: usize) -> Option<(usize, usize)> {
        for (number, piece) in self.pieces.iter().enumerate() {
            if at < piece.len() || at == piece.len() && number + 1 == self.pieces.len() {
                return Some((number, at));
            }
            at -= piece.len();
        }
        None
    }

    /// The place of a node that stands at one position. `None`: it has to be looked for.
    pub(super) fn index_of(&mut self, item: NodeId) -> Option<usize> {
        let numbers = self.numbers.get_or_insert_with(|| {
            let mut numbers = HashMap::with_capacity(self.length);
            for (number, piece) in self.pieces.iter().enumerate() {
                piece.iter().for_each(|item| add(&mut numbers, *item, to_u32(number)));
            }
            numbers
        });
        let number = *numbers.get(&item).filter(|number| **number != SEVERAL)? as usize;
        let before: usize = self.pieces[..number].iter().map(Vec::len).sum();
        Some(before + find(&self.pieces[number], item)?)
    }

    /// Inserts at a position that is at most the length.
    pub(super) fn insert(&mut self, at: usize, item: NodeId) {
        self.whole.take();
        let Some((number, at)) = self.locate(at) else {
            return;
        };
        self.pieces[number].insert(at, item);
        self.length += 1;
        if let Some(numbers) = &mut self.numbers {
            add(numbers, item, to_u32(number));
        }
        // One pass for as many insertions as a whole piece has nodes.
        if self.pieces[number].len() > 8 * PIECE {
            *self = Pieces::new(self.whole());
        }
    }

    /// Removes the node at a position that is below the length.
    pub(super) fn remove(&mut self, at: usize) -> NodeId {
        self.whole.take();
        let (number, at) = self.locate(at).unwrap_or_default();
        let item = self.pieces[number].remove(at);
        self.length -= 1;
        self.forget(item);
        item
    }

    /// Puts another node at a position that is below the length; gives the old one.
    pub(super) fn replace(&mut self, at: usize, item: NodeId) -> NodeId {
        self.whole.take();
        let (number, at) = self.locate(at).unwrap_or_default();
        let old = std::mem::replace(&mut self.pieces[number][at], item);
        self.forget(old);
        if let Some(numbers) = &mut self.numbers {
            add(numbers, item, to_u32(number));
        }
        old
    }

    fn forget(&mut self, item: NodeId) {
        if let Some(numbers) = &mut self.numbers
            && numbers.get(&item) != Some(&SEVERAL)
        {
            numbers.remove(&item);
        }
    }
}

fn add(numbers: &mut HashMap<NodeId, u32>, item: NodeId, piece: u32) {
    numbers.entry(item).and_modify(|known| *known = SEVERAL).or_insert(piece);
}

/// The first position of a node. Blocks are compared without leaving early: several nodes in one step of the processor.
pub(super) fn find(items: &[NodeId], wanted: NodeId) -> Option<usize> {
    const BLOCK: usize = 32;
    let equal = |block: &[NodeId]| block.iter().fold(false, |found, item| found | (*item == wanted));
    let before = items.chunks(BLOCK).position(equal)? * BLOCK;
    items[before..].iter().position(|item| *item == wanted).map(|at| before + at)
}
