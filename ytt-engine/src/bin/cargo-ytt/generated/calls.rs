//! Calls of `include_ytt!` in source files, found by their tokens.

use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};

/// A call in a source file.
#[derive(Debug)]
pub struct Found {
    /// What stands between the brackets.
    pub tokens: TokenStream,
    /// The lines of the call, from 1.
    pub lines: (usize, usize),
}

/// The source files of a package: not those of other packages below it, nor what was built.
pub fn sources(package: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(package, package, &mut found);
    found.sort();
    found
}

fn collect(package: &Path, folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let is_hidden = name.to_string_lossy().starts_with('.');
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            let is_other = path.join("Cargo.toml").is_file();
            let is_built = folder == package && name == "target" || path.join("CACHEDIR.TAG").is_file();
            if !is_hidden && !is_other && !is_built {
                collect(package, &path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_hidden {
            found.push(path);
        }
    }
}

/// The calls of a text. One with `$` in it stands in a macro of its own, and means nothing by itself.
pub fn calls(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    // Most files have none.
    if text.contains("include_ytt")
        && let Ok(tokens) = text.parse::<TokenStream>()
    {
        search(tokens, &mut found);
    }
    found
}

fn search(tokens: TokenStream, found: &mut Vec<Found>) {
    // The two tokens in front of each one.
    let mut before: [Option<TokenTree>; 2] = [None, None];
    for token in tokens {
        let TokenTree::Group(group) = &token else {
            let [_, last] = before;
            before = [last, Some(token)];
            continue;
        };
        let name = match &before {
            [Some(TokenTree::Ident(name)), Some(TokenTree::Punct(mark))]
                if name == "include_ytt" && mark.as_char() == '!' =>
            {
                Some(name)
            }
            _ => None,
        };
        match name {
            None => search(group.stream(), found),
            Some(name) if !has_dollar(group.stream()) => {
                let lines = (name.span().start().line, group.span_close().end().line);
                found.push(Found { tokens: group.stream(), lines });
            }
            Some(_) => {}
        }
        before = [None, None];
    }
}

/// Is there a `$`, but for `$crate`, which `crate =` may have in front?
fn has_dollar(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    tokens.iter().enumerate().any(|(number, token)| match token {
        TokenTree::Punct(punct) if punct.as_char() == '$' => {
            !matches!(tokens.get(number.saturating_add(1)), Some(TokenTree::Ident(name)) if name == "crate")
        }
        TokenTree::Group(group) => has_dollar(group.stream()),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_found_wherever_they_stand() {
        let text = "static A: &str = include_ytt!(\"a\");\nmod m {\n    ytt_macros::include_ytt! {\n        static B: B = \
                    document(\"b\");\n    }\n}\nmacro_rules! x {\n    ($p:literal) => { include_ytt!($p) };\n    () => { \
                    include_ytt!(\"c\") };\n}\n// include_ytt!(\"d\")\nconst S: &str = \"include_ytt!(\\\"e\\\")\";\n";
        let found: Vec<(String, (usize, usize))> =
            calls(text).into_iter().map(|found| (found.tokens.to_string(), found.lines)).collect();
        let expected = [("\"a\"", (1, 1)), ("static B : B = document (\"b\") ;", (3, 5)), ("\"c\"", (9, 9))];
        assert_eq!(found, expected.map(|(text, lines)| (text.to_owned(), lines)));
        assert!(calls("include_ytt!(\"a\"").is_empty(), "no tokens");
    }
}
