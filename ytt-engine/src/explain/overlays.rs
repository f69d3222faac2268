//! What overlays did, item by item: what each looked for, and what came of it.

use std::collections::HashMap;

use super::Explanation;
use super::history::{Step, StepKind};
use super::lines::Lines;
use super::origin::{matcher, operation, source_line};
use crate::diag::TextRange;
use crate::source::Span;
use crate::yaml::{Body, Event, EventId, NodeId};

/// An item of an overlay: a document, an item with an annotation, or one that changed something.
#[derive(Clone, Debug)]
pub struct OverlayItem {
    place: Option<TextRange>,
    source: String,
    operation: &'static str,
    matcher: Option<String>,
    matches: u32,
    changes: u32,
    lines: Lines,
}

impl OverlayItem {
    /// Where it stands.
    pub fn place(&self) -> Option<&TextRange> {
        self.place.as_ref()
    }

    /// The line of the source there, without indentation.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// `merge`, `replace`, `remove`, `insert`, `append` or `assert`.
    pub fn operation(&self) -> &'static str {
        self.operation
    }

    /// The arguments of its `@overlay/match`, as written, or of the nearest item around it that has a matcher.
    pub fn matcher(&self) -> Option<&str> {
        self.matcher.as_deref()
    }

    /// How many items it matched in the whole render: 0 if what it may match was never there.
    pub fn matches(&self) -> u32 {
        self.matches
    }

    /// How many times it set, added, replaced or removed something.
    pub fn changes(&self) -> u32 {
        self.changes
    }

    /// The lines of the output in whose histories it is, from 1.
    pub fn lines(&self) -> impl Iterator<Item = usize> {
        self.lines.runs().flat_map(|(first, last)| first..=last)
    }

    pub(super) fn runs(&self) -> &Lines {
        &self.lines
    }

    /// What came of it, in words.
    pub(super) fn said(&self) -> String {
        let counted = |count: usize, one: &str, many: &str| match count {
            1 => format!("1 {one}"),
            count => format!("{count} {many}"),
        };
        let matched = match self.matches {
            0 => "matched nothing".to_owned(),
            count => format!("matched {}", counted(count as usize, "item", "items")),
        };
        let changed = match (self.changes, self.lines.count()) {
            (0, _) => String::new(),
            (count, 0) => format!(", {}", counted(count as usize, "change", "changes")),
            (_, lines) => format!(", in {}", counted(lines, "line", "lines")),
        };
        matched + &changed
    }
}

/// Items of code that stand at one place are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Place(Span),
    Node(NodeId),
}

/// All items of overlays on the output, in the order in which they came to be applied.
pub(super) struct OverlayItems {
    numbers: HashMap<Key, usize>,
    all: Vec<(NodeId, OverlayItem)>,
}

impl OverlayItems {
    /// Those of the record, without the lines.
    pub(super) fn of(explanation: &Explanation<'_>) -> OverlayItems {
        let mut items = OverlayItems { numbers: HashMap::new(), all: Vec::new() };
        let events = explanation.arena.events.all();
        let is_of_values = |outer: EventId| {
            let mut outer = outer;
            loop {
                match events.get(outer.0 as usize) {
                    Some(Event::Matched { outer: next, .. }) => outer = *next,
                    Some(Event::Overlay { of_values, .. }) => return *of_values,
                    _ => return true,
                }
            }
        };
        for event in events {
            match *event {
                Event::Tried { right, matches, outer } if !is_of_values(outer) => {
                    let item = items.item(explanation, right);
                    item.matches = item.matches.saturating_add(matches);
                }
                Event::Changed { right, matched, outer, .. } if !is_of_values(outer) => {
                    let around = explanation.histories.written_right(matched.right);
                    let item = items.item(explanation, right);
                    item.changes = item.changes.saturating_add(1);
                    if item.matcher.is_none() {
                        item.matcher = matcher(explanation, around);
                    }
                }
                _ => {}
            }
        }
        items
    }

    fn key(explanation: &Explanation<'_>, right: NodeId) -> (NodeId, Key) {
        let written = explanation.histories.written_right(right);
        (written, explanation.arena.span_of(written).map_or(Key::Node(written), Key::Place))
    }

    #[allow(clippy::indexing_slicing, reason = "`numbers` has numbers of items, and none goes away")]
    fn item(&mut self, of: &Explanation<'_>, right: NodeId) -> &mut OverlayItem {
        let (written, key) = OverlayItems::key(of, right);
        let next = self.all.len();
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            let at = of.arena.place_of(written).map(|place| place.key());
            let item = OverlayItem {
                place: at.map(|at| TextRange::new(of.sources, at)),
                source: at.map(|at| source_line(of.sources, at)).unwrap_or_default(),
                operation: operation(of.arena, written),
                matcher: matcher(of, written),
                matches: 0,
                changes: 0,
                lines: Lines::default(),
            };
            self.all.push((written, item));
        }
        &mut self.all[number].1
    }

    /// Notes that the steps of a history stand behind the lines from `first` to `last`, from 1; lines come in order.
    pub(super) fn note_steps(&mut self, of: &Explanation<'_>, steps: &[Step], (first, last): (usize, usize)) {
        for step in steps {
            let StepKind::Overlaid(overlaid) = step.kind else { continue };
            // Data values that were placed as a whole have steps of overlays on data values.
            let (_, key) = OverlayItems::key(of, overlaid.right);
            if let Some((_, item)) = self.numbers.get(&key).and_then(|number| self.all.get_mut(*number)) {
                item.lines.add_run(first, last);
            }
        }
    }

    /// Those of which something is to be said, with the nodes that were written.
    pub(super) fn into_told(self, of: &Explanation<'_>) -> impl Iterator<Item = (NodeId, OverlayItem)> {
        self.all.into_iter().filter(|(written, item)| {
            let is_annotated = || of.arena.anns_of(*written).iter().any(|ann| ann.name.starts_with("overlay/"));
            item.changes > 0 || matches!(of.arena.get(*written).body, Body::Doc(_)) || is_annotated()
        })
    }
}

impl Explanation<'_> {
    /// What the overlays on the output did, item by item, in the order in which they came to be applied: documents, items
    /// with annotations, and what changed something. An item of a loop, or of a library that is evaluated several times, is
    /// one, and so are those that `overlay.apply` applied again.
    ///
    /// ```
    /// let overlay = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\nreplicas: 3\n\
    ///                #@overlay/match missing_ok=True\n#@overlay/remove\npaused: true\n";
    /// let project = ytt_engine::Project::new().file("web.yml", "replicas: 1\n").file("scale.yml", overlay);
    /// let rendered = project.explain(true).render()?;
    /// let overlays = rendered.explanation()?.unwrap().overlays();
    /// let replicas = overlays.iter().find(|item| item.source() == "replicas: 3").unwrap();
    /// assert_eq!((replicas.matches(), replicas.lines().collect::<Vec<_>>()), (1, vec![1]));
    /// let paused = overlays.iter().find(|item| item.operation() == "remove").unwrap();
    /// assert_eq!((paused.matches(), paused.changes()), (0, 0));
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn overlays(&self) -> Vec<OverlayItem> {
        let mut items = OverlayItems::of(self);
        self.each_entry_on_lines(|_, steps, lines| items.note_steps(self, steps, lines));
        items.into_told(self).map(|(_, item)| item).collect()
    }

    /// The items of the overlays of a file, by its path or the end of it: where each stands, what it matched and changed.
    /// Nothing if no overlay of the output is in it.
    ///
    /// ```
    /// let overlay = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\nreplicas: 3\n";
    /// let project = ytt_engine::Project::new().file("web.yml", "replicas: 1\n").file("scale.yml", overlay);
    /// let rendered = project.explain(true).render()?;
    /// let text = rendered.explanation()?.unwrap().overlays_to_text("scale.yml", false).unwrap();
    /// assert!(text.contains("scale.yml:4:1  merge  matched 1 item, in 1 line"), "{text}");
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn overlays_to_text(&self, file: &str, colors: bool) -> Option<String> {
        let items = self.overlays_of(file);
        (!items.is_empty()).then(|| self.overlay_lines(&items, colors))
    }

    /// The items of the overlays of a file, by its path or the end of it.
    fn overlays_of(&self, file: &str) -> Vec<OverlayItem> {
        let is_in = |place: &TextRange| {
            let path = place.path().map(|path| path.to_string_lossy().into_owned());
            let names = [Some(place.file().to_owned()), path];
            names.into_iter().flatten().any(|name| name == file || super::select::is_file(&name, file))
        };
        if file.is_empty() {
            return Vec::new();
        }
        self.overlays().into_iter().filter(|item| item.place().is_some_and(is_in)).collect()
    }

    /// The same as a JSON list of the objects that `overlays` of [`Explanation::to_json`] has.
    pub fn overlays_to_json(&self, file: &str) -> Option<String> {
        let items = self.overlays_of(file);
        (!items.is_empty()).then(|| crate::diag::json::list(items.iter().map(OverlayItem::to_json)))
    }
}
