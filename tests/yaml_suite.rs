//! The official YAML test suite: which of its cases the reader accepts, beside what the suite expects.
//!
//! Set `YAML_SUITE` to a clone of <https://github.com/yaml/yaml-test-suite>; without it the test is listed as ignored.
//! The result must be the table in `docs/yaml-suite.md`; with `YTT_BLESS=1` it is written there, and new rows that differ
//! from the suite ask for a reason. This is a program of its own, without the usual harness, since that one can only
//! ignore what is ignored always.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc;
use std::time::Duration;
use std::{env, fs, thread};

use ytt_engine::yaml::{DocumentSet, NodeRef};

const NAME: &str = "the_table_is_what_the_reader_does";

/// Far longer than any case takes.
const HANGS: Duration = Duration::from_secs(60);

const HEAD: &str = "\
# The official YAML test suite

What the reader does with each case of <https://github.com/yaml/yaml-test-suite>, and why where the suite expects
otherwise. The suite follows YAML 1.2; ytt reads with go-yaml v2, which knows a part of YAML 1.1, so what ytt 0.48.0
does is right here, and it decides alike in every case. Each is read as a file without templates.

    YAML_SUITE=../yaml-test-suite cargo test -p ytt-tests --test yaml_suite                # checks this table
    YAML_SUITE=../yaml-test-suite YTT_BLESS=1 cargo test -p ytt-tests --test yaml_suite  # writes it, reasons stay

";

const NO_REASON: &str = "?";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--list") {
        println!("{NAME}: test");
        return ExitCode::SUCCESS;
    }
    let mut filters = arguments.iter().filter(|argument| !argument.starts_with('-')).peekable();
    if filters.peek().is_some() && !filters.any(|filter| NAME.contains(filter.as_str())) {
        println!("\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 1 filtered out\n");
        return ExitCode::SUCCESS;
    }
    println!("\nrunning 1 test");
    let (word, counts, problem) = match env::var_os("YAML_SUITE") {
        None => ("ignored, YAML_SUITE names no clone of https://github.com/yaml/yaml-test-suite", (0, 0, 1), None),
        // A relative path starts at the workspace.
        Some(folder) => match run(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder)) {
            Ok(()) => ("ok", (1, 0, 0), None),
            Err(problem) => ("FAILED", (0, 1, 0), Some(problem)),
        },
    };
    println!("test {NAME} ... {word}\n");
    if let Some(problem) = &problem {
        println!("{problem}\n");
    }
    let (passed, failed, ignored) = counts;
    let result = if problem.is_some() { "FAILED" } else { "ok" };
    println!(
        "test result: {result}. {passed} passed; {failed} failed; {ignored} ignored; 0 measured; 0 filtered out\n"
    );
    if problem.is_some() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// One case of the suite.
struct Case {
    id: String,
    text: String,
    /// The suite expects that it is read.
    is_valid: bool,
}

fn run(suite: &Path) -> Result<(), String> {
    let cases = cases(suite)?;
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/yaml-suite.md");
    let table = fs::read_to_string(&path).unwrap_or_default();
    let reasons = reasons(&table);
    let (mut rows, mut problems) = (String::new(), String::new());
    let (mut accepted, mut differing) = (0, 0);
    for case in &cases {
        let error = read(case)?;
        accepted += usize::from(error.is_none());
        let word = if error.is_none() { "accepted" } else { "rejected" };
        if error.is_none() == case.is_valid {
            let _ = writeln!(rows, "| {} | {word} | | |", case.id);
            continue;
        }
        differing += 1;
        let reason = reasons.get(case.id.as_str()).copied().unwrap_or(NO_REASON);
        if reason == NO_REASON {
            let _ = writeln!(problems, "{}: {word}, without a reason in the table", case.id);
        }
        let error = error.map(|error| format!("`{}`", error.replace('|', "\\|"))).unwrap_or_default();
        let _ = writeln!(rows, "| {} | **{word}** | {error} | {reason} |", case.id);
    }
    let new = format!(
        "{HEAD}{} cases: {accepted} accepted, {} rejected; {differing}, in bold, differ from what the suite expects.\n\n\
         | case | reader | its error | why the suite expects otherwise |\n|---|---|---|---|\n{rows}",
        cases.len(),
        cases.len() - accepted,
    );
    if env::var_os("YTT_BLESS").is_some() {
        fs::write(&path, new).map_err(|error| format!("{}: {error}", path.display()))?;
    } else if new != table {
        for (new, old) in new.lines().zip(table.lines()).filter(|(new, old)| new != old) {
            let _ = writeln!(problems, "table: {old}\nfound: {new}");
        }
        problems.push_str("docs/yaml-suite.md is not what the reader does; YTT_BLESS=1 writes it\n");
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Reads a case, and what it prints as; gives the error of a case that is rejected. A case must not hang or panic.
fn read(case: &Case) -> Result<Option<String>, String> {
    let (sender, receiver) = mpsc::channel();
    let text = case.text.clone();
    let reader = thread::spawn(move || {
        let result = match DocumentSet::parse("in.yaml", text.as_bytes()) {
            Ok(set) => {
                let printed = set.to_yaml().expect("no limit is reached");
                DocumentSet::parse("out.yaml", printed.as_bytes()).expect("printed text reads");
                None
            }
            Err(error) => Some(error.message().to_owned()),
        };
        // Nobody waits any more if this came late.
        let _ = sender.send(result);
    });
    match receiver.recv_timeout(HANGS) {
        Ok(result) => Ok(result),
        Err(_) if reader.is_finished() => Err(format!("{}: the reader panicked", case.id)),
        Err(_) => Err(format!("{}: the reader hangs", case.id)),
    }
}

/// The reasons that the table has, by case.
fn reasons(table: &str) -> BTreeMap<&str, &str> {
    let cells = table.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    cells.filter_map(|cells| Some((cells.split_once(" | ")?.0, cells.rsplit_once(" | ")?.1))).collect()
}

/// All cases in the order of their names. The suite holds them as YAML, which the reader under test reads.
fn cases(suite: &Path) -> Result<Vec<Case>, String> {
    let folder = suite.join("src");
    let entries = fs::read_dir(&folder).map_err(|error| format!("YAML_SUITE: {}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "yaml"));
    files.sort();
    let mut cases = Vec::new();
    for file in &files {
        let problem = |what: &dyn std::fmt::Display| format!("{}: {what}", file.display());
        let bytes = fs::read(file).map_err(|error| problem(&error))?;
        let set = DocumentSet::parse("case", &bytes).map_err(|error| problem(&error))?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let tests: Vec<NodeRef<'_>> = set.get(0).into_iter().flat_map(NodeRef::items).collect();
        // A case of several has the text of the one before, if it has none.
        let mut text = None;
        for (number, test) in tests.iter().enumerate() {
            text = test.get("yaml").and_then(NodeRef::as_str).or(text);
            let text = text.ok_or_else(|| problem(&"a case without a text"))?;
            let width = (tests.len() - 1).to_string().len() + 1;
            let id = if tests.len() > 1 { format!("{name}-{number:0width$}") } else { name.to_string() };
            cases.push(Case { id, text: unescape(text), is_valid: test.get("fail").is_none() });
        }
    }
    if cases.is_empty() { Err(format!("YAML_SUITE: {}: no cases", folder.display())) } else { Ok(cases) }
}

/// Signs that the suite writes for characters which are hard to see.
fn unescape(text: &str) -> String {
    let mut out = String::new();
    for part in text.split_inclusive('»') {
        match part.strip_suffix('»') {
            Some(tab) => out.extend([tab.trim_end_matches('—'), "\t"]),
            None => out.push_str(part),
        }
    }
    let out = out.replace('␣', " ").replace('←', "\r").replace('⇔', "\u{FEFF}").replace('↵', "");
    out.strip_suffix("∎\n").map(str::to_owned).unwrap_or(out)
}
