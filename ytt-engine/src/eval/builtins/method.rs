//! Methods that are done here, bound to their value: all of strings, and those of dicts in which the languages differ.
//!
//! The interpreter's own methods cannot be replaced, so generated code asks `__ytt_m` for these, and gets a [`Method`].
#![expect(unsafe_code, reason = "the value derives of starlark expand to unsafe impls")]

use std::fmt;
use std::hash::Hash;

use allocative::Allocative;
use starlark::collections::StarlarkHasher;
use starlark::eval::{Arguments, Evaluator};
use starlark::values::{
    Heap, NoSerialize, ProvidesStaticType, StarlarkPagablePanic, StarlarkValue, Trace, Value, starlark_value,
};

use super::dict;
use crate::eval::arguments::Input;
use crate::eval::strings;
use crate::template::methods::{self, Way};

/// A method of a string or dict.
#[derive(Debug, Trace, ProvidesStaticType, Allocative, NoSerialize, StarlarkPagablePanic)]
pub(crate) struct Method<'v> {
    receiver: Value<'v>,
    name: &'static str,
}

impl fmt::Display for Method<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<built-in method {} of {} value>", self.name, self.receiver.get_type())
    }
}

#[starlark_value(type = "builtin_function_or_method")]
impl<'v> StarlarkValue<'v> for Method<'v> {
    type Canonical = Self;

    fn name_for_call_stack(&self, _me: Value<'v>) -> String {
        format!("__ytt_native {}", self.name)
    }
    fn invoke(
        &self,
        _me: Value<'v>,
        args: &Arguments<'v, '_>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        let input = Input::read(self.name, args, eval)?;
        let meter = input.meter;
        let result = match self.receiver.unpack_str() {
            Some(text) => {
                meter.walk(text.len())?;
                strings::call(text, &input, eval.heap())?
            }
            None => dict::call(self.receiver, &input, eval)?,
        };
        meter.room(0)?;
        Ok(result)
    }
    // As of built-ins: by name.
    fn write_hash(&self, hasher: &mut StarlarkHasher) -> starlark::Result<()> {
        self.name.hash(hasher);
        Ok(())
    }
}

/// The method of that name, if it is one that is done here: all of strings are.
pub(super) fn method<'v>(value: Value<'v>, name: &str, heap: Heap<'v>) -> Option<Value<'v>> {
    let kind = value.get_type();
    let known = methods::named(name.as_bytes()).filter(|method| method.is_of(kind))?;
    let ours = kind == "string" || matches!(known.way, Way::Ours | Way::Read);
    ours.then(|| heap.alloc_complex_no_freeze(Method { receiver: value, name: known.name }))
}
