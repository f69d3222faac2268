//! The whole explanation as one JSON object, for editors, review bots and the page.
//!
//! It is tens of times the output, and says almost the same again and again: so it is written piece by piece, and what
//! steps have in common is made once.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Write};

use super::history::{Overlaid, Step, StepKind};
use super::lines::Lines;
use super::names;
use super::origin::{Origin, Reading, Returned, Role, Taken, shown_before, shown_behind};
use super::overlays::{OverlayItem, OverlayItems};
use super::values::ValueId;
use super::{DataValue, Explanation, Found, SetName, values};
use crate::diag::TextRange;
use crate::diag::json::{self, list, members, null, object, place, string};
use crate::quoted::{self, Json};
use crate::source::{Span, to_u32};
use crate::yaml::readers::Noted;
use crate::yaml::{Moment, NodeId, ReaderId};

impl Explanation<'_> {
    /// The whole as one JSON object on one line.
    ///
    /// | key | value |
    /// |---|---|
    /// | `documents` | objects: `name`, `file` (of the output), `number` in its file from 1, `first_line` and `last_line` |
    /// | `lines` | objects, one for each line of the output: `text`, `document` (its number in `documents`, from 0), `path`, `history` (a number in `histories`) |
    /// | `histories` | lists of steps, newest first |
    /// | `scopes` | objects: `around` (the number of another scope, or null), `reads` (objects of `name`, `value`, `whole`) and `taken` (objects of `format`, `file`, `call`): what was read there beyond what was read in `around` |
    /// | `overlays` | objects of the items of overlays ([`OverlayItem`]): `place`, `source` (the line there), `operation`, `matcher`, `matches` (how many items it matched), `changes` (how often it changed something), `lines` in whose histories it is |
    /// | `data_values` | objects: `name`, `value`, `history` (a list of steps), `lines` for which it was read |
    /// | `lints` | what the render found, each as [`Error::to_json_lines`](crate::Error::to_json_lines) has a diagnostic |
    ///
    /// The `lines` of an overlay or data value are runs: lists of the first and the last number, from 1.
    ///
    /// A step is an object: `kind` ([`OriginKind::as_str`](super::OriginKind::as_str)), `value` behind it, `before` (or null), `said` (what was
    /// done, in words), `place` (or null), `source` (the line there), `flag` (as it may be typed, or null), `overlay` (null, or an object of `operation`, `matcher` and
    /// `matches`), `names` (that its expression reads, see [`Origin::names`](super::Origin::names): objects of `code` and `place`), `calls` (places, innermost first), `returns` (of functions without nodes: objects of the `place` of the `return` and the `call`), `reads` (objects of `name`, `value`, `in_scope`), `taken` (what code took from elsewhere: objects of `format`, `file`, `call`, `in_scope`,
    /// see [`Taken`]). Lines share most of what was read in their scopes, so in
    /// `histories` a step has only what its expression read and took, and `scopes`, a list of numbers in that table; of a map in it that was not read as a
    /// `whole`, only what was read in the map counts. A place has the keys of those of [`Error::to_json_lines`](crate::Error::to_json_lines).
    ///
    /// ```
    /// let rendered = ytt_engine::Project::new().file("a.yml", "a: 1\n").explain(true).render()?;
    /// let json = rendered.explanation()?.unwrap().to_json();
    /// assert!(json.starts_with("{\"documents\":[{\"name\":\"a.yml\","));
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn to_json(&self) -> String {
        let mut out = Out { text: String::new(), to: None };
        // Nothing is written anywhere, so nothing fails.
        let _ = self.json_into(&mut out);
        out.text
    }

    /// Writes what [`Explanation::to_json`] gives, without keeping it in memory.
    ///
    /// # Errors
    ///
    /// When `to` refuses.
    ///
    /// ```
    /// let rendered = ytt_engine::Project::new().file("a.yml", "a: 1\n").explain(true).render()?;
    /// let explanation = rendered.explanation()?.unwrap();
    /// let mut json = Vec::new();
    /// explanation.write_json(&mut json).unwrap();
    /// assert_eq!(json, explanation.to_json().into_bytes());
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn write_json(&self, mut to: impl Write) -> io::Result<()> {
        let mut out = Out { text: String::with_capacity(BLOCK), to: Some(&mut to) };
        self.json_into(&mut out)?;
        let Out { text, .. } = out;
        to.write_all(text.as_bytes())
    }

    fn json_into(&self, out: &mut Out<'_>) -> io::Result<()> {
        let documents = list((0..to_u32(self.documents.len())).map(|number| self.document_json(number)));
        out.text.push_str("{\"documents\":");
        out.text.push_str(&documents);
        out.text.push_str(",\"lines\":");
        out.list(self.lines_with_entries(), |out, (number, entry, history)| {
            out.text.push_str("{\"text\":");
            out.string(self.line_text(number));
            let document = self.entry(entry).document;
            out.text.push_str(&format!(",\"document\":{document},\"path\":"));
            out.string(&self.path(entry));
            out.text.push_str(&format!(",\"history\":{history}}}"));
        })?;
        let mut told = Told::new(self);
        out.text.push_str(",\"histories\":");
        out.text.push('[');
        let mut separator = "";
        let mut result = Ok(());
        self.each_entry_on_lines(|_, steps, lines| {
            out.text.push_str(separator);
            separator = ",";
            told.history(&mut out.text, steps, lines);
            let written = out.spill();
            if result.is_ok() {
                result = written;
            }
        });
        result?;
        out.text.push_str("],\"scopes\":");
        told.scopes.json(self, out)?;
        out.text.push_str(",\"overlays\":");
        let Told { overlays, read_by, .. } = told;
        out.list(overlays.into_told(self), |out, (_, item)| out.text.push_str(&item.to_json()))?;
        out.text.push_str(",\"data_values\":");
        out.list(self.data_values(), |out, value| out.text.push_str(&self.value_json(value, &read_by)))?;
        out.text.push_str(",\"lints\":");
        out.list(self.lints().iter(), |out, lint| out.text.push_str(&json::line(lint)))?;
        out.text.push('}');
        Ok(())
    }

    /// The numbers of lines that belong to something, from 0, each with its entry, and how many entries stood on lines before.
    fn lines_with_entries(&self) -> impl Iterator<Item = (usize, u32, usize)> {
        let (mut last, mut count) = (None, 0_usize);
        let lines = (0..self.lines.len()).filter_map(|number| Some((number, self.entry_on(number)?)));
        lines.map(move |(number, entry)| {
            count = count.saturating_add(usize::from(last.is_some_and(|last| last != entry)));
            last = Some(entry);
            (number, entry, count)
        })
    }

    /// Runs over the entries that stand on lines: with the steps of each, and its first and last line, from 1.
    pub(super) fn each_entry_on_lines(&self, mut work: impl FnMut(u32, &[Step], (usize, usize))) {
        let mut lines = self.lines_with_entries().peekable();
        while let Some((first, entry, _)) = lines.next() {
            let mut last = first;
            while let Some((next, ..)) = lines.next_if(|(_, next, _)| *next == entry) {
                last = next;
            }
            work(entry, &self.steps_of(entry), (first.saturating_add(1), last.saturating_add(1)));
        }
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
            ("history", list(value.origins().iter().map(step_json))),
            ("lines", lines_json(&lines)),
        ])
    }
}

/// So much is kept before it is written.
const BLOCK: usize = 64 << 10;

/// What is written, and where to.
struct Out<'w> {
    text: String,
    /// Nothing: all of it is kept.
    to: Option<&'w mut dyn Write>,
}

impl Out<'_> {
    fn spill(&mut self) -> io::Result<()> {
        if let Some(to) = &mut self.to
            && self.text.len() >= BLOCK
        {
            to.write_all(self.text.as_bytes())?;
            self.text.clear();
        }
        Ok(())
    }

    fn string(&mut self, text: &str) {
        quoted::json(&mut self.text, text, Json::Yaml);
    }

    fn list<T>(&mut self, items: impl Iterator<Item = T>, mut write: impl FnMut(&mut Self, T)) -> io::Result<()> {
        self.text.push('[');
        let mut separator = "";
        for item in items {
            self.text.push_str(separator);
            separator = ",";
            write(self, item);
            self.spill()?;
        }
        self.text.push(']');
        Ok(())
    }
}

/// What steps have in common, as JSON.
struct Form {
    kind: String,
    /// For the words of one.
    origin: Origin,
    /// From the place to the overlay.
    middle: String,
}

/// Which steps have a form in common: the kind, the items of overlays as written and their matches, and the place.
type FormKey = (u8, NodeId, NodeId, u32, Option<Span>);

/// Lists of what was read around steps that are kept: lines that follow each other share them.
const KEPT: usize = 32;

struct Told<'e> {
    of: &'e Explanation<'e>,
    scopes: Scopes,
    overlays: OverlayItems,
    read_by: BTreeMap<ValueId, Lines>,
    forms: HashMap<FormKey, Form>,
    places: HashMap<Span, String>,
    in_scope: HashMap<[Option<(ReaderId, u32)>; 2], Vec<ValueId>>,
}

impl<'e> Told<'e> {
    fn new(of: &'e Explanation<'e>) -> Told<'e> {
        Told {
            of,
            scopes: Scopes::of(of),
            overlays: OverlayItems::of(of),
            read_by: BTreeMap::new(),
            forms: HashMap::new(),
            places: HashMap::new(),
            in_scope: HashMap::new(),
        }
    }

    /// Writes the history of what stands on these lines.
    fn history(&mut self, out: &mut String, steps: &[Step], lines: (usize, usize)) {
        let mut reads = Vec::new();
        out.push('[');
        for (number, step) in steps.iter().enumerate() {
            if number > 0 {
                out.push(',');
            }
            let own = self.of.values.in_expression(self.of.arena, step.expression);
            self.step(out, step, &own);
            reads.extend(own);
            reads.extend(self.around(step));
        }
        out.push(']');
        reads.sort_unstable();
        reads.dedup();
        for read in reads {
            self.read_by.entry(read).or_default().add_run(lines.0, lines.1);
        }
        self.overlays.note_steps(self.of, steps, lines);
    }

    /// The values that were read around a step.
    fn around(&mut self, step: &Step) -> &[ValueId] {
        let key = [step.around, step.applied].map(|moment| moment.map(|moment| (moment.reader, moment.reads)));
        if self.in_scope.len() > KEPT && !self.in_scope.contains_key(&key) {
            self.in_scope.clear();
        }
        self.in_scope.entry(key).or_insert_with(|| self.of.values.in_scope(self.of.arena, step.scopes()))
    }

    fn step(&mut self, out: &mut String, step: &Step, reads: &[ValueId]) {
        let key = self.key(step);
        let of = self.of;
        let form = self.forms.entry(key).or_insert_with(|| {
            let origin = Origin::told(of, step, Role::Output).with_names(of, names::of_step(of, step));
            Form { kind: string(origin.kind().as_str()), middle: middle_json(&origin), origin }
        });
        form.origin.set_before(shown_before(of, step));
        let write = |out: &mut String, text: &str| quoted::json(out, text, Json::Yaml);
        out.push_str("{\"kind\":");
        out.push_str(&form.kind);
        out.push_str(",\"value\":");
        write(out, &shown_behind(of, step));
        out.push_str(",\"before\":");
        match form.origin.before() {
            Some(before) => write(out, before),
            None => out.push_str("null"),
        }
        out.push_str(",\"said\":");
        write(out, &form.origin.said());
        out.push(',');
        out.push_str(&form.middle);
        out.push_str(",\"calls\":[");
        for (number, call) in of.histories.calls(step).into_iter().enumerate() {
            if number > 0 {
                out.push(',');
            }
            let place = self.places.entry(call).or_insert_with(|| object_of(&TextRange::new(of.sources, call)));
            out.push_str(place);
        }
        out.push_str("],\"returns\":");
        let own = values::noted_in_expression(of.arena, step.expression);
        out.push_str(&list(own.filter_map(|noted| Some(returned_json(&Returned::of_noted(of, noted)?)))));
        out.push_str(",\"reads\":");
        out.push_str(&list(reads.iter().map(|id| {
            let value = DataValue { explanation: of, id: *id };
            read_json(value.name(), &value.value(), false)
        })));
        out.push_str(",\"taken\":");
        let own = values::noted_in_expression(of.arena, step.expression);
        out.push_str(&list(own.filter_map(|noted| Some(taken_json(&Taken::of_noted(of, noted)?, true)))));
        out.push_str(",\"scopes\":");
        let own = step.scopes().filter_map(|moment| self.scopes.number(moment)).map(|number| number.to_string());
        out.push_str(&list(own));
        out.push('}');
    }

    fn key(&self, step: &Step) -> FormKey {
        let (none, histories) = (NodeId(0), &self.of.histories);
        let (kind, right, by, matches) = match step.kind {
            StepKind::Written => (0, none, none, 0),
            StepKind::Computed => (1, none, none, 0),
            StepKind::Default => (2, none, none, 0),
            StepKind::Given(_) => (3, none, none, 0),
            StepKind::Placed => (4, none, none, 0),
            StepKind::Overlaid(Overlaid { right, matched, .. }) => {
                (5, histories.written_right(right), histories.written_right(matched.right), matched.matches)
            }
        };
        (kind, right, by, matches, step.at)
    }
}

fn lines_json(lines: &Lines) -> String {
    list(lines.runs().map(|(first, last)| format!("[{first},{last}]")))
}

/// What was read around steps. Many steps share almost all of it, so each moment says only what is new.
struct Scopes(BTreeMap<(ReaderId, u32), usize>);

impl Scopes {
    fn of(explanation: &Explanation<'_>) -> Scopes {
        let readers = &explanation.arena.events.readers;
        let mut moments = BTreeMap::new();
        explanation.each_entry_on_lines(|_, steps, _| {
            for moment in steps.iter().flat_map(Step::scopes) {
                // Those around one that is known are known.
                for moment in readers.chain(Some(moment)) {
                    if moments.insert((moment.reader, moment.reads), 0).is_some() {
                        break;
                    }
                }
            }
        });
        (0..).zip(moments.values_mut()).for_each(|(next, number)| *number = next);
        Scopes(moments)
    }

    fn number(&self, moment: Moment) -> Option<usize> {
        self.0.get(&(moment.reader, moment.reads)).copied()
    }

    fn json(&self, of: &Explanation<'_>, out: &mut Out<'_>) -> io::Result<()> {
        out.list(self.0.iter(), |out, (&(id, count), number)| {
            let reader = of.arena.events.readers.get(id);
            let before = self.0.range((id, 0)..(id, count)).next_back();
            let known = before.map_or(0, |((_, reads), _)| *reads as usize);
            let around = before.map(|(_, number)| *number).or_else(|| self.number(reader.around?));
            debug_assert!(around.is_none_or(|around| around < *number), "what is around something began before");
            let new = || reader.reads.iter().take(count as usize).skip(known).copied();
            let read = |noted| {
                let Noted::Value(read) = noted else { return None };
                let id = of.values.id_of(read.item)?;
                let value = DataValue { explanation: of, id };
                Some(object([
                    ("name", string(value.name())),
                    ("value", string(&value.value())),
                    ("whole", read.whole.to_string()),
                ]))
            };
            let taken = new().filter_map(|noted| Some(taken_json(&Taken::of_noted(of, noted)?, false)));
            out.text.push_str(&object([
                ("around", around.map_or_else(null, |around| around.to_string())),
                ("reads", list(new().filter_map(read))),
                ("taken", list(taken)),
            ]));
        })
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
            ("history", list(self.origins().iter().map(step_json))),
        ])
    }
}

impl OverlayItem {
    pub(super) fn to_json(&self) -> String {
        object([
            ("place", self.place().map_or_else(null, object_of)),
            ("source", string(self.source())),
            ("operation", string(self.operation())),
            ("matcher", self.matcher().map_or_else(null, string)),
            ("matches", self.matches().to_string()),
            ("changes", self.changes().to_string()),
            ("lines", lines_json(self.runs())),
        ])
    }
}

fn object_of(range: &TextRange) -> String {
    format!("{{{}}}", place(Some(range)))
}

fn read_json(name: &str, value: &str, in_scope: bool) -> String {
    object([("name", string(name)), ("value", string(value)), ("in_scope", in_scope.to_string())])
}

fn returned_json(returned: &Returned) -> String {
    object([("place", object_of(returned.place())), ("call", returned.call().map_or_else(null, object_of))])
}

/// What was taken from elsewhere; of a scope it is known that it is.
fn taken_json(taken: &Taken, says_scope: bool) -> String {
    let told = members([
        ("format", taken.format().map_or_else(null, string)),
        ("file", taken.file().map_or_else(null, object_of)),
        ("call", taken.call().map_or_else(null, object_of)),
    ]);
    match says_scope {
        true => format!("{{{told},\"in_scope\":{}}}", taken.in_scope()),
        false => format!("{{{told}}}"),
    }
}

/// Where a step was made, and by whom.
fn middle_json(origin: &Origin) -> String {
    let overlay = origin.overlay().map(|overlay| {
        object([
            ("operation", string(overlay.operation())),
            ("matcher", overlay.matcher().map_or_else(null, string)),
            ("matches", overlay.matches().to_string()),
        ])
    });
    members([
        ("place", origin.place().map_or_else(null, object_of)),
        ("source", string(origin.source())),
        ("flag", origin.flag().map_or_else(null, string)),
        ("overlay", overlay.unwrap_or_else(null)),
        ("names", list(origin.names().iter().map(set_json))),
    ])
}

fn set_json(set: &SetName) -> String {
    object([("code", string(set.code())), ("place", object_of(set.place()))])
}

/// A step with all that was read for it.
fn step_json(origin: &Origin) -> String {
    let read = |read: &Reading| read_json(read.name(), read.value(), read.in_scope());
    let told = members([
        ("kind", string(origin.kind().as_str())),
        ("value", string(origin.value())),
        ("before", origin.before().map_or_else(null, string)),
        ("said", string(&origin.said())),
    ]);
    let read = members([
        ("calls", list(origin.calls().iter().map(object_of))),
        ("returns", list(origin.returns().iter().map(returned_json))),
        ("reads", list(origin.reads().iter().map(read))),
        ("taken", list(origin.taken().iter().map(|taken| taken_json(taken, true)))),
    ]);
    format!("{{{told},{},{read}}}", middle_json(origin))
}
