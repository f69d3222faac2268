//! What lies beneath a file that is no code or no YAML: nothing that comes later runs then, so the next mistake would come
//! to light with the next render only. The edits of the helps are made in memory, and what is found is told beside.

use std::sync::Arc;

use super::{Before, Edit, Trial, Trials, is_apart};
use crate::diag::{Code, Diagnostic, Help};
use crate::error::Error;
use crate::source::{SourceMap, Span};

/// Problems that are told beside.
const MOST: usize = 5;
const NOTE: &str = "this shows once what is above is mended as proposed";

/// Adds the problems that are found once all of the error are mended by their first edits.
pub(super) fn tell(trials: &mut Trials<'_>, error: &mut Error, before: &Before) {
    let hides = |problem: &Diagnostic| matches!(problem.code(), Code::STARLARK_SYNTAX | Code::YAML_SYNTAX);
    if !before.problems.iter().all(hides) {
        return;
    }
    let mut edits: Vec<Edit> = Vec::new();
    for problem in error.diagnostics() {
        let edit = |help: &Help| help.edit.clone().filter(|_| !help.silences);
        let Some(edit) = problem.parts().helps.first().and_then(edit) else { return };
        if !edits.contains(&edit) {
            if !edits.iter().all(|other| is_apart(trials.sources, &edit, other)) {
                return;
            }
            edits.push(edit);
        }
    }
    let Some(trial) = trials.of_all(&edits, before) else { return };
    let is_left = before.problems.iter().any(|own| trial.after.contains(&trial.moved(own)));
    if is_left || trial.is_worse_there {
        return;
    }
    let is_told = |problem: &&Diagnostic| !matches!(problem.code(), Code::LIMIT | Code::INTERNAL);
    let found: Vec<Diagnostic> =
        trial.found.iter().filter(is_told).take(MOST).filter_map(|problem| as_given(problem, trial)).collect();
    error.add(found);
}

/// A problem of a trial with the texts and places that people have.
fn as_given(problem: &Diagnostic, trial: &Trial) -> Option<Diagnostic> {
    let mut told = problem.clone();
    let parts = told.parts_mut();
    let all = parts.sources.as_ref()?.all();
    let given = |source: &Arc<crate::source::Source>| trial.given(source);
    let is_written: Vec<bool> = all.iter().map(|source| given(source).is_some()).collect();
    let place = |span: Span| match usize::try_from(span.source.0).ok().and_then(|at| is_written.get(at)) {
        Some(true) => trial.back(all.get(usize::try_from(span.source.0).ok()?)?, span),
        _ => Some(span),
    };
    for label in &mut parts.labels {
        label.span = place(label.span)?;
    }
    for frame in &mut parts.trace {
        frame.span = frame.span.and_then(place);
    }
    for note in &mut parts.notes {
        note.shown_at = note.shown_at.and_then(place);
    }
    // What only a render can judge was not rendered.
    parts.helps.retain(|help| !help.must_mend);
    for help in &mut parts.helps {
        help.edit = help.edit.take().and_then(|(span, new)| Some((place(span)?, new)));
        help.tried = false;
    }
    (parts.raised, parts.word, parts.fact) = (None, None, None);
    parts.sources = Some(Arc::new(SourceMap::of(all.iter().map(|source| given(source).unwrap_or(source).clone()))));
    Some(told.note(NOTE))
}
