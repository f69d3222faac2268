//! Sets of characters and escapes of patterns: `[…]`, `\d`, `\pL`, `\x{…}`.

use super::scripts::SCRIPTS;
use super::translate::{Parser, Wrong};

/// A class that matches nothing.
pub(super) const NEVER: &str = r"[^\x{0}-\x{10ffff}]";
const ALWAYS: &str = r"[\x{0}-\x{10ffff}]";

/// A class as an expression of its own.
pub(super) fn alone(item: &str, fold: bool) -> String {
    let item = if item.is_empty() { NEVER } else { item };
    if fold { format!("(?i:[{item}])") } else { format!("[{item}]") }
}

/// A class in brackets, whose `[` at `from` was taken.
pub(super) fn bracketed(parser: &mut Parser<'_>, from: usize) -> Result<String, Wrong> {
    let negated = parser.take("^");
    let mut items = String::new();
    let mut first = true;
    while first || !parser.rest().starts_with(']') {
        first = false;
        if let Some(item) = posix(parser)? {
            items.push_str(&item);
            continue;
        }
        if let Some(item) = escaped(parser)? {
            items.push_str(&item);
            continue;
        }
        let begin = parser.at;
        let low = character(parser, from)?;
        let mut high = low;
        let rest = parser.rest().as_bytes();
        if rest.len() >= 2 && rest[0] == b'-' && rest[1] != b']' {
            parser.at += 1;
            high = character(parser, from)?;
            if high < low {
                return Err(parser.wrong("invalid character class range", begin));
            }
        }
        items.push_str(&range(low, high));
    }
    parser.at += 1;
    let class = match (negated, items.is_empty()) {
        (false, true) => return Ok(NEVER.to_owned()),
        (true, true) => return Ok(ALWAYS.to_owned()),
        (false, false) => format!("[{items}]"),
        (true, false) => format!("[^{items}]"),
    };
    Ok(if parser.flags.fold { format!("(?i:{class})") } else { class })
}

/// A range without the numbers that are no characters.
fn range(low: u32, high: u32) -> String {
    let low = if (0xd800..0xe000).contains(&low) { 0xe000 } else { low };
    let high = if (0xd800..0xe000).contains(&high) { 0xd7ff } else { high };
    if low > high { String::new() } else { format!("\\x{{{low:x}}}-\\x{{{high:x}}}") }
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
    let (from, rest) = (parser.at, parser.rest());
    if rest.len() <= 2 || !rest.starts_with("[:") {
        return Ok(None);
    }
    let Some(length) = rest[2..].find(":]") else { return Ok(None) };
    parser.at += length + 4;
    let name = &rest[2..2 + length];
    if !NAMES.contains(&name.strip_prefix('^').unwrap_or(name)) {
        return Err(parser.wrong("invalid character class range", from));
    }
    Ok(Some(format!("[:{name}:]")))
}

/// `\d`, `\pL` and the like, as an item of a class; `None` where something else stands.
pub(super) fn escaped(parser: &mut Parser<'_>) -> Result<Option<String>, Wrong> {
    for (text, item) in [
        ("\\d", "[0-9]"),
        ("\\D", "[^0-9]"),
        ("\\s", r"[\t\n\x0c\r ]"),
        ("\\S", r"[^\t\n\x0c\r ]"),
        ("\\w", "[0-9A-Za-z_]"),
        ("\\W", "[^0-9A-Za-z_]"),
    ] {
        if parser.take(text) {
            return Ok(Some(item.to_owned()));
        }
    }
    let from = parser.at;
    let negated = parser.rest().starts_with("\\P");
    if !negated && !parser.rest().starts_with("\\p") {
        return Ok(None);
    }
    parser.at += 2;
    let begin = parser.at;
    let name = match parser.next() {
        Some('{') => {
            let Some(length) = parser.rest().find('}') else {
                return Err(parser.wrong_to_end("invalid character class range", from));
            };
            let name = &parser.rest()[..length];
            parser.at += length + 1;
            name
        }
        Some(letter) => parser.slice(begin, begin + letter.len_utf8()),
        None => "",
    };
    let (name, flipped) = name.strip_prefix('^').map_or((name, false), |name| (name, true));
    match property(name) {
        Some(items) => Ok(Some(if negated != flipped { negation(&items) } else { items })),
        None => Err(parser.wrong("invalid character class range", from)),
    }
}

fn negation(items: &str) -> String {
    if items.is_empty() { ALWAYS.to_owned() } else { format!("[^{items}]") }
}

/// Items of a class for a general category or script; names are exact.
fn property(name: &str) -> Option<String> {
    const CATEGORIES: &str = " L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs \
        Cc Cf Co ";
    match name {
        "Any" => Some(ALWAYS.to_owned()),
        "C" => Some(r"[\p{Cc}\p{Cf}\p{Co}]".to_owned()),
        // Surrogates are no characters.
        "Cs" => Some(String::new()),
        _ if SCRIPTS.binary_search(&name).is_ok() => Some(format!("\\p{{sc={name}}}")),
        _ if !name.is_empty() && !name.contains(' ') && CATEGORIES.contains(&format!(" {name} ")) => {
            Some(format!("\\p{{{name}}}"))
        }
        _ => None,
    }
}

/// An escape that means one character.
pub(super) fn escape(parser: &mut Parser<'_>) -> Result<u32, Wrong> {
    let from = parser.at;
    parser.at += 1;
    let Some(kind) = parser.next() else {
        return Err(Wrong { kind: "trailing backslash at end of expression", part: String::new(), at: from });
    };
    let octal = |parser: &Parser<'_>| parser.rest().bytes().next().filter(|byte| matches!(byte, b'0'..=b'7'));
    let value = match kind {
        '0'..='7' if kind == '0' || octal(parser).is_some() => {
            let mut value = u32::from(kind) - u32::from('0');
            for _ in 0..2 {
                let Some(digit) = octal(parser) else { break };
                parser.at += 1;
                value = value * 8 + u32::from(digit - b'0');
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
    let (mut value, mut digits) = (0, 0);
    loop {
        let next = parser.next()?;
        if next == '}' {
            return (digits > 0).then_some(value);
        }
        value = value * 16 + next.to_digit(16)?;
        digits += 1;
        if value > 0x10_ffff {
            return None;
        }
    }
}
