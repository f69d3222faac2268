//! Token soups: whatever stands between the brackets, a call is read or told to be wrong.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use ytt_engine::codegen::call::{canonical, is_items, parse, parse_items};

use super::random::Random;

/// Soups of each kind.
const RUNS: u64 = 20_000;

/// Words, marks and texts that mean something to the grammar, and some that mean nothing.
#[rustfmt::skip]
const TOKENS: &[&str] = &[
    "\"config\"", "\"a.b\"", "\"@lib\"", "r#\"x\"#", "b\"x\"", "c\"x\"", "'x'", "'a", "0", "1", "3u8", "0x10", "1.5", "1e999",
    "99999999999999999999", "170141183460469231731687303715884105728", "true", "false", "null", "None", "N", "-", "-",
    ",", ",", ",", ";", ";", "=", "=", "=", ":", ":", ".", ".", "..", "::", "!", "#", "&", "*", "<", ">", "?", "$", "_",
    "crate", "static", "static", "mod", "struct", "enum", "pub", "const", "where", "by", "as", "serde", "fields", "union",
    "self", "Self", "super", "r#type", "r#a", "dyn", "fn", "data_values", "document", "documents", "files", "values",
    "values_file", "env", "env_yaml", "output", "file", "file_marks", "strict", "limits", "steps", "rename", "maps", "cow",
    "concat", "concat !", "env !", "Value", "Map", "LazyLock", "Vec", "Option", "str", "u8", "&str", "&'static str",
    "LazyLock<T>", "X", "T", "a", "a.b", "a: 1", "a = 1", "X : T = document", "kind = \"Pod\"", "#[derive(X)]", "#![x]",
    "#[ytt(rename = \"x\")]", "#[ytt]", "#[cfg(test)]", "/// doc\n", "static X: T = document(\"c\");", "values = { a: 1 }",
    "mod m = documents(\"c\") by a;", "struct S { a: [u8; 2] }", "enum E { A, B(u8) }", "\"\\u{0}\"", "\"\"", "é", "日本",
];

const DELIMITERS: &[Delimiter] =
    &[Delimiter::Parenthesis, Delimiter::Brace, Delimiter::Brace, Delimiter::Bracket, Delimiter::None];

/// Calls that are right; soups of another kind are these with mistakes.
const CALLS: &[&str] = &[
    r#""config", concat!("a", 1), env!("HOME"), values = { a.b: [1, -2.5, { "c.d": null }], r#type: true }, strict = true"#,
    r#"crate = $crate::x, "config", env = { a."b": "A" }, limits = { steps: 10 }, output = "json", file_marks = ["a:b=c"]"#,
    r#"/// Doc.
       #[derive(PartialEq)] pub(crate) static A: &'static [A] = documents("c", maps = ["**.x"], rename = { "a.b": c })
       where kind = "Pod", metadata.labels."a.b"[1] = -2, x = null;
       static B: std::sync::LazyLock<Vec<x::C<'a, 3>>> = documents("c") as serde;
       static C: [(&str, &[u8])] = files("c");
       pub mod m = documents("c", cow = true) where a = true by kind, metadata.name;
       #[derive(Clone)] pub enum Mode { Dev = 1, #[ytt(rename = "x-y")] Prod(i64), Other { a: u8 } }
       struct S<T> where T: X { a: Option<Map<Value>>, #[ytt(rename = "9p")] b: [u8; 2], c: &'static [Mode], d: () }"#,
];

fn soup(random: &mut Random, depth: usize) -> TokenStream {
    let mut tokens = TokenStream::new();
    for _ in 0..random.below(9) {
        if depth > 0 && random.one_in(5) {
            let inside = soup(random, depth - 1);
            tokens.extend([TokenTree::Group(Group::new(*random.pick(DELIMITERS), inside))]);
        } else {
            tokens.extend(random.pick::<&str>(TOKENS).parse::<TokenStream>().expect("tokens"));
        }
    }
    tokens
}

/// The same tokens but for some: left out, twice, exchanged, replaced by a soup, put into a group.
fn spoiled(random: &mut Random, tokens: TokenStream) -> TokenStream {
    let mut out: Vec<TokenTree> = Vec::new();
    for token in tokens {
        let token = match token {
            TokenTree::Group(group) if !random.one_in(9) => {
                TokenTree::Group(Group::new(group.delimiter(), spoiled(random, group.stream())))
            }
            other => other,
        };
        match random.below(90) {
            0 => {}
            1 => out.extend([token.clone(), token]),
            2 => out.extend(soup(random, 1)),
            3 => out.extend([TokenTree::Group(Group::new(*random.pick(DELIMITERS), token.into()))]),
            4 => {
                let before = out.pop();
                out.push(token);
                out.extend(before);
            }
            5 => {
                out.push(token);
                out.extend(soup(random, 1));
            }
            _ => out.push(token),
        }
    }
    out.into_iter().collect()
}

/// Reads tokens as everything that they may be. What is wrong has a name, a text and a place.
fn read(tokens: &TokenStream) -> bool {
    let variable = |name: &str| (name == "HOME").then(|| "/home/u".to_owned());
    let first = parse(tokens.clone(), &variable);
    let second = parse_items(tokens.clone());
    let _ = (is_items(tokens.clone()), canonical(tokens.clone()));
    for errors in [first.as_ref().err(), second.as_ref().err()].into_iter().flatten() {
        assert!(!errors.is_empty(), "{tokens}");
        for error in errors {
            assert!(!error.name.is_empty() && !error.message.is_empty(), "{tokens}: {error:?}");
        }
    }
    first.is_ok()
}

#[test]
fn soups_are_refused() {
    let read = (0..RUNS).filter(|seed| read(&soup(&mut Random::new(*seed), 3))).count();
    assert!((10..RUNS as usize / 2).contains(&read), "{read} soups are calls");
}

#[test]
fn calls_with_mistakes_are_refused() {
    let calls: Vec<TokenStream> = CALLS.iter().map(|call| call.parse().expect("tokens")).collect();
    let mut right = 0;
    for seed in 0..RUNS {
        let random = &mut Random::new(seed);
        let call = random.pick(&calls).clone();
        right += usize::from(read(&spoiled(random, call)));
    }
    assert!((10..RUNS as usize / 2).contains(&right), "{right} calls are right");
}
