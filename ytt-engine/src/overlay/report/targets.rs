//! Documents that are printed and look like overlays: which document they were meant for, and the annotation that makes
//! overlays of them.

use super::nearest::COMPARISONS;
use crate::diag::{Code, Diagnostic};
use crate::files::is_in_library;
use crate::nearest::only;
use crate::overlay::annotation::MATCH;
use crate::overlay::engine::Scene;
use crate::overlay::marks::below;
use crate::overlay::problem::Looks;
use crate::quoted;
use crate::source::Span;
use crate::template::outline;
use crate::yaml::{Annotation, Arena, NodeId, Val};

/// Annotations that are shown.
const SHOWN: usize = 3;

/// By what people tell documents apart.
struct Identity<'a> {
    kind: &'a str,
    name: &'a str,
    namespace: Option<&'a str>,
}

impl<'a> Identity<'a> {
    fn of(arena: &'a Arena, document: NodeId) -> Option<Identity<'a>> {
        let map = arena.map_of(arena.value(document))?;
        let text = |map: NodeId, key: &str| arena.str(arena.value(arena.find_str(map, key)?));
        let metadata = arena.map_of(arena.value(arena.find_str(map, "metadata")?))?;
        let (kind, name) = (text(map, "kind")?, text(metadata, "name")?);
        Some(Identity { kind, name, namespace: text(metadata, "namespace") })
    }

    /// Whether a patch with this identity may be meant for a document with the other one.
    fn may_be(&self, other: &Identity<'_>) -> bool {
        let is_same_space = self.namespace.is_none() || self.namespace == other.namespace;
        self.kind == other.kind && self.name == other.name && is_same_space
    }

    /// The matcher for such documents.
    fn matcher(&self) -> String {
        let Identity { kind, name, namespace } = self;
        let [kind, name] = [kind, name].map(|text| quoted::starlark(text));
        let namespace = namespace.map_or(String::new(), |text| format!(", \"namespace\": {}", quoted::starlark(text)));
        format!("overlay.subset({{\"kind\": {kind}, \"metadata\": {{\"name\": {name}{namespace}}}}})")
    }
}

impl Scene<'_> {
    /// Does a document stand in the folder of a library that is rendered by itself? It is for those who evaluate that, and
    /// apply what it gives.
    fn is_of_library(&self, document: NodeId) -> bool {
        let Some(place) = self.arena().span_of(document) else { return false };
        let source = self.calls.sources().get(place.source);
        is_in_library(&source.shown_name()) && !is_in_library(&source.name)
    }

    /// A document that is printed, and looks like an overlay.
    pub(super) fn not_an_overlay(&self, document: NodeId, looks: &Looks) -> Option<Diagnostic> {
        if self.is_of_library(document) {
            return None;
        }
        let likely = match looks {
            Looks::Annotated(_) | Looks::Inside(_) => self.probably_for(document),
            Looks::OnFirstKey(_) | Looks::Loads | Looks::Partial(_) => None,
        };
        let arena = self.arena();
        let other = self.meant_for(&arena, document);
        let warning = |text: String| Diagnostic::warning(Code::OVERLAY_NOT_AN_OVERLAY, text);
        let has_start = self.has_start(&arena, document);
        let first = arena.map_of(arena.value(document)).and_then(|map| arena.item_at(map, 0));
        let start = self.mark(&arena, first.filter(|_| !has_start).unwrap_or(document));
        let printed = "this document is printed, not applied";
        let mut told = match looks {
            Looks::Annotated(annotation) => {
                let name = &annotation.name;
                warning(format!("@{name} has no effect: without @overlay/match this document is not an overlay"))
                    .at(self.key_span(annotation))
            }
            Looks::OnFirstKey(annotation) => {
                let text = format!("@{MATCH} belongs to the first key here, so {printed}");
                return Some(self.on_first_key(warning(text).at(self.key_span(annotation)), document, annotation));
            }
            Looks::Inside(annotations) => {
                let text =
                    "this document is no overlay: without `@overlay/match` above it, its annotations have no effect";
                let told = warning(text.to_string()).label_at(start, printed);
                let shown = annotations.iter().take(SHOWN);
                shown.fold(told, |told, annotation| told.label_at(self.key_span(annotation), "has no effect"))
            }
            Looks::Loads => {
                let name = self.document_name(&arena, other?);
                let text = format!("this document is not an overlay: it is printed as a second {name}");
                warning(text).label_at(start, "its file loads `overlay`, and does not use it")
            }
            Looks::Partial(missing) => {
                if self.is_of_kustomization(&arena, document) {
                    return None;
                }
                // Where that one is not whole either, nobody knows what is meant.
                let whole = other.filter(|other| self.is_patch_of(&arena, document, *other, missing))?;
                let name = self.document_name(&arena, whole);
                let text = format!("this document is not an overlay: it is printed as a second {name}");
                warning(text).label_at(start, format!("has no `spec.{missing}`, so it is only a part of one"))
            }
        };
        let matcher = other.and_then(|other| Some((other, Identity::of(&arena, document)?.matcher())));
        let Some((other, matcher)) = matcher else {
            let likely = likely.and_then(|likely| Some((likely, Identity::of(&arena, likely)?)));
            let Some((likely, identity)) = likely else {
                return Some(told.help("to apply it, write `#@overlay/match by=overlay.subset({…})` above its `---`"));
            };
            let name = self.document_name(&arena, likely);
            let told = told.label_at(self.mark_left(&arena, likely), format!("{name} has all that is changed there"));
            let annotation = format!("#@{MATCH} by={}", identity.matcher());
            let text = format!("if it is meant for {name}, whose keys it changes, it lacks a matcher above it");
            return Some(match self.made_overlay(&arena, document, &annotation) {
                Some((span, new)) => told.help_edit(text, span, new).if_it_mends().guessing(),
                None => told.help(format!("{text}: `{annotation}`")),
            });
        };
        let name = self.document_name(&arena, other);
        told = told.label_at(self.mark_left(&arena, other), format!("the other {name} is here"));
        let place = if has_start { "above `---`" } else { "and `---` above it" };
        let text = format!("to change the {name} that is there, write `#@{MATCH}` {place}");
        Some(match self.made_overlay(&arena, document, &format!("#@{MATCH} by={matcher}")) {
            Some((span, new)) => told.help_edit(text, span, new).if_it_mends(),
            None => told.help(format!("{text}: `#@{MATCH} by={matcher}`")),
        })
    }

    /// The one other document of the same kind and name.
    fn meant_for(&self, arena: &Arena, document: NodeId) -> Option<NodeId> {
        let own = Identity::of(arena, document)?;
        let all = self.sets.iter().flat_map(|set| arena.items(*set)).copied().take(COMPARISONS);
        let same = all
            .filter(|other| *other != document && Identity::of(arena, *other).is_some_and(|other| own.may_be(&other)));
        only(same)
    }

    /// Whether a document changes keys of another one in another file, which has what this one lacks.
    fn is_patch_of(&self, arena: &Arena, patch: NodeId, whole: NodeId, missing: &str) -> bool {
        let get = |document: NodeId, key: &str| arena.find_str(arena.map_of(arena.value(document))?, key);
        let version = |document| get(document, "apiVersion").and_then(|item| arena.str(arena.value(item)));
        let has_it = get(whole, "spec").and_then(|spec| arena.map_of(arena.value(spec)));
        let source = |document| arena.span_of(document).map(|span| span.source);
        has_it.is_some_and(|spec| arena.find_str(spec, missing).is_some())
            && version(patch) == version(whole)
            && source(patch) != source(whole)
    }

    /// Whether a Kustomization of the output names the file of a document: kustomize applies it then.
    fn is_of_kustomization(&self, arena: &Arena, document: NodeId) -> bool {
        let file = |document| Some(self.calls.sources().get(arena.span_of(document)?.source).name.clone());
        let Some(own) = file(document) else { return false };
        let is_one = |document: NodeId| {
            let kind = arena.map_of(arena.value(document)).and_then(|map| arena.find_str(map, "kind"));
            let kind = kind.and_then(|kind| arena.str(arena.value(kind)));
            // Most leave the kind out.
            let is_named = || {
                file(document).is_some_and(|file| {
                    file.rsplit('/').next().is_some_and(|name| {
                        matches!(name, "kustomization.yaml" | "kustomization.yml" | "Kustomization")
                    })
                })
            };
            kind == Some("Kustomization") || kind.is_none() && is_named()
        };
        let all = self.sets.iter().flat_map(|set| arena.items(*set)).copied().take(COMPARISONS);
        all.filter(|other| *other != document && is_one(*other)).any(|other| {
            let nodes = below(arena, other).unwrap_or_default();
            let mut texts = nodes.iter().filter_map(|node| arena.str(arena.value(*node)));
            texts.any(|path| {
                own.strip_suffix(path.trim_start_matches("./"))
                    .is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
            })
        })
    }

    /// Whether a document begins with `---`.
    fn has_start(&self, arena: &Arena, document: NodeId) -> bool {
        let span = arena.place_of(document).map(|place| place.whole());
        span.and_then(|span| self.written(span)).is_some_and(|text| text.starts_with("---"))
    }

    /// The edit that writes an annotation above the `---` of a document, with what it needs.
    fn made_overlay(&self, arena: &Arena, document: NodeId, annotation: &str) -> Option<(Span, String)> {
        let span = arena.place_of(document)?.whole();
        let source = self.calls.sources().get(span.source);
        let load = match outline::brought(&source, span.source, "overlay") {
            Some(_) => "",
            None => "#@ load(\"@ytt:overlay\", \"overlay\")\n",
        };
        if self.has_start(arena, document) {
            let (start, indent) = source.above(span)?;
            return indent.is_empty().then(|| (start, format!("{load}{annotation}\n")));
        }
        let Val::Node(map) = arena.value(document) else { return None };
        let first = self.lines_of(arena, arena.item_at(map, 0)?)?;
        Some((Span { end: first.start, ..first }, format!("{load}{annotation}\n---\n")))
    }

    /// A matcher for documents that stands on the first key: with the edit that moves it above `---`, or writes that below.
    fn on_first_key(&self, told: Diagnostic, document: NodeId, annotation: &Annotation) -> Diagnostic {
        let arena = self.arena();
        let edit = || {
            let whole = arena.place_of(document)?.whole();
            let span = self.whole_annotation(&arena, annotation)?;
            let source = self.calls.sources().get(whole.source);
            let line = source.line_range(source.line(span.start));
            let below = source.line_range(source.line(span.start).saturating_add(1)).start;
            let is_alone = span.source == whole.source && line.start == span.start && line.end == span.end;
            if !is_alone || below <= span.end {
                return None;
            }
            if !self.has_start(&arena, document) {
                return Some((Span { start: below, end: below, ..span }, "---\n".to_string()));
            }
            let (start, _) =
                source.above(whole).filter(|(start, indent)| indent.is_empty() && start.start < span.start)?;
            let above = source.written(Span { end: span.start, ..start })?;
            Some((Span { end: below, ..start }, format!("{}\n{above}", source.written(span)?)))
        };
        let edit = edit();
        let has_start = edit.as_ref().is_some_and(|(_, new)| new != "---\n");
        let text = match has_start {
            true => "write it above `---`: there it is for the document",
            false => "write `---` between the annotation and the first key",
        };
        match edit {
            Some((span, new)) => told.help_edit(text, span, new).if_it_mends(),
            None => told.help("write it on a line of its own above the first key, with `---` between the two"),
        }
    }
}
