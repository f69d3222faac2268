//! The reports of the command, in the log of `cargo build`: of macros and of build scripts, with the paths that open there.

use std::fs;

use crate::case::Case;
use crate::support::{Consumer, workspace};

const MACRO: &str = "[package]\nname = \"consumer-reports\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n\
                     [workspace]\n\n[dependencies]\nytt-macros = { path = \"$WORKSPACE/ytt-macros\" }\n";
const SCRIPT: &str = "[package]\nname = \"consumer-reports-script\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\
                      publish = false\n\n[workspace]\n\n[build-dependencies]\n\
                      ytt-build = { path = \"$WORKSPACE/ytt-build\" }\n";

/// Broken projects of `ytt-engine/tests/diagnostics/projects`.
const PROJECTS: [&str; 10] = [
    "library-export-of-missing-name",
    "overlay-container-name-misspelt",
    "overlay-key-misspelt-in-map",
    "overlay-two-subsets-kind-and-namespace",
    "schema-value-lies-under-a-group",
    "starlark-attribute-misspelt",
    "starlark-keyword-misspelt",
    "starlark-name-misspelt",
    "template-bracket-missing",
    "yaml-tab-in-indentation",
];

fn project(name: &str) -> Case {
    let path = workspace().join(format!("ytt-engine/tests/diagnostics/projects/{name}.txt"));
    Case::parse(&fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// The input files of all projects, each project in a folder of its own.
fn files(projects: &[(&str, Case)]) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for (name, case) in projects {
        files.extend(case.project_files().map(|(part, text)| (format!("{name}/{part}"), text.to_owned())));
    }
    files
}

/// The top folders of a project, as literals with a separator between two.
fn inputs(name: &str, case: &Case, separator: &str) -> String {
    let mut tops: Vec<String> = Vec::new();
    for (path, _) in files(&[(name, Case { head: String::new(), parts: case.parts.clone() })]) {
        let top = format!("{:?}", path.split('/').take(2).collect::<Vec<_>>().join("/"));
        if !tops.contains(&top) {
            tops.push(top);
        }
    }
    tops.join(separator)
}

/// The lines of the command's report that every reader gets: without its last notes, and with the folder of the project in
/// front of the paths of its files.
fn lines(name: &str, case: &Case) -> Vec<String> {
    let report = case.part("expected").expect("what the command says").lines();
    let common = report.take_while(|line| !line.starts_with("note: ") && !line.starts_with("error: could not"));
    let lines = common.map(|line| {
        let line = case.project_files().fold(line.trim_start().to_owned(), |line, (path, _)| {
            line.replace(&format!(" {path}"), &format!(" {name}/{path}"))
                .replace(&format!("({path}"), &format!("({name}/{path}"))
        });
        line.trim_start().to_owned()
    });
    lines.filter(|line| line.len() > 2).collect()
}

fn check(consumer: &Consumer, projects: &[(&str, Case)]) {
    let run = consumer.build().failed();
    for (name, case) in projects {
        let lines = lines(name, case);
        assert!(lines.len() > 3, "{name}: {lines:?}");
        // The order of the calls is that of the compiler.
        let from = run.stderr.find(&format!("rendering `{name}/")).unwrap_or_else(|| panic!("{name}:\n{}", run.stderr));
        let mut rest = &run.stderr[from..];
        for line in &lines {
            let at = rest.find(line).unwrap_or_else(|| panic!("{name}: `{line}` is not said:\n{}", run.stderr));
            rest = &rest[at + line.len()..];
        }
    }
}

#[test]
fn of_macros() {
    let projects: Vec<(&str, Case)> = PROJECTS.iter().map(|name| (*name, project(name))).collect();
    let calls = projects.iter().enumerate().map(|(number, (name, case))| {
        format!("pub static T{number}: &str = ytt_macros::include_ytt!({});\n", inputs(name, case, ", "))
    });
    let mut files = files(&projects);
    files.push(("Cargo.toml".into(), MACRO.into()));
    files.push(("src/lib.rs".into(), calls.collect()));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    check(&Consumer::with("reports", &files), &projects);
}

#[test]
fn of_build_scripts() {
    let projects: Vec<(&str, Case)> = PROJECTS.iter().map(|name| (*name, project(name))).collect();
    let calls = projects.iter().enumerate().map(|(number, (name, case))| {
        let builder = inputs(name, case, ").overlay(");
        format!("    ytt_build::Builder::new({builder}).write_text(\"{number}.yml\").build();\n")
    });
    let script = format!("fn main() {{\n{}}}\n", calls.collect::<String>());
    let mut files = files(&projects);
    files.push(("Cargo.toml".into(), SCRIPT.into()));
    files.push(("build.rs".into(), script));
    files.push(("src/lib.rs".into(), String::new()));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    check(&Consumer::with("reports-script", &files), &projects);
}
