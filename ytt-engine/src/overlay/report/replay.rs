//! Functions of the user's own, run on paper: where they ended for an item, and by which values.

use super::words::scalar_text;
use crate::diag::Diagnostic;
use crate::overlay::annotation::RightKind;
use crate::overlay::engine::Scene;
use crate::overlay::problem::Unmet;
use crate::source::Span;
use crate::template::code::{Replay, Taken};
use crate::yaml::{Arena, Body, NodeId, Val};

/// Ends of a function that are shown.
const ENDS: usize = 2;
/// Keys by which people tell items of a list apart.
const NAMES: [&str; 3] = ["name", "id", "key"];

impl Scene<'_> {
    /// Where the function of a matcher refused the items that came furthest in it.
    pub(super) fn refusals(&self, unmet: &Unmet, lefts: &[NodeId]) -> Vec<(Span, String)> {
        let Some(by) = self.by_span() else { return Vec::new() };
        let argument = self.value_in(by);
        let (arena, sources) = (self.arena(), self.calls.sources());
        let right = arena.value(unmet.right);
        let Some(replay) = Replay::of(sources, &arena, argument) else { return Vec::new() };
        let mut ends: Vec<(Taken, Vec<String>)> = Vec::new();
        for (number, &left) in lefts.iter().enumerate() {
            let first = match unmet.kind {
                RightKind::MapItem => arena.key(left),
                _ => Val::Int(i64::try_from(number).unwrap_or_default()),
            };
            let Some(taken) = replay.run(&[first, arena.value(left), right]) else { continue };
            if taken.gave == Some(true) || taken.operands.is_empty() {
                continue;
            }
            let name = self.short_name(&arena, left, number, unmet.kind);
            match ends.iter_mut().find_map(|(own, names)| own.join(&taken).then_some(names)) {
                Some(names) => names.push(name),
                None => ends.push((taken, vec![name])),
            }
        }
        // What went on to a comparison came nearer than what was refused by a condition before it.
        ends.sort_by_key(|(taken, _)| std::cmp::Reverse((taken.compares(), taken.place().start)));
        let mut found: Vec<(Span, String)> = Vec::new();
        for (taken, names) in ends {
            let place = taken.place();
            if found.len() == ENDS || found.iter().any(|(own, _)| *own == place) {
                continue;
            }
            let more = match names.len() {
                1 => String::new(),
                count => format!(" and {} more", count.saturating_sub(1)),
            };
            let named = names.first().map(String::as_str).unwrap_or_default();
            found.push((place, format!("refuses {named}{more}: {}{}", taken.told(sources), taken.end(sources))));
        }
        found
    }

    /// An item in a few words.
    fn short_name(&self, arena: &Arena, item: NodeId, number: usize, kind: RightKind) -> String {
        match kind {
            RightKind::Document => self.document_name(arena, item),
            RightKind::MapItem => format!("`{}`", super::words::key_text(arena, arena.key(item))),
            RightKind::ArrayItem => {
                let named = arena.map_of(arena.value(item)).and_then(|map| {
                    let name = NAMES.iter().find_map(|name| arena.find_str(map, name))?;
                    Some(scalar_text(arena, arena.value(name)))
                });
                let is_scalar = !matches!(arena.value(item), Val::Node(_) | Val::Raw(_));
                match named {
                    Some(name) => format!("item {name}"),
                    None if is_scalar => scalar_text(arena, arena.value(item)),
                    None => format!("item {}", number.saturating_add(1)),
                }
            }
        }
    }

    /// Where a function of `expects` refused a number of matches.
    pub(super) fn refused_number(&self, argument: Span, found: usize) -> Option<(Span, String)> {
        let number = Val::Int(i64::try_from(found).ok()?);
        let (arena, sources) = (self.arena(), self.calls.sources());
        let taken = Replay::of(sources, &arena, self.value_in(argument))?.run(&[number])?;
        let place = taken.place();
        let is_number = taken.operands.iter().all(|(_, values)| values[..] == [format!("`{found}`")]);
        let told = Some(taken.told(sources)).filter(|told| !told.is_empty() && !is_number);
        let told = told.map(|told| format!(": {told}")).unwrap_or_default();
        Some((place, format!("False for {found}{told}{}", taken.end(sources))))
    }

    /// Where a function of two values refused them.
    pub(super) fn refused_values(
        &self,
        diagnostic: Diagnostic,
        via: Span,
        left: NodeId,
    ) -> Result<Diagnostic, Diagnostic> {
        let (arena, sources) = (self.arena(), self.calls.sources());
        let Some(given) = self.values_given(left) else { return Err(diagnostic) };
        let argument = self.value_in(via);
        let taken = Replay::of(sources, &arena, argument).and_then(|replay| replay.run(&given));
        let Some(taken) = taken else { return Err(diagnostic) };
        let told = taken.told(sources);
        let place = taken.place();
        if taken.gave != Some(false) || told.is_empty() {
            return Err(diagnostic);
        }
        Ok(diagnostic.label(place, format!("False here: {told}{}", taken.end(sources))))
    }

    /// The two values that a function is called with for a left item.
    pub(super) fn values_given(&self, left: NodeId) -> Option<[Val; 2]> {
        let arena = self.arena();
        let value = |item: NodeId| match arena.get(item).body {
            Body::Doc(_) | Body::MapItem(..) | Body::ArrayItem(_) => arena.value(item),
            _ => Val::Node(item),
        };
        Some([value(left), value(self.trail.last()?.node)])
    }
}
