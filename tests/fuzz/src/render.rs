//! Laws of renders: of one file of each kind, and of any project.

use ytt_engine::{Diagnostic, Error, Format, Limits, Project, Rendered};

/// Bounds within which no render takes long.
pub(super) fn limits() -> Limits {
    let mut limits = Limits::build();
    limits.depth = 100;
    limits.call_depth = 200;
    limits.steps = Some(5_000);
    limits.nodes = Some(20_000);
    limits.memory = Some(16 << 20);
    limits.alias_nodes = 2_000;
    limits.file_bytes = 1 << 20;
    limits.output_bytes = 256 << 10;
    limits.reports = 3;
    limits
}

pub(super) fn project() -> Project {
    Project::new().limits(limits()).on_print(|_| ())
}

/// A YAML template of any bytes.
pub fn template(bytes: &[u8]) {
    check(&project().file("a.yml", bytes));
}

/// A text template of any bytes.
pub fn text_template(bytes: &[u8]) {
    check(&project().file("a.txt", bytes));
}

/// A program of any bytes, which a template loads.
pub fn program(bytes: &[u8]) {
    check(&project().file("a.star", bytes).file("b.yml", "#@ load(\"a.star\", \"x\")\na: #@ x\n"));
}

/// A YAML file of any bytes, formatted: once is enough.
pub fn format(bytes: &[u8]) {
    let project = |bytes: &[u8]| Project::new().limits(limits()).file("a.yml", bytes);
    match project(bytes).format() {
        Ok((text, warnings)) => {
            check_diagnostics(&warnings);
            let (again, _) = project(text.as_bytes()).format().unwrap_or_else(|error| panic!("{error}\n{text}"));
            // Comments in a key that is a collection have no place of their own: they move behind it.
            let has_such_key = text.lines().any(|line| line.trim_start_matches([' ', '-']).starts_with("? "));
            // Documents without anything in them may go. The float -0 is printed as `-0`, as ytt does, which is the integer 0.
            let lines = |text: &str| {
                let kept = text.lines().filter(|line| *line != "---");
                kept.map(|line| line.replace("-0", "0")).collect::<Vec<_>>()
            };
            assert!(lines(&again) == lines(&text) || has_such_key, "formatted twice:\n{text}\n{again}");
        }
        Err(error) => check_error(&error),
    }
}

/// What holds for every project: it renders or says why not, the record of an explanation changes nothing, and each
/// result can be printed in all forms.
pub(super) fn check(project: &Project) {
    let explained = project.clone().explain(true).render();
    match (project.render(), explained) {
        (Ok(rendered), Ok(explained)) => {
            let text = check_rendered(&rendered);
            assert!(text == check_rendered(&explained), "an explained render prints something else");
            check_explanation(&explained);
        }
        (Err(error), Err(explained)) => {
            check_error(&error);
            // A record takes memory and steps of its own; a limit may be one problem of several.
            let (error, explained) = (error.to_report(false), explained.to_report(false));
            let is_limit = |report: &str| report.contains("error[limit::");
            assert!(error == explained || is_limit(&error) || is_limit(&explained), "{error}\n{explained}");
        }
        (rendered, explained) => {
            let error = rendered.err().or(explained.err()).expect("one of them failed");
            assert_eq!(error.kind(), ytt_engine::ErrorKind::Limit, "one of the two fails: {error}");
        }
    }
}

/// The text as YAML, if it could be printed.
fn check_rendered(rendered: &Rendered) -> Option<String> {
    check_diagnostics(rendered.warnings());
    for format in [Format::Json, Format::Pos] {
        rendered.to_text(format).map_or_else(|error| check_error(&error), drop);
    }
    match rendered.files() {
        Ok(_) => drop(rendered.to_bulk()),
        Err(error) => check_error(&error),
    }
    match rendered.to_text_and_warnings(Format::Yaml) {
        Ok((text, warnings)) => {
            check_diagnostics(&warnings);
            Some(text)
        }
        Err(error) => {
            check_error(&error);
            None
        }
    }
}

fn check_explanation(rendered: &Rendered) {
    match rendered.explanation() {
        Ok(explanation) => {
            let explanation = explanation.expect("a record was asked for");
            for line in explanation.lines().take(50) {
                let _ = (line.text(), line.path(), line.document(), line.origins());
            }
            for value in explanation.data_values().take(20) {
                let _ = (value.name(), value.value(), value.origins());
            }
        }
        Err(error) => check_error(&error),
    }
}

/// An error has problems, and can be told in each form.
pub(super) fn check_error(error: &Error) {
    assert!(!error.diagnostics().is_empty(), "an error without a problem");
    check_diagnostics(error.diagnostics());
    check_diagnostics(error.warnings());
    assert!(!error.to_report(true).is_empty() && !error.to_report_with_steps(false).is_empty());
    assert!(error.to_json_lines().ends_with('\n'));
}

fn check_diagnostics(diagnostics: &[Diagnostic]) {
    for one in diagnostics {
        assert_ne!(one.code().as_str(), "engine::internal", "{}", one.message());
        for label in one.labels() {
            let bytes = label.place().bytes();
            assert!(bytes.start <= bytes.end, "a place that ends before it starts: {}", one.message());
        }
        for help in one.helps() {
            let _ = (help.text(), help.applicability());
            assert!(help.edit().is_none_or(|(place, _)| place.bytes().start <= place.bytes().end));
        }
        assert!(!one.to_report(false).is_empty() && !one.to_json_line().is_empty());
        let _ = (one.trace().count(), one.steps().count(), one.notes().count());
    }
}
