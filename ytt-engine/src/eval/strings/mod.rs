//! Strings: their methods, `.format` and `%`, by the reference's rules.
//!
//! Strings are bytes, one character each (see `text`). `methods` has what their methods do, `case` the rules of letters
//! and blanks, `format` and `percent` the two ways to fill in values, `elems` what can be iterated.

mod case;
mod elems;
mod format;
mod methods;
mod percent;
#[cfg(test)]
mod tests;

pub(super) use methods::call;
pub(crate) use percent::percent;

/// Bytes of a code point that [`decode`] gives.
pub(crate) const POINT: usize = 16;

/// Code points of a byte string with the number of bytes that each takes; a byte that is not UTF-8 counts as U+FFFD.
pub(crate) fn decode(bytes: &[u8]) -> Vec<(u32, usize)> {
    let mut all = Vec::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        all.extend(chunk.valid().chars().map(|character| (u32::from(character), character.len_utf8())));
        all.extend(chunk.invalid().iter().map(|_| (u32::from(char::REPLACEMENT_CHARACTER), 1)));
    }
    all
}
