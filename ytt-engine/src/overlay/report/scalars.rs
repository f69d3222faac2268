//! Items that are no maps: a matcher of the user's own compares them as a whole, with a text that is nearly one of theirs.

use super::cause::Cause;
use crate::diag::suggest;
use crate::overlay::annotation::RightKind;
use crate::overlay::engine::Scene;
use crate::overlay::problem::Unmet;
use crate::quoted;
use crate::source::{Span, to_u32};
use crate::template::word;
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::{Arena, NodeId, Val};

impl Scene<'_> {
    /// Adds the left scalar that is nearly what a function compares with: a literal of its body, or the item itself.
    pub(super) fn with_near_scalar(&self, mut cause: Cause, unmet: &Unmet, lefts: &[NodeId]) -> Cause {
        let Some((item, text, edit)) = self.near_scalar(unmet, lefts) else { return cause };
        let what = if unmet.kind == RightKind::MapItem { "key" } else { "item" };
        cause.labels.push((self.mark_left(&self.arena(), item), format!("the nearest {what}: `{text}`")));
        cause.help(format!("did you mean `{text}`?"), Some(edit))
    }

    /// The left item, its text, and what is written in place of what the function compares with.
    fn near_scalar(&self, unmet: &Unmet, lefts: &[NodeId]) -> Option<(NodeId, String, (Span, String))> {
        let arena = self.arena();
        let texts: Vec<(NodeId, &str)> =
            lefts.iter().filter_map(|item| Some((*item, scalar(&arena, *item, unmet.kind)?))).collect();
        // Where others are no texts, the whole of an item is hardly compared.
        if texts.len() < lefts.len() {
            return None;
        }
        let near = |word: &str| {
            let is_there = texts.iter().any(|(_, text)| *text == word);
            let near = suggest::similar(word, texts.iter().map(|(_, text)| *text)).filter(|_| !is_there)?;
            texts.iter().find(|(_, text)| *text == near).map(|(item, _)| *item)
        };
        let body = self.returned(self.by_span()?)?;
        let code = self.written(body)?;
        let literal = code.split('"').skip(1).step_by(2).find_map(|word| {
            let (span, item) = (self.literal(body, word)?, near(word)?);
            self.is_compared(span).then_some((span, item))
        });
        if let Some((span, item)) = literal {
            let text = scalar(&arena, item, unmet.kind)?.to_owned();
            let new = quoted::starlark(&text);
            return Some((item, text, (span, new)));
        }
        // Compared with the right item, the only text that is written for this.
        let parameters = self.parameters_around(body, self.by_span());
        let right = parameters.get(2)?;
        let is_name = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '[');
        let mut places = word::apart(&code, right, is_name);
        let at = places.next().filter(|_| unmet.kind == RightKind::ArrayItem)?;
        let start = body.start.saturating_add(to_u32(at));
        let span = Span { start, end: start.saturating_add(to_u32(right.len())), ..body };
        let written = self.mark(&arena, unmet.right).filter(|_| self.is_compared(span))?;
        let own = scalar(&arena, unmet.right, unmet.kind)?;
        let item = near(own)?;
        let text = scalar(&arena, item, unmet.kind).filter(|text| needs_no_quotes(text))?.to_owned();
        // Only what is written as it is, behind the dash.
        let line = self.written(written)?;
        let start = written.start.saturating_add(to_u32(line.len().checked_sub(own.len())?));
        let place = Span { start, ..written };
        let is_plain = line.strip_suffix(own).is_some_and(|before| before.trim() == "-");
        is_plain.then(|| (item, text.clone(), (place, text)))
    }

    /// Whether a part of code stands on one side of `==`.
    fn is_compared(&self, part: Span) -> bool {
        let source = self.calls.sources().get(part.source);
        let line = source.line_range(source.line(part.start));
        let before = source.written(Span { start: line.start, end: part.start, ..part }).unwrap_or_default();
        let behind = source.written(Span { start: part.end, end: line.end, ..part }).unwrap_or_default();
        before.trim_end().ends_with("==") || behind.trim_start().starts_with("==")
    }
}

/// The text that an item of a list is, or the key of one of a map.
fn scalar(arena: &Arena, item: NodeId, kind: RightKind) -> Option<&str> {
    match kind {
        RightKind::Document => None,
        RightKind::MapItem => arena.str(arena.key(item)),
        RightKind::ArrayItem => match arena.value(item) {
            value @ Val::Str { .. } => arena.str(value),
            _ => None,
        },
    }
}
