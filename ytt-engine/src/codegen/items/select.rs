//! Which values of a result an item is made of.

use std::collections::HashMap;
use std::fmt::Write as _;

use proc_macro2::Span;

use crate::Rendered;
use crate::codegen::call::{CallError, CallKind, Condition, Source, SourceKind, Step, YamlPath};
use crate::codegen::did_you_mean;
use crate::codegen::types::emit::{Style, push_bytes, push_text};
use crate::diag::draw;
use crate::yaml::NodeRef;
use crate::yaml::view::View;

/// Values that are listed in a message.
const LISTED: usize = 8;

/// The documents of a source for which all conditions hold; the data values are one.
pub(super) fn nodes<'a>(
    source: &Source,
    conditions: &[Condition],
    result: &'a Rendered,
    needs_one: bool,
) -> Result<Vec<NodeRef<'a>>, CallError> {
    match source.kind {
        SourceKind::Files | SourceKind::Text => return Ok(Vec::new()),
        SourceKind::DataValues => {
            let Some((values, schema)) = result.data_values() else { return Ok(Vec::new()) };
            if !schema.is_declared() && values.is_empty() {
                let verb = if source.inputs.len() == 1 { "has" } else { "have" };
                let message = format!("{} {verb} neither a schema nor data values", source.named_inputs(" and "));
                return Err(CallError::new("no-values", source.argument_span(), message));
            }
            return Ok(vec![values]);
        }
        SourceKind::Document | SourceKind::Documents => {}
    }
    let mut left: Vec<NodeRef<'a>> = result.printed_documents().collect();
    for (number, condition) in conditions.iter().enumerate() {
        let found: Vec<NodeRef<'a>> = left.iter().copied().filter(|node| holds(*node, condition)).collect();
        if found.is_empty() && (source.kind == SourceKind::Document || needs_one) {
            return Err(none(source, conditions.get(..=number).unwrap_or(conditions), &left));
        }
        left = found;
    }
    if left.is_empty() && (source.kind == SourceKind::Document || needs_one) {
        return Err(CallError::new("document-none", source.span, nothing(source)));
    }
    if source.kind == SourceKind::Document && left.len() > 1 {
        let places: Vec<String> = left.iter().take(LISTED).map(|node| place(*node)).collect();
        let more = if left.len() > LISTED { ", …" } else { "" };
        let message = format!(
            "{} documents match: add a condition, or use `documents`; at {}{more}",
            left.len(),
            places.join(", ")
        );
        return Err(CallError::new("document-several", source.span, message));
    }
    Ok(left)
}

/// What is said of a result without documents or files.
pub(super) fn nothing(source: &Source) -> String {
    let what = if source.kind == SourceKind::Files { "file" } else { "document" };
    let inputs = source.named_inputs(" + ");
    let from = if inputs.is_empty() { "" } else { " from " };
    format!("no {what} is rendered{from}{inputs}")
}

pub(super) fn at<'a>(node: NodeRef<'a>, path: &YamlPath) -> Option<NodeRef<'a>> {
    path.steps.iter().try_fold(node, |node, step| match step {
        Step::Key(key) => node.get(key),
        Step::Index(index) => node.at(*index),
    })
}

fn holds(node: NodeRef<'_>, condition: &Condition) -> bool {
    let Some(found) = at(node, &condition.path) else { return false };
    match (&condition.value.kind, found.view()) {
        (CallKind::Null, View::Null) => true,
        (CallKind::Bool(wanted), View::Bool(found)) => *wanted == found,
        (CallKind::Int(wanted), View::Int(found)) => *wanted == i128::from(found),
        (CallKind::Int(wanted), View::UInt(found)) => *wanted == i128::from(found),
        (CallKind::Float(wanted), View::Float(found)) => *wanted == found,
        (CallKind::Str(wanted), View::Str(found)) => wanted == found,
        _ => false,
    }
}

/// The last of `conditions` holds for none of `left`.
fn none(source: &Source, conditions: &[Condition], left: &[NodeRef<'_>]) -> CallError {
    let said: Vec<String> = conditions.iter().map(Condition::text).collect();
    let Some(last) = conditions.last() else { return CallError::new("document-none", source.span, "no document") };
    let values = left.iter().filter_map(|node| at(*node, &last.path));
    // As YAML, where a text that could be a number has quotes.
    let shown = |node: NodeRef<'_>| match node.is_map() || node.is_array() {
        true => node.kind().to_owned(),
        false => node.to_yaml().unwrap_or_default().trim_end().to_owned(),
    };
    let values = values.map(shown);
    let wanted = if let CallKind::Str(text) = &last.value.kind { text.as_str() } else { "" };
    CallError::new("document-none", source.span, no_document(&said, &last.path.text(), values, wanted))
}

/// What is said where no document has what was asked for: `said` are the conditions, the last of which found nothing;
/// `values` is what stands at its `path` instead.
///
/// ```
/// use ytt_engine::codegen::items::no_document;
///
/// let there = ["Deployment", "Service", "Service"].map(str::to_owned);
/// let text = no_document(&["kind = \"Servce\"".to_owned()], "kind", there, "Servce");
/// let expected = "no document has `kind = \"Servce\"`; there are `Deployment`, `Service` (2) (did you mean `Service`?)";
/// assert_eq!(text, expected);
/// ```
pub fn no_document(said: &[String], path: &str, values: impl IntoIterator<Item = String>, wanted: &str) -> String {
    let said: Vec<String> = said.iter().map(|condition| format!("`{condition}`")).collect();
    let mut message = format!("no document has {}", said.join(" and "));
    let (mut counts, mut places): (Vec<(String, usize)>, HashMap<String, usize>) = Default::default();
    for text in values {
        let place = *places.entry(text.clone()).or_insert(counts.len());
        match counts.get_mut(place) {
            Some((_, count)) => *count = count.saturating_add(1),
            None => counts.push((text, 1)),
        }
    }
    let listed: Vec<String> = counts
        .iter()
        .take(LISTED)
        .map(|(text, count)| if *count > 1 { format!("`{text}` ({count})") } else { format!("`{text}`") })
        .collect();
    if listed.is_empty() {
        let _ = write!(message, "; none has `{path}`");
    } else {
        let more = if counts.len() > LISTED { ", …" } else { "" };
        let _ = write!(message, "; there are {}{more}", listed.join(", "));
    }
    message + &did_you_mean(wanted, counts.iter().map(|(text, _)| text.as_str()))
}

/// A scalar as people call it.
pub fn scalar_text(node: NodeRef<'_>) -> Option<String> {
    if let Some(text) = node.as_str() {
        return Some(text.to_owned());
    }
    if node.is_map() || node.is_array() {
        return None;
    }
    node.to_yaml().ok().map(|text| text.trim_end().to_owned())
}

/// Where a node stands, as reports of a build say it.
pub(super) fn place(node: NodeRef<'_>) -> String {
    node.span().and_then(|span| draw::place_of(node.sources(), span)).unwrap_or_else(|| "a value of code".to_owned())
}

/// All output files, as texts or bytes.
pub(super) fn files(result: &Rendered, bytes: bool, span: Span) -> Result<(String, bool), CallError> {
    let files = result.files().map_err(|error| CallError::new("files", span, error.to_string()))?;
    let style = Style { raw: false, ..Style::default() };
    let mut out = String::from("&[");
    for file in files {
        out.push('(');
        push_text(&mut out, file.path(), style);
        out.push_str(", ");
        match (bytes, file.text()) {
            (true, _) => push_bytes(&mut out, file.content()),
            (false, Some(text)) => push_text(&mut out, text, style),
            (false, None) => {
                let message = format!("`{}` is not UTF-8: write `[(&str, &[u8])]`", file.path());
                return Err(CallError::new("files-text", span, message));
            }
        }
        out.push_str("), ");
    }
    out.push(']');
    Ok((out, false))
}
