//! `cargo ytt` on the calls of a workspace: `check`, `generate`, `expand` and `deps`. Nothing is built for them.

use crate::support::Consumer;

const SCHEMA: &str = "#@data/values-schema\n---\nport: 80\nteam: \"\"\n";
const WEB: &str = "#@ load(\"@ytt:data\", \"data\")\n---\nkind: Service\nport: #@ data.values.port\n";

/// A call on a folder, and one on files alone.
const APP: &str = "static TEXT: &str = ytt_macros::include_ytt!(\"config\", values = { port: 81 });\n\
                   ytt_macros::include_ytt! {\n    \
                   static WEB: Web = document(\"config/web.yml\", \"config/schema.yml\", env = { team: \"SHOP_TEAM\" });\n}\n\n\
                   fn main() {}\n";
const TOOL: &str = "static TEXT: &str = ytt_macros::include_ytt!(\"config\");\n\nfn main() {}\n";

fn manifest(name: &str, rest: &str) -> String {
    format!(
        "[package]\nname = \"consumer-{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\
         include = [\"/.ytt/\", \"/src/\"]\n\n[dependencies]\n\
         ytt-macros = {{ path = \"$WORKSPACE/ytt-macros\"{rest} }}\n"
    )
}

/// A workspace: `app` renders in its builds, `tool` has its expansions in its folder.
fn workspace(folder: &str) -> Consumer {
    let app = manifest("app", "");
    let tool = manifest("tool", ", default-features = false");
    let files = [
        ("Cargo.toml", "[workspace]\nresolver = \"3\"\nmembers = [\"app\", \"tool\"]\n"),
        ("app/Cargo.toml", &app),
        ("app/src/main.rs", APP),
        ("app/config/schema.yml", SCHEMA),
        ("app/config/web.yml", WEB),
        ("tool/Cargo.toml", &tool),
        ("tool/src/main.rs", TOOL),
        ("tool/config/schema.yml", SCHEMA),
        ("tool/config/web.yml", WEB),
    ];
    Consumer::with(folder, &files)
}

const UNWATCHED: &str = "warning: app/src/main.rs:1: the compiler does not see new files in the folder `config`: call \
                         `ytt_build::watch(\"config\")` in a build script of `consumer-app`\n";

#[test]
fn check_looks_at_all_packages() {
    let consumer = workspace("check");
    let wrote = consumer.ytt(&["generate"]).succeeded().stdout;
    assert!(wrote.starts_with("wrote tool/.ytt/") && wrote.lines().count() == 1, "{wrote}");
    let run = consumer.ytt(&["check"]).succeeded();
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", UNWATCHED));
    consumer.write("app/build.rs", "fn main() {\n    ytt_build::watch(\"config\");\n}\n");
    let run = consumer.ytt(&["check"]).succeeded();
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), ("", ""));
    // Features are one for a whole workspace, whatever its members say.
    consumer.edit("Cargo.toml", "resolver = \"3\"\n", "");
    let old = "warning: the workspace has resolver 1, which builds the engine into programs: set `resolver = \"2\"`, or edition \
               2021\n";
    assert_eq!(consumer.ytt(&["check"]).succeeded().stderr, old);
    consumer.edit("Cargo.toml", "members", "resolver = \"2\"\nmembers");

    // Calls that are rendered by builds are rendered.
    let timed = consumer.ytt(&["check", "--timing"]).succeeded().stdout;
    for place in ["ms  app/src/main.rs:1\n", "ms  app/src/main.rs:2\n", "ms  tool/src/main.rs:1\n"] {
        assert_eq!(timed.matches(place).count(), 1, "{timed}");
    }
    consumer.edit("app/config/web.yml", "values.port", "values.prot");
    consumer.edit("tool/config/schema.yml", "port: 80", "port: 81");
    let stale = "rs is stale: run `cargo ytt generate`\n";
    let both = consumer.ytt(&["check"]).failed().says(&[
        "error: tool/.ytt/",
        stale,
        "app/src/main.rs:1:\n",
        " app/config/web.yml:4:",
        "app/src/main.rs:2:\n",
    ]);
    assert_eq!(both.stderr.matches(stale).count(), 1, "{}", both.stderr);
    let app = consumer.ytt(&["check", "-p", "consumer-app"]).failed().says(&["app/src/main.rs:1:\n"]);
    app.says_not(&["tool"]);
    let tool = consumer.ytt(&["check", "--package=consumer-tool"]).failed().says(&["error: tool/.ytt/"]);
    tool.says_not(&["app"]);
    let unknown = "no package `tool` in the workspace; there are consumer-app, consumer-tool\n";
    consumer.ytt(&["check", "-p", "tool"]).failed().says(&[unknown]);

    // From a folder below, and from another one.
    let below = consumer.inside("tool/src");
    assert!(below.ytt(&["generate"]).succeeded().stdout.starts_with("wrote tool/.ytt/"));
    below.edit("tool/config/schema.yml", "port: 81", "port: 82");
    let manifest = below.root().join("tool/Cargo.toml").to_string_lossy().into_owned();
    let other = below.inside("..");
    let wrote = other.ytt(&["generate", "--manifest-path", &manifest]).succeeded().stdout;
    assert!(wrote.starts_with("wrote tool/.ytt/"), "{wrote}");
}

#[test]
fn expand_prints_code() {
    let consumer = workspace("expand");
    let of = |arguments: &[&str]| {
        let run = consumer.ytt(&[&["expand"], arguments].concat()).succeeded();
        assert_eq!(run.stderr, "");
        run.stdout
    };
    assert_eq!(of(&["app/src/main.rs:1"]), "r\"kind: Service\nport: 81\n\"\n");
    let second = of(&["app/src/main.rs:3"]);
    assert!(second.contains("struct Web {"), "{second}");
    assert!(second.contains("static WEB: Web = Web {") && second.contains("port: 80"), "{second}");
    let heads = ["// app/src/main.rs:1\n", "// app/src/main.rs:2\n"];
    assert_eq!(of(&["app/src/main.rs"]), format!("{}{}{}{second}", heads[0], of(&["app/src/main.rs:1"]), heads[1]));
    // What is no call of a file yet.
    let tried = of(&["-f", "app/config", "--items", "pub static WEB: Web = document;", "-v", "team=blue"]);
    assert!(tried.contains("pub static WEB: Web = Web {") && tried.contains("port: 80"), "{tried}");

    let fails = |arguments: &[&str], texts: &[&str]| {
        let run = consumer.ytt(&[&["expand"], arguments].concat()).failed();
        assert_eq!(run.stdout, "");
        run.says(texts);
    };
    fails(&["app/src/main.rs:6"], &["no call of include_ytt! at app/src/main.rs:6", "there are calls at line 1, 2"]);
    fails(&["app/config/web.yml"], &["no call of include_ytt! at app/config/web.yml", "the file has none"]);
    fails(&["app/src/lib.rs"], &["cannot read app/src/lib.rs"]);
    fails(&[], &["expected a source file", "or -f and --items"]);
    fails(&["-f", "app/config", "--items", "pub static WEB = document;"], &["error: ytt: --items: "]);
}

#[test]
fn deps_prints_what_is_read() {
    let consumer = workspace("deps");
    let of = |arguments: &[&str]| {
        let mut lines: Vec<String> = consumer.ytt(arguments).succeeded().stdout.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let files = ["app/config/schema.yml", "app/config/web.yml"];
    let folder = ["app/config", files[0], files[1]];
    assert_eq!(of(&["deps", "app/src/main.rs:1"]), folder);
    assert_eq!(of(&["deps", "app/src/main.rs:2"]), ["SHOP_TEAM", files[0], files[1]]);
    assert_eq!(of(&["deps", "-f", "app/config"]), folder);
    // Also where it fails, so that one can watch it.
    consumer.edit("app/config/web.yml", "values.port", "values.prot");
    let run = consumer.ytt(&["deps", "-f", "app/config"]).failed();
    let mut lines: Vec<&str> = run.stdout.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, folder);
    run.says(&["values.prot"]);
}
