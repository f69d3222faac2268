//! What Go's `Printf` makes of a text that is used as a format string without arguments.
//!
//! Compat: `-o pos` of ytt prints values in this way, so a `%` in a value shows as `%!x(MISSING)` and the like.

/// Appends to `out` what a format string without arguments prints.
pub(super) fn format_without_arguments(format: &[u8], out: &mut Vec<u8>) {
    let mut rest = format;
    while let Some((before, [_, behind @ ..])) =
        rest.iter().position(|byte| *byte == b'%').and_then(|at| rest.split_at_checked(at))
    {
        out.extend_from_slice(before);
        let mut verb = Verb { rest: behind, index_is_good: true };
        verb.print(out);
        rest = verb.rest;
    }
    out.extend_from_slice(rest);
}

/// What follows a `%`.
struct Verb<'a> {
    rest: &'a [u8],
    /// No argument index `[n]` was seen: with one, nothing can be right.
    index_is_good: bool,
}

/// Numbers above it make Go give up the whole text.
const LARGEST: u32 = 1_000_000;

impl Verb<'_> {
    fn print(&mut self, out: &mut Vec<u8>) {
        while let [b'#' | b'0' | b'+' | b'-' | b' ', ..] = self.rest {
            self.skip(1);
        }
        let mut after_index = self.index();
        after_index &= !self.size(out, b"%!(BADWIDTH)");
        if self.rest.first() == Some(&b'.') {
            self.skip(1);
            after_index = self.index();
            after_index &= !self.size(out, b"%!(BADPREC)");
        }
        if !after_index {
            self.index();
        }
        let Some(character) = self.character() else {
            out.extend_from_slice(b"%!(NOVERB)");
            return;
        };
        if character == '%' {
            out.push(b'%');
            return;
        }
        out.extend_from_slice(b"%!");
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        out.extend_from_slice(if self.index_is_good { b"(MISSING)" } else { b"(BADINDEX)" });
    }

    /// A width or precision. Gives `true` for a `*`, which needs an argument and shows as `bad`.
    fn size(&mut self, out: &mut Vec<u8>, bad: &[u8]) -> bool {
        if self.rest.first() != Some(&b'*') {
            self.number();
            return false;
        }
        self.skip(1);
        out.extend_from_slice(bad);
        true
    }

    fn skip(&mut self, count: usize) {
        self.rest = self.rest.get(count..).unwrap_or_default();
    }

    /// Skips `[n]`; without a `]` only the `[`. Gives `true` if a number stood in the brackets.
    fn index(&mut self) -> bool {
        if self.rest.first() != Some(&b'[') {
            return false;
        }
        self.index_is_good = false;
        let end = if self.rest.len() < 3 { None } else { self.rest.iter().skip(1).position(|byte| *byte == b']') };
        let Some(length) = end else {
            self.skip(1);
            return false;
        };
        let mut inside = self.rest.iter().skip(1).take(length);
        let number = inside.try_fold(None, |number: Option<u32>, byte| digit(number, *byte));
        self.skip(length.saturating_add(2));
        matches!(number, Some(Some(_)))
    }

    /// Skips digits; too large a number takes all that is left.
    fn number(&mut self) {
        let mut number = None;
        while let Some(byte @ b'0'..=b'9') = self.rest.first() {
            number = digit(number, *byte).unwrap_or_default();
            if number.is_none() {
                self.rest = &[];
                return;
            }
            self.skip(1);
        }
    }

    /// Takes the character that names the conversion; bytes that are not UTF-8 count as one each.
    fn character(&mut self) -> Option<char> {
        let chunk = self.rest.get(..4).unwrap_or(self.rest);
        let first = chunk.utf8_chunks().next()?;
        match first.valid().chars().next() {
            Some(character) => {
                self.skip(character.len_utf8());
                Some(character)
            }
            None => {
                self.skip(1);
                Some(char::REPLACEMENT_CHARACTER)
            }
        }
    }
}

/// Appends a digit to a number; `None` if it is not one, or if the number was too large before.
#[allow(clippy::arithmetic_side_effects, reason = "at most `LARGEST` gets one digit more")]
fn digit(number: Option<u32>, byte: u8) -> Option<Option<u32>> {
    if !byte.is_ascii_digit() || number.is_some_and(|number| number > LARGEST) {
        return None;
    }
    Some(Some(number.unwrap_or(0) * 10 + u32::from(byte - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_printf_without_arguments() {
        for (format, expected) in [
            ("a\n", "a\n"),
            ("%%\n", "%\n"),
            ("100%\n", "100%!\n(MISSING)"),
            ("%d %s\n", "%!d(MISSING) %!s(MISSING)\n"),
            ("%-5.2f|\n", "%!f(MISSING)|\n"),
            ("%5%|% %\n", "%|%\n"),
            ("%é\n", "%!é(MISSING)\n"),
            ("%[1]d\n", "%!d(BADINDEX)\n"),
            ("%[1]5d\n", "%!d(BADINDEX)\n"),
            ("%[1][2]d\n", "%![(BADINDEX)2]d\n"),
            ("%[x][y]d\n", "%!d(BADINDEX)\n"),
            ("%[d\n", "%!d(BADINDEX)\n"),
            ("%[1]%\n", "%\n"),
            ("%*d %.*d\n", "%!(BADWIDTH)%!d(MISSING) %!(BADPREC)%!d(MISSING)\n"),
            ("%", "%!(NOVERB)"),
            ("%99999999d x\n", "%!(NOVERB)"),
            ("%1000000d\n", "%!d(MISSING)\n"),
            ("%5.[3]6d\n", "%!d(BADINDEX)\n"),
        ] {
            let mut out = Vec::new();
            format_without_arguments(format.as_bytes(), &mut out);
            assert_eq!(String::from_utf8_lossy(&out), expected, "{format:?}");
        }
    }
}
