//! Paths, keys and values come through `macro_rules!` as literals, expressions, identifiers and tokens.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

macro_rules! literal {
    ($path:literal, $($value:literal),*) => {
        ytt_macros::include_ytt!($path, values = { all: [$($value),*] })
    };
}

macro_rules! expression {
    ($path:expr, $key:ident, $value:expr) => {
        ytt_macros::include_ytt!($path, values = { all: { $key: $value } }, ignore_unknown_comments = true)
    };
}

macro_rules! tokens {
    ($($all:tt)*) => {
        ytt_macros::include_ytt!($($all)*)
    };
}

macro_rules! nested {
    ($path:literal, $value:expr) => {
        expression!(concat!("data/", $path), nested, $value)
    };
}

fn main() {
    assert_eq!(literal!("data/kinds", 1, "two", -3, true), "all:\n- 1\n- two\n- -3\n- true\n");
    assert_eq!(expression!("data/kinds", number, -1.5), "all:\n  number: -1.5\n");
    assert_eq!(expression!("data/kinds", text, concat!("a", 1)), "all:\n  text: a1\n");
    assert_eq!(expression!("data/kinds", list, [1, ["b"]]), "all:\n  list:\n  - 1\n  - - b\n");
    assert_eq!(expression!("data/kinds", list, []), "all:\n  list: []\n");
    assert_eq!(nested!("kinds", 7), "all:\n  nested: 7\n");
    assert_eq!(tokens!("data/kinds", values = { all: null }), "all: null\n");
}
