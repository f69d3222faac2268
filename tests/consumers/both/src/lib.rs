//! All forms of the macro and of the builder, under lints that leave nothing through.
#![deny(warnings, missing_docs, missing_debug_implementations, unreachable_pub, unused, rust_2018_idioms)]
#![deny(clippy::pedantic, clippy::nursery)]
#![forbid(unsafe_code)]

/// All documents.
///
/// ```
/// static TEXT: &str = ytt_macros::include_ytt!("config");
/// assert_eq!(TEXT, consumer_both::TEXT);
/// ```
pub static TEXT: &str = ytt_macros::include_ytt!("config");

/// What the build script wrote.
pub static WRITTEN: &str = include_str!(concat!(env!("OUT_DIR"), "/config.yml"));

/// A file beside this one.
pub static PART: &str = ytt_macros::include_ytt!("./parts");

ytt_macros::include_ytt! {
    /// The data values.
    pub static SETTINGS: Settings = data_values("config", maps = ["**.labels"]);
    pub static WEB: Deployment = document("config") where kind = "Deployment";
    pub static ANY: [Value] = documents("config");
    pub static FILES: [(&str, &[u8])] = files("config");
    pub mod manifests = documents("config") by kind, metadata.name;
}

/// The same from the build script.
pub mod generated {
    include!(concat!(env!("OUT_DIR"), "/generated.rs"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_the_same() {
        assert_eq!(TEXT, WRITTEN);
        assert_eq!(SETTINGS.replicas, generated::SETTINGS.replicas);
        assert_eq!(WEB.metadata.name, generated::WEB.metadata.name);
        assert_eq!(format!("{ANY:?}{FILES:?}"), format!("{:?}{:?}", generated::ANY, generated::FILES));
        assert_eq!(manifests::service::WEB.kind, generated::manifests::service::WEB.kind);
    }
}
