//! Text, types and values.

mod parts;

pub use parts::PART;

/// All documents.
pub static TEXT: &str = ytt_macros::include_ytt!("config", values = { port: 8080 });

ytt_macros::include_ytt! {
    /// The data values.
    pub static SETTINGS: Settings = data_values("config");
    /// A document without a type of its own.
    pub static ANY: Value = document("config") where kind = "Service";
}
