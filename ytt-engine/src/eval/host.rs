//! State of a render and of one evaluation of a file, both values of the Starlark heap.
//!
//! The [`Host`] owns the arena and everything that is live: annotation arguments, open nodes, compiled files. Being a
//! value itself it may hold values, and every handle reaches it. A [`FileInstance`] is one evaluation of one file: what the
//! file's functions capture as `__i`.
#![allow(
    clippy::panic,
    reason = "the value derives of starlark expand to it, for heaps that are written to a disk, which none is"
)]
#![expect(unsafe_code, reason = "the value derives of starlark expand to unsafe impls")]

use std::any::{Any, TypeId};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex};

use allocative::Allocative;
use starlark::collections::SmallMap;
use starlark::values::{
    Heap, NoSerialize, ProvidesStaticType, StarlarkPagablePanic, StarlarkValue, Trace, Value, ValueIdentity,
    ValueTyped, starlark_value,
};

use super::budget::Budget;
use super::error::{self, Returned};
use super::open::Context;
use super::{Options, Scope, SourceUnit};
use crate::call::{Args, ValueHandle};
use crate::diag::{Code, Diagnostic, Diagnostics, Frame};
use crate::limits::Limits;
use crate::source::{SourceId, SourceMap, Span};
use crate::template::{Needed, Program};
use crate::yaml::{Arena, NodeId, Raw, Val, words};

/// Takes the lines that `print` writes.
#[derive(Clone)]
pub(crate) struct PrintSink(pub(crate) Arc<dyn Fn(&str) + Send + Sync>);

impl Default for PrintSink {
    fn default() -> PrintSink {
        PrintSink(Arc::new(|line| {
            use std::io::Write;
            // Whoever closed standard error does not want to know.
            let _ = writeln!(std::io::stderr(), "{line}");
        }))
    }
}

impl fmt::Debug for PrintSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PrintSink")
    }
}

/// A file compiled to the text of one function; made once per render and file.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) program: Program,
    /// The function, as soon as the file has run.
    pub(super) made: Mutex<Option<Made>>,
    pub(crate) source: SourceId,
    pub(crate) options: Options,
    /// Names that others loaded, as far as a lint asks.
    pub(super) loaded: Mutex<HashSet<String>>,
}

/// A function that was made of a program.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) function: ValueHandle,
    /// Which functions the program had; nothing if those were all.
    pub(super) needed: Option<Arc<Needed>>,
    /// Bytes of all programs that had less.
    pub(super) spent: usize,
}

/// What a module made of a text.
type Memo = Arc<dyn Any + Send + Sync>;

/// A member that an object was asked for and does not have.
#[derive(Clone, Debug)]
pub(crate) struct Missed {
    pub(super) name: String,
    /// The type of the object.
    pub(super) kind: &'static str,
    pub(super) reason: Missing,
}

/// Why an object has no member of a name.
#[derive(Clone, Debug)]
pub(crate) enum Missing {
    /// Its members could not be made.
    Because(Diagnostic),
    /// It is a map of the arena.
    InMap(Val),
    /// Its members are these.
    Among(Vec<String>),
}

/// Files of the project that a file loaded, for a program that runs in its place: values of `__ytt_load`, in the order
/// in which it will ask for them.
#[derive(Debug, Default, Trace)]
pub(crate) struct Early<'v> {
    loaded: Vec<Value<'v>>,
    /// How many of them it has.
    given: usize,
    /// Why the next one could not be loaded.
    #[trace(unsafe_ignore)]
    failed: Option<Diagnostics>,
}

impl<'v> Early<'v> {
    pub(super) fn loaded(&mut self, value: Value<'v>) {
        self.loaded.push(value);
    }

    /// The calls around it are forgotten: that of the program will be among them.
    pub(super) fn failed(&mut self, failure: &starlark::Error, around: &[Frame]) {
        let mut told = error::all_of(failure).to_vec();
        for problem in &mut told {
            let trace = &mut problem.parts_mut().trace;
            trace.truncate(trace.strip_suffix(around).map_or(trace.len(), <[Frame]>::len));
        }
        self.failed = (!told.is_empty()).then_some(Diagnostics(told));
    }

    /// What the next `load` gives, if it is known.
    pub(super) fn next(&mut self) -> Option<Returned<'v>> {
        let known = self.loaded.get(self.given).copied();
        self.given = self.given.saturating_add(1);
        known.map(Ok).or_else(|| self.failed.take().map(|problems| Err(error::wrap_all(problems))))
    }
}

/// A list of maps that a call gave as the value of an item, which is the first one of the list around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct FirstItem {
    pub(super) around: NodeId,
    pub(super) item: NodeId,
    pub(super) list: NodeId,
}

/// All state of a render.
#[derive(Debug, Trace, ProvidesStaticType, Allocative, NoSerialize, StarlarkPagablePanic)]
#[allocative(skip)]
pub(crate) struct Host<'v> {
    #[trace(unsafe_ignore)]
    pub(crate) arena: RefCell<Arena>,
    #[trace(unsafe_ignore)]
    pub(crate) sources: Arc<SourceMap>,
    #[trace(unsafe_ignore)]
    pub(crate) limits: Limits,
    /// Lists, dicts and sets that no code may change any more, since the file that made them has ended.
    #[trace(unsafe_ignore)]
    pub(super) locked: RefCell<HashSet<ValueIdentity<'v>>>,
    /// Texts that were keys of dicts not long ago, as the arena has them: the keys of many dicts are the same values.
    #[trace(unsafe_ignore)]
    pub(super) keys: RefCell<hashbrown::HashMap<ValueIdentity<'v>, Val>>,
    /// The value that was to be changed last, and the name of the method, `=` or `+=`.
    pub(super) changing: Cell<Option<(Value<'v>, Value<'v>)>>,
    /// The function that appends to a list, as soon as one was needed, and how often it was called.
    pub(super) append: Cell<Option<Value<'v>>>,
    pub(super) appended: Cell<u32>,
    /// What [`ValueHandle`] numbers.
    values: RefCell<Vec<Value<'v>>>,
    /// What `ArgId` numbers.
    #[trace(unsafe_ignore)]
    pub(super) args: RefCell<Vec<Arc<Args>>>,
    /// Names of arguments of annotations: they repeat.
    #[trace(unsafe_ignore)]
    pub(super) names: RefCell<HashSet<Arc<str>>>,
    /// Open templates and functions with nodes, of all files: they nest.
    #[trace(unsafe_ignore)]
    pub(super) contexts: RefCell<Vec<Context>>,
    #[trace(unsafe_ignore)]
    pub(super) compiled: RefCell<HashMap<(SourceId, Options), Arc<Compiled>>>,
    /// The same by source: the interpreter names places of generated text by its number.
    #[trace(unsafe_ignore)]
    pub(super) by_source: RefCell<HashMap<SourceId, Arc<Compiled>>>,
    /// Files whose evaluation has not ended, outermost first, with the place of the `load`.
    #[trace(unsafe_ignore)]
    pub(super) loading: RefCell<Vec<(SourceUnit, Option<Span>)>>,
    #[trace(unsafe_ignore)]
    pub(super) warnings: RefCell<Vec<Diagnostic>>,
    /// Of the built-in function that runs, which does not know where it was called.
    pub(super) of_call: RefCell<Vec<Diagnostic>>,
    /// Lists that a call gave as the first item of another one: what follows them tells whether that was meant.
    #[trace(unsafe_ignore)]
    pub(super) first_lists: RefCell<Vec<FirstItem>>,
    /// Code, message and place of each.
    #[trace(unsafe_ignore)]
    warned: RefCell<HashSet<(Code, String, Option<Span>)>>,
    /// What modules made of texts, such as compiled patterns.
    #[trace(unsafe_ignore)]
    memos: RefCell<HashMap<(TypeId, Vec<u8>), Memo>>,
    /// The member that was missed last.
    #[trace(unsafe_ignore)]
    pub(super) missed: RefCell<Option<Missed>>,
    /// The node that was started last: where a limit that has no place of its own was met.
    #[trace(unsafe_ignore)]
    pub(super) last_started: Cell<Option<Span>>,
    /// What of the limits is used up.
    #[trace(unsafe_ignore)]
    pub(super) budget: Arc<Budget>,
    pub(super) instances: Cell<u32>,
    /// May code use a name without loading it?
    #[trace(unsafe_ignore)]
    pub(super) is_builtin: fn(&str) -> bool,
    /// Is it noted who reads which data values?
    pub(crate) explains: bool,
    /// Is it noted which data values are read, by whomever?
    pub(crate) notes_reads: bool,
    /// Has the interpreter its call stack?
    pub(super) stack: Cell<usize>,
    /// Where `print` writes a line.
    #[trace(unsafe_ignore)]
    pub(crate) print: PrintSink,
    /// Where the code stands that is run as it was read, and how many calls are around it.
    #[trace(unsafe_ignore)]
    pub(super) standing: Cell<Option<(usize, Span)>>,
    /// How many lines were printed, and how many of the next ones were printed by what is run once more.
    pub(super) printed: Cell<usize>,
    pub(super) repeated: Cell<usize>,
    /// How often a file loaded what evaluates libraries.
    pub(super) libraries: Cell<u32>,
    /// Above 0 while `assert.try_to` runs: stages then stop at their first error.
    pub(crate) trying: Cell<u32>,
    /// The data values of the library whose overlays are being applied: reports ask for them.
    #[trace(unsafe_ignore)]
    pub(crate) overlaid_with: Cell<Option<Val>>,
    /// Lints ask for names that nobody uses.
    pub(super) finds_unused: bool,
    /// Bytes of sources that advice may still look through: each problem alone asks for little.
    advice_bytes: Cell<usize>,
}

/// Bytes of sources that advice for the problems of one render looks through.
const ADVICE_BYTES: usize = 4 << 20;

impl<'v> Host<'v> {
    pub(super) fn new(
        sources: Arc<SourceMap>,
        limits: Limits,
        print: PrintSink,
        arena: Arena,
        is_builtin: fn(&str) -> bool,
        finds_unused: bool,
    ) -> Host<'v> {
        let budget = Arc::new(Budget::new(&limits));
        let explains = arena.events.explains();
        let notes_reads = explains || arena.declared.kept();
        Host {
            arena: RefCell::new(arena),
            sources,
            limits,
            locked: RefCell::default(),
            keys: RefCell::default(),
            changing: Cell::new(None),
            append: Cell::new(None),
            appended: Cell::new(0),
            values: RefCell::new(vec![Value::new_bool(true)]),
            args: RefCell::new(Args::reserved(ValueHandle(0))),
            names: RefCell::default(),
            contexts: RefCell::default(),
            first_lists: RefCell::default(),
            compiled: RefCell::default(),
            by_source: RefCell::default(),
            loading: RefCell::default(),
            warnings: RefCell::default(),
            of_call: RefCell::default(),
            warned: RefCell::default(),
            memos: RefCell::default(),
            missed: RefCell::default(),
            last_started: Cell::new(None),
            budget,
            instances: Cell::new(0),
            is_builtin,
            explains,
            notes_reads,
            stack: Cell::new(0),
            print,
            standing: Cell::new(None),
            printed: Cell::new(0),
            repeated: Cell::new(0),
            libraries: Cell::new(0),
            trying: Cell::new(0),
            overlaid_with: Cell::new(None),
            finds_unused,
            advice_bytes: Cell::new(ADVICE_BYTES),
        }
    }

    /// May advice look through so many bytes of sources more?
    pub(crate) fn may_advise(&self, bytes: usize) -> bool {
        let left = self.advice_bytes.get().checked_sub(bytes);
        left.into_iter().for_each(|left| self.advice_bytes.set(left));
        left.is_some()
    }

    /// Numbers a value, so that layers without Starlark can speak of it.
    #[allow(
        clippy::arithmetic_side_effects,
        clippy::cast_possible_truncation,
        reason = "one was just added, and for 2³² of them there is no memory: each belongs to a value of the heap"
    )]
    pub(crate) fn keep(&self, value: Value<'v>) -> ValueHandle {
        let mut values = self.values.borrow_mut();
        values.push(value);
        ValueHandle(values.len() as u32 - 1)
    }

    /// The value of a number.
    #[allow(clippy::indexing_slicing, reason = "`keep` alone gives handles, and nothing is taken away")]
    pub(crate) fn value(&self, live: ValueHandle) -> Value<'v> {
        self.values.borrow()[live.0 as usize]
    }

    /// Whether a warning of a code stands in a source.
    pub(crate) fn has_warned(&self, code: Code, source: SourceId) -> bool {
        let is_there = |one: &Diagnostic| {
            one.code() == code && one.parts().labels.first().is_some_and(|label| label.span.source == source)
        };
        self.warnings.borrow().iter().any(is_there)
    }

    /// Adds a warning, unless the same is there for the same place: what runs many times warns once.
    pub(crate) fn warn(&self, warning: Diagnostic) {
        let parts = warning.parts();
        let span = parts.labels.first().map(|label| label.span);
        if self.warned.borrow_mut().insert((parts.code, parts.message.clone(), span)) {
            self.warnings.borrow_mut().push(warning);
        }
    }

    /// Writes a line, unless it is one of those that were written before.
    pub(super) fn print_line(&self, line: &str) {
        self.printed.set(self.printed.get().saturating_add(1));
        match self.repeated.get().checked_sub(1) {
            Some(left) => self.repeated.set(left),
            None => (self.print.0)(line),
        }
    }

    /// All lines behind the first so many ones will be printed once more, which nobody is to see. Gives how many there are
    /// of that kind already.
    pub(super) fn print_again(&self, first: usize) -> usize {
        let (more, before) = (self.printed.replace(first).saturating_sub(first), self.repeated.get());
        self.repeated.set(before.saturating_add(more));
        before
    }

    /// Takes a warning of the call of a built-in function that runs: it is told at the place of the call.
    pub(crate) fn warn_of_call(&self, warning: Diagnostic) {
        self.of_call.borrow_mut().push(warning);
    }

    /// Is this the first time that code at a place is to be warned of? Asked before the words are looked for.
    pub(crate) fn is_first_at(&self, code: Code, place: Span) -> bool {
        self.warned.borrow_mut().insert((code, String::new(), Some(place)))
    }

    /// By what a value was to be changed last: a method, `=` or `+=`; its type, and whether it is locked since its file has
    /// ended.
    pub(super) fn changed(&self) -> Option<(&'v str, &'static str, bool)> {
        let (value, by) = self.changing.get()?;
        Some((by.unpack_str()?, value.get_type(), self.is_locked(value)))
    }

    /// May no code change the value any more, since the file that made it has ended?
    pub(super) fn is_locked(&self, value: Value<'v>) -> bool {
        self.locked.borrow().contains(&value.identity())
    }

    /// The member that was missed last, if it has that name.
    pub(super) fn take_missed(&self, name: &str) -> Option<Missed> {
        self.missed.take().filter(|missed| missed.name == name)
    }

    /// What `make` makes of a text, made once per render; errors are not kept.
    pub(crate) fn memo<T: Any + Send + Sync, E>(
        &self,
        text: &[u8],
        make: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let key = (TypeId::of::<T>(), text.to_vec());
        let known = self.memos.borrow().get(&key).cloned();
        if let Some(known) = known.and_then(|known| known.downcast::<T>().ok()) {
            return Ok(known);
        }
        let made = Arc::new(make()?);
        self.memos.borrow_mut().insert(key, made.clone());
        Ok(made)
    }

    /// Keys and values of a map or dict, values of an array or list; nothing of other values.
    pub(crate) fn entries(&self, value: Val) -> Vec<(Val, Val)> {
        let arena = self.arena.borrow();
        match value {
            Val::Node(id) => arena.entries(id).collect(),
            Val::Raw(number) => match arena.raw(number) {
                Raw::List(values) => values.iter().map(|value| (Val::Null, *value)).collect(),
                Raw::Dict(entries) => entries.clone(),
            },
            _ => Vec::new(),
        }
    }

    /// Notes that code takes all that is below a value out of the nodes, such as for a text.
    pub(crate) fn note_taken_below(&self, value: Val) {
        if !self.explains {
            return;
        }
        let mut arena = self.arena.borrow_mut();
        let (mut open, mut known) = (vec![value], HashSet::new());
        while let Some(value) = open.pop() {
            match value {
                Val::Node(id) if known.insert(id) => {
                    let items = arena.items(id).to_vec();
                    for item in items {
                        arena.events.adopt(item);
                        open.push(arena.value(item));
                    }
                }
                Val::Raw(number) => match arena.raw(number) {
                    Raw::List(values) => open.extend(values),
                    Raw::Dict(entries) => open.extend(entries.iter().map(|(_, value)| *value)),
                },
                _ => {}
            }
        }
    }

    /// How many [`Host::entries`] there are.
    pub(crate) fn count(&self, value: Val) -> usize {
        let arena = self.arena.borrow();
        match value {
            Val::Node(id) => arena.count(id),
            Val::Raw(number) => match arena.raw(number) {
                Raw::List(values) => values.len(),
                Raw::Dict(entries) => entries.len(),
            },
            _ => 0,
        }
    }

    /// The bytes of a text value.
    pub(crate) fn text(&self, value: Val) -> Option<Vec<u8>> {
        self.arena.borrow().text_bytes(value).map(<[u8]>::to_vec)
    }

    /// A key as messages show it.
    pub(crate) fn show_key(&self, key: Val) -> String {
        words::key_text(&self.arena.borrow(), key)
    }
}

impl fmt::Display for Host<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("host")
    }
}

#[starlark_value(type = "host")]
impl<'v> StarlarkValue<'v> for Host<'v> {
    type Canonical = Self;
}

/// One evaluation of one file.
#[derive(Debug, Trace, ProvidesStaticType, Allocative, NoSerialize, StarlarkPagablePanic)]
#[allocative(skip)]
pub(crate) struct FileInstance<'v> {
    pub(crate) host: ValueTyped<'v, Host<'v>>,
    /// Number of this evaluation: `template.replace` asks for the open node of its own one.
    pub(crate) number: u32,
    #[trace(unsafe_ignore)]
    pub(crate) compiled: Arc<Compiled>,
    /// How this file finds others; knows the file's folder and library.
    #[trace(unsafe_ignore)]
    pub(crate) scope: Arc<dyn Scope>,
    /// Data values: a map of the arena, or anything that data values may be.
    #[trace(unsafe_ignore)]
    pub(crate) data: Val,
    /// Modules that this evaluation loaded: each is made once.
    pub(super) modules: RefCell<SmallMap<String, Value<'v>>>,
    /// What it is not to load itself.
    pub(super) early: RefCell<Early<'v>>,
    /// Does it belong to the evaluation of a library, whose names may be asked for later?
    pub(super) whole: bool,
}

impl fmt::Display for FileInstance<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("file")
    }
}

#[starlark_value(type = "file")]
impl<'v> StarlarkValue<'v> for FileInstance<'v> {
    type Canonical = Self;

    /// `__i[n]` in a program does the tasks of run `n`. `__i[-n]` begins a body with so many steps beside the one that the
    /// interpreter counts, and is one. An index is read, compiled and run faster than a call.
    fn at(&self, index: Value<'v>, _heap: Heap<'v>) -> starlark::Result<Value<'v>> {
        let index = index.unpack_i32().unwrap_or_default();
        match usize::try_from(index) {
            Ok(number) => self.run(number)?,
            Err(_) => {
                let steps = usize::try_from(index.unsigned_abs()).unwrap_or(usize::MAX);
                self.host.as_ref().budget.steps(steps.saturating_add(1))?;
            }
        }
        Ok(Value::new_none())
    }
}
