//! `X.append(V)`: the interpreter makes all methods of lists, with their documentation, when it is asked for one, which
//! takes longer than most renders. A list is changed by `+=` too, which a function written in the language does.

use std::sync::LazyLock;

use starlark::ErrorKind;
use starlark::const_frozen_string;
use starlark::environment::{Globals, GlobalsBuilder};
use starlark::eval::Evaluator;
use starlark::syntax::{AstModule, Dialect};
use starlark::values::{Heap, Value};

use super::internal::absent;
use super::items::{change, no_call};
use super::method::{Change, Changing};
use crate::eval::budget::{self, host};
use crate::eval::error::Returned;
use crate::eval::host::Host;
use crate::eval::{call, messages};

/// So many items are appended by the function; then it pays to have the method, which is faster.
const FEW: u32 = 2_000;

const FUNCTION: &str = "def __ytt_appended(list, item):\n list += [item]\n__ytt_appended\n";

/// Puts an item behind a list.
#[allow(clippy::arithmetic_side_effects, reason = "it counts no further than `FEW`")]
pub(super) fn add<'v>(list: Value<'v>, item: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let host = host(eval);
    if let Some(host) = host
        && host.appended.get() < FEW
        && let Some(function) = function(host, eval)
    {
        host.appended.set(host.appended.get() + 1);
        let done = call(eval, function, &[list, item], &[]);
        no_call(eval);
        // what went wrong is told by the method; a limit is none of its errors
        if done.is_ok() || host.budget.error().is_some() {
            return done;
        }
    }
    let method = list.get_attr("append", eval.heap())?.ok_or_else(|| absent(list, "append"))?;
    let done = call(eval, method, &[item], &[]);
    no_call(eval);
    done.map_err(|failure| match failure.kind() {
        ErrorKind::StackOverflow(_) => failure,
        _ => messages::locked("append", list, host),
    })
}

/// The function that appends, made once for a render; `None` where no frame is left to make it.
fn function<'v>(host: &'v Host<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Option<Value<'v>> {
    static NOTHING: LazyLock<Globals> = LazyLock::new(|| GlobalsBuilder::new().build());
    if let Some(known) = host.append.get() {
        return Some(known);
    }
    if budget::without_frame(host, eval).is_some() {
        return None;
    }
    let ast = AstModule::parse("append", FUNCTION.to_owned(), &Dialect::Standard).ok()?;
    let made = budget::define(eval, ast, &NOTHING).ok()?;
    host.append.set(Some(made));
    Some(made)
}

/// `X.append` of a call with one argument. Where much is appended it is the interpreter's own method, unless that would
/// refuse the list, of which it says less.
pub(super) fn append<'v>(value: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    change(value, const_frozen_string!("append").to_value(), eval)?;
    let is_many = host(eval).is_some_and(|host| host.appended.get() >= FEW);
    if value.get_type() == "list" && !(is_many && is_open(value, eval.heap())) {
        return Ok(eval.heap().alloc_complex_no_freeze(Changing { changed: value, change: Change::Append }));
    }
    value.get_attr("append", eval.heap())?.ok_or_else(|| absent(value, "append"))
}

/// May a list be changed now? One that is locked does not even take its first item back.
fn is_open<'v>(list: Value<'v>, heap: Heap<'v>) -> bool {
    let first = heap.alloc(0);
    list.at(first, heap).is_ok_and(|item| list.set_at(first, item).is_ok())
}
