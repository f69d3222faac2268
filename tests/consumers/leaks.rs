//! Of an input, only what was rendered is in what is built.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::Consumer;

const MANIFEST: &str = "[package]\nname = \"consumer-leaks\"\nversion = \"0.1.0\"\nedition = \"2024\"\npublish = false\n\n\
                        [dependencies]\nytt-engine = { path = \"$WORKSPACE/ytt-engine\", default-features = false }\n\
                        ytt-macros = { path = \"$WORKSPACE/ytt-macros\" }\n\n[workspace]\n";

/// Calls in all places in which the compiler treats code in a way of its own.
const LIBRARY: &str = r#"//! All forms of calls, in all kinds of functions.

/// Text.
pub static TEXT: &str = ytt_macros::include_ytt!("config", values_file = "values.yml");

ytt_macros::include_ytt! {
    /// A document.
    pub static WEB: Web = document("config", values_file = "values.yml") where kind = "Service";
    /// The same without a type.
    pub static ANY: Value = document("config", values_file = "values.yml") where kind = "Service";
}

/// It is compiled where it is used.
pub fn of_any_type<T: ToString>(value: T) -> String {
    value.to_string() + ytt_macros::include_ytt!("config", values_file = "values.yml")
}

/// It is compiled where it is used, too.
#[inline(always)]
pub fn inlined() -> &'static str {
    ytt_macros::include_ytt!("config", values_file = "values.yml")
}

/// It is compiled where it stands.
pub const fn constant() -> &'static str {
    ytt_macros::include_ytt!("config", values_file = "values.yml")
}
"#;

const PROGRAM: &str = r#"//! Uses all of the library, and calls by itself.

use consumer_leaks::{ANY, TEXT, WEB};

const CONSTANT: &str = consumer_leaks::constant();

fn main() {
    let own = ytt_macros::include_ytt!("config", values_file = "values.yml", output = "json");
    println!("{TEXT}{CONSTANT}{own}{}{}", consumer_leaks::of_any_type(1), consumer_leaks::inlined());
    println!("{} {:?}", WEB.motto, ANY.get("motto"));
}
"#;

/// Files in which the mark stands where it is not rendered. What is shown is the text of another one.
const INPUTS: [(&str, &str); 5] = [
    ("config/schema.yml", "#@data/values-schema\n---\nport: 80\n#! $MARK-schema-comment\npassword: $MARK-default\n"),
    (
        "config/web.yml",
        "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"names.star\", \"name\")\n#! $MARK-comment\n---\nkind: Service\n\
         name: #@ name\nport: #@ data.values.port\n#! $MARK-behind\nmotto: #@ data.read(\"motto.md\").split(\"\\n\")[0]\n\
         #@ if data.values.port == 0:\nnever: $MARK-branch\n#@ end\n",
    ),
    ("config/names.star", "# $MARK-star\nname = \"web\"\nother = \"$MARK-unused\"\n"),
    ("config/motto.md", "shown-in-all-forms\n$MARK-second-line\n"),
    ("values.yml", "# $MARK-values-comment\npassword: $MARK-value\n"),
];

const MARK: &str = "never-rendered-7f3a";
const SHOWN: &str = "shown-in-all-forms";

fn package() -> Consumer {
    let inputs = INPUTS.map(|(name, text)| (name, text.replace("$MARK", MARK)));
    let mut files = vec![("Cargo.toml", MANIFEST), ("src/lib.rs", LIBRARY), ("src/main.rs", PROGRAM)];
    files.extend(inputs.iter().map(|(name, text)| (*name, text.as_str())));
    let mut consumer = Consumer::with("leaks", &files);
    // What the compiler keeps for the next time is searched too, and what it says of a program.
    consumer.variable("CARGO_INCREMENTAL", Some("1"));
    consumer.variable("CARGO_PROFILE_DEV_STRIP", Some("none"));
    forget(&consumer);
    consumer
}

/// What cargo and the compiler made for the package: files and folders below the target folder, and below its folders.
fn own(consumer: &Consumer) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![consumer.built()];
    folders.extend(entries(&consumer.built()).into_iter().filter(|path| path.is_dir()));
    for path in folders.iter().flat_map(|folder| entries(folder)) {
        let name = path.file_name().expect("the name of an entry").to_string_lossy();
        if name.contains("consumer_leaks") || name.contains("consumer-leaks") {
            found.push(path);
        }
    }
    found
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    entries.map(|entry| entry.expect("an entry of the folder").path()).collect()
}

/// All files of the package in the target folder.
fn built(consumer: &Consumer) -> Vec<PathBuf> {
    let (mut found, mut left) = (Vec::new(), own(consumer));
    while let Some(path) = left.pop() {
        match path.is_dir() {
            true => left.extend(entries(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}

/// Removes what was built.
fn forget(consumer: &Consumer) {
    for path in own(consumer) {
        let done = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        done.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

/// The files in which a text stands.
fn with(files: &[PathBuf], text: &str) -> Vec<PathBuf> {
    let has = |path: &&PathBuf| {
        let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        bytes.windows(text.len()).any(|part| part == text.as_bytes())
    };
    files.iter().filter(has).cloned().collect()
}

/// Is there a file of this kind among these?
fn has(files: &[PathBuf], extension: &str) -> bool {
    files.iter().any(|path| path.extension().unwrap_or_default() == extension)
}

#[test]
fn nothing_but_what_is_rendered() {
    let consumer = package();
    let sets: [(&str, &[&str]); 5] = [
        ("plain", &[]),
        ("coverage", &["-Cinstrument-coverage"]),
        ("dead code", &["-Clink-dead-code"]),
        ("temporary files", &["-Csave-temps"]),
        ("optimised", &["-Copt-level=3"]),
    ];
    for (name, flags) in sets {
        for target in [&["--lib"][..], &["--bin", "consumer-leaks"]] {
            consumer.cargo(&[&["rustc"][..], target, &["--"], flags].concat()).succeeded();
        }
        let files = built(&consumer);
        assert_eq!(with(&files, MARK), [""; 0].map(PathBuf::from), "{name}");
        // What is rendered is found in all that is searched.
        let shown = with(&files, SHOWN);
        let is_program = |path: &PathBuf| path.with_extension("").ends_with("debug/consumer-leaks");
        assert!(has(&shown, "rlib") && has(&shown, "rmeta") && shown.iter().any(is_program), "{name}: {shown:#?}");
        let is_kept = |path: &PathBuf| path.iter().any(|part| part == "incremental");
        assert!(shown.iter().any(is_kept), "{name}: {shown:#?}");
        assert!(name != "temporary files" || has(&files, "bc"), "{files:#?}");
        forget(&consumer);
    }
    // The search finds what leaks: watching a file in a constant does.
    consumer.edit("src/lib.rs", "//! All", "const _: &[u8] = include_bytes!(\"../config/web.yml\");\n// All");
    consumer.build().succeeded();
    let leaked = with(&built(&consumer), MARK);
    assert!(has(&leaked, "rmeta") || has(&leaked, "rlib"), "{leaked:#?}");
    forget(&consumer);
}
