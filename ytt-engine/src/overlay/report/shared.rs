//! The warning of places that an overlay changed without having matched them, because their node is shared.
//!
//! Told from the record of events at the end of a render, by one walk over the results: a change is known by the items
//! that were matched on the way to it, and every other way to the same node that still exists is such a place. For
//! `overlay.apply`, which changes its left side, only ways count that were placed before.

use std::collections::{HashMap, HashSet};

use smallvec::SmallVec;

use crate::call::Call;
use crate::diag::{Code, Diagnostic, Severity};
use crate::overlay::annotation::RightKind;
use crate::overlay::engine::{LeftItem, Scene};
use crate::source::{Span, to_u32};
use crate::yaml::{Applied, Arena, Event, EventId, NodeId, Raw, Val};

/// Warns, on request, of places that overlays changed below these documents and sets without having matched them.
pub(crate) fn warn_of_shared(calls: &mut dyn Call, roots: &[NodeId]) {
    if !calls.arena().borrow().events.kept() {
        return;
    }
    let scene = Scene::outside(calls);
    let warnings = {
        let arena = scene.arena();
        let ways = Ways::new(&arena, roots);
        if ways.0.values().all(|ways| ways.len() == 1) {
            Vec::new()
        } else {
            Search::new(&scene, &arena, &ways).warnings()
        }
    };
    for warning in warnings {
        scene.calls.warn(warning);
    }
}

/// A way to a node: the item whose value it is, or the list it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Way {
    parent: NodeId,
    /// Its position there.
    at: u32,
}

/// All ways to all nodes of the results; most often there is one.
#[derive(Default)]
struct Ways(HashMap<NodeId, SmallVec<[Way; 1]>>);

impl Ways {
    fn new(arena: &Arena, roots: &[NodeId]) -> Ways {
        let mut ways = Ways::default();
        let mut known = HashSet::new();
        let mut open: Vec<NodeId> = roots.iter().rev().copied().collect();
        while let Some(parent) = open.pop() {
            if !known.insert(parent) {
                continue;
            }
            let before = open.len();
            let mut lead = |child: NodeId, at: usize| {
                ways.add(child, Way { parent, at: to_u32(at) });
                open.push(child);
            };
            match arena.value(parent) {
                Val::Node(value) if value != parent => lead(value, 0),
                Val::Raw(number) => inside(arena, number, &mut |node| lead(node, 0)),
                _ => arena.items(parent).iter().enumerate().for_each(|(at, &item)| lead(item, at)),
            }
            if let Some(new) = open.get_mut(before..) {
                new.reverse();
            }
        }
        ways
    }

    fn add(&mut self, child: NodeId, way: Way) {
        let ways = self.0.entry(child).or_default();
        if ways.first() != Some(&way) {
            ways.push(way);
        }
    }

    fn all(&self, child: NodeId) -> &[Way] {
        self.0.get(&child).map_or(&[], |ways| ways)
    }

    fn are_several(&self, child: NodeId) -> bool {
        self.all(child).len() > 1
    }
}

/// Nodes in a raw list or dict.
fn inside(arena: &Arena, number: u32, take: &mut dyn FnMut(NodeId)) {
    let mut open = vec![number];
    while let Some(number) = open.pop() {
        let mut value = |value: Val| match value {
            Val::Node(node) => take(node),
            Val::Raw(inner) => open.push(inner),
            _ => {}
        };
        match arena.raw(number) {
            Raw::List(values) => values.iter().copied().for_each(&mut value),
            Raw::Dict(entries) => entries.iter().for_each(|entry| value(entry.1)),
        }
    }
}

/// A change, and the way on which it came there: from the changed node outwards.
struct Change {
    /// Who made it: the event of the overlay, or of the given value.
    group: EventId,
    by: Option<Applied>,
    node: NodeId,
    right: Option<NodeId>,
    path: Vec<(NodeId, Way)>,
}

struct Search<'a, 'c> {
    scene: &'a Scene<'c>,
    arena: &'a Arena,
    ways: &'a Ways,
    events: &'a [Event],
    /// Where and when code placed a node.
    placed: HashMap<(NodeId, NodeId), (EventId, Option<Span>)>,
    filled: HashSet<NodeId>,
}

impl<'a, 'c> Search<'a, 'c> {
    fn new(scene: &'a Scene<'c>, arena: &'a Arena, ways: &'a Ways) -> Search<'a, 'c> {
        let events = arena.events.all();
        let (mut placed, mut filled) = (HashMap::new(), HashSet::new());
        for (number, event) in events.iter().enumerate() {
            let number = EventId(to_u32(number));
            match *event {
                Event::Set { item, value: Val::Node(node), at, .. } => {
                    placed.entry((item, node)).or_insert((number, at));
                }
                Event::Set { item, value: Val::Raw(raw), at, .. } => inside(arena, raw, &mut |node| {
                    placed.entry((item, node)).or_insert((number, at));
                }),
                Event::Placed { container, item, at } => {
                    placed.entry((container, item)).or_insert((number, at));
                }
                Event::Filled { item, .. } => {
                    filled.insert(item);
                }
                _ => {}
            }
        }
        Search { scene, arena, ways, events, placed, filled }
    }

    fn warnings(&self) -> Vec<Diagnostic> {
        let changes: Vec<Change> = (0..self.events.len()).filter_map(|number| self.change(number)).collect();
        // Ways on which one overlay came to a node.
        let mut matched: HashSet<(EventId, NodeId, Way)> = HashSet::new();
        for change in &changes {
            let came = change.path.iter().filter(|(child, _)| self.ways.are_several(*child));
            matched.extend(came.map(|&(_, way)| (change.group, change.node, way)));
        }
        let (mut told, mut warnings) = (HashSet::new(), Vec::new());
        for change in &changes {
            let shared = change.path.iter().enumerate().filter(|(_, (child, _))| self.ways.are_several(*child));
            let shared: Vec<(usize, (NodeId, Way))> = shared.map(|(at, way)| (at, *way)).collect();
            if shared.iter().any(|(_, (child, _))| told.contains(&(change.group, *child))) {
                continue;
            }
            let mut others = Vec::new();
            for &(at, (child, way)) in shared.iter().rev() {
                let ways = self.ways.all(child).iter().copied().filter(|other| *other != way);
                let ways = ways.filter(|other| !matched.contains(&(change.group, change.node, *other)));
                let counts =
                    |other: &Way| change.by != Some(Applied::Program) || self.was_placed(child, *other, change.group);
                others.extend(ways.filter(counts).map(|other| (at, other)));
            }
            if let [(at, other), more @ ..] = &others[..] {
                told.extend(shared.iter().map(|(_, (child, _))| (change.group, *child)));
                warnings.push(self.warning(change, *at, *other, more.len()));
            }
        }
        warnings
    }

    /// The change that an event is.
    fn change(&self, number: usize) -> Option<Change> {
        let mut path = Vec::new();
        match self.events.get(number)? {
            Event::Changed { node, right, outer, .. } => {
                let (mut child, mut outer) = (*node, *outer);
                loop {
                    match *self.events.get(outer.0 as usize)? {
                        Event::Matched { container, item, place, outer: next } => {
                            if item != child {
                                path.push((child, Way { parent: item, at: 0 }));
                            }
                            path.push((item, self.current(item, Way { parent: container, at: place })));
                            (child, outer) = (container, next);
                        }
                        Event::Overlay { by, .. } => {
                            // The left side of a program: all places of it are others.
                            if by == Applied::Program {
                                path.push((child, Way { parent: child, at: 0 }));
                            }
                            return Some(Change { group: outer, by: Some(by), node: *node, right: Some(*right), path });
                        }
                        _ => return None,
                    }
                }
            }
            Event::Given { item, above, .. } => {
                let mut child = *item;
                for &holder in above.iter().rev() {
                    let Val::Node(container) = self.arena.value(holder) else {
                        return None;
                    };
                    let at = self.arena.items(container).iter().position(|item| *item == child)?;
                    path.push((child, Way { parent: container, at: to_u32(at) }));
                    path.push((container, Way { parent: holder, at: 0 }));
                    child = holder;
                }
                Some(Change { group: EventId(to_u32(number)), by: None, node: *item, right: Some(*item), path })
            }
            _ => None,
        }
    }

    /// A way at the time of a match as it is now: an item that stands once in its list may have moved.
    fn current(&self, item: NodeId, way: Way) -> Way {
        let mut now = self.ways.all(item).iter().copied().filter(|now| now.parent == way.parent);
        match (now.next(), now.next()) {
            (Some(only), None) => only,
            _ => way,
        }
    }

    /// Whether a way was there before: code had placed the node there, or something above it.
    fn was_placed(&self, child: NodeId, way: Way, before: EventId) -> bool {
        let mut known = HashSet::new();
        let mut open = vec![(child, way)];
        while let Some((child, way)) = open.pop() {
            match self.placed.get(&(way.parent, child)) {
                Some((number, _)) if *number < before => return true,
                Some(_) => {}
                None if known.insert(way.parent) => {
                    open.extend(self.ways.all(way.parent).iter().map(|next| (way.parent, *next)));
                }
                None => {}
            }
        }
        false
    }

    /// Items from the outermost one to the node below a way.
    fn items_above(&self, child: NodeId, way: Way) -> Vec<LeftItem> {
        let (mut items, mut child, mut way) = (Vec::new(), child, Some(way));
        while let Some(here) = way {
            items.extend(self.item(child, here));
            (child, way) = (here.parent, self.ways.all(here.parent).first().copied());
        }
        items.extend(self.item(child, Way { parent: child, at: 0 }));
        items.reverse();
        items
    }

    /// What a way leads to, if it is an item.
    fn item(&self, item: NodeId, Way { parent, at }: Way) -> Option<LeftItem> {
        RightKind::of(&self.arena.get(item).body)?;
        Some(LeftItem { container: parent, at, item })
    }

    /// Where code placed a node, or else the item that holds it.
    fn holder_span(&self, child: NodeId, way: Way) -> Option<Span> {
        let placed = self.placed.get(&(way.parent, child)).and_then(|(_, span)| *span);
        let is_item = RightKind::of(&self.arena.get(way.parent).body).is_some();
        let holder = self.ways.all(way.parent).first().map_or(child, |above| above.parent);
        placed.or_else(|| self.arena.span_of(if is_item { way.parent } else { holder }))
    }

    /// The warning of a change, of which the way number `at` leads to a node that has another way, too.
    #[allow(clippy::indexing_slicing, reason = "`warnings` takes `at` from the steps of the path")]
    fn warning(&self, change: &Change, at: usize, other: Way, more: usize) -> Diagnostic {
        let (child, way) = change.path[at];
        let top = change.path.last().and_then(|(_, way)| self.item(way.parent, Way { parent: way.parent, at: 0 }));
        let path = change.path.iter().rev().filter_map(|&(item, way)| self.item(item, way));
        let matched: Vec<LeftItem> = top.into_iter().chain(path).collect();
        // From the shared node down to what was changed.
        let below = change.path[..at].iter().filter_map(|&(item, way)| self.item(item, way)).count();
        let mut reached = self.items_above(child, other);
        reached.extend(matched.iter().skip(matched.len().saturating_sub(below)).copied());
        let reached = self.scene.left_text(reached.into_iter());
        let text = match change.by {
            Some(Applied::Stage) => format!("this overlay changes {reached} too, which it did not match"),
            Some(Applied::Program) => {
                format!("overlay.apply changes {reached} too, where its left side had been placed before")
            }
            None => format!("this data value changes {reached} too"),
        };
        let mut warning = Diagnostic::new(Severity::Hint, Code::OVERLAY_SHARED_NODE, text);
        // The left side of a program is nowhere yet.
        let matched = (way.parent != child).then(|| self.scene.left_text(matched.into_iter()));
        let meant = match &matched {
            Some(matched) => format!("is meant for {matched}"),
            None => "changes the left side in place".to_string(),
        };
        warning = warning.label_at(change.right.and_then(|right| self.arena.span_of(right)), meant);
        let here = matched.as_ref().and_then(|_| self.holder_span(child, way));
        let there = self.holder_span(child, other);
        warning = match here == there {
            true => warning.label_at(here, "both places hold the one node that is placed here"),
            false => warning
                .label_at(here, "the node that was matched stands here")
                .label_at(there, "the same node stands here"),
        };
        if more > 0 {
            warning = warning.note(format!("and {more} more"));
        }
        if self.filled.contains(&way.parent) && self.filled.contains(&other.parent) {
            return warning.note("the schema's default of an item is one node wherever it is filled in");
        }
        warning
            .note("a fragment that is placed twice is one node")
            .help("write the call of the function itself at each place, not a name for its result: every call makes new nodes")
    }
}
