//! A long list of nodes that is edited at many places: kept in pieces, so that an edit moves few of them.

use std::sync::OnceLock;

use hashbrown::HashMap;

use super::NodeId;

/// A piece that grows longer is cut in two.
const LONGEST: usize = 1024;

/// The list. To read it whole makes it one list, until the next edit.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    /// Numbers of the pieces, in order; none of these is empty.
    order: Vec<u32>,
    pieces: Vec<Vec<NodeId>>,
    length: usize,
    /// The piece in which each node stands, from the first question on.
    places: Option<HashMap<NodeId, Where>>,
    whole: OnceLock<Vec<NodeId>>,
}

/// Where a node stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Where {
    Piece(u32),
    /// At several places, or it once was.
    Several,
}

impl Pieces {
    pub(super) fn new(list: &[NodeId]) -> Pieces {
        let pieces: Vec<Vec<NodeId>> = list.chunks(LONGEST / 2).map(<[NodeId]>::to_vec).collect();
        let order = (0..pieces.len() as u32).collect();
        Pieces { order, pieces, length: list.len(), places: None, whole: OnceLock::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.length
    }

    /// All of the list.
    pub(super) fn whole(&self) -> &[NodeId] {
        self.whole.get_or_init(|| self.order.iter().flat_map(|piece| &self.pieces[*piece as usize]).copied().collect())
    }

    pub(super) fn get(&self, at: usize) -> Option<NodeId> {
        let (number, at) = self.locate(at)?;
        self.pieces[self.order[number] as usize].get(at).copied()
    }

    /// Which piece by order, and the place in it; the end of the last piece for the length.
    fn locate(&self, mut at: usize) -> Option<(usize, usize)> {
        for (number, piece) in self.order.iter().enumerate() {
            let length = self.pieces[*piece as usize].len();
            if at < length || at == length && number + 1 == self.order.len() {
                return Some((number, at));
            }
            at -= length;
        }
        None
    }

    /// The place of a node that stands at one place. `None`: it has to be looked for.
    pub(super) fn place_of(&mut self, item: NodeId) -> Option<usize> {
        if self.places.is_none() {
            let mut places = HashMap::with_capacity(self.length);
            for (number, piece) in self.pieces.iter().enumerate() {
                piece.iter().for_each(|item| add(&mut places, *item, number as u32));
            }
            self.places = Some(places);
        }
        let Where::Piece(piece) = *self.places.as_ref()?.get(&item)? else {
            return None;
        };
        let before = self.order.iter().take_while(|number| **number != piece);
        let before: usize = before.map(|number| self.pieces[*number as usize].len()).sum();
        Some(before + find(&self.pieces[piece as usize], item)?)
    }

    /// Inserts at a place that is at most the length.
    pub(super) fn insert(&mut self, at: usize, item: NodeId) {
        self.whole.take();
        let (number, at) = match self.locate(at) {
            Some(found) => found,
            None => {
                self.order.push(self.pieces.len() as u32);
                self.pieces.push(Vec::new());
                (self.order.len() - 1, 0)
            }
        };
        let piece = self.order[number];
        self.pieces[piece as usize].insert(at, item);
        self.length += 1;
        if let Some(places) = &mut self.places {
            add(places, item, piece);
        }
        if self.pieces[piece as usize].len() > LONGEST {
            self.cut(number);
        }
    }

    fn cut(&mut self, number: usize) {
        let new = self.pieces.len() as u32;
        let half = self.pieces[self.order[number] as usize].split_off(LONGEST / 2);
        if let Some(places) = &mut self.places {
            for item in &half {
                places.entry(*item).and_replace_entry_with(|_, known| {
                    Some(if known == Where::Several { known } else { Where::Piece(new) })
                });
            }
        }
        self.pieces.push(half);
        self.order.insert(number + 1, new);
    }

    /// Removes the node at a place that is below the length.
    pub(super) fn remove(&mut self, at: usize) -> NodeId {
        self.whole.take();
        let (number, at) = self.locate(at).unwrap_or_default();
        let piece = self.order[number] as usize;
        let item = self.pieces[piece].remove(at);
        self.length -= 1;
        self.forget(item);
        if self.pieces[piece].is_empty() {
            self.order.remove(number);
        }
        item
    }

    /// Puts another node at a place that is below the length; gives the old one.
    pub(super) fn replace(&mut self, at: usize, item: NodeId) -> NodeId {
        self.whole.take();
        let (number, at) = self.locate(at).unwrap_or_default();
        let piece = self.order[number];
        let old = std::mem::replace(&mut self.pieces[piece as usize][at], item);
        self.forget(old);
        if let Some(places) = &mut self.places {
            add(places, item, piece);
        }
        old
    }

    fn forget(&mut self, item: NodeId) {
        if let Some(places) = &mut self.places
            && places.get(&item) != Some(&Where::Several)
        {
            places.remove(&item);
        }
    }
}

fn add(places: &mut HashMap<NodeId, Where>, item: NodeId, piece: u32) {
    places.entry(item).and_modify(|known| *known = Where::Several).or_insert(Where::Piece(piece));
}

/// The first place of a node. Blocks are compared without leaving early: several nodes in one step of the processor.
pub(super) fn find(items: &[NodeId], wanted: NodeId) -> Option<usize> {
    const BLOCK: usize = 32;
    let equal = |block: &[NodeId]| block.iter().fold(false, |found, item| found | (*item == wanted));
    let before = items.chunks(BLOCK).position(equal)? * BLOCK;
    items[before..].iter().position(|item| *item == wanted).map(|place| before + place)
}
