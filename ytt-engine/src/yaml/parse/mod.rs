//! Tokens to events: the grammar of YAML 1.1, with a stack of states instead of recursion.
//!
//! Beside the usual events the parser knows where the current item of a sequence has its indicator, since comments
//! belong to lines of indicators. It looks exactly one token beyond a document, which decides whose comments are whose,
//! and none beyond `...`. What follows a key, an item or a bracket is decided as in libyaml, odd cases included.

mod fault;
mod functions;

use super::scan::{Kind, Mark, Scanner, TagText, Text, Token};
use crate::diag::Diagnostic;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EventKind {
    StreamEnd,
    DocumentStart,
    DocumentEnd,
    Alias,
    /// A scalar; is it plain?
    Scalar(bool),
    SequenceStart,
    SequenceEnd,
    MappingStart,
    MappingEnd,
}

/// The tags that mean something to ytt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    None,
    /// `!` alone.
    Bang,
    Str,
    Bool,
    Int,
    Float,
    Null,
    Timestamp,
    Binary,
    Merge,
    Other,
}

/// One event. A node starts with its anchor or tag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) kind: EventKind,
    pub(super) line: u32,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Name of the anchor.
    pub(super) anchor: Option<(u32, u32)>,
    pub(super) tag: Tag,
    /// Where the tag stands.
    pub(super) tag_at: (u32, u32),
    pub(super) text: Text,
}

impl Mark {
    fn of(token: Token) -> Mark {
        Mark { line: token.line, start: token.start, end: token.end }
    }

    /// The place behind.
    fn behind(self) -> Mark {
        Mark { start: self.end, ..self }
    }

    /// The place in front.
    fn before(token: Token) -> Mark {
        Mark { line: token.line, start: token.start, end: token.start }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    FirstDocumentStart,
    DocumentStart,
    DocumentContent,
    DocumentEnd,
    BlockNode,
    BlockSequenceFirst,
    BlockSequence,
    IndentlessSequence,
    BlockMappingFirst,
    BlockMappingKey,
    BlockMappingValue,
    FlowSequenceFirst,
    FlowSequence,
    FlowPairKey,
    FlowPairValue,
    FlowPairEnd,
    FlowMappingFirst,
    FlowMappingKey,
    FlowMappingValue,
    FlowMappingNoValue,
    End,
}

pub(super) struct Parser<'a> {
    pub(super) scanner: Scanner<'a>,
    state: State,
    states: Vec<State>,
    /// Where the open collections start, for errors.
    opened: Vec<Mark>,
    /// Indicator of the current item of the innermost sequence: `-`, or the `[` or `,` in front of it.
    pub(super) item: Mark,
    /// Where the last scalar, alias or flow collection ended: missing values stand there.
    behind: u32,
    tag_directives: Vec<TagText>,
    /// All directives of the stream.
    pub(super) directives: Vec<Mark>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(scanner: Scanner<'a>) -> Parser<'a> {
        Parser {
            scanner,
            state: State::FirstDocumentStart,
            states: Vec::new(),
            opened: Vec::new(),
            item: Mark::default(),
            behind: 0,
            tag_directives: Vec::new(),
            directives: Vec::new(),
        }
    }

    /// The next event. Texts that it names in the scanner's buffer are good until the next call.
    pub(super) fn next(&mut self) -> Result<Event, Diagnostic> {
        match self.state {
            State::FirstDocumentStart => self.document_start(true),
            State::DocumentStart => self.document_start(false),
            State::DocumentContent => self.document_content(),
            State::DocumentEnd => self.document_end(),
            State::BlockNode => self.node(true, false),
            State::BlockSequenceFirst => self.block_sequence(true),
            State::BlockSequence => self.block_sequence(false),
            State::IndentlessSequence => self.indentless_sequence(),
            State::BlockMappingFirst => self.block_mapping_key(true),
            State::BlockMappingKey => self.block_mapping_key(false),
            State::BlockMappingValue => self.block_mapping_value(),
            State::FlowSequenceFirst => self.flow_sequence(true),
            State::FlowSequence => self.flow_sequence(false),
            State::FlowPairKey => self.flow_pair_key(),
            State::FlowPairValue => self.flow_value(State::FlowPairEnd, Kind::FlowSequenceEnd),
            State::FlowPairEnd => self.flow_pair_end(),
            State::FlowMappingFirst => self.flow_mapping_key(true),
            State::FlowMappingKey => self.flow_mapping_key(false),
            State::FlowMappingValue => self.flow_value(State::FlowMappingKey, Kind::FlowMappingEnd),
            State::FlowMappingNoValue => {
                self.scanner.peek()?;
                self.missing_value(State::FlowMappingKey)
            }
            State::End => Ok(structure(EventKind::StreamEnd, self.item)),
        }
    }

    // Documents.

    fn document_start(&mut self, first: bool) -> Result<Event, Diagnostic> {
        let mut token = self.scanner.peek()?;
        while !first && token.kind == Kind::DocumentEnd {
            token = self.pass()?;
        }
        let start = Mark::of(token);
        match token.kind {
            Kind::StreamEnd => {
                self.state = State::End;
                Ok(structure(EventKind::StreamEnd, start))
            }
            Kind::Version(..) | Kind::TagDirective(_) | Kind::DocumentStart => self.marked_document(start),
            _ if first => {
                self.states.push(State::DocumentEnd);
                self.state = State::BlockNode;
                Ok(structure(EventKind::DocumentStart, Mark::before(token)))
            }
            _ => Err(self.no_document_start(token)),
        }
    }

    /// Directives and `---`.
    fn marked_document(&mut self, start: Mark) -> Result<Event, Diagnostic> {
        let mut version = false;
        loop {
            let token = self.scanner.peek()?;
            match token.kind {
                Kind::Version(major, minor) => {
                    if version {
                        return Err(self.refuse(token, "found duplicate %YAML directive", "a second `%YAML`"));
                    }
                    if (major, minor) != (1, 1) {
                        return Err(self
                            .refuse(token, "found incompatible YAML document", "only `%YAML 1.1` is known")
                            .help("remove the line"));
                    }
                    version = true;
                }
                Kind::TagDirective(number) => {
                    let text = self.scanner.tag_text(number).clone();
                    if self.tag_directives.iter().any(|known| known.handle == text.handle) {
                        return Err(self.refuse(token, "found duplicate %TAG directive", "this handle was set before"));
                    }
                    self.tag_directives.push(text);
                }
                Kind::DocumentStart => {
                    self.scanner.skip();
                    self.states.push(State::DocumentEnd);
                    self.state = State::DocumentContent;
                    return Ok(structure(EventKind::DocumentStart, Mark { end: token.end, ..start }));
                }
                _ => return Err(self.no_document_start(token)),
            }
            self.directives.push(Mark::of(token));
            self.scanner.skip();
        }
    }

    fn document_content(&mut self) -> Result<Event, Diagnostic> {
        let token = self.scanner.peek()?;
        match token.kind {
            Kind::Version(..) | Kind::TagDirective(_) | Kind::DocumentStart | Kind::DocumentEnd | Kind::StreamEnd => {
                self.pop_state();
                Ok(empty_scalar(Mark::before(token)))
            }
            _ => self.node(true, false),
        }
    }

    fn document_end(&mut self) -> Result<Event, Diagnostic> {
        let token = self.scanner.peek()?;
        if token.kind == Kind::DocumentEnd {
            self.scanner.skip();
        }
        self.tag_directives.clear();
        self.state = State::DocumentStart;
        Ok(structure(EventKind::DocumentEnd, Mark::before(token)))
    }

    // Nodes.

    fn pop_state(&mut self) {
        self.state = self.states.pop().unwrap_or(State::End);
    }

    /// A node; afterwards the parser is in the state `then`.
    fn node_then(&mut self, then: State, block: bool, indentless: bool) -> Result<Event, Diagnostic> {
        self.states.push(then);
        self.node(block, indentless)
    }

    /// An empty scalar; afterwards the parser is in the state `then`.
    fn nothing_then(&mut self, then: State, mark: Mark) -> Result<Event, Diagnostic> {
        self.state = then;
        Ok(empty_scalar(mark))
    }

    /// The value of a key without `:`; its line does not matter.
    fn missing_value(&mut self, then: State) -> Result<Event, Diagnostic> {
        self.nothing_then(then, Mark { line: self.item.line, start: self.behind, end: self.behind })
    }

    fn node(&mut self, block: bool, indentless: bool) -> Result<Event, Diagnostic> {
        let mut token = self.scanner.peek()?;
        let mut event = Event { text: token.text, ..structure(EventKind::Alias, Mark::of(token)) };
        if token.kind == Kind::Alias {
            self.pop_state();
            self.scanner.skip();
            self.behind = token.end;
            return Ok(event);
        }
        let (start, mut properties) = (token.start, false);
        // One anchor and one tag, in any order.
        loop {
            match (token.kind, token.text) {
                (Kind::Anchor, Text::Source(from, to)) if event.anchor.is_none() => event.anchor = Some((from, to)),
                (Kind::Tag(number), _) if event.tag == Tag::None => {
                    event.tag = self.resolve_tag(number, token)?;
                    event.tag_at = (token.start, token.end);
                }
                _ => break,
            }
            properties = true;
            event.end = token.end;
            token = self.pass()?;
        }
        let (kind, state) = match token.kind {
            Kind::BlockEntry if indentless => (EventKind::SequenceStart, State::IndentlessSequence),
            Kind::Scalar(plain) => {
                self.scanner.skip();
                self.pop_state();
                self.behind = token.end;
                return Ok(Event { kind: EventKind::Scalar(plain), end: token.end, text: token.text, ..event });
            }
            Kind::FlowSequenceStart => (EventKind::SequenceStart, State::FlowSequenceFirst),
            Kind::FlowMappingStart => (EventKind::MappingStart, State::FlowMappingFirst),
            Kind::BlockSequenceStart if block => (EventKind::SequenceStart, State::BlockSequenceFirst),
            Kind::BlockMappingStart if block => (EventKind::MappingStart, State::BlockMappingFirst),
            _ if properties => {
                self.pop_state();
                self.behind = event.end;
                let text = Text::Source(event.end, event.end);
                return Ok(Event { kind: EventKind::Scalar(true), text, ..event });
            }
            _ => return Err(self.no_content(token)),
        };
        self.state = state;
        Ok(Event { kind, start, end: token.end, ..event })
    }

    /// The meaning of the tag with that number.
    fn resolve_tag(&mut self, number: u32, token: Token) -> Result<Tag, Diagnostic> {
        let TagText { handle, rest } = self.scanner.tag_text(number);
        let directive = self.tag_directives.iter().find(|known| known.handle == *handle);
        let prefix: &[u8] = match (directive, handle.as_slice()) {
            _ if handle.is_empty() => b"",
            (Some(directive), _) => &directive.rest,
            (None, b"!") => b"!",
            (None, b"!!") => CORE_TAGS,
            _ => {
                let handle = String::from_utf8_lossy(handle).into_owned();
                return Err(self
                    .refuse(token, "found undefined tag handle", &format!("`{handle}` was not defined"))
                    .help(format!("define it in front of the document: `%TAG {handle} tag:example.com,2000:`")));
            }
        };
        let tag = [prefix, rest].concat();
        if tag == b"!" {
            return Ok(Tag::Bang);
        }
        Ok(match tag.strip_prefix(CORE_TAGS) {
            Some(b"str") => Tag::Str,
            Some(b"bool") => Tag::Bool,
            Some(b"int") => Tag::Int,
            Some(b"float") => Tag::Float,
            Some(b"null") => Tag::Null,
            Some(b"timestamp") => Tag::Timestamp,
            Some(b"binary") => Tag::Binary,
            Some(b"merge") => Tag::Merge,
            _ => Tag::Other,
        })
    }

    // Block collections.

    fn block_sequence(&mut self, first: bool) -> Result<Event, Diagnostic> {
        if first {
            self.open()?;
        }
        let token = self.scanner.peek()?;
        match token.kind {
            Kind::BlockEntry => self.block_item(token, State::BlockSequence),
            Kind::BlockEnd => self.close(EventKind::SequenceEnd),
            _ => Err(self.no_entry(token)),
        }
    }

    /// A list that is not indented more than the key it belongs to.
    fn indentless_sequence(&mut self) -> Result<Event, Diagnostic> {
        let token = self.scanner.peek()?;
        if token.kind != Kind::BlockEntry {
            self.pop_state();
            return Ok(structure(EventKind::SequenceEnd, Mark::before(token)));
        }
        self.block_item(token, State::IndentlessSequence)
    }

    /// What follows the `-` that `token` is.
    fn block_item(&mut self, token: Token, then: State) -> Result<Event, Diagnostic> {
        self.item = Mark::of(token);
        let is_empty = match self.pass()?.kind {
            Kind::BlockEntry | Kind::BlockEnd => true,
            Kind::Key | Kind::Value => then == State::IndentlessSequence,
            _ => false,
        };
        if is_empty {
            return self.nothing_then(then, self.item.behind());
        }
        self.node_then(then, true, false)
    }

    fn block_mapping_key(&mut self, first: bool) -> Result<Event, Diagnostic> {
        if first {
            self.open()?;
        }
        let token = self.scanner.peek()?;
        match token.kind {
            Kind::Key => self.block_mapping_part(token, State::BlockMappingValue),
            Kind::BlockEnd => self.close(EventKind::MappingEnd),
            _ => Err(self.no_key(token)),
        }
    }

    fn block_mapping_value(&mut self) -> Result<Event, Diagnostic> {
        let token = self.scanner.peek()?;
        match token.kind {
            Kind::Value => self.block_mapping_part(token, State::BlockMappingKey),
            _ => self.missing_value(State::BlockMappingKey),
        }
    }

    /// What follows `?` or `:`.
    fn block_mapping_part(&mut self, token: Token, then: State) -> Result<Event, Diagnostic> {
        let next = self.pass()?;
        if matches!(next.kind, Kind::Key | Kind::Value | Kind::BlockEnd) {
            return self.nothing_then(then, Mark::of(token).behind());
        }
        self.node_then(then, true, true)
    }

    // Flow collections.

    fn flow_sequence(&mut self, first: bool) -> Result<Event, Diagnostic> {
        if first {
            self.item = Mark::of(self.scanner.peek()?);
            self.open()?;
        }
        let mut token = self.scanner.peek()?;
        if !first && token.kind != Kind::FlowSequenceEnd {
            if token.kind != Kind::FlowEntry {
                return Err(self.unclosed(token, "did not find expected ',' or ']'", "list"));
            }
            self.item = Mark::of(token);
            token = self.pass()?;
        }
        match token.kind {
            Kind::FlowSequenceEnd => self.close(EventKind::SequenceEnd),
            Kind::Key => {
                self.scanner.skip();
                self.state = State::FlowPairKey;
                Ok(structure(EventKind::MappingStart, Mark::of(token)))
            }
            _ => self.node_then(State::FlowSequence, false, false),
        }
    }

    /// The key of `[key: value]`.
    fn flow_pair_key(&mut self) -> Result<Event, Diagnostic> {
        let token = self.scanner.peek()?;
        if matches!(token.kind, Kind::Value | Kind::FlowEntry | Kind::FlowSequenceEnd) {
            // Compat: the token is passed, so that every such list is refused a little later.
            self.scanner.skip();
            return self.nothing_then(State::FlowPairValue, Mark::of(token).behind());
        }
        self.node_then(State::FlowPairValue, false, false)
    }

    fn flow_pair_end(&mut self) -> Result<Event, Diagnostic> {
        let token = self.scanner.peek()?;
        self.state = State::FlowSequence;
        Ok(structure(EventKind::MappingEnd, Mark::before(token)))
    }

    fn flow_mapping_key(&mut self, first: bool) -> Result<Event, Diagnostic> {
        if first {
            self.open()?;
        }
        let mut token = self.scanner.peek()?;
        if !first && token.kind != Kind::FlowMappingEnd {
            if token.kind != Kind::FlowEntry {
                return Err(self.unclosed(token, "did not find expected ',' or '}'", "map"));
            }
            token = self.pass()?;
        }
        match token.kind {
            Kind::FlowMappingEnd => self.close(EventKind::MappingEnd),
            Kind::Key => {
                let token = self.pass()?;
                if matches!(token.kind, Kind::Value | Kind::FlowEntry | Kind::FlowMappingEnd) {
                    return self.nothing_then(State::FlowMappingValue, Mark::before(token));
                }
                self.node_then(State::FlowMappingValue, false, false)
            }
            _ => self.node_then(State::FlowMappingNoValue, false, false),
        }
    }

    /// `:` and what follows it between brackets, if anything does before the one that closes them.
    fn flow_value(&mut self, then: State, close: Kind) -> Result<Event, Diagnostic> {
        let colon = self.scanner.peek()?;
        if colon.kind != Kind::Value {
            return self.missing_value(then);
        }
        let token = self.pass()?;
        if token.kind == Kind::FlowEntry || token.kind == close {
            return self.nothing_then(then, Mark::of(colon).behind());
        }
        self.node_then(then, false, false)
    }

    /// Passes a token and gives the one behind it.
    fn pass(&mut self) -> Result<Token, Diagnostic> {
        self.scanner.skip();
        self.scanner.peek()
    }

    /// Passes the token that opens a collection.
    fn open(&mut self) -> Result<(), Diagnostic> {
        let token = self.scanner.peek()?;
        self.opened.push(Mark::of(token));
        self.scanner.skip();
        Ok(())
    }

    /// Passes the token that closes a collection.
    fn close(&mut self, kind: EventKind) -> Result<Event, Diagnostic> {
        let token = self.scanner.peek()?;
        self.scanner.skip();
        self.opened.pop();
        self.pop_state();
        if token.end > token.start {
            self.behind = token.end;
        }
        Ok(structure(kind, Mark::of(token)))
    }
}

const CORE_TAGS: &[u8] = b"tag:yaml.org,2002:";

fn structure(kind: EventKind, mark: Mark) -> Event {
    let Mark { line, start, end } = mark;
    let text = Text::Source(start, start);
    Event { kind, line, start, end, anchor: None, tag: Tag::None, tag_at: (start, start), text }
}

fn empty_scalar(mark: Mark) -> Event {
    Event { end: mark.start, ..structure(EventKind::Scalar(true), mark) }
}
