//! One output file, a text, instead of all documents.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

static TEXT: &str = ytt_macros::include_ytt!("data/two", file = "second.txt");

fn main() {
    assert_eq!(TEXT, "second text\n");
}
