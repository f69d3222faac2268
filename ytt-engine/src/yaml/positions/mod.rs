//! The output `-o pos`: one line for each node, with the file and line that it comes from.
//!
//! Compat: values that stand on lines of their own go through `garble`, since the reference uses them as format
//! strings; keys that are not strings are shown in the way in which Go shows arguments that do not fit.

mod garble;

use crate::diag::Diagnostic;
use crate::source::{SourceMap, Span};
use crate::times::Phase;
use crate::yaml::view::{self, Entries, Entry, Guard, View};
use crate::yaml::{Arena, NodeId, Val, number, print};

/// Width of the column of positions: one for a whole run, over all files.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Width(usize);

/// Appends the lines of documents; those that are null or an empty map or array node are left out. The text need not be
/// UTF-8. `limit` is the largest number of bytes that `out` may have.
pub(crate) fn documents(
    arena: &Arena,
    sources: &SourceMap,
    documents: &[NodeId],
    width: &mut Width,
    out: &mut Vec<u8>,
    limit: u64,
) -> Result<(), Diagnostic> {
    let guard = Guard { depth: arena.depth(), limit };
    let mut printer = Printer { arena, sources, width, out, guard };
    for &document in documents {
        if !arena.is_empty_document(document) {
            let _lap = arena.span_of(document).and_then(|span| sources.lap(span.source, Phase::Printing));
            printer.document(document)?;
        }
    }
    Ok(())
}

struct Printer<'a, 'o> {
    arena: &'a Arena,
    sources: &'a SourceMap,
    width: &'o mut Width,
    out: &'o mut Vec<u8>,
    guard: Guard,
}

/// A collection that is being printed.
struct Frame<'a> {
    entries: Entries<'a>,
    next: usize,
    is_map: bool,
    span: Option<Span>,
}

impl<'a> Printer<'a, '_> {
    fn document(&mut self, document: NodeId) -> Result<(), Diagnostic> {
        let span = self.arena.span_of(document);
        self.position(span);
        self.out.extend_from_slice(b"[doc]\n");
        let mut open: Vec<Frame<'a>> = Vec::new();
        self.below(self.arena.value(document), span, &mut open)?;
        while let Some(frame) = open.last_mut() {
            self.guard.check_length(self.out.len(), frame.span)?;
            let (index, is_map) = (frame.next, frame.is_map);
            let Some(entry) = frame.entries.get(index) else {
                open.pop();
                continue;
            };
            frame.next = index.saturating_add(1);
            let span = entry.node.and_then(|node| self.arena.span_of(node));
            let at = span.or(frame.span);
            self.item(entry, if is_map { None } else { Some(index) }, span, at, &mut open)?;
        }
        self.guard.check_length(self.out.len(), span)
    }

    /// The line of one item; opens the collection in it.
    fn item(
        &mut self,
        entry: Entry,
        index: Option<usize>,
        span: Option<Span>,
        at: Option<Span>,
        open: &mut Vec<Frame<'a>>,
    ) -> Result<(), Diagnostic> {
        self.position(span);
        self.indent(open.len());
        match index {
            None => {
                self.key(entry.key, at, 0)?;
                self.out.push(b':');
            }
            Some(index) => self.out.extend_from_slice(format!("[{index}]").as_bytes()),
        }
        if !matches!(entry.value, Val::Node(_)) {
            let text = self.text(entry.value)?;
            if !text.contains(&b'\n') {
                self.out.push(b' ');
                self.out.extend_from_slice(&text);
                self.out.push(b'\n');
                return Ok(());
            }
        }
        self.out.push(b'\n');
        self.below(entry.value, at, open)
    }

    /// A value on lines of its own: text, or the items of a collection.
    fn below(&mut self, value: Val, span: Option<Span>, open: &mut Vec<Frame<'a>>) -> Result<(), Diagnostic> {
        if let Val::Node(_) = value {
            let (entries, is_map) = match View::of(self.arena, value) {
                View::Map(entries) => (entries, true),
                View::Array(entries) => (entries, false),
                View::Other(node) => return Err(view::misplaced(self.arena, node, span)),
                _ => return Ok(()),
            };
            self.guard.check_depth(open.len(), span)?;
            open.push(Frame { entries, next: 0, is_map, span });
            return Ok(());
        }
        let text = self.text(value)?;
        let mut line = Vec::with_capacity(self.width.0.saturating_add(text.len()).saturating_add(5));
        std::mem::swap(self.out, &mut line);
        self.pad("");
        self.indent(open.len().saturating_add(1));
        self.out.extend_from_slice(&text);
        self.out.push(b'\n');
        std::mem::swap(self.out, &mut line);
        garble::format_without_arguments(&line, self.out);
        Ok(())
    }

    /// The YAML text of a value without its last byte, which mostly is the line end.
    fn text(&self, value: Val) -> Result<Vec<u8>, Diagnostic> {
        // Compat: a literal that ends in a separator of Unicode loses the last byte of that.
        let mut text = print::text(self.arena, value, false, self.guard.limit)?.into_bytes();
        text.pop();
        Ok(text)
    }

    fn indent(&mut self, level: usize) {
        self.out.extend(std::iter::repeat_n(b' ', level.saturating_mul(2)));
    }

    /// The column with the position; nothing where it is not known.
    fn position(&mut self, span: Option<Span>) {
        if let Some(span) = span {
            let source = self.sources.get(span.source);
            let line = source.line(span.start);
            let text = if source.name.is_empty() { line.to_string() } else { format!("{}:{line}", source.name) };
            self.pad(&text);
        }
    }

    fn pad(&mut self, text: &str) {
        if text.len() > self.width.0 {
            self.width.0 = text.len().saturating_add(10);
        }
        let blanks = self.width.0.saturating_sub(text.chars().count());
        self.out.extend(std::iter::repeat_n(b' ', blanks));
        self.out.extend_from_slice(text.as_bytes());
        self.out.extend_from_slice(b" | ");
    }

    /// A key as Go's `%s` shows it.
    fn key(&mut self, key: Val, at: Option<Span>, depth: usize) -> Result<(), Diagnostic> {
        match View::of(self.arena, key) {
            View::Str(text) => self.out.extend_from_slice(text.as_bytes()),
            View::Bytes(bytes) => self.out.extend_from_slice(bytes),
            // Compat: null inside of a collection is shown in another way.
            View::Null => self.out.extend_from_slice(if depth == 0 { b"%!s(<nil>)" } else { b"<nil>" }),
            View::Bool(bool) => self.bad_verb("bool", &bool.to_string()),
            View::Int(int) => self.bad_verb("int", &int.to_string()),
            View::UInt(int) => self.bad_verb("uint64", &int.to_string()),
            View::Float(float) => {
                let mut text = String::new();
                number::write_go(&mut text, float);
                self.bad_verb("float64", &text);
            }
            View::Map(entries) => self.collection_key(entries, true, at, depth)?,
            View::Array(entries) => self.collection_key(entries, false, at, depth)?,
            View::Other(node) => return Err(view::misplaced(self.arena, node, at)),
        }
        self.guard.check_length(self.out.len(), at)
    }

    fn bad_verb(&mut self, kind: &str, text: &str) {
        self.out.extend_from_slice(format!("%!s({kind}={text})").as_bytes());
    }

    /// `[{KEY VALUE LINE} …]` for a map, `[{VALUE LINE} …]` for an array.
    fn collection_key(
        &mut self,
        entries: Entries<'a>,
        is_map: bool,
        at: Option<Span>,
        depth: usize,
    ) -> Result<(), Diagnostic> {
        self.guard.check_depth(depth, at)?;
        self.out.push(b'[');
        for (index, entry) in entries.iter().enumerate() {
            self.out.extend_from_slice(if index > 0 { b" {" } else { b"{" });
            if is_map {
                self.key(entry.key, at, depth.saturating_add(1))?;
                self.out.push(b' ');
            }
            self.key(entry.value, at, depth.saturating_add(1))?;
            if let Some(span) = entry.node.and_then(|node| self.arena.span_of(node)) {
                self.out.push(b' ');
                self.bad_verb("int", &view::key_line(self.sources, span).to_string());
            }
            self.out.push(b'}');
        }
        self.out.push(b']');
        Ok(())
    }
}

#[cfg(test)]
mod tests;
