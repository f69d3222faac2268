//! New instances of a library that nobody keeps: `lib.with_data_values(…)` as a statement changes nothing.

use std::sync::{Arc, Mutex, PoisonError};

use crate::diag::{Code, Diagnostic, Diagnostics, Help, Label};
use crate::source::{SourceMap, Span};
use crate::template::{outline, written};

/// The calls that made new instances of those which one `library.get` gave, until one of them is evaluated.
#[derive(Clone, Debug, Default)]
pub(super) struct Made(Arc<Mutex<Vec<Span>>>);

/// A call whose new instance is thrown away.
#[derive(Clone, Debug)]
pub(super) struct ThrownAway {
    call: Span,
    help: Help,
}

impl Made {
    pub(super) fn add(&self, call: Option<Span>) {
        let mut calls = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // In a loop it is the same call again and again.
        if call != calls.last().copied() {
            calls.extend(call);
        }
    }

    /// The calls so far that nobody keeps the value of, each once.
    pub(super) fn thrown_away(&self, sources: &SourceMap) -> Vec<ThrownAway> {
        let mut calls = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        calls.dedup();
        let is_statement = |call: &Span| outline::is_statement(&sources.get(call.source), *call);
        calls.retain(is_statement);
        calls.into_iter().map(|call| ThrownAway { call, help: help(sources, call) }).collect()
    }
}

/// To keep the new instance under the name of the old one.
fn help(sources: &SourceMap, call: Span) -> Help {
    let source = sources.get(call.source);
    let name = written::receiver(sources, call).and_then(|receiver| source.written(receiver));
    let is_name = |name: &&str| name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    match name.filter(is_name).filter(|name| outline::can_be_set(&source, name, call)) {
        Some(name) => {
            let start = Span { end: call.start, ..call };
            Help::with_edit(format!("keep it: `{name}` is the new one then"), start, format!("{name} = "))
        }
        None => Help::new("give it a name, and evaluate that one"),
    }
}

impl ThrownAway {
    /// `used` is where the old instance is evaluated.
    pub(super) fn warning(self, used: Option<Span>) -> Diagnostic {
        let text = "the new library instance that this gives is thrown away";
        let mut warning = Diagnostic::warning(Code::LIBRARY_THROWN_AWAY, text).label(self.call, SAID);
        let is_apart =
            |used: &Span| used.source != self.call.source || used.end <= self.call.start || self.call.end <= used.start;
        let text = "the old one is evaluated here: these data values are not in it";
        warning = warning.label_at(used.filter(is_apart), text);
        warning.parts_mut().helps.push(self.help);
        warning
    }
}

const SAID: &str = "the library that this is called on stays as it was";

/// Tells problems of a run that calls before it have changed nothing: most likely that is why.
pub(super) fn explain(problems: &mut Diagnostics, calls: &[ThrownAway], sources: &SourceMap) {
    for (number, problem) in problems.0.iter_mut().enumerate() {
        for ThrownAway { call, help, .. } in calls.iter().rev() {
            let parts = problem.parts_mut();
            let path = parts.value.as_ref().map(|value| value.path.as_str());
            if number > 0 && !path.is_some_and(|path| may_have(sources, *call, path)) {
                continue;
            }
            let text = format!("gives a new instance, which is thrown away: {SAID}");
            parts.labels.push(Label { span: *call, text });
            parts.helps.insert(0, help.clone());
        }
    }
}

/// May a call give the first key of a path? What it writes out has that key, or code gives the values.
fn may_have(sources: &SourceMap, call: Span, path: &str) -> bool {
    let key = path.split(['.', '[']).next().unwrap_or_default();
    let given = written::call(sources, call).and_then(|given| given.first().map(|argument| argument.value));
    let is_dict = |value: Span| sources.get(value.source).written(value).is_some_and(|text| text.starts_with('{'));
    written::find(sources, call, key).is_some() || given.is_some_and(|value| !is_dict(value))
}
