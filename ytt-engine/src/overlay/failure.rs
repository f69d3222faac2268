//! What went wrong at an item, before it is known where the item stands.

use crate::diag::Diagnostic;

/// A problem on its way out of the walk.
#[derive(Debug)]
pub(super) enum Failure {
    /// Of the item at hand: path and places are still to be added.
    Fresh(Problem),
    /// Complete; it ends the walk.
    Final(Diagnostic),
}

/// A problem of one item.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) diagnostic: Diagnostic,
    /// Whether it may be there only because an earlier item failed.
    pub(super) may_follow: bool,
}

impl Failure {
    /// A problem that needs no left side: it never follows from another one.
    pub(super) fn argument(diagnostic: Diagnostic) -> Failure {
        Failure::Fresh(Problem { diagnostic, may_follow: false })
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Failure {
        Failure::Fresh(Problem { diagnostic, may_follow: true })
    }
}
