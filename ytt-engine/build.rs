//! How the command is linked. What uses the library is not touched.

use std::env::var;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is = |name: &str, wanted: &str| var(name).is_ok_and(|value| value == wanted);
    let is_static =
        var("CARGO_CFG_TARGET_FEATURE").is_ok_and(|features| features.split(',').any(|one| one == "crt-static"));
    if var("CARGO_FEATURE_CLI").is_ok()
        && is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
        && !is_static
    {
        // At a fixed address there is nothing to relocate, which is more than a third of what a short run costs.
        println!("cargo::rustc-link-arg-bin=cargo-ytt=-no-pie");
    }
}
