//! How reports name places on the left: lines, documents by kind and name, paths in them, and what a label marks.

use super::annotation::{self, MATCH, RightKind};
use super::engine::{Engine, TrailStep};
use super::report::key_text;
use super::select::{Selected, UNKNOWN};
use crate::source::Span;
use crate::yaml::{Arena, Body, NodeId, Val};

impl Engine<'_> {
    /// `a.yml:3`, or `?` where the place is not known.
    pub(super) fn line(&self, node: NodeId) -> String {
        self.line_of(&self.arena(), node).unwrap_or_else(|| "?".to_string())
    }

    pub(super) fn line_of(&self, arena: &Arena, node: NodeId) -> Option<String> {
        arena.span_of(node).map(|span| self.calls.sources().name_line(span))
    }

    /// ` (lines: a.yml:2, b.yml:7)`: sorted as text, nothing for no matches.
    pub(super) fn lines(&self, found: &[Selected]) -> String {
        if found.is_empty() {
            return String::new();
        }
        let mut lines: Vec<String> = found.iter().map(|one| self.line(one.item)).collect();
        lines.sort();
        format!(" (lines: {})", lines.join(", "))
    }

    /// Where the walk is on the left: `Deployment web: spec.replicas`, or `spec.replicas` of document 1 of a.yml.
    pub(super) fn left_place(&self, steps: &[TrailStep]) -> String {
        let (document, path) = self.left_path(steps);
        place_in(document.as_deref(), &path)
    }

    /// Document and path on the left, of which both may be missing.
    pub(super) fn left_path(&self, steps: &[TrailStep]) -> (Option<String>, String) {
        let arena = self.arena();
        let mut document = None;
        let mut path = String::new();
        for step in steps {
            let Some((item, place)) = step.matched else {
                continue;
            };
            match step.kind {
                RightKind::Document => document = Some(self.document_name(&arena, item)),
                RightKind::MapItem => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(&key_text(&arena, arena.key(item)));
                }
                // The place may not have been needed so far.
                RightKind::ArrayItem if place == UNKNOWN as usize => path.push_str("[]"),
                RightKind::ArrayItem => path.push_str(&format!("[{place}]")),
            }
        }
        (document, path)
    }

    /// What a label of an item marks: the key of a map item, else the first line of it. A key of one letter, or `-`, is
    /// easily taken for a part of the drawing.
    pub(super) fn mark(&self, arena: &Arena, item: NodeId) -> Option<Span> {
        let place = arena.place_of(item)?;
        let key = place.key();
        let source = self.calls.sources().get(key.source);
        let text = source.text.as_bytes().get(key.start as usize..)?;
        let first_line = |span: Span| {
            let end = source.line_range(source.line(span.start)).end;
            Span { end: span.end.min(end), ..span }
        };
        Some(match arena.get(item).body {
            // The place of an item in brackets begins with what separates it from the one before.
            Body::ArrayItem(_) if !text.starts_with(b"-") && place.value < place.end => first_line(place.value()),
            Body::Doc(_) if text.starts_with(b"---") => key,
            Body::ArrayItem(_) | Body::Doc(_) if key.end < place.end => first_line(place.whole()),
            _ => key,
        })
    }

    /// `Deployment web`, or number and file of a document without kind and name.
    pub(super) fn document_name(&self, arena: &Arena, document: NodeId) -> String {
        if let Val::Node(map) = arena.value(document) {
            let text = |map: NodeId, key: &str| {
                let value = arena.value(arena.find_str(map, key)?);
                arena.str(value).map(str::to_string)
            };
            let metadata = arena.find_str(map, "metadata").map(|item| arena.value(item));
            if let (Some(kind), Some(Val::Node(metadata))) = (text(map, "kind"), metadata)
                && let Some(name) = text(metadata, "name")
            {
                return format!("{kind} {name}");
            }
        }
        match arena.span_of(document) {
            Some(span) => {
                let source = self.calls.sources().get(span.source);
                format!("document {} of {}", document_number(source.text.as_bytes(), span.start as usize), source.name)
            }
            None => "a document made by code".to_string(),
        }
    }

    /// Where `by=` of the innermost right item is written.
    pub(super) fn by_span(&self) -> Option<Span> {
        let pos = self.arena().ann(self.trail.last()?.node, MATCH)?.pos;
        annotation::argument_span(&*self.calls, pos, "by")
    }
}

/// A path in a document: kind and name of a Kubernetes object stand in front, a number and a file name behind.
pub(super) fn place_in(document: Option<&str>, path: &str) -> String {
    match document {
        None => path.to_string(),
        Some(document) if path.is_empty() => document.to_string(),
        Some(document) if document.starts_with("document ") => format!("`{path}` of {document}"),
        Some(document) => format!("{document}: {path}"),
    }
}

/// The number of the document that begins at `start`, counted from 1.
fn document_number(text: &[u8], start: usize) -> usize {
    let (mut number, mut at, mut content) = (0, 0, false);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if at > start {
            break;
        }
        let marker = line.strip_prefix(b"---").is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace));
        let first = line.trim_ascii_start().first();
        if marker || !content && number == 0 && first.is_some_and(|first| !matches!(first, b'#' | b'%')) {
            number += 1;
        }
        content |= number > 0;
        at += line.len();
    }
    number.max(1)
}
