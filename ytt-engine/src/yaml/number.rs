//! Text of numbers: integers, and floats in every form that ytt prints, which are YAML, JSON, and Starlark's six digits.
//!
//! One place for all of them: digits of floats come from `core`, which gives the shortest text that reads back, or the correctly
//! rounded number of digits asked for; the layout follows Go's `strconv`. Uses only `core` and `alloc`.

use alloc::string::String;
use core::fmt::{self, Write};

/// An integer: its sign and its size.
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "20 digits are enough for 64 bits, and a digit is below 10"
)]
pub(crate) fn write_int(out: &mut String, negative: bool, mut size: u64) {
    let mut digits = [0; 20];
    let mut from = digits.len();
    loop {
        from -= 1;
        digits[from] = b'0' + (size % 10) as u8;
        size /= 10;
        if size == 0 {
            break;
        }
    }
    if negative {
        out.push('-');
    }
    out.push_str(core::str::from_utf8(&digits[from..]).unwrap_or_default());
}

/// Writes a float of at most six digits, three of them behind the point: most of those that come from JSON are, and all
/// forms write these alike. Gives `false` for others.
///
/// Two numbers of so few digits are never the same float, so whatever divides into it is its shortest text.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::integer_division_remainder_used,
    clippy::arithmetic_side_effects,
    reason = "below a thousand million, and the scales are not 0"
)]
fn write_small(out: &mut String, float: f64) -> bool {
    const DIGITS: u32 = 1_000_000;
    let size = float.abs();
    // Zero has a sign of its own.
    if size >= f64::from(DIGITS) || (size == 0.0 && float.is_sign_negative()) {
        return false;
    }
    for scale in [1_u32, 10, 100, 1000] {
        let digits = (size * f64::from(scale) + 0.5) as u32;
        if digits >= DIGITS {
            return false;
        }
        #[allow(clippy::float_cmp, reason = "it is that number, or not")]
        if f64::from(digits) / f64::from(scale) == size {
            write_int(out, float < 0.0, (digits / scale).into());
            if scale > 1 {
                // The digit in front of the fraction keeps its zeros, and gives way to the point.
                let point = out.len();
                write_int(out, false, (scale + digits % scale).into());
                out.replace_range(point..=point, ".");
            }
            return true;
        }
    }
    false
}

/// A float as YAML: shortest digits, an exponent from `1e+06` on and below `0.0001`.
pub(crate) fn write_yaml(out: &mut String, float: f64) {
    if write_small(out, float) {
        return;
    }
    match special(float) {
        Some("NaN") => out.push_str(".nan"),
        Some("+Inf") => out.push_str(".inf"),
        Some(_) => out.push_str("-.inf"),
        None => write_general(out, &Decimal::shortest(float)),
    }
}

/// A float as JSON. Writes nothing and gives `false` for NaN and infinities, which JSON cannot hold.
pub(crate) fn write_json(out: &mut String, float: f64) -> bool {
    if write_small(out, float) {
        return true;
    }
    if !float.is_finite() {
        return false;
    }
    let decimal = Decimal::shortest(float);
    let size = float.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) {
        decimal.write_exponent_form(out, decimal.digits().len().saturating_sub(1), 1);
    } else {
        decimal.write_fixed(out);
    }
    true
}

/// A float as Go's `%g` shows it, which `-o pos` does with keys: as [`write_yaml`], but `NaN`, `+Inf` and `-Inf`.
pub(crate) fn write_go(out: &mut String, float: f64) {
    write_finite(out, float, |out| write_general(out, &Decimal::shortest(float)));
}

/// A float as Starlark's `str` and `repr` show it: six significant digits at most, `NaN`, `+Inf`, `-Inf`.
pub(crate) fn write_starlark(out: &mut String, float: f64) {
    if !write_small(out, float) {
        write_finite(out, float, |out| write_general(out, &Decimal::rounded(float, 6)));
    }
}

/// A float as Starlark's `%e` shows it: `1.500000e+00`.
pub(crate) fn write_exponent(out: &mut String, float: f64) {
    write_finite(out, float, |out| Decimal::rounded(float, 7).write_exponent_form(out, 6, 2));
}

/// A float as Starlark's `%f` shows it: six digits behind the point.
pub(crate) fn write_fixed(out: &mut String, float: f64) {
    write_finite(out, float, |out| {
        // Writing to a `String` cannot fail.
        let _ = write!(out, "{float:.6}");
    });
}

/// A finite float as TOML has it: shortest digits, never an exponent.
pub(crate) fn write_plain(out: &mut String, float: f64) {
    Decimal::shortest(float).write_fixed(out);
}

fn write_finite(out: &mut String, float: f64, write: impl FnOnce(&mut String)) {
    match special(float) {
        Some(text) => out.push_str(text),
        None => write(out),
    }
}

fn special(float: f64) -> Option<&'static str> {
    if float.is_nan() {
        Some("NaN")
    } else if float.is_infinite() {
        Some(if float > 0.0 { "+Inf" } else { "-Inf" })
    } else {
        None
    }
}

/// Go's `%g`: the exponent form where the exponent is below -4 or at least 6.
fn write_general(out: &mut String, decimal: &Decimal) {
    if (-4..6).contains(&decimal.exponent) {
        decimal.write_fixed(out);
    } else {
        decimal.write_exponent_form(out, decimal.digits().len().saturating_sub(1), 2);
    }
}

/// Can a float lie halfway between two texts of 16 or 17 digits? With more than 25 digits behind the point it has more
/// than 18 in all.
fn may_be_halfway(float: f64) -> bool {
    let bits = float.to_bits();
    let zeros = (bits | (1 << 52)).trailing_zeros();
    let places = 1075_u64.saturating_sub((bits >> 52) & 0x7ff).saturating_sub(zeros.into());
    (1..=25).contains(&places)
}

/// Significant decimal digits: `d.ddd × 10^exponent`, without trailing zeros.
struct Decimal {
    negative: bool,
    digits: Text<24>,
    exponent: i32,
}

#[allow(
    clippy::arithmetic_side_effects,
    clippy::cast_sign_loss,
    clippy::indexing_slicing,
    reason = "`{:e}` writes 1 to 20 digits and an exponent from -324 to 308, and no sign is left where it is cast"
)]
impl Decimal {
    fn shortest(float: f64) -> Decimal {
        let mut decimal = Decimal::parse(format_args!("{float:e}"));
        if decimal.digits.length >= 16 && may_be_halfway(float) {
            decimal.take_even(float);
        }
        decimal
    }

    /// Of two texts that are equally near to the float `core` takes the larger one, Go the one whose last digit is even.
    fn take_even(&mut self, float: f64) {
        let mut whole = Text::<64>::new();
        // All digits that a float has which may be halfway: 17 in front of the point, 25 behind it.
        let _ = write!(whole, "{:.44e}", float.abs());
        let digits = whole.as_bytes().iter().take_while(|&&byte| byte != b'e').filter(|byte| byte.is_ascii_digit());
        let last = self.digits.length - 1;
        let lower = self.digits.bytes[last] - 1;
        let half = self.digits().iter().take(last).chain([&lower, &b'5']);
        let mut exact = digits.copied();
        let is_half = half.copied().all(|digit| exact.next() == Some(digit)) && exact.all(|digit| digit == b'0');
        if is_half && lower.is_multiple_of(2) {
            self.digits.bytes[last] = lower;
        }
    }

    /// `digits` is at most 20.
    fn rounded(float: f64, digits: usize) -> Decimal {
        Decimal::parse(format_args!("{float:.*e}", digits - 1))
    }

    /// Takes apart what `{:e}` writes: `-1.25e-7`.
    fn parse(text: fmt::Arguments<'_>) -> Decimal {
        let mut whole = Text::<40>::new();
        // Longer than the buffer is impossible: 20 digits, the point, two signs, `e` and three digits.
        let _ = whole.write_fmt(text);
        let mut decimal = Decimal { negative: false, digits: Text::new(), exponent: 0 };
        let mut bytes = whole.as_bytes().iter();
        for &byte in bytes.by_ref() {
            match byte {
                b'-' => decimal.negative = true,
                b'0'..=b'9' => decimal.digits.push(byte),
                b'e' => break,
                _ => {}
            }
        }
        let negative = bytes.as_slice().first() == Some(&b'-');
        for byte in bytes.filter(|byte| byte.is_ascii_digit()) {
            decimal.exponent = decimal.exponent * 10 + i32::from(byte - b'0');
        }
        if negative {
            decimal.exponent = -decimal.exponent;
        }
        while decimal.digits.length > 1 && decimal.digits.as_bytes().ends_with(b"0") {
            decimal.digits.length -= 1;
        }
        decimal
    }

    fn digits(&self) -> &[u8] {
        self.digits.as_bytes()
    }

    fn write_sign(&self, out: &mut String) {
        if self.negative {
            out.push('-');
        }
    }

    /// Without an exponent, and without a point where nothing would follow it.
    fn write_fixed(&self, out: &mut String) {
        self.write_sign(out);
        let digits = self.digits();
        if self.exponent < 0 {
            out.push_str("0.");
            push_zeros(out, self.exponent.unsigned_abs() as usize - 1);
            push_digits(out, digits);
            return;
        }
        let whole = self.exponent as usize + 1;
        if digits.len() <= whole {
            push_digits(out, digits);
            push_zeros(out, whole - digits.len());
        } else {
            push_digits(out, &digits[..whole]);
            out.push('.');
            push_digits(out, &digits[whole..]);
        }
    }

    /// With `fraction` digits behind the point and at least `width` digits in the exponent.
    fn write_exponent_form(&self, out: &mut String, fraction: usize, width: usize) {
        self.write_sign(out);
        let digits = self.digits();
        push_digits(out, &digits[..1]);
        if fraction > 0 {
            out.push('.');
            push_digits(out, &digits[1..]);
            push_zeros(out, fraction + 1 - digits.len());
        }
        let sign = if self.exponent < 0 { '-' } else { '+' };
        let _ = write!(out, "e{sign}{:0width$}", self.exponent.unsigned_abs());
    }
}

fn push_digits(out: &mut String, digits: &[u8]) {
    out.extend(digits.iter().map(|digit| char::from(*digit)));
}

fn push_zeros(out: &mut String, count: usize) {
    out.extend(core::iter::repeat_n('0', count));
}

/// A short text on the stack.
struct Text<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Text<N> {
    fn new() -> Text<N> {
        Text { bytes: [0; N], length: 0 }
    }

    fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.length) {
            *place = byte;
            self.length = self.length.saturating_add(1);
        }
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl<const N: usize> Write for Text<N> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().for_each(|byte| self.push(byte));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(write: fn(&mut String, f64), float: f64) -> String {
        let mut out = String::new();
        write(&mut out, float);
        out
    }

    #[test]
    fn yaml_uses_an_exponent_from_a_million_on() {
        for (float, expected) in [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (100000.0, "100000"),
            (100000.5, "100000.5"),
            (1e6, "1e+06"),
            (1000000.5, "1.0000005e+06"),
            (123456789.0, "1.23456789e+08"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1.0 / 3.0, "0.3333333333333333"),
            (0.1 + 0.2, "0.30000000000000004"),
            (1e300, "1e+300"),
            (5e-324, "5e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (18446744073709551616.0, "1.8446744073709552e+19"),
            (-12.5, "-12.5"),
            (f64::NAN, ".nan"),
            (f64::INFINITY, ".inf"),
            (f64::NEG_INFINITY, "-.inf"),
        ] {
            assert_eq!(text(write_yaml, float), expected);
        }
    }

    #[test]
    fn few_digits_are_written_as_the_shortest_text_is() {
        let tenths = (0..100_000).map(|number| f64::from(number) / 10.0);
        let thousandths = (0..200_000).map(|number| f64::from(number * 7) / 1000.0);
        let odd = (1..100_000).map(|number| 1.0 / f64::from(number));
        let beside = (1..100_000).map(|number| f64::from_bits((f64::from(number) / 100.0).to_bits() + 1));
        for float in tenths.chain(thousandths).chain(odd).chain(beside).flat_map(|float| [float, -float]) {
            let (mut short, mut general) = (String::new(), String::new());
            write_general(&mut general, &Decimal::shortest(float));
            assert!(!write_small(&mut short, float) || short == general, "{short} {general}");
        }
        for (float, expected) in
            [(1.5, "1.5"), (-0.05, "-0.05"), (0.29, "0.29"), (999.001, "999.001"), (0.001, "0.001")]
        {
            let mut out = String::new();
            assert!(write_small(&mut out, float));
            assert_eq!(out, expected);
        }
        for float in [-0.0, 1e6, 0.0001, 1000.001, 999999.5, f64::NAN, f64::INFINITY] {
            assert!(!write_small(&mut String::new(), float));
        }
    }

    #[test]
    fn json_writes_up_to_21_digits() {
        for (float, expected) in [
            (1.0, "1"),
            (-0.0, "-0"),
            (1e20, "100000000000000000000"),
            (1e21, "1e+21"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (1.5e300, "1.5e+300"),
            (1.25e-10, "1.25e-10"),
            (123456.789, "123456.789"),
        ] {
            let mut out = String::new();
            assert!(write_json(&mut out, float));
            assert_eq!(out, expected);
        }
        assert!(!write_json(&mut String::new(), f64::NAN));
        assert!(!write_json(&mut String::new(), f64::INFINITY));
    }

    #[test]
    fn starlark_shows_six_digits() {
        for (float, expected) in [
            (1.0, "1"),
            (1.0 / 3.0, "0.333333"),
            (0.1 + 0.2, "0.3"),
            (123456789.0, "1.23457e+08"),
            (123456.0, "123456"),
            (999999.5, "1e+06"),
            (1000005.0, "1e+06"),
            (1000015.0, "1.00002e+06"),
            (1e3, "1000"),
            (0.00001, "1e-05"),
            (1e10, "1e+10"),
            (-0.0, "-0"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "+Inf"),
            (f64::NEG_INFINITY, "-Inf"),
        ] {
            assert_eq!(text(write_starlark, float), expected);
        }
        assert_eq!(text(write_exponent, 1.5), "1.500000e+00");
        assert_eq!(text(write_exponent, 0.0), "0.000000e+00");
        assert_eq!(text(write_exponent, 1e300), "1.000000e+300");
        assert_eq!(text(write_fixed, 1e10), "10000000000.000000");
        assert_eq!(text(write_fixed, f64::INFINITY), "+Inf");
        assert_eq!(text(write_go, f64::NAN), "NaN");
    }
}
