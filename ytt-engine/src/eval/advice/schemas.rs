//! Whether something is declared in a schema, told from the text of its file.

use super::super::host::Host;
use crate::source::{SourceMap, Span};
use crate::template::outline;

const VALUES: &str = "#@data/values";
const SCHEMA: &str = "#@data/values-schema";

/// Does a place stand in a schema, and not in data values or elsewhere?
pub(super) fn is_in_one(sources: &SourceMap, place: Span) -> bool {
    let source = sources.get(place.source);
    let before = source.text.as_str().and_then(|text| text.get(..place.start as usize)).unwrap_or_default();
    before.lines().rfind(|line| line.starts_with(VALUES)).is_some_and(|line| line.starts_with(SCHEMA))
}

/// Does any file have one?
pub(super) fn are_there(host: &Host<'_>) -> bool {
    host.sources.all().iter().any(|source| outline::has_schema(source))
}
