//! The builder as a build script uses it: places of problems, order of values, outputs that change.

use std::fs;
use std::path::PathBuf;

use ytt_build::{Builder, Failure, Limits};

/// A folder of its own that goes away with the value.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, files: &[(&str, &str)]) -> Folder {
        let root = std::env::temp_dir().join(format!("ytt-builder-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        for (path, text) in files {
            let path = root.join(path);
            fs::create_dir_all(path.parent().expect("below the root")).unwrap();
            fs::write(path, text).unwrap();
        }
        Folder(root)
    }

    fn builder(&self, path: &str) -> Builder {
        Builder::new(path).package_dir(&self.0).out_dir(self.0.join("out"))
    }

    /// Names of all files below `out/files`.
    fn files(&self) -> Vec<String> {
        let (mut found, root) = (Vec::new(), self.0.join("out/files"));
        let mut left = vec![root.clone()];
        while let Some(folder) = left.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    left.push(path);
                } else {
                    found.push(path.strip_prefix(&root).unwrap().display().to_string());
                }
            }
        }
        found.sort();
        found
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const TEMPLATE: &str = "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.a\n";

#[test]
fn problems_name_the_line_of_the_script() {
    let folder = Folder::new("lines", &[("c/a.yml", TEMPLATE)]);
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
    let folder = Folder::new("shown", &[("c/s.yml", "#@data/values-schema\n---\nport: 80\n")]);
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
        Folder::new("order", &[("c/a.yml", TEMPLATE), ("text", "of a file"), ("v.yml", "a: of a values file")]);
    let first = folder.builder("c").data_value_file("a", "text");
    let text = |builder: Builder| builder.render().unwrap().to_text(ytt_build::Format::Yaml).unwrap();
    assert_eq!(text(first.clone()), "a: of a file\n");
    assert_eq!(text(first.data_value("a", "of code").data_values_file("v.yml")), "a: of code\n");
    assert_eq!(text(folder.builder("c").data_value("a", "x").data_value_file("a", "text")), "a: of a file\n");
}

#[test]
fn files_come_and_go() {
    let folder = Folder::new("files", &[]);
    let write = |names: &[&str]| {
        let builder = names.iter().fold(folder.builder("c"), |builder, name| builder.file(*name, "x"));
        builder.write_files("files").try_build()
    };
    fs::create_dir_all(folder.0.join("c")).unwrap();
    let output = write(&["a.txt", "d.txt/b.txt"]).unwrap();
    assert_eq!((output.written.len(), output.unchanged.len()), (2, 0));
    assert_eq!(folder.files(), [".ytt-files", "a.txt", "d.txt/b.txt"]);
    let output = write(&["a.txt", "d.txt/b.txt"]).unwrap();
    assert_eq!((output.written.len(), output.unchanged.len()), (0, 2));
    fs::write(folder.0.join("out/files/own"), "").unwrap();
    // A file takes the place of a folder, and the other way round.
    write(&["a.txt/c.txt", "d.txt"]).unwrap();
    assert_eq!(folder.files(), [".ytt-files", "a.txt/c.txt", "d.txt", "own"]);
    write(&["e.txt", "e.txt"]).unwrap();
    assert_eq!(folder.files(), [".ytt-files", "e.txt", "own"]);
    assert!(!folder.0.join("out/files/a.txt").exists(), "empty folders are removed");

    for names in [["../x.txt", "y.txt"], ["y.txt", "y.txt/z.txt"]] {
        assert!(write(&names).is_err(), "{names:?}");
    }
    assert_eq!(folder.files(), [".ytt-files", "e.txt", "own"], "a failed build changes nothing");
}

#[test]
fn a_report_shows_as_many_problems_as_the_limit_says() {
    let schema = "#@data/values-schema\n---\na: 1\nb: 1\nc: 1\n";
    let folder = Folder::new("reports", &[("c/schema.yml", schema)]);
    let mut limits = Limits::build();
    limits.reports = 2;
    let builder = folder.builder("c").data_value("a", "x").data_value("b", "x").data_value("c", "x");
    let failure = builder.limits(limits).try_build().unwrap_err();
    let report = failure.report();
    assert_eq!(report.matches("error[").count(), 2, "{report}");
    assert!(report.ends_with("and 1 more\n"), "{report}");
    assert!(matches!(failure, Failure::Render(_)) && failure.inputs().is_some());
    assert!(!folder.0.join("out").exists(), "nothing is written");
}

/// Data values stand in for a render that fails only where they are all that code is made of.
#[test]
fn a_failed_render_writes_nothing() {
    let schema = "#@data/values-schema\n---\na: 1\n";
    let folder = Folder::new("failed", &[("c/a.yml", "#@ fail(\"no\")\n---\nb: 1\n"), ("c/schema.yml", schema)]);
    assert!(folder.builder("c").try_build().is_err());
    assert!(folder.builder("c").render().is_err());
    assert!(folder.builder("c").types("Values").render().is_err());
    assert!(folder.builder("c").types("Values").generate("v.rs").write_text("c.yml").try_build().is_err());
    assert!(!folder.0.join("out").exists());

    assert!(folder.builder("c").types("Values").code().is_ok());
    let output = folder.builder("c").types("Values").generate("v.rs").try_build().unwrap();
    assert_eq!(output.written, [folder.0.join("out/v.rs")]);
    assert!(folder.builder("c").items("static A: [Value] = documents;").code().is_err());
}
