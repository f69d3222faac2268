//! `@ytt:toml`: `encode` and `decode`.
//!
//! Both work on byte strings. Decoded tables are dicts with sorted keys; dates are refused, since code has no value for
//! them. See `decode` for what the reference takes beyond the standard.

mod decode;
mod encode;
mod number;
mod scan;
mod string;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use starlark::eval::Evaluator;
use starlark::values::dict::AllocDict;
use starlark::values::list::AllocList;
use starlark::values::{Heap, Value, ValueTyped};

use self::decode::{Table, Toml};
use super::arguments::{expect_count, indent, only_names, text};
use crate::diag::{Code, Diagnostic};
use crate::eval::object::{CallArgs, Func};
use crate::eval::text::to_star;
use crate::eval::{EvalResult, FileInstance, convert, error};

pub(super) fn module<'v>(inst: ValueTyped<'v, FileInstance<'v>>, heap: Heap<'v>) -> EvalResult<Value<'v>> {
    Ok(super::functions(inst, heap, "toml", &[("encode", encode), ("decode", decode)]))
}

fn encode<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<Value<'v>> {
    expect_count(&given, 1, "expected exactly one argument")?;
    only_names(&given, &["indent"])?;
    let host = function.inst.as_ref().host.as_ref();
    let value = convert::to_val(host, given.positional[0], eval.heap())?;
    let encoded = indent(&given).and_then(|indent| {
        let indent = if indent == 0 { 2 } else { indent };
        encode::encode(&host.arena.borrow(), value, indent).map_err(error::wrap)
    })?;
    Ok(eval.heap().alloc_str(&to_star(&encoded)).to_value())
}

fn decode<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> EvalResult<Value<'v>> {
    expect_count(&given, 1, "expected exactly one argument")?;
    super::arguments::warn_unknown(function, &given, &[]);
    let source = text(given.positional[0])?;
    let host = function.inst.as_ref().host.as_ref();
    let decoded = decode::decode(&source, host.limits.depth).map_err(|failed| {
        if failed.limit {
            let text = format!("nesting is deeper than {} levels", host.limits.depth);
            let diagnostic = Diagnostic::limit(Code::LIMIT, "depth", text);
            return error::wrap(diagnostic.note(super::arguments::place_in_text(&source, failed.at)));
        }
        // A value that the end of a line stands in place of is missing on that line.
        let ended = failed.message.contains("found '\\n'");
        let before = source.get(..failed.at).unwrap_or_default().iter().rposition(|byte| *byte == b'\n');
        let at = before.filter(|_| ended).unwrap_or(failed.at);
        let place = super::arguments::place_in_text(&source, at);
        let note = if ended && failed.message.contains("expected value") {
            format!("a value is missing in {place}")
        } else {
            place
        };
        error::wrap(Diagnostic::error(Code::MODULE_DECODE, failed.message).note(note))
    })?;
    if let Some(end) = first_date(&decoded.root) {
        let line = decode::line(&source, end);
        let text = format!("toml: line {line}: date-times are not supported (hint: quote the value)");
        return Err(error::wrap(Diagnostic::error(Code::MODULE_DECODE, text)));
    }
    for (line, what) in &decoded.loose {
        let text = format!("toml.decode: line {line} is not valid TOML: {what}");
        host.warn(Diagnostic::warning(Code::MODULE_LOOSE, text));
    }
    Ok(dict(&decoded.root, eval.heap()))
}

/// Where the first date of the text ends.
fn first_date(table: &Table) -> Option<usize> {
    fn of(value: &Toml) -> Option<usize> {
        match value {
            Toml::Date(end) => Some(*end),
            Toml::List(values) => values.iter().filter_map(of).min(),
            Toml::Table(table) => first_date(table),
            Toml::Tables(tables) => tables.iter().filter_map(|table: &Rc<Table>| first_date(table)).min(),
            _ => None,
        }
    }
    table.values().filter_map(of).min()
}

fn dict<'v>(table: &Table, heap: Heap<'v>) -> Value<'v> {
    heap.alloc(AllocDict(
        table.iter().map(|(key, value)| (heap.alloc_str(&to_star(key)).to_value(), star(value, heap))),
    ))
}

fn star<'v>(value: &Toml, heap: Heap<'v>) -> Value<'v> {
    match value {
        Toml::Bool(flag) => Value::new_bool(*flag),
        Toml::Int(number) => heap.alloc(*number),
        Toml::Float(number) => heap.alloc(*number),
        Toml::Text(text) => heap.alloc_str(&to_star(text)).to_value(),
        Toml::Date(_) => Value::new_none(),
        Toml::List(values) => heap.alloc(AllocList(values.iter().map(|value| star(value, heap)))),
        Toml::Table(table) => dict(table, heap),
        Toml::Tables(tables) => heap.alloc(AllocList(tables.iter().map(|table| dict(table, heap)))),
    }
}

/// A key, in quotes where it needs them.
fn key(name: &[u8], out: &mut Vec<u8>) {
    if decode::is_bare_key(name) { out.extend_from_slice(name) } else { quoted(name, out) }
}

/// A basic string; bytes that are not UTF-8 stay.
fn quoted(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for &byte in text {
        match byte {
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => out.extend_from_slice(b"\\\\"),
            8 => out.extend_from_slice(b"\\b"),
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\n' => out.extend_from_slice(b"\\n"),
            12 => out.extend_from_slice(b"\\f"),
            b'\r' => out.extend_from_slice(b"\\r"),
            0..0x20 | 0x7f => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}
