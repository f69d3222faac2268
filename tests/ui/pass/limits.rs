//! Limits may be changed; what stays below them is rendered.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

static TEXT: &str = ytt_macros::include_ytt!(
    "data/shop",
    limits = { steps: 1000, depth: 20, output_bytes: 1_000, memory: 100_000_000, seconds: 600, reports: 1 },
);

fn main() {
    assert!(TEXT.starts_with("kind: Deployment\n"), "{TEXT}");
}
