//! The token scanner: the one reader of code, whatever kind of file it stands in.
//!
//! It works on demand, so that the first mistake in the order of the text is the one that is reported. It knows the
//! words of the language only; blocks and `end` are the matter of `parse::blocks`.
#![allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "offsets of tokens and parts are those of the text, and `refuse_long` lets none pass above 2³² bytes"
)]

use std::ops::Range;

use super::choice;
use super::input::{Input, Origin, first_char};
use super::token::{Kind, Token};
use crate::diag::{Code, Diagnostic};
use crate::quoted;
use crate::source::Span;

/// Brackets may be nested so deep; parser and compiler recurse over them.
const BRACKETS: usize = 200;

/// Reads tokens from an [`Input`]; all tokens read so far are in `tokens`.
#[derive(Debug)]
pub(super) struct Scanner<'a> {
    pub(super) input: &'a Input,
    pub(super) tokens: Vec<Token>,
    at: usize,
    /// The part of the input that `at` lies in.
    part: usize,
    line_start: bool,
    /// Offsets of the line breaks within expressions.
    breaks: Vec<u32>,
    /// Tokens that opened the brackets that are open.
    open: Vec<u32>,
    /// A bracket that people opened and text of the compiler closed.
    pub(super) unclosed: Option<u32>,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(input: &'a Input) -> Scanner<'a> {
        Scanner {
            input,
            tokens: Vec::new(),
            at: 0,
            part: 0,
            line_start: true,
            breaks: Vec::new(),
            open: Vec::new(),
            unclosed: None,
        }
    }

    pub(super) fn error(&self, message: impl Into<String>, start: usize, end: usize) -> Diagnostic {
        self.input.error(Code::STARLARK_SYNTAX, message, start as u32, end as u32)
    }

    /// Is there a line break between two offsets of the text?
    pub(super) fn spans_lines(&self, start: usize, end: usize) -> bool {
        let next = self.breaks.partition_point(|at| (*at as usize) < start);
        self.breaks.get(next).is_some_and(|at| (*at as usize) < end)
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.input.text.get(self.at + ahead).copied()
    }

    /// Length of the line break at `at`: LF, CRLF or CR.
    fn line_break(&self, at: usize) -> usize {
        match self.input.text.get(at..) {
            Some([b'\r', b'\n', ..]) => 2,
            Some([b'\n' | b'\r', ..]) => 1,
            _ => 0,
        }
    }

    /// Is `at` in text that the compiler made?
    fn is_made(&mut self, at: usize) -> bool {
        let parts = &self.input.parts;
        while parts.get(self.part + 1).is_some_and(|next| next.at as usize <= at) {
            self.part += 1;
        }
        parts.get(self.part).is_some_and(|part| matches!(part.origin, Origin::Made(..)))
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize) -> u32 {
        let made = self.is_made(start);
        self.at = end;
        self.tokens.push(Token { kind, made, start: start as u32, end: end as u32 });
        self.tokens.len() as u32 - 1
    }

    /// Reads one token and gives its number. Behind the end it gives [`Kind::End`] again and again.
    pub(super) fn next(&mut self) -> Result<u32, Diagnostic> {
        loop {
            while matches!(self.byte(0), Some(b' ' | b'\t')) {
                self.at += 1;
            }
            if self.byte(0) == Some(b'#') {
                self.comment()?;
            }
            let start = self.at;
            let length = self.line_break(start);
            if length > 0 {
                let blank = self.line_start || !self.open.is_empty();
                if !self.open.is_empty() {
                    self.breaks.push(start as u32);
                }
                self.at += length;
                if blank {
                    continue;
                }
                self.line_start = true;
                return Ok(self.push(Kind::Newline, start, start + length));
            }
            let Some(byte) = self.byte(0) else {
                return Ok(self.push(Kind::End, start, start));
            };
            if byte == b'\\' {
                match self.line_break(start + 1) {
                    0 => return Err(self.error("stray backslash in program", start, start + 1)),
                    length => {
                        self.breaks.push(start as u32);
                        self.at += 1 + length;
                    }
                }
                self.line_start = false;
                continue;
            }
            if std::mem::take(&mut self.line_start)
                && let Some(end) = self.made_statement(start)
            {
                return Ok(self.push(Kind::Made, start, end));
            }
            return self.word(byte, start);
        }
    }

    /// Where a statement ends that begins here, if all of it is the compiler's and is written as it is.
    fn made_statement(&mut self, start: usize) -> Option<usize> {
        if !self.open.is_empty() || !self.is_made(start) {
            return None;
        }
        let (part, next) = (self.input.parts[self.part], self.input.parts.get(self.part + 1));
        let end = next.map_or(self.input.text.len(), |next| next.at as usize).checked_sub(1)?;
        let text = self.input.text.get(start..end)?;
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_()[], ".contains(byte);
        let whole = part.statement && part.at as usize == start && self.input.text[end] == b'\n';
        (whole && text.starts_with(b"__") && text.iter().all(is_plain)).then_some(end)
    }

    /// Skips a comment. One in a value or annotation would swallow the bracket that the compiler puts behind it.
    fn comment(&mut self) -> Result<(), Diagnostic> {
        let start = self.at;
        while self.at < self.input.text.len() && self.line_break(self.at) == 0 {
            self.at += 1;
        }
        let Some(part) = self.input.part_at(start as u32) else { return Ok(()) };
        let end = self.input.part_end(start as u32) as usize;
        if matches!(part.origin, Origin::Argument(_) | Origin::Loose(..)) && !self.open.is_empty() && self.at > end {
            // behind the name of a call further arguments may stand
            let before = self.open.last().and_then(|open| self.tokens.get(open.checked_sub(1)? as usize));
            let want = if before.is_some_and(|token| token.kind == Kind::Name) { "','" } else { "')'" };
            let error = self.error(format!("got identifier, want {want}"), start, end);
            return Err(self.input.second_sign(error, start as u32));
        }
        Ok(())
    }

    fn word(&mut self, byte: u8, start: usize) -> Result<u32, Diagnostic> {
        self.check_statement(start)?;
        match byte {
            b'"' | b'\'' => self.string(start, start, false),
            b'r' if matches!(self.byte(1), Some(b'"' | b'\'')) => self.string(start, start + 1, true),
            b'0'..=b'9' => self.number(start),
            b'.' if self.byte(1).is_some_and(|next| next.is_ascii_digit()) => self.number(start),
            b'(' | b'[' | b'{' => {
                if self.open.len() == BRACKETS {
                    return Err(self.error("expression is nested too deeply", start, start + 1));
                }
                let token = self.punctuation(start)?;
                self.open.push(token);
                Ok(token)
            }
            b')' | b']' | b'}' => {
                let Some(open) = self.open.pop() else {
                    return Err(self.closes_nothing(byte, start));
                };
                if self.is_made(start) && !self.tokens[open as usize].made {
                    self.unclosed = Some(open);
                }
                self.punctuation(start)
            }
            _ => match self.name_length(start) {
                0 => self.punctuation(start),
                length => {
                    let text = &self.input.text[start..start + length];
                    let kind = Kind::keyword(text).unwrap_or(Kind::Name);
                    Ok(self.push(kind, start, start + length))
                }
            },
        }
    }

    /// A made statement must not lie within the brackets of code before it.
    fn check_statement(&mut self, start: usize) -> Result<(), Diagnostic> {
        if self.open.is_empty() || !self.is_made(start) {
            return Ok(());
        }
        let part = self.input.parts[self.part];
        if !part.statement || part.at as usize != start {
            return Ok(());
        }
        if let Some(open) = self.unclosed {
            return Err(self.unclosed_bracket(open));
        }
        let Some(open) = self.open.last().map(|token| self.tokens[*token as usize]) else { return Ok(()) };
        let name = self.input.text[start..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
        let end = start + name.count();
        let error = self.error(format!("got identifier, want {}", open.kind.closing().name()), start, end);
        Err(self.not_closed(error, open, self.tokens.len()))
    }

    /// The innermost bracket that is open and that people wrote.
    pub(super) fn innermost(&self) -> Option<Token> {
        self.open.iter().map(|token| self.tokens[*token as usize]).rfind(|token| !token.made)
    }

    /// Says that a bracket in a value or an annotation has no end.
    pub(super) fn unclosed_bracket(&self, open: u32) -> Diagnostic {
        let token = self.tokens[open as usize];
        let message = format!("unclosed {}, want {}", token.kind.name(), token.kind.closing().name());
        let error = self.error(message, token.start as usize, token.end as usize);
        self.not_closed(error, token, self.tokens.len())
    }

    /// The problem of a closing bracket too many.
    fn closes_nothing(&mut self, byte: u8, start: usize) -> Diagnostic {
        let message = format!("unexpected '{}'", byte as char);
        let last = self.tokens.iter().rfind(|token| !token.made && token.kind == Kind::CloseParen).copied();
        let (start, end) = match last.filter(|_| self.is_made(start)) {
            Some(last) => (last.start as usize, last.end as usize),
            None => (start, start + 1),
        };
        let mut error = self.error(message, start, end);
        let labels = &mut error.parts_mut().labels;
        let Some(label) = labels.first_mut() else { return error };
        "no bracket is open that this could close".clone_into(&mut label.text);
        let place = label.span;
        error.help_edit("remove it", place, "")
    }

    /// Length of the name at `start`: letters of Unicode, `_`, and ASCII digits behind the first.
    fn name_length(&self, start: usize) -> usize {
        let text = &self.input.text;
        let mut at = start;
        while let Some(c) = first_char(&text[at..]) {
            let letter = c == '_' || if c.is_ascii() { c.is_ascii_alphabetic() } else { c.is_alphabetic() };
            let digit = at > start && c.is_ascii_digit();
            if !letter && !digit {
                break;
            }
            at += c.len_utf8();
        }
        at - start
    }

    fn punctuation(&mut self, start: usize) -> Result<u32, Diagnostic> {
        let rest = &self.input.text[start..];
        if let Some((kind, length)) = Kind::sign(rest) {
            return Ok(self.push(kind, start, start + length));
        }
        let c = first_char(rest).unwrap_or('\u{FFFD}');
        let length = first_char(rest).map_or(1, char::len_utf8);
        let error = self.error(format!("unexpected input character {}", quoted::go_char(c)), start, start + length);
        let place = self.input.span(start as u32, (start + length) as u32);
        Err(match c {
            '!' => error.relabel("`!` is `not` here").help_edit("write `not`", place, "not "),
            '?' => choice::told(self.input, error, start as u32),
            _ => error,
        })
    }

    fn string(&mut self, start: usize, quote_at: usize, raw: bool) -> Result<u32, Diagnostic> {
        let text = &self.input.text;
        let quote = text[quote_at];
        let triple = text[quote_at..].starts_with(&[quote; 3]);
        let width = if triple { 3 } else { 1 };
        let inner = quote_at + width;
        let mut at = inner;
        let mut quotes = 0;
        loop {
            let Some(&byte) = text.get(at) else {
                return Err(self
                    .error("unexpected EOF in string", start, start + 1)
                    .relabel("the text that begins here is not closed"));
            };
            at += 1;
            if byte == quote {
                quotes += 1;
                if quotes == width {
                    break;
                }
                continue;
            }
            quotes = 0;
            if !triple && matches!(byte, b'\n' | b'\r') {
                return Err(self.open_text(start, at - 1));
            }
            if byte == b'\\' {
                match self.line_break(at) {
                    0 => at += 1,
                    length => at += length,
                }
            }
        }
        if !raw && let Err(message) = unescape(&text[inner..at - width]) {
            return Err(self.error(message, start, at));
        }
        Ok(self.push(Kind::Str, start, at))
    }

    /// The problem of a text that is not closed on its line, which ends at `end`.
    fn open_text(&self, start: usize, end: usize) -> Diagnostic {
        let error = self.error("unexpected newline in string", start, start + 1);
        let error = error.relabel("the text that begins here is not closed on its line");
        let written = &self.input.text[start..end];
        let quote = written.iter().position(|byte| matches!(byte, b'"' | b'\'')).unwrap_or_default();
        let (first, inner) = (written[quote], written[quote + 1..].trim_ascii_end());
        if let Some(at) = other_quote(first, inner) {
            let at = (start + quote + 1 + at) as u32;
            let other = self.input.span(at, at + 1);
            let error = error.label(other, "this is the other sort of quote");
            return error.help_edit("end it with the quote that it begins with", other, char::from(first));
        }
        let before = self.input.text.get(..start).and_then(glued_word);
        let operators = [" + ", " % ", " == ", " != ", " in ", " if ", " and ", " or "];
        let operator =
            operators.iter().filter_map(|sign| inner.windows(sign.len()).position(|part| part == sign.as_bytes()));
        let operator = operator.min();
        let ends = inner.iter().all(|byte| b")]}".contains(byte));
        let at = match (operator, ends, before) {
            // a quote behind a word ends what has no beginning
            (_, true, Some(length)) => start - length,
            (Some(at), ..) => start + quote + 1 + at,
            _ => {
                let mut end = inner.len();
                let is_block = self.tokens.iter().rev().take_while(|token| token.kind != Kind::Newline).last();
                let is_block =
                    is_block.is_some_and(|first| matches!(first.kind, Kind::If | Kind::For | Kind::Elif | Kind::While));
                if is_block && inner.ends_with(b":") {
                    end -= 1;
                }
                let open = self.open.iter().filter(|open| !self.tokens[**open as usize].made).count();
                let closing = inner[..end].iter().rev().take_while(|byte| matches!(byte, b')' | b']' | b'}')).count();
                start + quote + 1 + end - closing.min(open)
            }
        };
        // behind a part of the text another one begins
        let behind = self.input.span((at as u32).saturating_sub(1), at as u32);
        let place = match at > start {
            true => Span { start: behind.end, ..behind },
            false => {
                let here = self.input.span(at as u32, at as u32);
                Span { end: here.start, ..here }
            }
        };
        let error = match ends && before.is_some() {
            true => error.relabel("this quote ends a text that has no beginning"),
            false => error,
        };
        let error = error.help_edit("write the missing quote", place, char::from(first));
        // The words of operators stand in texts too.
        if operator.is_some() && !inner.is_empty() { error.guessing() } else { error }
    }

    fn number(&mut self, start: usize) -> Result<u32, Diagnostic> {
        let text = &self.input.text;
        let digits = |mut at: usize, of: fn(&u8) -> bool| {
            while text.get(at).is_some_and(of) {
                at += 1;
            }
            at
        };
        let decimal: fn(&u8) -> bool = u8::is_ascii_digit;
        if text[start] == b'0' {
            let (of, what): (fn(&u8) -> bool, _) = match text.get(start + 1) {
                Some(b'x' | b'X') => (u8::is_ascii_hexdigit, "invalid hex literal"),
                Some(b'o' | b'O') => (|byte| matches!(byte, b'0'..=b'7'), "invalid octal literal"),
                Some(b'b' | b'B') => (|byte| matches!(byte, b'0' | b'1'), "invalid binary literal"),
                _ => (decimal, ""),
            };
            if !what.is_empty() {
                let end = digits(start + 2, of);
                if end == start + 2 {
                    return Err(self.error(what, start, end));
                }
                return Ok(self.push(Kind::Int, start, end));
            }
        }
        let mut end = digits(start, decimal);
        let whole = end;
        let mut float = false;
        if text.get(end) == Some(&b'.') {
            float = true;
            end = digits(end + 1, decimal);
        }
        if matches!(text.get(end), Some(b'e' | b'E')) {
            float = true;
            let sign = matches!(text.get(end + 1), Some(b'+' | b'-')) as usize;
            let from = end + 1 + sign;
            end = digits(from, decimal);
            if end == from {
                return Err(self.error("invalid float literal", start, end));
            }
        }
        if float {
            return Ok(self.push(Kind::Float, start, end));
        }
        let number = &text[start..whole];
        if number[0] == b'0' && number.iter().any(|digit| *digit != b'0') {
            let octal = number.iter().all(|digit| matches!(digit, b'0'..=b'7'));
            let rest = String::from_utf8_lossy(&number[1..]).into_owned();
            let message = match octal {
                true => format!("obsolete form of octal literal; use 0o{rest}"),
                false => "invalid int literal".to_string(),
            };
            return Err(self.error(message, start, whole));
        }
        Ok(self.push(Kind::Int, start, whole))
    }
}

/// The bytes that the inside of a literal means. `\u` and `\U` are not escapes: unknown ones stay as they are written.
///
/// The error is the reference's text.
pub(super) fn unescape(text: &[u8]) -> Result<Vec<u8>, String> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'\r' => {
                out.push(b'\n');
                at += (text.get(at) == Some(&b'\n')) as usize;
            }
            b'\\' => {
                let Some(&escape) = text.get(at) else { return Err("truncated escape sequence \\".into()) };
                at += 1;
                match escape {
                    b'\n' => {}
                    b'\r' => at += (text.get(at) == Some(&b'\n')) as usize,
                    b'a' => out.push(7),
                    b'b' => out.push(8),
                    b'f' => out.push(12),
                    b'n' => out.push(b'\n'),
                    b'r' => out.push(b'\r'),
                    b't' => out.push(b'\t'),
                    b'v' => out.push(11),
                    b'\\' | b'\'' | b'"' => out.push(escape),
                    b'0'..=b'7' => {
                        let mut number = u32::from(escape - b'0');
                        for _ in 1..3 {
                            let Some(digit @ b'0'..=b'7') = text.get(at) else { break };
                            number = number * 8 + u32::from(digit - b'0');
                            at += 1;
                        }
                        match u8::try_from(number) {
                            Ok(byte) => out.push(byte),
                            Err(_) => return Err(format!("invalid escape sequence \\{number:03o}")),
                        }
                    }
                    b'x' => {
                        let shown = |to: usize| String::from_utf8_lossy(&text[at - 2..to]).into_owned();
                        let Some(digits) = text.get(at..at + 2) else {
                            return Err(format!("truncated escape sequence {}", shown(text.len())));
                        };
                        let number = std::str::from_utf8(digits).ok().and_then(|d| u8::from_str_radix(d, 16).ok());
                        match number {
                            Some(number) if digits[0] != b'+' => out.push(number),
                            _ => return Err(format!("invalid escape sequence {}", shown(at + 2))),
                        }
                        at += 2;
                    }
                    other => out.extend([b'\\', other]),
                }
            }
            other => out.push(other),
        }
    }
    Ok(out)
}

/// The bytes that a literal means, quotes and prefix included.
pub(super) fn literal(token: &[u8]) -> Vec<u8> {
    let inner = &token[inside(token)];
    match token.first() {
        Some(b'r') => inner.to_vec(),
        // the scanner has refused literals with wrong escapes
        _ => unescape(inner).unwrap_or_default(),
    }
}

/// The part of the literal of a string that stands between its quotes.
pub(super) fn inside(token: &[u8]) -> Range<usize> {
    let start = usize::from(token.first() == Some(&b'r'));
    let quotes = match &token[start..] {
        [a, b, c, ..] if a == b && b == c && token.len() - start >= 6 => 3,
        _ => 1,
    };
    start + quotes..token.len() - quotes
}

/// Where a text that begins with one sort of quote seems to end with the other one: code follows it.
fn other_quote(first: u8, inner: &[u8]) -> Option<usize> {
    let other = if first == b'"' { b'\'' } else { b'"' };
    let at = inner.iter().position(|byte| *byte == other)?;
    let (_, behind) = inner.split_at_checked(at + 1)?;
    let is_end = behind.first().is_none_or(|next| b".),]}:%+ ".contains(next));
    (is_end && !behind.contains(&other)).then_some(at)
}

/// The length of a word that stands right in front of a quote: the quote ends a text that has no beginning.
fn glued_word(before: &[u8]) -> Option<usize> {
    let length = before.iter().rev().take_while(|byte| !b" \t\n\r(,[{=+%".contains(byte)).count();
    let (_, word) = before.split_at_checked(before.len() - length)?;
    (length > 0 && !word.contains(&b'"') && !word.contains(&b'\'')).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;

    fn kinds(text: &str) -> Result<Vec<&'static str>, String> {
        let mut input = Input::new(SourceId(0), ("", ""));
        input.lines(text.as_bytes(), 0);
        let mut scanner = Scanner::new(&input);
        let mut found = Vec::new();
        loop {
            let token = scanner.next().map_err(|e| e.message().to_string())?;
            match scanner.tokens[token as usize].kind {
                Kind::End => return Ok(found),
                kind => found.push(kind.bare()),
            }
        }
    }

    #[test]
    fn words_of_every_kind() {
        for (text, expected) in [
            ("x = 1.5e3 # c", "identifier = float literal newline"),
            ("a\tif b", "identifier if identifier newline"),
            ("f(\n1,\r\n2)", "identifier ( int literal , int literal ) newline"),
            ("a\rb", "identifier newline identifier newline"),
            ("x \\\n + 0x1F", "identifier + int literal newline"),
            ("r'\\q' '''a'\nb'''", "string literal string literal newline"),
            ("a //= b >>= c ** d != e", "identifier //= identifier >>= identifier ** identifier != identifier newline"),
            ("été.x1", "identifier . identifier newline"),
            ("1if .5", "int literal if float literal newline"),
            ("  \n\n # c\n", ""),
        ] {
            assert_eq!(kinds(text).map(|kinds| kinds.join(" ")), Ok(expected.to_string()), "{text}");
        }
    }

    #[test]
    fn errors_have_the_words_of_the_reference() {
        for (text, expected) in [
            ("x = 'a", "unexpected newline in string"),
            ("x = '''a", "unexpected EOF in string"),
            ("x ! y", "unexpected input character '!'"),
            ("x = $", "unexpected input character '$'"),
            ("\u{FEFF}x", "unexpected input character '\\ufeff'"),
            ("x\u{A0}= 1", "unexpected input character '\\u00a0'"),
            ("x = 1)", "unexpected ')'"),
            ("010", "obsolete form of octal literal; use 0o10"),
            ("08", "invalid int literal"),
            ("0xg", "invalid hex literal"),
            ("1e", "invalid float literal"),
            ("'\\400'", "invalid escape sequence \\400"),
            ("'\\xg0'", "invalid escape sequence \\xg0"),
            ("'\\x1'", "truncated escape sequence \\x1"),
            ("x \\ y", "stray backslash in program"),
        ] {
            assert_eq!(kinds(text), Err(expected.to_string()), "{text}");
        }
    }

    #[test]
    fn unicode_escapes_are_text() {
        assert_eq!(literal(br#""\u00e9\q\x41\101\"""#), br#"\u00e9\qAA""#);
        assert_eq!(literal(b"r'\\n'"), b"\\n");
        assert_eq!(literal("'''a\r\nb'''".as_bytes()), b"a\nb");
    }
}
