//! Keys that an overlay adds where the base has another name for them now: the value under that name stays as it was.
//!
//! Where what is missing may be added, nothing else tells of it. Names alone say little, so all of it has to speak for it: an
//! overlay of an environment adds a value of that environment, the only key of the map with the same last word that no overlay
//! sets has the same value of another one, it begins as other keys of the map do and the added one does not, and nothing else
//! names either of the two.

use std::collections::HashSet;

use super::engine::Engine;
use super::problem::{Added, OldKey, Warning};
use crate::diag::suggest::words;
use crate::nearest::ENVIRONMENTS;
use crate::source::{SourceId, SourceMap};
use crate::yaml::{Arena, NodeId};

/// Bytes of files that are looked through for the names of keys.
const BYTES: usize = 4_000_000;

/// Words of keys that have the value of another environment with good reason.
const OTHERS: [&str; 24] = [
    "backup",
    "copy",
    "dest",
    "destination",
    "fallback",
    "from",
    "import",
    "legacy",
    "migration",
    "mirror",
    "old",
    "origin",
    "other",
    "peer",
    "preview",
    "previous",
    "remote",
    "replica",
    "restore",
    "secondary",
    "source",
    "src",
    "target",
    "upstream",
];

/// Words of values that say nothing of what they name.
const EMPTY: [&str; 11] = ["cluster", "com", "false", "http", "https", "localhost", "net", "org", "svc", "true", "www"];

impl Engine<'_> {
    /// Warns of added keys that are the old names of others, when all overlays were applied.
    pub(super) fn warn_old_keys(&mut self, added: &[Added]) {
        let found: Vec<OldKey> = {
            let (arena, sources) = (self.arena(), self.calls.sources());
            let overlays: HashSet<SourceId> =
                self.overlays.iter().filter_map(|overlay| Some(arena.span_of(*overlay)?.source)).collect();
            let mut left = BYTES;
            let found = added.iter().filter_map(|one| {
                let found = old_key(&arena, sources, &overlays, one)?;
                let [key, kept] = [found.item, found.left].map(|item| arena.str(arena.key(item)));
                let is_alone = is_nowhere(sources, |source| !overlays.contains(&source), key?, &mut left)
                    && is_nowhere(sources, |source| overlays.contains(&source), kept?, &mut left);
                is_alone.then_some(found)
            });
            found.collect()
        };
        for one in found {
            let pos = self.arena().get(one.item).pos;
            if self.warned.insert(pos) {
                self.warn(Warning::OldKey(one));
            }
        }
    }
}

/// The key that has taken the place of an added one.
fn old_key(arena: &Arena, sources: &SourceMap, overlays: &HashSet<SourceId>, one: &Added) -> Option<OldKey> {
    let text = |item: NodeId| Some((arena.str(arena.key(item))?, arena.str(arena.value(item))?));
    let (key, value) = text(one.item)?;
    let file = sources.get(arena.span_of(one.item)?.source).shown_name();
    let environment = words(value).into_iter().find(|word| is_environment(word))?;
    let is_of_it = words(&file).iter().any(|word| is_environment(word) && is_same(word, &environment));
    let is_there = is_of_it && arena.find(one.map, arena.key(one.item)) == Some(one.item);
    let own = words(key);
    let last = own.last().filter(|last| is_there && last.len() > 2 && !is_of_others(&own))?;
    let is_left = |item: &NodeId| {
        let is_set = arena.span_of(*item).is_none_or(|span| overlays.contains(&span.source));
        *item != one.item && !is_set && arena.str(arena.key(*item)).is_some_and(|key| words(key).last() == Some(last))
    };
    let mut alike = arena.items(one.map).iter().copied().filter(is_left);
    let (left, None) = (alike.next()?, alike.next()) else { return None };
    let (other, kept) = text(left)?;
    let is_old = !is_of_others(&words(other)) && is_of_other_environment(value, kept);
    // Keys of one program begin with its name: two different first words alone are two things.
    let first = words(other).into_iter().next()?;
    let begins = |item: &&NodeId| arena.str(arena.key(**item)).is_some_and(|key| words(key).first() == Some(&first));
    let is_old = is_old
        && own.first() != Some(&first)
        && arena.items(one.map).iter().filter(|item| **item != left).filter(begins).count() > 1;
    is_old.then_some(OldKey { item: one.item, left })
}

fn is_environment(word: &str) -> bool {
    ENVIRONMENTS.contains(&word)
}

/// `prod` and `production`, `stage` and `staging`.
fn is_same(one: &str, other: &str) -> bool {
    let is_stage = |word: &str| matches!(word, "stage" | "staging");
    one.starts_with(other) || other.starts_with(one) || is_stage(one) && is_stage(other)
}

fn is_of_others(key: &[String]) -> bool {
    key.iter().any(|word| OTHERS.contains(&&**word) || is_environment(word))
}

/// Are two values the same but for one word, the environment?
fn is_of_other_environment(one: &str, other: &str) -> bool {
    let (one, other) = (words(one), words(other));
    let pairs = || one.iter().zip(&other);
    let mut apart = pairs().filter(|(one, other)| one != other);
    let (Some((first, second)), None) = (apart.next(), apart.next()) else { return false };
    let says = |word: &str| word.len() > 2 && word.contains(char::is_alphabetic) && !EMPTY.contains(&word);
    one.len() == other.len()
        && is_environment(first)
        && is_environment(second)
        && !is_same(first, second)
        && pairs().any(|(one, other)| one == other && says(one) && !is_environment(one))
}

/// Does none of these files name a key?
fn is_nowhere(sources: &SourceMap, are_asked: impl Fn(SourceId) -> bool, key: &str, left: &mut usize) -> bool {
    let all = sources.all();
    let mut asked = (0..).map(SourceId).zip(&all).filter(|(id, _)| are_asked(*id));
    asked.all(|(_, source)| {
        let text = source.text.as_bytes();
        let Some(rest) = left.checked_sub(text.len()) else { return false };
        *left = rest;
        !String::from_utf8_lossy(text).contains(key)
    })
}
