//! Cases in text files: a case begins with what it shows; then come `-- NAME --` lines, each with the text of a part
//! below it. What the parts mean is up to the test program, which has `folder.rs` beside this file too.
#![allow(dead_code, reason = "each test program uses a part")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::folder::files;

#[derive(Debug, PartialEq)]
pub struct Case {
    /// What stands in front of the parts.
    pub head: String,
    pub parts: Vec<(String, String)>,
}

impl Case {
    pub fn parse(text: &str) -> Case {
        let mut case = Case { head: String::new(), parts: Vec::new() };
        for line in text.split_inclusive('\n') {
            let part = line.strip_prefix("-- ").and_then(|rest| rest.strip_suffix(" --\n"));
            match (part, case.parts.last_mut()) {
                (Some(part), _) => case.parts.push((part.to_owned(), String::new())),
                (None, Some((_, text))) => text.push_str(line),
                (None, None) => case.head.push_str(line),
            }
        }
        case
    }

    pub fn to_text(&self) -> String {
        self.parts.iter().fold(self.head.clone(), |mut text, (name, part)| {
            let _ = write!(text, "-- {name} --\n{part}");
            text
        })
    }

    pub fn part(&self, name: &str) -> Option<&str> {
        self.parts.iter().find(|(part, _)| part == name).map(|(_, text)| text.as_str())
    }

    /// The parts of a broken project that are its input files.
    pub fn project_files(&self) -> impl Iterator<Item = (&str, &str)> {
        let is_input = |name: &str| !matches!(name, "args" | "output" | "expected") && !name.starts_with("mended ");
        self.parts.iter().map(|(name, text)| (name.as_str(), text.as_str())).filter(move |(name, _)| is_input(name))
    }

    /// The same case with what came out in the place of what is expected.
    pub fn with(&self, is_expected: fn(&str) -> bool, came: impl IntoIterator<Item = (String, String)>) -> Case {
        let kept = self.parts.iter().filter(|(name, _)| !is_expected(name)).cloned();
        Case { head: self.head.clone(), parts: kept.chain(came).collect() }
    }

    /// Parts that are not in both, for people.
    pub fn differences(&self, came: &Case) -> String {
        let mut report = String::new();
        for (what, parts, others) in [("expected", &self.parts, &came.parts), ("but came", &came.parts, &self.parts)] {
            for (name, text) in parts.iter().filter(|part| !others.contains(part)) {
                let text: String = text.split_inclusive('\n').map(|line| format!("    {line}")).collect();
                let _ = writeln!(report, "  {what} {name}:\n{text}");
            }
        }
        report
    }

    /// With `YTT_BLESS=1` the file of the case is written. Says whether it was.
    pub fn bless(&self, path: &Path) -> bool {
        let is_asked = std::env::var_os("YTT_BLESS").is_some();
        if is_asked {
            fs::write(path, self.to_text()).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        }
        is_asked
    }
}

/// The cases below a folder by their names, which are their paths from there without `.txt`. Nothing else may be there but
/// sources of tests.
#[track_caller]
pub fn cases(root: &Path) -> Vec<(String, Case)> {
    let mut cases = Vec::new();
    for file in files(root).iter().filter(|file| !file.ends_with(".rs")) {
        let name = file.strip_suffix(".txt").unwrap_or_else(|| panic!("{file} is no case: cases end in .txt"));
        let text = fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        cases.push((name.to_owned(), Case::parse(&text)));
    }
    assert!(!cases.is_empty(), "no cases below {}", root.display());
    cases
}
