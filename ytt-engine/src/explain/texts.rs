//! Texts of text templates: each line leads to the parts of the template that printed it.

use super::origin::Origin;
use super::select::{Found, What};
use super::{Explanation, select};
use crate::diag::Diagnostic;
use crate::source::{Span, to_u32};
use crate::yaml::TextPart;

/// A file of the output that is a text.
pub(crate) struct Text<'r> {
    file: &'r str,
    text: std::borrow::Cow<'r, str>,
    parts: &'r [TextPart],
    /// Where its lines begin.
    lines: Vec<usize>,
}

impl<'r> Text<'r> {
    pub(crate) fn new(file: &'r str, bytes: &'r [u8], parts: &'r [TextPart]) -> Text<'r> {
        let text = String::from_utf8_lossy(bytes);
        // Other bytes are replaced by longer ones, behind which no offset would be right.
        let parts = if matches!(text, std::borrow::Cow::Borrowed(_)) { parts } else { &[] };
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at.saturating_add(1)));
        let lines = lines.filter(|at| *at < text.len()).collect();
        Text { file, text, parts, lines }
    }

    pub(super) fn file(&self) -> &str {
        self.file
    }

    pub(super) fn count(&self) -> usize {
        self.lines.len()
    }

    /// A line, from 0, without its break.
    pub(super) fn line(&self, number: usize) -> &str {
        let mut starts = self.lines.iter().skip(number).copied();
        let (start, end) = (starts.next().unwrap_or(self.text.len()), starts.next().unwrap_or(self.text.len()));
        self.text.get(start..end).unwrap_or_default().trim_end_matches(['\n', '\r'])
    }

    /// The parts of a line, in order: each with its place, what it has of the line, and who printed it.
    pub(super) fn parts_of(&self, number: usize) -> Vec<(TextPart, &str)> {
        let Some(&start) = self.lines.get(number) else { return Vec::new() };
        let end = start.saturating_add(self.line(number).len());
        let first = self.parts.partition_point(|part| part.at <= start).saturating_sub(1);
        let mut found = Vec::new();
        let mut parts = self.parts.iter().skip(first).peekable();
        while let Some(part) = parts.next() {
            let behind = parts.peek().map_or(self.text.len(), |next| next.at);
            let (from, to) = (part.at.max(start), behind.min(end));
            // An empty line is that of its break.
            if part.at > end || from > to || (from == to && start != end) {
                continue;
            }
            let mut part = *part;
            if !part.computed {
                let length = |from: usize, to: usize| to_u32(to.saturating_sub(from));
                let begin = part.place.start.saturating_add(length(part.at, from));
                let end = begin.saturating_add(length(from, to)).min(part.place.end);
                part.place = Span { start: begin.min(end), end, ..part.place };
            }
            // Code can print a character in two parts.
            found.push((part, self.text.get(from..to).unwrap_or_default()));
            if start == end {
                break;
            }
        }
        found
    }
}

impl<'r> Explanation<'r> {
    /// With the texts of the output.
    pub(crate) fn with_texts(self, texts: Vec<Text<'r>>) -> Explanation<'r> {
        Explanation { texts, ..self }
    }

    /// The text of this path, or whose path ends so.
    fn text_of(&self, file: &str) -> Result<Option<u32>, Diagnostic> {
        let is_whole = self.texts.iter().any(|text| text.file == file);
        let fits = |text: &Text<'_>| if is_whole { text.file == file } else { select::is_file(text.file, file) };
        let found: Vec<u32> =
            (0u32..).zip(&self.texts).filter(|(_, text)| fits(text)).map(|(number, _)| number).collect();
        match found[..] {
            [] => Ok(None),
            [one] => Ok(Some(one)),
            _ => Err(select::several(file, found.iter().map(|number| self.whole_text(*number).file.to_owned()))),
        }
    }

    /// A text, or a line of it, where a selector names one and no document.
    pub(super) fn find_text(
        &self,
        selector: &str,
        line: Option<(&str, usize)>,
    ) -> Result<Option<Found<'_>>, Diagnostic> {
        let file = line.map_or(selector, |(file, _)| file);
        if file.is_empty() || !self.documents_of(file).is_empty() {
            return Ok(None);
        }
        let Some(number) = self.text_of(file)? else { return Ok(None) };
        let count = self.whole_text(number).count();
        let line = line.map(|(_, line)| line);
        if let Some(line) = line.filter(|line| !(1..=count).contains(line)) {
            return Err(select::missing(format!("there is no line {line}: there are {count}")));
        }
        let what = What::Text { number, line: line.and_then(|line| u32::try_from(line.checked_sub(1)?).ok()) };
        Ok(Some(Found { explanation: self, what }))
    }

    /// What printed a line of a text, in order.
    pub(super) fn origins_of_text(&self, number: u32, line: u32) -> Vec<Origin> {
        let text = self.whole_text(number);
        text.parts_of(line as usize).iter().map(|(part, printed)| Origin::printed(self, part, printed)).collect()
    }
}
