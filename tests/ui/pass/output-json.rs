//! The text as JSON.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

static TEXT: &str = ytt_macros::include_ytt!("data/two/first.yml", output = "json");

fn main() {
    assert_eq!(TEXT.trim_end(), r#"{"kind":"First"}"#);
}
