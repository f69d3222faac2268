//! `@ytt:json`: `encode` and `decode`. Printer and reader are those of the output `-o json`.

use starlark::eval::Evaluator;
use starlark::values::{Heap, Value, ValueTyped};

use super::arguments::{boolean, expect_count, indent, only_names, text, warn_unknown};
use crate::eval::object::{Func, Given};
use crate::eval::text::to_star;
use crate::eval::{EvalResult, Inst, convert, error};
use crate::yaml::json;

pub(super) fn module<'v>(inst: ValueTyped<'v, Inst<'v>>, heap: Heap<'v>) -> EvalResult<Value<'v>> {
    Ok(super::functions(inst, heap, "json", &[("encode", encode), ("decode", decode)]))
}

fn encode<'v>(function: &Func<'v>, given: Given<'v>, eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<Value<'v>> {
    expect_count(&given, 1, "expected exactly one argument")?;
    only_names(&given, &["escape_html", "indent"])?;
    let host = function.inst.as_ref().host.as_ref();
    let value = convert::to_val(host, given.positional[0], eval.heap())?;
    let indent = indent(&given)?;
    let escape_html = given.named("escape_html").map_or(Ok(true), boolean)?;
    let encoded = json::value(&host.arena.borrow(), value, Some(indent), escape_html, host.limits.output_bytes);
    Ok(eval.heap().alloc_str(&to_star(encoded.map_err(error::wrap)?.as_bytes())).to_value())
}

fn decode<'v>(function: &Func<'v>, given: Given<'v>, eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<Value<'v>> {
    expect_count(&given, 1, "expected exactly one argument")?;
    let source = text(given.positional[0])?;
    warn_unknown(function, &given, &[]);
    let host = function.inst.as_ref().host;
    let value = json::read(&mut host.as_ref().arena.borrow_mut(), &source).map_err(error::wrap)?;
    Ok(convert::from_val(host, value, eval.heap()))
}
