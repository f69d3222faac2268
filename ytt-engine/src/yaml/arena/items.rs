//! The numbers of the nodes in a collection. Most collections are small, so few numbers are kept in place.

use std::ops::{Deref, DerefMut};

use super::NodeId;

/// As many are kept in place: what fits where a `Vec` has its pointer and length.
const FEW: usize = 4;

/// No node has this number.
const NONE: NodeId = NodeId(u32::MAX);

/// A list of nodes, as large as a `Vec`; it is read and changed as a slice.
#[derive(Clone)]
pub(crate) struct Items(Kept);

#[derive(Clone)]
enum Kept {
    /// Behind the last node there is [`NONE`].
    Few([NodeId; FEW]),
    Many(Vec<NodeId>),
}

impl Items {
    pub(crate) fn push(&mut self, item: NodeId) {
        self.insert(self.len(), item);
    }

    /// Inserts at a place that is at most the length.
    pub(crate) fn insert(&mut self, at: usize, item: NodeId) {
        let length = self.len();
        match &mut self.0 {
            Kept::Few(few) if length < FEW => {
                few.copy_within(at..length, at + 1);
                few[at] = item;
            }
            Kept::Few(few) => {
                let mut many = Vec::with_capacity(2 * FEW);
                many.extend_from_slice(few);
                many.insert(at, item);
                self.0 = Kept::Many(many);
            }
            Kept::Many(many) => many.insert(at, item),
        }
    }

    /// Changes the list as a `Vec`: what needs more than single items.
    pub(crate) fn change<R>(&mut self, change: impl FnOnce(&mut Vec<NodeId>) -> R) -> R {
        let mut items = match std::mem::take(self).0 {
            Kept::Few(few) => few.into_iter().take_while(|item| *item != NONE).collect(),
            Kept::Many(many) => many,
        };
        let result = change(&mut items);
        *self = Items::from(items);
        result
    }

    /// Removes the item at a place that is below the length.
    pub(crate) fn remove(&mut self, at: usize) -> NodeId {
        match &mut self.0 {
            Kept::Few(few) => {
                let item = few[at];
                few.copy_within(at + 1.., at);
                few[FEW - 1] = NONE;
                item
            }
            Kept::Many(many) => many.remove(at),
        }
    }
}

impl Default for Items {
    fn default() -> Items {
        Items(Kept::Few([NONE; FEW]))
    }
}

impl Deref for Items {
    type Target = [NodeId];

    fn deref(&self) -> &[NodeId] {
        match &self.0 {
            Kept::Few(few) => &few[..few.iter().position(|item| *item == NONE).unwrap_or(FEW)],
            Kept::Many(many) => many,
        }
    }
}

impl DerefMut for Items {
    fn deref_mut(&mut self) -> &mut [NodeId] {
        match &mut self.0 {
            Kept::Few(few) => {
                let length = few.iter().position(|item| *item == NONE).unwrap_or(FEW);
                &mut few[..length]
            }
            Kept::Many(many) => many,
        }
    }
}

impl From<&[NodeId]> for Items {
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
        // Over the edge and back, at changing places.
        for (step, grows) in [(9, true), (8, false), (3, true), (4, false)] {
            for number in 0..step {
                let at = number * 7 % (expected.len() + usize::from(grows));
                if grows {
                    items.insert(at, NodeId(number as u32));
                    expected.insert(at, NodeId(number as u32));
                } else {
                    assert_eq!(items.remove(at), expected.remove(at));
                }
                assert_eq!(items[..], expected[..]);
                assert_eq!(Items::from(expected.clone())[..], expected[..]);
            }
        }
        items.change(|items| items.extend([7, 8, 9, 10].map(NodeId)));
        assert_eq!(items.clone().into_iter().count(), expected.len() + 4);
        items.change(|items| items.retain(|item| item.0 == 7));
        items.push(NodeId(1));
        items[0] = NodeId(2);
        assert_eq!(items.first(), Some(&NodeId(2)));
    }
}
