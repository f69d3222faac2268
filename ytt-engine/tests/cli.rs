//! The command as a shell sees it: exit codes, streams, files. What flags mean to templates is tested elsewhere.

#[path = "cli/explain.rs"]
mod explain;
#[path = "support/folder.rs"]
mod folder;
#[cfg(unix)]
#[path = "cli/links.rs"]
mod links;
#[path = "cli/recipes.rs"]
mod recipes;
#[path = "cli/usage.rs"]
mod usage;
#[path = "cli/watch.rs"]
mod watch;

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use folder::Folder;

/// What a run gave.
#[derive(Debug)]
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl Folder {
    fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, "", &[])
    }

    fn run_with(&self, args: &[&str], stdin: &str, env: &[(&str, &str)]) -> Ran {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cargo-ytt"))
            .args(args)
            .current_dir(&**self)
            .envs(env.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that does not read its input may be gone already.
        let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
        let output = child.wait_with_output().unwrap();
        Ran {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

fn check_ok(ran: &Ran, out: &str) {
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), out), "{}", ran.err);
}

/// A failed run prints nothing on standard output, and these texts on standard error.
fn check_error(ran: &Ran, texts: &[&str]) {
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{}", ran.err);
    for text in texts {
        assert!(ran.err.contains(text), "{text:?} in {}", ran.err);
    }
}

fn config() -> [(&'static str, &'static str); 4] {
    [
        ("d/a.yml", "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.name\n"),
        ("d/s/b.yml", "b: 1\n---\n- c\n"),
        ("d/schema.yml", "#@data/values-schema\n---\nname: none\nport: 80\n"),
        ("d/n.md", "text\n"),
    ]
}

#[test]
fn documents_go_to_standard_output() {
    let folder = Folder::with("stdout", config());
    check_ok(&folder.run(&["-f", "d"]), "a: none\n---\nb: 1\n---\n- c\n");
    check_ok(&folder.run(&["ytt", "-f", "d", "-v", "name=x", "-o", "json"]), "{\"a\":\"x\"}{\"b\":1}[\"c\"]");
    check_ok(&folder.run(&["template", "-fd/s/b.yml"]), "b: 1\n---\n- c\n");
    check_ok(&folder.run(&[]), "");
}

#[test]
fn bytes_are_keys_of_every_output() {
    let yaml = "#@ raw = \"\\xff\"\na: #@ {raw: 1, \"b\": raw}\n";
    let folder = Folder::with("bytes", [("a.yml", yaml), ("key.yml", "? !!binary \"/w==\"\n: 1\n")]);
    check_ok(&folder.run(&["-f", "a.yml", "-o", "json"]), "{\"a\":{\"b\":\"\\ufffd\",\"\\ufffd\":1}}");
    check_ok(&folder.run(&["-f", "a.yml"]), "a:\n  !!binary /w==: 1\n  b: !!binary /w==\n");
    check_ok(&folder.run(&["-f", "key.yml", "-o", "json"]), "{\"\\ufffd\":1}");
    check_ok(&folder.run(&["-f", "key.yml"]), "!!binary /w==: 1\n");
}

#[test]
fn values_by_every_flag() {
    let folder = Folder::with("values", [("v.yml", "name: file\n"), ("w/x.yml", "name: folder\n"), config()[2]]);
    let value = |args: &[&str], stdin: &str| {
        let env = [("APP_name", "env"), ("APY_port", "81")];
        let all = [&["-f", "d", "--data-values-inspect", "-o", "json"], args].concat();
        folder.run_with(&all, stdin, &env).out
    };
    assert_eq!(value(&[], ""), "{\"name\":\"none\",\"port\":80}");
    assert_eq!(value(&["--data-values-file", "v.yml"], ""), "{\"name\":\"file\",\"port\":80}");
    assert_eq!(value(&["--data-values-file", "w"], ""), "{\"name\":\"folder\",\"port\":80}");
    assert_eq!(value(&["--data-values-file", "-"], "port: 1\n"), "{\"name\":\"none\",\"port\":1}");
    assert_eq!(value(&["--data-values-env", "APP"], ""), "{\"name\":\"env\",\"port\":80}");
    assert_eq!(value(&["--data-values-env-yaml", "APY"], ""), "{\"name\":\"none\",\"port\":81}");
    assert_eq!(value(&["--data-value-yaml", "port=82", "-v", "name=v"], ""), "{\"name\":\"v\",\"port\":82}");
    assert_eq!(value(&["--data-value-file", "name=v.yml", "-vname=v"], ""), "{\"name\":\"name: file\\n\",\"port\":80}");
    assert_eq!(value(&["--data-value-file", "name=-"], "in"), "{\"name\":\"in\",\"port\":80}");
}

#[test]
fn a_variable_gives_a_text_where_a_boolean_is_wanted() {
    let top = ("open: false", "data.values.open", "APP_open");
    let nested = ("app: {open: false}", "data.values.app.open", "APP_app__open");
    for (values, read, variable) in [top, nested] {
        let values = format!("#@data/values\n---\n{values}\n");
        let overlay = format!(
            "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:overlay\", \"overlay\")\n\
             #@overlay/match by=overlay.all\n---\n#@overlay/match missing_ok={read}\nb: 1\n"
        );
        let folder = Folder::with("variable", [("d/v.yml", &*values), ("d/a.yml", "a: 1\n"), ("d/o.yml", &overlay)]);
        let run = |flag: &str| folder.run_with(&["-f", "d", flag, "APP"], "", &[(variable, "true")]);
        let given = format!("{variable}=true");
        let help = "use `--data-values-env-yaml`";
        check_error(&run("--data-values-env"), &["this gives the text `true`", &given, help]);
        check_ok(&run("--data-values-env-yaml"), "a: 1\nb: 1\n");
    }
}

#[test]
fn standard_input_is_a_file() {
    let folder = Folder::new("stdin");
    check_ok(&folder.run_with(&["-f", "-"], "a: #@ 1 + 1\n", &[]), "a: 2\n");
    check_ok(&folder.run_with(&["-f", "s/n.yml=-", "--files-inspect"], "a: 1\n", &[]), "- s/n.yml\n");
    let twice = folder.run_with(&["-f", "-", "-f", "-"], "a: 1\n", &[]);
    check_error(&twice, &["Standard input has already been read"]);
}

#[test]
fn problems_are_reported_together() {
    let folder = Folder::with("problems", config());
    let ran =
        folder.run(&["-f", "d", "-f", "x", "-f", "a=b=c", "--file-mark", "q", "-v", "w", "--data-values-file", "y"]);
    check_error(
        &ran,
        &[
            "Checking file 'x': lstat x: no such file or directory",
            "Expected file 'a=b=c' to only have single '=' sign",
            "Expected file mark 'q' to be in format path:key=value",
            "Find files 'y':",
            "Expected format key=value",
        ],
    );
    let ran = folder.run(&["-f", "d", "-v", "port=1", "-v", "nope=1"]);
    check_error(
        &ran,
        &["Expected integer, but was string", "not declared in schema", "(data-value arg):1", "schema.yml"],
    );
    let ran = folder.run(&["-f", "d", "-v", "port=1", "--message-format", "json"]);
    check_error(&ran, &["\"code\":\"schema::type\"", "\"line\":1"]);
    assert!(ran.err.lines().all(|line| line.starts_with('{') && line.ends_with('}')), "{}", ran.err);
}

#[test]
fn what_is_ignored_is_told() {
    let folder = Folder::with("ignored", [("d/a.yml", "a: 1\n")]);
    let ran = folder.run(&["-f", "new=d"]);
    check_ok(&ran, "a: 1\n");
    assert!(ran.err.contains("warning[files::rename]: the name `new` is ignored: `d` is a folder"), "{}", ran.err);
    let ran = folder.run(&["-f", "d", "-v", "@l=1"]);
    check_ok(&ran, "a: 1\n");
    assert!(ran.err.contains("for a library, write `@l:KEY=VALUE`"), "{}", ran.err);
    assert_eq!(folder.run(&["-f", "new=d", "--warnings", "none"]).err, "");
}

#[test]
fn json_lines_of_the_command_have_the_same_keys() {
    let folder = Folder::with("json", [("d/a.yml", "#@foo/bar\n#@schema/nulable\na: #@ x\n"), ("t/b.txt", "x")]);
    let keys = |args: &[&str]| {
        let ran = folder.run(&[args, &["--message-format", "json"]].concat());
        assert!(!ran.err.is_empty());
        let keys = |line: &str| -> Vec<String> {
            let value: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
            value.as_object().expect("an object").keys().cloned().collect()
        };
        ran.err.lines().map(keys).collect::<Vec<_>>()
    };
    let of_problem = keys(&["-f", "d"]);
    assert!(of_problem[0].iter().any(|key| key == "helps"));
    for others in [keys(&["-f", "d", "--nope"]), keys(&["-f", "t"]), of_problem.clone()] {
        for other in others {
            assert_eq!(other, of_problem[0]);
        }
    }
}

#[test]
fn mistakes_on_the_command_line() {
    let folder = Folder::with("usage", config());
    let cases: [(&[&str], &str); 10] = [
        (&["--nope"], "error[command::usage]: unknown flag: --nope\n"),
        (&["-z"], "error[command::usage]: unknown shorthand flag: 'z' in -z\n"),
        (&["--strcit"], "error[command::usage]: unknown flag: --strcit\n |\n = help: did you mean `--strict`?\n"),
        (
            &["d/a.yml"],
            "error[command::usage]: command 'ytt' does not accept extra arguments 'd/a.yml'\n |\n = help: use -f d/a.yml\n",
        ),
        (&["fmt", "x"], "error[command::usage]: command 'ytt fmt' does not accept extra arguments 'x'\n"),
        (&["-o", "xml"], "Unknown output type 'xml'"),
        (&["--limit", "dept=1"], "no limit has the name 'dept'\n |\n = help: did you mean depth?"),
        (&["--warnings", "some"], "expected default, all or none"),
        (
            &["--deny", "overlay::no-efect"],
            "error[command::usage]: invalid argument \"overlay::no-efect\" for \"--deny\" flag",
        ),
        (&["generate", "--warn", "efect"], "no lint has the name `efect`\n"),
    ];
    for (args, text) in cases {
        check_error(&folder.run(args), &[text]);
    }
}

#[test]
fn limits_are_errors() {
    let folder =
        Folder::with("limits", [("a.yml", "a: [[[1]]]\n"), ("b.yml", "#@ for i in range(1000):\n---\ni: 1\n#@ end\n")]);
    check_error(&folder.run(&["-f", "a.yml", "--limit", "depth=3"]), &["nesting is deeper than 3 levels", "a.yml:1"]);
    check_error(&folder.run(&["-f", "b.yml", "--limit", "output_bytes=100"]), &["output is larger than 100 bytes"]);
    check_error(
        &folder.run(&["-f", "a.yml", "--limit", "file_bytes=5"]),
        &["file has 11 bytes, more than the limit of 5"],
    );
}

/// Half of what the process may have is the limit of memory, and the stack fits into the rest.
#[cfg(target_os = "linux")]
#[test]
fn little_memory_is_enough_for_a_small_render() {
    let small = "#@ def f(x):\n#@   return [x + i for i in range(3)]\n#@ end\na: #@ f(1)\n";
    let large = "#@ def f():\n#@   for i in range(1000000000):\n#@     x = \"ab\" * 500 + str(i)\n#@   end\n#@ end\na: #@ f()\n";
    let folder = Folder::with("memory", [("small.yml", small), ("large.yml", large)]);
    let run = |kib: u32, file: &str| {
        let text = format!("ulimit -v {kib} && exec \"$0\" ytt -f {file}");
        let output = Command::new("sh")
            .args(["-c", &text, env!("CARGO_BIN_EXE_cargo-ytt")])
            .current_dir(&*folder)
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    };
    for kib in [500_000, 250_000] {
        check_ok(&run(kib, "small.yml"), "a:\n- 1\n- 2\n- 3\n");
        check_error(&run(kib, "large.yml"), &["error[limit::budget]", "large.yml:3", "--limit memory="]);
    }
}

#[test]
fn files_are_written_and_announced() {
    let folder = Folder::with("files", [("d/a.yml", "a: 1\n"), ("d/s/t.txt", "n=(@= str(1 + 1) @)\n")]);
    let announced = "creating: out/s/t.txt\ncreating: out/a.yml\n";
    check_ok(&folder.run(&["-f", "d", "--output-files", "./out"]), announced);
    assert_eq!(folder.read("out/s/t.txt"), "n=2\n");
    folder.write("out/other", "");
    check_ok(&folder.run(&["-f", "d", "--output-files", "out"]), announced);
    assert!(folder.join("out/other").exists());
    check_ok(&folder.run(&["-f", "d", "--dangerous-emptied-output-directory", "out"]), announced);
    assert!(!folder.join("out/other").exists());
    let refused = folder.run(&["-f", "d", "--dangerous-emptied-output-directory", ".."]);
    check_error(&refused, &["Expected output directory path to not be one of"]);

    let inspected = folder.run(&["-f", "d", "--output-files", "new", "--files-inspect"]);
    check_ok(&inspected, "");
    assert!(!folder.join("new").exists() && inspected.err.contains("'new' was not touched"));

    let printed = folder.run(&["-f", "d"]);
    check_ok(&printed, "a: 1\n");
    assert!(printed.err.contains("Warning: Found Non-YAML templates in input."), "{}", printed.err);
}

/// A signal at some moment of writing: the folder is as it was, or as it is to be.
#[cfg(unix)]
#[test]
fn a_signal_leaves_one_whole_result() {
    use std::os::unix::process::ExitStatusExt;

    const FILES: usize = 500;
    let template = "a: #@ data.values.a\n";
    let folder = Folder::with("signal", [("d/values.yml", "#@data/values\n---\na: 0\n")]);
    for number in 0..FILES {
        folder.write(format!("d/{number}.yml"), format!("#@ load(\"@ytt:data\", \"data\")\n{template}"));
    }
    let started = |value: &str| {
        let args = ["ytt", "-f", "d", "--output-files", "out", "-v", &format!("a={value}")];
        let command = &mut Command::new(env!("CARGO_BIN_EXE_cargo-ytt"));
        command.args(args).current_dir(&*folder).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let begun = std::time::Instant::now();
    assert!(started("0").wait().unwrap().success());
    let whole = begun.elapsed();
    let held = |number: usize| folder.read(format!("out/{number}.yml"));
    let mut before = held(0);
    // Most of a run is not writing, which comes last.
    for part in 4..16 {
        let run = started(&part.to_string());
        std::thread::sleep(whole * part / 16);
        let signal = if part % 2 == 0 { "TERM" } else { "INT" };
        let sent = Command::new("kill").args(["-s", signal, &run.id().to_string()]).stderr(Stdio::null()).status();
        assert!(sent.is_ok());
        let ended = run.wait_with_output().unwrap();
        let (status, errors) = (ended.status, String::from_utf8(ended.stderr).unwrap());
        let after = held(0);
        let is_killed = matches!(status.signal(), Some(2 | 15));
        assert!(status.success() || is_killed, "{status} {errors}");
        assert!(status.success() || after == before || errors.is_empty(), "{errors}");
        assert!(after == before || after == format!("a: \"{part}\"\n") || after == format!("a: {part}\n"), "{after}");
        assert!((0..FILES).all(|number| held(number) == after), "torn at {part}");
        assert_eq!(std::fs::read_dir(folder.join("out")).unwrap().count(), FILES);
        before = after;
    }
}

#[test]
fn an_explanation_is_written_as_a_page() {
    let folder = Folder::with("page", config());
    let flags = ["explain", "-f", "d", "-v", "name=x", "--html"];
    check_ok(&folder.run(&[&flags[..], &["page.html"]].concat()), "creating: page.html\n");
    let page = fs::read_to_string(folder.join("page.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.contains("a: x\\n"), "{page}");
    check_error(&folder.run(&[&flags[..], &["no/such/folder.html"]].concat()), &["no/such/folder.html"]);
    check_error(&folder.run(&[&flags[..], &["page.html", "a.yml"]].concat()), &["--html shows all of a render"]);
}

#[test]
fn files_in_bulk() {
    let folder = Folder::new("bulk");
    let bulk = |text: &str| folder.run(&["--bulk-in", text, "--bulk-out"]);
    check_ok(
        &bulk(r#"{"files":[{"name":"a.yml","data":"a: #@ 1 + 1"}]}"#),
        r#"{"files":[{"name":"a.yml","data":"a: 2\n"}]}"#,
    );
    check_ok(&bulk(r#"{"files":[]}"#), "{}");
    let failed = bulk(r#"{"files":[{"name":"a.yml","data":"a: #@ x"}]}"#);
    check_ok(&failed, r#"{"errors":"undefined: x\n    a.yml:1 | a: #@ x"}"#);
    check_error(&bulk("{"), &["bulk input"]);
    check_error(&folder.run(&["-f", "x", "--bulk-out"]), &["lstat x: no such file or directory"]);
}

#[test]
fn schemas_in_two_languages() {
    let folder = Folder::with("schema", config());
    let schema = |kind: &str| folder.run(&["-f", "d", "--data-values-schema-inspect", "-o", kind]);
    assert!(schema("openapi-v3").out.starts_with("openapi: 3.0.0\n"));
    assert!(
        schema("json-schema").out.starts_with("{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\"")
    );
    check_error(&schema("yaml"), &["Data values schema export only supported in OpenAPI v3 format"]);
    check_error(&folder.run(&["-f", "d", "-o", "openapi-v3"]), &["Output type currently only supported for"]);
}

#[test]
fn formatting() {
    let folder = Folder::with("fmt", [("a.yml", "{a: 1, b: [2]} # c\n"), ("b.yml", "b: yes\n"), ("c.txt", "x")]);
    let ran = folder.run(&["fmt", "-f", "."]);
    check_ok(&ran, "a: 1\nb:\n  - 2 # c\n---\nb: true\n");
    folder.write("b.yml", "b: [\n");
    check_error(&folder.run(&["fmt", "-f", "."]), &["b.yml:"]);
}

#[test]
fn help_version_and_completion() {
    let folder = Folder::new("help");
    for args in [&["--version"][..], &["version"], &["ytt", "version"]] {
        let ran = folder.run(args);
        check_ok(&ran, "ytt version 0.48.0\n");
        assert_eq!(ran.err, format!("cargo-ytt {}\n", env!("CARGO_PKG_VERSION")));
    }
    assert_eq!(folder.run(&["--version", "--message-format", "json"]).err, "");
    let help = folder.run(&["--help", "extra"]);
    assert_eq!(help.code, Some(0));
    assert!(help.out.contains("-f, --file PATH ...") && help.out.contains("  fmt "));
    assert_eq!(folder.run(&["help"]).out, help.out);
    for shell in ["bash", "fish", "powershell", "zsh"] {
        assert!(folder.run(&["completion", shell]).out.contains("data-values-file"), "{shell}");
    }
    check_error(&folder.run(&["website"]), &["not available"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_noticed() {
    let folder = Folder::with("full", [("a.yml", "a: 1\n")]);
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_cargo-ytt"))
        .args(["-f", "a.yml"])
        .current_dir(&*folder)
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("writing standard output: "));
}

#[test]
fn hints_of_shared_nodes_come_on_request_and_on_standard_error() {
    let config = "#@ def f():\nk: 1\n#@ end\n#@ v = f()\n---\na: #@ v\nb: #@ v\n";
    let overlay = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\na:\n  k: 2\n";
    let folder = Folder::with("shared", [("c.yml", config), ("o.yml", overlay)]);
    let quiet = folder.run(&["-f", "c.yml", "-f", "o.yml"]);
    assert_eq!((quiet.out.as_str(), quiet.err.as_str()), ("a:\n  k: 2\nb:\n  k: 2\n", ""));
    let told = folder.run(&["-f", "c.yml", "-f", "o.yml", "--warnings", "all"]);
    assert_eq!((told.code, told.out), (Some(0), quiet.out));
    let wanted =
        "hint[overlay::shared-node]: this overlay changes `b.k` of document 2 of c.yml too, which it did not match";
    assert!(told.err.contains(wanted), "{}", told.err);
    assert!(told.err.contains("o.yml:5:3") && told.err.contains("c.yml:6:1"), "{}", told.err);
}

/// What is told, up to the code.
fn coded(ran: &Ran) -> Vec<String> {
    let lines = ran.err.lines().filter(|line| line.starts_with("warning[") || line.starts_with("error["));
    lines.filter_map(|line| Some(line.split_once("]:")?.0.to_owned() + "]")).collect()
}

#[test]
fn levels_of_lints_are_flags() {
    let overlay = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\na: 1\nb: 2\n";
    let folder =
        Folder::with("lints", [("d/c.yml", "a: 1\nb: 1\n"), ("d/o.yml", overlay), ("d/unused.star", "x = 1\n")]);
    let run = |flags: &[&str]| folder.run(&[&["-f", "d", "--output-files", "out"], flags].concat());
    let told = |flags: &[&str]| coded(&run(flags));
    assert_eq!(told(&[]), ["warning[overlay::no-effect]"]);
    assert_eq!(told(&["--warnings", "none"]), [""; 0]);
    assert_eq!(told(&["--allow", "overlay::*", "--warn", "files::unused"]), ["warning[files::unused]"]);
    let all = ["warning[overlay::no-effect]", "warning[template::unused-name]", "warning[files::unused]"];
    assert_eq!(
        (told(&["--warnings", "all"]), told(&["--warn", "all"])),
        (all.map(String::from).into(), all.map(String::from).into())
    );
    assert_eq!(told(&["--warn=all", "--allow=template::*", "--allow", "files::*"]), all[..1]);

    fs::remove_dir_all(folder.join("out")).unwrap();
    let denied = run(&["--deny", "overlay::*", "--allow", "overlay::again"]);
    assert_eq!((denied.code, coded(&denied)), (Some(1), vec!["error[overlay::no-effect]".to_owned()]));
    assert!(denied.err.contains("= note: denied on the command line by `--deny overlay::*`"), "{}", denied.err);
    assert!(denied.err.ends_with("error: could not render `d`: 1 problem\n"), "{}", denied.err);
    assert!(!folder.join("out").exists(), "nothing is written");
}

/// A package with one call, whose lints the subcommands tell.
fn package(name: &str, features: &str) -> Folder {
    let manifest = format!(
        "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n\n\
         [dependencies]\nytt-macros = {{ version = \"0.1\"{features} }}\n"
    );
    let overlay = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\na: 2\nb: 1\n";
    let inputs = [
        ("Cargo.toml", manifest.as_str()),
        ("src/lib.rs", "pub const A: &str = ytt_macros::include_ytt!(\"d\");\n"),
        ("d/c.yml", "a: 1\nb: 1\n"),
        ("d/o.yml", overlay),
        ("d/unused.star", "x = 1\n"),
    ];
    Folder::with(name, inputs)
}

#[test]
fn lints_of_calls_are_told_by_check_and_generate() {
    let committed = package("lints-generate", ", default-features = false");
    let denied = committed.run(&["generate", "--deny", "overlay::no-effect"]);
    assert_eq!((denied.code, coded(&denied)), (Some(1), vec!["error[overlay::no-effect]".to_owned()]));
    assert!(denied.err.starts_with("src/lib.rs:1:\n"), "nothing but the problem: {}", denied.err);
    assert!(denied.err.contains("= note: denied on the command line by `--deny overlay::no-effect`"), "{}", denied.err);
    assert!(!committed.join(".ytt").exists(), "nothing is written");
    let written = committed.run(&["generate"]);
    assert_eq!((written.code, coded(&written)), (Some(0), vec!["warning[overlay::no-effect]".to_owned()]));
    assert!(written.err.contains("warning: src/lib.rs:1: 1 warning rendering `d`"), "{}", written.err);
    assert!(committed.join(".ytt").exists() && written.out.starts_with("wrote .ytt/"), "{}", written.out);

    // Where the macro renders, there is nothing to generate, and `check` renders.
    let with_engine = package("lints-check", "");
    for folder in [&committed, &with_engine] {
        let told = |flags: &[&str]| {
            let ran = folder.run(&[&["check"], flags].concat());
            (ran.code, coded(&ran))
        };
        let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        assert_eq!(told(&[]), (Some(0), lines(&["warning[overlay::no-effect]"])));
        assert_eq!(told(&["--allow", "all"]), (Some(0), lines(&[])));
        let unused = told(&["--allow", "overlay::*", "--warn", "files::unused"]);
        assert_eq!(unused, (Some(0), lines(&["warning[files::unused]"])));
        let both = told(&["--warn", "files::unused", "--deny", "overlay::*"]);
        assert_eq!(both, (Some(1), lines(&["error[overlay::no-effect]", "warning[files::unused]"])));
    }
}

#[test]
fn a_folder_is_compared_with_what_is_rendered() {
    let folder = Folder::with("compare", [("in/a.yml", "a: 1\n"), ("in/b/c.yml", "c: #@ 1 + 1\n")]);
    let check = |flag: &str| folder.run(&["check", "-f", "in", flag, "out"]);
    let missing = |path: &str| format!("error[command::stale]: {path} is missing: run the same without `check`\n");
    let ran = check("--output-files");
    assert_eq!((ran.code, ran.out.as_str(), ran.err), (Some(1), "", missing("out/a.yml") + &missing("out/b/c.yml")));
    assert!(!folder.join("out").exists());

    folder.run(&["-f", "in", "--output-files", "out"]);
    folder.write("out/old.yml", "old: true\n");
    let ran = check("--output-files");
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), "", ""));
    let ran = check("--dangerous-emptied-output-directory");
    let extra = "error[command::stale]: out/old.yml is not rendered any more: run the same without `check`\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), extra));

    folder.write("in/a.yml", "a: 2\n");
    let ran = check("--output-files");
    assert_eq!((ran.code, ran.err.lines().count()), (Some(1), 1));
    assert!(ran.err.contains("out/a.yml is stale"), "{}", ran.err);
    assert_eq!(folder.read("out/a.yml"), "a: 1\n");

    let ran = folder.run(&["check", "-f", "in"]);
    assert!(ran.code == Some(1) && ran.err.contains("--output-files is missing"), "{}", ran.err);
    folder.write("in/a.yml", "a: [\n");
    let ran = check("--output-files");
    assert!(ran.code == Some(1) && ran.err.contains("--> in/a.yml:1:4"), "{}", ran.err);
}

/// The table of `--debug` without its numbers: the stages, and the files, those of the same time in order.
fn table_of(errors: &str) -> (&str, Vec<&str>) {
    let (head, rest) = errors.split_once('\n').unwrap_or_default();
    let mut files: Vec<&str> = Vec::new();
    for line in rest.lines().take_while(|line| !line.starts_with("total: ")) {
        let mut words = line.split_whitespace();
        for number in words.by_ref().take(6) {
            assert!(number.parse::<f64>().is_ok() && number.split('.').nth(1).unwrap().len() == 1, "{line}");
        }
        files.push(words.next().unwrap());
    }
    assert!(rest.lines().last().unwrap().starts_with("total: "), "{errors}");
    assert_eq!(files.pop(), Some("(all)"));
    files.sort_unstable();
    (head, files)
}

#[test]
fn debug_says_where_the_time_went() {
    let inputs = [
        ("d/a.yml", "#@ load(\"h.star\", \"a\")\n#@ load(\"@lib:l.star\", \"b\")\na: #@ a(b)\n"),
        ("d/h.star", "def a(x):\n  return x\nend\n"),
        ("d/o.yml", "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\na: 2\n"),
        ("d/_ytt_lib/lib/l.star", "b = 1\n"),
        ("d/unused.md", ""),
        ("v.yml", "name: x\n"),
        ("d/schema.yml", "#@data/values-schema\n---\nname: none\n"),
    ];
    let folder = Folder::with("debug", inputs);
    let args = ["-f", "d", "--data-values-file", "v.yml"];
    let read = ["d/_ytt_lib/lib/l.star", "d/a.yml", "d/h.star", "d/o.yml", "d/schema.yml", "v.yml"];
    for more in
        [&["--debug"][..], &["--debug", "-o", "pos"], &["--debug", "-o", "json"], &["--debug", "--output-files", "out"]]
    {
        let ran = folder.run(&[&args[..], more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let (head, files) = table_of(&ran.err);
        let stages = ["reading", "compiling", "running", "overlays", "printing", "sum", "(ms)"];
        assert_eq!((head.split_whitespace().collect(), files), (Vec::from(stages), Vec::from(read)));
    }
    let plain = folder.run(&args);
    check_ok(&plain, "a: 2\n");
    assert_eq!((plain.err.as_str(), folder.run(&[&args[..], &["--debug"]].concat()).out), ("", plain.out));
    // Nothing is worked on: nothing is told but the sum.
    let listed = folder.run(&["-f", "d", "--files-inspect", "--debug"]);
    assert!(listed.err.starts_with("total: "), "{}", listed.err);
    // A failed render took its time, too; what was tried for its report is not in the table.
    let failed = folder.run(&["-f", "d", "-v", "nmae=x", "--debug"]);
    check_error(&failed, &["error", "  d/schema.yml\n", "\ntotal: "]);
}
