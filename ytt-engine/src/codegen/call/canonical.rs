//! The text of a call that does not depend on how it is laid out: what committed expansions are found by.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::Lit;

/// Tokens joined by one blank; groups without delimiters are flattened, texts are written in one way, final commas and
/// `crate = …` at the start are left out.
///
/// ```
/// use ytt_engine::codegen::call::canonical;
///
/// let tokens = "crate = x::y, \"a\\x41\",\n values = { a: 1, },".parse().unwrap();
/// assert_eq!(canonical(tokens), r#""aA" , values = { a : 1 }"#);
/// ```
pub fn canonical(tokens: TokenStream) -> String {
    let mut words = Vec::new();
    collect(tokens, &mut words);
    if words.first().is_some_and(|word| word == "crate") && words.get(1).is_some_and(|word| word == "=") {
        let end =
            words.iter().position(|word| word == "," || word == ";").map_or(words.len(), |at| at.saturating_add(1));
        words.drain(..end);
    }
    words.join(" ")
}

fn collect(tokens: TokenStream, words: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => {
                        collect(group.stream(), words);
                        continue;
                    }
                };
                words.push(open.to_owned());
                collect(group.stream(), words);
                words.push(close.to_owned());
            }
            TokenTree::Literal(literal) => words.push(match Lit::new(literal.clone()) {
                Lit::Str(text) if text.suffix().is_empty() => rust_string(&text.value()),
                _ => literal.to_string(),
            }),
            other => words.push(other.to_string()),
        }
        if let [.., comma, last] = &mut words[..]
            && comma == ","
            && matches!(last.as_str(), ")" | "}" | "]")
        {
            std::mem::swap(comma, last);
            words.pop();
        }
    }
    if words.last().is_some_and(|word| word == ",") {
        words.pop();
    }
}

/// A text as a literal of Rust on one line: characters stay as they are unless they would not be seen.
///
/// ```
/// use ytt_engine::codegen::call::rust_string;
///
/// assert_eq!(rust_string("é \"b\"\n"), r#""é \"b\"\n""#);
/// ```
pub fn rust_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len().saturating_add(2));
    push_string(&mut out, text);
    out
}

pub(crate) fn push_string(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some((before, from)) = rest.find(needs_escape).and_then(|at| rest.split_at_checked(at)) {
        out.push_str(before);
        let mut behind = from.chars();
        let Some(character) = behind.next() else { break };
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0' => out.push_str("\\0"),
            other => out.extend(other.escape_unicode()),
        }
        rest = behind.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// Is it a character that a literal cannot hold, or that an editor would not show as what it is?
pub(crate) fn needs_escape(character: char) -> bool {
    match character {
        '"' | '\\' => true,
        ' '..='~' => false,
        _ => {
            character.is_control()
                || matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_does_not_count() {
        let of = |text: &str| canonical(text.parse().unwrap());
        let plain = of(r#""config", values = { image.tag: "1", list: [1, 2] }"#);
        assert_eq!(plain, r#""config" , values = { image . tag : "1" , list : [ 1 , 2 ] }"#);
        assert_eq!(of("r\"config\",\n    values = { image.tag: \"\\x31\", list: [1, 2,], },\n"), plain);
        assert_eq!(of(r#"crate = $crate::ytt, "config", values = { image.tag: "1", list: [1, 2] }"#), plain);
        assert_eq!(of("crate = a::b; static A: B = document(\"c\",);"), of("static A: B = document(\"c\");"));
        assert_ne!(of("\"a\""), of("\"b\""));
        assert_eq!(
            of("/// Doc.\nstatic A: B = document(\"c\");"),
            "# [ doc = \" Doc.\" ] static A : B = document ( \"c\" ) ;"
        );
    }

    #[test]
    fn literals_mean_the_text() {
        let mut text = String::new();
        for code in (0..0x300).chain([0x200b, 0x2028, 0x202e, 0xfeff, 0xd7ff, 0xe000, 0x1f600, 0x10ffff]) {
            text.extend(char::from_u32(code));
        }
        for text in [text.as_str(), "", "{}", "a\r\nb", "#\"#"] {
            let literal = rust_string(text);
            assert!(!literal.contains(['\n', '\r', '\u{202e}']), "{literal}");
            let read: syn::LitStr = syn::parse_str(&literal).unwrap();
            assert_eq!(read.value(), text);
        }
    }
}
