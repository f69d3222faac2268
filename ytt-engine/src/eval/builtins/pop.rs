//! `X.pop(N)`: in the reference a negative number counts from the end of a list, for the interpreter it is an error.

use starlark::ErrorKind;
use starlark::const_frozen_string;
use starlark::eval::Evaluator;
use starlark::values::Value;
use starlark::values::dict::DictRef;

use super::internal::{absent, walk};
use super::items::{change, no_call};
use super::method::{Change, Changing};
use crate::eval::arguments::length_of;
use crate::eval::budget::host;
use crate::eval::error::{EvalResult, Returned, text_only};
use crate::eval::kind::type_name;
use crate::eval::numbers::is_int;
use crate::eval::{call, messages};

/// `X.pop` of a call with one argument.
pub(super) fn pop<'v>(value: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let value = walk(change(value, const_frozen_string!("pop").to_value(), eval)?, eval)?;
    if matches!(value.get_type(), "list" | "dict") {
        return Ok(eval.heap().alloc_complex_no_freeze(Changing { changed: value, change: Change::Pop }));
    }
    value.get_attr("pop", eval.heap())?.ok_or_else(|| absent(value, "pop"))
}

/// Takes the item at a place out of a list, or the entry of a key out of a dict.
pub(super) fn take<'v>(value: Value<'v>, given: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let given = match DictRef::from_value(value) {
        None => eval.heap().alloc(place(value, given)?),
        Some(dict) => {
            let known = given.get_hashed().ok().and_then(|key| dict.get_hashed(key));
            known.map(|_| given).ok_or_else(|| text_only("pop: missing key"))?
        }
    };
    let method = value.get_attr("pop", eval.heap())?.ok_or_else(|| absent(value, "pop"))?;
    let taken = call(eval, method, &[given], &[]);
    no_call(eval);
    taken.map_err(|failure| match failure.kind() {
        // A limit may be found when the call ends.
        _ if host(eval).is_some_and(|host| host.budget.error().is_some()) => failure,
        ErrorKind::StackOverflow(_) => failure,
        _ => messages::locked("pop", value, host(eval)),
    })
}

/// A place in a list, from its start.
fn place(list: Value<'_>, given: Value<'_>) -> EvalResult<i32> {
    if !is_int(given) {
        return Err(text_only(format!("pop: for parameter 1: got {}, want int", type_name(given))));
    }
    let length = i32::try_from(length_of(list)?).unwrap_or(i32::MAX);
    let from_start = |place: i32| if place < 0 { place.saturating_add(length) } else { place };
    let known = given.unpack_i32().map(from_start).filter(|place| (0..length).contains(place));
    known.ok_or_else(|| text_only(format!("pop: list index {} out of range", given.to_str())))
}
