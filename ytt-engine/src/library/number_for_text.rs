//! A number in place of a text that was there before, printed in other digits than it is written in: `1.10` without quotes,
//! which is 1.1. Without a schema nothing refuses it. Where the text was a version or the like the digits count; a number in
//! place of a quantity (`500m`) or of nothing may well be meant as one.

use crate::diag::{Code, Diagnostic, suggest};
use crate::source::{Origin, SourceMap, Span, to_u32};
use crate::validate::key_text;
use crate::yaml::resolve::{Resolved, resolve};
use crate::yaml::{Arena, NodeId, PosId, Val};

/// The warning of an item of data values that gives a number for the text of another one.
pub(super) fn told(arena: &Arena, sources: &SourceMap, left: NodeId, right: NodeId) -> Option<Diagnostic> {
    let value = arena.value(right);
    let was_text = is_number(value) && do_count(arena, left);
    let place = was_text.then(|| arena.place_of(right)).flatten()?.value();
    let source = sources.get(place.source);
    let written = source.written(place)?.trim_end();
    let place = Span { end: place.start.saturating_add(to_u32(written.len())), ..place };
    let warning = warning(arena, sources, left, (arena.key(right), value), (place, written))?;
    Some(warning.help_edit("quote it, to keep the text", place, format!("\"{written}\"")))
}

/// The same of a flag that sets what is at a path.
pub(super) fn of_flag(
    arena: &Arena,
    sources: &SourceMap,
    document: NodeId,
    (path, value, pos): (&[(Val, PosId)], Val, PosId),
) -> Option<Diagnostic> {
    let mut left = is_number(value).then_some(document)?;
    for (key, _) in path {
        let map = arena.map_of(arena.value(left))?;
        left = *arena.items(map).iter().find(|item| arena.same(arena.key(**item), *key))?;
    }
    do_count(arena, left).then_some(())?;
    let place = arena.place(pos)?.value_or_key(sources);
    let source = sources.get(place.source);
    let (name, written) = source.text.as_str().filter(|_| source.origin == Origin::Flag)?.split_once('=')?;
    let warning = warning(arena, sources, left, (path.last()?.0, value), (place, written.trim()))?;
    let is_plain = written.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".+-_".contains(&byte));
    Some(match is_plain {
        true => warning.help(format!("to give a text, use `--data-value {name}={written}`")),
        false => warning.help("to give a text, use `--data-value`"),
    })
}

fn is_number(value: Val) -> bool {
    matches!(value, Val::Int(_) | Val::UInt(_) | Val::Float(_))
}

/// Is a text a version, a number, a mode, or a word that stands for a version?
fn counts_digits(text: &str) -> bool {
    const WORDS: [&str; 9] = ["current", "edge", "latest", "lts", "main", "master", "nightly", "stable", "snapshot"];
    if WORDS.contains(&&*text.to_lowercase()) {
        return true;
    }
    let own = text.strip_prefix('v').unwrap_or(text);
    let digits = own.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let is_version = own.starts_with(|first: char| first.is_ascii_digit())
        && (digits.is_empty() || digits.starts_with(['-', '+', '_']));
    is_version || matches!(resolve(text), Resolved::Int(_) | Resolved::UInt(_) | Resolved::Float(_))
}

/// Do the digits of a text count, by what its key says it is, or else by what it was?
fn do_count(arena: &Arena, item: NodeId) -> bool {
    let key = key_text(arena, arena.key(item));
    arena.str(arena.value(item)).is_some_and(|text| is_of_digits(&key).unwrap_or_else(|| counts_digits(text)))
}

/// Do digits count in what a key names, whatever the text was?
fn is_of_digits(key: &str) -> Option<bool> {
    const ALWAYS: [&str; 8] = ["branch", "build", "commit", "mode", "release", "revision", "tag", "version"];
    const NEVER: [&str; 10] =
        ["cpu", "duration", "factor", "interval", "limit", "memory", "percent", "rate", "ratio", "timeout"];
    let words = suggest::words(key);
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&&**word));
    if has(&NEVER) { Some(false) } else { has(&ALWAYS).then_some(true) }
}

/// Nothing of a number that reads as it is written, or that code gives.
fn warning(
    arena: &Arena,
    sources: &SourceMap,
    left: NodeId,
    (key, value): (Val, Val),
    (place, written): (Span, &str),
) -> Option<Diagnostic> {
    let shown = key_text(arena, value);
    let is_written = match resolve(written) {
        Resolved::Int(own) => value == Val::Int(own),
        Resolved::UInt(own) => value == Val::UInt(own),
        Resolved::Float(own) => value == Val::Float(own),
        _ => false,
    };
    (is_written && shown != written).then_some(())?;
    let name = key_text(arena, key);
    let text = format!("`{name}` was a text, and `{written}` without quotes is the number {shown}");
    let before = arena.place_of(left).map(|place| place.value_or_key(sources));
    Some(
        Diagnostic::warning(Code::VALUES_NUMBER_FOR_TEXT, text)
            .label(place, format!("this is {shown}"))
            .label_at(before, "a text here"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_count_in_versions_and_not_in_quantities() {
        for (text, expected) in [
            ("1.9", true),
            ("v1.9", true),
            ("0644", true),
            ("1.9-slim", true),
            ("2024_01", true),
            ("latest", true),
            ("-1.5", true),
            ("", false),
            ("500m", false),
            ("30s", false),
            ("1Gi", false),
            ("1h30m", false),
            ("50%", false),
            ("vault", false),
            ("off", false),
        ] {
            assert_eq!(counts_digits(text), expected, "{text}");
        }
    }
}
