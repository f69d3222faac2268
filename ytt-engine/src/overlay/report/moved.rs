//! A key that a `subset` looks for at another place than where it lies: `name` for `metadata.name`.

use super::nearest::{Fix, Meaning, Path};
use crate::diag::PathStep;
use crate::overlay::compare::leaf;
use crate::overlay::engine::Scene;
use crate::quoted;
use crate::source::{Span, to_u32};
use crate::template::written;
use crate::yaml::{Arena, Val};

/// Levels, and items of one value, that are looked through.
const DEPTH: usize = 5;
const ITEMS: usize = 300;

/// The path, by its keys, at which a value has what a leaf of a target asks for: the same key with the same value, once.
pub(super) fn moved_to(arena: &Arena, left: Val, path: &Path, wanted: Val) -> Option<Vec<String>> {
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

impl Scene<'_> {
    /// The edit of a `subset` that is written out, which looks for a leaf at another path.
    pub(super) fn move_in_subset(&self, arena: &Arena, path: &Path, to: &[String]) -> Option<Fix> {
        let sources = self.calls.sources();
        let by = self.by_span()?;
        let code = self.written(by)?;
        // Which of several is meant is not known here.
        let at = code.find("subset(").filter(|_| code.matches("subset(").count() == 1)?;
        let call = Span { start: by.start.saturating_add(to_u32(at)), ..by };
        let target = match written::call(sources, call).as_deref() {
            Some([only]) if only.name.is_none() => only.value,
            _ => return None,
        };
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
        let entry_of = |key: &str, value: &str| format!("{}: {value}", quoted::go(key.as_bytes()));
        let new = around
            .iter()
            .rev()
            .fold(entry_of(innermost, &self.written(value)?), |inner, key| entry_of(key, &format!("{{{inner}}}")));
        let text = format!("did you mean `{}`?", to.join("."));
        Some(Fix { span, new, text, meaning: Meaning::Elsewhere, is_guess: false, must_mend: false })
    }
}
