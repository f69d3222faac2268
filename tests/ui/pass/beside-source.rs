//! `./` is the folder of the source file.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

static TEXT: &str = ytt_macros::include_ytt!("./beside.yml");

fn main() {
    assert_eq!(TEXT, "place: beside the source\n");
}
