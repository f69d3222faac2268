//! Whole renders, each a text file below `cases/`: what goes in, and what comes out or which problems are reported.
//!
//! A case is a text of parts. It begins with a sentence that says what it shows; then come `-- NAME --` lines, each
//! with the text of a part below it. A part is an input file unless it is one of these:
//!
//! - `args`: one argument of the command a line, see [`project`]. The inputs are then read from a folder; without it
//!   they are given by their names, in the order in which they stand.
//! - `output`: the documents as YAML; `output NAME`: one file of the result.
//! - `error`: the problems, each as `FILE:LINE:COLUMN: text`, further lines of the text indented by two blanks.
//! - `warnings`: what is warned of by default, as `FILE:LINE:COLUMN: code`.
//!
//! `YTT_BLESS=1` writes what comes out into the cases. Read each difference: the outputs are those of ytt 0.48.0. Where
//! they are not, the sentence is followed by a line that begins with `ytt: ` and says what ytt does.

#[path = "support/case.rs"]
mod case;
#[path = "support/folder.rs"]
mod folder;
#[path = "support/whole.rs"]
mod whole;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use case::{Case, cases};
use folder::{Folder, files};
use whole::{is_expected, project};
use ytt_engine::{Diagnostic, Format};

/// Folders of `cases`, each with a test below.
const AREAS: [&str; 7] = ["data-values", "library", "output", "overlays", "schema", "templates", "text-templates"];

impl Case {
    /// What makes the text no case.
    fn faults(&self) -> Vec<&'static str> {
        let names: Vec<&str> = self.parts.iter().map(|(name, _)| name.as_str()).collect();
        let outputs = names.iter().filter(|name| name.starts_with("output")).count();
        let repeated = names.iter().enumerate().any(|(at, name)| names[..at].contains(name));
        [
            (!self.head.ends_with(".\n") && !self.head.contains(".\nytt: "), "does not begin with a sentence"),
            (self.inputs().next().is_none(), "has no input"),
            (outputs == 0 && !names.contains(&"error"), "says not what comes out"),
            (outputs > 0 && names.contains(&"error"), "expects an output and an error"),
            (repeated, "has a part twice"),
        ]
        .into_iter()
        .filter_map(|(is_so, fault)| is_so.then_some(fault))
        .collect()
    }

    /// The same case with what comes out now.
    fn run(&self, name: &str) -> Case {
        let inputs = self.inputs().map(|(name, text)| (name, text));
        let folder = self.part("args").map(|_| Folder::with(&name.replace('/', "-"), inputs));
        let rendered = project(self, folder.as_deref()).render();
        let root = folder.as_ref().map(|folder| format!("{}/", folder.display())).unwrap_or_default();
        let mut expected = Vec::new();
        let printed = rendered.and_then(|rendered| {
            let (text, warnings) = rendered.to_text_and_warnings(Format::Yaml)?;
            let warnings: Vec<Diagnostic> = rendered.warnings().iter().cloned().chain(warnings).collect();
            let files = rendered.files()?.to_vec();
            Ok((text, warnings, files))
        });
        let warnings = match printed {
            Ok((text, warnings, files)) => {
                let named: Vec<&String> =
                    self.parts.iter().map(|(name, _)| name).filter(|name| name.starts_with("output ")).collect();
                if named.is_empty() || self.part("output").is_some() {
                    expected.push(("output".to_owned(), text));
                }
                for part in named {
                    let file = files.iter().find(|file| file.path() == &part["output ".len()..]);
                    let text = file.and_then(|file| file.text()).unwrap_or("no such file, or no text\n");
                    expected.push((part.clone(), text.to_owned()));
                }
                warnings
            }
            Err(error) => {
                let mut text = String::new();
                for problem in error.diagnostics() {
                    let message = problem.message().replace('\n', "\n  ");
                    let _ = writeln!(text, "{}: {message}", place(problem, &root));
                }
                expected.push(("error".to_owned(), text));
                error.warnings().to_vec()
            }
        };
        if !warnings.is_empty() {
            let line = |warning: &Diagnostic| format!("{}: {}\n", place(warning, &root), warning.code().as_str());
            expected.push(("warnings".to_owned(), warnings.iter().map(line).collect()));
        }
        self.with(is_expected, expected)
    }
}

/// `FILE:LINE:COLUMN`; files of the case without the folder they were read from, and `nowhere` for what an argument is
/// wrong about.
fn place(problem: &Diagnostic, root: &str) -> String {
    match (problem.file(), problem.position()) {
        (Some(file), Some(at)) if !file.ends_with(".rs") => {
            format!("{}:{}:{}", file.strip_prefix(root).unwrap_or(&file), at.line, at.column)
        }
        _ => "nowhere".to_owned(),
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("cases")
}

/// Runs the cases of an area.
#[track_caller]
fn check(area: &str) {
    let (mut report, mut wrong) = (String::new(), 0);
    let root = root().join(area);
    let cases = cases(&root);
    for (name, case) in &cases {
        let came = case.run(name);
        let faults = came.faults();
        if came == *case && faults.is_empty() {
            continue;
        }
        came.bless(&root.join(format!("{name}.txt")));
        wrong += 1;
        let _ = writeln!(report, "{area}/{name}");
        for fault in faults {
            let _ = writeln!(report, "  {fault}");
        }
        report += &case.differences(&came);
    }
    assert_eq!(wrong, 0, "of {} cases of {area}:\n{report}", cases.len());
}

#[test]
fn every_area_has_a_test() {
    let mut found: Vec<String> = files(&root()).iter().map(|file| file.split('/').next().unwrap().to_owned()).collect();
    found.dedup();
    assert_eq!(found, AREAS);
}

#[test]
fn a_case_is_read_as_it_is_written() {
    let text = "Shows a thing.\n-- a.yml --\n-- b: 1 --\n--- \n-- x\n-- output --\nb: 1\n";
    let case = Case::parse(text);
    let names: Vec<&str> = case.parts.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["a.yml", "b: 1", "output"]);
    assert_eq!(case.part("b: 1"), Some("--- \n-- x\n"));
    assert_eq!(case.to_text(), text);
    assert_eq!(Case::parse("No stop\n-- output --\n-- error --\n").faults().len(), 3);
}

#[test]
fn overlays() {
    check("overlays");
}

#[test]
fn data_values() {
    check("data-values");
}

#[test]
fn library() {
    check("library");
}

#[test]
fn schema() {
    check("schema");
}

#[test]
fn output() {
    check("output");
}

#[test]
fn templates() {
    check("templates");
}

#[test]
fn text_templates() {
    check("text-templates");
}
