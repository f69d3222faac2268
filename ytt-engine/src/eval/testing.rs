//! For tests: small programs as a user writes them, run as a render runs them.

use std::sync::{Arc, Mutex};

use crate::Project;
use crate::diag::NoteKind;

/// Lines that the program printed, then its error, if it failed, behind `error: `.
pub(super) fn run(program: &str) -> Vec<String> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let sink = lines.clone();
    let print = move |line: &str| {
        if let Ok(mut lines) = sink.lock() {
            lines.push(line.to_owned());
        }
    };
    let outcome = Project::new().file("t.yml", template(program)).on_print(print).render();
    let mut lines = lines.lock().map(|lines| lines.clone()).unwrap_or_default();
    if let Err(error) = outcome {
        let parts = error.diagnostics()[0].parts();
        let hint = parts.notes.iter().find(|note| note.kind == NoteKind::Hint);
        let hint = hint.map_or(String::new(), |hint| format!(" (hint: {})", hint.content()));
        lines.push(format!("error: {}{hint}", parts.message));
    }
    lines
}

/// A YAML file whose code is the program.
fn template(program: &str) -> String {
    program.lines().fold(String::new(), |out, line| out + "#@ " + line + "\n")
}

/// Runs each expression by itself and compares its text, or its error, with what is expected.
pub(super) fn check(cases: &[(&str, &str)]) {
    let failed: Vec<String> = cases
        .iter()
        .map(|(expression, expected)| (expression, expected, run(&format!("print(repr({expression}))")).join("\n")))
        .filter(|(_, expected, found)| found != *expected)
        .map(|(expression, expected, found)| format!("{expression}\n  expected {expected}\n  found    {found}"))
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
