//! Edits of lists of items. Each tells the indexes.
//!
//! Matches are positions in lists; a function may change the list in between.

use super::annotation::{InsertRule, RightKind};
use super::candidates::resolve;
use super::engine::Engine;
use super::matcher::Match;
use crate::yaml::{Arena, Body, Items, NodeId, Val, What};

impl Engine<'_> {
    /// Adds an item at the end.
    pub(super) fn push(&mut self, container: NodeId, item: NodeId) {
        self.follow();
        self.note_placed(Val::Node(item));
        self.note_key();
        self.arena_mut().items_mut(container).push(item);
        self.note_changed(container, What::Added { item });
        self.edited(container, &[], &[item]);
    }

    /// Puts an item at a position; beyond the end nothing happens.
    pub(super) fn put(&mut self, container: NodeId, at: usize, item: NodeId) {
        self.follow();
        self.note_placed(Val::Node(item));
        if at >= self.arena().count(container) {
            return;
        }
        let old = self.arena_mut().items_mut(container).replace(at, item);
        self.note_key();
        self.note_changed(container, What::Replaced { old, item });
        self.note_removed(container, old, Some(item));
        self.edited(container, &[old], &[item]);
    }

    /// A map item that matches by something else than its key may bring a key that is there already.
    fn note_key(&mut self) {
        if self.trail.last().is_some_and(|step| step.by && step.kind == RightKind::MapItem) {
            self.arena_mut().may_repeat_keys = true;
        }
    }

    /// Notes what is placed in the left: its annotations go with those of the left, and a document may act again.
    pub(super) fn note_placed(&mut self, value: Val) {
        let Val::Node(node) = value else {
            return;
        };
        if self.exact {
            self.placed.push(node);
        } else if matches!(self.arena().get(node).body, Body::Doc(_)) {
            self.arena_mut().note_overlaid(node);
        }
    }

    /// Puts new items before and behind others: each is a position, and what is new. `list` is
    /// what the container then has, if others may have changed it.
    pub(super) fn put_beside(
        &mut self,
        container: NodeId,
        list: Option<Vec<NodeId>>,
        new: &[(usize, NodeId)],
        insert: &InsertRule,
    ) {
        if let Some(list) = list
            && *self.arena().items(container) != *list
        {
            *self.arena_mut().items_mut(container) = list.into();
        }
        let times = match (insert.before, insert.after) {
            (false, false) => return,
            (true, true) => 2,
            _ => 1,
        };
        self.follow();
        put_all(self.arena_mut().items_mut(container), new, insert);
        for (_, item) in new {
            self.note_changed(container, What::Added { item: *item });
        }
        let inserted: Vec<NodeId> =
            new.iter().flat_map(|(_, inserted)| std::iter::repeat_n(*inserted, times)).collect();
        self.edited(container, &[], &inserted);
    }

    /// Takes matched items out of their lists: only where they matched.
    pub(super) fn take_out(&mut self, lefts: &[NodeId], found: &[Match]) {
        let mut found = found.to_vec();
        resolve(self.calls.arena(), lefts, &mut found);
        self.follow();
        for here in found.chunk_by(|one, next| one.set == next.set) {
            let Some(&container) = here.first().and_then(|first| lefts.get(first.set as usize)) else {
                continue;
            };
            let taken = remove_found(&mut self.arena_mut(), container, here);
            for item in &taken {
                self.note_removed(container, *item, None);
                self.note_changed(container, What::Removed { item: *item });
            }
            self.edited(container, &taken, &[]);
        }
    }

    /// Brings the indexes up to date with what was changed, before an edit.
    fn follow(&mut self) {
        self.indexes.follow(&self.calls.arena().borrow(), None);
    }

    /// Tells the indexes of an edit that was made: which items of a container are gone, and which are new.
    fn edited(&mut self, container: NodeId, taken: &[NodeId], new: &[NodeId]) {
        self.indexes.edited(&self.calls.arena().borrow(), container, taken, new);
    }
}

/// So many are edited one by one: a pass over a long list would put its pieces together.
const FEW: usize = 8;

/// Puts items before and behind others.
fn put_all(items: &mut Items, new: &[(usize, NodeId)], insert: &InsertRule) {
    if new.len() <= FEW {
        // From the last one on, so that the positions stay right.
        for (at, inserted) in new.iter().rev() {
            if insert.after {
                items.insert(at.saturating_add(1), *inserted);
            }
            if insert.before {
                items.insert(*at, *inserted);
            }
        }
        return;
    }
    let mut next = new.iter().peekable();
    items.change(|items| {
        for (at, item) in std::mem::take(items).into_iter().enumerate() {
            let inserted = next.next_if(|(wanted, _)| *wanted == at).map(|(_, inserted)| *inserted);
            items.extend(inserted.filter(|_| insert.before));
            items.push(item);
            items.extend(inserted.filter(|_| insert.after));
        }
    });
}

/// Removes the items at the positions of `found`; gives what was removed, in order.
fn remove_found(arena: &mut Arena, container: NodeId, found: &[Match]) -> Vec<NodeId> {
    let items = arena.items_mut(container);
    let mut taken = Vec::with_capacity(found.len());
    if found.len() <= FEW {
        for one in found.iter().rev() {
            if (one.at as usize) < items.len() {
                taken.push(items.remove(one.at as usize));
            }
        }
        taken.reverse();
        return taken;
    }
    let (mut next, mut places) = (found.iter().peekable(), 0_usize..);
    let stays = |item: &NodeId| {
        let at = places.next();
        let out = next.next_if(|one| Some(one.at as usize) == at).is_some();
        if out {
            taken.push(*item);
        }
        !out
    };
    items.change(|items| items.retain(stays));
    taken
}
