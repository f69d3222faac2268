//! `format % values`.

use std::slice;

use num_bigint::BigInt;
use starlark::values::dict::DictRef;
use starlark::values::tuple::TupleRef;
use starlark::values::{Heap, UnpackValue, Value};

use super::{POINT, decode};
use crate::diag::{Code, Diagnostic, Fact};
use crate::eval::advice::VERBS;
use crate::eval::error::{self, EvalResult, Returned, text_only};
use crate::eval::kind::type_name;
use crate::eval::numbers::{as_float, float_verb, is_int, to_int};
use crate::eval::object::Object;
use crate::eval::text::{from_star, readable, to_star};
use crate::eval::{Meter, repr};

/// The text of `format % values`; `format` is Starlark text.
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "`used` is below the number of items, and there are not more items or bytes than memory"
)]
pub(crate) fn percent<'v>(format: &str, values: Value<'v>, meter: Meter<'v>) -> Returned<'v> {
    let heap = meter.heap;
    meter.walk(format.len())?;
    let tuple = TupleRef::from_value(values);
    let count = tuple.map_or(1, TupleRef::len);
    let mut out =
        String::with_capacity(format.len() + likely_length(tuple.map_or(slice::from_ref(&values), TupleRef::content)));
    let (mut rest, mut used) = (format, 0);
    while let Some((literal, after)) = rest.split_once('%') {
        out.push_str(literal);
        rest = after;
        if let Some(after) = rest.strip_prefix('%') {
            out.push('%');
            rest = after;
            continue;
        }
        let value = if let Some(after) = rest.strip_prefix('(') {
            let Some((key, after)) = after.split_once(')') else { return Err(text_only("incomplete format key")) };
            rest = after;
            keyed(values, key, heap)?
        } else if used >= count {
            let few = Diagnostic::error(Code::STARLARK_ERROR, "not enough arguments for format string");
            return Err(error::wrap(match tuple {
                None => few
                    .fact(Fact::Unbracketed { places: places(format) })
                    .help("several values stand in brackets: `… % (a, b)`"),
                Some(_) => few.fact(counted(format, count)),
            }));
        } else {
            tuple.map_or(values, |tuple| tuple.content()[used])
        };
        let Some(verb) = rest.chars().next() else {
            let problem = Diagnostic::error(Code::STARLARK_ERROR, "incomplete format");
            return Err(error::wrap(problem.fact(Fact::Directive { values: count })));
        };
        let at = format.len().saturating_sub(rest.len());
        rest = rest.split_at(verb.len_utf8()).1;
        convert(&mut out, verb, value, meter).map_err(|failure| match VERBS.contains(verb) || is_width(verb) {
            true => refused(failure, (verb, at), (used, value), format),
            false => unknown(verb, count),
        })?;
        meter.room(out.len().saturating_mul(2))?;
        used += 1;
    }
    out.push_str(rest);
    if used < count {
        let many = Diagnostic::error(Code::STARLARK_ERROR, "too many arguments for format string");
        return Err(error::wrap(many.fact(counted(format, count))));
    }
    Ok(heap.alloc_str(&out).to_value())
}

fn places(format: &str) -> usize {
    format.replace("%%", "").matches('%').count()
}

fn counted(format: &str, values: usize) -> Fact {
    Fact::Counted { places: places(format), values }
}

/// About how long values are as text, so that a short text does not move while it grows. A long one asks for room first.
fn likely_length(values: &[Value<'_>]) -> usize {
    const OTHER: usize = 8;
    const MOST: usize = 1 << 12;
    let lengths = values.iter().map(|value| value.unpack_str().map_or(OTHER, str::len));
    lengths.fold(0, usize::saturating_add).min(MOST)
}

/// The error of a value that a verb for numbers does not take, with which one it is.
fn refused(
    failure: starlark::Error,
    (verb, at): (char, usize),
    (number, value): (usize, Value<'_>),
    format: &str,
) -> starlark::Error {
    match error::diagnostic_of(&failure) {
        Some(problem) if "dioxXeEfFgG".contains(verb) && !matches!(type_name(value), "int" | "float") => {
            let kind = type_name(value).to_owned();
            error::wrap(problem.clone().fact(Fact::Conversion { verb, at, number, kind }))
        }
        Some(problem) if is_width(verb) => {
            let rest = format.get(at..).unwrap_or_default();
            let end = rest.find(|letter: char| letter.is_ascii_alphabetic()).map_or(0, |end| end.saturating_add(1));
            let spec = rest.get(..end).unwrap_or_default().to_owned();
            error::wrap(if spec.is_empty() { problem.clone() } else { problem.clone().fact(Fact::Width { spec }) })
        }
        _ => failure,
    }
}

/// The value of `%(key)s`.
fn keyed<'v>(values: Value<'v>, key: &str, heap: Heap<'v>) -> Returned<'v> {
    let is_mapping = DictRef::from_value(values).is_some()
        || Object::from_value(values).is_some_and(|object| object.kind() == "struct")
        || type_name(values) == "yamlfragment";
    if !is_mapping {
        return Err(text_only("format requires a mapping"));
    }
    values.at(heap.alloc_str(key).to_value(), heap).map_err(|_| text_only(format!("key not found: {}", readable(key))))
}

fn convert<'v>(out: &mut String, verb: char, value: Value<'v>, meter: Meter<'v>) -> EvalResult<()> {
    let heap = meter.heap;
    match verb {
        's' => repr::write_str(out, value, meter)?,
        'r' => repr::write(out, value, meter)?,
        'd' | 'i' if value.unpack_i32().is_some() => repr::write(out, value, meter)?,
        'd' | 'i' | 'o' | 'x' | 'X' => {
            let number = to_int(value, heap).map_err(|failure| {
                text_only(format!("%{verb} format requires integer: {}", failure.without_diagnostic()))
            })?;
            let digits = BigInt::unpack_value(number).ok().flatten().unwrap_or_default();
            out.push_str(&match verb {
                'o' => format!("{digits:o}"),
                'x' => format!("{digits:x}"),
                'X' => format!("{digits:X}"),
                _ => digits.to_string(),
            });
        }
        'e' | 'f' | 'g' | 'E' | 'F' | 'G' => match as_float(value) {
            Some(number) => out.push_str(&float_verb(number, verb as u8)),
            None => {
                return Err(text_only(format!("%{verb} format requires float, not {}", type_name(value))));
            }
        },
        'c' => {
            meter.room(value.unpack_str().map_or(0, str::len).saturating_mul(POINT))?;
            character(out, value)?;
        }
        _ if is_width(verb) => return Err(error::helped(format!("unknown conversion %{verb}"), WIDTH)),
        _ => return Err(text_only(format!("unknown conversion %{verb}"))),
    }
    Ok(())
}

fn character(out: &mut String, value: Value<'_>) -> EvalResult<()> {
    if let Some(text) = value.unpack_str() {
        let bytes = from_star(text);
        if decode(&bytes).len() != 1 {
            return Err(text_only("%c format requires a single-character string"));
        }
        let character = String::from_utf8_lossy(&bytes);
        out.push_str(&to_star(character.as_bytes()));
        return Ok(());
    }
    if !is_int(value) {
        return Err(text_only(format!("%c format requires int or single-character string, not {}", type_name(value))));
    }
    let number = value.unpack_i32().and_then(|number| u32::try_from(number).ok()).filter(|number| *number <= 0x10_ffff);
    let Some(number) = number else {
        return Err(text_only(format!("%c format requires a valid Unicode code point, got {}", value.to_str())));
    };
    let character = char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER);
    out.push_str(&to_star(character.encode_utf8(&mut [0; 4]).as_bytes()));
    Ok(())
}

fn unknown(verb: char, values: usize) -> starlark::Error {
    let problem = Diagnostic::error(Code::STARLARK_ERROR, format!("unknown conversion %{verb}"));
    error::wrap(problem.fact(Fact::Directive { values }))
}

fn is_width(verb: char) -> bool {
    verb.is_ascii_digit() || matches!(verb, '.' | '+' | '-' | '#' | '*')
}

/// What to do instead of `%.2f`.
pub(super) const WIDTH: &str =
    "width and precision do not exist; round with `math.round(x * 100) / 100` of `@ytt:math`";
