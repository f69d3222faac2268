//! Problems of one mistake: a module that a file does not load is undefined wherever it is used, as is a name that was
//! copied from elsewhere.

use std::collections::HashMap;

use crate::diag::{Diagnostic, Fact, Help};
use crate::error::Error;
use crate::source::Span;

/// Places that are shown beside the first one.
const SHOWN: usize = 3;

/// Makes one problem of all undefined uses of a name that one edit mends.
pub(super) fn told_once(error: &mut Error) {
    let mut kept: Vec<(Diagnostic, Vec<Span>)> = Vec::new();
    let mut known: HashMap<(String, Span, String), usize> = HashMap::new();
    for problem in error.take() {
        let first = lacking(&problem).map(|lacking| *known.entry(lacking).or_insert(kept.len()));
        let place = problem.parts().labels.first().map(|label| label.span);
        match first.and_then(|first| kept.get_mut(first)).zip(place) {
            Some(((_, places), place)) => places.push(place),
            None => kept.push((problem, Vec::new())),
        }
    }
    error.add(kept.into_iter().map(|(problem, places)| {
        let more = places.len().saturating_sub(SHOWN);
        let told = places.iter().take(SHOWN).fold(problem, |told, place| told.label(*place, "and here"));
        match more {
            0 => told,
            1 => told.note("it is used once more"),
            more => told.note(format!("it is used {more} times more")),
        }
    }));
}

/// The name that is undefined, and the edit that writes a line which defines it or that mends all uses.
fn lacking(problem: &Diagnostic) -> Option<(String, Span, String)> {
    let parts = problem.parts();
    let Some(Fact::Undefined { name, .. }) = &parts.fact else { return None };
    let [Help { edit: Some((place, new)), .. }] = &parts.helps[..] else { return None };
    let own = parts.labels.first()?.span;
    (*place != own).then(|| (name.clone(), *place, new.clone()))
}
