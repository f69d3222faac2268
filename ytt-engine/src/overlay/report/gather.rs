//! Listeners: the first problem of a program, or all problems of a stage that goes on after them.
//!
//! A skipped item leaves doubt about the paths that it would have changed. A later problem there is counted and not
//! shown. The rule is a simple one: same path, or one the beginning of the other, in documents that
//! may be the same.

use std::collections::HashMap;

use super::doubt::{Doubts, Part};
use super::unmet;
use super::words::key_text;
use super::{Report, SHOWN};
use crate::diag::{Code, Diagnostic, Diagnostics, Label};
use crate::overlay::annotation::{MATCH, Operation, RightKind};
use crate::overlay::engine::{Listener, Scene, TrailStep};
use crate::overlay::problem::{Problem, Warning};
use crate::overlay::rules;
use crate::yaml::{Arena, Body, NodeId, Val};

/// Comparisons for candidates of one stage.
const COMPARISONS: i64 = 200_000;
/// Doubtful paths that are kept.
const DOUBTS: usize = 10_000;

/// The first problem, which ends the walk.
#[derive(Debug, Default)]
pub(in crate::overlay) struct First(Option<Diagnostic>);

impl First {
    /// The problem, if there was one.
    pub(in crate::overlay) fn into_result(self) -> Result<(), Diagnostic> {
        self.0.map_or(Ok(()), Err)
    }
}

impl Listener for First {
    fn goes_on(&self) -> bool {
        false
    }

    fn problem(&mut self, scene: Scene<'_>, problem: Problem, _: bool) -> bool {
        self.0.get_or_insert_with(|| Report::new(scene, i64::MAX).problem(problem));
        true
    }

    fn problem_inside(&mut self, scene: Scene<'_>, problem: Problem) {
        self.problem(scene, problem, true);
    }

    fn warning(&mut self, scene: Scene<'_>, warning: Warning) {
        Report::new(scene, 0).warn(warning);
    }
}

/// The problems of a stage so far.
#[derive(Debug, Default)]
pub(in crate::overlay) struct Gather {
    /// How many are kept; the others are counted.
    most: usize,
    shown: Vec<Diagnostic>,
    more: usize,
    follow: usize,
    doubts: Doubts,
    /// Documents that a skipped item would have added or removed.
    documents: Doubts,
    doubted: usize,
    /// Which problem an item and a code had, and at how many more places.
    known: HashMap<(NodeId, Code), (usize, usize)>,
    compared: i64,
}

impl Listener for Gather {
    fn goes_on(&self) -> bool {
        true
    }

    fn problem(&mut self, scene: Scene<'_>, problem: Problem, whole: bool) -> bool {
        let may_follow = problem.may_follow();
        let is_of_document = scene.trail.last().is_none_or(|step| step.kind == RightKind::Document);
        if let (Problem::Unmet(unmet), false) = (&problem, is_of_document) {
            // One overlay may fail in every document: what is only counted is not put into words.
            let Scene { calls, trail, exact, removed } = scene;
            let report = Report::new(Scene { calls: &mut *calls, trail, exact, removed }, 0);
            if self.count(&report, unmet::code(unmet), may_follow) {
                return false;
            }
            return self.tell(Scene { calls, trail, exact, removed }, problem, whole);
        }
        self.tell(scene, problem, whole)
    }

    fn problem_inside(&mut self, scene: Scene<'_>, problem: Problem) {
        let diagnostic = self.report(scene).problem(problem);
        if self.shown.len() < self.most {
            self.shown.push(diagnostic);
        } else {
            self.more += 1;
        }
    }

    fn warning(&mut self, scene: Scene<'_>, warning: Warning) {
        Report::new(scene, 0).warn(warning);
    }
}

impl Gather {
    pub(in crate::overlay) fn new(most: usize) -> Gather {
        Gather { most: most.max(1), ..Gather::default() }
    }

    /// Words a problem, and takes it.
    fn tell(&mut self, scene: Scene<'_>, problem: Problem, whole: bool) -> bool {
        let may_follow = problem.may_follow();
        let mut trail = scene.trail.to_vec();
        let Scene { calls, exact, removed, .. } = scene;
        let mut report = self.report(Scene { calls: &mut *calls, trail: scene.trail, exact, removed });
        let diagnostic = report.problem(problem);
        let left = report.comparisons;
        // Of an item that failed as a whole no match is at fault.
        if let Some(step) = trail.last_mut().filter(|_| whole) {
            step.matched = None;
        }
        let report = Report::new(Scene { calls, trail: &trail, exact, removed }, 0);
        let shown = self.take(&report, diagnostic, may_follow);
        self.compared = COMPARISONS - left;
        shown
    }

    /// Counts a problem of the innermost item that will not be shown, whatever it says. False: it may be shown.
    fn count(&mut self, report: &Report<'_>, code: Code, may_follow: bool) -> bool {
        let Some(step) = report.trail.last() else { return false };
        let known = self.known.get_mut(&(step.node, code));
        if known.as_ref().is_none_or(|(_, places)| *places < SHOWN) && (known.is_some() || self.shown.len() < self.most)
        {
            return false;
        }
        let (path, documents) = report.here();
        if let Some((_, places)) = known {
            *places += 1;
        } else if may_follow && self.follows(documents.as_deref(), &path, false) {
            self.follow += 1;
        } else {
            self.more += 1;
        }
        self.doubt(report, step, &path, documents.as_deref());
        true
    }

    /// A report with the comparisons that are left, if it may be shown.
    fn report<'a>(&self, scene: Scene<'a>) -> Report<'a> {
        let left = if self.shown.len() < self.most { COMPARISONS - self.compared } else { -1 };
        Report::new(scene, left)
    }

    /// Takes a problem of the innermost item, which is skipped. True: it is shown.
    fn take(&mut self, report: &Report<'_>, diagnostic: Diagnostic, may_follow: bool) -> bool {
        let Some(step) = report.trail.last() else {
            self.shown.push(diagnostic);
            return false;
        };
        // Once a limit of the whole render is used up, every call fails.
        let used_up = |known: &Diagnostic| known.code() == Code::LIMIT_BUDGET;
        if used_up(&diagnostic) && self.shown.iter().any(used_up) {
            return false;
        }
        let (path, documents) = report.here();
        let is_document = step.kind == RightKind::Document;
        let key = (step.node, diagnostic.code());
        let mut shown = false;
        if let Some((at, places)) = self.known.get_mut(&key) {
            *places += 1;
            // What matched nothing is told apart by where it looked.
            let left = report.trail.iter().rev().find_map(|step| step.matched);
            let span = left.and_then(|left| report.arena().span_of(left.item));
            if let (true, Some(span)) = (*places <= SHOWN, span) {
                let text =
                    format!("the same in {}", report.left_text(report.trail.iter().filter_map(|step| step.matched)));
                let labels = &mut self.shown[*at].parts_mut().labels;
                if labels.iter().all(|label| label.span != span) {
                    labels.push(Label { span, text });
                }
            }
        } else if may_follow && self.follows(documents.as_deref(), &path, is_document) {
            self.follow += 1;
        } else if self.shown.len() >= self.most {
            self.more += 1;
        } else {
            self.known.insert(key, (self.shown.len(), 1));
            self.shown.push(diagnostic);
            shown = true;
        }
        self.doubt(report, step, &path, documents.as_deref());
        shown
    }

    /// Notes what a skipped item leaves in doubt.
    fn doubt(&mut self, report: &Report<'_>, step: &TrailStep, path: &[Part], documents: Option<&[NodeId]>) {
        let doubts = report.doubts_of(step, path);
        let room = DOUBTS.saturating_sub(self.doubted);
        for path in doubts.iter().take(room) {
            self.doubts.add(path, documents);
        }
        self.doubted += doubts.len().min(room);
        let operation = || rules::operation(&*report.calls, step.node).unwrap_or(Operation::Merge);
        if step.kind == RightKind::Document && !matches!(operation(), Operation::Merge | Operation::Assert) {
            self.documents.add(&[], documents);
        }
    }

    fn follows(&self, documents: Option<&[NodeId]>, path: &[Part], document: bool) -> bool {
        if document { self.documents.meet(&[], documents) } else { self.doubts.meet(path, documents) }
    }

    /// The problems, with what was not shown in a last note.
    pub(in crate::overlay) fn into_result(mut self) -> Result<(), Diagnostics> {
        for (at, places) in self.known.values() {
            if *places > SHOWN
                && let Some(shown) = self.shown.get_mut(*at)
            {
                shown.parts_mut().notes.push(format!("and {} more places", places - SHOWN).into());
            }
        }
        if let Some(last) = self.shown.last_mut() {
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

impl Report<'_> {
    /// Path of the innermost item, and the left documents it is about.
    fn here(&self) -> (Vec<Part>, Option<Vec<NodeId>>) {
        let arena = self.arena();
        let mut documents = None;
        let mut path = Vec::new();
        for step in self.trail {
            match step.kind {
                RightKind::Document => {
                    documents = match step.matched {
                        Some(matched) => Some(vec![matched.item]),
                        None if step.found.is_empty() => None,
                        None => Some(step.found.clone()),
                    };
                }
                RightKind::MapItem if step.by => path.push(Part::AnyKey),
                RightKind::MapItem => path.push(Part::Key(key_text(&arena, arena.key(step.node)))),
                RightKind::ArrayItem => path.push(Part::Item),
            }
        }
        (path, documents)
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
