//! Where the names of an expression were set: what an explanation of its value tells.

#![cfg_attr(all(not(feature = "explain"), not(test)), expect(dead_code, reason = "an explanation asks"))]

use std::collections::{HashMap, HashSet};

use super::walk::Walk;
use super::{Binder, Bound, FileCode};
use crate::source::Span;

/// At most so many are told of one expression.
const MOST: usize = 50;

/// What gave a name its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Set {
    /// The name; of a loop all its variables.
    pub(crate) name: Span,
    /// The name and what it was set to: `NAME = VALUE`, `VARS in OVER`.
    pub(crate) whole: Span,
}

/// The names that a file reads and one place alone sets.
#[derive(Debug)]
pub(super) struct Sets {
    /// In order of where they are read.
    read: Vec<(Span, Set)>,
}

impl FileCode {
    /// What set the names that the code in a part of the file reads, then those of that, each once.
    ///
    /// Only names that one assignment or loop alone sets: which of several ran, the code does not say.
    pub(crate) fn sets(&self, part: Span) -> Vec<Set> {
        let sets = self.sets.get_or_init(|| Sets::of(self, self.walk()));
        let (mut found, mut known, mut next) = (Vec::new(), HashSet::new(), 0);
        let mut parts = vec![part];
        while let Some(part) = parts.get(next).copied() {
            next = next.saturating_add(1);
            for set in sets.within(part) {
                if found.len() < MOST && known.insert(set.name) {
                    found.push(set);
                    parts.push(Span { start: set.name.end, ..set.whole });
                }
            }
        }
        found
    }
}

impl Sets {
    fn of(code: &FileCode, walk: &Walk) -> Sets {
        let mut bound: HashMap<(usize, &str), Vec<&Bound>> = HashMap::new();
        for (scope, name, by) in &walk.bound {
            bound.entry((*scope, name)).or_default().push(by);
        }
        let changed: HashSet<(usize, &str)> =
            walk.changed.iter().map(|(scope, name, _)| (*scope, code.written(*name))).collect();
        let find = |mut scope: usize, name: &str| loop {
            if let Some(all) = bound.get(&(scope, name)) {
                let [one] = all[..] else { return None };
                return set(one).filter(|_| !changed.contains(&(scope, name)));
            }
            scope = walk.outer(scope)?;
        };
        let found = walk.read.iter().filter_map(|(scope, span)| Some((*span, find(*scope, code.written(*span))?)));
        let mut read: Vec<(Span, Set)> = found.collect();
        read.sort_by_key(|(span, _)| span.start);
        Sets { read }
    }

    fn within(&self, part: Span) -> impl Iterator<Item = Set> {
        let first = self.read.partition_point(|(span, _)| span.start < part.start);
        let behind = self.read.get(first..).unwrap_or_default().iter();
        behind.take_while(move |(span, _)| span.end <= part.end).map(|(_, set)| *set)
    }
}

fn set(bound: &Bound) -> Option<Set> {
    match bound.by {
        Binder::Value(value) | Binder::Part(value) => {
            Some(Set { name: bound.name, whole: Span { end: value.end, ..bound.name } })
        }
        Binder::Loop { vars, over } => Some(Set { name: vars, whole: Span { end: over.end, ..vars } }),
        Binder::Parameter(_) | Binder::Load | Binder::Def => None,
    }
}
