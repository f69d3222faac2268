//! Nodes behind those of a function that cannot be in one collection with them.
#![allow(clippy::string_slice, reason = "texts are cut at tokens and at the starts of lines")]
#![allow(clippy::arithmetic_side_effects, reason = "places of a text in memory, which lines are parts of")]

use super::Parser;
use super::fault::found;
use crate::diag::Diagnostic;
use crate::yaml::functions::{Apart, BEGIN};
use crate::yaml::layout;
use crate::yaml::scan::Token;

impl Parser<'_> {
    /// A token that cannot belong to the collection above, since one of them alone is in a function; `what` is the collection.
    pub(super) fn apart_by_function(&self, fault: &Diagnostic, token: Token, what: &str) -> Option<Diagnostic> {
        let (text, open): (&str, usize) = (self.scanner.text, self.opened.last()?.start as usize);
        let at = token.start as usize;
        let [first, own] = [open, at].map(|at| layout::line_start(text, at));
        let is_start = |line: usize, at: usize| text[line..at].bytes().all(|byte| byte == b' ');
        if first >= own || open - first != at - own || !is_start(first, open) || !is_start(own, at) {
            return None;
        }
        let apart = Apart::of(text, first, own)?;
        let begins = found(token.kind);
        let of = apart.upper().map_or(String::new(), |name| format!(" of `{name}`"));
        let mut told = fault.clone().relabel(match apart.lower() {
            Some(lower) => format!("{begins} of `{lower}` is here, in one document with the {what} above"),
            None => format!("{begins} is here, in one document with the {what}{of}"),
        });
        told = told.label(self.scanner.line_span(open), format!("the {what}{of} starts here"));
        if let Some(end) = apart.end() {
            told = told.label(self.scanner.line_span(end), "the function ends here, the document does not");
        }
        let place = self.scanner.span(apart.begin(), apart.begin());
        Some(told.help_edit(BEGIN, place, "---\n"))
    }
}
