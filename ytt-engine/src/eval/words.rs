//! Words.
pub(crate) struct Words { pub(crate) text: String, pub(crate) hints: Vec<String> }
pub(crate) fn message(error: &starlark::Error) -> Words { if let Some(d) = super::error::diagnostic_of(error) { return Words { text: d.full_message(), hints: vec![] } } Words { text: super::text::readable(&error.without_diagnostic().to_string()).into_owned(), hints: vec![] } }
