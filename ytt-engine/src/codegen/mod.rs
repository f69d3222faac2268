//! What `ytt-macros` and `ytt-build` share: the grammar of a call, the plan of a render, generated tokens.
//!
//! May change in any release: the three crates are released together, with equal versions. `call` and `track` know
//! nothing of the engine; `plan` and `embed` need it.

pub mod call;
#[cfg(feature = "engine")]
pub mod plan;
pub mod track;

/// The report of problems as a build shows it: files are named by the paths under which they were opened.
///
/// ```
/// let error = ytt_engine::Project::new().file("a.yml", "a: [\n").render().unwrap_err();
/// assert!(ytt_engine::codegen::report(error.diagnostics()).contains("--> a.yml:"));
/// ```
#[cfg(feature = "engine")]
pub fn report(diagnostics: &[crate::Diagnostic]) -> String {
    use crate::diag::draw::{self, Style};

    let style = Style { paths: true, ..Style::default() };
    draw::report(diagnostics, crate::Limits::build().reports as usize, style)
}
