//! Expressions of Helm and other tools in texts that nothing fills in.

use super::layout;
use crate::diag::{Code, Diagnostic};
use crate::source::{SourceId, Span};
use crate::yaml::{Arena, Body, NodeId, Val};

/// What begins an expression that people mean to be filled in: of Helm or Jinja, and of shells or Terraform.
const HELM: &str = ".Values.";
const BRACES: &str = "{{ data.values.";
const DOLLAR: &str = "${data.values.";
/// Items of a file that are looked at.
const ITEMS: usize = 100_000;

/// The warning of a file in which `.Values` of Helm stands in quotes, or a data value between braces.
pub(super) fn quoted(arena: &Arena, source: SourceId, text: &str, root: NodeId, most: u32) -> Option<Diagnostic> {
    if ![HELM, BRACES, DOLLAR].iter().any(|start| text.contains(start)) {
        return None;
    }
    // In a file that reads no data values, names like theirs are those of another tool.
    let reads_values = text.contains("\"@ytt:data\"");
    let (mut open, mut found, mut left) = (vec![root], Vec::new(), ITEMS);
    while let Some(node) = open.pop() {
        left = left.checked_sub(1)?;
        if let Val::Node(below) = arena.value(node)
            && !matches!(arena.get(node).body, Body::Map(_) | Body::Array(_) | Body::Set(_))
        {
            open.push(below);
            continue;
        }
        open.extend(arena.items(node).iter().rev());
        let Some(place) = arena.place_of(node) else { continue };
        let written = text.get(place.value as usize..place.end as usize).unwrap_or_default();
        // Blocks of text are scripts, and templates of others.
        if written.contains('\n') {
            continue;
        }
        let inner = ["\"", "'"].iter().find_map(|quote| written.strip_prefix(quote)?.strip_suffix(quote));
        let is_it = |inner: &&str| {
            let is_ours = reads_values && inner.contains(BRACES);
            inner.contains("{{") && inner.contains("}}") && (inner.contains(HELM) || is_ours)
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
    let (first, code) = found.first()?.clone();
    let written = text.get(first.start as usize..first.end as usize).unwrap_or_default();
    let what = match written.contains(HELM) {
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
