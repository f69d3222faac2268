//! Numbers and dates of a TOML text. What may follow what is looser than the standard while characters are taken; the
//! checks come after, with the reference's texts.

use super::scan::{Scanned, Scanner, Token};
use crate::quoted;

impl Scanner<'_> {
    /// After the first digit, which is at `start`.
    pub(super) fn number(&mut self, start: usize) -> Scanned<Token> {
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
    pub(super) fn signed(&mut self, start: usize) -> Scanned<Token> {
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
                let shown = quoted::go_char(other.unwrap_or('\0'));
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
        let shown = quoted::go(text.as_bytes());
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

    pub(super) fn float(&self, start: usize) -> Scanned<Token> {
        let text = self.taken(start);
        let shown = quoted::go(text.as_bytes());
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
        Err(self.fault(format!("Invalid TOML Datetime: {}.", quoted::go(text.as_bytes()))))
    }
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
