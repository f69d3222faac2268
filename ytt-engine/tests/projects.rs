//! Broken projects as people have them: each case of `tests/diagnostics/projects` lies in a folder, and the command
//! renders it there.
//!
//! A case begins with what is wrong, then has sections: `-- NAME --` for each input file, `-- args --` with one flag of the
//! command on a line, `-- mended NAME --` for what a file should be (`-- mended args --` for flags), `-- output --` with what
//! the mended project prints, and `-- expected --` with what the command says of the broken one. All files are inputs by
//! their top folders, except those that a flag names. `YTT_BLESS=1 cargo test --test projects` writes the last section anew.

#[path = "support/case.rs"]
mod case;
#[path = "support/folder.rs"]
mod folder;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use case::Case;
use folder::Folder;
use serde_json::Value;

/// A project: its files, and the flags of the command.
struct Project<'a> {
    files: Vec<(&'a str, &'a str)>,
    flags: &'a str,
}

impl Case {
    fn broken(&self) -> Project<'_> {
        Project { files: self.project_files().collect(), flags: self.part("args").unwrap_or_default() }
    }

    fn mended(&self) -> Project<'_> {
        let mended = |name: &str| self.part(&format!("mended {name}"));
        let Project { mut files, flags } = self.broken();
        for (name, text) in &mut files {
            *text = mended(name).unwrap_or(text);
        }
        Project { files, flags: mended("args").unwrap_or(flags) }
    }
}

impl Project<'_> {
    /// The arguments of the command, with an input for each top folder that no flag names.
    fn arguments(&self) -> Vec<&str> {
        let flags: Vec<&str> = self.flags.lines().flat_map(|line| line.splitn(2, ' ')).collect();
        let is_named = |name: &str| flags.iter().any(|flag| flag.rsplit('=').next() == Some(name));
        let mut inputs: Vec<&str> = Vec::new();
        for (name, _) in self.files.iter().filter(|(name, _)| !is_named(name)) {
            let top = name.split('/').next().unwrap_or(name);
            if !flags.contains(&"-f") && !inputs.contains(&top) {
                inputs.push(top);
            }
        }
        inputs.into_iter().flat_map(|top| ["-f", top]).chain(flags.iter().copied()).collect()
    }

    fn folder(&self) -> Folder {
        Folder::with("project", self.files.iter().copied())
    }

    fn run(&self, more: &[&str]) -> Output {
        run(&self.folder(), &[&self.arguments(), more].concat())
    }
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-ytt"));
    command.args(arguments).current_dir(folder).output().expect("the command can be run")
}

fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stderr);
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/diagnostics/projects")
}

#[test]
fn reports_say_what_to_change() {
    let mut failed = Vec::new();
    for (name, case) in case::cases(&root()) {
        let report = said(&case.broken().run(&[]));
        let came = case.with(|part| part == "expected", [("expected".to_owned(), report.clone())]);
        if report.is_empty() {
            failed.push(format!("{name}: nothing is said"));
        } else if came != case && !came.bless(&root().join(format!("{name}.txt"))) {
            failed.push(format!("{name}:\n{}", case.differences(&came)));
        }
    }
    assert!(failed.is_empty(), "{} of the reports differ:\n\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn the_edit_of_each_project_mends_it() {
    let mut failed = Vec::new();
    for (name, case) in case::cases(&root()) {
        assert!(case.broken().files.len() > 1, "{name} is no project: it has one file");
        let came = case.mended().run(&[]);
        if Some(printed(&came).as_str()) != case.part("output") {
            failed.push(format!("{name}:\n{}{}", printed(&came), said(&came)));
        }
    }
    assert!(failed.is_empty(), "{} projects are not mended:\n\n{}", failed.len(), failed.join("\n"));
}

/// What an edit changes: the path, the bytes, and what is written there.
type Edit<'a> = (&'a str, std::ops::Range<usize>, &'a str);

/// The edits that a program may make together.
fn edits(help: &Value) -> Option<Vec<Edit<'_>>> {
    (help["applicability"] == "machine-applicable").then_some(())?;
    let offset = |edit: &Value, name: &str| usize::try_from(edit[name].as_u64()?).ok();
    let bytes = |edit: &Value| Some(offset(edit, "start")?..offset(edit, "end")?);
    let all = help["edits"].as_array()?.iter();
    all.map(|edit| Some((edit["path"].as_str()?, bytes(edit)?, edit["new"].as_str()?))).collect()
}

/// What a problem says, without its places, which an edit may move.
fn facts(problem: &Value) -> (String, String, Vec<String>) {
    let labels = problem["labels"].as_array().expect("a list").iter().map(|label| label["text"].to_string());
    (problem["code"].to_string(), problem["message"].to_string(), labels.collect())
}

fn problems(output: &Output) -> Vec<Value> {
    said(output).lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// Each of them by itself: either the project renders as it should, or the problem is gone and another is left.
#[test]
fn what_programs_may_apply_is_what_people_would_do() {
    let (mut failed, mut applied) = (Vec::new(), 0);
    for (name, case) in case::cases(&root()) {
        let project = case.broken();
        let json = ["--message-format", "json"];
        let found = problems(&project.run(&json));
        for problem in &found {
            for help in problem["helps"].as_array().expect("a list") {
                let Some(edits) = edits(help).filter(|edits| !edits.is_empty()) else { continue };
                applied += 1;
                let folder = project.folder();
                // Each is of another file.
                for (path, range, new) in edits {
                    let mut text = folder.read(path);
                    text.replace_range(range, new);
                    folder.write(path, text);
                }
                let came = run(&folder, &project.arguments());
                let is_mended = match came.status.success() {
                    true => Some(printed(&came).as_str()) == case.part("output"),
                    false => {
                        let left = problems(&run(&folder, &[&project.arguments()[..], &json].concat()));
                        let count = |all: &[Value]| all.iter().filter(|one| facts(one) == facts(problem)).count();
                        count(&left) < count(&found)
                    }
                };
                if !is_mended {
                    failed.push(format!("{name}: {}\n{}{}", help["text"], printed(&came), said(&came)));
                }
            }
        }
    }
    assert!(failed.is_empty(), "{} edits are wrong:\n\n{}", failed.len(), failed.join("\n"));
    assert!(applied > 10, "only {applied} edits may be made by a program");
}
