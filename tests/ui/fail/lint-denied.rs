//! A lint that the call denies: the report says so.

static TEXT: &str = ytt_macros::include_ytt!(
    "data/lints",
    lints = { "overlay::*": "deny", "overlay::again": "allow" }
);

fn main() {
    println!("{TEXT}");
}
