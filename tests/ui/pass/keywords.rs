//! Keys that are keywords of some edition, and values that are deeper than the compiler takes types.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

ytt_macros::include_ytt! {
    pub static INFERRED: Inferred = document("data/keywords");
    pub static DECLARED: Declared = document("data/keywords");
    pub struct Declared {
        pub r#mod: u8,
        pub r#gen: u8,
        pub r#union: u8,
        pub deep: Value,
    }
}

fn main() {
    assert_eq!((INFERRED.r#mod, INFERRED.r#gen, INFERRED.union), (1, 2, 3));
    assert_eq!((DECLARED.r#mod, DECLARED.r#gen, DECLARED.union), (1, 2, 3));
    assert_eq!((INFERRED.deep.len(), DECLARED.deep.kind()), (1, "array"));
}
