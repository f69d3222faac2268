//! Numbers of the other kind than the declared one: a fraction where the example of the schema is a whole number.

use super::Type;
use super::misfit::Told;
use crate::diag::Diagnostic;
use crate::source::Span;
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

/// The digits of a float that has nothing behind its point.
fn whole_number(written: &str) -> Option<String> {
    let (whole, rest) = written.split_once('.')?;
    let is_it = rest.bytes().all(|digit| digit == b'0') && whole.parse::<i64>().is_ok();
    is_it.then(|| whole.to_owned())
}
