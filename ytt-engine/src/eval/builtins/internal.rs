//! What only generated code calls, beside operators and items: attributes with names of methods that are done here or
//! that the interpreter reserves, `**` arguments, the bound of `while`, and what may grow.

use starlark::collections::SmallMap;
use starlark::eval::Evaluator;
use starlark::values::dict::{Dict, DictRef};
use starlark::values::{StringValue, Value, ValueError};

use super::basic::{attribute, unknown_member};
use super::dict::mapping;
use super::items::no_call;
use super::operator::{COPIED, bytes, words};
use super::sequence::ROW;
use crate::diag::suggest;
use crate::eval::arguments::{Input, length_of};
use crate::eval::error::{Returned, text_only};
use crate::eval::kind::type_name;
use crate::eval::numbers::is_int;
use crate::eval::{Meter, keywords};

/// `E.name` for names of methods that are done here, and names that the interpreter reserves.
pub(super) fn method<'v>(value: Value<'v>, name: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let name = name.unpack_str().unwrap_or_default();
    if value.unpack_str().is_none() {
        no_call(eval);
    }
    match attribute(value, name, eval.heap())? {
        Some(found) => Ok(found),
        None => Err(unknown_member(value, name)),
    }
}

/// The interpreter's own error, of which more is told than of a method that only we do.
pub(super) fn absent(value: Value<'_>, name: &str) -> starlark::Error {
    let (kind, name) = (value.get_type().to_owned(), name.to_owned());
    let known = value.dir_attr();
    match suggest::nearest(&name, known.iter().map(String::as_str)) {
        None => ValueError::NoAttr(kind, name).into(),
        Some(near) => ValueError::NoAttrDidYouMean(kind, name, near.to_owned()).into(),
    }
}

/// The receiver of a method of the interpreter that walks through it or copies it.
pub(super) fn walk<'v>(value: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let meter = Meter::of(eval);
    match value.get_type() {
        "list" | "string" => meter.walk(bytes(value) / COPIED)?,
        "dict" => {
            let bytes = length_of(value)?.saturating_mul(ROW);
            meter.room(bytes)?;
            meter.walk(bytes / COPIED)?;
        }
        _ => {}
    }
    Ok(value)
}

/// The receiver of a method of the interpreter that compares its items.
pub(super) fn seek<'v>(value: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    match value.get_type() {
        "list" => Meter::of(eval).walk_items(length_of(value)?)?,
        "string" => Meter::of(eval).walk(bytes(value) / COPIED)?,
        _ => {}
    }
    Ok(value)
}

/// What is put behind another value by a way of the interpreter: the right side of `+` and `+=` (see
/// `items::more`), the argument of `extend` and `union`. What is there already has its room, so this side counts.
pub(super) fn grow<'v>(value: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    if value.unpack_i32().is_some() {
        return Ok(value);
    }
    let meter = Meter::of(eval);
    if is_int(value) {
        meter.outside(words(value).saturating_mul(8))?;
        return Ok(value);
    }
    if let Some(text) = value.unpack_str() {
        meter.room(text.len())?;
        return Ok(value);
    }
    let kind = value.get_type();
    if let "list" | "tuple" | "range" | "dict" | "set" | "struct" | "yamlfragment" = kind
        && let Ok(length) = length_of(value)
    {
        // a list grows by half and more, so that there is room for what comes
        meter.room(length.saturating_mul(size_of::<[Value<'v>; 4]>()))?;
        match kind {
            "list" | "tuple" | "range" => meter.walk_items(length)?,
            _ => meter.table(length)?,
        }
    }
    Ok(value)
}

/// `**X` of a call: a dict, with names as generated code writes them.
pub(super) fn keywords<'v>(value: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let heap = eval.heap();
    let Some(entries) = mapping(value, Meter::of(eval))? else {
        return Err(text_only(format!("argument after ** must be a mapping, not {}", type_name(value))));
    };
    let mut renamed = SmallMap::with_capacity(entries.len());
    for (key, item) in entries {
        let Some(name) = key.unpack_str() else {
            return Err(text_only(format!("keywords must be strings, not {}", type_name(key))));
        };
        let key = heap.alloc_str(&keywords::mangled(name)).to_value();
        renamed.insert_hashed(key.get_hashed()?, item);
    }
    Ok(heap.alloc(Dict::new(renamed)))
}

/// The `**k` of a `def`, with names as the caller wrote them; the same dict where they are the same.
pub(super) fn unmangled_keywords<'v>(value: Value<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let heap = eval.heap();
    let Some(dict) = DictRef::from_value(value) else { return Ok(value) };
    let names = || dict.iter().filter_map(|(key, item)| Some((StringValue::new(key)?, item)));
    if names().all(|(name, _)| keywords::unmangled(name.as_str()) == name.as_str()) {
        return Ok(value);
    }
    let mut renamed = SmallMap::with_capacity(dict.len());
    for (name, item) in names() {
        renamed.insert_hashed(keywords::unmangled_string(name, heap).to_value().get_hashed()?, item);
    }
    Ok(heap.alloc(Dict::new(renamed)))
}

/// The end of the range that stands for an endless loop was met.
pub(super) fn endless<'v>(_input: Input<'v>, _eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    Err(text_only("while loop: more than 2147483647 turns"))
}
