//! Texts and places in them.
//!
//! A `Source` is one text that a render reads: a file, text in memory, the value of a flag. Every node and every
//! diagnostic names places by [`Span`]: a source and two byte offsets. Lines and columns are worked out on demand,
//! from the only line table there is.

use std::any::Any;
use std::fmt;
use std::panic::Location;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};

use crate::times::{Lap, Phase, Times};

/// Bytes, lines or things as places and the arena count them: 32 bits, at the most the largest number of these.
///
/// Texts have at most 2³¹ bytes (`files/read` and `yaml/check` refuse more), and what they hold is fewer.
pub(crate) fn to_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Number of a source in its [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SourceId(pub(crate) u32);

/// Text as it was read: YAML is always UTF-8, `.star` files and data need not be.
#[derive(Clone, Debug)]
pub(crate) enum Text {
    Str(Arc<str>),
    Bytes(Arc<[u8]>),
}

impl Text {
    /// Keeps `bytes` as `Str` exactly when they are UTF-8.
    pub(crate) fn from_bytes(bytes: Vec<u8>) -> Text {
        match String::from_utf8(bytes) {
            Ok(text) => Text::Str(text.into()),
            Err(error) => Text::Bytes(error.into_bytes().into()),
        }
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Text::Str(text) => text.as_bytes(),
            Text::Bytes(bytes) => bytes,
        }
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Text::Str(text) => Some(text),
            Text::Bytes(_) => None,
        }
    }
}

/// Where a source comes from, for the list of inputs and for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A file of the file system, under the path by which it is opened.
    File(PathBuf),
    /// Text given in memory under a name, standard input included.
    Memory,
    /// The value of a flag.
    Flag,
    /// A value set from Rust code. The text is not code: `start` of a span numbers what is meant.
    ///
    /// Of a tree that a call gives, it is the number of a value in pre-order: the tree is 0, an item and the map or list
    /// in it are one, keys do not count. Of a call with a key, 0 is the value, or the variable that it comes from, and
    /// 1 the first part of the key; the reference of a library is a part, too. Of a YAML text it is an offset, as always.
    Rust(&'static Location<'static>),
}

impl Origin {
    /// What people find a source by that has this name.
    pub(crate) fn shown_name(&self, name: &str) -> String {
        match self {
            Origin::File(path) => path.display().to_string(),
            _ => name.to_owned(),
        }
    }
}

/// What ends a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineBreaks {
    /// LF, CRLF, CR, NEL, LS and PS, as YAML 1.1 counts.
    Yaml,
    /// LF, CRLF and CR.
    Plain,
}

/// One text with its name.
#[derive(Debug)]
pub(crate) struct Source {
    /// The relative path, or a description such as `(data-value arg)`.
    pub(crate) name: Arc<str>,
    pub(crate) text: Text,
    pub(crate) origin: Origin,
    /// Number of the `Project` step that brought it, by which a macro finds the argument.
    pub(crate) input: u32,
    /// What ends its lines.
    pub(crate) breaks: LineBreaks,
    lines: OnceLock<Vec<u32>>,
    documents: OnceLock<Vec<u32>>,
    /// What messages read off the text, for layers above: each kind of it once.
    readings: Mutex<Vec<Arc<dyn Any + Send + Sync>>>,
}

impl Source {
    /// A file that nobody read, to speak of it: reports show its name.
    pub(crate) fn only_named(name: impl Into<Arc<str>>, origin: Origin) -> Source {
        // Of no input: nobody may take this for its text.
        Source::new(name, Text::Str("".into()), origin, u32::MAX, LineBreaks::Plain)
    }

    pub(crate) fn is_only_named(&self) -> bool {
        self.input == u32::MAX && self.text.as_bytes().is_empty()
    }

    pub(crate) fn new(name: impl Into<Arc<str>>, text: Text, origin: Origin, input: u32, breaks: LineBreaks) -> Source {
        let (lines, documents, readings) = (OnceLock::new(), OnceLock::new(), Mutex::default());
        Source { name: name.into(), text, origin, input, breaks, lines, documents, readings }
    }

    /// What people find it by: the path under which a file was opened, else the name.
    pub(crate) fn shown_name(&self) -> String {
        self.origin.shown_name(&self.name)
    }

    /// What is read off the text, once for each type: the first who asks has it made.
    pub(crate) fn reading<T: Any + Send + Sync>(&self, read: impl FnOnce() -> Option<T>) -> Option<Arc<T>> {
        let made = || self.readings.lock().unwrap_or_else(PoisonError::into_inner);
        let known = made().iter().find_map(|one| Arc::clone(one).downcast::<Option<Arc<T>>>().ok());
        if let Some(known) = known {
            return (*known).clone();
        }
        // Not under the lock: it may ask for what else is read off the text.
        let new = read().map(Arc::new);
        made().push(Arc::new(new.clone()));
        new
    }

    /// A text that is written here: its lines end as those of the file do.
    pub(crate) fn with_own_breaks(&self, text: &str) -> Option<String> {
        let first = self.text.as_bytes().split(|byte| *byte == b'\n').next()?;
        let is_other = first.len() < self.text.as_bytes().len() && first.ends_with(b"\r");
        (is_other && text.contains('\n')).then(|| text.replace("\r\n", "\n").replace('\n', "\r\n"))
    }

    /// Offsets at which lines start; the first is 0.
    fn line_starts(&self) -> &[u32] {
        self.lines.get_or_init(|| line_starts(self.text.as_bytes(), self.breaks))
    }

    /// Line of a byte offset, from 1.
    pub(crate) fn line(&self, offset: u32) -> u32 {
        to_u32(self.line_starts().partition_point(|start| *start <= offset))
    }

    /// Number of the YAML document that a byte offset is in, from 1.
    pub(crate) fn document(&self, offset: u32) -> usize {
        let starts = self.documents.get_or_init(|| document_starts(self.text.as_bytes()));
        starts.partition_point(|start| *start <= offset).max(1)
    }

    /// Line and column of a byte offset, both from 1; columns count characters, or bytes where the text is not UTF-8.
    pub(crate) fn position(&self, offset: u32) -> Position {
        let starts = self.line_starts();
        let line = starts.partition_point(|start| *start <= offset).max(1);
        let bytes = self.text.as_bytes();
        let from = starts.get(line.wrapping_sub(1)).map_or(0, |start| *start as usize);
        let before = bytes.get(from..(offset as usize).min(bytes.len())).unwrap_or_default();
        let column = match std::str::from_utf8(before) {
            Ok(text) => text.chars().count(),
            Err(_) => before.len(),
        };
        Position { line: to_u32(line), column: to_u32(column).saturating_add(1) }
    }

    /// Offsets of a line (from 1) without its break; an empty range behind the last line.
    pub(crate) fn line_range(&self, line: u32) -> std::ops::Range<u32> {
        let (starts, bytes) = (self.line_starts(), self.text.as_bytes());
        let Some(&from) = starts.get((line as usize).wrapping_sub(1)) else {
            return to_u32(bytes.len())..to_u32(bytes.len());
        };
        let mut to = starts.get(line as usize).map_or(bytes.len(), |next| *next as usize);
        if (line as usize) < starts.len() {
            to = trim_break(bytes, from as usize, to, self.breaks);
        }
        from..to_u32(to)
    }

    /// The text of a part, if it is UTF-8.
    pub(crate) fn written(&self, span: Span) -> Option<&str> {
        let bytes = self.text.as_bytes().get(span.start as usize..span.end as usize)?;
        std::str::from_utf8(bytes).ok()
    }

    /// The lines of a part that stands alone on them, with their break; `None` if anything else is on them.
    pub(crate) fn whole_lines(&self, span: Span) -> Option<Span> {
        let start = self.line_range(self.line(span.start)).start;
        let last = self.line(span.end);
        let end = self.line_range(last).end;
        let bytes = self.text.as_bytes();
        let is_blank = |from: u32, to: u32| {
            bytes
                .get(from as usize..to as usize)
                .is_some_and(|part| part.iter().all(|byte| matches!(byte, b' ' | b'\t')))
        };
        let next = *self.line_starts().get(last as usize)?;
        let alone = is_blank(start, span.start) && is_blank(span.end, end);
        alone.then_some(Span { start, end: next, ..span })
    }

    /// The lines of a part, with their breaks; `None` if anything but a comment behind it is on them.
    pub(crate) fn lines_of(&self, span: Span) -> Option<Span> {
        let bytes = self.text.as_bytes();
        let start = self.line_range(self.line(span.start)).start;
        let last = self.line(span.end.saturating_sub(1).max(span.start));
        let (from, to) = (start as usize..span.start as usize, self.line_range(last));
        let before = bytes.get(from)?;
        let behind = bytes.get(span.end as usize..to.end.max(span.end) as usize)?.trim_ascii();
        let end = self.line_starts().get(last as usize).copied().unwrap_or(to_u32(bytes.len()));
        let is_alone = before.iter().all(|byte| *byte == b' ') && behind.first().is_none_or(|first| *first == b'#');
        is_alone.then_some(Span { start, end, ..span })
    }

    /// An element of a list with the comma that goes with it.
    pub(crate) fn with_comma(&self, list: Span, element: Span) -> Span {
        let text = |start: u32, end: u32| self.text.as_bytes().get(start as usize..end as usize).unwrap_or_default();
        let (before, behind) = (text(list.start, element.start), text(element.end, list.end));
        match behind.trim_ascii_start().strip_prefix(b",") {
            Some(rest) => {
                // A line break stays: code may begin anew behind it.
                let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
                let end = list.end.saturating_sub(to_u32(rest.len().saturating_sub(blanks)));
                Span { end, ..element }
            }
            None => {
                let kept = before.trim_ascii_end();
                let kept = kept.strip_suffix(b",").unwrap_or(kept);
                Span { start: list.start.saturating_add(to_u32(kept.len())), ..element }
            }
        }
    }

    /// Where a line can be put above the one that a part begins, as an empty span, and what that line must end with: the
    /// part's indentation. Only where nothing but blanks stands in front of the part.
    pub(crate) fn above(&self, span: Span) -> Option<(Span, String)> {
        let line = self.line_range(self.line(span.start)).start;
        let before = self.text.as_bytes().get(line as usize..span.start as usize)?;
        let at = Span { end: span.start, ..span };
        before.iter().all(|byte| *byte == b' ').then(|| (at, " ".repeat(before.len())))
    }

    /// The key of the map that a part stands in: in the nearest line above that begins further to the left.
    pub(crate) fn parent_key(&self, span: Span) -> Option<Span> {
        const MOST: usize = 200;
        let indent = |text: &str| text.len().saturating_sub(text.trim_start_matches(' ').len());
        let line = self.line(span.start);
        let own = indent(&self.line_text(line));
        let line = (1..line).rev().take(MOST).find(|line| {
            let text = self.line_text(*line);
            let content = text.trim_start();
            !content.is_empty() && !content.starts_with('#') && indent(&text) < own
        })?;
        let text = self.line_text(line);
        let key = text.trim_start_matches([' ', '-']);
        let begin = text.len().checked_sub(key.len())?;
        let length = key.split_once(':')?.0.len();
        let start = self.line_range(line).start.checked_add(to_u32(begin))?;
        Some(Span { start, end: start.checked_add(to_u32(length))?, ..span })
    }

    /// As [`replaced`], in this text.
    pub(crate) fn replaced<'t>(&self, parts: impl IntoIterator<Item = (Span, &'t str)>) -> Option<(Span, String)> {
        replaced(self.text.as_str()?, parts)
    }

    /// The edit that takes lines away and writes `new` lines at one of several places, where it goes the shortest way.
    pub(crate) fn moved(
        &self,
        lines: Span,
        places: impl IntoIterator<Item = u32>,
        new: &str,
    ) -> Option<(Span, String)> {
        let far = |at: &u32| at.abs_diff(if *at <= lines.start { lines.start } else { lines.end });
        let at = places.into_iter().min_by_key(far)?;
        let part = |start: u32, end: u32| self.written(Span { start, end, ..lines });
        let text = match at <= lines.start {
            true => [new, part(at, lines.start)?].concat(),
            false => {
                let stays = part(lines.end, at)?;
                // The last line of a file may have no break.
                let end = if stays.is_empty() || stays.ends_with('\n') { "" } else { "\n" };
                [stays, end, new].concat()
            }
        };
        Some((Span { start: at.min(lines.start), end: at.max(lines.end), ..lines }, text))
    }

    /// Text of a line (from 1) without its break; bytes that are not UTF-8 are replaced.
    pub(crate) fn line_text(&self, line: u32) -> String {
        let range = self.line_range(line);
        let line = self.text.as_bytes().get(range.start as usize..range.end as usize).unwrap_or_default();
        String::from_utf8_lossy(line).into_owned()
    }
}

/// One edit that writes texts in the place of parts of a text, which are in order: what stands between them stays.
pub(crate) fn replaced<'t>(text: &str, parts: impl IntoIterator<Item = (Span, &'t str)>) -> Option<(Span, String)> {
    let mut parts = parts.into_iter();
    let (mut whole, first) = parts.next()?;
    let mut new = first.to_owned();
    for (part, written) in parts {
        new.push_str(text.get(whole.end as usize..part.start as usize)?);
        new.push_str(written);
        whole.end = part.end;
    }
    Some((whole, new))
}

/// Lines that begin in a column, with their breaks, as they begin in another one; `None` if one of them begins before.
pub(crate) fn indented(lines: &str, from: usize, to: usize) -> Option<String> {
    let (old, new) = (" ".repeat(from), " ".repeat(to));
    let mut out = String::new();
    for line in lines.lines() {
        match line.strip_prefix(&old) {
            Some(rest) => out.push_str(&format!("{new}{rest}\n")),
            None if line.trim().is_empty() => out.push('\n'),
            None => return None,
        }
    }
    Some(out)
}

/// Length of the line break at `at`, 0 if there is none.
fn break_length(bytes: &[u8], at: usize, breaks: LineBreaks) -> usize {
    match bytes.get(at..).unwrap_or_default() {
        [b'\r', b'\n', ..] => 2,
        [b'\n' | b'\r', ..] => 1,
        [0xC2, 0x85, ..] if breaks == LineBreaks::Yaml => 2,
        [0xE2, 0x80, 0xA8 | 0xA9, ..] if breaks == LineBreaks::Yaml => 3,
        _ => 0,
    }
}

#[allow(clippy::arithmetic_side_effects, reason = "`at` stops at the end of the text")]
fn line_starts(bytes: &[u8], breaks: LineBreaks) -> Vec<u32> {
    let (mut starts, mut at) = (vec![0], 0);
    while at < bytes.len() {
        match break_length(bytes, at, breaks) {
            0 => at += 1,
            length => {
                at += length;
                starts.push(to_u32(at));
            }
        }
    }
    starts
}

/// Offsets of the lines at which YAML documents start: `---`, or what the first one holds.
fn document_starts(bytes: &[u8]) -> Vec<u32> {
    let (mut starts, mut at) = (Vec::new(), 0u32);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let marker = line.strip_prefix(b"---").is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace));
        let holds = line.trim_ascii_start().first().is_some_and(|first| !matches!(first, b'#' | b'%'));
        if marker || starts.is_empty() && holds {
            starts.push(at);
        }
        at = at.saturating_add(to_u32(line.len()));
    }
    starts
}

fn trim_break(bytes: &[u8], from: usize, to: usize, breaks: LineBreaks) -> usize {
    let longest = to.saturating_sub(3).max(from);
    (longest..to).find(|&at| to.checked_sub(at) == Some(break_length(bytes, at, breaks))).unwrap_or(to)
}

/// A part of a source, in bytes; `end` is behind the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Span {
    pub(crate) source: SourceId,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    pub(crate) fn new(source: SourceId, start: u32, end: u32) -> Span {
        Span { source, start, end }
    }

    /// Is all of another one in it?
    pub(crate) fn holds(self, other: Span) -> bool {
        self.source == other.source && self.start <= other.start && other.end <= self.end
    }
}

/// Line and column of a character, both from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// All sources of a render. Sources are only added, so a [`SourceId`] stays good as long as the map.
#[derive(Debug, Default)]
pub(crate) struct SourceMap {
    sources: RwLock<Vec<Arc<Source>>>,
    /// Who asked how long the work on each takes.
    times: Option<Times>,
}

impl SourceMap {
    /// Without sources; the work on those to come is timed if somebody asks for it.
    pub(crate) fn timed(times: Option<Times>) -> SourceMap {
        SourceMap { times, ..SourceMap::default() }
    }
    /// Counts time for a source while the guard is there, if it is asked for.
    pub(crate) fn lap(&self, source: SourceId, phase: Phase) -> Option<Lap> {
        self.lap_of(phase, || self.get(source).shown_name())
    }

    /// The same by the name under which people find a source, which need not be there yet.
    pub(crate) fn lap_of(&self, phase: Phase, name: impl FnOnce() -> String) -> Option<Lap> {
        self.times.as_ref().map(|times| times.begin(&name(), phase))
    }

    pub(crate) fn add(&self, source: Source) -> SourceId {
        let mut sources = self.sources.write().unwrap_or_else(|poisoned| poisoned.into_inner());
        let id = SourceId(to_u32(sources.len()));
        sources.push(Arc::new(source));
        id
    }

    #[allow(
        clippy::indexing_slicing,
        reason = "an id is the number of a source that was added, and none is taken away"
    )]
    pub(crate) fn get(&self, id: SourceId) -> Arc<Source> {
        let sources = self.sources.read().unwrap_or_else(|poisoned| poisoned.into_inner());
        sources[id.0 as usize].clone()
    }

    /// All that there are now.
    pub(crate) fn all(&self) -> Vec<Arc<Source>> {
        self.sources.read().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }

    /// `NAME:LINE`, as the reference names places.
    pub(crate) fn name_line(&self, span: Span) -> String {
        let source = self.get(span.source);
        format!("{}:{}", source.name, source.line(span.start))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str, breaks: LineBreaks) -> Source {
        Source::new("a.yml", Text::Str(text.into()), Origin::Memory, 0, breaks)
    }

    #[test]
    fn lines_move_the_shortest_way() {
        let s = source("a: 1\nb: 2\nc: 3", LineBreaks::Yaml);
        let span = |start, end| Span::new(SourceId(0), start, end);
        assert_eq!(s.moved(span(5, 10), [0], "x: 2\n"), Some((span(0, 10), "x: 2\na: 1\n".to_owned())));
        // The last line has no break.
        assert_eq!(s.moved(span(5, 10), [14], "x: 2\n"), Some((span(5, 14), "c: 3\nx: 2\n".to_owned())));
        assert_eq!(s.moved(span(5, 10), [5, 10], "  b: 2\n"), Some((span(5, 10), "  b: 2\n".to_owned())));
        assert_eq!(s.moved(span(5, 10), [], ""), None);
        assert_eq!(indented("  a:\n\n    b\n", 2, 0).as_deref(), Some("a:\n\n  b\n"));
        assert_eq!(indented("  a:\n b\n", 2, 4), None);
    }

    #[test]
    fn lines_and_columns_count_from_one_and_in_characters() {
        let s = source("é: 1\r\nb: 2\rc\n", LineBreaks::Plain);
        assert_eq!(s.position(0), Position { line: 1, column: 1 });
        assert_eq!(s.position(2), Position { line: 1, column: 2 });
        assert_eq!(s.position(7), Position { line: 2, column: 1 });
        assert_eq!(s.line_text(1), "é: 1");
        assert_eq!(s.line_text(2), "b: 2");
        assert_eq!(s.line_text(3), "c");
        assert_eq!(s.line_text(4), "");
        assert_eq!(s.line_text(9), "");
    }

    #[test]
    fn only_yaml_counts_the_separators_of_unicode() {
        let text = "a\u{85}b\u{2028}c";
        assert_eq!(source(text, LineBreaks::Yaml).line(7), 3);
        assert_eq!(source(text, LineBreaks::Plain).line(7), 1);
        assert_eq!(source(text, LineBreaks::Yaml).line_text(2), "b");
    }
}
