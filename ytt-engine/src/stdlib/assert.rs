//! `@ytt:assert`: `equals`, `fail`, `try_to`, and assertion objects (`min`, `max`, `min_len`, `max_len`, `not_null`,
//! `one_not_null`, `one_of`), whose rules are those of validations.

use starlark::eval::Evaluator;
use starlark::values::float::StarlarkFloat;
use starlark::values::tuple::AllocTuple;
use starlark::values::{Heap, UnpackValue, Value, ValueLike};

use super::arguments::{expect, text, warn_unknown, wrong};
use super::yaml;
use crate::diag::{Code, Diagnostic, Fact};
use crate::eval::object::{CallArgs, Func, Functions, Object, ObjectRole, Run};
use crate::eval::text::{from_star, readable, to_star};
use crate::eval::type_name;
use crate::eval::{EvalResult, Host, Returned, convert, error, is_callable, trace};
use crate::overlay::host_kind;
use crate::validate::{Test, whole};
use crate::yaml::{Body, Raw, Val};

pub(super) const FUNCTIONS: Functions = &[
    ("equals", equals),
    ("fail", fail),
    ("try_to", try_to),
    ("min", |f, given, eval| bounded(f, given, eval, |f, given, eval| compare(f, &given, Test::Min, eval))),
    ("min_len", |f, given, eval| measured(f, &given, eval, |f, given, _| length(f, &given, Test::MinLen))),
    ("max", |f, given, eval| bounded(f, given, eval, |f, given, eval| compare(f, &given, Test::Max, eval))),
    ("max_len", |f, given, eval| measured(f, &given, eval, |f, given, _| length(f, &given, Test::MaxLen))),
    ("not_null", not_null),
    ("one_not_null", one_not_null),
    ("one_of", one_of),
];

/// Exactly `N` positional arguments, in the words of this module.
fn exactly<'v, const N: usize>(given: &CallArgs<'v>) -> EvalResult<[Value<'v>; N]> {
    expect(given, &format!("got {} arguments, want {N}", given.positional.len()))
}

/// At most one argument.
fn at_most_one<'v>(given: &CallArgs<'v>, text: &str) -> EvalResult<Option<Value<'v>>> {
    match given.positional[..] {
        [] => Ok(None),
        [value] => Ok(Some(value)),
        _ => Err(wrong(format!("got {} arguments, want {text}", given.positional.len()))),
    }
}

fn equals<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let [expected, actual] = exactly(&given)?;
    warn_unknown(function, &given, &[]);
    for value in [expected, actual] {
        if is_callable(value) {
            let text = format!("expected argument not to be a function, but was {}", host_kind(type_name(value)));
            return Err(wrong(text));
        }
    }
    let host = function.inst.as_ref().host.as_ref();
    let wanted = yaml::encoded(host, expected, eval.heap())?;
    let found = yaml::encoded(host, actual, eval.heap())?;
    if wanted == found {
        return Ok(Value::new_none());
    }
    let message = format!(
        "Not equal:\n(expected type: {})\n{wanted}\n\n(was type: {})\n{found}",
        type_name(expected),
        type_name(actual)
    );
    let kinds = (type_name(expected).to_owned(), type_name(actual).to_owned());
    let mut diagnostic = Diagnostic::error(Code::MODULE_ASSERT, message);
    if let Some(note) = first_difference(&wanted, &found) {
        diagnostic = diagnostic.note(note);
    }
    Err(error::wrap(diagnostic.fact(Fact::NotEqual { left: wanted, right: found, kinds })))
}

/// The first line that differs.
fn first_difference(wanted: &str, found: &str) -> Option<String> {
    let (mut wanted, mut found) = (wanted.lines(), found.lines());
    for number in 1_u64.. {
        let (expected, actual) = (wanted.next(), found.next());
        if expected != actual {
            let show = |line: Option<&str>| line.map_or_else(|| "nothing".to_owned(), |line| format!("`{line}`"));
            return Some(format!("line {number} differs: expected {}, was {}", show(expected), show(actual)));
        }
        expected?;
    }
    None
}

fn fail<'v>(function: &Func<'v>, given: CallArgs<'v>, _: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let [message] = exactly(&given)?;
    let message = text(message)?;
    warn_unknown(function, &given, &[]);
    let message = format!("fail: {}", String::from_utf8_lossy(&message));
    Err(error::wrap(Diagnostic::error(Code::MODULE_ASSERT, message).fact(Fact::Assertion { of: None })))
}

#[allow(clippy::arithmetic_side_effects, reason = "trials are nested no deeper than calls, whose depth is a `u32`")]
fn try_to<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let [callee] = exactly(&given)?;
    warn_unknown(function, &given, &[]);
    if !is_callable(callee) {
        let kind = type_name(callee);
        let text = format!("expected argument to be a function, but was {}", host_kind(kind));
        let problem = Diagnostic::error(Code::MODULE_ARGUMENT, text);
        return Err(error::wrap(problem.fact(Fact::NotTried { kind: kind.to_owned() })));
    }
    let host = function.inst.as_ref().host.as_ref();
    let heights = host.heights();
    host.trying.set(host.trying.get() + 1);
    let result = crate::eval::call(eval, callee, &[], &[]);
    let diagnosed = result.map_err(|failure| (trace::diagnostic(host, &failure), failure));
    host.trying.set(host.trying.get() - 1);
    let (diagnostic, failure) = match diagnosed {
        Ok(value) => return Ok(eval.heap().alloc(AllocTuple([value, Value::new_none()]))),
        Err(failed) => failed,
    };
    // No program can go on when a budget of the render is used up.
    if diagnostic.code() == Code::LIMIT_BUDGET {
        return Err(failure);
    }
    host.restore(heights);
    let message = eval.heap().alloc_str(&to_star(diagnostic.full_message().as_bytes())).to_value();
    Ok(eval.heap().alloc(AllocTuple([Value::new_none(), message])))
}

/// An assertion object; `kept` is what its check compares with.
fn assertion<'v>(
    function: &Func<'v>,
    name: &'static str,
    run: Run,
    kept: Vec<Value<'v>>,
    heap: Heap<'v>,
) -> Returned<'v> {
    let check = Func::new(function.inst, name, run).keeping(kept);
    let check = check.role(if name == "lambda" { ObjectRole::Lambda } else { ObjectRole::Unnamed });
    let members = convert::members([("check", check.alloc(heap))], heap);
    let role = ObjectRole::NoEncode("does not encode (did you mean to call check()?)");
    Ok(Object::new("@ytt:assert.assertion", "struct(...)", members, role).alloc(heap))
}

/// An assertion that compares with the one argument.
fn bounded<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>, run: Run) -> Returned<'v> {
    let [bound] = exactly(&given)?;
    warn_unknown(function, &given, &[]);
    assertion(function, "lambda", run, vec![bound], eval.heap())
}

#[allow(clippy::indexing_slicing, reason = "`bounded` made it with a bound")]
fn compare<'v>(
    function: &Func<'v>,
    given: &CallArgs<'v>,
    test: fn(Val) -> Test,
    eval: &mut Evaluator<'v, '_, '_>,
) -> Returned<'v> {
    let value = written(function, parameter(given, "val")?, eval.heap())?;
    let bound = written(function, function.kept[0], eval.heap())?;
    passed(function, &test(bound), value)
}

/// The same with the bound of a length: an int of any size, or a float without its fraction. More than any length is all
/// the same.
#[allow(
    clippy::cast_possible_truncation,
    reason = "a float loses its fraction here, and one that is too large stops at the largest integer"
)]
fn measured<'v>(function: &Func<'v>, given: &CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>, run: Run) -> Returned<'v> {
    let [value] = exactly(given)?;
    warn_unknown(function, given, &[]);
    let number = match value.downcast_ref::<StarlarkFloat>() {
        Some(float) if float.0.is_finite() => float.0 as i64,
        None if value.get_type() == "int" => {
            let far = if value.to_str().starts_with('-') { i64::MIN } else { i64::MAX };
            i64::unpack_value(value).ok().flatten().unwrap_or(far)
        }
        _ => return Err(wrong(format!("expected value to be an number, but was {}", type_name(value)))),
    };
    assertion(function, "lambda", run, vec![eval.heap().alloc(number)], eval.heap())
}

/// Strings are measured in bytes.
#[allow(clippy::indexing_slicing, reason = "`measured` made it with a bound")]
fn length<'v>(function: &Func<'v>, given: &CallArgs<'v>, test: fn(i128) -> Test) -> Returned<'v> {
    let value = parameter(given, "sequence")?;
    let length = match value.unpack_str() {
        Some(text) => i64::try_from(from_star(text).len()).unwrap_or(i64::MAX),
        None => match value.length() {
            Ok(length) => i64::from(length),
            Err(_) => return Err(wrong(format!("len: value of type {} has no len", type_name(value)))),
        },
    };
    let bound = i64::unpack_value(function.kept[0]).ok().flatten().unwrap_or_default();
    let test = test(bound.into());
    let passes = if matches!(test, Test::MinLen(_)) { length >= bound } else { length <= bound };
    if passes {
        return Ok(Value::new_bool(true));
    }
    Err(broken(function, &test, format!("fail: length = {length}")))
}

fn not_null<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let value = at_most_one(&given, "at most 1")?;
    warn_unknown(function, &given, &[]);
    match value {
        Some(value) => is_set(function, value),
        None => {
            assertion(function, "lambda", |f, given, _| is_set(f, parameter(&given, "value")?), vec![], eval.heap())
        }
    }
}

fn is_set<'v>(function: &Func<'v>, value: Value<'v>) -> Returned<'v> {
    if value.is_none() {
        return Err(broken(function, &Test::NotNull, "fail: value is null".to_owned()));
    }
    Ok(Value::new_bool(true))
}

fn one_not_null<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let keys = match at_most_one(&given, "1")? {
        None => vec![],
        Some(value) => match value.unpack_bool() {
            Some(true) => vec![],
            Some(false) => return Err(wrong("one_not_null() cannot be False")),
            None if is_sequence(value) => vec![value],
            None => {
                return Err(wrong(format!("expected a sequence of keys, but was a '{}'", type_name(value))));
            }
        },
    };
    warn_unknown(function, &given, &[]);
    assertion(function, "assert.one_not_null", check_one_not_null, keys, eval.heap())
}

fn check_one_not_null<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let [value] = given.positional[..] else {
        return Err(wrong(format!("check: got {} arguments, want 1", given.positional.len())));
    };
    let heap = eval.heap();
    let value = convert::to_val(function.inst.as_ref().host.as_ref(), value, heap)?;
    let keys = match function.kept[..] {
        [keys] => {
            let keys = keys.iterate(heap)?.map(|key| convert::to_val(function.inst.as_ref().host.as_ref(), key, heap));
            Some(keys.collect::<EvalResult<Vec<Val>>>()?)
        }
        _ => None,
    };
    passed(function, &Test::OneNotNull(keys), value)
}

fn one_of<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    warn_unknown(function, &given, &[]);
    let allowed = match given.positional[..] {
        [] => return Err(wrong("got 0 arguments, want at least 1")),
        [one] if is_sequence(one) => one,
        [one] => return Err(wrong(format!("expected a sequence, but was a '{}'", type_name(one)))),
        _ => eval.heap().alloc(AllocTuple(given.positional)),
    };
    assertion(function, "lambda", check_one_of, vec![allowed], eval.heap())
}

#[allow(clippy::indexing_slicing, reason = "`one_of` made it with the allowed values")]
fn check_one_of<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let value = written(function, parameter(&given, "val")?, eval.heap())?;
    let allowed = written(function, function.kept[0], eval.heap())?;
    let host = function.inst.as_ref().host.as_ref();
    let decoded = whole(&host.arena.borrow(), allowed);
    let allowed = decoded.map_err(|failure| wrong(failure.into_error()))?;
    if is_nothing(host, allowed) {
        let kind = match value {
            _ if is_nothing(host, value) => "NoneType",
            Val::Node(id) if matches!(host.arena.borrow().get(id).body, Body::Map(_)) => "dict",
            Val::Node(_) => "list",
            _ => type_name(convert::from_val(function.inst.as_ref().host, value, eval.heap())),
        };
        return Err(wrong(format!("unknown binary op: {kind} in NoneType")));
    }
    // A map offers its keys.
    let is_map = match allowed {
        Val::Raw(number) => matches!(host.arena.borrow().raw(number), Raw::Dict(_)),
        Val::Node(id) => matches!(host.arena.borrow().get(id).body, Body::Map(_)),
        _ => false,
    };
    let allowed = host.entries(allowed).into_iter().map(|(key, value)| if is_map { key } else { value });
    passed(function, &Test::OneOf(allowed.collect()), value)
}

/// Null, or a fragment without items, which YAML writes as nothing.
fn is_nothing(host: &Host<'_>, value: Val) -> bool {
    match value {
        Val::Node(id) => host.arena.borrow().items(id).is_empty(),
        other => other == Val::Null,
    }
}

/// True, or the failure of the rule.
fn passed<'v>(function: &Func<'v>, test: &Test, value: Val) -> Returned<'v> {
    let host = function.inst.as_ref().host.as_ref();
    let result = test.check(&host.arena.borrow(), value);
    match result {
        Ok(()) => Ok(Value::new_bool(true)),
        Err(failure) => Err(broken(function, test, failure.into_error())),
    }
}

/// A check that does not hold.
fn broken(function: &Func<'_>, test: &Test, text: String) -> starlark::Error {
    let arena = function.inst.as_ref().host.as_ref().arena.borrow();
    let fact = Fact::Check { must: test.words(&arena), allowed: test.allowed(&arena) };
    error::wrap(Diagnostic::error(Code::MODULE_ASSERT, text).fact(fact))
}

/// A value as it goes into YAML, whose encoder words the errors.
fn written<'v>(function: &Func<'v>, value: Value<'v>, heap: Heap<'v>) -> EvalResult<Val> {
    let host = function.inst.as_ref().host.as_ref();
    convert::to_val(host, value, heap).map_err(|failed| trace::named(&failed, "yaml.encode", host))
}

/// The one parameter of a check, by place or by name.
fn parameter<'v>(given: &CallArgs<'v>, name: &str) -> Returned<'v> {
    let count = given.positional.len();
    if count > 1 {
        return Err(wrong(format!("function lambda accepts 1 positional argument ({count} given)")));
    }
    let mut value = given.positional.first().copied();
    for (given, named) in &given.named {
        if given.as_str() != name {
            let given = readable(given.as_str());
            return Err(wrong(format!("function lambda got an unexpected keyword argument \"{given}\"")));
        }
        if value.is_some() {
            return Err(wrong(format!("function lambda got multiple values for parameter \"{name}\"")));
        }
        value = Some(*named);
    }
    value.ok_or_else(|| wrong(format!("function lambda missing 1 argument ({name})")))
}

/// What can be gone through item by item, and has a length; strings are not.
fn is_sequence(value: Value<'_>) -> bool {
    matches!(type_name(value), "list" | "tuple" | "dict" | "set" | "range" | "yamlfragment")
        || Object::from_value(value).is_some_and(|object| !object.is_module())
}
