//! The type of a plain scalar by the rules of YAML 1.1 as ytt applies them, and base64 of `!!binary`.
//!
//! The first character decides what is tried; whatever fits nothing is a string. An integer too large for 64 bits is
//! tried as a float (`docs/yaml.md#numbers`). The printers ask the same function
//! whether a string may be written without quotes, so only `core` and `alloc` are used here. What `--strict` refuses on
//! top of this is in `strict`.

/// What a scalar stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Resolved {
    Null,
    Bool(bool),
    Int(i64),
    /// Above `i64::MAX`.
    UInt(u64),
    Float(f64),
    /// A string that looks like a time: it stays text, but is quoted when printed and refused by `--strict`.
    Timestamp,
    Str,
}

impl Resolved {
    /// The short form of the tag, as error texts have it.
    pub(crate) fn tag(self) -> &'static str {
        match self {
            Resolved::Null => "!!null",
            Resolved::Bool(_) => "!!bool",
            Resolved::Int(_) | Resolved::UInt(_) => "!!int",
            Resolved::Float(_) => "!!float",
            Resolved::Timestamp => "!!timestamp",
            Resolved::Str => "!!str",
        }
    }
}

/// The type of a plain scalar without a tag.
pub(crate) fn resolve(text: &str) -> Resolved {
    let Some(&first) = text.as_bytes().first() else {
        return Resolved::Null;
    };
    match first {
        b'y' | b'Y' | b'n' | b'N' | b't' | b'T' | b'f' | b'F' | b'o' | b'O' | b'~' => word(text),
        b'.' => dotted(text),
        b'0'..=b'9' if is_timestamp(text) => Resolved::Timestamp,
        b'0'..=b'9' | b'+' | b'-' => number(text),
        _ => Resolved::Str,
    }
}

/// Whether a text needs no quotes as a YAML value, and no escapes in code.
pub(crate) fn needs_no_quotes(text: &str) -> bool {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/');
    let plain = text.starts_with(|first: char| first.is_ascii_alphabetic()) && text.bytes().all(word);
    // `on` and `null` are of another type without quotes.
    plain && matches!(resolve(text), Resolved::Str)
}

/// The type that a text has when its tag asks for a number, a bool or null: as [`resolve`], but nothing is a time.
pub(crate) fn resolve_without_time(text: &str) -> Resolved {
    match text.as_bytes().first() {
        Some(b'0'..=b'9') => number(text),
        _ => resolve(text),
    }
}

fn word(text: &str) -> Resolved {
    match text {
        "y" | "Y" | "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Resolved::Bool(true),
        "n" | "N" | "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => Resolved::Bool(false),
        "~" | "null" | "Null" | "NULL" => Resolved::Null,
        _ => Resolved::Str,
    }
}

/// A text that begins with a dot: here underscores may stand only between two digits.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "`at` is from 1 on and below the length")]
fn dotted(text: &str) -> Resolved {
    match text {
        ".nan" | ".NaN" | ".NAN" => return Resolved::Float(f64::NAN),
        ".inf" | ".Inf" | ".INF" => return Resolved::Float(f64::INFINITY),
        _ => {}
    }
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let misplaced = |at: usize| bytes[at] == b'_' && !(is_digit(at - 1) && is_digit(at + 1));
    if (1..bytes.len()).any(misplaced) {
        return Resolved::Str;
    }
    float(&without_underscores(text)).map_or(Resolved::Str, Resolved::Float)
}

/// A text that begins with a digit or a sign: all underscores are dropped first.
fn number(text: &str) -> Resolved {
    match text {
        "+.inf" | "+.Inf" | "+.INF" => return Resolved::Float(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => return Resolved::Float(f64::NEG_INFINITY),
        _ => {}
    }
    let plain = without_underscores(text);
    if let Some(found) = integer(&plain) {
        return found;
    }
    if let Some(value) = float(&plain) {
        return Resolved::Float(value);
    }
    // Compat: a second sign may follow `0b`.
    match plain.strip_prefix("0b") {
        Some(digits) if digits.starts_with(['+', '-']) => {
            i64::from_str_radix(digits, 2).map_or(Resolved::Str, Resolved::Int)
        }
        _ => Resolved::Str,
    }
}

fn without_underscores(text: &str) -> alloc::borrow::Cow<'_, str> {
    if text.contains('_') { text.replace('_', "").into() } else { text.into() }
}

/// An integer with sign and base prefix; `None` also when it is out of range.
fn integer(text: &str) -> Option<Resolved> {
    let (sign, bytes) = match text.as_bytes() {
        [b'+', digits @ ..] => (Some(false), digits),
        [b'-', digits @ ..] => (Some(true), digits),
        digits => (None, digits),
    };
    let (base, digits) = match bytes {
        [b'0', b'x' | b'X', digits @ ..] if !digits.is_empty() => (16, digits),
        [b'0', b'o' | b'O', digits @ ..] if !digits.is_empty() => (8, digits),
        [b'0', b'b' | b'B', digits @ ..] if !digits.is_empty() => (2, digits),
        [b'0'] => (10, bytes),
        [b'0', digits @ ..] => (8, digits),
        [] => return None,
        _ => (10, bytes),
    };
    let mut value = 0u64;
    for &byte in digits {
        let digit = char::from(byte).to_digit(base)?;
        value = value.checked_mul(u64::from(base))?.checked_add(u64::from(digit))?;
    }
    match sign {
        Some(true) => 0i64.checked_sub_unsigned(value).map(Resolved::Int),
        _ => match i64::try_from(value) {
            Ok(value) => Some(Resolved::Int(value)),
            Err(_) if sign.is_none() => Some(Resolved::UInt(value)),
            Err(_) => None,
        },
    }
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`; `None` also when it is too large.
#[allow(clippy::indexing_slicing, reason = "`digits` is asked from the end at most: behind a byte that was seen")]
#[allow(clippy::arithmetic_side_effects, reason = "sums of lengths within the text")]
fn float(text: &str) -> Option<f64> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let sign = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let whole = digits(sign);
    let mut at = sign + whole;
    if bytes.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        if whole + fraction == 0 {
            return None;
        }
        at += 1 + fraction;
    } else if whole == 0 {
        return None;
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        at += 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let exponent = digits(at);
        if exponent == 0 {
            return None;
        }
        at += exponent;
    }
    if at != bytes.len() {
        return None;
    }
    text.parse().ok().filter(|value: &f64| value.is_finite())
}

/// Is it one of the forms of a time that the reference knows?
///
/// A date with a four-digit year; then nothing, or `T` and a time with a zone, or spaces and a time without one.
#[allow(clippy::arithmetic_side_effects, reason = "a year of four digits, and a place behind a byte that was seen")]
fn is_timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some((year, [b'-', _, _, _, ..])) = bytes.split_first_chunk::<4>() else {
        return false;
    };
    if !year.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let mut reader = Digits { bytes, at: 5 };
    let year = year.iter().fold(0, |year, byte| year * 10 + u32::from(byte - b'0'));
    let (Some(month @ 1..=12), true, Some(day)) = (reader.number(), reader.eat(b'-'), reader.number()) else {
        return false;
    };
    if day == 0 || day > days(year, month) {
        return false;
    }
    match bytes.get(reader.at) {
        None => true,
        Some(b'T' | b't') => {
            reader.at += 1;
            reader.clock() && reader.zone() && reader.at == bytes.len()
        }
        Some(b' ') => {
            while reader.eat(b' ') {}
            reader.clock() && reader.at == bytes.len()
        }
        _ => false,
    }
}

fn days(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

struct Digits<'a> {
    bytes: &'a [u8],
    at: usize,
}

#[allow(clippy::arithmetic_side_effects, reason = "numbers of two digits, and places behind bytes that were seen")]
impl Digits<'_> {
    fn digit(&self, at: usize) -> Option<u32> {
        self.bytes.get(at).filter(|byte| byte.is_ascii_digit()).map(|byte| u32::from(byte - b'0'))
    }

    fn eat(&mut self, byte: u8) -> bool {
        let found = self.bytes.get(self.at) == Some(&byte);
        self.at += usize::from(found);
        found
    }

    /// One or two digits.
    fn number(&mut self) -> Option<u32> {
        let first = self.digit(self.at)?;
        self.at += 1;
        let Some(second) = self.digit(self.at) else {
            return Some(first);
        };
        self.at += 1;
        Some(first * 10 + second)
    }

    /// `h:m:s` and an optional fraction behind a dot or comma.
    fn clock(&mut self) -> bool {
        let parts = (self.number(), self.eat(b':'), self.number(), self.eat(b':'), self.number());
        let (Some(0..=23), true, Some(0..=59), true, Some(0..=59)) = parts else {
            return false;
        };
        if let (Some(b'.' | b','), Some(_)) = (self.bytes.get(self.at), self.digit(self.at + 1)) {
            self.at += 1;
            while self.digit(self.at).is_some() {
                self.at += 1;
            }
        }
        true
    }

    /// `Z`, or a sign with two digits, a colon and two digits; 24 hours and 60 minutes are the most.
    fn zone(&mut self) -> bool {
        if self.eat(b'Z') {
            return true;
        }
        if !self.eat(b'+') && !self.eat(b'-') {
            return false;
        }
        let from = self.at;
        let parts = (self.number(), self.eat(b':'), self.number());
        matches!(parts, (Some(0..=24), true, Some(0..=60))) && self.at == from + 5
    }
}

/// The bytes of standard base64 with padding; line breaks may stand anywhere.
#[allow(clippy::indexing_slicing, reason = "a group has four places; at its end at least two are used")]
#[allow(clippy::arithmetic_side_effects, reason = "`match` leaves values below 64")]
pub(crate) fn decode_base64(text: &str) -> Option<alloc::vec::Vec<u8>> {
    let mut bytes = text.bytes().filter(|byte| !matches!(byte, b'\r' | b'\n'));
    let mut out = alloc::vec::Vec::with_capacity(text.len() / 4 * 3);
    loop {
        let mut group = [0u8; 4];
        let mut length = 0;
        while length < 4 {
            let Some(byte) = bytes.next() else {
                return (length == 0).then_some(out);
            };
            let value = match byte {
                b'A'..=b'Z' => byte - b'A',
                b'a'..=b'z' => byte - b'a' + 26,
                b'0'..=b'9' => byte - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                b'=' if length == 3 || length == 2 && bytes.next() == Some(b'=') => break,
                _ => return None,
            };
            group[length] = value;
            length += 1;
        }
        let whole = [group[0] << 2 | group[1] >> 4, group[1] << 4 | group[2] >> 2, group[2] << 6 | group[3]];
        out.extend_from_slice(&whole[..length - 1]);
        if length < 4 {
            return bytes.next().is_none().then_some(out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> String {
        match resolve(text) {
            Resolved::Null => "null".into(),
            Resolved::Bool(value) => value.to_string(),
            Resolved::Int(value) => format!("int {value}"),
            Resolved::UInt(value) => format!("uint {value}"),
            Resolved::Float(value) => format!("float {value}"),
            Resolved::Timestamp => "time".into(),
            Resolved::Str => "str".into(),
        }
    }

    #[test]
    fn words_and_numbers() {
        let cases = [
            ("", "null"),
            ("~", "null"),
            ("nULL", "str"),
            ("y", "true"),
            ("yEs", "str"),
            ("OFF", "false"),
            ("-.Inf", "float -inf"),
            ("-.nan", "str"),
            (".Nan", "str"),
            ("010", "int 8"),
            ("-0o10", "int -8"),
            ("0x_1F", "int 31"),
            ("1_", "int 1"),
            ("+_1", "int 1"),
            ("0B11", "int 3"),
            ("0b+1", "int 1"),
            ("0b-11", "int -3"),
            ("-0b-1", "str"),
            ("08", "float 8"),
            ("_1", "str"),
            ("0x", "str"),
            ("0o8", "str"),
            ("--1", "str"),
            ("0", "int 0"),
            ("-0", "int 0"),
            ("00", "int 0"),
            ("9223372036854775807", "int 9223372036854775807"),
            ("9223372036854775808", "uint 9223372036854775808"),
            ("+9223372036854775808", "float 9223372036854776000"),
            ("-9223372036854775808", "int -9223372036854775808"),
            ("-9223372036854775809", "float -9223372036854776000"),
            ("0xFFFFFFFFFFFFFFFF", "uint 18446744073709551615"),
            ("0x10000000000000000", "str"),
            ("18446744073709551616", "float 18446744073709552000"),
            ("1.", "float 1"),
            (".5", "float 0.5"),
            ("-.5", "float -0.5"),
            ("1.e2", "float 100"),
            ("1_0.5", "float 10.5"),
            (".5_0", "float 0.5"),
            ("._5", "str"),
            (".5_", "str"),
            (".1e5_0", "float 10000000000000000000000000000000000000000000000000"),
            (".1e_5", "str"),
            ("1e400", "str"),
            ("1e-400", "float 0"),
            ("1e", "str"),
            (".e1", "str"),
            ("-.", "str"),
            (".", "str"),
            ("+", "str"),
            ("1:30", "str"),
            ("inf", "str"),
            ("=", "str"),
            ("é", "str"),
        ];
        for (text, expected) in cases {
            assert_eq!(check(text), expected, "{text}");
        }
    }

    #[test]
    fn times() {
        for text in [
            "2001-01-01",
            "2001-1-1",
            "2000-02-29",
            "2001-12-14t21:59:43.10-05:00",
            "2001-12-14T1:2:3Z",
            "2001-12-14T1:2:3,5Z",
            "2001-12-14T1:2:3+24:60",
            "2001-12-14    21:59:43",
            "2001-12-14 1:2:3.123456789012345",
        ] {
            assert_eq!(check(text), "time", "{text}");
        }
        for text in [
            "2001-02-30",
            "2001-02-29",
            "2001-13-01",
            "2001-1-0",
            "20010-01-01",
            "2001-12-14T1:2Z",
            "2001-12-14t1:2:3z",
            "2001-12-14 1:2:60",
            "2001-12-14 25:2:3",
            "2001-12-14 21:59:43.10 -5",
            "2001-12-14T1:2:3",
            "2001-12-14T1:2:3+5:00",
            "2001-12-14 ",
            "2001-12-14 1:2:3.",
        ] {
            assert_eq!(check(text), "str", "{text}");
        }
    }

    #[test]
    fn base64() {
        let cases: [(&str, Option<&[u8]>); 10] = [
            ("", Some(b"")),
            ("gIGC", Some(b"\x80\x81\x82")),
            ("YQ==", Some(b"a")),
            ("YWI=", Some(b"ab")),
            ("Y\nQ=\r\n=\n", Some(b"a")),
            ("YQ=", None),
            ("YQ", None),
            ("YQ==YQ==", None),
            ("Y Q==", None),
            ("Y===", None),
        ];
        for (text, expected) in cases {
            assert_eq!(decode_base64(text).as_deref(), expected, "{text}");
        }
    }
}
