//! Tokens that make rustc watch files and variables.
//!
//! The functions are never called, so nothing of a watched file reaches a binary or a library; only the dependency does.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// Makes rustc run the macro again when one of `files` (absolute paths) or of the variables changes.
///
/// ```
/// let tokens = ytt_engine::codegen::track::tokens(["/app/config/a.yml"], ["APP_TAG"]);
/// assert!(tokens.to_string().contains("include_bytes"));
/// ```
pub fn tokens<'a>(
    files: impl IntoIterator<Item = &'a str>,
    variables: impl IntoIterator<Item = &'a str>,
) -> TokenStream {
    let files = files.into_iter().map(Literal::string);
    let variables = variables.into_iter().map(Literal::string);
    quote! {
        const _: () = {
            fn _d() { #( let _ = ::core::include_bytes!(#files); )* }
            fn _e() { #( let _ = ::core::option_env!(#variables); )* }
        };
    }
}

/// Appends `<process> <what> <text>` to the file that the variable `YTT_TRACE` names, if it does: tests count renders by
/// it. Printing would not do, since cargo shows the output of fresh packages again.
///
/// ```
/// ytt_engine::codegen::track::trace("render", "config");
/// ```
pub fn trace(what: &str, text: &str) {
    use std::io::Write;

    let Some(path) = std::env::var_os("YTT_TRACE") else { return };
    let line = format!("{} {what} {}\n", std::process::id(), text.replace('\n', " "));
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    // A trace that cannot be written stops no build.
    let _ = file.and_then(|mut file| file.write_all(line.as_bytes()));
}
