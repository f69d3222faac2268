//! Functions give texts, generic and constant ones too.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

fn plain() -> &'static str {
    ytt_macros::include_ytt!("data/two/first.yml")
}

const fn length() -> usize {
    ytt_macros::include_ytt!("data/two/first.yml").len()
}

fn parsed<T>(parse: impl Fn(&'static str) -> T) -> T {
    let text = ytt_macros::include_ytt!("data/two/first.yml");
    parse(text)
}

fn main() {
    assert_eq!(plain(), "kind: First\n");
    assert_eq!(length(), 12);
    assert_eq!(parsed(str::len), const { length() });
    let in_closure = || ytt_macros::include_ytt!("data/two/first.yml").trim_end();
    assert_eq!(in_closure(), "kind: First");
}
