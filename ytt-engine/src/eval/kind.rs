//! What a value is called: the names of types that `type()` gives and messages use.

use starlark::values::Value;

use super::object::{Func, Object, ObjectRole};

/// Name of a value's type as `type()` gives it.
pub(crate) fn type_name(value: Value<'_>) -> &'static str {
    if let Some(object) = Object::from_value(value) {
        return object.kind();
    }
    if let Some(function) = Func::from_value(value) {
        return match function.role {
            ObjectRole::Noop => "noop",
            ObjectRole::Lambda => "function",
            _ => "builtin_function_or_method",
        };
    }
    match value.get_type() {
        // Functions of the interpreter share the type of those written in Starlark.
        "function" if value.parameters_spec().is_none() => "builtin_function_or_method",
        other => other,
    }
}

/// Can it be called?
pub(crate) fn is_callable(value: Value<'_>) -> bool {
    matches!(type_name(value), "function" | "builtin_function_or_method")
}
