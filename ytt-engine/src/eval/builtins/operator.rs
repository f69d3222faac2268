//! The operators of generated code that are calls of ours: those that make something, with the reference's meaning.

use num_bigint::BigInt;
use starlark::eval::Evaluator;
use starlark::values::dict::DictRef;
use starlark::values::tuple::TupleRef;
use starlark::values::{StringValue, UnpackValue, Value};

use crate::diag::{Code, Diagnostic, Fact, Note, NoteKind};
use crate::eval::arguments::length_of;
use crate::eval::error::{self, EvalResult, Returned, text_only, wrap};
use crate::eval::kind::type_name;
use crate::eval::numbers::{as_float, is_int, to_int};
use crate::eval::object::Object;
use crate::eval::text::LONGEST;
use crate::eval::{Meter, advice, budget, strings, trace};
use crate::source::{SourceMap, Span};
use crate::template::written;

/// So many bytes are copied or searched in the time in which one is looked at by code.
pub(super) const COPIED: usize = 16;

/// The type of functions of programs.
pub(super) const FUNCTION: &str = "function";

/// So many products of two machine words take as long as a look at a byte.
const WORDS: usize = 8;

/// About the bytes that a copy of a text, list or tuple has; nothing for other values.
pub(super) fn bytes(value: Value<'_>) -> usize {
    match (value.unpack_str(), value.get_type()) {
        (Some(text), _) => text.len(),
        (None, "list" | "tuple") => length_of(value).unwrap_or_default().saturating_mul(size_of::<Value<'_>>()),
        _ => 0,
    }
}

/// The number of the value that `%s` would write as `None`, or as the name of a function.
fn odd_as_text(format: &str, values: Value<'_>) -> Option<usize> {
    let tuple = TupleRef::from_value(values).map(TupleRef::content);
    let is_odd = |value: &Value<'_>| {
        let is_usual = value.unpack_str().is_some() || value.unpack_i32().is_some();
        !is_usual && (value.is_none() || type_name(*value) == FUNCTION)
    };
    let nones = match tuple {
        Some(tuple) => tuple.iter().position(is_odd)?,
        None => is_odd(&values).then_some(0)?,
    };
    let verbs = format.replace("%%", "");
    let verb = verbs.split('%').nth(nones.saturating_add(1))?;
    verb.starts_with('s').then_some(nones)
}

/// Says that a function is written where its value was probably meant.
pub(super) fn warn_of_function(eval: &Evaluator<'_, '_, '_>, find: impl Fn(&SourceMap, Span) -> Option<Span>) {
    let Some(host) = budget::host(eval) else { return };
    let Some(place) = trace::current_place(host, eval) else { return };
    if !host.is_first_at(Code::STARLARK_FUNCTION_AS_TEXT, place) {
        return;
    }
    let warning = Diagnostic::warning(Code::STARLARK_FUNCTION_AS_TEXT, "a function is written as a text here");
    host.warn(match find(&host.sources, place) {
        Some(value) => advice::call_it(&host.sources, warning.label(value, "this is a function"), value),
        None => warning.label(place, "a value of this is a function"),
    });
}

/// Says that `%s` writes `None`, at the value that is None.
fn warn_of_none(eval: &Evaluator<'_, '_, '_>, values: Value<'_>, number: usize) {
    let tuple = TupleRef::from_value(values).map(TupleRef::content);
    let is_tuple = tuple.is_some();
    if !tuple.and_then(|tuple| tuple.get(number)).unwrap_or(&values).is_none() {
        return warn_of_function(eval, |sources, place| {
            let [_, right] = written::operands(sources, place)?;
            let all = written::elements(sources, right);
            Some(if is_tuple { *all.get(number)? } else { right })
        });
    }
    let Some(host) = budget::host(eval) else { return };
    let Some(place) = trace::current_place(host, eval) else { return };
    if !host.is_first_at(Code::STARLARK_NONE_AS_TEXT, place) {
        return;
    }
    let value = written::operands(&host.sources, place).map(|[_, right]| {
        let all = written::elements(&host.sources, right);
        if is_tuple { all.get(number).copied().unwrap_or(right) } else { right }
    });
    let warning = Diagnostic::warning(Code::STARLARK_NONE_AS_TEXT, "`%s` writes `None` here");
    let warning = match value {
        Some(value) => {
            let code = host.sources.get(value.source).written(value).unwrap_or_default().to_owned();
            let warning = warning.label(value, "this is None");
            match &*code {
                "None" => warning,
                code => warning.help(format!("ask for it first: `… if {code} != None else …`")),
            }
        }
        None => warning.label(place, "a value of this is None"),
    };
    host.warn(warning);
}

/// `a % b`.
pub(super) fn modulo<'v>(left: Value<'v>, right: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let heap = eval.heap();
    if let (Some(left), Some(right @ 1..)) = (left.unpack_i32(), right.unpack_i32()) {
        return Ok(heap.alloc(left.rem_euclid(right)));
    }
    if let Some(format) = left.unpack_str() {
        if let Some(number) = odd_as_text(format, right) {
            warn_of_none(eval, right, number);
        }
        return strings::percent(format, right, Meter::of(eval));
    }
    if is_int(left) && is_int(right) {
        if right.equals(heap.alloc(0))? {
            return Err(text_only("integer modulo by zero"));
        }
        return left.percent(right, heap);
    }
    match (as_float(left), as_float(right)) {
        (Some(_), Some(0.0)) => Err(text_only("float modulo by zero")),
        // The sign is that of the dividend.
        (Some(left), Some(right)) => Ok(heap.alloc(left % right)),
        _ => Err(text_only(format!("unknown binary op: {} % {}", type_name(left), type_name(right)))),
    }
}

/// `a * b`, where a text or list is repeated only as far as the reference does: beyond it there is no memory.
pub(super) fn times<'v>(left: Value<'v>, right: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    if let (Some(left), Some(right)) = (left.unpack_i32(), right.unpack_i32())
        && let Some(product) = left.checked_mul(right)
    {
        return Ok(eval.heap().alloc(product));
    }
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
            Some(count) if length.saturating_mul(i128::from(count)) >= LONGEST as i128 => {
                let elements = length.saturating_mul(i128::from(count));
                return Err(text_only(format!("excessive repeat ({elements} elements)")));
            }
            Some(count) => {
                let count = usize::try_from(count).unwrap_or_default();
                Meter::of(eval).room(bytes(sequence).saturating_mul(count))?;
            }
            None => return Err(text_only(format!("repeat count {} too large", count.to_str()))),
        }
    }
    if left.unpack_i32().is_none() && is_int(left) && is_int(right) {
        let (left, right) = (words(left), words(right));
        let meter = Meter::of(eval);
        meter.walk(left.saturating_mul(right) / WORDS)?;
        meter.outside(left.saturating_add(right).saturating_mul(8))?;
    }
    left.mul(right, eval.heap())
}

/// The machine words of an integer that has more than a float can hold; 0 for others.
pub(super) fn words(value: Value<'_>) -> usize {
    match as_float(value) {
        Some(number) if number.is_infinite() => {
            let words = |number: BigInt| usize::try_from(number.bits() / 64).unwrap_or(usize::MAX);
            BigInt::unpack_value(value).ok().flatten().map_or(0, words)
        }
        _ => 0,
    }
}

/// Counts the tables of dicts and sets that are joined.
fn tables(left: Value<'_>, right: Value<'_>, eval: &Evaluator<'_, '_, '_>) -> EvalResult<()> {
    let length = |value: Value<'_>| match value.get_type() {
        "dict" | "set" => length_of(value).unwrap_or_default(),
        _ => 0,
    };
    match length(left).saturating_add(length(right)) {
        0 => Ok(()),
        entries => Meter::of(eval).table(entries),
    }
}

/// `a | b`.
pub(super) fn or<'v>(left: Value<'v>, right: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    // the interpreter makes a type of it
    if left.is_none() || left.get_type() == "function" {
        let text = format!("unknown binary op: {} | {}", type_name(left), type_name(right));
        let hint = Note::new(NoteKind::Hint, "use 'or' instead of '|' for logical-or");
        return Err(wrap(Diagnostic::error(Code::STARLARK_ERROR, text).note(hint)));
    }
    tables(left, right, eval)?;
    left.bit_or(right, eval.heap())
}

/// `a & b`.
pub(super) fn and<'v>(left: Value<'v>, right: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    tables(left, right, eval)?;
    // the interpreter keeps the order of the right set, the reference that of the one with fewer items, or the left one
    let sets = left.get_type() == "set" && right.get_type() == "set";
    match sets && left.length()? <= right.length()? {
        true => right.bit_and(left, eval.heap()),
        false => left.bit_and(right, eval.heap()),
    }
}

/// `a ^ b`.
pub(super) fn xor<'v>(left: Value<'v>, right: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    tables(left, right, eval)?;
    left.bit_xor(right, eval.heap())
}

/// `a << b`.
pub(super) fn shift<'v>(left: Value<'v>, right: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let bits = right.unpack_i32().and_then(|bits| usize::try_from(bits).ok()).unwrap_or_default();
    // the interpreter drops what leaves its small integers
    let few = right.unpack_i32().and_then(|bits| u32::try_from(bits).ok()).filter(|bits| *bits < 32);
    if let (Some(number), Some(few)) = (left.unpack_i32(), few) {
        return Ok(eval.heap().alloc(i64::from(number).wrapping_shl(few)));
    }
    Meter::of(eval).outside(words(left).saturating_mul(8).saturating_add(bits / 8))?;
    left.left_shift(right, eval.heap())
}

/// `a in b`.
pub(super) fn is_in<'v>(left: Value<'v>, right: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    contains(left, right, eval).map(Value::new_bool)
}

/// `a not in b`.
pub(super) fn is_not_in<'v>(left: Value<'v>, right: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    contains(left, right, eval).map(|found| Value::new_bool(!found))
}

fn contains<'v>(item: Value<'v>, container: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<bool> {
    match container.get_type() {
        "list" | "tuple" => Meter::of(eval).walk_items(length_of(container)?)?,
        "string" => Meter::of(eval).walk(bytes(container) / COPIED)?,
        _ => {}
    }
    let kind = type_name(item);
    if let Some(dict) = DictRef::from_value(container) {
        // What cannot be a key is in no dict.
        return Ok(item.get_hashed().is_ok_and(|key| dict.get_hashed(key).is_some()));
    }
    // Members that were made are found at once; a struct that cannot make them is asked for their names.
    if let (Some(object), Some(name)) =
        (Object::from_value(container).filter(|object| !object.is_module()), StringValue::new(item))
        && let Ok(found) = object.member(name.get_hashed_str(), eval.heap())
    {
        return Ok(found.is_some());
    }
    match type_name(container) {
        "string" if item.unpack_str().is_none() => {
            let text = format!("'in <string>' requires string as left operand, not {kind}");
            Err(wrap(Diagnostic::error(Code::STARLARK_ERROR, text).fact(not_in(kind, "string"))))
        }
        "range" => match to_int(item, eval.heap()) {
            Ok(number) => container.is_in(number),
            Err(_) => Err(text_only(format!("'in <range>' requires integer as left operand, not {kind}"))),
        },
        "set" if item.get_hashed().is_err() => Err(text_only(format!("unhashable type: {kind}"))),
        other => match container.is_in(item) {
            Err(failure) if error::diagnostic_of(&failure).is_none() && is_unsupported(&failure) => {
                let text = format!("unknown binary op: {kind} in {other}");
                Err(wrap(Diagnostic::error(Code::STARLARK_ERROR, text).fact(not_in(kind, other))))
            }
            result => result,
        },
    }
}

fn not_in(item: &str, container: &str) -> Fact {
    Fact::Operands { operator: "in".to_owned(), left: item.to_owned(), right: container.to_owned() }
}

fn is_unsupported(failure: &starlark::Error) -> bool {
    failure.without_diagnostic().to_string().starts_with("Operation ")
}
