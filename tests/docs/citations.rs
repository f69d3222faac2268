//! Sections of the pages that code cites exist: `docs/PAGE.md#section`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::{texts, workspace};

/// The anchors of a page, as they are linked.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings = page.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
    headings.map(|text| text.to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-")).collect()
}

/// `PAGE.md` or `PAGE.md#section` of each place that cites a page of `docs`.
fn cited(text: &str) -> BTreeSet<String> {
    let rest = text.split("docs/").skip(1);
    let part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '#' | '.');
    let names = rest.map(|rest| rest.split(|letter| !part(letter)).next().unwrap_or_default().trim_end_matches('.'));
    names.filter(|name| name.contains(".md")).map(str::to_owned).collect()
}

#[test]
fn what_code_cites_exists() {
    let mut code = String::new();
    for folder in ["ytt-engine/src", "ytt-engine/tests", "ytt-macros/src", "ytt-build/src", "tests"] {
        texts(&workspace().join(folder), ".rs", &mut code);
    }
    for page in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        code.push_str(&fs::read_to_string(workspace().join(page)).unwrap_or_else(|error| panic!("{page}: {error}")));
    }
    let exists = |name: &&String| {
        let (page, section) = name.split_once('#').map_or((name.as_str(), None), |(page, part)| (page, Some(part)));
        let text = fs::read_to_string(workspace().join("docs").join(Path::new(page)));
        text.is_ok_and(|text| section.is_none_or(|section| anchors(&text).contains(section)))
    };
    let all = cited(&code);
    let missing: Vec<&String> = all.iter().filter(|name| !exists(name) && !name.starts_with("PAGE")).collect();
    assert!(missing.is_empty(), "cited, but not there: {missing:?}");
    assert!(all.iter().filter(|name| name.contains('#')).count() > 10, "{all:?}");
}

#[test]
fn citations_are_read_off_comments() {
    assert_eq!(
        cited(concat!("see `doc", "s/a-b.md#one-two`, and doc", "s/c.md. doc", "s/x")),
        ["a-b.md#one-two", "c.md"].map(str::to_owned).into()
    );
    assert_eq!(anchors("# A b\ntext\n## `x`, y\n"), ["a-b", "x-y"].map(str::to_owned).into());
}
