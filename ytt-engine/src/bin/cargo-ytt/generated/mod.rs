//! Commands about generated code: `generate`, `check`, `expand` and `deps`.
//!
//! `packages` asks cargo what there is, `calls` finds calls of the macro in source files, `files` makes committed files
//! and says which of them are stale, `show` prints what one call gives.

mod calls;
mod files;
mod packages;
mod show;

pub use files::{check, generate};
pub use show::{deps, each, expand};

use ytt_engine::codegen::plan::Failure;

/// The problems of a failure, one after the other.
fn report(failure: &Failure) -> String {
    failure.reports.iter().map(|report| format!("error: ytt: {}\n", report.text.trim_end())).collect()
}
