//! Numbers of code, by the rules of the reference: as text (floats with six digits, the verbs of `%`, integers of any
//! size in other bases), from text, and floats cut to integers.
//!
//! Numbers in nodes never come here: the printers ask `yaml/number`, which writes all digits.

use starlark::values::float::{StarlarkFloat, UnpackFloat};
use starlark::values::{Heap, UnpackValue, Value, ValueLike};

use super::error::{EvalResult, Returned, text_only};
use super::kind::type_name;
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
    if number.is_nan() {
        return Err(text_only("cannot convert float NaN to integer"));
    }
    if number.is_infinite() {
        return Err(text_only("cannot convert float infinity to integer"));
    }
    let number = number.trunc();
    if number.abs() < 9.0e18 {
        return Ok(heap.alloc(number as i64));
    }
    // Beyond 2^53 a float is its 53 bits of mantissa, shifted.
    let bits = number.abs().to_bits();
    let shift = ((bits >> 52) & 0x7ff) as i32 - 1075;
    let mantissa = heap.alloc(((bits & ((1 << 52) - 1)) | (1 << 52)) as i64);
    let whole = mantissa.left_shift(heap.alloc(shift), heap)?;
    if number < 0.0 { whole.minus(heap) } else { Ok(whole) }
}

/// An integer of any size in base 8 or 16.
pub(crate) fn int_in_base<'v>(value: Value<'v>, bits_per_digit: u32, heap: Heap<'v>) -> EvalResult<String> {
    let zero = heap.alloc(0);
    let negative = value.compare(zero)?.is_lt();
    let mut rest = if negative { value.minus(heap)? } else { value };
    // Groups of 24 bits hold whole digits of both bases.
    let (mask, width) = (heap.alloc(0xff_ffff), heap.alloc(24));
    let mut groups = Vec::new();
    loop {
        groups.push(rest.bit_and(mask, heap)?.unpack_i32().unwrap_or_default());
        rest = rest.right_shift(width, heap)?;
        if rest.equals(zero)? {
            break;
        }
    }
    let mut text = String::new();
    for (number, group) in groups.iter().rev().enumerate() {
        match (number == 0, bits_per_digit) {
            (true, 3) => text.push_str(&format!("{group:o}")),
            (true, _) => text.push_str(&format!("{group:x}")),
            (false, 3) => text.push_str(&format!("{group:08o}")),
            (false, _) => text.push_str(&format!("{group:06x}")),
        }
    }
    Ok(if negative { format!("-{text}") } else { text })
}

/// Digits of a base (2 to 36) as an integer of any size; `None` if they are none.
pub(crate) fn int_of_digits<'v>(digits: &[u8], base: u32, heap: Heap<'v>) -> EvalResult<Option<Value<'v>>> {
    if digits.is_empty() || !digits.iter().all(|&digit| char::from(digit).is_digit(base)) {
        return Ok(None);
    }
    // Groups of eleven digits fit 64 bits in every base; halving the list keeps long numbers cheap.
    let group = 11;
    let first = digits.len() % group;
    let mut parts: Vec<Value<'v>> = Vec::new();
    if first > 0 {
        parts.push(heap.alloc(small(&digits[..first], base)));
    }
    parts.extend(digits[first..].chunks(group).map(|chunk| heap.alloc(small(chunk, base))));
    let mut scale = heap.alloc(u64::from(base).pow(group as u32));
    while parts.len() > 1 {
        let odd = parts.len() % 2;
        let mut joined: Vec<Value<'v>> = parts[..odd].to_vec();
        for pair in parts[odd..].chunks(2) {
            joined.push(pair[0].mul(scale, heap)?.add(pair[1], heap)?);
        }
        parts = joined;
        if parts.len() > 1 {
            scale = scale.mul(scale, heap)?;
        }
    }
    Ok(parts.first().copied())
}

fn small(digits: &[u8], base: u32) -> u64 {
    digits
        .iter()
        .fold(0, |sum, &digit| sum * u64::from(base) + u64::from(char::from(digit).to_digit(base).unwrap_or(0)))
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
    let Some(magnitude) = magnitude else { return Err(format!("parsing {text:?}: invalid syntax")) };
    if magnitude.is_infinite() && !lower.starts_with("inf") {
        return Err(format!("parsing {text:?}: value out of range"));
    }
    Ok(if text.starts_with('-') { -magnitude } else { magnitude })
}

/// Does each `_` stand between digits, or between a prefix and a digit?
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
            bits = bits * 16 + u128::from(digit);
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
