//! A `subset` that looks for the YAML of a function: where that YAML has what nothing there has, and the edit of it.

use super::nearest::Fix;
use super::parts::Path;
use super::words::{key_text, scalar_text};
use crate::diag::Diagnostic;
use crate::overlay::engine::Scene;
use crate::quoted::{self, Json};
use crate::source::Span;
use crate::template::code::FileCode;
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::{Arena, NodeId, Val};

impl Scene<'_> {
    /// The code that gives a leaf of a target: `name` of `name: #@ name`.
    pub(super) fn leaf_code(&self, arena: &Arena, path: &Path) -> Option<Span> {
        arena.place_of(path.last()?.0)?.code(self.calls.sources())
    }

    /// Where a leaf is written as YAML.
    pub(super) fn leaf_in_yaml(&self, arena: &Arena, path: &Path, wanted: Val) -> Option<Span> {
        let span = self.leaf_place(arena, path.last()?.0)?;
        self.is_scalar_at(span, &key_text(arena, wanted)).then_some(span)
    }

    fn leaf_place(&self, arena: &Arena, item: NodeId) -> Option<Span> {
        let place = arena.place_of(item)?;
        (place.value < place.end).then(|| place.value())
    }

    /// Whether the function around a place has more uses than the one of the matcher at hand.
    pub(super) fn is_used_elsewhere(&self, place: Span) -> bool {
        let source = self.calls.sources().get(place.source);
        let function = FileCode::read(&source, place.source).and_then(|code| code.function_around(place));
        let Some(name) = function.and_then(|function| self.written(function.name?)) else { return true };
        // Where it is defined and called, and loaded from another file.
        let is_loaded = self.by_span().is_some_and(|by| by.source != place.source);
        self.uses(&name) > if is_loaded { 3 } else { 2 }
    }

    /// Marks the leaf of a target that nothing there has, where it is written outside of the matcher.
    pub(super) fn label_leaf(&self, diagnostic: Diagnostic, missed: &Path) -> Diagnostic {
        let arena = self.arena();
        let Some((item, _)) = missed.last() else { return diagnostic };
        let code = self.leaf_code(&arena, missed);
        let Some(span) = code.or_else(|| arena.span_of(*item)) else { return diagnostic };
        let by = self.by_span();
        let is_inside = by.is_some_and(|by| by.source == span.source && by.start <= span.start && span.end <= by.end);
        if is_inside || diagnostic.parts().labels.iter().any(|label| label.span == span) {
            return diagnostic;
        }
        let value = scalar_text(&arena, arena.value(*item));
        let text = if code.is_some() { format!("gives {value}") } else { format!("the subset asks for {value}") };
        diagnostic.label(span, text)
    }
}

/// A text as a scalar in YAML.
pub(super) fn text_in_yaml(text: &str) -> String {
    if needs_no_quotes(text) {
        return text.to_owned();
    }
    let mut new = String::new();
    quoted::json(&mut new, text, Json::Yaml);
    new
}

/// The edit of a scalar in YAML to what is there instead.
pub(super) fn in_yaml(arena: &Arena, span: Span, here: Val) -> Option<Fix> {
    let shown = key_text(arena, here);
    let new = match here {
        Val::Str { .. } => text_in_yaml(&shown),
        Val::Bool(_) | Val::Int(_) | Val::UInt(_) => shown.clone(),
        _ => return None,
    };
    let text = if shown.contains(['`', '\n']) { &new } else { &shown };
    Some(Fix::meant(span, &text.clone(), new))
}
