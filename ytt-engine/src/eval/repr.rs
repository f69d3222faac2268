//! Values as text: the one formatter of `str`, `repr`, `print`, `fail`, `%` and `.format`.
//!
//! It walks lists, tuples, dicts and sets itself, without recursion, because floats inside of them have the reference's
//! text too. What it gives is Starlark text (see `text`).

use std::borrow::Cow;

use starlark::values::dict::DictRef;
use starlark::values::float::StarlarkFloat;
use starlark::values::list::ListRef;
use starlark::values::tuple::TupleRef;
use starlark::values::{Heap, Value, ValueIdentity, ValueLike};

use super::Meter;
use super::budget::CONTAINER;
use super::error::{EvalResult, text_only};
use super::numbers::float_text;
use super::object::Func;
use super::text::{LONGEST, from_star, to_star};
use crate::quoted;
use crate::yaml::number::write_int;

/// So many bytes are written before the limits are asked again.
const COUNTED: usize = 4096;

/// What `str` gives: strings are themselves.
pub(crate) fn str<'v>(value: Value<'v>, meter: Meter<'v>) -> EvalResult<String> {
    let mut out = String::new();
    write_str(&mut out, value, meter)?;
    Ok(out)
}

/// Writes what `str` gives.
pub(crate) fn write_str<'v>(out: &mut String, value: Value<'v>, meter: Meter<'v>) -> EvalResult<()> {
    match value.unpack_str() {
        Some(text) => {
            out.push_str(text);
            Ok(())
        }
        None => write(out, value, meter),
    }
}

/// What `repr` gives.
pub(crate) fn repr<'v>(value: Value<'v>, meter: Meter<'v>) -> EvalResult<String> {
    let mut out = String::new();
    write(&mut out, value, meter)?;
    Ok(out)
}

/// A container whose items are being written.
struct Open<'v> {
    /// Items; keys and values of a dict in turn.
    items: Vec<Value<'v>>,
    next: usize,
    dict: bool,
    close: &'static str,
    /// Noted in the path, so that it is not entered again inside of itself.
    identity: Option<ValueIdentity<'v>>,
}

/// Writes what `repr` gives. A list that holds another one twice, and so on, is small and has no end as text.
pub(crate) fn write<'v>(out: &mut String, value: Value<'v>, meter: Meter<'v>) -> EvalResult<()> {
    if value.unpack_i32().is_some() {
        scalar(out, value);
        return Ok(());
    }
    write_below(out, value, meter, LONGEST)
}

#[allow(
    clippy::arithmetic_side_effects,
    reason = "the text only grows, and it and what was entered for it are in memory and at most `longest`"
)]
fn write_below<'v>(out: &mut String, value: Value<'v>, meter: Meter<'v>, longest: usize) -> EvalResult<()> {
    let heap = meter.heap;
    let (mut counted, mut entered) = (out.len(), 0);
    let mut open: Vec<Open<'v>> = Vec::new();
    let mut path = std::collections::HashSet::new();
    enter(out, value, heap, &mut open, &mut path);
    while let Some(top) = open.last_mut() {
        if out.len() >= longest {
            return Err(text_only(format!("the text of the value is longer than {longest} bytes")));
        }
        if out.len() - counted > COUNTED {
            meter.walk(out.len() - counted + entered * CONTAINER)?;
            meter.room(2 * out.len())?;
            (counted, entered) = (out.len(), 0);
        }
        let Some(&item) = top.items.get(top.next) else {
            out.push_str(top.close);
            if let Some(identity) = &top.identity {
                path.remove(identity);
            }
            open.pop();
            continue;
        };
        if top.next > 0 {
            out.push_str(if top.dict && top.next % 2 == 1 { ": " } else { ", " });
        }
        top.next += 1;
        entered += 1;
        enter(out, item, heap, &mut open, &mut path);
    }
    Ok(())
}

/// Writes a value that has no items, or opens it.
fn enter<'v>(
    out: &mut String,
    value: Value<'v>,
    heap: Heap<'v>,
    open: &mut Vec<Open<'v>>,
    path: &mut std::collections::HashSet<ValueIdentity<'v>>,
) {
    let (before, items, dict, close, guarded) = if let Some(list) = ListRef::from_value(value) {
        ("[", list.content().to_vec(), false, "]", true)
    } else if let Some(dict) = DictRef::from_value(value) {
        ("{", dict.iter().flat_map(|(key, item)| [key, item]).collect(), true, "}", true)
    } else if let Some(tuple) = TupleRef::from_value(value) {
        ("(", tuple.content().to_vec(), false, if tuple.len() == 1 { ",)" } else { ")" }, false)
    } else if value.get_type() == "set" {
        ("set([", value.iterate(heap).map(Iterator::collect).unwrap_or_default(), false, "])", false)
    } else {
        scalar(out, value);
        return;
    };
    out.push_str(before);
    let identity = guarded.then(|| value.identity());
    if let Some(identity) = identity
        && !path.insert(identity)
    {
        out.push_str("...");
        out.push_str(close);
        return;
    }
    open.push(Open { items, next: 0, dict, close, identity });
}

fn scalar(out: &mut String, value: Value<'_>) {
    if let Some(text) = value.unpack_str() {
        quote(out, text);
    } else if let Some(number) = value.unpack_i32() {
        // The interpreter would make a long integer of it first.
        write_int(out, number.is_negative(), number.unsigned_abs().into());
    } else if let Some(float) = value.downcast_ref::<StarlarkFloat>() {
        out.push_str(&float_text(float.0));
    } else if value.parameters_spec().is_some() {
        out.push_str("<function ");
        out.push_str(&super::keywords::unmangled(value.function_name().unwrap_or("lambda")));
        out.push('>');
    } else if let Some(text) = native_function(value) {
        out.push_str(&text);
    } else {
        out.push_str(&value.to_str());
    }
}

/// Functions and methods that the interpreter brings; those of ours show themselves.
fn native_function(value: Value<'_>) -> Option<String> {
    if value.get_type() != "function" {
        return None;
    }
    let shown = value.to_str();
    if shown.starts_with('<') || Func::from_value(value).is_some() {
        return Some(shown);
    }
    if value.function_name().is_some() {
        return Some(format!("<built-in function {shown}>"));
    }
    let receiver = match shown.as_str() {
        "append" | "extend" | "insert" | "remove" | "index" => "list",
        "get" | "items" | "keys" | "popitem" | "values" => "dict",
        "clear" | "pop" if format!("{value:?}").contains("ListGen") => "list",
        "clear" | "pop" => "dict",
        "union" => "set",
        _ => "string",
    };
    Some(format!("<built-in method {shown} of {receiver} value>"))
}

/// A string between quotes: what prints stays, other code points and bytes that are not UTF-8 are escaped.
pub(crate) fn quote(out: &mut String, text: &str) {
    match from_star(text) {
        Cow::Borrowed(ascii) => quoted::write_go(out, ascii),
        Cow::Owned(bytes) => out.push_str(&to_star(quoted::go(&bytes).as_bytes())),
    }
}

#[cfg(test)]
mod tests {
    use starlark::environment::Module;
    use starlark::values::list::AllocList;

    use super::*;

    #[test]
    fn a_text_that_doubles_with_each_level_is_cut_off() {
        let text = |levels: usize| {
            Module::with_temp_heap(|module| {
                let heap = module.heap();
                let one = heap.alloc(AllocList([1]));
                let doubled = (0..levels).fold(one, |list, _| heap.alloc(AllocList([list, list])));
                let mut out = String::new();
                write_below(&mut out, doubled, Meter::new(heap, None), 1000).map(|()| out).map_err(|failure| {
                    crate::eval::error::diagnostic_of(&failure)
                        .map_or_else(String::new, |found| found.message().to_owned())
                })
            })
        };
        assert_eq!(text(2).as_deref(), Ok("[[[1], [1]], [[1], [1]]]"));
        assert_eq!(text(60).unwrap_err(), "the text of the value is longer than 1000 bytes");
    }
}
