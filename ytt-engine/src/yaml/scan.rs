//! Characters to tokens, by the rules of YAML 1.1.
//!
//! Block structure is found as the reference finds it: a stack of indentations, and for each level of flow collections
//! the place where a key of one line could have begun. When a `:` follows, the tokens of a mapping are put in front of
//! that place, so tokens wait in a queue while one could still become a key. Comments go to a list of their own. Scalars
//! are in `scalar`, directives, anchors and tags in `property`. Nothing here recurses and no token owns memory.
#![allow(clippy::arithmetic_side_effects, reason = "places and counts are at most those of a text in memory")]
#![allow(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "`check` bounds a text by 2³¹ bytes")]
#![allow(clippy::string_slice, reason = "tokens and the scanner stand where a character begins, or at the end")]
#![allow(clippy::indexing_slicing, reason = "`keys` always has the level of the block, and a filled queue a token")]

use std::collections::VecDeque;

use crate::diag::{Code, Diagnostic};
use crate::source::{SourceId, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    StreamEnd,
    /// `%YAML` with major and minor version.
    Version(u8, u8),
    /// `%TAG`; the number of its texts in [`Scanner::tags`].
    TagDirective(u32),
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias,
    Anchor,
    /// The number of its texts in [`Scanner::tags`].
    Tag(u32),
    /// A scalar; is it plain?
    Scalar(bool),
}

/// Text of a scalar or name: a part of the source, or of [`Scanner::buffer`] where it had to be put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Text {
    Source(u32, u32),
    Made(u32, u32),
}

/// One token with the line (from 1) and the byte at which it starts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) line: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) text: Text,
}

/// Handle and suffix of a tag, or handle and prefix of a `%TAG` line. Escapes may have made bytes that are not UTF-8.
#[derive(Clone, Debug)]
pub(super) struct TagText {
    pub(super) handle: Vec<u8>,
    pub(super) rest: Vec<u8>,
}

/// A place with its line, from 1. That of a comment starts at the `#`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    pub(super) line: u32,
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Mark {
    pub(super) fn span(&self, source: SourceId) -> Span {
        Span::new(source, self.start, self.end)
    }
}

/// Where a key of one line may have begun.
#[derive(Clone, Copy, Debug, Default)]
struct SimpleKey {
    possible: bool,
    /// A block mapping goes on here: without a `:` it is an error.
    required: bool,
    /// Number of the first token of the key.
    token: usize,
    line: u32,
    column: usize,
    at: usize,
}

/// A key of one line is at most that many characters long.
const KEY_LENGTH: usize = 1024;

pub(super) struct Scanner<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) source: SourceId,
    /// Where the next character is.
    pub(super) at: usize,
    /// Its line, from 1.
    pub(super) line: u32,
    /// Column is `at - base`: start of the line, moved by what characters of several bytes have too much.
    pub(super) base: usize,
    /// Indentation of the innermost block collection, -1 outside of all.
    pub(super) indent: isize,
    indents: Vec<isize>,
    /// Open flow collections.
    pub(super) flow: usize,
    /// May a key of one line start at the next token?
    pub(super) key_allowed: bool,
    /// One for each level of flow collections and one for the block around them.
    keys: Vec<SimpleKey>,
    /// All levels below this one hold no possible key.
    first_key: usize,
    queue: VecDeque<Token>,
    /// Number of tokens given out.
    given: usize,
    /// The head of the queue is final.
    ready: bool,
    /// Texts that are not parts of the source, for the tokens in the queue.
    pub(super) buffer: String,
    pub(super) tags: Vec<TagText>,
    pub(super) comments: Vec<Mark>,
    /// Comments that no rule keeps, of block scalar headers and directives.
    pub(super) dropped: Vec<Mark>,
    /// Lines of errors are told, except those in the first line of a text that begins with `---` itself.
    first_line_told: bool,
}

impl<'a> Scanner<'a> {
    /// A scanner for valid UTF-8 without forbidden characters. `marked` says that the text begins with `---`; else a
    /// line `---` is taken to stand in front of it.
    pub(super) fn new(text: &'a str, source: SourceId, marked: bool) -> Scanner<'a> {
        let mut scanner = Scanner {
            text,
            bytes: text.as_bytes(),
            source,
            at: 0,
            line: 1,
            base: 0,
            indent: -1,
            indents: Vec::new(),
            flow: 0,
            key_allowed: true,
            keys: vec![SimpleKey::default()],
            first_key: 1,
            queue: VecDeque::new(),
            given: 0,
            ready: false,
            buffer: String::new(),
            tags: Vec::new(),
            comments: Vec::new(),
            dropped: Vec::new(),
            first_line_told: !marked,
        };
        if !marked {
            scanner.push(Kind::DocumentStart, 0);
        }
        scanner
    }

    /// The next token, which stays in the queue.
    pub(super) fn peek(&mut self) -> Result<Token, Diagnostic> {
        if !self.ready {
            self.fill()?;
        }
        Ok(self.queue[0])
    }

    /// Removes the token that was peeked at.
    pub(super) fn skip(&mut self) {
        self.ready = false;
        self.queue.pop_front();
        self.given += 1;
    }

    /// The text of a token. Good until the next call of [`Scanner::peek`].
    pub(super) fn text_of(&self, text: Text) -> &str {
        match text {
            Text::Source(start, end) => &self.text[start as usize..end as usize],
            Text::Made(start, end) => &self.buffer[start as usize..end as usize],
        }
    }

    /// The texts of a tag or `%TAG` line, as long as those of its token.
    pub(super) fn tag_text(&self, number: u32) -> &TagText {
        &self.tags[number as usize]
    }

    /// Scans until the head of the queue cannot become part of a key any more.
    fn fill(&mut self) -> Result<(), Diagnostic> {
        loop {
            if self.queue.is_empty() {
                self.buffer.clear();
                self.tags.clear();
            } else {
                self.drop_stale_keys()?;
                let first = self.keys.get(self.first_key).filter(|key| key.possible);
                if first.is_none_or(|key| key.token != self.given) {
                    self.ready = true;
                    return Ok(());
                }
            }
            self.scan_token()?;
        }
    }

    fn scan_token(&mut self) -> Result<(), Diagnostic> {
        self.skip_space();
        self.drop_stale_keys()?;
        self.close_blocks(self.column() as isize);
        let first = self.byte(0);
        let at_line_start = self.at == self.base;
        match first {
            0 => self.stream_end(),
            b'%' if at_line_start => self.directive(),
            b'-' | b'.' if at_line_start && self.is_document_marker() => self.document_marker(),
            b'[' => self.flow_start(Kind::FlowSequenceStart),
            b'{' => self.flow_start(Kind::FlowMappingStart),
            b']' => self.flow_end(Kind::FlowSequenceEnd),
            b'}' => self.flow_end(Kind::FlowMappingEnd),
            b',' => self.flow_entry(),
            b'-' if self.is_blank_or_end(1) => self.block_entry(),
            b'?' if self.flow > 0 || self.is_blank_or_end(1) => self.explicit_key(),
            b':' if self.flow > 0 || self.is_blank_or_end(1) => self.value(),
            b'*' => self.anchor(Kind::Alias),
            b'&' => self.anchor(Kind::Anchor),
            b'!' => self.tag(),
            b'|' if self.flow == 0 => self.block_scalar(true),
            b'>' if self.flow == 0 => self.block_scalar(false),
            b'\'' => self.quoted(true),
            b'"' => self.quoted(false),
            b'\t' | b'|' | b'>' | b'%' | b'@' | b'`' => Err(self.cannot_start(first)),
            _ => self.plain(),
        }
    }

    /// White space, comments and line breaks in front of a token.
    fn skip_space(&mut self) {
        loop {
            let tabs = self.flow > 0 || !self.key_allowed;
            while self.byte(0) == b' ' || tabs && self.byte(0) == b'\t' {
                self.at += 1;
            }
            if self.byte(0) == b'#' {
                let comment = self.comment();
                self.comments.push(comment);
            }
            if !self.skip_break() {
                return;
            }
            if self.flow == 0 {
                self.key_allowed = true;
            }
        }
    }

    /// The comment that starts here, up to the line break.
    pub(super) fn comment(&mut self) -> Mark {
        let start = self.at;
        self.at = self.line_end();
        // Nothing but the end of the line can follow, so the column need not be kept.
        Mark { line: self.line, start: start as u32, end: self.at as u32 }
    }

    /// Where this line ends, without its break.
    pub(super) fn line_end(&self) -> usize {
        let mut at = self.at;
        while let Some(more) = self.bytes[at..].iter().position(|byte| matches!(byte, b'\n' | b'\r' | 0xC2 | 0xE2)) {
            at += more;
            if self.break_length(at - self.at) > 0 {
                return at;
            }
            at += 1;
        }
        self.bytes.len()
    }

    // Keys of one line.

    fn drop_stale_keys(&mut self) -> Result<(), Diagnostic> {
        while let Some(key) = self.keys.get(self.first_key) {
            if key.possible {
                if key.line == self.line && key.column + KEY_LENGTH >= self.column() {
                    return Ok(());
                }
                self.drop_key(self.first_key)?;
            }
            self.first_key += 1;
        }
        Ok(())
    }

    fn drop_key(&mut self, level: usize) -> Result<(), Diagnostic> {
        let key = self.keys[level];
        self.keys[level].possible = false;
        if key.possible && key.required { Err(self.no_colon(key.line, key.at)) } else { Ok(()) }
    }

    /// Forgets the possible key of the innermost level.
    pub(super) fn remove_key(&mut self) -> Result<(), Diagnostic> {
        self.drop_key(self.keys.len() - 1)
    }

    /// Notes that a key may start at this character.
    pub(super) fn save_key(&mut self) -> Result<(), Diagnostic> {
        if self.key_allowed {
            self.remove_key()?;
            let level = self.keys.len() - 1;
            let column = self.column();
            self.keys[level] = SimpleKey {
                possible: true,
                required: self.flow == 0 && self.indent == column as isize,
                token: self.given + self.queue.len(),
                line: self.line,
                column,
                at: self.at,
            };
            self.first_key = self.first_key.min(level);
        }
        Ok(())
    }

    // Block structure.

    /// Opens a block collection at a column, unless the one that is open starts there.
    fn open_block(&mut self, column: usize, kind: Kind, before: usize, line: u32, at: usize) {
        if self.flow == 0 && self.indent < column as isize {
            self.indents.push(self.indent);
            self.indent = column as isize;
            let at = at as u32;
            self.queue.insert(before, Token { kind, line, start: at, end: at, text: Text::Source(at, at) });
        }
    }

    fn close_blocks(&mut self, column: isize) {
        while self.flow == 0 && self.indent > column {
            self.push(Kind::BlockEnd, self.at);
            self.indent = self.indents.pop().unwrap_or(-1);
        }
    }

    // Tokens of structure.

    /// Appends a token from `start` to here.
    fn push(&mut self, kind: Kind, start: usize) {
        let (start, end) = (start as u32, self.at as u32);
        self.queue.push_back(Token { kind, line: self.line, start, end, text: Text::Source(start, end) });
    }

    /// Appends a token that began on `line`.
    pub(super) fn push_text(&mut self, kind: Kind, line: u32, start: usize, end: usize, text: Text) {
        self.queue.push_back(Token { kind, line, start: start as u32, end: end as u32, text });
    }

    fn push_indicator(&mut self, kind: Kind) {
        let start = self.at;
        self.at += 1;
        self.push(kind, start);
    }

    /// Ends all blocks: a directive or marker stands here.
    fn end_document(&mut self) -> Result<(), Diagnostic> {
        self.close_blocks(-1);
        self.key_allowed = false;
        self.remove_key()
    }

    fn stream_end(&mut self) -> Result<(), Diagnostic> {
        self.close_blocks(-1);
        for level in self.first_key..self.keys.len() {
            self.drop_key(level)?;
        }
        self.key_allowed = false;
        self.push(Kind::StreamEnd, self.at);
        Ok(())
    }

    fn directive(&mut self) -> Result<(), Diagnostic> {
        self.end_document()?;
        self.scan_directive()
    }

    fn document_marker(&mut self) -> Result<(), Diagnostic> {
        self.end_document()?;
        let kind = if self.byte(0) == b'-' { Kind::DocumentStart } else { Kind::DocumentEnd };
        let start = self.at;
        self.at += 3;
        self.push(kind, start);
        Ok(())
    }

    fn flow_start(&mut self, kind: Kind) -> Result<(), Diagnostic> {
        self.save_key()?;
        self.keys.push(SimpleKey::default());
        self.flow += 1;
        self.key_allowed = true;
        self.push_indicator(kind);
        Ok(())
    }

    fn flow_end(&mut self, kind: Kind) -> Result<(), Diagnostic> {
        self.remove_key()?;
        if self.flow > 0 {
            self.flow -= 1;
            self.keys.pop();
            self.first_key = self.first_key.min(self.keys.len());
        }
        self.key_allowed = false;
        self.push_indicator(kind);
        Ok(())
    }

    fn flow_entry(&mut self) -> Result<(), Diagnostic> {
        self.remove_key()?;
        self.key_allowed = true;
        self.push_indicator(Kind::FlowEntry);
        Ok(())
    }

    /// `-`; in a flow collection the parser refuses it.
    fn block_entry(&mut self) -> Result<(), Diagnostic> {
        if self.flow == 0 {
            if !self.key_allowed {
                return Err(self
                    .fault("block sequence entries are not allowed in this context")
                    .label(self.span_here(), "a list cannot start here")
                    .help("start the list on a line of its own, or quote the text if `-` belongs to it"));
            }
            self.open_block(self.column(), Kind::BlockSequenceStart, self.queue.len(), self.line, self.at);
        }
        self.remove_key()?;
        self.key_allowed = true;
        self.push_indicator(Kind::BlockEntry);
        Ok(())
    }

    /// `?`
    fn explicit_key(&mut self) -> Result<(), Diagnostic> {
        if self.flow == 0 {
            if !self.key_allowed {
                return Err(self
                    .fault("mapping keys are not allowed in this context")
                    .label(self.span_here(), "a key cannot start here"));
            }
            self.open_block(self.column(), Kind::BlockMappingStart, self.queue.len(), self.line, self.at);
        }
        self.remove_key()?;
        self.key_allowed = self.flow == 0;
        self.push_indicator(Kind::Key);
        Ok(())
    }

    /// `:`
    fn value(&mut self) -> Result<(), Diagnostic> {
        let level = self.keys.len() - 1;
        let key = self.keys[level];
        if key.possible {
            let (before, at) = (key.token - self.given, key.at as u32);
            let token = Token { kind: Kind::Key, line: key.line, start: at, end: at, text: Text::Source(at, at) };
            self.queue.insert(before, token);
            self.open_block(key.column, Kind::BlockMappingStart, before, key.line, key.at);
            self.keys[level].possible = false;
            self.key_allowed = false;
        } else {
            if self.flow == 0 {
                if !self.key_allowed {
                    return Err(self.misplaced_colon());
                }
                self.open_block(self.column(), Kind::BlockMappingStart, self.queue.len(), self.line, self.at);
            }
            self.key_allowed = self.flow == 0;
        }
        self.push_indicator(Kind::Value);
        Ok(())
    }

    // Characters.

    /// The byte so far ahead; 0 behind the end, since no text holds that byte.
    #[inline]
    pub(super) fn byte(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// Column in characters, from 0.
    #[inline]
    pub(super) fn column(&self) -> usize {
        self.at - self.base
    }

    /// Passes one character that is not a line break.
    #[inline]
    pub(super) fn skip_char(&mut self) {
        let width = match self.byte(0) {
            0x00..=0x7F => 1,
            0x80..=0xDF => 2,
            0xE0..=0xEF => 3,
            _ => 4,
        };
        self.at += width;
        self.base += width - 1;
    }

    /// Length of the line break so far ahead, 0 if there is none.
    #[inline]
    pub(super) fn break_length(&self, ahead: usize) -> usize {
        match self.byte(ahead) {
            b'\n' => 1,
            b'\r' => 1 + usize::from(self.byte(ahead + 1) == b'\n'),
            0xC2 if self.byte(ahead + 1) == 0x85 => 2,
            0xE2 if self.byte(ahead + 1) == 0x80 && matches!(self.byte(ahead + 2), 0xA8 | 0xA9) => 3,
            _ => 0,
        }
    }

    /// Passes a line break, if there is one.
    #[inline]
    pub(super) fn skip_break(&mut self) -> bool {
        let length = self.break_length(0);
        if length > 0 {
            self.at += length;
            self.base = self.at;
            self.line += 1;
        }
        length > 0
    }

    #[inline]
    pub(super) fn is_blank(&self, ahead: usize) -> bool {
        matches!(self.byte(ahead), b' ' | b'\t')
    }

    #[inline]
    pub(super) fn is_break_or_end(&self, ahead: usize) -> bool {
        self.byte(ahead) == 0 || self.break_length(ahead) > 0
    }

    #[inline]
    pub(super) fn is_blank_or_end(&self, ahead: usize) -> bool {
        self.is_blank(ahead) || self.is_break_or_end(ahead)
    }

    /// Is there a `---` or `...` followed by white space? Only asked at the start of a line.
    pub(super) fn is_document_marker(&self) -> bool {
        let first = self.byte(0);
        matches!(first, b'-' | b'.') && self.byte(1) == first && self.byte(2) == first && self.is_blank_or_end(3)
    }

    // Errors.

    /// An error at this line, without labels. Their text is the reference's.
    pub(super) fn fault(&self, text: &str) -> Diagnostic {
        self.fault_at(self.line, text)
    }

    pub(super) fn fault_at(&self, line: u32, text: &str) -> Diagnostic {
        if line == 1 && !self.first_line_told {
            // Compat: the reference names no line here.
            return Diagnostic::error(Code::YAML_SYNTAX, format!("yaml: {text}"));
        }
        Diagnostic::error(Code::YAML_SYNTAX, format!("yaml: line {line}: {text}"))
    }

    pub(super) fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start as u32, end as u32)
    }

    /// The character here; empty at the end.
    pub(super) fn span_here(&self) -> Span {
        self.char_span(self.at)
    }

    /// The character at an offset; empty at the end.
    pub(super) fn char_span(&self, at: usize) -> Span {
        let width = self.text[at..].chars().next().map_or(0, char::len_utf8);
        self.span(at, at + width)
    }
}
