//! Quantities with a unit of which code takes another unit off: `int("1Gi".replace("Mi", ""))`.

use super::code::{Binder, FileCode};
use super::{word, written};
use crate::nearest::only;
use crate::source::{SourceId, SourceMap, Span, to_u32};

/// Units that are multiples of each other, by the smallest one of their kind.
const KINDS: [&[(&str, u128)]; 2] = [
    &[
        ("k", 1_000),
        ("M", 1_000_000),
        ("G", 1_000_000_000),
        ("T", 1_000_000_000_000),
        ("Ki", 1 << 10),
        ("Mi", 1 << 20),
        ("Gi", 1 << 30),
        ("Ti", 1 << 40),
    ],
    &[("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000)],
];

/// What code takes off a text of which it makes a number.
pub(crate) struct TakenOff {
    /// The code that gives the text.
    pub(crate) text: Span,
    pub(crate) unit: String,
}

/// The unit that the argument of `int` takes off, if it does nothing else.
pub(crate) fn taken_off(sources: &SourceMap, argument: Span) -> Option<TakenOff> {
    let text = |span: Span| sources.get(span.source).written(span).unwrap_or_default().to_owned();
    let call = match written::call(sources, argument) {
        Some(_) => argument,
        // `number = text.replace("Mi", "")` stands above.
        None => {
            let (name, file) = (text(argument), FileCode::read(&sources.get(argument.source), argument.source)?);
            match file.bound(argument, &name)?.by {
                Binder::Value(value) if file.is_bound_once(argument, &name) => value,
                _ => return None,
            }
        }
    };
    let callee = text(written::callee(sources, call)?);
    let receiver = written::receiver(sources, call)?;
    let method = callee.rsplit('.').next()?;
    let given: Vec<String> = written::call(sources, call)?.iter().map(|argument| text(argument.value)).collect();
    let literal = |code: &str| {
        let inside = ['"', '\''].into_iter().find_map(|quote| code.strip_prefix(quote)?.strip_suffix(quote))?;
        Some(inside.to_owned())
    };
    let unit = match &given[..] {
        [unit, new] if method == "replace" && literal(new).is_some_and(|new| new.is_empty()) => literal(unit)?,
        _ => return None,
    };
    // Of several units nobody knows which one is the number's.
    KINDS.iter().any(|kind| kind.iter().any(|(name, _)| *name == unit)).then_some(())?;
    let is_first = written::callee(sources, receiver).is_none_or(|other| !text(other).ends_with(".replace"));
    is_first.then_some(TakenOff { text: receiver, unit })
}

/// A quantity in another unit, if that is a whole number: `1Gi` in `Mi` is `1024Mi`.
fn in_unit(quantity: &str, unit: &str) -> Option<String> {
    let (number, own) = split(quantity)?;
    let of = |unit: &str, kind: &[(&str, u128)]| kind.iter().find(|(name, _)| *name == unit).map(|(_, size)| *size);
    let (from, to) = KINDS.iter().find_map(|kind| Some((of(own, kind)?, of(unit, kind)?)))?;
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let digits: u128 = format!("{whole}{part}").parse().ok()?;
    let divisor = 10_u128.checked_pow(to_u32(part.len()))?.checked_mul(to)?;
    let all = digits.checked_mul(from)?;
    (all.checked_rem(divisor)? == 0).then_some(())?;
    Some(format!("{}{unit}", all.checked_div(divisor)?))
}

/// What is told where a quantity has another unit than the one that code takes off: the quantity in that unit, with the words
/// for it, and what else can be done.
pub(crate) struct OtherUnit {
    pub(crate) new: Option<String>,
    pub(crate) write_it: String,
    pub(crate) read_it: String,
}

impl OtherUnit {
    pub(crate) fn of(quantity: &str, unit: &str) -> Option<OtherUnit> {
        let (_, own) = split(quantity)?;
        // What is left of `120ms` without its `m`, or of `10MiB`, is no quantity.
        let is_known = |name: &str| KINDS.iter().any(|kind| kind.iter().any(|(known, _)| *known == name));
        (is_known(own) && !is_known(&format!("{unit}{own}"))).then_some(())?;
        let new = in_unit(quantity, unit);
        let write_it = match &new {
            Some(new) => format!("write it in `{unit}`, which is what the code takes off: `{new}`"),
            None => format!("the code takes off `{unit}` alone: write what it reads in `{unit}`"),
        };
        Some(OtherUnit { new, write_it, read_it: format!("let the code read `{own}`, too") })
    }
}

/// Where a quantity stands in what is written for a value, which may be in quotes.
pub(crate) fn within(sources: &SourceMap, value: Span, quantity: &str) -> Option<Span> {
    let written = sources.get(value.source).written(value)?.to_owned();
    let at = written.find(quantity)?;
    let [before, behind] = [written.get(..at)?, written.get(at.checked_add(quantity.len())?..)?];
    let is_quoted = before == behind && matches!(before.as_bytes(), [] | [b'"' | 0x27]);
    let start = value.start.checked_add(to_u32(at))?;
    is_quoted.then_some(Span { start, end: start.checked_add(to_u32(quantity.len()))?, ..value })
}

/// The number and the unit of a quantity.
fn split(quantity: &str) -> Option<(&str, &str)> {
    let end = quantity.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
    let (number, unit) = quantity.split_at_checked(end)?;
    let is_number = number.len() <= 12 && number.starts_with(|first: char| first.is_ascii_digit());
    (is_number && unit.bytes().all(|byte| byte.is_ascii_alphabetic())).then_some((number, unit))
}

/// Where a quantity is written as a value, if that is one place of all sources that may be looked through.
pub(crate) fn only_place(sources: &SourceMap, quantity: &str, may_look: &dyn Fn(usize) -> bool) -> Option<Span> {
    let belongs = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.' | '/' | ':' | '+');
    let mut found = Vec::new();
    for (source, id) in sources.all().into_iter().zip(0..).map(|(source, id)| (source, SourceId(id))) {
        let Some(text) = source.text.as_str() else { continue };
        if !may_look(text.len()) {
            return None;
        }
        for at in word::apart(text, quantity, belongs) {
            let place = Span::new(id, to_u32(at), to_u32(at.checked_add(quantity.len())?));
            let before = source.line_range(source.line(place.start));
            let before = source.written(Span { start: before.start, end: place.start, ..place }).unwrap_or_default();
            // What a comment says is no value.
            let is_comment = before.trim_start().starts_with('#') && !before.trim_start().starts_with("#@")
                || before.contains(" #!")
                || before.contains(" # ");
            if !is_comment {
                found.push(place);
            }
        }
    }
    only(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_whole_numbers_of_a_unit_of_their_kind() {
        for (quantity, unit, expected) in [
            ("1Gi", "Mi", Some("1024Mi")),
            ("1.5Gi", "Mi", Some("1536Mi")),
            ("512Mi", "Gi", None),
            ("2048Mi", "Gi", Some("2Gi")),
            ("1G", "M", Some("1000M")),
            ("1G", "Mi", None),
            ("1s", "ms", Some("1000ms")),
            ("2h", "m", Some("120m")),
            ("1Gi", "m", None),
            ("500m", "Mi", None),
            ("Gi", "Mi", None),
            ("1", "Mi", None),
            ("99999999999999999999Gi", "Mi", None),
        ] {
            assert_eq!(in_unit(quantity, unit).as_deref(), expected, "{quantity} in {unit}");
        }
    }
}
