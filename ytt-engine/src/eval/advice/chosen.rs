//! A data value that is compared with texts, none of which it is: the text that was probably meant to be it.

use super::super::host::Host;
use super::code_of;
use super::origin::Origins;
use crate::diag::{Diagnostic, Label};
use crate::nearest::{distance, only};
use crate::source::{SourceMap, Span};
use crate::template::written;

/// Parts of conditions that are looked at.
const PARTS: usize = 100;

/// A path that is compared with a text, which is between these quotes.
struct Compared {
    whole: Span,
    path: Span,
    text: Span,
}

/// Adds which text to write in conditions that do not hold, where one of them is nearly the value.
pub(super) fn told(
    host: &Host<'_>,
    origins: &Origins<'_, '_>,
    told: Diagnostic,
    conditions: &[(Span, bool)],
) -> Diagnostic {
    let sources = &host.sources;
    let all: Vec<Compared> = compared(sources, conditions.iter().map(|(condition, _)| *condition).collect());
    let Some(item) = all.first().and_then(|one| origins.only(one.path, 0)) else { return told };
    let value = {
        let arena = host.arena.borrow();
        arena.str(arena.value(item)).map(str::to_owned)
    };
    let Some(value) = value else { return told };
    let mut near = Vec::new();
    for one in all {
        let text = code_of(sources, one.text);
        let is_of_it = origins.only(one.path, 0) == Some(item);
        if is_of_it && text == value {
            return told;
        }
        if is_of_it && is_near(&text, &value) {
            near.push((one, text));
        }
    }
    let Some((one, text)) = only(near) else { return told };
    let label = Label { span: one.whole, text: format!("`{value}` is not `{text}`") };
    told.help_edit(format!("did you mean `{value}`?"), one.text, value).guessing().beside_help([label])
}

/// The comparisons with texts in conditions, where one of them is enough.
fn compared(sources: &SourceMap, mut open: Vec<Span>) -> Vec<Compared> {
    let mut found = Vec::new();
    open.reverse();
    for _ in 0..PARTS {
        let Some(whole) = open.pop() else { break };
        let Some([left, right]) = written::operands(sources, whole) else { continue };
        let between = code_of(sources, Span { start: left.end, end: right.start, ..left });
        match between.trim_matches([' ', '(', ')']) {
            "or" => open.extend([right, left]),
            "==" => {
                let (path, text) = if written::is_text(sources, left) { (right, left) } else { (left, right) };
                found.extend(between_quotes(sources, text).map(|text| Compared { whole, path, text }));
            }
            "in" => {
                let texts = written::elements(sources, right).into_iter();
                let texts = texts.filter_map(|text| between_quotes(sources, text));
                found.extend(texts.take(PARTS).map(|text| Compared { whole, path: left, text }));
            }
            _ => {}
        }
    }
    found
}

/// What stands between the quotes of a text that is written on its own line.
fn between_quotes(sources: &SourceMap, text: Span) -> Option<Span> {
    let code = code_of(sources, text);
    let inner = code.get(1..code.len().checked_sub(1)?)?;
    let is_word = inner.bytes().all(|letter| letter.is_ascii_alphabetic());
    let span = Span { start: text.start.checked_add(1)?, end: text.end.checked_sub(1)?, ..text };
    (is_word && !inner.is_empty() && written::is_text(sources, text)).then_some(span)
}

/// Are two words probably the same one? `stage` and `staging`, `prod` and `production`; `http` and `https` are two things,
/// as are names with numbers.
fn is_near(text: &str, value: &str) -> bool {
    let is_word = |word: &str| word.len() > 2 && word.bytes().all(|letter| letter.is_ascii_alphabetic());
    if !is_word(text) || !is_word(value) {
        return false;
    }
    let (text, value) = (text.to_ascii_lowercase(), value.to_ascii_lowercase());
    let (short, long) = if text.len() <= value.len() { (&text, &value) } else { (&value, &text) };
    let shared = short.bytes().zip(long.bytes()).take_while(|(one, other)| one == other).count();
    if shared == short.len() {
        return short == long || long.len().saturating_sub(shared) > 1;
    }
    let same_ends = short.bytes().next_back() == long.bytes().next_back() && shared > 0;
    // The word has another ending, or a slip of one letter inside.
    shared > 3 && shared.saturating_add(1) >= short.len()
        || short.len() > 3 && same_ends && distance(short, long, 1).is_some()
}
