//! The edits of a help, as people see them: the lines that go, and those that come.
//!
//! `annotate-snippets` draws what changes within a line. Of several lines it shows what they will be, those that stay as
//! well, so they are compared one by one here: `-` in front of what goes, `+` in front of what comes. The renderer draws a
//! stand-in for them, so that margin and heading are its own.

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use annotate_snippets::normalize_untrusted_str as clean;
use annotate_snippets::renderer::{DEFAULT_ADDITION_STYLE, DEFAULT_LINE_NUM_STYLE, DEFAULT_REMOVAL_STYLE, Style};
use annotate_snippets::{Group, Level, Patch, Snippet};

use super::Help;
use super::draw::{self, Window};
use super::view::clamp;
use crate::source::{Origin, Source, SourceId, SourceMap, Span, to_u32};

/// Edits of more lines than this are not drawn.
const LINES: usize = 60;
/// Bytes of a line, and of a new text, that are drawn.
const LONG: usize = 2000;
/// Lines that stay between two changes: of more, the middle is left out.
const BETWEEN: usize = 3;
/// Characters shown of a line beside those that are put in.
const BESIDE: usize = 80;
/// What the renderer draws in place of each changed line: no text has this character.
const STAND_IN: &str = "\u{fdd0}";

/// Characters between the number of a line and its text.
const MARGIN: usize = 3;

/// The changed lines of all edits of a report that change several, in their order.
#[derive(Debug, Default)]
pub(super) struct Edits(Vec<Vec<Line>>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    change: Change,
    number: u32,
    text: String,
}

/// What becomes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Stays,
    Goes,
    Comes,
    /// Lines that stay are left out here.
    Omitted,
}

impl Edits {
    /// A help whose edits can be drawn, all of them.
    pub(super) fn group(&mut self, sources: &SourceMap, help: &Help) -> Option<Group<'static>> {
        help.edit.as_ref()?;
        let drawn = self.0.len();
        let title = Group::with_title(Level::HELP.secondary_title(clean(&help.text)));
        let drawn_one = |group: Group<'static>, edit| Some(group.element(self.snippet(sources, edit, help)?));
        let group = help.edits().try_fold(title, drawn_one);
        if group.is_none() {
            self.0.truncate(drawn);
        }
        group
    }

    /// The lines that one edit of a help changes.
    fn snippet(
        &mut self,
        sources: &SourceMap,
        edit: &(Span, String),
        help: &Help,
    ) -> Option<Snippet<'static, Patch<'static>>> {
        let (span, new) = whole_lines(sources, edit);
        let source = sources.get(span.source);
        let text = source.text.as_str()?;
        let (start, end) = clamp(&source, span);
        let (first, last) = (source.line(start), source.line(end));
        let is_long = |line: u32| source.line_range(line).len() > LONG;
        let part = |start: u32, end: u32| text.get(start as usize..end as usize).unwrap_or_default();
        if matches!(source.origin, Origin::Rust(_))
            || last.saturating_sub(first) as usize > LINES
            || new.len() > LONG
            || part(start, end) == new
            || (first..=last).any(is_long)
        {
            return None;
        }
        if first == last && !new.contains('\n') {
            return Some(patch(&source, (start, end, &new), first));
        }
        let (whole, behind) = (source.line_range(first).start, source.line_range(last).end.max(end));
        let after = [part(whole, start), &new, part(end, behind)].concat();
        let others = help.edits().filter(|(other, _)| other.source == span.source && other.start < edit.0.start);
        let moved = Moved::by(others, text);
        let mut lines = compared(part(whole, behind), &after, first, moved);
        let from = lines.first()?.number;
        beside(&mut lines, &source, moved);
        let has_stand_in = |source: &Arc<Source>| source.text.as_str().is_some_and(|text| text.contains(STAND_IN));
        if sources.all().iter().any(has_stand_in) {
            return None;
        }
        let to = lines.iter().map(|line| line.number).max()?;
        let count = to.saturating_sub(from).saturating_add(1);
        let stand_in = Patch::new(0..0, format!("{STAND_IN}\n").repeat(count as usize));
        self.0.push(lines);
        Some(Snippet::source("").path(source.shown_name()).line_start(from as usize).patch(stand_in))
    }

    /// The report, with the changed lines in place of what stands in for them.
    pub(super) fn put_in(self, drawn: String, colors: bool) -> String {
        if self.0.is_empty() {
            return drawn;
        }
        let (mut out, mut edits, mut is_within) = (Vec::new(), self.0.into_iter(), false);
        for line in drawn.split('\n') {
            let stands_in = line.contains(STAND_IN);
            if stands_in && !is_within {
                let width = plain(line).find(STAND_IN).map_or(0, |at| at.saturating_sub(MARGIN));
                out.extend(edits.next().unwrap_or_default().iter().map(|line| line.drawn(width, colors)));
            } else if !stands_in {
                out.push(line.to_owned());
            }
            is_within = stands_in;
        }
        out.join("\n")
    }
}

impl Line {
    fn drawn(&self, width: usize, colors: bool) -> String {
        let painted = |style: Style, text: String| match colors {
            true => format!("{style}{text}{style:#}"),
            false => text,
        };
        let (sign, style) = match self.change {
            Change::Omitted => return painted(DEFAULT_LINE_NUM_STYLE, "...".to_owned()),
            Change::Stays => ("|", DEFAULT_LINE_NUM_STYLE),
            Change::Goes => ("-", DEFAULT_REMOVAL_STYLE),
            Change::Comes => ("+", DEFAULT_ADDITION_STYLE),
        };
        let number = painted(DEFAULT_LINE_NUM_STYLE, format!("{:>width$} ", self.number));
        let text = match self.change {
            Change::Stays => clean(&self.text),
            _ => painted(style, clean(&self.text)),
        };
        format!("{number}{} {text}", painted(style, sign.to_owned())).trim_end().to_owned()
    }
}

/// A text without the sequences that colour it.
fn plain(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default();
    parts.fold(first.to_owned(), |plain, part| plain + part.split_once('m').map_or("", |(_, rest)| rest))
}

/// Lines of the old text that are replaced by lines of the new one.
struct Block {
    old: Range<usize>,
    new: Range<usize>,
}

/// What edits above one, in its file, do to the numbers of its lines.
#[derive(Clone, Copy, Debug, Default)]
struct Moved {
    added: u32,
    removed: u32,
}

impl Moved {
    fn by<'a>(edits: impl Iterator<Item = &'a (Span, String)>, text: &str) -> Moved {
        let breaks = |text: &str| to_u32(text.matches('\n').count());
        edits.fold(Moved::default(), |moved, (span, new)| Moved {
            added: moved.added.saturating_add(breaks(new)),
            removed: moved
                .removed
                .saturating_add(breaks(text.get(span.start as usize..span.end as usize).unwrap_or_default())),
        })
    }

    /// The number that a line of the old text has after the edits.
    fn after(self, number: u32) -> u32 {
        number.saturating_add(self.added).saturating_sub(self.removed)
    }

    fn before(self, number: u32) -> u32 {
        number.saturating_add(self.removed).saturating_sub(self.added)
    }
}

/// The lines from the first to the last change, with the numbers that they have in the old text if they go, else in the new.
#[allow(clippy::indexing_slicing, reason = "blocks are parts of both texts, in their order")]
#[allow(clippy::arithmetic_side_effects, reason = "numbers of lines of a text, and of at most `LONG` lines that come")]
fn compared(old: &str, new: &str, first: u32, moved: Moved) -> Vec<Line> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let blocks = joined(blocks(&old, &new));
    let later = |change, at: usize| Line { change, number: moved.after(first + to_u32(at)), text: new[at].to_owned() };
    let (mut lines, mut stays) = (Vec::new(), None);
    for block in blocks {
        let between = stays.map_or(0..0, |start| start..block.new.start);
        lines.extend(shortened(between.map(|at| later(Change::Stays, at)).collect()));
        lines.extend(block.old.clone().map(|at| Line {
            change: Change::Goes,
            number: first + to_u32(at),
            text: old[at].to_owned(),
        }));
        stays = Some(block.new.end);
        lines.extend(block.new.map(|at| later(Change::Comes, at)));
    }
    lines
}

/// Adds the line in front of which the last of the new lines comes to stand; at the end of a file, the one behind which they
/// all come.
fn beside(lines: &mut Vec<Line>, source: &Source, moved: Moved) {
    let Some((first, last)) = lines.first().zip(lines.last()) else { return };
    if lines.iter().any(|line| line.change == Change::Goes) {
        return;
    }
    let are_all = lines.iter().all(|line| line.change == Change::Comes);
    let comes = to_u32(lines.iter().filter(|line| line.change == Change::Comes).count());
    let next = moved.before(last.number.saturating_add(1).saturating_sub(comes));
    let stays = |number, of: u32| {
        let text = source.line_text(of);
        let cut = draw::shortened(&text, BESIDE);
        (!text.trim().is_empty()).then_some(Line { change: Change::Stays, number, text: cut })
    };
    if let Some(line) = stays(last.number.saturating_add(1), next) {
        lines.push(line);
    } else if let Some(line) = stays(first.number.saturating_sub(1), next.saturating_sub(1)).filter(|_| are_all) {
        lines.insert(0, line);
    }
}

/// What differs between as much as possible that both have in common: at the end first, so that lines which are put in
/// front of others are told as they are.
#[allow(clippy::indexing_slicing, reason = "`common` has one row and one column more than there are lines")]
#[allow(clippy::arithmetic_side_effects, reason = "numbers of lines of two texts that are in memory")]
fn blocks(old: &[&str], new: &[&str]) -> Vec<Block> {
    let same = old.iter().rev().zip(new.iter().rev()).take_while(|(one, other)| one == other).count();
    let (old, new) = (&old[..old.len() - same], &new[..new.len() - same]);
    // How many lines the rests of both have in common.
    let mut common = vec![vec![0_u32; new.len() + 1]; old.len() + 1];
    for (at, line) in old.iter().enumerate().rev() {
        for (there, other) in new.iter().enumerate().rev() {
            common[at][there] = match line == other {
                true => common[at + 1][there + 1] + 1,
                false => common[at + 1][there].max(common[at][there + 1]),
            };
        }
    }
    let (mut blocks, mut at, mut there) = (Vec::new(), 0, 0);
    while at < old.len() || there < new.len() {
        let start = (at, there);
        while at < old.len() || there < new.len() {
            match (old.get(at), new.get(there)) {
                (Some(line), Some(other)) if line == other => break,
                (Some(_), None) => at += 1,
                (Some(_), Some(_)) if common[at + 1][there] >= common[at][there + 1] => at += 1,
                _ => there += 1,
            }
        }
        if start != (at, there) {
            blocks.push(Block { old: start.0..at, new: start.1..there });
        }
        (at, there) = (at + 1, there + 1);
    }
    blocks
}

/// A single line that stays between two replacements is easily overlooked: it is shown as replaced.
fn joined(blocks: Vec<Block>) -> Vec<Block> {
    let replaces = |block: &Block| !block.old.is_empty() && !block.new.is_empty();
    let mut joined: Vec<Block> = Vec::new();
    for block in blocks {
        match joined.last_mut() {
            Some(last) if replaces(last) && replaces(&block) && block.old.start.abs_diff(last.old.end) < 2 => {
                (last.old.end, last.new.end) = (block.old.end, block.new.end);
            }
            _ => joined.push(block),
        }
    }
    joined
}

/// Leaves out the middle of what stays between two changes.
fn shortened(stays: Vec<Line>) -> Vec<Line> {
    match &stays[..] {
        [first, .., last] if stays.len() > BETWEEN => {
            let omitted = Line { change: Change::Omitted, ..first.clone() };
            vec![first.clone(), omitted, last.clone()]
        }
        _ => stays,
    }
}

/// A change within a line, which the renderer is given whole.
fn patch(source: &Source, (start, end, new): (u32, u32, &str), line: u32) -> Snippet<'static, Patch<'static>> {
    let range = source.line_range(line);
    let span = |start: u32, end: u32| Span::new(SourceId(0), start, end);
    let window = Window::new(source, &[(line, span(range.start, range.end))], &RangeInclusive::new(1, 0));
    let changed = window.range(source, line, span(start, end));
    let patch = Patch::new(changed, new.to_owned());
    Snippet::source(window.text).path(source.shown_name()).line_start(line as usize).patch(patch)
}

/// Lines inserted behind the indentation of a line are drawn as lines of their own in front of it.
fn whole_lines(sources: &SourceMap, edit: &(Span, String)) -> (Span, String) {
    let (span, new) = edit;
    let source = sources.get(span.source);
    let line = source.line_range(source.line(clamp(&source, *span).0));
    let indent = source.text.as_bytes().get(line.start as usize..span.start as usize).unwrap_or_default();
    let indent = std::str::from_utf8(indent).unwrap_or_default();
    match new.strip_suffix(indent) {
        Some(lines) if span.start == span.end && indent.trim_matches(' ').is_empty() && lines.ends_with('\n') => {
            (Span::new(span.source, line.start, line.start), format!("{indent}{lines}"))
        }
        _ => (*span, new.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(old: &str, new: &str) -> Vec<String> {
        compared(old, new, 1, Moved::default()).iter().map(|line| line.drawn(1, false)).collect()
    }

    #[test]
    fn what_goes_stands_in_front_of_what_comes() {
        assert_eq!(shown("a\nb\nc", "x\nb\ny\nz"), ["1 - a", "2 - b", "3 - c", "1 + x", "2 + b", "3 + y", "4 + z"]);
        assert_eq!(shown("a\nb\nc", "b\nc\na"), ["1 - a", "1 | b", "2 | c", "3 + a"]);
        assert_eq!(shown("a\nb\nc\nd\ne", "b\nc\nd\ne\na"), ["1 - a", "1 | b", "...", "4 | e", "5 + a"]);
    }

    #[test]
    fn lines_that_are_put_in_front_of_others_or_deleted_are_told_as_they_are() {
        assert_eq!(shown("m\nb", "m\na\nm\nb"), ["1 + m", "2 + a"]);
        assert_eq!(shown("m\na\nm\nb", "m\nb"), ["1 - m", "2 - a"]);
        assert_eq!(shown("a", "a\nb"), ["2 + b"]);
    }

    #[test]
    fn colours_are_no_part_of_the_margin() {
        assert_eq!(plain("\u{1b}[1m\u{1b}[94m10 |\u{1b}[0m x"), "10 | x");
    }
}
