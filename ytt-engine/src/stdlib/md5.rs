//! `@ytt:md5`: `sum`, the digest of a byte string in hexadecimal.
//!
//! Its name suggests more than it gives: a fingerprint, no protection. The digest itself is the crate's.

use md5::{Digest, Md5};
use starlark::eval::Evaluator;
use starlark::values::{Heap, ValueTyped};

use super::arguments::only_text;
use crate::eval::object::{CallArgs, Func};
use crate::eval::{FileInstance, Returned};

pub(super) fn module<'v>(inst: ValueTyped<'v, FileInstance<'v>>, heap: Heap<'v>) -> Returned<'v> {
    Ok(super::functions(inst, heap, "md5", &[("sum", sum)]))
}

fn sum<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let bytes = only_text(function, &given)?;
    Ok(eval.heap().alloc_str(&super::hexadecimal(&Md5::digest(bytes))).to_value())
}
