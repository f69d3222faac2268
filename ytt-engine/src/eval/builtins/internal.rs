//! Built-ins that only generated code calls: operators and attributes with the reference's meaning, `**` arguments,
//! the bound of `while`.

use num_bigint::BigInt;
use starlark::collections::SmallMap;
use starlark::eval::Evaluator;
use starlark::values::dict::{Dict, DictRef};
use starlark::values::{StringValue, UnpackValue, Value};

use super::basic::{attribute, mapping, missing_attribute};
use super::{Input, type_name};
use crate::eval::error::{self, EvalResult, plain};
use crate::eval::numbers::{as_float, is_int, to_int};
use crate::eval::object::Object;
use crate::eval::text::LONGEST;
use crate::eval::{keywords, strings};

type Result<'v> = EvalResult<Value<'v>>;

/// Bytes of an entry that `items` of a dict makes.
const ROW: usize = 40;

/// So many bytes are copied or searched in the time in which one is looked at by code.
const COPIED: usize = 16;

fn two<'v>(input: &Input<'v>) -> (Value<'v>, Value<'v>) {
    match input.positional[..] {
        [left, right] => (left, right),
        _ => unreachable!("generated code gives two arguments"),
    }
}

/// `E.name` for the names of string methods.
pub(super) fn method<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Result<'v> {
    let (value, name) = two(&input);
    let name = name.unpack_str().unwrap_or_default();
    let Some(found) = attribute(value, name, eval.heap())? else { return Err(missing_attribute(value, name)) };
    // methods of the interpreter are about to be called
    let length = || value.length().unwrap_or_default() as usize;
    match name {
        "index" | "insert" | "remove" if value.get_type() == "list" => input.meter.walk_items(length())?,
        "items" | "keys" | "values" if value.get_type() == "dict" => {
            input.meter.room(ROW * length())?;
            input.meter.walk_items(length())?;
        }
        _ => {}
    }
    Ok(found)
}

/// About the bytes that a copy of a text, list or tuple has; nothing for other values.
fn bytes(value: Value<'_>) -> usize {
    match (value.unpack_str(), value.get_type()) {
        (Some(text), _) => text.len(),
        (None, "list" | "tuple") => size_of::<Value<'_>>() * value.length().unwrap_or_default() as usize,
        _ => 0,
    }
}

/// `a + b`.
pub(super) fn plus<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Result<'v> {
    let (left, right) = two(&input);
    if left.unpack_i32().is_none() {
        input.meter.room(bytes(left) + bytes(right))?;
    }
    left.add(right, eval.heap())
}

/// What is put behind another value by a way of the interpreter: the right side of `+=`, the argument of `extend`,
/// `update` and `union`.
pub(super) fn grow<'v>(input: Input<'v>, _eval: &mut Evaluator<'v, '_, '_>) -> Result<'v> {
    let value = input.positional[0];
    if value.unpack_str().is_some() {
        input.meter.room(bytes(value))?;
    } else if let (false, Ok(length)) = (is_int(value), value.length()) {
        // a list grows by half and more, so that there is room for what comes
        input.meter.room(4 * size_of::<Value<'v>>() * length as usize)?;
        match value.get_type() {
            "list" | "tuple" | "range" => input.meter.walk_items(length as usize)?,
            _ => input.meter.table(length as usize)?,
        }
    }
    Ok(value)
}

/// A slice: what was just cut out.
pub(super) fn part<'v>(input: Input<'v>, _eval: &mut Evaluator<'v, '_, '_>) -> Result<'v> {
    let value = input.positional[0];
    input.meter.walk(bytes(value) / COPIED)?;
    Ok(value)
}

/// The beginning of a body with so many operations more than a step has.
pub(super) fn turn<'v>(input: Input<'v>, _eval: &mut Evaluator<'v, '_, '_>) -> Result<'v> {
    let steps = input.positional[0].unpack_i32().unwrap_or_default();
    input.meter.steps(usize::try_from(steps).unwrap_or_default())?;
    Ok(Value::new_none())
}

/// `a % b`.
pub(super) fn modulo<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Result<'v> {
    let (left, right) = two(&input);
    let heap = eval.heap();
    if let Some(format) = left.unpack_str() {
        return strings::percent(format, right, input.meter);
    }
    if is_int(left) && is_int(right) {
        if right.equals(heap.alloc(0))? {
            return Err(plain("integer modulo by zero"));
        }
        return left.percent(right, heap);
    }
    match (as_float(left), as_float(right)) {
        (Some(_), Some(0.0)) => Err(plain("float modulo by zero")),
        // The sign is that of the dividend.
        (Some(left), Some(right)) => Ok(heap.alloc(left % right)),
        _ => Err(plain(format!("unknown binary op: {} % {}", type_name(left), type_name(right)))),
    }
}

/// `a * b`, where a text or list is repeated only as far as the reference does: beyond it there is no memory.
pub(super) fn times<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Result<'v> {
    let (left, right) = two(&input);
    for (sequence, count) in [(left, right), (right, left)] {
        if !is_int(count) || !matches!(type_name(sequence), "string" | "list" | "tuple") {
            continue;
        }
        let length = i128::from(sequence.length().unwrap_or_default());
        if length == 0 {
            // nothing stays nothing; the interpreter would take its time over it
            return sequence.mul(eval.heap().alloc(0), eval.heap());
        }
        match count.unpack_i32() {
            Some(count) if length * i128::from(count) >= LONGEST as i128 => {
                return Err(plain(format!("excessive repeat ({} elements)", length * i128::from(count))));
            }
            Some(count) => {
                input.meter.room(bytes(sequence).saturating_mul(usize::try_from(count).unwrap_or_default()))?
            }
            None => return Err(plain(format!("repeat count {} too large", count.to_str()))),
        }
    }
    if is_int(left) && is_int(right) {
        input.meter.walk(words(left).saturating_mul(words(right)) / WORDS)?;
    }
    left.mul(right, eval.heap())
}

/// So many products of two machine words take as long as a look at a byte.
const WORDS: usize = 8;

/// The machine words of an integer that has more than a float can hold; 0 for others.
fn words(value: Value<'_>) -> usize {
    match as_float(value) {
        Some(number) if number.is_infinite() => {
            BigInt::unpack_value(value).ok().flatten().map_or(0, |number| number.bits() as usize / 64)
        }
        _ => 0,
    }
}

/// `a in b`.
pub(super) fn is_in<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Result<'v> {
    contains(&input, eval).map(Value::new_bool)
}

/// `a not in b`.
pub(super) fn is_not_in<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Result<'v> {
    contains(&input, eval).map(|found| Value::new_bool(!found))
}

fn contains<'v>(input: &Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<bool> {
    let (item, container) = two(input);
    match container.get_type() {
        "list" | "tuple" => input.meter.walk_items(container.length()? as usize)?,
        "string" => input.meter.walk(bytes(container) / COPIED)?,
        _ => {}
    }
    let kind = type_name(item);
    if let Some(dict) = DictRef::from_value(container) {
        // What cannot be a key is in no dict.
        return Ok(item.get_hashed().is_ok_and(|key| dict.get_hashed(key).is_some()));
    }
    // Members that were made are found at once; a struct that cannot make them is asked for their names.
    if let (Some(object), Some(name)) =
        (Object::from_value(container).filter(|object| !object.is_module()), item.unpack_str())
        && let Ok(found) = object.member(name, eval.heap())
    {
        return Ok(found.is_some());
    }
    match type_name(container) {
        "string" if item.unpack_str().is_none() => {
            Err(plain(format!("'in <string>' requires string as left operand, not {kind}")))
        }
        "range" => match to_int(item, eval.heap()) {
            Ok(number) => container.is_in(number),
            Err(_) => Err(plain(format!("'in <range>' requires integer as left operand, not {kind}"))),
        },
        "set" if item.get_hashed().is_err() => Err(plain(format!("unhashable type: {kind}"))),
        other => match container.is_in(item) {
            Err(failure) if error::diagnostic_of(&failure).is_none() && is_unsupported(&failure) => {
                Err(plain(format!("unknown binary op: {kind} in {other}")))
            }
            result => result,
        },
    }
}

fn is_unsupported(failure: &starlark::Error) -> bool {
    failure.without_diagnostic().to_string().starts_with("Operation ")
}

/// `**X` of a call: a dict, with names as generated code writes them.
pub(super) fn keywords<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Result<'v> {
    let heap = eval.heap();
    let value = input.positional[0];
    let Some(entries) = mapping(value, input.meter)? else {
        return Err(plain(format!("argument after ** must be a mapping, not {}", type_name(value))));
    };
    let mut renamed = SmallMap::with_capacity(entries.len());
    for (key, item) in entries {
        let Some(name) = key.unpack_str() else {
            return Err(plain(format!("keywords must be strings, not {}", type_name(key))));
        };
        let key = heap.alloc_str(&keywords::written(name)).to_value();
        renamed.insert_hashed(key.get_hashed()?, item);
    }
    Ok(heap.alloc(Dict::new(renamed)))
}

/// The `**k` of a `def`, with names as the caller wrote them; the same dict where they are the same.
pub(super) fn plain_keywords<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Result<'v> {
    let heap = eval.heap();
    let value = input.positional[0];
    let Some(dict) = DictRef::from_value(value) else { return Ok(value) };
    let names = || dict.iter().filter_map(|(key, item)| Some((StringValue::new(key)?, item)));
    if names().all(|(name, _)| keywords::plain(name.as_str()) == name.as_str()) {
        return Ok(value);
    }
    let mut renamed = SmallMap::with_capacity(dict.len());
    for (name, item) in names() {
        renamed.insert_hashed(keywords::undo(name, heap).to_value().get_hashed()?, item);
    }
    Ok(heap.alloc(Dict::new(renamed)))
}

/// The end of the range that stands for an endless loop was met.
pub(super) fn endless<'v>(_input: Input<'v>, _eval: &mut Evaluator<'v, '_, '_>) -> Result<'v> {
    Err(plain("while loop: more than 2147483647 turns"))
}
