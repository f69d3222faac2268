//! Letters, digits, case and blanks as the reference knows them: one code point becomes one code point.
//!
//! A byte that is not UTF-8 counts as U+FFFD, which is none of these.

use std::sync::LazyLock;

use regex::Regex;

/// Is the character in this class of a regular expression?
fn is_in(class: &LazyLock<Option<Regex>>, character: char) -> bool {
    let mut buffer = [0; 4];
    let text = &*character.encode_utf8(&mut buffer);
    class.as_ref().is_some_and(|class| class.is_match(text))
}

macro_rules! class {
    ($name:ident, $pattern:literal, $ascii:expr) => {
        pub(super) fn $name(character: char) -> bool {
            static CLASS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(concat!("^", $pattern, "$")).ok());
            let ascii: fn(&char) -> bool = $ascii;
            if character.is_ascii() { ascii(&character) } else { is_in(&CLASS, character) }
        }
    };
}

class!(is_letter, r"\p{L}", char::is_ascii_alphabetic);
class!(is_digit, r"\p{Nd}", char::is_ascii_digit);
class!(is_upper, r"\p{Lu}", char::is_ascii_uppercase);
class!(is_lower, r"\p{Ll}", char::is_ascii_lowercase);
class!(is_title, r"\p{Lt}", |_| false);

pub(super) fn is_space(character: char) -> bool {
    matches!(
        character,
        '\t'..='\r' | ' ' | '\u{85}' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{2028}' | '\u{2029}'
            | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

pub(super) fn to_lower(character: char) -> char {
    // The one code point of which the whole mapping has more than one: a dotted capital I.
    character.to_lowercase().next().unwrap_or(character)
}

pub(super) fn to_upper(character: char) -> char {
    let mut mapped = character.to_uppercase();
    match (mapped.next(), mapped.next()) {
        (Some(upper), None) => upper,
        // Letters with a iota below have a form of title case; what else has several letters stays.
        _ => match u32::from(character) {
            number @ 0x1f80..=0x1faf => char::from_u32(number | 8).unwrap_or(character),
            number @ (0x1fb3 | 0x1fc3 | 0x1ff3) => char::from_u32(number.saturating_add(9)).unwrap_or(character),
            _ => character,
        },
    }
}

pub(super) fn to_title(character: char) -> char {
    match u32::from(character) {
        0x1c4..=0x1c6 => '\u{1c5}',
        0x1c7..=0x1c9 => '\u{1c8}',
        0x1ca..=0x1cc => '\u{1cb}',
        0x1f1..=0x1f3 => '\u{1f2}',
        // Georgian letters have capitals, but titles are written without them.
        0x10d0..=0x10fa | 0x10fd..=0x10ff => character,
        _ => to_upper(character),
    }
}

/// Does the character have another form, upper, lower or folded?
pub(super) fn is_cased(character: char) -> bool {
    match character {
        _ if character.is_ascii() => character.is_ascii_alphabetic(),
        // Letters that only fold to each other, or to which only a capital leads.
        'ß' | '\u{390}' | '\u{3b0}' | '\u{1fd3}' | '\u{1fe3}' | '\u{fb05}' | '\u{fb06}' => true,
        // The Turkish pair folds to nothing else.
        'İ' | 'ı' => false,
        _ => to_upper(character) != character || to_lower(character) != character || to_title(character) != character,
    }
}
