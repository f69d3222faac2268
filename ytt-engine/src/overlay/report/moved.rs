//! A key that a `subset` looks for at another place than where it lies, `name` for `metadata.name`, or misspelt.

use super::nearest::{Fix, Meaning};
use super::parts::{Path, at_path};
use crate::diag::{PathStep, suggest};
use crate::nearest::only;
use crate::overlay::compare::leaf;
use crate::overlay::engine::Scene;
use crate::quoted;
use crate::source::{Span, to_u32};
use crate::template::written;
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::{Arena, NodeId, Val};

/// Levels, and items of one value, that are looked through.
const DEPTH: usize = 5;
const ITEMS: usize = 300;

/// The path, by its keys, at which a value has what a leaf of a target asks for: the same key with the same value, once.
fn moved_to(arena: &Arena, left: Val, path: &Path, wanted: Val) -> Option<Vec<String>> {
    let own: Vec<&str> = path.iter().map(|(item, _)| arena.str(arena.key(*item))).collect::<Option<_>>()?;
    let key = *own.last()?;
    let (mut open, mut found, mut left_items) = (vec![(left, Vec::new())], None, ITEMS);
    while let Some((value, above)) = open.pop() {
        let Some(map) = arena.map_of(value) else { continue };
        for &item in arena.items(map) {
            left_items = left_items.checked_sub(1)?;
            let Some(name) = arena.str(arena.key(item)) else { continue };
            let mut here = above.clone();
            here.push(name.to_owned());
            if name == key && leaf(arena, arena.value(item), wanted) && found.replace(here.clone()).is_some() {
                return None;
            }
            if here.len() < DEPTH {
                open.push((arena.value(item), here));
            }
        }
    }
    found.filter(|found| found.iter().map(String::as_str).ne(own.iter().copied()))
}

/// A key of a left map that is written like the first one of a path which is not there, and leads on to what is wanted: its
/// item, and the number of the step. Only if it is the one such key.
fn respelt(arena: &Arena, left: Val, path: &Path, wanted: Val) -> Option<(NodeId, usize)> {
    let mut value = left;
    for (at, (step, _)) in path.iter().enumerate() {
        let (map, key) = (arena.map_of(value)?, arena.key(*step));
        if let Some(item) = arena.find(map, key) {
            value = arena.value(item);
            continue;
        }
        let (own, rest) = (arena.str(key)?, path.get(at.checked_add(1)?..)?);
        let most = (own.chars().count() / 3).max(2);
        let is_meant = |item: &&NodeId| {
            let like = arena.str(arena.key(**item)).and_then(|key| suggest::distance(own, key, most));
            let there = like.and_then(|_| at_path(arena, arena.value(**item), rest));
            there.is_some_and(|(there, _)| leaf(arena, there, wanted))
        };
        let found = arena.items(map).iter().take(ITEMS).filter(is_meant);
        return only(found).map(|item| (*item, at));
    }
    None
}

/// The innermost item on a path of a target that is there.
pub(super) fn deepest(arena: &Arena, left: Val, path: &Path) -> Option<NodeId> {
    (1..path.len()).rev().find_map(|length| at_path(arena, left, path.get(..length)?)?.1)
}

/// What a leaf of a target asks for, under another key.
pub(super) struct Other {
    pub(super) to: Vec<String>,
    /// The left item that has it.
    pub(super) holder: Option<NodeId>,
    pub(super) fix: Option<Fix>,
}

impl Scene<'_> {
    /// Where a left item has what a leaf of a target asks for, if that is under another key: one that lies elsewhere, or
    /// is written alike.
    pub(super) fn under_another_key(
        &self,
        arena: &Arena,
        left: Val,
        (path, wanted): (&Path, Val),
        with_fix: bool,
    ) -> Option<Other> {
        if let Some(to) = moved_to(arena, left, path, wanted) {
            let mut value = left;
            let steps = to.iter().map(|key| {
                let item = arena.find_str(arena.map_of(value)?, key)?;
                value = arena.value(item);
                Some(item)
            });
            let holder = steps.last().flatten();
            let fix = if with_fix { self.move_in_subset(arena, path, &to) } else { None };
            return Some(Other { fix, holder, to });
        }
        let (item, at) = respelt(arena, left, path, wanted)?;
        let key = arena.str(arena.key(item))?;
        let own = path.iter().map(|(item, _)| arena.str(arena.key(*item)).map(str::to_owned));
        let mut to: Vec<String> = own.collect::<Option<_>>()?;
        *to.get_mut(at)? = key.to_owned();
        let fix = if with_fix { self.respell_in_subset(arena, path, at, key) } else { None };
        Some(Other { fix, holder: Some(item), to })
    }

    /// The edit of a key of a target that is written out, or stands in the YAML of a function.
    fn respell_in_subset(&self, arena: &Arena, path: &Path, at: usize, new: &str) -> Option<Fix> {
        let (step, _) = path.get(at)?;
        let old = arena.str(arena.key(*step))?;
        if !needs_no_quotes(new) {
            return None;
        }
        if let Some(span) = arena.span_of(*step) {
            let is_guess = self.is_used_elsewhere(span);
            let fix = || Fix { is_guess, ..Fix::meant(span, new, new.to_owned()) };
            return self.written(span).is_some_and(|written| written == old).then(fix);
        }
        let keys = path.get(..=at)?.iter().map(|(item, _)| arena.str(arena.key(*item)).map(PathStep::Key));
        let keys: Vec<PathStep<'_>> = keys.collect::<Option<_>>()?;
        let span = written::within(self.calls.sources(), self.written_target()?, &keys)?.key?;
        self.written(span).is_some_and(|written| written == old).then(|| Fix::meant(span, new, new.to_owned()))
    }

    /// The argument of the one `subset` of a matcher.
    pub(super) fn written_target(&self) -> Option<Span> {
        let by = self.by_span()?;
        let code = self.written(by)?;
        // Which of several is meant is not known here.
        let at = code.find("subset(").filter(|_| code.matches("subset(").count() == 1)?;
        let call = Span { start: by.start.saturating_add(to_u32(at)), ..by };
        match written::call(self.calls.sources(), call).as_deref() {
            Some([only]) if only.name.is_none() => Some(only.value),
            _ => None,
        }
    }

    /// The edit of a `subset` that is written out, which looks for a leaf at another path.
    fn move_in_subset(&self, arena: &Arena, path: &Path, to: &[String]) -> Option<Fix> {
        let sources = self.calls.sources();
        let target = self.written_target()?;
        let own: Vec<&str> = path.iter().map(|(item, _)| arena.str(arena.key(*item))).collect::<Option<_>>()?;
        let entry = |keys: &[&str]| {
            let steps: Vec<PathStep<'_>> = keys.iter().map(|key| PathStep::Key(key)).collect();
            let found = written::within(sources, target, &steps)?;
            let key = found.key?;
            // With its quotes.
            Some((Span { start: key.start.checked_sub(1)?, end: found.value.end, ..key }, found.value))
        };
        let (whole, value) = entry(&own)?;
        // What of the way is there already stays.
        let same = own.iter().zip(to).take_while(|(own, to)| **own == to.as_str()).count();
        let last = own.len().checked_sub(1)?;
        let (span, rest) = match own.get(..=same).filter(|_| same < last) {
            // Deeper, in the map in which it stands.
            None => (whole, to.get(last..)?),
            // Higher: the maps around hold nothing else.
            Some(way) => {
                let outer = entry(way)?;
                let inside = self.written(outer.0)?;
                (inside.matches(':').count() == own.len().checked_sub(same)?).then_some(())?;
                (outer.0, to.get(same..)?)
            }
        };
        let first = rest.first()?;
        let mut around = own.get(..same).unwrap_or(&own).to_vec();
        around.push(first);
        // A key stands once in a dict.
        if rest.len() > 1 && entry(&around).is_some() {
            return None;
        }
        // The outermost one stands in the braces that are there.
        let (innermost, around) = rest.split_last()?;
        let entry_of = |key: &str, value: &str| format!("{}: {value}", quoted::starlark(key));
        let new = around
            .iter()
            .rev()
            .fold(entry_of(innermost, &self.written(value)?), |inner, key| entry_of(key, &format!("{{{inner}}}")));
        let text = format!("did you mean `{}`?", to.join("."));
        Some(Fix { span, new, text, meaning: Meaning::Elsewhere, is_guess: false, must_mend: false })
    }
}
