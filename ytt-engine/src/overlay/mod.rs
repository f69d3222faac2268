//! Overlays: changing one YAML structure by another one whose annotations say how.
//!
//! [`apply`] is one right of `overlay.apply`, [`documents`] the stage over all documents of a library run, [`exact`]
//! one document of data values or schema over the merged one. All three share one walk (`engine`), the steps of one
//! item (`item`) and its match rule (`select`, `count`, `matcher`). Nothing here knows Starlark: annotation arguments
//! and functions are reached through `Call`. What is shared and what is copied is fixed by `docs/nodes.md#overlays`.

mod advice;
mod annotation;
mod candidates;
mod compare;
mod count;
mod doubt;
mod engine;
mod failure;
mod gather;
mod index;
mod item;
mod matcher;
mod nearest;
mod place;
mod plain;
mod report;
mod select;
mod shared;
mod warn;

use crate::call::{Call, Matcher};
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::yaml::{Applied, Arena, Body, NodeId, PosId, Val, duplicates};

pub(crate) use annotation::host_kind;
pub(crate) use plain::plain_merge_annotations;
pub(crate) use shared::warn_of_shared;

use annotation::{Counts, Operation};
use engine::{Engine, Right};
use failure::Failure;
use gather::Gather;
use matcher::Candidate;

/// How a stage handles its problems.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// Go on after a problem. False under `assert.try_to`, where the program sees the first one and goes on itself.
    pub(crate) collecting: bool,
    /// How many problems are kept: the limit `reports`.
    pub(crate) reports: u32,
}

/// Applies one right of `overlay.apply` to the left value, which is changed in place and is the result.
///
/// # Errors
///
/// The first problem; what was changed before it stays.
pub(crate) fn apply(calls: &mut dyn Call, left: Val, right: Val) -> Result<Val, Diagnostic> {
    let mut engine = Engine::new(calls, false, None);
    let left = engine.make_nodes(left)?;
    let right = engine.make_nodes(right)?;
    engine.settled();
    engine.begin(Applied::Program);
    first_problem(engine.walk(left, right, &Counts::default(), false).map(|_| ()))?;
    engine.strip(left)?;
    Ok(left)
}

/// Applies the overlay documents of a library run, in order, to the documents of its files (one set for each file,
/// without the overlays and without empty documents).
///
/// # Errors
///
/// All problems that do not follow from earlier ones, in order of evaluation; the first one if `options` say so.
pub(crate) fn documents(
    calls: &mut dyn Call,
    sets: &[NodeId],
    overlays: &[NodeId],
    options: Options,
) -> Result<(), Diagnostics> {
    let gather = options.collecting.then(|| Gather::new(options.reports as usize));
    let mut engine = Engine::new(calls, false, gather);
    for (number, &overlay) in overlays.iter().enumerate() {
        engine.warn_again(overlay);
        engine.settle_all(sets, number == 0)?;
        engine.make_nodes(Val::Node(overlay))?;
        engine.document(sets, overlay)?;
    }
    engine.finish()
}

/// Refuses a value in which an overlay made equal keys in a map: they can be kept and worked on, but mean nothing to those
/// who read the result.
///
/// # Errors
///
/// The first such key, at the item that came later.
pub(crate) fn refuse_equal_keys(arena: &Arena, value: Val) -> Result<(), Diagnostic> {
    let found = match value {
        Val::Node(node) if arena.may_repeat_keys => duplicates::first_duplicate_key(arena, node),
        _ => None,
    };
    let Some((first, second)) = found else {
        return Ok(());
    };
    let text = format!("Unexpected duplicate key: {}", report::key_text(arena, arena.key(second)));
    let mut diagnostic = Diagnostic::error(Code::OVERLAY_DUPLICATE_KEY, text);
    match (arena.span_of(second), arena.span_of(first)) {
        (Some(second), Some(first)) if second == first => {
            diagnostic = diagnostic.label(second, "this item replaced several, so its key is there more than once");
        }
        (second, first) => {
            if let Some(second) = second {
                diagnostic = diagnostic.label(second, "brought this key");
            }
            if let Some(first) = first {
                diagnostic = diagnostic.label(first, "the key is here already");
            }
        }
    }
    let replace = arena.ann(second, annotation::Operation::Replace.name()).and_then(|ann| arena.place(ann.pos));
    diagnostic = match replace {
        Some(place) => diagnostic.label(place.key(), "puts its item, with the key, in the place of what matches"),
        None => diagnostic.note("@overlay/replace puts its item, with the key, in the place of what matches"),
    };
    Err(diagnostic.help("to keep the keys of the left side, remove @overlay/replace: merging keeps them"))
}

/// Warns of documents that look as if they were meant to be overlays but are printed: an overlay operation without
/// `@overlay/match`, or a matcher for documents that stands on the first key because there is no `---`.
pub(crate) fn warn_of_targets(calls: &mut dyn Call, sets: &[NodeId]) {
    let mut engine = Engine::new(calls, false, None);
    for &set in sets {
        for document in engine.items(set) {
            engine.warn_not_an_overlay(document);
        }
    }
}

/// Applies a document of data values or schema to the merged one so far; gives the new merged document.
///
/// # Errors
///
/// As [`documents`]; also if no document is left.
pub(crate) fn exact(
    calls: &mut dyn Call,
    left: NodeId,
    right: NodeId,
    options: Options,
) -> Result<NodeId, Diagnostics> {
    let gather = options.collecting.then(|| Gather::new(options.reports as usize));
    let mut engine = Engine::new(calls, true, gather);
    let known = engine.arena().is_merged(left);
    if !known {
        engine.make_nodes(Val::Node(left))?;
    }
    engine.make_nodes(Val::Node(right))?;
    engine.settled();
    let set = engine.arena_mut().add(Body::Set(vec![left].into()), PosId(0));
    engine.document(&[set], right)?;
    // Only what is new can have annotations if the left was stripped before: many values of flags stay linear.
    if known {
        for node in std::mem::take(&mut engine.placed) {
            engine.strip(Val::Node(node))?;
        }
    } else {
        engine.strip(Val::Node(set))?;
    }
    let result = engine.arena().items(set).first().copied();
    let at = engine.arena().span_of(right);
    let removing = annotation::annotation_span(&*engine.calls, right, Operation::Remove.name());
    if let Some(document) = result
        && engine.is_settled()
    {
        engine.arena_mut().note_merged(document);
    }
    engine.finish()?;
    result.ok_or_else(|| {
        let text = "Expected data values to have one document after overlaying, but found none";
        let problem = Diagnostic::error(Code::OVERLAY_NO_DOCUMENT, text);
        let problem = match removing {
            Some(span) => problem
                .label(span, "this removes all data values given so far")
                .help("remove the annotation; to remove single values, write #@overlay/remove above their keys"),
            None => problem.at(at),
        };
        problem.into()
    })
}

/// Calls a matcher by hand, as programs can: `overlay.index(0)(0, left, right)`.
///
/// # Errors
///
/// As in an overlay, with the matcher's name in front.
pub(crate) fn call_matcher(
    calls: &mut dyn Call,
    matcher: &Matcher,
    first: Val,
    left: Val,
    right: Val,
) -> Result<bool, Diagnostic> {
    let mut engine = Engine::new(calls, false, None);
    let mut test = engine.test(matcher, 0)?;
    let item = engine.arena_mut().add(Body::ArrayItem(left), PosId(0));
    let node = engine.arena_mut().add(Body::ArrayItem(right), PosId(0));
    let mut right = Right { node, owned: true, exposed: true };
    engine.matches(&mut test, Candidate { first, item }, &mut right)
}

/// The problem of a walk that does not gather them.
fn first_problem(result: Result<(), Failure>) -> Result<(), Diagnostic> {
    match result {
        Ok(()) => Ok(()),
        Err(Failure::Final(diagnostic)) => Err(diagnostic),
        Err(Failure::Fresh(problem)) => Err(problem.diagnostic),
    }
}

impl Engine<'_> {
    /// One overlay document.
    fn document(&mut self, sets: &[NodeId], overlay: NodeId) -> Result<(), Diagnostic> {
        self.begin(Applied::Stage);
        let node = self.copy(overlay)?;
        let right = Right { node, owned: true, exposed: false };
        first_problem(self.item(sets, right, &Counts::default()))
    }

    /// The problems that were gathered.
    fn finish(&mut self) -> Result<(), Diagnostics> {
        match self.gather.take() {
            Some(gather) => gather.finish().into_result(),
            None => Ok(()),
        }
    }
}

impl Drop for Engine<'_> {
    fn drop(&mut self) {
        self.indexes.unlisten(self.calls.arena());
    }
}

#[cfg(test)]
mod tests;
