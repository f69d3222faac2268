//! `@ytt:module`: `make`, a module of one's own.
//!
//! Such a module is the same kind of value as those that are loaded: members by name, and nothing else.

use starlark::eval::Evaluator;

use super::arguments::wrong;
use crate::eval::Returned;
use crate::eval::object::{CallArgs, Func, Functions, Object};
use crate::eval::text::{from_star, to_star};
use crate::eval::type_name;
use crate::quoted;

pub(super) const FUNCTIONS: Functions = &[("make", make)];

fn make<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let [name] = given.positional[..] else {
        return Err(wrong(format!("got {} arguments, want 1", given.positional.len())));
    };
    let Some(text) = name.unpack_str() else {
        return Err(wrong(format!("for parameter 1: got {}, want string", type_name(name))));
    };
    let name = quoted::go(&from_star(text));
    let inner = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(&name);
    let inner = to_star(inner.as_bytes());
    Ok(Object::module(&inner, given.named).of(function.inst).alloc(eval.heap()))
}
