//! What a template can and cannot reach. `docs/security.md` names these tests, line by line.

#[path = "support/folder.rs"]
mod folder;

use std::io::Write;
use std::process::{Command, Output, Stdio};

use folder::Folder;
use ytt_engine::{ErrorKind, Format, Limits, Project, WriteOptions};

/// A file beside the inputs, and what it holds.
const SECRET: (&str, &str) = ("secret.txt", "hunter2");

/// The text that a template gives, or the report.
fn render(project: Project) -> String {
    match project.render().and_then(|rendered| rendered.to_text(Format::Yaml)) {
        Ok(text) => text,
        Err(error) => error.to_report(false),
    }
}

/// What an expression gives, or the text of the error.
fn of_code(code: &str) -> String {
    render(Project::new().file("a.yml", format!("#@ load(\"@ytt:data\", \"data\")\na: #@ {code}\n")))
}

fn command(folder: &Folder, args: &[&str], variables: &[(&str, &str)], stdin: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_cargo-ytt"))
        .arg("ytt")
        .args(args)
        .current_dir(&**folder)
        .envs(variables.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command can be started");
    // A command that reads nothing may be gone already.
    let _ = child.stdin.take().expect("a pipe").write_all(stdin.as_bytes());
    child.wait_with_output().expect("the command ends")
}

#[test]
fn only_files_that_were_given_are_read() {
    let folder = Folder::with("given", [SECRET, ("in/b.txt", "given")]);
    let absolute = folder.join(SECRET.0).display().to_string();
    for path in ["../secret.txt", "/../secret.txt", "in/../../secret.txt", "./../secret.txt", "/etc/passwd", &absolute]
    {
        for call in ["data.read", "data.list"] {
            let text = format!("#@ load(\"@ytt:data\", \"data\")\na: #@ {call}(\"{path}\")\n");
            folder.write("in/a.yml", text);
            let said = render(Project::new().read(folder.join("in")));
            assert!(
                said.contains("error") && !said.contains("hunter2") && !said.contains("root:"),
                "{call} {path}: {said}"
            );
        }
        folder.write("in/a.yml", format!("#@ load(\"{path}\", \"x\")\na: 1\n"));
        let said = render(Project::new().read(folder.join("in")));
        assert!(said.contains("error") && !said.contains("hunter2") && !said.contains("root:"), "load {path}: {said}");
    }
    folder.write("in/a.yml", "#@ load(\"@ytt:data\", \"data\")\na: #@ data.read(\"b.txt\")\n");
    assert!(render(Project::new().read(folder.join("in"))).contains("given"));
}

#[test]
fn a_library_reads_its_own_files() {
    let project = Project::new()
        .file("secret.txt", SECRET.1)
        .file("config.yml", "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n--- #@ template.replace(library.get(\"lib\").eval())\n");
    for path in ["/secret.txt", "../../secret.txt", "/../../secret.txt"] {
        let text = format!("#@ load(\"@ytt:data\", \"data\")\na: #@ data.read(\"{path}\")\n");
        let said = render(project.clone().file("_ytt_lib/lib/a.yml", text));
        assert!(said.contains("Expected to find file") && !said.contains("hunter2"), "{path}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    let folder = Folder::with("followed", [SECRET, ("in/a.yml", "a: 1\n")]);
    std::os::unix::fs::symlink("../secret.txt", folder.join("in/b.txt")).unwrap();
    let project = Project::new().read(folder.join("in"));
    let said = render(project.clone());
    assert!(said.contains("to be allowed, but was not") && !said.contains("hunter2"), "{said}");
    let allowed = project.allow_symlink_destination(folder.join(SECRET.0)).render().unwrap();
    assert_eq!(allowed.file("b.txt").unwrap().and_then(|file| file.text()), Some("hunter2"));
}

#[test]
fn no_name_leads_out_of_the_language() {
    for name in [
        "open",
        "file",
        "exec",
        "eval",
        "compile",
        "__import__",
        "globals",
        "vars",
        "os",
        "sys",
        "env",
        "getenv",
        "input",
        "time",
        "now",
        "random",
        "uuid",
        "id",
        "system",
        "fetch",
        "http",
        "breakpoint",
        "__builtins__",
    ] {
        let said = of_code(name);
        assert!(said.contains("error"), "{name} is a name: {said}");
    }
    for module in ["os", "env", "time", "random", "http", "file", "io", "exec", "net"] {
        let said = render(Project::new().file("a.yml", format!("#@ load(\"@ytt:{module}\", \"x\")\na: 1\n")));
        assert!(said.contains("builtin ytt library does not have module"), "{module}: {said}");
    }
}

#[test]
fn no_value_shows_an_address_or_the_machine() {
    let code = "[str(print), str(lambda x: x), repr(data.values), str(data), hash(\"a\"), dir(data), str(range(3)), \
                str(data.read), repr([len, {\"a\": set([1])}])]";
    let text = of_code(code);
    assert!(!text.contains("error") && !text.contains("0x"), "{text}");
    let folder = Folder::with("address", [("a.yml", format!("#@ load(\"@ytt:data\", \"data\")\na: #@ {code}\n"))]);
    for _ in 0..3 {
        let output = command(&folder, &["-f", "a.yml"], &[], "");
        assert_eq!(String::from_utf8_lossy(&output.stdout), text);
    }
}

#[test]
fn variables_are_read_by_their_prefix_only() {
    let folder = Folder::with("variables", [("a.yml", "a: 1\n")]);
    let variables = [("APP_name", "seen"), ("SECRET", "hunter2"), ("APPLE_x", "hunter2")];
    let values = |args: &[&str]| {
        let output = command(&folder, &[&["-f", "a.yml", "--data-values-inspect"], args].concat(), &variables, "");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert_eq!(values(&[]), "");
    assert_eq!(values(&["--data-values-env", "APP"]), "name: seen\n");
}

#[test]
fn standard_input_is_read_when_it_is_named() {
    let folder = Folder::with("named", [("a.yml", "a: 1\n")]);
    let output = command(&folder, &["-f", "a.yml"], &[], "secret: hunter2\n");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "a: 1\n");
}

#[test]
fn addresses_of_the_network_are_refused() {
    for address in ["http://localhost:1/a.yml", "https://localhost:1/a.yml"] {
        assert!(render(Project::new().read(address)).contains("is not supported"), "{address}");
        let said = render(Project::for_command().data_values_file(address).file("a.yml", "a: 1\n"));
        assert!(said.contains("error"), "{said}");
    }
}

#[test]
fn nothing_is_written_but_what_was_asked_for() {
    let folder = Folder::with("written", [("in/a.yml", "#@ print(\"hi\")\na: 1\n")]);
    let output = command(&folder, &["-f", "in"], &[], "");
    assert_eq!((output.status.code(), folder::files(&folder)), (Some(0), vec!["in/a.yml".to_owned()]));
    let output = command(&folder, &["-f", "in", "--output-files", "out"], &[], "");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(folder::files(&folder), ["in/a.yml", "out/a.yml"]);
}

#[test]
fn output_stays_below_its_folder() {
    let folder = Folder::new("below");
    for path in ["../x.yml", "a/../../x.yml", "./../x.yml"] {
        let rendered = Project::new().file(path, "a: 1\n").render();
        let said = rendered.and_then(|rendered| rendered.write_to(folder.join("out"))).unwrap_err().to_string();
        assert!(said.contains("to be below the output folder"), "{path}: {said}");
    }
    // A leading slash is one of the output folder.
    let rendered = Project::new().file("/x.yml", "a: 1\n").render().unwrap();
    rendered.write_to_with(folder.join("out"), &WriteOptions::default()).unwrap();
    assert_eq!(folder::files(&folder), ["out/x.yml"]);
}

/// As ytt does; who gives the flags decides. Names of files in a folder hold no `..`.
#[test]
fn a_file_mark_of_the_command_may_leave_the_output_folder() {
    let folder = Folder::with("marked", [("in/a.yml", "a: 1\n")]);
    let output =
        command(&folder, &["-f", "in", "--file-mark", "a.yml:path=../x.yml", "--output-files", "out"], &[], "");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(folder::files(&folder), ["in/a.yml", "x.yml"]);
}

#[test]
fn a_program_without_an_end_is_an_error() {
    for code in ["[x for x in range(1 << 40)]", "\"a\" * (1 << 40)", "1 << (1 << 40)", "list(range(1 << 40))"] {
        let error =
            Project::new().file("a.yml", format!("a: #@ {code}\n")).limits(Limits::build()).render().unwrap_err();
        let is_refused = error.kind() == ErrorKind::Limit || !error.to_report(false).contains("internal");
        assert!(is_refused, "{code}: {error}");
    }
}

#[test]
fn a_report_shows_the_lines_that_it_speaks_of() {
    // A report shows lines of inputs: who may read it may read these lines. It shows no other line.
    let folder = Folder::with("shown", [SECRET, ("in/a.yml", "a: 1\npassword: swordfish\nb: #@ nope\n")]);
    let said = render(Project::new().read(folder.join("in")));
    assert!(said.contains("nope") && !said.contains("hunter2") && !said.contains("swordfish"), "{said}");
}
