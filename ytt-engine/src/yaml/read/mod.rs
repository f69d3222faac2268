//! The reader: a source to a document set with places and comments.
//!
//! The steps are `check`, `scan` with `scalar` and `property`, `parse`, `compose`, `attach`; all of them are linear in
//! the text, hold their state in stacks of their own, and never recurse. Aliases and merge keys are copies afterwards
//! and duplicate keys are still there: what becomes of them depends on whether the file is a template.

use std::sync::Arc;

use crate::diag::{Code, Diagnostic, Help, Label};
use crate::limits::Limits;
use crate::source::{Source, SourceId, SourceMap, Span, Text};
use crate::yaml::arena::{Arena, Body, NodeId, Val};
use crate::yaml::attach::attach;
use crate::yaml::check::check;
use crate::yaml::compose::Composer;
use crate::yaml::meta::PosId;
use crate::yaml::parse::Parser;
use crate::yaml::scan::{Kind, Mark, Scanner};
use crate::yaml::warn::Spelling;

#[derive(Clone, Debug)]
pub(crate) struct ReadOptions {
    /// Refuse scalars whose type is not clear (`--strict`).
    pub(crate) strict: bool,
    /// The limit of that name. The limit `depth` is the arena's.
    pub(crate) alias_nodes: u64,
    /// The limit of that name: of each kind of problem so many places are told.
    pub(crate) reports: u32,
}

impl ReadOptions {
    pub(crate) fn new(strict: bool, limits: &Limits) -> ReadOptions {
        ReadOptions { strict, alias_nodes: limits.alias_nodes, reports: limits.reports }
    }
}

#[derive(Debug)]
pub(crate) struct ReadFile {
    /// The document set, with the invisible last document if comments reach it.
    pub(crate) root: NodeId,
    /// A comment with `#@` was recorded: the file is a template.
    pub(crate) has_code: bool,
    /// Some map has a key twice.
    pub(crate) has_duplicate_keys: bool,
    /// The first document is only what the reader's own `---` line opened: the text goes on with a `---` or directive.
    pub(crate) first_is_made: bool,
    /// The last document only holds comments; it has no place and is never printed.
    pub(crate) last_is_invisible: bool,
    /// What people should know: at most one of each kind.
    pub(crate) warnings: Vec<Diagnostic>,
    /// What formatted text does not have: the formatter's warning.
    pub(crate) not_kept: Option<Diagnostic>,
}

impl ReadFile {
    /// The documents that the text has, counted as people count them.
    pub(crate) fn documents<'a>(&self, arena: &'a Arena) -> &'a [NodeId] {
        let all = arena.items(self.root);
        let all = if self.last_is_invisible { all.split_last().map_or(all, |(_, rest)| rest) } else { all };
        all.get(usize::from(self.first_is_made)..).unwrap_or_default()
    }

    /// The value of the first document, the one that the reader made included.
    pub(crate) fn first_value(&self, arena: &Arena) -> Val {
        arena.items(self.root).first().map_or(Val::Null, |&document| arena.value(document))
    }

    /// What people should know whose file is formatted.
    #[cfg(any(feature = "fmt", test))]
    pub(crate) fn into_warnings_of_format(self) -> Vec<Diagnostic> {
        let mark = self.warnings.into_iter().filter(|warning| warning.code() == Code::YAML_BYTE_ORDER_MARK);
        mark.chain(self.not_kept).collect()
    }
}

const MARK_LABEL: &str = "a byte order mark: ytt takes it as a part of the first line";
const MARK_HELP: &str = "save the file as UTF-8 without a byte order mark";

/// Reads a source into the arena.
pub(crate) fn read(
    arena: &mut Arena,
    sources: &SourceMap,
    source: SourceId,
    options: &ReadOptions,
) -> Result<ReadFile, Diagnostic> {
    let origin = sources.get(source);
    let text = check(origin.text.as_bytes(), source)?;
    let number = match &origin.text {
        Text::Str(shared) => arena.add_text(Arc::clone(shared)),
        Text::Bytes(_) => arena.add_text(text.into()),
    };
    let parser = Parser::new(Scanner::new(text, source, begins_with_marker(text)));
    let mut composer = Composer::new(arena, parser, number, options);
    let marked = text.starts_with('\u{FEFF}');
    let mut file = documents(&mut composer, begins_with_marker(text)).map_err(|mut problem| {
        if marked {
            problem.parts_mut().labels.push(Label { span: Span::new(source, 0, 3), text: MARK_LABEL.to_owned() });
            problem.parts_mut().helps.insert(0, Help::new(MARK_HELP));
        }
        problem
    })?;
    if let Some(refused) = composer.notes.take_refused() {
        return Err(refused);
    }
    let Composer { mut notes, parser: Parser { scanner, directives, .. }, has_duplicates, .. } = composer;
    for directive in directives {
        notes.spelled(Spelling::Directive, directive.span(source));
    }
    notes.dropped(&scanner, &scanner.dropped);
    notes.dropped(&scanner, &scanner.comments);
    file.not_kept = notes.take_spelled();
    file.has_duplicate_keys = has_duplicates;
    file.warnings = notes.into_warnings(file.has_code);
    if marked {
        let warning = Diagnostic::warning(Code::YAML_BYTE_ORDER_MARK, "file starts with a byte order mark")
            .label(Span::new(source, 0, 3), MARK_LABEL)
            .help(MARK_HELP);
        file.warnings.insert(0, warning);
    }
    Ok(file)
}

/// All documents of the stream. Comments that belong to none are left in the scanner.
fn documents(composer: &mut Composer<'_, '_>, marked: bool) -> Result<ReadFile, Diagnostic> {
    let source = composer.parser.scanner.source;
    let mut documents = Vec::new();
    // Comments behind all nodes of the documents before.
    let mut left: Vec<Mark> = Vec::new();
    let (mut has_code, mut first_is_empty) = (false, false);
    while let Some(document) = composer.document()? {
        let is_made = documents.is_empty() && !marked;
        first_is_empty |= is_made && document.is_empty;
        documents.push(document.id);
        let mut given: Vec<_> = left.drain(..).map(|raw| (document.id, raw.span(source))).collect();
        let scanner = &mut composer.parser.scanner;
        let comments = std::mem::take(&mut scanner.comments);
        composer.notes.end_document();
        has_code |= comments.iter().any(|raw| is_code(scanner.bytes, raw));
        if !comments.is_empty() {
            left = attach(composer, document.id, !is_made, &comments, &mut given).to_vec();
        }
        composer.arena.add_comments(given);
    }
    let last_is_invisible = !left.is_empty();
    if last_is_invisible {
        let id = composer.arena.add(Body::Doc(Val::Null), PosId(0));
        composer.arena.add_comments(left.iter().map(|raw| (id, raw.span(source))).collect());
        documents.push(id);
    }
    let first_is_made = first_is_empty && documents.len().saturating_sub(usize::from(last_is_invisible)) > 1;
    let root = composer.arena.add(Body::Set(documents.into()), PosId(0));
    let (has_duplicate_keys, warnings, not_kept) = (false, Vec::new(), None);
    Ok(ReadFile { root, has_code, has_duplicate_keys, first_is_made, last_is_invisible, warnings, not_kept })
}

/// Where comments begin in a text, as YAML has them: `#` in a scalar begins none. `None` where it cannot be read.
pub(crate) fn comments(text: &str) -> Option<Vec<u32>> {
    let source = SourceId(0);
    let text = check(text.as_bytes(), source).ok()?;
    let mut scanner = Scanner::new(text, source, begins_with_marker(text));
    while scanner.peek().ok()?.kind != Kind::StreamEnd {
        scanner.skip();
    }
    let mut found: Vec<u32> = scanner.comments.iter().chain(&scanner.dropped).map(|comment| comment.start).collect();
    found.sort_unstable();
    Some(found)
}

/// Is a comment code or an annotation? `#@comment` is neither.
fn is_code(bytes: &[u8], comment: &Mark) -> bool {
    let text = bytes.get(comment.start as usize..comment.end as usize).unwrap_or_default();
    let text = text.strip_prefix(b"#").unwrap_or(text);
    text.starts_with(b"@") && text.trim_ascii_end() != b"@comment" && !text.starts_with(b"@comment ")
}

/// Does the text begin with `---`, after white space at most? If not, such a line is taken to stand in front of it.
fn begins_with_marker(text: &str) -> bool {
    const SPACE: [char; 5] = [' ', '\t', '\n', '\r', '\x0C'];
    text.trim_start_matches(SPACE).strip_prefix("---").is_some_and(|rest| rest.starts_with(SPACE))
}

/// Reads a text that is no file: the argument of a flag, of `yaml.decode`. Its comments mean nothing.
pub(crate) fn read_text(
    arena: &mut Arena,
    sources: &SourceMap,
    source: Source,
    options: &ReadOptions,
) -> Result<ReadFile, Diagnostic> {
    let id = sources.add(source);
    read(arena, sources, id, options)
}

/// What follows the `#` of a comment, to the end of its line.
pub(crate) fn comment_text(source: &Source, comment: Span) -> &str {
    let Span { start, end, .. } = comment;
    let comment = source.text.as_str().and_then(|text| text.get(start as usize..end as usize)).unwrap_or_default();
    comment.strip_prefix('#').unwrap_or(comment)
}

#[cfg(test)]
mod tests;
