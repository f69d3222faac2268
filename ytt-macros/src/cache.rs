//! Renders that calls of one compilation share.
//!
//! The compiler keeps a macro's process for one compilation, an editor keeps it across edits: a result counts only while
//! all files and folders that it read are as they were.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ytt_engine::codegen::plan::Plan;
use ytt_engine::codegen::seen::Seen;
use ytt_engine::codegen::track;
use ytt_engine::{Error, Rendered};

/// Results that are kept; the oldest goes first.
const ENTRIES: usize = 16;

type Slot = Arc<OnceLock<Entry>>;

static CACHE: Mutex<VecDeque<(String, Slot)>> = Mutex::new(VecDeque::new());

struct Entry {
    result: Result<Rendered, Error>,
    seen: Seen,
}

/// Renders, or gives what an earlier call on the same inputs rendered.
pub(crate) fn render(plan: &Plan, only_values: bool) -> Result<Rendered, Error> {
    match cached(plan.key(), plan, Plan::render) {
        // The values are there before a template fails: they are worth a second run.
        Err(error) if only_values && !error.is_denied() => cached(&format!("{}values", plan.key()), plan, Plan::values),
        whole => whole,
    }
}

fn cached(key: &str, plan: &Plan, render: fn(&Plan) -> Result<Rendered, Error>) -> Result<Rendered, Error> {
    for _ in 0..2 {
        let slot = slot(key);
        let mut is_new = false;
        // A second call that comes meanwhile waits here.
        let entry = slot.get_or_init(|| {
            is_new = true;
            let result = render(plan);
            let seen = Seen::now(result.as_ref().map_or_else(Error::inputs, Rendered::inputs));
            Entry { result, seen }
        });
        if is_new {
            return entry.result.clone();
        }
        let inputs = entry.result.as_ref().map_or_else(Error::inputs, Rendered::inputs);
        if Seen::now(inputs) == entry.seen {
            track::trace("hit", plan.title());
            return entry.result.clone();
        }
        forget(key);
    }
    render(plan)
}

fn slot(key: &str) -> Slot {
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, slot)) = cache.iter().find(|(known, _)| known == key) {
        return slot.clone();
    }
    if cache.len() == ENTRIES {
        cache.pop_front();
    }
    let slot = Slot::default();
    cache.push_back((key.to_owned(), slot.clone()));
    slot
}

fn forget(key: &str) {
    CACHE.lock().unwrap_or_else(PoisonError::into_inner).retain(|(known, _)| known != key);
}
