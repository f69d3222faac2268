//! Why a build gave nothing.

use std::panic::Location;

use ytt_engine::codegen::said::Said;
use ytt_engine::{Error, Inputs, codegen};

/// Why a build gave nothing.
///
/// `{}` is the first problem in one line; [`Failure::report`] shows all of them.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The render failed.
    Render(Error),
    /// The builder was asked for something that is not possible, generated code could not be made, or the system refused
    /// to write. The texts are the problems; `inputs` is what was read, if anything was.
    Settings {
        /// One text for each problem.
        problems: Vec<String>,
        /// What was read.
        inputs: Option<Box<Inputs>>,
    },
}

impl Failure {
    /// One problem of what was asked for.
    pub(crate) fn settings(problem: impl Into<String>) -> Failure {
        Failure::Settings { problems: vec![problem.into()], inputs: None }
    }

    /// What was read until then, if anything was.
    pub fn inputs(&self) -> Option<&Inputs> {
        match self {
            Failure::Render(error) => Some(error.inputs()),
            Failure::Settings { inputs, .. } => inputs.as_deref(),
        }
    }

    /// What was warned of before it failed: it may be the reason.
    pub(crate) fn warnings(&self) -> &[ytt_engine::Diagnostic] {
        match self {
            Failure::Render(error) => error.warnings(),
            Failure::Settings { .. } => &[],
        }
    }

    /// The same with what was read, so that a change of it makes cargo try again.
    pub(crate) fn having_read(self, read: &Inputs) -> Failure {
        match self {
            Failure::Settings { problems, inputs: None } => {
                Failure::Settings { problems, inputs: Some(Box::new(read.clone())) }
            }
            other => other,
        }
    }

    /// The report for people, with source lines; files are named by the paths under which they were opened.
    ///
    /// ```
    /// let failure = ytt_build::Builder::new("missing").out_dir("out").try_build().unwrap_err();
    /// assert!(failure.report().contains("lstat missing: no such file or directory"));
    /// ```
    pub fn report(&self) -> String {
        match self {
            Failure::Render(error) => codegen::report(error, code_line),
            Failure::Settings { problems, .. } => {
                problems.iter().map(|problem| format!("error: ytt: {problem}\n")).collect()
            }
        }
    }

    /// The report of one builder among others: it names the inputs, and does not tell again what another one has told.
    pub(crate) fn report_of(&self, title: &str, said: &Said) -> String {
        match self {
            Failure::Render(error) => format!("error: ytt: {}", codegen::report_of(title, error, said, code_line)),
            Failure::Settings { .. } => self.report(),
        }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Render(error) => error.fmt(f),
            Failure::Settings { problems, .. } => f.write_str(&problems.join("\n")),
        }
    }
}

impl std::error::Error for Failure {}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Render(error)
    }
}

impl From<ytt_engine::codegen::plan::Failure> for Failure {
    fn from(failure: ytt_engine::codegen::plan::Failure) -> Failure {
        let problems = failure.reports.into_iter().map(|report| report.text).collect();
        Failure::Settings { problems, inputs: Some(Box::new(failure.inputs)) }
    }
}

/// The line of the script that took a step. The compiler names files from the workspace, scripts run in the package.
fn code_line(at: &Location<'_>) -> Option<String> {
    let here = std::env::current_dir().ok()?;
    let file = here.ancestors().map(|folder| folder.join(at.file())).find(|file| file.is_file())?;
    let text = std::fs::read_to_string(file).ok()?;
    text.lines().nth(at.line() as usize - 1).map(str::to_owned)
}
