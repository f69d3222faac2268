//! Expressions of Helm between quotes: texts that nothing fills in.

use super::layout;
use crate::diag::{Code, Diagnostic};
use crate::source::{SourceId, Span};
use crate::yaml::{Arena, Body, NodeId, Val};

/// What only Helm says.
const VALUES: &str = ".Values.";
/// Items of a file that are looked at.
const ITEMS: usize = 100_000;

/// The warning of a file in which `.Values` of Helm stands in quotes.
pub(super) fn quoted(arena: &Arena, source: SourceId, text: &str, root: NodeId, most: u32) -> Option<Diagnostic> {
    if !text.contains(VALUES) {
        return None;
    }
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
        let inner = ["\"", "'"].iter().find_map(|quote| written.strip_prefix(quote)?.strip_suffix(quote));
        let is_it = |inner: &&str| inner.contains("{{") && inner.contains("}}") && inner.contains(VALUES);
        if let (Some(inner), true) = (inner.filter(is_it), arena.str(arena.value(node)).is_some()) {
            found.push((Span::new(source, place.value, place.end), layout::helm(inner, text)));
        }
    }
    let (first, code) = found.first()?.clone();
    let mut warning = Diagnostic::warning(Code::YAML_BRACES, "an expression of Helm between quotes is a text here");
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
