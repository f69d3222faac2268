//! Problems of a stage that goes on after them: what is shown, what only follows from an earlier problem.
//!
//! A skipped item leaves doubt about the paths that it would have changed. A later problem there is counted and not
//! shown. The rule is the simple one of overlays 6.3: same path, or one the beginning of the other, in documents that
//! may be the same.

use std::collections::HashMap;

use super::annotation::{self, Operation, RightKind, child_defaults, match_rule};
use super::doubt::{Doubts, Part};
use super::engine::{Engine, TrailStep};
use super::failure::Failure;
use super::report::{SHOWN, key_text};
use crate::diag::{Code, Diagnostic, Diagnostics, Label};
use crate::yaml::{Arena, Body, NodeId, Val};

/// Comparisons for candidates of one stage.
const COMPARISONS: usize = 200_000;
/// Doubtful paths that are kept.
const DOUBTS: usize = 10_000;

/// The problems of a stage so far.
#[derive(Debug, Default)]
pub(super) struct Gather {
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
    compared: usize,
}

impl Gather {
    pub(super) fn new(most: usize) -> Gather {
        Gather { most: most.max(1), ..Gather::default() }
    }

    /// Counts comparisons; false once there were enough.
    pub(super) fn spend(&mut self, comparisons: usize) -> bool {
        self.compared += comparisons;
        self.compared <= COMPARISONS && self.shown.len() < self.most
    }

    fn follows(&self, documents: Option<&[NodeId]>, path: &[Part], document: bool) -> bool {
        if document { self.documents.meet(&[], documents) } else { self.doubts.meet(path, documents) }
    }

    /// The problems, with what was not shown in a last note.
    pub(super) fn finish(mut self) -> Diagnostics {
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
        Diagnostics(self.shown)
    }
}

impl Engine<'_> {
    /// Takes a problem of the innermost item, which is skipped.
    pub(super) fn collect(&mut self, diagnostic: Diagnostic, may_follow: bool) {
        let Some(step) = self.trail.last().cloned() else {
            let complete = self.complete(diagnostic);
            if let Some(gather) = &mut self.gather {
                gather.shown.push(complete);
            }
            return;
        };
        let (path, documents) = self.here();
        let document = step.kind == RightKind::Document;
        // What matched nothing is told apart by where it looked.
        let left = self.trail.iter().rev().find_map(|step| step.matched).map(|(item, _)| item);
        let place = self.left_place(&self.trail);
        let span = left.and_then(|item| self.arena().span_of(item));
        let diagnostic = self.complete(diagnostic);
        let doubts = self.doubts_of(&step, &path);
        let changes_documents = document && {
            let operation = annotation::operation(&*self.calls, step.node).unwrap_or(Operation::Merge);
            !matches!(operation, Operation::Merge | Operation::Assert)
        };
        let Some(gather) = &mut self.gather else {
            return;
        };
        // Once a limit of the whole render is used up, every call fails.
        let used_up = |known: &Diagnostic| known.code() == Code::LIMIT_BUDGET;
        if used_up(&diagnostic) && gather.shown.iter().any(used_up) {
            return;
        }
        let key = (step.node, diagnostic.code());
        let mut shown = false;
        if let Some((at, places)) = gather.known.get_mut(&key) {
            *places += 1;
            if let (true, Some(span)) = (*places <= SHOWN, span) {
                let labels = &mut gather.shown[*at].parts_mut().labels;
                if labels.iter().all(|label| label.span != span) {
                    labels.push(Label { span, text: format!("the same in {place}") });
                }
            }
        } else if may_follow && gather.follows(documents.as_deref(), &path, document) {
            gather.follow += 1;
        } else if gather.shown.len() >= gather.most {
            gather.more += 1;
        } else {
            gather.known.insert(key, (gather.shown.len(), 1));
            gather.shown.push(diagnostic);
            shown = true;
        }
        let room = DOUBTS.saturating_sub(gather.doubted);
        for path in doubts.iter().take(room) {
            gather.doubts.add(path, documents.as_deref());
        }
        gather.doubted += doubts.len().min(room);
        if changes_documents {
            gather.documents.add(&[], documents.as_deref());
        }
        if shown {
            self.check_skipped(&step);
        }
    }

    /// Path of the innermost item, and the left documents it is about.
    fn here(&self) -> (Vec<Part>, Option<Vec<NodeId>>) {
        let arena = self.arena();
        let mut documents = None;
        let mut path = Vec::new();
        for step in &self.trail {
            match step.kind {
                RightKind::Document => {
                    documents = match step.matched {
                        Some((item, _)) => Some(vec![item]),
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
        let by = arena.ann(item, annotation::MATCH).is_some_and(|annotation| {
            let args = self.calls.args(annotation.args);
            args.named.iter().any(|(name, _)| &**name == "by")
        });
        if by { Part::AnyKey } else { Part::Key(key_text(arena, key)) }
    }

    /// Reports what is wrong inside of a skipped item and needs no left side.
    fn check_skipped(&mut self, step: &TrailStep) {
        let operation = annotation::operation(&*self.calls, step.node).unwrap_or(Operation::Merge);
        if !matches!(operation, Operation::Merge | Operation::Assert) {
            return;
        }
        // Only the item itself failed if it was matched: then its inside is worked on elsewhere.
        if step.matched.is_some() {
            return;
        }
        self.check_inside(step.node);
    }

    fn check_inside(&mut self, node: NodeId) {
        let Val::Node(container) = self.value(node) else {
            return;
        };
        for item in self.items(container) {
            let Some(kind) = RightKind::of(&self.arena().get(item).body) else {
                continue;
            };
            self.trail.push(TrailStep::new(item, kind));
            match self.check_item(item, kind) {
                Ok(true) => self.check_inside(item),
                Ok(false) => {}
                Err(Failure::Fresh(problem)) => {
                    let complete = self.complete(problem.diagnostic);
                    if let Some(gather) = &mut self.gather {
                        if gather.shown.len() < gather.most {
                            gather.shown.push(complete);
                        } else {
                            gather.more += 1;
                        }
                    }
                }
                Err(Failure::Final(_)) => {}
            }
            self.trail.pop();
        }
    }

    /// Names and kinds of arguments of one item. True: its inside would be evaluated.
    fn check_item(&self, item: NodeId, kind: RightKind) -> Result<bool, Failure> {
        let calls = &*self.calls;
        let operation = annotation::operation(calls, item)?;
        let none = annotation::Counts::default();
        if kind == RightKind::MapItem && matches!(operation, Operation::Insert | Operation::Append) {
            return Err(self.no_order(item, operation));
        }
        match operation {
            Operation::Append => return Ok(false),
            Operation::Merge | Operation::Assert => {
                child_defaults(calls, item, &none)?;
            }
            _ => {}
        }
        let rule = match_rule(calls, item, kind, self.exact, &none)?;
        match operation {
            Operation::Replace => {
                annotation::replace_rule(calls, item)?;
            }
            Operation::Insert => {
                annotation::insert_rule(calls, item)?;
            }
            Operation::Assert => {
                annotation::assert_rule(calls, item)?;
            }
            _ => {}
        }
        // An array item without a match rule is added whole.
        Ok(matches!(operation, Operation::Merge | Operation::Assert) && !rule.nothing)
    }
}
