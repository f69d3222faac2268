//! Strings of a TOML text: four kinds, escapes, lines joined by a backslash.
//!
//! The form of escapes is checked while a string is scanned; what they mean is worked out when its end is found, since
//! errors of the one kind come before those of the other.

use super::scan::{Fault, Scanned, Scanner, Token};
use crate::quoted;

impl<'a> Scanner<'a> {
    pub(super) fn string(&mut self, quote: char) -> Scanned<Token> {
        let triple = self.text[self.at..].starts_with(&[quote as u8; 2]);
        if triple {
            self.at += 2;
        } else if self.peek()? == Some(quote) {
            // The character behind two quotes is read before the empty string counts.
            Scanner { at: self.at + 1, ..*self }.peek()?;
        }
        let text = match (quote, triple) {
            ('"', false) => self.basic_string(),
            ('"', true) => self.multi_line_basic_string(),
            (_, false) => self.literal_string(),
            (_, true) => self.multi_line_literal_string(),
        }?;
        Ok(Token::Text(text))
    }

    pub(super) fn basic_string(&mut self) -> Scanned<Vec<u8>> {
        let start = self.at;
        loop {
            let before = self.at;
            match self.next()? {
                read @ None => return Err(self.fault_after(read, "unexpected EOF; expected '\"'")),
                Some('\n' | '\r') => return Err(self.broken_line()),
                Some('\\') => self.escape(start)?,
                Some('"') => {
                    let content = &self.text[start..before];
                    return unescape(content).map_err(|message| Fault { message, at: before, lines_back: 0 });
                }
                Some(_) => {}
            }
        }
    }

    pub(super) fn literal_string(&mut self) -> Scanned<Vec<u8>> {
        let start = self.at;
        loop {
            let before = self.at;
            match self.next()? {
                read @ None => return Err(self.fault_after(read, "unexpected EOF; expected \"'\"")),
                Some('\n' | '\r') => return Err(self.broken_line()),
                Some('\'') => return Ok(self.text[start..before].to_vec()),
                Some(_) => {}
            }
        }
    }

    /// Compat: the line before the break is named; for CR LF that is one line too early.
    fn broken_line(&self) -> Fault {
        Fault { lines_back: 1, ..self.fault("strings cannot contain newlines") }
    }

    fn multi_line_basic_string(&mut self) -> Scanned<Vec<u8>> {
        let start = self.at;
        loop {
            match self.next()? {
                read @ None => return Err(self.fault_after(read, "unexpected EOF; expected '\"\"\"'")),
                Some('\\') => {
                    if matches!(self.peek()?, Some('\n' | '\r')) {
                        self.at += 1;
                    } else {
                        self.escape(start)?;
                    }
                }
                Some('"') => {
                    if let Some(content) = self.closing(start, b'"')? {
                        let at = start + content.len();
                        // Compat: this one mistake is reported at the key.
                        let joined = join_lines(content).ok_or(Fault {
                            message: "invalid escape: '\\ '".to_owned(),
                            at: self.key_at,
                            lines_back: 0,
                        })?;
                        let text = unescape(without_first_break(&joined));
                        return text.map_err(|message| Fault { message, at, lines_back: 0 });
                    }
                }
                Some(_) => {}
            }
        }
    }

    fn multi_line_literal_string(&mut self) -> Scanned<Vec<u8>> {
        let start = self.at;
        loop {
            match self.next()? {
                read @ None => return Err(self.fault_after(read, "unexpected EOF; expected \"'''\"")),
                Some('\'') => {
                    if let Some(content) = self.closing(start, b'\'')? {
                        return Ok(without_first_break(content).to_vec());
                    }
                }
                Some(_) => {}
            }
        }
    }

    /// After one quote was taken: the content, if this is the first of the last three quotes, which are then taken.
    fn closing(&mut self, start: usize, quote: u8) -> Scanned<Option<&'a [u8]>> {
        let text = self.text;
        if !text[self.at..].starts_with(&[quote; 2]) {
            return Ok(None);
        }
        let ahead = Scanner { at: self.at + 2, ..*self };
        if ahead.peek()? == Some(char::from(quote)) {
            let so_far = &text[start..self.at + 2];
            let escaped = quote == b'"' && so_far.ends_with(b"\\\"\"\"\"\"");
            if so_far.ends_with(&[quote; 5]) && !escaped {
                let message = if quote == b'"' { "unexpected '\"\"\"\"\"\"'" } else { "unexpected \"''''''\"" };
                return Err(self.fault(message));
            }
            return Ok(None);
        }
        let content = &text[start..self.at - 1];
        self.at += 2;
        Ok(Some(content))
    }

    /// Checks the form of an escape whose backslash was taken.
    fn escape(&mut self, start: usize) -> Scanned<()> {
        let read = self.next()?;
        let (digits, name) = match read {
            Some('b' | 't' | 'n' | 'f' | 'r' | '"' | '\\' | ' ' | '\t') => return Ok(()),
            Some('u') => (4, "four hexadecimal digits after '\\u'"),
            Some('U') => (8, "eight hexadecimal digits after '\\U'"),
            other => {
                let shown = other.unwrap_or('\0');
                return Err(self.fault_after(read, format!("invalid escape in string '\\{shown}'")));
            }
        };
        for _ in 0..digits {
            let digit = self.next()?;
            if !digit.is_some_and(|digit| digit.is_ascii_hexdigit()) {
                let shown = quoted::go(&self.text[start..self.at]);
                return Err(self.fault_after(digit, format!("expected {name}, but got {shown} instead")));
            }
        }
        Ok(())
    }
}

fn without_first_break(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\n").or_else(|| text.strip_prefix(b"\r\n")).unwrap_or(text)
}

/// Joins lines that end in a backslash; `None` when the last one does.
///
/// Compat: once a line was joined, later line breaks are lost until a line ends in an even number of backslashes.
fn join_lines(text: &[u8]) -> Option<Vec<u8>> {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
    let trim_start = |line: &mut &[u8]| {
        let blanks = line.iter().take_while(|byte| blank(byte)).count();
        *line = &line[blanks..];
    };
    let last = text.iter().filter(|byte| **byte == b'\n').count();
    let (mut out, mut joined, mut trim_next) = (Vec::with_capacity(text.len()), false, false);
    for (index, mut line) in text.split(|byte| *byte == b'\n').enumerate() {
        if std::mem::take(&mut trim_next) {
            trim_start(&mut line);
        }
        let mut trimmed = &line[..line.iter().rposition(|byte| !blank(byte)).map_or(0, |end| end + 1)];
        let backslashes = trimmed.iter().rev().take_while(|byte| **byte == b'\\').count();
        if backslashes == 0 {
            let carriage = line.iter().rev().take_while(|byte| **byte == b'\r').count();
            out.extend_from_slice(&line[..line.len() - carriage]);
            if !joined && index != last {
                out.push(b'\n');
            }
            continue;
        }
        let escaped = backslashes % 2 == 0;
        if joined && !escaped {
            trim_start(&mut trimmed);
        }
        joined = !escaped;
        if escaped {
            out.extend_from_slice(line);
            out.push(b'\n');
            continue;
        }
        if index == last {
            return None;
        }
        out.extend_from_slice(&trimmed[..trimmed.len() - 1]);
        trim_next = true;
    }
    Some(out)
}

/// Replaces escapes whose form was checked.
fn unescape(text: &[u8]) -> Result<Vec<u8>, String> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| *byte == b'\\') {
        out.extend_from_slice(&rest[..at]);
        let kind = rest.get(at + 1).copied().unwrap_or(b' ');
        rest = rest.get(at + 2..).unwrap_or_default();
        out.push(match kind {
            b'b' => 8,
            b't' => b'\t',
            b'n' => b'\n',
            b'f' => 12,
            b'r' => b'\r',
            b'"' | b'\\' => kind,
            b'u' | b'U' => {
                let digits = rest.len().min(if kind == b'u' { 4 } else { 8 });
                let shown = String::from_utf8_lossy(&rest[..digits]).into_owned();
                rest = &rest[digits..];
                let character = u32::from_str_radix(&shown, 16).ok().and_then(char::from_u32);
                let Some(character) = character else {
                    return Err(format!("Escaped character '\\u{shown}' is not valid UTF-8."));
                };
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
            other => return Err(format!("invalid escape: '\\{}'", char::from(other))),
        });
    }
    out.extend_from_slice(rest);
    Ok(out)
}
