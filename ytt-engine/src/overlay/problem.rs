//! What can go wrong or looks wrong, as data: `report` finds the words, the places and the advice.

use std::sync::Arc;

use super::annotation::{Argument, MatchRule, Operation, RightKind};
use super::compare::{Difference, KeyFault};
use super::matcher::{Matches, Test};
use crate::diag::Diagnostic;
use crate::yaml::{Annotation, NodeId, TooDeep, Val};

/// Why a walk goes back to an item above.
#[derive(Debug)]
pub(super) enum Failure {
    /// A problem of the item at hand, of which nobody was told yet.
    Fresh(Problem),
    /// The walk ends with what was told.
    Ended,
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Failure {
        Failure::Fresh(problem)
    }
}

impl From<TooDeep> for Failure {
    fn from(error: TooDeep) -> Failure {
        Failure::Fresh(error.into())
    }
}

/// A problem of the innermost right item.
#[derive(Debug)]
pub(super) enum Problem {
    // Annotations.
    SeveralOperations(NodeId),
    /// An operation that has no meaning in a map.
    NoOrder(NodeId, Operation),
    /// An annotation without any keyword argument that needs one.
    NoArguments {
        node: NodeId,
        annotation: &'static str,
        kind: Option<RightKind>,
    },
    UnknownArgument {
        annotation: &'static str,
        name: Arc<str>,
        argument: Argument,
        known: &'static [&'static str],
    },
    WrongArgument {
        name: &'static str,
        argument: Argument,
        wanted: Wanted,
    },
    /// Two of which only one may be given.
    OnlyOneOf((&'static str, Argument), (&'static str, Argument)),
    /// A match rule without `by`.
    NoMatcher(RightKind),

    // Matchers.
    /// In the matcher of that name.
    Within(&'static str, Box<Problem>),
    /// `overlay.index` was given the key of a map item: a number beyond 64 bits, or none.
    KeyAsIndex {
        is_number: bool,
    },
    /// An element of a combination that is no matcher: its type, and the text that it is.
    Uncallable(&'static str, Option<Arc<str>>),
    /// A function did not give a bool.
    NoBool {
        gave: &'static str,
        item: NodeId,
    },
    /// `subset` was given a set of documents; its first one.
    SetAsTarget(Option<NodeId>),
    /// An item has no value at the key that `map_key` compares.
    KeyFault {
        fault: KeyFault,
        item: NodeId,
        key: Val,
        right: NodeId,
    },

    // Matches and values.
    /// A number of matches that is not the expected one.
    Unmet(Box<Unmet>),
    NoDocument(NodeId),
    /// A left value of another kind than the right one.
    OtherKind {
        left: Val,
        right: NodeId,
    },
    /// An assertion: the right value is no part of the left one.
    NoPart {
        item: NodeId,
        right: NodeId,
        difference: Box<Difference>,
    },
    /// An assertion by a function.
    Refused {
        item: NodeId,
        via: Argument,
        verdict: Verdict,
    },
    /// What cannot be the value of an item: kind of the item, and of the value.
    NotPlaceable(RightKind, &'static str),

    // What others told of.
    /// A function failed.
    Failed(Diagnostic, Caller),
    /// What a function of `via` returned cannot be a value.
    NoValue(Diagnostic),
    Other(Diagnostic),
    TooDeep(TooDeep),
    /// Lists in lists, or matchers in matchers.
    TooDeepList(u32),
}

impl Problem {
    /// Whether it may be there only because an earlier item failed: only if it depends on the left side.
    pub(super) fn may_follow(&self) -> bool {
        !matches!(
            self,
            Problem::SeveralOperations(_)
                | Problem::NoOrder(..)
                | Problem::NoArguments { .. }
                | Problem::UnknownArgument { .. }
                | Problem::WrongArgument { .. }
                | Problem::OnlyOneOf(..)
                | Problem::NoMatcher(_)
        )
    }
}

impl From<TooDeep> for Problem {
    fn from(error: TooDeep) -> Problem {
        Problem::TooDeep(error)
    }
}

/// What an argument must be.
#[derive(Clone, Debug)]
pub(super) enum Wanted {
    Bool,
    /// `missing_ok`.
    MissingOk,
    /// `via` of the annotation of that name.
    Via(&'static str),
    /// `by`.
    Matcher(RightKind),
    /// `expects` and `when`.
    Count,
    Integer,
    /// A text such as `1+`, and what it is.
    AtLeast(Arc<str>),
    /// A function that tells whether it agrees with a number.
    Agreement,
}

/// What a function of an assertion gave.
#[derive(Clone, Debug)]
pub(super) enum Verdict {
    False,
    FalseWith(Arc<str>),
    /// Something else, of that type.
    Unknown(&'static str),
}

/// For what a function was called.
#[derive(Clone, Copy, Debug)]
pub(super) enum Caller {
    Matcher { item: NodeId, right: NodeId },
    Count,
    Via { annotation: &'static str, item: Option<NodeId> },
}

/// A number of matches that is not the expected one.
#[derive(Debug)]
pub(super) struct Unmet {
    pub(super) expected: Expected,
    /// The argument that holds the rule; `None` for the default, exactly one.
    pub(super) argument: Option<(&'static str, Argument)>,
    pub(super) lefts: Vec<NodeId>,
    pub(super) right: NodeId,
    pub(super) kind: RightKind,
    pub(super) rule: MatchRule,
    pub(super) found: Matches,
    pub(super) test: Option<Test>,
}

/// What a rule asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expected {
    Exactly(i128),
    AtLeast(i64),
    Agreement,
}

/// A map item that matched nothing and was added.
#[derive(Clone, Debug)]
pub(super) struct Added {
    /// The keys to the map that it was added to, without one for items of lists.
    pub(super) path: Vec<Option<Val>>,
    pub(super) map: NodeId,
    pub(super) item: NodeId,
    /// The right map that it is written in.
    pub(super) around: NodeId,
    /// The left document.
    pub(super) document: NodeId,
    /// The overlay matched no other document.
    pub(super) is_alone: bool,
}

/// Keys that were added beside an item, in whose map another document has the first of them.
#[derive(Debug)]
pub(super) struct TooHigh {
    pub(super) items: Vec<NodeId>,
    /// The right map that they are written in.
    pub(super) around: NodeId,
    /// The item beside which they were added.
    pub(super) child: NodeId,
    /// Where the other document has the first, and that document.
    pub(super) other: NodeId,
    pub(super) document: NodeId,
    /// The overlay matched no other document than the one that they were added to.
    pub(super) is_alone: bool,
}

/// A key that was added, and the one that has taken its place in the base.
#[derive(Debug)]
pub(super) struct OldKey {
    pub(super) item: NodeId,
    pub(super) left: NodeId,
}

/// What works, and perhaps not as it was meant.
#[derive(Debug)]
pub(super) enum Warning {
    /// Arguments of an annotation that are ignored: all of them, or the positional ones.
    UnusedArguments { annotation: Annotation, all: bool, only_positional: bool },
    /// A replaced map item got another key.
    Renamed { old: NodeId, new: NodeId },
    /// An array item without a matcher is added beside one that has the same value at this key.
    Second { item: NodeId, left: NodeId, key: Val },
    /// An array item without a matcher, whose operation has nothing to work on.
    WithoutMatch { item: NodeId, operation: Operation, lefts: Vec<NodeId> },
    /// A key that may be missing, and is, is to be removed from this map.
    RemovesNothing { item: NodeId, map: NodeId },
    /// A document that may match nothing, and does.
    MatchedNothing { document: NodeId, lefts: Vec<NodeId>, test: Option<Test> },
    /// Keys that were added one level too high.
    TooHigh(TooHigh),
    /// The old name of a key was added.
    OldKey(OldKey),
    /// An annotation inside of an item that is added whole.
    NotEvaluated { annotation: Annotation, node: NodeId },
    /// An overlay that an overlay placed acts once more.
    Again(NodeId),
    /// A document that is printed, and was probably meant as an overlay.
    NotAnOverlay { document: NodeId, looks: Looks },
}

/// Why a document that is none looks like an overlay.
#[derive(Clone, Debug)]
pub(super) enum Looks {
    /// It has an annotation of an overlay.
    Annotated(Annotation),
    /// Its first key has a matcher for documents.
    OnFirstKey(Annotation),
    /// What is in it has annotations of overlays.
    Inside(Vec<Annotation>),
    /// Its file loads the module of overlays, and does nothing with it.
    Loads,
    /// It lacks this key of its `spec`, without which nobody can use it.
    Partial(&'static str),
}
