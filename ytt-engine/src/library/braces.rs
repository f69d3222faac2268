//! Expressions of Helm and other tools in texts that nothing fills in.
//!
//! A text with `{{ … }}` may be meant for who reads the output: Helm fills in what Flux gives it, Grafana has values of its
//! own. So `.Values` is told where its path is one of the data values, and the file brings no values for Helm.

use super::scope::FileScope;
use crate::diag::{Code, Diagnostic};
use crate::eval::{Prepared, Session};
use crate::source::{SourceMap, Span};
use crate::template::shows_code;
use crate::yaml::{Arena, Body, NodeId, Val, layout};

/// What begins an expression that people mean to be filled in: of Helm or Jinja, and of shells or Terraform.
const HELM: &str = ".Values.";
const BRACES: &str = "{{ data.values.";
const DOLLAR: &str = "${data.values.";
/// Items of a file that are looked at.
const ITEMS: usize = 100_000;

/// Warns of such texts in a YAML file that was read.
pub(super) fn warn(session: &Session<'_, '_, '_, '_>, scope: &FileScope, file: Option<&Prepared>, data: Val) {
    let state = session.state();
    let root = file.and_then(Prepared::tree).filter(|_| scope.common.lints.is_on(Code::YAML_BRACES.as_str()));
    let found = root.and_then(|root| quoted(&state.arena.borrow(), &state.sources, root, data, state.limits.reports));
    found.into_iter().for_each(|warning| state.warn(warning));
}

/// The warning of the tree of a file in which `.Values` of Helm stands in quotes, or a data value between braces. `data` are
/// the data values, and `most` says how many places are told.
fn quoted(arena: &Arena, sources: &SourceMap, root: NodeId, data: Val, most: u32) -> Option<Diagnostic> {
    let first = arena.items(root).iter().find_map(|document| arena.place_of(*document))?;
    let (source, file) = (first.source, sources.get(first.source));
    let text = file.text.as_str()?;
    if ![HELM, BRACES, DOLLAR].iter().any(|start| text.contains(start)) {
        return None;
    }
    // In a file that reads no data values, names like theirs are those of another tool.
    let reads_values = text.contains("\"@ytt:data\"");
    let (mut open, mut found, mut left) = (vec![root], Vec::new(), ITEMS);
    let mut brings_values = false;
    while let Some(node) = open.pop() {
        left = left.checked_sub(1)?;
        if let Val::Node(below) = arena.value(node)
            && !matches!(arena.get(node).body, Body::Map(_) | Body::Array(_) | Body::Set(_))
        {
            open.push(below);
            brings_values |= arena.str(arena.key(node)).is_some_and(|key| key.starts_with("values") || key == "helm");
            continue;
        }
        open.extend(arena.items(node).iter().rev());
        let Some(place) = arena.place_of(node) else { continue };
        // Files of another tool, and words for people.
        if arena.str(arena.key(node)).is_some_and(shows_code) {
            continue;
        }
        let written = text.get(place.value as usize..place.end as usize).unwrap_or_default();
        // Blocks of text are scripts, and templates of others.
        if written.contains('\n') {
            continue;
        }
        let inner = ["\"", "'"].iter().find_map(|quote| written.strip_prefix(quote)?.strip_suffix(quote));
        let is_it = |inner: &&str| {
            let is_ours = reads_values && inner.contains(BRACES);
            inner.contains("{{") && inner.contains("}}") && (is_ours || names_value(arena, data, inner))
        };
        let code = match inner.filter(is_it) {
            Some(inner) => layout::helm(inner, text),
            None if reads_values && written.contains(DOLLAR) => layout::interpolated(inner.unwrap_or(written)),
            None => continue,
        };
        if arena.str(arena.value(node)).is_some() {
            found.push((Span::new(source, place.value, place.end), code));
        }
    }
    let is_helm = |span: Span| file.written(span).is_some_and(|written| written.contains(HELM));
    found.retain(|(span, _)| !brings_values || !is_helm(*span));
    let (first, code) = found.first()?.clone();
    let what = match is_helm(first) {
        true => "an expression of Helm between quotes is a text here",
        false => "an expression in the manner of another tool is a text here",
    };
    let mut warning = Diagnostic::warning(Code::YAML_BRACES, what);
    let shown = found.len().min(most.max(1) as usize);
    for (span, _) in found.iter().take(shown) {
        warning = warning.label(*span, "printed as it is: nothing fills it in");
    }
    if found.len() > shown {
        warning = warning.note(format!("and {} more", found.len().saturating_sub(shown)));
    }
    let help = format!("write it as code of ytt{}", layout::helm_load(text));
    Some(match code {
        Some(code) => warning.help_edit(help, first, code).guessing(),
        None => warning.help(format!("{help}: `#@ …`")),
    })
}

/// Does a text name a data value as Helm does? All of them must be there.
fn names_value(arena: &Arena, data: Val, text: &str) -> bool {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.');
    let mut paths =
        text.split(HELM).skip(1).map(|rest| rest.split(|letter| !is_part(letter)).next().unwrap_or_default());
    let is_there = |path: &str| {
        let step = |value: Val, key: &str| Some(arena.value(arena.find_str(arena.map_of(value)?, key)?));
        path.split('.').try_fold(data, step).is_some()
    };
    text.contains(HELM) && paths.all(is_there)
}
