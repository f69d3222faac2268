//! A key that is missing in the item that an outer match took, and is in one beside it: the outer match may be wrong.

use super::SHOWN;
use super::cause::{Aim, Cause};
use super::words::{key_text, scalar_text};
use crate::call::{Matcher, Seen};
use crate::overlay::annotation::{MATCH, Operation, RightKind};
use crate::overlay::compare::leaf;
use crate::overlay::engine::{LeftItem, Scene, TrailStep};
use crate::overlay::matcher::Target;
use crate::overlay::problem::Unmet;
use crate::overlay::rules;
use crate::source::Span;
use crate::template::written;
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::{Arena, Body, NodeId, Val};

/// Items that are looked at, beside the one that was matched or in a list below it.
const MOST: usize = 1_000;
/// Overlays of one file that are asked.
const OVERLAYS: usize = 40;
/// Depth to which a right item is compared.
const DEEPEST: usize = 50;

/// An item beside the one that was matched, which has all that the right item changes.
struct Other {
    item: NodeId,
    /// The key in it that is missing in the other.
    found: NodeId,
}

impl Scene<'_> {
    /// The nearest match of items above a missing key that has such an item beside the one that it took; of documents
    /// only if they are asked for.
    pub(super) fn beside(&self, unmet: &Unmet, with_documents: bool) -> Option<Cause> {
        let is_known = match unmet.kind {
            RightKind::MapItem => unmet.rule.by.is_none() && !self.exact,
            RightKind::ArrayItem => self.compared_key(unmet.right).is_some(),
            RightKind::Document => false,
        };
        let (_, above) = self.trail.split_last().filter(|_| is_known)?;
        let is_map = {
            let arena = self.arena();
            matches!(arena.value(unmet.right), Val::Node(map)
                if matches!(arena.get(map).body, Body::Map(_)) && arena.count(map) > 0)
        };
        let is_map = is_map || !self.missing_too(unmet).is_empty();
        // That another document has a key alone says little: what it holds has to fit, too.
        let is_told = |kind: RightKind| match kind {
            RightKind::Document => is_map && with_documents,
            RightKind::ArrayItem => true,
            RightKind::MapItem => false,
        };
        above.iter().enumerate().rev().filter(|(_, step)| is_told(step.kind)).find_map(|(depth, step)| {
            let matched = step.matched?;
            let others = self.others(step, matched, self.trail.get(depth.checked_add(1)?..)?)?;
            (!others.is_empty()).then(|| self.told_of(step, matched, &others, unmet.right))
        })
    }

    /// A key that no map like the one at hand has, but one in another document of the same kind: what is written there.
    pub(super) fn in_other_document(&self, unmet: &Unmet) -> Option<Cause> {
        let (step, inner) = self.trail.split_first().filter(|_| !self.exact)?;
        let (matched, [left]) = (step.matched.filter(|_| step.found.len() == 1)?, &unmet.lefts[..]) else {
            return None;
        };
        let aims = self.aims_beside(unmet.right);
        let arena = self.arena();
        // What stands beside a name is called the same everywhere.
        let is_plain = |step: &TrailStep| {
            step.kind == RightKind::MapItem && !step.by && arena.str(arena.key(step.node)) != Some("metadata")
        };
        let (_, around) = inner.split_last().filter(|(_, around)| !around.is_empty() && inner.iter().all(is_plain))?;
        let kind = value_at(&arena, matched.item, "kind").map(|item| arena.value(item))?;
        let documents = self.sets.iter().flat_map(|set| arena.items(*set)).copied().take(MOST);
        let mut others = documents.filter_map(|document| {
            let own = value_at(&arena, document, "kind").map(|item| arena.value(item))?;
            let found = self.followed(&arena, arena.value(document), inner)?;
            (document != matched.item && leaf(&arena, own, kind)).then_some(Other { item: document, found })
        });
        let (other, None) = (others.next()?, others.next()) else { return None };
        // Maps of one shape have keys in common: there a key is new, and not another document's.
        let there = self.followed(&arena, arena.value(other.item), around)?;
        let map = arena.map_of(arena.value(there))?;
        let is_shared = |item: &NodeId| arena.find(map, arena.key(*item)).is_some();
        if arena.count(*left) == 0 || arena.items(*left).iter().any(is_shared) {
            return None;
        }
        if self.has_all(&arena, arena.value(other.item), arena.value(step.node), 0) {
            drop(arena);
            return Some(self.told_of(step, matched, &[other], unmet.right));
        }
        let key = key_text(&arena, arena.key(unmet.right));
        let name = self.document_name(&arena, other.item);
        let cause = Cause::new(self.mark_left(&arena, other.found), format!("{name} has `{key}`"));
        let Some((overlay, edit)) = self.overlay_for(&arena, unmet.right, other.item, (&aims, around)) else {
            return Some(cause.help(format!("did you mean {name}? Then write it in an overlay of its own"), None));
        };
        let mut cause = cause;
        cause.labels.push((self.mark(&arena, overlay), format!("the overlay for {name}")));
        let edit = edit.filter(|_| self.missing_too(unmet).is_empty());
        Some(cause.help(format!("did you mean {name}? Write it in the overlay for that one"), edit))
    }

    /// The other overlays of the file of a right item, each with what it is for. They are asked while nobody has the arena.
    fn aims_beside(&self, right: NodeId) -> Vec<(NodeId, Aim)> {
        let overlays: Vec<NodeId> = {
            let arena = self.arena();
            let own = self.trail.first().and_then(|step| arena.span_of(step.node));
            let here = arena.span_of(right).map(|span| span.source);
            let is_beside = |overlay: &&NodeId| {
                let span = arena.span_of(**overlay);
                span.is_some() && span != own && span.map(|span| span.source) == here
            };
            self.overlays.iter().filter(is_beside).take(OVERLAYS).copied().collect()
        };
        overlays.into_iter().filter_map(|overlay| Some((overlay, self.aim(overlay)?))).collect()
    }

    /// The key of another overlay of the same file, which is for a document, below which a right item belongs; with the
    /// edit that writes it there.
    fn overlay_for(
        &self,
        arena: &Arena,
        right: NodeId,
        document: NodeId,
        (aims, around): (&[(NodeId, Aim)], &[TrailStep]),
    ) -> Option<(NodeId, Option<(Span, String)>)> {
        let (overlay, _) = aims.iter().find(|(_, aim)| matches!(aim, Aim::Subset(_)) && aim.takes(arena, document))?;
        let below = self.followed(arena, arena.value(*overlay), around)?;
        Some((below, self.moved_below(arena, right, below)))
    }

    /// The edit that moves the lines of a right item to the head of another map.
    fn moved_below(&self, arena: &Arena, right: NodeId, below: NodeId) -> Option<(Span, String)> {
        let map = arena.map_of(arena.value(below))?;
        // A map that is left empty is no map.
        let own = arena.map_of(arena.value(self.trail.iter().rev().nth(1)?.node))?;
        if arena.count(own) < 2 || arena.find(map, arena.key(right)).is_some() {
            return None;
        }
        let first = arena.item_at(map, 0)?;
        let old = self.with_comments(self.lines_of(arena, right)?);
        let to = self.with_comments(self.lines_of(arena, first)?);
        let column = self.column(arena, first)?;
        let (new, _) = self.below(arena, &[], column, (right, old, self.column(arena, right)?))?;
        let source = self.calls.sources().get(old.source);
        let part = |start: u32, end: u32| source.written(Span { start, end, ..old });
        match old.source == to.source {
            true if old.end <= to.start => {
                let text = [part(old.end, to.start)?, &new].concat();
                Some((Span { end: to.start, ..old }, text))
            }
            true if to.start <= old.start => {
                let text = [&new, part(to.start, old.start)?].concat();
                Some((Span { start: to.start, ..old }, text))
            }
            _ => None,
        }
    }

    /// `None`: there are too many items to look at.
    fn others(&self, step: &TrailStep, matched: LeftItem, below: &[TrailStep]) -> Option<Vec<Other>> {
        let arena = self.arena();
        let containers = match step.kind {
            RightKind::Document => self.sets,
            _ => &[matched.container][..],
        };
        let count: usize = containers.iter().map(|container| arena.count(*container)).sum();
        let items = containers.iter().flat_map(|container| arena.items(*container)).copied();
        (count <= MOST).then_some(())?;
        let fits = |item: NodeId| {
            let found = self.followed(&arena, arena.value(item), below)?;
            let has_all = self.has_all(&arena, arena.value(item), arena.value(step.node), 0);
            has_all.then_some(Other { item, found })
        };
        Some(items.filter(|item| !step.found.contains(item)).filter_map(fits).take(SHOWN).collect())
    }

    /// The left item to which the steps of a walk would lead.
    pub(super) fn followed(&self, arena: &Arena, mut value: Val, steps: &[TrailStep]) -> Option<NodeId> {
        let mut found = None;
        for step in steps {
            let Val::Node(container) = value else { return None };
            let item = match step.kind {
                RightKind::MapItem if !step.by => arena.find(container, arena.key(step.node))?,
                RightKind::ArrayItem => {
                    let key = self.compared_key(step.node)?;
                    let wanted = value_at(arena, step.node, &key)?;
                    let is_it = |item: &&NodeId| {
                        value_at(arena, **item, &key)
                            .is_some_and(|here| leaf(arena, arena.value(here), arena.value(wanted)))
                    };
                    *arena.items(container).iter().take(MOST).find(is_it)?
                }
                _ => return None,
            };
            (value, found) = (arena.value(item), Some(item));
        }
        found
    }

    /// Whether a left value has every key that a right one changes, as far as nothing is said of its matches.
    pub(super) fn has_all(&self, arena: &Arena, left: Val, right: Val, depth: usize) -> bool {
        let Val::Node(wanted) = right else { return true };
        if !matches!(arena.get(wanted).body, Body::Map(_)) || depth > DEEPEST {
            return true;
        }
        let Val::Node(map) = left else { return false };
        arena.items(wanted).iter().all(|item| {
            let is_plain = arena.ann(*item, MATCH).is_none()
                && matches!(rules::operation(&*self.calls, *item), Ok(Operation::Merge));
            let found = arena.find(map, arena.key(*item));
            let has = |found| self.has_all(arena, arena.value(found), arena.value(*item), depth.saturating_add(1));
            !is_plain || found.is_some_and(has)
        })
    }

    /// Documents in the order in which they are likely meant: those that have more of what an overlay changes first, and
    /// of these the ones with more in them, since what is changed is rather a workload than what stands beside it.
    pub(super) fn by_fit(&self, arena: &Arena, right: NodeId, documents: &[NodeId]) -> Vec<NodeId> {
        let mut all = documents.to_vec();
        all.sort_by_cached_key(|document| {
            let value = arena.value(*document);
            let (mut found, mut open) = (0_usize, vec![(value, arena.value(right))]);
            while let Some((left, right)) = open.pop().filter(|_| found < MOST) {
                let (Some(left), Some(right)) = (arena.map_of(left), arena.map_of(right)) else { continue };
                let known =
                    arena.items(right).iter().filter_map(|item| Some((arena.find(left, arena.key(*item))?, *item)));
                let known: Vec<_> = known.map(|(left, right)| (arena.value(left), arena.value(right))).collect();
                found = found.saturating_add(known.len());
                open.extend(known);
            }
            std::cmp::Reverse((found, self.extent(arena, value, 0)))
        });
        all
    }

    /// How many keys there are in a value, and in those of its first levels.
    fn extent(&self, arena: &Arena, value: Val, depth: usize) -> usize {
        const LEVELS: usize = 4;
        let items = arena.map_of(value).map(|map| arena.items(map)).unwrap_or_default();
        let inner = items.iter().take(if depth < LEVELS { MOST } else { 0 });
        inner.fold(items.len(), |sum, item| {
            sum.saturating_add(self.extent(arena, arena.value(*item), depth.saturating_add(1)))
        })
    }

    fn told_of(&self, step: &TrailStep, matched: LeftItem, others: &[Other], right: NodeId) -> Cause {
        let edits = others.iter().filter_map(|other| Some((other, self.to_match(step, matched, other.item)?)));
        let edits: Vec<_> = edits.collect();
        let arena = self.arena();
        let own = self.compared_key(right).and_then(|key| value_at(&arena, right, &key));
        let wanted = key_text(&arena, own.map_or(arena.key(right), |own| arena.value(own)));
        let name = |item: NodeId| self.name_beside(&arena, step, item);
        // What has no name of its own is shown itself.
        let by_place = step.kind == RightKind::ArrayItem && self.compared_key(step.node).is_none();
        let mut cause = Cause::default();
        if step.kind == RightKind::ArrayItem {
            let shown = name(matched.item);
            let line = self.line_of(&arena, matched.item).filter(|line| !shown.contains(line));
            let line = line.map_or(String::new(), |line| format!(" ({line})"));
            let by = if by_place { self.by_of(step.node) } else { None };
            let place = by.or_else(|| self.mark(&arena, step.node));
            cause = Cause::new(place, format!("this matched {shown}{line}"));
            cause.labels.push((self.mark_left(&arena, matched.item), format!("matched: has no `{wanted}`")));
        }
        for other in others.iter().take(3) {
            let label = match by_place {
                true => (self.mark_left(&arena, other.item), format!("this one has `{wanted}`")),
                false => (self.mark_left(&arena, other.found), format!("{} has `{wanted}`", name(other.item))),
            };
            cause.labels.push(label);
        }
        match (&edits[..], others) {
            ([(other, edit)], _) => {
                let text = format!("did you mean {}, which has `{wanted}`?", name(other.item));
                cause.help(text, Some(edit.clone())).guessing(true)
            }
            (_, [other]) => cause.help(format!("did you mean {}, which has `{wanted}`?", name(other.item)), None),
            _ => cause.help(format!("did you mean another one, which has `{wanted}`?"), None),
        }
    }

    /// What a left item is called beside others: by the key that tells them apart.
    fn name_beside(&self, arena: &Arena, step: &TrailStep, item: NodeId) -> String {
        let key = self.compared_key(step.node).and_then(|key| Some((value_at(arena, item, &key)?, key)));
        match (step.kind, key) {
            (RightKind::Document, _) => self.document_name(arena, item),
            (_, Some((value, _))) => scalar_text(arena, arena.value(value)),
            _ => self.line_of(arena, item).map_or("an item".to_string(), |line| format!("the item at {line}")),
        }
    }

    /// The key that a right item compares.
    pub(super) fn compared_key(&self, node: NodeId) -> Option<String> {
        let by = self.calls.args(self.arena().ann(node, MATCH)?.args).named.iter().find(|(name, _)| &**name == "by")?.1;
        match self.calls.see(by) {
            Seen::Str(key) => Some(key.to_string()),
            Seen::Matcher(Matcher::Key(key)) => match self.calls.see(key) {
                Seen::Str(key) => Some(key.to_string()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The edit with which a right item matches another left one, if one text makes the difference.
    fn to_match(&self, step: &TrailStep, matched: LeftItem, other: NodeId) -> Option<(Span, String)> {
        if let Some(number) = self.number_asked(step) {
            let at = self.arena().items(matched.container).iter().position(|item| *item == other)?;
            return Some((number, at.to_string()));
        }
        let matched = matched.item;
        if let Some(key) = self.compared_key(step.node) {
            let arena = self.arena();
            let (own, new) = (value_at(&arena, step.node, &key)?, value_at(&arena, other, &key)?);
            let (old, new) = (arena.str(arena.value(own))?, arena.str(arena.value(new))?);
            let span = arena.place_of(own)?.value();
            let is_written = self.written(span).as_deref() == Some(old) && needs_no_quotes(new);
            return (is_written && old != new).then(|| (span, new.to_string()));
        }
        let annotation = self.arena().ann(step.node, MATCH)?.clone();
        let args = self.calls.args(annotation.args);
        let by = args.named.iter().find(|(name, _)| &**name == "by")?.1;
        let Seen::Matcher(Matcher::Subset(target)) = self.calls.see(by) else { return None };
        let target = self.target_nodes(&mut Target::Live(target))?;
        let arena = self.arena();
        let mut differ = Vec::new();
        let mut open = vec![(target, arena.value(matched), arena.value(other))];
        while let Some((wanted, here, there)) = open.pop() {
            match (wanted, here, there) {
                (Val::Node(wanted), Val::Node(here), Val::Node(there)) => {
                    for item in arena.items(wanted) {
                        let key = arena.key(*item);
                        let (here, there) = (arena.find(here, key)?, arena.find(there, key)?);
                        open.push((arena.value(*item), arena.value(here), arena.value(there)));
                    }
                }
                (Val::Node(_), ..) => return None,
                (wanted, _, there) if !leaf(&arena, there, wanted) => differ.push((wanted, there)),
                _ => {}
            }
        }
        let [(wanted, there)] = differ[..] else { return None };
        let (old, new) = (arena.str(wanted)?, arena.str(there).filter(|new| needs_no_quotes(new))?);
        let by = self.argument_span(annotation.pos, "by")?;
        Some((self.literal(by, old)?, format!("\"{new}\"")))
    }
}

impl Scene<'_> {
    /// The argument that matches a right item.
    fn by_of(&self, node: NodeId) -> Option<Span> {
        let annotation = self.arena().ann(node, MATCH)?.clone();
        self.argument_span(annotation.pos, "by")
    }

    /// Where the number stands of a matcher that takes an item of a list by its place: `overlay.index(1)`, or a function
    /// that compares its first parameter.
    fn number_asked(&self, step: &TrailStep) -> Option<Span> {
        let by = self.by_of(step.node).filter(|_| step.kind == RightKind::ArrayItem)?;
        let (sources, value) = (self.calls.sources(), self.value_in(by));
        let is_number =
            |span: Span| self.written(span).is_some_and(|code| code.bytes().all(|byte| byte.is_ascii_digit()));
        if let Some((parameters, body)) = written::lambda(sources, value) {
            let first = self.written(*parameters.first()?)?;
            let [left, right] = written::operands(sources, body)?;
            let between = self.written(Span { start: left.end, end: right.start, ..body })?;
            let (name, number) = if is_number(left) { (right, left) } else { (left, right) };
            return (between.trim() == "==" && self.written(name)? == first && is_number(number)).then_some(number);
        }
        let callee = self.written(written::callee(sources, value)?)?;
        let arguments = written::call(sources, value)?;
        let [only] = &arguments[..] else { return None };
        (callee.ends_with(".index") && is_number(only.value)).then_some(only.value)
    }
}

/// The item at a key of the map that an item holds.
fn value_at(arena: &Arena, item: NodeId, key: &str) -> Option<NodeId> {
    match arena.value(item) {
        Val::Node(map) => arena.find_str(map, key),
        _ => None,
    }
}
