//! `@ytt:template`: `replace`, which puts items or documents in place of the node that is being built.
//!
//! The work is done where nodes are built; the function only knows which evaluation loaded it.

use starlark::eval::Evaluator;
use starlark::values::{Heap, Value, ValueTyped};

use super::arguments::{expect_count, warn_unknown};
use crate::eval::object::{CallArgs, Func};
use crate::eval::{EvalResult, FileInstance, replace as replace_node};

pub(super) fn module<'v>(inst: ValueTyped<'v, FileInstance<'v>>, heap: Heap<'v>) -> EvalResult<Value<'v>> {
    Ok(super::functions(inst, heap, "template", &[("replace", replace)]))
}

fn replace<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<Value<'v>> {
    expect_count(&given, 1, "expected exactly one argument")?;
    warn_unknown(function, &given, &[]);
    replace_node(function.inst, given.positional[0], eval.heap())
}
