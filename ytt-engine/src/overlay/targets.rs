//! Documents that are printed, and were probably meant as overlays.
//!
//! Annotations inside of a document that is no overlay have no effect. That is sure only of what is written in the lines of
//! the document itself, and not of what functions make, which may be applied by a program.

use std::collections::{HashMap, HashSet};

use super::annotation::{CHILD_DEFAULTS, MATCH, Operation};
use super::engine::Engine;
use super::marks::below;
use super::problem::{Looks, Warning};
use crate::call::{Matcher, Seen, ValueHandle};
use crate::source::{SourceId, Span};
use crate::template::word;
use crate::yaml::{Annotation, NodeId};

/// The module of overlays, and the name that it gives.
const MODULE: &str = "@ytt:overlay";
const NAME: &str = "overlay";
/// Kinds of objects, and what their `spec` has to have.
const NEEDED: [(&str, &[&str]); 6] = [
    ("Deployment", &["selector", "template"]),
    ("StatefulSet", &["selector", "template"]),
    ("DaemonSet", &["selector", "template"]),
    ("ReplicaSet", &["selector"]),
    ("Job", &["template"]),
    ("CronJob", &["schedule", "jobTemplate"]),
];
/// Bytes of a source that is looked through.
const LONGEST: usize = 1 << 18;
/// Documents that look like overlays and are compared with all others: what more of them say, these say too.
const MOST: usize = 20;
/// Matchers within each other.
const DEEPEST: usize = 4;

impl Engine<'_> {
    /// Warns of documents of the output that look like overlays. `are_final`: no program works on them any more.
    pub(super) fn warn_of_targets(&mut self, are_final: bool) {
        let annotated = if are_final { self.annotated() } else { HashSet::new() };
        let (mut loading, mut plain, mut left) = (HashMap::new(), HashMap::new(), MOST);
        for set in self.sets.clone() {
            for document in self.items(set) {
                if self.arena().ann(document, MATCH).is_some() {
                    continue;
                }
                let looks = self
                    .annotation_of(document)
                    .or_else(|| self.inside(document, &annotated, &mut plain))
                    .or_else(|| self.loads(document, &mut loading).filter(|_| are_final))
                    .or_else(|| self.partial(document).filter(|_| are_final));
                if let Some(looks) = looks {
                    let Some(rest) = left.checked_sub(1) else { return };
                    left = rest;
                    self.warn(Warning::NotAnOverlay { document, looks });
                }
            }
        }
    }

    /// The sources with annotations of overlays.
    fn annotated(&self) -> HashSet<SourceId> {
        let arena = self.arena();
        let all = arena.all_anns().iter().flat_map(|set| set.iter()).filter(|annotation| is_of_overlays(annotation));
        all.filter_map(|annotation| Some(arena.place(annotation.pos)?.source)).collect()
    }

    /// An annotation of overlays on a document, or a matcher for documents on its first key.
    fn annotation_of(&self, document: NodeId) -> Option<Looks> {
        let arena = self.arena();
        if let Some(own) = arena.anns_of(document).iter().find(|annotation| is_of_overlays(annotation)) {
            return Some(Looks::Annotated(own.clone()));
        }
        let first = arena.item_at(arena.map_of(arena.value(document))?, 0)?;
        // The one of the key itself may stand below.
        let is_for_documents = |annotation: &&Annotation| {
            let args = self.calls.args(annotation.args);
            let by = args.named.iter().find(|(name, _)| &**name == "by");
            &*annotation.name == MATCH && by.is_some_and(|(_, by)| self.is_for_documents(*by, DEEPEST))
        };
        let annotation = arena.anns_of(first).iter().find(is_for_documents)?;
        Some(Looks::OnFirstKey(annotation.clone()))
    }

    /// Whether a matcher asks for what documents have: of keys of a map nobody does. What a function asks for is not known;
    /// few write one for a key.
    fn is_for_documents(&self, by: ValueHandle, depth: usize) -> bool {
        let Some(rest) = depth.checked_sub(1) else { return false };
        match self.calls.see(by) {
            Seen::Function | Seen::Matcher(Matcher::Subset(_) | Matcher::All) => true,
            Seen::Matcher(Matcher::And(parts) | Matcher::Or(parts)) => {
                parts.into_iter().take(depth).any(|part| self.is_for_documents(part, rest))
            }
            Seen::Matcher(Matcher::Not(part)) => self.is_for_documents(part, rest),
            _ => false,
        }
    }

    /// Annotations of overlays in the lines of a document.
    fn inside(
        &self,
        document: NodeId,
        annotated: &HashSet<SourceId>,
        plain: &mut HashMap<Span, bool>,
    ) -> Option<Looks> {
        let arena = self.arena();
        let lines = arena.place_of(document).map(|place| place.whole())?;
        annotated.contains(&lines.source).then_some(())?;
        // What a function of these lines makes may be an overlay for a program. Documents of a loop have the same lines.
        let is_plain = plain.entry(lines).or_insert_with(|| {
            let has_code = |text: &str| text.contains("overlay.apply") || text.contains("def ");
            self.calls.sources().get(lines.source).written(lines).is_some_and(|text| !has_code(text))
        });
        is_plain.then_some(())?;
        let nodes = below(&arena, document).ok()?;
        let is_here = |span: Span| span.source == lines.source && lines.start <= span.start && span.end <= lines.end;
        let is_written = |node: &NodeId| arena.span_of(*node).is_some_and(is_here);
        let annotations =
            nodes.iter().skip(1).filter(|node| is_written(node)).flat_map(|node| arena.anns_of(*node).iter());
        let found = annotations.filter(|annotation| {
            is_of_overlays(annotation) && arena.place(annotation.pos).is_some_and(|place| is_here(place.key()))
        });
        let found: Vec<Annotation> = found.cloned().collect();
        (!found.is_empty()).then_some(Looks::Inside(found))
    }

    /// A key that an object of Kubernetes has to have in its `spec`, and this one has not.
    fn partial(&self, document: NodeId) -> Option<Looks> {
        let arena = self.arena();
        let map = arena.map_of(arena.value(document))?;
        let kind = arena.str(arena.value(arena.find_str(map, "kind")?))?;
        let (_, needed) = NEEDED.iter().find(|(known, _)| *known == kind)?;
        arena.find_str(map, "apiVersion")?;
        let spec = arena.map_of(arena.value(arena.find_str(map, "spec")?))?;
        let missing = needed.iter().find(|key| arena.find_str(spec, key).is_none())?;
        arena.span_of(document).map(|_| Looks::Partial(missing))
    }

    /// Whether the file of a document loads the module of overlays, and names it nowhere else.
    fn loads(&self, document: NodeId, known: &mut HashMap<SourceId, bool>) -> Option<Looks> {
        let source = self.arena().span_of(document)?.source;
        let is_so = known.entry(source).or_insert_with(|| {
            let source = self.calls.sources().get(source);
            let text = source.text.as_str().filter(|text| text.len() <= LONGEST && text.contains(MODULE));
            text.is_some_and(|text| word::whole(text, NAME).take(3).count() == 2)
        });
        is_so.then_some(Looks::Loads)
    }
}

fn is_of_overlays(annotation: &Annotation) -> bool {
    let name = &*annotation.name;
    name == MATCH || name == CHILD_DEFAULTS || Operation::ALL.iter().any(|operation| operation.name() == name)
}
