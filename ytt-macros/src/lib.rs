//! ytt at compile time.
//!
//! [`include_ytt!`] renders ytt templates and overlays while a program is compiled and embeds the result. The build fails
//! when an overlay's expectation is not met, a data value breaks its schema, or a template is wrong.
//!
//! This crate is thin: it knows spans and paths. The grammar of a call and the render are in `ytt-engine`.
#![cfg_attr(feature = "nightly", feature(proc_macro_tracked_path))]
#![deny(missing_docs)]
#![forbid(unsafe_code)]

#[cfg(feature = "engine")]
mod cache;
#[cfg(not(feature = "engine"))]
mod committed;
#[cfg(feature = "engine")]
mod expand;
mod names;
mod paths;

use proc_macro::TokenStream;

/// Renders files and folders of ytt at compile time; an expression of type `&'static str`.
///
/// Paths come first, in the order of ytt's `-f`: each is a file or a folder, relative to the package
/// (`CARGO_MANIFEST_DIR`); `"./x"` is beside the source file, `"$OUT_DIR/x"` below what a build script wrote. Then come
/// named arguments, in any order:
///
/// | argument | meaning |
/// |---|---|
/// | `values = { replicas: 2, image.tag: "1.4" }` | data values; they win over all others |
/// | `values_file = "values.yml"` or `[…]` | as `--data-values-file` |
/// | `env = { image.tag: "APP_TAG" }`, `env_yaml = {…}` | data values from environment variables |
/// | `output = "yaml"`, `"json"` or `"pos"` | form of the text |
/// | `file = "app.conf"` | one output file instead of all documents |
/// | `file_marks = ["docs/**/*:exclude=true"]` | as `--file-mark` |
/// | `strict`, `ignore_unknown_comments`, `implicit_map_key_overrides`, `dangerous_data_values_disable_validation` | `true` for what the flags do |
/// | `allow_symlink_destination = […]` | as the flag |
/// | `limits = { steps: 1000000 }` | bounds of `ytt_engine::Limits` |
///
/// A key of `values` with `@` in front holds the values of a library: `values = { "@lib": { replicas: 2 } }`; so does the
/// first part of a key of `env`.
///
/// The macro runs again when a file that it read has changed, or a variable that it named. A file that is new in a folder
/// is not seen by rustc: call `ytt_build::watch` in a build script for that.
///
/// # Errors
///
/// Every problem of the stage that fails is a compile error at the argument whose file holds it, or at the value; the
/// text shows file, line, column and the source lines.
///
/// ```
/// static MANIFEST: &str = ytt_macros::include_ytt!("tests/config", values = { replicas: 3 });
/// assert_eq!(MANIFEST, "kind: Deployment\nspec:\n  replicas: 3\n");
/// ```
///
/// Lines that a template writes by `print` are not shown: cargo would repeat them at every build. `cargo ytt` shows them.
///
/// The expansion is a block, not a literal: it cannot stand inside `concat!` or in an attribute.
///
/// What data values, schemas and overlays mean is told by [ytt's documentation](https://carvel.dev/ytt/docs/latest/).
#[proc_macro]
pub fn include_ytt(tokens: TokenStream) -> TokenStream {
    #[cfg(feature = "engine")]
    let expanded = expand::call(tokens.into());
    #[cfg(not(feature = "engine"))]
    let expanded = committed::call(tokens.into());
    expanded.into()
}

/// Makes the compiler watch folders, which only a nightly one can.
#[cfg(feature = "engine")]
fn watch(folders: &[std::path::PathBuf]) {
    #[cfg(feature = "nightly")]
    for folder in folders.iter().filter_map(|folder| folder.to_str()) {
        proc_macro::tracked::path(folder);
    }
    #[cfg(not(feature = "nightly"))]
    let _ = folders;
}
