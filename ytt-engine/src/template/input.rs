//! The program text that the scanner reads, and where each part of it stands in the source.
//!
//! A `.star` file, the code in the comments of a YAML file and the code of a text template become one text in the
//! language of ytt: lines that people wrote, without their leading white space, and between them lines that the compiler
//! made (`__i[3]`). So a bracket that is left open before a node is found where ytt finds it.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::skeleton::{Skeleton, Task};
use super::token::Token;
use crate::diag::{Code, Diagnostic, Label};
use crate::source::{Source, SourceId, Span, Text, to_u32};

/// The beginning of a statement of tasks; the number of their run follows.
pub(super) const TASKS: &str = "__i[";

/// Where a part of the text comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// Lines of code, copied from this offset of the source.
    Code(u32),
    /// The text of a value or an annotation, which stands inside a made call: it must not end in a comment.
    Argument(u32),
    /// Code of a string whose characters do not stand in the source as they are; all of it maps to one place.
    Loose(u32, u32),
    /// Made by the compiler for this part of the source.
    Made(u32, u32),
}

/// A part of the text; it ends where the next begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) at: u32,
    pub(super) origin: Origin,
    /// 0 outside of text-templated strings, else the number of the string.
    pub(super) region: u32,
    /// A made statement begins here.
    pub(super) statement: bool,
}

/// The text with its parts.
#[derive(Debug)]
pub(super) struct Input {
    source: SourceId,
    pub(super) text: Vec<u8>,
    /// In order of their offsets.
    pub(super) parts: Vec<Part>,
    /// The item of each text-templated string; number 1 comes first.
    pub(super) regions: Vec<Span>,
    region: u32,
    /// The line before the next line of code ends in a backslash.
    continued: bool,
    /// What stands around a statement on a line of its own in this kind of file.
    around: (&'static str, &'static str),
    /// The whole source, for messages.
    written: Option<Text>,
    /// The part that was asked for last: most questions are about the same or the next one.
    last: AtomicUsize,
    /// How many parts there were, and the region, when a run of tasks had been added: it goes on while both are the same.
    run: Option<(usize, u32)>,
}

#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "parts begin in the text, in order; offsets of a source are below 2³¹ and those of a text below 2³²"
)]
impl Input {
    /// `around` is what stands around a statement on a line of its own in this kind of file.
    pub(super) fn new(source: SourceId, around: (&'static str, &'static str)) -> Input {
        let (text, parts, regions) = (Vec::new(), Vec::new(), Vec::new());
        let last = AtomicUsize::new(0);
        Input { source, text, parts, regions, region: 0, continued: false, around, written: None, last, run: None }
    }

    /// The same, with the source that messages look at.
    pub(super) fn of(self, source: &Source) -> Input {
        Input { written: Some(source.text.clone()), ..self }
    }

    /// The whole source, as far as it is known.
    pub(super) fn source_text(&self) -> &[u8] {
        self.written.as_ref().map_or(&[], Text::as_bytes)
    }

    /// Is it a text template?
    pub(super) fn is_text(&self) -> bool {
        self.around.0.starts_with('(')
    }

    /// A part of the source.
    pub(super) fn source_span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, to_u32(start), to_u32(end))
    }

    /// The edit that puts a statement in front of the file.
    pub(super) fn load_line(&self, statement: &str) -> (Span, String) {
        (Span::new(self.source, 0, 0), self.written(statement) + "\n")
    }

    /// A statement as it is written on a line of its own.
    pub(super) fn written(&self, statement: &str) -> String {
        let (before, after) = self.around;
        format!("{before}{statement}{after}")
    }

    fn part(&mut self, origin: Origin, statement: bool) {
        let at = to_u32(self.text.len());
        self.parts.push(Part { at, origin, region: self.region, statement });
    }

    /// What follows is the code of a text-templated string of the item at `span`, until [`Input::leave`].
    pub(super) fn enter(&mut self, span: Span) {
        self.regions.push(span);
        self.region = to_u32(self.regions.len());
    }

    pub(super) fn leave(&mut self) {
        self.region = 0;
    }

    /// Adds a task: to the statement before, if that is one of tasks, else as a statement of its own.
    pub(super) fn task(&mut self, skeleton: &mut Skeleton, task: Task, start: u32, end: u32) {
        let goes_on = self.run == Some((self.parts.len(), self.region));
        if !goes_on {
            let number = skeleton.begin();
            self.statement(&format!("{TASKS}{number}]"), start, end);
            self.run = Some((self.parts.len(), self.region));
        }
        skeleton.task(task, Span::new(self.source, start, end));
    }

    /// Adds a statement that the compiler made.
    pub(super) fn statement(&mut self, text: &str, start: u32, end: u32) {
        self.call(text, None, "", start, end);
    }

    /// Adds a made statement around the text of people: `before`, the text with its place, `after`.
    pub(super) fn call(&mut self, before: &str, inner: Option<(&[u8], Origin)>, after: &str, start: u32, end: u32) {
        self.part(Origin::Made(start, end), true);
        self.rest(before, inner, after, start, end);
    }

    /// As [`Input::call`], of a function that stands at another place.
    pub(super) fn call_of(
        &mut self,
        function: (&str, u32),
        before: &str,
        inner: (&[u8], Origin),
        start: u32,
        end: u32,
    ) {
        self.part(Origin::Made(function.1, function.1), true);
        self.text.extend_from_slice(function.0.as_bytes());
        self.part(Origin::Made(start, end), false);
        self.rest(before, Some(inner), "))", start, end);
    }

    fn rest(&mut self, before: &str, inner: Option<(&[u8], Origin)>, after: &str, start: u32, end: u32) {
        // the rule of the leading white space looks at the whole line before, made or not
        self.continued = false;
        self.text.extend_from_slice(before.as_bytes());
        if let Some((text, origin)) = inner {
            self.part(origin, false);
            self.text.extend_from_slice(text);
            self.part(Origin::Made(start, end), false);
            self.text.extend_from_slice(after.as_bytes());
        }
        self.text.push(b'\n');
    }

    /// The text of a token.
    pub(super) fn token(&self, token: Token) -> &[u8] {
        &self.text[token.start as usize..token.end as usize]
    }

    /// Adds a part as it is.
    pub(super) fn piece(&mut self, text: &[u8], origin: Origin) {
        self.part(origin, false);
        self.text.extend_from_slice(text);
    }

    /// Adds one line of code without its break. Leading white space is removed unless the line before ends in `\`.
    pub(super) fn line(&mut self, line: &[u8], origin: Origin) {
        let kept = if self.continued { line } else { trim_start(line) };
        let cut = to_u32(line.len() - kept.len());
        let origin = match origin {
            Origin::Code(start) => Origin::Code(start + cut),
            other => other,
        };
        self.part(origin, false);
        self.text.extend_from_slice(kept);
        self.text.push(b'\n');
        self.continued = kept.ends_with(b"\\");
    }

    /// Adds a line of code of which four bytes, from `cut` on, are left out.
    pub(super) fn line_without(&mut self, line: &[u8], start: u32, cut: usize) {
        self.line(&line[..cut], Origin::Code(start));
        self.text.pop();
        self.part(Origin::Code(start + to_u32(cut) + 4), false);
        self.text.extend_from_slice(&line[cut + 4..]);
        self.text.push(b'\n');
        self.continued = line.ends_with(b"\\");
    }

    /// Adds many lines of code; `start` is their offset in the source. Only LF ends a line here, as in ytt.
    pub(super) fn lines(&mut self, text: &[u8], start: u32) {
        let mut at = 0;
        for line in text.split(|byte| *byte == b'\n') {
            self.line(line, Origin::Code(start + to_u32(at)));
            at += line.len() + 1;
        }
    }

    fn index(&self, at: u32) -> usize {
        let is_behind = |index: usize| self.parts.get(index).is_none_or(|part| part.at > at);
        let last = self.last.load(Ordering::Relaxed);
        let near = self.parts.get(last).is_some_and(|part| part.at <= at);
        let index = match near {
            true if is_behind(last + 1) => last,
            true if is_behind(last + 2) => last + 1,
            _ => self.parts.partition_point(|part| part.at <= at).saturating_sub(1),
        };
        self.last.store(index, Ordering::Relaxed);
        index
    }

    /// The part that holds an offset of the text.
    pub(super) fn part_at(&self, at: u32) -> Option<&Part> {
        self.parts.get(self.index(at))
    }

    /// Offset of the end of the part that holds `at`.
    pub(super) fn part_end(&self, at: u32) -> u32 {
        self.parts.get(self.index(at) + 1).map_or(to_u32(self.text.len()), |next| next.at)
    }

    /// The place in the source, and whether characters of the text and of the source run in step there.
    pub(super) fn place(&self, at: u32) -> (u32, u32, bool) {
        let Some(part) = self.part_at(at) else { return (0, 0, false) };
        match part.origin {
            Origin::Code(start) | Origin::Argument(start) => {
                let offset = start + (at - part.at);
                (offset, offset, true)
            }
            Origin::Loose(start, end) | Origin::Made(start, end) => (start, end, false),
        }
    }

    /// The span in the source of a part of the text.
    pub(super) fn span(&self, start: u32, end: u32) -> Span {
        let (from, fixed, linear) = self.place(start);
        let last = if linear {
            let (last, fixed, linear) = self.place(end.max(start + 1) - 1);
            if end <= start {
                from
            } else if linear {
                last + 1
            } else {
                fixed.max(from)
            }
        } else {
            fixed
        };
        Span::new(self.source, from, last.max(from))
    }

    /// Adds to a diagnostic the item of the text-templated string that `at` lies in.
    pub(super) fn located(&self, diagnostic: Diagnostic, at: u32) -> Diagnostic {
        diagnostic.label_at(self.item_at(at), "in the text of this item")
    }

    /// The number of the text-templated string that an offset lies in, 0 outside of them.
    pub(super) fn region_at(&self, at: u32) -> u32 {
        self.part_at(at).map_or(0, |part| part.region)
    }

    /// The item of the text-templated string that an offset lies in.
    pub(super) fn item_at(&self, at: u32) -> Option<Span> {
        self.regions.get((self.region_at(at) as usize).checked_sub(1)?).copied()
    }

    /// An error at a part of the text.
    pub(super) fn error(&self, code: Code, message: impl Into<String>, start: u32, end: u32) -> Diagnostic {
        self.located(Diagnostic::error(code, message).label(self.span(start, end), ""), start)
    }

    /// Adds to an error of a comment in a value or annotation what to do with it. `#@` once more is a slip of those who
    /// write it in front of each name.
    pub(super) fn second_sign(&self, mut error: Diagnostic, start: u32) -> Diagnostic {
        const SIGN: &str = "#@";
        let place = self.span(start, start);
        let (before, rest) = self.source_text().split_at_checked(place.start as usize).unwrap_or_default();
        let before = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii_end();
        let is_code = rest.strip_prefix(SIGN.as_bytes()).filter(|code| !code.starts_with(b"!"));
        let is_open =
            before.ends_with(SIGN.as_bytes()) || before.last().is_some_and(|last| b"+-*/%,([{=|&<>".contains(last));
        let is_open = is_open
            || [" and", " or", " not", " in", " if", " else"].iter().any(|word| before.ends_with(word.as_bytes()));
        match is_code.filter(|_| is_open) {
            Some(code) => {
                let blanks = code.len() - code.trim_ascii_start().len();
                if let Some(label) = error.parts_mut().labels.first_mut() {
                    *label = Label {
                        span: self.source_span(place.start as usize, place.start as usize + SIGN.len()),
                        text: "a second `#@`: the first one of the line begins the code already".to_owned(),
                    };
                }
                let end = place.start as usize + SIGN.len() + blanks;
                error.help_edit("leave it out", self.source_span(place.start as usize, end), "")
            }
            None => error.note("a value or an annotation is one expression: a comment must stand on a line of its own"),
        }
    }
}

/// Without the white space of Unicode at the front; bytes that are not UTF-8 are no white space.
pub(super) fn trim_start(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes;
    while let Some(c) = first_char(rest).filter(|c| c.is_whitespace()) {
        rest = rest.split_at(c.len_utf8()).1;
    }
    rest
}

/// Without the white space of Unicode at the end.
pub(super) fn trim_end(bytes: &[u8]) -> &[u8] {
    let mut rest = bytes;
    loop {
        let from = rest.iter().rev().take(4).position(|byte| byte & 0xC0 != 0x80);
        let Some((before, last)) =
            from.and_then(|from| rest.split_at_checked(rest.len().checked_sub(from)?.checked_sub(1)?))
        else {
            return rest;
        };
        match std::str::from_utf8(last) {
            Ok(text) if text.chars().all(char::is_whitespace) => rest = before,
            _ => return rest,
        }
    }
}

/// The first character, if the bytes begin with one.
pub(super) fn first_char(bytes: &[u8]) -> Option<char> {
    match *bytes.first()? {
        ascii @ 0..0x80 => Some(char::from(ascii)),
        _ => bytes.get(..4).unwrap_or(bytes).utf8_chunks().next()?.valid().chars().next(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_of_unicode_is_trimmed_at_both_ends() {
        assert_eq!(trim_start("\u{3000}\t x ".as_bytes()), b"x ");
        assert_eq!(trim_end("x \u{A0}\r\n".as_bytes()), b"x");
        assert_eq!(trim_end(b" "), b"");
        assert_eq!(trim_end(b"\xff \xa0"), b"\xff \xa0");
    }

    #[test]
    fn a_line_after_a_backslash_keeps_its_blanks() {
        let mut input = Input::new(SourceId(0), ("", ""));
        input.lines(b"  a \\\n   b\n  c", 0);
        assert_eq!(input.text, b"a \\\n   b\nc\n");
        assert_eq!(input.span(0, 1), Span::new(SourceId(0), 2, 3));
        let at = input.text.iter().position(|b| *b == b'c').unwrap() as u32;
        assert_eq!(input.span(at, at + 1), Span::new(SourceId(0), 13, 14));
    }
}
