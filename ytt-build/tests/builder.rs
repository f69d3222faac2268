//! The builder as a build script uses it: places of problems, order of values, outputs that change.

#[path = "../../ytt-engine/tests/support/folder.rs"]
mod folder;

use std::fs;

use folder::{Folder, files};
use ytt_build::{Builder, Failure, Level, Limits};

impl Folder {
    fn builder(&self, path: &str) -> Builder {
        Builder::new(path).package_dir(&**self).out_dir(self.join("out"))
    }

    /// Names of all files below `out/files`.
    fn rendered(&self) -> Vec<String> {
        files(&self.join("out/files"))
    }
}

const TEMPLATE: &str = "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.a\n";

#[test]
fn problems_name_the_line_of_the_script() {
    let folder = Folder::with("lines", [("c/a.yml", TEMPLATE)]);
    let first = line!() + 1;
    let error = folder
        .builder("no-such-input")
        .overlay("no-such-overlay")
        .data_value_file("a", "no-such-text")
        .data_values_file("no-such-values")
        .file_mark("x")
        .data_value("l:a", 1)
        .render()
        .unwrap_err();
    let lines: Vec<Option<u32>> =
        error.diagnostics().iter().map(|problem| problem.position().map(|at| at.line)).collect();
    let expected: Vec<Option<u32>> = [2, 3, 4, 5, 6].map(|number| Some(first + number)).to_vec();
    assert_eq!(lines[1..], expected, "{error:?}");
    for problem in error.diagnostics() {
        assert_eq!(problem.file().as_deref(), Some(file!()));
    }
}

#[test]
fn the_line_of_the_script_is_shown() {
    let folder = Folder::with("shown", [("c/s.yml", "#@data/values-schema\n---\nport: 80\n")]);
    let line = line!() + 1;
    let failure = folder.builder("c").data_value("port", "http").try_build().unwrap_err();
    let report = failure.report();
    assert!(report.starts_with("error[schema::type]: Expected integer, but was string\n"), "{report}");
    let place = format!("--> {}:{line}:39\n", file!());
    assert!(report.contains(&place), "{place}{report}");
    assert!(report.contains(".data_value(\"port\", \"http\").try_build()"), "{report}");
    assert!(report.contains(&format!("| {}{}\n", " ".repeat(38), "^".repeat("data_value".len()))), "{report}");
}

#[test]
fn of_the_values_of_code_the_last_one_counts() {
    let folder =
        Folder::with("order", [("c/a.yml", TEMPLATE), ("text", "of a file"), ("v.yml", "a: of a values file")]);
    let first = folder.builder("c").data_value_file("a", "text");
    let text = |builder: Builder| builder.render().unwrap().to_text(ytt_build::Format::Yaml).unwrap();
    assert_eq!(text(first.clone()), "a: of a file\n");
    assert_eq!(text(first.data_value("a", "of code").data_values_file("v.yml")), "a: of code\n");
    assert_eq!(text(folder.builder("c").data_value("a", "x").data_value_file("a", "text")), "a: of a file\n");
}

#[test]
fn files_come_and_go() {
    let folder = Folder::new("files");
    let write = |names: &[&str]| {
        let builder = names.iter().fold(folder.builder("c"), |builder, name| builder.file(*name, "x"));
        builder.write_files("files").try_build()
    };
    fs::create_dir_all(folder.join("c")).unwrap();
    let output = write(&["a.txt", "d.txt/b.txt"]).unwrap();
    assert_eq!((output.written.len(), output.unchanged.len()), (2, 0));
    assert_eq!(folder.rendered(), [".ytt-files", "a.txt", "d.txt/b.txt"]);
    let output = write(&["a.txt", "d.txt/b.txt"]).unwrap();
    assert_eq!((output.written.len(), output.unchanged.len()), (0, 2));
    folder.write("out/files/own", "");
    // A file takes the place of a folder, and the other way round.
    write(&["a.txt/c.txt", "d.txt"]).unwrap();
    assert_eq!(folder.rendered(), [".ytt-files", "a.txt/c.txt", "d.txt", "own"]);
    write(&["e.txt", "e.txt"]).unwrap();
    assert_eq!(folder.rendered(), [".ytt-files", "e.txt", "own"]);
    assert!(!folder.join("out/files/a.txt").exists(), "empty folders are removed");

    for names in [["../x.txt", "y.txt"], ["y.txt", "y.txt/z.txt"]] {
        assert!(write(&names).is_err(), "{names:?}");
    }
    assert_eq!(folder.rendered(), [".ytt-files", "e.txt", "own"], "a failed build changes nothing");
}

#[test]
fn a_report_shows_as_many_problems_as_the_limit_says() {
    let schema = "#@data/values-schema\n---\na: 1\nb: 1\nc: 1\n";
    let folder = Folder::with("reports", [("c/schema.yml", schema)]);
    let mut limits = Limits::build();
    limits.reports = 2;
    let builder = folder.builder("c").data_value("a", "x").data_value("b", "x").data_value("c", "x");
    let failure = builder.limits(limits).try_build().unwrap_err();
    let report = failure.report();
    assert_eq!(report.matches("error[").count(), 2, "{report}");
    assert!(report.ends_with("and 1 more\n"), "{report}");
    assert!(matches!(failure, Failure::Render(_)) && failure.inputs().is_some());
    assert!(!folder.join("out").exists(), "nothing is written");
}

/// Data values stand in for a render that fails only where they are all that code is made of.
#[test]
fn a_failed_render_writes_nothing() {
    let schema = "#@data/values-schema\n---\na: 1\n";
    let folder = Folder::with("failed", [("c/a.yml", "#@ fail(\"no\")\n---\nb: 1\n"), ("c/schema.yml", schema)]);
    assert!(folder.builder("c").try_build().is_err());
    assert!(folder.builder("c").render().is_err());
    assert!(folder.builder("c").types("Values").render().is_err());
    assert!(folder.builder("c").types("Values").generate("v.rs").write_text("c.yml").try_build().is_err());
    assert!(!folder.join("out").exists());

    assert!(folder.builder("c").types("Values").code().is_ok());
    let output = folder.builder("c").types("Values").generate("v.rs").try_build().unwrap();
    assert_eq!(output.written, [folder.join("out/v.rs")]);
    assert!(folder.builder("c").items("static A: [Value] = documents;").code().is_err());
}

#[test]
fn a_denied_lint_fails_the_build_and_names_its_call() {
    let overlay = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\na: 1\nb: 2\n";
    let folder = Folder::with("denied", [("c/a.yml", "a: 1\nb: 1\n"), ("c/o.yml", overlay)]);
    let builder = || folder.builder("c").write_text("c.yml");
    let denied = builder().lint("overlay::*", Level::Deny);
    let report = denied.clone().try_build().unwrap_err().report();
    assert!(report.starts_with("error[overlay::no-effect]: this part of an overlay has no effect\n"), "{report}");
    assert!(report.contains("denied by `.lint(\"overlay::*\", Level::Deny)`"), "{report}");
    assert!(!folder.join("out").exists(), "nothing is written");
    // Data values do not stand in for it, though they are enough for the code.
    assert!(denied.clone().types("Values").code().is_err());

    let warnings = |builder: Builder| builder.try_build().unwrap().warnings.len();
    assert_eq!((warnings(builder()), warnings(builder().lint("all", Level::Allow))), (1, 0));
    assert_eq!(warnings(denied.lint("overlay::no-effect", Level::Allow)), 0);
    let failure = builder().lint("overlay::no-efect", Level::Warn).try_build().unwrap_err();
    assert!(failure.report().contains("did you mean `overlay::no-effect`?"), "{}", failure.report());
}

#[test]
fn a_page_explains_what_is_written() {
    let folder = Folder::with("explained", [("c/a.yml", TEMPLATE), ("c/s.yml", "#@data/values-schema\n---\na: 1\n")]);
    let output = folder.builder("c").data_value("a", 7).write_explanation("explain.html").try_build().unwrap();
    assert_eq!(output.written, [folder.join("out/c.yml"), folder.join("out/explain.html")]);
    assert_eq!(fs::read_to_string(folder.join("out/c.yml")).unwrap(), "a: 7\n");
    let page = fs::read_to_string(folder.join("out/explain.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("a: #@ data.values.a"));

    let builder = folder.builder("c").write_json("c.json").write_explanation("explain.html");
    assert_eq!(builder.try_build().unwrap().written.len(), 2, "the form of the documents is the one that was named");
}
