//! Errors on their way through the interpreter: our diagnostics inside of its errors, and back.

use starlark::ErrorKind;
use starlark::values::Value;

use crate::diag::{Code, Diagnostic, Diagnostics, Fact};

/// Result of everything that runs inside the interpreter.
pub(crate) type EvalResult<T> = starlark::Result<T>;

/// What a function gives to the code that calls it.
pub(crate) type Returned<'v> = EvalResult<Value<'v>>;

/// An error with a text only; the place is that of the call which raises it.
pub(crate) fn text_only(text: impl Into<String>) -> starlark::Error {
    wrap(Diagnostic::error(Code::STARLARK_ERROR, text))
}

/// As [`text_only`], with advice.
pub(crate) fn helped(text: impl Into<String>, help: &str) -> starlark::Error {
    wrap(Diagnostic::error(Code::STARLARK_ERROR, text).help(help))
}

/// A diagnostic as an error of the interpreter.
pub(crate) fn wrap(diagnostic: Diagnostic) -> starlark::Error {
    starlark::Error::new_other(diagnostic)
}

/// Several diagnostics as one error of the interpreter.
pub(crate) fn wrap_all(diagnostics: Diagnostics) -> starlark::Error {
    starlark::Error::new_other(diagnostics)
}

/// The first diagnostic inside of an error of the interpreter, if one of ours raised it.
pub(crate) fn diagnostic_of(error: &starlark::Error) -> Option<&Diagnostic> {
    all_of(error).first()
}

/// All diagnostics inside of an error of the interpreter; empty if it is the interpreter's own.
pub(crate) fn all_of(error: &starlark::Error) -> &[Diagnostic] {
    let (ErrorKind::Other(inner) | ErrorKind::Native(inner) | ErrorKind::Value(inner)) = error.kind() else {
        return &[];
    };
    if let Some(one) = inner.downcast_ref::<Diagnostic>() {
        return std::slice::from_ref(one);
    }
    inner.downcast_ref::<Diagnostics>().map_or(&[], |all| &all.0)
}

/// Says of a problem of ours what happened.
pub(crate) fn with_fact(failure: starlark::Error, fact: impl FnOnce() -> Fact) -> starlark::Error {
    match diagnostic_of(&failure) {
        Some(problem) if problem.parts().fact.is_none() => wrap(problem.clone().fact(fact())),
        _ => failure,
    }
}
