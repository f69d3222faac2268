//! The two kinds of Starlark values that modules are made of: [`Object`] (modules, structs, assertions, urls) and
//! [`Func`] (their functions, matchers too).
//!
//! Both are all that `stdlib` and `library` build. An object has ordered members; a struct made from a node of the arena
//! (`data.values`) makes its members only when code looks at them. A function is bound to the evaluation of the file that
//! loaded its module, so it knows that file's folder, data values and open nodes.
#![allow(
    clippy::panic,
    reason = "the value derives of starlark expand to it, for heaps that are written to a disk, which none is"
)]
#![expect(unsafe_code, reason = "the value derives of starlark expand to unsafe impls")]

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt;

use allocative::Allocative;
use smallvec::SmallVec;
use starlark::collections::{Hashed, SmallMap};
use starlark::eval::{Arguments, Evaluator};
use starlark::values::{
    Heap, NoSerialize, ProvidesStaticType, StarlarkPagablePanic, StarlarkValue, StringValue, Trace, Value, ValueLike,
    ValueTyped, starlark_value,
};

use super::convert;
use super::error::{self, EvalResult, Returned};
use super::host::{FileInstance, Host, Missed, Missing};
use super::keywords::Members;
use super::kind::type_name;
use super::text::{from_star, readable, to_star};
use super::{Meter, keywords, trace};
use crate::call::Matcher;
use crate::diag::{Code, Diagnostic, Fact};
use crate::yaml::{NodeId, Val};

/// Names that an error lists: more than people read.
const KEYS: usize = 50;

/// What a value means to the engine beside what code can do with it.
#[derive(Clone, Debug)]
pub(crate) enum ObjectRole {
    Ordinary,
    /// A function that the overlay engine can evaluate by itself.
    Matcher(Matcher),
    /// A value that cannot become YAML, with the hint that the error gives.
    NoEncode(&'static str),
    /// What `template.replace` returns: setting it sets nothing.
    Noop,
    /// A function whose errors are without its name.
    Unnamed,
    /// As `Unnamed`, and code sees it as a `lambda`.
    Lambda,
}

/// Members of a struct among which one that is not there is looked for.
const NAMED: usize = 50;

/// A struct, module, or value of a module: ordered members under names.
#[derive(Debug, Trace, ProvidesStaticType, Allocative, NoSerialize, StarlarkPagablePanic)]
#[allocative(skip)]
pub(crate) struct Object<'v> {
    /// What it is; nothing for a struct, of which there may be very many.
    #[trace(unsafe_ignore)]
    nature: Option<Box<Nature>>,
    /// Those of a map of the arena are made when code first looks at them.
    members: OnceCell<Members<'v>>,
    /// Who is told of a member that is asked for and is not there.
    host: Option<ValueTyped<'v, Host<'v>>>,
    /// The map of the arena that its members are made of.
    #[trace(unsafe_ignore)]
    map: Option<Val>,
}

/// What an object is.
#[derive(Debug)]
struct Nature {
    kind: &'static str,
    /// What `str` gives.
    text: Cow<'static, str>,
    role: ObjectRole,
}

/// What `str` gives of a struct.
const STRUCT: &str = "struct(...)";

impl<'v> Object<'v> {
    /// A `struct`.
    pub(crate) fn structure(host: ValueTyped<'v, Host<'v>>, members: Members<'v>) -> Object<'v> {
        Object { nature: None, members: members.into(), host: Some(host), map: None }
    }

    /// The struct of a map node: members are made when they are first asked for, and then stay the same values.
    pub(crate) fn later(host: ValueTyped<'v, Host<'v>>, map: Val) -> Object<'v> {
        Object { nature: None, members: OnceCell::new(), host: Some(host), map: Some(map) }
    }

    /// A module, printed as `<module "NAME">`.
    pub(crate) fn module(name: &str, members: Members<'v>) -> Object<'v> {
        Object::new("module", format!("<module \"{name}\">"), members, ObjectRole::Ordinary)
    }

    /// Any object: `kind` is its type name.
    pub(crate) fn new(
        kind: &'static str,
        text: impl Into<Cow<'static, str>>,
        members: Members<'v>,
        role: ObjectRole,
    ) -> Object<'v> {
        let nature = Nature { kind, text: text.into(), role };
        Object { nature: Some(Box::new(nature)), members: members.into(), host: None, map: None }
    }

    /// With the render that is told of members which are asked for and are not there.
    pub(crate) fn of(self, inst: ValueTyped<'v, FileInstance<'v>>) -> Object<'v> {
        Object { host: Some(inst.as_ref().host), map: None, ..self }
    }

    pub(crate) fn alloc(self, heap: Heap<'v>) -> Value<'v> {
        heap.alloc_complex_no_freeze(self)
    }

    pub(crate) fn from_value(value: Value<'v>) -> Option<&'v Object<'v>> {
        value.downcast_ref::<Object<'v>>()
    }

    /// Its type name.
    pub(super) fn kind(&self) -> &'static str {
        self.nature.as_ref().map_or("struct", |nature| nature.kind)
    }

    /// The hint of the error that it cannot become YAML, if that is so.
    pub(super) fn no_encode(&self) -> Option<&'static str> {
        match self.nature.as_ref()?.role {
            ObjectRole::NoEncode(hint) => Some(hint),
            _ => None,
        }
    }

    pub(crate) fn is_module(&self) -> bool {
        self.kind() == "module"
    }

    /// Its members in order, all of which count as read.
    pub(crate) fn members(&self, heap: Heap<'v>) -> EvalResult<&Members<'v>> {
        self.read_all();
        self.made(heap)
    }

    #[allow(clippy::unreachable, reason = "whoever has no members from the start has the map that they are made of")]
    fn made(&self, heap: Heap<'v>) -> EvalResult<&Members<'v>> {
        if let Some(members) = self.members.get() {
            return Ok(members);
        }
        let (Some(host), Some(map)) = (self.host, self.map) else { unreachable!("only a map makes them later") };
        let entries = host.as_ref().entries(map);
        let mut members = SmallMap::with_capacity(entries.len());
        for (index, (key, value)) in entries.into_iter().enumerate() {
            let Some(name) = host.as_ref().text(key) else {
                let shown = host.as_ref().show_key(key);
                let text = format!("expected struct key {shown} to be string");
                let arena = host.as_ref().arena.borrow();
                let item = if let Val::Node(id) = map { arena.items(id).get(index).copied() } else { None };
                let span = item.and_then(|item| arena.span_of(item));
                return Err(error::wrap(
                    Diagnostic::error(Code::TEMPLATE_KEY, text).at(span).help("put quotes around it"),
                ));
            };
            members.insert(heap.alloc_str(&to_star(&name)), convert::as_struct(host, value, heap));
        }
        Ok(self.members.get_or_init(|| members))
    }

    /// The member of that name (Starlark text).
    pub(crate) fn member(&self, name: Hashed<&str>, heap: Heap<'v>) -> EvalResult<Option<Value<'v>>> {
        let members = self.made(heap)?;
        if let Some((index, _, value)) = members.get_full_hashed(name) {
            self.read(index);
            return Ok(Some(*value));
        }
        self.read_names();
        Ok(None)
    }

    /// The map of the arena that it shows, if it is noted who reads what.
    fn read_from(&self) -> Option<(&'v Host<'v>, NodeId)> {
        match (self.host, self.map) {
            (Some(host), Some(Val::Node(map))) if host.as_ref().notes_reads => Some((host.as_ref(), map)),
            _ => None,
        }
    }

    /// Code asked for the member at `index`.
    fn read(&self, index: usize) {
        if let Some((host, map)) = self.read_from() {
            let mut arena = host.arena.borrow_mut();
            if let Some(item) = arena.item_at(map, index) {
                arena.events.readers.read(item, false);
                arena.declared.read(item);
            }
        }
    }

    /// Code looked at all members.
    fn read_all(&self) {
        self.read_names();
        if let Some((host, map)) = self.read_from() {
            host.arena.borrow_mut().declared.read_whole(map);
        }
    }

    /// Code asked for a member that is not there: it depends on which there are, but needs none of them.
    fn read_names(&self) {
        if let Some((host, map)) = self.read_from() {
            host.arena.borrow_mut().events.readers.read(map, true);
        }
    }

    /// How many members there are; needs no heap.
    fn count(&self) -> usize {
        self.read_all();
        match (self.members.get(), self.host.zip(self.map)) {
            (Some(members), _) => members.len(),
            (None, Some((host, map))) => host.as_ref().count(map),
            (None, _) => 0,
        }
    }

    fn names(&self) -> Vec<String> {
        self.read_all();
        match (self.members.get(), self.host.zip(self.map)) {
            (Some(members), _) => members.keys().map(|name| name.as_str().to_owned()).collect(),
            (None, Some((host, map))) => {
                let keys = host.as_ref().entries(map).into_iter();
                keys.filter_map(|(key, _)| Some(to_star(&host.as_ref().text(key)?).into_owned())).collect()
            }
            (None, _) => Vec::new(),
        }
    }
}

impl fmt::Display for Object<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.nature.as_ref().map_or(STRUCT, |nature| &nature.text))
    }
}

#[starlark_value(type = "struct")]
impl<'v> StarlarkValue<'v> for Object<'v> {
    type Canonical = Self;

    fn to_bool(&self) -> bool {
        self.is_module() || self.count() > 0
    }
    fn get_attr(&self, name: &str, heap: Heap<'v>) -> Option<Value<'v>> {
        self.get_attr_hashed(Hashed::new(name), heap)
    }
    fn get_attr_hashed(&self, name: Hashed<&str>, heap: Heap<'v>) -> Option<Value<'v>> {
        // Mostly there is one.
        if let Some((index, _, value)) = self.members.get().and_then(|members| members.get_full_hashed(name)) {
            self.read(index);
            return Some(*value);
        }
        // Only "there is none" can be said here; whoever reports that asks the host for the reason.
        let member = self.member(name, heap);
        if let (None | Some(None), Some(host)) = (member.as_ref().ok(), self.host) {
            let reason = match (&member, self.map) {
                (Err(failure), _) => error::diagnostic_of(failure).cloned().map(Missing::Because),
                (Ok(_), Some(map)) => Some(Missing::InMap(map)),
                // A program may ask a large one often, with a default.
                (Ok(_), None) if !self.is_module() && self.count() > NAMED => None,
                (Ok(_), None) => Some(Missing::Among(self.names())),
            };
            if let Some(reason) = reason {
                let name = (*name.key()).to_owned();
                *host.as_ref().missed.borrow_mut() = Some(Missed { name, kind: self.kind(), reason });
            }
        }
        member.unwrap_or_default()
    }
    fn has_attr(&self, name: &str, heap: Heap<'v>) -> bool {
        self.member(Hashed::new(name), heap).is_ok_and(|member| member.is_some())
    }
    fn dir_attr(&self) -> Vec<String> {
        let mut names = self.names();
        names.sort();
        names
    }
    fn length(&self) -> starlark::Result<i32> {
        if self.is_module() {
            return Err(error::text_only("value of type module has no len"));
        }
        Ok(i32::try_from(self.count()).unwrap_or(i32::MAX))
    }
    fn at(&self, index: Value<'v>, heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        if self.is_module() {
            return Err(error::text_only(format!("unhandled index operation module[{}]", type_name(index))));
        }
        let Some(name) = StringValue::new(index) else {
            return Err(error::text_only(format!("expected a string, but was {}", type_name(index))));
        };
        self.member(name.get_hashed_str(), heap)?.ok_or_else(|| {
            let name = name.as_str();
            let names = Some(self.names()).filter(|names| names.len() <= KEYS).unwrap_or_default();
            let keys = names.iter().map(|key| readable(key).into_owned()).collect();
            let fact = Fact::NotInStruct { key: Some(readable(name).into_owned()), keys };
            let text = format!("key \"{}\" not in {}", readable(name), self.kind());
            error::wrap(Diagnostic::error(Code::STARLARK_ERROR, text).fact(fact))
        })
    }
    fn is_in(&self, other: Value<'v>) -> starlark::Result<bool> {
        if self.is_module() {
            return Err(error::text_only(format!("unknown binary op: {} in module", type_name(other))));
        }
        Ok(other.unpack_str().is_some_and(|name| self.names().iter().any(|known| known == name)))
    }
    fn iterate_collect(&self, heap: Heap<'v>) -> starlark::Result<Vec<Value<'v>>> {
        if self.is_module() {
            return Err(error::text_only("module value is not iterable"));
        }
        Ok(self.members(heap)?.keys().map(|name| name.to_value()).collect())
    }
}

/// Arguments of a call of a [`Func`], in the order given. Names are Starlark text.
#[derive(Debug)]
pub(crate) struct CallArgs<'v> {
    pub(crate) positional: SmallVec<[Value<'v>; 4]>,
    pub(crate) named: Members<'v>,
}

impl<'v> CallArgs<'v> {
    /// The value of a keyword argument; the others are ignored, as most functions of the reference do.
    pub(crate) fn named(&self, name: &str) -> Option<Value<'v>> {
        self.named.get(name).copied()
    }
}

/// What a [`Func`] does. Errors are given without the function's own name, which the call puts in front.
pub(crate) type Run =
    for<'v> fn(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v>;

/// The functions of a module by name.
pub(crate) type Functions = &'static [(&'static str, Run)];

/// A function of a module, bound to the evaluation that loaded the module.
#[derive(Trace, ProvidesStaticType, Allocative, NoSerialize, StarlarkPagablePanic)]
#[allocative(skip)]
pub(crate) struct Func<'v> {
    /// The evaluation of the file that loaded the module.
    pub(crate) inst: ValueTyped<'v, FileInstance<'v>>,
    #[trace(unsafe_ignore)]
    pub(crate) name: Cow<'static, str>,
    #[trace(unsafe_ignore)]
    run: Run,
    #[trace(unsafe_ignore)]
    pub(crate) role: ObjectRole,
    /// Values that the function was made with, such as the bound of an assertion.
    pub(crate) kept: Vec<Value<'v>>,
}

impl<'v> Func<'v> {
    /// `name` is the whole name, such as `json.encode`: it shows in texts and in front of errors.
    pub(crate) fn new(
        inst: ValueTyped<'v, FileInstance<'v>>,
        name: impl Into<Cow<'static, str>>,
        run: Run,
    ) -> Func<'v> {
        Func { inst, name: name.into(), run, role: ObjectRole::Ordinary, kept: Vec::new() }
    }

    pub(crate) fn role(mut self, role: ObjectRole) -> Func<'v> {
        self.role = role;
        self
    }

    pub(crate) fn keeping(mut self, kept: Vec<Value<'v>>) -> Func<'v> {
        self.kept = kept;
        self
    }

    pub(crate) fn alloc(self, heap: Heap<'v>) -> Value<'v> {
        heap.alloc_complex_no_freeze(self)
    }

    pub(crate) fn from_value(value: Value<'v>) -> Option<&'v Func<'v>> {
        value.downcast_ref::<Func<'v>>()
    }
}

impl fmt::Debug for Func<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Func").field("name", &self.name).field("kept", &self.kept).finish_non_exhaustive()
    }
}

impl fmt::Display for Func<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.role {
            ObjectRole::Noop => f.write_str("noop"),
            ObjectRole::Lambda => f.write_str("<function lambda>"),
            _ => write!(f, "<built-in function {}>", self.name),
        }
    }
}

#[starlark_value(type = "function")]
impl<'v> StarlarkValue<'v> for Func<'v> {
    type Canonical = Self;

    fn to_bool(&self) -> bool {
        !matches!(self.role, ObjectRole::Noop)
    }
    fn name_for_call_stack(&self, _me: Value<'v>) -> String {
        format!("__ytt_native {}", self.name)
    }
    fn invoke(
        &self,
        _me: Value<'v>,
        args: &Arguments<'v, '_>,
        eval: &mut Evaluator<'v, '_, '_>,
    ) -> starlark::Result<Value<'v>> {
        if matches!(self.role, ObjectRole::Noop) {
            return Err(error::text_only("invalid call of non-function (noop)"));
        }
        let positional: SmallVec<_> = args.positions(eval.heap())?.collect();
        let named = keywords::named(args, positional.len(), eval.heap())?;
        let meter = Meter::new(eval.heap(), Some(self.inst.as_ref().host.as_ref()));
        let given = CallArgs { positional, named };
        meter.walk(given.positional.iter().filter_map(|value| value.unpack_str()).map(str::len).sum())?;
        let host = self.inst.as_ref().host.as_ref();
        // What an outer call has to say stands at that one, also if it calls functions that are built in too.
        let outer = host.of_call.take();
        let done = (self.run)(self, given, eval);
        trace::tell_of_call(host, eval);
        host.of_call.replace(outer);
        let done = done.and_then(|result| {
            meter.room(0)?;
            meter.walk(result.unpack_str().map_or(0, str::len)).map(|()| result)
        });
        done.map_err(|raised| match self.role {
            // The overlay engine writes the names of matchers.
            ObjectRole::Lambda | ObjectRole::Unnamed | ObjectRole::Matcher(_) => raised,
            _ => trace::named(&raised, &self.name, self.inst.as_ref().host.as_ref()),
        })
    }
}

/// The bytes that a Starlark string means, or the reference's complaint.
pub(crate) fn expect_text<'v>(value: Value<'v>) -> EvalResult<Cow<'v, [u8]>> {
    match value.unpack_str() {
        Some(text) => Ok(from_star(text)),
        None => {
            let found = type_name(value);
            let fact = Fact::Argument { wanted: "string", found: found.to_owned(), number: None };
            let text = format!("expected a string, but was {found}");
            Err(error::wrap(Diagnostic::error(Code::STARLARK_ERROR, text).fact(fact)))
        }
    }
}
