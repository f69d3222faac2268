//! Doubtful paths: what a skipped item would have changed. A later problem there may only follow from it.
//!
//! Paths are kept as a tree, so asking costs the length of the path, however many items failed.

use std::collections::{HashMap, HashSet};

use crate::yaml::NodeId;

/// A part of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    Key(String),
    /// The key of a map item with a matcher.
    AnyKey,
    Item,
}

/// Left documents: some, or any.
#[derive(Debug, Default)]
struct Documents {
    any: bool,
    some: HashSet<NodeId>,
}

impl Documents {
    /// So many documents are kept; more are as good as any.
    const MOST: usize = 64;

    fn add(&mut self, documents: Option<&[NodeId]>) {
        match documents {
            Some(documents) if documents.len() <= Documents::MOST => self.some.extend(documents),
            _ => self.any = true,
        }
    }

    fn meet(&self, documents: Option<&[NodeId]>) -> bool {
        match documents {
            _ if self.any => true,
            Some(documents) => documents.iter().any(|document| self.some.contains(document)),
            None => !self.some.is_empty(),
        }
    }
}

/// A tree of doubtful paths.
#[derive(Debug, Default)]
pub(super) struct Doubts {
    /// Documents in which the path ends here.
    here: Documents,
    /// Documents in which a path ends here or below.
    below: Documents,
    inner: HashMap<Part, Doubts>,
}

impl Doubts {
    pub(super) fn add(&mut self, path: &[Part], documents: Option<&[NodeId]>) {
        self.below.add(documents);
        match path.split_first() {
            None => self.here.add(documents),
            Some((first, rest)) => self.inner.entry(first.clone()).or_default().add(rest, documents),
        }
    }

    /// Whether a doubtful path is the same, or one of both is the beginning of the other, in documents that may be the
    /// same.
    pub(super) fn meet(&self, path: &[Part], documents: Option<&[NodeId]>) -> bool {
        if self.here.meet(documents) {
            return true;
        }
        let Some((first, rest)) = path.split_first() else {
            return self.below.meet(documents);
        };
        let enters = |part: &Part| self.inner.get(part).is_some_and(|inner| inner.meet(rest, documents));
        match first {
            Part::Item => enters(first),
            Part::Key(_) => enters(first) || enters(&Part::AnyKey),
            Part::AnyKey => self.inner.iter().any(|(part, inner)| *part != Part::Item && inner.meet(rest, documents)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> Vec<Part> {
        let part = |part: &str| match part {
            "*" => Part::AnyKey,
            "[]" => Part::Item,
            key => Part::Key(key.to_string()),
        };
        text.split('.').map(part).collect()
    }

    #[test]
    fn beginnings_and_documents_decide() {
        let mut doubts = Doubts::default();
        doubts.add(&path("spec.replicas"), Some(&[NodeId(1)]));
        doubts.add(&path("list.[].name"), None);
        for (text, document, expected) in [
            ("spec.replicas", 1, true),
            ("spec.replicas", 2, false),
            ("spec", 1, true),
            ("spec.replicas.x", 1, true),
            ("spec.image", 1, false),
            ("spec.*", 1, true),
            ("list.[]", 9, true),
            ("list.name", 9, false),
        ] {
            assert_eq!(doubts.meet(&path(text), Some(&[NodeId(document)])), expected, "{text} {document}");
        }
        assert!(doubts.meet(&path("spec"), None));
    }
}
