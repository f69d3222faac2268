//! What the reader noticed besides errors: scalars that `--strict` refuses, and losses that are results in ytt too.
//!
//! One diagnostic is made of all places of a kind in a file; the limit `reports` says how many places are told.

use super::scan::{Mark, Scanner};
use super::{layout, slips, strict};
use crate::diag::{Code, Diagnostic, Help};
use crate::source::Span;

/// Places of one kind with what is said of each.
#[derive(Default)]
struct Places {
    told: Vec<(Span, String)>,
    more: usize,
    most: usize,
}

impl Places {
    fn add(&mut self, span: Span, text: impl Into<String>) {
        match self.told.len() < self.most {
            true => self.told.push((span, text.into())),
            false => self.more = self.more.saturating_add(1),
        }
    }

    fn into_diagnostic(self, diagnostic: Diagnostic) -> Diagnostic {
        let labelled = self.told.into_iter().fold(diagnostic, |diagnostic, (span, text)| diagnostic.label(span, text));
        if self.more > 0 { labelled.note(format!("and {} more", self.more)) } else { labelled }
    }

    fn into_warning(self, code: Code, text: &str) -> Option<Diagnostic> {
        (!self.told.is_empty()).then(|| self.into_diagnostic(Diagnostic::warning(code, text)))
    }
}

/// What is no part of a tree, so that formatted text cannot have it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Spelling {
    Alias,
    Merge,
    Tag,
    Directive,
    /// A comment that no node owns.
    Comment,
}

impl Spelling {
    /// Its name in the plural, and what becomes of it.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Spelling::Alias => ("aliases", "the copy is written out"),
            Spelling::Merge => ("merge keys", "the merged items are written out"),
            Spelling::Tag => ("tags", "left out"),
            Spelling::Directive => ("directives", "left out"),
            Spelling::Comment => ("comments that belong to nothing", "left out"),
        }
    }
}

/// Everything that was noticed in one file.
pub(super) struct Notes {
    refused: Places,
    /// The text of the first one, with what to write instead of it.
    first_refused: Option<(String, Vec<Help>)>,
    tags: Places,
    aliases: Places,
    dropped: Places,
    /// Expressions of Helm, and the code of ytt that the first one is.
    braces: Places,
    first_braces: Option<String>,
    /// Keys with values that are texts, since no blank is behind the colon, and the text of the first one with blanks.
    glued: Places,
    first_glued: Option<String>,
    /// What the formatter writes otherwise, and which kinds of it there are.
    spelled: Places,
    spellings: Vec<Spelling>,
    /// Start and line of comments with code in this document, and how many of its comments were looked at.
    code: Vec<(u32, u32)>,
    looked_at: usize,
}

impl Notes {
    /// `reports` is the limit of that name; one place is always told.
    pub(super) fn new(reports: u32) -> Notes {
        let places = || Places { most: reports.max(1) as usize, ..Places::default() };
        Notes {
            refused: places(),
            first_refused: None,
            tags: places(),
            aliases: places(),
            dropped: places(),
            braces: places(),
            first_braces: None,
            glued: places(),
            first_glued: None,
            spelled: places(),
            spellings: Vec::new(),
            code: Vec::new(),
            looked_at: 0,
        }
    }

    /// A plain scalar that `--strict` does not accept.
    /// `written` is its text, if that is what stands in the source.
    pub(super) fn refused(&mut self, span: Span, problem: String, written: Option<&str>) {
        let label = written.and_then(strict::readings);
        let text = || problem.strip_prefix("Strict parsing: ").unwrap_or(&problem).to_owned();
        self.refused.add(span, label.unwrap_or_else(text));
        if self.first_refused.is_none() {
            let instead = written.map(strict::instead).unwrap_or_default().into_iter();
            let helps = instead.map(|(text, new)| Help::with_edit(text, span, new));
            self.first_refused = Some((problem, helps.collect()));
        }
    }

    /// The error for all scalars that were refused.
    pub(super) fn take_refused(&mut self) -> Option<Diagnostic> {
        let (text, mut helps) = self.first_refused.take()?;
        let refused = std::mem::take(&mut self.refused);
        if helps.is_empty() || refused.told.len() > 1 {
            let all = "quote what is a string; write true or false for a boolean, decimal digits for a number";
            helps.push(Help::new(all));
        }
        let mut problem = refused.into_diagnostic(Diagnostic::error(Code::YAML_STRICT, format!("yaml: {text}")));
        problem.parts_mut().helps = helps;
        Some(problem)
    }

    /// Something that formatted text will not have.
    pub(super) fn spelled(&mut self, spelling: Spelling, span: Span) {
        self.spelled.add(span, spelling.words().1);
        if !self.spellings.contains(&spelling) {
            self.spellings.push(spelling);
        }
    }

    /// The warning of the formatter, if it has to give one.
    pub(super) fn take_spelled(&mut self) -> Option<Diagnostic> {
        self.spellings.sort_unstable();
        let names: Vec<&str> = self.spellings.iter().map(|spelling| spelling.words().0).collect();
        let text = format!("formatting does not keep {}", names.join(", "));
        std::mem::take(&mut self.spelled).into_warning(Code::YAML_NOT_KEPT, &text)
    }

    /// A tag; `unknown` ones mean nothing here.
    pub(super) fn tag(&mut self, span: Span, unknown: bool) {
        self.spelled(Spelling::Tag, span);
        if unknown {
            self.tags.add(span, "this tag is dropped: the value is read without it");
        }
    }

    /// A document is complete, and its comments are taken from the scanner. No alias reaches into it from the next one.
    pub(super) fn end_document(&mut self) {
        self.code.clear();
        self.looked_at = 0;
    }

    /// An alias at `here` of what starts at `start` and ends on `last_line`.
    pub(super) fn alias(&mut self, scanner: &Scanner<'_>, here: Span, start: u32, last_line: u32) {
        for comment in scanner.comments.iter().skip(self.looked_at) {
            if is_code(scanner, comment) {
                self.code.push((comment.start, comment.line));
            }
        }
        self.looked_at = scanner.comments.len();
        let next = self.code.partition_point(|code| code.0 < start);
        if self.code.get(next).is_some_and(|code| code.1 <= last_line) {
            self.aliases.add(here, "only the YAML value is copied, not the code after it");
        }
    }

    /// Comments that belong to nothing.
    pub(super) fn dropped(&mut self, scanner: &Scanner<'_>, comments: &[Mark]) {
        for comment in comments {
            let span = comment.span(scanner.source);
            self.spelled(Spelling::Comment, span);
            if is_code(scanner, comment) {
                self.dropped.add(span, "this never runs");
            }
        }
    }

    /// A map that is a key, which is what `{{ … }}` means.
    pub(super) fn map_as_key(&mut self, scanner: &Scanner<'_>, start: u32, end: u32) {
        let (Some(start), Some(end)) = (start.checked_sub(1), end.checked_add(1)) else { return };
        let around = scanner.text.get(start as usize..end as usize);
        let Some(written) = around.filter(|text| text.starts_with("{{") && text.ends_with("}}")) else { return };
        if self.braces.told.is_empty() {
            self.first_braces = layout::helm(written, scanner.text);
        }
        self.braces.add(Span::new(scanner.source, start, end), layout::HELM);
    }

    /// A scalar on lines of its own, below its key or as a whole document.
    pub(super) fn text_below(&mut self, scanner: &Scanner<'_>, key: Option<(u32, u32)>, (start, end): (u32, u32)) {
        let part = |start: u32, end: u32| scanner.text.get(start as usize..end as usize).unwrap_or_default();
        let Some(meant) = slips::meant_as_map(key.map(|(start, end)| part(start, end)), part(start, end)) else {
            return;
        };
        if self.glued.told.is_empty() {
            self.first_glued = Some(meant);
        }
        self.glued.add(Span::new(scanner.source, start, end), "this is one text: a blank is missing behind the colon");
    }

    /// `has_code` says that the file is a template: there a key that is a map is an error.
    pub(super) fn into_warnings(self, has_code: bool) -> Vec<Diagnostic> {
        let tags = self.tags.into_warning(Code::YAML_UNKNOWN_TAG, "unknown tags are dropped");
        let aliases = self.aliases.into_warning(Code::YAML_ALIAS_OF_CODE, "alias copies the text before code runs");
        let dropped = self.dropped.into_warning(Code::YAML_DROPPED_CODE, "code in a comment that ytt does not keep");
        let code = self.first_braces.map_or(String::new(), |code| format!(": `{code}`"));
        let braces = self.braces.into_warning(Code::YAML_BRACES, "a map is a key of a map: `{{ … }}` is no expression");
        let braces = braces.filter(|_| !has_code).map(|warning| warning.help(format!("write it as code of ytt{code}")));
        let edit = match &self.glued.told[..] {
            [(span, _)] => self.first_glued.map(|meant| (*span, meant)),
            _ => None,
        };
        let glued = self.glued.into_warning(Code::YAML_MISSING_BLANK, "a text stands where a map is meant");
        let glued = glued.map(|warning| {
            let (place, new) = edit.map_or((None, String::new()), |(span, new)| (Some(span), new));
            warning.edit_at("write a blank behind the colon", place, new).guessing()
        });
        [tags, aliases, dropped, braces, glued].into_iter().flatten().collect()
    }
}

fn is_code(scanner: &Scanner<'_>, comment: &Mark) -> bool {
    scanner.bytes.get(comment.start as usize..).is_some_and(|rest| rest.starts_with(b"#@"))
}
