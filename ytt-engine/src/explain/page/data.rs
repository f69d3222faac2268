//! What the page shows, as one JSON object in which everything stands once and is named by its number.
//!
//! An output of megabytes has a history for each line, and most of what they say is the same: the same places, the same
//! words, the same values read around them. So the object is made of tables; lists that belong together are flattened to
//! one list of numbers each, of which so many in turn are one row. `-1` stands for nothing.
//!
//! | key | holds |
//! |---|---|
//! | `output` | the text |
//! | `documents` | `[name, file, number in its file, first line, last line]` |
//! | `entries` | documents and items of the text, each `line behind that of the one before, items around it, step`: a number in `texts` (a key; of a document nothing), or `-2 - index` |
//! | `lines` | of each line its number in `histories` |
//! | `histories` | lists of steps, newest first: how many, then their numbers |
//! | `steps` | each `form, value (in texts), reader of the expression, scope` |
//! | `scopes` | who ran around a step: how many numbers, then `reader, how much it had read` of each |
//! | `forms` | what many steps have in common: `[kind, words, value before, place, operation, matcher, matches, place of the item with the matcher, flag, names, place of the item]` |
//! | `names` | where the names that an expression reads were set: how many numbers, then `code, place` of each |
//! | `readers` | `[what was read, in order, reader around, how much that one had read, place of the call]`; of what was read the number in `values` twice, and one more if it was taken whole, or `-2 - number` in `taken` |
//! | `taken` | what code took from elsewhere: `[words, place of the file, place of the call]`; of a function nothing, the place of its `return`, and of the call |
//! | `values` | data values, those of a map behind it: `[name, value, number behind the last one in it, holds nothing, history, is a list]` |
//! | `tried` | items of overlays: `[place, operation, matcher, matches, changes]` |
//! | `removed` | what overlays removed: `[step, what]` |
//! | `warnings` | `[code, message, place]` |
//! | `places` | each `source, line, column, last line, last column` |
//! | `sources` | `[name, runs of lines]`; a run is the number of its first line and the text |
//! | `texts` | all texts |

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::hash::Hash;
use std::sync::Arc;

use super::super::history::{Overlaid, Step, StepKind};
use super::super::names::{self, SetName};
use super::super::origin::{Origin, Role};
use super::super::overlays::OverlayItems;
use super::super::values::ValueId;
use super::super::{DataValue, Explanation};
use crate::diag::{Diagnostic, TextRange};
use crate::quoted::{self, Json};
use crate::source::{self, Source, SourceId, Span, to_u32};
use crate::yaml::print::MarkStep;
use crate::yaml::readers::Noted;
use crate::yaml::words::key_text;
use crate::yaml::{Body, Event, NodeId, ReaderId, ReaderKind, TakenFrom, What};

/// The object, safe to stand between the tags of a script.
pub(super) fn of(explanation: &Explanation<'_>, warnings: &[Diagnostic]) -> String {
    let mut tables = Tables::new(explanation);
    let mut out = String::with_capacity(explanation.text.len().saturating_mul(4));
    out.push_str("{\"output\":");
    quoted::json(&mut out, &explanation.text, Json::Html);
    let documents = rows(0..to_u32(explanation.documents.len()), |number| tables.document(number));
    let _ = write!(out, ",\"documents\":{documents},\"entries\":{}", tables.entries());
    let lines = tables.lines();
    let _ = write!(out, ",\"lines\":{lines}");
    let values = rows(0..to_u32(explanation.values.all.len()), |id| tables.value(ValueId(id)));
    let _ = write!(out, ",\"values\":{values},\"removed\":{},\"tried\":{}", tables.removed(), tables.tried());
    let warnings = rows(warnings.iter(), |warning| tables.warning(warning));
    let _ = write!(out, ",\"warnings\":{warnings},\"readers\":{}", tables.readers());
    let taken = tables.taken();
    let _ = write!(out, ",\"taken\":{taken}");
    let Tables { histories, steps, scopes, forms, names, places, .. } = &tables;
    let _ = write!(out, ",\"histories\":{},\"scopes\":{}", lists(&histories.rows), lists(&scopes.rows));
    let _ = write!(out, ",\"steps\":{}", numbers(steps.rows.iter().flatten().copied()));
    let _ = write!(out, ",\"names\":{}", lists(&names.rows));
    let _ = write!(out, ",\"forms\":{}", rows(forms.rows.iter(), |form| numbers(form.iter().copied())));
    let _ = write!(out, ",\"places\":{}", numbers(places.rows.iter().flatten().map(|number| i64::from(*number))));
    let sources = tables.sources();
    let _ = write!(out, ",\"sources\":{sources},\"texts\":{}}}", rows(tables.texts.rows.iter(), |text| string(text)));
    out
}

/// Rows, each once, by number.
struct Table<K> {
    numbers: HashMap<K, u32>,
    rows: Vec<K>,
}

impl<K: Clone + Eq + Hash> Table<K> {
    fn new() -> Table<K> {
        Table { numbers: HashMap::new(), rows: Vec::new() }
    }

    fn number(&mut self, row: K) -> i64 {
        self.own_number(row).into()
    }

    fn own_number(&mut self, row: K) -> u32 {
        let next = to_u32(self.rows.len());
        *self.numbers.entry(row).or_insert_with_key(|row| {
            self.rows.push(row.clone());
            next
        })
    }
}

/// What stands for nothing.
const NONE: i64 = -1;

struct Tables<'e> {
    of: &'e Explanation<'e>,
    texts: Table<String>,
    /// Files by their paths; of what else has a text, each by its own number.
    sources: Table<(String, Option<SourceId>)>,
    /// One of the sources with this name, and the lines of it that are shown.
    excerpts: BTreeMap<u32, (SourceId, BTreeSet<u32>)>,
    places: Table<[u32; 5]>,
    spans: HashMap<Span, i64>,
    forms: Table<[i64; 11]>,
    names: Table<Vec<i64>>,
    /// Numbers in `names`, by the places of steps.
    named: HashMap<Span, i64>,
    steps: Table<[i64; 4]>,
    scopes: Table<Vec<i64>>,
    histories: Table<Vec<i64>>,
    readers: Table<ReaderId>,
}

impl<'e> Tables<'e> {
    fn new(of: &'e Explanation<'e>) -> Tables<'e> {
        Tables {
            of,
            texts: Table::new(),
            sources: Table::new(),
            excerpts: BTreeMap::new(),
            places: Table::new(),
            spans: HashMap::new(),
            forms: Table::new(),
            names: Table::new(),
            named: HashMap::new(),
            steps: Table::new(),
            scopes: Table::new(),
            histories: Table::new(),
            readers: Table::new(),
        }
    }

    fn text(&mut self, text: &str) -> i64 {
        self.texts.number(text.to_owned())
    }

    fn maybe_text(&mut self, text: Option<&str>) -> i64 {
        text.map_or(NONE, |text| self.text(text))
    }

    fn document(&mut self, number: u32) -> String {
        let document = self.of.printed(number);
        let (first, last) = self.of.lines_of_document(number);
        let (name, file) = (self.of.document_name(number), document.file);
        format!("[{},{},{},{first},{last}]", string(&name), string(file), document.number)
    }

    fn entries(&mut self) -> String {
        let (mut flat, mut line) = (Vec::new(), 0);
        for entry in &self.of.entries {
            let step = match entry.mark.step {
                MarkStep::Document => NONE,
                MarkStep::Key(key) => self.text(&key_text(self.of.arena, key)),
                MarkStep::Index(index) => i64::from(index).saturating_neg().saturating_sub(2),
            };
            flat.extend([i64::from(entry.line.saturating_sub(line)), i64::from(entry.mark.depth), step]);
            line = entry.line;
        }
        numbers(flat.into_iter())
    }

    fn lines(&mut self) -> String {
        let mut known = HashMap::<u32, i64>::new();
        let lines = (0..self.of.lines.len()).map(|line| {
            let Some(entry) = self.of.entry_on(line) else { return NONE };
            if let Some(history) = known.get(&entry) {
                return *history;
            }
            let steps = self.of.steps_of(entry).into_iter().map(|step| (step, Role::Output));
            let history = self.history(steps);
            known.insert(entry, history);
            history
        });
        numbers(lines)
    }

    fn history(&mut self, steps: impl Iterator<Item = (Step, Role)>) -> i64 {
        let steps = steps.map(|(step, role)| self.step(&step, role)).collect();
        self.histories.number(steps)
    }

    fn step(&mut self, step: &Step, role: Role) -> i64 {
        // What was read goes by the readers: many steps name the same long list.
        let origin = Origin::told(self.of, step, role);
        let (matched, item) = match step.kind {
            StepKind::Overlaid(Overlaid { right, matched, .. }) => (self.place_of(matched.right), self.place_of(right)),
            _ => (NONE, NONE),
        };
        let overlay = origin.overlay();
        let form = [
            self.text(origin.kind().as_str()),
            self.text(&origin.said()),
            self.maybe_text(origin.before()),
            step.at.filter(|_| origin.place().is_some()).map_or(NONE, |at| self.place(at)),
            self.maybe_text(overlay.map(|overlay| overlay.operation())),
            self.maybe_text(overlay.and_then(|overlay| overlay.matcher())),
            overlay.map_or(NONE, |overlay| overlay.matches().into()),
            matched,
            self.maybe_text(origin.flag()),
            self.names(step),
            item,
        ];
        let form = self.forms.number(form);
        let value = self.text(origin.value());
        let expression = step.expression.map_or(NONE, |reader| self.reader(reader));
        let scope = step.scopes().flat_map(|moment| [self.reader(moment.reader), i64::from(moment.reads)]).collect();
        let scope = self.scopes.number(scope);
        self.steps.number([form, value, expression, scope])
    }

    fn names(&mut self, step: &Step) -> i64 {
        let Some(at) = step.at.filter(|_| step.expression.is_some()) else { return NONE };
        if let Some(known) = self.named.get(&at) {
            return *known;
        }
        let mut row = Vec::new();
        for set in names::of_step(self.of, step) {
            row.extend([self.text(SetName::new(self.of, set).code()), self.place(set.name)]);
        }
        let number = if row.is_empty() { NONE } else { self.names.number(row) };
        self.named.insert(at, number);
        number
    }

    /// Where an item of an overlay was written.
    fn place_of(&mut self, right: NodeId) -> i64 {
        let written = self.of.histories.written_right(right);
        self.of.arena.span_of(written).map_or(NONE, |at| self.place(at))
    }

    /// The number of a reader; those around it get theirs, too.
    fn reader(&mut self, reader: ReaderId) -> i64 {
        let number = self.readers.number(reader);
        let readers = &self.of.arena.events.readers;
        for around in readers.chain(readers.get(reader).around) {
            self.readers.number(around.reader);
        }
        number
    }

    fn readers(&mut self) -> String {
        let all = self.readers.rows.clone();
        rows(all.iter(), |id| {
            let reader = self.of.arena.events.readers.get(*id);
            let read = |noted: &Noted| match noted {
                Noted::Value(read) => {
                    let value = self.of.values.id_of(read.item);
                    value.map_or(NONE, |id| i64::from(id.0) << 1 | i64::from(read.whole))
                }
                Noted::Taken(number) => i64::from(*number).saturating_neg().saturating_sub(2),
            };
            let reads = numbers(reader.reads.iter().map(read));
            let (around, count) =
                reader.around.map_or((NONE, 0), |moment| (self.readers.number(moment.reader), moment.reads));
            let call = match reader.kind {
                ReaderKind::Body { call: Some(call) } => self.place(call),
                _ => NONE,
            };
            format!("[{reads},{around},{count},{call}]")
        })
    }

    /// Of a function the words are empty, and the first place is that of the `return`.
    fn taken(&mut self) -> String {
        let readers = &self.of.arena.events.readers;
        let taken = (0..).map_while(|number| readers.taken(number));
        rows(taken, |taken| {
            let (words, file) = match taken.from {
                TakenFrom::Text(format) => (format!("{format} text"), NONE),
                TakenFrom::Return(at) => (String::new(), self.place(at)),
                TakenFrom::File(source) => {
                    (format!("file {}", self.of.sources.get(source).name), self.place(Span::new(source, 0, 0)))
                }
            };
            let call = taken.call.map_or(NONE, |call| self.place(call));
            format!("[{},{file},{call}]", string(&words))
        })
    }

    fn value(&mut self, id: ValueId) -> String {
        let named = self.of.values.get(id);
        let value = DataValue { explanation: self.of, id };
        let shown = value.value();
        // What is said of a map is said of what it holds.
        let history = if named.is_leaf { self.history(value.steps()) } else { NONE };
        let (name, shown) = (string(&named.name), self.text(&shown));
        format!("[{name},{shown},{},{},{history},{}]", named.end.0, u8::from(named.is_leaf), u8::from(named.is_list))
    }

    fn removed(&mut self) -> String {
        let mut removed = Vec::new();
        for (number, event) in (0_u32..).zip(self.of.arena.events.all()) {
            let Event::Changed { node, what: What::Removed { item }, .. } = *event else { continue };
            if self.of.values.id_of(node).is_some() {
                continue;
            }
            let Some(step) = self.of.histories.of_removed(item, number).into_iter().next() else { continue };
            let step = self.step(&step, Role::Output);
            let what = match self.of.arena.get(item).body {
                Body::MapItem(key, _) => key_text(self.of.arena, key).to_string(),
                Body::Doc(_) => self.of.removed_name(item, number),
                _ => {
                    let mut path = String::new();
                    self.of.push_removed(&mut path, item, number);
                    path
                }
            };
            removed.extend([step, self.text(&what)]);
        }
        numbers(removed.into_iter())
    }

    fn tried(&mut self) -> String {
        rows(OverlayItems::of(self.of).into_told(self.of), |(written, item)| {
            let at = self.place_of(written);
            let (operation, matcher) = (self.text(item.operation()), self.maybe_text(item.matcher()));
            format!("[{at},{operation},{matcher},{},{}]", item.matches(), item.changes())
        })
    }

    fn warning(&mut self, warning: &Diagnostic) -> String {
        let parts = warning.parts();
        // A place of another render has no meaning here.
        let is_own = parts.sources.as_ref().is_some_and(|sources| Arc::ptr_eq(sources, self.of.sources));
        let label = parts.labels.first().filter(|_| is_own);
        let place = label.map_or(NONE, |label| self.place(label.span));
        format!("[{},{},{place}]", string(warning.code().as_str()), string(warning.message()))
    }

    fn place(&mut self, at: Span) -> i64 {
        if let Some(known) = self.spans.get(&at) {
            return *known;
        }
        let range = TextRange::new(self.of.sources, at);
        let source = self.of.sources.get(at.source);
        let name = match &source.origin {
            source::Origin::Rust(_) => range.file().to_owned(),
            _ => source.shown_name(),
        };
        let is_file = matches!(source.origin, source::Origin::File(_));
        let number = self.sources.own_number((name, (!is_file).then_some(at.source)));
        let (start, end) = (range.start(), range.end());
        // The text of a value of Rust code is not the Rust file.
        if !matches!(source.origin, source::Origin::Rust(_)) {
            let last = end.line.min(start.line.saturating_add(MOST));
            let shown = start.line.saturating_sub(AROUND).max(1)..=last.saturating_add(AROUND);
            self.excerpts.entry(number).or_insert_with(|| (at.source, BTreeSet::new())).1.extend(shown);
        }
        let place = self.places.number([number, start.line, start.column, end.line, end.column]);
        self.spans.insert(at, place);
        place
    }

    fn sources(&self) -> String {
        let numbered = self.sources.rows.iter().zip(0u32..);
        rows(numbered, |((name, _), number)| {
            let Some((id, lines)) = self.excerpts.get(&number) else { return format!("[{},[]]", string(name)) };
            let source = self.of.sources.get(*id);
            let whole = source.text.as_bytes().len() <= WHOLE;
            let last = source.line(to_u32(source.text.as_bytes().len()));
            let lines: Vec<u32> = match whole {
                true => (1..=last).collect(),
                false => lines.iter().copied().filter(|line| *line <= last).collect(),
            };
            let runs = lines.chunk_by(|line, next| next.checked_sub(1) == Some(*line));
            format!("[{},{}]", string(name), rows(runs, |run| self::run(&source, run)))
        })
    }
}

/// Lines around a place that are shown.
const AROUND: u32 = 3;

/// Lines of a place that are shown behind the first one.
const MOST: u32 = 8;

/// Files up to this size, in bytes, are in the page as a whole.
const WHOLE: usize = 8 * 1024;

/// Characters of a line of a source that are shown.
const LONG: usize = 400;

/// Lines that follow each other: the number of the first one, and the text.
fn run(source: &Source, lines: &[u32]) -> String {
    format!("{},{}", lines.first().copied().unwrap_or_default(), string(&text_of(source, lines)))
}

fn text_of(source: &Source, lines: &[u32]) -> String {
    let shown = lines.iter().map(|line| {
        let text = source.line_text(*line);
        match text.char_indices().nth(LONG).and_then(|(at, _)| text.get(..at)) {
            Some(begin) => format!("{begin}…"),
            None => text,
        }
    });
    shown.collect::<Vec<_>>().join("\n")
}

fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len().saturating_add(2));
    quoted::json(&mut out, text, Json::Html);
    out
}

fn rows<T>(items: impl Iterator<Item = T>, mut row: impl FnMut(T) -> String) -> String {
    let mut out = String::from("[");
    for item in items {
        if out.len() > 1 {
            out.push(',');
        }
        out.push_str(&row(item));
    }
    out + "]"
}

/// Lists behind each other, each with its length in front.
fn lists(rows: &[Vec<i64>]) -> String {
    numbers(rows.iter().flat_map(|row| [i64::from(to_u32(row.len()))].into_iter().chain(row.iter().copied())))
}

fn numbers(items: impl Iterator<Item = i64>) -> String {
    let mut out = String::from("[");
    for item in items {
        let _ = match out.len() {
            1 => write!(out, "{item}"),
            _ => write!(out, ",{item}"),
        };
    }
    out + "]"
}
