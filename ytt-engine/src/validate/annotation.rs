//! Arguments of `@schema/validation` and `@assert/validate`: read once, when they are first needed.
//!
//! Tuples come first, then the rules of keywords in a fixed order, however written; `not_null` runs before all of them.

use std::sync::Arc;

use crate::call::{Call, Seen, ValueHandle};
use crate::diag::{Code, Diagnostic, suggest};
use crate::source::Span;
use crate::template::written::{self, Argument};
use crate::yaml::words::place_text;
use crate::yaml::{Annotation, Val};

use super::rule::{Rule, Rules, Test};
use super::text::repr;

pub(crate) fn read(calls: &dyn Call, annotation: &Annotation) -> Result<Rules, Diagnostic> {
    let args = calls.args(annotation.args);
    let place = place_text(&calls.arena().borrow(), calls.sources(), annotation.pos);
    let reader = Reader { calls, place };
    let rules = if args.positional.is_empty() && args.named.is_empty() {
        let message = "expected annotation to have 2-tuple as argument(s), but found no arguments";
        Err(Wrong { text: format!("{message} (by {})", reader.place), argument: None })
    } else {
        reader.rules(&args.positional, &args.named)
    };
    rules.map(|rules| Rules { pos: annotation.pos, ..rules }).map_err(|wrong| {
        let message = format!("Invalid @{} annotation - {}", annotation.name, wrong.text);
        told(calls, annotation, Diagnostic::error(Code::VALIDATE_ANNOTATION, message), wrong.argument)
    })
}

/// Marks the argument that is wrong and says what it must be.
fn told(calls: &dyn Call, annotation: &Annotation, problem: Diagnostic, which: Option<Which>) -> Diagnostic {
    let arena = calls.arena().borrow();
    let Some(place) = arena.place(annotation.pos) else { return problem };
    let written = written::arguments(calls.sources(), place.value());
    let problem = match which {
        Some(Which::Positional(number)) => {
            let argument = written.iter().filter(|argument| argument.name.is_none()).nth(number);
            let pair = "this must be a pair: (\"what a value must be\", function of the value)";
            if let Some((both, new)) = apart(calls, &written).filter(|_| number == 0) {
                let told = problem.label(both, pair).at(Some(place.whole()));
                return told.help_edit("put the text and the function into brackets", both, new);
            }
            let told = problem.label_at(argument.map(|argument| argument.value), pair);
            match argument.and_then(|argument| turned(calls, argument.value)) {
                Some((span, new)) => told.help_edit("description first, then the function", span, new),
                None => match argument.and_then(|argument| described(calls, argument.value)) {
                    Some((span, new)) => {
                        let text = "say in front of the function what the value must be";
                        told.help_edit(text, span, new).guessing()
                    }
                    None => told,
                },
            }
        }
        Some(Which::Named(name, value)) => {
            let argument = written::named(calls.sources(), place.value(), &name);
            let argument = argument.as_ref();
            let Some(wanted) = wanted(&name) else { return unknown(problem, &name, argument).at(Some(place.whole())) };
            let problem = problem.label_at(argument.map(Argument::whole), format!("`{name}` must be {wanted}"));
            let number = match calls.see(value) {
                Seen::Str(text) => text.parse::<i64>().ok().filter(|_| wanted == NUMBER),
                _ => None,
            };
            match (argument, number) {
                (Some(argument), Some(number)) => {
                    problem.help_edit("remove the quotes", argument.value, number.to_string())
                }
                (Some(argument), _) if &*name == "when" && matches!(calls.see(value), Seen::Bool(true)) => {
                    let text = "to check always, remove `when`";
                    // With the comma in front of it.
                    let at = argument.whole();
                    match written.iter().map(Argument::whole).rfind(|other| other.end <= at.start) {
                        Some(before) => problem.help_edit(text, Span { start: before.end, ..at }, "").guessing(),
                        None => problem.help(text),
                    }
                }
                _ => problem,
            }
        }
        None => problem,
    };
    problem.at(Some(place.whole()))
}

/// A text and what may be a function as two arguments: where they stand, and the pair of them.
fn apart(calls: &dyn Call, written: &[Argument]) -> Option<(Span, String)> {
    let positional: Vec<&Argument> = written.iter().filter(|argument| argument.name.is_none()).collect();
    let [text, function] = positional[..] else { return None };
    let both = Span { end: function.value.end, ..text.value };
    let source = calls.sources().get(both.source);
    let is_pair = written::is_text(calls.sources(), text.value)
        && !source.written(function.value)?.starts_with(['(', '*'])
        && !written::is_text(calls.sources(), function.value)
        && written::call(calls.sources(), function.value).is_none();
    is_pair.then(|| Some((both, format!("({})", source.written(both)?))))?
}

/// A function without a description: with what it asks as the description.
fn described(calls: &dyn Call, argument: Span) -> Option<(Span, String)> {
    let sources = calls.sources();
    let source = sources.get(argument.source);
    let (_, body) = written::lambda(sources, argument)?;
    let (function, asked) = (source.written(argument)?, source.written(body)?);
    let is_plain = !asked.contains(['"', '\\', '\n']);
    is_plain.then(|| (argument, format!("(\"{asked}\", {function})")))
}

/// A pair whose text stands behind its function: the other way round.
fn turned(calls: &dyn Call, pair: Span) -> Option<(Span, String)> {
    let sources = calls.sources();
    let [first, second] = written::elements(sources, pair)[..] else { return None };
    let is_turned = written::is_text(sources, second) && !written::is_text(sources, first);
    let source = sources.get(pair.source);
    let (function, text) = (source.written(first)?, source.written(second)?);
    is_turned.then(|| (Span { end: second.end, ..first }, format!("{text}, {function}")))
}

fn unknown(problem: Diagnostic, name: &str, argument: Option<&Argument>) -> Diagnostic {
    let span = argument.and_then(|argument| argument.name);
    let problem = problem.label_at(span, "no such argument");
    let near = suggest::similar(name, KEYWORDS).or_else(|| suggest::shortened(name, KEYWORDS));
    match (near, span) {
        (Some(near), Some(span)) => problem.help_edit(format!("did you mean `{near}`?"), span, near),
        (Some(near), None) => problem.help(format!("did you mean `{near}`?")),
        (None, _) => problem.note(format!("keyword arguments: {}", KEYWORDS.join(", "))),
    }
}

/// What a rule may be given by.
const KEYWORDS: [&str; 8] = ["max", "max_len", "min", "min_len", "not_null", "one_not_null", "one_of", "when"];

const NUMBER: &str = "a number";

/// What a keyword argument must be; `None` for those that do not exist.
fn wanted(name: &str) -> Option<&'static str> {
    Some(match name {
        "when" => "a function of the value, such as `lambda value: value > 1`",
        "min_len" | "max_len" => NUMBER,
        "min" | "max" => "a value to compare with",
        "not_null" => "True or False",
        "one_not_null" => "True, or a list of keys",
        "one_of" => "a list of values",
        _ => return None,
    })
}

enum Which {
    Positional(usize),
    Named(Arc<str>, ValueHandle),
}

struct Wrong {
    text: String,
    argument: Option<Which>,
}

struct Reader<'a> {
    calls: &'a dyn Call,
    place: String,
}

/// Rules of keywords run in this order, however they are written.
const ORDER: [&str; 6] = ["min_len", "max_len", "min", "max", "one_not_null", "one_of"];

impl Reader<'_> {
    fn rules(&self, positional: &[ValueHandle], named: &[(Arc<str>, ValueHandle)]) -> Result<Rules, Wrong> {
        let mut custom = Vec::with_capacity(positional.len());
        for (number, argument) in positional.iter().enumerate() {
            let rule = self.tuple(*argument);
            custom.push(rule.map_err(|text| Wrong { text, argument: Some(Which::Positional(number)) })?);
        }
        let mut rules = Rules { list: Vec::new(), when: None, not_null: false, pos: crate::yaml::PosId(0) };
        let mut keywords: Vec<(usize, Rule)> = Vec::new();
        for (name, value) in named {
            let rule = self.keyword(name, *value, &mut rules);
            let rule = rule.map_err(|text| Wrong { text, argument: Some(Which::Named(name.clone(), *value)) })?;
            let rank = ORDER.iter().position(|known| **known == **name);
            keywords.extend(rank.zip(rule));
        }
        keywords.sort_by_key(|(rank, _)| *rank);
        if rules.not_null {
            rules.list.push(Rule { must_be: "not null".to_owned(), test: Test::NotNull });
        }
        rules.list.extend(custom);
        rules.list.extend(keywords.into_iter().map(|(_, rule)| rule));
        Ok(rules)
    }

    fn tuple(&self, argument: ValueHandle) -> Result<Rule, String> {
        let (calls, place) = (self.calls, &self.place);
        let Seen::Tuple(parts) = calls.see(argument) else {
            let text = self.repr(argument);
            return Err(format!("expected annotation to have 2-tuple as argument(s), but found: {text} (by {place})"));
        };
        let [text, function] = parts[..] else {
            return Err(format!("expected 2-tuple, but found tuple with length {} (by {place})", parts.len()));
        };
        let Seen::Str(must_be) = calls.see(text) else {
            let kind = calls.kind(text);
            return Err(format!(
                "expected first item in the 2-tuple to be a string describing a valid value, but was {kind} (at {place})"
            ));
        };
        let test = Test::Custom(self.assertion(function)?);
        Ok(Rule { must_be: must_be.to_string(), test })
    }

    /// A function, or the attribute `check` of an object.
    fn assertion(&self, value: ValueHandle) -> Result<ValueHandle, String> {
        let (calls, place) = (self.calls, &self.place);
        if matches!(calls.see(value), Seen::Function | Seen::Matcher(_)) {
            return Ok(value);
        }
        let kind = calls.kind(value);
        if let Some(check) = calls.attr(value, "check") {
            return match calls.see(check) {
                Seen::Function | Seen::Matcher(_) => Ok(check),
                _ => {
                    let kind = calls.kind(check);
                    Err(format!("expected struct with attribute check(), but was {kind} (at {place})"))
                }
            };
        }
        Err(match kind {
            "int" | "float" | "bool" | "NoneType" | "tuple" => {
                format!("expected second item in the 2-tuple to be an assertion function, but was {kind} (at {place})")
            }
            _ => format!(
                "expected second item in tuple to be an assertion function or assertion object, but was a {kind} (at {place})"
            ),
        })
    }

    /// The rule of a keyword; `when` and `not_null` are noted with all of them.
    fn keyword(&self, name: &str, value: ValueHandle, rules: &mut Rules) -> Result<Option<Rule>, String> {
        let (calls, place) = (self.calls, &self.place);
        let kind = calls.kind(value);
        let expected =
            |what: &str| format!("expected keyword argument \"{name}\" to be {what}, but was {kind} (at {place})");
        let (must_be, test) = match name {
            "when" => {
                if !matches!(calls.see(value), Seen::Function | Seen::Matcher(_)) {
                    return Err(expected("a function"));
                }
                rules.when = Some(value);
                return Ok(None);
            }
            "not_null" => {
                let Seen::Bool(not_null) = calls.see(value) else { return Err(expected("a boolean")) };
                rules.not_null = not_null;
                return Ok(None);
            }
            "min_len" | "max_len" => {
                let bound = self.number(value).ok_or_else(|| expected(NUMBER))?;
                match name {
                    "min_len" => (format!("length >= {bound}"), Test::MinLen(bound)),
                    _ => (format!("length <= {bound}"), Test::MaxLen(bound)),
                }
            }
            "min" => (format!("a value >= {}", self.repr(value)), Test::Min(self.value(name, value)?)),
            "max" => (format!("a value <= {}", self.repr(value)), Test::Max(self.value(name, value)?)),
            "one_not_null" => {
                let wrong = || format!("expected True or a sequence of keys, but was a '{kind}'");
                let (which, keys) = match calls.see(value) {
                    Seen::Bool(true) => ("all children".to_owned(), None),
                    Seen::Bool(false) => return Err("one_not_null= cannot be False".to_owned()),
                    _ => (self.repr(value), Some(self.sequence(name, value)?.ok_or_else(wrong)?)),
                };
                (format!("exactly one of {which} to be not null"), Test::OneNotNull(keys))
            }
            "one_of" => {
                let allowed = self.sequence(name, value)?;
                let wrong = || format!("expected keyword argument one_of to be a sequence, but was {kind}");
                (format!("one of {}", self.repr(value)), Test::OneOf(allowed.ok_or_else(wrong)?))
            }
            _ => return Err(format!("unknown keyword argument \"{name}\" (at {place})")),
        };
        Ok(Some(Rule { must_be, test }))
    }

    /// An integer, or a finite float without its fraction.
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a fraction goes, and no text or list is as long as what is cut"
    )]
    fn number(&self, value: ValueHandle) -> Option<i128> {
        match self.calls.see(value) {
            Seen::Int(value) => Some(value.into()),
            Seen::Float(value) if value.is_finite() => Some(value as i128),
            Seen::Other if self.calls.kind(value) == "int" => match self.calls.to_val(value).ok()? {
                Val::UInt(value) => Some(value.into()),
                _ => None,
            },
            _ => None,
        }
    }

    fn value(&self, name: &str, value: ValueHandle) -> Result<Val, String> {
        self.calls.to_val(value).map_err(|_| {
            let (kind, place) = (self.calls.kind(value), &self.place);
            format!("expected keyword argument \"{name}\" to be a YAML value, but was {kind} (at {place})")
        })
    }

    /// Elements of a list, tuple, set, range or array, keys of a dict, struct or map; `None` for all else.
    fn sequence(&self, name: &str, value: ValueHandle) -> Result<Option<Vec<Val>>, String> {
        let items = self.calls.items(value).map_err(|problem| problem.full_message())?;
        items.map(|items| items.into_iter().map(|item| self.value(name, item)).collect()).transpose()
    }

    /// What a value is called in the text of its rule: of a fragment what it holds.
    fn repr(&self, value: ValueHandle) -> String {
        match (self.calls.see(value), self.calls.to_val(value)) {
            (Seen::Node, Ok(value)) => repr(&self.calls.arena().borrow(), value),
            _ => self.calls.repr(value),
        }
    }
}
