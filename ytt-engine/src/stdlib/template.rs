//! `@ytt:template`: `replace`, which puts items or documents in place of the node that is being built.
//!
//! The work is done where nodes are built; the function only knows which evaluation loaded it.

use starlark::eval::Evaluator;

use super::arguments::only;
use crate::eval::object::{CallArgs, Func, Functions};
use crate::eval::{Returned, replace as replace_node};

pub(super) const FUNCTIONS: Functions = &[("replace", replace)];

fn replace<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    replace_node(function.inst, only(function, &given)?, eval.heap())
}
