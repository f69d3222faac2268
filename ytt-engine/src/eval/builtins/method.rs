//! Methods that are done here, bound to their value: all of strings, and those of dicts in which the languages differ.
//!
//! The interpreter's own methods cannot be replaced, so generated code asks `__ytt_m` for these, and gets a [`Method`].
#![expect(unsafe_code, reason = "the value derives of starlark expand to unsafe impls")]

use std::fmt;
use std::hash::Hash;

use allocative::Allocative;
use starlark::collections::StarlarkHasher;
use starlark::eval::{Arguments, Evaluator};
use starlark::values::dict::DictRef;
use starlark::values::{
    Heap, NoSerialize, ProvidesStaticType, StarlarkPagablePanic, StarlarkValue, Trace, Value, starlark_value,
};

use super::append;
use super::dict::{self, DictPart};
use super::internal::absent;
use super::operator::{self, COPIED, FUNCTION};
use super::pop;
use super::sequence::ROW;
use crate::eval::arguments::Input;
use crate::eval::error::Returned;
use crate::eval::{Meter, strings, type_name};
use crate::template::methods::{self, Way};
use crate::template::written;

/// A method of a string or dict.
#[derive(Debug, Trace, ProvidesStaticType, Allocative, NoSerialize, StarlarkPagablePanic)]
pub(crate) struct Method<'v> {
    receiver: Value<'v>,
    name: &'static str,
    /// What a method reads that takes no arguments.
    #[trace(unsafe_ignore)]
    #[allocative(skip)]
    part: Option<DictPart>,
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
        if let Some(part) = self.part
            && args.no_named_args().is_ok()
            && args.positional::<0>(eval.heap()).is_ok()
        {
            return Ok(dict::read(self.receiver, part, eval.heap()));
        }
        let input = Input::read(self.name, args, eval)?;
        let meter = input.meter;
        let result = match self.receiver.unpack_str() {
            Some(text) => {
                meter.walk(text.len())?;
                if self.name == "format"
                    && let Some(number) = input.positional.iter().position(|given| type_name(*given) == FUNCTION)
                {
                    operator::warn_of_function(eval, |sources, place| {
                        let given = written::call(sources, place)?;
                        // What stands behind a star may be any number of arguments.
                        let has_star = |one: &written::Argument| {
                            sources.get(one.value.source).written(one.value).is_none_or(|code| code.starts_with('*'))
                        };
                        let own = given.get(number)?;
                        (!given.iter().take(number.saturating_add(1)).any(has_star)).then_some(own.value)
                    });
                }
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

/// A method that changes a list or dict and is called with one argument.
#[derive(Debug, Trace, ProvidesStaticType, Allocative, NoSerialize, StarlarkPagablePanic)]
pub(super) struct Changing<'v> {
    pub(super) changed: Value<'v>,
    pub(super) change: Change,
}

#[derive(Clone, Copy, Debug, Trace, Allocative)]
pub(super) enum Change {
    Append,
    Pop,
}

impl Change {
    pub(super) fn name(self) -> &'static str {
        match self {
            Change::Append => "append",
            Change::Pop => "pop",
        }
    }
}

impl fmt::Display for Changing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<built-in method {} of {} value>", self.change.name(), self.changed.get_type())
    }
}

#[starlark_value(type = "builtin_function_or_method")]
impl<'v> StarlarkValue<'v> for Changing<'v> {
    type Canonical = Self;

    fn name_for_call_stack(&self, _me: Value<'v>) -> String {
        format!("__ytt_native {}", self.change.name())
    }
    fn invoke(
        &self,
        _me: Value<'v>,
        args: &Arguments<'v, '_>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        let given = args.positional1(eval.heap())?;
        match self.change {
            Change::Append => append::add(self.changed, given, eval),
            Change::Pop => pop::take(self.changed, given, eval),
        }
    }
}

/// The method of that name, if it is one that is done here: all of strings are.
pub(super) fn method<'v>(value: Value<'v>, name: &str, heap: Heap<'v>) -> Option<Value<'v>> {
    let kind = value.get_type();
    let known = methods::named(name.as_bytes()).filter(|method| method.is_of(kind))?;
    let ours = kind == "string" || matches!(known.way, Way::Ours | Way::Read(_));
    let part = DictPart::of(known.name);
    ours.then(|| heap.alloc_complex_no_freeze(Method { receiver: value, name: known.name, part }))
}

/// `X.items` of a call, and of the other methods that read a dict.
fn reader<'v>(value: Value<'v>, name: &'static str, part: DictPart, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let meter = Meter::of(eval);
    if let Some(dict) = DictRef::from_value(value) {
        // a method of a dict is no step beside what it walks through, a function of a struct is one
        meter.no_call();
        let bytes = dict.len().saturating_mul(ROW);
        meter.room(bytes)?;
        meter.walk(bytes / COPIED)?;
        return Ok(meter.heap.alloc_complex_no_freeze(Method { receiver: value, name, part: Some(part) }));
    }
    value.get_attr(name, meter.heap)?.ok_or_else(|| absent(value, name))
}

pub(super) fn items<'v>(value: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    reader(value, "items", DictPart::Items, eval)
}

pub(super) fn keys<'v>(value: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    reader(value, "keys", DictPart::Keys, eval)
}

pub(super) fn values<'v>(value: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    reader(value, "values", DictPart::Values, eval)
}
