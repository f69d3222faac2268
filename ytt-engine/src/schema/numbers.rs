//! Numbers of the other kind than the declared one: a fraction where the example of the schema is a whole number.

use super::misfit::Told;
use super::{Type, TypeKind};
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::template::handled::{Handled, handled};
use crate::validate::key_text;
use crate::yaml::Val;

impl Told<'_> {
    /// A float at `span` where an integer is declared: the example that declares floats, or the whole number that is meant.
    pub(super) fn fraction(&self, told: Diagnostic, span: Span, value: Val, ty: &Type) -> Diagnostic {
        let Val::Float(number) = value else { return told };
        let given = self.sources.get(span.source);
        if let Some(whole) = given.written(span).and_then(whole_number) {
            return told.help_edit("an integer is written without a point", span, whole).guessing();
        }
        let declared = self.arena.place(ty.pos).filter(|place| place.code(self.sources).is_none());
        let example = declared.map(|place| place.value());
        let written = example.and_then(|place| {
            let source = self.sources.get(place.source);
            let text = source.written(place)?;
            let is_whole = text.trim_start_matches(['-', '+']).bytes().all(|digit| digit.is_ascii_digit());
            (is_whole && text.parse::<i64>().is_ok()).then(|| (place, format!("{text}.0")))
        });
        let told = match written {
            Some((place, new)) => {
                let text = format!("if fractions are meant, declare a float: `{new}`");
                told.help_edit(text, place, new).guessing()
            }
            None => told.help("if fractions are meant, declare a float, by an example with a point"),
        };
        if number.is_finite() { told.help("otherwise give a whole number") } else { told }
    }
}

impl Told<'_> {
    /// A quantity of Kubernetes, such as `1500m` of processors, where the example of the schema is a plain number: quotes
    /// around that one let it be any quantity, unless a rule or code takes it for a number, or code writes the unit.
    pub(super) fn quantity(&self, told: Diagnostic, text: &str, ty: &Type) -> Diagnostic {
        let is_number = matches!(ty.kind, TypeKind::Int | TypeKind::Float);
        let has_rule = || self.schema.items.iter().any(|item| item.pos == ty.pos && item.rules.is_some());
        if !is_number || !is_quantity(text, self.path) || has_rule() {
            return told;
        }
        if handled(self.sources, self.path) != Handled::default() {
            return told;
        }
        let declared = self.arena.place(ty.pos).filter(|place| place.code(self.sources).is_none());
        let example = declared.map(|place| place.value());
        let written =
            example.and_then(|place| Some((place, self.sources.get(place.source).written(place)?.to_owned())));
        let plain = written.filter(|(_, text)| text.parse::<f64>().is_ok());
        let Some((place, written)) = plain else { return told };
        let text = format!("`{text}` is a quantity, which is a text: quote the one of the schema, to take any");
        told.help_edit(text, place, format!("\"{written}\"")).guessing().if_it_mends()
    }

    /// A text in an annotation of a number, which no edit makes one: what the declaration has.
    pub(super) fn as_declared(&self, told: Diagnostic, value: Val, ty: &Type) -> Diagnostic {
        let is_number = matches!(ty.kind, TypeKind::Int | TypeKind::Float);
        let shown = key_text(self.arena, ty.default);
        let has_unit = self.arena.str(value).is_some_and(has_unit);
        if !is_number || !has_unit || !told.parts().helps.is_empty() || shown.is_empty() {
            return told;
        }
        told.help(format!("give a number without a unit, as the declared value `{shown}` is"))
    }
}

/// Whether a text is a quantity of what the key at a path names. A thousandth is a unit of processors alone.
fn is_quantity(text: &str, path: &str) -> bool {
    const SUFFIXES: [&str; 8] = ["k", "M", "G", "T", "Ki", "Mi", "Gi", "Ti"];
    let unit = text.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let mut keys = path.rsplit('.');
    let key = keys.next().unwrap_or_default();
    let ends_in = |word: &str| {
        let before = key.len().checked_sub(word.len()).and_then(|at| key.split_at_checked(at));
        before.is_some_and(|(before, end)| {
            let is_whole = before.is_empty() || before.ends_with(['_', '-']);
            let is_raised =
                before.ends_with(|letter: char| letter.is_lowercase()) && end.starts_with(char::is_uppercase);
            end.eq_ignore_ascii_case(word) && (is_whole || is_raised)
        })
    };
    let is_named = ["cpu", "memory", "storage"].into_iter().any(ends_in);
    let is_below = keys.next().is_some_and(|around| matches!(around, "requests" | "limits"));
    let is_unit = if unit == "m" { ends_in("cpu") } else { SUFFIXES.contains(&unit) };
    unit.len() < text.len() && is_unit && (is_named || is_below)
}

/// The digits of a float that has nothing behind its point.
fn whole_number(written: &str) -> Option<String> {
    let (whole, rest) = written.split_once('.')?;
    let is_it = rest.bytes().all(|digit| digit == b'0') && whole.parse::<i64>().is_ok();
    is_it.then(|| whole.to_owned())
}

/// A text that is a number with a unit, where a number is declared: the help, and the number where that is known. Seconds and
/// percents are what people write so; of other units nobody knows how many of the declared ones they are.
pub(super) fn without_unit(text: &str, (path, kind): (&str, &TypeKind)) -> Option<(String, Option<String>)> {
    let length = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
    let (number, unit) = text.split_at(length);
    let value: f64 = number.parse().ok()?;
    let key = path.rsplit('.').next().unwrap_or_default().to_lowercase();
    let (what, new) = match (kind, unit) {
        (TypeKind::Float, "%") => ("a float", Some(format!("{}", value / 100.0))),
        (TypeKind::Int, "%" | "s") if number.parse::<i64>().is_ok() => ("an integer", Some(number.to_owned())),
        (TypeKind::Int, _) if is_unit(unit) => ("an integer", None),
        (TypeKind::Float, _) if is_unit(unit) => ("a float", None),
        _ => return None,
    };
    // A key that names another unit counts in that one; a zero in front makes an octal number of it.
    const OTHERS: [&str; 7] = ["mill", "micro", "nano", "minute", "hour", "day", "week"];
    let is_other =
        OTHERS.iter().any(|unit| key.contains(unit)) || ["ms", "us", "ns"].iter().any(|end| key.ends_with(end));
    let is_plain = number.len() < 10 && (number.len() == 1 || !number.starts_with('0') || number.starts_with("0."));
    let new = new.filter(|_| !is_other && is_plain);
    let is_whole = |new: &String| !new.contains('.');
    let new = match kind {
        // A float of the schema shows its point.
        TypeKind::Float => new.map(|new| if is_whole(&new) { format!("{new}.0") } else { new }),
        _ => new,
    };
    let text = match (&new, unit) {
        (Some(new), "%") if matches!(kind, TypeKind::Float) => format!("write it as {what}, without `%`: `{new}`"),
        (Some(_), _) => "write the number without a unit".to_owned(),
        (None, _) => format!("{what} has no unit: write how many it is of the unit that the schema means"),
    };
    Some((text, new))
}

/// A unit of times or sizes.
fn is_unit(unit: &str) -> bool {
    matches!(
        unit,
        "ms" | "s" | "m" | "h" | "d" | "min" | "k" | "K" | "M" | "G" | "Ki" | "Mi" | "Gi" | "KB" | "MB" | "GB"
    )
}

/// Quotes around what is given for a text. `1800` for an `example` such as `15m` is hardly meant without a unit, so nobody is
/// shown an edit that gives it: it would be taken. Of processors Kubernetes takes both, `500m` and `2`.
pub(super) fn quoted(told: Diagnostic, (path, example): (&str, Option<&str>), span: Span, written: &str) -> Diagnostic {
    let key = path.rsplit('.').next().unwrap_or_default().to_lowercase();
    let new = format!("\"{written}\"");
    match example.filter(|example| has_unit(example)) {
        Some(example) if !key.contains("cpu") => told.help(format!(
            "to give a string, write it with its unit, as `{example}` has, or in quotes if it needs none: `{new}`"
        )),
        Some(example) => {
            let text = format!("to give a string, quote the value, with a unit if it needs one, as `{example}` has");
            told.help_edit(text, span, new).guessing()
        }
        None => told.help_edit("to give a string, quote the value", span, new),
    }
}

/// A number with a word behind it: `15m`, `500Mi`.
fn has_unit(text: &str) -> bool {
    let unit = text.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    unit.len() < text.len() && !unit.is_empty() && unit.chars().all(|letter| letter.is_alphabetic() || letter == '%')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_those_of_resources() {
        for (text, path) in [("500m", "cpu"), ("1Gi", "db.maxMemory"), ("2k", "limits.pods"), ("5Gi", "db.pvc_storage")]
        {
            assert!(is_quantity(text, path), "{path}");
        }
        for (text, path) in [
            ("5m", "memory"),
            ("5m", "limits.pods"),
            ("1k", "rate_limits"),
            ("5", "cpu"),
            ("m", "cpu"),
            ("1Gi", "inmemory"),
            ("1k", "requests"),
        ] {
            assert!(!is_quantity(text, path), "{path}");
        }
    }

    #[test]
    fn of_seconds_and_percents_the_number_is_known_and_of_other_units_it_is_not() {
        let found = |text: &str, path: &str, kind: TypeKind| without_unit(text, (path, &kind)).map(|(_, new)| new);
        let known = |new: &str| Some(Some(new.to_owned()));
        assert_eq!(found("30s", "probe.delay", TypeKind::Int), known("30"));
        assert_eq!(found("80%", "threshold", TypeKind::Int), known("80"));
        assert_eq!(found("10%", "ratio", TypeKind::Float), known("0.1"));
        assert_eq!(found("100%", "ratio", TypeKind::Float), known("1.0"));
        assert_eq!(found("5m", "probe.delay", TypeKind::Int), Some(None));
        assert_eq!(found("30s", "timeout_ms", TypeKind::Int), Some(None));
        assert_eq!(found("1.5s", "probe.delay", TypeKind::Int), Some(None));
        for none in ["", "s", "30", "30 apples", "1.2.3", "30s ago"] {
            assert_eq!(found(none, "a", TypeKind::Int), None, "{none}");
        }
    }
}
