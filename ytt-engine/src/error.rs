//! What went wrong: all problems of the stage that failed, with what was read until then.

use std::fmt;
use std::sync::Arc;

use crate::diag::{Diagnostic, Severity, Voice, conflict, draw, is_allowed, json, report};
use crate::files::Inputs;
#[cfg(feature = "pretty")]
use crate::files::Reads;
use crate::lints::{Level, Lints};
use crate::source::{Position, SourceMap};

/// Result of everything that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// All problems that a render found before it stopped; nothing was written.
///
/// `{}` is the first problem in one line, as ytt words it; `{:#}` is the report with source lines.
///
/// ```
/// let error = ytt_engine::Project::new().read("no/such/folder").render().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "Checking file 'no/such/folder': lstat no/such/folder: no such file or directory"
/// );
/// assert_eq!(error.kind(), ytt_engine::ErrorKind::Input);
/// ```
#[derive(Clone)]
pub struct Error(Box<Parts>);

#[derive(Clone)]
struct Parts {
    diagnostics: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    inputs: Inputs,
    reports: u32,
    is_denied: bool,
}

/// What kind of problem an [`Error`] begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A file, folder, mark or data value that the caller gave, before it was merged.
    Input,
    /// Templates, data values, schemas, overlays or libraries.
    Render,
    /// One of [`Limits`](crate::Limits).
    Limit,
    /// Names or writing of results.
    Output,
    /// A mistake of this library.
    Internal,
}

impl Error {
    pub(crate) fn new(diagnostics: Vec<Diagnostic>, outer: &Outer) -> Error {
        Error(Box::new(Parts {
            diagnostics: located(diagnostics, &outer.sources, outer.voice),
            warnings: outer.warnings.clone(),
            inputs: outer.inputs.clone(),
            reports: outer.reports,
            is_denied: false,
        }))
    }

    /// Did all stages of the render end, and is what was found denied by the levels of lints alone?
    ///
    /// ```
    /// use ytt_engine::{Level, Project};
    ///
    /// let project = Project::new().file("a.yml", "#@overlay/matc\na: 1\n").lint("all", Level::Deny);
    /// assert!(project.render().unwrap_err().is_denied());
    /// ```
    pub fn is_denied(&self) -> bool {
        self.0.is_denied
    }

    /// The problems, in the order in which they were found; there is at least one.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.0.diagnostics
    }

    pub(crate) fn diagnostics_mut(&mut self) -> &mut [Diagnostic] {
        &mut self.0.diagnostics
    }

    /// Takes all problems out, to be added in another form.
    pub(crate) fn take(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.0.diagnostics)
    }

    /// Adds problems that were found later.
    pub(crate) fn add(&mut self, more: impl IntoIterator<Item = Diagnostic>) {
        self.0.diagnostics.extend(more);
    }

    pub(crate) fn warnings_mut(&mut self) -> &mut Vec<Diagnostic> {
        &mut self.0.warnings
    }

    /// What was found but did not stop the render.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.0.warnings
    }

    /// Files, folders and variables that were read before it failed.
    pub fn inputs(&self) -> &Inputs {
        &self.0.inputs
    }

    /// Kind of the first problem.
    pub fn kind(&self) -> ErrorKind {
        let code = self.0.diagnostics.first().map_or("", |first| first.code().as_str());
        match code.split("::").next().unwrap_or("") {
            "files" => ErrorKind::Input,
            _ if matches!(code, "values::flag" | "values::file") => ErrorKind::Input,
            "limit" => ErrorKind::Limit,
            "output" => ErrorKind::Output,
            "engine" => ErrorKind::Internal,
            _ => ErrorKind::Render,
        }
    }

    /// Line and column of the first problem, if it has a place.
    pub fn position(&self) -> Option<Position> {
        self.0.diagnostics.first().and_then(Diagnostic::position)
    }

    /// The report for people: every problem with its source lines, at most as many as the limit `reports` says.
    ///
    /// ```
    /// let error = ytt_engine::Project::new().file("a.yml", "a: [\n").render().unwrap_err();
    /// assert!(error.to_report(false).contains("--> a.yml:"));
    /// ```
    pub fn to_report(&self, colors: bool) -> String {
        self.report(draw::Style { colors, ..draw::Style::default() })
    }

    /// The report as the command prints it: files are named by the paths under which they were opened, and a note at the
    /// end says which steps led there, as far as no place shows them.
    ///
    /// ```
    /// let project = ytt_engine::Project::new().file("a.yml", "a: #@ b\n").file("c.yml", "c: #@ d\n");
    /// assert!(project.render().unwrap_err().to_report_with_steps(false).contains("--> a.yml:1:7"));
    /// ```
    pub fn to_report_with_steps(&self, colors: bool) -> String {
        self.report(draw::Style { colors, steps: true, ..draw::Style::default() })
    }

    /// How many problems a report shows at most: the limit `reports`.
    #[cfg(feature = "codegen")]
    pub(crate) fn reports(&self) -> usize {
        self.0.reports as usize
    }

    fn report(&self, style: draw::Style) -> String {
        let diagnostics = &self.0.diagnostics;
        report::or_plain(diagnostics, || report::report(diagnostics, self.0.reports as usize, style))
    }

    /// The problems as JSON, one object a line, for programs: what the command prints with `--message-format json`.
    ///
    /// Every object has these keys, in this order; new ones may be added at the end.
    ///
    /// | key | value |
    /// |---|---|
    /// | `code` | the stable code, such as `overlay::no-match` |
    /// | `severity` | `error`, `warning` or `hint` |
    /// | `message` | what is wrong, as ytt says it, without the steps |
    /// | `steps` | texts: what was being done, outermost first |
    /// | `labels` | places with a `text` each, which may be empty; the first is where the problem is |
    /// | `trace` | places with a `name` each: the calls that were running, innermost first |
    /// | `notes` | texts |
    /// | `helps` | objects of `text`, `edit` (null, or a place with the text `new` to write there), `edits` (all that have to be made together: that one, or several in different files, where `edit` is null) and `applicability` of the edit (`machine-applicable`, `maybe-incorrect` or null) |
    ///
    /// A place has the keys `file` (its name as ytt shows it), `path` (under which it was opened, or null), `line`,
    /// `column`, `end_line`, `end_column` (from 1, columns in characters, the end behind the last one), `start` and `end`
    /// (bytes from the start of the file). Of a call without a place all of them are null.
    ///
    /// ```
    /// let error = ytt_engine::Project::new().read("nowhere").render().unwrap_err();
    /// assert!(error.to_json_lines().starts_with(r#"{"code":"files::read","severity":"error","message":"lstat"#));
    /// ```
    pub fn to_json_lines(&self) -> String {
        let diagnostics = &self.0.diagnostics;
        report::or_plain_lines(diagnostics, || json::lines(diagnostics))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() {
            return f.write_str(self.to_report(false).trim_end());
        }
        let [first, more @ ..] = &self.0.diagnostics[..] else {
            return f.write_str("unknown error");
        };
        fmt::Display::fmt(first, f)?;
        match more.len() {
            0 => Ok(()),
            more => write!(f, " (and {more} more)"),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error").field("kind", &self.kind()).field("diagnostics", &self.0.diagnostics).finish()
    }
}

impl std::error::Error for Error {}

/// Which warnings a render collects: short for levels of all lints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Warnings {
    /// Each lint has its own level.
    #[default]
    Default,
    /// All lints are warnings.
    All,
    /// All lints are allowed.
    None,
}

/// What every error of a render says beside its problems.
#[derive(Clone, Debug)]
pub(crate) struct Outer {
    pub(crate) sources: Arc<SourceMap>,
    pub(crate) lints: Lints,
    pub(crate) warnings: Vec<Diagnostic>,
    pub(crate) inputs: Inputs,
    /// What the inputs were when they were read.
    #[cfg(feature = "pretty")]
    pub(crate) reads: Arc<Reads>,
    pub(crate) reports: u32,
    /// How the caller is spoken to.
    pub(crate) voice: Voice,
}

impl Outer {
    pub(crate) fn error(&self, diagnostic: Diagnostic) -> Error {
        Error::new(vec![diagnostic], self)
    }

    /// Gives what was found the levels that are set. What is denied has become an error.
    pub(crate) fn judge(&self, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let mut told = Vec::new();
        for mut one in found {
            let (level, setting) = self.lints.of(one.code().as_str());
            if level == Level::Allow || is_allowed(&one, &self.sources) {
                continue;
            }
            if let (Level::Deny, Some(setting)) = (level, setting) {
                one.parts_mut().severity = Severity::Error;
                one = one.note(self.voice.denies(setting));
            }
            told.push(one);
        }
        located(told, &self.sources, self.voice)
    }

    /// `Err` if one of the lints is denied.
    pub(crate) fn permit(&self, mut told: Vec<Diagnostic>) -> Result<Vec<Diagnostic>> {
        let denied: Vec<_> = told.extract_if(.., |one| one.severity() == Severity::Error).collect();
        if denied.is_empty() {
            return Ok(told);
        }
        let mut error = Error::new(denied, self);
        (error.0.is_denied, error.0.warnings) = (true, told);
        Err(error)
    }
}

/// Gives diagnostics the texts that their spans mean, and words them for the reader: they leave the engine.
pub(crate) fn located(mut diagnostics: Vec<Diagnostic>, sources: &Arc<SourceMap>, voice: Voice) -> Vec<Diagnostic> {
    for diagnostic in &mut diagnostics {
        diagnostic.spoken(voice);
        let read = diagnostic.parts().sources.clone().unwrap_or_else(|| sources.clone());
        conflict::explain(diagnostic, &read);
        let parts = diagnostic.parts_mut();
        let own = parts.sources.get_or_insert_with(|| sources.clone());
        for (span, new) in parts.helps.iter_mut().flat_map(|help| help.edit.iter_mut().chain(&mut help.also)) {
            if let Some(text) = own.get(span.source).with_own_breaks(new) {
                *new = text;
            }
        }
    }
    diagnostics
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::caught::planned;
    use crate::diag::Code;
    use crate::lints::By;

    fn outer() -> Outer {
        Outer {
            sources: Arc::default(),
            lints: Lints::default(),
            warnings: vec![],
            inputs: Inputs::default(),
            #[cfg(feature = "pretty")]
            reads: Arc::default(),
            reports: 1,
            voice: Voice::Library,
        }
    }

    #[test]
    fn an_error_is_one_pointer_and_can_be_sent() {
        fn check<T: Send + Sync + 'static>() {}
        check::<Error>();
        assert_eq!(size_of::<Error>(), size_of::<usize>());
    }

    #[test]
    fn display_is_the_first_problem() {
        let outer = outer();
        let problem = Diagnostic::error(Code::LIMIT, "too much").context("Step");
        let error = Error::new(vec![problem.clone(), problem], &outer);
        assert_eq!(error.to_string(), "Step: too much (and 1 more)");
        assert_eq!(format!("{error:#}"), "error[limit::exceeded]: Step: too much\n\nand 1 more");
        assert_eq!(error.to_report_with_steps(false), "error[limit::exceeded]: Step: too much\n\nand 1 more\n");
        assert_eq!(error.kind(), ErrorKind::Limit);
    }

    #[test]
    fn a_panic_takes_no_problem_away() {
        let problem = Diagnostic::error(Code::LIMIT, "too much").context("Step");
        let error = Error::new(vec![problem.clone(), problem], &outer());
        let told = "internal error in ytt, please report it: planned";
        let (report, json) = planned::panicking(|| (error.to_report(true), error.to_json_lines()));
        let alone = planned::panicking(|| error.diagnostics()[0].to_report(false));
        assert_eq!(alone, format!("error[limit::exceeded]: Step: too much\n\nerror[engine::internal]: {told}\n"));
        let too_much = "error[limit::exceeded]: Step: too much\n\n";
        assert_eq!(report, format!("{too_much}{too_much}error[engine::internal]: {told}\n"));
        let messages = [r#""Step: too much""#, r#""Step: too much""#, &format!("{told:?}")];
        assert_eq!(json.lines().count(), messages.len(), "{json}");
        for (line, message) in json.lines().zip(messages) {
            assert!(line.contains(message), "{line}");
        }
    }

    #[test]
    fn levels_make_warnings_and_errors() {
        let found =
            vec![Diagnostic::warning(Code::OVERLAY_AGAIN, "w"), Diagnostic::warning(Code::OVERLAY_SHARED_NODE, "h")];
        let counts = |level: Option<Level>| {
            let mut outer = outer();
            level.into_iter().for_each(|level| outer.lints.set("overlay::*", level, By::Step));
            let told = outer.judge(found.clone());
            let denied = told.iter().filter(|one| one.severity() == Severity::Error).count();
            assert_eq!(outer.permit(told.clone()).is_err(), denied > 0);
            (told.len(), denied)
        };
        assert_eq!(
            [None, Some(Level::Allow), Some(Level::Warn), Some(Level::Deny)].map(counts),
            [(1, 0), (0, 0), (2, 0), (2, 2)]
        );
    }
}
