//! Dicts: how they are made, and the methods that the interpreter does differently.

use starlark::collections::{Hashed, SmallMap};
use starlark::eval::Evaluator;
use starlark::values::dict::{Dict, DictMut, DictRef};
use starlark::values::list::AllocList;
use starlark::values::{Heap, Value};

use crate::eval::arguments::{Input, iterate, unhashable};
use crate::eval::error::{EvalResult, Returned};
use crate::eval::fragment::Fragment;
use crate::eval::kind::type_name;
use crate::eval::object::Object;
use crate::eval::{Meter, budget, convert, messages};

/// `dict(X, k=v)`; X may be a dict, a map fragment, a struct, or pairs.
pub(super) fn dict<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let mut entries = SmallMap::new();
    given(&input, |key, value| {
        entries.insert_hashed(key, value);
        Ok(())
    })?;
    Ok(eval.heap().alloc(Dict::new(entries)))
}

/// Entries of a value that has keys: dict, struct, map fragment. `None` for others.
pub(super) fn mapping<'v>(value: Value<'v>, meter: Meter<'v>) -> EvalResult<Option<SmallMap<Value<'v>, Value<'v>>>> {
    let heap = meter.heap;
    let mut entries = SmallMap::new();
    if let Some(dict) = DictRef::from_value(value) {
        meter.table(dict.len())?;
        for (key, value) in dict.iter_hashed() {
            entries.insert_hashed(key, value);
        }
        return Ok(Some(entries));
    }
    if let Some(object) = Object::from_value(value).filter(|object| object.kind() != "module") {
        let members = object.members(heap)?;
        meter.table(members.len())?;
        for (name, member) in members {
            entries.insert_hashed(name.to_value().get_hashed()?, *member);
        }
        return Ok(Some(entries));
    }
    if let Some(fragment) = Fragment::from_value(value) {
        let items = fragment.map_entries()?;
        meter.table(items.len())?;
        for (key, item) in items {
            let key = convert::from_val(fragment.host, key, heap);
            entries.insert_hashed(key.get_hashed()?, convert::from_val(fragment.host, item, heap));
        }
        return Ok(Some(entries));
    }
    Ok(None)
}

/// Puts pairs into `put`, up to the first that is wrong.
fn pairs<'v>(
    input: &Input<'v>,
    value: Value<'v>,
    mut put: impl FnMut(Hashed<Value<'v>>, Value<'v>) -> EvalResult<()>,
) -> EvalResult<()> {
    let Some(items) = iterate(value, input.meter)? else {
        return input.fail(format!("got {}, want iterable", type_name(value)));
    };
    input.meter.table(items.len())?;
    for (number, item) in items.into_iter().enumerate() {
        let element = format!("dictionary update sequence element #{number}");
        let Some(pair) = iterate(item, input.meter)? else {
            return input.fail(format!("{element} is not iterable ({})", type_name(item)));
        };
        let [key, value] = pair[..] else {
            return input.fail(format!("{element} has length {}, want 2", pair.len()));
        };
        let Ok(key) = key.get_hashed() else { return input.fail(unhashable(key)) };
        put(key, value)?;
    }
    Ok(())
}

/// Puts the entries that arguments name into `put`: of one value and of keywords.
fn given<'v>(input: &Input<'v>, mut put: impl FnMut(Hashed<Value<'v>>, Value<'v>) -> EvalResult<()>) -> EvalResult<()> {
    match &input.positional[..] {
        [] => {}
        [value] => match mapping(*value, input.meter)? {
            Some(entries) => entries.into_iter_hashed().try_for_each(|(key, value)| put(key, value))?,
            None => pairs(input, *value, &mut put)?,
        },
        more => return input.fail(format!("got {} arguments, want at most 1", more.len())),
    }
    input.named.iter().try_for_each(|(name, value)| put(name.to_value().get_hashed()?, *value))
}

/// What a method reads of a dict.
#[derive(Clone, Copy, Debug)]
pub(super) enum DictPart {
    Items,
    Keys,
    Values,
}

impl DictPart {
    pub(super) fn of(method: &str) -> Option<DictPart> {
        Some(match method {
            "items" => DictPart::Items,
            "keys" => DictPart::Keys,
            "values" => DictPart::Values,
            _ => return None,
        })
    }
}

/// A list of a part of a dict.
#[allow(clippy::unreachable, reason = "the methods that read a dict are made of dicts alone")]
pub(super) fn read<'v>(dict: Value<'v>, part: DictPart, heap: Heap<'v>) -> Value<'v> {
    let Some(dict) = DictRef::from_value(dict) else { unreachable!("only methods of dicts read them") };
    match part {
        DictPart::Items => heap.alloc(AllocList(dict.iter())),
        DictPart::Keys => heap.alloc(AllocList(dict.keys())),
        DictPart::Values => heap.alloc(AllocList(dict.values())),
    }
}

/// The methods that are done here: `items`, `keys` and `values`, `update` and `setdefault`.
pub(super) fn call<'v>(dict: Value<'v>, input: &Input<'v>, eval: &Evaluator<'v, '_, '_>) -> Returned<'v> {
    match DictPart::of(input.name) {
        Some(part) => input.between(0, 0).map(|()| read(dict, part, eval.heap())),
        None => change(dict, input, eval),
    }
}

fn change<'v>(dict: Value<'v>, input: &Input<'v>, eval: &Evaluator<'v, '_, '_>) -> Returned<'v> {
    // it may be read while its entries are computed, so it is opened for each
    let put = |key, value| match DictMut::from_value(dict) {
        Ok(mut dict) => {
            dict.aref.insert_hashed(key, value);
            Ok(())
        }
        Err(_) => Err(messages::locked(input.name, dict, budget::host(eval))),
    };
    if input.name == "update" {
        return given(input, put).map(|()| Value::new_none());
    }
    input.between(1, 2)?;
    let (key, default) = (input.first(), input.get(1).unwrap_or(Value::new_none()));
    let Ok(hashed) = key.get_hashed() else { return input.fail(unhashable(key)) };
    let known = DictRef::from_value(dict).and_then(|dict| dict.get_hashed(hashed));
    match known {
        Some(value) => Ok(value),
        None => put(hashed, default).map(|()| default),
    }
}
