//! What is said of overlay problems of data values beyond what the overlay says: what the schema declares, and where in
//! the call of a program the value stands.

use crate::diag::path::steps;
use crate::diag::written::{self, Entry};
use crate::diag::{Code, Diagnostic, Help, Label};
use crate::schema::{self, Schema, Undeclared};
use crate::source::{SourceMap, Span};
use crate::yaml::words::article;
use crate::yaml::{Arena, NodeId};

/// A document of values that was overlaid, and the call that gave it, if code did.
pub(super) struct Explain<'a> {
    pub(super) arena: &'a Arena,
    pub(super) sources: &'a SourceMap,
    pub(super) schema: &'a Schema,
    pub(super) document: NodeId,
    pub(super) call: Option<Span>,
}

impl Explain<'_> {
    pub(super) fn problems(&self, mut problems: Vec<Diagnostic>) -> Vec<Diagnostic> {
        for problem in problems.iter_mut().filter(|problem| problem.code() == Code::OVERLAY_KIND) {
            self.kind(problem);
        }
        if problems.iter().any(|problem| problem.code() == Code::OVERLAY_NO_MATCH) {
            let undeclared = schema::undeclared(self.arena, self.sources, self.schema, self.document, self.call);
            for problem in problems.iter_mut().filter(|problem| problem.code() == Code::OVERLAY_NO_MATCH) {
                self.no_match(problem, &undeclared);
            }
        }
        problems
    }

    /// A value of another kind than the declared one. What replaces it would be of the wrong type still.
    fn kind(&self, problem: &mut Diagnostic) {
        let kinds = problem.message().strip_prefix("Expected ").and_then(|text| text.split_once(", but was "));
        let Some((given, declared)) = kinds.map(|(given, declared)| (given.to_owned(), declared.to_owned())) else {
            return;
        };
        let entry = self.in_call(problem);
        let parts = problem.parts_mut();
        let declares = |label: &Label| self.schema.declares_collection(self.arena, label.span);
        let Some(at) = parts.labels.iter().position(declares) else { return };
        parts.labels[at].text = format!("{} {declared} is declared here", article(&declared));
        let given_here = format!("{} {given} is given here", article(&given));
        match (at, entry, self.call) {
            (0, Some(entry), _) => parts.labels.insert(0, Label { span: entry.value, text: given_here }),
            (0, None, Some(call)) => {
                parts.labels.insert(0, Label { span: written::first_argument(self.sources, call), text: given_here });
            }
            (0, None, None) => {}
            _ => parts.labels[0].text = given_here,
        }
        parts.notes.push(format!("`{given}` in the first line is what is given, `{declared}` what is declared"));
        let text = format!("give {} {declared}, or change the schema", article(&declared));
        parts.helps = vec![Help { text, edit: None }];
    }

    /// A key that matches nothing: what the schema declares there. `missing_ok` would only move the error.
    fn no_match(&self, problem: &mut Diagnostic, undeclared: &[Undeclared]) {
        let path = problem.parts().value.as_ref().map(|value| value.path.clone());
        let parts = problem.parts_mut();
        let by_place = undeclared.iter().find(|found| parts.labels.iter().any(|label| found.span == Some(label.span)));
        let by_call = undeclared.iter().find(|found| found.span.is_none() && Some(&found.path) == path.as_ref());
        let Some(Undeclared { told, .. }) = by_place.or(by_call.filter(|_| self.call.is_some())) else { return };
        let told = told.parts();
        if by_place.is_some() {
            parts.labels.extend(told.labels.iter().skip(1).cloned());
        } else if let Some(label) = told.labels.first() {
            parts.labels.insert(0, label.clone());
        }
        let notes = told.notes.iter().filter(|note| !note.starts_with("Data value calculated"));
        parts.notes.push(told.message.clone());
        parts.notes.extend(notes.cloned());
        let edits: Vec<_> = parts.helps.drain(..).filter(|help| help.text.starts_with("did you mean")).collect();
        parts.helps = told.helps.clone();
        for help in parts.helps.iter_mut().filter(|help| help.edit.is_none()) {
            let known = edits.iter().find(|known| known.text.replace('`', "\"") == help.text);
            help.edit = known.and_then(|known| known.edit.clone());
        }
        parts.helps.push(Help { text: "otherwise declare the key in the schema".to_owned(), edit: None });
    }

    /// Where the item of a problem stands in the call.
    fn in_call(&self, problem: &Diagnostic) -> Option<Entry> {
        let values = written::first_argument(self.sources, self.call?);
        written::within(self.sources, values, &steps(&problem.parts().value.as_ref()?.path)?)
    }
}

/// Adds to problems without a place, which tell their path, where in the call the value stands.
pub(crate) fn in_call(problems: &mut [Diagnostic], call: Option<Span>, sources: &SourceMap) {
    let Some(values) = call.map(|call| written::first_argument(sources, call)) else { return };
    for problem in problems.iter_mut().filter(|problem| problem.parts().labels.is_empty()) {
        let entry = problem.parts().value.as_ref();
        let entry = entry.and_then(|value| written::within(sources, values, &steps(&value.path)?));
        let span = entry.map_or(values, |entry| entry.value);
        problem.parts_mut().labels.push(Label { span, text: String::new() });
    }
}

/// Adds to broken rules where in a call the value stands, of the last of `calls` that gave it.
pub(crate) fn broken_rules(problems: &mut [Diagnostic], calls: &[Span], sources: &SourceMap) {
    for problem in problems.iter_mut().filter(|problem| problem.code() == Code::VALIDATE_RULE) {
        let Some(value) = problem.parts().value.clone().filter(|value| !value.written) else { continue };
        let Some(steps) = steps(&value.path) else { continue };
        let mut found = calls
            .iter()
            .rev()
            .filter_map(|call| written::within(sources, written::first_argument(sources, *call), &steps));
        if let Some(entry) = found.next() {
            problem.parts_mut().labels.insert(0, Label { span: entry.value, text: value.found });
        }
    }
}
