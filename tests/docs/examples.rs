//! Examples in the pages are run: what a page shows is what comes out.
//!
//! A fenced block whose info string is a language and a path is an input file. A block `flags` holds flags of the command.
//! What both give is a block `yaml output`, `json output`, or `text error`, each line of which the report holds; what `explain`
//! answers is a block `text explain SELECTOR PATH`. A heading forgets the inputs.

use std::fs;

use ytt_engine::{Format, Level, Project, Rendered, Result};

use super::workspace;

/// What is given so far, and what it has to give.
#[derive(Clone, Default)]
struct Example<'p> {
    heading: &'p str,
    files: Vec<(&'p str, String)>,
    flags: Vec<&'p str>,
    kind: &'p str,
    expected: String,
}

/// The examples of a page, in order.
fn examples(page: &str) -> Vec<Example<'_>> {
    let (mut found, mut now) = (Vec::new(), Example::default());
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line.starts_with('#') {
            now = Example { heading: line.trim_start_matches('#').trim(), ..Example::default() };
        }
        let Some(info) = line.strip_prefix("```") else { continue };
        let inside: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let text = || inside.iter().flat_map(|line| [line, "\n"]).collect::<String>();
        match info.split_once(' ') {
            None if info == "flags" => now.flags = inside.iter().flat_map(|line| line.split(' ')).collect(),
            None => {}
            Some((_, rest)) if matches!(rest, "output" | "error") || rest.split(' ').next() == Some("explain") => {
                found.push(Example { kind: info, expected: text(), ..now.clone() });
            }
            Some((_, path)) => now.files.push((path, text())),
        }
    }
    found
}

impl Example<'_> {
    /// The files and the flags that give data values.
    fn project(&self) -> Project {
        let files =
            self.files.iter().fold(Project::for_command(), |project, (path, text)| project.file(*path, text.as_str()));
        let pairs = self.flags.windows(2).filter(|pair| pair[0].starts_with("--data-value"));
        let pairs = pairs.filter(|pair| !pair[0].ends_with("-inspect"));
        pairs.fold(files, |project, pair| project.data_value_flag(pair[0], pair[1]))
    }

    fn render(&self) -> Result<Rendered> {
        let mut flags = self.flags.iter();
        let (mut project, mut values, mut schema) = (self.project(), false, false);
        while let Some(flag) = flags.next() {
            let mut text = || *flags.next().unwrap_or_else(|| panic!("{flag} has a value"));
            project = match *flag {
                "--data-values-inspect" => {
                    values = true;
                    project
                }
                "--data-values-schema-inspect" => {
                    schema = true;
                    project
                }
                // the form of the schema
                "-o" => {
                    text();
                    project
                }
                "--file-mark" => project.file_mark(text()),
                "--deny" => project.lint(text(), Level::Deny),
                _ => {
                    text();
                    project
                }
            };
        }
        match (values, schema) {
            (true, _) => project.values(),
            (_, true) => project.schema(),
            _ => project.render(),
        }
    }

    /// What `explain` answers for these words.
    fn explained(&self, asked: &str) -> String {
        let rendered = match self.project().explain(true).render() {
            Ok(rendered) => rendered,
            Err(error) => return error.to_report(false),
        };
        let explanation = rendered.explanation().ok().flatten().expect("a record was asked for");
        let (selector, path) = asked.split_once(' ').unwrap_or((asked, ""));
        if selector.is_empty() {
            return explanation.to_lines(false);
        }
        match explanation.find(selector, path) {
            Ok(found) if found.path().is_empty() => found.to_lines(false),
            Ok(found) => found.to_text(false),
            Err(problem) => explanation.overlays_to_text(selector, false).unwrap_or_else(|| problem.to_report(false)),
        }
    }

    /// What is wrong, if anything.
    fn misfit(&self) -> Option<String> {
        if let Some(asked) = self.kind.strip_prefix("text explain") {
            let found = self.explained(asked.trim());
            return (found.trim_end() != self.expected.trim_end()).then(|| format!("it answers\n{found}"));
        }
        let found = self.render().and_then(|rendered| {
            rendered.to_text(if self.kind == "json output" { Format::Json } else { Format::Yaml })
        });
        match (self.kind, found) {
            ("text error", Ok(found)) => Some(format!("it does not fail, but gives\n{found}")),
            ("text error", Err(error)) => {
                let report = error.to_report(false);
                let unsaid = self.expected.lines().find(|line| !report.contains(line.trim()))?;
                Some(format!("`{unsaid}` is not said:\n{report}"))
            }
            (_, Ok(found)) if found.trim_end() == self.expected.trim_end() => None,
            (_, Ok(found)) => Some(format!("it gives\n{found}")),
            (_, Err(error)) => Some(format!("it fails:\n{}", error.to_report(false))),
        }
    }
}

#[test]
fn pages_show_what_is_rendered() {
    let (mut count, mut misfits) = (0, Vec::new());
    for entry in fs::read_dir(workspace().join("docs")).expect("the pages") {
        let path = entry.expect("a page").path();
        // Pictures stand beside the pages.
        if path.extension().is_none_or(|extension| extension != "md") {
            continue;
        }
        let page = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let examples = examples(&page);
        count += examples.len();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let wrong = examples.iter().filter_map(|one| Some(format!("{name}, {}: {}", one.heading, one.misfit()?)));
        misfits.extend(wrong);
    }
    assert!(misfits.is_empty(), "{}", misfits.join("\n"));
    assert!(count > 25, "{count} examples");
}

#[test]
fn blocks_of_a_page_are_read() {
    let page = "# A\n```yaml a.yml\na: #@ 1 +\n```\n```yaml\nno\n```\n```text error\ngot newline\n```\n# B\n```flags\n--x 1\n```\n\
                ```json output\n{}\n```\n";
    let found = examples(page);
    let shown: Vec<_> = found.iter().map(|one| (one.heading, one.files.len(), one.flags.len(), one.kind)).collect();
    assert_eq!(shown, [("A", 1, 0, "text error"), ("B", 0, 2, "json output")]);
    assert_eq!(found[0].misfit(), None);
    let output = Example { kind: "yaml output", ..found[0].clone() };
    assert!(output.misfit().is_some_and(|misfit| misfit.contains("it fails")));
}
