//! Levels of lints, as steps.

use super::Project;
use crate::diag::{Code, Diagnostic};
use crate::error::Warnings;
use crate::lints::{self, By, Level};

impl Project {
    /// Sets the level of a lint, or of several: `overlay::*` are those that begin so, `all` every one. Later calls win; a
    /// comment `#! ytt: allow CODE` in a file wins over all of them.
    ///
    /// ```
    /// use ytt_engine::{Level, Project};
    ///
    /// let project = Project::new().file("a.yml", "#@overlay/matc\na: 1\n").lint("template::*", Level::Deny);
    /// let report = project.render().unwrap_err().to_report(false);
    /// assert!(report.starts_with("error[template::unknown-annotation]: "));
    /// assert!(report.contains("denied by `.lint(\"template::*\", Level::Deny)`"));
    /// ```
    #[track_caller]
    pub fn lint(self, code: impl Into<String>, level: Level) -> Project {
        self.lint_by(code.into(), level, By::Step)
    }

    #[track_caller]
    pub(crate) fn lint_by(self, code: String, level: Level, by: By) -> Project {
        self.step(|steps, at| match lints::check(&code) {
            Ok(()) => steps.lints.set(code, level, by),
            Err(unknown) => {
                let problem = Diagnostic::error(Code::LINT_UNKNOWN, unknown.to_string());
                let help = unknown.near().map(|near| format!("did you mean `{near}`?"));
                steps.problems.push((at, help.into_iter().fold(problem, Diagnostic::help)));
            }
        })
    }

    /// Notes that Rust code takes the data values, so that none of them is unused.
    #[cfg(feature = "codegen")]
    pub(crate) fn taking_values(self) -> Project {
        self.with(|steps| steps.lints.take_values())
    }

    /// Sets which warnings are collected: the levels of all lints at once.
    pub fn warnings(self, warnings: Warnings) -> Project {
        self.with(|steps| match warnings {
            Warnings::Default => steps.lints.reset(),
            Warnings::All => steps.lints.set("all", Level::Warn, By::Step),
            Warnings::None => steps.lints.set("all", Level::Allow, By::Step),
        })
    }
}
