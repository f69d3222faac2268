//! The replacement text of `regexp.replace`: `$1`, `${name}`, `$$`.

use regex::Regex;
use std::sync::LazyLock;

/// Characters of a name: letters, decimal digits and `_`.
#[allow(clippy::expect_used, reason = "the pattern is a constant, and each replacement with a `$` compiles it")]
static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"^[\p{L}\p{Nd}_]+").expect("the pattern is a constant"));

/// A part of a replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Text(Vec<u8>),
    Group(usize),
    Name(String),
}

/// Takes a replacement apart. What looks like no group is text, a lone `$` too.
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a `$` was found in the text, and braces and name behind it were, too"
)]
pub(super) fn parts(template: &[u8]) -> Vec<Part> {
    let (mut parts, mut text, mut rest) = (Vec::new(), Vec::new(), template);
    while let Some(at) = rest.iter().position(|byte| *byte == b'$') {
        text.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        if rest.first() == Some(&b'$') {
            text.push(b'$');
            rest = &rest[1..];
            continue;
        }
        let braced = rest.first() == Some(&b'{');
        let begin = usize::from(braced);
        let name = name(&rest[begin..]);
        let end = begin + name.len();
        if name.is_empty() || (braced && rest.get(end) != Some(&b'}')) {
            text.push(b'$');
            continue;
        }
        if !text.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut text)));
        }
        parts.push(match group(name) {
            Some(number) => Part::Group(number),
            None => Part::Name(name.to_owned()),
        });
        rest = &rest[end + begin..];
    }
    text.extend_from_slice(rest);
    if !text.is_empty() {
        parts.push(Part::Text(text));
    }
    parts
}

/// The longest name at the start.
fn name(text: &[u8]) -> &str {
    let valid = text.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    NAME.find(valid).map_or("", |found| found.as_str())
}

/// A number without leading zeros, below 10^8; other names are those of groups.
pub(super) fn group(name: &str) -> Option<usize> {
    let plain = name.bytes().all(|byte| byte.is_ascii_digit()) && (name == "0" || !name.starts_with('0'));
    if plain && name.len() <= 8 { name.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_long_as_they_can_be() {
        let text = |text: &str| Part::Text(text.into());
        let named = |name: &str| Part::Name(name.to_owned());
        for (template, expected) in [
            ("a$1b${2}c", vec![text("a"), named("1b"), Part::Group(2), text("c")]),
            ("$$1 $", vec![text("$1 $")]),
            ("${1", vec![text("${1")]),
            ("${a-b}$é_ ", vec![text("${a-b}"), named("é_"), text(" ")]),
            ("$0$00$123456789", vec![Part::Group(0), named("00"), named("123456789")]),
            ("$", vec![text("$")]),
        ] {
            assert_eq!(parts(template.as_bytes()), expected, "{template}");
        }
        assert_eq!(parts(b"\xff$1\xff"), [Part::Text(vec![255]), Part::Group(1), Part::Text(vec![255])]);
    }
}
