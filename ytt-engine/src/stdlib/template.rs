//! `@ytt:template`: `replace`, which puts items or documents in place of the node that is being built.
//!
//! The work is done where nodes are built; the function only knows which evaluation loaded it.

use starlark::eval::Evaluator;
use starlark::values::{Heap, ValueTyped};

use super::arguments::only;
use crate::eval::object::{CallArgs, Func};
use crate::eval::{FileInstance, Returned, replace as replace_node};

pub(super) fn module<'v>(inst: ValueTyped<'v, FileInstance<'v>>, heap: Heap<'v>) -> Returned<'v> {
    Ok(super::functions(inst, heap, "template", &[("replace", replace)]))
}

fn replace<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    replace_node(function.inst, only(function, &given)?, eval.heap())
}
