//! Numbers of code, by the rules of the reference: as text (floats with six digits, the verbs of `%`, integers of any
//! size in other bases), from text, and floats cut to integers.
//!
//! Numbers in nodes never come here: the printers ask `yaml/number`, which writes all digits.

use num_bigint::{BigInt, ToBigInt};
use starlark::values::float::{StarlarkFloat, UnpackFloat};
use starlark::values::{Heap, UnpackValue, Value, ValueLike};

use super::error::{Returned, text_only};
use super::kind::type_name;
use crate::quoted;
use crate::yaml::number;

/// A float as `str` gives it.
pub(crate) fn float_text(number: f64) -> String {
    text(number::write_starlark, number)
}

/// The verbs `e f g` of `%`; upper case for `E F G`.
pub(crate) fn float_verb(number: f64, verb: u8) -> String {
    let text = match verb.to_ascii_lowercase() {
        b'e' => text(number::write_exponent, number),
        b'f' => text(number::write_fixed, number),
        _ => text(number::write_go, number),
    };
    if number.is_finite() && (verb == b'E' || verb == b'G') { text.to_uppercase() } else { text }
}

fn text(write: fn(&mut String, f64), number: f64) -> String {
    let mut text = String::new();
    write(&mut text, number);
    text
}

/// The value as a float, if it is a float or an integer.
pub(crate) fn as_float(value: Value<'_>) -> Option<f64> {
    if value.unpack_bool().is_some() {
        return None;
    }
    UnpackFloat::unpack_value(value).ok().flatten().map(|float| float.0)
}

/// Is it an integer of any size (which a bool is not)?
pub(crate) fn is_int(value: Value<'_>) -> bool {
    value.get_type() == "int"
}

/// A number as an integer: floats are cut towards zero. The error is the second half of the reference's text.
pub(crate) fn to_int<'v>(value: Value<'v>, heap: Heap<'v>) -> Returned<'v> {
    if is_int(value) {
        return Ok(value);
    }
    match value.downcast_ref::<StarlarkFloat>() {
        Some(float) => float_to_int(float.0, heap),
        None => Err(text_only(format!("cannot convert {} to int", type_name(value)))),
    }
}

/// A float as an integer of any size, cut towards zero.
pub(crate) fn float_to_int<'v>(number: f64, heap: Heap<'v>) -> Returned<'v> {
    match number.to_bigint() {
        Some(whole) => Ok(heap.alloc(whole)),
        None if number.is_nan() => Err(text_only("cannot convert float NaN to integer")),
        None => Err(text_only("cannot convert float infinity to integer")),
    }
}

/// Digits of a base (2 to 36) as an integer of any size; `None` if they are none.
pub(crate) fn int_of_digits(digits: &[u8], base: u32) -> Option<BigInt> {
    // the crate takes signs and `_` too
    let are_digits = digits.iter().all(|&digit| char::from(digit).is_digit(base));
    BigInt::parse_bytes(digits, base).filter(|_| are_digits)
}

/// `strconv.ParseFloat`: decimal and hexadecimal floats, `inf` and `nan` in any case. The error is its text.
pub(crate) fn parse_float(text: &str) -> Result<f64, String> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let mut lower = unsigned.to_ascii_lowercase();
    if lower.contains('_') && separates_digits(&lower) {
        lower = lower.replace('_', "");
    }
    let magnitude = match lower.as_str() {
        "inf" | "infinity" => Some(f64::INFINITY),
        "nan" if unsigned.len() == text.len() => return Ok(f64::NAN),
        _ => match lower.strip_prefix("0x") {
            Some(digits) => hexadecimal(digits),
            None if lower.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'+' | b'-')) => {
                lower.parse().ok()
            }
            None => None,
        },
    };
    let Some(magnitude) = magnitude else {
        return Err(format!("parsing {}: invalid syntax", quoted::go(text.as_bytes())));
    };
    if magnitude.is_infinite() && !lower.starts_with("inf") {
        return Err(format!("parsing {}: value out of range", quoted::go(text.as_bytes())));
    }
    Ok(if text.starts_with('-') { -magnitude } else { magnitude })
}

/// Does each `_` stand between digits, or between a prefix and a digit?
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "`at` is an offset of the digits")]
fn separates_digits(text: &str) -> bool {
    let (hexadecimal, digits) = text.strip_prefix("0x").map_or((false, text), |digits| (true, digits));
    let is_digit = |byte: u8| if hexadecimal { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
    let bytes = digits.as_bytes();
    (0..bytes.len()).filter(|&at| bytes[at] == b'_').all(|at| {
        let before = if at == 0 { hexadecimal } else { is_digit(bytes[at - 1]) };
        before && bytes.get(at + 1).is_some_and(|next| is_digit(*next))
    })
}

/// `1.8p3` without its `0x`; the exponent must be there.
#[allow(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "rounding is what is wanted of the first cast, and the second one is of a small number"
)]
fn hexadecimal(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once('p')?;
    let exponent: i64 = exponent.parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let (mut bits, mut shift, mut lost) = (0u128, exponent, false);
    for (number, digit) in whole.bytes().chain(fraction.bytes()).enumerate() {
        let digit = char::from(digit).to_digit(16)?;
        let after_point = number >= whole.len();
        if bits >> 120 == 0 {
            bits = bits << 4 | u128::from(digit);
            shift = shift.saturating_sub(if after_point { 4 } else { 0 });
        } else {
            lost |= digit != 0;
            shift = shift.saturating_add(if after_point { 0 } else { 4 });
        }
    }
    // A digit that was dropped only matters for rounding: it makes the number more than a half.
    let exact = (bits | u128::from(lost)) as f64;
    Some(libm::ldexp(exact, shift.clamp(-5000, 5000) as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_have_six_digits() {
        let cases = [
            (1.0, "1"),
            (1.0 / 3.0, "0.333333"),
            (0.1 + 0.2, "0.3"),
            (123_456_789.0, "1.23457e+08"),
            (999_999.5, "1e+06"),
            (100_000.0, "100000"),
            (123_456.0, "123456"),
            (1e3, "1000"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1e10, "1e+10"),
            (1e-300, "1e-300"),
            (-0.0, "-0"),
            (-2.5, "-2.5"),
            (f64::INFINITY, "+Inf"),
            (f64::NEG_INFINITY, "-Inf"),
            (f64::NAN, "NaN"),
        ];
        for (number, expected) in cases {
            assert_eq!(float_text(number), expected);
        }
    }

    #[test]
    fn verbs_of_floats() {
        let cases = [
            (1.5, b'e', "1.500000e+00"),
            (2.0, b'f', "2.000000"),
            (1_234_567.0, b'g', "1.234567e+06"),
            (123_456.75, b'g', "123456.75"),
            (1.0 / 3.0, b'g', "0.3333333333333333"),
            (1e-7, b'G', "1E-07"),
            (1e100, b'E', "1.000000E+100"),
            (f64::INFINITY, b'f', "+Inf"),
        ];
        for (number, verb, expected) in cases {
            assert_eq!(float_verb(number, verb), expected);
        }
    }

    #[test]
    fn floats_are_read() {
        let cases = [
            ("1.5", Ok(1.5)),
            ("-1e3", Ok(-1000.0)),
            (".5", Ok(0.5)),
            ("5.", Ok(5.0)),
            ("+Inf", Ok(f64::INFINITY)),
            ("-infinity", Ok(f64::NEG_INFINITY)),
            ("0x1.8p1", Ok(3.0)),
            ("0x10", Err("parsing \"0x10\": invalid syntax")),
            ("", Err("parsing \"\": invalid syntax")),
            ("x", Err("parsing \"x\": invalid syntax")),
            (" 1", Err("parsing \" 1\": invalid syntax")),
            ("1e999", Err("parsing \"1e999\": value out of range")),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_float(text), expected.map_err(str::to_owned), "{text}");
        }
    }
}
