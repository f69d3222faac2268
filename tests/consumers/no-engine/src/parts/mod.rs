//! A file beside this one.

/// It has one key.
pub static PART: &str = ytt_macros::include_ytt!("./part.yml");
