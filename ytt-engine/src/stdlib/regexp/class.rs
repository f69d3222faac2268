//! Sets of characters and escapes of patterns: `[…]`, `\d`, `\pL`, `\x{…}`.

use super::properties::{CATEGORIES, SCRIPTS};
use super::translate::{Parser, Wrong};

/// Classes of nothing and of every character.
const NEVER: &str = r"[^\x{0}-\x{10ffff}]";
const ALWAYS: &str = r"[\x{0}-\x{10ffff}]";

/// One character; a number that is no character matches nothing.
pub(super) fn literal(character: u32) -> String {
    char::from_u32(character).map_or_else(|| NEVER.to_owned(), |_| format!("\\x{{{character:x}}}"))
}

/// A class in brackets, whose `[` at `from` was taken.
pub(super) fn bracketed(parser: &mut Parser<'_>, from: usize) -> Result<String, Wrong> {
    let mut class = String::from(if parser.take("^") { "[^" } else { "[" });
    let mut first = true;
    while first || !parser.rest().starts_with(']') {
        first = false;
        if let Some(item) = posix(parser)? {
            class.push_str(&item);
            continue;
        }
        if let Some(item) = escaped(parser)? {
            class.push_str(&item);
            continue;
        }
        let begin = parser.at;
        let low = character(parser, from)?;
        let mut high = low;
        if matches!(parser.rest().as_bytes(), [b'-', next, ..] if *next != b']') {
            parser.take("-");
            high = character(parser, from)?;
            if high < low {
                return Err(parser.wrong("invalid character class range", begin));
            }
        }
        class.push_str(&range(low, high));
    }
    parser.take("]");
    class.push(']');
    Ok(class)
}

/// A range without the numbers that are no characters.
fn range(low: u32, high: u32) -> String {
    let low = if (0xd800..0xe000).contains(&low) { 0xe000 } else { low };
    let high = if (0xd800..0xe000).contains(&high) { 0xd7ff } else { high };
    if low > high { NEVER.to_owned() } else { format!("\\x{{{low:x}}}-\\x{{{high:x}}}") }
}

/// One character of a class.
fn character(parser: &mut Parser<'_>, class: usize) -> Result<u32, Wrong> {
    if parser.rest().starts_with('\\') {
        return escape(parser);
    }
    match parser.next() {
        Some(character) => Ok(u32::from(character)),
        None => Err(parser.wrong_to_end("missing closing ]", class)),
    }
}

/// `[:alpha:]` and the like.
fn posix(parser: &mut Parser<'_>) -> Result<Option<String>, Wrong> {
    const NAMES: [&str; 14] = [
        "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper",
        "word", "xdigit",
    ];
    let from = parser.at;
    if !parser.take("[:") {
        return Ok(None);
    }
    let Some(name) = parser.take_until(":]") else {
        parser.at = from;
        return Ok(None);
    };
    if !NAMES.contains(&name.strip_prefix('^').unwrap_or(name)) {
        return Err(parser.wrong("invalid character class range", from));
    }
    Ok(Some(format!("[:{name}:]")))
}

/// `\d`, `\pL` and the like, as a class of its own; `None` where something else stands.
pub(super) fn escaped(parser: &mut Parser<'_>) -> Result<Option<String>, Wrong> {
    for (text, class) in [
        ("\\d", "[0-9]"),
        ("\\D", "[^0-9]"),
        ("\\s", r"[\t\n\x0c\r ]"),
        ("\\S", r"[^\t\n\x0c\r ]"),
        ("\\w", "[0-9A-Za-z_]"),
        ("\\W", "[^0-9A-Za-z_]"),
    ] {
        if parser.take(text) {
            return Ok(Some(class.to_owned()));
        }
    }
    let from = parser.at;
    let negated = parser.take("\\P");
    if !negated && !parser.take("\\p") {
        return Ok(None);
    }
    let rest = parser.rest();
    let name = match parser.next() {
        Some('{') => match parser.take_until("}") {
            Some(name) => name,
            None => return Err(parser.wrong_to_end("invalid character class range", from)),
        },
        letter => rest.split_at(letter.map_or(0, char::len_utf8)).0,
    };
    let (name, flipped) = name.strip_prefix('^').map_or((name, false), |name| (name, true));
    let one_of = |names: &str| names.split(' ').any(|known| known == name);
    let class = match name {
        "Any" => ALWAYS.to_owned(),
        // Surrogates are no characters.
        "Cs" => NEVER.to_owned(),
        "C" => r"[\p{Cc}\p{Cf}\p{Co}]".to_owned(),
        _ if one_of(CATEGORIES) => format!("\\p{{{name}}}"),
        _ if one_of(SCRIPTS) => format!("\\p{{sc={name}}}"),
        _ => return Err(parser.wrong("invalid character class range", from)),
    };
    Ok(Some(if negated != flipped { format!("[^{class}]") } else { class }))
}

/// An escape that means one character.
pub(super) fn escape(parser: &mut Parser<'_>) -> Result<u32, Wrong> {
    let from = parser.at;
    parser.take("\\");
    let Some(kind) = parser.next() else {
        return Err(Wrong { kind: "trailing backslash at end of expression", part: String::new(), at: from });
    };
    let octal = |parser: &Parser<'_>| parser.rest().chars().next().and_then(|digit| digit.to_digit(8));
    let value = match kind {
        '0'..='7' if kind == '0' || octal(parser).is_some() => {
            let mut value = kind.to_digit(8).unwrap_or_default();
            for _ in 0..2 {
                let Some(digit) = octal(parser) else { break };
                parser.next();
                value = value << 3 | digit;
            }
            Some(value)
        }
        'x' => hexadecimal(parser),
        'a' => Some(7),
        'f' => Some(12),
        'n' => Some(10),
        'r' => Some(13),
        't' => Some(9),
        'v' => Some(11),
        other if other.is_ascii() && !other.is_ascii_alphanumeric() => Some(u32::from(other)),
        _ => None,
    };
    value.ok_or_else(|| parser.wrong("invalid escape sequence", from))
}

/// What follows `\x`: two digits, or any number of them in braces.
fn hexadecimal(parser: &mut Parser<'_>) -> Option<u32> {
    let first = parser.next()?;
    if first != '{' {
        let second = parser.next()?;
        return Some(first.to_digit(16)? << 4 | second.to_digit(16)?);
    }
    let (mut value, mut has_digits) = (0, false);
    loop {
        let next = parser.next()?;
        if next == '}' {
            return has_digits.then_some(value);
        }
        value = value << 4 | next.to_digit(16)?;
        has_digits = true;
        if value > 0x10_ffff {
            return None;
        }
    }
}
