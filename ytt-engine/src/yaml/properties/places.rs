//! Where nodes and comments of a file stand: inside of its text, in order, one in the other.

use std::collections::HashSet;

use super::Case;
use crate::source::{Source, Span};
use crate::yaml::{Arena, Body, NodeId, NodeSpan, PosId, Val, comment_text};

/// Places of all nodes below a document set.
pub(super) fn check(arena: &Arena, source: &Source, root: NodeId) {
    let text = source.text.as_str().expect("YAML is UTF-8");
    let mut walk = Walk { arena, text, seen: HashSet::new() };
    let whole = (0, text.len() as u32);
    let mut last = 0;
    for &document in arena.items(root) {
        walk.comments(document);
        let Some(place) = arena.place_of(document) else {
            assert_eq!(arena.value(document), Val::Null, "only the invisible document has no place");
            continue;
        };
        walk.node(document, place, whole);
        assert!(last <= place.start, "documents stand one behind the other");
        last = place.end;
    }
}

struct Walk<'a> {
    arena: &'a Arena,
    text: &'a str,
    /// Copies keep the places of what they are copies of, and so do items of keys on one line.
    seen: HashSet<PosId>,
}

impl Walk<'_> {
    /// A node whose place is new, and everything below; it lies between `bounds`.
    fn node(&mut self, id: NodeId, place: &NodeSpan, bounds: (u32, u32)) {
        let NodeSpan { start, key_end, value, end, .. } = *place;
        let inside = bounds.0 <= start && start <= key_end && key_end <= value && value <= end && end <= bounds.1;
        assert!(inside, "{place:?} of {:?} is not inside {bounds:?}", self.arena.get(id).body);
        for at in [start, key_end, value, end] {
            assert!(self.text.is_char_boundary(at as usize), "{place:?} is inside a character");
        }
        if let Body::MapItem(key, _) = self.arena.get(id).body {
            self.text(key, (start, key_end));
            self.key(key);
        }
        self.text(self.arena.value(id), (value, end));
        self.value(self.arena.value(id), (value, end));
    }

    /// Text that is a part of the source is where its place says, unless it is the copy of an alias.
    fn text(&self, value: Val, (start, end): (u32, u32)) {
        if let Val::Str { text: 1, at, len } = value
            && !self.text[start as usize..end as usize].starts_with('*')
        {
            assert!(start <= at && at + len <= end, "the text at {at} is not inside of {start}..{end}");
        }
    }

    /// A part of a key. All items of keys on one line share one place, by which equal keys are known.
    fn key(&mut self, key: Val) {
        let Val::Node(collection) = key else { return };
        for &item in self.arena.items(collection) {
            let place = self.arena.place_of(item).expect("items of files have places");
            assert!(place.end as usize <= self.text.len(), "{place:?} is outside of the text");
            self.seen.insert(self.arena.get(item).pos);
            self.key(self.arena.key(item));
            self.key(self.arena.value(item));
        }
    }

    fn value(&mut self, value: Val, bounds: (u32, u32)) {
        let Val::Node(collection) = value else { return };
        let mut last = bounds.0;
        for &item in self.arena.items(collection) {
            self.comments(item);
            let pos = self.arena.get(item).pos;
            let place = self.arena.place(pos).expect("items of files have places");
            if !self.seen.insert(pos) {
                // A copy; what is inside of it was seen too.
                continue;
            }
            self.node(item, place, bounds);
            assert!(last <= place.start, "items stand one behind the other");
            last = place.end;
        }
    }

    fn comments(&self, id: NodeId) {
        let mut last = 0;
        for comment in self.arena.comments(id) {
            let Span { start, end, .. } = *comment;
            let text = self.text.get(start as usize..end as usize).expect("a comment is a part of the text");
            assert!(last <= start && text.starts_with('#') && !text.contains(['\n', '\r']), "comment {text:?}");
            last = end;
        }
    }
}

/// The texts of all comments, sorted.
pub(super) fn comments(case: &Case) -> Vec<&str> {
    let count = case.arena.len() as u32;
    let of = |id| case.arena.comments(NodeId(id)).iter().map(|comment| comment_text(&case.source, *comment));
    let mut texts: Vec<&str> = (0..count).flat_map(of).collect();
    texts.sort_unstable();
    texts
}
