//! A panic as a problem to report, not as the end of whoever called: every entry works inside of [`caught`].

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the work gives; if it panics, what to tell people.
///
/// ```
/// use ytt_engine::codegen::caught;
///
/// assert_eq!(caught(|| 1), Ok(1));
/// let text = caught(|| -> u8 { panic!("boom") }).unwrap_err();
/// assert_eq!(text, "internal error in ytt, please report it: boom");
/// ```
///
/// # Errors
///
/// The work panicked.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let work = || {
        #[cfg(all(test, feature = "engine"))]
        assert!(!planned::is_planned(), "planned");
        work()
    };
    // What the work had in its hands is gone; what it shares with others is behind locks that forgive.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| told(&*panic))
}

pub(crate) fn told(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().map(String::from);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    format!("internal error in ytt, please report it: {text}")
}

/// Panics that tests ask for, since nobody knows of one.
#[cfg(all(test, feature = "engine"))]
pub(crate) mod planned {
    use std::cell::Cell;

    thread_local! {
        static PLANNED: Cell<bool> = const { Cell::new(false) };
    }

    pub(super) fn is_planned() -> bool {
        PLANNED.get()
    }

    /// Works while whatever is entered on this thread panics.
    pub(crate) fn panicking<T>(work: impl FnOnce() -> T) -> T {
        PLANNED.set(true);
        let done = work();
        PLANNED.set(false);
        done
    }
}
