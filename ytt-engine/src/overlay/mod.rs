//! Overlays: changing one YAML structure by another one whose annotations say how.
//!
//! [`apply`] is one right of `overlay.apply`, [`documents`] the stage over all documents of a library run, [`exact`]
//! one document of data values or schema over the merged one. All three share one walk. Nothing here knows Starlark:
//! annotation arguments and functions are reached through `Call`. What is shared and what is copied is fixed by
//! `docs/nodes.md#overlays`.
//!
//! Files use those before them only, as `tests/tidy.rs` checks. Data, and what is said of two values: `compare`,
//! `annotation`, `matcher`; `marks` writes annotations for values that have none. `problem` is what can go wrong. `rules`
//! reads annotations, `target` what `subset` looks for. `index` and `candidates` find items, `engine` knows where the walk
//! stands. One step each: `matches`, `count`, `select`, `edit`, `warn`; `walk` and `operation` go from item to item.
//!
//! What happens is data, told to a listener; `report` listens, and it alone makes diagnostics. Others look at
//! sources for results only: `marks` for comments with code, `map_key` for the lines that it compares.

mod annotation;
mod candidates;
mod compare;
mod count;
mod edit;
mod engine;
mod index;
mod marks;
mod matcher;
mod matches;
mod old_key;
mod operation;
mod outcome;
mod problem;
mod renames;
mod report;
mod rules;
mod select;
mod target;
mod targets;
mod too_high;
mod walk;
mod warn;

use crate::call::{Call, Matcher};
use crate::diag::{Code, Diagnostic, Diagnostics};
use crate::source::Span;
use crate::times::{Lap, Phase};
use crate::yaml::{Applied, Arena, Body, NodeId, PosId, Val, duplicates};

pub(crate) use annotation::MATCH;
pub(crate) use marks::plain_merge_annotations;
pub(crate) use report::{USELESS, host_kind, may_join, useless, warn_of_joined, warn_of_junctions, warn_of_shared};

use annotation::Counts;
use engine::{Engine, Extent, Right, Scene};
use matcher::Asked;
use problem::Failure;
use report::Gather;
use walk::strip;

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
    let applied = first_problem(calls, |engine| {
        let left = engine.arena_mut().nodes(left)?;
        let right = engine.arena_mut().nodes(right)?;
        engine.note_no_raws();
        engine.begin(Applied::Program, None);
        engine.walk(left, right, &Counts::default(), false)?;
        strip(&mut engine.arena_mut(), left)?;
        Ok(left)
    });
    applied.map_err(|problem| Scene::outside(calls).or_other_way(problem, left, right))
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
    stage(calls, false, options, |engine| {
        let is_kept = engine.arena().outcomes.kept();
        engine.notes.on = is_kept;
        engine.overlays = overlays.to_vec();
        engine.sets = sets.to_vec();
        for (number, &overlay) in overlays.iter().enumerate() {
            let _lap = lap(engine.calls, overlay);
            engine.begun_overlays = number.saturating_add(1);
            engine.warn_again(overlay);
            engine.nodes_in(sets, number == 0)?;
            engine.arena_mut().nodes(Val::Node(overlay))?;
            engine.document(sets, overlay, None)?;
        }
        let added = std::mem::take(&mut engine.added);
        engine.warn_too_high(&added);
        engine.warn_old_keys(&added);
        Ok(())
    })
    .map(|_| ())
}

/// Counts time for the file in which a document stands, if it is asked for.
fn lap(calls: &dyn Call, document: NodeId) -> Option<Lap> {
    let place = calls.arena().borrow().span_of(document)?;
    calls.sources().lap(place.source, Phase::Overlays)
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
    found.map_or(Ok(()), |(first, second)| Err(report::equal_keys(arena, first, second)))
}

/// Warns of documents that look as if they were meant to be overlays but are printed: an overlay operation without
/// `@overlay/match`, a matcher for documents that stands on the first key because there is no `---`, annotations on what is
/// inside. `are_final`: no program works on the documents any more.
pub(crate) fn warn_of_targets(calls: &mut dyn Call, sets: &[NodeId], overlays: &[NodeId], are_final: bool) {
    let mut listener = Gather::default();
    let mut engine = Engine::new(calls, &mut listener, false);
    engine.sets = sets.to_vec();
    engine.overlays = overlays.to_vec();
    engine.warn_of_targets(are_final);
}

/// Applies a document of data values or schema, which a call may have given, to the merged one so far; gives the new
/// merged document. `of_values`: what comes of the items of data values may be asked for.
///
/// # Errors
///
/// As [`documents`]; also if no document is left.
pub(crate) fn exact(
    calls: &mut dyn Call,
    left: NodeId,
    right: NodeId,
    call: Option<Span>,
    of_values: bool,
    options: Options,
) -> Result<NodeId, Diagnostics> {
    let _lap = lap(calls, right);
    let result = stage(calls, true, options, |engine| {
        let is_kept = of_values && engine.arena().outcomes.kept_of_values();
        engine.notes.on = is_kept;
        let known = engine.arena().is_merged(left);
        if !known {
            engine.arena_mut().nodes(Val::Node(left))?;
        }
        engine.arena_mut().nodes(Val::Node(right))?;
        engine.note_no_raws();
        let set = engine.arena_mut().add(Body::Set(vec![left].into()), PosId(0));
        engine.document(&[set], right, call)?;
        // Only what is new can have annotations if the left was stripped before: many values of flags stay linear.
        let new = if known { std::mem::take(&mut engine.placed) } else { vec![set] };
        for node in new {
            strip(&mut engine.arena_mut(), Val::Node(node))?;
        }
        let result = engine.arena().item_at(set, 0);
        if let Some(document) = result.filter(|_| engine.has_no_raws()) {
            engine.arena_mut().note_merged(document);
        }
        Ok(result)
    })?;
    result.flatten().ok_or_else(|| Scene::outside(calls).nothing_left(right).into())
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
    first_problem(calls, |engine| {
        let mut test = engine.test(matcher, 0)?;
        let item = engine.arena_mut().add(Body::ArrayItem(left), PosId(0));
        let node = engine.arena_mut().add(Body::ArrayItem(right), PosId(0));
        let mut right = Right { node, owned: true, exposed: true };
        Ok(engine.matches(&mut test, Asked { first, item }, &mut right)?)
    })
}

/// Runs what ends with its first problem.
fn first_problem<T>(
    calls: &mut dyn Call,
    run: impl FnOnce(&mut Engine<'_>) -> Result<T, Failure>,
) -> Result<T, Diagnostic> {
    let value = stage(calls, false, Options { collecting: false, reports: 1 }, run);
    let nothing = || Diagnostic::error(Code::INTERNAL, "an overlay ended without a problem");
    match value {
        Ok(value) => value.ok_or_else(nothing),
        Err(problems) => Err(problems.0.into_iter().next().unwrap_or_else(nothing)),
    }
}

/// Runs a stage. `None`: nothing came of it, and nobody was told why.
fn stage<T>(
    calls: &mut dyn Call,
    exact: bool,
    options: Options,
    run: impl FnOnce(&mut Engine<'_>) -> Result<T, Failure>,
) -> Result<Option<T>, Diagnostics> {
    let mut gather = Gather::new(options.collecting, options.reports);
    let mut engine = Engine::new(calls, &mut gather, exact);
    let value = match run(&mut engine) {
        Ok(value) => Some(value),
        Err(Failure::Ended) => None,
        Err(Failure::Fresh(problem)) => {
            engine.tell(problem, Extent::Whole);
            None
        }
    };
    drop(engine);
    gather.into_result()?;
    Ok(value)
}

impl Engine<'_> {
    /// One overlay document, which a call gave.
    fn document(&mut self, sets: &[NodeId], overlay: NodeId, call: Option<Span>) -> Result<(), Failure> {
        self.begin(Applied::Stage, call);
        let node = self.arena_mut().copy(overlay)?;
        let right = Right { node, owned: true, exposed: false };
        self.item(sets, right, &Counts::default())
    }
}

#[cfg(test)]
mod tests;
