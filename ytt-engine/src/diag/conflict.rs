//! Markers of a merge conflict that was committed: whatever else is said of the lines around them is beside the point.

use super::{Diagnostic, Help, Label};
use crate::source::{Source, SourceId, SourceMap, Span, replaced};

/// Conflicts of one file that are shown.
const SHOWN: usize = 3;

/// A conflict: the lines of its markers.
struct Conflict {
    begin: u32,
    middle: u32,
    end: u32,
    /// What both had before, as some tools write it, begins here.
    base: Option<u32>,
}

/// Tells a problem of the grammar of a file with a merge conflict by that.
pub(crate) fn explain(diagnostic: &mut Diagnostic, sources: &SourceMap) {
    let parts = diagnostic.parts();
    let Some(place) = parts.labels.first().map(|label| label.span) else { return };
    let source = sources.get(place.source);
    if !parts.code.as_str().ends_with("::syntax") {
        return;
    }
    let conflicts = conflicts(&source);
    if conflicts.is_empty() {
        return;
    }
    let of_line = |line: u32| {
        let range = source.line_range(line);
        Span { start: range.start, end: range.end, ..place }
    };
    let lines = |from: u32, to: u32| match to.saturating_sub(from) {
        0 => "nothing".to_owned(),
        1 => format!("line {from}"),
        _ => format!("lines {from} to {}", to.saturating_sub(1)),
    };
    let mut labels = Vec::new();
    for Conflict { begin, middle, end, base } in conflicts.iter().take(SHOWN) {
        let named = |line: u32| {
            let text = source.line_text(line);
            let name = text.get(7..).unwrap_or_default().trim();
            if name.is_empty() { String::new() } else { format!(", of `{name}`") }
        };
        let (own, other) = (begin.saturating_add(1), middle.saturating_add(1));
        let (one, two) = (lines(own, base.unwrap_or(*middle)), lines(other, *end));
        let text = format!("a conflict begins; one side{}: {one}", named(*begin));
        labels.push(Label { span: of_line(*begin), text });
        labels.push(Label { span: of_line(*middle), text: format!("the other side{}: {two}", named(*end)) });
        labels.push(Label { span: of_line(*end), text: "it ends here".to_owned() });
    }
    let text = "take what you need of both sides, and delete the lines of the markers";
    let help = match both(&source, place.source, &conflicts) {
        Some((span, new)) => {
            let text = format!("{text}; both sides add something else, so both may be meant");
            Help { is_guess: true, ..Help::with_edit(text, span, new) }
        }
        None => Help::new(text),
    };
    let parts = diagnostic.parts_mut();
    parts.labels = labels;
    parts.helps = vec![help];
    *diagnostic = diagnostic.clone().headlined("this file has markers of a merge conflict");
}

/// The conflicts of a text whose markers are all there, in order.
fn conflicts(source: &Source) -> Vec<Conflict> {
    let Some(text) = source.text.as_str().filter(|text| text.contains("<<<<<<<") && text.contains(">>>>>>>")) else {
        return Vec::new();
    };
    let is_mark = |line: &str, mark: &str| {
        line.strip_prefix(mark).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\r']))
    };
    let (mut found, mut begin, mut base, mut middle) = (Vec::new(), None, None, None);
    for (line, number) in text.split('\n').zip(1_u32..) {
        if is_mark(line, "<<<<<<<") {
            (begin, base, middle) = (Some(number), None, None);
        } else if is_mark(line, "|||||||") && begin.is_some() {
            base = Some(number);
        } else if is_mark(line, "=======") && begin.is_some() && middle.is_none() {
            middle = Some(number);
        } else if is_mark(line, ">>>>>>>")
            && let (Some(begin), Some(middle)) = (begin.take(), middle.take())
        {
            found.push(Conflict { begin, middle, end: number, base: base.take() });
        }
    }
    found
}

/// The edit that keeps both sides of each conflict, where both add whole entries of other names.
fn both(source: &Source, id: SourceId, conflicts: &[Conflict]) -> Option<(Span, String)> {
    let text = source.text.as_str()?;
    let start = |line: u32| source.line_range(line).start;
    let behind = |line: u32| start(line.saturating_add(1));
    let part = |from: u32, to: u32| text.get(behind(from) as usize..start(to) as usize);
    let parts = conflicts.iter().map(|conflict| {
        let one = part(conflict.begin, conflict.base.unwrap_or(conflict.middle))?;
        let other = part(conflict.middle, conflict.end)?;
        let (heads, others) = (heads(one)?, heads(other)?);
        let is_item = heads.first()?.starts_with("- ");
        let is_same_kind = heads.iter().chain(&others).all(|head| head.starts_with("- ") == is_item);
        let is_beside = column(one) == column(other) && !heads.iter().any(|head| others.contains(head));
        let span = Span::new(id, start(conflict.begin), behind(conflict.end));
        (is_same_kind && is_beside).then(|| (span, [one, other].concat()))
    });
    let parts: Vec<(Span, String)> = parts.collect::<Option<_>>()?;
    replaced(text, parts.iter().map(|(span, new)| (*span, new.as_str())))
}

fn column(side: &str) -> usize {
    side.len().saturating_sub(side.trim_start_matches(' ').len())
}

/// How the entries of a side begin: keys up to their colon, items with their first line.
fn heads(side: &str) -> Option<Vec<&str>> {
    let column = column(side);
    let lines = side.lines().filter(|line| !line.trim().is_empty());
    let mut found = Vec::new();
    for line in lines {
        let entry = line.trim_start_matches(' ');
        match line.len().saturating_sub(entry.len()) {
            own if own > column => {}
            own if own < column || entry.starts_with(['#', '-']) && !entry.starts_with("- ") => return None,
            _ if entry.starts_with("- ") => found.push(entry.trim_end()),
            _ => found.push(entry.split_once(':')?.0),
        }
    }
    (!found.is_empty()).then_some(found)
}
