//! Names of Rust from keys of YAML: fields, types, constants, modules.
//!
//! Nothing is invented: a key that has no name, and two that share one, are told to the caller.

use unicode_ident::{is_xid_continue, is_xid_start};
use unicode_normalization::UnicodeNormalization;

/// Words that are names only with `r#` in front.
const KEYWORDS: [&str; 49] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else", "enum",
    "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield", "union",
];

/// Words that are no names in any form.
const NEVER: [&str; 5] = ["self", "Self", "super", "crate", "_"];

/// The words of a key: it is split where letters change from small to capital, and where there are no letters. A plural
/// `s` stays with the capitals before it: `clusterIPs` has the words `cluster` and `IPs`.
fn words(key: &str) -> Vec<String> {
    let characters: Vec<char> = key.nfc().collect();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for (at, &character) in characters.iter().enumerate() {
        if !is_xid_continue(character) || character == '_' {
            words.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
            continue;
        }
        let before = at.checked_sub(1).and_then(|at| characters.get(at)).copied();
        let mut behind = characters.iter().skip(at).skip(1).copied();
        let after = behind.next();
        let ends_plural = after == Some('s') && behind.next().is_none_or(|next| !next.is_lowercase());
        let starts = character.is_uppercase()
            && before.is_some_and(|before| {
                before.is_lowercase()
                    || before.is_numeric()
                    || before.is_uppercase() && after.is_some_and(char::is_lowercase) && !ends_plural
            });
        if starts && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        word.push(character);
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}

/// The words of a key with `_` between them.
fn joined(key: &str, case: fn(&str) -> String) -> String {
    words(key).iter().map(|word| case(word)).collect::<Vec<_>>().join("_")
}

/// The name of a field or module: `apiVersion` is `api_version`, `type` is `r#type`. `None` where there is none.
pub(in crate::codegen) fn snake(key: &str) -> Option<String> {
    let start = if key.starts_with('_') { "_" } else { "" };
    name(&format!("{start}{}", joined(key, str::to_lowercase)))
}

/// The name of a constant: `web-1` is `WEB_1`.
pub(in crate::codegen) fn upper(key: &str) -> Option<String> {
    name(&joined(key, str::to_uppercase))
}

/// The name of a variant, or a part of a type's name: `app-mode` is `AppMode`.
pub(in crate::codegen) fn camel(key: &str) -> String {
    let mut out = String::new();
    for word in words(key) {
        let is_name = word.chars().any(char::is_lowercase);
        let mut characters = word.chars();
        out.extend(characters.next().into_iter().flat_map(char::to_uppercase));
        match is_name {
            true => out.push_str(characters.as_str()),
            false => out.push_str(&characters.as_str().to_lowercase()),
        }
    }
    out.nfc().collect()
}

/// A text as a name, raw if it is a keyword.
fn name(text: &str) -> Option<String> {
    let text: String = text.nfc().collect();
    let mut characters = text.chars();
    let first = characters.next()?;
    let is_name = (is_xid_start(first) || first == '_') && characters.all(is_xid_continue);
    if !is_name || NEVER.contains(&text.as_str()) {
        return None;
    }
    Some(if KEYWORDS.contains(&text.as_str()) && text != "union" { format!("r#{text}") } else { text })
}

/// A name that could be given to a key that has none.
pub(in crate::codegen) fn proposal(key: &str) -> String {
    match joined(key, str::to_lowercase).as_str() {
        "" => "other".to_owned(),
        text if NEVER.contains(&text) => format!("{text}_"),
        text => format!("n{text}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_fields() {
        let cases = [
            ("apiVersion", "api_version"),
            ("app.kubernetes.io/name", "app_kubernetes_io_name"),
            ("type", "r#type"),
            ("clusterIP", "cluster_ip"),
            ("clusterIPs", "cluster_ips"),
            ("HTTPServer", "http_server"),
            ("URLs", "urls"),
            ("s3Bucket", "s3_bucket"),
            ("port80", "port80"),
            ("log_level", "log_level"),
            ("_hidden", "_hidden"),
            ("foo--bar", "foo_bar"),
            ("Größe", "größe"),
            ("union", "union"),
            ("日本", "日本"),
        ];
        for (key, expected) in cases {
            assert_eq!(snake(key).as_deref(), Some(expected), "{key}");
        }
        for key in ["9p", "", "self", "Self", "super", "crate", "_", "*", "-", "💥"] {
            assert_eq!(snake(key), None, "{key}");
        }
        // Composed and decomposed letters are one name for the compiler.
        assert_eq!(snake("caf\u{e9}"), snake("cafe\u{301}"));
    }

    #[test]
    fn names_of_others() {
        assert_eq!(
            (upper("web-1").as_deref(), upper("9p"), upper("self").as_deref()),
            (Some("WEB_1"), None, Some("SELF"))
        );
        for (key, expected) in
            [("app-mode", "AppMode"), ("apiVersion", "ApiVersion"), ("TLS", "Tls"), ("r#type", "RType")]
        {
            assert_eq!(camel(key), expected, "{key}");
        }
        assert_eq!([proposal("9p"), proposal("self"), proposal("*")], ["n9p", "self_", "other"]);
    }

    #[test]
    fn every_name_is_one_for_the_compiler() {
        for key in KEYWORDS.iter().chain(&["a b", "ſ", "ǅ", "ß", "İ", "ﬁ", "Ⅷ", "a\u{301}", "x·y"]) {
            for name in [snake(key), upper(key)].into_iter().flatten() {
                assert!(syn::parse_str::<syn::Ident>(&name).is_ok(), "{key}: {name}");
            }
        }
    }
}
