//! Built-ins about any value: texts, types, attributes, `print`, `fail`.

use starlark::eval::Evaluator;
use starlark::values::dict::DictRef;
use starlark::values::{Heap, Value};

use super::method::method;
use super::operator;
use crate::diag::{Code, Diagnostic, Fact, suggest};
use crate::eval::arguments::{Input, whole};
use crate::eval::error::{EvalResult, Returned, wrap};
use crate::eval::kind::type_name;
use crate::eval::object::Object;
use crate::eval::text::{from_star, readable, to_star};
use crate::eval::{Meter, budget, repr as texts, strings, trace};
use crate::source::Span;
use crate::template::code::{Binder, Bound, FileCode};
use crate::template::{methods, written};

/// So many bytes of a text are counted in the time in which one is looked at by code.
const COUNTED: usize = 64;

pub(super) fn str<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    text(input.only("exactly ")?, eval)
}

/// `str(value)`.
pub(super) fn text<'v>(value: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    if value.unpack_str().is_some() {
        return Ok(value);
    }
    if type_name(value) == operator::FUNCTION {
        operator::warn_of_function(eval, |sources, place| Some(written::call(sources, place)?.first()?.value));
    }
    let text = texts::repr(value, Meter::of(eval))?;
    Ok(eval.heap().alloc_str(&text).to_value())
}

pub(super) fn repr<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    input.between(1, 1)?;
    let text = texts::repr(input.first(), input.meter)?;
    Ok(eval.heap().alloc_str(&text).to_value())
}

pub(super) fn type_<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    kind(input.only("exactly ")?, eval)
}

/// `type(value)`.
pub(super) fn kind<'v>(value: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    Ok(eval.heap().alloc_str(type_name(value)).to_value())
}

/// The arguments as one line, `sep` between them.
fn line(input: &Input<'_>) -> EvalResult<String> {
    if let Some(other) = input.named.keys().find(|name| name.as_str() != "sep") {
        return input.fail(format!("unexpected keyword argument \"{}\"", readable(other.as_str())));
    }
    let separator = match input.named.get("sep") {
        None => " ",
        Some(value) => match value.unpack_str() {
            Some(text) => text,
            None => return input.fail(format!("for parameter \"sep\": got {}, want string", type_name(*value))),
        },
    };
    let mut line = String::new();
    for (number, value) in input.positional.iter().enumerate() {
        if number > 0 {
            line.push_str(separator);
        }
        input.meter.room(line.len().saturating_add(value.unpack_str().map_or(0, str::len)).saturating_mul(2))?;
        match value.unpack_str() {
            Some(text) => line.push_str(text),
            None => texts::write(&mut line, *value, input.meter)?,
        }
    }
    Ok(line)
}

pub(super) fn print<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let line = line(&input)?;
    if let Some(host) = budget::host(eval) {
        host.print_line(&readable(&line));
    }
    Ok(Value::new_none())
}

pub(super) fn fail<'v>(input: Input<'v>, _eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let line = line(&input)?;
    let problem = Diagnostic::error(Code::STARLARK_ERROR, format!("fail: {}", readable(&line)));
    Err(wrap(problem.fact(Fact::Assertion { of: None })))
}

pub(super) fn bool<'v>(input: Input<'v>, _eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    input.between(0, 1)?;
    Ok(Value::new_bool(input.get(0).is_some_and(Value::to_bool)))
}

pub(super) fn len<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    input.between(1, 1)?;
    length(input.first(), eval)
}

/// `len(value)`.
pub(super) fn length<'v>(value: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    if let Some(text) = value.unpack_str() {
        Meter::of(eval).walk(text.len() / COUNTED)?;
    }
    match value.length() {
        Ok(length) => Ok(eval.heap().alloc(length)),
        Err(_) => {
            let kind = type_name(value);
            let problem = Diagnostic::error(Code::STARLARK_ERROR, format!("len: value of type {kind} has no len"));
            Err(wrap(if kind == "NoneType" { problem.fact(Fact::NoneArgument) } else { problem }))
        }
    }
}

pub(super) fn chr<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let value = input.only("")?;
    let number = match whole(value) {
        Ok(number) => number,
        Err(_) => return input.fail(format!("got {}, want int", type_name(value))),
    };
    if number < 0 {
        return input.fail(format!("Unicode code point {number} out of range (<0)"));
    }
    let Some(number) = u32::try_from(number).ok().filter(|number| *number <= 0x10_ffff) else {
        return input.fail(format!("Unicode code point U+{number:X} out of range (>0x10FFFF)"));
    };
    // Halves of surrogate pairs are no characters.
    let character = char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER);
    Ok(eval.heap().alloc_str(&to_star(character.encode_utf8(&mut [0; 4]).as_bytes())).to_value())
}

pub(super) fn ord<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let value = input.only("")?;
    let Some(text) = value.unpack_str() else {
        return input.fail(format!("got {}, want string", type_name(value)));
    };
    input.meter.room(text.len().saturating_mul(strings::POINT))?;
    input.meter.walk(text.len())?;
    let bytes = from_star(text);
    let characters = strings::decode(&bytes);
    match characters[..] {
        [(number, _)] => Ok(eval.heap().alloc(number)),
        _ => input.fail(format!("string encodes {} Unicode code points, want 1", characters.len())),
    }
}

/// The hash of Java's strings, but over code points.
pub(super) fn hash<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    input.between(1, 1)?;
    let text = input.text(0)?.unwrap_or_default();
    input.meter.room(text.len().saturating_mul(strings::POINT))?;
    input.meter.walk(text.len())?;
    let bytes = from_star(text);
    let hash = strings::decode(&bytes)
        .iter()
        .fold(0i32, |hash, (number, _)| hash.wrapping_mul(31).wrapping_add(number.cast_signed()));
    Ok(eval.heap().alloc(hash))
}

pub(super) fn dir<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let value = input.only("")?;
    let names = attributes(value);
    Ok(eval.heap().alloc(names))
}

/// Names of the attributes of a value, sorted: those that the reference has.
pub(crate) fn attributes(value: Value<'_>) -> Vec<String> {
    match type_name(value) {
        kind @ ("string" | "set") => methods::of_kind(kind).map(str::to_owned).collect(),
        "list" | "dict" => value.dir_attr(),
        _ if Object::from_value(value).is_some() => value.dir_attr(),
        _ => Vec::new(),
    }
}

pub(super) fn hasattr<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    input.between(2, 2)?;
    let Some(name) = input.text(1)? else { return Ok(Value::new_bool(false)) };
    let value = input.first();
    let known = match Object::from_value(value) {
        Some(_) => value.has_attr(name, eval.heap()),
        None => attributes(value).iter().any(|known| known == name),
    };
    if !known && DictRef::from_value(value).is_some_and(|dict| dict.get_str(name).is_some()) {
        warn_of_key(name, eval);
    }
    Ok(Value::new_bool(known))
}

/// Says that a dict has this key, and no fields.
fn warn_of_key(name: &str, eval: &Evaluator<'_, '_, '_>) {
    let Some(host) = budget::host(eval) else { return };
    let Some(place) = trace::current_place(host, eval) else { return };
    if !host.is_first_at(Code::STARLARK_HASATTR_OF_DICT, place) {
        return;
    }
    let given = written::call(&host.sources, place).unwrap_or_default();
    // A function may well be given structs, too: what is surely a dict is made one in this file.
    let source = host.sources.get(place.source);
    let is_dict = given.first().is_some_and(|of| {
        let name = source.written(of.value).unwrap_or_default();
        let bound = FileCode::read(&source, place.source).and_then(|code| code.bound(of.value, name));
        matches!(bound, Some(Bound { by: Binder::Value(value), .. }) if source.written(value).is_some_and(|code| code.starts_with('{') || code.contains(".decode(")))
    });
    if !is_dict {
        return;
    }
    let text = format!("`hasattr` is False for the key `{name}` of a dict");
    let warning = Diagnostic::warning(Code::STARLARK_HASATTR_OF_DICT, text);
    let warning = warning.label(place, "the dict has this key: a dict has keys, no fields");
    let code = |span: Span| host.sources.get(span.source).written(span).unwrap_or_default().to_owned();
    host.warn(match given[..] {
        [of, key] => {
            let new = format!("{} in {}", code(key.value), code(of.value));
            warning.help_edit("ask for the key", place, new).guessing()
        }
        _ => warning.help("ask for the key by `in`"),
    });
}

pub(super) fn getattr<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    input.between(2, 3)?;
    let name = input.text(1)?.unwrap_or_default();
    let value = input.first();
    match attribute(value, name, eval.heap())? {
        Some(found) => Ok(found),
        None => match input.get(2) {
            Some(default) => {
                if let Some(host) = budget::host(eval) {
                    host.take_missed(name);
                }
                Ok(default)
            }
            None => input.fail(no_attribute(value, name)),
        },
    }
}

/// An attribute of any value; `name` is Starlark text.
pub(crate) fn attribute<'v>(value: Value<'v>, name: &str, heap: Heap<'v>) -> EvalResult<Option<Value<'v>>> {
    let kind = value.get_type();
    match method(value, name, heap) {
        Some(ours) => Ok(Some(ours)),
        // the interpreter gives these types more methods than the reference does
        None if kind == "string" || matches!(kind, "list" | "dict" | "set") && methods::is_ours(name) => Ok(None),
        None => value.get_attr(name, heap),
    }
}

/// What is said of an attribute that a value does not have.
pub(crate) fn no_attribute(value: Value<'_>, name: &str) -> String {
    format!("{} has no .{} field or method", type_name(value), readable(name))
}

/// The error of an attribute that generated code asked for.
pub(super) fn unknown_member(value: Value<'_>, name: &str) -> starlark::Error {
    let known = attributes(value);
    let hint = suggest::nearest(name, known.iter().map(String::as_str));
    let hint = hint.map(readable);
    wrap(Diagnostic::no_member(type_name(value), &readable(name), hint.as_deref()))
}
