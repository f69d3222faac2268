//! A scalar that is there as a value of another kind: a matcher looks for the text `"443"` where the integer 443 is. Of
//! what code has, the literal is edited; `data_values` and `fragments` have what data values and YAML give.

use super::fragments::in_yaml;
use super::nearest::{Fix, Meaning};
use super::parts::Path;
use super::several;
use super::words::key_text;
use crate::diag::PathStep;
use crate::nearest::only;
use crate::overlay::engine::Scene;
use crate::quoted;
use crate::source::{Span, to_u32};
use crate::template::{outline, written};
use crate::yaml::resolve::{Resolved, resolve};
use crate::yaml::words::{article, kind_name};
use crate::yaml::{Arena, Val};

/// A leaf of a target, and what an item has in its place.
pub(super) struct OtherKind<'a> {
    pub(super) path: &'a Path,
    pub(super) wanted: Val,
    pub(super) here: Val,
}

/// Are two scalars written alike, where nothing quotes them, and differ in nothing but their kind?
pub(super) fn is_other_kind(arena: &Arena, here: Val, wanted: Val) -> bool {
    let (text, other) = match (here, wanted) {
        (Val::Str { .. }, Val::Str { .. }) => return false,
        (text @ Val::Str { .. }, other) | (other, text @ Val::Str { .. }) => (text, other),
        (Val::Int(_) | Val::UInt(_), Val::Float(_)) | (Val::Float(_), Val::Int(_) | Val::UInt(_)) => {
            return key_text(arena, here) == key_text(arena, wanted);
        }
        _ => return false,
    };
    match (resolve(arena.str(text).unwrap_or_default()), other) {
        (Resolved::Null, Val::Null) => arena.str(text).is_some_and(|text| !text.is_empty()),
        (Resolved::Bool(text), Val::Bool(other)) => text == other,
        (Resolved::Int(text), Val::Int(other)) => text == other,
        (Resolved::UInt(text), Val::UInt(other)) => text == other,
        (Resolved::Float(text), Val::Float(other)) => text.to_bits() == other.to_bits(),
        // A float without a fraction is written as an integer.
        (Resolved::Int(_), Val::Float(_)) => key_text(arena, here) == key_text(arena, wanted),
        _ => false,
    }
}

/// A scalar with what it is: `443` as an integer.
pub(super) fn as_a_kind(arena: &Arena, value: Val) -> String {
    let kind = kind_name(arena, value);
    format!("`{}` as {} {kind}", key_text(arena, value), article(kind))
}

/// The edit of a scalar in YAML to the same as it is on the left.
pub(super) fn in_yaml_as_there(arena: &Arena, span: Span, (wanted, here): (Val, Val)) -> Option<Fix> {
    match (here, arena.str(wanted)) {
        // As it is written, without its quotes: `1.20`.
        (Val::Float(_), Some(text)) if is_other_kind(arena, here, wanted) => {
            Some(Fix::meant(span, text, text.to_owned()))
        }
        _ => in_yaml(arena, span, here),
    }
}

/// A scalar of the left as code has it.
fn in_code(arena: &Arena, (wanted, here): (Val, Val)) -> Option<String> {
    match (here, arena.str(wanted)) {
        (Val::Float(_), Some(text)) => {
            let (whole, rest) = text.split_once('.')?;
            let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            (is_digits(whole) && is_digits(rest)).then(|| text.to_owned())
        }
        _ => several::literal(arena, here),
    }
}

/// What the edit of a literal does.
fn text_of(arena: &Arena, values: (Val, Val)) -> String {
    let here = values.1;
    match here {
        Val::Str { .. } => {
            let shown = quoted::starlark(arena.str(here).unwrap_or_default());
            format!("compare with the string that is there: `{shown}`, with quotes")
        }
        _ => {
            let (kind, shown) = (kind_name(arena, here), in_code(arena, values).unwrap_or_default());
            format!("compare with the {kind} that is there: `{shown}`, without quotes")
        }
    }
}

impl Scene<'_> {
    /// The edit of all that a matcher looks for and that is there as values of other kinds, where it is written in code.
    pub(super) fn literals_of_other_kinds(&self, arena: &Arena, all: &[OtherKind<'_>]) -> Option<Fix> {
        let mut is_guess = false;
        let edits = all.iter().map(|OtherKind { path, wanted, here }| {
            let (span, is_shared) = self.leaf_literal(arena, path, *wanted)?;
            is_guess |= is_shared;
            Some((span, in_code(arena, (*wanted, *here))?))
        });
        let mut edits: Vec<(Span, String)> = edits.collect::<Option<_>>()?;
        edits.sort_by_key(|(span, _)| span.start);
        edits.dedup();
        let (first, _) = edits.first()?;
        // Places of one file, each with an edit of its own.
        let is_apart = |pair: &[(Span, String)]| match pair {
            [(one, _), (next, _)] => one.source == next.source && one.end <= next.start,
            _ => true,
        };
        edits.windows(2).all(is_apart).then_some(())?;
        let source = self.calls.sources().get(first.source);
        let (span, new) = source.replaced(edits.iter().map(|(span, new)| (*span, &**new)))?;
        let text = match all {
            [one] => text_of(arena, (one.wanted, one.here)),
            _ => "compare with values of the kinds that are there".to_owned(),
        };
        let text = if is_guess { text + "; other code reads it here, too" } else { text };
        Some(Fix { span, new, text, meaning: Meaning::Quoted, is_guess, must_mend: false })
    }

    /// The edit of a literal that code gives an item, to the same as it is there.
    pub(super) fn literal_of_other_kind(&self, arena: &Arena, code: Span, (wanted, here): (Val, Val)) -> Option<Fix> {
        let span = self.scalar_in(arena, code, wanted).filter(|span| self.is_all_of(code, *span))?;
        let (new, text) = (in_code(arena, (wanted, here))?, text_of(arena, (wanted, here)));
        Some(Fix { span, new, text, meaning: Meaning::Quoted, is_guess: false, must_mend: false })
    }

    /// Where the code of a matcher has a leaf of its target: at its path, once in its argument, or as what a name there is
    /// set to; and whether more reads that.
    fn leaf_literal(&self, arena: &Arena, path: &Path, wanted: Val) -> Option<(Span, bool)> {
        let by = self.by_span()?;
        let at_its_path = || {
            let step = |(item, position): &(_, usize)| match arena.str(arena.key(*item)) {
                Some(key) => PathStep::Key(key),
                None => PathStep::Index(*position),
            };
            let steps: Vec<PathStep<'_>> = path.iter().map(step).collect();
            let value = written::within(self.calls.sources(), self.written_target()?, &steps)?.value;
            self.scalar_in(arena, value, wanted).filter(|span| self.is_all_of(value, *span))
        };
        let found = at_its_path().or_else(|| self.scalar_in(arena, by, wanted));
        found.map(|span| (span, false)).or_else(|| self.constant_of_other_kind(arena, by, wanted))
    }

    /// The one name in a matcher that is set to such a literal.
    fn constant_of_other_kind(&self, arena: &Arena, by: Span, wanted: Val) -> Option<(Span, bool)> {
        let sources = self.calls.sources();
        let found = written::names(sources, by).into_iter().filter_map(|name| {
            let (file, own) = self.home(name.source, &self.written(name)?)?;
            let value = outline::value(&sources.get(file), file, &own)?;
            let span = self.scalar_in(arena, value, wanted).filter(|span| self.is_all_of(value, *span))?;
            // Where it is set, loaded and used here.
            let expected = if file == by.source { 2 } else { 3 };
            Some((span, self.uses(&own) > expected))
        });
        only(found)
    }

    /// A scalar that stands once in code.
    fn scalar_in(&self, arena: &Arena, code: Span, wanted: Val) -> Option<Span> {
        match wanted {
            Val::Str { .. } => self.literal(code, arena.str(wanted)?),
            Val::Float(wanted) => {
                let is_it = |text: &str| text.parse::<f64>().is_ok_and(|value| value.to_bits() == wanted.to_bits());
                written::scalar(self.calls.sources(), code, is_it)
            }
            _ => {
                let wanted = several::literal(arena, wanted)?;
                written::scalar(self.calls.sources(), code, |text| text == wanted)
            }
        }
    }

    /// Is a part all that code says?
    fn is_all_of(&self, code: Span, part: Span) -> bool {
        let written = self.written(code).unwrap_or_default();
        let before = written.len().saturating_sub(written.trim_start().len());
        code.start.saturating_add(to_u32(before)) == part.start && Some(written.trim()) == self.written(part).as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_of_another_kind_than_what_it_is_read_as() {
        let mut arena = Arena::new(1 << 20);
        let mut is_it = |text: &str, other: Val| {
            let text = arena.make_str(text);
            is_other_kind(&arena, text, other) && is_other_kind(&arena, other, text)
        };
        for (text, other, expected) in [
            ("443", Val::Int(443), true),
            ("443", Val::Int(80), false),
            ("1", Val::Float(1.0), true),
            ("1.5", Val::Float(1.5), true),
            ("2", Val::Float(1.0), false),
            ("true", Val::Bool(true), true),
            ("true", Val::Bool(false), false),
            ("null", Val::Null, true),
            ("", Val::Null, false),
        ] {
            assert_eq!(is_it(text, other), expected, "{text}");
        }
    }
}
