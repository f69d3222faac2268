//! The whole explanation as one JSON object, for editors, review bots and the page.

use std::collections::BTreeMap;

use super::history::Step;
use super::origin::{Origin, OverlayStep, Reading, Role};
use super::values::ValueId;
use super::{DataValue, Explanation, Found};
use crate::diag::json::{list, members, null, object, place, string};
use crate::source::to_u32;
use crate::yaml::readers::Read;
use crate::yaml::{Moment, NodeId, ReaderId};

impl Explanation<'_> {
    /// The whole as one JSON object on one line.
    ///
    /// | key | value |
    /// |---|---|
    /// | `documents` | objects: `name`, `file` (of the output), `number` in its file from 1, `first_line` and `last_line` |
    /// | `lines` | objects, one for each line of the output: `text`, `document` (its number in `documents`, from 0), `path`, `history` (a number in `histories`) |
    /// | `histories` | lists of steps, newest first |
    /// | `scopes` | objects: `around` (the number of another scope, or null), `reads` (objects of `name`, `value`, `whole`): what was read there beyond what was read in `around` |
    /// | `overlays` | objects: `place`, `operation`, `matcher`, `matches` of an item of an overlay, `lines` in whose histories it is |
    /// | `data_values` | objects: `name`, `value`, `history` (a list of steps), `lines` for which it was read |
    ///
    /// The `lines` of an overlay or data value are runs: lists of the first and the last number, from 1.
    ///
    /// A step is an object: `kind` ([`OriginKind::as_str`](super::OriginKind::as_str)), `value` behind it, `before` (or null), `said` (what was
    /// done, in words), `place` (or null), `source` (the line there), `flag` (as it may be typed, or null), `overlay` (null, or an object of `operation`, `matcher` and
    /// `matches`), `calls` (places, innermost first), `reads` (objects of `name`, `value`, `in_scope`). Lines share most of what was read in their scopes, so in
    /// `histories` a step has only the reads of its expression, and `scopes`, a list of numbers in that table; of a map in it that was not read as a
    /// `whole`, only what was read in the map counts. A place has the keys of those of [`Error::to_json_lines`](crate::Error::to_json_lines).
    ///
    /// ```
    /// let rendered = ytt_engine::Project::new().file("a.yml", "a: 1\n").explain(true).render()?;
    /// let json = rendered.explanation()?.unwrap().to_json();
    /// assert!(json.starts_with("{\"documents\":[{\"name\":\"a.yml\","));
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn to_json(&self) -> String {
        let (mut histories, mut lines): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        let (mut read_by, mut overlays) =
            (BTreeMap::<ValueId, Lines>::new(), BTreeMap::<NodeId, (String, Lines)>::new());
        let scopes = Scopes::of(self);
        // The lines of an entry stand together.
        let (mut last, mut reads, mut rights) = (None, Vec::new(), Vec::new());
        for number in 0..self.lines.len() {
            let Some(entry) = self.entry_on(number) else { continue };
            if last != Some(entry) {
                last = Some(entry);
                (reads, rights) = (Vec::new(), Vec::new());
                let steps = self.steps_of(entry);
                for step in &steps {
                    reads.extend(self.values.in_expression(self.arena, step.expression));
                    reads.extend(self.values.in_scope(self.arena, step.scopes()));
                }
                reads.sort_unstable();
                reads.dedup();
                let told = steps.iter().map(|step| {
                    let origin = Origin::in_expression(self, step, Role::Output);
                    if let Some(overlay) = origin.overlay() {
                        rights.push(overlay.right);
                        overlays
                            .entry(overlay.right)
                            .or_insert_with(|| (overlay_members(&origin, overlay), Lines::default()));
                    }
                    let own = step.scopes().filter_map(|moment| scopes.number(moment)).map(|number| number.to_string());
                    step_json(&origin, Some(list(own)))
                });
                histories.push(list(told));
            }
            for read in &reads {
                read_by.entry(*read).or_default().add(number.saturating_add(1));
            }
            for right in &rights {
                if let Some((_, lines)) = overlays.get_mut(right) {
                    lines.add(number.saturating_add(1));
                }
            }
            lines.push(object([
                ("text", string(self.line_text(number))),
                ("document", self.entry(entry).document.to_string()),
                ("path", string(&self.path(entry))),
                ("history", histories.len().saturating_sub(1).to_string()),
            ]));
        }
        let overlays = overlays.values().map(|(members, lines)| format!("{{{members},\"lines\":{}}}", lines.json()));
        object([
            ("documents", list((0..to_u32(self.documents.len())).map(|number| self.document_json(number)))),
            ("lines", list(lines.into_iter())),
            ("histories", list(histories.into_iter())),
            ("scopes", scopes.json(self)),
            ("overlays", list(overlays)),
            ("data_values", list(self.data_values().map(|value| self.value_json(value, &read_by)))),
        ])
    }

    fn document_json(&self, number: u32) -> String {
        let document = self.printed(number);
        let (first, last) = self.lines_of_document(number);
        object([
            ("name", string(&self.document_name(number))),
            ("file", string(document.file)),
            ("number", document.number.to_string()),
            ("first_line", first.to_string()),
            ("last_line", last.to_string()),
        ])
    }

    /// The first and the last line of a document, from 1.
    pub(super) fn lines_of_document(&self, number: u32) -> (u32, u32) {
        let next = self.documents.get((number as usize).saturating_add(1));
        // The line `---` stands between them.
        let last = next.map_or(to_u32(self.lines.len()), |next| self.entry(next.entry).line.saturating_sub(2));
        (self.entry(self.printed(number).entry).line, last)
    }

    fn value_json(&self, value: DataValue<'_>, read_by: &BTreeMap<ValueId, Lines>) -> String {
        // It was read, or something that it is in.
        let named = self.values.get(value.id);
        let around = named.above.iter().filter_map(|node| self.values.id_of(*node));
        let lines = Lines::union(around.chain([value.id]).filter_map(|id| read_by.get(&id)));
        object([
            ("name", string(value.name())),
            ("value", string(&value.value())),
            ("history", list(value.origins().iter().map(|origin| step_json(origin, None)))),
            ("lines", lines.json()),
        ])
    }
}

/// Numbers of lines: the first and the last one of each run, in order.
#[derive(Default)]
struct Lines(Vec<(usize, usize)>);

impl Lines {
    /// Adds a run that does not begin before the last one.
    fn add_run(&mut self, first: usize, last: usize) {
        match self.0.last_mut() {
            Some(run) if first <= run.1.saturating_add(1) => run.1 = run.1.max(last),
            _ => self.0.push((first, last)),
        }
    }

    fn add(&mut self, line: usize) {
        self.add_run(line, line);
    }

    fn union<'l>(all: impl Iterator<Item = &'l Lines>) -> Lines {
        let mut runs: Vec<(usize, usize)> = all.flat_map(|lines| &lines.0).copied().collect();
        runs.sort_unstable();
        let mut union = Lines::default();
        runs.into_iter().for_each(|(first, last)| union.add_run(first, last));
        union
    }

    fn json(&self) -> String {
        list(self.0.iter().map(|(first, last)| format!("[{first},{last}]")))
    }
}

/// What was read around steps. Many steps share almost all of it, so each moment says only what is new.
struct Scopes(BTreeMap<(ReaderId, u32), usize>);

impl Scopes {
    fn of(explanation: &Explanation<'_>) -> Scopes {
        let readers = &explanation.arena.events.readers;
        let mut moments = BTreeMap::new();
        for entry in 0..to_u32(explanation.entries.len()) {
            for moment in explanation.steps_of(entry).iter().flat_map(Step::scopes) {
                // Those around one that is known are known.
                for moment in readers.chain(Some(moment)) {
                    if moments.insert((moment.reader, moment.reads), 0).is_some() {
                        break;
                    }
                }
            }
        }
        (0..).zip(moments.values_mut()).for_each(|(next, number)| *number = next);
        Scopes(moments)
    }

    fn number(&self, moment: Moment) -> Option<usize> {
        self.0.get(&(moment.reader, moment.reads)).copied()
    }

    fn json(&self, of: &Explanation<'_>) -> String {
        list(self.0.iter().map(|(&(id, count), number)| {
            let reader = of.arena.events.readers.get(id);
            let before = self.0.range((id, 0)..(id, count)).next_back();
            let known = before.map_or(0, |((_, reads), _)| *reads as usize);
            let around = before.map(|(_, number)| *number).or_else(|| self.number(reader.around?));
            debug_assert!(around.is_none_or(|around| around < *number), "what is around something began before");
            let read = |read: &Read| {
                let id = of.values.id_of(read.item)?;
                let value = DataValue { explanation: of, id };
                Some(object([
                    ("name", string(value.name())),
                    ("value", string(&value.value())),
                    ("whole", read.whole.to_string()),
                ]))
            };
            let reads = reader.reads.iter().take(count as usize).skip(known).filter_map(read);
            object([("around", around.map_or_else(null, |around| around.to_string())), ("reads", list(reads))])
        }))
    }
}

impl Found<'_> {
    /// It and its history as one JSON object on one line: `document`, `path`, `value` and `line` (null if it was removed),
    /// `history` (a list of steps, see [`Explanation::to_json`]).
    pub fn to_json(&self) -> String {
        object([
            ("document", string(&self.document())),
            ("path", string(&self.path())),
            ("value", self.value().as_deref().map_or_else(null, string)),
            ("line", self.line().map_or_else(null, |line| line.to_string())),
            ("history", list(self.origins().iter().map(|origin| step_json(origin, None)))),
        ])
    }
}

/// What is said of an item of an overlay.
fn overlay_members(origin: &Origin, overlay: &OverlayStep) -> String {
    let place = origin.place().map_or_else(null, |range| format!("{{{}}}", place(Some(range))));
    members([
        ("place", place),
        ("operation", string(overlay.operation())),
        ("matcher", overlay.matcher().map_or_else(null, string)),
        ("matches", overlay.matches().to_string()),
    ])
}

/// A step; `scopes` are those of the whole, of a single history there are none.
fn step_json(origin: &Origin, scopes: Option<String>) -> String {
    let place = |range: &_| format!("{{{}}}", place(Some(range)));
    let overlay = origin.overlay().map(|overlay| {
        object([
            ("operation", string(overlay.operation())),
            ("matcher", overlay.matcher().map_or_else(null, string)),
            ("matches", overlay.matches().to_string()),
        ])
    });
    let read = |read: &Reading| {
        object([
            ("name", string(read.name())),
            ("value", string(read.value())),
            ("in_scope", read.in_scope().to_string()),
        ])
    };
    let told = members([
        ("kind", string(origin.kind().as_str())),
        ("value", string(origin.value())),
        ("before", origin.before().map_or_else(null, string)),
        ("said", string(&origin.said())),
        ("place", origin.place().map_or_else(null, place)),
        ("source", string(origin.source())),
        ("flag", origin.flag().map_or_else(null, string)),
        ("overlay", overlay.unwrap_or_else(null)),
        ("calls", list(origin.calls().iter().map(place))),
        ("reads", list(origin.reads().iter().map(read))),
    ]);
    let scopes = scopes.map(|scopes| format!(",\"scopes\":{scopes}")).unwrap_or_default();
    format!("{{{told}{scopes}}}")
}
