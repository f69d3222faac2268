//! The examples, taken out of the workspace as a reader of them would: what their pages show is what they print, and what
//! the pages say of edits is true. (The guestbook has a test program of its own.)
#![forbid(unsafe_code)]

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use proc_macro2::{TokenStream, TokenTree};
use support::Consumer;
use ytt_engine::codegen::stamp::CallIn;

fn folder(name: &str) -> PathBuf {
    support::workspace().join("examples").join(name)
}

fn example(name: &str) -> Consumer {
    Consumer::copy(&folder(name), &format!("example-{name}"), "")
}

/// The commands of a page, with what it shows of their output.
fn shown(page: &str) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    let mut is_inside = false;
    for line in page.lines() {
        match line.strip_prefix("$ ") {
            _ if line.starts_with("```") => is_inside = line == "```console",
            Some(command) if is_inside => found.push((command.to_owned(), Vec::new())),
            None if is_inside => {
                let (_, lines) = found.last_mut().expect("a block begins with a command");
                lines.push(line.to_owned());
            }
            _ => {}
        }
    }
    found
}

/// A shown line that ends in `…` is the start of a line; a line `…` stands for any number of them, at the end.
fn matches(shown: &[String], printed: &str) -> bool {
    let mut lines = printed.lines();
    for line in shown {
        match line.strip_suffix('…') {
            Some("") => return lines.next().is_some(),
            Some(start) if lines.next().is_some_and(|line| line.starts_with(start)) => {}
            None if lines.next() == Some(line) => {}
            _ => return false,
        }
    }
    lines.next().is_none()
}

/// Runs what the page of an example shows.
#[track_caller]
fn prints_what_its_page_shows(consumer: &Consumer, name: &str, start: &str) {
    let page = fs::read_to_string(folder(name).join("README.md")).expect("the page of the example");
    let commands = shown(&page);
    assert!(!commands.is_empty(), "{name} shows no command");
    for (command, lines) in commands {
        let arguments = command.strip_prefix(start).unwrap_or_else(|| panic!("`{command}` is not `{start}…`"));
        // What cargo says of the build is not shown.
        let all: Vec<&str> = ["run", "-q", "--"].into_iter().chain(arguments.split(' ')).collect();
        let run = consumer.cargo(&all);
        let printed = format!("{}{}", run.stdout, run.stderr);
        assert!(matches(&lines, &printed), "{command}\n{printed}");
    }
}

#[test]
fn pages_are_read_as_people_read_them() {
    let page = "```console\n$ a -b\none\ntwo…\n…\n$ c\n```\n$ d\n```sh\n$ e\n```\n";
    let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    let expected = lines(&["one", "two…", "…"]);
    assert_eq!(shown(page), [("a -b".to_owned(), expected.clone()), ("c".to_owned(), Vec::new())]);
    for (printed, fits) in [
        ("one\ntwo\nx\n", true),
        ("one\ntwo three\nx\ny\n", true),
        ("one\ntwo\n", false),
        ("one\ntw\nx\n", false),
        ("one!\ntwo\nx\n", false),
    ] {
        assert_eq!(matches(&expected, printed), fits, "{printed}");
    }
    assert!(!matches(&lines(&["one"]), "one\ntwo\n"));
}

#[test]
fn the_operator() {
    let consumer = example("operator");
    prints_what_its_page_shows(&consumer, "operator", "cargo run -q -p operator -- ");
    consumer.cargo(&["test"]).succeeded();
    for (file, right, wrong, said) in [
        ("overlays/prod/values.yml", "replicas: 3", "replicas: 60", "a value <= 50"),
        ("overlays/prod/spread.yml", "expects=2", "expects=3", "Expected number of matched nodes to be 3"),
        ("overlays/prod/values.yml", "min_available: 2", "min_available: 3", "no node could ever be drained"),
    ] {
        consumer.edit(file, right, wrong);
        consumer.build().failed().says(&[said]);
        consumer.edit(file, wrong, right);
    }
    let text = fs::read_to_string(folder("operator").join("config/app.yml")).expect("the template");
    let line = text.lines().position(|line| line.contains("targetPort: 8080")).expect("the line of the page") + 1;
    consumer.edit("config/app.yml", "targetPort: 8080", "targetPort: [8080]");
    let said = consumer.cargo(&["test"]).failed().stdout;
    let place = format!("config/app.yml:{line}:17");
    for part in ["`SERVICES` does not fit `Vec<Service>`: [0].spec.ports[0].targetPort: ", &place] {
        assert!(said.contains(part), "`{part}` is not said:\n{said}");
    }
}

#[test]
fn the_pipelines() {
    let consumer = example("pipelines");
    prints_what_its_page_shows(&consumer, "pipelines", "cargo run -q -p pipelines -- ");
    // A file that is new, and one that is gone.
    consumer.write("ci/tidy.yml", "name: Tidy\n\"on\":\n  schedule:\n  - cron: 0 3 * * 1\njobs: {}\n");
    consumer.remove("ci/deploy.yml");
    let printed = consumer.run(&["list"]).succeeded().stdout;
    let starts: Vec<&str> = printed.lines().filter_map(|line| line.split(' ').next()).collect();
    let expected = ["ci/build.yml", "ci/tidy.yml", "compose/dev.yml", "compose/staging.yml", "compose/prod.yml"];
    assert_eq!(starts, expected);
    let folder = PathBuf::from(consumer.run(&["folder"]).succeeded().stdout.trim_end());
    let is_there = |name: &str| folder.join(name).is_file();
    assert_eq!(["ci/tidy.yml", "ci/deploy.yml", "compose/dev.yml"].map(is_there), [true, false, true]);
}

/// Built in a folder of its own, so that nothing is there but what it needs.
#[test]
fn the_tool() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("example-tool");
    let mut consumer = example("tool");
    consumer.variable("CARGO_TARGET_DIR", target.to_str());
    let said = consumer.build().succeeded().stderr;
    let crates = said.lines().filter_map(|line| {
        let line = line.trim_start();
        let rest = line.strip_prefix("Compiling ").or_else(|| line.strip_prefix("Fresh "))?;
        rest.split(' ').next()
    });
    let crates: BTreeSet<&str> = crates.collect();
    assert!(crates.contains("ytt-macros") && crates.contains("textcheck"), "{said}");
    assert!(!crates.iter().any(|name| name.starts_with("starlark") || *name == "serde_yaml"), "{crates:?}");
    // 7 for `serde` with its derive, 6 for `toml`, the tool itself, and 3 for what ytt needs.
    assert!(crates.len() <= 17, "{crates:?}");

    prints_what_its_page_shows(&consumer, "tool", "cargo run -q -- ");
    consumer.cargo(&["test"]).succeeded();
    consumer.edit("config/schema.yml", "max_width: 100", "max_width: 90");
    let stale = "the committed expansion is stale: `config/schema.yml` changed: run `cargo ytt generate`";
    consumer.build().failed().says(&[stale]);
}

/// The macro without the engine compares inputs only; this is for changes of the engine.
#[test]
fn what_the_tool_has_committed_is_what_the_engine_makes() {
    let package = folder("tool");
    let source = package.join("src/settings.rs");
    let text = fs::read_to_string(&source).expect("the source of the tool");
    let tokens: Vec<TokenTree> = text.parse::<TokenStream>().expect("Rust").into_iter().collect();
    let is_call =
        |part: &&[TokenTree]| matches!(&part[0], TokenTree::Ident(name) if name == "include_ytt") && part.len() == 3;
    let call = tokens.windows(3).find(is_call).expect("a call in the source");
    let TokenTree::Group(group) = &call[2] else { panic!("a call has brackets") };
    let (name, expected, _) =
        CallIn { package: &package, source: &source, tokens: group.stream(), said: None, lints: &[] }
            .committed()
            .expect("an expansion");
    let committed = fs::read_to_string(package.join(".ytt").join(&name)).expect("the committed expansion");
    assert_eq!(committed, expected, "run `cargo ytt generate`");
    assert_eq!(fs::read_dir(package.join(".ytt")).expect("the folder").count(), 1, "{name} is all that is needed");
}

#[test]
fn the_tool_packs_what_it_needs() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(folder("tool")).args(["package", "--list", "--offline", "--allow-dirty"]);
    let output = command.output().expect("cargo can be started");
    let listed = String::from_utf8_lossy(&output.stdout);
    let listed: Vec<&str> =
        listed.lines().filter(|line| !line.starts_with(".cargo") && !line.ends_with(".orig")).collect();
    let expansion = listed.first().filter(|name| name.starts_with(".ytt/") && name.ends_with(".rs"));
    let rest = [
        "Cargo.lock",
        "Cargo.toml",
        "README.md",
        "config/schema.yml",
        "src/check.rs",
        "src/main.rs",
        "src/settings.rs",
    ];
    assert!(expansion.is_some() && listed[1..] == rest, "{listed:?}\n{}", String::from_utf8_lossy(&output.stderr));
}
