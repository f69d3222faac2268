//! What a comment of a YAML file means: code, a value, an annotation, or nothing.
//!
//! The name of an annotation ends at the first space, so that most mistakes make an annotation that nobody knows. The
//! reference takes them silently; here they are warnings.

use crate::diag::suggest::{either, nearest};
use crate::diag::{Code, Diagnostic, allowed_names};
use crate::lints;
use crate::source::{Span, to_u32};

/// A comment that was understood. `at` is the offset in the source at which `text` begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning<'a> {
    /// For people only.
    Dropped,
    Code {
        text: &'a str,
        at: u32,
    },
    Value {
        text: &'a str,
        at: u32,
    },
    Annotation {
        name: &'a str,
        text: &'a str,
        at: u32,
    },
    /// Neither `#@` nor `#!`.
    Unknown,
}

/// Reads a comment. `text` is what follows the `#`, which stands at `start`; `beside` says that the node stands in the
/// same line.
pub(super) fn read(text: &str, start: u32, beside: bool) -> Meaning<'_> {
    if text.starts_with('!') {
        return Meaning::Dropped;
    }
    let Some(rest) = text.strip_prefix('@') else { return Meaning::Unknown };
    let (name, text) = rest.split_once(' ').unwrap_or((rest, ""));
    let blank = usize::from(name.len() < rest.len());
    let at = start.saturating_add(2).saturating_add(to_u32(name.len().saturating_add(blank)));
    match name {
        "comment" => Meaning::Dropped,
        "template/code" => Meaning::Code { text, at },
        "template/value" => Meaning::Value { text, at },
        "" if beside => Meaning::Value { text, at },
        "" => Meaning::Code { text, at },
        _ => Meaning::Annotation { name, text, at },
    }
}

/// A code line whose block ends behind its node: the word, and where `/end` stands in the text.
pub(super) fn sugar(text: &str) -> Option<usize> {
    let code = text.trim_start();
    let word =
        ["if/end", "elif/end", "else/end", "for/end", "def/end"].into_iter().find(|word| code.starts_with(word))?;
    let blanks = text.len().saturating_sub(code.len());
    Some(blanks.saturating_add(word.len()).saturating_sub("/end".len()))
}

/// Annotations that mean something.
const KNOWN: &[&str] = &[
    "assert/validate",
    "data/values",
    "data/values-schema",
    "library/ref",
    "overlay/append",
    "overlay/assert",
    "overlay/insert",
    "overlay/match",
    "overlay/match-child-defaults",
    "overlay/merge",
    "overlay/remove",
    "overlay/replace",
    "schema/default",
    "schema/deprecated",
    "schema/desc",
    "schema/examples",
    "schema/nullable",
    "schema/title",
    "schema/type",
    "schema/validation",
    "template/code",
    "template/value",
    "yaml/map-key-override",
    "yaml/text-templated-strings",
];

/// What people write by its meaning for a name of overlays, and what they mean.
const SYNONYMS: &[(&[&str], &[&str])] = &[
    (&["delete", "del", "drop", "rm", "erase"], &["overlay/remove"]),
    (&["add", "new", "create"], &["overlay/append", "overlay/insert"]),
    (&["set", "override", "overwrite"], &["overlay/replace"]),
    (&["update", "patch"], &["overlay/merge"]),
];

/// How the annotation of a schema was called before it had its name.
const FORMER_SCHEMA: &str = "schema/match";

/// What was probably meant by the name of an annotation: what means the same, else what is spelt alike.
pub(crate) fn meant_by(name: &str) -> Vec<&'static str> {
    let folded = name.trim_end_matches(':').to_lowercase();
    let word = folded.strip_prefix("overlay/").unwrap_or_default();
    if let Some((_, meant)) = SYNONYMS.iter().find(|(words, _)| words.contains(&word)) {
        return meant.to_vec();
    }
    if folded == FORMER_SCHEMA {
        return vec!["data/values-schema"];
    }
    match KNOWN.binary_search(&folded.as_str()) {
        Ok(at) => KNOWN.get(at).copied().into_iter().collect(),
        Err(_) => nearest(&folded, KNOWN.iter().copied()).into_iter().collect(),
    }
}

/// Does an annotation of this name mean something?
pub(crate) fn is_known(name: &str) -> bool {
    KNOWN.binary_search(&name).is_ok()
}

/// The names in a comment that allows lints which no lint has.
pub(super) fn unknown_lints(text: &str, comment: Span) -> impl Iterator<Item = Diagnostic> {
    allowed_names(text).filter_map(move |(offset, name)| {
        let unknown = lints::check(name).err()?;
        let start = comment.start.saturating_add(1).saturating_add(to_u32(offset));
        let span = Span::new(comment.source, start, start.saturating_add(to_u32(name.len())));
        let warning =
            Diagnostic::warning(Code::TEMPLATE_UNKNOWN_LINT, unknown.to_string()).label(span, "allows nothing");
        Some(match unknown.near() {
            Some(near) => warning.help_edit(format!("did you mean `{near}`?"), span, near),
            None => warning,
        })
    })
}

/// Words that begin code, not annotations.
const KEYWORDS: &[&str] =
    &["break", "continue", "def", "elif", "else:", "end", "for", "if", "load", "not", "return", "while"];

/// What is odd about the name of an annotation, which stands at `span`. `empty` says that its node has no value and that
/// nothing is written behind the name.
pub(super) fn check_name(name: &str, span: Span, empty: bool) -> Option<Diagnostic> {
    if KNOWN.binary_search(&name).is_ok() {
        return None;
    }
    let is_operator = |c: char| "()[]{}.+*=<>%&|\"',".contains(c);
    let looks_like_code = KEYWORDS.contains(&name)
        || name.contains('(')
        || name.starts_with('\t')
        || empty && (name.contains(is_operator) || name.starts_with(|c: char| c.is_ascii_digit()));
    if looks_like_code {
        let insert = Span::new(span.source, span.start, span.start);
        return Some(
            Diagnostic::warning(Code::TEMPLATE_MISSING_BLANK, format!("`{name}` is read as the name of an annotation"))
                .label(span, "a space is missing after `#@`")
                .help_edit("put a space between `#@` and the code", insert, " "),
        );
    }
    let space = name.split('/').next().unwrap_or_default();
    let meant = meant_by(name);
    let near = meant.first().copied();
    // far from its namespace a name is somebody's own
    let own = !KNOWN.iter().any(|known| known.split('/').next() == Some(space));
    if own
        && !near.is_some_and(|near| {
            let folded = name.trim_end_matches(':').to_lowercase();
            near.len().abs_diff(name.len()) <= 2 && near.len() <= shared(near, &folded).saturating_add(2)
        })
    {
        return None;
    }
    let warning = Diagnostic::warning(Code::TEMPLATE_UNKNOWN_ANNOTATION, format!("unknown annotation `{name}`"));
    let warning = warning.label(span, "ytt ignores it");
    Some(match meant[..] {
        [near] => warning.help_edit(format!("did you mean `{near}`?"), span, near),
        [] => warning,
        _ => warning.help(format!("items are added by {}, keys by `overlay/match missing_ok=True`", either(&meant))),
    })
}

/// How many characters two names have in common at both ends together.
fn shared(a: &str, b: &str) -> usize {
    let front = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    let rest = a.len().min(b.len()).saturating_sub(front);
    front.saturating_add(a.bytes().rev().zip(b.bytes().rev()).take(rest).take_while(|(x, y)| x == y).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::SourceId;

    #[test]
    fn a_name_ends_at_the_first_space() {
        for (text, beside, expected) in [
            ("! x", true, Meaning::Dropped),
            ("@comment x", true, Meaning::Dropped),
            (" x", false, Meaning::Unknown),
            ("", false, Meaning::Unknown),
            ("#@ x", false, Meaning::Unknown),
            ("@", true, Meaning::Value { text: "", at: 12 }),
            ("@ x", true, Meaning::Value { text: "x", at: 13 }),
            ("@  x ", false, Meaning::Code { text: " x ", at: 13 }),
            ("@template/value 1", false, Meaning::Value { text: "1", at: 27 }),
            ("@template/code x", true, Meaning::Code { text: "x", at: 26 }),
            ("@a/b  c d", true, Meaning::Annotation { name: "a/b", text: " c d", at: 16 }),
            ("@\tx = 1", false, Meaning::Annotation { name: "\tx", text: "= 1", at: 15 }),
            ("@1+1", true, Meaning::Annotation { name: "1+1", text: "", at: 15 }),
        ] {
            assert_eq!(read(text, 10, beside), expected, "{text}");
        }
    }

    #[test]
    fn five_words_close_their_block_behind_the_node() {
        for (text, expected) in [
            (" if/end x:", Some(3)),
            ("elif/end x:", Some(4)),
            ("def/endf():", Some(3)),
            ("while/end x:", None),
            ("x if/end", None),
        ] {
            assert_eq!(sugar(text), expected, "{text}");
        }
    }

    #[test]
    fn what_means_the_same_comes_before_what_is_spelt_alike() {
        for (name, meant) in [
            ("overlay/delete", &["overlay/remove"][..]),
            ("overlay/Drop", &["overlay/remove"]),
            ("overlay/rm", &["overlay/remove"]),
            ("overlay/add", &["overlay/append", "overlay/insert"]),
            ("overlay/mach", &["overlay/match"]),
            ("overlay/match:", &["overlay/match"]),
            ("schema/match", &["data/values-schema"]),
            ("delete", &[]),
        ] {
            assert_eq!(meant_by(name), meant, "{name}");
        }
    }

    #[test]
    fn odd_names_are_warned_of() {
        for (name, empty, expected) in [
            ("overlay/match", true, ""),
            ("my/own", true, ""),
            ("my/own", false, ""),
            ("overlay/matc", true, "unknown annotation `overlay/matc`"),
            ("overlay/match:", false, "unknown annotation `overlay/match:`"),
            ("Overlay/match", false, "unknown annotation `Overlay/match`"),
            ("overlays/match", false, "unknown annotation `overlays/match`"),
            ("template/cod", false, "unknown annotation `template/cod`"),
            ("yaml/own", false, "unknown annotation `yaml/own`"),
            ("data.values.x", true, "`data.values.x` is read as the name of an annotation"),
            ("data.values.x", false, ""),
            ("1+1", true, "`1+1` is read as the name of an annotation"),
            ("end", false, "`end` is read as the name of an annotation"),
            ("overlay/match(by=\"x\")", false, "`overlay/match(by=\"x\")` is read as the name of an annotation"),
        ] {
            let found = check_name(name, Span::new(SourceId(0), 2, 5), empty);
            assert_eq!(found.map(|w| w.message().to_string()).unwrap_or_default(), expected, "{name}");
        }
    }
}
