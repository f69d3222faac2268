//! The example, taken out of the workspace as a reader of it would: both programs print what ytt prints.
#![forbid(unsafe_code)]

mod support;

use std::fs;

use support::Consumer;

#[track_caller]
fn prints_what_ytt_prints(package: &str) {
    let example = support::workspace().join("examples").join("guestbook");
    let consumer = Consumer::copy(&example, &format!("guestbook-{package}"), package);
    for environment in ["dev", "staging", "prod"] {
        let recorded = support::workspace().join("tests/cases/guestbook").join(format!("{environment}.yml"));
        let expected = fs::read_to_string(recorded).expect("a recorded output");
        assert_eq!(consumer.run(&[environment]).succeeded().stdout, expected, "{environment}");
    }
}

#[test]
fn the_macro_prints_what_ytt_prints() {
    prints_what_ytt_prints("macro");
}

#[test]
fn the_build_script_prints_what_ytt_prints() {
    prints_what_ytt_prints("build");
}
