//! The properties over generated trees and texts, and over the inputs that once broke one of them.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use super::generate::{self, Random};
use super::*;
use crate::yaml::{DocumentSet, format};

/// How many cases of each kind: `YAML_CASES`, or as many as take a second.
fn cases() -> u64 {
    std::env::var("YAML_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(4000)
}

/// Runs a property over so many seeds; the panic of a failing one is preceded by its seed.
fn for_seeds(property: impl Fn(&mut Random) -> Vec<u8>) {
    for seed in 0..cases() {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check_text(&property(&mut Random::new(seed))))) {
            eprintln!("seed {seed}:\n{}", String::from_utf8_lossy(&property(&mut Random::new(seed))));
            std::panic::resume_unwind(panic);
        }
    }
}

#[test]
fn trees_survive_printing_and_reading() {
    for seed in 0..cases() {
        let mut random = Random::new(seed);
        let mut arena = Arena::new(DEPTH);
        let documents = generate::documents(&mut random, &mut arena);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check_tree(&arena, &documents))) {
            eprintln!("seed {seed}");
            std::panic::resume_unwind(panic);
        }
    }
}

#[test]
fn texts_of_the_grammar_keep_the_properties() {
    for_seeds(|random| generate::text(random).into());
}

#[test]
fn most_texts_of_the_grammar_read() {
    let read = (0..1000).filter(|seed| Case::read(generate::text(&mut Random::new(*seed)).as_bytes(), false).is_ok());
    let count = read.count();
    assert!(count > 500, "{count} of 1000");
}

#[test]
fn mutated_texts_keep_the_properties() {
    for_seeds(|random| {
        let text = generate::text(random);
        generate::mutate(random, &text)
    });
}

#[test]
fn inputs_that_broke_a_law_once_keep_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fuzz/corpus/yaml");
    let mut names: Vec<_> =
        fs::read_dir(&folder).expect("the corpus").map(|entry| entry.expect("a file").path()).collect();
    names.sort();
    assert!(!names.is_empty());
    for name in names {
        eprintln!("{}", name.display());
        check_text(&fs::read(&name).expect("a file of the corpus"));
    }
}

/// As deep as the limit allows, in a debug build on a thread of two MiB, which threads of tests have.
#[test]
fn depth_of_the_limit_fits_the_stack() {
    const DEEP: usize = 1000;
    let keys = "? ".repeat(DEEP - 2) + "- [a]";
    for text in [
        "[".repeat(DEEP) + &"]".repeat(DEEP),
        "{a: ".repeat(DEEP) + "1" + &"}".repeat(DEEP),
        "- ".repeat(DEEP) + "x",
        (0..DEEP).map(|depth| " ".repeat(depth) + "a:\n").collect(),
        "{? ".repeat(DEEP) + &"}".repeat(DEEP),
        format!("{keys}\n: 1\n{keys}\n: 2\n"),
        format!("&a {}{}", "[".repeat(DEEP - 1), "]".repeat(DEEP - 1)),
        format!("a: &a {}{}\nb: {{<<: {{c: *a}}}}\n", "[".repeat(DEEP - 3), "]".repeat(DEEP - 3)),
    ] {
        let start = &text[..text.len().min(20)];
        let set = DocumentSet::parse("a.yml", text.as_bytes()).unwrap_or_else(|error| panic!("{start}: {error}"));
        let printed = set.to_yaml().expect("it is as deep as it may be");
        assert!(format("a.yml", text.as_bytes(), false).is_ok() && printed.len() > DEEP, "{start}");
        let node = set.get(0).expect("one document");
        let _ = node.to_json();
        let value = node.to_value().expect("it is as deep as it may be");
        assert!(value.clone() == value && !format!("{value:?}").is_empty());
        #[cfg(feature = "serde")]
        assert!(serde_json::to_string(&node).is_err());
    }
}
