//! Data values by name, and which of them a reader read.

use std::collections::{HashMap, HashSet};

use crate::source::to_u32;
use crate::yaml::readers::{Noted, Read};
use crate::yaml::words::push_item;
use crate::yaml::{Arena, Body, Event, Moment, NodeId, ReaderId, Val};

/// Number of a data value, in the order in which they stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ValueId(pub(super) u32);

/// A data value, or a map or list of them.
#[derive(Clone, Debug)]
pub(super) struct Named {
    /// `app.replicas`; of a library `@lib:app.replicas`.
    pub(super) name: String,
    pub(super) item: NodeId,
    /// The items around it, outermost first: numbers of values, and the document.
    pub(super) above: Vec<NodeId>,
    /// Behind the last value that is below it.
    pub(super) end: ValueId,
    pub(super) is_leaf: bool,
    pub(super) is_list: bool,
}

/// All data values of a render, those of a map behind the map.
pub(super) struct Values {
    pub(super) all: Vec<Named>,
    by_node: HashMap<NodeId, ValueId>,
    /// Documents of values that began with the defaults of a schema.
    defaults: HashSet<NodeId>,
}

impl Values {
    pub(super) fn new(arena: &Arena) -> Values {
        let mut values = Values { all: Vec::new(), by_node: HashMap::new(), defaults: HashSet::new() };
        let mut names = HashMap::<&str, u32>::new();
        for event in arena.events.all() {
            match event {
                Event::Defaults { document } => {
                    values.defaults.insert(*document);
                }
                Event::Values { document, library } => {
                    // A library may be evaluated more than once, each time with values of its own.
                    let count = names.entry(library).or_default();
                    *count = count.saturating_add(1);
                    let prefix = match (&**library, *count) {
                        ("", _) => String::new(),
                        (library, 1) => format!("@{library}:"),
                        (library, count) => format!("@{library}#{count}:"),
                    };
                    values.below(arena, *document, &prefix);
                }
                _ => {}
            }
        }
        values
    }

    /// Adds all values of a document.
    fn below(&mut self, arena: &Arena, document: NodeId, prefix: &str) {
        let mut open = vec![(document, String::new(), Vec::new())];
        // Those whose inside is being added, with how many items are around them.
        let mut inside: Vec<(ValueId, usize)> = Vec::new();
        while let Some((holder, path, above)) = open.pop() {
            let id = ValueId(to_u32(self.all.len()));
            while let Some((before, _)) = inside.pop_if(|(_, depth)| above.len() <= *depth) {
                self.end(before, id);
            }
            let container = if let Val::Node(container) = arena.value(holder) { Some(container) } else { None };
            let items = container.map_or(&[][..], |container| arena.items(container));
            let (name, is_leaf) = match holder == document {
                true => (format!("{prefix}data.values"), false),
                false => (format!("{prefix}{path}"), items.is_empty()),
            };
            let is_list = container.is_some_and(|list| matches!(arena.get(list).body, Body::Array(_)));
            self.all.push(Named { name, item: holder, above: above.clone(), end: id, is_leaf, is_list });
            inside.push((id, above.len()));
            // Of what stands at several places, the first one has the name.
            for node in container.into_iter().chain([holder]) {
                self.by_node.entry(node).or_insert(id);
            }
            let mut around = above;
            around.push(holder);
            for (index, &item) in items.iter().enumerate().rev() {
                let mut path = path.clone();
                push_item(&mut path, arena, item, index);
                open.push((item, path, around.clone()));
            }
        }
        let end = ValueId(to_u32(self.all.len()));
        inside.into_iter().for_each(|(id, _)| self.end(id, end));
    }

    /// Notes which value is the first that is not in one.
    fn end(&mut self, id: ValueId, end: ValueId) {
        if let Some(named) = self.all.get_mut(id.0 as usize) {
            named.end = end;
        }
    }

    /// The first value that a node is.
    pub(super) fn id_of(&self, node: NodeId) -> Option<ValueId> {
        self.by_node.get(&node).copied()
    }

    #[allow(clippy::indexing_slicing, reason = "numbers are of values that were named, and none goes away")]
    pub(super) fn get(&self, id: ValueId) -> &Named {
        &self.all[id.0 as usize]
    }

    /// The values below one that hold nothing themselves.
    pub(super) fn leaves_of(&self, id: ValueId) -> Vec<ValueId> {
        (id.0..self.get(id).end.0).map(ValueId).filter(|id| self.get(*id).is_leaf).collect()
    }

    /// Did the values that an item belongs to begin with a schema's defaults?
    pub(super) fn has_defaults(&self, named: &Named) -> bool {
        named.above.first().is_some_and(|document| self.defaults.contains(document))
    }

    /// The values that were read, each once and in order. Of a map and a value in it, the inner one; but of a value that was
    /// taken whole, only this one. How many items a list has says itself, so it stays beside what was read in it.
    fn named(&self, reads: impl Iterator<Item = Read>) -> Vec<ValueId> {
        let known = |read: Read| Some((*self.by_node.get(&read.item)?, !read.whole));
        let mut found: Vec<(ValueId, bool)> = reads.filter_map(known).collect();
        // A value that was taken whole and read stands there as taken whole first.
        found.sort_unstable();
        found.dedup_by_key(|(id, _)| *id);
        let mut named: Vec<ValueId> = Vec::new();
        let mut whole_until = ValueId(0);
        let mut left = found.iter().peekable();
        while let Some((id, is_part)) = left.next() {
            let Named { end, is_list, .. } = *self.get(*id);
            if *id < whole_until {
                continue;
            }
            if !is_part {
                whole_until = end;
                named.push(*id);
            } else if is_list || left.peek().is_none_or(|(next, _)| *next >= end) {
                named.push(*id);
            }
        }
        named
    }

    /// What an expression read.
    pub(super) fn in_expression(&self, arena: &Arena, reader: Option<ReaderId>) -> Vec<ValueId> {
        self.named(noted_in_expression(arena, reader).filter_map(value_of))
    }

    /// What was read around something before it was made.
    pub(super) fn in_scope(&self, arena: &Arena, moments: impl Iterator<Item = Moment>) -> Vec<ValueId> {
        self.named(noted_in_scope(arena, moments).filter_map(value_of))
    }
}

pub(super) fn noted_in_expression(arena: &Arena, reader: Option<ReaderId>) -> impl Iterator<Item = Noted> {
    let readers = &arena.events.readers;
    reader.into_iter().flat_map(|reader| readers.get(reader).reads.iter().copied())
}

pub(super) fn noted_in_scope(arena: &Arena, moments: impl Iterator<Item = Moment>) -> impl Iterator<Item = Noted> {
    let readers = &arena.events.readers;
    let until = |moment: Moment| readers.get(moment.reader).reads.iter().take(moment.reads as usize).copied();
    moments.flat_map(|moment| readers.chain(Some(moment))).flat_map(until)
}

fn value_of(noted: Noted) -> Option<Read> {
    if let Noted::Value(read) = noted { Some(read) } else { None }
}
