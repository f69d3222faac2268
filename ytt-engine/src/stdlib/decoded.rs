//! Text that code decodes: where a problem in it stands, if the text is that of a file as `data.read` gives it, or is
//! written as a value in one.

use std::sync::Arc;

use crate::diag::{Diagnostic, Label, Note};
use crate::eval::Host;
use crate::nearest::only;
use crate::source::{Origin, Source, SourceId, Span, to_u32};

/// Bytes that are compared for a message.
const MOST: usize = 16 << 20;
/// A shorter text may stand anywhere.
const SHORTEST: usize = 4;
/// Places at which a text may begin: each is compared line by line.
const STARTS: usize = 100;

/// Where a text is written.
pub(super) struct Home {
    file: SourceId,
    /// Where its lines begin: in the text, and in the file.
    lines: Vec<(usize, usize)>,
}

impl Home {
    /// The file that a text was read from, which nothing was added to or taken from; or the lines of a block scalar, or
    /// the one line, that it is.
    pub(super) fn of(host: &Host<'_>, text: &[u8]) -> Option<Home> {
        if text.is_empty() || text.len() > MOST {
            return None;
        }
        let sources = host.sources.all();
        let is_file = |source: &Arc<Source>| !source.name.starts_with('(');
        let whole = sources.iter().position(|source| is_file(source) && source.text.as_bytes() == text);
        if let Some(number) = whole {
            return Some(Home { file: SourceId(to_u32(number)), lines: vec![(0, 0)] });
        }
        // What is tried may fail as often as it likes.
        if host.trying.get() > 0 {
            return None;
        }
        let lines = Lines::of(text)?;
        for (number, source) in sources.iter().enumerate() {
            if !is_file(source) && source.origin != Origin::Flag || source.name.ends_with(".star") {
                continue;
            }
            let Some(text) = source.text.as_str() else { continue };
            host.may_advise(text.len()).then_some(())?;
            if let Some(found) = lines.within(text) {
                return Some(Home { file: SourceId(to_u32(number)), lines: found });
            }
        }
        None
    }

    /// The place of a part of the text.
    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        let at = |offset: usize| {
            let line = self.lines.partition_point(|(line, _)| *line <= offset).checked_sub(1);
            let (line, there) = line.and_then(|line| self.lines.get(line)).copied().unwrap_or_default();
            to_u32(there.saturating_add(offset.saturating_sub(line)))
        };
        Span::new(self.file, at(start), at(end))
    }
}

/// A text that is looked for.
struct Lines<'a> {
    lines: Vec<&'a str>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a [u8]) -> Option<Lines<'a>> {
        let text = std::str::from_utf8(text).ok()?.trim_ascii_end();
        let lines: Vec<&str> = text.split('\n').collect();
        let is_long = text.len() >= SHORTEST && lines.first().is_some_and(|line| !line.trim().is_empty());
        is_long.then_some(Lines { lines })
    }

    /// Where the lines begin in the text, and in a file that has them, as far to the right as may be.
    fn within(&self, file: &str) -> Option<Vec<(usize, usize)>> {
        let (first, others) = self.lines.split_first()?;
        let mut starts = file.match_indices(first).map(|(at, _)| at).take(STARTS);
        if others.is_empty() {
            // A short text may stand there twice.
            let at = only(starts)?;
            let before = file.get(..at)?.rsplit('\n').next()?;
            // What code has written may be the name of a file.
            return (!before.contains("#@") && !before.contains("(@")).then(|| vec![(0, at)]);
        }
        starts.find_map(|at| {
            let indent = file.get(..at)?.rsplit('\n').next()?;
            indent.bytes().all(|byte| byte == b' ').then_some(())?;
            self.below(file, at, indent)
        })
    }

    /// The lines, of which the first one stands at an offset.
    fn below(&self, whole: &str, at: usize, indent: &str) -> Option<Vec<(usize, usize)>> {
        let (mut found, mut text, mut file) = (Vec::new(), 0_usize, at);
        for (number, line) in self.lines.iter().enumerate() {
            let mut rest = whole.get(file..)?;
            if number > 0 && !line.trim().is_empty() {
                rest = rest.strip_prefix(indent)?;
                file = file.checked_add(indent.len())?;
            }
            found.push((text, file));
            let here = rest.split('\n').next()?;
            (here.trim_end() == line.trim_end()).then_some(())?;
            text = text.checked_add(line.len())?.checked_add(1)?;
            file = file.checked_add(here.len())?.checked_add(1)?;
        }
        Some(found)
    }
}

/// A problem at an offset of a text: where it is written, or with a note that says where in the text.
pub(super) fn located(
    home: Option<&Home>,
    problem: Diagnostic,
    (text, at): (&[u8], usize),
    label: &str,
    note: impl FnOnce() -> Note,
) -> Diagnostic {
    let Some(home) = home else { return problem.note(note()) };
    // Behind the end of a line there is nothing to point at.
    let is_end = matches!(text.get(at), None | Some(b'\n' | b'\r'));
    let last = at.min(text.len()).saturating_sub(usize::from(is_end));
    let is_part = |at: &usize| text.get(*at).is_some_and(|byte| byte & 0xC0 == 0x80);
    let start = (0..=last).rev().find(|at| !is_part(at)).unwrap_or(0);
    let first = text.get(start..start.saturating_add(4).min(text.len())).and_then(|part| part.utf8_chunks().next());
    let width = first.and_then(|part| part.valid().chars().next()).map_or(1, char::len_utf8);
    let span = home.span(start, start);
    let span = Span { end: span.start.saturating_add(to_u32(width)), ..span };
    let mut problem = problem;
    problem.parts_mut().labels.insert(0, Label { span, text: label.to_owned() });
    problem
}
