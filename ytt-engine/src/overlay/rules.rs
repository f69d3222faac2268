//! Reads the annotations of an item: its operation, its match rule, and what it passes on.
//!
//! Only names and kinds are checked here, in the order in which the reference checks them; which items match is
//! `select`, how many may is `count`. Of `@overlay/match-child-defaults` each argument is inherited alone
//! (`child_defaults`): `operation` hands it on below merge and assert, replace and insert end it.

use std::sync::Arc;

use smallvec::SmallVec;

use super::annotation::{
    Argument, CHILD_DEFAULTS, Counts, InsertRule, MATCH, MatchRule, Operation, ReplaceRule, RightKind,
};
use super::problem::{Problem, Wanted};
use crate::call::{Call, Seen, ValueHandle};
use crate::yaml::NodeId;

/// Keyword arguments, in the order written.
type Named = SmallVec<[(Arc<str>, Argument); 4]>;

/// Keyword arguments of the annotation `name` of a node; `None` if the node has no such annotation.
fn keywords(calls: &dyn Call, node: NodeId, name: &str) -> Option<Named> {
    let annotation = calls.arena().borrow().ann(node, name).cloned()?;
    let argument = |value| Argument { value, pos: annotation.pos };
    Some(calls.args(annotation.args).named.iter().map(|(name, value)| (name.clone(), argument(*value))).collect())
}

fn bool_of(calls: &dyn Call, name: &'static str, argument: Argument) -> Result<bool, Problem> {
    match calls.see(argument.value) {
        Seen::Bool(value) => Ok(value),
        _ => Err(Problem::WrongArgument { name, argument, wanted: Wanted::Bool }),
    }
}

/// The function of `via=`.
pub(super) fn via(calls: &dyn Call, operation: Operation, argument: Argument) -> Result<ValueHandle, Problem> {
    let wanted = Wanted::Via(operation.name());
    match calls.see(argument.value) {
        Seen::Function | Seen::Matcher(_) => Ok(argument.value),
        _ => Err(Problem::WrongArgument { name: "via", argument, wanted }),
    }
}

/// The operation of an item: merge unless one is written.
pub(super) fn operation(calls: &dyn Call, node: NodeId) -> Result<Operation, Problem> {
    let arena = calls.arena().borrow();
    let annotations = arena.anns_of(node);
    if annotations.is_empty() {
        return Ok(Operation::Merge);
    }
    let is_written = |operation: &&Operation| annotations.iter().any(|ann| &*ann.name == operation.name());
    let mut found = Operation::ALL.iter().filter(is_written);
    let first = found.next().copied().unwrap_or(Operation::Merge);
    if found.next().is_none() { Ok(first) } else { Err(Problem::SeveralOperations(node)) }
}

/// Defaults that hold below an item: its own, else the inherited ones.
pub(super) fn child_defaults(calls: &dyn Call, node: NodeId, inherited: &Counts) -> Result<Counts, Problem> {
    const KNOWN: &[&str] = &["expects", "missing_ok", "when"];
    let mut own = Counts::default();
    for (name, argument) in keywords(calls, node, CHILD_DEFAULTS).unwrap_or_default() {
        if !own.set(&name, argument) {
            return Err(Problem::UnknownArgument { annotation: CHILD_DEFAULTS, name, argument, known: KNOWN });
        }
    }
    Ok(own.over(inherited))
}

/// The match rule of an item. `exact`: the one left document is the match.
pub(super) fn match_rule(
    calls: &dyn Call,
    node: NodeId,
    kind: RightKind,
    exact: bool,
    inherited: &Counts,
) -> Result<MatchRule, Problem> {
    const KNOWN: &[&str] = &["by", "expects", "missing_ok", "when"];
    let keywords = keywords(calls, node, MATCH);
    if keywords.is_none() && kind == RightKind::ArrayItem {
        return Ok(MatchRule { by: None, counts: Counts::default(), nothing: true });
    }
    let keywords = keywords.unwrap_or_default();
    let needs_one = kind == RightKind::ArrayItem || kind == RightKind::Document && !exact;
    if keywords.is_empty() && needs_one {
        return Err(Problem::NoArguments { node, annotation: MATCH, kind: Some(kind) });
    }
    let (mut by, mut own) = (None, Counts::default());
    for (name, argument) in keywords {
        match &*name {
            "by" => by = Some(argument),
            _ if own.set(&name, argument) => {}
            _ => return Err(Problem::UnknownArgument { annotation: MATCH, name, argument, known: KNOWN }),
        }
    }
    Ok(MatchRule { by, counts: own.over(inherited), nothing: false })
}

pub(super) fn replace_rule(calls: &dyn Call, node: NodeId) -> Result<ReplaceRule, Problem> {
    const KNOWN: &[&str] = &["via", "or_add"];
    let (mut rule, annotation) = (ReplaceRule::default(), Operation::Replace.name());
    for (name, argument) in keywords(calls, node, annotation).unwrap_or_default() {
        match &*name {
            "via" => rule.via = Some(via(calls, Operation::Replace, argument)?),
            "or_add" => rule.or_add = bool_of(calls, "or_add", argument)?,
            _ => return Err(Problem::UnknownArgument { annotation, name, argument, known: KNOWN }),
        }
    }
    Ok(rule)
}

pub(super) fn insert_rule(calls: &dyn Call, node: NodeId) -> Result<InsertRule, Problem> {
    const KNOWN: &[&str] = &["before", "after", "via"];
    let (mut rule, annotation) = (InsertRule::default(), Operation::Insert.name());
    let keywords = keywords(calls, node, annotation).unwrap_or_default();
    if keywords.is_empty() {
        return Err(Problem::NoArguments { node, annotation, kind: None });
    }
    for (name, argument) in keywords {
        match &*name {
            "before" => rule.before = bool_of(calls, "before", argument)?,
            "after" => rule.after = bool_of(calls, "after", argument)?,
            "via" => rule.via = Some(via(calls, Operation::Insert, argument)?),
            _ => return Err(Problem::UnknownArgument { annotation, name, argument, known: KNOWN }),
        }
    }
    Ok(rule)
}

/// `via` of `@overlay/assert`; whether it is a function is checked only when something matched.
pub(super) fn assert_rule(calls: &dyn Call, node: NodeId) -> Result<Option<Argument>, Problem> {
    const KNOWN: &[&str] = &["via"];
    let (mut via, annotation) = (None, Operation::Assert.name());
    for (name, argument) in keywords(calls, node, annotation).unwrap_or_default() {
        match &*name {
            "via" => via = Some(argument),
            _ => return Err(Problem::UnknownArgument { annotation, name, argument, known: KNOWN }),
        }
    }
    Ok(via)
}
