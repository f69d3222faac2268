//! Dicts: how they are made, and the methods that the interpreter does differently.

use starlark::collections::SmallMap;
use starlark::eval::Evaluator;
use starlark::values::Value;
use starlark::values::dict::{Dict, DictMut, DictRef};

use crate::eval::arguments::{Input, iterate};
use crate::eval::error::EvalResult;
use crate::eval::fragment::Fragment;
use crate::eval::kind::type_name;
use crate::eval::object::Object;
use crate::eval::{Meter, budget, convert, messages};

type Result<'v> = EvalResult<Value<'v>>;
type Entries<'v> = SmallMap<Value<'v>, Value<'v>>;

/// `dict(X, k=v)`; X may be a dict, a map fragment, a struct, or pairs.
pub(super) fn dict<'v>(input: Input<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Result<'v> {
    let heap = eval.heap();
    Ok(heap.alloc(Dict::new(given(&input)?)))
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
    if let Some(object) = Object::from_value(value).filter(|object| object.kind() == "struct") {
        let members = object.members(heap)?;
        meter.table(members.len())?;
        for (name, member) in members {
            entries.insert_hashed(heap.alloc_str(&name).to_value().get_hashed()?, member);
        }
        return Ok(Some(entries));
    }
    if let Some(fragment) = Fragment::from_value(value) {
        let items = fragment.map_entries()?;
        meter.table(items.len())?;
        for (key, item) in items {
            let key = convert::from_val(fragment.host(), key, heap);
            entries.insert_hashed(key.get_hashed()?, convert::from_val(fragment.host(), item, heap));
        }
        return Ok(Some(entries));
    }
    Ok(None)
}

fn pairs<'v>(input: &Input<'v>, value: Value<'v>) -> EvalResult<SmallMap<Value<'v>, Value<'v>>> {
    let mut dict = SmallMap::new();
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
        let Ok(key) = key.get_hashed() else {
            return input.fail(format!("unhashable type: {}", type_name(key)));
        };
        dict.insert_hashed(key, value);
    }
    Ok(dict)
}

/// The entries that arguments name: of one value and of keywords.
fn given<'v>(input: &Input<'v>) -> EvalResult<Entries<'v>> {
    let mut entries = match &input.positional[..] {
        [] => SmallMap::new(),
        [value] => match mapping(*value, input.meter)? {
            Some(entries) => entries,
            None => pairs(input, *value)?,
        },
        more => return input.fail(format!("got {} arguments, want at most 1", more.len())),
    };
    for (name, value) in &input.named {
        entries.insert_hashed(name.to_value().get_hashed()?, *value);
    }
    Ok(entries)
}

/// The methods that are done here: `update` and `setdefault`.
pub(super) fn change<'v>(dict: Value<'v>, input: &Input<'v>, eval: &Evaluator<'v, '_, '_>) -> Result<'v> {
    if input.name == "update" {
        return insert(dict, input, given(input)?, eval).map(|()| Value::new_none());
    }
    input.between(1, 2)?;
    let (key, default) = (input.positional[0], input.get(1).unwrap_or(Value::new_none()));
    let Ok(hashed) = key.get_hashed() else {
        return input.fail(format!("unhashable type: {}", type_name(key)));
    };
    let known = DictRef::from_value(dict).and_then(|dict| dict.get_hashed(hashed));
    match known {
        Some(value) => Ok(value),
        None => insert(dict, input, SmallMap::from_iter([(hashed, default)]), eval).map(|()| default),
    }
}

fn insert<'v>(
    dict: Value<'v>,
    input: &Input<'v>,
    entries: Entries<'v>,
    eval: &Evaluator<'v, '_, '_>,
) -> EvalResult<()> {
    if entries.is_empty() {
        return Ok(());
    }
    input.meter.table(entries.len())?;
    let Ok(mut dict) = DictMut::from_value(dict) else {
        return Err(messages::locked(input.name, dict, budget::host(eval)));
    };
    for (key, value) in entries.into_iter_hashed() {
        dict.aref.insert_hashed(key, value);
    }
    Ok(())
}
