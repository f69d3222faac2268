//! Nodes that code cannot make: keys that are no texts or are there twice, and values that are no texts.

use super::code_of;
use crate::diag::{Diagnostic, Help};
use crate::source::{SourceMap, Span};
use crate::yaml::layout;

/// A value in a text template that is no text.
pub(super) fn not_text(sources: &SourceMap, problem: &mut Diagnostic, kind: &str) {
    let parts = problem.parts();
    let Some(label) = parts.labels.first().filter(|label| label.text.is_empty() && parts.helps.is_empty()) else {
        return;
    };
    let (span, code) = (label.span, code_of(sources, label.span));
    *problem = problem.clone().relabel(format!("of type {kind}: only a string can be put into a text"));
    let is_code = !code.is_empty() && !code.contains('\n') && !code.starts_with(|first| "\"'|>".contains(first));
    if is_code && kind != "NoneType" {
        let told = problem.clone().help_edit("make a string of it", span, format!("str({code})"));
        // How anything else is written is for whoever reads the text.
        *problem = if kind == "int" { told } else { told.guessing() };
    }
}

/// A key that is written twice with a map each time: one map with the lines of both.
pub(super) fn twice(sources: &SourceMap, problem: &mut Diagnostic) {
    let [second, first] = &problem.parts().labels[..] else { return };
    let (second, first, source) = (second.span, first.span, sources.get(second.span.source));
    let Some(text) = source.text.as_str().filter(|_| first.source == second.source && first.start < second.start)
    else {
        return;
    };
    let Some(change) = layout::joined(text, first.start as usize, second.start as usize) else { return };
    let place = Span::new(second.source, change.start as u32, change.end as u32);
    let help = Help::with_edit(
        "to keep both, remove the second key and put its lines at the end of the first one",
        place,
        change.new,
    );
    let helps = &mut problem.parts_mut().helps;
    if helps.first().is_some_and(|help| help.edit.is_none()) {
        helps[0] = help;
    }
}

/// A key that is no text: `{{ .Values.x }}` of Helm.
pub(super) fn helm(sources: &SourceMap, problem: &mut Diagnostic) {
    let Some(label) = problem.parts().labels.first() else { return };
    let (span, source) = (label.span, sources.get(label.span.source));
    let line = source.line_range(source.line(span.start));
    let Some(text) = source.written(Span::new(span.source, line.start, line.end)) else { return };
    let Some((start, end)) = layout::helm_value(text) else { return };
    let place = Span::new(span.source, line.start + start as u32, line.start + end as u32);
    *problem = problem.clone().relabel(layout::HELM);
    problem.parts_mut().labels[0].span = place;
    *problem = match layout::helm(&text[start..end]) {
        Some(code) => problem.clone().help_edit("write it as code of ytt", place, code),
        None => problem.clone().help("write it as code of ytt: `#@ …`"),
    };
}
