//! `yamlfragment`: a handle on a node, as code sees it. Reading only; what is set or overlaid goes through the arena.
#![allow(
    clippy::panic,
    reason = "the value derives of starlark expand to it, for heaps that are written to a disk, which none is"
)]
#![expect(unsafe_code, reason = "the value derives of starlark expand to unsafe impls")]

use std::fmt;

use allocative::Allocative;
use starlark::values::{
    Heap, NoSerialize, ProvidesStaticType, StarlarkPagablePanic, StarlarkValue, Trace, Value, ValueLike, ValueTyped,
    starlark_value,
};

use super::budget::Meter;
use super::convert::{from_val, scalar};
use super::error::{self, EvalResult};
use super::host::Host;
use super::kind::type_name;
use super::repr::repr;
use super::text::{from_star, readable};
use crate::diag::{Code, Diagnostic, Fact, WordKind, suggest};
use crate::source::{Span, to_u32};
use crate::yaml::words::{key_text, kind_name};
use crate::yaml::{Body, NodeId, Val};

/// A handle on a document set, map or array; null for a function that made no node; a scalar only as the result of
/// `overlay.apply`.
#[derive(Clone, Copy, Trace, ProvidesStaticType, Allocative, NoSerialize, StarlarkPagablePanic)]
pub(crate) struct Fragment<'v> {
    pub(super) host: ValueTyped<'v, Host<'v>>,
    /// The node, or null.
    #[trace(unsafe_ignore)]
    #[allocative(skip)]
    pub(super) val: Val,
}

/// What kind of container a handle is on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Container {
    Set,
    Map,
    Array,
    Nothing,
}

impl<'v> Fragment<'v> {
    pub(crate) fn new(host: ValueTyped<'v, Host<'v>>, val: Val) -> Fragment<'v> {
        Fragment { host, val }
    }

    pub(crate) fn alloc(self, heap: Heap<'v>) -> Value<'v> {
        heap.alloc_complex_no_freeze(self)
    }

    pub(crate) fn from_value(value: Value<'v>) -> Option<&'v Fragment<'v>> {
        value.downcast_ref::<Fragment<'v>>()
    }

    /// `map` and so on: the reference's words.
    pub(crate) fn kind(&self) -> &'static str {
        kind_name(&self.host.as_ref().arena.borrow(), self.val)
    }

    fn container(&self) -> Container {
        let Val::Node(id) = self.val else { return Container::Nothing };
        match self.host.as_ref().arena.borrow().get(id).body {
            Body::Set(_) => Container::Set,
            Body::Map(_) => Container::Map,
            Body::Array(_) => Container::Array,
            _ => Container::Nothing,
        }
    }

    /// Keys and values of a map fragment; nothing of a nil one; the reference's complaint for others.
    pub(crate) fn map_entries(&self) -> EvalResult<Vec<(Val, Val)>> {
        match self.container() {
            Container::Map | Container::Nothing => {
                self.note_taken();
                Ok(self.host.as_ref().entries(self.val))
            }
            Container::Array => Err(error::text_only("yamlfragment.Items: Expected value to be a map, but was array")),
            Container::Set => {
                Err(error::text_only("yamlfragment.Items: Expected value to be a map, but was document set"))
            }
        }
    }

    /// Notes that code takes the values of all items.
    fn note_taken(&self) {
        let (host, Val::Node(id)) = (self.host.as_ref(), self.val) else { return };
        if host.explains {
            let mut arena = host.arena.borrow_mut();
            let items = arena.items(id).to_vec();
            items.into_iter().for_each(|item| arena.events.adopt(item));
        }
    }

    /// The item under a key or index; `None` if there is none.
    fn entry(&self, index: Value<'v>) -> EvalResult<Option<NodeId>> {
        let (host, Val::Node(id)) = (self.host.as_ref(), self.val) else { return Ok(None) };
        if self.container() == Container::Map {
            // Taken apart once for all keys, which are equal by kind and value.
            let (arena, text, scalar) = (host.arena.borrow(), index.unpack_str().map(from_star), scalar(index));
            let is_wanted = |key: Val| match &text {
                Some(text) => arena.text_bytes(key) == Some(text),
                None => scalar == Some(key),
            };
            return Ok(arena.items(id).iter().copied().find(|&item| is_wanted(arena.key(item))));
        }
        let Some(number) = index.unpack_i32().filter(|_| index.unpack_bool().is_none()) else {
            let what = if self.container() == Container::Set {
                "yamlfragment.Get: Expected document set index to be an int, but was"
            } else {
                "yamlfragment.Get: Expected array index to be an int64, but was"
            };
            return Err(error::text_only(format!("{what} {}", type_name(index))));
        };
        Ok(usize::try_from(number).ok().and_then(|number| host.arena.borrow().item_at(id, number)))
    }
}

impl fmt::Debug for Fragment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fragment({:?})", self.val)
    }
}

impl fmt::Display for Fragment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.container() {
            Container::Set => "yamlfragment(*yamlmeta.DocumentSet)",
            Container::Map => "yamlfragment(*yamlmeta.Map)",
            Container::Array => "yamlfragment(*yamlmeta.Array)",
            Container::Nothing => "yamlfragment(<nil>)",
        })
    }
}

impl Fragment<'_> {
    /// The keys of a map, for people.
    fn keys(&self) -> Vec<String> {
        let arena = self.host.as_ref().arena.borrow();
        let Val::Node(id) = self.val else { return Vec::new() };
        arena.items(id).iter().map(|item| key_text(&arena, arena.key(*item))).collect()
    }
}

impl Fragment<'_> {
    /// Where a key such as `no` stands without quotes, which YAML reads as a boolean.
    fn as_boolean(&self, key: &str) -> Option<(Span, String)> {
        let arena = self.host.as_ref().arena.borrow();
        let Val::Node(id) = self.val else { return None };
        let items = arena.items(id).iter().filter(|item| matches!(arena.key(**item), Val::Bool(_)));
        let places = items.filter_map(|item| arena.place_of(*item));
        let written = |span: Span| self.host.as_ref().sources.get(span.source).written(span).map(str::to_owned);
        places.map(|place| place.key()).find_map(|place| {
            let text = written(place)?;
            let own = text.split(':').next().unwrap_or_default().trim_end();
            let end = place.start.saturating_add(to_u32(own.len()));
            (own == key).then(|| (Span { end, ..place }, own.to_owned()))
        })
    }
}

/// A key that is a boolean, since it has no quotes.
fn unquoted(problem: Diagnostic, place: Span, key: &str) -> Diagnostic {
    let problem = problem.misspelt_as(WordKind::Text, key, None).saying("no such key: without quotes it is a boolean");
    problem.help_edit(format!("write the key as a text where it is set: `\"{key}\"`"), place, format!("\"{key}\""))
}

#[starlark_value(type = "yamlfragment")]
impl<'v> StarlarkValue<'v> for Fragment<'v> {
    type Canonical = Self;

    fn to_bool(&self) -> bool {
        matches!(self.val, Val::Node(id) if self.host.as_ref().arena.borrow().count(id) > 0)
    }
    fn length(&self) -> starlark::Result<i32> {
        let Val::Node(id) = self.val else { return Ok(0) };
        Ok(i32::try_from(self.host.as_ref().arena.borrow().count(id)).unwrap_or(i32::MAX))
    }
    fn at(&self, index: Value<'v>, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        match self.entry(index)? {
            Some(item) => {
                let mut arena = self.host.as_ref().arena.borrow_mut();
                arena.events.adopt(item);
                let value = arena.value(item);
                drop(arena);
                Ok(from_val(self.host, value, heap))
            }
            None => {
                let key = repr(index, Meter::new(heap, Some(self.host.as_ref())))?;
                let text = format!("key {} not in yamlfragment", readable(&key));
                let mut problem = Diagnostic::error(Code::STARLARK_ERROR, text).fact(Fact::NoKey);
                let known = self.keys();
                if let Some(key) = index.unpack_str().filter(|_| self.container() == Container::Map) {
                    let key = readable(key);
                    let meant = suggest::meant(&key, known.iter().map(String::as_str));
                    problem = match self.as_boolean(&key) {
                        Some((place, key)) => unquoted(problem, place, &key),
                        None => {
                            let told =
                                problem.misspelt_among(WordKind::Text, &*key, &meant.names).saying("no such key");
                            if meant.is_guess() { told.guessing() } else { told }
                        }
                    };
                }
                let keys = suggest::listed(known.iter().map(String::as_str));
                Err(error::wrap(match keys.filter(|_| self.container() == Container::Map) {
                    Some(keys) => problem.note(format!("its keys: {keys}")),
                    None => problem,
                }))
            }
        }
    }
    fn is_in(&self, other: Value<'v>) -> starlark::Result<bool> {
        if self.container() != Container::Map && (other.unpack_i32().is_none() || other.unpack_bool().is_some()) {
            return Ok(false);
        }
        Ok(self.entry(other)?.is_some())
    }
    fn iterate_collect(&self, heap: Heap<'v>) -> starlark::Result<Vec<Value<'v>>> {
        let keys = self.container() == Container::Map;
        if !keys {
            self.note_taken();
        }
        let entries = self.host.as_ref().entries(self.val);
        Ok(entries.into_iter().map(|(key, value)| from_val(self.host, if keys { key } else { value }, heap)).collect())
    }
    fn equals(&self, other: Value<'v>) -> starlark::Result<bool> {
        match Fragment::from_value(other) {
            Some(_) => Err(error::text_only("yamlfragment.CompareSameType: Not implemented")),
            None => Ok(false),
        }
    }
    fn set_at(&self, _index: Value<'v>, _new: Value<'v>) -> starlark::Result<()> {
        let problem = Diagnostic::error(Code::STARLARK_ERROR, "yamlfragment.SetKey: Not implemented");
        let help = "what a function with lines of YAML gives is not changed by code: set the key in these lines, \
            or change it by `overlay.apply`";
        Err(error::wrap(problem.help(help)))
    }
    fn slice(
        &self,
        _start: Option<Value<'v>>,
        _stop: Option<Value<'v>>,
        _step: Option<Value<'v>>,
        _heap: Heap<'v>,
    ) -> starlark::Result<Value<'v>> {
        Err(error::text_only("yamlfragment.Slice: Not implemented"))
    }
}
