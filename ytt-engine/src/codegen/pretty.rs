//! Generated code as people read it: for committed files, for `OUT_DIR`, and for `cargo ytt expand`.

use proc_macro2::TokenStream;

/// Formats items or an expression. What is no Rust is written as its tokens are.
///
/// ```
/// use ytt_engine::codegen::pretty::pretty;
///
/// assert_eq!(pretty("static A:i64=1;".parse().unwrap()), "static A: i64 = 1;\n");
/// assert_eq!(pretty("r\"a\nb\n\"".parse().unwrap()), "r\"a\nb\n\"\n");
/// ```
pub fn pretty(tokens: TokenStream) -> String {
    match syn::parse2::<syn::File>(tokens.clone()) {
        Ok(file) => prettyplease::unparse(&file),
        Err(_) => format!("{tokens}\n"),
    }
}
