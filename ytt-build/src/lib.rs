//! ytt from build scripts.
//!
//! [`Builder`] renders ytt templates and overlays into `OUT_DIR` and tells cargo when to run the script again; [`compile`]
//! does so for one folder with one line. The build fails when an overlay's expectation is not met, a data value breaks its
//! schema, or a template is wrong, with a report that names file, line and column.
//!
//! ```no_run
//! // build.rs
//! ytt_build::Builder::new("config").overlay("overlays/prod").write_text("prod.yml").build();
//! ```
//!
//! ```ignore
//! // src/main.rs
//! static MANIFEST: &str = include_str!(concat!(env!("OUT_DIR"), "/prod.yml"));
//! ```
#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod builder;
mod check;
mod failure;
#[cfg(test)]
#[path = "../../ytt-engine/tests/support/folder.rs"]
mod folder;
mod generate;
mod output;
mod rerun;
mod run;

use std::path::Path;

pub use builder::Builder;
pub use failure::Failure;
pub use generate::assert_fresh;
pub use output::Output;
pub use ytt_engine::{Diagnostic, Error, FileMark, Format, Inputs, Level, Limits, Rendered, Value};

/// Renders one file or folder to `$OUT_DIR/<last part of the path>.yml`.
///
/// The same as `Builder::new(path).build()`.
///
/// ```no_run
/// // build.rs: config/*.yml become $OUT_DIR/config.yml
/// ytt_build::compile("config");
/// ```
#[track_caller]
pub fn compile(path: impl AsRef<Path>) {
    Builder::new(path).build();
}

/// Makes cargo run the build script, and with it the compiler, when anything in a folder changes.
///
/// For packages that use `include_ytt!` on a folder: rustc alone does not see new files in it. A path that does not exist
/// fails the build, as [`Builder::build`] does: cargo would otherwise run the script at every build.
///
/// ```no_run
/// // build.rs
/// ytt_build::watch("config");
/// ```
#[track_caller]
pub fn watch(path: impl AsRef<Path>) {
    let path = path.as_ref();
    if path.exists() {
        println!("cargo::rerun-if-changed={}", path.display());
        return;
    }
    let failure = Builder::new(path).render().err().map(Failure::from);
    let report = failure.map(|failure| failure.report()).unwrap_or_default();
    if !rerun::in_cargo() {
        eprintln!("{}", report.trim_end());
        std::process::exit(1);
    }
    rerun::report("error", &report).for_each(|line| println!("{line}"));
}
