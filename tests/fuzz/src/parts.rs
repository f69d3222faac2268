//! A whole render, written as a text of parts as the cases in `ytt-engine/tests/cases` are: so each of them is a seed, and
//! each finding can be read.
//!
//! A line `-- NAME --` begins the file of that name. Lines in the part `args` are steps of a `Project`: a word, and a text
//! behind it. What stands in front of the first part is ignored, as is what a case expects.

use ytt_engine::{Level, Project};

use super::render::{check, check_error, limits, project};

/// A project of any files and steps.
pub fn whole(bytes: &[u8]) {
    let mut whole = project();
    let mut stop = "";
    for (name, text) in parts(bytes) {
        whole = match name {
            "args" => text.split(|byte| *byte == b'\n').fold(whole, |project, line| {
                let Ok(line) = str::from_utf8(line) else { return project };
                let (word, text) = line.split_once(' ').unwrap_or((line, ""));
                match word {
                    "--schema" | "--values" | "--files" => {
                        stop = word;
                        project
                    }
                    _ => step(project, word, text),
                }
            }),
            "stdin" => whole.stdin(text),
            "bulk" => whole.bulk_in(String::from_utf8_lossy(text)),
            "output" | "error" | "warnings" => whole,
            _ if name.starts_with("output ") => whole,
            _ => whole.file(name, text),
        };
    }
    let result = match stop {
        "--schema" => whole.schema(),
        "--values" => whole.values(),
        "--files" => whole.files(),
        _ => return check(&whole),
    };
    if let Err(error) = result {
        check_error(&error);
    }
}

/// Nothing here reads the disk: values come from standard input, and no path is one.
fn step(project: Project, word: &str, text: &str) -> Project {
    let (key, value) = text.split_once('=').unwrap_or((text, ""));
    match word {
        "-v" | "--data-value" | "--data-value-yaml" => project.data_value_flag(word, text),
        "--data-values-file" => project.data_values_file("-"),
        "--data-value-file" => project.data_value_file(key, "-"),
        "--env" => project.data_values_env(key, [(value, text)]),
        "--env-yaml" => project.data_values_env_yaml(key, [(value, text)]),
        "--file-mark" => project.file_mark(text),
        "--stdin" => project.read_as(text, "-"),
        "--strict" => project.strict(true),
        "--ignore-unknown-comments" => project.ignore_unknown_comments(true),
        "--implicit-map-key-overrides" => project.implicit_map_key_overrides(true),
        "--disable-validation" => project.dangerous_data_values_disable_validation(true),
        "--lint" => project.lint(key, if value == "deny" { Level::Deny } else { Level::Allow }),
        "--limit" => {
            let mut limits = limits();
            // Only lower: what takes long must not be what is looked for.
            let most = limits.get(key).unwrap_or(0);
            limits.set(key, value.parse::<u64>().unwrap_or(1).min(most));
            project.limits(limits)
        }
        _ => project,
    }
}

/// Names and texts of the parts.
fn parts(bytes: &[u8]) -> Vec<(&str, &[u8])> {
    let mut parts: Vec<(&str, usize, usize)> = Vec::new();
    let mut at = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let name = line.strip_prefix(b"-- ").and_then(|rest| rest.strip_suffix(b" --\n"));
        at += line.len();
        match (name.and_then(|name| str::from_utf8(name).ok()), parts.last_mut()) {
            (Some(name), _) => parts.push((name, at, at)),
            (None, Some((.., end))) => *end = at,
            (None, None) => {}
        }
    }
    parts.into_iter().map(|(name, start, end)| (name, &bytes[start..end])).collect()
}
