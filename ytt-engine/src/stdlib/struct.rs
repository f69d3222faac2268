//! `@ytt:struct`: `make`, `bind`, `make_and_bind`, `encode`, `decode`.
//!
//! A struct is an `Object`; what it can do stands there. `encode` and `decode` go through the values of the arena, as
//! everything does that leaves code; fragments are values of their own and are refused.

use starlark::eval::Evaluator;
use starlark::values::dict::AllocDict;
use starlark::values::list::AllocList;
use starlark::values::{Heap, Value, ValueTyped};

use super::arguments::{expect, expect_count, only, warn_unknown, wrong};
use crate::eval::object::{CallArgs, Func, Functions, Object};
use crate::eval::text::to_star;
use crate::eval::{EvalResult, FileInstance, Host, Returned, convert, is_callable, type_name};
use crate::yaml::{Raw, Val};

pub(super) const FUNCTIONS: Functions = &[
    ("make", make),
    ("bind", bind),
    ("make_and_bind", make_and_bind),
    ("encode", |function, given, eval| converted(function, &given, true, eval.heap())),
    ("decode", |function, given, eval| converted(function, &given, false, eval.heap())),
];

fn make<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let text = "unexpected positional arguments (structs are made from keyword arguments only)";
    expect_count(&given, 0, text)?;
    Ok(Object::structure(function.inst.as_ref().host, given.named).alloc(eval.heap()))
}

fn bind<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    if given.positional.len() < 2 {
        return Err(wrong("expected at least two arguments"));
    }
    warn_unknown(function, &given, &[]);
    Ok(bound(function.inst, given.positional.into_vec(), eval.heap()))
}

/// A function that calls the first of `kept` with the others in front of its own arguments.
fn bound<'v>(inst: ValueTyped<'v, FileInstance<'v>>, kept: Vec<Value<'v>>, heap: Heap<'v>) -> Value<'v> {
    Func::new(inst, "struct.bind_result", call_bound).keeping(kept).alloc(heap)
}

#[allow(clippy::indexing_slicing, reason = "whatever `bound` makes keeps a function in front")]
fn call_bound<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let (callee, first) = (function.kept[0], &function.kept[1..]);
    if !is_callable(callee) {
        let kind = type_name(callee);
        return Err(wrong(format!("invalid call of non-function ({kind})")));
    }
    let positional: Vec<Value<'v>> = first.iter().chain(&given.positional).copied().collect();
    let named: Vec<(&str, Value<'v>)> = given.named.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    crate::eval::call(eval, callee, &positional, &named)
}

fn make_and_bind<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let [object] = expect(&given, "expected at exactly one argument")?;
    let members = given.named.into_iter().map(|(name, value)| {
        let value = if is_callable(value) { bound(function.inst, vec![value, object], eval.heap()) } else { value };
        (name, value)
    });
    Ok(Object::structure(function.inst.as_ref().host, members.collect()).alloc(eval.heap()))
}

fn converted<'v>(function: &Func<'v>, given: &CallArgs<'v>, maps_are_structs: bool, heap: Heap<'v>) -> Returned<'v> {
    let host = function.inst.as_ref().host;
    let value = convert::to_val(host.as_ref(), only(function, given)?, heap)?;
    star(host, value, maps_are_structs, heap)
}

/// A raw value with dicts or structs at every depth; fragments are refused.
fn star<'v>(host: ValueTyped<'v, Host<'v>>, value: Val, maps_are_structs: bool, heap: Heap<'v>) -> Returned<'v> {
    let number = match value {
        Val::Raw(number) => number,
        Val::Node(_) => {
            // Fragments are values of their own.
            return Err(wrong("unknown type yamlfragment for conversion to starlark value"));
        }
        scalar => return Ok(convert::from_val(host, scalar, heap)),
    };
    let raw = host.as_ref().arena.borrow().raw(number).clone();
    match raw {
        Raw::List(values) => {
            let values = values.into_iter().map(|value| star(host, value, maps_are_structs, heap));
            Ok(heap.alloc(AllocList(values.collect::<EvalResult<Vec<_>>>()?)))
        }
        Raw::Dict(entries) if maps_are_structs => {
            let members = entries.into_iter().map(|(key, value)| {
                let Some(name) = host.as_ref().text(key) else {
                    let shown = host.as_ref().show_key(key);
                    return Err(wrong(format!("expected struct key {shown} to be string")));
                };
                Ok((heap.alloc_str(&to_star(&name)), star(host, value, maps_are_structs, heap)?))
            });
            Ok(Object::structure(host, members.collect::<EvalResult<_>>()?).alloc(heap))
        }
        Raw::Dict(entries) => {
            // a tuple comes back as a list, which is no key: the reference loses it with its value
            let keyed = entries.into_iter().filter(|(key, _)| !matches!(key, Val::Raw(_) | Val::Node(_)));
            let pairs = keyed.map(|(key, value)| {
                Ok((convert::from_val(host, key, heap), star(host, value, maps_are_structs, heap)?))
            });
            Ok(heap.alloc(AllocDict(pairs.collect::<EvalResult<Vec<_>>>()?)))
        }
    }
}
