//! The limits `steps`, `memory` and `seconds` of a render, told with the place where they were reached.
//!
//! A call and a turn of a loop are steps, which the interpreter counts. It asks every thousand of them, and once more
//! whenever a call from Rust ends: an error of that second question would hide where the first one stood, so the answer
//! is yes once, and no until the outermost call has ended.
//!
//! A single step may do much, so functions of ours ask a [`Meter`] themselves: for room before they make something, and
//! for steps when they walk through something long. Generated code leads the interpreter's own ways to make something
//! there too: `template/emit/cost.rs` has the list. Copies alone need no steps, since nothing is collected during a
//! render, so `memory` bounds them.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use starlark::environment::Globals;
use starlark::eval::Evaluator;
use starlark::syntax::AstModule;
use starlark::values::{Heap, Value, ValueLike};

use super::error::{self, EvalResult, Returned};
use super::host::Host;
use crate::diag::{Code, Diagnostic};
use crate::limits::Limits;
use crate::source::SourceMap;
use crate::yaml::{Raw, Val};

/// Steps between two questions of the interpreter.
const PERIOD: u64 = 1_000;

/// So many bytes that are looked at one by one take as long as a step, in code that is not optimised.
const STEP: u64 = 64;

/// The steps are counted whenever so many bytes more were walked through.
const SELDOM: u64 = 16 * STEP;

/// What an item of a list or dict costs beside a byte of a text.
const ITEM: usize = 8;

/// What of the limits is used up.
///
/// One thread counts. The fields are atomic since the host shares them with the closure that the interpreter asks: values of
/// the heap must be `Send`, so the `Arc` must hold what is `Sync`.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    steps: Option<u64>,
    memory: Option<u64>,
    seconds: Option<u64>,
    /// When they are over, if there is such a limit.
    end: OnceLock<Option<Instant>>,
    /// Questions of the interpreter while it runs.
    asked: AtomicU64,
    /// Calls that the interpreter counts, but that stand for less than a step of a program.
    free: AtomicU64,
    /// Calls that a file without a program would have made.
    saved: AtomicU64,
    /// Bytes that functions walked through.
    walked: AtomicU64,
    /// Bytes made outside of the heap: tables of dicts and sets, long integers, text of text templates.
    outside: AtomicU64,
    /// Bytes of the heap when it was asked last.
    heap: AtomicU64,
    /// Bytes of nodes when they were counted last.
    nodes: AtomicU64,
    /// Calls from Rust that have not ended.
    calls: AtomicU32,
    /// The limit that was reached, until the outermost call has ended: its place in [`NAMES`], from 1.
    reached: AtomicU32,
    /// Questions after that.
    late: AtomicU64,
    /// Steps beyond which a call that only a report makes is stopped; 0 outside of such calls.
    aside: AtomicU64,
    /// A file's function is being defined, which is no step.
    defining: AtomicBool,
}

/// What a list or dict costs beside a byte of a text, whatever is in it.
pub(super) const CONTAINER: usize = 32;

/// Half of what the interpreter's own values may have at most: beyond that it panics, and there need be no limit.
const LARGEST: usize = 1 << 31;

/// Adds to a counter and gives what it was before. One thread counts, so no other one has to be kept out meanwhile: that
/// takes longer than most of what is counted.
fn add(counter: &AtomicU64, more: u64) -> u64 {
    let before = counter.load(Relaxed);
    counter.store(before.saturating_add(more), Relaxed);
    before
}

const NAMES: [&str; 3] = ["steps", "memory", "seconds"];

impl Budget {
    pub(super) fn new(limits: &Limits) -> Budget {
        Budget { steps: limits.steps, memory: limits.memory, seconds: limits.seconds, ..Budget::default() }
    }

    /// What the interpreter is to ask.
    pub(super) fn question<'v>(self: &Arc<Budget>, heap: Heap<'v>) -> Box<dyn Fn() -> bool + 'v> {
        let budget = self.clone();
        let end = || self.seconds.and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds)));
        self.end.get_or_init(end);
        Box::new(move || {
            if budget.defining.load(Relaxed) {
                return false;
            }
            if budget.reached.load(Relaxed) != 0 {
                // A yes to the question after the call would replace the error that is on its way, with its place. A program
                // that has caught the error goes on running, and is stopped again.
                return add(&budget.late, 1) % PERIOD == PERIOD - 1;
            }
            add(&budget.asked, 1);
            budget.no_steps() || budget.no_room(heap, 0) || budget.no_time()
        })
    }

    fn done(&self) -> u64 {
        let asked = self.asked.load(Relaxed).saturating_sub(1).saturating_mul(PERIOD);
        let counted = asked.saturating_sub(self.free.load(Relaxed));
        counted.saturating_add(self.walked.load(Relaxed) / STEP)
    }

    /// Are the steps used up?
    fn no_steps(&self) -> bool {
        let (done, aside) = (self.done(), self.aside.load(Relaxed));
        self.note(1, self.steps.is_some_and(|steps| done > steps) || aside != 0 && done > aside)
    }

    /// Runs what only a report asks, with so many steps; that they are used up stops nothing else.
    pub(super) fn aside<T>(&self, steps: u64, run: impl FnOnce() -> T) -> T {
        let reached = self.reached.load(Relaxed);
        self.aside.store(self.done().saturating_add(steps), Relaxed);
        let result = run();
        self.aside.store(0, Relaxed);
        self.reached.store(reached, Relaxed);
        result
    }

    /// Is there too little memory for so many bytes?
    fn no_room(&self, heap: Heap<'_>, bytes: u64) -> bool {
        let Some(memory) = self.memory else { return false };
        let heap = heap.allocated_bytes() as u64;
        self.heap.store(heap, Relaxed);
        let all = bytes.saturating_add(heap).saturating_add(self.outside.load(Relaxed));
        let all = all.saturating_add(self.nodes.load(Relaxed));
        self.note(2, all > memory)
    }

    /// Is the time over?
    fn no_time(&self) -> bool {
        let end = self.end.get().copied().flatten();
        self.note(3, end.is_some_and(|end| Instant::now() > end))
    }

    /// Takes the bytes of all nodes. Do they need, with the values that were counted last, more than there may be?
    pub(super) fn has_too_many(&self, nodes: u64) -> bool {
        self.nodes.store(nodes, Relaxed);
        let values = self.heap.load(Relaxed).saturating_add(self.outside.load(Relaxed));
        self.memory.is_some_and(|memory| nodes.saturating_add(values) > memory)
    }

    /// What was spent by functions of ours.
    pub(super) fn spent(&self) -> (u64, u64) {
        (self.walked.load(Relaxed), self.outside.load(Relaxed))
    }

    /// Forgets what was spent since, for work that is done once more.
    pub(super) fn take_back(&self, (walked, outside): (u64, u64)) {
        self.walked.store(walked, Relaxed);
        self.outside.store(outside, Relaxed);
    }

    /// Takes back the step of a call that generated code makes for what is no call of the program.
    pub(super) fn no_call(&self) {
        add(&self.free, 1);
    }

    /// Counts bytes that are made outside of the heap.
    pub(super) fn outside(&self, bytes: usize) -> EvalResult<()> {
        self.ask(|budget| {
            let outside = add(&budget.outside, bytes as u64).saturating_add(bytes as u64);
            let all = outside.saturating_add(budget.heap.load(Relaxed)).saturating_add(budget.nodes.load(Relaxed));
            budget.note(2, budget.memory.is_some_and(|memory| all > memory))
        })
    }

    /// Counts work on each of so many bytes, as [`Meter::walk`] does.
    pub(super) fn walk(&self, bytes: usize) -> EvalResult<()> {
        self.ask(|budget| {
            let before = add(&budget.walked, bytes as u64);
            before / SELDOM != before.saturating_add(bytes as u64) / SELDOM && budget.no_steps()
        })
    }

    /// Counts steps that the interpreter does not see.
    pub(super) fn steps(&self, steps: usize) -> EvalResult<()> {
        self.walk(steps.saturating_mul(usize::try_from(STEP).unwrap_or(usize::MAX)))
    }

    /// Counts calls that a file without a program does not make. By the thousand all is asked that the interpreter would
    /// ask.
    pub(super) fn saved_calls(&self, calls: u64, heap: Heap<'_>) -> EvalResult<()> {
        let before = add(&self.saved, calls);
        let thousands = (before.saturating_add(calls) / PERIOD).saturating_sub(before / PERIOD);
        if thousands == 0 {
            return Ok(());
        }
        let steps = usize::try_from(thousands.saturating_mul(PERIOD)).unwrap_or(usize::MAX);
        self.steps(steps)?;
        self.ask(|budget| budget.no_room(heap, 0) || budget.no_time())
    }

    /// As [`Meter::walk_items`].
    pub(super) fn walk_items(&self, items: usize) -> EvalResult<()> {
        self.walk(items.saturating_mul(ITEM))
    }

    /// Counts a raw list or dict, of which the arena counts only that there is one more.
    pub(super) fn count_raw(&self, raw: &Raw) -> EvalResult<()> {
        let items = match raw {
            Raw::List(items) => items.len(),
            Raw::Dict(entries) => entries.len().saturating_mul(2),
        };
        add(&self.outside, items.saturating_mul(size_of::<Val>()) as u64);
        self.walk(items.saturating_mul(ITEM).saturating_add(CONTAINER))
    }

    fn ask(&self, is_reached: impl FnOnce(&Budget) -> bool) -> EvalResult<()> {
        // Should anybody have swallowed the error of a limit, it is raised again.
        if self.reached.load(Relaxed) == 0 && !is_reached(self) {
            return Ok(());
        }
        self.error().map_or(Ok(()), |diagnostic| Err(error::wrap(diagnostic)))
    }

    fn note(&self, limit: u32, reached: bool) -> bool {
        if reached {
            self.reached.store(limit, Relaxed);
        }
        reached
    }

    /// The error of the limit that was reached.
    pub(super) fn error(&self) -> Option<Diagnostic> {
        let name = *NAMES.get((self.reached.load(Relaxed) as usize).checked_sub(1)?)?;
        let more = match name {
            "steps" => format!(": more than {} calls and loop turns", self.steps.unwrap_or_default()),
            "memory" => format!(": more than {} bytes", self.memory.unwrap_or_default()),
            _ => format!(": more than {}", self.seconds.unwrap_or_default()),
        };
        Some(Diagnostic::limit(Code::LIMIT_BUDGET, name, format!("limit `{name}` reached{more}")))
    }
}

/// Where functions make things and what they ask before: the heap with the limits of the render.
#[derive(Clone, Copy)]
pub(crate) struct Meter<'v> {
    pub(crate) heap: Heap<'v>,
    /// None while a file is compiled, when nothing of it runs.
    host: Option<&'v Host<'v>>,
}

impl fmt::Debug for Meter<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Meter").finish_non_exhaustive()
    }
}

impl<'v> Meter<'v> {
    pub(crate) fn new(heap: Heap<'v>, host: Option<&'v Host<'v>>) -> Meter<'v> {
        Meter { heap, host }
    }

    /// The meter of a program that runs.
    pub(crate) fn of(eval: &Evaluator<'v, '_, '_>) -> Meter<'v> {
        Meter { heap: eval.heap(), host: host(eval) }
    }

    /// Asks whether so many bytes can be made. What is made as a text of Rust first needs twice its length.
    pub(crate) fn room(self, bytes: usize) -> EvalResult<()> {
        self.ask(|budget| budget.no_room(self.heap, bytes as u64))?;
        if bytes < LARGEST { Ok(()) } else { Err(error::text_only(format!("there is no memory for {bytes} bytes"))) }
    }

    /// Notes that a dict or set with so many entries is made, which the heap does not count.
    pub(crate) fn table(self, entries: usize) -> EvalResult<()> {
        self.ask(|budget| {
            add(&budget.outside, (entries as u64).saturating_mul(48));
            budget.no_room(self.heap, 0)
        })?;
        self.walk_items(entries)
    }

    /// As [`Meter::room`], for a list of many small things, which has no largest size of its own.
    pub(crate) fn room_in_all(self, bytes: usize) -> EvalResult<()> {
        self.ask(|budget| budget.no_room(self.heap, bytes as u64))
    }

    /// Notes bytes that are made outside of the heap, such as long integers.
    pub(crate) fn outside(self, bytes: usize) -> EvalResult<()> {
        if bytes == 0 {
            return Ok(());
        }
        self.host.map_or(Ok(()), |host| host.budget.outside(bytes))
    }

    /// Counts work on each of so many bytes.
    pub(crate) fn walk(self, bytes: usize) -> EvalResult<()> {
        self.host.map_or(Ok(()), |host| host.budget.walk(bytes))
    }

    /// Counts work on each of so many items of a list, dict or set.
    pub(crate) fn walk_items(self, items: usize) -> EvalResult<()> {
        self.walk(items.saturating_mul(ITEM))
    }

    /// As [`Budget::no_call`].
    pub(crate) fn no_call(self) {
        if let Some(host) = self.host {
            host.budget.no_call();
        }
    }

    fn ask(self, is_reached: impl FnOnce(&Budget) -> bool) -> EvalResult<()> {
        self.host.map_or(Ok(()), |host| host.budget.ask(is_reached))
    }
}

/// The host of the render, which the module that runs it holds.
pub(in crate::eval) fn host<'v>(eval: &Evaluator<'v, '_, '_>) -> Option<&'v Host<'v>> {
    eval.module().extra_value()?.downcast_ref::<Host<'v>>()
}

/// Calls a function of the interpreter: the way for all of Rust, since it keeps the count right.
pub(crate) fn call<'v>(
    eval: &mut Evaluator<'v, '_, '_>,
    function: Value<'v>,
    positional: &[Value<'v>],
    named: &[(&str, Value<'v>)],
) -> Returned<'v> {
    let Some(host) = host(eval) else {
        return eval.eval_function(function, positional, named);
    };
    give_stack(host, eval);
    let budget = &host.budget;
    budget.calls.fetch_add(1, Relaxed);
    let result = eval.eval_function(function, positional, named);
    budget.calls.fetch_sub(1, Relaxed);
    if budget.reached.load(Relaxed) == 0 {
        // the question that ends a call comes before its thousand steps are done
        let asked = budget.asked.load(Relaxed);
        budget.asked.store(asked.saturating_sub(1), Relaxed);
    }
    result
}

/// The error that no frame is left for a module: the interpreter panics there.
pub(super) fn without_frame(host: &Host<'_>, eval: &mut Evaluator<'_, '_, '_>) -> Option<Diagnostic> {
    let most = host.stack.get();
    let text = || format!("call stack is deeper than {} frames", most.saturating_sub(1));
    (most > 0 && eval.call_stack_count() >= most).then(|| Diagnostic::limit(Code::LIMIT, "call_depth", text()))
}

/// Runs the statements of a module, which define functions. That is no work of a program, so nothing is counted.
pub(super) fn define<'v>(
    eval: &mut Evaluator<'v, '_, '_>,
    ast: AstModule,
    globals: &Globals,
) -> starlark::Result<Value<'v>> {
    let Some(host) = host(eval) else { return eval.eval_module(ast, globals) };
    give_stack(host, eval);
    host.budget.defining.store(true, Relaxed);
    let result = eval.eval_module(ast, globals);
    host.budget.defining.store(false, Relaxed);
    result
}

/// Says how deep calls may nest, before the first one. Files that are read later are named by a `load` or belong to a
/// library, and [`may_nest`] knows both words.
fn give_stack<'v>(host: &Host<'v>, eval: &mut Evaluator<'v, '_, '_>) {
    if host.stack.get() == 0 {
        host.stack.set(frames(&host.sources, &host.limits));
        let set = eval.set_max_callstack_size(host.stack.get());
        debug_assert!(set.is_ok(), "the bound is set once, before anything runs");
    }
}

/// How many frames the call stack must hold. The interpreter writes to all of them at the first call, so where no code
/// can nest calls at will they are as many as there are brackets: each that nests is written down. To look through more
/// than this takes longer than what it saves.
fn frames(sources: &SourceMap, limits: &Limits) -> usize {
    const SHORT: usize = 64 << 10;
    const LEAST: usize = 1_000;
    let most = limits.call_depth as usize;
    let sources = sources.all();
    let texts = || sources.iter().map(|source| source.text.as_bytes());
    if texts().map(<[u8]>::len).sum::<usize>() > SHORT || texts().any(may_nest) {
        return most;
    }
    let is_open = |byte: &&u8| matches!(byte, b'(' | b'[' | b'{');
    let open: usize = texts().map(|text| text.iter().filter(is_open).count()).sum();
    most.min(LEAST.saturating_add(open))
}

/// Has a text functions of its own, loops, which can build calls within calls, or does it load another file or library?
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "the words and the bytes between them are the text"
)]
fn may_nest(text: &[u8]) -> bool {
    let has = |part: &[u8]| text.windows(part.len()).any(|window| window == part);
    // An escape may hide a word.
    if text.contains(&b'\\') && has(b"text-templated-strings") {
        return true;
    }
    let mut before = 0;
    text.split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_')).any(|word| {
        let behind = &text[before + word.len()..];
        before += word.len() + 1;
        match word {
            b"def" | b"lambda" | b"for" | b"while" | b"library" | b"bind" => true,
            b"load" => !behind.starts_with(b"(\"@ytt:"),
            _ => false,
        }
    })
}

/// The outermost call has ended, and its error is told: the next one is stopped again.
pub(super) fn told(host: &Host<'_>) {
    if host.budget.calls.load(Relaxed) == 0 {
        host.budget.reached.store(0, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_written_down_nests_without_functions_and_loops() {
        for text in [
            "#@ def f():",
            "x = lambda: 1",
            "b = struct.bind",
            "[f(x) for x in y]",
            "load(\"a.star\", \"f\")",
            "load (\"@ytt:x\")",
        ] {
            assert!(may_nest(text.as_bytes()), "{text}");
        }
        assert!(may_nest(b"#@ load(\"@ytt:library\", \"library\")"));
        for text in ["", "default: 1 # before", "#@ load(\"@ytt:data\", \"data\")\na: #@ str(1)", "load"] {
            assert_eq!(may_nest(text.as_bytes()), text == "load", "{text}");
        }
    }
}
