//! The door between byte strings and Starlark strings.
//!
//! ytt's strings are bytes. Inside Starlark each byte from 0x80 on is written as the character with that number, so that
//! length, index, slice, order and equality are those of bytes; text of ASCII is the same on both sides. Whatever enters
//! or leaves Starlark goes through [`to_star`] and [`from_star`].

use std::borrow::Cow;

/// Texts and lists that built-ins make stay shorter than this, as in the reference: what is longer has no memory.
pub(crate) const LONGEST: usize = 1 << 30;

/// Bytes to the text that Starlark holds.
pub(crate) fn to_star(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => Cow::Borrowed(text),
        _ => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

/// Text of Starlark to the bytes that it means.
pub(crate) fn from_star(text: &str) -> Cow<'_, [u8]> {
    if text.is_ascii() {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut bytes = Vec::with_capacity(text.len());
    for character in text.chars() {
        match u8::try_from(u32::from(character)) {
            Ok(byte) => bytes.push(byte),
            // Such a character can only come from a native function of the interpreter; it means itself.
            Err(_) => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Cow::Owned(bytes)
}

/// Text of Starlark as people read it; bytes that are not UTF-8 are replaced.
pub(crate) fn readable(text: &str) -> Cow<'_, str> {
    match from_star(text) {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_passes_as_it_is_and_other_bytes_become_characters() {
        assert!(matches!(to_star(b"abc"), Cow::Borrowed("abc")));
        assert_eq!(to_star("é".as_bytes()), "\u{c3}\u{a9}");
        assert_eq!(&*from_star("\u{c3}\u{a9}\u{ff}"), b"\xc3\xa9\xff");
        assert_eq!(readable("\u{c3}\u{a9}"), "é");
    }
}
