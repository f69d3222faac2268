//! The built-in rules, which `@ytt:assert` shares: `assert.min(5).check` is [`Test::Min`].
//!
//! Values and bounds are compared as the reference compares them after a round trip through YAML
//! (`docs/validations.md#comparison-of-values`): sets and tuples are lists, an empty fragment is None, integers equal
//! floats. Nothing is written or read for that.

use std::cmp::Ordering;

use crate::call::ValueHandle;
use crate::yaml::words::{key_text, kind_name};
use crate::yaml::{Arena, Body, PosId, Raw, Val};

use super::text::{repr, text};

/// The rules of one annotation, in the order in which they run.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) list: Vec<Rule>,
    pub(crate) when: Option<ValueHandle>,
    /// Rules run for null too, and the first one fails for it.
    pub(crate) not_null: bool,
    /// The annotation.
    pub(crate) pos: PosId,
}

/// One rule and its description: what the value must be.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) must_be: String,
    pub(crate) test: Test,
}

#[derive(Clone, Debug)]
pub(crate) enum Test {
    MinLen(i128),
    MaxLen(i128),
    Min(Val),
    Max(Val),
    NotNull,
    /// Of these keys, or of all.
    OneNotNull(Option<Vec<Val>>),
    OneOf(Vec<Val>),
    /// A function, which only a [`crate::call::Call`] can run.
    Custom(ValueHandle),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Failure {
    /// What the reference puts in front where a call of `check` fails; validations show the text alone.
    start: &'static str,
    pub(crate) text: String,
}

impl Failure {
    /// The text with which a call of `check` fails.
    pub(crate) fn into_error(self) -> String {
        format!("{}{}", self.start, self.text)
    }
}

fn fail(text: impl Into<String>) -> Result<(), Failure> {
    Err(Failure { start: "fail: ", text: text.into() })
}

fn check(text: impl Into<String>) -> Failure {
    Failure { start: "check: ", text: text.into() }
}

fn error(text: impl Into<String>) -> Failure {
    Failure { start: "", text: text.into() }
}

impl Test {
    /// Tests a value. [`Test::Custom`] always passes: its function is called by who has a `Call`.
    pub(crate) fn check(&self, arena: &Arena, value: Val) -> Result<(), Failure> {
        match self {
            Test::MinLen(bound) | Test::MaxLen(bound) => {
                let length = length(arena, value)?;
                let passes = if matches!(self, Test::MinLen(_)) { length >= *bound } else { length <= *bound };
                if passes { Ok(()) } else { fail(format!("length = {length}")) }
            }
            Test::Min(bound) | Test::Max(bound) => {
                let is_min = matches!(self, Test::Min(_));
                let (value, bound) = (whole(arena, value)?, whole(arena, *bound)?);
                if compares(arena, value, bound, is_min).map_err(error)? {
                    return Ok(());
                }
                fail(format!("value {} {}", if is_min { '<' } else { '>' }, text(arena, bound)))
            }
            Test::NotNull => match value {
                Val::Null => fail("value is null"),
                _ => Ok(()),
            },
            Test::OneNotNull(keys) => one_not_null(arena, value, keys.as_deref()),
            Test::OneOf(allowed) => {
                let value = whole(arena, value)?;
                if allowed.iter().any(|one| equal(arena, value, normal(*one))) {
                    return Ok(());
                }
                fail("not one of allowed values")
            }
            Test::Custom(_) => Ok(()),
        }
    }
}

impl Test {
    /// What a value must be, in words that follow "must".
    pub(crate) fn words(&self, arena: &Arena) -> String {
        const SHOWN: usize = 8;
        let code = |value: Val| match value {
            Val::Node(_) | Val::Raw(_) => kind_name(arena, value).to_owned(),
            scalar => format!("`{}`", key_text(arena, scalar)),
        };
        let listed = |values: &[Val]| {
            let mut all: Vec<String> = values.iter().take(SHOWN).map(|value| code(*value)).collect();
            if values.len() > SHOWN {
                all.push(format!("{} more", values.len().saturating_sub(SHOWN)));
            }
            all.join(", ")
        };
        match self {
            Test::MinLen(bound) => format!("have a length of {bound} or more"),
            Test::MaxLen(bound) => format!("have a length of {bound} or less"),
            Test::Min(bound) => format!("be {} or more", code(*bound)),
            Test::Max(bound) => format!("be {} or less", code(*bound)),
            Test::NotNull => "not be null".to_owned(),
            Test::OneNotNull(None) => "have one value that is not null, and no other".to_owned(),
            Test::OneNotNull(Some(keys)) => {
                format!("have a value for one of {}, and null for the others", listed(keys))
            }
            Test::OneOf(allowed) => format!("be one of {}", listed(allowed)),
            Test::Custom(_) => "be what the function accepts".to_owned(),
        }
    }

    /// The texts that are allowed.
    pub(crate) fn allowed(&self, arena: &Arena) -> Vec<String> {
        match self {
            Test::OneOf(allowed) => allowed.iter().filter_map(|one| arena.str(*one)).map(str::to_owned).collect(),
            _ => Vec::new(),
        }
    }
}

/// One level of a value after the round trip.
enum View {
    Null,
    Bool(bool),
    Int(i128),
    Float(f64),
    Text,
    List(Vec<Val>),
    Map(Vec<(Val, Val)>),
}

impl View {
    fn kind(&self) -> &'static str {
        match self {
            View::Null => "NoneType",
            View::Bool(_) => "bool",
            View::Int(_) => "int",
            View::Float(_) => "float",
            View::Text => "string",
            View::List(_) => "list",
            View::Map(_) => "dict",
        }
    }
}

fn view(arena: &Arena, value: Val) -> View {
    match normal(value) {
        Val::Null => View::Null,
        Val::Bool(value) => View::Bool(value),
        Val::Int(value) => View::Int(value.into()),
        Val::UInt(value) => View::Int(value.into()),
        Val::Float(value) => View::Float(value),
        Val::Str { .. } | Val::Bytes(_) => View::Text,
        Val::Raw(number) => match arena.raw(number) {
            Raw::List(items) => View::List(items.clone()),
            Raw::Dict(entries) => View::Map(entries.clone()),
        },
        Val::Node(id) => match &arena.get(id).body {
            Body::Map(_) => View::Map(arena.entries(id).collect()),
            Body::Doc(value) | Body::MapItem(_, value) | Body::ArrayItem(value) => view(arena, *value),
            Body::Array(_) | Body::Set(_) => View::List(arena.entries(id).map(|entry| entry.1).collect()),
        },
    }
}

/// Floats that YAML writes as integers are integers.
#[allow(clippy::cast_possible_truncation, reason = "below a million, and without a fraction")]
fn normal(value: Val) -> Val {
    match value {
        Val::Float(float) if float.fract() == 0.0 && float.abs() < 1e6 => Val::Int(float as i64),
        other => other,
    }
}

/// The value at the top of the round trip: an empty fragment is None, a document set is its one document.
pub(crate) fn whole(arena: &Arena, value: Val) -> Result<Val, Failure> {
    let Val::Node(id) = value else { return Ok(normal(value)) };
    match &arena.get(id).body {
        Body::Set(documents) => {
            let mut full = documents.iter().filter(|document| !arena.is_empty_document(**document));
            match (full.next(), full.next()) {
                (None, _) => Ok(Val::Null),
                (Some(document), None) => Ok(normal(arena.value(*document))),
                _ => Err(error("yaml.decode: Expected to find exactly one YAML document")),
            }
        }
        Body::Map(items) | Body::Array(items) if items.is_empty() => Ok(Val::Null),
        _ => Ok(value),
    }
}

/// Starlark's `len`, in bytes for strings; fragments are not changed before.
fn length(arena: &Arena, value: Val) -> Result<i128, Failure> {
    if let Some(text) = arena.text_bytes(value) {
        return Ok(text.len() as i128);
    }
    match view(arena, value) {
        View::List(items) => Ok(items.len() as i128),
        View::Map(entries) => Ok(entries.len() as i128),
        _ => {
            // The kind is that of the value as it is: `1.0` is a float here.
            let kind = if matches!(value, Val::Float(_)) { "float" } else { view(arena, value).kind() };
            Err(error(format!("len: value of type {kind} has no len")))
        }
    }
}

/// Starlark's `==`.
pub(super) fn equal(arena: &Arena, left: Val, right: Val) -> bool {
    match (view(arena, left), view(arena, right)) {
        (View::Null, View::Null) => true,
        (View::Bool(left), View::Bool(right)) => left == right,
        (View::Text, View::Text) => arena.text_bytes(left) == arena.text_bytes(right),
        (View::List(left), View::List(right)) => {
            left.len() == right.len() && left.iter().zip(&right).all(|(left, right)| equal(arena, *left, *right))
        }
        (View::Map(left), View::Map(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, value)| {
                    let found = right.iter().find(|(other, _)| equal(arena, *key, *other));
                    found.is_some_and(|(_, other)| equal(arena, *value, *other))
                })
        }
        (left, right) => numbers(&left, &right).is_some_and(|order| order == Some(Ordering::Equal)),
    }
}

/// Order of two numbers: `None` if they are not numbers, `Some(None)` if one is NaN.
fn numbers(left: &View, right: &View) -> Option<Option<Ordering>> {
    Some(match (left, right) {
        (View::Int(left), View::Int(right)) => Some(left.cmp(right)),
        (View::Int(left), View::Float(right)) => int_float(*left, *right),
        (View::Float(left), View::Int(right)) => int_float(*right, *left).map(Ordering::reverse),
        (View::Float(left), View::Float(right)) => left.partial_cmp(right),
        _ => return None,
    })
}

/// Exact: a float is not rounded to be compared, nor is an integer.
#[allow(clippy::cast_possible_truncation, reason = "the floor is below 1e30, which an `i128` holds")]
fn int_float(int: i128, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    if float.abs() >= 1e30 {
        return Some(if float > 0.0 { Ordering::Less } else { Ordering::Greater });
    }
    let floor = float.floor();
    Some(int.cmp(&(floor as i128)).then(if float > floor { Ordering::Less } else { Ordering::Equal }))
}

/// Starlark's `left >= right`, or `left <= right`.
fn compares(arena: &Arena, left: Val, right: Val, is_min: bool) -> Result<bool, String> {
    let passes = |order: Ordering| if is_min { order.is_ge() } else { order.is_le() };
    let (seen, bound) = (view(arena, left), view(arena, right));
    if let Some(order) = numbers(&seen, &bound) {
        return Ok(order.is_some_and(passes));
    }
    match (&seen, &bound) {
        (View::Null, View::Null) => Ok(true),
        (View::Bool(left), View::Bool(right)) => Ok(passes(left.cmp(right))),
        (View::Text, View::Text) => Ok(passes(arena.text_bytes(left).cmp(&arena.text_bytes(right)))),
        (View::List(left), View::List(right)) => {
            match left.iter().zip(right).find(|(left, right)| !equal(arena, **left, **right)) {
                Some((left, right)) => compares(arena, *left, *right, is_min),
                None => Ok(passes(left.len().cmp(&right.len()))),
            }
        }
        _ => {
            let operator = if is_min { ">=" } else { "<=" };
            Err(format!("{} {operator} {} not implemented", seen.kind(), bound.kind()))
        }
    }
}

fn one_not_null(arena: &Arena, value: Val, keys: Option<&[Val]>) -> Result<(), Failure> {
    let seen = view(arena, whole(arena, value)?);
    let View::Map(entries) = seen else {
        return Err(check(format!("value must be a map or dict, but was '{}'", seen.kind())));
    };
    let mut set = Vec::new();
    let mut look = |key: Val, found: Option<Val>| {
        if matches!(view(arena, key), View::List(_) | View::Map(_)) {
            let (key, dict) = (repr(arena, key), repr(arena, value));
            return Err(check(format!("unexpected error while looking up key {key} in dict {dict}")));
        }
        if found.is_some_and(|value| !matches!(view(arena, value), View::Null)) {
            set.push(repr(arena, key));
        }
        Ok(())
    };
    match keys {
        None => entries.iter().try_for_each(|(key, value)| look(*key, Some(*value)))?,
        Some(keys) => keys.iter().try_for_each(|key| {
            let found = entries.iter().find(|(other, _)| equal(arena, *key, *other));
            look(*key, found.map(|(_, value)| *value))
        })?,
    }
    match set.len() {
        1 => Ok(()),
        0 if entries.is_empty() => Err(check("value is empty")),
        0 => Err(check("all values are null")),
        _ => Err(check(format!("[{}] are not null", set.join(", ")))),
    }
}
