//! How reports name places on the left: lines, documents by kind and name, paths in them, and what a label marks.

use super::words::key_text;
use crate::overlay::engine::LeftItem;
use crate::overlay::engine::Scene;
use crate::overlay::matcher::{Match, UNKNOWN};
use crate::source::Span;
use crate::yaml::{Arena, Body, NodeId, Val};

impl Scene<'_> {
    /// `a.yml:3`, or `?` where the place is not known.
    pub(super) fn line(&self, node: NodeId) -> String {
        let span = self.arena().span_of(node);
        span.map_or_else(|| "?".to_string(), |span| self.calls.sources().name_line(span))
    }

    /// `config/a.yml:3`, as people open it.
    pub(super) fn line_of(&self, arena: &Arena, node: NodeId) -> Option<String> {
        let span = arena.span_of(node)?;
        let source = self.calls.sources().get(span.source);
        Some(format!("{}:{}", source.shown_name(), source.line(span.start)))
    }

    /// ` (lines: a.yml:2, b.yml:7)`: sorted as text, nothing for no matches.
    pub(super) fn lines(&self, found: &[Match]) -> String {
        if found.is_empty() {
            return String::new();
        }
        let mut lines: Vec<String> = found.iter().map(|one| self.line(one.item)).collect();
        lines.sort();
        format!(" (lines: {})", lines.join(", "))
    }

    /// Where the walk is on the left: `spec.replicas` of Deployment web, or of document 1 of a.yml.
    pub(super) fn left_text(&self, items: impl Iterator<Item = LeftItem>) -> String {
        let (document, path) = self.left_path(items);
        path_in(document.as_ref(), &path)
    }

    /// Document and path on the left, of which both may be missing.
    pub(super) fn left_path(&self, items: impl Iterator<Item = LeftItem>) -> (Option<String>, String) {
        let arena = self.arena();
        let mut document = None;
        let mut path = String::new();
        for LeftItem { container, at, item } in items {
            match arena.get(item).body {
                Body::Doc(_) => document = Some(self.document_name(&arena, item)),
                Body::MapItem(..) => {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(&key_text(&arena, arena.key(item)));
                }
                // The walk may not have needed it.
                _ if at == UNKNOWN => {
                    let at = arena.items(container).iter().position(|known| *known == item);
                    path.push_str(&at.map_or("[]".to_string(), |at| format!("[{at}]")));
                }
                _ => path.push_str(&format!("[{at}]")),
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

    /// What a label of an item marks that was matched or might be: of a document what tells which one it is, since its
    /// `---` says nothing.
    pub(super) fn mark_left(&self, arena: &Arena, item: NodeId) -> Option<Span> {
        let shown = match arena.get(item).body {
            Body::Doc(_) => known_by(arena, arena.value(item)),
            _ => None,
        };
        // What code made stands in its function.
        let shown = shown.filter(|shown| {
            let source = |item| arena.span_of(item).map(|span| span.source);
            source(*shown) == source(item)
        });
        self.mark(arena, shown.unwrap_or(item))
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
        let Some(span) = arena.span_of(document) else {
            return "a document made by code".to_string();
        };
        let source = self.calls.sources().get(span.source);
        format!("document {} of {}", source.document(span.start), source.shown_name())
    }
}

/// The item by which people know a document: its name, else its kind, else the first one.
fn known_by(arena: &Arena, document: Val) -> Option<NodeId> {
    let map = match document {
        Val::Node(list) if arena.map_of(document).is_none() => return arena.item_at(list, 0),
        _ => arena.map_of(document)?,
    };
    let metadata = arena.find_str(map, "metadata").and_then(|item| arena.map_of(arena.value(item)));
    let name = metadata.and_then(|metadata| arena.find_str(metadata, "name"));
    name.or_else(|| arena.find_str(map, "kind")).or_else(|| arena.item_at(map, 0))
}

/// A path in a document.
pub(super) fn path_in(document: Option<&String>, path: &str) -> String {
    match document {
        None if path.is_empty() => String::new(),
        None => format!("`{path}`"),
        Some(document) if path.is_empty() => document.clone(),
        Some(document) => format!("`{path}` of {document}"),
    }
}
