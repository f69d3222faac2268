//! What is said in real packages, where a test of the macro alone cannot see it.

use crate::support::Consumer;

const MACRO: &str = "[dependencies]\nytt-macros = { path = \"$WORKSPACE/ytt-macros\" }\n";
const NO_ENGINE: &str = "[dependencies]\nytt-macros = { path = \"$WORKSPACE/ytt-macros\", default-features = false }\n";
const BUILD: &str = "[build-dependencies]\nytt-build = { path = \"$WORKSPACE/ytt-build\" }\n";
const ENGINE: &str = "ytt-engine = { path = \"$WORKSPACE/ytt-engine\", default-features = false";

fn manifest(name: &str, dependencies: &str) -> String {
    format!(
        "[package]\nname = \"consumer-{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n\
         [workspace]\n\n{dependencies}"
    )
}

/// What is to be added, and instead of what.
fn needs(features: &str, or: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "generated code needs `ytt-engine`: add `ytt-engine = {{ version = \"{version}\", default-features = false{features} }}`, \
         or {or}"
    )
}

/// The crate is asked for where code needs it, with the features that it needs, and following the message helps.
#[test]
fn crate_is_missing() {
    let plain = "ytt_macros::include_ytt! {\n    static WEB: Web = document(\"config\");\n}\n\n\
                 fn main() {\n    print!(\"{}\", WEB.port);\n}\n";
    let value = plain.replace(": Web =", ": Value =").replace("{}", "{:?}").replace("WEB.port", "WEB.get(\"port\")");
    let serde = plain
        .replace(": Web =", ": std::sync::LazyLock<std::collections::BTreeMap<String, u16>> =")
        .replace(";\n}\n\n", " as serde;\n}\n\n")
        .replace("WEB.port", "WEB[\"port\"]");
    for (name, start, suffix) in
        [("crate-missing", MACRO, ""), ("crate-missing-no-engine", NO_ENGINE, " [call::crate-missing]")]
    {
        let manifest = manifest(name, start);
        let files = [("Cargo.toml", &*manifest), ("src/main.rs", plain), ("config/web.yml", "port: 80\n")];
        let consumer = Consumer::with(name, &files);
        let generate = || {
            if start == NO_ENGINE {
                consumer.ytt(&["generate"]).succeeded();
            }
        };
        generate();
        assert_eq!(consumer.run(&[]).succeeded().stdout, "80", "plain types need nothing");
        for (source, features, printed) in [(&value, "", "Some(Int(80))"), (&serde, ", features = [\"serde\"]", "80")] {
            consumer.write("src/main.rs", source);
            consumer.write("Cargo.toml", &manifest);
            generate();
            let said = format!("error: ytt: {}{suffix}\n", needs(features, "`crate = path`"));
            let run = consumer.build().failed().says(&[&said, "--> src/main.rs:2:"]);
            assert_eq!(
                run.stderr.matches("\nerror").count(),
                2,
                "this, and that it could not compile:\n{}",
                run.stderr
            );
            consumer.write("Cargo.toml", &format!("{manifest}{ENGINE}{features} }}\n"));
            assert_eq!(consumer.run(&[]).succeeded().stdout, printed);
        }
    }
}

#[test]
fn crate_is_missing_for_a_build_script() {
    let manifest = manifest("crate-missing-script", BUILD);
    let script = "fn main() {\n    let builder = ytt_build::Builder::new(\"config\");\n    \
                  builder.items(\"static WEB: Value = document;\").generate(\"web.rs\").build();\n}\n";
    let main = "include!(concat!(env!(\"OUT_DIR\"), \"/web.rs\"));\n\n\
                fn main() {\n    print!(\"{:?}\", WEB.get(\"port\"));\n}\n";
    let files =
        [("Cargo.toml", &*manifest), ("src/main.rs", main), ("build.rs", script), ("config/web.yml", "port: 80\n")];
    let consumer = Consumer::with("crate-missing-script", &files);
    let said = format!("error: consumer-crate-missing-script@0.1.0: ytt: {}\n", needs("", "`.crate_path(\"…\")`"));
    consumer.build().failed().says(&[&said]);
    consumer.write("Cargo.toml", &format!("{manifest}\n[dependencies]\n{ENGINE} }}\n"));
    assert_eq!(consumer.run(&[]).succeeded().stdout, "Some(Int(80))");
}

const INPUTS: [(&str, &str); 3] = [
    ("config/schema.yml", "#@data/values-schema\n---\nport: 80\n"),
    ("config/web.yml", "#@ load(\"@ytt:data\", \"data\")\n---\nport: #@ data.values.prot\n"),
    ("more/own.yml", "#@ load(\"@ytt:data\", \"data\")\n---\nport: #@ data.values.potr\n"),
];

/// One mistake that many calls read is told in full by the first; the others say in a line that they fail by it.
#[test]
fn told_once_by_calls() {
    let manifest = manifest("told-once", MACRO);
    let main = "static A: &str = ytt_macros::include_ytt!(\"config\");\n\
                static B: &str = ytt_macros::include_ytt!(\"config\", values = { port: 81 });\n\
                ytt_macros::include_ytt! {\n    static C: Web = document(\"config\", values = { port: 82 });\n}\n\
                static D: &str = ytt_macros::include_ytt!(\"config\", \"more\");\n\n\
                fn main() {\n    print!(\"{A}{B}{}{D}\", C.port);\n}\n";
    let files = [("Cargo.toml", &*manifest), ("src/main.rs", main)];
    let consumer = Consumer::with("told-once", &[&files[..], &INPUTS].concat());
    let again = "error: ytt: `config` fails for a reason that is told above: config/web.yml:3:";
    let run = consumer.build().failed().says(&[
        "error: ytt: 1 problem rendering `config`\n",
        "config/web.yml:3:",
        "data.values.prot",
        "--> src/main.rs:1:",
        again,
        "--> src/main.rs:2:",
        again,
        "--> src/main.rs:4:",
        // Of its own it has one more.
        "error: ytt: 1 problem rendering `config` + `more`, beside 1 problem told above (config/web.yml:3:",
        "more/own.yml:3:",
        "data.values.potr",
        "--> src/main.rs:6:",
    ]);
    for told in ["data.values.prot", "data.values.potr"] {
        let count = run.stderr.lines().filter(|line| line.contains('|') && line.contains(told)).count();
        assert_eq!(count, 1, "{told}:\n{}", run.stderr);
    }
    consumer.edit("config/web.yml", "prot", "port");
    consumer.edit("more/own.yml", "potr", "port");
    assert_eq!(consumer.run(&[]).succeeded().stdout, "port: 80\nport: 81\n82port: 80\n---\nport: 80\n");
}

#[test]
fn told_once_by_builders() {
    let manifest = manifest("told-once-script", BUILD);
    let script = "use ytt_build::Builder;\n\nfn main() {\n    \
                  Builder::new(\"config\").write_text(\"a.yml\").build();\n    \
                  Builder::new(\"config\").data_value(\"port\", 81).write_text(\"b.yml\").build();\n    \
                  Builder::new(\"config\").data_value(\"port\", 82).items(\"static C: Web = document;\").generate(\"c.rs\").build();\n    \
                  Builder::new(\"config\").overlay(\"more\").write_text(\"d.yml\").build();\n}\n";
    let main = "fn main() {\n    print!(include_str!(concat!(env!(\"OUT_DIR\"), \"/b.yml\")));\n}\n";
    let files = [("Cargo.toml", &*manifest), ("src/main.rs", main), ("build.rs", script)];
    let consumer = Consumer::with("told-once-script", &[&files[..], &INPUTS].concat());
    let error = "error: consumer-told-once-script@0.1.0: ";
    let again = format!("{error}ytt: `config` fails for a reason that is told above: config/web.yml:3:");
    let run = consumer.build().failed().says(&[
        &format!("{error}ytt: 1 problem rendering `config`\n"),
        "config/web.yml:3:",
        "data.values.prot",
        &again,
        &again,
        &format!("{error}ytt: 1 problem rendering `config` + `more`, beside 1 problem told above (config/web.yml:3:"),
        "more/own.yml:3:",
        "data.values.potr",
    ]);
    for told in ["data.values.prot", "data.values.potr"] {
        let count = run.stderr.lines().filter(|line| line.contains('|') && line.contains(told)).count();
        assert_eq!(count, 1, "{told}:\n{}", run.stderr);
    }
    consumer.edit("config/web.yml", "prot", "port");
    consumer.edit("more/own.yml", "potr", "port");
    assert_eq!(consumer.run(&[]).succeeded().stdout, "port: 81\n");
}
