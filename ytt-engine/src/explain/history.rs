//! The history of a node, told from the record: who gave it its value, and how it came to where it is.
//!
//! Steps are found from the newest one back: changes of the item itself, then what put it there, then what it is a copy
//! of, down to the place where it was written. Nothing is said that was not recorded.

use std::collections::{HashMap, HashSet};

use crate::source::{Span, to_u32};
use crate::yaml::{Arena, Before, Body, Event, EventId, MatchedBy, Moment, NodeId, ReaderId, ReaderKind, Val, What};

/// One step in the history of a value.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) kind: StepKind,
    /// The value behind the step.
    pub(super) value: Val,
    /// The item, flag or file that made the step.
    pub(super) at: Option<Span>,
    /// What the expression read, if there is one.
    pub(super) expression: Option<ReaderId>,
    /// What had been read around it when it was made.
    pub(super) around: Option<Moment>,
    /// What the functions of an overlay had read when it was applied, and the program that applied it.
    pub(super) applied: Option<Moment>,
    /// The event that it is, or of which it is a part.
    pub(super) event: Option<u32>,
}

impl Step {
    /// The first event behind it.
    pub(super) fn end(&self) -> EventId {
        EventId(self.event.map_or(0, |event| event.saturating_add(1)))
    }

    /// The value that it took the place of.
    pub(super) fn before(&self) -> Option<Val> {
        match self.kind {
            StepKind::Given(before) => before,
            StepKind::Overlaid(Overlaid { how: How::Set(before) | How::Replaced(before), .. }) => Some(before),
            _ => None,
        }
    }

    /// Who ran around it.
    pub(super) fn scopes(&self) -> impl Iterator<Item = Moment> {
        self.around.into_iter().chain(self.applied)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum StepKind {
    /// A literal.
    Written,
    /// An expression.
    Computed,
    Default,
    /// Data values from outside; what was there before.
    Given(Option<Val>),
    /// A right item of an overlay; how it came to be, if code made it, say the reads of the step.
    Overlaid(Overlaid),
    /// `template.replace` put it there.
    Placed,
}

impl StepKind {
    /// The same for a part of what was given or replaced: what was there before is not known of a part.
    fn of_part(self) -> StepKind {
        match self {
            StepKind::Given(_) => StepKind::Given(None),
            StepKind::Overlaid(overlaid) => StepKind::Overlaid(Overlaid { how: How::Added, ..overlaid }),
            kind => kind,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Overlaid {
    pub(super) right: NodeId,
    pub(super) how: How,
    pub(super) matched: MatchedBy,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum How {
    /// The value of an item was replaced.
    Set(Val),
    /// The item was replaced.
    Replaced(Val),
    Added,
    Removed,
}

/// The record, with what is needed to find the events of a node.
pub(super) struct Histories<'a> {
    pub(super) arena: &'a Arena,
    /// Numbers of the events that changed the value of an item.
    changes: HashMap<NodeId, Vec<u32>>,
    /// The same of those that put an item into its list.
    arrivals: HashMap<NodeId, Vec<u32>>,
    /// The items that overlays took out of a list.
    removed: HashMap<NodeId, Vec<u32>>,
    /// By how many items a map or list grew, or shrank, up to each event that added or removed one.
    growth: HashMap<NodeId, Vec<(u32, i32)>>,
}

impl<'a> Histories<'a> {
    pub(super) fn new(arena: &'a Arena) -> Histories<'a> {
        let (mut changes, mut arrivals, mut removed) = (HashMap::new(), HashMap::new(), HashMap::new());
        let mut growth: HashMap<NodeId, Vec<(u32, i32)>> = HashMap::new();
        let note = |map: &mut HashMap<NodeId, Vec<u32>>, node, number: usize| {
            map.entry(node).or_default().push(to_u32(number));
        };
        for (number, event) in arena.events.all().iter().enumerate() {
            let grown = match *event {
                Event::Given { before: Before::Nothing(map), .. } | Event::Filled { map, .. } => Some((map, 1)),
                Event::Changed { node, what: What::Added { .. }, .. } => Some((node, 1)),
                Event::Changed { node, what: What::Removed { .. }, .. } => Some((node, -1)),
                _ => None,
            };
            if let Some((container, by)) = grown {
                let all = growth.entry(container).or_default();
                let before = all.last().map_or(0, |(_, grown)| *grown);
                all.push((to_u32(number), before.saturating_add(by)));
            }
            match *event {
                Event::Set { item, .. } => note(&mut changes, item, number),
                Event::Given { item, before: Before::Value(_), .. } => note(&mut changes, item, number),
                Event::Given { item, .. } | Event::Filled { item, .. } | Event::Placed { item, .. } => {
                    note(&mut arrivals, item, number);
                }
                Event::Changed { node, what, .. } => match what {
                    What::Value { .. } => note(&mut changes, node, number),
                    What::Added { item } => note(&mut arrivals, item, number),
                    What::Replaced { item, .. } => {
                        note(&mut arrivals, item, number);
                        note(&mut removed, node, number);
                    }
                    What::Removed { .. } => note(&mut removed, node, number),
                },
                Event::Defaults { .. }
                | Event::Values { .. }
                | Event::Overlay { .. }
                | Event::Matched { .. }
                | Event::Tried { .. } => {}
            }
        }
        Histories { arena, changes, arrivals, removed, growth }
    }

    fn events(&self) -> &'a [Event] {
        self.arena.events.all()
    }

    #[allow(clippy::indexing_slicing, reason = "numbers are of events of the record, which only grows")]
    fn event(&self, number: u32) -> &'a Event {
        &self.events()[number as usize]
    }

    /// Items that overlays removed from a container, with the numbers of the events.
    pub(super) fn removed_from(&self, container: NodeId) -> impl Iterator<Item = (NodeId, u32)> {
        let numbers = self.removed.get(&container).map_or(&[][..], Vec::as_slice);
        numbers.iter().filter_map(|&number| match *self.event(number) {
            Event::Changed { what: What::Removed { item }, .. } => Some((item, number)),
            Event::Changed { what: What::Replaced { old, .. }, .. } => Some((old, number)),
            _ => None,
        })
    }

    /// How many items a map or list held in front of an event; in front of all of them, as it was made.
    pub(super) fn count_before(&self, container: NodeId, bound: EventId) -> usize {
        let now = self.arena.count(container);
        let Some(all) = self.growth.get(&container) else { return now };
        let early = all.partition_point(|(number, _)| *number < bound.0);
        let grown = |at: Option<&(u32, i32)>| at.map_or(0, |(_, grown)| *grown);
        let before = early.checked_sub(1).and_then(|last| all.get(last));
        let later = grown(all.last()).saturating_sub(grown(before));
        now.saturating_add_signed((later as isize).saturating_neg())
    }

    /// The documents of templates that overlays removed, with the numbers of the events.
    pub(super) fn removed_documents(&self) -> impl Iterator<Item = (NodeId, u32)> {
        (0u32..).zip(self.events()).filter_map(|(number, event)| match *event {
            Event::Changed { what: What::Removed { item }, .. } => {
                matches!(self.arena.get(item).body, Body::Doc(_)).then_some((item, number))
            }
            _ => None,
        })
    }

    /// The history of an item, newest step first. `above` are the items around it, innermost last: what brought one of them
    /// as a whole brought this, too.
    pub(super) fn of(&self, item: NodeId, above: &[NodeId]) -> Vec<Step> {
        let mut steps = Vec::new();
        let end = EventId(to_u32(self.events().len()));
        let arrived = self.item(item, end, self.arena.value(item), &mut steps);
        if arrived {
            return steps;
        }
        let whole = above.iter().rev().find_map(|&item| self.whole(item));
        let told = |number: &u32| steps.iter().any(|step| step.event == Some(*number));
        let Some(number) = whole.filter(|number| !told(number)) else { return steps };
        if let Some(base) = steps.pop() {
            let whole = self.step(number, base.value);
            let (kind, event) = (whole.kind.of_part(), whole.event);
            match kind {
                // What is given stands where it is given.
                StepKind::Given(_) => steps.push(Step { kind, at: base.at.or(whole.at), event, ..base }),
                // What was written in the item that came stands there itself.
                _ if steps.iter().all(|step| step.event.is_some_and(|event| event > number))
                    && is_inside(base.at, whole.at) =>
                {
                    steps.push(Step { kind, applied: whole.applied, event, ..base });
                }
                _ => {
                    steps.push(Step { event, ..base });
                    // What happened to the part later is newer.
                    let older = |step: &Step| step.event.is_none_or(|event| event <= number);
                    let place = steps.iter().position(older).unwrap_or(steps.len());
                    let value = steps.get(place).map_or(whole.value, |step| step.value);
                    steps.insert(place, Step { kind, value, ..whole });
                }
            }
        }
        steps
    }

    /// The history of an item that an overlay removed, with that step first.
    pub(super) fn of_removed(&self, item: NodeId, number: u32) -> Vec<Step> {
        let mut steps = vec![self.step(number, Val::Null)];
        let value = self.value_at(item, EventId(number));
        self.item(item, EventId(number), value, &mut steps);
        steps
    }

    /// The newest overlay, given value or call of `template.replace` that brought all that an item holds.
    fn whole(&self, item: NodeId) -> Option<u32> {
        let numbers = self.changes.get(&item).into_iter().chain(self.arrivals.get(&item)).flatten();
        numbers
            .copied()
            .filter(|&number| {
                matches!(self.event(number), Event::Changed { .. } | Event::Given { .. } | Event::Placed { .. })
            })
            .max()
    }

    /// The value that an item had before an event.
    pub(super) fn value_at(&self, item: NodeId, before: EventId) -> Val {
        let later = self.changes.get(&item).into_iter().flatten().filter(|number| **number >= before.0);
        let first = later.min().and_then(|&number| before_of(self.event(number)));
        first.unwrap_or_else(|| self.arena.value(item))
    }

    /// Adds the steps of an item before an event, which then had that value. True: it is known what put it into its list.
    fn item(&self, item: NodeId, before: EventId, mut value: Val, steps: &mut Vec<Step>) -> bool {
        let (mut item, mut before) = (item, before);
        let (mut arrived, mut made) = (false, None);
        loop {
            // Copies have the reads of who made them, not those of what they are a copy of.
            made = made.or(self.arena.events.readers.maker(item));
            let mut set = None;
            let bound = before.0;
            let arrival = self.arrivals.get(&item).into_iter().flatten().rev().find(|number| **number < bound);
            let later = |number: &&u32| **number < bound && arrival.is_none_or(|arrival| *arrival < **number);
            for &number in self.changes.get(&item).into_iter().flatten().rev().filter(later) {
                if let Event::Set { .. } = self.event(number) {
                    set = Some(number);
                    break;
                }
                steps.push(self.step(number, value));
                value = before_of(self.event(number)).unwrap_or(value);
                before = EventId(number);
            }
            if let Some(&number) = arrival {
                arrived = true;
                steps.push(self.step(number, value));
                let old = match *self.event(number) {
                    Event::Changed { what: What::Replaced { old, .. }, .. } => old,
                    Event::Given { before: Before::Item(old), .. } => old,
                    // What was placed may have been changed, and placed, before.
                    Event::Placed { .. } if set.is_none() => {
                        before = EventId(number);
                        continue;
                    }
                    Event::Placed { .. } => {
                        steps.push(self.base(item, set, value, made));
                        return true;
                    }
                    _ => return true,
                };
                before = EventId(number);
                (item, value, made) = (old, self.value_at(old, before), None);
                continue;
            }
            match (set, self.arena.events.copy_of(item)) {
                (None, Some(copied)) => {
                    (item, before) = (copied.old, EventId(copied.at.0.min(before.0)));
                    // What the copy got since is not in what it is a copy of.
                    if let (Val::Node(_), old @ Val::Node(_)) = (value, self.value_at(item, before)) {
                        value = old;
                    }
                }
                _ => {
                    steps.push(self.base(item, set, value, made));
                    return arrived;
                }
            }
        }
    }

    /// Where an item was written, or the code that made it; `around` is who made it or a copy of it.
    fn base(&self, item: NodeId, set: Option<u32>, value: Val, around: Option<Moment>) -> Step {
        if let Some(Event::Set { by, at, .. }) = set.map(|number| self.event(number)) {
            let at = at.or(self.place(item));
            return Step { kind: StepKind::Computed, value, at, expression: *by, around, applied: None, event: None };
        }
        if let Some(holder) = self.arena.events.unpacked_from(item) {
            return Step { value, ..self.origin(holder) };
        }
        let at = self.place(item);
        Step { kind: StepKind::Written, value, at, expression: None, around, applied: None, event: None }
    }

    /// Where an item was first written or computed, whatever happened to it later.
    pub(super) fn origin(&self, item: NodeId) -> Step {
        let (mut item, mut made) = (item, None);
        loop {
            made = made.or(self.arena.events.readers.maker(item));
            let set = self.changes.get(&item).into_iter().flatten().copied();
            let set = set.filter(|number| matches!(self.event(*number), Event::Set { .. })).max();
            match (set, self.arena.events.copy_of(item)) {
                (None, Some(copied)) => item = copied.old,
                _ => return self.base(item, set, self.arena.value(item), made),
            }
        }
    }

    /// Where an item stands: its key or indicator; of a document that is a scalar, this.
    fn place(&self, item: NodeId) -> Option<Span> {
        let place = self.arena.place_of(item)?;
        let is_scalar =
            matches!(self.arena.get(item).body, Body::Doc(value) if !matches!(value, Val::Node(_) | Val::Raw(_)));
        let value = place.value();
        Some(if is_scalar && value.start < value.end { value } else { place.key() })
    }

    /// The call that gave the overlay in which something happened.
    fn call_of(&self, outer: EventId) -> Option<Span> {
        let mut outer = outer;
        loop {
            match *self.event(outer.0) {
                Event::Matched { outer: next, .. } => outer = next,
                Event::Overlay { call, .. } => return call,
                _ => return None,
            }
        }
    }

    /// The step that an event is, but for those of code.
    fn step(&self, number: u32, value: Val) -> Step {
        let none = Step {
            kind: StepKind::Written,
            value,
            at: None,
            expression: None,
            around: None,
            applied: None,
            event: Some(number),
        };
        match *self.event(number) {
            Event::Given { item, before, .. } => {
                let before = match before {
                    Before::Nothing(_) => None,
                    Before::Value(value) => Some(value),
                    Before::Item(old) => Some(self.value_at(old, EventId(number))),
                };
                Step { kind: StepKind::Given(before), at: self.place(item), ..none }
            }
            Event::Filled { item, .. } => Step { kind: StepKind::Default, at: self.place(item), ..none },
            Event::Placed { at, .. } => Step { kind: StepKind::Placed, at, ..none },
            Event::Changed { right, what, matched, by, outer, .. } => {
                let how = match what {
                    What::Value { before } => How::Set(before),
                    What::Added { .. } => How::Added,
                    What::Replaced { old, .. } => How::Replaced(self.value_at(old, EventId(number))),
                    What::Removed { .. } => How::Removed,
                };
                let origin = self.origin(right);
                let kind = StepKind::Overlaid(Overlaid { right, how, matched });
                let at = self.place(right).or(origin.at).or_else(|| self.call_of(outer));
                Step { kind, at, applied: by, event: none.event, value, ..origin }
            }
            _ => none,
        }
    }

    /// The annotations of a right item as they were before it was copied.
    pub(super) fn written_right(&self, right: NodeId) -> NodeId {
        let mut right = right;
        while let Some(copied) = self.arena.events.copy_of(right) {
            right = copied.old;
        }
        right
    }

    /// Where the code was called that made a step, innermost call first.
    pub(super) fn calls(&self, step: &Step) -> Vec<Span> {
        let readers = &self.arena.events.readers;
        let mut known = HashSet::new();
        let call = |moment: Moment| match readers.get(moment.reader).kind {
            ReaderKind::Body { call } => call,
            _ => None,
        };
        let around = step.scopes().flat_map(|moment| readers.chain(Some(moment)));
        around.filter(|moment| known.insert(moment.reader)).filter_map(call).collect()
    }
}

/// Was something written in what begins at a place, of its file?
fn is_inside(part: Option<Span>, whole: Option<Span>) -> bool {
    part.zip(whole).is_some_and(|(part, whole)| part.source == whole.source && part.start >= whole.start)
}

/// The value that an item had before an event that changed it.
fn before_of(event: &Event) -> Option<Val> {
    match *event {
        Event::Changed { what: What::Value { before }, .. } => Some(before),
        Event::Given { before: Before::Value(before), .. } => Some(before),
        _ => None,
    }
}
