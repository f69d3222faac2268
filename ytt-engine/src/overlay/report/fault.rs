//! A function of the user's own that fails: what it was given, and the part of that where it fails.

use super::words::{key_text, scalar_text};
use crate::diag::{Diagnostic, NoteKind};
use crate::overlay::engine::Scene;
use crate::source::Span;
use crate::template::written::{self, CodeStep};
use crate::yaml::{Body, NodeId, Val};

impl Scene<'_> {
    /// Says of an item that a matcher was called with it, by the name that the matcher has for it: of the right one, if
    /// that is what fails.
    pub(super) fn called_with(
        &self,
        diagnostic: Diagnostic,
        by: Option<Span>,
        (item, right): (NodeId, Option<NodeId>),
    ) -> Diagnostic {
        let frame = diagnostic.parts().trace.iter().rev().find(|frame| !frame.name.starts_with('<'));
        let own = frame.and_then(|frame| frame.span).map(|span| self.parameters_around(span, by));
        let own = own.or_else(|| by.map(|by| self.named_parameters(by)));
        let read = diagnostic.parts().trace.first().and_then(|frame| frame.span);
        let root = read.and_then(|read| self.written(written::path(self.calls.sources(), read)?.root));
        let (name, item) = match (own.as_deref(), right) {
            (Some([_, _, name]), Some(right)) if root.as_ref() == Some(name) => (name.clone(), right),
            (Some([_, left, _]), _) => (left.clone(), item),
            _ => ("left".to_owned(), item),
        };
        let Some((span, text)) = self.fault(&diagnostic, &name, item) else {
            let what = if matches!(self.arena().get(item).body, Body::Doc(_)) { "document" } else { "value" };
            let called = format!("called with this {what} as `{name}`");
            let arena = self.arena();
            let mark = if Some(item) == right { self.mark(&arena, item) } else { self.mark_left(&arena, item) };
            return diagnostic.label_at(mark, called);
        };
        let mut diagnostic = diagnostic;
        // The keys that there are: the label has them.
        diagnostic.parts_mut().notes.retain(|note| note.kind != NoteKind::Text);
        diagnostic.label(span, text)
    }

    /// The parameters of the function that an argument is.
    fn named_parameters(&self, argument: Span) -> Vec<String> {
        let (sources, value) = (self.calls.sources(), self.value_in(argument));
        match written::lambda(sources, value) {
            Some((names, _)) => names.into_iter().filter_map(|name| self.written(name)).collect(),
            None => self.returns(argument).first().map(|span| self.parameters_around(*span, None)).unwrap_or_default(),
        }
    }

    /// Where the item that code reads under this name has null, or lacks a key, in place of what code asks it for.
    pub(super) fn fault(&self, diagnostic: &Diagnostic, name: &str, item: NodeId) -> Option<(Span, String)> {
        let code = diagnostic.parts().trace.first()?.span?;
        let path = written::path(self.calls.sources(), code)?;
        if self.written(path.root)? != name {
            return None;
        }
        let arena = self.arena();
        let (mut at, mut here, mut code) = (item, arena.value(item), name.to_owned());
        for step in &path.steps {
            let shown = match step {
                CodeStep::Key(key) => format!("[\"{key}\"]"),
                CodeStep::Index(number) => format!("[{number}]"),
                CodeStep::Any => return None,
            };
            let Val::Node(node) = here else { break };
            let below = match step {
                CodeStep::Key(key) => arena.map_of(here).and_then(|map| arena.find_str(map, key)),
                CodeStep::Index(number) => arena.items(node).get(*number).copied(),
                CodeStep::Any => None,
            };
            let Some(below) = below else {
                let CodeStep::Key(key) = step else { return None };
                if matches!(arena.get(node).body, Body::Array(_)) {
                    let span = self.mark(&arena, at).filter(|_| at != item)?;
                    return Some((span, format!("`{code}` is a list here, and has no `{key}`")));
                }
                let there: Vec<String> =
                    arena.items(node).iter().take(8).map(|item| key_text(&arena, arena.key(*item))).collect();
                let span = self.mark(&arena, at).filter(|_| at != item && !there.is_empty())?;
                return Some((span, format!("`{code}` has no `{key}` here, only {}", there.join(", "))));
            };
            (at, here) = (below, arena.value(below));
            code.push_str(&shown);
        }
        if matches!(here, Val::Node(_)) {
            return None;
        }
        let is = match scalar_text(&arena, here) {
            text if text.starts_with('`') || text == "null" => text,
            text => format!("`{text}`"),
        };
        Some((self.mark(&arena, at)?, format!("`{code}` is {is} here")))
    }
}
