//! Starlark values to values of the arena, and back.
//!
//! A fragment stays its node; lists, tuples, sets, dicts and structs are copied to raw lists and dicts, which stay so
//! until an overlay makes nodes of them. What cannot be converted, such as a function or an integer too large for 64
//! bits, is an error of the statement that sets it.

use std::borrow::Cow;

use starlark::values::dict::{AllocDict, DictRef};
use starlark::values::float::StarlarkFloat;
use starlark::values::list::{AllocList, ListRef};
use starlark::values::tuple::TupleRef;
use starlark::values::{Heap, UnpackValue, Value, ValueIdentity, ValueLike, ValueTyped};

use super::advice;
use super::error::{self, EvalResult};
use super::fragment::Fragment;
use super::host::Host;
use super::keywords::Members;
use super::kind::{is_callable, type_name};
use super::object::Object;
use super::text::{from_star, to_star};
use crate::diag::{Code, Diagnostic, Fact};
use crate::template::unmangle;
use crate::yaml::{Body, Raw, Val};

/// Texts of keys that are remembered by their values.
const KNOWN_KEYS: usize = 256;

/// A value of the arena as a Starlark value: handles on nodes, new lists and dicts for raw ones.
pub(crate) fn from_val<'v>(host: ValueTyped<'v, Host<'v>>, value: Val, heap: Heap<'v>) -> Value<'v> {
    match value {
        Val::Node(_) => Fragment::new(host, value).alloc(heap),
        Val::Raw(number) => {
            let raw = host.as_ref().arena.borrow().raw(number).clone();
            match raw {
                Raw::List(values) => heap.alloc(AllocList(values.into_iter().map(|item| from_val(host, item, heap)))),
                // Compat: keys that are tuples are printed, but code does not see them again.
                Raw::Dict(entries) => heap.alloc(AllocDict(
                    entries
                        .into_iter()
                        .filter(|(key, _)| !matches!(key, Val::Raw(_) | Val::Node(_)))
                        .map(|(key, item)| (from_val(host, key, heap), from_val(host, item, heap))),
                )),
            }
        }
        scalar => from_scalar(host, scalar, heap),
    }
}

fn from_scalar<'v>(host: ValueTyped<'v, Host<'v>>, value: Val, heap: Heap<'v>) -> Value<'v> {
    match value {
        Val::Bool(flag) => Value::new_bool(flag),
        Val::Int(number) => heap.alloc(number),
        Val::UInt(number) => heap.alloc(number),
        Val::Float(number) => heap.alloc(number),
        Val::Str { .. } | Val::Bytes(_) => {
            let arena = host.as_ref().arena.borrow();
            let bytes = arena.text_bytes(value).unwrap_or_default();
            heap.alloc_str(&to_star(bytes)).to_value()
        }
        _ => Value::new_none(),
    }
}

/// A value of the arena as `data.values` shows it: maps are structs, made when they are looked at; arrays are new lists.
pub(crate) fn as_struct<'v>(host: ValueTyped<'v, Host<'v>>, value: Val, heap: Heap<'v>) -> Value<'v> {
    let is_map = match value {
        Val::Node(id) => matches!(host.as_ref().arena.borrow().get(id).body, Body::Map(_)),
        Val::Raw(number) => matches!(host.as_ref().arena.borrow().raw(number), Raw::Dict(_)),
        scalar => return from_scalar(host, scalar, heap),
    };
    if is_map {
        return Object::later(host, value).alloc(heap);
    }
    let items = host.as_ref().entries(value);
    heap.alloc(AllocList(items.into_iter().map(|(_, item)| as_struct(host, item, heap))))
}

/// A Starlark value as the arena holds it.
pub(crate) fn to_val<'v>(host: &Host<'v>, value: Value<'v>, heap: Heap<'v>) -> EvalResult<Val> {
    Conversion { host, heap, open: Vec::new() }.value(value)
}

/// One conversion; `open` are the containers around the current value, so that one which contains itself is noticed.
struct Conversion<'x, 'v> {
    host: &'x Host<'v>,
    heap: Heap<'v>,
    open: Vec<ValueIdentity<'v>>,
}

impl<'v> Conversion<'_, 'v> {
    fn value(&mut self, value: Value<'v>) -> EvalResult<Val> {
        if let Some(text) = value.unpack_str() {
            let mut arena = self.host.arena.borrow_mut();
            return Ok(match from_star(text) {
                Cow::Borrowed(_) => arena.make_str(text),
                Cow::Owned(bytes) => arena.make_bytes(&bytes),
            });
        }
        if let Some(scalar) = scalar(value) {
            return Ok(scalar);
        }
        if let Some(fragment) = Fragment::from_value(value) {
            return self.fragment(fragment);
        }
        let raw = if let Some(list) = ListRef::from_value(value) {
            Raw::List(self.inside(value, |this| this.all(list.iter()))?)
        } else if let Some(tuple) = TupleRef::from_value(value) {
            Raw::List(self.inside(value, |this| this.all(tuple.iter()))?)
        } else if let Some(dict) = DictRef::from_value(value) {
            Raw::Dict(self.inside(value, |this| {
                collect_exact(dict.len(), dict.iter().map(|(key, item)| Ok((this.key(key)?, this.value(item)?))))
            })?)
        } else if let Some(object) = Object::from_value(value).filter(|object| !object.is_module()) {
            if let Some(hint) = object.no_encode() {
                let text = format!("Unable to convert value: {} {hint}", object.kind());
                let fact = Fact::NotEncoded { kind: object.kind().to_string() };
                return Err(error::wrap(Diagnostic::error(Code::STARLARK_ERROR, text).fact(fact)));
            }
            let members = object.members(self.heap)?;
            Raw::Dict(self.inside(value, |this| {
                collect_exact(
                    members.len(),
                    members.iter().map(|(name, item)| Ok((this.name(name.as_str()), this.value(*item)?))),
                )
            })?)
        } else if value.get_type() == "set" {
            let items: Vec<Value<'v>> = value.iterate(self.heap)?.collect();
            Raw::List(self.all(items.into_iter())?)
        } else if value.get_type() == "int" {
            return Err(error::text_only(format!("int value {value} is out of range (-2^63 … 2^64-1)")));
        } else {
            return Err(unknown_type(value));
        };
        self.host.budget.count_raw(&raw)?;
        let mut arena = self.host.arena.borrow_mut();
        let added = arena.add_raw(raw);
        // A list that holds another one twice, and so on, is small in code and has no end as a copy.
        self.host.check_size(&arena)?;
        Ok(added)
    }

    fn all(&mut self, values: impl Iterator<Item = Value<'v>>) -> EvalResult<Vec<Val>> {
        collect_exact(values.size_hint().0, values.map(|item| self.value(item)))
    }

    /// Keys repeat, so each text is stored once.
    fn key(&mut self, key: Value<'v>) -> EvalResult<Val> {
        let Some(text) = key.unpack_str() else {
            return if is_callable(key) { Err(function_as_key(key)) } else { self.value(key) };
        };
        if let Some(known) = self.host.keys.borrow().get(&key.identity()) {
            return Ok(*known);
        }
        let made = self.name(text);
        let mut keys = self.host.keys.borrow_mut();
        // Dicts whose keys are all different need no memory here.
        if keys.len() >= KNOWN_KEYS {
            keys.clear();
        }
        keys.insert(key.identity(), made);
        Ok(made)
    }

    fn name(&mut self, name: &str) -> Val {
        let mut arena = self.host.arena.borrow_mut();
        let Cow::Owned(bytes) = from_star(name) else { return arena.intern(name) };
        match std::str::from_utf8(&bytes) {
            Ok(text) => arena.intern(text),
            Err(_) => arena.make_bytes(&bytes),
        }
    }

    fn fragment(&self, fragment: &Fragment<'v>) -> EvalResult<Val> {
        let value = fragment.val;
        if !self.open.is_empty()
            && let Val::Node(id) = value
            && matches!(self.host.arena.borrow().get(id).body, Body::Set(_))
        {
            return Err(error::text_only("a document set cannot be an item of a list"));
        }
        Ok(value)
    }

    fn inside<T>(&mut self, value: Value<'v>, work: impl FnOnce(&mut Self) -> EvalResult<T>) -> EvalResult<T> {
        let identity = value.identity();
        if self.open.contains(&identity) {
            return Err(error::text_only(format!("{} contains itself", type_name(value))));
        }
        if self.open.len() >= self.host.limits.depth as usize {
            let text = format!("nesting is deeper than {} levels", self.host.limits.depth);
            return Err(error::wrap(Diagnostic::limit(Code::LIMIT, "depth", text)));
        }
        self.open.push(identity);
        let result = work(self);
        self.open.pop();
        result
    }
}

/// Collects that many results. A bare `collect` of results leaves room for four at least, and dicts and lists are many
/// and small.
fn collect_exact<T>(count: usize, mut results: impl Iterator<Item = EvalResult<T>>) -> EvalResult<Vec<T>> {
    let mut all = Vec::with_capacity(count);
    results.try_for_each(|result| result.map(|one| all.push(one)))?;
    Ok(all)
}

/// A null, bool, integer of 64 bits or float as the arena holds it.
pub(super) fn scalar(value: Value<'_>) -> Option<Val> {
    if value.is_none() {
        return Some(Val::Null);
    }
    if let Some(flag) = value.unpack_bool() {
        return Some(Val::Bool(flag));
    }
    if let Some(number) = value.unpack_i32() {
        return Some(Val::Int(number.into()));
    }
    if let Some(float) = value.downcast_ref::<StarlarkFloat>() {
        return Some(Val::Float(float.0));
    }
    // Lists and dicts are no large integers: they are many, and one look tells.
    if value.get_type() != "int" {
        return None;
    }
    if let Ok(Some(number)) = i64::unpack_value(value) {
        return Some(Val::Int(number));
    }
    u64::unpack_value(value).ok().flatten().map(Val::UInt)
}

fn unknown_type(value: Value<'_>) -> starlark::Error {
    let kind = type_name(value);
    let text = format!("unknown type {kind} for conversion to a value");
    let diagnostic = Diagnostic::error(Code::TEMPLATE_VALUE, text);
    error::wrap(match kind {
        "function" | "builtin_function_or_method" => advice::uncalled(value, diagnostic),
        "range" => diagnostic.help("make a list of it: `list(…)`"),
        "module" if value.dir_attr().iter().any(|member| member == "with_data_values") => {
            diagnostic.fact(Fact::LibraryAsValue)
        }
        _ => diagnostic,
    })
}

/// A dict of which a key is a function: a name that was meant as a text.
fn function_as_key(key: Value<'_>) -> starlark::Error {
    let name = key.parameters_spec().map(|spec| spec.signature()).and_then(|signature| {
        let name = unmangle(signature.rsplit('.').next()?).into_owned();
        (!name.is_empty() && name != "lambda").then_some(name)
    });
    let text = format!("unknown type {} for conversion to a value", type_name(key));
    error::wrap(Diagnostic::error(Code::TEMPLATE_VALUE, text).fact(Fact::FunctionAsKey { name }))
}

/// Members of a module or struct under their names.
pub(crate) fn members<'v, const N: usize>(members: [(&str, Value<'v>); N], heap: Heap<'v>) -> Members<'v> {
    members.into_iter().map(|(name, value)| (heap.alloc_str(name), value)).collect()
}
