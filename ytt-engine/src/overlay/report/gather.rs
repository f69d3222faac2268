//! Listens to a walk: gathers the problems of a stage that goes on after them, or the first one of a program.
//!
//! A skipped item leaves doubt about the paths that it would have changed. A later problem there is counted and not
//! shown. The rule is a simple one: same path, or one the beginning of the other, in documents that may be the same.
//! One overlay may fail in every document, so what is only counted is not put into words.

use std::collections::{HashMap, HashSet};
use std::mem::{Discriminant, discriminant};

use super::doubt::{Doubts, Part};
use super::nearest::{COMPARISONS, subsets};
use super::parts::{Path, at_path, leaves};
use super::words::key_text;
use super::{SHOWN, matchers, unmet};
use crate::diag::{Code, Diagnostic, Diagnostics, Label};
use crate::overlay::annotation::{MATCH, Operation, RightKind};
use crate::overlay::compare::leaf;
use crate::overlay::engine::{Extent, Listener, Scene, TrailStep};
use crate::overlay::problem::{Problem, Warning};
use crate::overlay::rules;
use crate::template::written;
use crate::yaml::{Arena, Body, NodeId, Val};

/// Doubtful paths that are kept.
const DOUBTS: usize = 10_000;

/// Overlays that were not applied, of which later ones are asked what they wait for.
const SKIPPED: usize = 20;

/// The problems of a stage so far.
#[derive(Debug, Default)]
pub(in crate::overlay) struct Gather {
    collecting: bool,
    /// How many are kept; the others are counted.
    most: usize,
    shown: Vec<Diagnostic>,
    more: usize,
    follow: usize,
    doubts: Doubts,
    /// Documents that a skipped item would have added or removed.
    documents: Doubts,
    /// Documents of overlays that were not applied, with the functions that their matcher calls, if one of them failed.
    skipped: Vec<(NodeId, Vec<String>)>,
    doubted: usize,
    /// Which of `shown` an item had, and at how many places.
    known: HashMap<(NodeId, ProblemKind), (usize, usize)>,
    /// Items of which the problem of another one tells as well.
    told: HashSet<NodeId>,
}

impl Listener for Gather {
    fn goes_on(&self) -> bool {
        self.collecting
    }

    fn problem(&mut self, mut scene: Scene<'_>, problem: Problem, extent: Extent) -> bool {
        let Some(step) = scene.trail.last().filter(|_| self.collecting && extent != Extent::Skipped) else {
            return self.show(&mut scene, problem);
        };
        let kind = kind_of(&problem);
        // Once a limit of the whole render is used up, every call fails.
        let used_up = Code::LIMIT_BUDGET;
        if kind.1 == Some(used_up) && self.shown.iter().any(|known| known.code() == used_up) {
            return false;
        }
        // Of an item that failed as a whole no match is at fault.
        let above = scene.trail.split_last().map_or(scene.trail, |(_, above)| above);
        let matched = if extent == Extent::Whole { above } else { scene.trail };
        let (path, documents) = scene.here(matched);
        let follows = || match step.kind {
            RightKind::Document => {
                self.documents.meet(&[], documents.as_deref()) || scene.awaits(&problem, &self.skipped)
            }
            _ => self.doubts.meet(&path, documents.as_deref()),
        };
        let mut is_shown = false;
        if self.told.contains(&step.node) && matches!(problem, Problem::Unmet(_)) {
            // It is among the labels of another.
        } else if let Some((at, places)) = self.known.get_mut(&(step.node, kind)) {
            *places = places.saturating_add(1);
            // What matched nothing is told apart by where it looked.
            let left = matched.iter().filter_map(|step| step.matched);
            let span = left.clone().next_back().and_then(|left| scene.arena().span_of(left.item));
            // What is wrong with an annotation is so wherever it is applied.
            if let (true, Some(span)) = (*places <= SHOWN && problem.may_follow(), span)
                && let Some(shown) = self.shown.get_mut(*at)
            {
                let labels = &mut shown.parts_mut().labels;
                if labels.iter().all(|label| label.span != span) {
                    labels.push(Label { span, text: format!("the same in {}", scene.left_text(left)) });
                }
            }
        } else if problem.may_follow() && follows() {
            self.follow = self.follow.saturating_add(1);
        } else {
            is_shown = self.show(&mut scene, problem);
            if is_shown {
                self.known.insert((step.node, kind), (self.shown.len().saturating_sub(1), 1));
            }
        }
        self.doubt(&scene, step, &path, documents.as_deref());
        if step.kind == RightKind::Document && self.skipped.len() < SKIPPED {
            let failed = kind.1 == Some(Code::OVERLAY_FUNCTION);
            self.skipped.push((step.node, if failed { scene.called_by_matcher() } else { Vec::new() }));
        }
        is_shown
    }

    fn warning(&mut self, mut scene: Scene<'_>, warning: Warning) {
        scene.warn(warning);
    }
}

/// What tells the problems of one item apart: the code, where others brought it.
type ProblemKind = (Discriminant<Problem>, Option<Code>);

fn kind_of(problem: &Problem) -> ProblemKind {
    let code = match problem {
        Problem::Within(_, problem) => return kind_of(problem),
        Problem::Unmet(unmet) => Some(unmet::code(unmet)),
        Problem::Failed(diagnostic, _) => Some(matchers::code_of_failed(diagnostic)),
        Problem::NoValue(diagnostic) | Problem::Other(diagnostic) => Some(diagnostic.code()),
        _ => None,
    };
    (discriminant(problem), code)
}

impl Gather {
    pub(in crate::overlay) fn new(collecting: bool, most: u32) -> Gather {
        Gather { collecting, most: most.max(1) as usize, ..Gather::default() }
    }

    /// Words a problem, or counts it if so many are shown. True: it is shown.
    fn show(&mut self, scene: &mut Scene<'_>, problem: Problem) -> bool {
        let is_room = self.shown.len() < self.most;
        match is_room {
            true => {
                scene.before = self.shown.len();
                let diagnostic = scene.problem(problem);
                self.told.extend(scene.told.drain(..));
                if !self.is_mended_with_another(&diagnostic) {
                    self.shown.push(diagnostic);
                }
            }
            false => self.more = self.more.saturating_add(1),
        }
        is_room
    }

    /// Adds the place of a problem to the one whose edit mends both.
    fn is_mended_with_another(&mut self, diagnostic: &Diagnostic) -> bool {
        let edit = |known: &Diagnostic| known.parts().helps.first().filter(|help| !help.silences)?.edit.clone();
        let wanted = edit(diagnostic).filter(|_| self.collecting);
        let is_same = |known: &&mut Diagnostic| known.code() == diagnostic.code() && edit(known) == wanted;
        let known = self.shown.iter_mut().rev().take(SHOWN).find(is_same).filter(|_| wanted.is_some());
        let (Some(known), Some(label)) = (known, diagnostic.parts().labels.first()) else { return false };
        let labels = &mut known.parts_mut().labels;
        if labels.iter().all(|known| known.span != label.span) {
            labels.push(label.clone());
        }
        true
    }

    /// Notes what a skipped item leaves in doubt.
    fn doubt(&mut self, scene: &Scene<'_>, step: &TrailStep, path: &[Part], documents: Option<&[NodeId]>) {
        let doubts = scene.doubts_of(step, path);
        let room = DOUBTS.saturating_sub(self.doubted);
        for path in doubts.iter().take(room) {
            self.doubts.add(path, documents);
        }
        self.doubted = self.doubted.saturating_add(doubts.len().min(room));
        let operation = || rules::operation(&*scene.calls, step.node).unwrap_or(Operation::Merge);
        if step.kind == RightKind::Document && !matches!(operation(), Operation::Merge | Operation::Assert) {
            self.documents.add(&[], documents);
        }
    }

    /// The problems, with what was not shown in a last note.
    pub(in crate::overlay) fn into_result(mut self) -> Result<(), Diagnostics> {
        for (at, places) in self.known.values() {
            if *places > SHOWN
                && let Some(shown) = self.shown.get_mut(*at)
            {
                shown.parts_mut().notes.push(format!("and {} more places", places.saturating_sub(SHOWN)).into());
            }
        }
        if let Some(last) = self.shown.last_mut() {
            last.parts_mut().more = self.more;
            let notes = &mut last.parts_mut().notes;
            if self.more > 0 {
                notes.push(format!("{} more errors of these overlays are not shown", self.more).into());
            }
            if self.follow > 0 {
                let more = match self.follow {
                    1 => "1 more problem is not shown: it may be a consequence of those above".to_string(),
                    more => format!("{more} more problems are not shown: they may be consequences of those above"),
                };
                notes.push(more.into());
            }
        }
        Diagnostics(self.shown).into_result()
    }
}

impl Scene<'_> {
    /// The functions that the matcher at hand calls, by their names.
    fn called_by_matcher(&self) -> Vec<String> {
        let called = self.by_span().map(|by| written::called(self.calls.sources(), by)).unwrap_or_default();
        called.into_iter().filter_map(|name| self.written(name)).filter(|name| !name.contains('.')).collect()
    }

    /// Whether a document that matched nothing may look for what an overlay would have made that was not applied. What a
    /// function looks for is not known: there the same function that failed before is doubt enough.
    fn awaits(&self, problem: &Problem, skipped: &[(NodeId, Vec<String>)]) -> bool {
        let unmet = match problem {
            Problem::Within(_, problem) => return self.awaits(problem, skipped),
            Problem::Unmet(unmet) if unmet.found.is_empty() && !skipped.is_empty() => unmet,
            _ => return false,
        };
        let Some(mut test) = unmet.test.clone() else { return false };
        let own = if test.asks_function() { self.called_by_matcher() } else { Vec::new() };
        if skipped.iter().flat_map(|(_, called)| called).any(|name| own.contains(name)) {
            return true;
        }
        let targets = subsets(&mut test).into_iter().flatten().filter_map(|target| self.target_nodes(target));
        let targets: Vec<Val> = targets.collect();
        let arena = self.arena();
        let wanted: Vec<_> = targets.into_iter().flat_map(|target| leaves(&arena, target)).collect();
        // Who names a document says also what it has: only what no document has is made.
        let is_there = |path: &Path, value: Val| {
            let lefts = unmet.lefts.iter().flat_map(|left| arena.items(*left)).take(COMPARISONS);
            let mut found = lefts.filter_map(|left| at_path(&arena, arena.value(*left), path));
            found.any(|(here, _)| leaf(&arena, here, value))
        };
        let is_made = |path: &Path, value: Val| {
            let mut made = skipped.iter().filter_map(|(right, _)| at_path(&arena, arena.value(*right), path));
            made.any(|(here, _)| leaf(&arena, here, value))
        };
        wanted.iter().any(|(path, value)| is_made(path, *value) && !is_there(path, *value))
    }

    /// Path of the innermost item, and the left documents it is about: the one at hand in the part of the trail that is
    /// at fault, else all that matched.
    fn here(&self, matched: &[TrailStep]) -> (Vec<Part>, Option<Vec<NodeId>>) {
        let arena = self.arena();
        let part = |step: &TrailStep| match step.kind {
            RightKind::Document => None,
            RightKind::MapItem if step.by => Some(Part::AnyKey),
            RightKind::MapItem => Some(Part::Key(key_text(&arena, arena.key(step.node)))),
            RightKind::ArrayItem => Some(Part::Item),
        };
        let document = self.trail.first().filter(|step| step.kind == RightKind::Document);
        let documents = document.and_then(|step| match matched.first().and_then(|step| step.matched) {
            Some(matched) => Some(vec![matched.item]),
            None if step.found.is_empty() => None,
            None => Some(step.found.clone()),
        });
        (self.trail.iter().filter_map(part).collect(), documents)
    }

    /// Paths that a skipped item would have changed: those of the leaves of its value.
    fn doubts_of(&self, step: &TrailStep, path: &[Part]) -> Vec<Vec<Part>> {
        const LEAVES: usize = 1_000;
        const LONGEST: usize = 50;
        let (arena, mut doubts) = (self.arena(), Vec::new());
        let mut open = vec![(path.to_vec(), arena.value(step.node))];
        while let Some((path, value)) = open.pop() {
            match value {
                Val::Node(container) if !arena.items(container).is_empty() && path.len() < LONGEST => {
                    for &item in arena.items(container).iter().take(LEAVES) {
                        let mut path = path.clone();
                        path.push(self.part_of(&arena, item));
                        open.push((path, arena.value(item)));
                    }
                }
                _ if path.is_empty() => {}
                _ => doubts.push(path),
            }
            if doubts.len() >= LEAVES {
                break;
            }
        }
        doubts
    }

    fn part_of(&self, arena: &Arena, item: NodeId) -> Part {
        let Body::MapItem(key, _) = arena.get(item).body else {
            return Part::Item;
        };
        let by = arena.ann(item, MATCH).is_some_and(|annotation| {
            let args = self.calls.args(annotation.args);
            args.named.iter().any(|(name, _)| &**name == "by")
        });
        if by { Part::AnyKey } else { Part::Key(key_text(arena, key)) }
    }
}
