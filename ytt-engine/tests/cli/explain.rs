//! `explain`: which answer the words ask for, and what is refused. What answers say is tested elsewhere.

use std::fs;
use std::path::Path;

use crate::folder::Folder;
use crate::{Ran, check_error, check_ok};

const SCHEMA: &str = "#@data/values-schema\n---\nport: 80\n";
const WEB: &str = "#@ load(\"@ytt:data\", \"data\")\nkind: Service\nport: #@ data.values.port\n";
/// Two renders of one folder in a source file of Rust.
const SOURCE: &str = "static WEB: &str = include_ytt!(\"d\");\n\n\
                      static OTHER: &str = include_ytt!(\"d\", values = { port: 81 });\n";

fn folder() -> Folder {
    let manifest = "[package]\nname = \"p\"\nversion = \"0.1.0\"\n";
    Folder::with(
        "explain",
        [("d/schema.yml", SCHEMA), ("d/web.yml", WEB), ("Cargo.toml", manifest), ("src/main.rs", SOURCE)],
    )
}

#[test]
fn words_choose_what_is_told() {
    let folder = folder();
    let asked = |words: &[&str]| folder.run(&[&["explain", "-f", "d"], words].concat());

    let value = "web.yml: port = 80 (line 2 of the output)\n\n  80  d/web.yml:3:1  this expression gave it\n      \
                 | port: #@ data.values.port\n      `- data value port = 80\n         80  d/schema.yml:3:1  default\n            \
                 | port: 80\n";
    let squeezed = |text: &str| text.split_whitespace().map(|word| word.to_owned() + " ").collect::<String>();
    let ran = asked(&["web.yml", "port"]);
    assert_eq!((ran.code, squeezed(&ran.out)), (Some(0), squeezed(value)), "{}", ran.out);

    let all = asked(&[]);
    assert!(all.out.contains("kind: Service") && all.out.contains("port: 80"), "{}", all.out);
    let document = asked(&["web.yml"]);
    assert!(document.out.contains("port: 80"), "{}", document.out);

    let json = |words: &[&str]| -> serde_json::Value {
        let ran = asked(&[words, &["--format", "json"]].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        serde_json::from_str(&ran.out).unwrap()
    };
    assert_eq!(json(&["web.yml", "port"])["value"], "80");
    // The whole and one document of it.
    assert!(json(&[]).is_object() && json(&["web.yml"]).is_object());
}

#[test]
fn overlays_are_told_by_their_file() {
    let folder = folder();
    folder
        .write("d/more.yml", "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\nport: 81\n");
    let ran = folder.run(&["explain", "-f", "d", "more.yml"]);
    assert!(ran.code == Some(0) && ran.out.contains("more.yml"), "{} {}", ran.out, ran.err);
    let ran = folder.run(&["explain", "-f", "d", "more.yml", "--format", "json"]);
    assert!(serde_json::from_str::<serde_json::Value>(&ran.out).is_ok(), "{} {}", ran.out, ran.err);
}

#[test]
fn renders_of_calls_are_told() {
    let folder = folder();
    let ran = folder.run(&["explain", "src/main.rs:3", "web.yml", "port"]);
    assert!(ran.code == Some(0) && ran.out.contains("port = 81"), "{} {}", ran.out, ran.err);
    let ran = folder.run(&["explain", "src/main.rs", "web.yml", "port"]);
    assert!(ran.out.contains("// src/main.rs:1\n") && ran.out.contains("// src/main.rs:3\n"), "{}", ran.out);
    assert!(ran.out.contains("port = 80") && ran.out.contains("port = 81"), "{}", ran.out);
    let ran = folder.run(&["explain", "src/main.rs:3", "web.yml", "prot"]);
    assert!(ran.code == Some(1) && ran.err.contains("port"), "{} {}", ran.out, ran.err);
    check_error(
        &folder.run(&["explain", "src/main.rs:2"]),
        &["no call of include_ytt! at src/main.rs:2", "there are calls at line 1, 3"],
    );
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = folder();
    let refused = |words: &[&str], texts: &[&str]| {
        check_error(&folder.run(&[&["explain", "-f", "d"], words].concat()), texts);
    };
    refused(&["web.yml", "port", "more"], &["does not accept extra arguments 'more'", "a document and a path in it"]);
    refused(&["--format", "xml"], &["xml", "text or json"]);
    refused(&["--html", "p.html", "web.yml"], &["the page of --html shows all of a render"]);
    refused(&["web.yml", "prot"], &["prot"]);
    refused(&["wep.yml"], &["wep.yml"]);
    folder.write("d/web.yml", "port: #@ prot\n");
    refused(&[], &["d/web.yml:1:10"]);
    check_ok(&folder.run(&["explain"]), "");
}

/// The command that README shows, on the files that it shows.
#[test]
fn readme_shows_what_is_answered() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let readme = fs::read_to_string(workspace.join("README.md")).unwrap();
    let asked = readme.lines().find_map(|line| line.strip_prefix("    cargo ytt explain -f config ")).unwrap();
    let files = ["config/web.yml", "config/schema.yml", "overlays/prod.yml"];
    let texts = files.map(|name| (name, fs::read_to_string(workspace.join("tests/cases/readme").join(name)).unwrap()));
    let folder = Folder::with("readme", texts.each_ref().map(|(name, text)| (*name, text.as_str())));
    let words: Vec<&str> = ["explain", "-f", "config"].into_iter().chain(asked.split(' ')).collect();
    let ran = folder.run(&words);
    assert!(readme.contains(&format!("```text\n{}```\n", ran.out)), "README does not show {}{}", ran.out, ran.err);
}

/// A render with a value from the environment, expressions of much code, and overlays that take away.
fn with_overlays() -> Folder {
    let branch = |n| format!("#@   {} n == {n}:\n#@     return {n}\n", if n == 1 { "if" } else { "elif" });
    let web = format!(
        "#@ load(\"@ytt:data\", \"data\")\n#@ def port(n):\n{}#@   end\n#@ end\nkind: Deployment\nmetadata:\n  \
         name: web\nspec:\n  host: #@ data.values.host\n  ports: #@ data.values.ports\n  \
         last: #@ [port(n) for n in range(1, 14)][12]\n  \
         named: #@ [a_long_name for a_long_name in [\"a-text-of-some-length\", \"another-text-of-some-length\"]]\n  \
         args: [[1, 2], [3, 4], -v, {{name: x, image: y}}, {{name: z}}]\n  old: [1]\n  long: {}\n---\nkind: ConfigMap\n\
         ---\nkind: ConfigMap\nmetadata: {{name: gone}}\n",
        (1..14).map(branch).collect::<String>(),
        "word ".repeat(90)
    );
    let overlay = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.subset({\"kind\": \"Deployment\"})\n\
                   ---\nspec:\n  args:\n  #@overlay/match by=overlay.index(0)\n  #@overlay/remove\n  -\n  \
                   #@overlay/match by=overlay.index(0)\n  #@overlay/replace\n  - [5]\n  \
                   #@overlay/match by=lambda i, l, r: l == \"-v\"\n  #@overlay/remove\n  -\n  \
                   #@overlay/match by=overlay.index(1)\n  #@overlay/remove\n  -\n  #@overlay/replace\n  old: {x: 1}\n\
                   #@overlay/match by=overlay.subset({\"kind\": \"ConfigMap\"}), expects=\"1+\"\n#@overlay/remove\n---\n";
    let schema = "#@data/values-schema\n---\nhost: web\nhosts: [\"\"]\n\
                  ports: {a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9, j: 10, k: 11, l: 12, m: 13}\n";
    let less = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@data/values\n---\nhosts:\n#@overlay/match by=overlay.index(0)\n\
                #@overlay/remove\n-\n";
    let files = [
        ("d/schema.yml", schema),
        ("d/values.yml", "#@data/values\n---\nhosts: [a, b]\n"),
        ("d/values2.yml", less),
        ("d/web.yml", &web),
        ("d/overlay.yml", overlay),
        ("d/a/notes.txt", "host (@= \"x\" @)\ntwo\n"),
        ("d/b/notes.txt", "host\n"),
        ("d/a/same.yml", "x: 1\n"),
        ("d/b/same.yml", "x: 1\n"),
    ];
    Folder::with("explain-overlays", files)
}

fn asked_with_environment(folder: &Folder, words: &[&str]) -> Ran {
    let all = [&["explain", "-f", "d", "--data-values-env", "APP"], words].concat();
    folder.run_with(&all, "", &[("APP_host", "env")])
}

#[test]
fn what_was_removed_and_what_is_long_is_told() {
    let folder = with_overlays();
    let told = |words: &[&str], texts: &[&str]| {
        let ran = asked_with_environment(&folder, words);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        texts.iter().for_each(|text| assert!(ran.out.contains(text), "{text:?} in {}", ran.out));
    };
    told(&["Deployment/web", "spec.host"], &["--data-values-env APP (APP_host=env)  replaced web"]);
    told(&["Deployment/web", "spec.ports"], &["ports.l = 12", "and 1 more"]);
    told(&["Deployment/web", "spec.last"], &["and from 1 more"]);
    told(&["Deployment/web", "spec.named"], &["a_long_name in [\"a-text-of-some-length\", \"another-…"]);
    told(&["Deployment/web", "spec.args[0]"], &["this overlay item replaced list of 2 items"]);
    told(&["Deployment/web", "spec.args[name=x]"], &["spec.args[name=x] was removed"]);
    told(&["Deployment/web", "spec.args[name=z]"], &["spec.args[1] = map of 1 key"]);
    told(&["ConfigMap/gone"], &["ConfigMap gone was removed", "2 matches"]);
    told(&["overlay.yml"], &["matched 2 items, 2 changes"]);
    told(&["a/notes.txt:1"], &["(line 1 of the file)"]);
    told(&["a/notes.txt", "--format", "json"], &["\"value\":\"text of 2 lines\",\"line\":1,\"history\":[]"]);
    told(&["ConfigMap/gone", "--format", "json"], &["\"value\":null,\"line\":null"]);
    check_ok(&asked_with_environment(&folder, &["--html", "page.html"]), "creating: page.html\n");
    let page = folder.read("page.html");
    // What was removed has its place there, and a line of more than 400 characters is cut.
    assert!(page.contains("ConfigMap/gone") && page.contains("word wo…"), "{page}");
}

#[test]
fn what_is_gone_or_fits_twice_is_refused() {
    let folder = with_overlays();
    let refused = |words: &[&str], texts: &[&str]| check_error(&asked_with_environment(&folder, words), texts);
    refused(
        &["Deployment/web", "spec.args[7]"],
        &["no item `[7]` in `spec.args`", "overlays removed or replaced: `spec.args[…]`", "there are: `spec.args[0]`"],
    );
    refused(&["Deployment/web", "spec.old[0]"], &["there are: `spec.old.x`"]);
    refused(&["notes.txt"], &["notes.txt fits 2 times", "`a/notes.txt`, `b/notes.txt`"]);
    refused(&["same.yml:1"], &["same.yml fits 2 times", "`a/same.yml`, `b/same.yml`"]);
}
