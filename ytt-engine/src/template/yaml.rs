//! A YAML tree with comments to a program: code lines where they stand, and between them tasks and calls for nodes.
//!
//! For each node in document order: its code, its annotations, its key, its start, its value or what is in it, and `end`
//! where `if/end` or one of its kind was used. A subtree that code cannot change is one task. `eval/build` does what they
//! say.
#![allow(
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "offsets in a source are below 2³¹ and found in it, and items are numbered as they are added"
)]

mod both;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::comment::{self, Meaning};
use super::input::{Input, Origin};
use super::literal::{self, Literals};
use super::skeleton::{Action, Skeleton, Task};
use super::text::{self, Places, Whole};
use super::uncovered::{self, Templated, Uncovered};
use super::unfilled::{self, InBlock, Quoted};
use crate::diag::{Code, Diagnostic, Diagnostics, Step};
use crate::source::{Source, SourceId, SourceMap, Span};
use crate::yaml::{Arena, Body, NodeId, NodeSpan, Val, comment_text, has_duplicates};

/// Places of one file that are told with `#@` in a word.
const TOLD: usize = 3;

const TEXT_TEMPLATED: &str = "yaml/text-templated-strings";

/// What the tree of a file gives.
pub(super) struct Walked {
    pub(super) input: Input,
    pub(super) skeleton: Skeleton,
    pub(super) warnings: Vec<Diagnostic>,
    /// Strings with what looks like code, if nothing was said of them yet.
    pub(super) uncovered: Vec<Uncovered>,
    /// Strings in quotes that look like code.
    pub(super) quoted: Vec<Quoted>,
    /// Blocks of text with lines that look like code.
    pub(super) in_blocks: Vec<InBlock>,
}

/// Walks the tree of a file: its program text, skeleton and warnings. All mistakes of comments and tags are reported.
/// `always` says that a file that needs no program gets one too.
pub(super) fn walk(
    arena: &mut Arena,
    sources: &SourceMap,
    source: SourceId,
    root: NodeId,
    ignore_unknown: bool,
    always: bool,
) -> Result<Walked, Diagnostics> {
    let origin = sources.get(source);
    let text = origin.text.as_str().unwrap_or_default();
    let mut walk = Walk {
        arena,
        id: source,
        source: &origin,
        text,
        ignore_unknown,
        noisy: HashSet::new(),
        odd: HashSet::new(),
        simple: !always,
        loads: false,
        asks: false,
        literals: HashMap::new(),
        templated: Vec::new(),
        has_marks: text.contains(unfilled::CODE),
        uncovered: Vec::new(),
        has_quoted: unfilled::QUOTED.iter().any(|sign| text.contains(sign)),
        quoted: Vec::new(),
        has_hash_marks: text.contains(unfilled::VALUE),
        in_blocks: Vec::new(),
        shows_code: false,
        documents: false,
        input: Input::new(source, ("#@ ", "")).of(&origin),
        skeleton: Skeleton::default(),
        warnings: Vec::new(),
        problems: Diagnostics::default(),
    };
    walk.find_noise(root, false);
    if walk.simple && walk.loads == walk.asks {
        walk.skeleton.actions = Some(Vec::new());
    }
    walk.find_code_in_words(root);
    walk.file(root);
    if let Some(warning) = uncovered::of_idle(walk.text, source, &walk.templated, &walk.uncovered) {
        walk.warnings.push(warning);
        walk.uncovered.clear();
    }
    // Both are in the order of the file.
    let mut next = walk.templated.iter().peekable();
    let mut last = None;
    for one in &mut walk.uncovered {
        while let Some(templated) = next.next_if(|templated| (templated.place.end as usize) <= one.start()) {
            last = Some(templated);
        }
        one.look_beside(walk.text, last);
    }
    let Walk { input, skeleton, warnings, problems, uncovered, quoted, in_blocks, .. } = walk;
    problems.context(Step::shown(format!("Compiling YAML template '{}'", origin.name))).into_result()?;
    Ok(Walked { input, skeleton, warnings, uncovered, quoted, in_blocks })
}

/// What the comments of a node mean.
#[derive(Default)]
struct Metas<'a> {
    code: Vec<(&'a str, u32)>,
    annotations: Vec<(&'a str, &'a str, u32, Span)>,
    values: Vec<(&'a str, u32, Span)>,
    /// A block of this node ends behind it.
    ends: Option<Span>,
}

struct Walk<'a> {
    arena: &'a mut Arena,
    id: SourceId,
    source: &'a Source,
    text: &'a str,
    ignore_unknown: bool,
    /// Nodes whose subtree needs more than one call.
    noisy: HashSet<NodeId>,
    /// Maps with keys that cannot stay: the first wrong one is told of, so that their items start one by one.
    odd: HashSet<NodeId>,
    /// Can all code so far be read without a program? Does it load the module of overlays, and use it?
    simple: bool,
    loads: bool,
    asks: bool,
    /// Arguments of annotations that were read so, by the start of the comment.
    literals: HashMap<u32, Literals>,
    /// The annotations for text templates in strings, and what each is for.
    templated: Vec<Templated>,
    /// Does anything in the file look like code in a string? Then, which strings without such an annotation do.
    has_marks: bool,
    uncovered: Vec<Uncovered>,
    /// The same of strings in quotes that begin as code does.
    has_quoted: bool,
    quoted: Vec<Quoted>,
    /// Does anything in the file look like code of a node? Then, which blocks of text have some.
    has_hash_marks: bool,
    in_blocks: Vec<InBlock>,
    /// Is a text here that is to show code?
    shows_code: bool,
    /// Is it one for people?
    documents: bool,
    input: Input,
    skeleton: Skeleton,
    warnings: Vec<Diagnostic>,
    problems: Diagnostics,
}

impl<'a> Walk<'a> {
    fn place(&self, node: NodeId) -> Option<NodeSpan> {
        self.arena.place_of(node).copied()
    }

    /// The key or indicator of a node; the end of the file for the invisible last document.
    fn key_span(&self, node: NodeId) -> (u32, u32) {
        match self.place(node) {
            Some(place) => (place.start, place.key_end),
            None => (self.text.len() as u32, self.text.len() as u32),
        }
    }

    // What needs more than one call.

    /// Marks all nodes that have code, annotations, text templates or duplicate keys in them. `templated` says that
    /// strings are text templates here.
    fn find_noise(&mut self, node: NodeId, templated: bool) -> bool {
        let is_kept = |text: &str| text.starts_with('@') && !text.starts_with("@comment ") && text != "@comment";
        let mut templated = templated;
        let mut noisy = false;
        for comment in self.arena.comments(node).to_vec() {
            let text = comment_text(self.source, comment);
            noisy |= is_kept(text) || !text.starts_with(['!', '@']);
            self.simple = self.simple && self.is_simple(node, text, comment);
            templated |= is_templated(text);
            self.warnings.extend(comment::unknown_lints(text, comment));
        }
        noisy |= templated && self.is_tagged(self.arena.key(node));
        if self.has_marks && !templated && self.is_tagged(self.arena.key(node)) {
            let uncovered = self.place(node).and_then(|place| Uncovered::of_key(self.text, place));
            self.uncovered.extend(uncovered);
        }
        let (shows_code, documents) = (self.shows_code, self.documents);
        if self.has_hash_marks {
            self.documents |= self.arena.str(self.arena.key(node)).is_some_and(unfilled::documents);
        }
        if self.has_quoted {
            self.shows_code |= self.arena.str(self.arena.key(node)).is_some_and(unfilled::shows_code);
            if let Some(value) = self.arena.str(self.arena.value(node)).filter(|_| !self.shows_code)
                && let Some(place) = self.place(node)
            {
                self.quoted.extend(Quoted::at(self.text, place, value, self.id));
            }
        }
        if self.has_hash_marks
            && !self.documents
            && let Some(place) = self.place(node)
            && matches!(self.arena.value(node), Val::Str { .. })
        {
            self.in_blocks.extend(InBlock::at(self.text, place, templated, self.id));
        }
        match self.arena.value(node) {
            Val::Node(child) if child == node => {
                if self.has_odd_keys(node) {
                    self.odd.insert(node);
                    noisy = true;
                }
                for index in 0..self.arena.items(node).len() {
                    let item = self.arena.items(node)[index];
                    noisy |= self.find_noise(item, templated);
                }
            }
            Val::Node(child) => noisy |= self.find_noise(child, templated),
            value if templated => noisy |= self.is_tagged(value),
            value if self.has_marks && self.is_tagged(value) => {
                let uncovered = self.place(node).and_then(|place| Uncovered::at(self.text, place));
                self.uncovered.extend(uncovered);
            }
            _ => {}
        }
        (self.shows_code, self.documents) = (shows_code, documents);
        if noisy {
            self.noisy.insert(node);
        }
        noisy
    }

    /// Can a comment be read without a program?
    fn is_simple(&mut self, node: NodeId, text: &str, comment: Span) -> bool {
        let line = |at| self.source.line(at);
        let beside = || self.place(node).is_some_and(|place| line(place.start) == line(comment.start));
        match comment::read(text, comment.start, text.starts_with("@ ") && beside()) {
            Meaning::Dropped | Meaning::Unknown => true,
            Meaning::Annotation { name: TEXT_TEMPLATED, .. } | Meaning::Value { .. } => false,
            Meaning::Annotation { text, .. } => {
                let Some(literals) = literal::arguments(text, self.loads) else { return false };
                self.asks |= literals.has_matcher();
                self.literals.insert(comment.start, literals);
                true
            }
            Meaning::Code { text, .. } => {
                let is_first = !std::mem::replace(&mut self.loads, true);
                is_first && literal::is_load(text)
            }
        }
    }

    /// Warns of `#@` that follows a word at once, so that it is a part of the text.
    fn find_code_in_words(&mut self, root: NodeId) {
        let text = self.text;
        let is_code = |at: usize| {
            let before = text[..at].chars().next_back().is_some_and(|before| !before.is_whitespace() && before != '#');
            let behind = text[at + 2..].strip_prefix(' ').and_then(|behind| behind.chars().next());
            before && behind.is_some_and(|first| first.is_alphabetic() || matches!(first, '_' | '"' | '(' | '['))
        };
        let found: Vec<usize> =
            text.match_indices("#@").map(|(at, _)| at).filter(|at| is_code(*at)).take(TOLD).collect();
        for at in found {
            let Some((start, end)) = self.plain_text_around(root, at as u32) else { continue };
            let (word, code) = (&text[start as usize..at], text.get(at + 2..end as usize).unwrap_or_default().trim());
            let (mark, value) = (Span::new(self.id, at as u32, at as u32 + 2), Span::new(self.id, start, end));
            let warning = Diagnostic::warning(Code::TEMPLATE_CODE_IN_TEXT, "`#@` in a text is no code");
            let warning = warning.label(mark, "a part of the text: code begins behind a blank, and is the whole value");
            let is_simple = !word.contains(['"', '\\', '\n']) && !code.contains('\n');
            self.warnings.push(match is_simple {
                true => warning.help_edit("write the whole value as code", value, format!("#@ \"{word}\" + {code}")),
                false => warning.help("write the whole value as code"),
            });
        }
    }

    /// The text without quotes around an offset of the source.
    fn plain_text_around(&self, node: NodeId, at: u32) -> Option<(u32, u32)> {
        match self.arena.value(node) {
            Val::Node(child) if child == node => {
                self.arena.items(node).iter().find_map(|item| self.plain_text_around(*item, at))
            }
            Val::Node(child) => self.plain_text_around(child, at),
            _ => self.plain_text(node).filter(|(start, end)| (*start..*end).contains(&at)),
        }
    }

    /// Where the value of a node stands that is a text without quotes.
    fn plain_text(&self, node: NodeId) -> Option<(u32, u32)> {
        self.arena.str(self.arena.value(node))?;
        let place = self.place(node)?;
        let written = self.text.get(place.value as usize..place.end as usize)?;
        (!written.is_empty() && !written.starts_with(|first| "\"'|>!&*".contains(first)))
            .then_some((place.value, place.end))
    }

    /// A comment beside a text that people took for a part of it.
    fn comment_in_text(&self, name: &str, comment: Span, text: (u32, u32)) -> Diagnostic {
        let message = format!("`#@{name}` is no part of the text in front of it");
        let warning = Diagnostic::warning(Code::TEMPLATE_CODE_IN_TEXT, message);
        let warning = warning.label(comment, "read as an annotation, which ytt does not know: the text ends before it");
        let whole = &self.text[text.0 as usize..comment.end as usize].trim_end();
        match whole.contains(['"', '\\', '\n']) {
            true => warning.help("put quotes around the whole text"),
            false => {
                let place = Span::new(self.id, text.0, text.0 + whole.len() as u32);
                warning.help_edit("put quotes around the whole text", place, format!("\"{whole}\""))
            }
        }
    }

    /// Is it a string with a tag of a text template? A string without one is its own text.
    fn is_tagged(&self, value: Val) -> bool {
        self.arena.str(value).is_some_and(|text| text.contains("(@") || text.contains("@)"))
    }

    /// Has a map a key twice, or one that is no scalar? Both are found when their items start.
    fn has_odd_keys(&self, map: NodeId) -> bool {
        let Body::Map(items) = &self.arena.get(map).body else { return false };
        items.iter().any(|&item| matches!(self.arena.key(item), Val::Node(_) | Val::Raw(_)))
            || has_duplicates(self.arena, items)
    }

    // The program.

    /// Adds a task to what the file does.
    fn task(&mut self, task: Task, start: u32, end: u32) {
        match &mut self.skeleton.actions {
            Some(actions) => actions.push((Action::Task(task), Span::new(self.id, start, end))),
            None => self.input.task(&mut self.skeleton, task, start, end),
        }
    }

    fn file(&mut self, root: NodeId) {
        self.skeleton.add(root, None);
        self.task(Task::Documents, 0, 0);
        self.items(root, 0, false);
    }

    /// All items of a container. Those beside each other that are copied whole are one statement.
    fn items(&mut self, container: NodeId, parent: u32, templated: bool) {
        let count = self.arena.items(container).len();
        let is_odd = self.odd.contains(&container);
        let mut index = 0;
        while index < count {
            let item = self.arena.items(container)[index];
            let items = &self.arena.items(container)[index..];
            let run = items.iter().take_while(|item| !self.noisy.contains(item)).count();
            let run = if is_odd { run.min(1) } else { run };
            index += run.max(1);
            if run == 0 {
                self.node(item, parent, templated);
                continue;
            }
            let (start, end) = self.key_span(item);
            let copied = items[..run].to_vec();
            let first = self.skeleton.items.len();
            for item in copied {
                self.skeleton.add(item, Some(parent));
            }
            let copy = Task::Copy(first as u32, (first + run - 1) as u32);
            self.task(copy, start, end);
        }
    }

    fn node(&mut self, node: NodeId, parent: u32, templated: bool) {
        let number = self.skeleton.add(node, Some(parent));
        let (start, end) = self.key_span(node);
        let metas = self.metas(node);
        let own = metas.annotations.iter().find(|annotation| annotation.0 == TEXT_TEMPLATED);
        let place = self.place(node);
        self.templated.extend(own.zip(place).map(|(own, place)| Templated { annotation: own.3, place }));
        let templated = templated || own.is_some();
        for (text, at) in &metas.code {
            if let Some(actions) = &mut self.skeleton.actions {
                actions.push((Action::Load, Span::new(self.id, *at, *at + text.len() as u32)));
                continue;
            }
            match comment::sugar(text) {
                Some(cut) => self.input.line_without(text.as_bytes(), *at, cut),
                None => self.input.line(text.as_bytes(), Origin::Code(*at)),
            }
        }
        for (index, (name, text, at, span)) in metas.annotations.iter().enumerate() {
            let place = NodeSpan {
                source: self.id,
                start: span.start,
                key_end: span.start + 2 + name.len() as u32,
                value: *at,
                end: span.end,
            };
            let pos = self.arena.add_place(place);
            self.skeleton.items[number as usize].annotations.push((Arc::from(*name), pos));
            if let Some(actions) = &mut self.skeleton.actions {
                let literals = self.literals.remove(&span.start).unwrap_or_default();
                actions.push((Action::Annotate(number, index as u32, literals), *span));
                continue;
            }
            let before = format!("__ytt_a(__i, {number}, {index}, __ytt_args(");
            let inner = Some((text.as_bytes(), Origin::Argument(*at)));
            self.input.call(&before, inner, "))", span.start, span.end);
        }
        let key = self.arena.key(node);
        if templated && self.is_tagged(key) {
            self.string(node, key, (start, end), &format!("__ytt_k(__i, {number}, __ytt_string(__i))"));
        }
        let value = self.arena.value(node);
        let is_text = templated && self.is_tagged(value);
        self.skeleton.items[number as usize].computed = !metas.values.is_empty() || is_text;
        self.task(Task::Start(number), start, end);
        for (text, at, span) in &metas.values {
            let inner = Some((text.as_bytes(), Origin::Argument(*at)));
            self.input.call("__ytt_s(__i, (", inner, "))", span.start, span.end);
        }
        if metas.values.is_empty() {
            self.value(node, number, value, templated);
        }
        if let Some(span) = metas.ends {
            self.input.statement("end", span.start, span.end);
        }
    }

    /// The value of a node that has no computed one.
    fn value(&mut self, node: NodeId, number: u32, value: Val, templated: bool) {
        match value {
            Val::Node(container) => {
                let inner = self.skeleton.add(container, Some(number));
                self.items(container, inner, templated);
            }
            value if templated && self.is_tagged(value) => {
                let place = self.place(node).map_or((0, 0), |place| (place.value, place.end));
                self.string(node, value, place, "__ytt_s(__i, (__ytt_string(__i)))");
            }
            _ => {}
        }
    }

    /// The program of a text-templated string that stands at `place`; `last` takes its text.
    fn string(&mut self, node: NodeId, value: Val, place: (u32, u32), last: &str) {
        let Some(text) = self.arena.str(value).map(str::to_owned) else { return };
        let (start, end) = self.key_span(node);
        let scalar = self.text.get(place.0 as usize..place.1 as usize).unwrap_or_default();
        // a scalar without escapes, quotes and line breaks stands in the source as it is
        let direct = scalar.find(&text);
        let places = match direct {
            Some(at) => Places::Direct(place.0 + at as u32),
            None => Places::Decoded { scalar, start: place.0, found: 0, lost: false },
        };
        let whole = Whole { span: Span::new(self.id, place.0, place.1), line: self.source.line(start) };
        match text::split(text.as_bytes(), &places, whole) {
            Err(mut problems) => self.problems.0.append(&mut problems.0),
            Ok(parts) => {
                self.input.enter(Span::new(self.id, start, end));
                self.input.task(&mut self.skeleton, Task::Text, start, end);
                self.warnings.extend(text::unprinted(text.as_bytes(), &parts, &places, self.id));
                text::compile(text.as_bytes(), &parts, places, whole, &mut self.input, &mut self.skeleton);
                self.input.statement(last, start, end);
                self.input.leave();
            }
        }
    }

    // Comments.

    fn metas(&mut self, node: NodeId) -> Metas<'a> {
        let mut metas = Metas::default();
        let place = self.place(node);
        let line = place.map(|place| self.source.line(place.start));
        let has_value = !matches!(self.arena.value(node), Val::Null);
        let comments = self.arena.comments(node).to_vec();
        for comment in comments {
            let text = comment_text(self.source, comment);
            let start = comment.start;
            let beside = line == Some(self.source.line(start));
            match comment::read(text, start, beside) {
                Meaning::Dropped => {}
                Meaning::Unknown if self.ignore_unknown => {}
                Meaning::Unknown => self.unknown(text, comment),
                Meaning::Value { .. } if has_value => self.both(node, comment),
                Meaning::Value { text, at } => metas.values.push((text, at, comment)),
                Meaning::Code { .. } if metas.ends.is_some() => {
                    let place = self.source_line(comment);
                    let message = format!("Unexpected code at line {place} after use of '*/end', expected YAML node");
                    let error = Diagnostic::error(Code::TEMPLATE_CODE, message).label(comment, "");
                    self.problems.push(match metas.ends {
                        Some(first) => error.label(first, "the block that ends behind the node begins here"),
                        None => error,
                    });
                }
                Meaning::Code { text, at } => {
                    if comment::sugar(text).is_some() {
                        metas.ends = Some(comment);
                    }
                    metas.code.push((text, at));
                }
                Meaning::Annotation { name, text, at } => metas.annotations.push((name, text, at, comment)),
            }
        }
        self.check_annotations(node, &metas, place.is_none(), !has_value && metas.values.is_empty(), line);
        metas
    }

    fn check_annotations(&mut self, node: NodeId, metas: &Metas<'a>, invisible: bool, empty: bool, line: Option<u32>) {
        for (name, text, _, span) in &metas.annotations {
            let name_span = Span::new(self.id, span.start + 2, span.start + 2 + name.len() as u32);
            let beside = line == Some(self.source.line(span.start));
            if let Some(warning) = comment::check_name(name, name_span, empty && beside && text.is_empty()) {
                self.warnings.push(warning);
            } else if !name.contains('/')
                && beside
                && let Some(text) = self.plain_text(node).filter(|text| text.1 <= span.start)
            {
                let warning = self.comment_in_text(name, *span, text);
                self.warnings.push(warning);
            } else if invisible {
                let message = format!("annotation `{name}` stands behind the last node");
                let note = "it belongs to an empty document behind the last one";
                let warning = Diagnostic::warning(Code::TEMPLATE_AFTER_END, message).label(*span, "").note(note);
                self.warnings.push(warning);
            }
        }
    }

    /// `FILE:LINE` of a span.
    fn source_line(&self, span: Span) -> String {
        format!("{}:{}", self.source.name, self.source.line(span.start))
    }

    fn unknown(&mut self, text: &str, span: Span) {
        let expected = "Expected ytt-formatted string (use '#@' for annotations or code, '#!' for comments)";
        let line = self.source.line(span.start);
        let message = format!("Failed to parse line {line}: '#{text}': {expected}");
        let error = Diagnostic::error(Code::TEMPLATE_COMMENT, message).label(span, "");
        let at = Span::new(self.id, span.start, span.start + 1);
        let meant = text.trim_start_matches([' ', '#']);
        let error = match meant.strip_prefix('@') {
            Some(_) => {
                let to = span.start + 2 + (text.len() - meant.len()) as u32;
                error.help_edit("write `#@` for code or an annotation", Span::new(self.id, span.start, to), "#@")
            }
            None => error.help_edit("write `#!` for a comment", at, "#!"),
        };
        let error = if self.problems.0.is_empty() { self.of_template(error) } else { error };
        self.problems.push(error);
    }

    /// Shows the first code of the file, which makes a template of it: without any, all comments are allowed.
    fn of_template(&self, error: Diagnostic) -> Diagnostic {
        let comments = crate::yaml::comments(self.text).unwrap_or_default();
        let mut comments = comments.into_iter().map(|at| at as usize);
        let code = comments.find(|at| self.text[*at..].starts_with("#@"));
        let Some(at) = code else { return error };
        let end = at + self.text[at..].find(['\n', '\r']).unwrap_or(self.text.len() - at);
        error
            .label(Span::new(self.id, at as u32, end as u32), "this makes the file a template, where a comment is `#!`")
    }

    fn both(&mut self, node: NodeId, span: Span) {
        let line = self.source_line(span);
        let message =
            format!("Expected YAML node at line {line} to have either computed or YAML value, but found both");
        let error = Diagnostic::error(Code::TEMPLATE_VALUE, message).label(span, "the computed value");
        let value = self.place(node).map(|place| place.value());
        let apart = |value: &Span| value.start < value.end && (value.start >= span.end || value.end <= span.start);
        let Some(value) = value.filter(apart) else { return self.problems.push(error.help("remove one of them")) };
        // An item between brackets begins at the `[` or `,` in front of it.
        let start = self.key_span(node).0 as usize;
        let bracketed = matches!(self.text.as_bytes().get(start), Some(b'[' | b','));
        self.problems.push(self.one_of_both(error, span, value, bracketed));
    }
}

/// Does a comment turn on text templates in strings?
fn is_templated(text: &str) -> bool {
    matches!(comment::read(text, 0, false), Meaning::Annotation { name: TEXT_TEMPLATED, .. })
}
