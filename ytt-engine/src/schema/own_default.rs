//! A default that its own rule refuses, and that is no placeholder for what data values must set: the rule stands above the
//! wrong key, or one of the two is wrong.

use super::misplaced::Misplaced;
use super::{ItemId, Schema};
use crate::diag::{Diagnostic, suggest};
use crate::source::SourceMap;
use crate::template::word;
use crate::validate::{Rules, Test};
use crate::yaml::words::key_text;
use crate::yaml::{Arena, Val};

/// How many times a number is beyond a bound that can hardly be meant for it.
const FAR: f64 = 10.0;

/// What texts have that stand for a value to be set.
const PLACEHOLDERS: [&str; 8] = ["change", "fill", "replace", "required", "todo", "tbd", "example", "your"];

/// What stands for one as a word of its own.
const NOTHING: [&str; 7] = ["missing", "n/a", "nil", "none", "undefined", "unknown", "unset"];

/// Numbers as descriptions have them.
const IN_WORDS: [&str; 9] = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/// The bounds of numbers of ports.
const OF_PORTS: [f64; 2] = [1024.0, 65535.0];

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
    let name = key_text(arena, own.key);
    let either =
        format!("its own default breaks the rule: set `{name}` in data values, or change the default or the rule");
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
    let bounds: Vec<Val> = rules.list.iter().filter_map(|rule| bound(&rule.test)).collect();
    let speaks = |item: ItemId| says_bound(arena, &bounds, &said_of((arena, schema), item));
    let is_described = !schema.inner(own.ty).docs.description.is_empty();
    // Many values lie between two bounds by chance; and where a key has a description, the rule beside it belongs to that key.
    let is_meant = |other: &ItemId| bounds.is_empty() || bounds.len() < 2 && !is_described || speaks(*other);
    let may_move = is_far && (bounds.is_empty() || !speaks(item));
    let beside = found.beside().into_iter();
    let fitting: Vec<ItemId> = beside.filter(|other| may_move && fits(other) && is_meant(other)).collect();
    let told = fitting.iter().fold(problem.clone(), |told, other| found.with_move(told, *other));
    // A word may stand for none of those that are allowed, so that one has to be set.
    let may_ask = fitting.is_empty() && matches!(failed.test, Test::OneOf(_)) && !is_number(own.default);
    (!may_ask).then(|| match told.parts().helps.is_empty() {
        true => told.help(either),
        false => told.help(format!("otherwise {either}")),
    })
}

fn is_number(value: Val) -> bool {
    matches!(value, Val::Int(_) | Val::UInt(_) | Val::Float(_))
}

fn number(arena: &Arena, value: Val) -> Option<f64> {
    is_number(value).then(|| key_text(arena, value).parse().ok()).flatten()
}

/// A bound of numbers.
fn bound(test: &Test) -> Option<Val> {
    match test {
        Test::Min(bound) | Test::Max(bound) => Some(*bound),
        _ => None,
    }
}

/// The name of a declaration and what describes it.
fn said_of((arena, schema): (&Arena, &Schema), item: ItemId) -> String {
    let own = schema.item(item);
    let docs = &schema.inner(own.ty).docs;
    format!("{} {} {}", key_text(arena, own.key), docs.title, docs.description)
}

/// Does what is said of a declaration name one of these bounds, or that it is a port if they are those of ports?
fn says_bound(arena: &Arena, bounds: &[Val], said: &str) -> bool {
    let is_port = suggest::has_word_of("port ports", said);
    let said = said.to_lowercase();
    let has = |word: &str| word::whole(&said, word).next().is_some();
    bounds.iter().any(|bound| {
        let Some(number) = number(arena, *bound) else { return false };
        let in_words = || (2_u8..).map(f64::from).zip(IN_WORDS).any(|(other, word)| other == number && has(word));
        // Zero and one stand in texts for other reasons.
        number > 1.0 && (has(&key_text(arena, *bound)) || in_words()) || is_port && OF_PORTS.contains(&number)
    })
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
    let asks = PLACEHOLDERS.iter().any(|word| text.contains(word))
        || NOTHING.iter().any(|word| word::whole(&text, word).next().is_some());
    text.starts_with(|first: char| first.is_alphanumeric()) && text.len() > 1 && !asks
}
