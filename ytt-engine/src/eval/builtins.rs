//! Contract only; replaced by the branch `builtins`.
use starlark::environment::GlobalsBuilder;
use starlark::values::Value;
pub(crate) fn register(_builder: &mut GlobalsBuilder) {}
/// What `repr` gives, in Starlark text.
pub(crate) fn repr(value: Value<'_>) -> String {
    value.to_repr()
}
