//! Modules that a name may be meant to be, and what is loaded from them.

use crate::source::Span;
use crate::template::input::Input;

/// Modules that have the name under which they are loaded.
pub(super) const MODULES: &[&str] = &[
    "assert", "base64", "data", "ip", "json", "library", "math", "md5", "overlay", "regexp", "sha256", "struct",
    "template", "toml", "url", "version", "yaml",
];

/// Where a file loads another name from the module of this one: `load("@ytt:overlay", "overlays")`.
pub(super) fn as_other(input: &Input, wanted: &str) -> Option<(Span, String)> {
    MODULES.contains(&wanted).then_some(())?;
    let source = std::str::from_utf8(input.source_text()).ok()?;
    let path = format!("load(\"@ytt:{wanted}\",");
    let behind = source.find(&path)?.checked_add(path.len())?;
    let rest = source.get(behind..)?;
    let blanks = rest.len().checked_sub(rest.trim_start_matches(' ').len())?;
    let (name, after) = rest.trim_start_matches(' ').strip_prefix('"')?.split_once('"')?;
    let start = behind.checked_add(blanks)?;
    let end = start.checked_add(name.len())?.checked_add(2)?;
    (name != wanted && after.starts_with(')')).then(|| (input.source_span(start, end), name.to_owned()))
}

/// The other name under which a file loads this module: `load("@ytt:overlay", o="overlay")`, and where that stands.
pub(super) fn as_alias(input: &Input, wanted: &str) -> Option<(Span, String)> {
    MODULES.contains(&wanted).then_some(())?;
    let source = std::str::from_utf8(input.source_text()).ok()?;
    let path = format!("load(\"@ytt:{wanted}\",");
    let start = source.find(&path)?.checked_add(path.len())?;
    let names = source.get(start..)?.split(')').next()?;
    let own = format!("\"{wanted}\"");
    let at = names.find(&own)?;
    let before = names.get(..at)?.trim_end().strip_suffix('=')?.trim_end();
    let alias = before.rsplit([',', ' ']).next().filter(|alias| !alias.is_empty())?;
    let from = start.checked_add(before.len().checked_sub(alias.len())?)?;
    let end = start.checked_add(at)?.checked_add(own.len())?;
    Some((input.source_span(from, end), alias.to_owned()))
}

/// A `load` of this module that a file of code has behind `#@`, and that mark.
pub(super) fn as_comment(input: &Input, wanted: &str) -> Option<(Span, Span)> {
    let source = std::str::from_utf8(input.source_text()).ok()?;
    let start = source.find(&format!("#@ load(\"@ytt:{wanted}\","))?;
    let is_first = source.get(..start)?.rsplit('\n').next()?.trim().is_empty();
    let end = start.checked_add(source.get(start..)?.lines().next()?.trim_end().len())?;
    // In a template the same line is code.
    let is_code = input.written("x") == "x";
    let mark = input.source_span(start, start.checked_add("#@ ".len())?);
    (is_first && is_code).then(|| (input.source_span(start, end), mark))
}

/// Where the first `load` of a file begins.
pub(super) fn first(input: &Input) -> Option<Span> {
    let source = std::str::from_utf8(input.source_text()).ok()?;
    let at = source.find("load(")?;
    let line = source.get(..at)?.rfind('\n').map_or(0, |at| at.saturating_add(1));
    let rest = source.get(at..)?;
    let end = at.checked_add(rest.find('\n').unwrap_or(rest.len()))?;
    matches!(source.get(line..at)?.trim(), "" | "#@").then(|| input.source_span(at, end))
}
