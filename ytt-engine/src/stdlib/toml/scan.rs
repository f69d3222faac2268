//! Characters of a TOML text to keys and scalars.
//!
//! A [`Fault`] keeps the offset whose line the message names; the reference is one line early at the end of the text and
//! after some line breaks, which `lines_back` repeats. Tables are none of this file's business: see `decode`.

use super::super::quote::{quoted, quoted_char};

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) at: usize,
    /// How many lines above `at` the message names.
    pub(super) lines_back: u32,
}

type Scanned<T> = Result<T, Fault>;

/// A scalar, or what opens a nested value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Vec<u8>),
    /// A date or time that is well formed, at its offset.
    Date(usize),
    Array,
    Table,
}

/// Position in a text.
#[derive(Debug)]
pub(super) struct Scanner<'a> {
    pub(super) text: &'a [u8],
    pub(super) at: usize,
    /// Where the key that was read last begins.
    pub(super) key_at: usize,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &'a [u8]) -> Scanner<'a> {
        Scanner { text, at: 0, key_at: 0 }
    }

    pub(super) fn fault(&self, message: impl Into<String>) -> Fault {
        Fault { message: message.into(), at: self.at, lines_back: 0 }
    }

    /// A fault after `read` was taken: at the end of the text the reference names the line before.
    pub(super) fn fault_after(&self, read: Option<char>, message: impl Into<String>) -> Fault {
        Fault { lines_back: u32::from(read.is_none()), ..self.fault(message) }
    }

    /// The next character, which stays; refuses what no TOML text may hold.
    pub(super) fn peek(&self) -> Scanned<Option<char>> {
        let rest = &self.text[self.at.min(self.text.len())..];
        let Some(&first) = rest.first() else { return Ok(None) };
        let character = match first {
            0..0x80 => char::from(first),
            _ => {
                let end = rest.len().min(4);
                let chunk = rest[..end].utf8_chunks().next();
                match chunk.and_then(|chunk| chunk.valid().chars().next()) {
                    Some(character) if character != char::REPLACEMENT_CHARACTER => character,
                    _ => return Err(self.fault(format!("invalid UTF-8 byte: 0x{first:02x}"))),
                }
            }
        };
        let refused = match character {
            '\t' | '\n' => false,
            '\r' => rest.get(1) != Some(&b'\n'),
            _ => character.is_ascii_control(),
        };
        if refused {
            let number = u32::from(character);
            return Err(self.fault(format!("TOML files cannot contain control characters: '0x{number:02x}'")));
        }
        Ok(Some(character))
    }

    /// Takes the next character.
    pub(super) fn next(&mut self) -> Scanned<Option<char>> {
        let read = self.peek()?;
        self.at += read.map_or(0, char::len_utf8);
        Ok(read)
    }

    /// Takes the next character if it is `wanted`.
    pub(super) fn accept(&mut self, wanted: char) -> Scanned<bool> {
        let found = self.peek()? == Some(wanted);
        self.at += usize::from(found);
        Ok(found)
    }

    pub(super) fn skip_blanks(&mut self) -> Scanned<()> {
        while matches!(self.peek()?, Some(' ' | '\t')) {
            self.at += 1;
        }
        Ok(())
    }

    /// Skips a comment, up to the end of its line.
    pub(super) fn comment(&mut self) -> Scanned<()> {
        while !matches!(self.peek()?, None | Some('\n' | '\r')) {
            self.next()?;
        }
        Ok(())
    }

    /// Letters, digits, `_` and `-`; may be empty, and what follows is then the problem.
    pub(super) fn bare_key(&mut self) -> Scanned<Vec<u8>> {
        let start = self.at;
        while matches!(self.peek()?, Some(found) if is_bare(found)) {
            self.at += 1;
        }
        Ok(self.text[start..self.at].to_vec())
    }

    /// One part of a key whose first character was looked at.
    pub(super) fn key_part(&mut self) -> Scanned<Vec<u8>> {
        if self.accept('"')? {
            self.basic_string()
        } else if self.accept('\'')? {
            self.literal_string()
        } else {
            self.bare_key()
        }
    }

    /// A scalar, or the opening of an array or inline table, which is taken.
    pub(super) fn value(&mut self) -> Scanned<Token> {
        self.skip_blanks()?;
        let start = self.at;
        let read = self.next()?;
        match read {
            Some('0'..='9') => return self.number(start),
            Some('[') => return Ok(Token::Array),
            Some('{') => return Ok(Token::Table),
            Some(quote @ ('"' | '\'')) => return self.string(quote),
            Some('.') => return Err(self.fault("floats must start with a digit, not '.'")),
            Some('i' | 'n') => {
                // Compat: what may follow the first letter is not tied to it, so `ian` counts as a float, a wrong one.
                if (self.accept('n')? && self.accept('f')?) || (self.accept('a')? && self.accept('n')?) {
                    return self.float(start);
                }
                self.at -= 1;
                return self.word();
            }
            Some('+' | '-') => return self.signed(start),
            Some(letter) if letter.is_alphabetic() => {
                self.at = start;
                return self.word();
            }
            _ => {}
        }
        Err(match read {
            None => self.fault_after(read, "unexpected EOF; expected value"),
            Some(found) => self.fault(format!("expected value but found {} instead", quoted_char(found))),
        })
    }

    fn word(&mut self) -> Scanned<Token> {
        let start = self.at;
        while matches!(self.peek()?, Some(letter) if letter.is_alphabetic()) {
            self.next()?;
        }
        match &self.text[start..self.at] {
            b"true" => Ok(Token::Bool(true)),
            b"false" => Ok(Token::Bool(false)),
            other => Err(self.fault(format!("expected value but found {} instead", quoted(other)))),
        }
    }

    // Strings.

    fn string(&mut self, quote: char) -> Scanned<Token> {
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

    fn basic_string(&mut self) -> Scanned<Vec<u8>> {
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

    fn literal_string(&mut self) -> Scanned<Vec<u8>> {
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
                let shown = quoted(&self.text[start..self.at]);
                return Err(self.fault_after(digit, format!("expected {name}, but got {shown} instead")));
            }
        }
        Ok(())
    }

    // Numbers.

    /// After the first digit, which is at `start`.
    fn number(&mut self, start: usize) -> Scanned<Token> {
        if self.text[start] == b'0' {
            match self.peek()? {
                Some('_' | '.' | 'e' | 'E') => {}
                Some(base @ ('b' | 'o' | 'x')) => {
                    self.at += 1;
                    return self.based(start, base);
                }
                Some('0'..='9') => {}
                _ => return self.int(start),
            }
        }
        self.take_digits()?;
        match self.peek()? {
            Some('-' | ':') => self.date(start),
            _ => self.decimal(start),
        }
    }

    fn based(&mut self, start: usize, base: char) -> Scanned<Token> {
        let (name, radix) = match base {
            'b' => ("a binary", 2),
            'o' => ("an octal", 8),
            _ => ("a hexidecimal", 16),
        };
        let first = self.peek()?;
        if !first.is_some_and(|digit| digit.is_digit(radix)) {
            let (shown, next) = (String::from_utf8_lossy(&self.text[start..self.at]), first.unwrap_or('\0'));
            return Err(self.fault(format!("not {name} number: '{shown}{next}'")));
        }
        while matches!(self.peek()?, Some(digit) if digit == '_' || digit.is_digit(radix)) {
            self.at += 1;
        }
        self.int(start)
    }

    /// After a sign.
    fn signed(&mut self, start: usize) -> Scanned<Token> {
        let read = self.next()?;
        match read {
            Some('i') if self.accept('n')? && self.accept('f')? => return self.float(start),
            Some('n') if self.accept('a')? && self.accept('n')? => return self.float(start),
            Some('i' | 'n') => {
                let shown = String::from_utf8_lossy(&self.text[start..self.at]);
                return Err(self.fault(format!("invalid float: '{shown}'")));
            }
            Some('0') => {
                if let Some(base @ ('b' | 'o' | 'x')) = self.peek()? {
                    let shown = String::from_utf8_lossy(&self.text[start..self.at]);
                    return Err(self.fault(format!("cannot use sign with non-decimal numbers: '{shown}{base}'")));
                }
            }
            Some('.') => return Err(self.fault("floats must start with a digit, not '.'")),
            Some('1'..='9') => {}
            other => {
                let shown = quoted_char(other.unwrap_or('\0'));
                return Err(self.fault_after(read, format!("expected a digit but got {shown}")));
            }
        }
        self.decimal(start)
    }

    fn take_digits(&mut self) -> Scanned<()> {
        while matches!(self.peek()?, Some('0'..='9')) {
            self.at += 1;
        }
        Ok(())
    }

    /// Digits and `_`, then perhaps what makes it a float.
    fn decimal(&mut self, start: usize) -> Scanned<Token> {
        while matches!(self.peek()?, Some('0'..='9' | '_')) {
            self.at += 1;
        }
        if !matches!(self.peek()?, Some('.' | 'e' | 'E')) {
            return self.int(start);
        }
        while matches!(self.peek()?, Some('0'..='9' | '_' | '.' | '-' | '+' | 'e' | 'E')) {
            self.at += 1;
        }
        self.float(start)
    }

    fn taken(&self, start: usize) -> String {
        String::from_utf8_lossy(&self.text[start..self.at]).into_owned()
    }

    fn int(&self, start: usize) -> Scanned<Token> {
        let text = self.taken(start);
        let shown = quoted(text.as_bytes());
        if !underscores_fit(&text) {
            return Err(self.fault(format!("Invalid integer {shown}: underscores must be surrounded by digits")));
        }
        if has_leading_zero(&text) {
            return Err(self.fault(format!("Invalid integer {shown}: cannot have leading zeroes")));
        }
        let digits = text.replace('_', "");
        let number = match digits.get(..2) {
            Some("0b") => i64::from_str_radix(&digits[2..], 2),
            Some("0o") => i64::from_str_radix(&digits[2..], 8),
            Some("0x") => i64::from_str_radix(&digits[2..], 16),
            _ => digits.parse(),
        };
        number.map(Token::Int).map_err(|_| self.fault(format!("{text} is out of range for int64")))
    }

    fn float(&self, start: usize) -> Scanned<Token> {
        let text = self.taken(start);
        let shown = quoted(text.as_bytes());
        let parts: Vec<&str> = text.split(['.', 'e', 'E']).filter(|part| !part.is_empty()).collect();
        if !parts.iter().all(|part| underscores_fit(part)) {
            return Err(self.fault(format!("Invalid float {shown}: underscores must be surrounded by digits")));
        }
        if parts.first().is_some_and(|part| has_leading_zero(part)) {
            return Err(self.fault(format!("Invalid float {shown}: cannot have leading zeroes")));
        }
        if !points_fit(&text) {
            return Err(self.fault(format!("Invalid float {shown}: '.' must be followed by one or more digits")));
        }
        let plain = text.replace('_', "");
        let number = match plain.trim_start_matches(['+', '-']) {
            "inf" if plain.starts_with('-') => f64::NEG_INFINITY,
            "inf" => f64::INFINITY,
            "nan" => f64::NAN,
            digits if digits.len() + 1 < plain.len() || !digits.starts_with(|first: char| first.is_ascii_digit()) => {
                return Err(self.fault(format!("Invalid float value: {shown}")));
            }
            _ => match plain.parse::<f64>() {
                Ok(number) if number.is_infinite() => {
                    return Err(self.fault(format!("{text} is out of range for float64")));
                }
                Ok(number) => number,
                Err(_) => return Err(self.fault(format!("Invalid float value: {shown}"))),
            },
        };
        Ok(Token::Float(number))
    }

    fn date(&mut self, start: usize) -> Scanned<Token> {
        while matches!(self.peek()?, Some('0'..='9' | '-' | ':' | 'T' | 't' | ' ' | '.' | 'Z' | 'z' | '+')) {
            self.at += 1;
        }
        let text = self.taken(start).trim_ascii().replace('z', "Z").replace(['t', ' '], "T");
        if is_date(&text) {
            return Ok(Token::Date(self.at));
        }
        Err(self.fault(format!("Invalid TOML Datetime: {}.", quoted(text.as_bytes()))))
    }
}

pub(super) fn is_bare(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

/// Does each `_` stand behind a digit, and is the last character one? (A hexadecimal digit counts.)
fn underscores_fit(text: &str) -> bool {
    if matches!(text, "nan" | "+nan" | "-nan" | "inf" | "+inf" | "-inf") {
        return true;
    }
    let mut after_digit = false;
    for byte in text.bytes() {
        if byte == b'_' && !after_digit {
            return false;
        }
        after_digit = byte.is_ascii_hexdigit();
    }
    after_digit
}

fn has_leading_zero(text: &str) -> bool {
    match text.as_bytes() {
        [b'0', second, ..] => !matches!(second, b'b' | b'o' | b'x'),
        [b'+' | b'-', b'0', _, ..] => true,
        _ => false,
    }
}

fn points_fit(text: &str) -> bool {
    let mut after_point = false;
    for byte in text.bytes() {
        if after_point && !byte.is_ascii_digit() {
            return false;
        }
        after_point = byte == b'.';
    }
    !after_point
}

/// One of the four kinds: with offset, without, date alone, time alone.
fn is_date(text: &str) -> bool {
    match text.split_once('T') {
        None => is_day(text) || is_time(text),
        Some((day, time)) => {
            let zone = time.find(['Z', '+', '-']).unwrap_or(time.len());
            is_day(day) && is_time(&time[..zone]) && is_zone(&time[zone..])
        }
    }
}

fn number(text: &str, length: usize) -> Option<u32> {
    (text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

fn is_day(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let (Some(year), Some(month), Some(day)) = (parts.next(), parts.next(), parts.next()) else { return false };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2)) else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

/// Compat: hours may have one digit.
fn is_time(text: &str) -> bool {
    let mut parts = text.splitn(3, ':');
    let (Some(hour), Some(minute), Some(second)) = (parts.next(), parts.next(), parts.next()) else { return false };
    let (second, fraction) = second.split_once('.').unwrap_or((second, "0"));
    let hour = number(hour, 2).or_else(|| number(hour, 1));
    hour.is_some_and(|hour| hour < 24)
        && number(minute, 2).is_some_and(|minute| minute < 60)
        && number(second, 2).is_some_and(|second| second < 60)
        && !fraction.is_empty()
        && fraction.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_zone(text: &str) -> bool {
    match text.as_bytes() {
        [] | [b'Z'] => true,
        [b'+' | b'-', ..] => text[1..].split_once(':').is_some_and(|(hour, minute)| {
            number(hour, 2).is_some_and(|hour| hour <= 24) && number(minute, 2).is_some_and(|minute| minute <= 60)
        }),
        _ => false,
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
