//! What an item looks for where it is not, and what is elsewhere in the document: the same key at another path, the same
//! item in another list. Found, it becomes an edit that writes the item there.

use super::cause::is_like;
use super::nearest::{COMPARISONS, Fix, Meaning, Near};
use super::words::{key_text, scalar_text, step_text};
use crate::overlay::annotation::{MATCH, Operation, RightKind};
use crate::overlay::compare::leaf;
use crate::overlay::engine::{Scene, TrailStep};
use crate::overlay::matcher::Test;
use crate::overlay::problem::Unmet;
use crate::overlay::rules;
use crate::source::{Span, indented};
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::{Arena, Body, NodeId, Val};

/// The key by which items of a list are told apart most often.
const NAME: &str = "name";
/// Documents of a match that are looked at, and places in each.
const DOCUMENTS: usize = 200;

/// The left items that lead to a place, from below the document to the item there.
pub(super) type Way = Vec<NodeId>;

/// A place that fits, and how well: smaller is better.
pub(super) struct Found {
    pub(super) rank: (bool, usize),
    pub(super) way: Way,
    /// Others fit as well.
    pub(super) is_one_of_many: bool,
}

/// A key or item that has to be written above one that is moved.
pub(super) enum Above {
    Key(String),
    /// The item of a list, by the name that it has.
    Named(String),
}

impl Scene<'_> {
    /// The same key at another path of the left document.
    pub(super) fn key_elsewhere(&self, arena: &Arena, right: NodeId) -> Option<Near> {
        let wanted = arena.key(right);
        let is_same =
            |_, item| matches!(arena.get(item).body, Body::MapItem(..)) && arena.same(arena.key(item), wanted);
        let found = self.elsewhere(arena, right, &is_same)?;
        // Who adds the key there means it here as well.
        let source = |item: NodeId| arena.span_of(item).map(|span| span.source);
        if found.way.last().is_some_and(|item| source(*item) == source(right)) {
            return None;
        }
        // Below a key of one name it is there and here: that what is there has other things says that both are meant.
        let (lacks, _) = found.rank;
        let around = self.trail.iter().rev().nth(1).map(|step| arena.key(step.node));
        let around_there = found.way.iter().rev().nth(1).map(|item| arena.key(*item));
        if lacks && matches!((around, around_there), (Some(here), Some(there)) if arena.same(here, there)) {
            return None;
        }
        let key = key_text(arena, wanted);
        let path = way_text(arena, &found.way);
        let text = format!("`{key}` is at `{path}`");
        let apart = self.apart(arena, right, &path, &|item| is_same(item, item));
        // What is removed from others where it is said does not have to be here, nor is it what another group has.
        if apart.is_some()
            && matches!(rules::operation(&*self.calls, right), Ok(Operation::Remove))
            && !self.leads_deeper(arena, &found.way)
        {
            return None;
        }
        Some(self.near_at(arena, right, &found, path, text, apart))
    }

    /// The item that a matcher looks for, in another list of the left document.
    pub(super) fn item_elsewhere(&self, unmet: &Unmet) -> Option<Near> {
        let arena = self.arena();
        (unmet.kind == RightKind::ArrayItem && matches!(unmet.test, Some(Test::Key(_) | Test::Subset(_))))
            .then_some(())?;
        let is_it = |container: NodeId, item: NodeId| {
            matches!(arena.get(item).body, Body::ArrayItem(_))
                && !unmet.lefts.contains(&container)
                && is_like(&arena, item, unmet.right, &unmet.test)
        };
        let found = self.elsewhere(&arena, unmet.right, &is_it)?;
        let (_, list) = found.way.split_last()?;
        let path = way_text(&arena, list);
        let text = format!("{} is here, in `{path}`", self.called(&arena, unmet));
        // An item of the same name in a list for something else is not what is to be removed.
        let removes = matches!(rules::operation(&*self.calls, unmet.right), Ok(Operation::Remove));
        if removes && !self.is_list_of_that_name(&arena, list) {
            let [.., item] = found.way[..] else { return None };
            return Some(Near::new((2, found.rank.1, 0), item, self.mark(&arena, item), text));
        }
        let apart = self.apart(&arena, unmet.right, &path, &|item| is_like(&arena, item, unmet.right, &unmet.test));
        Some(self.near_at(&arena, unmet.right, &found, path, text, apart))
    }

    /// Whether the list that a way leads to has the key of the list around the right item.
    fn is_list_of_that_name(&self, arena: &Arena, way: &[NodeId]) -> bool {
        let own = self.trail.iter().rev().nth(1).map(|step| step.node);
        match (own, way.last()) {
            (Some(own), Some(there)) => arena.same(arena.key(own), arena.key(*there)),
            _ => false,
        }
    }

    fn near_at(
        &self,
        arena: &Arena,
        right: NodeId,
        found: &Found,
        path: String,
        text: String,
        apart: Option<String>,
    ) -> Near {
        let item = found.way.last().copied().unwrap_or(right);
        if apart.is_some() {
            let near = Near::new((2, found.rank.1, 0), item, self.mark(arena, item), text);
            return Near { apart, elsewhere: Some(path), ..near };
        }
        let fix = self.written_there(arena, right, &found.way).map(|(span, new, above)| {
            let text = match above {
                Some(above) => format!("write it below `{above}`"),
                None => format!("write it where it is: at `{path}`"),
            };
            Fix { span, new, text, meaning: Meaning::Elsewhere, is_guess: found.is_one_of_many, must_mend: false }
        });
        Near { fix, elsewhere: Some(path), ..Near::new((2, found.rank.1, 0), item, self.mark(arena, item), text) }
    }

    /// Whether a way has all keys of the way to the right item, with others between them.
    fn leads_deeper(&self, arena: &Arena, way: &[NodeId]) -> bool {
        let is_key = |node: NodeId| matches!(arena.get(node).body, Body::MapItem(..));
        let mut there = way.iter().copied().filter(|item| is_key(*item)).map(|item| arena.key(item));
        let mut own = self.trail.iter().skip(1).map(|step| step.node).filter(|node| is_key(*node));
        own.all(|node| there.any(|key| arena.same(key, arena.key(node))))
    }

    /// How many other documents that the same overlay matched have the key of the right item where it is, or had it until the
    /// overlay took it away.
    pub(super) fn others_with_key(&self, right: NodeId) -> usize {
        let arena = self.arena();
        let wanted = arena.key(right);
        let is_same =
            |item: NodeId| matches!(arena.get(item).body, Body::MapItem(..)) && arena.same(arena.key(item), wanted);
        self.others_with(&arena, right, &is_same)
    }

    fn others_with(&self, arena: &Arena, right: NodeId, fits: &dyn Fn(NodeId) -> bool) -> usize {
        let Some((document, inner)) = self.trail.split_first() else { return 0 };
        let Some(matched) = document.matched.map(|matched| matched.item) else { return 0 };
        let others = document.found.iter().filter(|other| **other != matched).take(DOCUMENTS);
        // Where the overlay takes it away, it was there.
        let removed = self.removed.iter().filter(|removed| removed.by == right).filter_map(|removed| removed.document);
        let removed: Vec<NodeId> = removed.map(|(_, left)| left).take(DOCUMENTS).collect();
        others.filter(|other| removed.contains(other) || self.has_here(arena, **other, inner, fits)).count()
    }

    /// What to do if other documents that the same overlay matched have the right item where it is: there it must not move.
    fn apart(&self, arena: &Arena, right: NodeId, path: &str, fits: &dyn Fn(NodeId) -> bool) -> Option<String> {
        let (document, inner) = self.trail.split_first()?;
        let matched = document.matched?.item;
        let count = self.others_with(arena, right, fits);
        let way: String = inner.iter().map(|step| step_text(arena, step.node)).collect();
        let way = match arena.get(right).body {
            Body::MapItem(..) => format!("`{}`", way.trim_start_matches('.')),
            _ => "the item".to_owned(),
        };
        let has = match count {
            0 => return None,
            1 => format!("1 other document that this overlay matches has {way}"),
            count => format!("{count} other documents that this overlay matches have {way}"),
        };
        let name = self.document_name(arena, matched);
        Some(format!(
            "{has}: let it match {} alone, and write an overlay of its own for {name}, with `{path}`",
            if count == 1 { "that one" } else { "those" }
        ))
    }

    /// Whether a left document has an item that fits where the steps of a walk lead; of a list on the way, below any item that
    /// may be meant.
    fn has_here(&self, arena: &Arena, document: NodeId, steps: &[TrailStep], fits: &dyn Fn(NodeId) -> bool) -> bool {
        let Some((_, around)) = steps.split_last() else { return false };
        let mut values = vec![arena.value(document)];
        for step in around {
            let key = match step.kind {
                RightKind::ArrayItem => self.compared_key(step.node),
                _ => None,
            };
            let value = |item: NodeId| arena.find_str(arena.map_of(arena.value(item))?, key.as_deref()?);
            let wanted = value(step.node);
            let may_be = |item: &NodeId| match (step.kind, wanted) {
                (RightKind::MapItem, _) => step.by || arena.same(arena.key(*item), arena.key(step.node)),
                (_, Some(wanted)) => value(*item).is_some_and(|own| leaf(arena, arena.value(own), arena.value(wanted))),
                (_, None) => true,
            };
            values = containers(&values)
                .flat_map(|container| arena.items(container))
                .filter(|item| matches!(arena.get(**item).body, Body::MapItem(..)) == (step.kind == RightKind::MapItem))
                .filter(|item| may_be(item))
                .map(|item| arena.value(*item))
                .take(DOCUMENTS)
                .collect();
        }
        containers(&values).flat_map(|container| arena.items(container)).any(|item| fits(*item))
    }

    /// The best place in the left document: what is there has all that the right item changes, and lies about as deep.
    pub(super) fn elsewhere(
        &self,
        arena: &Arena,
        right: NodeId,
        fits: &dyn Fn(NodeId, NodeId) -> bool,
    ) -> Option<Found> {
        let document = self.trail.first()?.matched?.item;
        let depth = self.trail.len();
        let Val::Node(root) = arena.value(document) else { return None };
        let mut best: Option<Found> = None;
        let (mut open, mut left) = (vec![(root, Way::new())], COMPARISONS);
        while let Some((container, way)) = open.pop() {
            let mut inner = Vec::new();
            for &item in arena.items(container) {
                left = left.checked_sub(1)?;
                let below = || way.iter().copied().chain([item]).collect::<Way>();
                if fits(container, item) {
                    let lacks = !self.has_all(arena, arena.value(item), arena.value(right), 0);
                    let rank = (lacks, way.len().saturating_add(1).abs_diff(depth));
                    match &mut best {
                        Some(best) if best.rank <= rank => best.is_one_of_many |= best.rank.0 == rank.0,
                        _ => {
                            let is_one_of_many = best.is_some_and(|best| best.rank.0 == rank.0);
                            best = Some(Found { rank, way: below(), is_one_of_many });
                        }
                    }
                }
                if let Val::Node(value) = arena.value(item)
                    && way.len() < arena.depth() as usize
                {
                    inner.push((value, below()));
                }
            }
            open.extend(inner.into_iter().rev());
        }
        best
    }

    /// The edit that writes a right item where a way leads, and what it is then written below, if that is new around it.
    pub(super) fn written_there(
        &self,
        arena: &Arena,
        right: NodeId,
        way: &[NodeId],
    ) -> Option<(Span, String, Option<String>)> {
        // As far as the walk came along the same way, the overlay is right.
        let steps = self.trail.get(1..)?;
        let is_shared =
            |(step, item): &(&TrailStep, &NodeId)| step.matched.is_some_and(|matched| matched.item == **item);
        let shared = steps.iter().zip(way).take_while(is_shared).count();
        let (last, way) = way.split_last()?;
        let (base, deeper) = self.trail.get(shared..)?.split_first()?;
        let base = base.node;
        let (mut around, mut open) = (arena.value(base), way.get(shared..)?.iter());
        let mut above = Vec::new();
        for item in open.by_ref() {
            match self.right_item(arena, around, *item) {
                Some(own) => {
                    let is_matched =
                        matches!(arena.get(own).body, Body::MapItem(..)) || arena.ann(own, MATCH).is_some();
                    around = Some(arena.value(own)).filter(|value| is_matched && matches!(value, Val::Node(_)))?;
                }
                None => {
                    above.push(above_of(arena, *item, *last)?);
                    break;
                }
            }
        }
        for item in open {
            above.push(above_of(arena, *item, *last)?);
        }
        let Val::Node(around) = around else { return None };
        let is_list = matches!(arena.get(around).body, Body::Array(_));
        let is_item = match above.first() {
            Some(above) => matches!(above, Above::Named(_)),
            None => matches!(arena.get(right).body, Body::ArrayItem(_)),
        };
        let is_there = above.is_empty() && !is_item && arena.find(around, arena.key(right)).is_some();
        if is_list != is_item || is_there {
            return None;
        }
        // With the item goes what would be left empty.
        let mut emptied = deeper.iter().rev().map(|step| step.node);
        let mut gone = emptied.next()?;
        let mut parents = self.trail.iter().skip(shared).rev().skip(1).map(|step| arena.value(step.node));
        let mut holder = parents.next()?;
        while let (Val::Node(container), Some(next)) = (holder, emptied.next().filter(|_| is_alone(arena, holder))) {
            if container == around {
                break;
            }
            (gone, holder) = (next, parents.next()?);
        }
        let Val::Node(holder) = holder else { return None };
        let old = self.with_comments(self.lines_of(arena, gone)?);
        let source = self.calls.sources().get(old.source);
        let lines = self.with_comments(self.lines_of(arena, right)?);
        let own_column = self.column(arena, right)?;
        let column = self.column(arena, arena.item_at(around, 0)?)?;
        let (new, described) = self.below(arena, &above, column, (right, lines, own_column))?;
        if holder == around {
            return Some((old, new, described));
        }
        // Where it goes the shortest way: before or behind the item that it comes out of, else all that is there.
        let holds = |item: &&NodeId| {
            let lines = self.lines_of(arena, **item);
            lines.is_some_and(|whole| whole.source == old.source && whole.start <= old.start && old.end <= whole.end)
        };
        let items = arena.items(around);
        let (before, behind) = match items.iter().find(holds) {
            Some(item) => (*item, *item),
            None => (*items.first()?, *items.last()?),
        };
        let before = self.lines_of(arena, before).map(|lines| lines.start);
        let behind = self.lines_of(arena, behind).map(|lines| lines.end);
        let (span, text) = source.moved(old, before.into_iter().chain(behind), &new)?;
        Some((span, text, described))
    }

    /// The item of a right container that goes where a left one is.
    fn right_item(&self, arena: &Arena, around: Val, left: NodeId) -> Option<NodeId> {
        let Val::Node(container) = around else { return None };
        match arena.get(left).body {
            Body::MapItem(key, _) => arena.find(container, key),
            _ => {
                let wanted = name_of(arena, left)?;
                let is_it = |item: &&NodeId| name_of(arena, **item).is_some_and(|name| leaf(arena, name, wanted));
                arena.items(container).iter().find(is_it).copied()
            }
        }
    }

    /// The lines of an item below those of `above`, and what the help names.
    pub(super) fn below(
        &self,
        arena: &Arena,
        above: &[Above],
        column: usize,
        (right, lines, own_column): (NodeId, Span, usize),
    ) -> Option<(String, Option<String>)> {
        let (mut new, mut depth, mut described) = (String::new(), column, String::new());
        for (number, step) in above.iter().enumerate() {
            match step {
                Above::Key(key) => {
                    new.push_str(&format!("{}{key}:\n", " ".repeat(depth)));
                    described.push_str(&format!(".{key}"));
                }
                Above::Named(name) => {
                    // Items of a new list stand as far to the left as its key.
                    depth = if number == 0 { depth } else { depth.checked_sub(2)? };
                    let indent = " ".repeat(depth);
                    new.push_str(&format!("{indent}#@{MATCH} by=\"{NAME}\"\n{indent}- {NAME}: {name}\n"));
                    described.push_str(&format!("[{name}]"));
                }
            }
            depth = depth.checked_add(2)?;
        }
        let is_item = matches!(arena.get(right).body, Body::ArrayItem(_));
        if let (true, [.., Above::Key(_)]) = (is_item, above) {
            // As far from its key as before.
            let list = self.column(arena, self.trail.iter().rev().nth(1)?.node)?;
            depth = depth.checked_sub(2)?.checked_add(own_column.checked_sub(list)?)?;
        }
        new.push_str(&indented(&self.written(lines)?, own_column, depth)?);
        let described = described.strip_prefix('.').map(str::to_string);
        Some((new, described))
    }

    /// Lines, with the comments right above them.
    pub(super) fn with_comments(&self, lines: Span) -> Span {
        let source = self.calls.sources().get(lines.source);
        let is_comment = |line: &u32| {
            let text = source.line_text(*line);
            text.trim_start().starts_with("#!") || text.trim_start().starts_with("# ")
        };
        let first = source.line(lines.start);
        let above = (1..first).rev().take_while(is_comment).last();
        Span { start: above.map_or(lines.start, |line| source.line_range(line).start), ..lines }
    }

    /// How many characters stand in front of an item on its line.
    pub(super) fn column(&self, arena: &Arena, item: NodeId) -> Option<usize> {
        let span = arena.span_of(item)?;
        let source = self.calls.sources().get(span.source);
        let line = source.line_range(source.line(span.start)).start;
        Some(source.written(Span { start: line, end: span.start, ..span })?.chars().count())
    }
}

/// Those of some values that hold items.
fn containers(values: &[Val]) -> impl Iterator<Item = NodeId> {
    let container = |value: &Val| match value {
        Val::Node(node) => Some(*node),
        _ => None,
    };
    values.iter().filter_map(container)
}

fn is_alone(arena: &Arena, holder: Val) -> bool {
    matches!(holder, Val::Node(container) if arena.count(container) == 1)
}

/// What leads to a left item, as it is written around an item inside of it.
fn above_of(arena: &Arena, left: NodeId, inside: NodeId) -> Option<Above> {
    match arena.get(left).body {
        Body::MapItem(key, _) => {
            let key = key_text(arena, key);
            needs_no_quotes(&key).then_some(Above::Key(key))
        }
        _ => {
            let name = name_of(arena, left).filter(|_| arena.str(arena.key(inside)) != Some(NAME))?;
            let name = arena.str(name).filter(|name| needs_no_quotes(name))?;
            Some(Above::Named(name.to_string()))
        }
    }
}

/// The name of an item.
pub(super) fn name_of(arena: &Arena, item: NodeId) -> Option<Val> {
    let Val::Node(map) = arena.value(item) else { return None };
    Some(arena.value(arena.find_str(map, NAME)?))
}

/// A path as reports have it: items of lists by their names.
pub(super) fn way_text(arena: &Arena, way: &[NodeId]) -> String {
    let mut path = String::new();
    for &item in way {
        match (&arena.get(item).body, name_of(arena, item)) {
            (Body::MapItem(key, _), _) => path.push_str(&format!(".{}", key_text(arena, *key))),
            (_, Some(name)) => path.push_str(&format!("[{}]", scalar_text(arena, name).trim_matches('`'))),
            _ => path.push_str("[]"),
        }
    }
    path.trim_start_matches('.').to_string()
}
