//! Data of matching, which the walk hands around: matchers made ready ([`Test`]), the left item that one is asked about
//! ([`Asked`]), and what was found ([`Match`]). `matches` makes and evaluates tests.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::call::ValueHandle;
use crate::yaml::{NodeId, Val};

/// A matcher made ready for the items of one container.
#[derive(Clone, Debug)]
pub(super) enum Test {
    Index(i64),
    All,
    /// Value of a string key, equal on both sides.
    Key(Val),
    Subset(Target),
    And(Vec<Test>),
    Or(Vec<Test>),
    Not(Box<Test>),
    Function(ValueHandle),
    /// An element of a combination that cannot be called; an error once it is reached.
    Uncallable(&'static str, Option<Arc<str>>),
}

/// What `subset` looks for: converted when first needed, then kept.
#[derive(Clone, Debug)]
pub(super) enum Target {
    Live(ValueHandle),
    Val(Val),
}

impl Test {
    /// Name of the matcher as errors have it in front.
    ///
    /// Compat: programs see the wrong name that the reference has for `not_op`.
    pub(super) fn name(&self, tried: bool) -> Option<&'static str> {
        match self {
            Test::Index(_) => Some("overlay.index_matcher"),
            Test::Key(_) => Some("overlay.map_key_matcher"),
            Test::Subset(_) => Some("overlay.subset_matcher"),
            Test::And(_) => Some("overlay.and_op"),
            Test::Or(_) => Some("overlay.or_op"),
            Test::Not(_) if tried => Some("overlay.or_op"),
            Test::Not(_) => Some("overlay.not_op"),
            Test::All | Test::Function(_) | Test::Uncallable(..) => None,
        }
    }

    /// Whether a function of the user's is asked.
    pub(super) fn asks_function(&self) -> bool {
        match self {
            Test::Function(_) => true,
            Test::And(tests) | Test::Or(tests) => tests.iter().any(Test::asks_function),
            Test::Not(test) => test.asks_function(),
            _ => false,
        }
    }

    /// Whether it never looks at the position of a left item.
    pub(super) fn needs_no_position(&self) -> bool {
        match self {
            Test::Index(_) | Test::Function(_) => false,
            Test::And(tests) | Test::Or(tests) => tests.iter().all(Test::needs_no_position),
            Test::Not(test) => test.needs_no_position(),
            _ => true,
        }
    }
}

/// Who is asked: a left item with its position or key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// Position among all left items, or key of a map item.
    pub(super) first: Val,
    pub(super) item: NodeId,
}

/// A left item that matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Match {
    /// Number of the left container: the file, for documents.
    pub(super) set: u32,
    /// Position in it, or [`UNKNOWN`].
    pub(super) at: u32,
    pub(super) item: NodeId,
}

/// A position that was not worked out.
pub(super) const UNKNOWN: u32 = u32::MAX;

/// Matches in left order; most often one.
pub(super) type Matches = SmallVec<[Match; 2]>;
