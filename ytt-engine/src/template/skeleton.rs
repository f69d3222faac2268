//! The nodes of a template as they stand in its file: what a program copies while it runs.
//!
//! Items are numbered in pre-order; number 0 is the document set. The nodes are those of the render's arena and are never
//! changed. What lies below a node that is copied as a whole has no number.

use std::sync::Arc;

use super::literal::Literals;
use crate::source::{Span, to_u32};
use crate::yaml::{NodeId, PosId};

/// The nodes and texts of a template.
#[derive(Debug, Default)]
pub(crate) struct Skeleton {
    pub(crate) items: Vec<Item>,
    /// Literal texts of a text template and of text-templated strings.
    pub(crate) pieces: Vec<Piece>,
    /// What the program does beside running code, with places. Those beside each other are a run, one statement.
    tasks: Vec<(Task, Span)>,
    /// The first task of each run.
    runs: Vec<u32>,
    /// What a file without a program does, with places.
    pub(crate) actions: Option<Vec<(Action, Span)>>,
}

/// A literal text, and the value that is printed behind it in the same step.
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) text: Arc<[u8]>,
    pub(crate) place: Span,
    /// Where the code of the value stands, if there is one.
    pub(crate) value: Option<Span>,
}

/// What a file does that needs no program: all of its code can be read without one.
#[derive(Debug)]
pub(crate) enum Action {
    Task(Task),
    /// The module of overlays is loaded.
    Load,
    /// The node of that number gets the annotation of that number among its own.
    Annotate(u32, u32, Literals),
}

/// What a program does beside running code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Task {
    /// Begins the documents of a YAML file.
    Documents,
    /// Begins a text.
    Text,
    /// A node that code may change starts.
    Start(u32),
    /// Nodes beside each other are copied with all that is in them, from the first number to the last.
    Copy(u32, u32),
    /// A piece of literal text.
    Piece(u32),
}

/// A node of the template.
#[derive(Debug)]
pub(crate) struct Item {
    /// Number of the node around it; 0 for the document set too.
    pub(crate) parent: u32,
    pub(crate) depth: u32,
    pub(crate) node: NodeId,
    /// The value comes from code or from a text-templated string.
    pub(crate) computed: bool,
    /// Names and places of the annotations, in the order in which they are evaluated.
    pub(crate) annotations: Vec<(Arc<str>, PosId)>,
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "numbers are those of the lists here, of which each has an item more when one is given"
)]
impl Skeleton {
    /// Adds a node and gives its number.
    pub(super) fn add(&mut self, node: NodeId, parent: Option<u32>) -> u32 {
        let depth = parent.map_or(0, |parent| self.items[parent as usize].depth + 1);
        let number = to_u32(self.items.len());
        let parent = parent.unwrap_or(0);
        self.items.push(Item { parent, depth, node, computed: false, annotations: Vec::new() });
        number
    }

    /// Begins a run of tasks and gives its number.
    pub(super) fn begin(&mut self) -> usize {
        self.runs.push(to_u32(self.tasks.len()));
        self.runs.len() - 1
    }

    /// Adds a task to the last run.
    pub(super) fn task(&mut self, task: Task, place: Span) {
        self.tasks.push((task, place));
    }

    /// The tasks of a run.
    pub(crate) fn run(&self, number: usize) -> &[(Task, Span)] {
        let end = self.runs.get(number + 1).map_or(self.tasks.len(), |next| *next as usize);
        &self.tasks[self.runs[number] as usize..end]
    }

    /// Adds a literal text and gives its number.
    pub(super) fn piece(&mut self, text: &[u8], place: Span) -> u32 {
        self.pieces.push(Piece { text: text.into(), place, value: None });
        to_u32(self.pieces.len() - 1)
    }
}
