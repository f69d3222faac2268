//! Reports of a build. One mistake in a shared template is told in full once in a compilation.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

pub use crate::diag::draw::CodeLine;
use crate::diag::draw::{self, Style};
use crate::diag::{Code, Label, Note, report as drawn};
use crate::source::Origin;
use crate::{Diagnostic, Error};

/// How reports of a build look.
pub(super) const STYLE: Style = Style { colors: false, steps: false, code: None };

/// The problems that a compiler's process, or a build script, has told.
///
/// ```
/// use ytt_engine::codegen::said::Said;
///
/// let said = Said::new();
/// let error = ytt_engine::Project::new().file("a.yml", "a: [\n").render().unwrap_err();
/// let first = ytt_engine::codegen::report_of("`a`", &error, &said, |_| None);
/// assert!(first.starts_with("1 problem rendering `a`\n"));
/// let second = ytt_engine::codegen::report_of("`b`", &error, &said, |_| None);
/// assert_eq!(second, "`b` fails for a reason that is told above: a.yml:1:4\n");
/// ```
#[derive(Debug, Default)]
pub struct Said(Mutex<HashSet<String>>);

impl Said {
    /// Nothing was told yet.
    pub fn new() -> Said {
        Said::default()
    }

    /// The place of a problem that was told; another one is taken as told from now on.
    pub(crate) fn place_if_known(&self, diagnostic: &Diagnostic) -> Option<String> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = draw::place(diagnostic).unwrap_or_else(|| diagnostic.message().to_owned());
        let mistake = format!("{} {place} {}", diagnostic.code().as_str(), diagnostic.message());
        (!known.insert(mistake)).then_some(place)
    }
}

/// The report of problems or warnings, which `what` says: a line that names the inputs, and what is `new`; of what is
/// known, the places.
pub(super) fn report_beside(
    title: &str,
    what: &str,
    (new, mut known): (&[Diagnostic], Vec<String>),
    limit: usize,
    style: Style,
) -> String {
    let mut seen = HashSet::new();
    known.retain(|place| seen.insert(place.clone()));
    let places = known.join(", ");
    if new.is_empty() {
        return match what {
            "warning" => format!("{title}: the warnings are told above: {places}\n"),
            _ => format!("{title} fails for a reason that is told above: {places}\n"),
        };
    }
    let counted = |count: usize| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let more = match known.len() {
        0 => String::new(),
        count => format!(", beside {} told above ({places})", counted(count)),
    };
    format!("{} rendering {title}{more}\n{}", counted(new.len()), drawn::report(new, limit, style))
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
pub fn report(error: &Error, code: CodeLine) -> String {
    drawn::report(error.diagnostics(), error.reports(), Style { code: Some(code), ..STYLE })
}

/// As [`report`], where no line of a script asked for anything that is wrong: the render is of a recipe.
pub fn report_of_recipe(error: &Error) -> String {
    let shown: Vec<Diagnostic> = error.diagnostics().iter().map(without_places_in_code).collect();
    drawn::report(&shown, error.reports(), Style { steps: true, ..STYLE })
}

/// The engine knows a value of a call by the line of this crate that gave it. The compiler shows the token of the first
/// place instead, and what is said of others is a note.
pub(super) fn without_places_in_code(diagnostic: &Diagnostic) -> Diagnostic {
    let mut shown = diagnostic.clone();
    let Some(sources) = shown.parts().sources.clone() else { return shown };
    let is_code = |label: &Label| matches!(sources.get(label.span.source).origin, Origin::Rust(_));
    let parts = shown.parts_mut();
    let others = parts.labels.iter().skip(1).filter(|label| is_code(label) && !label.text.is_empty());
    let notes: Vec<String> = others.map(|label| format!("in the call: {}", label.text)).collect();
    parts.notes.extend(notes.into_iter().map(Note::from));
    parts.labels.retain(|label| !is_code(label));
    shown
}

/// As [`report`], with a first line that names the inputs; of problems that were told before, only the places.
pub fn report_of(title: &str, error: &Error, said: &Said, code: CodeLine) -> String {
    let (mut known, mut new) = (Vec::new(), Vec::new());
    for one in error.diagnostics() {
        match said.place_if_known(one) {
            Some(place) => known.push(place),
            None => new.push(one.clone()),
        }
    }
    report_beside(title, "problem", (&new, known), error.reports(), Style { code: Some(code), ..STYLE })
}

/// The first line of what is said of warnings, and the warnings; of those that were told before, only the places.
pub fn warnings_of(title: &str, warnings: &[Diagnostic], said: &Said) -> Vec<String> {
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
pub fn warning(warning: &Diagnostic) -> String {
    drawn::report(std::slice::from_ref(warning), 1, STYLE)
}

/// A mistake on a command line, as the command reports all others.
///
/// ```
/// let text = ytt_engine::codegen::usage("unknown flag: --fiel", Some("did you mean `--file`?"), false);
/// assert_eq!(text, "error[command::usage]: unknown flag: --fiel\n |\n = help: did you mean `--file`?\n");
/// ```
pub fn usage(text: &str, help: Option<&str>, colors: bool) -> String {
    of_command(help.into_iter().fold(Diagnostic::error(Code::COMMAND_USAGE, text), Diagnostic::help), colors)
}

/// A difference that `check` found, as the command reports all others.
///
/// ```
/// let text = ytt_engine::codegen::stale("out/a.yml is missing", false);
/// assert_eq!(text, "error[command::stale]: out/a.yml is missing\n");
/// ```
pub fn stale(text: &str, colors: bool) -> String {
    of_command(Diagnostic::error(Code::COMMAND_STALE, text), colors)
}

/// A panic, as the command reports it.
///
/// ```
/// assert_eq!(ytt_engine::codegen::internal("boom", false), "error[engine::internal]: boom\n");
/// ```
pub fn internal(text: &str, colors: bool) -> String {
    of_command(Diagnostic::error(Code::INTERNAL, text), colors)
}

fn of_command(problem: Diagnostic, colors: bool) -> String {
    drawn::report(&[problem], 1, Style { colors, ..STYLE })
}

/// The last line of the command: what could not be done, and how many problems and warnings were found.
///
/// ```
/// let error = ytt_engine::Project::new().file("a.yml", "a: [\n").render().unwrap_err();
/// let text = ytt_engine::codegen::summary("render `a.yml`", &error, false);
/// assert_eq!(text, "error: could not render `a.yml`: 1 problem\n");
/// ```
pub fn summary(work: &str, error: &Error, colors: bool) -> String {
    let worded = error.diagnostics().len();
    let counted: usize = error.diagnostics().iter().map(|problem| problem.parts().more).sum();
    let (problems, shown) = (worded.saturating_add(counted), error.reports().min(worded));
    drawn::summary(work, problems, shown, error.warnings().len(), Style { colors, ..STYLE })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Project;

    /// The error of these files, each of one line.
    fn error(files: &[(&str, &str)]) -> Error {
        let project = files.iter().fold(Project::new(), |project, (name, text)| project.file(*name, *text));
        project.render().unwrap_err()
    }

    #[test]
    fn a_mistake_is_told_in_full_once() {
        let (said, shared) = (Said::new(), ("s.yml", "a: #@ x\n"));
        let told = |title: &str, files: &[(&str, &str)]| report_of(title, &error(files), &said, |_| None);
        let first = told("`one`", &[shared]);
        assert!(first.starts_with("1 problem rendering `one`\nerror[starlark::undefined]: undefined: x\n"), "{first}");
        let known = "`two` fails for a reason that is told above: s.yml:1:7\n";
        assert_eq!(told("`two`", &[shared]), known);
        let both = told("`three`", &[shared, ("t.yml", "b: #@ y\n")]);
        assert!(both.starts_with("1 problem rendering `three`, beside 1 problem told above (s.yml:1:7)\n"), "{both}");
        assert!(both.contains("undefined: y") && !both.contains("undefined: x"), "{both}");
        // The same words at another place are another mistake.
        let moved = told("`four`", &[("s.yml", "#!\na: #@ x\n")]);
        assert!(moved.starts_with("1 problem rendering `four`\n"), "{moved}");
        assert!(Said::new().place_if_known(&error(&[shared]).diagnostics()[0]).is_none());
    }

    #[test]
    fn a_warning_is_told_once() {
        let said = Said::new();
        let warnings = |text: &str| {
            let rendered = Project::new().file("a.yml", text).render().unwrap();
            warnings_of("`a`", rendered.warnings(), &said)
        };
        let found = warnings("#@overlay/nope\na: 1\n");
        assert_eq!(found.len(), 1);
        let expected = "rendering `a`: [template::unknown-annotation]: ";
        assert!(found[0].starts_with(expected), "{}", found[0]);
        assert_eq!(warnings("#@overlay/nope\na: 1\n"), [""; 0]);
        assert_eq!(warnings("#@overlay/nope\n#@overlay/none\na: 1\n").len(), 1, "the second alone is new");
    }

    #[test]
    fn a_report_has_at_most_so_many_problems() {
        let text: String = (0..3).map(|number| format!("a{number}: #@ x{number}\n")).collect();
        let of = |reports| {
            let limits = crate::Limits { reports, ..crate::Limits::build() };
            let error = Project::new().limits(limits).file("a.yml", text.as_str()).render().unwrap_err();
            report(&error, |_| None).matches("undefined: ").count()
        };
        assert_eq!([of(1), of(2), of(9)], [1, 2, 3]);
    }
}
