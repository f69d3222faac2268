//! Declared enums: texts in the spellings that people use, and values of several types.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

ytt_macros::include_ytt! {
    pub static LIST: List = document("data/variants");
    pub struct List {
        pub modes: &'static [Mode],
        pub mixed: &'static [Mixed],
    }
    #[derive(PartialEq, Eq)]
    pub enum Mode {
        DryRun,
        #[ytt(rename = "real!")]
        Real,
    }
    #[derive(PartialEq)]
    pub enum Mixed {
        Auto,
        Flag(bool),
        Short(u8),
        Long(i64),
        Part(f64),
        Named(Named),
        List(&'static [Mixed]),
        Text(&'static str),
    }
    #[derive(PartialEq, Eq)]
    pub struct Named {
        pub name: &'static str,
    }
}

fn main() {
    use Mode::{DryRun, Real};
    assert_eq!(LIST.modes, [DryRun, DryRun, DryRun, DryRun, Real]);
    let expected = [
        Mixed::Auto,
        Mixed::Flag(true),
        Mixed::Short(7),
        Mixed::Long(-7),
        Mixed::Part(0.5),
        Mixed::Named(Named { name: "a" }),
        Mixed::List(&[Mixed::Short(1), Mixed::Auto]),
        Mixed::Text("other"),
    ];
    assert_eq!(LIST.mixed, expected);
    assert!(matches!(LIST.mixed[1], Mixed::Flag(flag) if flag));
    assert!(matches!(LIST.mixed[5], Mixed::Named(Named { name: "a" })));
}
