//! A text that a matcher makes of a data value and more: where the value is given, and the one with which the matcher would
//! ask for what is there.

use super::data_values::DataPlace;
use super::fragments::text_in_yaml;
use super::nearest::{Fix, Meaning};
use super::words::scalar_text;
use crate::diag::suggest;
use crate::nearest::only;
use crate::overlay::engine::Scene;
use crate::source::{Origin, Span};
use crate::template::{outline, written};
use crate::yaml::Arena;

/// Data values of one matcher that are looked at.
const MOST: usize = 8;
/// Names that stand for names.
const STEPS: usize = 3;
/// Bytes of a text that a help writes.
const LONGEST: usize = 100;

/// A data value that a matcher reads.
pub(super) struct Ingredient {
    text: String,
    place: DataPlace,
    said: String,
}

/// What makes a text of a matcher another one than is there.
pub(super) struct Composed {
    /// Where the value is given, and what it is.
    pub(super) from: (Span, String),
    pub(super) fix: Option<Fix>,
    /// What a flag has to give.
    pub(super) by_flag: Option<String>,
}

impl Scene<'_> {
    /// The texts of data values that the matcher at hand reads, also behind names that are set to code.
    pub(super) fn ingredients(&self, arena: &Arena) -> Vec<Ingredient> {
        let Some(by) = self.by_span() else { return Vec::new() };
        let sources = self.calls.sources();
        let mut open: Vec<(Span, usize)> = vec![(self.value_in(by), STEPS)];
        let (mut found, mut left): (Vec<Ingredient>, usize) = (Vec::new(), MOST.saturating_mul(STEPS));
        while let Some((code, steps)) = open.pop() {
            for path in written::paths(sources, code) {
                let Some(less) = left.checked_sub(1).filter(|_| found.len() < MOST) else { return found };
                left = less;
                let items = self.calls.data_items(path);
                if let Some(item) = only(items) {
                    let value = arena.value(item);
                    let Some(text) = arena.str(value).filter(|text| !text.is_empty()) else { continue };
                    let Some(place) = self.given_by_data(arena, path, value) else { continue };
                    let said = format!("`{}` is {}", place.code, scalar_text(arena, value));
                    found.push(Ingredient { text: text.to_owned(), place, said });
                    continue;
                }
                let set_to = || {
                    let (file, own) = self.home(path.source, &self.written(path)?)?;
                    outline::value(&sources.get(file), file, &own)
                };
                if let (Some(steps), Some(value)) = (steps.checked_sub(1), set_to()) {
                    open.push((value, steps));
                }
            }
        }
        found
    }

    /// The data value that is a part of what a matcher looks for, and the edit with which it would look for what is there.
    ///
    /// `whole` has the texts that it looks for: one that is a whole of them is hardly a part of another one, too.
    pub(super) fn composed(
        &self,
        all: &[Ingredient],
        (wanted, here): (&str, &str),
        whole: impl Fn(&str) -> bool,
    ) -> Option<Composed> {
        // What the matcher says itself no data value makes.
        if self.by_span().and_then(|by| self.literal(by, wanted)).is_some() {
            return None;
        }
        let is_part =
            |one: &&Ingredient| one.text.len() < wanted.len() && wanted.contains(&*one.text) && !whole(&one.text);
        // Of two nobody knows which one is wrong.
        let Ingredient { text, place, said } = only(all.iter().filter(is_part))?;
        let from = (place.span, said.clone());
        let Some(new) = in_place_of(text, (wanted, here)).filter(|new| is_like(text, new)) else {
            return Some(Composed { from, fix: None, by_flag: None });
        };
        let key = place.code.rsplit('.').next().unwrap_or_default();
        let is_short = new.len() <= LONGEST && !new.contains(['`', '\n']);
        let is_flag = self.calls.sources().get(place.span.source).origin == Origin::Flag;
        let by_flag = (is_flag && is_short && place.is_alone).then(|| {
            let path = place.code.strip_prefix("data.values.").unwrap_or(&place.code);
            format!("with `{path}={new}` the matcher asks for `{here}`, which is there")
        });
        let is_open = place.is_file && is_short && self.is_line(place.span);
        let fix = is_open.then(|| Fix {
            span: place.span,
            text: format!("with `{key}: {new}` the matcher asks for `{here}`, which is there"),
            new: text_in_yaml(new),
            meaning: Meaning::There,
            is_guess: !place.is_alone,
            must_mend: true,
        });
        Some(Composed { from, fix, by_flag })
    }
}

/// What stands in a text where another one has `part`, and is the same around it.
fn in_place_of<'a>(part: &str, (wanted, here): (&str, &'a str)) -> Option<&'a str> {
    let found = wanted.match_indices(part).filter_map(|(at, _)| {
        let (front, rest) = wanted.split_at_checked(at)?;
        let behind = rest.strip_prefix(part)?;
        here.strip_prefix(front)?.strip_suffix(behind).filter(|new| !new.is_empty() && *new != part)
    });
    only(found)
}

/// Does a value say more or less of the same? Another one rather belongs to something else.
fn is_like(text: &str, new: &str) -> bool {
    let (text, new) = (text.to_lowercase(), new.to_lowercase());
    let (longer, shorter) = if new.len() > text.len() { (&new, &text) } else { (&text, &new) };
    let is_part = ["-", ".", "_"].iter().any(|between| {
        longer.strip_prefix(&**shorter).is_some_and(|rest| rest.starts_with(between))
            || longer.strip_suffix(&**shorter).is_some_and(|rest| rest.ends_with(between))
    });
    is_part || suggest::similar(&text, [&*new]).is_some() || suggest::is_called_alike(&text, &new)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_text_is_told_by_what_stands_around_it() {
        for (part, wanted, here, expected) in [
            ("pgo", "pgo-config", "pgo-prod-config", Some("pgo-prod")),
            ("pgo", "app-pgo", "app-mysql", Some("mysql")),
            ("pgo", "pgo-config", "pgo-operator", None),
            ("a", "a-b-a", "c-b-a", Some("c")),
            ("pgo", "pgo-config", "-config", None),
        ] {
            assert_eq!(in_place_of(part, (wanted, here)), expected, "{wanted} {here}");
        }
    }

    #[test]
    fn a_value_of_something_else_is_not_meant() {
        for (text, new, expected) in [
            ("pgo", "pgo-prod", true),
            ("shop-prod", "shop", true),
            ("shop", "shpo", true),
            ("shop", "kube-root", false),
        ] {
            assert_eq!(is_like(text, new), expected, "{text} {new}");
        }
    }
}
