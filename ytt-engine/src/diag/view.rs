//! What a program sees of a [`Diagnostic`]: places as file names, lines and columns. Spans stay inside.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Diagnostic, Frame, Label, Note, Severity, Step, draw, json, report};
use crate::source::{Origin, Position, Source, SourceMap, Span, to_u32};

/// A part of a text: the name of the file and where it begins and ends.
///
/// ```
/// let error = ytt_engine::Project::new().file("a.yml", "a: [\n").render().unwrap_err();
/// let place = error.diagnostics()[0].labels().next().map(|label| label.place().clone());
/// assert_eq!(place.map(|place| place.file().to_string()).as_deref(), Some("a.yml"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextRange {
    file: Arc<str>,
    path: Option<PathBuf>,
    start: Position,
    end: Position,
    bytes: Range<usize>,
}

impl TextRange {
    pub(crate) fn new(sources: &SourceMap, span: Span) -> TextRange {
        let source = sources.get(span.source);
        if let Origin::Rust(at) = source.origin {
            let start = Position { line: at.line(), column: at.column() };
            return TextRange { file: at.file().into(), path: None, start, end: start, bytes: 0..0 };
        }
        let path = if let Origin::File(path) = &source.origin { Some(path.clone()) } else { None };
        let (from, to) = clamp(&source, span);
        let (start, end) = (source.position(from), source.position(to));
        TextRange { file: source.name.clone(), path, start, end, bytes: from as usize..to as usize }
    }

    /// Name of the file as ytt shows it: its relative path, `(data-value arg)`, or the Rust file of a builder's call.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The path under which the file was read, if it was read from a disk.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The first character.
    pub fn start(&self) -> Position {
        self.start
    }

    /// Behind the last character.
    pub fn end(&self) -> Position {
        self.end
    }

    /// The same in bytes from the start of the file.
    pub fn bytes(&self) -> Range<usize> {
        self.bytes.clone()
    }
}

/// A place and what a [`Diagnostic`] says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelView<'a> {
    place: TextRange,
    text: &'a str,
}

impl LabelView<'_> {
    /// Where.
    pub fn place(&self) -> &TextRange {
        &self.place
    }

    /// What is said of it; empty where the message says all.
    pub fn text(&self) -> &str {
        self.text
    }
}

/// What to do about a [`Diagnostic`], with the edit to make where it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HelpView<'a> {
    text: &'a str,
    edits: Vec<(TextRange, &'a str)>,
    tried: bool,
}

/// How far an edit can be trusted; the words are those of rustc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Applicability {
    /// The edit was made in memory and everything rendered again: the problem was gone, and no other came.
    MachineApplicable,
    /// Somebody has to look whether it is what was meant.
    MaybeIncorrect,
}

impl Applicability {
    /// `machine-applicable` or `maybe-incorrect`.
    ///
    /// ```
    /// assert_eq!(ytt_engine::Applicability::MachineApplicable.as_str(), "machine-applicable");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Applicability::MachineApplicable => "machine-applicable",
            Applicability::MaybeIncorrect => "maybe-incorrect",
        }
    }
}

impl HelpView<'_> {
    /// The advice.
    pub fn text(&self) -> &str {
        self.text
    }

    /// The part of a file to replace, and its new text, if that is all there is to change: see [`HelpView::edits`].
    pub fn edit(&self) -> Option<(&TextRange, &str)> {
        match &self.edits[..] {
            [(place, text)] => Some((place, *text)),
            _ => None,
        }
    }

    /// All that has to be changed together: parts of different files, if there are several, each with its new text.
    ///
    /// ```
    /// use ytt_engine::Project;
    ///
    /// let project = Project::new().file("a.yml", "#@ load(\"@ytt:json\", \"json\")\na: #@ jsn.encode(1)\n");
    /// let error = project.render().unwrap_err();
    /// let help = error.diagnostics()[0].helps().next().expect("there is a name that is near");
    /// assert_eq!(help.edits().map(|(_, new)| new).collect::<Vec<_>>(), ["json"]);
    /// ```
    pub fn edits(&self) -> impl Iterator<Item = (&TextRange, &str)> {
        self.edits.iter().map(|(place, text)| (place, *text))
    }

    /// How far the edits can be trusted, if there are any.
    ///
    /// ```
    /// use ytt_engine::{Applicability, Project};
    ///
    /// let project = Project::new().file("a.yml", "#@ load(\"@ytt:json\", \"json\")\na: #@ jsn.encode(1)\n");
    /// let error = project.render().unwrap_err();
    /// let help = error.diagnostics()[0].helps().next().expect("there is a name that is near");
    /// assert_eq!(help.edit().map(|(_, new)| new), Some("json"));
    /// assert_eq!(help.applicability(), Some(Applicability::MachineApplicable));
    /// ```
    pub fn applicability(&self) -> Option<Applicability> {
        self.edits.first().map(|_| match self.tried {
            true => Applicability::MachineApplicable,
            false => Applicability::MaybeIncorrect,
        })
    }
}

/// A call that was running when a [`Diagnostic`] was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameView<'a> {
    name: &'a str,
    place: Option<TextRange>,
}

impl FrameView<'_> {
    /// Name of the function, `<toplevel>` for the file itself.
    pub fn name(&self) -> &str {
        self.name
    }

    /// Where the call stood.
    pub fn place(&self) -> Option<&TextRange> {
        self.place.as_ref()
    }
}

impl Diagnostic {
    /// The places it speaks of, the primary one first.
    ///
    /// ```
    /// let error = ytt_engine::Project::new().file("a.yml", "a: [\n").render().unwrap_err();
    /// let lines: Vec<u32> = error.diagnostics()[0].labels().map(|label| label.place().start().line).collect();
    /// assert!(!lines.is_empty());
    /// ```
    pub fn labels(&self) -> impl Iterator<Item = LabelView<'_>> {
        self.located(&self.parts().labels).map(|(sources, label): (_, &Label)| LabelView {
            place: TextRange::new(sources, label.span),
            text: &label.text,
        })
    }

    /// The calls that were running, innermost first.
    pub fn trace(&self) -> impl Iterator<Item = FrameView<'_>> {
        self.located(&self.parts().trace).map(|(sources, frame): (_, &Frame)| FrameView {
            name: &frame.name,
            place: frame.span.map(|span| TextRange::new(sources, span)),
        })
    }

    /// The steps that led to it, outermost first: `Document on line a.yml:3`.
    pub fn steps(&self) -> impl Iterator<Item = &str> {
        self.parts().context.iter().map(Step::text)
    }

    /// What else is to know.
    pub fn notes(&self) -> impl Iterator<Item = &str> {
        self.parts().notes.iter().map(Note::text)
    }

    /// What to do about it.
    pub fn helps(&self) -> impl Iterator<Item = HelpView<'_>> {
        let sources = self.parts().sources.as_deref();
        self.parts().helps.iter().map(move |help| {
            let edits = help.edits().filter_map(|(span, new)| Some((TextRange::new(sources?, *span), new.as_str())));
            HelpView { text: &help.text, tried: help.tried, edits: edits.collect() }
        })
    }

    /// The report for people, with source lines: as [`Error::to_report`](crate::Error::to_report), for warnings.
    ///
    /// ```
    /// let rendered = ytt_engine::Project::new().file("a.yml", "#@foo/bar\na: 1\n").render()?;
    /// for warning in rendered.warnings() {
    ///     eprintln!("{}", warning.to_report(false));
    /// }
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn to_report(&self, colors: bool) -> String {
        let style = draw::Style { colors, ..draw::Style::default() };
        report::or_plain(std::slice::from_ref(self), || draw::draw(self, style))
    }

    /// The same facts as JSON, in one line, for programs; the keys are those of
    /// [`Error::to_json_lines`](crate::Error::to_json_lines).
    pub fn to_json_line(&self) -> String {
        let line = report::or_plain_lines(std::slice::from_ref(self), || json::line(self));
        line.lines().next().unwrap_or_default().to_owned()
    }

    /// Name of the file of the primary place, if there is one.
    pub fn file(&self) -> Option<String> {
        self.labels().next().map(|label| label.place.file().to_string())
    }

    /// Line and column of the primary place, if there is one.
    pub fn position(&self) -> Option<Position> {
        self.labels().next().map(|label| label.place.start)
    }

    /// Places can be told only where the texts are known.
    fn located<'a, T>(&'a self, items: &'a [T]) -> impl Iterator<Item = (&'a SourceMap, &'a T)> {
        let sources = self.parts().sources.as_deref();
        items.iter().filter_map(move |item| Some((sources?, item)))
    }
}

impl Severity {
    /// `error`, `warning` or `hint`.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        }
    }
}

/// The bytes of a span that exist, on character boundaries.
pub(super) fn clamp(source: &Source, span: Span) -> (u32, u32) {
    let bytes = source.text.as_bytes();
    let boundary = |at: usize| match source.text.as_str() {
        Some(text) => to_u32((0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default()),
        None => to_u32(at),
    };
    let start = boundary((span.start as usize).min(bytes.len()));
    (start, boundary((span.end as usize).min(bytes.len())).max(start))
}
