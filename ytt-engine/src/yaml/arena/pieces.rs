//! A long list of nodes that is edited at many places: kept in pieces, so that an edit moves few of them.

use std::sync::OnceLock;

use hashbrown::HashMap;

use super::NodeId;

/// A piece that grows longer is cut in two.
const LONGEST: usize = if cfg!(test) { 4 } else { 1024 };

/// The list. Reading it whole puts the pieces together, once until the next edit.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    /// The pieces in order, none of them empty: their number and length.
    order: Vec<(u32, u32)>,
    pieces: Vec<Vec<NodeId>>,
    length: usize,
    /// The number of the piece in which each node stands, from the first question on.
    numbers: Option<HashMap<NodeId, u32>>,
    whole: OnceLock<Vec<NodeId>>,
}

/// Instead of the number of a piece: the node stands at several places, or once did.
const SEVERAL: u32 = u32::MAX;

impl Pieces {
    pub(super) fn new(list: &[NodeId]) -> Pieces {
        let pieces: Vec<Vec<NodeId>> = list.chunks(LONGEST / 2).map(<[NodeId]>::to_vec).collect();
        let order = pieces.iter().enumerate().map(|(number, piece)| (number as u32, piece.len() as u32)).collect();
        Pieces { order, pieces, length: list.len(), numbers: None, whole: OnceLock::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// All of the list.
    pub(super) fn whole(&self) -> &[NodeId] {
        self.whole.get_or_init(|| {
            let mut whole = Vec::with_capacity(self.length);
            self.order.iter().for_each(|(piece, _)| whole.extend_from_slice(&self.pieces[*piece as usize]));
            whole
        })
    }

    pub(super) fn get(&self, at: usize) -> Option<NodeId> {
        let (number, at) = self.locate(at)?;
        self.pieces[self.order[number].0 as usize].get(at).copied()
    }

    /// Which piece by order, and the place in it; the end of the last piece for the length.
    fn locate(&self, mut at: usize) -> Option<(usize, usize)> {
        for (number, (_, length)) in self.order.iter().enumerate() {
            let length = *length as usize;
            if at < length || at == length && number + 1 == self.order.len() {
                return Some((number, at));
            }
            at -= length;
        }
        None
    }

    /// The place of a node that stands at one place. `None`: it has to be looked for.
    pub(super) fn index_of(&mut self, item: NodeId) -> Option<usize> {
        let numbers = self.numbers.get_or_insert_with(|| {
            let mut numbers = HashMap::with_capacity(self.length);
            for (number, piece) in self.pieces.iter().enumerate() {
                piece.iter().for_each(|item| add(&mut numbers, *item, number as u32));
            }
            numbers
        });
        let piece = *numbers.get(&item).filter(|number| **number != SEVERAL)?;
        let mut before = 0;
        for (number, length) in &self.order {
            if *number == piece {
                return Some(before + find(&self.pieces[piece as usize], item)?);
            }
            before += *length as usize;
        }
        None
    }

    /// Inserts at a place that is at most the length.
    pub(super) fn insert(&mut self, at: usize, item: NodeId) {
        self.whole.take();
        let (number, at) = match self.locate(at) {
            Some(found) => found,
            None => {
                self.order.push((self.pieces.len() as u32, 0));
                self.pieces.push(Vec::new());
                (self.order.len() - 1, 0)
            }
        };
        let (piece, length) = &mut self.order[number];
        self.pieces[*piece as usize].insert(at, item);
        *length += 1;
        self.length += 1;
        if let Some(numbers) = &mut self.numbers {
            add(numbers, item, *piece);
        }
        if *length as usize > LONGEST {
            self.cut(number);
        }
    }

    fn cut(&mut self, number: usize) {
        let new = self.pieces.len() as u32;
        let (piece, length) = &mut self.order[number];
        let half = self.pieces[*piece as usize].split_off(LONGEST / 2);
        *length -= half.len() as u32;
        if let Some(numbers) = &mut self.numbers {
            for item in &half {
                if let Some(number) = numbers.get_mut(item).filter(|number| **number != SEVERAL) {
                    *number = new;
                }
            }
        }
        self.order.insert(number + 1, (new, half.len() as u32));
        self.pieces.push(half);
    }

    /// Removes the node at a place that is below the length.
    pub(super) fn remove(&mut self, at: usize) -> NodeId {
        self.whole.take();
        let (number, at) = self.locate(at).unwrap_or_default();
        let (piece, length) = &mut self.order[number];
        let item = self.pieces[*piece as usize].remove(at);
        *length -= 1;
        self.length -= 1;
        if *length == 0 {
            self.order.remove(number);
        }
        self.forget(item);
        item
    }

    /// Puts another node at a place that is below the length; gives the old one.
    pub(super) fn replace(&mut self, at: usize, item: NodeId) -> NodeId {
        self.whole.take();
        let (number, at) = self.locate(at).unwrap_or_default();
        let (piece, _) = self.order[number];
        let old = std::mem::replace(&mut self.pieces[piece as usize][at], item);
        self.forget(old);
        if let Some(numbers) = &mut self.numbers {
            add(numbers, item, piece);
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

/// The first place of a node. Blocks are compared without leaving early: several nodes in one step of the processor.
pub(super) fn find(items: &[NodeId], wanted: NodeId) -> Option<usize> {
    const BLOCK: usize = 32;
    let equal = |block: &[NodeId]| block.iter().fold(false, |found, item| found | (*item == wanted));
    let before = items.chunks(BLOCK).position(equal)? * BLOCK;
    items[before..].iter().position(|item| *item == wanted).map(|place| before + place)
}
