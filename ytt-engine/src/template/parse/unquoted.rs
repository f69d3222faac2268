//! Words behind an annotation that takes a text: `#@schema/desc Name of the host`.

use super::slips::told_anew;
use crate::diag::{Code, Diagnostic};
use crate::quoted;
use crate::source::{Span, to_u32};

/// Annotations whose one argument is a text.
const OF_TEXT: [&str; 3] = ["schema/desc", "schema/title", "schema/deprecated"];

/// Says of a problem in the argument of such an annotation that the text has no quotes.
pub(in crate::template) fn unquoted(source: &[u8], place: Span, error: &Diagnostic) -> Option<Diagnostic> {
    let before = source.get(..place.start as usize)?;
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at.saturating_add(1));
    let line = std::str::from_utf8(source.get(start..)?.split(|byte| *byte == b'\n').next()?).ok()?.trim_end();
    let comment = line.trim_start().strip_prefix("#@")?;
    let (name, given) = comment.split_once(' ')?;
    let given = given.trim_start();
    // What has quotes or calls something is code, and one word may be a name.
    // An apostrophe stands in many a text.
    let has_signs = given.contains(['(', '=', '+', '"']);
    let is_undefined = error.code() == Code::STARLARK_UNDEFINED;
    let may_be_code = || has_signs || given.starts_with(['\'']);
    if !OF_TEXT.contains(&name)
        || !given.contains(' ') && !is_undefined
        || given.contains('#')
        || may_be_code() && !begins_with_words(given)
    {
        return None;
    }
    let end = to_u32(start.checked_add(line.len())?);
    let span = Span { start: end.checked_sub(to_u32(given.len()))?, end, ..place };
    let told = told_anew(error, span, format!("`{name}` takes a text, which needs quotes"))?;
    Some(told.help_edit("put it into quotes", span, quoted::starlark(given)))
}

/// Words of code that may stand beside a name.
const OF_CODE: [&str; 9] = ["and", "else", "for", "if", "in", "is", "lambda", "not", "or"];

/// Two words beside each other, as code never has them.
fn begins_with_words(text: &str) -> bool {
    let is_word = |word: &&str| {
        word.starts_with(char::is_alphabetic) && word.chars().all(char::is_alphanumeric) && !OF_CODE.contains(word)
    };
    text.split_whitespace().take(2).filter(is_word).count() == 2
}

#[cfg(test)]
mod tests {
    use super::begins_with_words;

    #[test]
    fn words_beside_each_other_are_no_code() {
        for (text, expected) in [
            ("How long logs are kept (in days)", true),
            ("Größe des \"Puffers\"", true),
            ("name + \"!\"", false),
            ("title if title else \"x\"", false),
            ("not (a)", false),
            ("text_of(a) (b)", false),
        ] {
            assert_eq!(begins_with_words(text), expected, "{text}");
        }
    }
}
