//! The limits `steps`, `memory` and `seconds` of a render, told with the place where they were reached.
//!
//! The interpreter asks every thousand steps, and once more whenever a call from Rust ends. An error of that second
//! question would hide where the first one stood, so the answer is yes once, and no until the outermost call has ended.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use starlark::eval::Evaluator;
use starlark::values::{Heap, Value, ValueLike};

use super::error::EvalResult;
use super::host::Host;
use crate::diag::{Code, Diagnostic};
use crate::limits::Limits;

/// Steps between two questions of the interpreter.
const PERIOD: u64 = 1_000;

/// What of the limits is used up. Of one thread only; values of the heap must be such that others could see them.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    /// Questions of the interpreter while it runs.
    asked: AtomicU64,
    /// Calls from Rust that have not ended.
    calls: AtomicU32,
    /// The limit that was reached, until the outermost call has ended: its place in [`NAMES`], from 1.
    reached: AtomicU32,
    /// Questions after that.
    late: AtomicU64,
}

const NAMES: [&str; 3] = ["steps", "memory", "seconds"];

impl Budget {
    /// What the interpreter is to ask.
    pub(super) fn question<'v>(self: &Arc<Budget>, limits: &Limits, heap: Heap<'v>) -> Box<dyn Fn() -> bool + 'v> {
        let budget = self.clone();
        let (steps, memory) = (limits.steps, limits.memory);
        let end = limits.seconds.and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds)));
        Box::new(move || {
            if budget.reached.load(Relaxed) != 0 {
                // Should anybody have swallowed the error, the program is stopped again.
                return budget.late.fetch_add(1, Relaxed) % PERIOD == PERIOD - 1;
            }
            let done = budget.asked.fetch_add(1, Relaxed).saturating_mul(PERIOD);
            let reached = if steps.is_some_and(|steps| done > steps) {
                1
            } else if memory.is_some_and(|bytes| heap.allocated_bytes() as u64 > bytes) {
                2
            } else if end.is_some_and(|end| Instant::now() > end) {
                3
            } else {
                0
            };
            budget.reached.store(reached, Relaxed);
            reached != 0
        })
    }

    /// The error of the limit that was reached.
    pub(super) fn error(&self, limits: &Limits) -> Option<Diagnostic> {
        let name = *NAMES.get((self.reached.load(Relaxed) as usize).checked_sub(1)?)?;
        let more = match name {
            "steps" => format!(": more than {} calls and loop turns", limits.steps.unwrap_or_default()),
            "memory" => format!(": more than {} bytes", limits.memory.unwrap_or_default()),
            _ => format!(": more than {}", limits.seconds.unwrap_or_default()),
        };
        Some(Diagnostic::limit(Code::LIMIT_BUDGET, name, format!("limit `{name}` reached{more}")))
    }
}

/// Calls a function of the interpreter: the way for all of Rust, since it keeps the count right.
pub(crate) fn call<'v>(
    eval: &mut Evaluator<'v, '_, '_>,
    function: Value<'v>,
    positional: &[Value<'v>],
    named: &[(&str, Value<'v>)],
) -> EvalResult<Value<'v>> {
    let budget = eval.module().extra_value().and_then(|host| host.downcast_ref::<Host<'v>>()).map(|host| &host.budget);
    let Some(budget) = budget else { return eval.eval_function(function, positional, named) };
    budget.calls.fetch_add(1, Relaxed);
    let result = eval.eval_function(function, positional, named);
    budget.calls.fetch_sub(1, Relaxed);
    if budget.reached.load(Relaxed) == 0 {
        let asked = budget.asked.load(Relaxed);
        budget.asked.store(asked.saturating_sub(1), Relaxed);
    }
    result
}

/// The outermost call has ended, and its error is told: the next one is stopped again.
pub(super) fn told(host: &Host<'_>) {
    if host.budget.calls.load(Relaxed) == 0 {
        host.budget.reached.store(0, Relaxed);
    }
}
