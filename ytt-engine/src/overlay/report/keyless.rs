//! A matcher by a key that one item of the list lacks, where no other item has the value that is looked for: that item is
//! meant, or a new one.

use super::cause::Cause;
use super::nearest::COMPARISONS;
use super::several::{literal, subset};
use super::words::{key_text, scalar_text};
use crate::diag::{Label, suggest};
use crate::nearest::only;
use crate::overlay::annotation::{MATCH, Operation};
use crate::overlay::compare::leaf;
use crate::overlay::engine::Scene;
use crate::overlay::rules;
use crate::quoted;
use crate::source::Span;
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::{Arena, Body, NodeId, Val};

impl Scene<'_> {
    /// What to do where no item has the value at `name` that the right one has; `None` where one has it, or this is no
    /// list.
    pub(super) fn keyless(&self, arena: &Arena, right: NodeId, name: &str) -> Option<Cause> {
        let above = self.trail.iter().rev().nth(1)?;
        let around = above.matched?.item;
        let list = match arena.value(around) {
            Val::Node(list) if matches!(arena.get(list).body, Body::Array(_)) => list,
            _ => return None,
        };
        let own = arena.find_str(arena.map_of(arena.value(right))?, name)?;
        let wanted = arena.value(own);
        if matches!(wanted, Val::Node(_) | Val::Raw(_) | Val::Null) {
            return None;
        }
        let items = arena.items(list);
        (items.len() <= COMPARISONS).then_some(())?;
        let there = |item: &NodeId| arena.map_of(arena.value(*item)).and_then(|map| arena.find_str(map, name));
        let known: Vec<NodeId> = items.iter().filter_map(there).collect();
        if known.iter().any(|item| leaf(arena, arena.value(*item), wanted)) {
            return None;
        }
        let shown = scalar_text(arena, wanted);
        let mut cause = Cause::new(self.mark(arena, own), format!("no item there has this `{name}`")).guessing(true);
        // Who lets it be missing counts on a new item.
        if arena.ann(right, MATCH).is_none_or(|match_| self.calls.args(match_.args).named.len() != 1) {
            return Some(cause);
        }
        let names: Vec<&str> = known.iter().filter_map(|item| arena.str(arena.value(*item))).collect();
        let near = arena.str(wanted).and_then(|wanted| suggest::similar(wanted, names.iter().copied()));
        // Not one that another item of the overlay changes or adds.
        let near = near.filter(|near| !self.is_beside(arena, above.node, (name, near)));
        if let Some(near) = near {
            let there = known.iter().find(|item| arena.str(arena.value(**item)) == Some(near));
            cause.labels.push((there.and_then(|item| self.mark(arena, *item)), format!("is `{near}` meant?")));
            let edit = self.as_near(arena, own, (name, near));
            let new = format!("overlay.subset({{{}: {}}})", quoted::starlark(name), quoted::starlark(near));
            cause = cause.help(format!("did you mean `{near}`? And `{new}` does not ask every item for the key"), edit);
        }
        let lacking = only(items.iter().copied().filter(|item| there(item).is_none()));
        let meant = lacking.and_then(|item| Some((item, self.fits(arena, right, item, name)?)));
        let named = meant.filter(|_| near.is_none()).and_then(|(item, _)| self.give_key(arena, item, (own, name)));
        let operation = rules::operation(&*self.calls, right);
        let adds = matches!(operation, Ok(Operation::Merge));
        // What code gives is another one in the next turn.
        let is_written =
            arena.place_of(own).is_some_and(|place| self.is_scalar_at(place.value(), &key_text(arena, wanted)));
        let missing = self.by_span().filter(|by| is_written && self.is_key(*by, name)).and_then(|by| {
            let target = subset(arena, &[own], wanted)?;
            let text = match adds {
                true => format!("if {shown} is a new item, let it be added: this asks no item for the key"),
                false => format!("if {shown} may be missing, let it be: this asks no item for the key"),
            };
            Some((text, (by, format!("by=overlay.subset({target}), missing_ok=True"))))
        });
        // An item that has all that is there is rather a new one.
        let is_new = meant.is_none_or(|(_, is_whole)| is_whole);
        let helps = match operation {
            Ok(Operation::Merge) if is_new => [missing, named],
            Ok(Operation::Merge) => [named, missing],
            Ok(Operation::Remove) => [missing, None],
            _ => [None, None],
        };
        for (text, edit) in helps.into_iter().flatten() {
            cause = cause.help(text, Some(edit));
        }
        Some(cause)
    }

    /// Whether an item of the list of an overlay has this text at a key.
    fn is_beside(&self, arena: &Arena, list: NodeId, (name, text): (&str, &str)) -> bool {
        let Val::Node(list) = arena.value(list) else { return false };
        let at = |item: &NodeId| arena.find_str(arena.map_of(arena.value(*item))?, name);
        arena.items(list).iter().filter_map(at).any(|own| arena.str(arena.value(own)) == Some(text))
    }

    /// Whether an item can be the one that is meant, since it has what the right one changes: then, whether the right one
    /// has all that is there, as a new item would have.
    fn fits(&self, arena: &Arena, right: NodeId, item: NodeId, name: &str) -> Option<bool> {
        let (own, there) = (arena.map_of(arena.value(right))?, arena.map_of(arena.value(item))?);
        let has = |own: &NodeId| {
            arena.str(arena.key(*own)) == Some(name)
                || arena.find(there, arena.key(*own)).is_some()
                || self.allows_missing(arena, *own)
        };
        arena.items(own).iter().all(has).then_some(())?;
        Some(arena.items(there).iter().all(|item| arena.find(own, arena.key(*item)).is_some()))
    }

    /// The edit that writes a key of the right item in front of the first one of a list item, with what it is for.
    fn give_key(&self, arena: &Arena, item: NodeId, (own, name): (NodeId, &str)) -> Option<(String, (Span, String))> {
        let first = arena.span_of(arena.item_at(arena.map_of(arena.value(item))?, 0)?)?;
        let source = self.calls.sources().get(first.source);
        // What an alias or a function gives stands elsewhere, and is others' too.
        let whole = arena.span_of(item)?;
        (whole.source == first.source && source.line(whole.start) == source.line(first.start)).then_some(())?;
        let line = source.line_range(source.line(first.start));
        let before = source.written(Span { start: line.start, end: first.start, ..first })?;
        let value = arena.value(own);
        let (plain, written) = match arena.str(value) {
            Some(text) => (text.to_owned(), yaml_text(text)),
            None => literal(arena, value).map(|_| (key_text(arena, value), key_text(arena, value)))?,
        };
        // What code gives may be another one in the next render.
        self.is_scalar_at(arena.place_of(own)?.value(), &plain).then_some(())?;
        let entry = format!("{}: {written}", yaml_text(name));
        let new = match before.chars().all(|letter| matches!(letter, ' ' | '-')) {
            true => format!("{entry}\n{}", " ".repeat(before.len())),
            false => before.trim_end().ends_with('{').then(|| format!("{entry}, "))?,
        };
        let text = format!("if the item without `{name}` is meant, give it one: `{entry}`");
        Some((text, (Span { end: first.start, ..first }, new)))
    }

    /// The edit that compares another value, and writes it in the item too.
    fn as_near(&self, arena: &Arena, own: NodeId, (name, near): (&str, &str)) -> Option<(Span, String)> {
        let by = self.by_span().filter(|by| self.is_key(*by, name))?;
        let written = arena.place_of(own)?.value();
        let is_it = arena.str(arena.value(own)).is_some_and(|text| self.is_scalar_at(written, text));
        (is_it && written.source == by.source).then_some(())?;
        let new = format!("by=overlay.subset({{{}: {}}})", quoted::starlark(name), quoted::starlark(near));
        let source = self.calls.sources().get(by.source);
        source.replaced([(by, &*new), (written, &*yaml_text(near))])
    }

    /// Where the first item of a list stands, beside the help that moves an annotation to it.
    pub(super) fn first_below(&self, arena: &Arena, first: NodeId, name: &str) -> Option<Label> {
        let span = self.mark(arena, first)?;
        Some(Label { span, text: format!("the first item, with the key `{name}`") })
    }
}

/// A text as a YAML scalar.
fn yaml_text(text: &str) -> String {
    if needs_no_quotes(text) {
        return text.to_owned();
    }
    let mut new = String::new();
    quoted::json(&mut new, text, quoted::Json::Yaml);
    new
}
