//! Conditions between values that lack their `else`: what is probably meant otherwise.
#![allow(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    reason = "offsets are those of tokens, which lie in the text"
)]

use super::Parser;
use crate::diag::Diagnostic;
use crate::source::{Span, to_u32};
use crate::template::token::Kind;
use crate::template::tree::TokenId;

/// Words of which people mean one where the other one is not.
const PAIRS: [[&str; 2]; 6] = [
    ["yes", "no"],
    ["on", "off"],
    ["true", "false"],
    ["enabled", "disabled"],
    ["enable", "disable"],
    ["present", "absent"],
];

impl Parser<'_> {
    /// `a if b`; `first` is where it begins.
    pub(super) fn without_else(&self, first: TokenId, keyword: TokenId) -> Diagnostic {
        let mut error = self.error("conditional expression without else clause", keyword);
        // A word of another language ended the condition.
        if self.kind == Kind::Reserved
            && let Some(slip) = self.slip(&error, "else")
        {
            return slip;
        }
        let scanner = &self.blocks.scanner;
        let (start, end) = (self.blocks.token(first).start, self.blocks.token(self.previous).end);
        let span = scanner.input.span(start, end);
        if let Some(label) = error.parts_mut().labels.first_mut() {
            label.span = scanner.input.span(self.blocks.token(keyword).start, end);
            "this has no `else`: what is it otherwise?".clone_into(&mut label.text);
        }
        let code = String::from_utf8_lossy(&scanner.input.text[start as usize..end as usize]).into_owned();
        if code.contains('\n') || span.start == span.end {
            return error.help("write behind the condition what it is otherwise: `a if b else c`");
        }
        let behind = Span { start: span.end, ..span };
        // What is no UTF-8 is longer in `code`.
        let part = |from: u32, to: u32| String::from_utf8_lossy(&scanner.input.text[from as usize..to as usize]);
        let word = self.blocks.token(keyword).start;
        let (value, condition) = (part(start, word), part(word, end));
        let (value, condition) = (value.trim(), condition.trim_start_matches("if").trim());
        let item = self.item_of(span);
        if let Some(before) = item.as_ref().and_then(|item| item.before) {
            error = error.label(before, "the item in front of it");
        }
        if let Some(other) = counterpart(value) {
            let text = format!("is `{other}` meant otherwise?");
            error = error.help_edit(text, behind, format!(" else {other}")).guessing();
        }
        let error = error.help(format!("write behind the condition what it is otherwise: `{code} else …`"));
        match item {
            Some(Item { lines, indent, before, text }) => {
                let with = if before.is_some() { ", with the one in front of it" } else { "" };
                let own = text.strip_suffix(&*code).unwrap_or(&text);
                let new = format!("{indent}#@ if {condition}:\n{own}{value}\n{indent}#@ end\n");
                error.help_edit(format!("or leave the item out otherwise{with}"), lines, new).guessing()
            }
            None => error,
        }
    }

    /// The item of a list that code is the whole value of.
    fn item_of(&self, code: Span) -> Option<Item> {
        let source = std::str::from_utf8(self.blocks.scanner.input.source_text()).ok()?;
        let at = code.start as usize;
        let start = source.get(..at)?.rfind('\n').map_or(0, |newline| newline + 1);
        let line = source.get(start..code.end as usize)?;
        let length = source.get(code.end as usize..)?.find('\n')?;
        let is_last = source.get(code.end as usize..code.end as usize + length)?.trim().is_empty();
        let indent = line.get(..line.len() - line.trim_start().len())?;
        let is_item = line.get(indent.len()..at - start)?.trim_end() == "- #@";
        (is_item && is_last).then_some(())?;
        // An option stands in front of its value.
        let above = source.get(..start)?.strip_suffix('\n').and_then(|above| above.rsplit('\n').next());
        let above = above.unwrap_or_default();
        let option = above.strip_prefix(indent).and_then(|above| above.strip_prefix("- "));
        let option = option.filter(|option| option.trim().starts_with('-'));
        let from = option.map_or(start, |_| start - above.len() - 1);
        let before = option.map(|_| {
            let key = from + indent.len();
            Span { start: to_u32(key), end: to_u32(from + above.trim_end().len()), ..code }
        });
        let text = source.get(from..code.end as usize)?.to_owned();
        let lines = Span { start: to_u32(from), end: to_u32(code.end as usize + length + 1), ..code };
        Some(Item { lines, indent: indent.to_owned(), before, text })
    }
}

/// An item of a list, with the option in front of it.
struct Item {
    lines: Span,
    indent: String,
    before: Option<Span>,
    /// The lines up to the end of the code.
    text: String,
}

/// The literal that people mean by the other side of one: `"off"` of `"on"`.
fn counterpart(literal: &str) -> Option<String> {
    match literal {
        "True" => return Some("False".to_owned()),
        "False" => return Some("True".to_owned()),
        _ => {}
    }
    let word = literal.strip_prefix('"')?.strip_suffix('"')?;
    // `Yes` and `ON` as they are written.
    let cases: [fn(&str) -> String; 3] = [str::to_owned, str::to_uppercase, capital];
    let sides = PAIRS.iter().flat_map(|[one, other]| [(*one, *other), (*other, *one)]);
    let mut written = sides.flat_map(|(one, other)| cases.map(|case| (case(one), case(other))));
    written.find(|(one, _)| one == word).map(|(_, other)| format!("\"{other}\""))
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
