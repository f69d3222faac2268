//! What `ytt-macros` and `ytt-build` share: the grammar of a call, the plan of a render, generated tokens.
//!
//! May change in any release: the three crates are released together, with equal versions. `call` and `track` know
//! nothing of the engine; `plan` needs it.

pub mod call;
pub mod committed;
#[cfg(feature = "engine")]
pub mod expand;
#[cfg(feature = "engine")]
pub mod items;
pub mod manifest;
#[cfg(feature = "engine")]
pub mod plan;
#[cfg(feature = "pretty")]
pub mod pretty;
#[cfg(feature = "pretty")]
pub mod recipe;
#[cfg(feature = "engine")]
pub mod said;
#[cfg(feature = "engine")]
pub mod seen;
#[cfg(feature = "pretty")]
pub mod stamp;
pub mod track;
#[cfg(feature = "engine")]
mod types;

pub use crate::caught::caught;
pub use crate::lints::{UnknownLint, check as check_lint};
#[cfg(feature = "engine")]
pub use crate::nearest::all_similar;
pub use crate::nearest::{nearest_below, nearest_path, similar};
pub(crate) use crate::{Level, Limits};
#[cfg(feature = "engine")]
pub use said::{CodeLine, internal, report, report_of, report_of_recipe, stale, summary, usage, warning, warnings_of};

/// ` (did you mean …?)`, or nothing, behind what is said of a name that there is not.
///
/// ```
/// use ytt_engine::codegen::did_you_mean;
///
/// assert_eq!(did_you_mean("confgi", ["config", "src"]), " (did you mean `config`?)");
/// assert_eq!(did_you_mean("zzz", ["config", "src"]), "");
/// ```
pub fn did_you_mean<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    similar(wanted, candidates).map(|near| format!(" (did you mean `{near}`?)")).unwrap_or_default()
}

/// A text between quotes, as Go's encoder of JSON writes it: what the command says of itself in that form.
///
/// ```
/// assert_eq!(ytt_engine::codegen::json_text("a \"b\" <c>"), r#""a \"b\" \u003cc\u003e""#);
/// ```
#[cfg(feature = "engine")]
pub fn json_text(text: &str) -> String {
    let mut out = String::new();
    crate::quoted::json(&mut out, text, crate::quoted::Json::Html);
    out
}

/// The name of a constant for a type: `AppConfig` gives `APP_CONFIG`.
///
/// ```
/// assert_eq!(ytt_engine::codegen::constant_name("AppConfig"), "APP_CONFIG");
/// ```
#[cfg(feature = "engine")]
pub fn constant_name(ty: &str) -> String {
    types::names::upper(ty).unwrap_or_else(|| ty.to_owned())
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
    project.spoken(crate::diag::Voice::Builder)
}
