//! The example, taken out of the workspace as a reader of it would: both programs print what ytt prints, are not built
//! again without a reason, and are not built at all while an overlay matches nothing. What they print is also checked
//! with the schemas of Kubernetes, where their program can be had.
#![forbid(unsafe_code)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::Consumer;

const ENVIRONMENTS: [&str; 3] = ["dev", "staging", "prod"];

fn example(package: &str) -> Consumer {
    let example = support::workspace().join("examples").join("guestbook");
    Consumer::copy(&example, &format!("guestbook-{package}"), package)
}

/// What ytt prints for an environment.
fn recorded(environment: &str) -> PathBuf {
    support::workspace().join("tests/cases/guestbook").join(format!("{environment}.yml"))
}

#[track_caller]
fn prints_what_ytt_prints(package: &str) {
    let consumer = example(package);
    for environment in ENVIRONMENTS {
        let expected = fs::read_to_string(recorded(environment)).expect("a recorded output");
        assert_eq!(consumer.run(&[environment]).succeeded().stdout, expected, "{environment}");
    }
    consumer.trace();
    let run = consumer.build().succeeded();
    assert!(run.stderr.contains(&format!("Fresh guestbook{} v", suffix(package))), "{}", run.stderr);
    assert_eq!(consumer.trace(), [""; 0], "nothing has changed, and yet something was rendered");
}

/// What the package is called after the example's name.
fn suffix(package: &str) -> &str {
    if package == "build" { "-build" } else { "" }
}

#[test]
fn the_macro_prints_what_ytt_prints() {
    prints_what_ytt_prints("macro");
}

#[test]
fn the_build_script_prints_what_ytt_prints() {
    prints_what_ytt_prints("build");
}

/// One line of an overlay is changed so that it matches nothing, and changed back.
#[track_caller]
fn fails_while_an_overlay_matches_nothing(package: &str) {
    let consumer = example(package);
    let file = "overlays/prod/exporter.yml";
    let (right, wrong) = (r#"{"name": "guestbook-api"}"#, r#"{"name": "guestbook-apy"}"#);
    let text = fs::read_to_string(support::workspace().join("examples/guestbook").join(file)).expect("the overlay");
    let line = text.lines().position(|line| line.contains(right)).expect("the line of the test") + 1;

    consumer.edit(file, right, wrong);
    consumer.build().failed().says(&[
        "[overlay::no-match]: Expected number of matched nodes to be 1, but was 0",
        "exporter.yml:",
        "1 of 2 keys of the subset match: `metadata.name` is `guestbook-api`, expected `guestbook-apy`",
        &format!("{line} | #@overlay/match by=overlay.subset({{\"kind\": \"Deployment\", \"metadata\": {wrong}}})"),
    ]);
    consumer.edit(file, wrong, right);
    consumer.build().succeeded();
}

#[test]
fn the_macro_fails_while_an_overlay_matches_nothing() {
    fails_while_an_overlay_matches_nothing("macro");
}

#[test]
fn the_build_script_fails_while_an_overlay_matches_nothing() {
    fails_while_an_overlay_matches_nothing("build");
}

/// What `kubernetes-validate` says of a file: whether it accepts it, and its lines.
fn validated(program: &Path, file: &Path) -> (bool, String) {
    let output = Command::new(program).arg("--strict").arg(file).output();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
#[ignore = "needs KUBERNETES_VALIDATE, the path of PyPI's kubernetes-validate; .ci/run installs it"]
fn kubernetes_accepts_what_is_printed() {
    let program = std::env::var_os("KUBERNETES_VALIDATE").expect("KUBERNETES_VALIDATE names the program");
    let program = PathBuf::from(program);
    for environment in ENVIRONMENTS {
        let file = recorded(environment);
        let text = fs::read_to_string(&file).expect("a recorded output");
        let objects = text.split("\n---\n").count();
        let (accepted, said) = validated(&program, &file);
        assert!(accepted, "{environment}:\n{said}");
        // It says nothing of a file without objects, and accepts it.
        assert_eq!(said.lines().filter(|line| line.contains(" passed for resource ")).count(), objects, "{said}");

        // The program does look: a key that no schema has is refused.
        let wrong = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("wrong-{environment}.yml"));
        fs::write(&wrong, text.replacen("  replicas:", "  replica:", 1)).expect("a temporary file");
        assert!(!validated(&program, &wrong).0, "{environment}: a wrong key is accepted");
    }
}
