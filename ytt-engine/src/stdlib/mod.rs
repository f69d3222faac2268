//! The modules of `load("@ytt:NAME", …)`: one file for each, named like it, and the table of all.
//!
//! A module is made for each evaluation of a file that loads it; its functions are bound to that evaluation. `library` is
//! not here: it belongs to the layer that knows libraries. What a function shares with others is in `arguments` (counts,
//! kinds, names).

pub(crate) mod arguments;
mod assert;
mod base64;
mod data;
mod ip;
mod json;
mod math;
mod md5;
mod module;
mod overlay;
mod regexp;
mod sha256;
mod r#struct;
mod template;
mod toml;
mod url;
mod version;
mod yaml;

use std::borrow::Cow;
use std::fmt::Write;

use starlark::eval::Evaluator;
use starlark::values::{Heap, Value, ValueTyped};

use crate::eval::object::{CallArgs, Func, Object, ObjectRole, Run};
use crate::eval::{FileInstance, ModuleFn, Returned, convert};

/// All modules but `library`, sorted by name.
const MODULES: [(&str, ModuleFn); 17] = [
    ("assert", assert::module),
    ("base64", base64::module),
    ("data", data::module),
    ("ip", ip::module),
    ("json", json::module),
    ("math", math::module),
    ("md5", md5::module),
    ("module", module::module),
    ("overlay", overlay::module),
    ("regexp", regexp::module),
    ("sha256", sha256::module),
    ("struct", r#struct::module),
    ("template", template::module),
    ("toml", toml::module),
    ("url", url::module),
    ("version", version::module),
    ("yaml", yaml::module),
];

/// What makes the module of that name.
pub(crate) fn module(name: &str) -> Option<ModuleFn> {
    let found = MODULES.binary_search_by_key(&name, |(known, _)| known).ok()?;
    Some(MODULES[found].1)
}

/// The names of all modules but `library`, sorted.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    MODULES.iter().map(|(name, _)| *name)
}

/// A module that is made of functions only.
fn functions<'v>(
    inst: ValueTyped<'v, FileInstance<'v>>,
    heap: Heap<'v>,
    module: &str,
    all: &[(&str, Run)],
) -> Value<'v> {
    let members = all.iter().map(|(name, run)| {
        let function = Func::new(inst, format!("{module}.{name}"), *run);
        ((*name).to_owned(), function.alloc(heap))
    });
    Object::module(module, members.collect()).of(inst).alloc(heap)
}

/// A value of a module, such as an address: an object that cannot become YAML by itself.
fn value_object<'v, const N: usize>(kind: &'static str, members: [(&str, Value<'v>); N], heap: Heap<'v>) -> Value<'v> {
    let role = ObjectRole::NoEncode("does not automatically encode (hint: use .string())");
    Object::new(kind, "struct(...)", convert::members(members), role).alloc(heap)
}

/// A function without parameters that always gives `value`.
fn constant<'v>(
    inst: ValueTyped<'v, FileInstance<'v>>,
    name: impl Into<Cow<'static, str>>,
    value: Value<'v>,
    heap: Heap<'v>,
) -> Value<'v> {
    fn run<'v>(function: &Func<'v>, given: CallArgs<'v>, _: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
        arguments::expect_count(&given, 0, "expected no argument")?;
        Ok(function.kept[0])
    }
    Func::new(inst, name, run).keeping(vec![value]).alloc(heap)
}

/// Bytes as hexadecimal digits.
fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

#[cfg(test)]
mod tests;
