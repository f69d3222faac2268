//! How overlays, validations and schemas see Starlark values, without any type of the interpreter.
//!
//! Annotation arguments, functions and their results stay values of the render's heap. Layers below `eval` know them by
//! number ([`ValueHandle`]) and ask a [`Call`] for what they need: one level of structure, a conversion, a call. `eval::Session`
//! implements it; tests have one of their own.

#[cfg(test)]
pub(crate) mod testing;

use std::cell::RefCell;
use std::sync::Arc;

use crate::diag::Diagnostic;
use crate::source::{SourceMap, Span};
use crate::yaml::{Arena, ArgId, NodeId, Val};

/// Number of a value of the interpreter: an argument, a function, a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ValueHandle(pub(crate) u32);

/// Arguments of an annotation, in the order written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Args {
    pub(crate) positional: Vec<ValueHandle>,
    pub(crate) named: Vec<(Arc<str>, ValueHandle)>,
}

impl Args {
    /// The arguments that have numbers of their own: [`ArgId::MISSING_OK`], [`ArgId::OR_ADD`] and [`ArgId::NONE`].
    pub(crate) fn reserved(yes: ValueHandle) -> Vec<Arc<Args>> {
        let named = ["missing_ok", "or_add"].map(|name| vec![(name.into(), yes)]).into_iter().chain([Vec::new()]);
        named.map(|named| Arc::new(Args { named, ..Args::default() })).collect()
    }
}

/// One level of a value of the interpreter; nothing is copied but scalars.
#[derive(Clone, Debug)]
pub(crate) enum Seen {
    Null,
    Bool(bool),
    /// Integers outside of this range are `Other`.
    Int(i64),
    Float(f64),
    Str(Arc<str>),
    List(Vec<ValueHandle>),
    Tuple(Vec<ValueHandle>),
    /// A dict or struct.
    Map,
    /// A `yamlfragment` that is a node.
    Node,
    Function,
    Matcher(Matcher),
    Other,
}

/// A matcher that the module `overlay` made: data only, which the overlay engine evaluates (and can index) by itself.
#[derive(Clone, Debug)]
pub(crate) enum Matcher {
    Index(i64),
    All,
    Key(ValueHandle),
    Subset(ValueHandle),
    And(Vec<ValueHandle>),
    Or(Vec<ValueHandle>),
    Not(ValueHandle),
}

#[derive(Clone, Debug)]
pub(crate) enum Arg<'a> {
    Val(Val),
    /// A struct with these fields: the `ctx` of `when=`.
    Struct(&'a [(&'a str, Val)]),
}

/// Values of the interpreter as layers without Starlark see them.
pub(crate) trait Call {
    /// The render's nodes. [`Call::call`] takes `&mut self`, so no borrow can last over it.
    fn arena(&self) -> &RefCell<Arena>;
    fn sources(&self) -> &SourceMap;
    /// Arguments of an annotation of a node.
    fn args(&self, ann: ArgId) -> Arc<Args>;
    /// One level of a value.
    fn see(&self, value: ValueHandle) -> Seen;
    /// Name of the type as Starlark code sees it: `int`, `NoneType`.
    fn kind(&self, value: ValueHandle) -> &'static str;
    /// The value as nodes hold it: fragments stay their nodes, all else is copied.
    fn to_val(&self, value: ValueHandle) -> Result<Val, Diagnostic>;
    /// What going through a value gives: elements, or keys; `None` if it cannot be gone through.
    fn items(&self, value: ValueHandle) -> Result<Option<Vec<ValueHandle>>, Diagnostic>;
    /// The value as Starlark's `repr` writes it.
    fn repr(&self, value: ValueHandle) -> String;
    /// An attribute, such as `check` of an assertion object.
    fn attr(&self, value: ValueHandle, name: &str) -> Option<ValueHandle>;
    /// How many parameters a function has; `None` for built-in ones.
    fn params(&self, function: ValueHandle) -> Option<usize>;
    /// Calls a function; fragments are handed over by handle, not copied.
    fn call(&mut self, function: ValueHandle, args: &[Arg<'_>]) -> Result<ValueHandle, Diagnostic>;
    /// Calls a function for a report alone, with few steps.
    fn ask(&mut self, function: ValueHandle, args: &[Arg<'_>]) -> Result<ValueHandle, Diagnostic> {
        self.call(function, args)
    }
    /// Where the running code stands, if any is running: the place of a problem of nodes that code made.
    fn place(&self) -> Option<Span> {
        None
    }
    /// The items of the data values whose values code has that has run, as far as that can be told once more: none, or
    /// several where it is not sure.
    fn data_items(&self, _code: Span) -> Vec<NodeId> {
        Vec::new()
    }
    /// Takes a warning of a stage that goes on.
    fn warn(&mut self, warning: Diagnostic);
    /// Whether a program tries this (`assert.try_to`): it sees the text of an error and may go on, so it must be exactly
    /// the reference's.
    fn is_tried(&self) -> bool;
}
