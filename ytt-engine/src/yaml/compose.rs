//! Events to nodes: places, anchors and aliases, merge keys.
//!
//! Aliases become copies while reading, as in the reference, which knows nothing of them afterwards. All nodes of a
//! finished subtree have consecutive numbers, so a copy is one pass over them; its size is known before it is made.
//! Open collections are a stack of frames. Comments are joined to the nodes in `attach`, when a document is complete.

use std::collections::HashMap;

mod merged;

use super::arena::{Arena, Body, Items, NodeId, Val};
use super::duplicates::has_duplicates;
use super::meta::{NodeSpan, PosId};
use super::parse::{Event, EventKind, Parser, Tag};
use super::read::ReadOptions;
use super::resolve::{Resolved, decode_base64, resolve, resolve_without_time};
use super::scan::{Mark, Text};
use super::strict::resolve_strictly;
use super::warn::{Notes, Spelling};
use crate::diag::{Code, Diagnostic, suggest};
use crate::source::{SourceId, Span, to_u32};

/// A collection whose end was not seen yet.
struct Frame<'a> {
    map: bool,
    /// Its items start there in [`Composer::items`].
    items_from: usize,
    start: u32,
    line: u32,
    first_node: u32,
    anchor: Option<(&'a str, u32)>,
    /// Indicator of the current item of a sequence.
    item: Mark,
    /// The key that waits for its value.
    key: Option<Built>,
    size: u64,
    height: u32,
    end: u32,
    last_line: u32,
}

/// A finished value with what its item, its copies and a merge must know of it.
#[derive(Clone, Copy)]
struct Built {
    val: Val,
    what: What,
    line: u32,
    start: u32,
    end: u32,
    /// Line of the last thing in it.
    last_line: u32,
    /// Scalars, items and collections in it.
    size: u64,
    /// Collections on the longest way down.
    height: u32,
    /// Numbers of its nodes.
    nodes: (u32, u32),
}

#[derive(Clone, Copy, PartialEq)]
enum What {
    Scalar,
    /// A scalar that merges, if it is a key.
    MergeKey,
    Map,
    Sequence,
    /// Written `[]`, not an alias of it: as the value of a merge key it merges nothing.
    EmptySequence,
}

/// What a name stands for; nothing while its value is still open.
struct Anchor {
    number: u32,
    built: Option<Built>,
}

pub(super) struct Composer<'a, 'b> {
    pub(super) arena: &'b mut Arena,
    pub(super) parser: Parser<'a>,
    /// Number of the source's text in the arena.
    text: u32,
    source: SourceId,
    strict: bool,
    alias_nodes: u64,
    frames: Vec<Frame<'a>>,
    /// Items of all open collections.
    items: Vec<NodeId>,
    anchors: HashMap<&'a str, Anchor>,
    anchors_made: u32,
    /// Merge keys of this document whose values are aliases: name, key, alias.
    merged_names: Vec<(&'a str, Span, Span)>,
    copied: u64,
    /// Lines of the places of this document, and the number of the first one.
    lines: Vec<u32>,
    first_pos: u32,
    /// Open collections that are keys or parts of keys, and the place of their items on each line.
    in_key: usize,
    key_places: HashMap<u32, PosId>,
    pub(super) has_duplicates: bool,
    pub(super) notes: Notes,
}

pub(super) struct Document {
    pub(super) id: NodeId,
    /// It is null, without even `null` being written.
    pub(super) is_empty: bool,
}

impl<'a, 'b> Composer<'a, 'b> {
    pub(super) fn new(arena: &'b mut Arena, parser: Parser<'a>, text: u32, options: &ReadOptions) -> Composer<'a, 'b> {
        let source = parser.scanner.source;
        Composer {
            arena,
            parser,
            text,
            source,
            strict: options.strict,
            alias_nodes: options.alias_nodes,
            frames: Vec::new(),
            items: Vec::new(),
            anchors: HashMap::new(),
            anchors_made: 0,
            merged_names: Vec::new(),
            copied: 0,
            lines: Vec::new(),
            first_pos: 0,
            in_key: 0,
            key_places: HashMap::new(),
            has_duplicates: false,
            notes: Notes::new(options.reports),
        }
    }

    /// Line of a place of this document.
    #[allow(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        reason = "`add_place` numbers the places of a document one by one, and keeps a line for each"
    )]
    pub(super) fn line_of(&self, pos: PosId) -> u32 {
        self.lines[(pos.0 - self.first_pos) as usize]
    }

    pub(super) fn document(&mut self) -> Result<Option<Document>, Diagnostic> {
        let start = self.parser.next()?;
        if start.kind != EventKind::DocumentStart {
            return Ok(None);
        }
        self.anchors.clear();
        self.merged_names.clear();
        self.lines.clear();
        self.key_places.clear();
        let built = loop {
            let event = self.parser.next()?;
            if let Some(built) = self.event(event)? {
                break built;
            }
        };
        self.parser.next()?;
        self.check_merged_names()?;
        let is_empty = built.start == built.end;
        let (value, end) = if is_empty { (start.end, start.end) } else { (built.start, built.end) };
        let place = NodeSpan { source: self.source, start: start.start, key_end: start.end, value, end };
        let id = self.add_item(Body::Doc(built.val), place, start.line);
        Ok(Some(Document { id, is_empty }))
    }

    /// Takes one event; gives the value of the document when it is complete.
    #[allow(clippy::unreachable, reason = "`document` stops asking the parser when the one value is complete")]
    fn event(&mut self, event: Event) -> Result<Option<Built>, Diagnostic> {
        match event.kind {
            EventKind::Scalar(plain) => {
                self.begin_item();
                let anchor = self.open_anchor(&event);
                let built = self.scalar(&event, plain)?;
                self.close_anchor(anchor, built);
                self.accept(built)
            }
            EventKind::Alias => {
                self.begin_item();
                let built = self.alias(&event)?;
                self.accept(built)
            }
            EventKind::SequenceStart | EventKind::MappingStart => {
                self.begin_item();
                self.open(&event)?;
                Ok(None)
            }
            EventKind::SequenceEnd | EventKind::MappingEnd => {
                let built = self.close(&event);
                self.accept(built)
            }
            EventKind::StreamEnd | EventKind::DocumentStart | EventKind::DocumentEnd => {
                unreachable!("the parser ends every node before the document")
            }
        }
    }

    /// Notes the indicator of an item whose value starts now.
    fn begin_item(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.item = self.parser.item;
        }
    }

    // Collections.

    fn open(&mut self, event: &Event) -> Result<(), Diagnostic> {
        let anchor = self.open_anchor(event);
        if event.tag != Tag::None {
            let span = self.span(event.tag_at.0, event.tag_at.1);
            self.notes.tag(span, event.tag == Tag::Other);
        }
        let depth = self.arena.depth();
        if self.frames.len() >= depth as usize {
            return Err(self.too_deep(event.start, event.end));
        }
        if self.is_at_key() || self.in_key > 0 {
            self.in_key = self.in_key.saturating_add(1);
        }
        self.frames.push(Frame {
            map: event.kind == EventKind::MappingStart,
            items_from: self.items.len(),
            start: event.start,
            line: event.line,
            first_node: to_u32(self.arena.len()),
            anchor,
            item: Mark::default(),
            key: None,
            size: 1,
            height: 1,
            end: event.end,
            last_line: event.line,
        });
        Ok(())
    }

    fn is_at_key(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.map && frame.key.is_none())
    }

    #[allow(clippy::unreachable, reason = "a state of the parser for each open collection gives its end, once")]
    #[allow(clippy::indexing_slicing, reason = "items of a collection follow those of the ones around it")]
    fn close(&mut self, event: &Event) -> Built {
        let frame = self.frames.pop().unwrap_or_else(|| unreachable!("every end has its start"));
        self.in_key = self.in_key.saturating_sub(1);
        let items = &self.items[frame.items_from..];
        let is_empty = items.is_empty();
        if frame.map && !self.has_duplicates {
            self.has_duplicates = has_duplicates(self.arena, items);
        }
        let items = Items::from(items);
        self.items.truncate(frame.items_from);
        let body = if frame.map { Body::Map(items) } else { Body::Array(items) };
        let id = self.arena.add(body, PosId(0));
        // Only the end of a flow collection is a character of its own.
        let is_flow = event.end > event.start;
        let built = Built {
            val: Val::Node(id),
            what: match frame.map {
                true => What::Map,
                false if is_empty => What::EmptySequence,
                false => What::Sequence,
            },
            line: frame.line,
            start: frame.start,
            end: if is_flow { event.end } else { frame.end },
            last_line: if is_flow { event.line } else { frame.last_line },
            size: frame.size,
            height: frame.height,
            nodes: (frame.first_node, to_u32(self.arena.len())),
        };
        self.close_anchor(frame.anchor, built);
        built
    }

    /// Puts a finished value where it belongs; gives it back if it is the whole document.
    fn accept(&mut self, built: Built) -> Result<Option<Built>, Diagnostic> {
        let Some(frame) = self.frames.last_mut() else {
            self.notes.text_below(&self.parser.scanner, None, (built.start, built.end));
            return Ok(Some(built));
        };
        frame.end = frame.end.max(built.end);
        frame.last_line = frame.last_line.max(built.last_line);
        if !frame.map {
            let item = frame.item;
            frame.size = frame.size.saturating_add(built.size).saturating_add(1);
            frame.height = frame.height.max(built.height.saturating_add(1));
            let place = self.place(item.start, item.end, built);
            self.push_item(Body::ArrayItem(built.val), place, item.line);
            return Ok(None);
        }
        let Some(key) = frame.key.take() else {
            frame.key = Some(built);
            if built.what == What::Map {
                self.notes.map_as_key(&self.parser.scanner, built.start, built.end);
            }
            return Ok(None);
        };
        frame.size = frame.size.saturating_add(key.size.saturating_add(built.size));
        frame.height = frame.height.max(key.height.saturating_add(1));
        if key.what == What::MergeKey {
            self.merge(key, built)?;
            return Ok(None);
        }
        frame.size = frame.size.saturating_add(1);
        frame.height = frame.height.max(built.height.saturating_add(1));
        if built.line > key.line && built.what == What::Scalar {
            let key = (key.start, key.end);
            self.notes.text_below(&self.parser.scanner, Some(key), (built.start, built.end));
        }
        let place = self.place(key.start, key.end, built);
        self.push_item(Body::MapItem(key.val, built.val), place, key.line);
        Ok(None)
    }

    fn place(&self, start: u32, key_end: u32, value: Built) -> NodeSpan {
        // A value that is missing stands behind the key.
        let begin = value.start.max(key_end);
        NodeSpan { source: self.source, start, key_end, value: begin, end: value.end.max(begin) }
    }

    fn push_item(&mut self, body: Body, place: NodeSpan, line: u32) {
        let id = self.add_item(body, place, line);
        self.items.push(id);
    }

    /// Adds an item or document; a collection in it gets its place.
    fn add_item(&mut self, body: Body, place: NodeSpan, line: u32) -> NodeId {
        let pos = self.add_place(place, line);
        if let Body::Doc(Val::Node(id)) | Body::MapItem(_, Val::Node(id)) | Body::ArrayItem(Val::Node(id)) = body {
            self.arena.get_mut(id).pos = pos;
        }
        if let Body::MapItem(Val::Node(id), _) = body {
            self.arena.get_mut(id).pos = pos;
        }
        self.arena.add(body, pos)
    }

    /// Items of keys on one line share one place: such keys are equal only if the lines of their items are.
    fn add_place(&mut self, place: NodeSpan, line: u32) -> PosId {
        if self.in_key > 0
            && let Some(pos) = self.key_places.get(&line)
        {
            return *pos;
        }
        let pos = self.arena.add_place(place);
        if self.lines.is_empty() {
            self.first_pos = pos.0;
        }
        self.lines.push(line);
        if self.in_key > 0 {
            self.key_places.insert(line, pos);
        }
        pos
    }

    // Anchors.

    fn open_anchor(&mut self, event: &Event) -> Option<(&'a str, u32)> {
        let (from, to) = event.anchor?;
        let name = self.parser.scanner.text.get(from as usize..to as usize)?;
        self.anchors_made = self.anchors_made.saturating_add(1);
        self.anchors.insert(name, Anchor { number: self.anchors_made, built: None });
        Some((name, self.anchors_made))
    }

    fn close_anchor(&mut self, anchor: Option<(&'a str, u32)>, built: Built) {
        // An inner anchor of the same name is the later one.
        if let Some((name, number)) = anchor
            && let Some(anchor) = self.anchors.get_mut(name)
            && anchor.number == number
        {
            anchor.built = Some(built);
        }
    }

    /// A copy of what the name stands for.
    fn alias(&mut self, event: &Event) -> Result<Built, Diagnostic> {
        let name = self.parser.scanner.text.get(event.start as usize..event.end as usize).unwrap_or_default();
        let name = name.strip_prefix('*').unwrap_or(name);
        let here = self.span(event.start, event.end);
        let anchored = match self.anchors.get(name) {
            Some(Anchor { built: Some(built), .. }) => *built,
            Some(_) => {
                return Err(Diagnostic::error(
                    Code::YAML_ALIAS,
                    format!("yaml: anchor '{name}' value contains itself"),
                )
                .label(here, format!("this is inside the value of `&{name}`")));
            }
            None => return Err(self.unknown_anchor(name, here)),
        };
        self.copied = self.copied.saturating_add(anchored.size);
        if self.copied > self.alias_nodes {
            let text = format!("aliases expand to more than {} nodes", self.alias_nodes);
            return Err(
                Diagnostic::limit(Code::LIMIT, "alias_nodes", text).label(here, "this alias goes beyond the limit")
            );
        }
        // Of a merged map only the items stay.
        let merges = self.frames.last().and_then(|frame| frame.key).is_some_and(|key| key.what == What::MergeKey);
        let height = (anchored.height as usize).saturating_sub(usize::from(merges));
        if self.frames.len().saturating_add(height) > self.arena.depth() as usize {
            return Err(self.too_deep(event.start, event.end));
        }
        self.notes.alias(&self.parser.scanner, here, anchored.start, anchored.last_line);
        if !merges {
            self.notes.spelled(Spelling::Alias, here);
        }
        let val = match anchored.val {
            Val::Node(id) => Val::Node(self.copy(id, anchored.nodes)),
            scalar => scalar,
        };
        let what = match anchored.what {
            What::EmptySequence => What::Sequence,
            What::MergeKey => What::Scalar,
            what => what,
        };
        let nodes = (to_u32(self.arena.len()), to_u32(self.arena.len()));
        let (line, start, end) = (event.line, event.start, event.end);
        Ok(Built { val, what, line, start, end, last_line: line, nodes, ..anchored })
    }

    /// Copies the nodes with consecutive numbers that a collection consists of.
    #[allow(
        clippy::arithmetic_side_effects,
        reason = "copies have the numbers behind those of all nodes that there are"
    )]
    #[allow(clippy::unreachable, reason = "an anchor stands within a document, and the set is made when all are read")]
    fn copy(&mut self, root: NodeId, (first, behind): (u32, u32)) -> NodeId {
        let moved = to_u32(self.arena.len()) - first;
        let number = |id: NodeId| NodeId(id.0 + moved);
        let value = |value: Val| match value {
            Val::Node(id) => Val::Node(number(id)),
            scalar => scalar,
        };
        for id in first..behind {
            let node = self.arena.get(NodeId(id));
            let pos = node.pos;
            let body = match &node.body {
                Body::Map(items) => Body::Map(items.iter().copied().map(number).collect()),
                Body::Array(items) => Body::Array(items.iter().copied().map(number).collect()),
                Body::MapItem(key, item) => Body::MapItem(value(*key), value(*item)),
                Body::ArrayItem(item) => Body::ArrayItem(value(*item)),
                Body::Set(_) | Body::Doc(_) => unreachable!("documents have no anchors"),
            };
            self.arena.add(body, pos);
        }
        number(root)
    }

    fn unknown_anchor(&self, name: &str, here: Span) -> Diagnostic {
        let fault =
            Diagnostic::error(Code::YAML_ALIAS, format!("yaml: unknown anchor '{name}' referenced")).label(here, "");
        let mut known: Vec<&str> = self.anchors.keys().copied().collect();
        known.sort_unstable();
        let near = suggest::similar(name, known.iter().copied());
        if let Some(near) = near {
            return fault.help_edit(format!("did you mean `*{near}`?"), here, format!("*{near}"));
        }
        known.truncate(10);
        match known.is_empty() {
            true => fault
                .note("this document has no anchor before this place")
                .help("put quotes around a string that starts with `*`"),
            false => fault.note(format!("anchors of this document so far: {}", known.join(", "))),
        }
    }

    // Scalars.

    fn scalar(&mut self, event: &Event, plain: bool) -> Result<Built, Diagnostic> {
        if event.tag != Tag::None {
            let span = self.span(event.tag_at.0, event.tag_at.1);
            self.notes.tag(span, event.tag == Tag::Other);
        }
        let scanner = &self.parser.scanner;
        let text = scanner.text_of(event.text);
        let merges = text == "<<" && (plain && event.tag == Tag::None || matches!(event.tag, Tag::Bang | Tag::Merge));
        let resolved = match event.tag {
            Tag::None if !plain || merges => Resolved::Str,
            Tag::None if self.strict => match resolve_strictly(text) {
                Ok(resolved) => resolved,
                Err(problem) => {
                    let span = self.span(event.start, event.end);
                    let written = matches!(event.text, Text::Source(..)).then_some(text);
                    self.notes.refused(span, problem, written);
                    Resolved::Str
                }
            },
            Tag::None => resolve(text),
            Tag::Bang | Tag::Str | Tag::Merge | Tag::Binary | Tag::Other => Resolved::Str,
            tag => self.tagged(event, tag)?,
        };
        let val = match resolved {
            Resolved::Null => Val::Null,
            Resolved::Bool(value) => Val::Bool(value),
            Resolved::Int(value) => Val::Int(value),
            Resolved::UInt(value) => Val::UInt(value),
            Resolved::Float(value) => Val::Float(value),
            _ if event.tag == Tag::Binary => self.binary(event)?,
            Resolved::Timestamp | Resolved::Str => match event.text {
                Text::Source(at, end) => Val::Str { text: self.text, at, len: end.saturating_sub(at) },
                text => self.arena.make_str(self.parser.scanner.text_of(text)),
            },
        };
        let nodes = (to_u32(self.arena.len()), to_u32(self.arena.len()));
        let what = if merges { What::MergeKey } else { What::Scalar };
        let Event { line, start, end, .. } = *event;
        Ok(Built { val, what, line, start, end, last_line: line, size: 1, height: 0, nodes })
    }

    /// A text, quoted or not, that must be of the type of its tag.
    #[allow(clippy::cast_precision_loss, reason = "of an integer that is tagged as a float the nearest one is meant")]
    fn tagged(&self, event: &Event, tag: Tag) -> Result<Resolved, Diagnostic> {
        let text = self.parser.scanner.text_of(event.text);
        let found = if tag == Tag::Timestamp { resolve(text) } else { resolve_without_time(text) };
        let wanted = match (tag, found) {
            (Tag::Bool, Resolved::Bool(_))
            | (Tag::Int, Resolved::Int(_) | Resolved::UInt(_))
            | (Tag::Float, Resolved::Float(_))
            | (Tag::Null, Resolved::Null)
            | (Tag::Timestamp, Resolved::Timestamp) => return Ok(found),
            (Tag::Float, Resolved::Int(value)) => return Ok(Resolved::Float(value as f64)),
            (Tag::Bool, _) => "!!bool",
            (Tag::Int, _) => "!!int",
            (Tag::Float, _) => "!!float",
            (Tag::Null, _) => "!!null",
            _ => "!!timestamp",
        };
        let message = format!("yaml: cannot decode {} `{text}` as a {wanted}", found.tag());
        Err(Diagnostic::error(Code::YAML_TAG, message)
            .label(self.span(event.start, event.end), format!("this is not of the type `{wanted}`")))
    }

    fn binary(&mut self, event: &Event) -> Result<Val, Diagnostic> {
        match decode_base64(self.parser.scanner.text_of(event.text)) {
            Some(bytes) => Ok(self.arena.make_bytes(&bytes)),
            None => Err(Diagnostic::error(Code::YAML_TAG, "yaml: !!binary value contains invalid base64 data")
                .label(self.span(event.start, event.end), "expected base64 with padding and without spaces")),
        }
    }

    // Errors.

    fn span(&self, start: u32, end: u32) -> Span {
        Span::new(self.source, start, end)
    }

    fn too_deep(&self, start: u32, end: u32) -> Diagnostic {
        let limit = self.arena.depth();
        let text = format!("nesting is deeper than {limit} levels");
        let mut span = self.parser.scanner.char_span(start as usize);
        span.end = span.end.max(end);
        Diagnostic::limit(Code::LIMIT, "depth", text).label(span, format!("level {} starts here", u64::from(limit) + 1))
    }
}
