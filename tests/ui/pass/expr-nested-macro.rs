//! A call is an argument of other macros.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

fn main() {
    println!("{}", ytt_macros::include_ytt!("data/two/first.yml"));
    assert_eq!(ytt_macros::include_ytt!("data/two/first.yml"), "kind: First\n");
    let all = vec![ytt_macros::include_ytt!("data/two/first.yml"), "more"];
    let shown = format!("{}{:?}", ytt_macros::include_ytt!("data/two/first.yml"), all);
    assert_eq!(shown, "kind: First\n[\"kind: First\\n\", \"more\"]");
}
