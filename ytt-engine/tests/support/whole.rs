//! The cases of whole renders: what of them goes in, and the project that renders it.
#![allow(dead_code, reason = "each test program uses a part")]

use std::path::Path;

use ytt_engine::Project;

use crate::case::Case;

/// Is a part of this name what is expected, not what goes in?
pub fn is_expected(name: &str) -> bool {
    matches!(name, "output" | "error" | "warnings") || name.starts_with("output ")
}

impl Case {
    /// The input files.
    pub fn inputs(&self) -> impl Iterator<Item = &(String, String)> {
        self.parts.iter().filter(|(name, _)| name != "args" && !is_expected(name))
    }
}

/// The inputs of a case by name; or what its arguments say: `-f`, `--file-mark`, `--data-values-file` with their texts,
/// and the flags of single data values.
pub fn project(case: &Case, folder: Option<&Path>) -> Project {
    let mut project = Project::new().on_print(|_| ());
    let Some(folder) = folder else {
        return case.inputs().fold(project, |project, (name, text)| project.file(name, text.as_bytes()));
    };
    for line in case.part("args").unwrap_or_default().lines() {
        let (flag, text) = line.split_once(' ').unwrap_or((line, ""));
        project = match flag {
            "-f" => project.read(folder.join(text)),
            "--file-mark" => project.file_mark(text),
            "--data-values-file" => project.data_values_file(folder.join(text)),
            _ => project.data_value_flag(flag, text),
        };
    }
    project
}
