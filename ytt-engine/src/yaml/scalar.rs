//! Scalars: plain, quoted and block.
//!
//! A scalar that stands in the source as it is costs nothing: its token points there. Only folded lines, escapes and
//! block scalars of several lines are put together in the scanner's buffer.
#![allow(clippy::arithmetic_side_effects, reason = "places and lengths are at most those of a text in memory")]
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "`check` bounds a text by 2³¹ bytes, and what escapes make of it is at most half as long again"
)]
#![allow(clippy::cast_sign_loss, reason = "an indentation is -1 at the least, which is not cast as it is")]
#![allow(clippy::string_slice, reason = "the scanner stands where a character begins, or at the end")]
#![allow(clippy::indexing_slicing, reason = "the scanner stops at the end, and the tables have every byte")]

use super::scan::{Kind, Scanner, Text};
use crate::diag::Diagnostic;

/// Can this byte end a word of a plain scalar, or is it part of a longer character?
const fn stops_plain(flow: bool) -> [bool; 256] {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let flow_only = matches!(byte as u8, b',' | b'?' | b'[' | b']' | b'{' | b'}');
        table[byte] = matches!(byte as u8, b' ' | b'\t' | b'\n' | b'\r' | b':' | 0x80..) || flow && flow_only;
        byte += 1;
    }
    table
}

static STOPS_BLOCK: [bool; 256] = stops_plain(false);
static STOPS_FLOW: [bool; 256] = stops_plain(true);

impl Scanner<'_> {
    /// A plain scalar, which may go on over several lines.
    pub(super) fn plain(&mut self) -> Result<(), Diagnostic> {
        self.save_key()?;
        self.key_allowed = false;
        let (start, line, indent) = (self.at, self.line, self.indent + 1);
        let mut end = start;
        // Start in the buffer, as soon as a line was folded.
        let mut made = None;
        let mut after_break = false;
        loop {
            if self.at == self.base && self.is_document_marker() || self.byte(0) == b'#' {
                break;
            }
            let word = self.at;
            self.skip_plain_word();
            if self.at > word {
                if after_break && made.is_none() {
                    made = Some(self.buffer.len());
                    self.buffer.push_str(&self.text[start..end]);
                }
                if after_break {
                    self.fold(end, word);
                    self.buffer.push_str(&self.text[word..self.at]);
                } else if made.is_some() {
                    self.buffer.push_str(&self.text[end..self.at]);
                }
                after_break = false;
                end = self.at;
            }
            if !self.is_blank(0) && self.break_length(0) == 0 {
                break;
            }
            loop {
                if self.is_blank(0) {
                    if after_break && (self.column() as isize) < indent && self.byte(0) == b'\t' {
                        return Err(self.tab_fault(start, "found a tab character that violates indentation"));
                    }
                    self.at += 1;
                } else if self.skip_break() {
                    after_break = true;
                } else {
                    break;
                }
            }
            if self.flow == 0 && (self.column() as isize) < indent {
                break;
            }
        }
        if after_break {
            self.key_allowed = true;
        }
        let text = match made {
            Some(from) => Text::Made(from as u32, self.buffer.len() as u32),
            None => Text::Source(start as u32, end as u32),
        };
        self.push_text(Kind::Scalar(true), line, start, end, text);
        Ok(())
    }

    /// Characters up to white space or to what ends a plain scalar.
    fn skip_plain_word(&mut self) {
        let stops = if self.flow > 0 { &STOPS_FLOW } else { &STOPS_BLOCK };
        loop {
            let rest = &self.bytes[self.at..];
            self.at += rest.iter().position(|byte| stops[usize::from(*byte)]).unwrap_or(rest.len());
            match self.byte(0) {
                b':' if !self.is_blank_or_end(1) => self.at += 1,
                0x80.. if self.break_length(0) == 0 => self.skip_char(),
                _ => return,
            }
        }
    }

    /// Appends what the line breaks between two parts of a scalar stand for: one becomes a space, of several all but
    /// the first are kept; a first one that is a Unicode separator is kept too.
    fn fold(&mut self, from: usize, to: usize) {
        let before = self.buffer.len();
        self.push_breaks(from, to);
        let first = self.buffer.len() - before;
        if self.buffer[before..].starts_with('\n') {
            self.buffer.remove(before);
            if first == 1 {
                self.buffer.push(' ');
            }
        }
    }

    /// Appends the line breaks of a part of the source: LF for all but the separators of Unicode, which stay.
    fn push_breaks(&mut self, from: usize, to: usize) {
        let mut at = from;
        while at < to {
            match self.bytes[at] {
                b'\n' => self.buffer.push('\n'),
                b'\r' => {
                    self.buffer.push('\n');
                    at += usize::from(self.bytes.get(at + 1) == Some(&b'\n'));
                }
                0xC2 => {
                    self.buffer.push('\n');
                    at += 1;
                }
                0xE2 => {
                    self.buffer.push_str(&self.text[at..at + 3]);
                    at += 2;
                }
                _ => {}
            }
            at += 1;
        }
    }

    // Quoted scalars.

    /// A scalar between single or double quotes.
    pub(super) fn quoted(&mut self, single: bool) -> Result<(), Diagnostic> {
        self.save_key()?;
        self.key_allowed = false;
        let (start, line) = (self.at, self.line);
        self.at += 1;
        let text = if self.skip_simple_quoted(single) {
            Text::Source(start as u32 + 1, self.at as u32)
        } else {
            let from = self.buffer.len();
            self.quoted_parts(start, line, single)?;
            Text::Made(from as u32, self.buffer.len() as u32)
        };
        self.at += 1;
        self.push_text(Kind::Scalar(false), line, start, self.at, text);
        Ok(())
    }

    /// Goes to the closing quote if the text between stands there as it is; else nowhere.
    fn skip_simple_quoted(&mut self, single: bool) -> bool {
        let (at, base) = (self.at, self.base);
        let quote = if single { b'\'' } else { b'"' };
        loop {
            let rest = &self.bytes[self.at..];
            let stop = |byte: &u8| *byte == quote || matches!(byte, b'\\' | b'\n' | b'\r' | 0x80..);
            self.at += rest.iter().position(stop).unwrap_or(rest.len());
            match self.byte(0) {
                byte if byte == quote && !(single && self.byte(1) == quote) => return true,
                b'\\' if single => self.at += 1,
                0x80.. if self.break_length(0) == 0 => self.skip_char(),
                _ => {
                    (self.at, self.base) = (at, base);
                    return false;
                }
            }
        }
    }

    /// Everything up to the closing quote, put together in the buffer.
    fn quoted_parts(&mut self, start: usize, line: u32, single: bool) -> Result<(), Diagnostic> {
        let quote = if single { b'\'' } else { b'"' };
        loop {
            if self.at == self.base && self.is_document_marker() {
                return Err(self.open_quote(start, line, "found unexpected document indicator"));
            }
            if self.byte(0) == 0 {
                return Err(self.open_quote(start, line, "found unexpected end of stream"));
            }
            // An escaped line break: what follows is as after a break, but nothing stands for it.
            let mut escaped_break = false;
            while !self.is_blank_or_end(0) {
                let first = self.byte(0);
                if first == quote && single && self.byte(1) == quote {
                    self.buffer.push('\'');
                    self.at += 2;
                } else if first == quote {
                    return Ok(());
                } else if !single && first == b'\\' && self.break_length(1) > 0 {
                    self.at += 1;
                    self.skip_break();
                    escaped_break = true;
                    break;
                } else if !single && first == b'\\' {
                    self.escape(start)?;
                } else {
                    let (from, ends) = (self.at, if single { b'\'' } else { b'\\' });
                    self.skip_char();
                    while matches!(self.byte(0), b'!'..0x7F) && self.byte(0) != quote && self.byte(0) != ends {
                        self.at += 1;
                    }
                    self.buffer.push_str(&self.text[from..self.at]);
                }
            }
            self.quoted_space(escaped_break);
        }
    }

    /// White space inside quotes: kept within a line, folded around line breaks.
    fn quoted_space(&mut self, escaped_break: bool) {
        let (from, mut after_break) = (self.at, false);
        loop {
            if self.is_blank(0) {
                self.at += 1;
            } else if self.skip_break() {
                after_break = true;
            } else {
                break;
            }
        }
        if escaped_break {
            self.push_breaks(from, self.at);
        } else if after_break {
            self.fold(from, self.at);
        } else {
            self.buffer.push_str(&self.text[from..self.at]);
        }
    }

    /// `\` and what follows it.
    fn escape(&mut self, start: usize) -> Result<(), Diagnostic> {
        let at = self.at;
        let (digits, character) = match self.byte(1) {
            b'0' => (0, '\0'),
            b'a' => (0, '\x07'),
            b'b' => (0, '\x08'),
            b't' | b'\t' => (0, '\t'),
            b'n' => (0, '\n'),
            b'v' => (0, '\x0B'),
            b'f' => (0, '\x0C'),
            b'r' => (0, '\r'),
            b'e' => (0, '\x1B'),
            byte @ (b' ' | b'"' | b'\'' | b'\\') => (0, char::from(byte)),
            b'N' => (0, '\u{85}'),
            b'_' => (0, '\u{A0}'),
            b'L' => (0, '\u{2028}'),
            b'P' => (0, '\u{2029}'),
            b'x' => (2, '\0'),
            b'u' => (4, '\0'),
            b'U' => (8, '\0'),
            _ => {
                let width = self.text[at + 1..].chars().next().map_or(0, char::len_utf8);
                return Err(self
                    .fault("found unknown escape character")
                    .label(self.span(at, at + 1 + width), "not an escape of YAML")
                    .label(self.span(start, start + 1), "in the text that starts here")
                    .help("write `\\\\` for a backslash, or put the text in single quotes"));
            }
        };
        self.at += 2;
        if digits == 0 {
            self.buffer.push(character);
            return Ok(());
        }
        let mut value = 0u32;
        for ahead in 0..digits {
            let Some(digit) = char::from(self.byte(ahead)).to_digit(16) else {
                return Err(self
                    .fault("did not find expected hexdecimal number")
                    .label(self.span(at, self.at + ahead), format!("expected {digits} hexadecimal digits"))
                    .label(self.span(start, start + 1), "in the text that starts here"));
            };
            value = value << 4 | digit;
        }
        let Some(character) = char::from_u32(value) else {
            return Err(self
                .fault("found invalid Unicode character escape code")
                .label(self.span(at, self.at + digits), "no character has this number")
                .label(self.span(start, start + 1), "in the text that starts here"));
        };
        self.at += digits;
        self.buffer.push(character);
        Ok(())
    }

    fn open_quote(&self, start: usize, line: u32, text: &str) -> Diagnostic {
        let found = if self.byte(0) == 0 { "the file ends here" } else { "a document marker" };
        let fault = self
            .fault(text)
            .label(self.span(start, start + 1), "this quote is not closed")
            .label(self.span_here(), found);
        if line == self.line {
            return fault;
        }
        // As a rule the text ends where its line does.
        let first = self.text.as_bytes().get(start..).unwrap_or_default().split(|byte| *byte == b'\n').next();
        let end = start + first.map_or(0, |first| first.trim_ascii_end().len());
        let quote = if self.text.as_bytes().get(start) == Some(&b'\'') { "'" } else { "\"" };
        fault.help_edit(format!("close the quote on line {line}"), self.span(end, end), quote).guessing()
    }

    fn tab_fault(&self, start: usize, text: &str) -> Diagnostic {
        let fault = self.fault(text).label(self.span_here(), "a tab");
        // Only of a text that has lines by what it begins with is it worth saying.
        let fault = match self.text[start..self.at].starts_with(['|', '>', '"', '\'']) {
            true => fault.label(self.char_span(start), "in the text that starts here"),
            false => fault,
        };
        self.without_tab(fault)
    }

    // Block scalars.

    /// `|` or `>` with its header line and all lines that are indented enough.
    pub(super) fn block_scalar(&mut self, literal: bool) -> Result<(), Diagnostic> {
        self.remove_key()?;
        self.key_allowed = true;
        let (start, line) = (self.at, self.line);
        self.at += 1;
        let (chomp, increment) = self.block_header(start)?;
        let mut end = self.at;
        self.block_header_rest(start)?;
        let mut indent = increment.map(|increment| increment + self.indent.max(0) as usize);
        let from = self.buffer.len();
        let mut breaks = self.at;
        let mut column = self.block_indent(start, &mut indent)?;
        // The break behind the last line of content, and whether that line began with a blank.
        let mut last = None;
        let mut last_blank = false;
        while column == self.column() && self.byte(0) != 0 {
            let blank = self.is_blank(0);
            self.join_lines(!literal && !last_blank && !blank, last, breaks);
            last_blank = blank;
            let content = self.at;
            end = self.line_end();
            self.at = end;
            self.buffer.push_str(&self.text[content..end]);
            self.skip_break();
            last = Some((end, self.at));
            breaks = self.at;
            column = self.block_indent(start, &mut indent)?;
        }
        if let Some((from, to)) = last
            && chomp != Chomp::Strip
        {
            self.push_breaks(from, to);
        }
        if chomp == Chomp::Keep {
            self.push_breaks(breaks, self.at);
        }
        let text = Text::Made(from as u32, self.buffer.len() as u32);
        self.push_text(Kind::Scalar(false), line, start, end, text);
        Ok(())
    }

    /// `+` or `-` and a digit, in any order.
    fn block_header(&mut self, start: usize) -> Result<(Chomp, Option<usize>), Diagnostic> {
        let (mut chomp, mut increment) = (None, None);
        loop {
            match self.byte(0) {
                sign @ (b'+' | b'-') if chomp.is_none() => {
                    chomp = Some(if sign == b'+' { Chomp::Keep } else { Chomp::Strip });
                }
                b'0' if increment.is_none() => {
                    return Err(self
                        .fault("found an indentation indicator equal to 0")
                        .label(self.span_here(), "expected 1 to 9")
                        .label(self.span(start, start + 1), "in the header of this block text"));
                }
                digit @ b'1'..=b'9' if increment.is_none() => increment = Some(usize::from(digit - b'0')),
                _ => return Ok((chomp.unwrap_or(Chomp::Clip), increment)),
            }
            self.at += 1;
        }
    }

    /// Blanks and a comment, which is not kept, up to the line break.
    fn block_header_rest(&mut self, start: usize) -> Result<(), Diagnostic> {
        while self.is_blank(0) {
            self.at += 1;
        }
        if self.byte(0) == b'#' {
            let comment = self.comment();
            self.dropped.push(comment);
        }
        if !self.is_break_or_end(0) {
            return Err(self
                .fault("did not find expected comment or line break")
                .label(self.span(self.at, self.line_end()), "the text must start on the next line")
                .label(self.span(start, start + 1), "a block text starts here")
                .help("put quotes around a string that starts with `|` or `>`"));
        }
        self.skip_break();
        Ok(())
    }

    /// Indentation and empty lines in front of a line of content; gives the column at which content starts.
    fn block_indent(&mut self, start: usize, indent: &mut Option<usize>) -> Result<usize, Diagnostic> {
        let mut deepest = 0;
        loop {
            while indent.is_none_or(|indent| self.column() < indent) && self.byte(0) == b' ' {
                self.at += 1;
            }
            deepest = deepest.max(self.column());
            if indent.is_none_or(|indent| self.column() < indent) && self.byte(0) == b'\t' {
                return Err(self.tab_fault(start, "found a tab character where an indentation space is expected"));
            }
            if !self.skip_break() {
                // Compat: the deepest of the empty lines counts, also where content is indented less.
                return Ok(*indent.get_or_insert(deepest.max((self.indent + 1) as usize).max(1)));
            }
        }
    }

    /// What stands between two lines of a block scalar: all breaks, or when folded one less, and a space for a single one.
    fn join_lines(&mut self, fold: bool, last: Option<(usize, usize)>, breaks: usize) {
        let Some((from, to)) = last else {
            return self.push_breaks(breaks, self.at);
        };
        if fold && self.bytes.get(from) != Some(&0xE2) {
            let before = self.buffer.len();
            self.push_breaks(breaks, self.at);
            if self.buffer.len() == before {
                self.buffer.push(' ');
            }
        } else {
            self.push_breaks(from, to);
            self.push_breaks(breaks, self.at);
        }
    }
}

/// What happens to the line breaks at the end of a block scalar.
#[derive(Clone, Copy, PartialEq)]
enum Chomp {
    Strip,
    Clip,
    Keep,
}
