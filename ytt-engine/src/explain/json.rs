//! The whole explanation as one JSON object, for editors, review bots and the page.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use super::origin::{Origin, OverlayStep, Reading};
use super::{DataValue, Explanation, Found};
use crate::diag::json::{list, members, null, object, place, string};
use crate::yaml::NodeId;

impl Explanation<'_> {
    /// The whole as one JSON object on one line.
    ///
    /// | key | value |
    /// |---|---|
    /// | `documents` | objects: `name`, `file` (of the output), `number` in its file from 1, `first_line` and `last_line` |
    /// | `lines` | objects, one for each line of the output: `text`, `document` (its number in `documents`, from 0), `path`, `history` (a number in `histories`) |
    /// | `histories` | lists of steps, newest first |
    /// | `overlays` | objects: `place`, `operation`, `matcher`, `matches` of an item of an overlay, `lines` (numbers of the lines, from 1, in whose histories it is) |
    /// | `data_values` | objects: `name`, `value`, `history` (a list of steps), `lines` (numbers of the lines, from 1, for which it was read) |
    ///
    /// A step is an object: `kind` ([`OriginKind::as_str`](super::OriginKind::as_str)), `value` behind it, `before` (or null), `said` (what was
    /// done, in words), `place` (or null), `source` (the line there), `flag` (as it may be typed, or null), `overlay` (null, or an object of `operation`, `matcher` and
    /// `matches`), `calls` (places, innermost first), `reads` (objects of `name`, `value`, `in_scope`). A place has the keys of those
    /// of [`Error::to_json_lines`](crate::Error::to_json_lines).
    ///
    /// ```
    /// let rendered = ytt_engine::Project::new().file("a.yml", "a: 1\n").explain(true).render()?;
    /// let json = rendered.explanation()?.unwrap().to_json();
    /// assert!(json.starts_with("{\"documents\":[{\"name\":\"a.yml\","));
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn to_json(&self) -> String {
        let (mut known, mut histories, mut lines) = (HashMap::new(), Vec::new(), Vec::new());
        let mut read_by = BTreeMap::<u32, Vec<usize>>::new();
        let mut reads_of: Vec<Vec<u32>> = Vec::new();
        let mut overlays = BTreeMap::<NodeId, (String, Vec<usize>)>::new();
        let mut overlays_of: Vec<Vec<NodeId>> = Vec::new();
        for number in 0..self.lines.len() {
            let Some(entry) = self.entry_on(number) else { continue };
            // A node that stands at several places may have come to each in another way.
            let history = *known.entry(entry).or_insert_with(|| {
                let origins = self.origins_of(entry);
                let mut reads: Vec<u32> = origins.iter().flat_map(Origin::reads).map(|read| read.id.0).collect();
                reads.sort_unstable();
                reads.dedup();
                reads_of.push(reads);
                let steps = origins.iter().filter_map(|origin| Some((origin, origin.overlay()?)));
                overlays_of.push(steps.clone().map(|(_, overlay)| overlay.right).collect());
                for (origin, overlay) in steps {
                    overlays.entry(overlay.right).or_insert_with(|| (overlay_members(origin, overlay), Vec::new()));
                }
                histories.push(list(origins.iter().map(step)));
                histories.len() - 1
            });
            for read in &reads_of[history] {
                read_by.entry(*read).or_default().push(number + 1);
            }
            for right in &overlays_of[history] {
                if let Some((_, lines)) = overlays.get_mut(right) {
                    lines.push(number + 1);
                }
            }
            let text = string(self.line_text(number));
            let document = self.entry(entry).document;
            lines.push(format!(
                "{{\"text\":{text},\"document\":{document},\"path\":{},\"history\":{history}}}",
                string(&self.path(entry))
            ));
        }
        let mut out = String::new();
        let _ = write!(
            out,
            "{{\"documents\":{},\"lines\":{},\"histories\":{},\"overlays\":{},\"data_values\":{}}}",
            list((0..self.documents.len()).map(|number| self.document_json(number))),
            list(lines.into_iter()),
            list(histories.into_iter()),
            list(overlays.values().map(|(members, lines)| format!("{{{members},\"lines\":{}}}", numbers(lines)))),
            list(self.data_values().map(|value| self.value_json(value, &read_by))),
        );
        out
    }

    fn document_json(&self, number: usize) -> String {
        let document = &self.documents[number];
        let (first, last) = self.lines_of_document(number);
        object([
            ("name", string(&self.document_name(number as u32))),
            ("file", string(document.file)),
            ("number", document.number.to_string()),
            ("first_line", first.to_string()),
            ("last_line", last.to_string()),
        ])
    }

    /// The first and the last line of a document, from 1.
    pub(super) fn lines_of_document(&self, number: usize) -> (u32, u32) {
        let next = self.documents.get(number + 1);
        // The line `---` stands between them.
        let last = next.map_or(self.lines.len() as u32, |next| self.entry(next.entry).line - 2);
        (self.entry(self.documents[number].entry).line, last)
    }

    fn value_json(&self, value: DataValue<'_>, read_by: &BTreeMap<u32, Vec<usize>>) -> String {
        object([
            ("name", string(value.name())),
            ("value", string(&value.value())),
            ("history", list(value.origins().iter().map(step))),
            ("lines", numbers(&self.lines_of(value, read_by))),
        ])
    }

    /// The lines for which a value was read: itself, or something that it is in.
    fn lines_of(&self, value: DataValue<'_>, read_by: &BTreeMap<u32, Vec<usize>>) -> Vec<usize> {
        let named = self.values.get(value.id);
        let around = named.above.iter().filter_map(|node| self.values.id_of(*node));
        let mut lines: Vec<usize> =
            around.chain([value.id]).filter_map(|id| read_by.get(&id.0)).flatten().copied().collect();
        lines.sort_unstable();
        lines.dedup();
        lines
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
            ("history", list(self.origins().iter().map(step))),
        ])
    }
}

fn numbers(numbers: &[usize]) -> String {
    list(numbers.iter().map(usize::to_string))
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

fn step(origin: &Origin) -> String {
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
    object([
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
    ])
}
