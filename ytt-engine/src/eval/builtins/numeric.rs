//! Built-ins that make numbers: `int`, `float`, `range`.

use std::num::NonZeroI32;

use num_bigint::BigInt;
use starlark::eval::Evaluator;
use starlark::values::Value;
use starlark::values::range::Range;

use crate::diag::Fact;
use crate::eval::arguments::{Input, whole};
use crate::eval::error::{self, Returned, text_only};
use crate::eval::kind::type_name;
use crate::eval::numbers::{as_float, int_of_digits, parse_float, to_int};
use crate::eval::text::readable;

pub(super) fn int<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let heap = eval.heap();
    let [value, base] = input.bind(["x", "base?"])?;
    let value = value.unwrap_or(Value::new_none());
    if let Some(text) = value.unpack_str() {
        let base = match base.map(whole) {
            None => 10,
            Some(Ok(base @ (0 | 2..=36))) => base.unsigned_abs(),
            Some(_) => return input.fail("base must be an integer >= 2 && <= 36"),
        };
        // its time grows faster than its digits
        input.meter.walk(text.len().saturating_mul(text.len()) / 1024)?;
        return match parse_int(text.as_bytes(), base) {
            Ok(number) => Ok(heap.alloc(number)),
            Err(base) => {
                let failed = input.fail(format!("invalid literal with base {base}: {}", readable(text)));
                let fact = || Fact::NoNumber { text: readable(text).into_owned() };
                failed.map_err(|failed| error::with_fact(failed, fact))
            }
        };
    }
    if base.is_some() {
        return input.fail("can't convert non-string with explicit base");
    }
    if let Some(flag) = value.unpack_bool() {
        return Ok(heap.alloc(i32::from(flag)));
    }
    to_int(value, heap).or_else(|failure| input.fail(failure.without_diagnostic().to_string()))
}

/// Digits with sign and prefix; the error is the base that they were read with.
#[allow(clippy::arithmetic_side_effects, reason = "integers of any size have no overflow")]
fn parse_int(text: &[u8], base: u32) -> Result<BigInt, u32> {
    let (negative, mut digits) = match text {
        [b'+', rest @ ..] => (false, rest),
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    let mut prefix = 0;
    if let [b'0', letter, rest @ ..] = digits {
        prefix = match letter {
            _ if rest.is_empty() => 0,
            b'o' | b'O' => 8,
            b'x' | b'X' => 16,
            b'b' | b'B' => 2,
            _ => 0,
        };
        if prefix != 0 {
            digits = rest;
        } else if base == 0 {
            // A decimal number of which the base is to be found must not begin with a zero, unless it is zero.
            let zero = digits.iter().all(|digit| *digit == b'0');
            return if zero { Ok(BigInt::default()) } else { Err(0) };
        }
        if base != 0 && prefix != 0 && prefix != base {
            return Err(base);
        }
    }
    let base = match (base, prefix) {
        (0, 0) => 10,
        (0, prefix) => prefix,
        (base, _) => base,
    };
    let number = int_of_digits(digits, base).ok_or(base)?;
    Ok(if negative { -number } else { number })
}

pub(super) fn float<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    if !input.named.is_empty() {
        return Err(text_only("float does not accept keyword arguments"));
    }
    let value = match input.positional[..] {
        [] => return Ok(eval.heap().alloc(0.0)),
        [value] => value,
        _ => return Err(text_only(format!("float got {} arguments, wants 1", input.positional.len()))),
    };
    let number = if let Some(text) = value.unpack_str() {
        match parse_float(&readable(text)) {
            Ok(number) => number,
            Err(text) => return input.fail(format!("strconv.ParseFloat: {text}")),
        }
    } else if let Some(flag) = value.unpack_bool() {
        f64::from(u8::from(flag))
    } else if let Some(number) = as_float(value) {
        number
    } else {
        return Err(text_only(format!("float got {}, want number or string", type_name(value))));
    };
    Ok(eval.heap().alloc(number))
}

pub(super) fn range<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    input.between(1, 3)?;
    let first = input.number(0)?.unwrap_or_default();
    let (start, stop) = match input.number(1)? {
        Some(stop) => (first, stop),
        None => (0, first),
    };
    match NonZeroI32::new(input.number(2)?.unwrap_or(1)) {
        Some(step) => Ok(eval.heap().alloc(Range::new(start, stop, step))),
        None => input.fail("step argument must not be zero"),
    }
}
