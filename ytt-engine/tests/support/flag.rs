//! Flags of the command as calls of the builder.

use ytt_engine::{Level, Limits, Project, Warnings};

/// One flag of the command.
pub fn flag(project: Project, limits: &mut Limits, line: &str) -> Project {
    let (flag, text) = line.split_once(' ').unwrap_or((line, ""));
    match flag {
        "-f" => project.file_flag(text),
        "--file-mark" => project.file_mark(text),
        "--strict" => project.strict(true),
        "--data-values-file" => project.data_values_file(text),
        "--data-values-inspect" => project,
        "--limit" => {
            let (name, value) = text.split_once('=').expect("a limit is NAME=VALUE");
            assert!(limits.set(name, value.parse::<u64>().expect("a limit is a number")), "{line}");
            project
        }
        "--allow" => project.lint(text, Level::Allow),
        "--warn" => project.lint(text, Level::Warn),
        "--deny" => project.lint(text, Level::Deny),
        "--warnings" => project.warnings(if text == "all" { Warnings::All } else { Warnings::None }),
        flag => project.data_value_flag(flag, text),
    }
}
