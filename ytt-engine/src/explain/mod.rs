//! Where every line of a result comes from, told from the record of what happened.
//!
//! `history` follows a node back through the record, `values` names data values and who read them; [`Explanation`] joins
//! both with what is printed. `origin` is what is said of one step, `overlays` what of the items of overlays, `select` finds
//! what somebody asks for, `text`, `json` and `page` write the answer.
//!
//! The law of this layer: nothing is said that was not recorded, but for what code says beyond doubt (`names`).

mod history;
mod json;
mod lines;
mod names;
mod origin;
mod overlays;
mod page;
mod select;
#[cfg(test)]
mod tests;
mod text;
mod texts;
mod values;

use std::fmt;
use std::sync::Arc;

use crate::diag::path::{push_index, push_key};
use crate::diag::{Diagnostic, Voice};
use crate::source::{SourceMap, to_u32};
use crate::yaml::print::{self, Mark, MarkStep};
use crate::yaml::words::key_text;
use crate::yaml::{Arena, NodeId, Val};
use history::{Histories, Step};
use origin::Role;
use values::{ValueId, Values};

pub use names::SetName;
pub use origin::{Origin, OriginKind, OverlayStep, Reading, Returned, Taken};
pub use overlays::OverlayItem;
pub use select::Found;
pub(crate) use texts::Text;

/// Where everything in the output of a render comes from: what [`Rendered::explanation`](crate::Rendered::explanation)
/// gives if [`Project::explain`](crate::Project::explain) was set.
///
/// Lines are those of the documents as [`Format::Yaml`](crate::Format::Yaml) prints them, `---` counted.
///
/// ```
/// let rendered = ytt_engine::Project::new()
///     .file("schema.yml", "#@data/values-schema\n---\nreplicas: 1\n")
///     .file("web.yml", "#@ load(\"@ytt:data\", \"data\")\nreplicas: #@ data.values.replicas\n")
///     .data_value("replicas", 3)
///     .explain(true)
///     .render()?;
/// let explanation = rendered.explanation()?.unwrap();
/// let line = explanation.lines().next().unwrap();
/// assert_eq!((line.text(), line.path()), ("replicas: 3", "replicas".to_string()));
/// let newest = &line.origins()[0];
/// assert_eq!(newest.place().unwrap().file(), "web.yml");
/// assert_eq!(newest.reads()[0].name(), "replicas");
/// # Ok::<(), ytt_engine::Error>(())
/// ```
pub struct Explanation<'r> {
    arena: &'r Arena,
    sources: &'r Arc<SourceMap>,
    /// Who gave the data values.
    voice: Voice,
    histories: Histories<'r>,
    values: Values,
    text: String,
    entries: Vec<Entry>,
    documents: Vec<Printed<'r>>,
    /// Where the lines of the text begin.
    lines: Vec<usize>,
    /// The files of the output that are no documents.
    texts: Vec<Text<'r>>,
    warnings: &'r [Diagnostic],
}

/// A document or item of the text.
#[derive(Clone, Copy, Debug)]
struct Entry {
    mark: Mark,
    /// The entry around it; of a document its own number.
    parent: u32,
    document: u32,
    /// Its line in the text, from 1.
    line: u32,
}

/// A document of the text.
#[derive(Clone, Copy, Debug)]
struct Printed<'r> {
    file: &'r str,
    /// Its number in its file, from 1.
    number: u32,
    entry: u32,
}

impl<'r> Explanation<'r> {
    /// Explains documents, each with the path of its file; `limit` is the largest number of bytes.
    pub(crate) fn new(
        arena: &'r Arena,
        (sources, voice): (&'r Arc<SourceMap>, Voice),
        documents: &[(&'r str, NodeId)],
        limit: u64,
    ) -> Result<Explanation<'r>, Diagnostic> {
        let nodes: Vec<NodeId> = documents.iter().map(|(_, document)| *document).collect();
        let (text, marks) = print::marked(arena, sources, &nodes, limit)?;
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at.saturating_add(1)));
        let lines: Vec<usize> = lines.filter(|at| *at < text.len()).collect();
        let mut printed = documents.iter().copied();
        let (mut entries, mut documents) = (Vec::<Entry>::with_capacity(marks.len()), Vec::<Printed<'r>>::new());
        let (mut open, mut line, mut starts) = (Vec::new(), 1_u32, lines.iter().skip(1).peekable());
        for mark in marks {
            let number = to_u32(entries.len());
            open.truncate(mark.depth as usize);
            if let (MarkStep::Document, Some(item)) = (mark.step, mark.item)
                && let Some((file, _)) = printed.find(|(_, document)| *document == item)
            {
                let before = documents.last().filter(|before| before.file == file);
                let place = before.map_or(1, |before| before.number.saturating_add(1));
                documents.push(Printed { file, number: place, entry: number });
            }
            while starts.next_if(|start| **start <= mark.at).is_some() {
                line = line.saturating_add(1);
            }
            let parent = open.last().copied().unwrap_or(number);
            let document = to_u32(documents.len().saturating_sub(1));
            entries.push(Entry { mark, parent, document, line });
            open.push(number);
        }
        let (histories, values) = (Histories::new(arena), Values::new(arena));
        let (texts, warnings) = (Vec::new(), &[][..]);
        Ok(Explanation { arena, sources, voice, histories, values, text, entries, documents, lines, texts, warnings })
    }

    /// All lines of the output.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = Line<'_>> {
        (0..self.lines.len()).map(|number| Line { explanation: self, number })
    }

    /// All data values, those of libraries as `@lib:name`: scalars, and maps and lists without anything in them.
    ///
    /// ```
    /// let schema = "#@data/values-schema\n---\ndb:\n  host: \"\"\n";
    /// let project = ytt_engine::Project::new().file("schema.yml", schema).data_value("db.host", "pg");
    /// let rendered = project.explain(true).render()?;
    /// let explanation = rendered.explanation()?.unwrap();
    /// let host = explanation.data_values().next().unwrap();
    /// assert_eq!((host.name(), host.value().as_str(), host.origins().len()), ("db.host", "pg", 2));
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn data_values(&self) -> impl Iterator<Item = DataValue<'_>> {
        let ids = (0..to_u32(self.values.all.len())).map(ValueId);
        let leaves = ids.filter(|id| self.values.get(*id).is_leaf);
        leaves.map(|id| DataValue { explanation: self, id })
    }

    /// With what the render found.
    pub(crate) fn with_warnings(self, warnings: &'r [Diagnostic]) -> Explanation<'r> {
        Explanation { warnings, ..self }
    }

    /// The lints that the render found, which are those of [`Rendered::warnings`](crate::Rendered::warnings): what level
    /// each has says [`Project::lint`](crate::Project::lint).
    ///
    /// ```
    /// use ytt_engine::{Level, Project};
    ///
    /// let project = Project::new().file("a.yml", "a: 1\n").file("b.star", "x = 1\n").lint("files::unused", Level::Warn);
    /// let rendered = project.explain(true).render()?;
    /// let explanation = rendered.explanation()?.unwrap();
    /// assert_eq!(explanation.lints()[0].code().as_str(), "files::unused");
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn lints(&self) -> &'r [Diagnostic] {
        self.warnings
    }

    #[allow(clippy::indexing_slicing, reason = "numbers are of entries that there are since the beginning")]
    fn entry(&self, number: u32) -> &Entry {
        &self.entries[number as usize]
    }

    #[allow(clippy::indexing_slicing, reason = "numbers are of documents that there are since the beginning")]
    fn printed(&self, number: u32) -> &Printed<'r> {
        &self.documents[number as usize]
    }

    #[allow(clippy::indexing_slicing, reason = "numbers are of texts that there are, found by their files")]
    fn whole_text(&self, number: u32) -> &Text<'r> {
        &self.texts[number as usize]
    }

    /// The entries around one, outermost first, without itself.
    fn above(&self, number: u32) -> Vec<u32> {
        let (mut above, mut at) = (Vec::new(), number);
        while self.entry(at).parent != at {
            at = self.entry(at).parent;
            above.push(at);
        }
        above.reverse();
        above
    }

    /// The path of an entry in its document; empty for the document.
    fn path(&self, number: u32) -> String {
        let mut path = String::new();
        for at in self.above(number).into_iter().chain([number]) {
            match self.entry(at).mark.step {
                MarkStep::Document => {}
                MarkStep::Key(key) => push_key(&mut path, &key_text(self.arena, key)),
                MarkStep::Index(index) => push_index(&mut path, index as usize),
            }
        }
        path
    }

    /// The entry that stands on a line (from 0): the innermost one that begins there, or goes on there.
    fn entry_on(&self, line: usize) -> Option<u32> {
        let number = to_u32(line).saturating_add(1);
        let behind = self.entries.partition_point(|entry| entry.line <= number);
        // A line between documents belongs to the one that follows.
        let next =
            self.entries.get(behind).filter(|next| next.mark.depth == 0 && next.line == number.saturating_add(1));
        match next {
            Some(_) if self.line_text(line) == "---" => Some(to_u32(behind)),
            _ => behind.checked_sub(1).map(to_u32),
        }
    }

    fn line_text(&self, line: usize) -> &str {
        let mut starts = self.lines.iter().skip(line).copied();
        let (start, end) = (starts.next().unwrap_or(self.text.len()), starts.next().unwrap_or(self.text.len()));
        self.text.get(start..end).unwrap_or_default().trim_end_matches('\n')
    }

    /// The items around an entry, and the item that it is or that holds it.
    fn items(&self, number: u32) -> (Vec<NodeId>, Option<NodeId>) {
        let mut items: Vec<NodeId> = self.above(number).iter().filter_map(|at| self.entry(*at).mark.item).collect();
        // What stands in a list or dict of code has no item: the one that holds it says where it is from.
        let own = self.entry(number).mark.item.or_else(|| items.pop());
        (items, own)
    }

    /// The history of an entry, newest step first.
    fn origins_of(&self, number: u32) -> Vec<Origin> {
        self.steps_of(number).iter().map(|step| Origin::new(self, step, Role::Output)).collect()
    }

    fn steps_of(&self, number: u32) -> Vec<Step> {
        let (above, Some(item)) = self.items(number) else { return Vec::new() };
        let mut steps = self.histories.of(item, &above);
        if self.entry(number).mark.item.is_none() {
            steps.iter_mut().take(1).for_each(|step| step.value = self.entry(number).mark.value);
        }
        steps
    }

    /// The text at these keys of a value.
    fn text_at(&self, root: Val, keys: &[&str]) -> Option<&'r str> {
        let value = keys.iter().try_fold(root, |value, key| {
            let item = self.arena.find_str(self.arena.map_of(value)?, key)?;
            Some(self.arena.value(item))
        });
        self.arena.str(value?)
    }

    /// What a document holds.
    fn root(&self, number: u32) -> Val {
        self.entry(self.printed(number).entry).mark.value
    }

    /// The kind and the name of a document, where what it holds has them.
    fn kind_and_name(&self, root: Val) -> Option<(&'r str, &'r str)> {
        Some((self.text_at(root, &["kind"])?, self.text_at(root, &["metadata", "name"])?))
    }

    /// The name of a document: kind and name where it has them, else its file.
    fn document_name(&self, number: u32) -> String {
        let document = self.printed(number);
        match self.kind_and_name(self.root(number)) {
            Some((kind, name)) => format!("{kind}/{name}"),
            None if document.number == 1 => document.file.to_owned(),
            None => format!("{}#{}", document.file, document.number),
        }
    }
}

impl fmt::Debug for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Explanation").field("lines", &self.lines.len()).finish_non_exhaustive()
    }
}

/// A line of the output.
#[derive(Clone, Copy)]
pub struct Line<'e> {
    explanation: &'e Explanation<'e>,
    number: usize,
}

impl<'e> Line<'e> {
    /// Its number, from 1.
    pub fn number(&self) -> usize {
        self.number.saturating_add(1)
    }

    /// The line, without its break.
    pub fn text(&self) -> &'e str {
        self.explanation.line_text(self.number)
    }

    fn entry(&self) -> Option<u32> {
        self.explanation.entry_on(self.number)
    }

    /// The path of what stands there in its document, such as `spec.ports[0].name`: of several items the innermost. Empty
    /// for a whole document.
    pub fn path(&self) -> String {
        self.entry().map(|entry| self.explanation.path(entry)).unwrap_or_default()
    }

    /// The document in which it stands: its kind and name, or its file.
    pub fn document(&self) -> String {
        let number = self.entry().map_or(0, |entry| self.explanation.entry(entry).document);
        self.explanation.document_name(number)
    }

    /// How what stands there came to be, newest step first.
    pub fn origins(&self) -> Vec<Origin> {
        self.entry().map(|entry| self.explanation.origins_of(entry)).unwrap_or_default()
    }
}

impl fmt::Debug for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Line").field("number", &self.number()).field("text", &self.text()).finish_non_exhaustive()
    }
}

/// A data value of a render.
#[derive(Clone, Copy)]
pub struct DataValue<'e> {
    explanation: &'e Explanation<'e>,
    id: ValueId,
}

impl<'e> DataValue<'e> {
    /// Its name: `app.replicas`, or `@lib:app.replicas` in a library.
    pub fn name(&self) -> &'e str {
        &self.explanation.values.get(self.id).name
    }

    /// The final value, as YAML; of a map, a list or a long text what it is.
    pub fn value(&self) -> String {
        let named = self.explanation.values.get(self.id);
        origin::shown(self.explanation.arena, self.explanation.arena.value(named.item))
    }

    /// All places that set it, newest first.
    pub fn origins(&self) -> Vec<Origin> {
        self.steps().map(|(step, role)| Origin::new(self.explanation, &step, role)).collect()
    }

    fn steps(&self) -> impl Iterator<Item = (Step, Role)> {
        let named = self.explanation.values.get(self.id);
        let steps = self.explanation.histories.of(named.item, &named.above);
        let has_defaults = self.explanation.values.has_defaults(named);
        let last = steps.len().saturating_sub(1);
        steps.into_iter().enumerate().map(move |(at, step)| {
            // What is a part of something that was given is no default.
            let is_default = has_defaults && at == last && step.event.is_none();
            (step, if is_default { Role::Default } else { Role::Value })
        })
    }
}

impl fmt::Debug for DataValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DataValue").field("name", &self.name()).field("value", &self.value()).finish_non_exhaustive()
    }
}
