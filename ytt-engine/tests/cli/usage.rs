//! What people type wrongly, and what becomes of output that nobody takes.

use std::process::{Command, Stdio};

use crate::folder::Folder;
use crate::{Ran, check_error, check_ok};

/// What is said of a command line, in full.
fn said(folder: &Folder, args: &[&str]) -> String {
    let ran = folder.run(args);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{args:?}: {}", ran.err);
    let text = ran.err.strip_prefix("error[command::usage]: ").unwrap_or_else(|| panic!("{args:?}: {}", ran.err));
    text.replace("\n |\n = help: ", "; ").trim_end().to_owned()
}

#[test]
fn what_was_probably_meant_is_said() {
    let folder = Folder::with("meant", [("a.yml", "a: 1\n")]);
    let cases: [(&[&str], &str); 14] = [
        (&["chekc"], "command 'ytt' does not accept extra arguments 'chekc'; did you mean 'check'?"),
        (&["fmt", "chekc"], "command 'ytt fmt' does not accept extra arguments 'chekc'"),
        (&["--color", "red"], "invalid argument \"red\" for \"--color\" flag: expected auto, always or never"),
        (
            &["--message-format", "xml"],
            "invalid argument \"xml\" for \"--message-format\" flag: expected human or json",
        ),
        (&["-o", "ymal"], "Unknown output type 'ymal'; did you mean `yaml`?"),
        (&["-o", "png"], "Unknown output type 'png'; types are yaml, json, pos, openapi-v3, json-schema"),
        (&["--limit", "depth"], "invalid argument \"depth\" for \"--limit\" flag: expected NAME=N"),
        (
            &["--limit", "depth=x"],
            "invalid argument \"depth=x\" for \"--limit\" flag: 'x' is no number (hint: or 'none')",
        ),
        (&["check", "--timing", "-f", "."], "--timing is for the check of generated code, without -f"),
        (&["check", "--strict"], "--strict needs -f"),
        (&["completion", "bash", "zsh"], "command 'ytt completion bash' does not accept extra arguments 'zsh'"),
        (&["expand", "-f", ".", "--items", "("], "--items is not Rust: its brackets or quotes do not fit"),
        (&["expand", "a.rs", "b.rs"], "expected a source file, as in src/main.rs or src/main.rs:12; or -f and --items"),
        (
            &["website"],
            "command 'ytt website' is not available; the playground is on the web: https://carvel.dev/ytt/#playground",
        ),
    ];
    for (args, text) in cases {
        assert_eq!(said(&folder, args), text);
    }
    let limits = said(&folder, &["--limit", "zzzzzz=1"]);
    assert!(limits.contains("; limits are ") && limits.contains("depth, "), "{limits}");
    // A shell that is not known is told which are.
    let help = folder.run(&["completion"]);
    assert!(help.code == Some(0) && help.out.contains("cargo ytt completion"), "{} {}", help.out, help.err);
    assert_eq!(folder.run(&["completion", "tcsh"]).out, help.out);
}

#[test]
fn colours_are_decided_by_the_flag_first() {
    let folder = Folder::new("colours");
    let has_colours = |args: &[&str], env: &[(&str, &str)]| {
        let ran = folder.run_with(args, "", env);
        assert!(ran.code == Some(1) && ran.err.contains("unknown flag: --nope"), "{}", ran.err);
        ran.err.contains("\u{1b}[")
    };
    for (args, env, expected) in [
        (&["--nope"][..], &[][..], false),
        (&["--nope", "--color=always"], &[], true),
        (&["--color", "always", "--nope"], &[("NO_COLOR", "1")], true),
        (&["--color", "always", "--color", "never", "--nope"], &[("CLICOLOR_FORCE", "1")], false),
        (&["--nope"], &[("CLICOLOR_FORCE", "1")], true),
        (&["--nope"], &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], false),
        // Behind `--` there are no flags.
        (&["--nope", "--", "--color=always"], &[], false),
    ] {
        assert_eq!(has_colours(args, env), expected, "{args:?} {env:?}");
    }
}

#[test]
fn problems_of_flags_in_bulk_are_part_of_the_result() {
    let folder = Folder::with("bulk-flags", [("a.yml", "#@data/values\n---\na: 1\n")]);
    check_ok(&folder.run(&["-f", ".", "--bulk-out", "-o", "png"]), "{\"errors\":\"Unknown output type 'png'\"}");
    check_ok(&folder.run(&["-f", ".", "--bulk-out", "--data-values-inspect"]), "{}");
}

#[cfg(unix)]
#[test]
fn an_argument_that_is_no_text_is_refused() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let command = Command::new(env!("CARGO_BIN_EXE_cargo-ytt")).arg(OsStr::from_bytes(b"a\xff")).output().unwrap();
    assert_eq!(command.status.code(), Some(1));
    let told = String::from_utf8(command.stderr).unwrap();
    assert_eq!(told, "error[command::usage]: argument \"a\\xFF\" is not UTF-8\n");
}

#[test]
fn code_of_items_is_made_of_values_alone_where_they_are_enough() {
    let files = [("s.yml", "#@data/values-schema\n---\nport: 80\n"), ("t.yml", "a: #@ x\n")];
    let folder = Folder::with("items", files);
    let of = |items: &str| folder.run(&["expand", "-f", ".", "--items", items]);
    let ran = of("pub static CONFIG: Config = data_values;");
    assert!(ran.code == Some(0) && ran.out.contains("pub static CONFIG: Config = Config { port: 80 };"), "{ran:?}");
    check_error(
        &of("pub static ALL: [Value] = documents;"),
        &["error[starlark::undefined]: undefined: x", "t.yml:1:7"],
    );
}

/// Each call is told with its place; the others are expanded.
#[test]
fn one_call_of_a_file_that_fails() {
    let source = "static A: &str = include_ytt!(\"a.yml\");\nstatic B: &str = include_ytt!(\"b.yml\");\n";
    let folder = Folder::with("one-fails", [("a.yml", "a: #@ x\n"), ("b.yml", "b: 1\n"), ("main.rs", source)]);
    let ran = folder.run(&["expand", "main.rs"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), "// main.rs:1\n// main.rs:2\nr\"b: 1\n\"\n"));
    assert!(ran.err.starts_with("main.rs:1:\nerror: ytt: 1 problem rendering `a.yml`\n"), "{}", ran.err);
}

/// As if the signal had come that ends other programs, and without a word.
#[test]
fn a_reader_that_has_gone_is_told_nothing() {
    let folder = Folder::with("gone", [("a.yml", "a: 1\n")]);
    for args in [&["-f", "a.yml"][..], &["explain", "-f", "a.yml", "--format", "json"], &["--help"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-ytt"));
        let output = command.args(args).current_dir(&*folder).stdout(writer).output().unwrap();
        assert_eq!(
            (output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()),
            (Some(141), ""),
            "{args:?}"
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_answer_that_finds_no_room_is_an_error() {
    let folder = Folder::with("no-room", [("a.yml", "a: 1\n")]);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-ytt"));
    command.args(["explain", "-f", "a.yml", "--format", "json"]).current_dir(&*folder).stdout(full);
    let output = command.stderr(Stdio::piped()).output().unwrap();
    let ran = Ran { code: output.status.code(), out: String::new(), err: String::from_utf8(output.stderr).unwrap() };
    check_error(&ran, &["writing standard output: "]);
}
