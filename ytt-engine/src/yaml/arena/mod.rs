//! All nodes of one render: numbers, no pointers, nothing of Starlark.
//!
//! Two places that hold one [`NodeId`] share the node. Which actions share and which copy is fixed by
//! `docs/nodes.md#shared-and-copied`. Scalars are not nodes; documents and items are, since `template.replace` can put
//! one item at two places. `node` has the types, `tree` what is done to whole trees.

mod chunks;
mod items;
mod node;
mod pieces;
mod tree;

use std::collections::HashSet;
use std::sync::Arc;

use chunks::Chunks;
use hashbrown::HashMap;

use super::declared::Declared;
use super::event::Events;
use super::meta::{AnnId, AnnSet, Annotation, NodeSpan, PosId};
use super::outcome::Outcomes;
use crate::source::{Span, to_u32};

pub(crate) use items::Items;
pub(crate) use node::{Body, Node, NodeId, Raw, TooDeep, Val};

/// Owner of all nodes of a render, their texts and places.
#[derive(Debug)]
pub(crate) struct Arena {
    nodes: Chunks<Node>,
    /// Text 0 is empty: [`Val::Str`] with `text: 0` points into `made`.
    texts: Vec<Arc<str>>,
    made: String,
    /// Bytes of texts that code made and that did not fit there.
    apart: usize,
    bytes: Vec<Arc<[u8]>>,
    raw: Vec<Raw>,
    places: Chunks<NodeSpan>,
    anns: Vec<AnnSet>,
    /// Comments from their `#` on, and beside them the nodes that have them: sorted by the nodes.
    comments: Vec<Span>,
    commented: Vec<NodeId>,
    interned: HashMap<Box<str>, Val>,
    /// How many raw lists and dicts were ever placed in nodes: while it stands still, no tree needs converting again.
    raw_placed: u64,
    /// Nodes that were changed since somebody listens, for indexes over them.
    log: Vec<NodeId>,
    listeners: u32,
    /// The document that was merged last, and the count of raw values then: it has neither raw values nor annotations of
    /// overlays.
    merged: Option<(NodeId, u64)>,
    overlaid: HashSet<NodeId>,
    /// An overlay gave an item of a map a key that another item may have.
    pub(crate) may_repeat_keys: bool,
    /// What happened to nodes, if anybody asks.
    pub(crate) events: Events,
    /// What came of the items of overlays, if a lint asks.
    pub(crate) outcomes: Outcomes,
    /// Which declared data values are read, if a lint asks.
    pub(crate) declared: Declared,
    depth: u32,
}

#[allow(
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "the arena gives out numbers and parts of texts itself, and takes nothing away"
)]
impl Arena {
    /// An arena without nodes. `depth` is the limit of that name.
    pub(crate) fn new(depth: u32) -> Arena {
        Arena {
            nodes: Chunks::new(),
            texts: vec!["".into()],
            made: String::new(),
            apart: 0,
            bytes: Vec::new(),
            raw: Vec::new(),
            places: Chunks::new(),
            anns: vec![[].into()],
            comments: Vec::new(),
            commented: Vec::new(),
            interned: HashMap::new(),
            raw_placed: 0,
            log: Vec::new(),
            listeners: 0,
            merged: None,
            overlaid: HashSet::new(),
            may_repeat_keys: false,
            events: Events::default(),
            outcomes: Outcomes::default(),
            declared: Declared::default(),
            depth,
        }
    }

    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    // Nodes.

    pub(crate) fn add(&mut self, body: Body, pos: PosId) -> NodeId {
        NodeId(to_u32(self.nodes.push(Node { body, pos, ann: AnnId(0) })))
    }

    pub(crate) fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn get_mut(&mut self, id: NodeId) -> &mut Node {
        if self.listeners > 0 {
            self.log.push(id);
        }
        &mut self.nodes[id.0 as usize]
    }

    /// Begins to record which nodes are changed; gives the length of the record.
    pub(crate) fn listen(&mut self) -> usize {
        self.listeners = self.listeners.saturating_add(1);
        self.log.len()
    }

    /// Ends what [`Arena::listen`] began. Without listeners nothing is recorded.
    pub(crate) fn unlisten(&mut self) {
        self.listeners = self.listeners.saturating_sub(1);
        if self.listeners == 0 {
            self.log = Vec::new();
        }
    }

    /// Nodes that were changed, in order; some of them more than once.
    pub(crate) fn changed(&self) -> &[NodeId] {
        &self.log
    }

    /// Notes that a merged document is all nodes now, without annotations of overlays.
    pub(crate) fn note_merged(&mut self, document: NodeId) {
        self.merged = Some((document, self.raw_placed));
    }

    /// Whether nothing was placed in a merged document since it was noted that needs a walk through it.
    pub(crate) fn is_merged(&self, document: NodeId) -> bool {
        self.merged == Some((document, self.raw_placed))
    }

    pub(crate) fn note_overlaid(&mut self, document: NodeId) {
        self.overlaid.insert(document);
    }

    pub(crate) fn is_overlaid(&self, document: NodeId) -> bool {
        self.overlaid.contains(&document)
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes in use, without the texts of sources: what the limit `memory` counts.
    #[allow(clippy::arithmetic_side_effects, reason = "a sum of bytes that are in memory, but for eight of each node")]
    pub(crate) fn size(&self) -> usize {
        self.len() * (size_of::<Node>() + 8)
            + self.made.capacity()
            + self.apart
            + self.raw.len() * 64
            + self.places.len() * size_of::<NodeSpan>()
    }

    /// Items of a document set, map or array; nothing for other nodes.
    pub(crate) fn items(&self, id: NodeId) -> &[NodeId] {
        self.get(id).body.items().map_or(&[], |items| items)
    }

    /// Items of a document set, map or array; only these may be asked.
    #[allow(clippy::unreachable, reason = "who changes a list has seen that the node is one")]
    pub(crate) fn items_mut(&mut self, id: NodeId) -> &mut Items {
        let items = self.get_mut(id).body.items_mut();
        items.unwrap_or_else(|| unreachable!("documents and items have no items"))
    }

    /// How many [`Arena::items`] there are.
    pub(crate) fn count(&self, id: NodeId) -> usize {
        self.get(id).body.items().map_or(0, Items::len)
    }

    /// One of [`Arena::items`], by its place.
    pub(crate) fn item_at(&self, id: NodeId, place: usize) -> Option<NodeId> {
        self.get(id).body.items()?.at(place)
    }

    /// The first place of an item among [`Arena::items`]; changes how a long list is kept, and nothing that can be seen.
    pub(crate) fn index_in(&mut self, id: NodeId, item: NodeId) -> Option<usize> {
        self.nodes[id.0 as usize].body.items_mut()?.index_of(item)
    }

    /// Key of a map item; null for other nodes.
    pub(crate) fn key(&self, id: NodeId) -> Val {
        if let Body::MapItem(key, _) = self.get(id).body { key } else { Val::Null }
    }

    /// Value of a document or item; a container is its own value.
    pub(crate) fn value(&self, id: NodeId) -> Val {
        self.entry(id).1
    }

    /// Sets the value of a document or item; does nothing to a container.
    pub(crate) fn set_value(&mut self, id: NodeId, new: Val) {
        if matches!(new, Val::Raw(_)) {
            self.raw_placed = self.raw_placed.saturating_add(1);
        }
        if let Body::Doc(value) | Body::MapItem(_, value) | Body::ArrayItem(value) = &mut self.get_mut(id).body {
            *value = new;
        }
    }

    /// Key and value of a document or item: the key is null where there is none, a container is its own value.
    pub(crate) fn entry(&self, id: NodeId) -> (Val, Val) {
        match self.get(id).body {
            Body::MapItem(key, value) => (key, value),
            Body::Doc(value) | Body::ArrayItem(value) => (Val::Null, value),
            _ => (Val::Null, Val::Node(id)),
        }
    }

    /// Key and value of each item; keys are null where there are none.
    pub(crate) fn entries(&self, id: NodeId) -> impl ExactSizeIterator<Item = (Val, Val)> + '_ {
        self.items(id).iter().map(|&item| self.entry(item))
    }

    /// First item of a map with that key.
    pub(crate) fn find(&self, map: NodeId, key: Val) -> Option<NodeId> {
        self.items(map).iter().copied().find(|&item| self.same(self.key(item), key))
    }

    /// First item of a map with that string key.
    pub(crate) fn find_str(&self, map: NodeId, key: &str) -> Option<NodeId> {
        self.items(map).iter().copied().find(|&item| self.str(self.key(item)) == Some(key))
    }

    /// Equality of scalars by kind and value: NaN is not equal, nodes are equal only to themselves.
    pub(crate) fn same(&self, a: Val, b: Val) -> bool {
        match (a, b) {
            (Val::Str { .. }, Val::Str { .. }) => a == b || self.str(a) == self.str(b),
            (Val::Bytes(a), Val::Bytes(b)) => self.bytes[a as usize] == self.bytes[b as usize],
            _ => a == b,
        }
    }

    /// Are two scalars printed alike?
    pub(crate) fn prints_same(&self, a: Val, b: Val) -> bool {
        match (a, b) {
            (Val::Node(_) | Val::Raw(_), _) | (_, Val::Node(_) | Val::Raw(_)) => false,
            (Val::Float(a), Val::Float(b)) => a.to_bits() == b.to_bits(),
            _ => self.same(a, b),
        }
    }

    // Texts.

    /// Bytes that the text of a value has at most.
    pub(crate) const LONGEST: usize = u32::MAX as usize;

    /// Registers the text of a source; parts of it are then values that cost nothing.
    pub(crate) fn add_text(&mut self, text: Arc<str>) -> u32 {
        let number = to_u32(self.texts.len());
        self.texts.push(text);
        number
    }

    /// A value for text that code made; of more than [`Arena::LONGEST`] bytes the beginning.
    pub(crate) fn make_str(&mut self, text: &str) -> Val {
        let (at, len) = (to_u32(self.made.len()), to_u32(text.len()));
        if at.checked_add(len).is_some_and(|end| end < u32::MAX) {
            self.made.push_str(text);
            return Val::Str { text: 0, at, len };
        }
        // `made` is full: its places have 32 bits.
        let most = text.len().min(Arena::LONGEST);
        let text = (0..=most).rev().find_map(|end| text.get(..end)).unwrap_or_default();
        self.apart = self.apart.saturating_add(text.len());
        Val::Str { text: self.add_text(text.into()), at: 0, len: to_u32(text.len()) }
    }

    /// As [`Arena::make_str`], but each text is stored once: for keys.
    pub(crate) fn intern(&mut self, text: &str) -> Val {
        if let Some(value) = self.interned.get(text) {
            return *value;
        }
        let value = self.make_str(text);
        self.interned.insert(text.into(), value);
        value
    }

    /// A value for bytes: `Str` if they are UTF-8, else `Bytes`.
    pub(crate) fn make_bytes(&mut self, bytes: &[u8]) -> Val {
        match std::str::from_utf8(bytes) {
            Ok(text) => self.make_str(text),
            Err(_) => {
                let number = to_u32(self.bytes.len());
                self.bytes.push(bytes.into());
                Val::Bytes(number)
            }
        }
    }

    pub(crate) fn str(&self, value: Val) -> Option<&str> {
        match value {
            Val::Str { text: 0, at, len } => Some(&self.made[at as usize..][..len as usize]),
            Val::Str { text, at, len } => Some(&self.texts[text as usize][at as usize..][..len as usize]),
            _ => None,
        }
    }

    pub(crate) fn text_bytes(&self, value: Val) -> Option<&[u8]> {
        match value {
            Val::Bytes(number) => Some(&self.bytes[number as usize]),
            _ => self.str(value).map(str::as_bytes),
        }
    }

    // Raw lists and dicts.

    pub(crate) fn add_raw(&mut self, raw: Raw) -> Val {
        let number = to_u32(self.raw.len());
        self.raw.push(raw);
        Val::Raw(number)
    }

    /// The list or dict with the number of a [`Val::Raw`].
    pub(crate) fn raw(&self, number: u32) -> &Raw {
        &self.raw[number as usize]
    }

    /// How many raw lists and dicts were placed so far.
    pub(crate) fn raw_placed(&self) -> u64 {
        self.raw_placed
    }

    // Places, annotations, comments.

    pub(crate) fn add_place(&mut self, place: NodeSpan) -> PosId {
        PosId(to_u32(self.places.push(place)).saturating_add(1))
    }

    pub(crate) fn place(&self, pos: PosId) -> Option<&NodeSpan> {
        self.places.get((pos.0 as usize).checked_sub(1)?)
    }

    pub(crate) fn place_count(&self) -> usize {
        self.places.len()
    }

    /// The places that were added since there were `count`: for readers of a part of a text.
    pub(crate) fn places_from_mut(&mut self, count: usize) -> impl Iterator<Item = &mut NodeSpan> {
        self.places.iter_mut_from(count)
    }

    /// The map that a value is, if it is one that is a node.
    pub(crate) fn map_of(&self, value: Val) -> Option<NodeId> {
        match value {
            Val::Node(id) if matches!(self.get(id).body, Body::Map(_)) => Some(id),
            _ => None,
        }
    }

    /// Place of a node, if it is known.
    pub(crate) fn place_of(&self, id: NodeId) -> Option<&NodeSpan> {
        self.place(self.get(id).pos)
    }

    /// The key or indicator of a node, if its place is known: where labels stand.
    pub(crate) fn span_of(&self, id: NodeId) -> Option<Span> {
        self.place_of(id).map(NodeSpan::key)
    }

    /// Number of a set of annotations; equal sets are not merged, the empty one is 0.
    pub(crate) fn add_anns(&mut self, set: AnnSet) -> AnnId {
        if set.is_empty() {
            return AnnId(0);
        }
        let number = to_u32(self.anns.len());
        self.anns.push(set);
        AnnId(number)
    }

    /// All sets of annotations that were made.
    pub(crate) fn all_anns(&self) -> &[AnnSet] {
        &self.anns
    }

    pub(crate) fn anns(&self, ann: AnnId) -> &AnnSet {
        &self.anns[ann.0 as usize]
    }

    pub(crate) fn anns_of(&self, id: NodeId) -> &AnnSet {
        self.anns(self.get(id).ann)
    }

    /// The annotation of that name that counts: the last one.
    pub(crate) fn ann(&self, id: NodeId, name: &str) -> Option<&Annotation> {
        self.anns_of(id).iter().rev().find(|annotation| &*annotation.name == name)
    }

    /// Removes the annotations of `id` whose names begin with `prefix`.
    pub(crate) fn remove_anns(&mut self, id: NodeId, prefix: &str) {
        if self.anns_of(id).iter().any(|annotation| annotation.name.starts_with(prefix)) {
            let rest =
                self.anns_of(id).iter().filter(|annotation| !annotation.name.starts_with(prefix)).cloned().collect();
            self.get_mut(id).ann = self.add_anns(rest);
        }
    }

    /// Gives comments to nodes, those of one node in order.
    pub(crate) fn add_comments(&mut self, mut given: Vec<(NodeId, Span)>) {
        given.sort_by_key(|(node, _)| *node);
        let Some((first, _)) = given.first() else {
            return;
        };
        // Nodes of a later document have greater numbers, so this is rare.
        if self.commented.last().is_some_and(|last| last > first) {
            let known = self.commented.drain(..).zip(self.comments.drain(..));
            given = known.chain(given).collect();
            given.sort_by_key(|(node, _)| *node);
        }
        self.commented.extend(given.iter().map(|(node, _)| *node));
        self.comments.extend(given.iter().map(|(_, comment)| *comment));
    }

    /// Comments of a node read from a file, in order. Copies have none.
    pub(crate) fn comments(&self, id: NodeId) -> &[Span] {
        let from = self.commented.partition_point(|node| *node < id);
        let count = self.commented[from..].iter().take_while(|node| **node == id).count();
        &self.comments[from..][..count]
    }

    /// Is this document value dropped from the output: null, or a map or array node without items?
    pub(crate) fn is_empty_document(&self, document: NodeId) -> bool {
        match self.value(document) {
            Val::Null => true,
            Val::Node(id) => self.count(id) == 0,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;

    #[test]
    fn comments_of_a_node_stay_together() {
        let mut arena = Arena::new(10);
        let comment = |at| Span::new(SourceId(0), at, at + 1);
        for given in [vec![(0, 1), (7, 3), (0, 2)], vec![], vec![(9, 7)], vec![(7, 6), (0, 4), (0, 5)]] {
            arena.add_comments(given.into_iter().map(|(node, at)| (NodeId(node), comment(at))).collect());
        }
        assert_eq!(arena.comments(NodeId(0)), [1, 2, 4, 5].map(comment));
        assert_eq!(arena.comments(NodeId(7)), [3, 6].map(comment));
        assert_eq!(arena.comments(NodeId(1)), []);
    }
}
