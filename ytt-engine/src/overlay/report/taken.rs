//! Whom an overlay is meant for, as far as what stands around it tells: the words of its lines, and which documents other
//! overlays of its file name.

use super::nearest::{COMPARISONS, Near};
use crate::call::{Matcher, Seen};
use crate::nearest::only;
use crate::overlay::annotation::MATCH;
use crate::overlay::compare::is_part;
use crate::overlay::engine::Scene;
use crate::overlay::matcher::Target;
use crate::template::word;
use crate::yaml::{Arena, NodeId, Val};

/// Overlays of one file that are asked.
const OVERLAYS: usize = 40;
/// Letters of a word that says anything.
const SHORTEST: usize = 3;

/// Keys below which resources of one project have the same, as a rule.
const EVERYWHERE: [&str; 8] = [
    "labels",
    "annotations",
    "namespace",
    "finalizers",
    "imagePullPolicy",
    "imagePullSecrets",
    "nodeSelector",
    "tolerations",
];

impl Scene<'_> {
    /// Of some documents those that another overlay of the file of `right` names, each with that overlay.
    pub(super) fn taken(&self, right: NodeId, found: &[NodeId]) -> Vec<(NodeId, NodeId)> {
        let others: Vec<(NodeId, Target)> = {
            let arena = self.arena();
            let Some(own) = arena.span_of(right) else { return Vec::new() };
            let is_other = |overlay: &NodeId| {
                arena.get(*overlay).pos != arena.get(right).pos
                    && arena.span_of(*overlay).is_some_and(|span| span.source == own.source)
            };
            let target = |overlay: NodeId| {
                let args = self.calls.args(arena.ann(overlay, MATCH)?.args);
                let (_, by) = args.named.iter().find(|(name, _)| &**name == "by")?;
                match self.calls.see(*by) {
                    Seen::Matcher(Matcher::Subset(target)) => Some((overlay, Target::Live(target))),
                    _ => None,
                }
            };
            self.overlays.iter().copied().filter(is_other).take(OVERLAYS).filter_map(target).collect()
        };
        if others.len().saturating_mul(found.len()) > COMPARISONS {
            return Vec::new();
        }
        let named = |(overlay, mut target): (NodeId, Target)| {
            let wanted = self.target_nodes(&mut target)?;
            let arena = self.arena();
            // Who takes several of them names none.
            only(found.iter().copied().filter(|one| is_part(&arena, arena.value(*one), wanted)))
                .map(|one| (overlay, one))
        };
        others.into_iter().filter_map(named).collect()
    }

    /// The lines of a right item, with the comments above them.
    pub(super) fn lines_around(&self, arena: &Arena, right: NodeId) -> Vec<String> {
        let Some(place) = arena.place_of(right) else { return Vec::new() };
        let source = self.calls.sources().get(place.source);
        let is_comment = |line: &u32| source.line_text(*line).trim_start().starts_with('#');
        let first = source.line(place.start);
        let above = (1..first).rev().take_while(is_comment).last().unwrap_or(first);
        (above..=source.line(place.end)).map(|line| source.line_text(line)).collect()
    }

    /// The only one of the values that the lines of a right item name, with the comments above them.
    pub(super) fn named_around(&self, arena: &Arena, right: NodeId, values: impl Iterator<Item = Val>) -> Option<Val> {
        let lines = self.lines_around(arena, right);
        let all: Vec<(&str, Val)> = values.filter_map(|value| Some((arena.str(value)?, value))).collect();
        let whole = all.iter().filter(|(name, _)| is_said(&lines, name)).map(|(_, value)| *value);
        if let Some(named) = only(whole.clone()) {
            return Some(named);
        }
        // `web_replicas` speaks of `ticket-web`, beside `ticket-redis`.
        let is_own = |word: &str, name: &str| {
            word.len() > 2 && all.iter().all(|(other, _)| *other == name || !words(other).any(|one| one == word))
        };
        // Keys are of the schema of what is changed: `image:` says nothing of `build-image`.
        let said = |line: &str| line.split_once(": ").map_or(line, |(_, value)| value).to_owned();
        let said: Vec<String> = lines.iter().map(|line| said(line)).collect();
        let is_spoken = |word: &str| said.iter().any(|line| words(line).any(|one| one == word));
        let by_word = |name: &str| words(name).any(|word| is_own(word, name) && is_spoken(word));
        let parts = all.iter().filter(|(name, _)| by_word(name)).map(|(_, value)| *value);
        if whole.count() > 0 { None } else { only(parts) }
    }

    /// The only one of the values that the name of the file of a right item has; of `web` and `web-admin` the longer one.
    pub(super) fn named_by_file(&self, arena: &Arena, right: NodeId, values: impl Iterator<Item = Val>) -> Option<Val> {
        let source = self.calls.sources().get(arena.span_of(right)?.source);
        let name = source.name.rsplit('/').next()?;
        let stem = [name.split_once('.').map_or(name, |(stem, _)| stem).to_owned()];
        let said = |value: &Val| arena.str(*value).filter(|word| is_said(&stem, word)).map(|word| (word, *value));
        let said: Vec<(&str, Val)> = values.filter_map(|value| said(&value)).collect();
        let (longest, value) = said.iter().max_by_key(|(word, _)| word.len())?;
        let is_only = said.iter().filter(|(word, _)| word == longest).count() == 1;
        (is_only && said.iter().all(|(word, _)| longest.contains(word))).then_some(*value)
    }

    /// Whether all that a document of an overlay changes is what people change everywhere alike.
    pub(super) fn is_for_all(&self, right: NodeId) -> bool {
        let arena = self.arena();
        let Some(map) = arena.map_of(arena.value(right)) else { return false };
        let mut open = vec![map];
        let mut left = COMPARISONS;
        while let Some(map) = open.pop() {
            for &item in arena.items(map) {
                let Some(rest) = left.checked_sub(1) else { return false };
                left = rest;
                if arena.str(arena.key(item)).is_some_and(|key| EVERYWHERE.contains(&key)) {
                    continue;
                }
                match arena.map_of(arena.value(item)).filter(|map| arena.count(*map) > 0) {
                    Some(inner) => open.push(inner),
                    None => return false,
                }
            }
        }
        arena.count(map) > 0
    }

    /// The document of another file that one is probably meant for which says of none: it has all that is changed, and is
    /// the only such one that the lines speak of, or that no other overlay of the file names.
    pub(super) fn probably_for(&self, document: NodeId) -> Option<NodeId> {
        let fitting: Vec<NodeId> = {
            let arena = self.arena();
            let own = arena.span_of(document)?.source;
            let changes_any = arena.map_of(arena.value(document)).is_some_and(|map| arena.count(map) > 0);
            let is_other = |other: &NodeId| arena.span_of(*other).is_some_and(|span| span.source != own);
            let all = self.sets.iter().flat_map(|set| arena.items(*set)).copied().filter(is_other);
            let fits = |other: &NodeId| self.has_all(&arena, arena.value(*other), arena.value(document), 0);
            all.take(COMPARISONS).filter(|_| changes_any).filter(fits).collect()
        };
        let taken = self.taken(document, &fitting);
        let arena = self.arena();
        let lines: Vec<String> = self.lines_around(&arena, document).iter().map(|line| line.to_lowercase()).collect();
        let is_named = |other: &NodeId| {
            let map = arena.map_of(arena.value(*other));
            let kind = map.and_then(|map| arena.str(arena.value(arena.find_str(map, "kind")?)));
            kind.is_some_and(|kind| is_said(&lines, &kind.to_lowercase()))
        };
        let is_free = |other: &NodeId| taken.iter().all(|(_, one)| one != other);
        only(fitting.iter().copied().filter(is_named)).or_else(|| only(fitting.iter().copied().filter(is_free)))
    }

    /// What nothing matched, as its rule allows, differs from what is there in capital letters only.
    pub(super) fn differs_in_case(&self, near: &Near) -> bool {
        let Some(fix) = &near.fix else { return false };
        let old = self.written(fix.span).unwrap_or_default();
        let [old, new] = [&*old, &*fix.new].map(|text| text.trim_matches(['"', '\'']).to_lowercase());
        !new.is_empty() && old == new
    }
}

/// Whether lines say a word.
pub(super) fn is_said(lines: &[String], word: &str) -> bool {
    let is_of_word = |letter: char| letter.is_alphanumeric();
    word.len() >= SHORTEST && lines.iter().any(|line| word::apart(line, word, is_of_word).next().is_some())
}

/// The words that a name or a line is made of.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty())
}
