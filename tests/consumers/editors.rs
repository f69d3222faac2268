//! What an editor shows: rust-analyzer expands macros by itself, in a process that it keeps.

use std::process::Command;

use crate::support::Consumer;

/// The errors that rust-analyzer shows in a package, each with its place: lines and columns count from 0.
fn shown(consumer: &Consumer, name: &str) -> Vec<String> {
    let program = std::env::var_os("RUST_ANALYZER").expect("RUST_ANALYZER names the program");
    let mut command = Command::new(program);
    command.args(["diagnostics", "--severity", "error", "."]);
    let run = consumer.start(command);
    assert!(run.stdout.contains("diagnostic scan complete"), "{}\n{}", run.stdout, run.stderr);
    let read = format!("{}/src/main.rs", consumer.root().display());
    assert!(run.stdout.contains(&read), "{read} is not read:\n{}", run.stdout);
    // What it says of the crates below is no matter of the package.
    let (mut found, start) = (Vec::<String>::new(), format!("at crate {name}, file "));
    let mut is_own = false;
    for line in run.stdout.lines() {
        match line.split_once("at crate ") {
            Some((before, rest)) => {
                is_own = line[before.len()..].starts_with(&start);
                if is_own {
                    found.push(rest.to_owned());
                }
            }
            None if line.contains("% processing ") => is_own = false,
            None if is_own => {
                let last = found.last_mut().expect("the line of the error");
                last.extend(["\n", line]);
            }
            None => {}
        }
    }
    found
}

#[test]
#[ignore = "needs RUST_ANALYZER, the path of rust-analyzer, and the sources of the standard library"]
fn rust_analyzer_shows_mistakes_where_they_are_made() {
    let consumer = Consumer::new("both");
    // It does not run what it shows; the build script has to have run.
    consumer.build().succeeded();
    assert_eq!(shown(&consumer, "consumer_both"), [""; 0]);
    drop(consumer);

    let consumer = Consumer::of("no-engine", &["no-engine"]);
    consumer.ytt(&["generate"]).succeeded();
    assert_eq!(shown(&consumer, "consumer_no_engine"), [""; 0]);
    consumer.edit("config/values.yml", "api", "cli");
    // The program misses names of the library, which rustc would not have compiled.
    let found = shown(&consumer, "consumer_no_engine");
    let found: Vec<&String> = found.iter().filter(|one| one.contains("src/lib.rs: ")).collect();
    assert_eq!(found.len(), 2, "{found:#?}");
    for place in ["from LineCol { line: 7, col: 49 }", "from LineCol { line: 11, col: 36 }"] {
        let is_it = |one: &&&String| one.contains(place) && one.contains("ytt: the committed expansion is stale");
        assert_eq!(found.iter().filter(is_it).count(), 1, "{found:#?}");
    }
    drop(consumer);

    let consumer = Consumer::of("macro", &["inputs", "macro"]);
    assert_eq!(shown(&consumer, "consumer_macro"), [""; 0]);
    consumer.edit("config/deployment.yml", "data.values.replicas", "data.values.replica");
    let found = shown(&consumer, "consumer_macro");
    assert_eq!(found.len(), 2, "{found:#?}");
    // It shows calls one by one: each tells all.
    for (place, inputs) in [
        ("from LineCol { line: 3, col: 29 } to LineCol { line: 3, col: 37 }", "`config`"),
        ("from LineCol { line: 4, col: 47 } to LineCol { line: 4, col: 55 }", "`config` + `overlays`"),
    ] {
        let one = found.iter().find(|one| one.contains(place)).unwrap_or_else(|| panic!("{place}: {found:#?}"));
        for part in [&*format!(": ytt: 1 problem rendering {inputs}\n"), "config/deployment.yml:12:"] {
            assert!(one.contains(part), "`{part}` is not in {one}");
        }
    }
}
