//! JSON text to a tree of raw lists and dicts, as `json.decode` reads it.
//!
//! RFC 8259 exactly, with two habits of Go that results depend on: every number is a float, and the keys of an object
//! are sorted by their bytes (of equal ones the last counts). Messages are those of Go's decoder. No recursion.
//!
//! `serde_json` cannot do it: the interpreter switches on its feature `arbitrary_precision`, with which the object
//! `{"$serde_json::private::Number": "1"}` is read as a number; it refuses `"\ud800"` and bytes that are not UTF-8, where
//! the reference puts U+FFFD; and it ends at 128 levels.
#![allow(
    clippy::indexing_slicing,
    reason = "`at` is at most the length; `Open` and members hold places that there are"
)]
#![allow(clippy::arithmetic_side_effects, reason = "places of a text in memory, and numbers of a few digits")]

use std::borrow::Cow;

use super::keys::Keys;
use crate::diag::{Code, Diagnostic, Note, NoteKind};
use crate::quoted;
use crate::yaml::{Arena, Raw, Val, view};

/// What a text is read into: the arena, or values of the interpreter.
pub(crate) trait Make {
    type Value: Copy;
    type Key: Copy;

    /// How many collections may stand in each other.
    fn depth(&self) -> u32;
    /// A null, bool or float.
    fn scalar(&mut self, value: Val) -> Self::Value;
    fn text(&mut self, text: &str) -> Self::Value;
    /// A text that is asked for once, however many objects have it as a key.
    fn key(&mut self, text: &str) -> Self::Key;
    fn list(&mut self, items: &[Self::Value]) -> Self::Value;
    /// No two of the keys are equal.
    fn dict(&mut self, members: impl ExactSizeIterator<Item = (Self::Key, Self::Value)>) -> Self::Value;
}

impl Make for &mut Arena {
    type Value = Val;
    type Key = Val;

    fn depth(&self) -> u32 {
        Arena::depth(self)
    }
    fn scalar(&mut self, value: Val) -> Val {
        value
    }
    fn text(&mut self, text: &str) -> Val {
        self.make_str(text)
    }
    fn key(&mut self, text: &str) -> Val {
        self.intern(text)
    }
    fn list(&mut self, items: &[Val]) -> Val {
        self.add_raw(Raw::List(items.to_vec()))
    }
    fn dict(&mut self, members: impl ExactSizeIterator<Item = (Val, Val)>) -> Val {
        self.add_raw(Raw::Dict(members.collect()))
    }
}

pub(crate) fn read(arena: &mut Arena, text: &[u8]) -> Result<Val, Diagnostic> {
    read_into(arena, text).map_err(|(problem, at)| problem.note(place(text, at)))
}

/// As [`read`], into anything; a problem comes with its offset in place of a note.
pub(crate) fn read_into<M: Make>(make: M, text: &[u8]) -> Result<M::Value, (Diagnostic, usize)> {
    let mut reader = Reader {
        make,
        text,
        utf8: std::str::from_utf8(text).ok(),
        at: 0,
        out_of_range: None,
        items: Vec::new(),
        members: Vec::new(),
        keys: Keys::new(),
    };
    let value = reader.document();
    let value = value.map_err(|problem| (problem, reader.at))?;
    reader.out_of_range.map_or(Ok(value), Err)
}

struct Reader<'t, M: Make> {
    make: M,
    text: &'t [u8],
    /// The text once more if all of it is UTF-8: no string of it needs a look then.
    utf8: Option<&'t str>,
    at: usize,
    /// The first number that no float can hold: reported only if the whole text is well formed.
    out_of_range: Option<(Diagnostic, usize)>,
    /// Items of all arrays that are being read, and members of objects: those of the innermost at the end.
    items: Vec<M::Value>,
    members: Vec<(u32, M::Value)>,
    keys: Keys<M::Key, M::Value>,
}

/// A collection that is being read, with the place of its first item or member; the value of an object's last member may
/// still be missing.
enum Open {
    Array(usize),
    Object(usize),
}

impl<'t, M: Make> Reader<'t, M> {
    fn document(&mut self) -> Result<M::Value, Diagnostic> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let Some(mut value) = self.begin(&mut open)? else { continue };
            // The value is complete, and perhaps the collections around it.
            loop {
                self.blanks();
                let (end, context) = match open.last_mut() {
                    Some(Open::Array(_)) => {
                        self.items.push(value);
                        (b']', "after array element")
                    }
                    Some(Open::Object(_)) => {
                        if let Some((_, place)) = self.members.last_mut() {
                            *place = value;
                        }
                        (b'}', "after object key:value pair")
                    }
                    None if self.at == self.text.len() => return Ok(value),
                    None => return Err(self.unexpected("after top-level value")),
                };
                if self.take(end) {
                    value = self.close(open.pop());
                } else if self.take(b',') {
                    if let Some(Open::Object(_)) = open.last_mut() {
                        self.member()?;
                    }
                    break;
                } else {
                    return Err(self.unexpected(context));
                }
            }
        }
    }

    /// Reads a scalar or an empty collection; `None` if a collection was opened and its first value follows.
    fn begin(&mut self, open: &mut Vec<Open>) -> Result<Option<M::Value>, Diagnostic> {
        self.blanks();
        let scalar = match self.peek() {
            Some(b'[' | b'{') if open.len() >= self.make.depth() as usize => {
                return Err(view::too_deep(self.make.depth(), None).note(place(self.text, self.at)));
            }
            Some(b'[') => {
                self.at += 1;
                self.blanks();
                if !self.take(b']') {
                    open.push(Open::Array(self.items.len()));
                    return Ok(None);
                }
                return Ok(Some(self.make.list(&[])));
            }
            Some(b'{') => {
                self.at += 1;
                self.blanks();
                if !self.take(b'}') {
                    open.push(Open::Object(self.members.len()));
                    self.member()?;
                    return Ok(None);
                }
                return Ok(Some(self.make.dict(std::iter::empty())));
            }
            Some(b'"') => {
                let text = self.string()?;
                return Ok(Some(self.make.text(&text)));
            }
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.literal("true", Val::Bool(true)),
            Some(b'f') => self.literal("false", Val::Bool(false)),
            Some(b'n') => self.literal("null", Val::Null),
            _ => Err(self.unexpected("looking for beginning of value")),
        };
        scalar.map(|scalar| Some(self.make.scalar(scalar)))
    }

    /// Reads a key; its value follows.
    fn member(&mut self) -> Result<(), Diagnostic> {
        self.blanks();
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("looking for beginning of object key string"));
        }
        let number = match self.keys.guess(&self.text[self.at + 1..]) {
            Some(number) => {
                self.at += self.keys.all[number as usize].text.len() + 2;
                number
            }
            None => {
                let key = self.string()?;
                self.keys.number(&key, |text| self.make.key(text))
            }
        };
        self.keys.last = number;
        self.members.push((number, self.make.scalar(Val::Null)));
        self.blanks();
        if self.take(b':') { Ok(()) } else { Err(self.unexpected("after object key")) }
    }

    fn close(&mut self, open: Option<Open>) -> M::Value {
        match open {
            Some(Open::Array(start)) => {
                let made = self.make.list(&self.items[start..]);
                self.items.truncate(start);
                made
            }
            Some(Open::Object(start)) => {
                let end = start + self.keys.sort(&mut self.members[start..]);
                let members = self.members[start..end].iter();
                let made = self.make.dict(members.map(|(key, value)| (self.keys.all[*key as usize].made, *value)));
                self.members.truncate(start);
                made
            }
            None => self.make.scalar(Val::Null),
        }
    }

    /// Reads a string, in which each byte that is not part of UTF-8 is replaced.
    fn string(&mut self) -> Result<Cow<'t, str>, Diagnostic> {
        self.at += 1;
        let text = self.text;
        let mut length = plain_length(&text[self.at..]);
        let end = self.at + length;
        let plain = match self.utf8 {
            Some(utf8) => utf8.get(self.at..end),
            None => std::str::from_utf8(&text[self.at..end]).ok(),
        };
        if text.get(end) == Some(&b'"')
            && let Some(plain) = plain
        {
            self.at = end + 1;
            return Ok(Cow::Borrowed(plain));
        }
        let mut out = String::new();
        loop {
            for chunk in text[self.at..][..length].utf8_chunks() {
                out.push_str(chunk.valid());
                out.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
            }
            self.at += length;
            if self.take(b'"') {
                return Ok(Cow::Owned(out));
            }
            if !self.take(b'\\') {
                return Err(self.unexpected("in string literal"));
            }
            out.push(self.escape()?);
            length = plain_length(&text[self.at..]);
        }
    }

    /// The character that is written behind a backslash.
    fn escape(&mut self) -> Result<char, Diagnostic> {
        let character = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                let unit = self.unit()?;
                let behind = self.at;
                // A pair of surrogates is one character; a lone one is replaced.
                if (0xD800..0xDC00).contains(&unit) && self.take(b'\\') && self.take(b'u') {
                    let low = self.unit()?;
                    if (0xDC00..0xE000).contains(&low) {
                        let number = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                        return Ok(char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER));
                    }
                }
                self.at = behind;
                return Ok(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            _ => return Err(self.unexpected_inside("in string escape code")),
        };
        self.at += 1;
        Ok(character)
    }

    /// Reads four hexadecimal digits.
    fn unit(&mut self) -> Result<u32, Diagnostic> {
        let mut unit = 0;
        for _ in 0..4 {
            let Some(digit) = self.peek().and_then(|byte| char::from(byte).to_digit(16)) else {
                return Err(self.unexpected_inside("in \\u hexadecimal character escape"));
            };
            unit = unit * 16 + digit;
            self.at += 1;
        }
        Ok(unit)
    }

    #[allow(clippy::cast_precision_loss, reason = "a float holds each integer of 15 digits")]
    fn number(&mut self) -> Result<Val, Diagnostic> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits("in numeric literal")?;
        }
        if self.take(b'.') {
            self.digits("after decimal point in numeric literal")?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits("in exponent of numeric literal")?;
        }
        let digits = &self.text[start..self.at];
        if digits.len() <= 15 && digits.iter().all(u8::is_ascii_digit) {
            let number = digits.iter().fold(0u64, |number, digit| number * 10 + u64::from(digit - b'0'));
            return Ok(Val::Float(number as f64));
        }
        let text = std::str::from_utf8(digits).unwrap_or_default();
        match text.parse::<f64>() {
            Ok(float) if float.is_finite() => Ok(Val::Float(float)),
            _ => {
                let message = format!("json: cannot unmarshal number {text} into Go value of type float64");
                let error = Diagnostic::error(Code::JSON_SYNTAX, message).note("the number is out of range");
                self.out_of_range.get_or_insert((error, start));
                Ok(Val::Null)
            }
        }
    }

    /// Takes one digit or more.
    fn digits(&mut self, context: &str) -> Result<(), Diagnostic> {
        match self.text[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count() {
            0 => Err(self.unexpected_inside(context)),
            count => {
                self.at += count;
                Ok(())
            }
        }
    }

    fn literal(&mut self, word: &str, value: Val) -> Result<Val, Diagnostic> {
        for expected in word.bytes() {
            if !self.take(expected) {
                let context = format!("in literal {word} (expecting '{}')", char::from(expected));
                return Err(self.unexpected_inside(&context));
            }
        }
        Ok(value)
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    /// Takes the next byte if it is `wanted`.
    fn take(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// The byte here, read as Latin-1, does not fit, or the text ends.
    fn unexpected(&self, context: &str) -> Diagnostic {
        match self.peek() {
            Some(_) => self.unexpected_inside(context),
            None => Diagnostic::error(Code::JSON_SYNTAX, "unexpected end of JSON input"),
        }
    }

    /// As `unexpected`, where blanks do not fit: the end of the text counts as one.
    fn unexpected_inside(&self, context: &str) -> Diagnostic {
        let shown = quoted::go_char(char::from(self.peek().unwrap_or(b' ')));
        Diagnostic::error(Code::JSON_SYNTAX, format!("invalid character {shown} {context}"))
    }
}

/// How many bytes stand in front of the first quote, backslash or control character: eight are looked at at once.
fn plain_length(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    // The highest bit of each byte that is less than `least`, and perhaps of bytes above such a one.
    let less = |word: u64, least: u8| word.wrapping_sub(ONES * u64::from(least)) & !word & (ONES << 7);
    let equal = |word: u64, byte: u8| less(word ^ (ONES * u64::from(byte)), 1);
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let stops = less(word, 0x20) | equal(word, b'"') | equal(word, b'\\');
        if stops != 0 {
            return index * 8 + stops.trailing_zeros() as usize / 8;
        }
    }
    let in_rest = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
    words.len() * 8 + in_rest.unwrap_or(rest.len())
}

/// An offset of the text, in words.
pub(crate) fn place(text: &[u8], at: usize) -> Note {
    let before = &text[..at.min(text.len())];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
    Note::new(NoteKind::Position, format!("at line {line}, column {column} of the JSON text"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::print;

    fn yaml(text: &[u8]) -> Result<String, String> {
        let mut arena = Arena::new(1000);
        match read(&mut arena, text) {
            Ok(value) => Ok(print::value(&arena, value, u64::MAX).unwrap()),
            Err(error) => Err(error.message().into()),
        }
    }

    #[test]
    fn values() {
        for (text, expected) in [
            ("1", "1\n"),
            ("1000000", "1e+06\n"),
            (" -0.0 ", "-0\n"),
            ("1e-400", "0\n"),
            ("[true, false, null, \"\"]", "- true\n- false\n- null\n- \"\"\n"),
            (r#"{"b": 1, "a": {"x": []}, "b": {"c": 2}}"#, "a:\n  x: []\nb:\n  c: 2\n"),
            (r#""\u00e9\ud83d\ude00\ud83d x\udc00\ud800\u0041""#, "\"é\\U0001F600\u{FFFD} x\u{FFFD}\u{FFFD}A\"\n"),
            ("\"\x7F\"", "\"\\x7F\"\n"),
            ("[[], {}, [[]]]", "- []\n- {}\n- - []\n"),
        ] {
            assert_eq!(yaml(text.as_bytes()).as_deref(), Ok(expected), "{text}");
        }
        assert_eq!(yaml(b"\"a\xff\xfe\"").as_deref(), Ok("a\u{FFFD}\u{FFFD}\n"));
    }

    #[test]
    fn keys_of_objects_in_a_row() {
        for (text, expected) in [
            (
                r#"[{"b":1,"a":2},{"b":3,"a":4},{"a":5,"b":6,"a":7}]"#,
                "- a: 2\n  b: 1\n- a: 4\n  b: 3\n- a: 7\n  b: 6\n",
            ),
            (
                r#"[{"a":1,"ab":2},{"a":3,"a\u0062":4},{"a":5,"abc":6}]"#,
                "- a: 1\n  ab: 2\n- a: 3\n  ab: 4\n- a: 5\n  abc: 6\n",
            ),
            (r#"[{"a\\b":1},{"a\\b":2},{"a\b":3}]"#, "- a\\b: 1\n- a\\b: 2\n- \"a\\b\": 3\n"),
            (r#"{"a":{"a":{"c":1,"a":2}},"b":[{"a":{}}]}"#, "a:\n  a:\n    a: 2\n    c: 1\nb:\n- a: {}\n"),
            (
                r#"[{"b":1,"a":2,"b":3},{"b":4,"a":5,"b":6},{"b":7,"a":8},{"b":9,"c":0},{"b":1,"a":2}]"#,
                "- a: 2\n  b: 3\n- a: 5\n  b: 6\n- a: 8\n  b: 7\n- b: 9\n  c: 0\n- a: 2\n  b: 1\n",
            ),
        ] {
            assert_eq!(yaml(text.as_bytes()).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn ends_of_strings_are_found_at_each_place() {
        for length in 0..40 {
            for stop in [b'"', b'\\', 0, 0x1F] {
                for fill in ["x", " ", "!", "#", "\u{7f}", "é", "\u{a2}"] {
                    let mut text = fill.repeat(length).into_bytes();
                    let end = text.len();
                    assert_eq!(plain_length(&text), end);
                    text.extend([stop, b'"', 0x10, b'x']);
                    assert_eq!(plain_length(&text), end, "{stop} after {length} of {fill:?}");
                }
            }
        }
    }

    #[test]
    fn errors() {
        for (text, expected) in [
            ("", "unexpected end of JSON input"),
            (" ", "unexpected end of JSON input"),
            ("\"a", "unexpected end of JSON input"),
            ("[1", "unexpected end of JSON input"),
            ("[", "unexpected end of JSON input"),
            ("{\"a\"", "unexpected end of JSON input"),
            ("{\"a\":", "unexpected end of JSON input"),
            ("{\"a\":1,", "unexpected end of JSON input"),
            ("[1,]", "invalid character ']' looking for beginning of value"),
            ("é", "invalid character 'Ã' looking for beginning of value"),
            ("'a'", "invalid character '\\'' looking for beginning of value"),
            ("{a", "invalid character 'a' looking for beginning of object key string"),
            ("{\"a\":1,}", "invalid character '}' looking for beginning of object key string"),
            ("{\"a\" 1}", "invalid character '1' after object key"),
            ("{\"a\":1 2}", "invalid character '2' after object key:value pair"),
            ("[1 2]", "invalid character '2' after array element"),
            ("1 2", "invalid character '2' after top-level value"),
            ("01", "invalid character '1' after top-level value"),
            ("-", "invalid character ' ' in numeric literal"),
            ("-a", "invalid character 'a' in numeric literal"),
            ("1.", "invalid character ' ' after decimal point in numeric literal"),
            ("1ex", "invalid character 'x' in exponent of numeric literal"),
            ("nul", "invalid character ' ' in literal null (expecting 'l')"),
            ("tRue", "invalid character 'R' in literal true (expecting 'r')"),
            ("\"\n\"", "invalid character '\\n' in string literal"),
            ("\"\u{0}\"", "invalid character '\\x00' in string literal"),
            ("\"\\x\"", "invalid character 'x' in string escape code"),
            ("\"\\u12g\"", "invalid character 'g' in \\u hexadecimal character escape"),
            ("\"\\ud83d\\u12g\"", "invalid character 'g' in \\u hexadecimal character escape"),
            ("\u{FEFF}1", "invalid character 'ï' looking for beginning of value"),
            ("[1e309, x]", "invalid character 'x' looking for beginning of value"),
            ("1e309", "json: cannot unmarshal number 1e309 into Go value of type float64"),
        ] {
            assert_eq!(yaml(text.as_bytes()), Err(expected.into()), "{text}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(yaml(nested(1000).as_bytes()).is_ok());
        assert_eq!(yaml(nested(1001).as_bytes()), Err("nesting is deeper than 1000 levels".into()));
        assert_eq!(yaml("[{\"a\":".repeat(100_000).as_bytes()), Err("nesting is deeper than 1000 levels".into()));
    }
}
