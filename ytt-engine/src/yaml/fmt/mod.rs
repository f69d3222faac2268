//! The formatter of `ytt fmt`: a tree as it was read, comments included, in one canonical form.
//!
//! The text is that of the reference wherever it reads back as the same tree. Where it does not, it is mended: empty
//! maps and arrays stay, keys are quoted where they must be, and text of several lines may stand anywhere.

use crate::diag::Diagnostic;
use crate::limits::Limits;
use crate::source::{LineBreaks, Origin, Source, SourceMap, Span, Text};
use crate::yaml::document::{read_memory, with_sources};
use crate::yaml::quote::{self, Shape, Style};
use crate::yaml::view::{Entries, Guard, View};
use crate::yaml::{Arena, NodeId, ReadOptions, Val, comment_text, print, read_text};

/// Formats the text of a YAML file: the tree and its comments stay, spelling and layout become those of `ytt fmt`.
///
/// Duplicate keys stay, aliases and merge keys are written out; tags, directives and empty lines go. With `strict`, text
/// whose type is not clear is refused. `name` is the file's name in messages.
///
/// ```
/// let text = ytt_engine::yaml::format("a.yml", b"{a: 1, b: [yes]} # c\n", false).unwrap();
/// assert_eq!(text, "a: 1\nb:\n  - true # c\n");
/// ```
///
/// # Errors
///
/// If the text is not YAML that ytt reads, or exceeds one of [`Limits::build`].
pub fn format(name: &str, text: &[u8], strict: bool) -> Result<String, Diagnostic> {
    let (arena, sources, source, file) = read_memory(name, text, strict)?;
    let formatted = documents(&arena, &sources.get(source), arena.items(file.root), Limits::build().output_bytes);
    formatted.map_err(|error| with_sources(error, &sources))
}

/// Formats the documents of one source, the invisible last one included. `limit` is the largest number of bytes.
pub(crate) fn documents(
    arena: &Arena,
    source: &Source,
    documents: &[NodeId],
    limit: u64,
) -> Result<String, Diagnostic> {
    let guard = Guard { depth: arena.depth(), limit };
    let mut formatter = Formatter { arena, source, out: String::new(), last: Last::Closed, keeps: false, guard };
    for (index, &document) in documents.iter().enumerate() {
        formatter.document(index, document)?;
    }
    Ok(formatter.out)
}

/// Longest key in characters that can be read before its `:` on one line.
const SIMPLE_KEY: usize = 1024;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// A whole line.
    Closed,
    /// The beginning of a line that may go on.
    Open,
    /// A request for an empty line.
    Spacer,
}

struct Formatter<'a> {
    arena: &'a Arena,
    source: &'a Source,
    out: String,
    last: Last,
    /// What was written last keeps all line breaks that follow it: an empty line would become a part of it.
    keeps: bool,
    guard: Guard,
}

/// A collection that is being written.
struct Frame<'a> {
    entries: Entries<'a>,
    next: usize,
    is_map: bool,
    indent: usize,
    /// The item before had comments on lines of their own: an empty line separates it from what follows.
    spaced: bool,
}

/// How a value is laid out.
enum Layout<'a> {
    /// On the line of its key or `-`.
    Line(String),
    /// A literal block: its text as at the root.
    Block(String),
    Collection(Entries<'a>, bool),
}

impl<'a> Formatter<'a> {
    fn document(&mut self, index: usize, document: NodeId) -> Result<(), Diagnostic> {
        let (suffix, spaced) = self.comments(document, 0, index == 0);
        if index > 0 || suffix.is_some() {
            self.begin(0, false);
            self.out.push_str("---");
            self.end(suffix, false);
        }
        let span = self.arena.span_of(document);
        let mut open: Vec<Frame<'a>> = Vec::new();
        let value = self.arena.value(document);
        if value != Val::Null {
            match self.layout(value, span)? {
                Layout::Line(text) | Layout::Block(text) => self.text(&text, 0),
                Layout::Collection(entries, is_map) => {
                    open.push(Frame { entries, next: 0, is_map, indent: 0, spaced: false })
                }
            }
        }
        while let Some(frame) = open.last_mut() {
            self.guard.check_length(self.out.len(), span)?;
            if std::mem::take(&mut frame.spaced) {
                self.last = Last::Spacer;
            }
            let (index, indent, is_map) = (frame.next, frame.indent, frame.is_map);
            let Some(entry) = frame.entries.get(index) else {
                open.pop();
                continue;
            };
            frame.next = index.saturating_add(1);
            let (suffix, spaced) = match entry.node {
                Some(node) => self.comments(node, indent, index == 0),
                None => (None, false),
            };
            frame.spaced = spaced;
            self.begin(indent, true);
            let span = entry.node.and_then(|node| self.arena.span_of(node)).or(span);
            if !is_map {
                self.out.push('-');
            }
            let inline = !is_map || self.key(entry.key, indent, span)?;
            self.item(entry.value, indent, inline, suffix, span, &mut open)?;
        }
        if spaced {
            self.last = Last::Spacer;
        }
        self.guard.check_length(self.out.len(), span)
    }

    /// What follows a key or `-`; `inline` says whether a collection may begin on that line.
    fn item(
        &mut self,
        value: Val,
        indent: usize,
        inline: bool,
        suffix: Option<Span>,
        span: Option<Span>,
        open: &mut Vec<Frame<'a>>,
    ) -> Result<(), Diagnostic> {
        match self.layout(value, span)? {
            Layout::Line(text) => {
                if value != Val::Null || suffix.is_none() {
                    self.out.push(' ');
                    self.out.push_str(&text);
                }
                self.end(suffix, false);
            }
            Layout::Block(text) => {
                self.end(suffix, suffix.is_none());
                self.text(&text, indent.saturating_add(2));
            }
            Layout::Collection(entries, is_map) => {
                self.guard.check_depth(open.len(), span)?;
                self.end(suffix, inline && suffix.is_none());
                open.push(Frame { entries, next: 0, is_map, indent: indent.saturating_add(2), spaced: false });
            }
        }
        Ok(())
    }

    fn layout(&self, value: Val, span: Option<Span>) -> Result<Layout<'a>, Diagnostic> {
        let mut text = String::new();
        match View::of(self.arena, value) {
            View::Map(entries) if !entries.is_empty() => return Ok(Layout::Collection(entries, true)),
            View::Array(entries) if !entries.is_empty() => return Ok(Layout::Collection(entries, false)),
            View::Str(string) => {
                self.guard.check_length(self.out.len().saturating_add(string.len()), span)?;
                quote::write_str(&mut text, string, 2);
            }
            _ => {
                text = print::text(self.arena, value, false, self.guard.limit)?;
                if text.ends_with('\n') {
                    text.pop();
                }
                let block = text.contains('\n');
                return Ok(if block { Layout::Block(text + "\n") } else { Layout::Line(text) });
            }
        }
        Ok(if text.contains('\n') { Layout::Block(text) } else { Layout::Line(text) })
    }

    /// Begins a piece of text: on a new line, or behind what is open if it `joins`.
    fn begin(&mut self, indent: usize, joins: bool) {
        match self.last {
            Last::Open if joins => return self.out.push(' '),
            Last::Spacer if self.keeps => {}
            Last::Open | Last::Spacer => self.out.push('\n'),
            Last::Closed => {}
        }
        self.keeps = false;
        quote::write_indent(&mut self.out, indent);
    }

    /// Ends a piece of text with the comment of its line; `opens` leaves the line open.
    fn end(&mut self, suffix: Option<Span>, opens: bool) {
        if let Some(comment) = suffix {
            self.out.push_str(" #");
            self.out.push_str(comment_text(self.source, comment));
        }
        if opens {
            self.last = Last::Open;
        } else {
            self.out.push('\n');
            self.last = Last::Closed;
        }
    }

    /// A whole scalar, whose lines after the first stand at `indent` instead of 2.
    fn text(&mut self, text: &str, indent: usize) {
        self.begin(indent, true);
        let ends_itself = text.ends_with(['\n', '\u{2028}', '\u{2029}']);
        let deeper = indent.saturating_sub(2);
        self.lines(text, deeper);
        if !ends_itself {
            self.out.push('\n');
        }
        self.last = Last::Closed;
        let header = text.split('\n').next().unwrap_or_default();
        self.keeps = header.starts_with('|') && header.ends_with('+');
    }

    /// Text whose lines after the first are moved to the right, empty ones too.
    fn lines(&mut self, text: &str, deeper: usize) {
        let mut lines = text.split_inclusive(['\n', '\u{2028}', '\u{2029}']).peekable();
        while let Some(line) = lines.next() {
            self.out.push_str(line);
            // The reference knows LF only; a text line behind another break must be moved, an empty one need not.
            let is_text = |next: &&str| line.ends_with('\n') || !next.starts_with(['\n', '\u{2028}', '\u{2029}']);
            if lines.peek().is_some_and(is_text) {
                quote::write_indent(&mut self.out, deeper);
            }
        }
    }

    /// A key with its `:`; `true` if a collection may begin on that line.
    fn key(&mut self, key: Val, indent: usize, span: Option<Span>) -> Result<bool, Diagnostic> {
        let mut text = String::new();
        match View::of(self.arena, key) {
            View::Str(string) => {
                self.guard.check_length(self.out.len().saturating_add(string.len()), span)?;
                let shape = Shape::of(string);
                if shape.multiline {
                    quote::write_str(&mut text, string, 2);
                    return Ok(self.explicit_key(&text, indent, indent));
                }
                if string != "<<" && (shape.style == Style::Plain || reads_back(string, indent > 0)) {
                    text.push_str(string);
                } else if shape.style == Style::Plain {
                    quote::write_styled(&mut text, string, Style::Double, 2);
                } else {
                    quote::write_styled(&mut text, string, shape.style, 2);
                }
                if text.chars().take(SIMPLE_KEY + 1).count() > SIMPLE_KEY {
                    return Ok(self.explicit_key(&text, indent, indent));
                }
            }
            View::Map(entries) | View::Array(entries) if !entries.is_empty() => {
                text = print::text(self.arena, key, true, self.guard.limit).map_err(|error| error.at(span))?;
                return Ok(self.explicit_key(&text, indent, indent.saturating_add(2)));
            }
            _ => {
                text = print::text(self.arena, key, false, self.guard.limit).map_err(|error| error.at(span))?;
                text.pop();
                if text.contains('\n') {
                    text.push('\n');
                    return Ok(self.explicit_key(&text, indent, indent));
                }
            }
        }
        self.out.push_str(&text);
        self.out.push(':');
        Ok(false)
    }

    /// `? KEY`, whose further lines are moved to the right by `deeper`, and the `:` on a line of its own.
    fn explicit_key(&mut self, text: &str, indent: usize, deeper: usize) -> bool {
        self.out.push_str("? ");
        self.lines(text, deeper);
        if !text.ends_with(['\n', '\u{2028}', '\u{2029}']) {
            self.out.push('\n');
        }
        quote::write_indent(&mut self.out, indent);
        self.out.push(':');
        true
    }

    /// Writes the comments that stand on lines of their own; gives the one on the line of the node, and whether others
    /// were written. Nothing goes above the first item of a collection but its comments.
    fn comments(&mut self, node: NodeId, indent: usize, first: bool) -> (Option<Span>, bool) {
        let comments = self.arena.comments(node);
        let line = self.arena.place_of(node).map(|place| self.source.line(place.start));
        let suffix = comments.iter().rposition(|comment| Some(self.source.line(comment.start)) == line);
        let mut spaced = false;
        for (index, comment) in comments.iter().enumerate() {
            if Some(index) == suffix {
                continue;
            }
            if !first && !spaced {
                self.last = Last::Spacer;
            }
            spaced = true;
            self.begin(indent, false);
            self.out.push('#');
            self.out.push_str(comment_text(self.source, *comment));
            self.end(None, false);
        }
        (suffix.and_then(|index| comments.get(index).copied()), spaced)
    }
}

/// Does `KEY: 0` give this string as key, at the left edge or deeper? Asked only of keys that the printer would quote.
fn reads_back(key: &str, deeper: bool) -> bool {
    let text = if deeper { format!("x:\n  {key}: 0\n") } else { format!("{key}: 0\n") };
    let source = Source::new("", Text::Str(text.into()), Origin::Memory, 0, LineBreaks::Yaml);
    let mut arena = Arena::new(4);
    let options = ReadOptions { strict: false, alias_nodes: 0, reports: 0 };
    let Ok(file) = read_text(&mut arena, &SourceMap::default(), source, &options) else { return false };
    let [document] = *arena.items(file.root) else { return false };
    let mut value = arena.value(document);
    if deeper {
        let Val::Node(map) = value else { return false };
        let [item] = *arena.items(map) else { return false };
        value = arena.value(item);
    }
    let Val::Node(map) = value else { return false };
    let [item] = *arena.items(map) else { return false };
    arena.str(arena.key(item)) == Some(key) && arena.value(item) == Val::Int(0)
}

#[cfg(test)]
mod tests;
