//! Quoted text inside of messages, in the form that the reference uses: double quotes around bytes, single ones around
//! a character.
//!
//! Printable characters stay as they are, the rest becomes an escape. Used by the messages of `toml`, `url` and `json`.

use std::fmt::Write;
use std::sync::LazyLock;

use regex::Regex;

/// Letters, marks, numbers, punctuation, symbols and the blank.
static PRINTABLE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$").expect("the pattern is a constant"));

/// Bytes between double quotes.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push('"');
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            escape(character, '"', &mut out);
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out.push('"');
    out
}

/// One character between single quotes.
pub(crate) fn quoted_char(character: char) -> String {
    let mut out = String::from("'");
    escape(character, '\'', &mut out);
    out.push('\'');
    out
}

fn escape(character: char, quote: char, out: &mut String) {
    match character {
        '\\' => out.push_str("\\\\"),
        _ if character == quote => out.extend(['\\', quote]),
        ' '..='~' => out.push(character),
        '\u{7}' => out.push_str("\\a"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{b}' => out.push_str("\\v"),
        '\0'..='\u{1f}' | '\u{7f}' => {
            let _ = write!(out, "\\x{:02x}", u32::from(character));
        }
        _ if PRINTABLE.is_match(character.encode_utf8(&mut [0; 4])) => out.push(character),
        '\0'..='\u{ffff}' => {
            let _ = write!(out, "\\u{:04x}", u32::from(character));
        }
        _ => {
            let _ = write!(out, "\\U{:08x}", u32::from(character));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_cannot_be_read_is_escaped() {
        for (bytes, expected) in [
            (&b"a\"b\\'"[..], r#""a\"b\\'""#),
            ("é\u{200b}\u{a0}\n\0\u{7f}".as_bytes(), r#""é\u200b\u00a0\n\x00\x7f""#),
            (b"\xff%zz", r#""\xff%zz""#),
            ("\u{10ffff}".as_bytes(), r#""\U0010ffff""#),
        ] {
            assert_eq!(quoted(bytes), expected);
        }
        assert_eq!(quoted_char('\''), r"'\''");
        assert_eq!(quoted_char('"'), "'\"'");
        assert_eq!(quoted_char('\u{85}'), r"'\u0085'");
    }
}
