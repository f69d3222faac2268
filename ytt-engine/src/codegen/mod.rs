//! What `ytt-macros` and `ytt-build` share: the grammar of a call, the plan of a render, generated tokens.
//!
//! May change in any release: the three crates are released together, with equal versions. `call` and `track` know
//! nothing of the engine; `plan` needs it.

#[cfg(feature = "engine")]
use crate::diag::Voice;
#[cfg(feature = "engine")]
use crate::diag::draw::{self, Style};

pub mod call;
#[cfg(feature = "engine")]
pub mod plan;
pub mod track;

#[cfg(feature = "engine")]
pub use crate::diag::draw::CodeLine;
pub use crate::nearest::{nearest_below, nearest_path, similar};

/// The report of an error as a build script shows it: files are named by the paths under which they were opened, and
/// there are at most as many problems as the limit `reports` says. `code` gives the lines of the script, for problems of
/// what it asked for.
///
/// ```
/// let error = ytt_engine::Project::new().file("a.yml", "a: [\n").read("missing").render().unwrap_err();
/// let report = ytt_engine::codegen::report(&error, |_| None);
/// assert!(report.contains("lstat missing"));
/// ```
#[cfg(feature = "engine")]
pub fn report(error: &crate::Error, code: CodeLine) -> String {
    draw::report(error.diagnostics(), error.reports(), Style { code: Some(code), ..STYLE })
}

/// A warning as a build shows it.
///
/// ```
/// let rendered = ytt_engine::Project::new().file("a.yml", "#@overlay/nope\na: 1\n").render()?;
/// assert!(ytt_engine::codegen::warning(&rendered.warnings()[0]).starts_with("warning["));
/// # Ok::<(), ytt_engine::Error>(())
/// ```
#[cfg(feature = "engine")]
pub fn warning(warning: &crate::Diagnostic) -> String {
    draw::report(std::slice::from_ref(warning), 1, STYLE)
}

/// The project of a build script: what is wrong with it is told by the methods of its builder, not those of `Project`.
///
/// ```
/// let project = ytt_engine::codegen::for_builder(ytt_engine::Project::new().file_mark("a.yml:exclude"));
/// let help = "write `.file_mark(\"a.yml:KEY=VALUE\")`";
/// assert!(project.render().unwrap_err().to_report(false).contains(help));
/// ```
#[cfg(feature = "engine")]
pub fn for_builder(project: crate::Project) -> crate::Project {
    project.spoken(Voice::Builder)
}

/// Reports of a build name files as they are opened, so that they can be found from the workspace.
#[cfg(feature = "engine")]
const STYLE: Style = Style { colors: false, steps: false, paths: true, code: None };
