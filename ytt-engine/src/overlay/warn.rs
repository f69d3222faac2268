//! Warnings: what has no effect, or another one than it seems.

use super::annotation::{CHILD_DEFAULTS, MATCH, Operation, annotation_span};
use super::engine::Engine;
use crate::call::{Matcher, Seen};
use crate::diag::{Code, Diagnostic, Severity};
use crate::source::Span;
use crate::yaml::{Annotation, ArgId, Body, NodeId, Val};

impl Engine<'_> {
    /// Warns of arguments that are ignored: positional ones, and all of operations that take none.
    pub(super) fn warn_of_arguments(&mut self, node: NodeId, operation: Operation) {
        let annotations = self.arena().anns_of(node).clone();
        for annotation in annotations.iter() {
            let Some(name) = annotation.name.strip_prefix("overlay/") else {
                continue;
            };
            if matches!(annotation.args, ArgId::MISSING_OK | ArgId::OR_ADD) || self.warned.contains(&annotation.pos) {
                continue;
            }
            let args = self.calls.args(annotation.args);
            let takes_none = matches!(name, "merge" | "remove" | "append");
            let given = if takes_none { args.named.len() } else { 0 } + args.positional.len();
            let known = [MATCH, CHILD_DEFAULTS].contains(&&*annotation.name)
                || takes_none
                || *annotation.name == *operation.name();
            if given == 0 || !known {
                continue;
            }
            self.warned.insert(annotation.pos);
            let text = if takes_none {
                format!("@overlay/{name} takes no arguments; they are ignored")
            } else {
                format!("@overlay/{name} takes keyword arguments only; positional arguments are ignored")
            };
            let place = self.arena().place(annotation.pos).copied();
            let mut warning =
                Diagnostic::warning(Code::OVERLAY_UNUSED_ARGUMENT, text).at(place.map(|place| place.value()));
            if name == "match" && !args.positional.is_empty() && args.named.is_empty() {
                warning = match place.map(|place| Span { end: place.value, ..place.value() }) {
                    Some(start) => warning.help_edit("name the argument", start, "by="),
                    None => warning.help("write by=… in front of the matcher"),
                };
            }
            self.calls.warn(warning);
        }
    }

    /// Warns of a replaced map item that got another key.
    pub(super) fn warn_renamed(&mut self, old: NodeId, new: NodeId, by: bool, matches: usize) {
        if !by || matches != 1 {
            return;
        }
        let arena = self.arena();
        let (old_key, new_key) = (arena.key(old), arena.key(new));
        if !matches!(arena.get(new).body, Body::MapItem(..)) || arena.same(old_key, new_key) {
            return;
        }
        let text = format!(
            "@overlay/replace renames the key {} to {}",
            super::report::scalar_text(&arena, old_key),
            super::report::scalar_text(&arena, new_key)
        );
        let mut warning = Diagnostic::warning(Code::OVERLAY_RENAMED_KEY, text);
        if let Some(span) = arena.span_of(new) {
            warning = warning.label(span, "the item is replaced whole, so this is its key then");
        }
        if let Some(place) = arena.ann(new, Operation::Replace.name()).and_then(|ann| arena.place(ann.pos)) {
            warning = warning.label(place.key(), "this replaces the item that matched");
        }
        if let Some(span) = arena.span_of(old) {
            warning = warning.label(span, "this key is replaced");
        }
        drop(arena);
        self.calls.warn(warning.help("to change the value and keep the key, remove @overlay/replace"));
    }

    /// Tells, on request, of annotations inside of an item that is added whole.
    pub(super) fn warn_not_evaluated(&mut self, node: NodeId) {
        let found = self.first_inside(node);
        let Some(annotation) = found.filter(|annotation| !self.warned.contains(&annotation.pos)) else {
            return;
        };
        self.warned.insert(annotation.pos);
        let arena = self.arena();
        let text = format!("@{} is not evaluated: the item around it is added whole", annotation.name);
        let place = arena.place(annotation.pos).map(|place| place.key());
        let mut warning = Diagnostic::new(Severity::Hint, Code::OVERLAY_NOT_EVALUATED, text).at(place);
        if let Some(span) = arena.span_of(node) {
            warning = warning.label(span, "matched nothing, so all of it is added, the annotated item too");
        }
        drop(arena);
        let help = if &*annotation.name == Operation::Remove.name() {
            "delete what is not to be added, together with its annotation"
        } else {
            "delete the annotation, or give the item around it something to match"
        };
        self.calls.warn(warning.help(help));
    }

    /// The first annotation below an item that would do more than allow what is missing.
    fn first_inside(&self, node: NodeId) -> Option<Annotation> {
        let arena = self.arena();
        let mut open = match arena.value(node) {
            Val::Node(value) => vec![(value, 0)],
            _ => return None,
        };
        while let Some((id, depth)) = open.pop() {
            for annotation in arena.anns_of(id).iter() {
                if annotation.name.starts_with("overlay/") && self.does_more(annotation) {
                    return Some(annotation.clone());
                }
            }
            if depth < arena.depth() {
                match arena.value(id) {
                    Val::Node(inner) if inner != id => open.push((inner, depth)),
                    _ => open.extend(arena.items(id).iter().rev().map(|&item| (item, depth + 1))),
                }
            }
        }
        None
    }

    /// Whether an annotation asks for more than what adding its item whole gives.
    fn does_more(&self, annotation: &Annotation) -> bool {
        if matches!(annotation.args, ArgId::MISSING_OK | ArgId::OR_ADD) {
            return false;
        }
        match &*annotation.name {
            "overlay/merge" | "overlay/append" | CHILD_DEFAULTS => false,
            MATCH => {
                let args = self.calls.args(annotation.args);
                args.named.iter().any(|(name, _)| matches!(&**name, "by" | "expects"))
            }
            _ => true,
        }
    }

    /// Warns of an overlay that an overlay of another library run placed: it acts once more.
    pub(super) fn warn_again(&mut self, document: NodeId) {
        if !self.arena().is_overlaid(document) {
            return;
        }
        let text = "this document was placed by an overlay and acts as an overlay again, since it kept @overlay/match";
        let mut warning = Diagnostic::warning(Code::OVERLAY_AGAIN, text).at(self.arena().span_of(document));
        if let Some(span) = annotation_span(&*self.calls, document, MATCH) {
            warning = warning.label(span, "matches once more, in the library that includes the result");
        }
        self.calls.warn(warning.help("place it with overlay.apply inside of the library, which drops the annotation"));
    }

    /// Warns of a document that is printed although its annotations are those of an overlay.
    pub(super) fn warn_not_an_overlay(&mut self, document: NodeId) {
        let arena = self.arena();
        if arena.ann(document, MATCH).is_some() {
            return;
        }
        let own = arena.anns_of(document).iter().find(|annotation| annotation.name.starts_with("overlay/")).cloned();
        let (annotation, text, help) = if let Some(annotation) = own {
            let text =
                format!("@{} has no effect: without @overlay/match this document is not an overlay", annotation.name);
            (annotation, text, "write #@overlay/match by=… above the document")
        } else {
            let first = match arena.value(document) {
                Val::Node(map) if matches!(arena.get(map).body, Body::Map(_)) => arena.items(map).first().copied(),
                _ => None,
            };
            let Some(annotation) = first.and_then(|item| arena.ann(item, MATCH).cloned()) else {
                return;
            };
            let args = self.calls.args(annotation.args);
            let by = args.named.iter().find(|(name, _)| &**name == "by");
            if !by.is_some_and(|(_, by)| matches!(self.calls.see(*by), Seen::Matcher(Matcher::Subset(_)))) {
                return;
            }
            let text = "@overlay/match belongs to the first key here, so this document is printed, not applied";
            (annotation, text.to_string(), "write --- between the annotation and the first key")
        };
        let place = arena.place(annotation.pos).map(|place| place.key());
        let warning = Diagnostic::warning(Code::OVERLAY_NOT_AN_OVERLAY, text).at(place).help(help);
        drop(arena);
        self.calls.warn(warning);
    }
}
