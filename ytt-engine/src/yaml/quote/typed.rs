//! Would this text, written plain, read back as something else than a string?
//!
//! The rules are those of the reader (YAML 1.1 as ytt reads it), asked for a yes or no only, so that the printer need
//! not build values. Uses only `core` and `alloc`.

use alloc::borrow::Cow;

/// Is `text` a string when it stands plain and without a tag? Base 60 numbers are read as strings but are not plain
/// here, so that other readers do not take them for numbers.
pub(crate) fn is_plain_string(text: &str) -> bool {
    let bytes = text.as_bytes();
    match bytes.first() {
        None => false,
        Some(b'0'..=b'9' | b'+' | b'-') => {
            !(is_number(text) || is_infinity(bytes) || is_timestamp(bytes) || is_base_60(bytes))
        }
        Some(b'.') => !(is_infinity(bytes) || is_nan(bytes) || is_dotted_float(text)),
        Some(b'~') => bytes.len() > 1,
        Some(b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O') => !is_word(bytes),
        Some(_) => true,
    }
}

/// A boolean or null: `yes`, `Yes` and `YES`, but no other mixture.
fn is_word(bytes: &[u8]) -> bool {
    const WORDS: [&[u8]; 9] = [b"y", b"yes", b"true", b"on", b"n", b"no", b"false", b"off", b"null"];
    let [first, rest @ ..] = bytes else { return false };
    rest.len() < 5
        && (rest.iter().all(u8::is_ascii_lowercase)
            || (first.is_ascii_uppercase() && rest.iter().all(u8::is_ascii_uppercase)))
        && WORDS.iter().any(|word| bytes.eq_ignore_ascii_case(word))
}

fn is_infinity(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"+").or_else(|| bytes.strip_prefix(b"-")).unwrap_or(bytes);
    matches!(bytes, b".inf" | b".Inf" | b".INF")
}

fn is_nan(bytes: &[u8]) -> bool {
    matches!(bytes, b".nan" | b".NaN" | b".NAN")
}

fn without_underscores(text: &str) -> Cow<'_, str> {
    if text.contains('_') { text.replace('_', "").into() } else { text.into() }
}

/// A float that begins with its point: `_` is allowed between digits only.
fn is_dotted_float(text: &str) -> bool {
    let bytes = text.as_bytes();
    let between_digits =
        |at: usize| bytes[at - 1].is_ascii_digit() && bytes.get(at + 1).is_some_and(u8::is_ascii_digit);
    (1..bytes.len()).all(|at| bytes[at] != b'_' || between_digits(at)) && is_float(&without_underscores(text))
}

/// An integer or float of any base. `_` is dropped wherever it stands.
fn is_number(text: &str) -> bool {
    let digits =
        |byte: u8| byte.is_ascii_hexdigit() || matches!(byte, b'+' | b'-' | b'.' | b'_' | b'x' | b'X' | b'o' | b'O');
    if !text.bytes().all(digits) {
        return false;
    }
    let plain = without_underscores(text);
    is_integer(&plain) || is_float(&plain)
}

/// An integer that fits 64 bits, signed or not.
fn is_integer(plain: &str) -> bool {
    let (sign, digits) = match plain.as_bytes() {
        [sign @ (b'+' | b'-'), ..] => (Some(*sign), &plain[1..]),
        // Compat: after `0b` the reference takes a sign, too.
        [b'0', b'b', sign @ (b'+' | b'-'), ..] => return fits(&plain[3..], 2, Some(*sign)),
        _ => (None, plain),
    };
    match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => fits(&digits[2..], 16, sign),
        [b'0', b'o' | b'O', ..] => fits(&digits[2..], 8, sign),
        [b'0', b'b' | b'B', ..] => fits(&digits[2..], 2, sign),
        [b'0', _, ..] => fits(&digits[1..], 8, sign),
        _ => fits(digits, 10, sign),
    }
}

fn fits(digits: &str, base: u32, sign: Option<u8>) -> bool {
    // `from_str_radix` takes a sign of its own, which has no place here.
    if !digits.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric) {
        return false;
    }
    let limit = match sign {
        None => u64::MAX,
        Some(b'-') => 1 << 63,
        Some(_) => i64::MAX as u64,
    };
    u64::from_str_radix(digits, base).is_ok_and(|number| number <= limit)
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, within the range of 64 bits.
fn is_float(plain: &str) -> bool {
    let bytes = plain.as_bytes();
    let run = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut at = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let whole = run(at);
    at += whole;
    if bytes.get(at) == Some(&b'.') {
        let fraction = run(at + 1);
        if whole + fraction == 0 {
            return false;
        }
        at += 1 + fraction;
    } else if whole == 0 {
        return false;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let exponent = if at <= bytes.len() { run(at) } else { 0 };
        if exponent == 0 {
            return false;
        }
        at += exponent;
    }
    at == bytes.len() && plain.parse::<f64>().is_ok_and(f64::is_finite)
}

/// `[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?`
fn is_base_60(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"+").or_else(|| bytes.strip_prefix(b"-")).unwrap_or(bytes);
    let mut parts = bytes.split(|byte| *byte == b':');
    let first = parts.next().unwrap_or_default();
    if !first.first().is_some_and(u8::is_ascii_digit) || !first.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'_')) {
        return false;
    }
    let sixty = |part: &[u8]| matches!(part, [b'0'..=b'9'] | [b'0'..=b'5', b'0'..=b'9']);
    let mut count = 0;
    while let Some(part) = parts.next() {
        count += 1;
        let last = parts.clone().next().is_none();
        let point = if last { part.iter().position(|byte| *byte == b'.') } else { None };
        let (part, fraction) = part.split_at(point.unwrap_or(part.len()));
        if !sixty(part) || !fraction.iter().skip(1).all(|byte| matches!(byte, b'0'..=b'9' | b'_')) {
            return false;
        }
    }
    count > 0
}

/// A date, or a date with time: the forms that ytt's reader knows.
fn is_timestamp(bytes: &[u8]) -> bool {
    date_and_time(bytes).is_some()
}

fn date_and_time(bytes: &[u8]) -> Option<()> {
    let mut rest = Digits(bytes);
    let year = rest.exactly(4)?;
    rest.byte(b'-')?;
    let month = rest.one_or_two()?;
    rest.byte(b'-')?;
    let day = rest.one_or_two()?;
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    if !(1..=12).contains(&month) || !(1..=days).contains(&day) {
        return None;
    }
    match rest.0 {
        [] => Some(()),
        [b'T' | b't', ..] => {
            rest.0 = &rest.0[1..];
            rest.time()?;
            rest.zone()
        }
        [b' ', ..] => {
            let spaces = rest.0.iter().take_while(|byte| **byte == b' ').count();
            rest.0 = &rest.0[spaces..];
            rest.time()?;
            rest.0.is_empty().then_some(())
        }
        _ => None,
    }
}

/// What is left to read of a timestamp.
struct Digits<'a>(&'a [u8]);

impl Digits<'_> {
    fn exactly(&mut self, count: usize) -> Option<u32> {
        let (digits, rest) = self.0.split_at_checked(count)?;
        let value = digits
            .iter()
            .try_fold(0, |value, byte| byte.is_ascii_digit().then(|| value * 10 + u32::from(byte - b'0')))?;
        self.0 = rest;
        Some(value)
    }

    fn one_or_two(&mut self) -> Option<u32> {
        self.exactly(2).or_else(|| self.exactly(1))
    }

    fn byte(&mut self, byte: u8) -> Option<()> {
        self.0 = self.0.strip_prefix(&[byte])?;
        Some(())
    }

    /// `h:m:s` with an optional fraction, behind a point or comma.
    fn time(&mut self) -> Option<()> {
        let hour = self.one_or_two()?;
        self.byte(b':')?;
        let minute = self.one_or_two()?;
        self.byte(b':')?;
        let second = self.one_or_two()?;
        if let [b'.' | b',', b'0'..=b'9', ..] = self.0 {
            let digits = self.0[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            self.0 = &self.0[1 + digits..];
        }
        (hour < 24 && minute < 60 && second < 60).then_some(())
    }

    /// `Z`, `+hh:mm` or `-hh:mm`, and the end.
    fn zone(&mut self) -> Option<()> {
        match self.0 {
            b"Z" => Some(()),
            [b'+' | b'-', _, _, b':', ..] => {
                self.0 = &self.0[1..];
                let hour = self.exactly(2)?;
                self.byte(b':')?;
                let minute = self.exactly(2)?;
                // Compat: both upper bounds are those of Go.
                (self.0.is_empty() && hour <= 24 && minute <= 60).then_some(())
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_texts_are_not_plain() {
        for text in [
            "",
            "~",
            "null",
            "Null",
            "NULL",
            "true",
            "True",
            "TRUE",
            "y",
            "Y",
            "yes",
            "Yes",
            "YES",
            "on",
            "On",
            "ON",
            "n",
            "N",
            "no",
            "No",
            "NO",
            "false",
            "False",
            "FALSE",
            "off",
            "Off",
            "OFF",
            ".nan",
            ".NaN",
            ".NAN",
            ".inf",
            ".Inf",
            ".INF",
            "+.inf",
            "-.INF",
            "0",
            "12",
            "-1",
            "+1",
            "010",
            "0o10",
            "-0o10",
            "0x_1F",
            "0_7",
            "1_",
            "+_1",
            "0B11",
            "-0x_1",
            "08",
            "09",
            "0b-1",
            "0b+1",
            "18446744073709551615",
            "+18446744073709551615",
            "18446744073709551616",
            "-99999999999999999999",
            "1.",
            ".5",
            "-.5",
            "+.5",
            "1e3",
            "1.e2",
            "1_0.5",
            "1e5_0",
            ".5_0",
            ".5e1_0",
            "2001-01-01",
            "2001-1-1",
            "2001-12-14T21:59:43Z",
            "2001-12-14t21:59:43.10-05:00",
            "2001-12-14 21:59:43",
            "2001-12-14   1:2:3.5",
            "2001-12-14 21:59:43,10",
            "2000-02-29",
            "1:30",
            "190:20:30.15",
            "-1:0",
            "1_0:59",
            "1:5.",
            "0:0:0",
        ] {
            assert!(!is_plain_string(text), "{text}");
        }
    }

    #[test]
    fn near_misses_are_strings() {
        for text in [
            "yEs",
            "tRue",
            "nULL",
            "nil",
            "=",
            "<<",
            "inf",
            "nan",
            "Infinity",
            "-.nan",
            ".Nan",
            "_1",
            "0x",
            "0b",
            "0o8",
            "0b2",
            "--1",
            "+-1",
            "0xg",
            "1e400",
            "0x1p-2",
            ".1p2",
            "1e",
            ".e1",
            "-.",
            "+",
            ".",
            "._5",
            ".5_",
            ".5__0",
            "0x10000000000000000",
            "2001-02-30",
            "2001-13-01",
            "2001-02-29",
            "2001-01-01T1:2Z",
            "2001-01-01t1:2:3z",
            "2001-01-01 24:00:00",
            "2001-01-01 1:2:60",
            "2001-12-14 21:59:43.10 -5",
            "20010-01-01",
            "1:60",
            "1:",
            ":1",
            "1:2.5:3",
            "a",
            "yesterday",
            "-",
            "-a",
            "0x-1",
            "0b--1",
            "-0b-1",
            "1.2.3",
            "1e+",
            "~a",
            "falsey",
            "é",
            "2001-01-01T01:02:03",
            "2001-01-01T01:02:03+25:00",
        ] {
            assert!(is_plain_string(text), "{text}");
        }
    }
}
