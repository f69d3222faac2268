//! `@ytt:sha256`: `sum`, the digest of a byte string in hexadecimal.
//!
//! Programs hash what they read (`data.read`) to see changes in names. The digest itself is the crate's.

use sha2::{Digest, Sha256};
use starlark::eval::Evaluator;
use starlark::values::{Heap, Value, ValueTyped};

use super::arguments::{expect_count, text, warn_unknown};
use crate::eval::object::{CallArgs, Func};
use crate::eval::{EvalResult, FileInstance};

pub(super) fn module<'v>(inst: ValueTyped<'v, FileInstance<'v>>, heap: Heap<'v>) -> EvalResult<Value<'v>> {
    Ok(super::functions(inst, heap, "sha256", &[("sum", sum)]))
}

fn sum<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<Value<'v>> {
    expect_count(&given, 1, "expected exactly one argument")?;
    let bytes = text(given.positional[0])?;
    warn_unknown(function, &given, &[]);
    Ok(eval.heap().alloc_str(&super::hexadecimal(&Sha256::digest(bytes))).to_value())
}
