//! Lines for cargo: what to watch, and problems.

use std::collections::BTreeSet;
use std::path::Path;

use ytt_engine::Inputs;

/// The lines that make cargo run the script again when an input changes. Paths inside of the package are relative.
pub(crate) fn lines(inputs: &Inputs, package: &Path) -> BTreeSet<String> {
    let paths = inputs.files.iter().chain(&inputs.folders).map(|path| {
        let shown = path.strip_prefix(package).unwrap_or(path);
        let shown = if shown.as_os_str().is_empty() { Path::new(".") } else { shown };
        format!("cargo::rerun-if-changed={}", shown.display())
    });
    let variables = inputs.env.iter().map(|name| format!("cargo::rerun-if-env-changed={name}"));
    paths.chain(variables).filter(|line| !line.contains('\n')).collect()
}

/// Is this a build script that cargo runs?
pub(crate) fn in_cargo() -> bool {
    std::env::var_os("OUT_DIR").is_some() && std::env::var_os("CARGO_MANIFEST_DIR").is_some()
}

/// A report as lines of the kind `cargo::error` or `cargo::warning`, which cargo shows line by line.
pub(crate) fn report<'a>(kind: &'a str, text: &'a str) -> impl Iterator<Item = String> + 'a {
    // Cargo writes the level in front of each line.
    let text = text.strip_prefix(kind).map_or(text, |rest| rest.strip_prefix(": ").unwrap_or(rest));
    text.lines().filter(|line| !is_frame(line)).map(move |line| format!("cargo::{kind}={line}"))
}

/// Is it a line that only parts others? Cargo writes the package in front of each, so that fewer are read better.
fn is_frame(line: &str) -> bool {
    matches!(line.trim(), "" | "|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_of_a_report_is_a_line_for_cargo() {
        let lines: Vec<String> = report("error", "error: ytt: text\n --> a.yml:1\n  |\n1 | a\n\n").collect();
        assert_eq!(lines, ["cargo::error=ytt: text", "cargo::error= --> a.yml:1", "cargo::error=1 | a"]);
    }
}
