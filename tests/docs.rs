//! The pages in `docs/` whose tables name tests: what they name exists, and what exists is named.
//!
//! A case is named by its path below its area, without `.txt`, between backquotes: `match/by-string`. One that says what
//! ytt does instead is named under the heading of the differences too. The page on rebuilds names functions.
#![forbid(unsafe_code)]

#[path = "../ytt-engine/tests/support/case.rs"]
mod case;
#[path = "docs/citations.rs"]
mod citations;
#[path = "docs/codes.rs"]
mod codes;
#[path = "docs/examples.rs"]
mod examples;
#[path = "../ytt-engine/tests/support/folder.rs"]
mod folder;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Each page and the folder of the cases that it has to name.
const PAGES: [(&str, &str); 1] = [("docs/overlays.md", "ytt-engine/tests/cases/overlays")];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a member of the workspace").to_path_buf()
}

/// The heading in each page below which differences from ytt are listed.
const DIFFERENCES: &str = "\n## Where we differ";

/// What rows of tables name between backquotes in their last column.
fn named(page: &str) -> BTreeSet<String> {
    let last_columns = page.lines().filter_map(|line| line.strip_suffix(" |")?.rsplit(" | ").next());
    let quoted = |column: &str| column.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    last_columns.flat_map(quoted).collect()
}

#[test]
fn pages_name_every_case() {
    for (page, folder) in PAGES {
        let text = fs::read_to_string(workspace().join(page)).unwrap_or_else(|error| panic!("{page}: {error}"));
        // With whether they say what ytt does instead.
        let cases = case::cases(&workspace().join(folder)).into_iter();
        let there: BTreeMap<_, _> = cases.map(|(name, case)| (name, case.head.contains("\nytt: "))).collect();
        let missing: Vec<_> = named(&text).into_iter().filter(|name| !there.contains_key(name)).collect();
        assert!(missing.is_empty(), "{page} names what is no case below {folder}: {missing:#?}");
        let differences = text.find(DIFFERENCES).unwrap_or_else(|| panic!("{page} lists no differences"));
        for (only, part) in [(false, &text[..]), (true, &text[differences..])] {
            let named = named(part);
            let unnamed: Vec<_> =
                there.iter().filter(|(name, differs)| **differs >= only && !named.contains(*name)).collect();
            assert!(unnamed.is_empty(), "{page} does not name these cases of {folder}: {unnamed:#?}");
        }
    }
}

/// The files that README shows are real, and what they give is what it says.
#[test]
fn readme_shows_what_is_rendered() {
    let folder = workspace().join("tests/cases/readme");
    let readme = fs::read_to_string(workspace().join("README.md")).expect("README.md");
    for file in ["config/web.yml", "config/schema.yml", "overlays/prod.yml", "overlays/hotfix.yml", "prod.yml"] {
        let text = fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(readme.contains(&format!("```yaml\n{text}```\n")), "README does not show {file} as it is");
    }
    let project = ytt_engine::Project::for_command()
        .base_dir(&folder)
        .read("config")
        .read("overlays/prod.yml")
        .data_value("replicas", 3)
        .data_value("image", "shop/web:1.5");
    let rendered = project.clone().render().expect("the example renders");
    let expected = fs::read_to_string(folder.join("prod.yml")).expect("what it gives");
    assert_eq!(rendered.to_text(ytt_engine::Format::Yaml).expect("it prints"), expected);
    let rendered = project.read("overlays/hotfix.yml").render().expect("the example renders");
    let [told] = rendered.warnings() else { panic!("{:?}", rendered.warnings()) };
    let report = told.to_report(false).replace(&format!("{}/", folder.display()), "");
    let report = report.trim_end();
    assert!(readme.contains(&format!("```text\n{report}\n```\n")), "README does not show this lint:\n{report}");
}

/// The names of the tests in a source file.
fn tests(source: &str) -> BTreeSet<String> {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let marked = lines.windows(2).filter(|pair| pair[0] == "#[test]");
    marked.filter_map(|pair| Some(pair[1].strip_prefix("fn ")?.split('(').next()?.to_owned())).collect()
}

#[test]
fn the_page_on_rebuilds_names_its_tests() {
    let read =
        |name: &str| fs::read_to_string(workspace().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let rows = named(&read("docs/rebuilds.md"));
    assert_eq!(rows, tests(&read("tests/consumers/rebuilds.rs")));
}

#[test]
fn the_page_on_security_names_its_tests() {
    let read =
        |name: &str| fs::read_to_string(workspace().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let page = read("docs/security.md");
    let words: BTreeSet<&str> = page.split('`').skip(1).step_by(2).collect();
    let sources: Vec<&str> = words.iter().copied().filter(|word| word.ends_with(".rs")).collect();
    let all: BTreeSet<String> = sources.iter().flat_map(|name| tests(&read(name))).collect();
    // Names of tests are sentences.
    let is_test = |word: &&str| {
        let is_part = |character: char| character == '_' || character.is_ascii_lowercase();
        word.matches('_').count() > 1 && word.chars().all(is_part)
    };
    let gone: Vec<&str> = words.iter().copied().filter(is_test).filter(|name| !all.contains(*name)).collect();
    assert!(gone.is_empty(), "on the page only: {gone:?}");
    let own = tests(&read("ytt-engine/tests/hermetic.rs"));
    let unnamed: Vec<&String> = own.iter().filter(|name| !words.contains(name.as_str())).collect();
    assert!(unnamed.is_empty(), "not on the page: {unnamed:?}");
}

#[test]
fn cases_are_read_off_the_last_column() {
    let page = "`a/no`\n| says | cases |\n|---|---|\n| `by` here | `a/b`, `c/d` |\n| x | none |\n";
    assert_eq!(named(page), ["a/b", "c/d"].map(str::to_owned).into());
}

/// Names of mistakes in a call, as a text shows them.
fn mistakes(text: &str) -> BTreeSet<String> {
    let rest = text.split("call::").skip(1);
    rest.map(|rest| rest.split(|next: char| next != '-' && !next.is_ascii_lowercase()).next().unwrap_or_default())
        .filter(|name| name.contains('-') || *name == "nothing" || *name == "syntax")
        .map(str::to_owned)
        .collect()
}

/// All texts below a folder with this end of their names.
fn texts(folder: &Path, end: &str, found: &mut String) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("an entry of a folder").path();
        if path.is_dir() {
            texts(&path, end, found);
        } else if path.to_string_lossy().ends_with(end) {
            found.push_str(&fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
        }
    }
}

#[test]
fn every_warning_has_a_level_to_set() {
    let page = fs::read_to_string(workspace().join("docs/diagnostics.md")).expect("the page");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | warning"));
    // What a call could be without is told by whoever reads calls, always.
    let codes: Vec<&str> = rows.map(|(code, _)| code).filter(|code| !code.starts_with("call::")).collect();
    assert!(codes.len() > 20, "{codes:?}");
    let refused: Vec<&&str> = codes.iter().filter(|code| ytt_engine::codegen::check_lint(code).is_err()).collect();
    assert!(refused.is_empty(), "{refused:?}");
}

#[test]
fn the_page_on_errors_names_mistakes_in_calls() {
    let page = fs::read_to_string(workspace().join("docs/diagnostics.md")).expect("the page");
    let named = mistakes(&page);
    let (mut shown, mut code) = (String::new(), String::new());
    texts(&workspace().join("tests/ui/fail"), ".stderr", &mut shown);
    for folder in ["ytt-engine/src/codegen", "ytt-macros/src", "ytt-build/src"] {
        texts(&workspace().join(folder), ".rs", &mut code);
    }
    let unnamed: Vec<String> = mistakes(&shown).difference(&named).cloned().collect();
    assert!(unnamed.is_empty(), "not on the page: {unnamed:?}");
    let is_in_code = |name: &&String| code.contains(&format!("\"{name}\"")) || code.contains(&format!("call::{name}]"));
    let gone: Vec<&String> = named.iter().filter(|name| !is_in_code(name)).collect();
    assert!(gone.is_empty(), "on the page only: {gone:?}");
    assert!(named.len() > 80, "{} names", named.len());
}
