//! Assertions that read a list of data values which has an item twice, since a document of data values appended it.

use super::super::host::Host;
use super::code_of;
use super::origin::Origins;
use crate::diag::{Code, Diagnostic};
use crate::schema::appended;
use crate::source::{SourceMap, Span, to_u32};
use crate::template::code::FileCode;
use crate::template::written;
use crate::yaml::{NodeId, Val};

/// Calls whose functions and arguments are looked at, innermost first.
const CALLS: usize = 4;
/// Reads of data values in one function.
const READS: usize = 20;

/// Adds to a failure of an assertion the items that were appended to a list that it reads.
pub(super) fn told(host: &Host<'_>, data: Val, problem: &mut Diagnostic) {
    if problem.code() != Code::MODULE_ASSERT {
        return;
    }
    let trace = problem.parts().trace.clone();
    let origins = Origins::new(host, data, &trace);
    let mut lists: Vec<NodeId> = Vec::new();
    for (number, frame) in trace.iter().enumerate().take(CALLS) {
        let Some(span) = frame.span else { continue };
        for code in read_by(&host.sources, span) {
            for item in origins.of(code, number) {
                if matches!(host.arena.borrow().value(item), Val::Node(_)) && !lists.contains(&item) {
                    lists.push(item);
                }
            }
        }
    }
    let arena = host.arena.borrow();
    let found = lists.iter().find_map(|list| appended::told(&host.sources, &arena, *list, problem));
    if let Some(told) = found {
        *problem = told;
    }
}

/// What a call reads: its arguments, and the data values that the function around it names.
fn read_by(sources: &SourceMap, call: Span) -> Vec<Span> {
    const READ: &str = "data.values.";
    let mut found: Vec<Span> = written::call(sources, call).unwrap_or_default().iter().map(|one| one.value).collect();
    let function = FileCode::read(&sources.get(call.source), call.source).and_then(|code| code.function_around(call));
    let source = sources.get(call.source);
    let file = Span::new(call.source, 0, to_u32(source.text.as_bytes().len()));
    let around = function.map_or(file, |function| function.whole);
    let text = code_of(sources, around);
    for (at, _) in text.match_indices(READ).take(READS) {
        let path = text.get(at..).unwrap_or_default();
        let is_part = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.');
        let length = path.find(|letter| !is_part(letter)).unwrap_or(path.len());
        let start = around.start.saturating_add(to_u32(at));
        found.push(Span { start, end: start.saturating_add(to_u32(length)), ..around });
    }
    found
}
