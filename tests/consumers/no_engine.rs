//! The macro without the engine: what `cargo ytt generate` wrote is built, and held to its inputs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;
use std::time::SystemTime;

use crate::support::{Consumer, Did, Run};

/// What `no-engine` prints.
const PRINTED: &str = "kind: Service\nport: 8080\n80 [\"web\", \"api\"] Some(Int(80)) part: 2\n";

const STALE: &str = "error: ytt: the committed expansion is stale: ";
const RUN: &str = ": run `cargo ytt generate` [call::committed-stale]";

/// A copy with its expansions, that was built.
fn built(folder: &str) -> Consumer {
    let consumer = Consumer::of(folder, &["no-engine"]);
    consumer.edit("Cargo.toml", "\"consumer-no-engine", &format!("\"consumer-{folder}"));
    generate(&consumer);
    assert_eq!(consumer.run(&[]).succeeded().stdout, PRINTED);
    consumer.trace();
    consumer
}

/// The lines of `cargo ytt generate`.
#[track_caller]
fn generate(consumer: &Consumer) -> Vec<String> {
    let run = consumer.ytt(&["generate"]).succeeded();
    assert_eq!(run.stderr, "");
    run.stdout.lines().map(str::to_owned).collect()
}

/// `cargo ytt check` finds nothing.
#[track_caller]
fn checks(consumer: &Consumer) {
    let run = consumer.ytt(&["check"]).succeeded();
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
}

/// `cargo ytt check` says so of this many files, and nothing else.
#[track_caller]
fn check_says(consumer: &Consumer, count: usize, what: &str) {
    let run = consumer.ytt(&["check"]).failed();
    let lines: Vec<&str> = run.stderr.lines().collect();
    let fits = |line: &&str| line.starts_with("error: .ytt/") && line.ends_with(&format!(".rs {what}"));
    assert!(lines.len() == count && lines.iter().all(fits), "{count} times `{what}`:\n{}", run.stderr);
}

/// The committed expansions, by their names: their times and texts.
fn expansions(consumer: &Consumer) -> BTreeMap<String, (SystemTime, String)> {
    let files = consumer.files().into_iter().filter(|name| name.starts_with(".ytt"));
    let read = |name: &str| {
        let found = fs::metadata(consumer.root().join(name)).expect("a file of the package");
        (found.modified().expect("files have times"), consumer.read(name))
    };
    files.map(|name| name.to_string_lossy().into_owned()).map(|name| (name.clone(), read(&name))).collect()
}

/// The build fails, and says this of so many calls.
#[track_caller]
fn fails(run: Run, count: usize, text: &str) -> Run {
    let run = run.failed();
    assert_eq!(run.stderr.matches(text).count(), count, "`{text}`:\n{}", run.stderr);
    let errors = run.stderr.matches("error: ytt: ").count();
    assert_eq!(errors, count, "nothing else is said:\n{}", run.stderr);
    run
}

#[test]
fn generated_checked_and_built() {
    let consumer = Consumer::new("no-engine");
    fails(
        consumer.build(),
        3,
        "no committed expansion for this call: run `cargo ytt generate` (calls in `macro_rules!`, in doctests, and of a renamed macro are not seen) [call::committed-missing]",
    )
    .says(&["--> src/lib.rs:8:", "--> src/lib.rs:12:"]);
    check_says(&consumer, 3, "is missing: run `cargo ytt generate`");
    let wrote = generate(&consumer);
    let first = expansions(&consumer);
    let expected: Vec<String> = first.keys().map(|name| format!("wrote {name}")).collect();
    assert_eq!((wrote.len(), wrote), (3, expected));
    checks(&consumer);
    consumer.trace();

    let run = consumer.run(&[]).succeeded();
    assert_eq!((run.did(), run.stdout.as_str()), (Did { script: 0, rustc: 2 }, PRINTED));
    let mut trace = consumer.trace();
    trace.sort();
    assert_eq!(trace, ["call", "call", "call", "committed", "committed", "committed"], "nothing is rendered");
    assert_eq!(consumer.build().succeeded().did(), Did { script: 0, rustc: 0 });

    // What is right is not written again.
    assert_eq!(generate(&consumer), [""; 0]);
    assert_eq!(expansions(&consumer), first);
    assert_eq!(consumer.build().succeeded().did(), Did { script: 0, rustc: 0 });

    // An expansion that is lost is missed by the next build.
    let name = first.keys().next().expect("an expansion");
    consumer.remove(name);
    fails(consumer.build(), 1, "no committed expansion for this call");
    assert_eq!(generate(&consumer), [format!("wrote {name}")]);
    assert_eq!(consumer.read(name), first[name].1);
    consumer.build().succeeded();

    // A later version may write more than this one knows.
    consumer.edit(name, "// ytt-input: ", "// ytt-later: ");
    fails(consumer.build(), 1, "written by a newer version [call::committed-header]");
}

#[test]
fn few_crates_are_built() {
    let consumer = built("few-crates");
    let run = consumer.cargo(&["build", "--message-format=json"]).succeeded();
    let name = |id: String| {
        let (path, version) = id.split_once('#').expect("the id of a package");
        let name = version.split_once('@').map_or_else(|| path.rsplit('/').next(), |(name, _)| Some(name));
        name.expect("the name of a package").to_owned()
    };
    let crates: BTreeSet<String> = run.messages("compiler-artifact", "package_id").into_iter().map(name).collect();
    let expected = [
        "consumer-few-crates",
        "hmac-sha256",
        "proc-macro2",
        "quote",
        "syn",
        "unicode-ident",
        "ytt-engine",
        "ytt-macros",
    ];
    assert_eq!(crates, expected.map(str::to_owned).into());
}

#[test]
fn input_edited_added_or_removed() {
    let consumer = built("stale");
    let stale = |what: &str| format!("{STALE}{what}{RUN}");
    consumer.edit("config/web.yml", "kind: Service", "kind: Ingress");
    consumer.edit("src/lib.rs", "kind = \"Service\"", "kind = \"Ingress\"");
    let run = consumer.build().failed();
    assert_eq!(run.stderr.matches(&stale("`config/web.yml` changed")).count(), 1, "{}", run.stderr);
    run.says(&["no committed expansion for this call"]);
    generate(&consumer);
    let printed = PRINTED.replace("Service", "Ingress");
    assert_eq!(consumer.run(&[]).succeeded().stdout, printed);

    // An edit that changes nothing that is rendered: one cannot know without a render.
    consumer.edit("config/values.yml", "---", "#! Names.\n---");
    fails(consumer.build(), 2, &stale("`config/values.yml` changed"))
        .says(&["--> src/lib.rs:8:", "--> src/lib.rs:12:"]);
    // It stays so, and is mended by going back.
    fails(consumer.build(), 2, &stale("`config/values.yml` changed"));
    check_says(&consumer, 2, "is stale: run `cargo ytt generate`");
    consumer.edit("config/values.yml", "#! Names.\n---", "---");
    consumer.build().succeeded();
    checks(&consumer);

    // Rustc looks at no folders: a new file is seen by the command, and when the macro runs again.
    consumer.write("config/more.yml", "kind: Job\n");
    assert_eq!(consumer.build().succeeded().did(), Did { script: 0, rustc: 0 });
    check_says(&consumer, 2, "is stale: run `cargo ytt generate`");
    consumer.edit("src/lib.rs", "//! Text", "//! A text");
    fails(consumer.build(), 2, &stale("`config` has other files"));
    assert_eq!(generate(&consumer).len(), 2);
    let more = format!("kind: Job\n---\n{printed}");
    assert_eq!(consumer.run(&[]).succeeded().stdout, more);
    checks(&consumer);

    consumer.remove("config/more.yml");
    fails(consumer.build(), 2, &stale("`config/more.yml` is gone"));
    assert_eq!(generate(&consumer).len(), 2);
    assert_eq!(consumer.run(&[]).succeeded().stdout, printed);

    // All are gone, and come back.
    consumer.rename("config", "away");
    let gone = ["schema.yml", "values.yml", "web.yml"].map(|name| format!("`config/{name}` is gone")).join(", ");
    fails(consumer.build(), 2, &stale(&format!("{gone}, `config` is gone")));
    consumer.rename("away", "config");
    assert_eq!(consumer.run(&[]).succeeded().stdout, printed);
}

#[test]
fn call_edited_moved_or_removed() {
    let consumer = built("calls");
    let missing = "no committed expansion for this call: run `cargo ytt generate` (calls in `macro_rules!`, in doctests, and of a renamed macro are not seen) [call::committed-missing]";
    // Another text of the same call is the same call.
    consumer.edit("src/lib.rs", "{ port: 8080 })", "{\n    port: 8080, // As in tests.\n})");
    assert_eq!(consumer.run(&[]).succeeded().stdout, PRINTED);
    consumer.edit("src/lib.rs", "8080,", "8081,");
    fails(consumer.build(), 1, missing).says(&["--> src/lib.rs:8:"]);
    let said = consumer.ytt(&["check"]).failed().stderr;
    for what in ["is missing: run `cargo ytt generate`", "belongs to no call: `cargo ytt generate` removes it"] {
        assert_eq!(said.matches(&format!(".rs {what}\n")).count(), 1, "{said}");
    }
    let mut done: Vec<String> =
        generate(&consumer).iter().map(|line| line.split(' ').next().unwrap_or_default().to_owned()).collect();
    done.sort();
    assert_eq!(done, ["removed", "wrote"]);
    assert_eq!(consumer.run(&[]).succeeded().stdout, PRINTED.replace("8080", "8081"));

    // What is beside a source file belongs to this file.
    consumer.rename("src/parts", "src/pieces");
    consumer.edit("src/lib.rs", "parts", "pieces");
    fails(consumer.build(), 1, missing).says(&["--> src/pieces/mod.rs:4:"]);
    generate(&consumer);
    consumer.build().succeeded();
    consumer.edit("src/pieces/part.yml", "1 + 1", "1 + 2");
    fails(consumer.build(), 1, &format!("{STALE}`src/pieces/part.yml` changed{RUN}"));
    generate(&consumer);
    let printed = PRINTED.replace("8080", "8081").replace("part: 2", "part: 3");
    assert_eq!(consumer.run(&[]).succeeded().stdout, printed);

    let before = expansions(&consumer);
    consumer.edit("src/pieces/mod.rs", "ytt_macros::include_ytt!(\"./part.yml\")", "\"part: 3\\n\"");
    check_says(&consumer, 1, "belongs to no call: `cargo ytt generate` removes it");
    let done = generate(&consumer);
    let after = expansions(&consumer);
    let gone: Vec<String> =
        before.keys().filter(|name| !after.contains_key(*name)).map(|name| format!("removed {name}")).collect();
    assert_eq!((done.len(), done), (1, gone));
    assert_eq!(consumer.run(&[]).succeeded().stdout, printed);
    checks(&consumer);
}

/// A mistake in an input, or in a call: `generate` tells it and leaves the file as it is.
#[test]
fn what_cannot_be_generated_is_told() {
    let consumer = built("mistakes");
    let before = expansions(&consumer);
    consumer.edit("config/web.yml", "data.values.port", "data.values.prot");
    for command in ["generate", "check"] {
        let run = consumer.ytt(&[command]).failed();
        assert_eq!(run.stdout, "", "{command}");
        run.says(&["src/lib.rs:8:\n", "config/web.yml:4:"]);
    }
    assert_eq!(expansions(&consumer), before);
    consumer.edit("config/web.yml", "data.values.prot", "data.values.port");
    // What is not the same for everybody needs the engine.
    for (old, new, said) in [
        ("values = { port: 8080 }", "env_yaml = { port: \"PORT\" }", "[call::env-engine]"),
        (
            "env_yaml = { port: \"PORT\" }",
            "values = { names: [env!(\"NAME\")] }",
            "`env!` needs the feature `engine` of `ytt-macros` [call::env-engine]",
        ),
        (
            "\"config\", values = { names: [env!(\"NAME\")] }",
            "\"/config\"",
            "`/config` needs the feature `engine` of `ytt-macros` [call::path-engine]",
        ),
    ] {
        consumer.edit("src/lib.rs", old, new);
        fails(consumer.build(), 1, said).says(&["--> src/lib.rs:8:"]);
    }
}

/// The name of the crate in `.ytt` is that of nobody's manifest.
#[test]
fn engine_is_renamed() {
    let consumer = built("other-name");
    consumer.edit("Cargo.toml", "ytt-engine = {", "templates = { package = \"ytt-engine\",");
    assert_eq!(consumer.run(&[]).succeeded().stdout, PRINTED);
    assert_eq!(generate(&consumer), [""; 0]);
}

/// A package without its inputs, as a registry has it; they are in its `.ytt`.
#[test]
fn packaged_without_inputs() {
    let consumer = built("to-pack");
    consumer.edit("Cargo.toml", "publish = false\n", "");
    consumer.edit("Cargo.toml", "{ path", "{ version = \"0.1.0\", path");
    checks(&consumer);
    // Nobody could build it elsewhere.
    consumer.edit("Cargo.toml", "\"/.ytt/\", ", "");
    let unpacked = "warning: consumer-to-pack: `.ytt` is not in the package: `git add` it; where the manifest has `include`, add \
                    \"/.ytt/\"\n";
    assert_eq!(consumer.ytt(&["check"]).succeeded().stderr, unpacked);
    consumer.edit("Cargo.toml", "\"/src/\"", "\"/.ytt/\", \"/src/\"");
    consumer.cargo(&["package", "--no-verify", "--allow-dirty", "--exclude-lockfile"]).succeeded();
    // Where git ignores them they are left out too, and who can publish it must know.
    for arguments in [&["init", "-q"][..], &["add", "Cargo.toml", "src"]] {
        let git = Command::new("git").args(arguments).current_dir(consumer.root()).status();
        assert!(git.expect("git can be started").success());
    }
    consumer.edit("Cargo.toml", "include = [", "exclude = [\"config\"]\n# [");
    checks(&consumer);
    consumer.write(".gitignore", "/.ytt/\n");
    let run = consumer.ytt(&["check"]).failed();
    assert_eq!(run.stderr, unpacked.replace("warning", "error"));
    drop(consumer);

    let manifest = "[package]\nname = \"consumer-unpacked-no-engine\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
                    [dependencies]\nconsumer-to-pack = { path = \"vendor/consumer-to-pack-0.1.0\" }\n\n[patch.crates-io]\n\
                    ytt-engine = { path = \"$WORKSPACE/ytt-engine\" }\nytt-macros = { path = \"$WORKSPACE/ytt-macros\" }\n\n\
                    [workspace]\n";
    let main = "fn main() {\n    print!(\"{}\", consumer_no_engine::TEXT);\n}\n";
    let consumer = Consumer::with("unpacked-no-engine", &[("Cargo.toml", manifest), ("src/main.rs", main)]);
    let package = consumer.unpack("consumer-to-pack-0.1.0.crate", "vendor");
    assert!(!package.join("config").exists() && package.join(".ytt").is_dir(), "it is without its inputs");
    assert_eq!(consumer.run(&[]).succeeded().stdout, "kind: Service\nport: 8080\n");
    // Without the sign of a package that was packed, somebody develops it and has lost them.
    consumer.remove("vendor/consumer-to-pack-0.1.0/Cargo.toml.orig");
    consumer.edit("vendor/consumer-to-pack-0.1.0/src/lib.rs", "//! Text", "//! A text");
    fails(consumer.build(), 2, "`config` is gone: run `cargo ytt generate` [call::committed-stale]");
    // What `cargo vendor` and `cargo package` write beside it are such signs.
    for sign in [".cargo-checksum.json", ".cargo_vcs_info.json"] {
        let sign = format!("vendor/consumer-to-pack-0.1.0/{sign}");
        consumer.write(&sign, "{}");
        consumer.build().succeeded();
        consumer.remove(&sign);
    }
}

/// A checkout for Windows has other line ends in all files.
#[test]
fn line_ends_of_a_checkout() {
    let consumer = built("line-ends");
    for name in consumer.files() {
        let name = name.to_str().expect("a name that is text");
        if !name.starts_with("Cargo") {
            let text = consumer.read(name);
            fs::write(consumer.root().join(name), text.replace('\n', "\r\n")).expect("a temporary file");
        }
    }
    consumer.edit("src/lib.rs", "//! Text", "//! A text");
    let run = consumer.run(&[]).succeeded();
    assert_eq!((run.did(), run.stdout.as_str()), (Did { script: 0, rustc: 2 }, PRINTED));
    checks(&consumer);
}

/// A type of the user's, with the test that comes with it.
#[test]
fn read_by_serde() {
    let manifest = "[package]\nname = \"consumer-read-by-serde\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\
                    include = [\"/.ytt/\", \"/src/\"]\n\n[dependencies]\nserde = { version = \"1\", features = [\"derive\"] }\n\
                    ytt-engine = { path = \"$WORKSPACE/ytt-engine\", default-features = false, features = [\"serde\"] }\n\
                    ytt-macros = { path = \"$WORKSPACE/ytt-macros\", default-features = false }\n\n[workspace]\n";
    let main = "use std::sync::LazyLock;\n\n#[derive(serde::Deserialize)]\nstruct Service {\n    kind: String,\n    port: u16,\n}\n\n\
                ytt_macros::include_ytt! {\n    static WEB: LazyLock<Service> = document(\"config\") as serde;\n}\n\n\
                fn main() {\n    print!(\"{} {}\", WEB.kind, WEB.port);\n}\n";
    let files = [("Cargo.toml", manifest), ("src/main.rs", main), ("config/web.yml", "kind: Service\nport: 80\n")];
    let consumer = Consumer::with("read-by-serde", &files);
    assert_eq!(generate(&consumer).len(), 1);
    assert_eq!(consumer.run(&[]).succeeded().stdout, "Service 80");
    let tested = |run: Run, result: &str| {
        let line = format!("test ytt_web_fits_its_type ... {result}\n");
        assert_eq!(run.stdout.matches(&line).count(), 1, "{}", run.stdout);
        run.stdout
    };
    tested(consumer.cargo(&["test"]).succeeded(), "ok");
    consumer.edit("config/web.yml", "80", "http");
    assert_eq!(generate(&consumer).len(), 1);
    let said = tested(consumer.cargo(&["test"]).failed(), "FAILED");
    assert!(said.contains("`WEB` does not fit `Service`: port: ") && said.contains("config/web.yml:2:7"), "{said}");
    checks(&consumer);
}
