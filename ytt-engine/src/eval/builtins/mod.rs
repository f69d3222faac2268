//! Names that code may use without loading them: exactly those of the reference, all written here.
//!
//! [`register`] sets them (the interpreter's own standard names are not registered at all). A [`Builtin`] is a value of
//! ours, so its errors have the reference's texts, its frames can be told apart, and calls are not folded while a file is
//! compiled. `basic`, `dict`, `numeric` and `sequence` hold the functions, `operator`, `items` and
//! `internal` those that only generated code calls.
#![allow(
    clippy::panic,
    reason = "the value derives of starlark expand to it, for heaps that are written to a disk, which none is"
)]
#![expect(unsafe_code, reason = "the value derives of starlark expand to unsafe impls")]

mod append;
mod basic;
mod dict;
mod internal;
mod items;
mod method;
mod numeric;
mod operator;
mod pop;
mod sequence;
#[cfg(test)]
mod tests;

use std::fmt;
use std::sync::LazyLock;

use allocative::Allocative;
use starlark::environment::{Globals, GlobalsBuilder, LibraryExtension};
use starlark::eval::{Arguments, Evaluator};
use starlark::starlark_simple_value;
use starlark::values::none::NoneType;
use starlark::values::{
    FrozenValue, NoSerialize, ProvidesStaticType, StarlarkPagablePanic, StarlarkValue, Value, starlark_value,
};

use super::Meter;
use super::arguments::Input;
use super::error::{EvalResult, Returned, text_only};

/// What a built-in of templates does.
type Run = for<'v> fn(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v>;

/// What is done with one value.
type One = for<'v> fn(value: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v>;

/// What a built-in does, by what it is given: any arguments, or the values that generated code gives it.
#[derive(Clone, Copy)]
pub(super) enum Do {
    Any(Run),
    /// A function of programs that mostly gets one value: what it does then, which is found sooner, and with anything else.
    Mostly(One, Run),
    One(One),
    Two(for<'v> fn(left: Value<'v>, right: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v>),
    Three(for<'v> fn(values: [Value<'v>; 3], eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v>),
    Four(for<'v> fn(values: [Value<'v>; 4], eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v>),
}

/// A built-in function.
#[derive(ProvidesStaticType, Allocative, NoSerialize, StarlarkPagablePanic)]
pub(crate) struct Builtin {
    name: &'static str,
    #[allocative(skip)]
    run: Do,
}

starlark_simple_value!(Builtin);

impl fmt::Debug for Builtin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Display for Builtin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<built-in function {}>", self.name)
    }
}

impl Builtin {
    /// Does it without a call of the interpreter, if it does nothing but take these values.
    pub(super) fn directly<'v>(&self, given: &[Value<'v>], eval: &mut Evaluator<'v, '_, '_>) -> Option<Returned<'v>> {
        Some(match (self.run, given) {
            (Do::One(run), &[value]) => run(value, eval),
            (Do::Two(run), &[left, right]) => run(left, right, eval),
            (Do::Three(run), &[a, b, c]) => run([a, b, c], eval),
            (Do::Four(run), &[a, b, c, d]) => run([a, b, c, d], eval),
            (Do::Mostly(run, _), &[value]) => {
                run(value, eval).and_then(|result| Meter::of(eval).room(0).map(|()| result))
            }
            _ => return None,
        })
    }
}

#[starlark_value(type = "builtin_function_or_method")]
impl<'v> StarlarkValue<'v> for Builtin {
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
        match self.run {
            Do::One(run) => run(args.positional1(eval.heap())?, eval),
            Do::Two(run) => {
                let [left, right] = args.positional(eval.heap())?;
                run(left, right, eval)
            }
            Do::Three(run) => run(args.positional(eval.heap())?, eval),
            Do::Four(run) => run(args.positional(eval.heap())?, eval),
            Do::Mostly(run, _) if matches!(args.len(), Ok(1)) && args.no_named_args().is_ok() => {
                let result = run(args.positional1(eval.heap())?, eval)?;
                Meter::of(eval).room(0)?;
                Ok(result)
            }
            Do::Any(run) | Do::Mostly(_, run) => {
                let input = Input::read(self.name, args, eval)?;
                let meter = input.meter;
                let result = run(input, eval)?;
                meter.room(0)?;
                Ok(result)
            }
        }
    }
    // Functions are equal to themselves only, and the reference hashes them by name.
    fn write_hash(&self, hasher: &mut starlark::collections::StarlarkHasher) -> starlark::Result<()> {
        use std::hash::Hash;
        self.name.hash(hasher);
        Ok(())
    }
}

/// The names and what they do; sorted, as all such tables are.
const BUILTINS: &[(&str, Do)] = &[
    ("__ytt_endless", Do::Any(internal::endless)),
    ("all", Do::Any(sequence::all)),
    ("any", Do::Any(sequence::any)),
    ("bool", Do::Any(basic::bool)),
    ("chr", Do::Any(basic::chr)),
    ("dict", Do::Any(dict::dict)),
    ("dir", Do::Any(basic::dir)),
    ("enumerate", Do::Any(sequence::enumerate)),
    ("fail", Do::Any(basic::fail)),
    ("float", Do::Any(numeric::float)),
    ("getattr", Do::Any(basic::getattr)),
    ("hasattr", Do::Any(basic::hasattr)),
    ("hash", Do::Any(basic::hash)),
    ("int", Do::Any(numeric::int)),
    ("len", Do::Mostly(basic::length, basic::len)),
    ("list", Do::Any(sequence::list)),
    ("max", Do::Any(sequence::max)),
    ("min", Do::Any(sequence::min)),
    ("ord", Do::Any(basic::ord)),
    ("print", Do::Any(basic::print)),
    ("range", Do::Any(numeric::range)),
    ("repr", Do::Any(basic::repr)),
    ("reversed", Do::Any(sequence::reversed)),
    ("set", Do::Any(sequence::set)),
    ("sorted", Do::Any(sequence::sorted)),
    ("str", Do::Mostly(basic::text, basic::str)),
    ("tuple", Do::Any(sequence::tuple)),
    ("type", Do::Mostly(basic::kind, basic::type_)),
    ("zip", Do::Any(sequence::zip)),
];

/// What only generated code calls, and what that does.
const INSTRUCTIONS: &[(&str, Do)] = &[
    ("__ytt_and", Do::Two(operator::and)),
    ("__ytt_append", Do::One(append::append)),
    ("__ytt_at", Do::Two(items::at)),
    ("__ytt_change", Do::Two(items::change)),
    ("__ytt_grow", Do::One(internal::grow)),
    ("__ytt_in", Do::Two(operator::is_in)),
    ("__ytt_items", Do::One(method::items)),
    ("__ytt_keys", Do::One(method::keys)),
    ("__ytt_kw", Do::One(internal::keywords)),
    ("__ytt_m", Do::Two(internal::method)),
    ("__ytt_mod", Do::Two(operator::modulo)),
    ("__ytt_more", Do::Two(items::more)),
    ("__ytt_mul", Do::Two(operator::times)),
    ("__ytt_not_in", Do::Two(operator::is_not_in)),
    ("__ytt_or", Do::Two(operator::or)),
    ("__ytt_over", Do::One(items::over)),
    ("__ytt_part", Do::Four(items::slice)),
    ("__ytt_pop", Do::One(pop::pop)),
    ("__ytt_seek", Do::One(internal::seek)),
    ("__ytt_set", Do::Three(items::set)),
    ("__ytt_shl", Do::Two(operator::shift)),
    ("__ytt_star", Do::One(items::star)),
    ("__ytt_unkw", Do::One(internal::unmangled_keywords)),
    ("__ytt_unpack", Do::Two(items::unpack)),
    ("__ytt_values", Do::One(method::values)),
    ("__ytt_walk", Do::One(internal::walk)),
    ("__ytt_xor", Do::Two(operator::xor)),
];

/// Sets the names of this file; the builder need not hold any before.
pub(crate) fn register(builder: &mut GlobalsBuilder) {
    builder.set("None", NoneType);
    builder.set("True", true);
    builder.set("False", false);
    set(builder, BUILTINS);
    set(builder, INSTRUCTIONS);
}

/// Is it a name that [`register`] sets?
pub(super) fn is_registered(name: &str) -> bool {
    matches!(name, "None" | "True" | "False") || has(BUILTINS, name) || has(INSTRUCTIONS, name)
}

/// Is it a name of a table?
pub(super) fn has(table: &[(&str, Do)], name: &str) -> bool {
    table.binary_search_by_key(&name, |(known, _)| *known).is_ok()
}

pub(super) fn set(builder: &mut GlobalsBuilder, instructions: &[(&'static str, Do)]) {
    for &(name, run) in instructions {
        builder.set(name, Builtin { name, run });
    }
}

/// A function of the interpreter, for what cannot be made from outside of it. It lives as long as the process.
fn native(name: &str) -> EvalResult<FrozenValue> {
    static NATIVE: LazyLock<Globals> = LazyLock::new(|| Globals::extended_by(&[LibraryExtension::SetType]));
    match NATIVE.iter().find(|(known, _)| *known == name) {
        Some((_, function)) => Ok(function),
        None => Err(text_only(format!("no function {name}"))),
    }
}
