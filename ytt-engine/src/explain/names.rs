//! Where the names of an expression were set.
//!
//! What the interpreter does with names is not recorded. But a name that one place of its file alone sets has its value from
//! there, so that this place is read off the code.

use super::Explanation;
use super::history::{Step, StepKind};
use crate::diag::TextRange;
use crate::source::Span;
use crate::template::code::{FileCode, Set};

/// A name that an expression reads, and the one place that sets it.
#[derive(Clone, Debug)]
pub struct SetName {
    code: String,
    place: TextRange,
}

impl SetName {
    pub(super) fn new(of: &Explanation<'_>, set: Set) -> SetName {
        let source = of.sources.get(set.whole.source);
        // Code that spans lines is told by its first one.
        let code = source.written(set.whole).and_then(|code| code.lines().next()).unwrap_or_default();
        SetName { code: code.trim_end().to_owned(), place: TextRange::new(of.sources, set.name) }
    }

    /// The code that set it: `name = VALUE`, or `names in VALUE` of a loop. Of code that spans lines the first one.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// Where the name stands there.
    pub fn place(&self) -> &TextRange {
        &self.place
    }
}

/// What set the names of the expression of a step, those that it reads itself first.
pub(super) fn of_step(of: &Explanation<'_>, step: &Step) -> Vec<Set> {
    let is_made = step.expression.is_some() && matches!(step.kind, StepKind::Computed | StepKind::Overlaid(_));
    step.at.filter(|_| is_made).map(|at| on_line(of, at)).unwrap_or_default()
}

/// The same of the code on the line of a place: an expression of a template stands on one.
fn on_line(of: &Explanation<'_>, at: Span) -> Vec<Set> {
    let source = of.sources.get(at.source);
    let Some(code) = FileCode::read(&source, at.source) else { return Vec::new() };
    let line = source.line_range(source.line(at.start));
    code.sets(Span { start: line.start, end: line.end, ..at })
}

/// The same of code in a text.
pub(super) fn of_printed(of: &Explanation<'_>, code: Span) -> Vec<Set> {
    let source = of.sources.get(code.source);
    FileCode::read(&source, code.source).map(|file| file.sets(code)).unwrap_or_default()
}
