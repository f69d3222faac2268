//! The numbers of the nodes in a collection. Most collections are small, so few numbers are kept in place.

use std::ops::{Deref, DerefMut};

use super::NodeId;
use super::pieces::{Pieces, find};

/// As many are kept in place: what fits where a `Vec` has its pointer and length.
const FEW: usize = 4;
/// A list of at least this length that is edited elsewhere than at its end is kept in pieces.
const LONG: usize = if cfg!(test) { 6 } else { 4096 };

/// No node has this number.
const NONE: NodeId = NodeId(u32::MAX);

/// A list of nodes, as large as a `Vec`; it is read and changed as a slice.
///
/// A long list that is edited again and again is best read and changed only by the methods for single positions: for the
/// slice its pieces are put together.
pub(crate) struct Items(Kept);

enum Kept {
    /// Behind the last node there is [`NONE`].
    Few([NodeId; FEW]),
    Many(Vec<NodeId>),
    Long(Box<Pieces>),
}

impl Items {
    /// How many there are: as that of the slice, for which the pieces need not be put together.
    pub(crate) fn len(&self) -> usize {
        match &self.0 {
            Kept::Few(few) => few.iter().position(|item| *item == NONE).unwrap_or(FEW),
            Kept::Many(many) => many.len(),
            Kept::Long(pieces) => pieces.len(),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The node at a position.
    pub(super) fn at(&self, position: usize) -> Option<NodeId> {
        match &self.0 {
            Kept::Long(pieces) => pieces.get(position),
            _ => self.get(position).copied(),
        }
    }

    /// The first position of a node.
    pub(super) fn index_of(&mut self, item: NodeId) -> Option<usize> {
        self.split();
        match &mut self.0 {
            Kept::Long(pieces) => pieces.index_of(item).or_else(|| find(pieces.whole(), item)),
            _ => find(self, item),
        }
    }

    /// A long list is kept in pieces from now on.
    fn split(&mut self) {
        if let Kept::Many(many) = &self.0
            && many.len() >= LONG
        {
            self.0 = Kept::Long(Box::new(Pieces::new(many)));
        }
    }

    pub(crate) fn push(&mut self, item: NodeId) {
        match &mut self.0 {
            Kept::Many(many) => many.push(item),
            _ => self.insert(self.len(), item),
        }
    }

    /// Inserts at a position that is at most the length.
    #[allow(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "`at` is at most the length, below `FEW`"
    )]
    pub(crate) fn insert(&mut self, at: usize, item: NodeId) {
        self.split();
        match &mut self.0 {
            Kept::Few(few) => {
                let length = few.iter().position(|item| *item == NONE).unwrap_or(FEW);
                if length < FEW {
                    few.copy_within(at..length, at + 1);
                    few[at] = item;
                } else {
                    let mut many = Vec::with_capacity(2 * FEW);
                    many.extend_from_slice(few);
                    many.insert(at, item);
                    self.0 = Kept::Many(many);
                }
            }
            Kept::Many(many) => many.insert(at, item),
            Kept::Long(pieces) => pieces.insert(at, item),
        }
    }

    /// Changes the list as a `Vec`: what needs more than single positions.
    pub(crate) fn change<R>(&mut self, change: impl FnOnce(&mut Vec<NodeId>) -> R) -> R {
        let mut items = match std::mem::take(self).0 {
            Kept::Few(few) => few.into_iter().take_while(|item| *item != NONE).collect(),
            Kept::Many(many) => many,
            Kept::Long(pieces) => pieces.whole().to_vec(),
        };
        let result = change(&mut items);
        *self = Items::from(items);
        result
    }

    /// Removes the node at a position that is below the length.
    #[allow(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "who removes has found the node at `at`"
    )]
    pub(crate) fn remove(&mut self, at: usize) -> NodeId {
        self.split();
        match &mut self.0 {
            Kept::Few(few) => {
                let item = few[at];
                few.copy_within(at + 1.., at);
                few[FEW - 1] = NONE;
                item
            }
            Kept::Many(many) => many.remove(at),
            Kept::Long(pieces) => pieces.remove(at),
        }
    }

    /// Puts another node at a position that is below the length; gives the old one.
    #[allow(clippy::indexing_slicing, reason = "who replaces has found the node at `at`")]
    pub(crate) fn replace(&mut self, at: usize, item: NodeId) -> NodeId {
        match &mut self.0 {
            Kept::Long(pieces) => pieces.replace(at, item),
            _ => std::mem::replace(&mut self[at], item),
        }
    }
}

impl Clone for Items {
    /// The copy of a long list is whole: most copies are never edited.
    fn clone(&self) -> Items {
        Items(match &self.0 {
            Kept::Few(few) => Kept::Few(*few),
            Kept::Many(many) => Kept::Many(many.clone()),
            Kept::Long(pieces) => Kept::Many(pieces.whole().to_vec()),
        })
    }
}

impl Default for Items {
    fn default() -> Items {
        Items(Kept::Few([NONE; FEW]))
    }
}

impl Deref for Items {
    type Target = [NodeId];

    #[allow(clippy::indexing_slicing, reason = "of `FEW` places at most all are used")]
    fn deref(&self) -> &[NodeId] {
        match &self.0 {
            Kept::Few(few) => &few[..self.len()],
            Kept::Many(many) => many,
            Kept::Long(pieces) => pieces.whole(),
        }
    }
}

impl DerefMut for Items {
    #[allow(clippy::indexing_slicing, reason = "of `FEW` places at most all are used")]
    fn deref_mut(&mut self) -> &mut [NodeId] {
        let length = self.len();
        if let Kept::Long(pieces) = &self.0 {
            self.0 = Kept::Many(pieces.whole().to_vec());
        }
        match &mut self.0 {
            Kept::Few(few) => &mut few[..length],
            Kept::Many(many) => many,
            // It was just put together.
            Kept::Long(_) => &mut [],
        }
    }
}

impl From<&[NodeId]> for Items {
    #[allow(clippy::indexing_slicing, reason = "more than `FEW` are kept in another way")]
    fn from(items: &[NodeId]) -> Items {
        if items.len() > FEW {
            return Items(Kept::Many(items.to_vec()));
        }
        let mut few = [NONE; FEW];
        few[..items.len()].copy_from_slice(items);
        Items(Kept::Few(few))
    }
}

impl From<Vec<NodeId>> for Items {
    fn from(items: Vec<NodeId>) -> Items {
        if items.len() > FEW { Items(Kept::Many(items)) } else { Items::from(&items[..]) }
    }
}

impl FromIterator<NodeId> for Items {
    fn from_iter<I: IntoIterator<Item = NodeId>>(items: I) -> Items {
        Items::from(Vec::from_iter(items))
    }
}

impl IntoIterator for Items {
    type Item = NodeId;
    type IntoIter = std::vec::IntoIter<NodeId>;

    fn into_iter(mut self) -> Self::IntoIter {
        self.change(std::mem::take).into_iter()
    }
}

impl<'a> IntoIterator for &'a Items {
    type Item = &'a NodeId;
    type IntoIter = std::slice::Iter<'a, NodeId>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl std::fmt::Debug for Items {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_and_large_lists_change_alike() {
        assert_eq!(size_of::<Items>(), size_of::<Vec<NodeId>>());
        let (mut items, mut expected) = (Items::default(), Vec::new());
        // Over the edges of the three kinds and back, at changing positions.
        for (step, grows) in [(9, true), (8, false), (6, true), (200, true), (205, false), (4, true)] {
            for number in 0..step {
                let at = number * 7919 % (expected.len() + usize::from(grows));
                if grows {
                    items.insert(at, NodeId(number as u32));
                    expected.insert(at, NodeId(number as u32));
                } else {
                    assert_eq!(items.remove(at), expected.remove(at));
                }
                assert_eq!(items.len(), expected.len());
                if number % 97 == 0 || step < 10 {
                    assert_eq!(items[..], expected[..]);
                    assert_eq!(Items::from(expected.clone())[..], expected[..]);
                }
            }
        }
        items.change(|items| items.extend([7, 8, 9, 10].map(NodeId)));
        expected.extend([7, 8, 9, 10].map(NodeId));
        assert!(items.clone().into_iter().eq(expected));
        items.change(|items| items.retain(|item| item.0 == 7));
        items.push(NodeId(1));
        items[0] = NodeId(2);
        assert_eq!(items.first(), Some(&NodeId(2)));
    }

    #[test]
    fn nodes_of_long_lists_are_found_wherever_they_moved() {
        let mut expected: Vec<NodeId> = (0..300).map(NodeId).collect();
        // Two nodes stand at two positions each.
        expected.extend([NodeId(5), NodeId(100)]);
        let mut items = Items::from(expected.clone());
        let first = expected.len() as u32;
        for (turn, new) in (first..).enumerate().take(20_000) {
            let at = turn * 7919 % expected.len();
            match turn % 5 {
                0 | 1 => {
                    assert_eq!(items.remove(at), expected.remove(at));
                }
                2 => {
                    assert_eq!(items.replace(at, NodeId(new)), std::mem::replace(&mut expected[at], NodeId(new)));
                }
                _ => {
                    let at = if turn % 3 == 0 { expected.len() } else { at };
                    items.insert(at, NodeId(new));
                    expected.insert(at, NodeId(new));
                }
            }
            let wanted = if turn % 11 == 0 { NodeId(5) } else { expected[turn * 31 % expected.len()] };
            let position = expected.iter().position(|item| *item == wanted);
            assert_eq!(items.index_of(wanted), position, "turn {turn}");
            assert_eq!(items.at(at), expected.get(at).copied());
        }
        assert_eq!(items[..], expected[..]);
        items[3] = NodeId(0);
        expected[3] = NodeId(0);
        items.push(NodeId(1));
        expected.push(NodeId(1));
        assert_eq!(items[..], expected[..]);
        assert!(items.clone().into_iter().eq(expected));
    }
}
