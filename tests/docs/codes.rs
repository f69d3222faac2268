//! Every code that is promised is one that a test raises.

use std::fs;
use std::path::Path;

use crate::workspace;

/// What no test can raise, and why.
const NOT_RAISED: [(&str, &str); 1] = [(
    "call::path-source",
    "where the compiler does not tell the file of a call, as an editor does: nothing is said there",
)];

/// The codes in the first columns of the tables.
fn promised(page: &str) -> Vec<&str> {
    let firsts = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let quoted = firsts.flat_map(|first| first.split('`').skip(1).step_by(2));
    quoted.filter(|name| name.contains("::")).collect()
}

/// All that tests say: files of tests, and modules of tests at the end of others. The name of each constant of the
/// engine stands for its code.
fn said(folder: &Path, all: bool, text: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder of the workspace") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_test = all || name == "tests" || name == "tests.rs";
        if path.is_dir() {
            if name != "target" && name != "fuzz" {
                said(&path, is_test, text);
            }
        } else if name == "codes.rs" {
            // This file.
        } else if let Ok(content) = fs::read_to_string(&path) {
            let from = if is_test { Some(0) } else { content.find("\nmod tests {") };
            text.push_str(&content[from.unwrap_or(content.len())..]);
        }
    }
}

#[test]
fn every_code_is_raised_by_a_test() {
    let page = fs::read_to_string(workspace().join("docs/diagnostics.md")).expect("the page");
    let constants = fs::read_to_string(workspace().join("ytt-engine/src/diag/code.rs")).expect("the codes");
    let constant = |code: &str| {
        let line = constants.lines().find(|line| line.ends_with(&format!(" = \"{code}\";")))?;
        line.trim_start().split(' ').next().map(|name| format!("Code::{name}"))
    };
    let mut text = String::new();
    for (folder, all) in [("ytt-engine", false), ("ytt-macros", false), ("ytt-build", false), ("tests", true)] {
        said(&workspace().join(folder), all, &mut text);
    }
    // A code may be the beginning of another one.
    let stands = |name: &str| {
        let behind = |at: usize| text[at + name.len()..].chars().next().unwrap_or(' ');
        text.match_indices(name).any(|(at, _)| !behind(at).is_alphanumeric() && !matches!(behind(at), '-' | '_'))
    };
    let is_raised = |code: &str| {
        let call = code.strip_prefix("call::").is_some_and(|name| stands(&format!("\"{name}\"")));
        call || stands(code) || constant(code).is_some_and(|name| stands(&name))
    };
    let codes = promised(&page);
    assert!(codes.len() > 200, "{} codes", codes.len());
    let missing: Vec<&str> = codes.into_iter().filter(|code| !is_raised(code)).collect();
    assert_eq!(missing, NOT_RAISED.map(|(code, _)| code), "no test raises these, or one does that is excused");
}
