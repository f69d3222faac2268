//! Tests of the builder as a whole: what it records, reads, reports and repeats.

mod braces;
mod doubtful;
#[cfg(unix)]
mod faults;
mod given;
mod lints;
mod old_key;
mod panics;
mod paper;
mod texts_as_code;
mod too_high;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use crate::folder::Folder;
use crate::{ErrorKind, Format, Level, Limits, Position, Project, Rendered, Value, Warnings, yaml};

const VALUES: &str = "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.a\n";

fn text(rendered: &Rendered) -> String {
    rendered.to_text(Format::Yaml).unwrap()
}

#[test]
fn a_name_of_a_folder_below_the_base_is_ignored_and_told() {
    let folder = Folder::with("named", [("in/a.yml", "a: 1\n")]);
    let rendered = Project::new().base_dir(&*folder).read_as("other", "in").render().unwrap();
    assert_eq!(rendered.files().unwrap()[0].path(), "a.yml");
    assert_eq!(rendered.warnings()[0].message(), "the name `other` is ignored: `in` is a folder");
}

#[test]
fn everything_can_be_shared_between_threads() {
    fn check<T: Clone + Send + Sync + 'static>() {}
    check::<Project>();
    check::<Rendered>();
    check::<crate::Error>();
}

#[test]
fn a_flag_that_is_none_is_a_problem_of_its_line() {
    let line = line!() + 1;
    let error = Project::new().file_flag("a=b=c").render().unwrap_err();
    assert_eq!(error.diagnostics().len(), 1);
    assert!(error.diagnostics()[0].message().contains("only have single '=' sign"), "{error}");
    assert_eq!(error.diagnostics()[0].position().map(|position| position.line), Some(line));
}

#[test]
fn files_say_what_they_are() {
    let rendered = Project::new().file("a.yml", "a: 1\n").file("b.txt", "b\n").render().unwrap();
    let kinds: Vec<_> = rendered.files().unwrap().iter().map(|file| (file.path(), file.kind())).collect();
    assert_eq!(kinds, [("b.txt", crate::FileKind::Text), ("a.yml", crate::FileKind::Yaml)]);
    #[cfg(feature = "explain")]
    assert!(rendered.explanation().unwrap().is_none(), "nobody asked for the record");
}

#[test]
fn a_render_reads_again() {
    let folder = Folder::with("again", [("a.yml", "a: 1\n")]);
    let project = Project::new().read(&*folder);
    assert_eq!(text(&project.render().unwrap()), "a: 1\n");
    folder.write("a.yml", "a: 2\n");
    folder.write("b.yml", "b: 3\n");
    assert_eq!(text(&project.clone().render().unwrap()), "a: 2\n---\nb: 3\n");
}

#[test]
fn code_beats_flags_beats_environment_beats_files() {
    let folder = Folder::with("rank", [("v.yml", "a: file\n")]);
    let project = Project::new().file("a.yml", VALUES);
    let value = |project: &Project| text(&project.render().unwrap());
    let project = project.data_values_file(folder.join("v.yml"));
    assert_eq!(value(&project), "a: file\n");
    let project = project.data_values_env("P", [("P_a", "env")]);
    assert_eq!(value(&project), "a: env\n");
    let project = project.data_value_flag("-v", "a=flag");
    assert_eq!(value(&project), "a: flag\n");
    let project = project.data_value("a", "code").data_value_flag("--data-value-yaml", "a=late flag");
    assert_eq!(value(&project), "a: code\n");
    let project = project.data_value_file("a", folder.join("v.yml"));
    assert_eq!(value(&project), "a: |\n  a: file\n");
    assert_eq!(value(&project.data_value_yaml("a", "[1]")), "a:\n- 1\n");
}

#[test]
fn maps_of_code_merge_plainly() {
    let mut inner = yaml::Map::new();
    inner.insert("x.y", 1);
    let mut map = yaml::Map::new();
    map.insert("a", inner);
    let project = Project::new().data_value("a.z", 2).data_values_map(map);
    assert_eq!(text(&project.values().unwrap()), "a:\n  z: 2\n  x.y: 1\n");
    assert_eq!(text(&project.data_value("a", Value::Null).values().unwrap()), "a: null\n");
}

#[test]
fn inputs_are_what_was_read() {
    let files = [
        ("d/a.yml", "#@ load(\"@ytt:data\", \"data\")\na: #@ data.read(\"n.md\")\n"),
        ("d/n.md", ""),
        ("d/s/o.md", ""),
    ];
    let folder = Folder::with("inputs", files);
    let project = Project::new().read(folder.join("d")).data_value_env("x", "VAR", None::<&str>);
    let names = |paths: &[PathBuf]| -> Vec<String> {
        paths.iter().map(|path| path.strip_prefix(&*folder).unwrap().display().to_string()).collect()
    };
    let rendered = project.render().unwrap();
    let inputs = rendered.inputs();
    assert_eq!(names(&inputs.files), ["d/a.yml", "d/n.md"]);
    assert_eq!(names(&inputs.folders), ["d", "d/s"]);
    assert_eq!(inputs.env, ["VAR"]);

    let error = project.file("b.yml", "b: [\n").render().unwrap_err();
    assert_eq!(names(&error.inputs().files), ["d/a.yml", "d/n.md"]);
    assert_eq!(error.kind(), ErrorKind::Render);
}

#[test]
fn problems_of_steps_name_their_lines() {
    let line = line!() + 1;
    let project = Project::new().read("no/a").file_mark("x").data_value("l:a", 1).data_value_flag("--what", "a=1");
    let error = project.render().unwrap_err();
    let texts: Vec<String> = error.diagnostics().iter().map(|problem| problem.full_message()).collect();
    assert_eq!(
        texts,
        [
            "Checking file 'no/a': lstat no/a: no such file or directory",
            "Expected file mark 'x' to be in format path:key=value",
            "'--what' is no flag that sets a data value",
            "Expected at most one library-key separator ':' in 'l:a'",
        ]
    );
    for problem in error.diagnostics() {
        assert_eq!(problem.file().as_deref(), Some(file!()));
        assert_eq!(problem.position().map(|position| position.line), Some(line));
    }
    let report = error.to_report(false);
    assert!(report.contains(&format!("--> {}:{line}:", file!())), "{report}");
    let for_command = Project::for_command().read("no/a").render().unwrap_err();
    assert!(for_command.position().is_none());
}

#[test]
fn limits_and_warnings() {
    let project = Project::new().file("a.yml", "a: 1\n");
    let limits = Limits { output_bytes: 3, ..Limits::build() };
    let rendered = project.clone().limits(limits).render().unwrap();
    assert_eq!(rendered.to_text(Format::Yaml).unwrap_err().kind(), ErrorKind::Limit);
    assert_eq!(rendered.files().unwrap_err().kind(), ErrorKind::Limit);
    // Each file is small enough; all together are not, printed or formatted.
    let limits = Limits { output_bytes: 9, ..Limits::build() };
    let two = project.clone().file("b.yml", "b: 2\n").limits(limits);
    let printed = two.render().unwrap().files().unwrap_err();
    for error in [printed, two.format().unwrap_err()] {
        assert_eq!((error.kind(), error.diagnostics().len()), (ErrorKind::Limit, 1));
        assert_eq!(error.diagnostics()[0].message(), "output is larger than 9 bytes");
    }
    let limits = Limits { input_bytes: 3, ..Limits::build() };
    assert_eq!(project.clone().limits(limits).render().unwrap_err().kind(), ErrorKind::Limit);
    let limits = Limits { file_bytes: 4, ..Limits::build() };
    let error = project.limits(limits).render().unwrap_err();
    let message = "Reading file 'a.yml': file has 5 bytes, more than the limit of 4";
    assert_eq!((error.kind(), error.diagnostics()[0].full_message()), (ErrorKind::Limit, message.to_owned()));

    let limits = Limits { seconds: Some(u64::MAX), ..Limits::build() };
    assert_eq!(text(&Project::new().file("a.yml", "a: #@ 1\n").limits(limits).render().unwrap()), "a: 1\n");

    let project = Project::new().file("a.yml", "#@overlay/nope\na: 1\n");
    let count = |which| project.clone().warnings(which).render().unwrap().warnings().len();
    assert_eq!((count(Warnings::Default), count(Warnings::None)), (1, 0));
}

/// Every excess has a place, and names the setting.
#[test]
fn limits_of_yaml_say_where_and_which() {
    let nested = "#@ def f(n):\n#@   x = 1\n#@   for i in range(n):\n#@     x = [x]\n#@   end\n#@   return x\n#@ end\n";
    let returned = format!("{nested}a: #@ f(4)\n");
    let encoded = format!("#@ load(\"@ytt:yaml\", \"yaml\")\n{nested}a: #@ yaml.encode(f(4))\n");
    let decode = |module: &str, text: &str| {
        format!("#@ load(\"@ytt:{module}\", \"{module}\")\na: #@ {module}.decode(\"{text}\")\n")
    };
    let (yaml, json, toml) = (decode("yaml", "[[[[]]]]"), decode("json", "[[[[]]]]"), decode("toml", "a = [[[[]]]]"));
    for (text, name, value, message, line, column) in [
        ("a: [[[]]]", "depth", 3, "nesting is deeper than 3 levels", 1, 6),
        ("a:\n  b:\n    - - 1", "depth", 3, "nesting is deeper than 3 levels", 3, 7),
        ("? ? ? ? 1", "depth", 3, "nesting is deeper than 3 levels", 1, 7),
        ("a: &x [[1]]\nb: [*x]", "depth", 3, "nesting is deeper than 3 levels", 2, 5),
        ("a: &x [1, 2]\nb: [*x, *x]", "alias_nodes", 9, "aliases expand to more than 9 nodes", 2, 9),
        ("a: &x {b: 1}\nc:\n  <<: *x", "alias_nodes", 2, "aliases expand to more than 2 nodes", 3, 7),
        ("a: 1\nb: 2\nc: 3", "output_bytes", 10, "output is larger than 10 bytes", 3, 1),
        (&*returned, "depth", 3, "nesting is deeper than 3 levels", 8, 4),
        (&*encoded, "depth", 3, "yaml.encode: nesting is deeper than 3 levels", 9, 7),
        (&*yaml, "depth", 3, "yaml.decode: nesting is deeper than 3 levels", 1, 4),
        (&*json, "depth", 3, "json.decode: nesting is deeper than 3 levels", 2, 7),
        (&*toml, "depth", 3, "toml.decode: nesting is deeper than 3 levels", 2, 7),
    ] {
        let mut limits = Limits::build();
        assert!(limits.set(name, value));
        let rendered = Project::new().file("a.yml", text).limits(limits).render();
        let error = rendered.and_then(|rendered| rendered.to_text(Format::Yaml)).unwrap_err();
        let problem = &error.diagnostics()[0];
        assert_eq!(error.kind(), ErrorKind::Limit, "{text}");
        assert_eq!(
            (problem.full_message().as_str(), problem.position()),
            (message, Some(Position { line, column })),
            "{text}"
        );
        let way_out = format!("raise the limit: `limits.{name} = …`, given to `Project::limits`");
        assert!(problem.helps().any(|help| help.text().contains(&way_out)), "{text}: {error:#}");
    }
}

#[test]
fn prints_reach_their_sink() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let taken = lines.clone();
    let project = Project::new().file("a.yml", "#@ print(\"x\")\na: 1\n");
    project.on_print(move |line| taken.lock().unwrap().push(line.to_string())).render().unwrap();
    assert_eq!(*lines.lock().unwrap(), ["x"]);
}

#[test]
fn text_results_come_first_in_tree_order() {
    let files = ["a/z.txt", "b.yml", "a/s/y.txt", "x.txt", "a/w.txt"];
    let project = files.iter().fold(Project::new(), |project, path| project.file(*path, "1"));
    let rendered = project.render().unwrap();
    let paths: Vec<&str> = rendered.files().unwrap().iter().map(|file| file.path()).collect();
    assert_eq!(paths, ["x.txt", "a/z.txt", "a/w.txt", "a/s/y.txt", "b.yml"]);
}

#[test]
fn files_of_libraries_are_not_listed() {
    let project =
        Project::new().file("a.md", "").file("_ytt_lib/l/b.yml", "").file("s/_ytt_lib/c.yml", "").file("d.yml", "");
    assert_eq!(text(&project.file_mark("d.yml:path=e/d.yml").files().unwrap()), "- a.md\n- e/d.yml\n");
}

#[test]
fn formatting_reports_every_file() {
    let project = Project::new().file("a.yml", "{a: 1}").file("n.txt", "").file("b.lib.yml", "- b");
    assert_eq!(project.format().unwrap().0, "a: 1\n---\n- b\n");
    let keys = Project::new().file("a.yml", "a: 1").file("b.yml", "---b: 1").file("c.yml", "--- 1\n--- 2");
    assert_eq!(keys.format().unwrap().0, "a: 1\n---\n---b: 1\n---\n1\n---\n2\n");
    let error = project.file("c.yml", "[").file("d.yml", "}").format().unwrap_err();
    let files: Vec<Option<String>> = error.diagnostics().iter().map(|problem| problem.file()).collect();
    assert_eq!(files, [Some("c.yml".into()), Some("d.yml".into())]);
}

#[test]
fn formatting_tells_what_it_does_not_keep() {
    for (text, expected, places) in [
        ("a: &x 1\n", "", 0),
        ("a: &x {b: 1}\nc: [*x, *x]\n", "aliases", 2),
        ("a: &x {b: 1}\nc: {<<: *x}\n", "merge keys", 1),
        ("a: !Ref b\nc: !!str 1\nd: !x [!y {}]\n", "tags", 4),
        ("%YAML 1.1\n%TAG !e! x # d\n---\na: | # c\n  x\n...\n# e\n", "directives, comments that belong to nothing", 5),
        ("a: &x !!str 1\nb: *x #@ c\n", "aliases, tags", 2),
        ("\u{FEFF}a: 1\n", "", 0),
    ] {
        let (_, warnings) = Project::new().file("a.yml", text).format().unwrap();
        let told: Vec<_> = warnings.iter().filter(|warning| warning.code().as_str() == "yaml::not-kept").collect();
        let message = format!("formatting does not keep {expected}");
        let messages: Vec<_> = told.iter().map(|warning| (warning.message(), warning.labels().count())).collect();
        assert_eq!(messages, if places > 0 { vec![(message.as_str(), places)] } else { vec![] }, "{text:?}");
        assert_eq!(warnings.len() - told.len(), usize::from(text.starts_with('\u{FEFF}')), "{text:?}");
        assert!(Project::new().file("a.yml", text).warnings(Warnings::None).format().unwrap().1.is_empty());
    }
}

/// Messages and labels of the hints that a render gives on request.
fn hints(project: &Project) -> Vec<(String, Vec<String>)> {
    let rendered = project.clone().lint("overlay::shared-node", Level::Warn).render().unwrap();
    let unknown = project.clone().lint("overlay::shared-nod", Level::Warn).render().unwrap_err();
    assert_eq!(unknown.diagnostics()[0].code(), crate::diag::Code::LINT_UNKNOWN);
    let hints = rendered.warnings().iter().map(|hint| {
        let label = |label: crate::LabelView<'_>| format!("{}: {}", label.place().start().line, label.text());
        (hint.message().to_string(), hint.labels().map(label).collect())
    });
    hints.collect()
}

#[test]
fn places_that_share_a_changed_node_are_named() {
    let made =
        "#@ load(\"@ytt:overlay\", \"overlay\")\n#@ def f():\nk: 1\n#@ end\n#@ def r():\nk: 2\n#@ end\n#@ v = f()\n";
    let with = |rest: &str| Project::new().file("a.yml", format!("{made}---\n{rest}"));
    let overlay = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\na:\n  k: 3\n";
    let found = hints(&with("a: #@ v\nb: #@ v\n").file("o.yml", overlay));
    assert_eq!(
        found,
        [(
            "this overlay changes `b.k` of document 2 of a.yml too, which it did not match".to_string(),
            vec![
                "5: is meant for `a.k` of document 2 of a.yml".to_string(),
                "10: the node that was matched stands here".to_string(),
                "11: the same node stands here".to_string(),
            ],
        )]
    );
    // What a program placed before it overlays is told, what it places afterwards is meant.
    let found = hints(&with("a: #@ v\nb: #@ overlay.apply(v, r())\n"));
    let message = "overlay.apply changes `a.k` of document 2 of a.yml too, where its left side had been placed before";
    assert_eq!(found.iter().map(|hint| hint.0.as_str()).collect::<Vec<_>>(), [message]);
    assert_eq!(hints(&with("#@ w = overlay.apply(v, r())\na: #@ w\nb: #@ w\n")), []);
    assert_eq!(hints(&with("a: #@ f()\nb: #@ overlay.apply(f(), r())\n")), []);
}

#[test]
fn data_values_that_share_a_node_are_named() {
    let values = "#@data/values\n---\n#@ def f():\nk: 1\n#@ end\n#@ v = f()\na: #@ v\nb: #@ v\n";
    let second = "#@data/values\n---\na:\n  k: 2\n";
    let project = Project::new().file("v.yml", values);
    let messages = |project: &Project| hints(project).into_iter().map(|hint| hint.0).collect::<Vec<_>>();
    assert_eq!(messages(&project), [""; 0]);
    let place = "changes `b.k` of document 1 of v.yml too";
    let found = messages(&project.clone().file("w.yml", second));
    assert_eq!(found, [format!("this overlay {place}, which it did not match")]);
    assert_eq!(messages(&project.data_value("a.k", 5)), [format!("this data value {place}")]);
}

#[test]
fn equal_keys_that_an_overlay_made_are_refused_where_they_are_read() {
    let made = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@ load(\"@ytt:yaml\", \"yaml\")\n#@ def l():\na: 1\nb: {c: 2}\n#@ end\n#@ def r():\n#@overlay/match by=overlay.all, expects=2\n#@overlay/replace\n_: 5\n#@ end\n#@ v = overlay.apply(l(), r())\n";
    let render = |rest: &str| Project::new().file("a.yml", format!("{made}{rest}")).render();
    for rest in ["--- #@ v\n", "---\nx:\n- #@ v\n", "---\nx: #@ yaml.encode(v)\n", "#@data/values\n--- #@ v\n"] {
        let error = render(rest).unwrap_err();
        let problem = &error.diagnostics()[0];
        assert_eq!(problem.code().as_str(), "overlay::duplicate-key", "{rest}");
        assert!(problem.message().ends_with("Unexpected duplicate key: _"), "{rest}");
    }
    // Both are there as long as a program works on them.
    let text = render("---\nx: #@ len(v)\n").unwrap().to_text(Format::Yaml).unwrap();
    assert_eq!(text, "x: 2\n");
}

/// `one_of` and `one_not_null` take whatever can be gone through.
#[test]
fn rules_take_ranges_sets_and_structs() {
    let check = |rule: &str, value: &str| {
        let schema = format!(
            "#@ load(\"@ytt:struct\", \"struct\")\n#@data/values-schema\n---\n#@schema/type any=True\n\
             #@schema/validation {rule}\na: 1\n"
        );
        let found = Project::new().file("s.yml", schema).data_value_yaml("a", value).values();
        match found {
            Ok(_) => "passes".to_owned(),
            Err(error) => {
                let problem = &error.diagnostics()[0];
                let notes: Vec<&str> = problem.notes().filter(|note| note.starts_with("found")).collect();
                let message = problem.message().trim_start_matches("a: must be: ").replace(" (by: s.yml:5)", "");
                format!("{message} | {}", notes.join(" "))
            }
        }
    };
    for (rule, value, expected) in [
        ("one_of=range(3)", "2", "passes"),
        ("one_of=range(3)", "3", "one of range(3) | found: not one of allowed values"),
        ("one_of=range(1, 9, 3)", "7.0", "passes"),
        ("one_of=range(1, 9, 3)", "8", "one of range(1, 9, 3) | found: not one of allowed values"),
        ("one_of=set([\"x\", \"é\"])", "é", "passes"),
        ("one_of=set([\"x\", \"é\"])", "z", "one of set([\"x\", \"é\"]) | found: not one of allowed values"),
        ("one_of=struct.make(x=1)", "x", "passes"),
        ("one_not_null=range(2)", "{0: 1, 2: 1}", "passes"),
        (
            "one_not_null=range(2)",
            "{0: 1, 1: 1}",
            "exactly one of range(2) to be not null | found: [0, 1] are not null",
        ),
        // Of a dict only the keys count.
        ("one_not_null={\"x\": len}", "{x: 1}", "passes"),
        (
            "one_of=5",
            "1",
            "Invalid @schema/validation annotation - expected keyword argument one_of to be a sequence, but was int | ",
        ),
        (
            "one_of=\"xy\"",
            "1",
            "Invalid @schema/validation annotation - expected keyword argument one_of to be a sequence, but was string | ",
        ),
        (
            "one_of=[len]",
            "1",
            "Invalid @schema/validation annotation - expected keyword argument \"one_of\" to be a YAML value, but was builtin_function_or_method (at s.yml:5) | ",
        ),
        (
            "one_of=range(1 << 30)",
            "1",
            "Invalid @schema/validation annotation - cannot make a list of 1073741824 items | ",
        ),
    ] {
        assert_eq!(check(rule, value), expected, "{rule} {value}");
    }
}
