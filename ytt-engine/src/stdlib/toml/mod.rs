//! `@ytt:toml`: `encode` and `decode`.
//!
//! Both work on byte strings. Decoded tables are dicts with sorted keys; dates are refused, since code has no value for
//! them. See `decode` for what the reference takes beyond the standard.

mod decode;
mod encode;
mod syntax;
#[cfg(test)]
mod tests;

use starlark::eval::Evaluator;
use starlark::values::dict::AllocDict;
use starlark::values::list::AllocList;
use starlark::values::{Heap, Value};

use self::decode::{Table, Toml};
use self::syntax::{Attempt, Fault, Scalar};
use super::arguments::{expect, indent, only_names, place_in_text, text, warn_unknown};
use super::decoded::{self, Home};
use crate::diag::{Code, Diagnostic};
use crate::eval::object::{CallArgs, Func, Functions};
use crate::eval::text::to_star;
use crate::eval::{Returned, convert, error, trace};
use crate::yaml::TakenFrom;

pub(super) const FUNCTIONS: Functions = &[("encode", encode), ("decode", decode)];

fn encode<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let [value] = expect(&given, "expected exactly one argument")?;
    only_names(&given, &["indent"])?;
    let host = function.inst.as_ref().host.as_ref();
    let value = convert::to_val(host, value, eval.heap())?;
    let encoded = indent(&given).and_then(|indent| {
        let indent = if indent == 0 { 2 } else { indent };
        encode::encode(&host.arena.borrow(), value, indent).map_err(error::wrap)
    })?;
    Ok(eval.heap().alloc_str(&to_star(&encoded)).to_value())
}

fn decode<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let [source] = expect(&given, "expected exactly one argument")?;
    warn_unknown(function, &given, &[]);
    let source = text(source)?;
    let host = function.inst.as_ref().host.as_ref();
    let decoded = decode::decode(&source, host.limits.depth).and_then(|decoded| {
        let values = dict(&decoded.root, eval.heap()).map_err(|fault| fault.told(&source, ""))?;
        Ok((values, decoded.loose))
    });
    let (values, loose) = decoded.map_err(|fault| {
        let problem = if fault.too_deep {
            Diagnostic::limit(Code::LIMIT, "depth", format!("nesting is deeper than {} levels", host.limits.depth))
        } else {
            Diagnostic::error(Code::MODULE_DECODE, fault.message)
        };
        let is_open = is_open_at(&source, fault.at);
        let at = (&source[..], fault.at);
        let home = Home::of(host, &source);
        let problem = decoded::located(home.as_ref(), problem, at, "here", || place_in_text(&source, fault.at));
        error::wrap(match home.filter(|_| is_open) {
            Some(home) => {
                let end = line_end(&source, fault.at);
                let problem = problem.relabel("the text on this line is not closed");
                problem.help_edit("close it", home.span(end, end), "\"")
            }
            None => problem,
        })
    })?;
    for (line, what) in loose {
        let text = format!("toml.decode: line {line} is not valid TOML: {what}");
        host.warn_of_call(Diagnostic::warning(Code::MODULE_LOOSE, text));
    }
    trace::note_taken(host, eval, TakenFrom::Text("TOML"));
    Ok(values)
}

/// Where the line of an offset ends, less blanks.
fn line_end(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).and_then(|rest| rest.iter().position(|byte| *byte == b'\n'));
    let end = rest.map_or(text.len(), |found| at.saturating_add(found));
    text.get(..end).unwrap_or(text).trim_ascii_end().len()
}

/// Does a line end at an offset, with a text in it that is not closed?
fn is_open_at(text: &[u8], at: usize) -> bool {
    let (before, behind) = text.split_at(at.min(text.len()));
    let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_end = matches!(behind.first(), None | Some(b'\n' | b'\r'));
    is_end && line.iter().filter(|byte| **byte == b'"').count() % 2 == 1
}

fn dict<'v>(table: &Table, heap: Heap<'v>) -> Attempt<Value<'v>> {
    let pairs =
        table.iter().map(|(key, value)| Ok((heap.alloc_str(&to_star(key.as_bytes())).to_value(), star(value, heap)?)));
    Ok(heap.alloc(AllocDict(pairs.collect::<Attempt<Vec<_>>>()?)))
}

fn list<'v>(values: impl Iterator<Item = Attempt<Value<'v>>>, heap: Heap<'v>) -> Attempt<Value<'v>> {
    Ok(heap.alloc(AllocList(values.collect::<Attempt<Vec<_>>>()?)))
}

fn star<'v>(value: &Toml, heap: Heap<'v>) -> Attempt<Value<'v>> {
    Ok(match value {
        Toml::Scalar(Scalar::Bool(flag)) => Value::new_bool(*flag),
        Toml::Scalar(Scalar::Int(number)) => heap.alloc(*number),
        Toml::Scalar(Scalar::Float(number)) => heap.alloc(*number),
        Toml::Scalar(Scalar::Text(text)) => heap.alloc_str(&to_star(text.as_bytes())).to_value(),
        Toml::Scalar(Scalar::Date(at)) => {
            return Err(Fault::new(*at, "date-times are not supported (hint: quote the value)"));
        }
        Toml::List(values) => list(values.iter().map(|value| star(value, heap)), heap)?,
        Toml::Table(table) => dict(table, heap)?,
        Toml::Tables(tables) => list(tables.iter().map(|table| dict(table, heap)), heap)?,
    })
}

/// A key, in quotes where it needs them.
fn key(name: &[u8], out: &mut Vec<u8>) {
    let is_bare = !name.is_empty() && name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(byte));
    if is_bare { out.extend_from_slice(name) } else { quoted(name, out) }
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
