//! Values that people know and nobody else: the edit that adds one to those that a rule allows, and the line in which one
//! is to be written.

use super::run_rules::Walk;
use crate::files::is_in_library;
use crate::quoted;
use crate::source::Span;
use crate::template::outline;
use crate::template::written::elements;
use crate::validate::Rules;
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::{NodeId, Val};

impl Walk<'_> {
    /// The edit that adds a text to the list of `one_of`, where that is written out.
    pub(super) fn also_allowed(&self, rules: &Rules, value: &str) -> Option<(Span, String)> {
        let list = self.argument(rules, |argument, source| {
            let is_it = argument.name.is_some_and(|own| source.written(own) == Some("one_of"));
            is_it.then_some(argument.value)
        })?;
        let source = self.calls.sources().get(list.source);
        let written = source.written(list).filter(|_| !is_in_library(&source.name))?;
        let inside = written.strip_prefix('[')?.strip_suffix(']')?.trim();
        // One list that is written out, and no sum of lists.
        (!elements(self.calls.sources(), list).is_empty()).then_some(())?;
        let end = list.end.checked_sub(1)?;
        let before = if inside.is_empty() || inside.ends_with(',') { "" } else { ", " };
        let is_line = !written.contains('\n');
        is_line.then(|| (Span { start: end, end, ..list }, format!("{before}{}", quoted::go(value.as_bytes()))))
    }

    /// The edit that writes a line for a text in front of the key of the same map at a place.
    pub(super) fn line_beside(&self, beside: Span, name: &str, value: Val) -> Option<(Span, String)> {
        let source = self.calls.sources().get(beside.source);
        let (at, indent) = source.above(beside)?;
        let is_text = self.calls.arena().borrow().str(value).is_some();
        let line = source.line(beside.start);
        let is_dash = source.line_text(line).trim_start().starts_with("- ");
        // In a flow map, and in JSON, a line more is no entry.
        let above = (1..line).rev().map(|line| source.line_text(line).trim().to_owned()).find(|text| !text.is_empty());
        let is_flow = source.line_text(line).trim().ends_with([',', '{', '}'])
            || source.line_text(line).trim().starts_with(['"', '{'])
            || above.is_some_and(|above| above.ends_with(['{', '[', ',']));
        (is_text && !is_dash && !is_flow && needs_no_quotes(name)).then(|| (at, format!("{name}: \"…\"\n{indent}")))
    }

    /// The annotation that gives the default of a declaration.
    pub(super) fn default_above(&self, node: NodeId) -> Option<Span> {
        let place = self.calls.arena().borrow().place_of(node)?.key();
        outline::default_above(&self.calls.sources().get(place.source), place)
    }
}
