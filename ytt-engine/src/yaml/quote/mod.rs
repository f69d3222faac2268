//! How one string is written as YAML: plain, quoted or as a literal block.
//!
//! The style depends on the text alone; the indentation is that of the lines below the one on which it starts. Uses
//! only `core` and `alloc`: values that are known only at run time will be written by the same code.

mod typed;

use alloc::string::String;
use core::fmt::Write;

pub(crate) use typed::is_plain_string;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Single,
    Double,
    Literal,
}

/// What decides about a string: found in one pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) style: Style,
    /// Contains a line break of any kind: as a key it needs the form `? key`.
    pub(crate) multiline: bool,
}

/// Longest key in bytes that is written before its `:` on one line.
const SIMPLE_KEY: usize = 128;

impl Shape {
    pub(crate) fn of(text: &str) -> Shape {
        let flags = scan(text.as_bytes());
        let multiline = flags & BREAK != 0;
        let style = if flags & LINE_FEED != 0 {
            if flags & (TRAILING_SPACE | SPACE_BREAK | SPECIAL) == 0 { Style::Literal } else { Style::Double }
        } else if !is_plain_string(text) {
            Style::Double
        } else if flags == 0 {
            Style::Plain
        } else if flags & (SPACE_BREAK | BREAK_SPACE | SPECIAL) == 0 {
            Style::Single
        } else {
            Style::Double
        };
        Shape { style, multiline }
    }

    /// Can `text`, whose shape this is, stand before `:` on one line?
    pub(crate) fn is_simple_key(self, text: &str) -> bool {
        !self.multiline && text.len() <= SIMPLE_KEY
    }
}

/// A character, or its place, that plain text cannot have.
const INDICATOR: u16 = 1;
/// Space at the start, or a break at either end.
const EDGE: u16 = 1 << 1;
const TRAILING_SPACE: u16 = 1 << 2;
const SPACE_BREAK: u16 = 1 << 3;
const BREAK_SPACE: u16 = 1 << 4;
/// A character that only the escapes of double quotes can write.
const SPECIAL: u16 = 1 << 5;
const BREAK: u16 = 1 << 6;
const LINE_FEED: u16 = 1 << 7;

/// Bytes that need a look: all but the ASCII characters which are plain wherever they stand.
#[allow(clippy::indexing_slicing, reason = "`byte` is below 127")]
const LOOK: [bool; 256] = {
    let mut table = [true; 256];
    let mut byte = 0x21;
    while byte < 0x7F {
        table[byte] = byte == b':' as usize || byte == b'#' as usize;
        byte += 1;
    }
    table
};

/// Everything that matters for the style; 0 if the text can be plain. Plain text of ASCII letters takes the short way.
#[allow(
    clippy::indexing_slicing,
    reason = "characters have at most the length that `look` gives: `at` stops at the end"
)]
#[allow(clippy::arithmetic_side_effects, reason = "sums of lengths within the text")]
fn scan(bytes: &[u8]) -> u16 {
    let mut flags = match bytes {
        [
            b'#' | b',' | b'[' | b']' | b'{' | b'}' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\'' | b'"' | b'%' | b'@'
            | b'`',
            ..,
        ]
        | [b'-' | b'?']
        | [b'-' | b'?', b' ' | b'\t', ..]
        | [b'-', b'-', b'-', ..]
        | [b'.', b'.', b'.', ..] => INDICATOR,
        [b' ', ..] => EDGE,
        _ => 0,
    };
    if bytes.last() == Some(&b' ') {
        flags |= TRAILING_SPACE;
    }
    let mut at = 0;
    while let Some(step) = bytes[at..].iter().position(|byte| LOOK[*byte as usize]) {
        at += step;
        // A blank between words: the look of what follows is over, too.
        if let [b' ', next, ..] = bytes[at..]
            && !LOOK[next as usize]
        {
            at += 2;
            continue;
        }
        let (flag, length) = look(bytes, at);
        flags |= flag;
        at += length;
    }
    flags
}

/// What the character at `at` adds, and its length.
#[allow(clippy::indexing_slicing, reason = "there is a character at `at`")]
fn look(bytes: &[u8], at: usize) -> (u16, usize) {
    let before = at.checked_sub(1).map(|before| bytes[before]);
    match bytes[at..] {
        [b' ', ref rest @ ..] => {
            // A break of any kind that may stand in literal and quoted text.
            let next = if break_length(rest) > 0 { SPACE_BREAK } else { 0 };
            (next, 1)
        }
        [b':', ref rest @ ..] => (if matches!(rest, [] | [b' ' | b'\t', ..]) { INDICATOR } else { 0 }, 1),
        [b'#', ..] => (if before == Some(b' ') { INDICATOR } else { 0 }, 1),
        ref rest if break_length(rest) > 0 => {
            let length = break_length(rest);
            let mut flags = BREAK;
            match rest[0] {
                b'\n' => flags |= LINE_FEED,
                0xE2 => {}
                _ => flags |= SPECIAL,
            }
            if rest.get(length) == Some(&b' ') {
                flags |= BREAK_SPACE;
            }
            (flags, length)
        }
        ref rest => {
            let length = match rest[0] {
                0..0x80 => 1,
                0x80..0xE0 => 2,
                0xE0..0xF0 => 3,
                _ => 4,
            };
            (if is_printable(rest) { 0 } else { SPECIAL }, length)
        }
    }
}

/// Length of the break with which `bytes` begins: LF, CR, NEL, LS or PS.
fn break_length(bytes: &[u8]) -> usize {
    match bytes {
        [b'\n' | b'\r', ..] => 1,
        [0xC2, 0x85, ..] => 2,
        [0xE2, 0x80, 0xA8 | 0xA9, ..] => 3,
        _ => 0,
    }
}

/// May the character with which `bytes` begins stand unescaped? Not so tabs and all that is above U+FFFF.
fn is_printable(bytes: &[u8]) -> bool {
    match bytes {
        [b'\n' | 0x20..0x7F, ..] => true,
        [0xC2, second, ..] => *second >= 0xA0,
        [0xEF, 0xBB, 0xBF, ..] | [0xEF, 0xBF, 0xBE | 0xBF, ..] => false,
        [0xC3..=0xEF, ..] => true,
        _ => false,
    }
}

/// Writes `text` in its style; lines after the first are indented by `indent`. Gives `false` if the text itself ended
/// its last line, so that no line end belongs behind it.
pub(crate) fn write_str(out: &mut String, text: &str, indent: usize) -> bool {
    write_styled(out, text, Shape::of(text).style, indent)
}

/// As [`write_str`], where the style is known already.
pub(crate) fn write_styled(out: &mut String, text: &str, style: Style, indent: usize) -> bool {
    match style {
        Style::Plain => out.push_str(text),
        Style::Single => write_single(out, text, indent),
        Style::Double => write_double(out, text),
        Style::Literal => return write_literal(out, text, indent),
    }
    true
}

pub(crate) fn write_indent(out: &mut String, count: usize) {
    const SPACES: &str = "                                                                ";
    let mut left = count;
    while left > 0 {
        let part = SPACES.get(..left).unwrap_or(SPACES);
        out.push_str(part);
        left = left.saturating_sub(part.len());
    }
}

/// Breaks in here are LS and PS only: they are kept, and the line behind them is indented.
fn write_single(out: &mut String, text: &str, indent: usize) {
    out.push('\'');
    let mut after_break = false;
    for part in text.split_inclusive(['\'', '\u{2028}', '\u{2029}']) {
        if after_break && break_length(part.as_bytes()) == 0 {
            write_indent(out, indent);
        }
        out.push_str(part);
        after_break = part.ends_with(['\u{2028}', '\u{2029}']);
        if part.ends_with('\'') {
            out.push('\'');
        }
    }
    out.push('\'');
}

#[allow(clippy::string_slice, clippy::indexing_slicing, reason = "`at` and `plain` are where characters begin")]
#[allow(clippy::arithmetic_side_effects, reason = "sums of lengths within the text")]
fn write_double(out: &mut String, text: &str) {
    // Compat: a text that starts with a byte order mark is escaped as a whole.
    let all = text.starts_with('\u{FEFF}');
    out.push('"');
    let mut plain = 0;
    for (at, character) in text.char_indices() {
        let escaped = match character {
            '"' | '\\' => true,
            ' '..='~' => all,
            _ => all || break_length(&text.as_bytes()[at..]) > 0 || !is_printable(&text.as_bytes()[at..]),
        };
        if escaped {
            out.push_str(&text[plain..at]);
            write_escape(out, character);
            plain = at + character.len_utf8();
        }
    }
    out.push_str(&text[plain..]);
    out.push('"');
}

fn write_escape(out: &mut String, character: char) {
    let short = match character {
        '\0' => '0',
        '\x07' => 'a',
        '\x08' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\x0B' => 'v',
        '\x0C' => 'f',
        '\r' => 'r',
        '\x1B' => 'e',
        '"' => '"',
        '\\' => '\\',
        '\u{85}' => 'N',
        '\u{A0}' => '_',
        '\u{2028}' => 'L',
        '\u{2029}' => 'P',
        _ => {
            let code = u32::from(character);
            // Writing to a `String` cannot fail.
            let _ = match code {
                0..=0xFF => write!(out, "\\x{code:02X}"),
                0x100..=0xFFFF => write!(out, "\\u{code:04X}"),
                _ => write!(out, "\\U{code:08X}"),
            };
            return;
        }
    };
    out.push('\\');
    out.push(short);
}

#[allow(clippy::indexing_slicing, reason = "`at` is where a character begins")]
fn write_literal(out: &mut String, text: &str, indent: usize) -> bool {
    let bytes = text.as_bytes();
    out.push('|');
    if bytes.first() == Some(&b' ') || break_length(bytes) > 0 {
        out.push('2');
    }
    let breaks = text.char_indices().rev().take(2).take_while(|(at, _)| break_length(&bytes[*at..]) > 0).count();
    match breaks {
        0 => out.push('-'),
        1 if text.chars().nth(1).is_some() => {}
        _ => out.push('+'),
    }
    out.push('\n');
    for line in text.split_inclusive(['\n', '\u{2028}', '\u{2029}']) {
        if break_length(line.as_bytes()) == 0 {
            write_indent(out, indent);
        }
        out.push_str(line);
    }
    breaks == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let mut out = String::new();
        if write_str(&mut out, text, 2) {
            out.push('\n');
        }
        assert_eq!(out, format!("{expected}\n"), "{text:?}");
    }

    #[test]
    fn plain_where_nothing_speaks_against_it() {
        for text in [
            "a", "a b", "a, b", "a]", "a{b", "a?b", "a'b", "a\"b", "-1a", ":a", "?a", "--", "-a", "a:b", "a#b", "é",
            "a\u{A0}b", "<<", "=", "1e400", "0x", "nan", "日本", "\\", "..", "\u{FFFD}", "\u{E000}", "a:\u{A0}",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn single_quotes_for_syntax() {
        for text in [
            "#a", ",", "[a", "]", "{", "}", "&a", "*a", "!a", "|", ">", "\"", "%a", "@a", "`a", "-", "- a", "?", "? a",
            ":", ": a", "a: b", "a:", "a #b", "---", "---a", "...", "...a", " a", "a ", " ", "a:  b", "a #",
        ] {
            check(text, &format!("'{text}'"));
        }
        check("'a", "'''a'");
        check("# it's", "'# it''s'");
        check("x\u{2028}y", "'x\u{2028}  y'");
        check("x\u{2028}\u{2029}y'z", "'x\u{2028}\u{2029}  y''z'");
        check("x\u{2028}'y", "'x\u{2028}  ''y'");
        check("\u{2028}x", "'\u{2028}  x'");
        check("x\u{2028}", "'x\u{2028}'");
    }

    #[test]
    fn double_quotes_for_types_and_special_characters() {
        for (text, expected) in [
            ("", r#""""#),
            ("true", r#""true""#),
            ("1", r#""1""#),
            ("2001-01-01", r#""2001-01-01""#),
            ("1:30", r#""1:30""#),
            ("a\tb", r#""a\tb""#),
            ("a\rb", r#""a\rb""#),
            ("\0\x07\x08\x0B\x0C\x1B\x7F\x01", r#""\0\a\b\v\f\e\x7F\x01""#),
            ("\u{85}", r#""\N""#),
            ("\t\"\\\u{A0}\u{2028}\u{2029}é", "\"\\t\\\"\\\\\u{A0}\\L\\Pé\""),
            ("😀", r#""\U0001F600""#),
            ("a\u{FFFE}", r#""a\uFFFE""#),
            ("a\u{FEFF}b", r#""a\uFEFFb""#),
            ("\u{FEFF}a \u{A0}é", r#""\uFEFF\x61\x20\_\xE9""#),
            ("a \nb", r#""a \nb""#),
            ("a\nb ", r#""a\nb ""#),
            ("a\tb\n", r#""a\tb\n""#),
            ("a\r\nb", r#""a\r\nb""#),
            ("a \u{2028}b", r#""a \Lb""#),
            ("a\u{2028} b", r#""a\L b""#),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn literal_for_lines() {
        for (text, expected) in [
            ("a\nb", "|-\n  a\n  b\n"),
            ("a\nb\n", "|\n  a\n  b\n"),
            ("a\n\nb\n\n", "|+\n  a\n\n  b\n\n"),
            ("\n", "|2+\n\n"),
            ("\na", "|2-\n\n  a\n"),
            (" a\nb", "|2-\n   a\n  b\n"),
            ("a\n b", "|-\n  a\n   b\n"),
            ("x\ny\u{2028}", "|\n  x\n  y\u{2028}"),
            ("\u{2028}\n", "|2+\n\u{2028}\n"),
            ("é\n", "|\n  é\n"),
            ("# a\nb: 'c'\n", "|\n  # a\n  b: 'c'\n"),
        ] {
            let mut out = String::new();
            if write_str(&mut out, text, 2) {
                out.push('\n');
            }
            assert_eq!(out, expected, "{text:?}");
        }
    }

    #[test]
    fn long_keys_and_keys_with_breaks_are_not_simple() {
        let long = "x".repeat(129);
        for (text, simple) in [
            ("a", true),
            (&long[..128], true),
            (&long, false),
            ("a\rb", false),
            ("a\u{2028}b", false),
            ("a\u{85}", false),
        ] {
            assert_eq!(Shape::of(text).is_simple_key(text), simple, "{text:?}");
        }
    }
}
