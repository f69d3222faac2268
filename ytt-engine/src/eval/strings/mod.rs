//! Strings: their methods, `.format` and `%`, by the reference's rules.
//!
//! Strings are bytes, one character each (see `text`). The interpreter's own methods cannot be replaced, so generated code
//! asks `__ytt_m` for the methods where they matter, and gets a [`Method`]. `methods` has what they do, `case` the rules of
//! letters and blanks, `format` and `percent` the two ways to fill in values, `elems` what can be iterated.
#![expect(unsafe_code, reason = "the value derives of starlark expand to unsafe impls")]

mod case;
mod elems;
mod format;
mod methods;
mod percent;
#[cfg(test)]
mod tests;

use std::fmt;

use allocative::Allocative;
use starlark::eval::{Arguments, Evaluator};
use starlark::values::{
    Heap, NoSerialize, ProvidesStaticType, StarlarkPagablePanic, StarlarkValue, StringValue, Trace, Value,
    starlark_value,
};

use super::builtins::Input;
use crate::template;

pub(crate) use percent::percent;

/// A method of a string, bound to it.
#[derive(Debug, Trace, ProvidesStaticType, Allocative, NoSerialize, StarlarkPagablePanic)]
pub(crate) struct Method<'v> {
    receiver: StringValue<'v>,
    name: &'static str,
}

impl fmt::Display for Method<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<built-in method {} of string value>", self.name)
    }
}

#[starlark_value(type = "function")]
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
        let (text, input) = (self.receiver.as_str(), Input::read(self.name, args, eval)?);
        input.meter.walk(text.len())?;
        let result = methods::call(text, &input, eval.heap())?;
        input.meter.room(0)?;
        Ok(result)
    }
}

/// The method of that name of a string; `None` if there is none, or if the value is no string.
pub(crate) fn method<'v>(value: Value<'v>, name: &str, heap: Heap<'v>) -> Option<Value<'v>> {
    let receiver = StringValue::new(value)?;
    let known = template::methods::named(name.as_bytes()).filter(|method| method.is_of("string"))?;
    Some(heap.alloc_complex_no_freeze(Method { receiver, name: known.name }))
}

/// Bytes of a code point that [`decode`] gives.
pub(crate) const POINT: usize = 16;

/// Code points of a byte string with the number of bytes that each takes; a byte that is not UTF-8 counts as U+FFFD.
pub(crate) fn decode(bytes: &[u8]) -> Vec<(u32, usize)> {
    let mut all = Vec::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        all.extend(chunk.valid().chars().map(|character| (u32::from(character), character.len_utf8())));
        all.extend(chunk.invalid().iter().map(|_| (u32::from(char::REPLACEMENT_CHARACTER), 1)));
    }
    all
}
