//! The laws over generated trees and texts, and over the inputs that once broke one of them.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use super::generate::{self, Random};
use super::*;

/// How many cases of each kind: `YAML_CASES`, or as many as take a second.
fn cases() -> u64 {
    std::env::var("YAML_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(4000)
}

/// Runs a law over so many seeds; the panic of a failing one is preceded by its seed.
fn for_seeds(law: impl Fn(&mut Random) -> Vec<u8>) {
    for seed in 0..cases() {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| check_text(&law(&mut Random::new(seed))))) {
            eprintln!("seed {seed}:\n{}", String::from_utf8_lossy(&law(&mut Random::new(seed))));
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
fn texts_of_the_grammar_keep_the_laws() {
    for_seeds(|random| generate::text(random).into());
}

#[test]
fn most_texts_of_the_grammar_read() {
    let read = (0..1000).filter(|seed| Case::read(generate::text(&mut Random::new(*seed)).as_bytes(), false).is_ok());
    let count = read.count();
    assert!(count > 500, "{count} of 1000");
}

#[test]
fn mutated_texts_keep_the_laws() {
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
