//! `crate = …` says where the engine is: for macros of other crates, and where its name is not in the manifest.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

/// What another crate would give again.
pub mod again {
    pub use ytt_engine as engine;
}

macro_rules! values {
    ($path:literal) => {
        ytt_macros::include_ytt! {
            crate = $crate::again::engine;
            pub(crate) static VALUE: Value = document($path);
            pub(crate) static MAP: WithMap = document($path, maps = ["image"]);
        }
    };
}

mod inside {
    values!("data/parts/values.yml");
}

fn main() {
    let value: again::engine::constant::Value = inside::VALUE;
    assert_eq!(value.get("image.tag").and_then(|tag| tag.as_str()), Some("1.3"));
    assert_eq!((inside::MAP.replicas, inside::MAP.image.get("tag")), (5, Some(&"1.3")));
    static TEXT: &str = ytt_macros::include_ytt!(crate = again::engine, "data/two/first.yml");
    assert_eq!(TEXT, "kind: First\n");
}
