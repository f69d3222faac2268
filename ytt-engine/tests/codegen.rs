//! Items of calls and the code that they become: each case is a text file below `codegen/`, and properties hold for random ones.
//!
//! A case begins with a sentence that says what it shows; then come `-- NAME --` lines, each with the text of a part below
//! it. A part is an input file, which the items name by its path, unless it is one of these:
//!
//! - `items`: what stands between the brackets of `include_ytt!`.
//! - `generated`: the items of Rust, as committed files show them; `#[allow(L)]` stands for the list of lints.
//! - `errors`, `warnings`: one a line, `LINE:COLUMN TOKEN: text` of the token in `items`; further lines are indented.
//!
//! `YTT_BLESS=1` writes what comes out into the cases. Predict it from the table of types before you run it, and read each
//! line that differs.

#[path = "support/case.rs"]
mod case;
#[path = "support/folder.rs"]
mod folder;
#[path = "codegen/properties.rs"]
mod properties;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use case::Case;
use folder::Folder;
use proc_macro2::{Group, TokenStream, TokenTree};
use ytt_engine::codegen::call::{self, CallError, Text};
use ytt_engine::codegen::expand::{Context, Expansion, expand};
use ytt_engine::codegen::items::Place;
use ytt_engine::codegen::plan::{Failure, Report};
use ytt_engine::codegen::pretty::pretty;

impl Folder {
    /// Expands a call whose paths start here, without variables.
    fn expand(&self, call: &str) -> Result<Expansion, Vec<Report>> {
        self.expand_with(call, &|_| None)
    }

    /// The same with variables.
    fn expand_with(&self, call: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Expansion, Vec<Report>> {
        let reports = |errors: Vec<CallError>| errors.into_iter().map(Report::from).collect::<Vec<_>>();
        let tokens: TokenStream = call.parse().unwrap_or_else(|error| panic!("{error}: {call}"));
        let call = call::parse(tokens, variable).map_err(reports)?;
        let resolve = |text: &Text| Ok(self.join(&text.value));
        let render = |plan: &ytt_engine::codegen::plan::Plan, only_values| match plan.render() {
            Err(_) if only_values => plan.values(),
            whole => whole,
        };
        let context =
            Context { resolve: &resolve, variable, render: &render, said: None, place: Place::File, has_lints: false };
        expand(&call, &context).map_err(|Failure { reports, .. }| reports)
    }
}

/// Is a part of this name what is expected, not what goes in?
fn is_expected(name: &str) -> bool {
    matches!(name, "generated" | "errors" | "warnings")
}

impl Case {
    /// The same case with what comes out now.
    fn run(&self, name: &str) -> Case {
        let parts = || self.parts.iter().map(|(name, text)| (name.as_str(), text.as_str()));
        let items = self.part("items").unwrap_or_default();
        let folder = Folder::with(name, parts().filter(|(name, _)| !is_expected(name) && *name != "items"));
        let root = format!("{}/", folder.display());
        let mut expected = Vec::new();
        match folder.expand(items) {
            Ok(expansion) => {
                expected.push(("generated", pretty(short(expansion.tokens))));
                expected.extend((!expansion.warnings.is_empty()).then(|| ("warnings", listed(&expansion.warnings))));
            }
            Err(reports) => expected.push(("errors", listed(&reports))),
        }
        let expected = expected.into_iter().map(|(name, text)| (name.to_owned(), text.replace(&root, "")));
        self.with(is_expected, expected)
    }
}

/// Reports in the order of their places.
fn listed(reports: &[Report]) -> String {
    let mut lines: Vec<_> = reports
        .iter()
        .map(|report| {
            let start = report.span.start();
            let token = report.span.source_text().unwrap_or_default();
            let text = report.text.trim_end().replace('\n', "\n  ");
            (start.line, start.column, format!("{}:{} {token}: {text}\n", start.line, start.column + 1))
        })
        .collect();
    lines.sort();
    lines.into_iter().map(|(_, _, line)| line).collect()
}

/// The lints that generated code is not meant for, as they stand in files.
const LINTS: &str = "allow(clippy::all,clippy::pedantic,clippy::nursery,clippy::restriction,dead_code,\
                     unreachable_pub,unnameable_types";

/// Tokens with `L` in the place of the lints.
fn short(tokens: TokenStream) -> TokenStream {
    let one = |token: TokenTree| match token {
        TokenTree::Group(group) => {
            let plain = group.stream().to_string().replace([' ', '\n'], "");
            let inside = match plain.strip_prefix(LINTS).map(|rest| rest.trim_start_matches(',')) {
                Some(")") => "allow(L)".parse().expect("tokens"),
                Some(rest) => format!("allow(L, {rest}").parse().expect("tokens"),
                None => short(group.stream()),
            };
            TokenTree::Group(Group::new(group.delimiter(), inside))
        }
        other => other,
    };
    tokens.into_iter().map(one).collect()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("codegen")
}

#[test]
fn a_file_that_is_no_text_is_no_literal() {
    let folder = Folder::with("no-text", [("a.txt", "(@= \"\\xff\" @)")]);
    let found = folder.expand("\"a.txt\", file = \"a.txt\"").unwrap_err();
    let texts: Vec<&str> = found.iter().map(|report| report.text.as_str()).collect();
    assert_eq!(texts, ["`a.txt` is not UTF-8: use `files` with `[(&str, &[u8])]` [call::file-not-text]"]);
}

#[test]
fn many_types_are_warned_of() {
    let keys = |count| (0..count).map(|key| format!("k{key}: {{v{key}: 1}}\n")).collect::<String>();
    for (count, warnings) in [(100, 0), (1000, 1)] {
        let folder = Folder::with(&format!("types-{count}"), [("a.yml", keys(count).as_str())]);
        let told = folder.expand("static A: T = document(\"a.yml\");").unwrap().warnings;
        let of_types = told.iter().filter(|report| report.text.ends_with("[call::many-types]"));
        assert_eq!(of_types.count(), warnings, "{count}");
    }
}

#[test]
fn cases() {
    let (mut report, mut wrong) = (String::new(), 0);
    let cases = case::cases(&root());
    for (name, case) in &cases {
        assert!(case.head.ends_with(".\n"), "{name} does not begin with a sentence");
        let came = case.run(name);
        if came == *case {
            continue;
        }
        came.bless(&root().join(format!("{name}.txt")));
        wrong += 1;
        let _ = writeln!(report, "{name}\n{}", case.differences(&came));
    }
    assert_eq!(wrong, 0, "of {} cases:\n{report}", cases.len());
}
