//! Keys and texts that Rust or rustdoc could take for something else.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

ytt_macros::include_ytt! {
    #[derive(PartialEq)]
    pub static KEYS: Keys = document(
        "data/hostile",
        rename = {
            self: own, Self: own_type, super: above, crate: package, "_": blank, "": empty, "9p": nine_p,
            "💥": boom, "*/": end, "{}": braces,
        },
    ) where "type" = "a";
    pub static TEXTS: Texts = document("data/hostile") where kind = "Texts";
}

fn main() {
    assert_eq!((KEYS.r#type, KEYS.r#async, KEYS.r_match, KEYS.union), ("a", "b", "c", "r"));
    assert_eq!((KEYS.own, KEYS.own_type, KEYS.above, KEYS.package, KEYS.blank), ("d", "e", "f", "g", "h"));
    assert_eq!((KEYS.empty, KEYS.nine_p, KEYS.a_b, KEYS.quote_back, KEYS.line_break), ("i", "j", "k", "l", "m"));
    assert_eq!((KEYS.café, KEYS.boom, KEYS.end, KEYS.braces), ("decomposed", "o", "p", "q"));
    assert_eq!(TEXTS.quotes, "a \"quoted\" text with # and \"##");
    assert_eq!(TEXTS.braces, "{} {name} {{}}");
    assert_eq!(TEXTS.lines, "first\n\n  second\ttab\n");
    assert_eq!(TEXTS.control, "\0 \x07 \u{1b} \u{202e} \u{feff}");
    assert_eq!((TEXTS.windows, TEXTS.comment), ("a\r\nb", "*/ // /*"));
}
