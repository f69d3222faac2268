//! `@ytt:math`: elementary functions on floats, and `ceil`, `floor`, which give ints of any size.
//!
//! All results come from one implementation in Rust, so they are the same on every platform; the last digit can differ
//! from the reference's, whose results depend on its platform.

use starlark::eval::Evaluator;
use starlark::values::float::StarlarkFloat;
use starlark::values::{Value, ValueLike};

use super::arguments::{expect_count, kind_error, warn_unknown, wrong};
use crate::diag::{Code, Diagnostic};
use crate::eval::numbers::float_to_int;
use crate::eval::object::{CallArgs, Func, Functions};
use crate::eval::{EvalResult, Returned};

/// The functions of floats, and those that are written below.
macro_rules! functions {
    ($($name:literal($($arg:ident),+) = $result:expr;)*) => {
        &[
            $(($name, |function, given, eval| {
                let [$($arg),+] = arguments(function, &given)?;
                Ok(eval.heap().alloc($result))
            }),)*
            ("ceil", |function, given, eval| whole(function, &given, libm::ceil, eval)),
            ("floor", |function, given, eval| whole(function, &given, libm::floor, eval)),
            ("log", log),
        ]
    };
}

pub(super) const FUNCTIONS: Functions = functions! {
    "acos"(x) = libm::acos(x);
    "acosh"(x) = libm::acosh(x);
    "asin"(x) = libm::asin(x);
    "asinh"(x) = libm::asinh(x);
    "atan"(x) = libm::atan(x);
    "atan2"(y, x) = libm::atan2(y, x);
    "atanh"(x) = libm::atanh(x);
    "copysign"(x, y) = libm::copysign(x, y);
    "cos"(x) = libm::cos(x);
    "cosh"(x) = libm::cosh(x);
    "degrees"(x) = 360.0 * x / (2.0 * std::f64::consts::PI);
    "exp"(x) = libm::exp(x);
    "fabs"(x) = libm::fabs(x);
    "gamma"(x) = libm::tgamma(x);
    "hypot"(x, y) = libm::hypot(x, y);
    "mod"(x, y) = libm::fmod(x, y);
    "pow"(x, y) = libm::pow(x, y);
    "radians"(x) = 2.0 * std::f64::consts::PI * x / 360.0;
    "remainder"(x, y) = libm::remainder(x, y);
    "round"(x) = libm::round(x);
    "sin"(x) = libm::sin(x);
    "sinh"(x) = libm::sinh(x);
    "sqrt"(x) = libm::sqrt(x);
    "tan"(x) = libm::tan(x);
    "tanh"(x) = libm::tanh(x);
};

fn arguments<const N: usize>(function: &Func<'_>, given: &CallArgs<'_>) -> EvalResult<[f64; N]> {
    warn(function);
    warn_unknown(function, given, &[]);
    let text = if N == 1 { "expected exactly one argument" } else { "expected exactly two arguments" };
    expect_count(given, N, text)?;
    let mut floats = [0.0; N];
    for (float, value) in floats.iter_mut().zip(&given.positional) {
        *float = number(*value).ok_or_else(|| kind_error("expected float value", *value))?;
    }
    Ok(floats)
}

/// Once per render; the host drops equal warnings.
fn warn(function: &Func<'_>) {
    let text = "a function from the @ytt:math module is used in this invocation; this module does not guarantee \
        bit-identical results across CPU architectures.";
    function.inst.as_ref().host.as_ref().warn(Diagnostic::warning(Code::MODULE_MATH, text));
}

/// An int or float as a float.
fn number(value: Value<'_>) -> Option<f64> {
    match value.downcast_ref::<StarlarkFloat>() {
        Some(float) => Some(float.0),
        // Text is the one way to the digits of an int of any size.
        None if value.get_type() == "int" => value.to_str().parse().ok(),
        None => None,
    }
}

fn whole<'v>(
    function: &Func<'v>,
    given: &CallArgs<'v>,
    round: fn(f64) -> f64,
    eval: &mut Evaluator<'v, '_, '_>,
) -> Returned<'v> {
    warn(function);
    if !given.named.is_empty() {
        return Err(wrong("unexpected keyword arguments"));
    }
    let [value] = given.positional[..] else {
        return Err(wrong(format!("got {} arguments, want 1", given.positional.len())));
    };
    match value.downcast_ref::<StarlarkFloat>() {
        Some(float) => float_to_int(round(float.0), eval.heap()),
        None if value.get_type() == "int" => Ok(value),
        None => Err(kind_error("expected float value", value)),
    }
}

fn log<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    warn(function);
    if !given.named.is_empty() {
        return Err(wrong("unexpected keyword arguments"));
    }
    let float = |value: Value<'v>| number(value).ok_or_else(|| kind_error("expected float value", value));
    let result = match given.positional[..] {
        [] => return Err(wrong("got 0 arguments, want at least 1")),
        [x] => libm::log(float(x)?) / libm::log(std::f64::consts::E),
        [x, base] => libm::log(float(x)?) / libm::log(float(base)?),
        _ => return Err(wrong(format!("got {} arguments, want at most 2", given.positional.len()))),
    };
    Ok(eval.heap().alloc(result))
}
