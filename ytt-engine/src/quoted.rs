//! Texts between quotes: as Go writes them, which messages and `repr` show, and as JSON has them.

use std::sync::LazyLock;

use regex::Regex;

/// Letters, marks, numbers, punctuation, symbols: what is shown as it is outside of ASCII.
#[allow(clippy::expect_used, reason = "the pattern is a constant, which the tests here compile")]
static PRINTABLE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[\p{L}\p{M}\p{N}\p{P}\p{S}]$").expect("the pattern is a constant"));

/// Bytes between double quotes, as Go's `strconv.Quote` gives them: what prints stays, the rest becomes an escape.
pub(crate) fn go(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().saturating_add(2));
    write_go(&mut out, bytes);
    out
}

/// As [`go`], behind what is there.
pub(crate) fn write_go(out: &mut String, bytes: &[u8]) {
    out.push('"');
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            go_character(out, character, '"');
        }
        chunk.invalid().iter().for_each(|byte| out.push_str(&format!("\\x{byte:02x}")));
    }
    out.push('"');
}

/// A text as a literal of Starlark that the reference reads alike: it knows no `\u`.
pub(crate) fn starlark(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '"' | '\\' => out.extend(['\\', character]),
            ' '..='~' => out.push(character),
            _ if PRINTABLE.is_match(character.encode_utf8(&mut [0; 4])) => out.push(character),
            _ => {
                let mut bytes = [0; 4];
                let bytes = character.encode_utf8(&mut bytes).bytes();
                bytes.for_each(|byte| out.push_str(&format!("\\x{byte:02x}")));
            }
        }
    }
    out.push('"');
    out
}

/// One character between single quotes, as Go's `strconv.QuoteRune` gives it.
pub(crate) fn go_char(character: char) -> String {
    let mut out = String::from("'");
    go_character(&mut out, character, '\'');
    out.push('\'');
    out
}

fn go_character(out: &mut String, character: char, quote: char) {
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
        '\0'..='\u{1f}' | '\u{7f}' => out.push_str(&format!("\\x{:02x}", u32::from(character))),
        _ if PRINTABLE.is_match(character.encode_utf8(&mut [0; 4])) => out.push(character),
        '\0'..='\u{ffff}' => out.push_str(&format!("\\u{:04x}", u32::from(character))),
        _ => out.push_str(&format!("\\U{:08x}", u32::from(character))),
    }
}

/// What a JSON string escapes beside quotes, backslashes, control characters and the two separators of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Json {
    /// Nothing.
    Plain,
    /// `<`, `>` and `&`, as Go does where it is not told otherwise.
    Html,
    /// What ends a line in YAML, or is no character of it: the text is YAML too.
    Yaml,
}

/// Writes a text between quotes, as JSON has it.
pub(crate) fn json(out: &mut String, text: &str, escapes: Json) {
    out.push('"');
    json_inside(out, text, escapes);
    out.push('"');
}

/// Writes what stands between the quotes of a JSON string.
#[allow(clippy::indexing_slicing, reason = "`at` stops at the end of the text, and `LOOK` has every byte")]
#[allow(clippy::string_slice, reason = "`escape` knows first bytes of characters, and gives their length")]
#[allow(clippy::arithmetic_side_effects, reason = "sums of lengths within the text")]
pub(crate) fn json_inside(out: &mut String, text: &str, escapes: Json) {
    let bytes = text.as_bytes();
    let (mut plain, mut at) = (0, 0);
    while let Some(step) = bytes[at..].iter().position(|byte| LOOK[usize::from(*byte)]) {
        at += step;
        let length = escape(&bytes[at..], escapes);
        if length > 0 {
            out.push_str(&text[plain..at]);
            write_escape(out, &text[at..at + length]);
            plain = at + length;
        }
        at += length.max(1);
    }
    out.push_str(&text[plain..]);
}

/// How many bytes the character has that an escape is written for; 0 if it stays.
fn escape(bytes: &[u8], escapes: Json) -> usize {
    match bytes {
        [0xE2, 0x80, 0xA8 | 0xA9, ..] => 3,
        [0xEF, 0xBB, 0xBF, ..] if escapes == Json::Yaml => 3,
        [0xC2, 0x80..=0x9F, ..] if escapes == Json::Yaml => 2,
        [0x7F, ..] if escapes == Json::Yaml => 1,
        [b'<' | b'>' | b'&', ..] if escapes == Json::Html => 1,
        [0..0x20 | b'"' | b'\\', ..] => 1,
        _ => 0,
    }
}

fn write_escape(out: &mut String, character: &str) {
    match character {
        "\"" => out.push_str("\\\""),
        "\\" => out.push_str("\\\\"),
        "\n" => out.push_str("\\n"),
        "\r" => out.push_str("\\r"),
        "\t" => out.push_str("\\t"),
        _ => out.extend(character.chars().map(|character| format!("\\u{:04x}", u32::from(character)))),
    }
}

/// Bytes with which a character may begin that an escape is written for.
#[allow(clippy::indexing_slicing, clippy::cast_possible_truncation, reason = "`byte` is below 256")]
const LOOK: [bool; 256] = {
    let (mut table, mut byte) = ([false; 256], 0);
    while byte < table.len() {
        table[byte] = matches!(byte as u8, 0..0x20 | b'"' | b'\\' | b'<' | b'>' | b'&' | 0x7F | 0xC2 | 0xE2 | 0xEF);
        byte += 1;
    }
    table
};

/// Code without what its texts and comments say, and the quote of a text that is not closed. Of a comment the `#` stays.
pub(crate) fn outside(code: &str) -> (String, Option<char>) {
    let (mut left, mut open, mut rest) = (String::new(), None::<&str>, code);
    while let Some(first) = rest.chars().next() {
        let mut width = first.len_utf8();
        match open {
            Some(quote) if rest.starts_with(quote) => (width, open) = (quote.len(), None),
            Some(_) if first == '\\' => {
                width = rest.chars().take(2).map(char::len_utf8).sum();
            }
            Some(_) => {}
            None => {
                open = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|sign| rest.starts_with(sign));
                match open {
                    Some(quote) => width = quote.len(),
                    None => left.push(first),
                }
                if first == '#' {
                    width = rest.find('\n').unwrap_or(rest.len());
                }
            }
        }
        rest = rest.get(width..).unwrap_or_default();
    }
    (left, open.and_then(|quote| quote.chars().next()))
}

/// How many brackets code opens and does not close.
pub(crate) fn opened(code: &str) -> i64 {
    outside(code).0.chars().fold(0, |open: i64, letter| match letter {
        '(' | '[' | '{' => open.saturating_add(1),
        ')' | ']' | '}' => open.saturating_sub(1),
        _ => open,
    })
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
            assert_eq!(go(bytes), expected);
        }
        assert_eq!(go_char('\''), r"'\''");
        assert_eq!(go_char('"'), "'\"'");
        assert_eq!(go_char('\u{85}'), r"'\u0085'");
    }

    #[test]
    fn a_literal_of_starlark_has_no_escapes_that_the_reference_does_not_know() {
        for (text, expected) in [
            ("plain", r#""plain""#),
            ("a\"b\\c'", r#""a\"b\\c'""#),
            ("\n\r\t\0\u{7f}", r#""\n\r\t\x00\x7f""#),
            ("é日😀", "\"é日😀\""),
            ("\u{a0}\u{200b}", r#""\xc2\xa0\xe2\x80\x8b""#),
        ] {
            assert_eq!(starlark(text), expected);
        }
    }

    #[test]
    fn json_escapes_what_its_reader_needs() {
        let text = "a\"\\\n\r\t\u{1}<é>&\u{7f}\u{85}\u{2028}\u{2029}\u{feff}😀ï";
        for (escapes, expected) in [
            (Json::Plain, "\"a\\\"\\\\\\n\\r\\t\\u0001<é>&\u{7f}\u{85}\\u2028\\u2029\u{feff}😀ï\""),
            (Json::Html, "\"a\\\"\\\\\\n\\r\\t\\u0001\\u003cé\\u003e\\u0026\u{7f}\u{85}\\u2028\\u2029\u{feff}😀ï\""),
            (Json::Yaml, "\"a\\\"\\\\\\n\\r\\t\\u0001<é>&\\u007f\\u0085\\u2028\\u2029\\ufeff😀ï\""),
        ] {
            let mut out = String::new();
            json(&mut out, text, escapes);
            assert_eq!(out, expected);
        }
    }

    #[test]
    fn code_is_told_from_its_texts() {
        for (code, left, open) in [
            (r#"f("(", ')')"#, "f(, )", None),
            (r#"a + "\"(" + b"#, "a +  + b", None),
            ("x = [ # it's (\ny]", "x = [ #\ny]", None),
            (r#"'''a"b''' + """c'd""""#, " + ", None),
            (r#"f("a"#, "f(", Some('"')),
            ("'#", "", Some('\'')),
            (r#""\"#, "", Some('"')),
            (r#"é"ü""#, "é", None),
        ] {
            assert_eq!(outside(code), (left.to_owned(), open), "{code}");
        }
        for (code, expected) in [(r#"f("(""#, 1), ("f('[')", 0), ("[{(", 3), ("))", -2), ("'(' # (", 0)] {
            assert_eq!(opened(code), expected, "{code}");
        }
    }
}
