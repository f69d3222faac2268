//! Reports as people read them: each case of `tests/diagnostics/AREA/NAME.txt` is a small project that fails, and the
//! report that the command prints for it.
//!
//! A case begins with what its reader must learn, then has sections: `-- NAME --` for each input file, `-- args --` with
//! one flag of the command on a line, and `-- expected --`. `YTT_BLESS=1 cargo test --test diagnostics` writes the last
//! one anew: read the difference as somebody who has never seen this project. `YTT_REPORTS=FILE` collects all reports.

#[path = "support/case.rs"]
mod case;
#[path = "support/flag.rs"]
mod flag;
#[path = "support/folder.rs"]
mod folder;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use case::Case;
use flag::flag;
use ytt_engine::{Applicability, Diagnostic, Limits, Project, Rendered, Result, Warnings};

impl Case {
    fn project(&self) -> Project {
        let (mut project, mut limits) = (Project::for_command().warnings(Warnings::Default), Limits::build());
        for (name, text) in &self.parts {
            match name.as_str() {
                "args" => {
                    for line in text.lines() {
                        project = flag(project, &mut limits, line);
                    }
                }
                "expected" => {}
                name => project = project.file(name, bytes(text)),
            }
        }
        project.limits(limits)
    }

    fn report(&self) -> String {
        let project = self.project();
        let inspect = self.part("args").is_some_and(|text| text.contains("--data-values-inspect"));
        let result = if inspect { project.values() } else { project.render() };
        let mut report = warnings(&result);
        if let Err(error) = &result {
            if !report.is_empty() {
                report.push('\n');
            }
            report.push_str(&error.to_report_with_steps(false));
        }
        report.lines().map(|line| line.trim_end().to_string() + "\n").collect()
    }

    fn expected(&self) -> Option<&str> {
        let (name, text) = self.parts.last()?;
        (name == "expected").then_some(text)
    }
}

/// The content of an input file: `\xNN` in a section stands for that byte.
fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\\x") {
        bytes.extend(before.as_bytes());
        match after.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.extend(b"\\x");
                rest = after;
            }
        }
    }
    bytes.extend(rest.as_bytes());
    bytes
}

/// Warnings as the command prints them, in front of the problems.
fn warnings(result: &Result<Rendered>) -> String {
    let all = match result {
        Ok(rendered) => rendered.warnings(),
        Err(error) => error.warnings(),
    };
    let all: Vec<String> = all.iter().map(|warning: &Diagnostic| warning.to_report(false) + "\n").collect();
    all.join("\n")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics")
}

/// All cases by area and name; whole projects have a test program of their own.
fn cases() -> Vec<(String, Case)> {
    let mut cases = case::cases(&root());
    cases.retain(|(name, _)| !name.starts_with("projects/"));
    for (name, _) in &cases {
        assert_eq!(name.matches('/').count(), 1, "{name} is in no area");
    }
    cases
}

#[test]
fn reports_say_what_to_change() {
    let (mut failed, mut reports) = (Vec::new(), String::new());
    for (name, case) in cases() {
        assert!(!case.head.trim().is_empty(), "{name} does not say what its reader must learn");
        let report = case.report();
        let _ = write!(reports, "##### {name}\n{report}\n");
        let came = case.with(|part| part == "expected", [("expected".to_owned(), report.clone())]);
        if report.is_empty() {
            failed.push(format!("{name}: nothing is reported"));
        } else if came != case && !came.bless(&root().join(format!("{name}.txt"))) {
            let expected = case.expected().unwrap_or("(no section `expected`)\n");
            failed.push(format!("{name}: expected\n{expected}\nbut the report is\n{report}"));
        }
    }
    if let Some(file) = std::env::var_os("YTT_REPORTS") {
        fs::write(file, reports).expect("the reports can be written");
    }
    assert!(failed.is_empty(), "{} of the reports differ:\n\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn there_are_enough_of_each_area() {
    let cases = cases();
    let overlays = cases.iter().filter(|(name, _)| name.starts_with("overlay/")).count();
    assert!(overlays >= 40 && cases.len() >= 100, "{overlays} of {} are overlays", cases.len());
}

/// Keys of an object, in order.
fn keys(value: &serde_json::Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// Names of all keys of a place, behind which others follow.
const PLACE: [&str; 8] = ["file", "path", "line", "column", "end_line", "end_column", "start", "end"];

fn sorted<const N: usize>(names: [&str; N], more: &[&'static str]) -> Vec<String> {
    let mut all: Vec<String> = names.iter().chain(more).map(ToString::to_string).collect();
    all.sort();
    all
}

fn check_keys(value: &serde_json::Value, expected: Vec<String>) {
    let mut found: Vec<String> = keys(value).into_iter().map(String::from).collect();
    found.sort();
    assert_eq!(found, expected, "{value}");
}

#[test]
fn json_lines_hold_everything() {
    let top = ["code", "severity", "message", "steps", "labels", "trace", "notes", "helps"];
    for (name, case) in cases() {
        let Err(error) = case.project().render() else { continue };
        let lines = error.to_json_lines();
        assert_eq!(lines.lines().count(), error.diagnostics().len(), "{name}");
        for (line, diagnostic) in lines.lines().zip(error.diagnostics()) {
            let value: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
            check_keys(&value, sorted(top, &[]));
            assert_eq!(
                (&value["code"], &value["message"]),
                (&diagnostic.code().as_str().into(), &diagnostic.message().into())
            );
            for label in value["labels"].as_array().expect("a list") {
                check_keys(label, sorted(PLACE, &["text"]));
            }
            for frame in value["trace"].as_array().expect("a list") {
                check_keys(frame, sorted(PLACE, &["name"]));
            }
            for (help, view) in value["helps"].as_array().expect("a list").iter().zip(diagnostic.helps()) {
                check_keys(help, sorted(["text", "edit", "edits", "applicability"], &[]));
                assert_eq!(help["edit"].is_null(), view.edit().is_none());
                if let Some((place, new)) = view.edit() {
                    check_keys(&help["edit"], sorted(PLACE, &["new"]));
                    let bytes = place.bytes();
                    assert_eq!(
                        (&help["edit"]["start"], &help["edit"]["end"]),
                        (&bytes.start.into(), &bytes.end.into())
                    );
                    assert_eq!(help["edit"]["new"], new);
                }
            }
        }
    }
}

/// The text of a file after an edit; `None` where the file is none of the case's.
fn edited(case: &Case, diagnostic: &Diagnostic, help: usize) -> Option<Case> {
    let help = diagnostic.helps().nth(help)?;
    let (place, new) = help.edit()?;
    let mut parts = case.parts.clone();
    let (_, text) = parts.iter_mut().find(|(name, _)| name == place.file())?;
    text.replace_range(place.bytes(), new);
    Some(Case { head: String::new(), parts })
}

/// What a program may do without a person is right.
#[test]
fn every_machine_applicable_edit_leaves_nothing_worse() {
    let mut tried = 0;
    for (name, case) in cases() {
        let Err(error) = case.project().render() else { continue };
        for diagnostic in error.diagnostics() {
            for (number, help) in diagnostic.helps().enumerate() {
                if help.applicability() != Some(Applicability::MachineApplicable) {
                    continue;
                }
                tried += 1;
                let new = edited(&case, diagnostic, number).unwrap_or_else(|| panic!("{name}: {}", help.text()));
                let left = new.project().render().map_or_else(|error| error.diagnostics().len(), |_| 0);
                assert!(left < error.diagnostics().len(), "{name}: {}", help.text());
            }
        }
    }
    assert!(tried > 40, "only {tried} edits may be made by a program");
}

/// What a diagnostic says, and the lines that it says it of.
fn facts(case: &Case, diagnostic: &Diagnostic) -> (String, Vec<String>) {
    let line = |file: &str, number: u32| {
        let line = case.part(file).and_then(|text| text.lines().nth(number as usize - 1));
        line.unwrap_or_default().to_string()
    };
    let places = diagnostic.labels().map(|label| line(label.place().file(), label.place().start().line));
    (format!("{}: {}", diagnostic.code(), diagnostic.message()), places.collect())
}

#[test]
fn every_edit_mends_what_it_is_for() {
    let mut failed = Vec::new();
    let mut tried = 0;
    for (name, case) in cases() {
        let Err(error) = case.project().render() else { continue };
        for diagnostic in error.diagnostics() {
            for (number, help) in diagnostic.helps().enumerate() {
                let Some(new) = edited(&case, diagnostic, number) else { continue };
                tried += 1;
                let Err(after) = new.project().render() else { continue };
                // What was wrong here is not wrong any more; something else may be.
                if after.diagnostics().iter().any(|other| facts(&new, other) == facts(&case, diagnostic)) {
                    let after = after.diagnostics();
                    failed.push(format!("{name}: {}\n{}", help.text(), after[0].to_report(false)));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{} edits mend nothing:\n{}", failed.len(), failed.join("\n"));
    assert!(tried > 50, "only {tried} edits were tried");
}

#[test]
fn every_code_is_documented() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read_to_string(root.join(path)).expect("the file is there");
    let (source, page) = (read("src/diag/code.rs"), read("../docs/diagnostics.md"));
    let codes: Vec<&str> = source
        .lines()
        .filter_map(|line| Some(line.trim().strip_suffix("\";")?.split_once(" = \"")?.1))
        .filter(|code| code.contains("::"))
        .collect();
    // Mistakes in calls have a table of their own.
    let page = page.split("\n## Mistakes in a call").next().unwrap_or_default();
    let documented: Vec<&str> =
        page.lines().filter_map(|line| Some(line.strip_prefix("| `")?.split_once("` | ")?.0)).collect();
    let mut sorted = codes.clone();
    sorted.sort_unstable();
    assert!(codes.len() > 80, "{codes:?}");
    assert_eq!(documented, sorted);
}
