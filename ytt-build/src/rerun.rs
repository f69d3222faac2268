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

/// A report as lines of the kind `cargo::error` or `cargo::warning`, which cargo shows line by line.
pub(crate) fn report<'a>(kind: &'a str, text: &'a str) -> impl Iterator<Item = String> + 'a {
    // Cargo writes the level in front of each line.
    let text = text.strip_prefix(kind).map_or(text, |rest| rest.strip_prefix(": ").unwrap_or(rest));
    text.lines().map(move |line| format!("cargo::{kind}={line}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_of_a_report_is_a_line_for_cargo() {
        let lines: Vec<String> = report("error", "error[a::b]: text\n --> a.yml:1").collect();
        assert_eq!(lines, ["cargo::error=[a::b]: text", "cargo::error= --> a.yml:1"]);
    }
}
