//! Texts put together of what a macro can read: as paths and as data values.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

static FIRST: &str = ytt_macros::include_ytt!(concat!("data/", "two", "/first.yml"));
static NAME: &str = ytt_macros::include_ytt!("data/kinds", values = { all: env!("CARGO_PKG_NAME") });

fn main() {
    assert_eq!(FIRST, "kind: First\n");
    assert_eq!(NAME, format!("all: {}\n", env!("CARGO_PKG_NAME")));
}
