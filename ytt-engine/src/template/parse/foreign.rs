//! What other languages know: comparisons in a chain, dicts unpacked into a dict, words that close a block.
#![allow(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "tokens lie in the text, and other offsets were found in it"
)]

use super::Parser;
use super::blocks::Blocks;
use super::pairs::NAMED;
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::template::token::{COMPARISON, Kind, Token};
use crate::template::tree::{Expr, ExprKind, TokenId};

impl Parser<'_> {
    /// `{"a", "b"}`, which is no dict.
    pub(super) fn set_in_braces(&self, error: &Diagnostic) -> Option<Diagnostic> {
        let input = self.blocks.scanner.input;
        let open = self.blocks.scanner.innermost().filter(|open| self.token_text(*open) == b"{")?;
        let behind = std::str::from_utf8(input.text.get(open.end as usize..)?).ok()?;
        let inner = behind.get(..behind.find(['}', '{', ':', '\n'])?)?;
        behind[inner.len()..].starts_with('}').then_some(())?;
        (inner.matches('"').count() % 2 == 0).then_some(())?;
        let place = input.span(open.start, open.end + inner.len() as u32 + 1);
        let mut error = error.clone();
        if let Some(label) = error.parts_mut().labels.first_mut() {
            (label.span, label.text) = (place, "between braces, each key has a value: there are no sets".to_owned());
        }
        Some(error.help_edit("write a list", place, format!("[{inner}]")))
    }

    /// `load("a.star", "name" as "other")`.
    pub(super) fn loaded_as(&self, error: &Diagnostic, name: Token, word: Token) -> Option<Diagnostic> {
        let input = self.blocks.scanner.input;
        let line = input.text.get(..name.start as usize)?.rsplit(|byte| *byte == b'\n').next()?;
        (self.token_text(word) == b"as" && name.kind == Kind::Str).then_some(())?;
        line.trim_ascii_start().starts_with(b"load(").then_some(())?;
        let behind = std::str::from_utf8(input.text.get(word.end as usize..)?).ok()?;
        let written = behind.trim_start();
        let other = written.get(..written.find([')', ','])?)?.trim_end();
        let alias = other.trim_matches('"');
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        (!alias.is_empty() && alias.chars().all(is_part)).then_some(())?;
        let end = word.end + (behind.len() - written.len() + other.len()) as u32;
        let mut error = error.clone();
        if let Some(label) = error.parts_mut().labels.first_mut() {
            label.text = "another name stands in front, behind which is a `=`".to_owned();
        }
        let new = format!("{alias}={}", String::from_utf8_lossy(self.token_text(name)));
        Some(error.help_edit(format!("write `{new}`"), input.span(name.start, end), new))
    }

    /// `key: #@ if x: 1`: a statement where a value is needed.
    pub(super) fn conditional_value(&self, error: &Diagnostic, word: Token) -> Option<Diagnostic> {
        let input = self.blocks.scanner.input;
        let text = std::str::from_utf8(input.source_text()).ok()?;
        let at = input.place(word.start).0 as usize;
        let start = text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
        let line = text.get(start..)?.lines().next()?;
        let (node, code) = line.split_at_checked(at - start)?;
        let node = node.strip_suffix("#@ ")?.trim_end();
        if !node.ends_with([':', '-']) {
            return None;
        }
        let error = error.clone().relabel("a statement, where a value is needed");
        let words = "a value is one expression: `a if condition else b`; `#@ if/end …:` on the line above decides about the item";
        let Some((condition, value)) = code.strip_prefix("if ")?.split_once(": ") else {
            return Some(error.help(words));
        };
        let (condition, value) = (condition.trim(), value.trim());
        // Words in texts are none of code.
        let is_plain = |letter: char| letter.is_alphanumeric() || " _.:,()[]<>=!+-*/%".contains(letter);
        if !code.chars().all(is_plain) || value.split_whitespace().any(|word| word == "elif") {
            return Some(error.help(words));
        }
        let other = value.split_once(" else: ").or_else(|| value.split_once(" else "));
        let indent = &line[..line.len() - line.trim_start().len()];
        Some(match other {
            Some((one, other)) => {
                let place = input.source_span(at, start + line.len());
                error.help_edit(
                    "write it as an expression",
                    place,
                    format!("{one} if {condition} else {}", other.trim()),
                )
            }
            None if value.is_empty() => error.help(words),
            None => {
                let new = format!("{indent}#@ if/end {condition}:\n{node} #@ {value}");
                let place = input.source_span(start, start + line.len());
                error.help_edit("decide about the item on the line above", place, new).guessing()
            }
        })
    }

    /// `1 <= x <= n`, where `compared` is what was read up to the second operator: a comparison by itself for each pair.
    pub(super) fn chained(&mut self, error: Diagnostic, compared: &Expr) -> Diagnostic {
        const HELP: &str = "compare the values by pairs";
        let words = "compare the values by pairs, as in `a <= b and b <= c`";
        let told = error.clone().relabel("comparisons cannot be chained");
        let is_negated = compared.first.checked_sub(1).is_some_and(|id| self.blocks.token(id).kind == Kind::Not);
        let Some((mut new, last)) = self.pairs(compared) else { return told.help(words) };
        // `not` belongs to all of the chain.
        if is_negated {
            new = format!("({new})");
        }
        match new.contains('\n') {
            true => told.help(words),
            false => told.help_edit(HELP, self.across(compared.first, last), new),
        }
    }

    /// A chain of comparisons as pairs, and its last token.
    fn pairs(&mut self, compared: &Expr) -> Option<(String, TokenId)> {
        let ExprKind::Binary(pair) = &compared.kind else { return None };
        let mut new = self.code(compared.first, compared.last)?;
        let mut middle = (pair.right.first, pair.right.last);
        loop {
            let from = if self.kind == Kind::NotIn { self.id.checked_sub(1)? } else { self.id };
            let right = self.operand().ok()?;
            let (left, rest) = (self.code(middle.0, middle.1)?, self.code(from, right.last)?);
            new.push_str(&format!(" and {left} {rest}"));
            middle = (right.first, right.last);
            if self.kind.precedence() != Some(COMPARISON) {
                return Some((new, right.last));
            }
        }
    }

    /// `{**a, "b": c}`, from the first `**` on: one `dict(…)` within another, each of which takes two dicts.
    pub(super) fn unpacked(&mut self, error: Diagnostic, open: TokenId, entries: &[Expr]) -> Diagnostic {
        let told = error.clone().relabel("a dict cannot be unpacked into another one here");
        match self.parts_of_dict(open, entries) {
            Some((new, close)) if !new.contains('\n') => {
                told.help_edit("let `dict` put them together", self.across(open, close), new)
            }
            _ => told.help("let `dict` put them together: `dict(a, **b)`"),
        }
    }

    fn parts_of_dict(&mut self, open: TokenId, entries: &[Expr]) -> Option<(String, TokenId)> {
        // Dicts, and runs of entries between them.
        let mut parts = Vec::new();
        let mut run = match entries {
            [first, .., last] => Some((first.first, last.last)),
            _ => None,
        };
        // Behind the first place keys have to be texts.
        let mut are_texts = true;
        while self.kind != Kind::CloseBrace {
            if self.kind == Kind::DoubleStar {
                if let Some((first, last)) = run.take() {
                    (parts.is_empty() || are_texts).then_some(())?;
                    are_texts = true;
                    parts.push(format!("{{{}}}", self.code(first, last)?));
                }
                self.advance().ok()?;
                let dict = self.test().ok()?;
                parts.push(self.code(dict.first, dict.last)?);
            } else {
                let mut entry = Vec::new();
                self.entry(&mut entry).ok()?;
                let (first, last) = (entry.first()?.first, entry.last()?.last);
                are_texts &= self.blocks.token(first).kind == Kind::Str;
                run = Some((run.map_or(first, |(first, _)| first), last));
            }
            match self.kind {
                Kind::Comma => self.advance().ok()?,
                Kind::CloseBrace => break,
                _ => return None,
            };
        }
        if let Some((first, last)) = run {
            (parts.is_empty() || are_texts).then_some(())?;
            parts.push(format!("{{{}}}", self.code(first, last)?));
        }
        let close = self.id;
        (open < close).then_some(())?;
        let mut parts = parts.into_iter();
        let first = parts.next()?;
        let new = match parts.next() {
            None => format!("dict({first})"),
            Some(second) => {
                parts.fold(format!("dict({first}, **{second})"), |dict, part| format!("dict({dict}, **{part})"))
            }
        };
        Some((new, close))
    }

    /// Code from one token to another.
    fn code(&self, first: TokenId, last: TokenId) -> Option<String> {
        // The `not` of a `not in` behind an operand is read with it.
        let last = if self.blocks.token(last).kind == Kind::Not { last.checked_sub(1)? } else { last };
        let (start, end) = (self.blocks.token(first).start, self.blocks.token(last).end);
        let code = self.blocks.scanner.input.text.get(start as usize..end as usize)?;
        String::from_utf8(code.to_vec()).ok()
    }

    fn across(&self, first: TokenId, last: TokenId) -> Span {
        self.blocks.scanner.input.span(self.blocks.token(first).start, self.blocks.token(last).end)
    }
}

impl Blocks<'_> {
    /// Is a block closed by a word of another language?
    pub(super) fn foreign_end(&self, error: &Diagnostic) -> Option<Diagnostic> {
        let input = self.scanner.input;
        let tokens = &self.scanner.tokens;
        let kind = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map(|token| token.kind);
        let is_alone = |at: usize| {
            let (before, behind) = (kind(at.checked_sub(1)), kind(at.checked_add(1)));
            matches!(before, None | Some(Kind::Newline)) && matches!(behind, None | Some(Kind::Newline | Kind::End))
        };
        let is_end = |token: &Token| !token.made && token.kind == Kind::Name && is_foreign_end(input.token(*token));
        let all = tokens.iter().enumerate().filter(|(at, token)| is_end(token) && is_alone(*at));
        let found: Vec<Token> = all.map(|(_, token)| *token).take(NAMED).collect();
        let first = found.first()?;
        let mut error = error.clone();
        let word = String::from_utf8_lossy(input.token(*first)).into_owned();
        let mut labels = Vec::new();
        for token in &found {
            let word = String::from_utf8_lossy(input.token(*token)).into_owned();
            let span = input.span(token.start, token.end);
            labels.push(crate::diag::Label { span, text: format!("`{word}` closes nothing: a block ends with `end`") });
            error = error.help_edit(format!("write `end` for `{word}`"), span, "end");
        }
        let parts = error.parts_mut();
        if let Some(opened) = parts.labels.first_mut() {
            opened.text = format!("so this block is open; `{word}` is read as a name");
            if found.len() > 1 {
                "so this block is open".clone_into(&mut opened.text);
            }
        }
        labels.append(&mut parts.labels);
        parts.labels = labels;
        Some(error)
    }
}

/// Words that close blocks elsewhere.
fn is_foreign_end(word: &[u8]) -> bool {
    let small = word.to_ascii_lowercase();
    let what = small.strip_prefix(b"end_").or(small.strip_prefix(b"end"));
    match what {
        Some(b"") => word != b"end",
        Some(what) => matches!(what, b"if" | b"for" | b"while" | b"def" | b"function" | b"with" | b"each" | b"foreach"),
        None => matches!(&small[..], b"fi" | b"done" | b"esac"),
    }
}

#[cfg(test)]
mod tests {
    use crate::Project;

    /// The edit that is shown first for a file of code.
    fn edit(code: &str) -> String {
        let file = format!("a = 1\nd = {{}}\nb = {code}\n");
        let project = Project::new().file("a.star", file).file("b.yml", "#@ load(\"a.star\", \"b\")\n");
        let error = project.render().expect_err(code);
        let help = error.diagnostics()[0].helps().next().expect(code);
        help.edit().map_or_else(|| help.text().to_owned(), |(_, new)| new.to_owned())
    }

    #[test]
    fn chains_become_pairs() {
        for (code, expected) in [
            ("1 <= a <= 2", "1 <= a and a <= 2"),
            ("1 < a + 1 <= 2 != 3", "1 < a + 1 and a + 1 <= 2 and 2 != 3"),
            ("not 1 < a < 2", "(1 < a and a < 2)"),
            ("1 in [a] not in [2]", "1 in [a] and [a] not in [2]"),
            ("1 < a + 1 not in [2] == True", "1 < a + 1 and a + 1 not in [2] and [2] == True"),
            ("1 < a < *", "compare the values by pairs, as in `a <= b and b <= c`"),
        ] {
            assert_eq!(edit(code), expected, "{code}");
        }
    }

    #[test]
    fn unpacked_dicts_are_put_together() {
        for (code, expected) in [
            ("{**d}", "dict(d)"),
            ("{**d, **{\"x\": 1},}", "dict(d, **{\"x\": 1})"),
            ("{\"y\": 2, \"z\": 3, **d, \"x\": 1}", "dict(dict({\"y\": 2, \"z\": 3}, **d), **{\"x\": 1})"),
            ("{**d, *}", "let `dict` put them together: `dict(a, **b)`"),
        ] {
            assert_eq!(edit(code), expected, "{code}");
        }
    }
}
