//! `@ytt:sha256`: `sum`, the digest of a byte string in hexadecimal.
//!
//! Programs hash what they read (`data.read`) to see changes in names. The digest itself is the crate's.

use sha2::{Digest, Sha256};
use starlark::eval::Evaluator;
use starlark::values::{Heap, ValueTyped};

use super::arguments::only_text;
use crate::eval::object::{CallArgs, Func};
use crate::eval::{FileInstance, Returned};

pub(super) fn module<'v>(inst: ValueTyped<'v, FileInstance<'v>>, heap: Heap<'v>) -> Returned<'v> {
    Ok(super::functions(inst, heap, "sha256", &[("sum", sum)]))
}

fn sum<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let bytes = only_text(function, &given)?;
    Ok(eval.heap().alloc_str(&super::hexadecimal(&Sha256::digest(bytes))).to_value())
}
