//! A folder that holds only data is an input beside templates that read it. What they print is not shown.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

static TEXT: &str = ytt_macros::include_ytt!("data/reader", "data/notes");

fn main() {
    assert_eq!(TEXT, "note: |\n  read me\n");
}
