//! A default that its own rule refuses, and that is no placeholder for what data values must set: the rule stands above the
//! wrong key, or one of the two is wrong.

use super::misplaced::Misplaced;
use super::{ItemId, Schema};
use crate::diag::Diagnostic;
use crate::source::SourceMap;
use crate::validate::{Rules, Test};
use crate::yaml::words::key_text;
use crate::yaml::{Arena, Val};

/// How much a number is beyond a bound that can hardly be meant for it.
const FAR: f64 = 10.0;

/// What texts have that stand for a value to be set.
const PLACEHOLDERS: [&str; 8] = ["change", "fill", "replace", "required", "todo", "tbd", "example", "your"];

/// The helps for such a default; `None` of one that asks for a value.
pub(super) fn told(
    (arena, sources, schema): (&Arena, &SourceMap, &Schema),
    item: ItemId,
    rules: &Rules,
    problem: &Diagnostic,
) -> Option<Diagnostic> {
    let own = schema.item(item);
    own.rules.as_ref().filter(|own| own.pos == rules.pos && rules.when.is_none())?;
    // What a function says of a value only it knows.
    let is_known = |test: &Test| matches!(test, Test::Min(_) | Test::Max(_) | Test::OneOf(_) | Test::MaxLen(_));
    let failed = rules.list.iter().find(|rule| rule.test.check(arena, own.default).is_err())?;
    rules.list.iter().all(|rule| is_known(&rule.test) || matches!(rule.test, Test::MinLen(_))).then_some(())?;
    (is_known(&failed.test) && is_value(arena, own.default)).then_some(())?;
    const EITHER: &str = "its own default breaks the rule: change the default, or the rule";
    let found = Misplaced::beyond((arena, sources, schema), item, rules);
    let fits = |other: &ItemId| {
        let default = schema.item(*other).default;
        is_value(arena, default)
            && is_number(default) == is_number(own.default)
            && rules.list.iter().all(|rule| rule.test.check(arena, default).is_ok())
    };
    let is_far = match &failed.test {
        Test::OneOf(_) => true,
        Test::Min(bound) => far(arena, own.default, *bound),
        Test::Max(bound) => far(arena, *bound, own.default),
        _ => false,
    };
    let fitting: Vec<ItemId> = found.beside().into_iter().filter(|other| is_far && fits(other)).collect();
    let told = fitting.iter().fold(problem.clone(), |told, other| found.with_move(told, *other));
    // A word may stand for none of those that are allowed, so that one has to be set.
    let may_ask = fitting.is_empty() && matches!(failed.test, Test::OneOf(_)) && !is_number(own.default);
    (!may_ask).then(|| match told.parts().helps.is_empty() {
        true => told.help(EITHER),
        false => told.help("otherwise its own default breaks the rule: change the default, or the rule"),
    })
}

fn is_number(value: Val) -> bool {
    matches!(value, Val::Int(_) | Val::UInt(_) | Val::Float(_))
}

fn number(arena: &Arena, value: Val) -> Option<f64> {
    is_number(value).then(|| key_text(arena, value).parse().ok()).flatten()
}

/// Is one number much less than another, and both above zero?
fn far(arena: &Arena, less: Val, more: Val) -> bool {
    let both = number(arena, less).zip(number(arena, more));
    both.is_some_and(|(less, more)| less > 0.0 && less * FAR < more)
}

/// Is a default a value of its own, and does not ask for one?
fn is_value(arena: &Arena, value: Val) -> bool {
    if let Some(number) = number(arena, value) {
        return number > 0.0;
    }
    let Some(text) = arena.str(value).map(str::to_lowercase) else { return false };
    let asks = PLACEHOLDERS.iter().any(|word| text.contains(word));
    text.starts_with(|first: char| first.is_alphanumeric()) && text.len() > 1 && !asks
}
