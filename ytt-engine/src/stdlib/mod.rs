//! The modules of `load("@ytt:NAME", …)`: a file named like each (`digest` has two), and the table
//! of all.
//!
//! A module is made for each evaluation of a file that loads it; its functions are bound to that evaluation. `library` is
//! not here: it belongs to the layer that knows libraries. What a function shares with others is in `arguments` (counts,
//! kinds, names).

pub(crate) mod arguments;
mod assert;
mod base64;
mod data;
mod decoded;
mod digest;
mod ip;
mod json;
mod math;
mod module;
mod overlay;
mod regexp;
mod r#struct;
mod template;
mod toml;
mod url;
mod version;
mod yaml;

use std::borrow::Cow;
use std::f64::consts::{E, PI};

use starlark::eval::Evaluator;
use starlark::values::{Heap, Value, ValueTyped};

use crate::eval::object::{CallArgs, Func, Functions, Object, ObjectRole, Run};
use crate::eval::{FileInstance, ModuleFn, Returned, convert};

/// All modules but `library`, sorted by name.
const MODULES: [(&str, ModuleFn); 17] = [
    ("assert", |inst, heap| module_of("assert", assert::FUNCTIONS, [], inst, heap)),
    ("base64", |inst, heap| module_of("base64", base64::FUNCTIONS, [], inst, heap)),
    ("data", |inst, heap| module_of("data", data::FUNCTIONS, [("values", data::values(inst, heap))], inst, heap)),
    ("ip", |inst, heap| module_of("ip", ip::FUNCTIONS, [], inst, heap)),
    ("json", |inst, heap| module_of("json", json::FUNCTIONS, [], inst, heap)),
    ("math", |inst, heap| {
        module_of("math", math::FUNCTIONS, [("e", heap.alloc(E)), ("pi", heap.alloc(PI))], inst, heap)
    }),
    ("md5", |inst, heap| module_of("md5", digest::MD5, [], inst, heap)),
    ("module", |inst, heap| module_of("module", module::FUNCTIONS, [], inst, heap)),
    ("overlay", |inst, heap| module_of("overlay", overlay::FUNCTIONS, [("all", overlay::all(inst, heap))], inst, heap)),
    ("regexp", |inst, heap| module_of("regexp", regexp::FUNCTIONS, [], inst, heap)),
    ("sha256", |inst, heap| module_of("sha256", digest::SHA256, [], inst, heap)),
    ("struct", |inst, heap| module_of("struct", r#struct::FUNCTIONS, [], inst, heap)),
    ("template", |inst, heap| module_of("template", template::FUNCTIONS, [], inst, heap)),
    ("toml", |inst, heap| module_of("toml", toml::FUNCTIONS, [], inst, heap)),
    ("url", |inst, heap| module_of("url", url::FUNCTIONS, [], inst, heap)),
    ("version", |inst, heap| module_of("version", version::FUNCTIONS, [], inst, heap)),
    ("yaml", |inst, heap| module_of("yaml", yaml::FUNCTIONS, [], inst, heap)),
];

/// What makes the module of that name.
pub(crate) fn module(name: &str) -> Option<ModuleFn> {
    let found = MODULES.binary_search_by_key(&name, |(known, _)| known).ok()?;
    MODULES.get(found).map(|(_, make)| *make)
}

/// The names of all modules but `library`, sorted.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    MODULES.iter().map(|(name, _)| *name)
}

/// A member of the module `overlay`, made without the others.
pub(crate) fn overlay_member<'v>(
    name: &str,
    inst: ValueTyped<'v, FileInstance<'v>>,
    heap: Heap<'v>,
) -> Option<Value<'v>> {
    if name == "all" {
        return Some(overlay::all(inst, heap));
    }
    let (name, run) = overlay::FUNCTIONS.iter().find(|(known, _)| *known == name)?;
    Some(function_of("overlay", name, *run, inst, heap))
}

/// A module of functions and other values.
pub(crate) fn module_of<'v, const N: usize>(
    module: &str,
    functions: Functions,
    values: [(&str, Value<'v>); N],
    inst: ValueTyped<'v, FileInstance<'v>>,
    heap: Heap<'v>,
) -> Value<'v> {
    let functions = functions.iter().map(|(name, run)| (*name, function_of(module, name, *run, inst, heap)));
    let members = functions.chain(values).map(|(name, member)| (heap.alloc_str(name), member));
    Object::module(module, members.collect()).of(inst).alloc(heap)
}

fn function_of<'v>(
    module: &str,
    name: &'static str,
    run: Run,
    inst: ValueTyped<'v, FileInstance<'v>>,
    heap: Heap<'v>,
) -> Value<'v> {
    // Functions of this one module go by their bare names.
    let shown = if module == "math" { Cow::Borrowed(name) } else { format!("{module}.{name}").into() };
    Func::new(inst, shown, run).alloc(heap)
}

/// A value of a module, such as an address: an object that cannot become YAML by itself.
fn value_object<'v, const N: usize>(kind: &'static str, members: [(&str, Value<'v>); N], heap: Heap<'v>) -> Value<'v> {
    let role = ObjectRole::NoEncode("does not automatically encode (hint: use .string())");
    Object::new(kind, "struct(...)", convert::members(members, heap), role).alloc(heap)
}

/// A function without parameters that always gives `value`.
fn constant<'v>(
    inst: ValueTyped<'v, FileInstance<'v>>,
    name: impl Into<Cow<'static, str>>,
    value: Value<'v>,
    heap: Heap<'v>,
) -> Value<'v> {
    #[allow(clippy::indexing_slicing, reason = "the line below makes it with the value")]
    fn run<'v>(function: &Func<'v>, given: CallArgs<'v>, _: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
        arguments::expect_count(&given, 0, "expected no argument")?;
        Ok(function.kept[0])
    }
    Func::new(inst, name, run).keeping(vec![value]).alloc(heap)
}

#[cfg(test)]
mod tests;
