//! Which declared data values are read, if a lint asks for it.
//!
//! A declaration is known by its place, and stands for a value in each evaluation of its library: what one of them reads is
//! used. Reads are those that happened: an item that was asked for, or a map of which all was looked at.

use std::collections::{HashMap, HashSet};

use super::arena::{Arena, NodeId, Val};
use super::meta::PosId;
use crate::source::to_u32;

/// A declared value of one evaluation of a library.
#[derive(Clone, Copy, Debug)]
struct Entry {
    pos: PosId,
    key: Val,
    /// Number of the entry of the map around it; its own for the outermost ones.
    around: u32,
    /// The map that holds it.
    map: NodeId,
    /// The item that has the final value.
    item: NodeId,
}

/// A declaration over the whole render.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) pos: PosId,
    pub(crate) key: Val,
    /// The number of the one around it.
    pub(crate) around: Option<usize>,
    /// Those in it, by their numbers.
    pub(crate) inside: Vec<usize>,
    /// Code asked for it, or for all that is around it.
    pub(crate) is_read: bool,
}

/// What is declared, before the values are merged: each with the number of the one around it.
pub(crate) type Wanted = Vec<(Option<usize>, Val, PosId)>;

/// All declared values of a render, and who was read.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    kept: bool,
    entries: Vec<Entry>,
    items: HashSet<NodeId>,
    maps: HashSet<NodeId>,
}

impl Declared {
    pub(crate) fn keep(&mut self) {
        self.kept = true;
    }

    pub(crate) fn kept(&self) -> bool {
        self.kept
    }

    /// Code asked for the value of an item.
    pub(crate) fn read(&mut self, item: NodeId) {
        if self.kept {
            self.items.insert(item);
        }
    }

    /// Code looked at all of a map.
    pub(crate) fn read_whole(&mut self, map: NodeId) {
        if self.kept {
            self.maps.insert(map);
        }
    }
}

impl Arena {
    /// The items of a document of data values as what they declare: without a schema, those of the first document.
    pub(crate) fn wanted(&self, document: NodeId) -> Wanted {
        let (mut wanted, mut open) = (Vec::new(), vec![(None, document)]);
        while let Some((around, holder)) = open.pop() {
            let Some(map) = self.map_of(self.value(holder)) else { continue };
            for &item in self.items(map) {
                open.push((Some(wanted.len()), item));
                wanted.push((around, self.key(item), self.get(item).pos));
            }
        }
        wanted
    }

    /// Notes which items of the final values of a library stand for what is declared.
    pub(crate) fn note_declared(&mut self, wanted: &Wanted, document: NodeId) {
        // A list of all items by their maps would cost more than most maps have.
        let mut by_key = HashMap::new();
        let mut entries: Vec<Option<u32>> = Vec::with_capacity(wanted.len());
        for (around, key, pos) in wanted {
            let holder = match around {
                None => Some((document, None)),
                Some(at) => entries.get(*at).copied().flatten().and_then(|at| {
                    let around = self.declared.entries.get(at as usize)?;
                    Some((around.item, Some(at)))
                }),
            };
            let found = holder.and_then(|(holder, at)| {
                let map = self.map_of(self.value(holder))?;
                let by_key = by_key.entry(map).or_insert_with(|| super::keys::MapIndex::new(self, map));
                let index = by_key.find(self, map, *key)?;
                Some((map, *self.items(map).get(index)?, at))
            });
            // What is not there, since the map around it is null, is not known to be of no use.
            entries.push(found.map(|(map, item, around)| {
                let own = to_u32(self.declared.entries.len());
                self.declared.entries.push(Entry { pos: *pos, key: *key, around: around.unwrap_or(own), map, item });
                own
            }));
        }
    }

    /// Notes that an item is read with all that is in it.
    pub(crate) fn note_read_whole(&mut self, item: NodeId) {
        if self.declared.kept {
            self.declared.items.insert(item);
            if let Some(map) = self.map_of(self.value(item)) {
                self.declared.maps.insert(map);
            }
        }
    }

    /// All declarations, those of a map behind it.
    #[allow(
        clippy::indexing_slicing,
        reason = "an entry comes behind the one around it, whose place has a number then"
    )]
    pub(crate) fn declarations(&self) -> Vec<Declaration> {
        let Declared { entries, items, maps, .. } = &self.declared;
        let (mut all, mut numbers) = (Vec::<Declaration>::new(), HashMap::<PosId, usize>::new());
        // Of each entry: all that is in it was read.
        let mut whole = Vec::with_capacity(entries.len());
        for (own, entry) in entries.iter().enumerate() {
            let around = (entry.around as usize != own).then_some(entry.around as usize);
            let is_in_whole = maps.contains(&entry.map) || around.is_some_and(|around| whole[around]);
            whole.push(is_in_whole);
            let number = *numbers.entry(entry.pos).or_insert_with(|| {
                let number = all.len();
                all.push(Declaration {
                    pos: entry.pos,
                    key: entry.key,
                    inside: Vec::new(),
                    around: None,
                    is_read: false,
                });
                number
            });
            all[number].is_read |= is_in_whole || items.contains(&entry.item);
            let outer = around.map(|around| numbers[&entries[around].pos]).filter(|outer| *outer != number);
            if let (Some(outer), None) = (outer, all[number].around) {
                all[number].around = Some(outer);
                all[outer].inside.push(number);
            }
        }
        all
    }
}
