//! The text is there while other constants are computed.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

const TEXT: &str = ytt_macros::include_ytt!("data/two/first.yml");
const LENGTH: usize = TEXT.len();
static BYTES: [u8; LENGTH] = [b'.'; LENGTH];

fn main() {
    assert_eq!(TEXT, "kind: First\n");
    assert_eq!(BYTES.len(), 12);
}
