//! What `ytt-macros` and `ytt-build` share: the grammar of a call, the plan of a render, generated tokens.
//!
//! May change in any release: the three crates are released together, with equal versions. `call` and `track` know
//! nothing of the engine; `plan` needs it.

#[cfg(feature = "engine")]
use crate::diag::Voice;
#[cfg(feature = "engine")]
use crate::diag::draw::Style;
#[cfg(feature = "engine")]
use crate::diag::{Code, Diagnostic, report};

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
#[cfg(feature = "pretty")]
pub mod stamp;
pub mod track;
#[cfg(feature = "engine")]
mod types;

#[cfg(feature = "engine")]
pub use crate::diag::draw::CodeLine;
#[cfg(feature = "engine")]
pub use crate::nearest::all_similar;
pub use crate::nearest::{nearest_below, nearest_path, similar};

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
    report::report(error.diagnostics(), error.reports(), Style { code: Some(code), ..STYLE })
}

/// As [`report`], with a first line that names the inputs; of problems that were told before, only the places.
#[cfg(feature = "engine")]
pub fn report_of(title: &str, error: &crate::Error, said: &said::Said, code: CodeLine) -> String {
    let (mut known, mut new) = (Vec::new(), Vec::new());
    for one in error.diagnostics() {
        match said.place_if_known(one) {
            Some(place) => known.push(place),
            None => new.push(one.clone()),
        }
    }
    said::report(title, "problem", (&new, known), error.reports(), Style { code: Some(code), ..STYLE })
}

/// The first line of what is said of warnings, and the warnings; of those that were told before, only the places.
#[cfg(feature = "engine")]
pub fn warnings_of(title: &str, warnings: &[crate::Diagnostic], said: &said::Said) -> Vec<String> {
    let new = warnings.iter().filter(|one| said.place_if_known(one).is_none());
    new.map(|one| format!("rendering {title}: {}", warning(one).trim_start_matches("warning"))).collect()
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
    report::report(std::slice::from_ref(warning), 1, STYLE)
}

/// A mistake on a command line, as the command reports all others.
///
/// ```
/// let text = ytt_engine::codegen::usage("unknown flag: --fiel", Some("did you mean `--file`?"), false);
/// assert_eq!(text, "error[command::usage]: unknown flag: --fiel\n |\n = help: did you mean `--file`?\n");
/// ```
#[cfg(feature = "engine")]
pub fn usage(text: &str, help: Option<&str>, colors: bool) -> String {
    let problem = Diagnostic::error(Code::COMMAND_USAGE, text);
    let problem = help.into_iter().fold(problem, Diagnostic::help);
    report::report(&[problem], 1, Style { colors, ..STYLE })
}

/// The last line of the command: what could not be rendered, and how many problems and warnings were found.
///
/// ```
/// let error = ytt_engine::Project::new().file("a.yml", "a: [\n").render().unwrap_err();
/// let text = ytt_engine::codegen::summary("`a.yml`", &error, false);
/// assert_eq!(text, "error: could not render `a.yml`: 1 problem\n");
/// ```
#[cfg(feature = "engine")]
pub fn summary(what: &str, error: &crate::Error, colors: bool) -> String {
    let problems = error.diagnostics().len();
    let shown = error.reports().min(problems);
    report::summary(what, problems, shown, error.warnings().len(), Style { colors, ..STYLE })
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
    project.spoken(Voice::Builder)
}

/// Reports of a build name files as they are opened, so that they can be found from the workspace.
#[cfg(feature = "engine")]
const STYLE: Style = Style { colors: false, steps: false, paths: true, code: None };
