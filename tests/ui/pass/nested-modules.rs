//! Items stand in modules of modules, with the visibility that is written.
#![deny(warnings, missing_docs, unused, unreachable_pub)]
#![forbid(unsafe_code)]

/// Outer.
pub mod outer {
    /// Inner.
    pub mod inner {
        ytt_macros::include_ytt! {
            pub(crate) static WEB: Web = document("data/cluster") where kind = "Service";
            pub(in crate::outer) mod named = documents("data/cluster") by metadata.name, kind;
            static OWN: Own = document("data/two");
        }

        /// What only this module sees.
        pub fn own() -> &'static str {
            OWN.kind
        }
    }

    /// What only the outer module sees.
    pub fn replicas() -> i64 {
        inner::named::worker::DEPLOYMENT.spec.replicas
    }
}

fn main() {
    let web: &outer::inner::Web = &outer::inner::WEB;
    assert_eq!(web.metadata.name, "web");
    assert_eq!((outer::inner::own(), outer::replicas()), ("First", 1));
}
