//! Declared data values that nothing reads.
//!
//! Reads are those that happened, in any evaluation of the library. A value that code names is not told of even if that
//! code did not run this time: it may with other values.

use std::collections::HashSet;

use crate::diag::{Code, Diagnostic, Fact};
use crate::source::{Source, SourceMap, Span, to_u32};
use crate::yaml::{Arena, NodeSpan};

#[allow(clippy::indexing_slicing, reason = "`names` and `is_idle` have one of each declaration, which name each other")]
pub(super) fn lint(arena: &Arena, sources: &SourceMap) -> Vec<Diagnostic> {
    let all = arena.declarations();
    let names: Vec<Option<&str>> = all.iter().map(|one| arena.str(one.key)).collect();
    let unread = || all.iter().zip(&names).filter(|(one, _)| !one.is_read);
    let named = named(sources, unread().filter_map(|(_, name)| *name).collect());
    let mut is_idle = vec![false; all.len()];
    // What is in a map stands behind it.
    for (number, one) in all.iter().enumerate().rev() {
        let may_run = |at: usize| !all[at].is_read && names[at].is_none_or(|name| named.contains(name));
        let mut around = std::iter::successors(Some(number), |at| all[*at].around);
        is_idle[number] = !one.is_read && !around.any(may_run) && one.inside.iter().all(|inner| is_idle[*inner]);
    }
    let mut found = Vec::new();
    for (number, one) in all.iter().enumerate().filter(|(number, _)| is_idle[*number]) {
        let is_told = match one.around {
            // What would be left empty stands for something else: a map that is asked for.
            Some(around) => !is_idle[around] && !all[around].inside.iter().all(|inner| is_idle[*inner]),
            None => true,
        };
        if let (true, Some(place), Some(name)) = (is_told, arena.place(one.pos), names[number]) {
            let text = format!("the data value `{name}` is not used: nothing reads it");
            let warning = Diagnostic::warning(Code::VALUES_UNUSED, text).fact(Fact::Useless);
            let warning = warning.label(place.key(), "declared here");
            let lines = lines(sources, *place);
            let is_described = lines.is_some_and(|lines| is_described(&sources.get(place.source), lines));
            let warning = warning.edit_at("remove it, and what sets it", lines, "");
            found.push(if is_described { warning.guessing() } else { warning });
        }
    }
    found.sort_by_key(|one| one.parts().labels.first().map(|label| (label.span.source, label.span.start)));
    found
}

/// Which of these names stand in some file behind a dot or between quotes: code may ask for them.
fn named<'n>(sources: &SourceMap, names: HashSet<&'n str>) -> HashSet<&'n str> {
    let mut found = HashSet::new();
    // `port-1` behind a dot is `port`: a name with `-` stands between quotes only.
    let is_part = |at: char| at.is_alphanumeric() || at == '_';
    for source in sources.all() {
        let Some(text) = source.text.as_str() else { continue };
        for (at, mark) in text.match_indices(['.', '"', '\'']) {
            let Some(rest) = text.get(at..).and_then(|rest| rest.strip_prefix(mark)) else { continue };
            let end = match mark {
                "." => rest.find(|at| !is_part(at)),
                _ => rest.find(mark),
            };
            let end = end.unwrap_or(rest.len());
            found.extend(rest.get(..end).and_then(|name| names.get(name)));
        }
    }
    found
}

/// The lines of a declaration with its annotations, if nothing else stands on them.
fn lines(sources: &SourceMap, place: NodeSpan) -> Option<Span> {
    let source = sources.get(place.source);
    let end = place.end.max(place.key_end);
    let first = source.line(place.start);
    let is_annotation = |line: &u32| is_annotation(&source, *line);
    let first = (1..first).rev().take_while(is_annotation).last().unwrap_or(first);
    let line = source.line_range(first);
    let text = source.line_text(first);
    let blanks = to_u32(text.len().saturating_sub(text.trim_start().len()));
    let start = place.start.min(line.start.saturating_add(blanks));
    source.lines_of(Span::new(place.source, start, end))
}

/// Does a comment stand above these lines, that may be about them alone?
fn is_described(source: &Source, lines: Span) -> bool {
    let above = source.line(lines.start).saturating_sub(1);
    above > 0 && source.line_text(above).trim_start().starts_with("#!")
}

fn is_annotation(source: &Source, line: u32) -> bool {
    let text = source.line_text(line);
    let text = text.trim_start().strip_prefix("#@").unwrap_or_default();
    ["schema/", "overlay/", "assert/"].iter().any(|start| text.starts_with(start))
}
