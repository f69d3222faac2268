//! `explain`: which answer the words ask for, and what is refused. What answers say is tested elsewhere.

use std::fs;
use std::path::Path;

use crate::folder::Folder;
use crate::{check_error, check_ok};

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
