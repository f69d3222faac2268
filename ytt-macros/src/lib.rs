//! ytt at compile time.
//!
//! [`include_ytt!`] renders ytt templates and overlays while a program is compiled and embeds the result: as text, or as
//! constants of real Rust types. The build fails when an overlay's expectation is not met, a data value breaks its schema,
//! or a template is wrong.
//!
//! This crate is thin: it knows spans and paths. Grammar, render and generated code are in `ytt-engine`.
//!
//! # Features
//!
//! | feature | what it does |
//! |---|---|
//! | `engine` (default) | renders while the package is compiled |
//! | none | expands from what `cargo ytt generate` wrote into the package's folder `.ytt`: no interpreter is built |
//! | `nightly` | with a nightly compiler: files that are new in a folder are noticed |
#![cfg_attr(feature = "nightly", feature(proc_macro_tracked_path))]
#![deny(missing_docs)]
#![forbid(unsafe_code)]

#[cfg(feature = "engine")]
mod cache;
#[cfg(not(feature = "engine"))]
mod committed;
#[cfg(feature = "engine")]
mod expand;
#[cfg(all(test, feature = "engine"))]
#[path = "../../ytt-engine/tests/support/folder.rs"]
mod folder;
mod paths;

use proc_macro::TokenStream;

/// Renders files and folders of ytt at compile time: an expression of type `&'static str`, or items.
///
/// ```
/// static MANIFEST: &str = ytt_macros::include_ytt!("tests/config", values = { replicas: 3 });
/// assert_eq!(MANIFEST, "kind: Deployment\nspec:\n  replicas: 3\n");
/// ```
///
/// Paths come first, in the order of ytt's `-f`: each is a file or a folder, relative to the package
/// (`CARGO_MANIFEST_DIR`); `"./x"` is beside the source file, `"$OUT_DIR/x"` below what a build script wrote. Then come
/// named arguments, in any order:
///
/// | argument | meaning |
/// |---|---|
/// | `values = { replicas: 2, image.tag: "1.4" }` | data values; they win over all others |
/// | `values_file = "values.yml"` or `[…]` | as `--data-values-file` |
/// | `env = { image.tag: "APP_TAG" }` | data values that are texts of environment variables; of one that is not set, nothing is set |
/// | `values = { image.tag: env!("APP_TAG") }` | the same, but the variable must be set |
/// | `env_yaml = { replicas: "APP_REPLICAS" }` | as `env`, read as YAML: numbers and lists |
/// | `output = "yaml"`, `"json"` or `"pos"` | form of the text; expressions only |
/// | `file = "app.conf"` | one output file instead of all documents; expressions only |
/// | `file_marks = ["docs/**/*:exclude=true"]` | as `--file-mark` |
/// | `strict`, `ignore_unknown_comments`, `implicit_map_key_overrides`, `dangerous_data_values_disable_validation` | `true` for what the flags do |
/// | `allow_symlink_destination = […]` | as the flag |
/// | `limits = { steps: 1000000 }` | bounds of `ytt_engine::Limits` |
/// | `lints = { "overlay::*": "deny" }` | levels of lints: `allow`, `warn` or `deny`; later keys win |
/// | `rename = { "web.9p": nine_p }` | names for fields and constants; items only |
/// | `maps = ["**.labels"]` | maps whose keys are data become `Map<T>`; items only |
/// | `cow = true` | texts and lists are `Cow`, types of a schema have `Default`; items only |
///
/// A key of `values` with `@` in front holds the values of a library: `values = { "@lib": { replicas: 2 } }`; so does the
/// first part of a key of `env`.
///
/// # Items
///
/// ```
/// ytt_macros::include_ytt! {
///     /// What the program is built for.
///     pub static WEB: Deployment = document("tests/config", values = { replicas: 3 }) where kind = "Deployment";
/// }
/// const REPLICAS: i64 = WEB.spec.replicas;
/// assert_eq!(REPLICAS, 3);
/// ```
///
/// | item | gives |
/// |---|---|
/// | `static CONFIG: Config = data_values("config");` | the final data values; the struct `Config` comes from the schema |
/// | `static WEB: Web = document("config") where kind = "Service";` | one document; its type comes from its values |
/// | `static ALL: [Object] = documents("config");` | a slice of documents of one type, which fits them all |
/// | `static ANY: Value = …`, `[Value]` | without types: `ytt_engine::constant::Value` |
/// | `static FILES: [(&str, &[u8])] = files("config");` | paths and contents of all output files |
/// | `mod m = documents("config") by kind, metadata.name;` | a constant for each document, as `m::deployment::WEB` |
/// | `static WEB: LazyLock<Deployment> = document("config") as serde;` | a type of yours, read at first use and checked by a generated `#[test]`; put the call at module level |
/// | `static WEB: LazyLock<Deployment> = document("config") as fields;` | a type of yours that has `Default`, filled field by field: a misfit is an error of the compiler |
/// | `struct Config { replicas: u16 }`, `enum Mode { Dev, Prod }` | a type that you declare; values that do not fit are errors |
///
/// Conditions of `where` are joined by commas. Constants of one call that are written with one type share it. `#[derive(…)]` above an
/// item goes to its types, `#[serde(…)]` and `#[cfg(…)]` too, all other attributes to the item. `crate = path;` in front says
/// what `ytt_engine` is called, for macros that are used in other packages.
///
/// `as fields` needs structs with `Default` whose fields have the names of the keys in Rust's spelling (`containerPort` is
/// `container_port`), as generators for Kubernetes write them: `Option<T>`, `Box<T>`, `Vec<T>` and maps are filled in. Root
/// keys `apiVersion` and `kind` are left out where a condition of `where` says what they are, since such types have no
/// fields for them; `rename = { kind: kind }` keeps one. Keys that are data need `maps`, as in `maps = ["**.labels",
/// "**.matchLabels"]`; another name of a field needs `rename`, as in `rename = { "spec.type": type_ }` for `k8s-openapi`. A
/// type that is no struct, such as `IntOrString`, implements `ytt_engine::constant::fields::Put`, or needs `as serde`.
///
/// Types: integers are `i64`, or `u64` where one is too large; floats `f64`; texts `&'static str`; lists `&'static [T]`; maps
/// structs, of which equal ones are one; a key that is missing in some maps of a list, or that the schema lets be null, is
/// an `Option`; what has no common type is a `Value`. Fields of declared types may be any integer, `char`, `[T; N]`, `Map<T>`
/// and enums, with `#[ytt(rename = "key")]` where the name is not the key.
///
/// Code that names `Map`, `Value`, `as serde` or `as fields` needs the package `ytt-engine` without default features, `as
/// serde` with its feature `serde`, `as fields` with `std`, maps under `cow` with `alloc`.
///
/// Generated code allows clippy's groups of lints for itself. `deny` of a lint of clippy does not matter to it; `forbid` does.
///
/// # Rebuilds
///
/// The macro runs again when a file that it read has changed, or a variable that it named. A file that is new in a folder
/// is not seen by rustc: call `ytt_build::watch` in a build script for that. Calls on the same inputs are rendered once.
///
/// # Errors
///
/// Every problem of the stage that fails is a compile error at the argument whose file holds it, or at the value; the
/// text shows file, line, column and the source lines. A mistake that several calls run into is told in full once.
///
/// Lines that a template writes by `print` are not shown: cargo would repeat them at every build. `cargo ytt` shows them.
///
/// An expression is a block, not a literal: it cannot stand inside `concat!` or in an attribute; a build script with
/// `include_str!` serves these.
///
/// What data values, schemas and overlays mean is told by [ytt's documentation](https://carvel.dev/ytt/docs/latest/).
#[proc_macro]
pub fn include_ytt(tokens: TokenStream) -> TokenStream {
    #[cfg(feature = "engine")]
    let expanded = guarded(tokens.into(), expand::call);
    #[cfg(not(feature = "engine"))]
    let expanded = guarded(tokens.into(), committed::call);
    expanded.into()
}

/// A panic is an error of the call, as all others are.
fn guarded(
    tokens: proc_macro2::TokenStream,
    call: fn(proc_macro2::TokenStream) -> proc_macro2::TokenStream,
) -> proc_macro2::TokenStream {
    use ytt_engine::codegen::{call::is_items, caught};

    caught(|| call(tokens.clone())).unwrap_or_else(|text| {
        let text = format!("ytt: {text}");
        match caught(|| is_items(tokens)) {
            Ok(true) => quote::quote!(::core::compile_error!(#text);),
            _ => quote::quote!({
                ::core::compile_error!(#text);
                ""
            }),
        }
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_of_the_call() {
        let guarded = |call: &str| guarded(call.parse().unwrap(), |_| panic!("boom")).to_string();
        let error = quote::quote!(::core::compile_error!("ytt: internal error in ytt, please report it: boom"););
        assert_eq!(guarded("\"config\""), quote::quote!({ #error "" }).to_string());
        assert_eq!(guarded("pub const A = data_values(\"config\");"), error.to_string());
    }
}
