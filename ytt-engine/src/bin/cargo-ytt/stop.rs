//! Signals that ask to end, while files are written: what was begun is taken back first.

use std::io::Write as _;
use std::process;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use signal_hook::consts::TERM_SIGNALS;
use signal_hook::{flag, low_level};

/// What handlers of signals set and look at.
#[derive(Default)]
struct Shared {
    /// Nothing is being written: a signal ends the process at once, as it would without a handler.
    is_idle: Arc<AtomicBool>,
    came: Arc<AtomicBool>,
    /// The last one; zero is none.
    signal: Arc<AtomicUsize>,
}

static SHARED: OnceLock<Shared> = OnceLock::new();

/// While it is there, signals wait until [`Stop::end`].
pub struct Stop(&'static Shared);

impl Stop {
    /// Where the system has no such signals, none comes.
    pub fn watch() -> Stop {
        let shared = SHARED.get_or_init(|| {
            let shared = Shared::default();
            for number in TERM_SIGNALS {
                let _ = flag::register_conditional_default(*number, shared.is_idle.clone());
                // In this order: whoever sees that one came can ask for its number.
                let value = usize::try_from(*number).unwrap_or_default();
                let _ = flag::register_usize(*number, shared.signal.clone(), value);
                let _ = flag::register(*number, shared.came.clone());
            }
            shared
        });
        shared.is_idle.store(false, Ordering::SeqCst);
        Stop(shared)
    }

    /// Is set when a signal came.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.came.clone()
    }

    /// Did a signal come?
    pub fn is_asked(&self) -> bool {
        self.0.came.load(Ordering::SeqCst)
    }

    /// If a signal came, says why nothing follows, on standard error, and ends as the signal ends others.
    pub fn end(self, errors: &str) {
        self.0.is_idle.store(true, Ordering::SeqCst);
        if self.is_asked() {
            let number = i32::try_from(self.0.signal.load(Ordering::SeqCst)).unwrap_or_default();
            let _ = std::io::stderr().lock().write_all(errors.as_bytes());
            let _ = low_level::emulate_default_handler(number);
            process::exit(number.saturating_add(128));
        }
    }
}
