//! Items of lists, dicts and texts: what generated code calls to read, cut out, set, unpack and loop over them.
//!
//! The interpreter does the work. What it says of a value that does not fit leaves out which one it was, so that is said
//! here, where the values are known.

use starlark::const_frozen_string;
use starlark::eval::Evaluator;
use starlark::values::Value;
use starlark::values::dict::{DictMut, DictRef};
use starlark::values::list::AllocList;

use super::internal::grow;
use super::operator::{COPIED, bytes};
use crate::diag::{Code, Diagnostic, Fact};
use crate::eval::Meter;
use crate::eval::arguments::{iterate, unhashable, whole};
use crate::eval::budget::host;
use crate::eval::error::{Returned, text_only, wrap};
use crate::eval::kind::type_name;
use crate::eval::messages;
use crate::eval::object::Object;
use crate::eval::repr::repr;
use crate::eval::text::readable;

/// So many keys are listed for people who look for one.
const KEYS: usize = 50;

/// These calls stand for what is no call of the program, so they are no steps.
pub(super) fn no_call(eval: &Evaluator<'_, '_, '_>) {
    if let Some(host) = host(eval) {
        host.budget.no_call();
    }
}

/// `X[i]`.
pub(super) fn at<'v>(value: Value<'v>, index: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    no_call(eval);
    match value.at(index, eval.heap()) {
        Ok(found) => Ok(found),
        Err(failure) => Err(no_item(value, index, Meter::of(eval)).unwrap_or(failure)),
    }
}

/// A key that is a number where a text of the same digits is asked for, or the other way round; as code.
fn alike(dict: &DictRef<'_>, index: Value<'_>) -> Option<String> {
    let is_number =
        |text: &str, number: Value<'_>| number.unpack_i32().is_some_and(|number| number.to_string() == text);
    dict.keys().take(KEYS + 1).find_map(|key| match (index.unpack_str(), key.unpack_str()) {
        (Some(text), None) if key.unpack_bool().is_none() => is_number(text, key).then(|| text.to_owned()),
        (None, Some(text)) if index.unpack_bool().is_none() => is_number(text, index).then(|| format!("\"{text}\"")),
        _ => None,
    })
}

/// The error of an index that is wrong; what a struct or a fragment does not have they say themselves.
fn no_item<'v>(value: Value<'v>, index: Value<'v>, meter: Meter<'v>) -> Option<starlark::Error> {
    let kind = type_name(value);
    if let Some(dict) = DictRef::from_value(value) {
        index.get_hashed().ok()?;
        let keys = dict.keys().take(KEYS + 1).map(|key| key.unpack_str().map(|key| readable(key).into_owned()));
        let fact = Fact::NotInDict {
            key: index.unpack_str().map(|key| readable(key).into_owned()),
            keys: keys.collect::<Option<Vec<_>>>().filter(|keys| keys.len() <= KEYS).unwrap_or_default(),
            alike: alike(&dict, index),
        };
        let text = format!("key {} not in dict", readable(&repr(index, meter).ok()?));
        return Some(told(text, fact));
    }
    if kind == "yamlfragment" || Object::from_value(value).is_some() {
        return None;
    }
    if !matches!(kind, "list" | "tuple" | "string" | "range") {
        return Some(not_indexed(kind, format!("unhandled index operation {kind}[{}]", type_name(index))));
    }
    match whole(index) {
        Ok(number) => out_of_range(value, number),
        Err(text) => Some(not_indexed(kind, format!("{kind} index: {text}"))),
    }
}

fn not_indexed(kind: &str, text: String) -> starlark::Error {
    told(text, Fact::NotIndexed { kind: kind.to_owned() })
}

fn told(text: String, fact: Fact) -> starlark::Error {
    wrap(Diagnostic::error(Code::STARLARK_ERROR, text).fact(fact))
}

fn out_of_range(value: Value<'_>, number: i32) -> Option<starlark::Error> {
    let (kind, length) = (type_name(value), value.length().ok()?);
    let text = match length {
        0 => format!("index {number} out of range: empty {kind}"),
        _ => format!("{kind} index {number} out of range [{}:{}]", length.saturating_neg(), length.saturating_sub(1)),
    };
    let fact = Fact::OutOfRange { length: usize::try_from(length).unwrap_or_default() };
    Some(told(text, fact))
}

/// `X[i] = V`.
pub(super) fn set<'v>([new, container, index]: [Value<'v>; 3], eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    no_call(eval);
    match container.set_at(index, new) {
        Ok(()) => Ok(Value::new_none()),
        Err(failure) => Err(not_set(container, index, eval).unwrap_or(failure)),
    }
}

fn not_set<'v>(container: Value<'v>, index: Value<'v>, eval: &Evaluator<'v, '_, '_>) -> Option<starlark::Error> {
    match type_name(container) {
        "list" => match whole(index) {
            Ok(number) if !(container.length().ok()?.saturating_neg()..container.length().ok()?).contains(&number) => {
                out_of_range(container, number)
            }
            Ok(_) => Some(messages::locked("=", container, host(eval))),
            Err(text) => Some(text_only(text)),
        },
        // the lock is met before the key is looked at
        "dict" if DictMut::from_value(container).is_err() => Some(messages::locked("=", container, host(eval))),
        "dict" => Some(text_only(unhashable(index))),
        "yamlfragment" => None,
        kind => {
            let fact = Fact::NotSettable { kind: kind.to_owned() };
            Some(told(format!("{kind} value does not support item assignment"), fact))
        }
    }
}

/// `X[start:end:step]`; `None` stands for what is left out.
pub(super) fn slice<'v>([value, start, end, step]: [Value<'v>; 4], eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let kind = type_name(value);
    let given = |bound: Value<'v>| (!bound.is_none()).then_some(bound);
    if matches!(kind, "list" | "tuple" | "string" | "range") {
        match given(step).map(whole) {
            Some(Err(_)) => return Err(text_only(format!("got {} for slice step, want int", type_name(step)))),
            Some(Ok(0)) => return Err(text_only("zero is not a valid slice step")),
            _ => {}
        }
        for (bound, name) in [(start, "start"), (end, "end")] {
            if let Some(Err(text)) = given(bound).map(whole) {
                return Err(text_only(format!("invalid {name} index: {text}")));
            }
        }
    } else if kind != "yamlfragment" {
        return Err(text_only(format!("invalid slice operand {kind}")));
    }
    let found = value.slice(given(start), given(end), given(step), eval.heap())?;
    let meter = Meter::of(eval);
    meter.walk(bytes(found) / COPIED)?;
    meter.room(0)?;
    Ok(found)
}

/// The right side of `a, b = X`, which must have so many items.
pub(super) fn unpack<'v>(value: Value<'v>, count: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    no_call(eval);
    let kind = type_name(value);
    if !is_iterable(kind) {
        let fact = Fact::NotIterable { kind: kind.to_owned() };
        return Err(told(format!("got {kind} in sequence assignment"), fact));
    }
    // the interpreter asks for the length; what texts give has none
    let value = match value.length() {
        Ok(_) => value,
        Err(_) => match iterate(value, Meter::of(eval))? {
            Some(items) => eval.heap().alloc(AllocList(items)),
            None => value,
        },
    };
    if let (Ok(got), Some(want)) = (value.length(), count.unpack_i32())
        && got != want
    {
        let word = if got > want { "many" } else { "few" };
        let counts = u64::try_from(got).ok().zip(u64::try_from(want).ok());
        let text = format!("too {word} values to unpack (got {got}, want {want})");
        return Err(told(text, Fact::NotUnpacked { counts }));
    }
    Ok(value)
}

/// What a loop goes over.
pub(super) fn over<'v>(value: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    iterable(value, eval, |kind| format!("{kind} value is not iterable"))
}

/// `*X` of a call.
pub(super) fn star<'v>(value: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    iterable(value, eval, |kind| format!("argument after * must be iterable, not {kind}"))
}

fn iterable<'v>(value: Value<'v>, eval: &Evaluator<'v, '_, '_>, complaint: fn(&str) -> String) -> Returned<'v> {
    no_call(eval);
    let kind = type_name(value);
    match is_iterable(kind) {
        true => Ok(value),
        false => Err(told(complaint(kind), Fact::NotIterable { kind: kind.to_owned() })),
    }
}

/// Can values of a type be iterated? Fragments, and what texts give, say themselves what is wrong with them.
fn is_iterable(kind: &str) -> bool {
    !matches!(
        kind,
        "NoneType"
            | "bool"
            | "builtin_function_or_method"
            | "float"
            | "function"
            | "int"
            | "module"
            | "noop"
            | "string"
    )
}

/// The value that a method is to change, or that `=` and `+=` put something into: it is noted, since the interpreter does
/// not say what it refuses to change.
pub(super) fn change<'v>(value: Value<'v>, method: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    if let Some(host) = host(eval) {
        host.budget.no_call();
        host.changing.set(Some((value, method)));
    }
    Ok(value)
}

/// The right side of `X += Y`: a list takes in the items of what can be iterated.
pub(super) fn more<'v>(target: Value<'v>, right: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    if target.get_type() == "list" {
        let kind = type_name(right);
        if !is_iterable(kind) {
            return Err(text_only(format!("unknown binary op: list + {kind}")));
        }
        if let Some(host) = host(eval) {
            host.changing.set(Some((target, const_frozen_string!("+=").to_value())));
        }
    }
    grow(right, eval)
}
