//! A variable that is not set sets nothing; one that is set gives a text, or YAML where that is asked for.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

static UNSET: &str = ytt_macros::include_ytt!("data/shop", env = { name: "YTT_TESTS_NEVER_SET" });
static SET: &str = ytt_macros::include_ytt!("data/shop", env = { name: "CARGO_PKG_NAME" });
static YAML: &str = ytt_macros::include_ytt!("data/shop", env_yaml = { replicas: "CARGO_PKG_VERSION_MAJOR" });

fn main() {
    assert!(UNSET.contains("name: web\n"), "{UNSET}");
    assert!(SET.contains(&format!("name: {}\n", env!("CARGO_PKG_NAME"))), "{SET}");
    assert!(YAML.contains(&format!("replicas: {}\n", env!("CARGO_PKG_VERSION_MAJOR"))), "{YAML}");
}
