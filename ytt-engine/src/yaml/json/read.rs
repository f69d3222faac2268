//! JSON text to a tree of raw lists and dicts, as `json.decode` reads it.
//!
//! RFC 8259 exactly, with two habits of Go that results depend on: every number is a float, and the keys of an object
//! are sorted by their bytes (of equal ones the last counts). Messages are those of Go's decoder. No recursion.

use crate::diag::{Code, Diagnostic};
use crate::yaml::{Arena, Raw, Val, view};

/// Reads one JSON value.
pub(crate) fn read(arena: &mut Arena, text: &[u8]) -> Result<Val, Diagnostic> {
    let mut reader = Reader { arena, text, at: 0, out_of_range: None };
    let value = reader.document()?;
    match reader.out_of_range {
        Some(error) => Err(error),
        None => Ok(value),
    }
}

struct Reader<'a, 't> {
    arena: &'a mut Arena,
    text: &'t [u8],
    at: usize,
    /// The first number that no float can hold: reported only if the whole text is well formed.
    out_of_range: Option<Diagnostic>,
}

enum Open {
    Array(Vec<Val>),
    /// The members so far, and the key whose value is being read.
    Object(Vec<(Vec<u8>, Val)>, Vec<u8>),
}

impl Reader<'_, '_> {
    fn document(&mut self) -> Result<Val, Diagnostic> {
        let mut open: Vec<Open> = Vec::new();
        loop {
            // A value begins here, or an empty collection ends.
            let mut value = match self.begin(&mut open)? {
                Some(value) => value,
                None => continue,
            };
            // The value is complete, and perhaps the collections around it.
            loop {
                let Some(inner) = open.last_mut() else {
                    self.blanks();
                    return match self.peek() {
                        None => Ok(value),
                        Some(_) => Err(self.unexpected("after top-level value")),
                    };
                };
                match inner {
                    Open::Array(items) => items.push(value),
                    Open::Object(members, key) => members.push((std::mem::take(key), value)),
                }
                let is_array = matches!(inner, Open::Array(_));
                self.blanks();
                match (self.peek(), is_array) {
                    (Some(b','), true) => {
                        self.at += 1;
                        break;
                    }
                    (Some(b','), false) => {
                        self.at += 1;
                        self.blanks();
                        let key = self.key()?;
                        if let Some(Open::Object(_, place)) = open.last_mut() {
                            *place = key;
                        }
                        break;
                    }
                    (Some(b']'), true) | (Some(b'}'), false) => {
                        self.at += 1;
                        value = self.close(open.pop());
                    }
                    (None, _) => return Err(self.unexpected_end()),
                    (_, true) => return Err(self.unexpected("after array element")),
                    (_, false) => return Err(self.unexpected("after object key:value pair")),
                }
            }
        }
    }

    /// Reads a scalar or an empty collection; `None` if a collection was opened and its first value follows.
    fn begin(&mut self, open: &mut Vec<Open>) -> Result<Option<Val>, Diagnostic> {
        self.blanks();
        let Some(byte) = self.peek() else { return Err(self.unexpected_end()) };
        if matches!(byte, b'[' | b'{') && open.len() >= self.arena.depth() as usize {
            return Err(view::too_deep(self.arena.depth(), None).note(self.place()));
        }
        match byte {
            b'[' => {
                self.at += 1;
                self.blanks();
                if self.peek() == Some(b']') {
                    self.at += 1;
                    return Ok(Some(self.arena.add_raw(Raw::List(Vec::new()))));
                }
                open.push(Open::Array(Vec::new()));
                Ok(None)
            }
            b'{' => {
                self.at += 1;
                self.blanks();
                if self.peek() == Some(b'}') {
                    self.at += 1;
                    return Ok(Some(self.arena.add_raw(Raw::Dict(Vec::new()))));
                }
                let key = self.key()?;
                open.push(Open::Object(Vec::new(), key));
                Ok(None)
            }
            b'"' => {
                let text = self.string()?;
                Ok(Some(self.arena.make_bytes(&text)))
            }
            b'-' | b'0'..=b'9' => self.number().map(Some),
            b't' => self.literal("true", Val::Bool(true)).map(Some),
            b'f' => self.literal("false", Val::Bool(false)).map(Some),
            b'n' => self.literal("null", Val::Null).map(Some),
            _ => Err(self.unexpected("looking for beginning of value")),
        }
    }

    /// Reads a key and its `:`.
    fn key(&mut self) -> Result<Vec<u8>, Diagnostic> {
        match self.peek() {
            Some(b'"') => {}
            Some(_) => return Err(self.unexpected("looking for beginning of object key string")),
            None => return Err(self.unexpected_end()),
        }
        let key = self.string()?;
        self.blanks();
        match self.peek() {
            Some(b':') => {
                self.at += 1;
                Ok(key)
            }
            Some(_) => Err(self.unexpected("after object key")),
            None => Err(self.unexpected_end()),
        }
    }

    fn close(&mut self, open: Option<Open>) -> Val {
        let plain = match open {
            Some(Open::Array(items)) => Raw::List(items),
            Some(Open::Object(mut members, _)) => {
                members.sort_by(|a, b| a.0.cmp(&b.0));
                members.dedup_by(|later, kept| {
                    let equal = later.0 == kept.0;
                    if equal {
                        kept.1 = later.1;
                    }
                    equal
                });
                // The text of a key is UTF-8: what was not has been replaced.
                let arena = &mut *self.arena;
                Raw::Dict(
                    members
                        .iter()
                        .map(|(key, value)| (arena.intern(std::str::from_utf8(key).unwrap_or_default()), *value))
                        .collect(),
                )
            }
            None => return Val::Null,
        };
        self.arena.add_raw(plain)
    }

    /// Reads a string; its result is UTF-8.
    fn string(&mut self) -> Result<Vec<u8>, Diagnostic> {
        self.at += 1;
        let mut out: Vec<u8> = Vec::new();
        loop {
            let from = self.at;
            let rest = &self.text[from..];
            let length = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)).unwrap_or(rest.len());
            push_replacing(&mut out, &rest[..length]);
            self.at += length;
            match self.peek() {
                None => return Err(self.unexpected_end()),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => self.escape(&mut out)?,
                Some(_) => return Err(self.unexpected("in string literal")),
            }
        }
    }

    fn escape(&mut self, out: &mut Vec<u8>) -> Result<(), Diagnostic> {
        self.at += 1;
        let byte = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => byte,
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                self.at += 1;
                let unit = self.unit()?;
                let mut character = char::from_u32(unit);
                // A pair of surrogates is one character; a lone one is replaced.
                if (0xD800..0xDC00).contains(&unit) && self.text[self.at..].starts_with(b"\\u") {
                    let before = self.at;
                    self.at += 2;
                    let low = self.unit()?;
                    if (0xDC00..0xE000).contains(&low) {
                        character = char::from_u32(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00));
                    } else {
                        self.at = before;
                    }
                }
                let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            _ => return Err(self.unexpected("in string escape code")),
        };
        self.at += 1;
        out.push(byte);
        Ok(())
    }

    /// Reads four hexadecimal digits.
    fn unit(&mut self) -> Result<u32, Diagnostic> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else {
                return Err(self.unexpected("in \\u hexadecimal character escape"));
            };
            unit = unit * 16 + digit;
            self.at += 1;
        }
        Ok(unit)
    }

    fn number(&mut self) -> Result<Val, Diagnostic> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return Err(self.unexpected("in numeric literal")),
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                return Err(self.unexpected("after decimal point in numeric literal"));
            }
            self.digits();
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            if !self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                return Err(self.unexpected("in exponent of numeric literal"));
            }
            self.digits();
        }
        let text = std::str::from_utf8(&self.text[start..self.at]).unwrap_or_default();
        match text.parse::<f64>() {
            Ok(float) if float.is_finite() => Ok(Val::Float(float)),
            _ => {
                if self.out_of_range.is_none() {
                    let message = format!("json: cannot unmarshal number {text} into Go value of type float64");
                    let place = place(self.text, start);
                    let note = "the number is out of range";
                    self.out_of_range = Some(Diagnostic::error(Code::JSON_SYNTAX, message).note(note).note(place));
                }
                Ok(Val::Null)
            }
        }
    }

    fn digits(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
    }

    fn literal(&mut self, word: &str, value: Val) -> Result<Val, Diagnostic> {
        for expected in word.bytes() {
            if self.peek() != Some(expected) {
                return Err(self.unexpected(&format!("in literal {word} (expecting '{}')", char::from(expected))));
            }
            self.at += 1;
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

    fn place(&self) -> String {
        place(self.text, self.at)
    }

    fn unexpected_end(&self) -> Diagnostic {
        Diagnostic::error(Code::JSON_SYNTAX, "unexpected end of JSON input").note(self.place())
    }

    /// The byte here, or the end of the text, which counts as a blank, does not fit.
    fn unexpected(&self, context: &str) -> Diagnostic {
        let shown = shown(self.peek().unwrap_or(b' '));
        Diagnostic::error(Code::JSON_SYNTAX, format!("invalid character {shown} {context}")).note(self.place())
    }
}

/// Adds text in which each byte that is not part of UTF-8 is replaced.
fn push_replacing(out: &mut Vec<u8>, bytes: &[u8]) {
    for chunk in bytes.utf8_chunks() {
        out.extend_from_slice(chunk.valid().as_bytes());
        for _ in chunk.invalid() {
            out.extend_from_slice("\u{FFFD}".as_bytes());
        }
    }
}

fn place(text: &[u8], at: usize) -> String {
    let before = &text[..at.min(text.len())];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
    let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
    format!("at line {line}, column {column} of the JSON text")
}

/// A byte as a Go character literal, read as Latin-1.
fn shown(byte: u8) -> String {
    match byte {
        b'\'' => "'\\''".into(),
        b'\\' => "'\\\\'".into(),
        7 => "'\\a'".into(),
        8 => "'\\b'".into(),
        9 => "'\\t'".into(),
        10 => "'\\n'".into(),
        11 => "'\\v'".into(),
        12 => "'\\f'".into(),
        13 => "'\\r'".into(),
        0..0x20 | 0x7F => format!("'\\x{byte:02x}'"),
        0x80..=0xA0 | 0xAD => format!("'\\u{byte:04x}'"),
        _ => format!("'{}'", char::from(byte)),
    }
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
