//! Characters of a TOML text to keys and scalars; `string` and `number` have the longer forms.
//!
//! A [`Fault`] keeps the offset whose line the message names; the reference is one line early at the end of the text and
//! after some line breaks, which `lines_back` repeats. Tables are none of this file's business: see `decode`.

use crate::quoted;

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) at: usize,
    /// How many lines above `at` the message names.
    pub(super) lines_back: u32,
}

pub(super) type Scanned<T> = Result<T, Fault>;

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
            Some(found) => self.fault(format!("expected value but found {} instead", quoted::go_char(found))),
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
            other => Err(self.fault(format!("expected value but found {} instead", quoted::go(other)))),
        }
    }
}

pub(super) fn is_bare(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}
