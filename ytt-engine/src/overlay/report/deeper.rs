//! A matcher by a key that items have, but below other keys: `by="name"` where the name is at `metadata.name`.

use super::nearest::COMPARISONS;
use super::several::subset;
use super::words::scalar_text;
use crate::diag::Diagnostic;
use crate::nearest::only;
use crate::overlay::compare::leaf;
use crate::overlay::engine::Scene;
use crate::quoted;
use crate::source::{Span, to_u32};
use crate::template::outline;
use crate::yaml::{Arena, NodeId, Val};

/// Levels, and items of one value, that are looked through.
const DEPTH: usize = 5;
const ITEMS: usize = 300;

/// The items that lead to a key, from the outermost one, and what is there.
type Way = (Vec<NodeId>, Val);

impl Scene<'_> {
    /// A matcher of what stands at a way of keys: by `overlay.subset` where the file has it.
    fn matcher_at(&self, arena: &Arena, way: &[NodeId], wanted: Val) -> String {
        let by = self.by_span();
        let is_loaded =
            by.is_some_and(|by| outline::brought(&self.calls.sources().get(by.source), by.source, "overlay").is_some());
        if let Some(target) = subset(arena, way, wanted).filter(|_| is_loaded) {
            return format!("by=overlay.subset({target})");
        }
        let keys = way.iter().filter_map(|item| arena.str(arena.key(*item)));
        let keys: String = keys.map(|key| format!("[{}]", quoted::starlark(key))).collect();
        format!("by=lambda i, l, r: l{keys} == r{keys}")
    }

    /// A right item that has the key which a matcher compares, where all left ones have it below another key: both the
    /// matcher and the key have to go there.
    pub(super) fn named_deeper(
        &self,
        diagnostic: Diagnostic,
        arena: &Arena,
        right: NodeId,
        name: &str,
    ) -> Option<Diagnostic> {
        let own = arena.find_str(arena.map_of(arena.value(right))?, name)?;
        let wanted = arena.value(own);
        let list = self.trail.iter().rev().nth(1)?.matched?;
        let Val::Node(list) = arena.value(list.item) else { return None };
        let lefts = arena.items(list);
        let first = lefts.first().filter(|_| lefts.len() <= COMPARISONS)?;
        let ways = ways_to(arena, arena.value(*first), name);
        let there = |way: &Way| {
            let mut all = lefts.iter().filter_map(|left| at_keys(arena, arena.value(*left), &way.0));
            all.find(|there| leaf(arena, arena.value(*there), wanted))
        };
        let fitting = ways.iter().filter_map(|way| Some((way, there(way)?)));
        let (way, there) = only(fitting)?;
        let keys: Vec<&str> = way.0.iter().filter_map(|item| arena.str(arena.key(*item))).collect();
        let path = keys.join(".");
        let told = diagnostic
            .label_at(self.mark(arena, there), format!("`{path}` is {}", scalar_text(arena, wanted)))
            .label_at(self.mark(arena, own), format!("here `{name}` is not in `{}`", keys.first()?));
        let matcher = self.matcher_at(arena, &way.0, wanted);
        let help = format!("these items have it at `{path}`: write it there, and compare that: `{matcher}`");
        let edit = self.by_span().filter(|by| self.is_key(*by, name)).and_then(|by| {
            let outer = keys.first()?;
            let is_free = arena.find_str(arena.map_of(arena.value(right))?, outer).is_none();
            let place = arena.place_of(own).filter(|place| place.source == by.source && is_free)?.whole();
            let written = self.written(place).filter(|written| !written.contains('\n'))?;
            let between = self.written(Span { start: by.end, end: place.start, ..by })?;
            let inner = keys.get(1..keys.len().checked_sub(1)?)?;
            let inner = inner.iter().rev().fold(written, |inner, key| format!("{key}: {{{inner}}}"));
            Some((Span { end: place.end, ..by }, format!("{matcher}{between}{outer}: {{{inner}}}")))
        });
        Some(match edit {
            Some((span, new)) => told.help_edit(help, span, new),
            None => told.help(help),
        })
    }

    /// The code of an index, `left["name"]`, of which the key alone may be marked.
    fn whole_index(&self, marked: Span) -> Option<Span> {
        let source = self.calls.sources().get(marked.source);
        let line = source.line_range(source.line(marked.start));
        let before = source.written(Span { start: line.start, end: marked.start, ..marked })?;
        let behind = source.written(Span { start: marked.end, end: line.end, ..marked })?;
        let Some(of) = before.strip_suffix("[\"").filter(|_| behind.starts_with("\"]")) else { return Some(marked) };
        let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        let start = line.start.checked_add(to_u32(of.trim_end_matches(is_name).len()))?;
        Some(Span { start, end: marked.end.checked_add(2)?, ..marked })
    }

    /// The edit of a matcher function that reads a key which left items have below another one.
    pub(super) fn read_deeper(
        &self,
        diagnostic: &Diagnostic,
        item: NodeId,
        right: NodeId,
    ) -> Option<(String, Span, String)> {
        let arena = self.arena();
        let read = self.whole_index(diagnostic.parts().labels.first()?.span)?;
        let written = self.written(read)?;
        let (of, key) = written.strip_suffix("\"]").and_then(|rest| rest.rsplit_once("[\""))?;
        let parameters = self.parameters_around(read, self.by_span());
        let number = parameters.iter().position(|parameter| parameter == of)?;
        let value = match number {
            1 => arena.value(item),
            2 => arena.value(right),
            _ => return None,
        };
        let ways = ways_to(&arena, value, key);
        let [(way, _)] = &ways[..] else { return None };
        let keys: Vec<&str> = way.iter().map(|item| arena.str(arena.key(*item))).collect::<Option<_>>()?;
        let deeper: String = keys.iter().map(|key| format!("[{}]", quoted::starlark(key))).collect();
        let text = format!("did you mean `{}`? That is where this one has a `{key}`", keys.join("."));
        // The other side is compared at the same place.
        let by = self.by_span().filter(|by| by.source == read.source && by.start <= read.start && read.end <= by.end);
        let other = parameters.get(3_usize.checked_sub(number)?);
        if let (Some(by), Some(other)) = (by, other) {
            let has_other = at_keys(&arena, arena.value(if number == 1 { right } else { item }), way).is_some();
            let code = self.written(by)?;
            let both = [of, other]
                .iter()
                .fold(code.clone(), |code, of| code.replace(&format!("{of}[\"{key}\"]"), &format!("{of}{deeper}")));
            if has_other && both != code {
                return Some((text, by, both));
            }
        }
        Some((text, read, format!("{of}{deeper}")))
    }

    /// Says where the items have the key that a matcher compares.
    ///
    /// # Errors
    ///
    /// The problem as it was: they have it nowhere.
    pub(super) fn compared_deeper(
        &self,
        diagnostic: Diagnostic,
        arena: &Arena,
        right: NodeId,
        name: &str,
    ) -> Result<Diagnostic, Diagnostic> {
        // A path that is written as one key.
        let keys: Vec<&str> = name.split(['.', '/']).collect();
        let mut ways = ways_to(arena, arena.value(right), keys.last().copied().unwrap_or(name));
        if keys.len() > 1 {
            ways.retain(|(way, _)| {
                way.iter().map(|item| arena.str(arena.key(*item))).eq(keys.iter().copied().map(Some))
            });
        }
        let list = self.trail.iter().rev().nth(1).and_then(|step| step.matched);
        let containers = match list.map(|list| arena.value(list.item)) {
            Some(Val::Node(list)) => vec![list],
            None => self.sets.to_vec(),
            Some(_) => return Err(diagnostic),
        };
        let lefts: Vec<NodeId> = containers.iter().flat_map(|left| arena.items(*left)).copied().collect();
        if lefts.len().saturating_mul(ways.len()) > COMPARISONS {
            return Err(diagnostic);
        }
        let is_there = |way: &&Way| lefts.iter().any(|left| at_keys(arena, arena.value(*left), &way.0).is_some());
        let equals = |(way, wanted): &&Way| {
            let there = lefts.iter().filter_map(|left| at_keys(arena, arena.value(*left), way));
            there.filter(|there| leaf(arena, arena.value(*there), *wanted)).count() == 1
        };
        let equal: Vec<&Way> = ways.iter().filter(equals).collect();
        let known: Vec<&Way> = ways.iter().filter(is_there).collect();
        let (way, wanted) = match (&equal[..], &known[..]) {
            ([one], _) | ([], [one]) => one,
            _ => return Err(diagnostic),
        };
        let path = way.iter().filter_map(|item| arena.str(arena.key(*item))).collect::<Vec<_>>().join(".");
        let all = lefts.iter().filter_map(|left| at_keys(arena, arena.value(*left), way));
        let there = all.clone().find(|there| leaf(arena, arena.value(*there), *wanted)).or_else(|| all.clone().next());
        let diagnostic = diagnostic.label_at(
            there.and_then(|there| self.mark(arena, there)),
            there.map_or(String::new(), |there| format!("`{path}` is {}", scalar_text(arena, arena.value(there)))),
        );
        let new = self.matcher_at(arena, way, *wanted);
        let help = match keys.len() {
            1 => format!("did you mean `{path}`? That is where these items have a `{name}`"),
            _ => format!("`by` takes one key, not a path: to compare `{path}`, give a matcher"),
        };
        let by = self.by_span().filter(|by| self.is_key(*by, name));
        Ok(match by.filter(|_| equal.len() == 1) {
            Some(by) => diagnostic.help_edit(help, by, new),
            None => diagnostic.help(format!("{help}: `{new}`")),
        })
    }
}

/// The ways through maps to a key that is not at the top, with a plain value.
fn ways_to(arena: &Arena, value: Val, name: &str) -> Vec<Way> {
    let (mut open, mut found, mut left) = (vec![(value, Vec::new())], Vec::new(), ITEMS);
    while let Some((value, above)) = open.pop() {
        let Some(map) = arena.map_of(value) else { continue };
        for &item in arena.items(map) {
            let Some(rest) = left.checked_sub(1) else { return found };
            left = rest;
            let mut way = above.clone();
            way.push(item);
            let value = arena.value(item);
            if way.len() > 1 && arena.str(arena.key(item)) == Some(name) && arena.str(value).is_some() {
                found.push((way, value));
            } else if way.len() < DEPTH {
                open.push((value, way));
            }
        }
    }
    found
}

/// The item at the keys of others.
fn at_keys(arena: &Arena, mut value: Val, way: &[NodeId]) -> Option<NodeId> {
    let mut found = None;
    for step in way {
        let item = arena.find(arena.map_of(value)?, arena.key(*step))?;
        (value, found) = (arena.value(item), Some(item));
    }
    found
}
