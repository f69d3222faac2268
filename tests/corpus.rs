//! The laws of the fuzz targets over the inputs that are kept for them: seeds, and what once broke a law.
#![forbid(unsafe_code)]

#[path = "fuzz/src/lib.rs"]
mod laws;

use std::fs;
use std::path::{Path, PathBuf};

/// What a fuzz target tries.
type Law = fn(&[u8]);

/// The fuzz targets with their laws. That of the YAML reader is run by the tests of the engine.
const TARGETS: [(&str, Law); 9] = [
    ("call", laws::call),
    ("committed", laws::committed),
    ("format", laws::format),
    ("modules", laws::modules),
    ("overlay", laws::overlay),
    ("program", laws::program),
    ("template", laws::template),
    ("text_template", laws::text_template),
    ("whole", laws::whole),
];

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz")
}

/// The names in a folder, in order.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name")).collect();
    names.sort();
    names
}

#[test]
fn every_target_has_its_corpus_and_its_law() {
    let mut wanted: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).chain(["yaml"]).collect();
    wanted.sort_unstable();
    assert_eq!(names(&fuzz().join("corpus")), wanted);
    let targets: Vec<String> = wanted.iter().map(|name| format!("{name}.rs")).collect();
    assert_eq!(names(&fuzz().join("targets")), targets);
}

#[test]
fn kept_inputs_keep_the_laws() {
    for (target, law) in TARGETS {
        let folder = fuzz().join("corpus").join(target);
        for name in names(&folder) {
            // Shown with the panic of a law that is broken.
            eprintln!("{target}/{name}");
            law(&fs::read(folder.join(&name)).expect("a file of the corpus"));
        }
    }
}

#[test]
fn cases_of_whole_renders_keep_the_laws() {
    let mut folders = vec![fuzz().join("../../ytt-engine/tests/cases")];
    let mut count = 0;
    while let Some(folder) = folders.pop() {
        for name in names(&folder) {
            let path = folder.join(name);
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            eprintln!("{}", path.display());
            laws::whole(&fs::read(&path).expect("a case"));
            count += 1;
        }
    }
    assert!(count > 400, "{count} cases");
}
