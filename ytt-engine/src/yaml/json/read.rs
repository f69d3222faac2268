//! JSON text to a tree of raw lists and dicts, as `json.decode` reads it.
//!
//! RFC 8259 exactly, with two habits of Go that results depend on: every number is a float, and the keys of an object
//! are sorted by their bytes (of equal ones the last counts). Messages are those of Go's decoder. No recursion.
//!
//! `serde_json` cannot do it: the interpreter switches on its feature `arbitrary_precision`, with which the object
//! `{"$serde_json::private::Number": "1"}` is read as a number; it refuses `"\ud800"` and bytes that are not UTF-8, where
//! the reference puts U+FFFD; and it ends at 128 levels.

use crate::diag::{Code, Diagnostic};
use crate::quoted;
use crate::yaml::{Arena, Raw, Val, view};

pub(crate) fn read(arena: &mut Arena, text: &[u8]) -> Result<Val, Diagnostic> {
    read_at(arena, text).map_err(|(problem, at)| problem.note(place(text, at)))
}

/// As [`read`]; a problem comes with its offset in place of a note.
pub(crate) fn read_at(arena: &mut Arena, text: &[u8]) -> Result<Val, (Diagnostic, usize)> {
    let mut reader = Reader { arena, text, at: 0, out_of_range: None };
    let value = reader.document();
    let value = value.map_err(|problem| (problem, reader.at))?;
    reader.out_of_range.map_or(Ok(value), Err)
}

struct Reader<'a, 't> {
    arena: &'a mut Arena,
    text: &'t [u8],
    at: usize,
    /// The first number that no float can hold: reported only if the whole text is well formed.
    out_of_range: Option<(Diagnostic, usize)>,
}

/// A collection that is being read; the value of an object's last member may still be missing.
enum Open {
    Array(Vec<Val>),
    Object(Vec<(String, Val)>),
}

impl Reader<'_, '_> {
    fn document(&mut self) -> Result<Val, Diagnostic> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            let Some(mut value) = self.begin(&mut open)? else { continue };
            // The value is complete, and perhaps the collections around it.
            loop {
                self.blanks();
                let (end, context) = match open.last_mut() {
                    Some(Open::Array(items)) => {
                        items.push(value);
                        (b']', "after array element")
                    }
                    Some(Open::Object(members)) => {
                        if let Some((_, place)) = members.last_mut() {
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
                    if let Some(Open::Object(members)) = open.last_mut() {
                        members.push((self.key()?, Val::Null));
                    }
                    break;
                } else {
                    return Err(self.unexpected(context));
                }
            }
        }
    }

    /// Reads a scalar or an empty collection; `None` if a collection was opened and its first value follows.
    fn begin(&mut self, open: &mut Vec<Open>) -> Result<Option<Val>, Diagnostic> {
        self.blanks();
        match self.peek() {
            Some(b'[' | b'{') if open.len() >= self.arena.depth() as usize => {
                return Err(view::too_deep(self.arena.depth(), None).note(place(self.text, self.at)));
            }
            Some(b'[') => {
                self.at += 1;
                self.blanks();
                if !self.take(b']') {
                    open.push(Open::Array(Vec::new()));
                    return Ok(None);
                }
                Ok(self.arena.add_raw(Raw::List(Vec::new())))
            }
            Some(b'{') => {
                self.at += 1;
                self.blanks();
                if !self.take(b'}') {
                    open.push(Open::Object(vec![(self.key()?, Val::Null)]));
                    return Ok(None);
                }
                Ok(self.arena.add_raw(Raw::Dict(Vec::new())))
            }
            Some(b'"') => {
                let text = self.string()?;
                Ok(self.arena.make_str(&text))
            }
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.literal("true", Val::Bool(true)),
            Some(b'f') => self.literal("false", Val::Bool(false)),
            Some(b'n') => self.literal("null", Val::Null),
            _ => Err(self.unexpected("looking for beginning of value")),
        }
        .map(Some)
    }

    fn key(&mut self) -> Result<String, Diagnostic> {
        self.blanks();
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("looking for beginning of object key string"));
        }
        let key = self.string()?;
        self.blanks();
        if self.take(b':') { Ok(key) } else { Err(self.unexpected("after object key")) }
    }

    fn close(&mut self, open: Option<Open>) -> Val {
        let plain = match open {
            Some(Open::Array(items)) => Raw::List(items),
            Some(Open::Object(mut members)) => {
                view::sort_by_key(&mut members);
                Raw::Dict(members.iter().map(|(key, value)| (self.arena.intern(key), *value)).collect())
            }
            None => return Val::Null,
        };
        self.arena.add_raw(plain)
    }

    /// Reads a string, in which each byte that is not part of UTF-8 is replaced.
    fn string(&mut self) -> Result<String, Diagnostic> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let length = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)).unwrap_or(rest.len());
            for chunk in rest[..length].utf8_chunks() {
                out.push_str(chunk.valid());
                out.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
            }
            self.at += length;
            if self.take(b'"') {
                return Ok(out);
            }
            if !self.take(b'\\') {
                return Err(self.unexpected("in string literal"));
            }
            out.push(self.escape()?);
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
        let text = std::str::from_utf8(&self.text[start..self.at]).unwrap_or_default();
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

/// An offset of the text, in words.
pub(crate) fn place(text: &[u8], at: usize) -> String {
    let before = &text[..at.min(text.len())];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
    format!("at line {line}, column {column} of the JSON text")
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
