//! A resource that is there twice, from two files: one of them is left over, and no overlay is to change both.

use super::words::scalar_text;
use crate::diag::Diagnostic;
use crate::nearest::only;
use crate::overlay::annotation::RightKind;
use crate::overlay::compare::{is_part, leaf};
use crate::overlay::engine::Scene;
use crate::overlay::problem::Unmet;
use crate::yaml::{Arena, NodeId, Val};

/// What makes two documents the same resource.
const IDENTITY: [&[&str]; 3] = [&["kind"], &["metadata", "name"], &["metadata", "namespace"]];
/// Documents that are looked through for one that selects one of the two.
const DOCUMENTS: usize = 500;

impl Scene<'_> {
    /// Says that all that matched is one resource, written in several files.
    ///
    /// # Errors
    ///
    /// The problem as it was: these are different ones.
    pub(super) fn same_resource_twice(&self, diagnostic: Diagnostic, unmet: &Unmet) -> Result<Diagnostic, Diagnostic> {
        let arena = self.arena();
        let found: Vec<NodeId> = unmet.found.iter().map(|one| one.item).collect();
        let [first, others @ ..] = &found[..] else { return Err(diagnostic) };
        if unmet.kind != RightKind::Document || !(1..=3).contains(&others.len()) {
            return Err(diagnostic);
        }
        let value = |document: NodeId, path: &[&str]| at(&arena, arena.value(document), path);
        let is_same = |path: &&[&str]| {
            others.iter().all(|other| match (value(*first, path), value(*other, path)) {
                (Some(one), Some(other)) => leaf(&arena, one, other),
                (None, None) => path.last() == Some(&"namespace"),
                _ => false,
            })
        };
        let files: Vec<Option<String>> = found
            .iter()
            .map(|document| arena.span_of(*document).map(|span| self.calls.sources().get(span.source).shown_name()))
            .collect();
        let is_repeated =
            |(at, file): (usize, &Option<String>)| file.is_none() || files.iter().take(at).any(|other| other == file);
        if !IDENTITY.iter().all(is_same) || files.iter().enumerate().any(is_repeated) {
            return Err(diagnostic);
        }
        let name = self.document_name(&arena, *first);
        let place = match value(*first, &["metadata", "namespace"]) {
            Some(namespace) => format!("in namespace {}", scalar_text(&arena, namespace)),
            None => "without a namespace".to_owned(),
        };
        let files: Vec<String> = files.into_iter().flatten().collect();
        let told = diagnostic.note(format!(
            "{} are {name}, {place}: the same resource",
            if found.len() == 2 { "both" } else { "all of them" }
        ));
        let help = "the same resource is rendered from several files: keep one of its documents, and delete the rest";
        Ok(match self.selected(&arena, unmet, &found) {
            Some((selector, meant)) => {
                let at = found.iter().position(|one| *one == meant);
                let own = at.and_then(|at| files.get(at)).map_or(String::new(), |own| format!(" of {own}"));
                let numbered = files.iter().enumerate().filter(|(number, _)| Some(*number) != at);
                let rest: Vec<&str> = numbered.map(|(_, file)| file.as_str()).collect();
                let by = self.document_name(&arena, selector);
                let is_left = if rest.len() == 1 { "seems left over" } else { "seem left over" };
                told.label_at(self.selector(&arena, selector), format!("{by} selects only the one{own}"))
                    .help(format!("{help}; {by} selects only the one{own}, so {} {is_left}", rest.join(" and ")))
            }
            None => told.help(help),
        })
    }

    /// A document that selects by labels just one of those that matched, and which one that is.
    fn selected(&self, arena: &Arena, unmet: &Unmet, found: &[NodeId]) -> Option<(NodeId, NodeId)> {
        let documents = unmet.lefts.iter().flat_map(|set| arena.items(*set)).filter(|one| !found.contains(one));
        documents.take(DOCUMENTS).find_map(|document| {
            let selector = at(arena, arena.value(*document), &["spec", "selector"])?;
            let selector = at(arena, selector, &["matchLabels"]).unwrap_or(selector);
            arena.map_of(selector).filter(|map| arena.count(*map) > 0)?;
            let is_selected = |one: &NodeId| {
                let pods = at(arena, arena.value(*one), &["spec", "template", "metadata", "labels"]);
                let labels = pods.or_else(|| at(arena, arena.value(*one), &["metadata", "labels"]));
                labels.is_some_and(|labels| is_part(arena, labels, selector))
            };
            Some((*document, only(found.iter().copied().filter(is_selected))?))
        })
    }

    /// Where a document has its selector.
    fn selector(&self, arena: &Arena, document: NodeId) -> Option<crate::source::Span> {
        let spec = arena.find_str(arena.map_of(arena.value(document))?, "spec")?;
        let selector = arena.find_str(arena.map_of(arena.value(spec))?, "selector")?;
        self.mark(arena, selector)
    }
}

/// The value at the keys of a path.
fn at(arena: &Arena, value: Val, path: &[&str]) -> Option<Val> {
    path.iter().try_fold(value, |value, key| Some(arena.value(arena.find_str(arena.map_of(value)?, key)?)))
}
