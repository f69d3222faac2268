//! Where it must hold: kinds of packages, places in which they lie, and ways to build them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use crate::host;
use crate::support::{Consumer, Did, Run};

/// What `both` prints.
const BOTH: &str = "kind: Deployment\nmetadata:\n  name: web\n  labels:\n    app: shop\nspec:\n  replicas: 1\n  ratio: 0.5\n  \
                    nothing: null\n---\nkind: Service\nmetadata:\n  name: web\n  labels:\n    app: shop\npart: 2\n\
                    523 shop web 2 1";

const CONFIG: [(&str, &str); 2] = [
    ("config/schema.yml", "#@data/values-schema\n---\nreplicas: 1\n"),
    ("config/web.yml", "#@ load(\"@ytt:data\", \"data\")\n---\nkind: Deployment\nreplicas: #@ data.values.replicas\n"),
];

/// A package in a folder, with the inputs of all.
fn package(folder: &str, files: &[(&str, &str)]) -> Vec<(String, String)> {
    let all = CONFIG.iter().chain(files);
    all.map(|(name, text)| (format!("{folder}/{name}"), (*text).to_owned())).collect()
}

/// Several packages, with what stands above them.
fn packages(root: &str, above: &[(&str, &str)], packages: Vec<Vec<(String, String)>>) -> Consumer {
    let packages: Vec<(String, String)> = packages.into_iter().flatten().collect();
    let files = packages.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    Consumer::with(root, &above.iter().copied().chain(files).collect::<Vec<_>>())
}

/// A manifest of a program with these dependencies.
fn manifest(name: &str, rest: &str) -> String {
    format!("[package]\nname = \"consumer-{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n{rest}")
}

const MACRO: &str = "ytt-macros = { path = \"$WORKSPACE/ytt-macros\" }\n";
const CONSTANTS: &str = "ytt-engine = { path = \"$WORKSPACE/ytt-engine\", default-features = false }\n";
const BUILD: &str = "[build-dependencies]\nytt-build = { path = \"$WORKSPACE/ytt-build\" }\n";

/// The files that cargo made for a target, or for the host if there is none.
fn artifacts(run: &Run, target: &str) -> Vec<String> {
    let below = if target.is_empty() { "trybuild/debug/".to_owned() } else { format!("/{target}/debug/") };
    run.messages("compiler-artifact", "filenames").into_iter().filter(|names| names.contains(&below)).collect()
}

/// The engine is built for the host alone: no program holds an interpreter.
#[test]
fn workspace_of_two_members() {
    let app = "ytt_macros::include_ytt! {\n    static WEB: Value = document(\"config\");\n}\n\n\
               fn main() {\n    print!(\"{:?}\", WEB.get(\"replicas\").and_then(|value| value.as_i64()));\n}\n";
    let tool = "fn main() {\n    print!(include_str!(concat!(env!(\"OUT_DIR\"), \"/config.yml\")));\n}\n";
    let script = "fn main() {\n    ytt_build::compile(\"config\");\n}\n";
    let members = vec![
        package(
            "app",
            &[("Cargo.toml", &manifest("app", &format!("[dependencies]\n{MACRO}{CONSTANTS}"))), ("src/main.rs", app)],
        ),
        package("tool", &[("Cargo.toml", &manifest("tool", BUILD)), ("build.rs", script), ("src/main.rs", tool)]),
    ];
    let root = "[workspace]\nresolver = \"2\"\nmembers = [\"app\", \"tool\"]\n";
    let consumer = packages("workspace", &[("Cargo.toml", root)], members);
    for resolver in ["2", "3"] {
        if resolver == "3" {
            consumer.edit("Cargo.toml", "\"2\"", "\"3\"");
        }
        let run = |name: &str| consumer.cargo(&["run", "-q", "-p", name]).succeeded().stdout;
        assert_eq!(run("consumer-app"), "Some(1)");
        assert_eq!(run("consumer-tool"), "kind: Deployment\nreplicas: 1\n");
        let host = host();
        let run = consumer.cargo(&["build", "--target", &host, "--message-format=json"]).succeeded();
        let has = |target: &str, name: &str| artifacts(&run, target).iter().any(|names| names.contains(name));
        assert!(has(&host, "/libytt_engine-") && !has(&host, "/libstarlark"), "{:#?}", artifacts(&run, &host));
        assert!(has("", "/libytt_engine-") && has("", "/libstarlark-"), "{:#?}", artifacts(&run, ""));
        let tree = consumer.cargo(&["tree", "-p", "consumer-app", "-e", "normal,no-proc-macro", "--prefix=none"]);
        let names: Vec<String> =
            tree.succeeded().stdout.lines().filter_map(|line| Some(line.split(' ').next()?.to_owned())).collect();
        assert_eq!(names, ["consumer-app", "ytt-engine"], "resolver {resolver}");
    }
    // Members lie below the folder in which cargo was called, and reports name their files from there.
    consumer.edit("app/config/web.yml", "data.values.replicas", "data.values.replica");
    consumer.cargo(&["build", "-p", "consumer-app"]).failed().says(&[
        "error: ytt: 1 problem rendering `config`",
        "--> app/config/web.yml:4:",
        "--> app/src/main.rs:2:",
    ]);
    consumer.edit("tool/config/web.yml", "data.values.replicas", "data.values.replica");
    consumer
        .cargo(&["build", "-p", "consumer-tool"])
        .failed()
        .says(&["error: consumer-tool@0.1.0: ytt: 1 problem rendering `config`", "config/web.yml:4:"]);
}

#[test]
fn crate_in_a_folder_of_a_repository() {
    let consumer = Consumer::of("repository/below/both", &["both"]);
    let root = consumer.root().join("../..");
    let git = Command::new("git").args(["init", "-q"]).current_dir(&root).status().expect("git can be started");
    assert!(git.success());
    consumer.edit("Cargo.toml", "\"consumer-both", "\"consumer-in-repository");
    assert_eq!(consumer.run(&[]).succeeded().stdout, BOTH);
    consumer.trace();
    // From the root of the repository it is the same package.
    let manifest = ["build", "-v", "--manifest-path", "repository/below/both/Cargo.toml"];
    let above = consumer.inside("../../..");
    let run = above.cargo(&manifest).succeeded();
    assert_eq!(run.did(), Did { script: 0, rustc: 0 }, "{}", run.stderr);
    above.edit("config/web.yml", "kind: Service", "kind: [");
    above.cargo(&manifest).failed().says(&["error: consumer-in-repository@0.1.0: ytt: 1 problem", "config/web.yml:1"]);
    fs::remove_dir_all(root.join(".git")).expect("the repository can be removed");
}

/// Generated code finds `ytt-engine` under the name that the package gives it, or where `crate =` says.
#[test]
fn renamed_and_reexported() {
    let root = "[workspace]\nresolver = \"3\"\nmembers = [\"renamed\", \"kit\", \"user\"]\n\n[workspace.dependencies]\n\
                templates = { package = \"ytt-engine\", path = \"$WORKSPACE/ytt-engine\", default-features = false }\n";
    let renamed = "[dependencies]\ntemplates.workspace = true\n\
                   yaml = { package = \"ytt-macros\", path = \"$WORKSPACE/ytt-macros\" }\n";
    let renamed_main = "yaml::include_ytt! {\n    static WEB: Value = document(\"config\");\n}\n\n\
                        fn main() {\n    print!(\"{:?}\", WEB.get(\"kind\"));\n}\n";
    let kit = "//! Embeds.\n\n#[doc(hidden)]\npub use ytt_engine as ytt;\n#[doc(hidden)]\npub use ytt_macros::include_ytt;\n\n\
               /// A constant and a text.\n#[macro_export]\nmacro_rules! embed {\n    ($name:ident, $text:ident, $path:literal) => {\n        \
               $crate::include_ytt! { crate = $crate::ytt; pub static $name: Value = document($path); }\n        \
               static $text: &str = $crate::include_ytt!($path, values = { replicas: 2 });\n    };\n}\n";
    let user =
        "kit::embed!(WEB, TEXT, \"config\");\n\nfn main() {\n    print!(\"{:?} {TEXT}\", WEB.get(\"kind\"));\n}\n";
    let user_manifest = manifest("user", "[dependencies]\nkit = { package = \"consumer-kit\", path = \"../kit\" }\n");
    let members = vec![
        package("renamed", &[("Cargo.toml", &manifest("renamed", renamed)), ("src/main.rs", renamed_main)]),
        vec![
            ("kit/Cargo.toml".to_owned(), manifest("kit", &format!("[dependencies]\n{MACRO}{CONSTANTS}"))),
            ("kit/src/lib.rs".to_owned(), kit.to_owned()),
        ],
        package("user", &[("Cargo.toml", &user_manifest), ("src/main.rs", user)]),
    ];
    let consumer = packages("renamed", &[("Cargo.toml", root)], members);
    let run = |name: &str| consumer.cargo(&["run", "-q", "-p", name]).succeeded().stdout;
    assert_eq!(run("consumer-renamed"), "Some(Str(\"Deployment\"))");
    assert_eq!(run("consumer-user"), "Some(Str(\"Deployment\")) kind: Deployment\nreplicas: 2\n");
    // A mistake is shown where the user wrote it.
    consumer.edit("user/src/main.rs", "\"config\"", "\"confgi\"");
    consumer.cargo(&["build", "-p", "consumer-user"]).failed().says(&[
        "error: ytt: `confgi` does not exist in package `consumer-user` (did you mean `config`?)",
        "--> user/src/main.rs:1:24",
    ]);
}

#[test]
fn without_std() {
    let consumer = Consumer::new("no-std");
    let build = || consumer.cargo(&["build", "-p", "consumer-no-std"]);
    build().succeeded().says_not(&["warning"]);
    // It is seen if something brings `std`: then there are two handlers of panics.
    consumer.edit("src/lib.rs", "#[panic_handler]", "extern crate std;\n\n#[panic_handler]");
    build().failed().says(&["found duplicate lang item `panic_impl`"]);
}

/// Sources need not be writable: nothing is written but below the target folder.
#[test]
fn nothing_is_written_into_the_package() {
    let consumer = Consumer::of("read-only", &["both"]);
    consumer.edit("Cargo.toml", "\"consumer-both", "\"consumer-read-only");
    // The lock file is cargo's: it cannot write it later.
    consumer.build().succeeded();
    consumer.edit("src/lib.rs", "//! All", "//! Nearly all");
    let seen = || -> BTreeMap<PathBuf, SystemTime> {
        let time = |name: PathBuf| {
            let found = fs::metadata(consumer.root().join(&name)).expect("a file of the package");
            (name, found.modified().expect("files have times"))
        };
        consumer.files().into_iter().map(time).collect()
    };
    let before = seen();
    writable(consumer.root(), false);
    let runs = [consumer.run(&[]), consumer.cargo(&["check", "--all-targets"])];
    writable(consumer.root(), true);
    let [run, check] = runs.map(Run::succeeded);
    assert_eq!(run.stdout, BOTH);
    assert_eq!(run.did().rustc, 2, "library and program:\n{}", check.stderr);
    assert_eq!(seen(), before);
}

/// Takes away the right to write, or gives it back. The superuser has it anyway.
fn writable(folder: &Path, flag: bool) {
    let mode = if flag { "u+w" } else { "a-w" };
    let status = Command::new("chmod").args(["-R", mode]).arg(folder).status().expect("chmod can be started");
    assert!(status.success());
}

#[test]
fn another_layout_for_a_target() {
    let consumer = Consumer::new("both");
    let target = ["run", "-v", "--target", &host()];
    assert_eq!(consumer.cargo(&target).succeeded().stdout, BOTH);
    consumer.trace();
    let run = consumer.cargo(&target).succeeded();
    assert_eq!((run.did(), consumer.trace().len()), (Did { script: 0, rustc: 0 }, 0), "{}", run.stderr);
    consumer.edit("config/web.yml", "ratio: 0.5", "ratio: 0.25");
    let run = consumer.cargo(&target).succeeded();
    assert_eq!((run.did(), run.stdout), (Did { script: 1, rustc: 2 }, BOTH.replace("0.5", "0.25")));
}

/// Library, program, tests and doctests are compilations of their own, in which the macro gives the same.
#[test]
fn tests_and_doctests() {
    let consumer = Consumer::new("both");
    let run = consumer.cargo(&["test"]).succeeded();
    for (name, count) in [("tests::both_are_the_same", 1), ("test is_the_same", 1), ("src/lib.rs - TEXT (line 8)", 1)] {
        assert_eq!(run.stdout.matches(&format!("{name} ... ok")).count(), count, "{name}:\n{}", run.stdout);
    }
}

#[test]
fn strict_lints() {
    let consumer = Consumer::new("both");
    let clippy =
        || consumer.cargo(&["clippy", "--all-targets", "--", "-Dwarnings", "-Wclippy::pedantic", "-Wclippy::nursery"]);
    clippy().succeeded().says_not(&["warning"]);
    // The lints are on, in the module of generated code too.
    consumer.edit(
        "src/lib.rs",
        "pub mod generated {",
        "pub mod generated {\n    pub fn a(x: u64) -> u32 { x as u32 }\n",
    );
    clippy().failed().says(&["clippy::pedantic"]).says(&["missing documentation for a function"]);
}

/// Documentation of generated items has no broken links and no markup that rustdoc warns of.
#[test]
fn documentation() {
    let mut consumer = Consumer::new("both");
    consumer.variable("RUSTDOCFLAGS", Some("-Dwarnings"));
    consumer.cargo(&["doc", "--no-deps", "--lib"]).succeeded().says_not(&["warning"]);
}

/// A build script is a program that somebody may start by hand.
#[test]
fn build_script_outside_of_cargo() {
    let consumer = Consumer::of("by-hand", &["inputs", "build-script"]);
    consumer.edit("Cargo.toml", "consumer-build-script", "consumer-by-hand");
    let script = || {
        let run = consumer.build().succeeded();
        let line = run.stderr.lines().find(|line| line.ends_with("-build`") && line.contains("Running `"));
        PathBuf::from(line.expect("the script is run").trim().trim_start_matches("Running `").trim_end_matches('`'))
    };
    let start = |script: &Path| {
        let mut command = Command::new(script);
        for name in ["OUT_DIR", "CARGO_MANIFEST_DIR", "HOST", "TARGET"] {
            command.env_remove(name);
        }
        consumer.start(command)
    };
    let run = start(&script());
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    assert_eq!(run.stderr, "error: ytt: OUT_DIR is not set: run through cargo, or call `out_dir(path)`\n");

    consumer.edit(
        "build.rs",
        "Builder::new(\"config\")",
        "Builder::new(\"config\").out_dir(std::env::var(\"OUT_DIR\").unwrap_or(\"out\".to_owned()))",
    );
    let compiled = script();
    let run = start(&compiled);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (0, "", ""));
    assert_eq!(consumer.read("out/config.yml").matches("kind: ").count(), 2);
    // The report goes to standard error, once.
    consumer.write("overlays/scale.yml", &consumer.read("overlays/scale.yml").replace("replicas", "replica"));
    let run = start(&compiled);
    assert_eq!((run.code, run.stdout.as_str()), (1, ""));
    let run = run.says(&["error: ytt: 1 problem rendering `config` + `overlays`\n", "error[overlay::no-match]"]);
    assert_eq!(run.stderr.matches("Expected number of matched").count(), 1, "{}", run.stderr);
}

/// A package as a registry has it, and the same as `cargo vendor` leaves it.
#[test]
fn packaged_and_vendored() {
    let consumer = Consumer::of("packaged/both", &["both"]);
    let text =
        consumer.read("Cargo.toml").replace("publish = false\n", "").replace("\"consumer-both", "\"consumer-packaged");
    consumer.write("Cargo.toml", &text.replace("{ path", "{ version = \"0.1.0\", path"));
    consumer.cargo(&["package", "--no-verify", "--allow-dirty", "--exclude-lockfile"]).succeeded();
    drop(consumer);
    let revision = "0123456789".repeat(4);
    let patches = "[patch.crates-io]\nytt-engine = { path = \"$WORKSPACE/ytt-engine\" }\n\
                   ytt-macros = { path = \"$WORKSPACE/ytt-macros\" }\nytt-build = { path = \"$WORKSPACE/ytt-build\" }\n\n[workspace]\n";
    let main = "fn main() {\n    print!(\"{} {}\", consumer_both::TEXT.len(), consumer_both::generated::SETTINGS.replicas);\n}\n";
    let source = "https://example.invalid/both";
    let config = format!(
        "[source.\"{source}\"]\ngit = \"{source}\"\nrev = \"{revision}\"\nreplace-with = \"vendored\"\n\n\
         [source.vendored]\ndirectory = \"vendor\"\n"
    );
    let ways = [
        ("unpacked", "{ path = \"vendor/consumer-packaged-0.1.0\" }".to_owned(), ""),
        ("vendored", format!("{{ git = \"{source}\", rev = \"{revision}\" }}"), config.as_str()),
    ];
    for (way, dependency, config) in ways {
        let rest = format!("[dependencies]\nconsumer-packaged = {dependency}\n\n{patches}");
        let files = [
            ("Cargo.toml", manifest(way, &rest)),
            ("src/main.rs", main.to_owned()),
            (".cargo/config.toml", config.to_owned()),
        ];
        let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
        let consumer = Consumer::with(&format!("packaged/{way}"), &files);
        let package = consumer.unpack("consumer-packaged-0.1.0.crate", "vendor");
        if way == "vendored" {
            fs::remove_file(package.join("Cargo.toml.orig")).expect("what `cargo vendor` leaves out");
            fs::write(package.join(".cargo-checksum.json"), "{\"files\":{},\"package\":null}")
                .expect("a temporary file");
            let locked = format!(
                "\n[[package]]\nname = \"consumer-packaged\"\nversion = \"0.1.0\"\nsource = \"git+{source}?rev={revision}#{revision}\"\n\
                 dependencies = [\"ytt-build\", \"ytt-engine\", \"ytt-macros\"]\n\n\
                 [[package]]\nname = \"consumer-vendored\"\nversion = \"0.1.0\"\ndependencies = [\"consumer-packaged\"]\n"
            );
            consumer.write("Cargo.lock", &(consumer.read("Cargo.lock") + &locked));
        }
        let run = consumer.cargo(&["run", "-q"]).succeeded();
        let text = BOTH.split("part: ").next().unwrap_or_default();
        assert_eq!(run.stdout, format!("{} 1", text.len()), "{way}");
    }
}
