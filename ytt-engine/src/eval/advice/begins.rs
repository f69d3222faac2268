//! A document that begins above the loop which was meant to make one at each turn.

use super::code_of;
use crate::diag::{Diagnostic, Help};
use crate::source::{Source, SourceMap, Span};
use crate::template::code::FileCode;

/// The problem of a key that a loop writes again, with the `---` that should stand in the loop.
pub(super) fn above_loop(sources: &SourceMap, problem: &Diagnostic) -> Option<Diagnostic> {
    let key = problem.parts().labels.first()?.span;
    let source = sources.get(key.source);
    let code = FileCode::read(&source, key.source)?;
    let (_, over) = code.turns(key).into_iter().next()?;
    // Inside of a document its begin is of no use.
    let line = source.line_range(source.line(key.start));
    if line.start != key.start {
        return None;
    }
    let head = source.line(over.start);
    if !ends_document(&source, code.whole_loop_around(key)?) {
        return None;
    }
    let start = begin(&source, head)?;
    let whole = |number: u32| {
        let range = source.line_range(number);
        Span { start: range.start, end: range.end, ..key }
    };
    let (begin, head) = (whole(start), whole(head));
    let lines = source.whole_lines(begin)?;
    let behind = source.whole_lines(head)?.end;
    let (span, new) = source.moved(lines, [behind], "---\n")?;
    let mut told = problem.clone().relabel("in the same document at each turn");
    told = told.label(head, format!("this loop runs more than once, over `{}`", code_of(sources, over)));
    told = told.label(begin, "the document begins here, above the loop");
    let help = Help::with_edit("let each turn begin a document of its own: put `---` into the loop", span, new);
    told.parts_mut().helps = vec![help];
    Some(told)
}

/// Does nothing of the document stand behind a loop?
fn ends_document(source: &Source, whole: Span) -> bool {
    let mut number = source.line(whole.end);
    let last = source.line(u32::MAX);
    while number < last {
        number = number.saturating_add(1);
        let line = source.line_text(number);
        match line.trim() {
            "#@ end" => {}
            blank if blank.is_empty() || blank.starts_with("#!") => {}
            start => return start == "---" || start.starts_with("--- "),
        }
    }
    true
}

/// The line with `---` above the head of a loop, if nothing but comments stands between, and no annotation above.
fn begin(source: &Source, head: u32) -> Option<u32> {
    let mut number = head.checked_sub(1)?;
    loop {
        let line = source.line_text(number);
        match line.trim() {
            "---" => break,
            blank if blank.is_empty() || blank.starts_with("#!") => {
                number = number.checked_sub(1).filter(|at| *at > 0)?
            }
            _ => return None,
        }
    }
    let above = number.checked_sub(1).filter(|at| *at > 0).map(|at| source.line_text(at)).unwrap_or_default();
    let is_annotation = above.strip_prefix("#@").is_some_and(|rest| !rest.starts_with(' '));
    (!is_annotation).then_some(number)
}
