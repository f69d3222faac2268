//! Tokens around generated code: what makes rustc watch files and variables, and the name of the run-time half.
//!
//! The functions are never called, so nothing of a watched file reaches a binary or a library; only the dependency does.

use proc_macro2::{Group, Literal, TokenStream, TokenTree};
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

/// Puts the name of `ytt_engine` where code is used into generated code, which names it `::ytt_engine`.
pub fn with_engine(tokens: TokenStream, path: &TokenStream) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let mut new = Group::new(group.delimiter(), with_engine(group.stream(), path));
                new.set_span(group.span());
                out.push(TokenTree::Group(new));
            }
            TokenTree::Ident(name) if name == "ytt_engine" && ends_in_colons(&out) => {
                out.truncate(out.len().saturating_sub(2));
                out.extend(path.clone());
            }
            other => out.push(other),
        }
    }
    out.into_iter().collect()
}

/// Does a path begin here: two colons, with no name in front of them?
fn ends_in_colons(tokens: &[TokenTree]) -> bool {
    const WORDS: [&str; 6] = ["as", "if", "in", "match", "return", "use"];
    let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':');
    let [before @ .., first, second] = tokens else { return false };
    let is_name = |token: &TokenTree| matches!(token, TokenTree::Ident(name) if !WORDS.iter().any(|word| name == word));
    is_colon(first) && is_colon(second) && !before.last().is_some_and(is_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_engine_is_replaced_at_the_start_of_paths() {
        let of = |text: &str, path: &str| with_engine(text.parse().unwrap(), &path.parse().unwrap()).to_string();
        let text = "use ::ytt_engine::a; static B: ::ytt_engine::C = x::ytt_engine::d(&[::ytt_engine::e]);";
        let expected = "use $crate::y::a; static B: $crate::y::C = x::ytt_engine::d(&[$crate::y::e]);";
        let plain = |text: &str| text.replace(' ', "");
        assert_eq!(plain(&of(text, "$crate::y")), plain(expected));
    }

    #[test]
    fn files_and_variables_are_named_once_each() {
        let found = tokens(["/app/a \"b\".yml", "/app/c.yml"], ["APP_TAG"]).to_string().replace(' ', "");
        let (files, variables) = found.split_once("fn_e()").unwrap();
        assert!(files.starts_with("const_:()={fn_d(){"), "{found}");
        for (text, of) in [
            ("let_=::core::include_bytes!(\"/app/a\\\"b\\\".yml\");", files),
            ("let_=::core::include_bytes!(\"/app/c.yml\");", files),
            ("let_=::core::option_env!(\"APP_TAG\");", variables),
        ] {
            assert_eq!((of.matches(text).count(), found.matches(text).count()), (1, 1), "{text} in {found}");
        }
        assert_eq!(tokens([], []).to_string().replace(' ', ""), "const_:()={fn_d(){}fn_e(){}};");
    }
}
