//! Diagnostics: what is wrong, where, and what to write instead. Data, never text alone.
//!
//! A [`Diagnostic`] has one message (the reference's one-line text), labels in any number of sources, frames of a call
//! stack, notes, and helps that may carry the edit to make. Nothing here draws: `draw` makes the report for people and
//! `json` the lines for programs.

mod allowed;
mod called;
mod code;
pub(crate) mod conflict;
pub(crate) mod draw;
mod edit;
mod fact;
pub(crate) mod grouped;
pub(crate) mod json;
mod note;
pub(crate) mod path;
pub(crate) mod report;
mod step;
pub(crate) mod suggest;
mod view;
pub(crate) mod voice;

use std::fmt;
use std::sync::Arc;

use crate::source::{SourceMap, Span};

pub(crate) use allowed::{is_allowed, names as allowed_names};
pub use code::Code;
pub(crate) use fact::Fact;
pub(crate) use note::{Note, NoteKind};
pub(crate) use path::PathStep;
pub(crate) use step::{Step, StepKind};
pub use view::{Applicability, FrameView, HelpView, LabelView, TextRange};
pub(crate) use voice::{Advice, Variable, Voice};

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The render failed.
    Error,
    /// The render goes on; people should look.
    Warning,
    /// As a warning, but shown only on request.
    Hint,
}

/// One problem with its places, notes and helps.
///
/// The message is the text of ytt, so that it can be searched for; everything else stands beside it.
#[derive(Clone)]
pub struct Diagnostic(Box<Parts>);

#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) code: Code,
    pub(crate) severity: Severity,
    /// Steps that led to the problem, outermost first, as the reference prints them in front of the message.
    pub(crate) context: Vec<Step>,
    pub(crate) message: String,
    /// What a report says in place of the message, which programs see.
    pub(crate) headline: Option<Headline>,
    /// The first label is the primary place.
    pub(crate) labels: Vec<Label>,
    /// What a report shows of a file in full, without leaving out lines between labels.
    pub(crate) in_full: Option<Span>,
    /// Innermost frame first.
    pub(crate) trace: Vec<Frame>,
    pub(crate) notes: Vec<Note>,
    pub(crate) helps: Vec<Help>,
    /// The part of the code at the primary place that is wrong, until that place is known.
    pub(crate) word: Option<Word>,
    /// What happened, where code decides by it.
    pub(crate) fact: Option<Fact>,
    /// The data value that it is about.
    pub(crate) value: Option<DataValue>,
    /// The limit that was reached. How it is raised is said when the diagnostic leaves the engine.
    pub(crate) limit: Option<&'static str>,
    /// Where the code stands that raised it, until the frames are known: the interpreter knows where its statement begins.
    pub(crate) raised: Option<Span>,
    /// How many problems beside it were counted and not put into words.
    pub(crate) more: usize,
    /// Set when the diagnostic leaves the engine: its spans mean places of these.
    pub(crate) sources: Option<Arc<SourceMap>>,
}

/// What a report says in place of a message of the reference.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Headline {
    /// So much of it, where a help proposes what the rest does.
    Start(usize),
    /// Something that is easier to understand.
    Text(String),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Label {
    pub(crate) span: Span,
    pub(crate) text: String,
}

/// A call that was running: the function's name, and where it stood.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Frame {
    pub(crate) name: String,
    pub(crate) span: Option<Span>,
}

/// What to do about it; `edit` replaces a span by a text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Help {
    pub(crate) text: String,
    pub(crate) edit: Option<(Span, String)>,
    /// What has to be changed together with it in other files.
    pub(crate) also: Vec<(Span, String)>,
    /// The name that the reference proposes too: this help is its hint, which programs see.
    pub(crate) near: Option<String>,
    /// What the text is worded from, until the reader is known.
    pub(crate) advice: Option<Advice>,
    /// The edit hides the problem: what was meant to happen does not happen then.
    pub(crate) silences: bool,
    /// What is meant is known to people alone: that the project renders with the edit does not make it the right one.
    pub(crate) is_guess: bool,
    /// Nothing but a render tells whether this is meant: it is shown only if it was tried and mends.
    pub(crate) must_mend: bool,
    /// The mistake may be on the other side: shown only if it was tried, mends, and leaves fewer problems than any other
    /// help; it is the first one then.
    pub(crate) is_other_side: bool,
    /// It is of no use where the help for the other side is.
    pub(crate) unless_other_side: bool,
    /// Shown only where no help in front of it is left that had to mend.
    pub(crate) is_fallback: bool,
    /// Places that are of interest only beside this help: reports show them if the help stays.
    pub(crate) labels: Vec<Label>,
    /// The edit was made and the project rendered: the problem was gone and no other came.
    pub(crate) tried: bool,
}

impl Help {
    pub(crate) fn new(text: impl Into<String>) -> Help {
        Help {
            text: text.into(),
            edit: None,
            also: Vec::new(),
            near: None,
            advice: None,
            silences: false,
            is_guess: false,
            must_mend: false,
            is_other_side: false,
            unless_other_side: false,
            is_fallback: false,
            labels: Vec::new(),
            tried: false,
        }
    }

    pub(crate) fn with_edit(text: impl Into<String>, span: Span, new: impl Into<String>) -> Help {
        Help { edit: Some((span, new.into())), ..Help::new(text) }
    }

    /// A help with all of these edits, each of another file; without any if there is none.
    pub(crate) fn with_edits(text: impl Into<String>, edits: impl IntoIterator<Item = (Span, String)>) -> Help {
        let mut edits = edits.into_iter();
        Help { edit: edits.next(), also: edits.collect(), ..Help::new(text) }
    }

    /// All edits that have to be made together.
    pub(crate) fn edits(&self) -> impl Iterator<Item = &(Span, String)> {
        self.edit.iter().chain(self.edit.iter().flat_map(|_| &self.also))
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DataValue {
    pub(crate) path: String,
    /// What it is, in a few words.
    pub(crate) found: String,
    /// It is written in a file; otherwise code made it.
    pub(crate) written: bool,
    /// It is a float without a fraction.
    pub(crate) is_whole: bool,
}

/// A part of the code of a place, and what to write instead.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) kind: WordKind,
    /// The help to which the edit belongs, and the text to write.
    pub(crate) meant: Option<(usize, String)>,
    /// What is said of it where it stands.
    pub(crate) label: String,
}

/// Where in code a [`Word`] is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WordKind {
    /// Inside of a string.
    Text,
    /// A name that is not called.
    Name,
    /// The name of an argument.
    Argument,
    /// The name behind a dot, where it stands last.
    Attribute,
}

impl Diagnostic {
    pub(crate) fn error(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, message)
    }

    pub(crate) fn warning(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, message)
    }

    pub(crate) fn new(severity: Severity, code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic(Box::new(Parts {
            code,
            severity,
            context: Vec::new(),
            message: message.into(),
            headline: None,
            labels: Vec::new(),
            in_full: None,
            trace: Vec::new(),
            notes: Vec::new(),
            helps: Vec::new(),
            word: None,
            fact: None,
            value: None,
            limit: None,
            raised: None,
            more: 0,
            sources: None,
        }))
    }

    /// An error of the limit of that name, which may be raised.
    pub(crate) fn limit(code: Code, name: &'static str, message: impl Into<String>) -> Diagnostic {
        let mut diagnostic = Diagnostic::error(code, message);
        diagnostic.0.limit = Some(name);
        diagnostic
    }

    /// A value of another kind than the expected one.
    pub(crate) fn mismatch(code: Code, expected: &str, found: &str) -> Diagnostic {
        let fact = Fact::Mismatch { expected: expected.to_owned(), found: found.to_owned() };
        Diagnostic::error(code, format!("Expected {expected}, but was {found}")).fact(fact)
    }

    /// A member that a value of this type does not have, and the one that the reference proposes.
    pub(crate) fn no_member(kind: &str, name: &str, near: Option<&str>) -> Diagnostic {
        let fact = Fact::NoMember {
            kind: kind.to_owned(),
            name: name.to_owned(),
            near: near.map(str::to_owned),
            known: Vec::new(),
        };
        Diagnostic::error(Code::STARLARK_ERROR, format!("{kind} has no .{name} field or method"))
            .fact(fact)
            .proposal(near.map(|near| format!(".{near}")))
    }

    /// Ends the message as the reference does where it proposes a name; reports have a help instead.
    pub(crate) fn proposal(mut self, near: Option<impl fmt::Display>) -> Diagnostic {
        if let Some(near) = near {
            self.0.headline = Some(Headline::Start(self.0.message.len()));
            self.0.message.push_str(&format!(" (did you mean {near}?)"));
        }
        self
    }

    /// Says what a report shows in place of the message.
    pub(crate) fn headlined(mut self, text: impl Into<String>) -> Diagnostic {
        self.0.headline = Some(Headline::Text(text.into()));
        self
    }

    /// Names the part of the code at the place that is wrong, with what was probably meant instead.
    pub(crate) fn misspelt(self, wrong: impl Into<String>, meant: Option<&str>) -> Diagnostic {
        self.misspelt_as(WordKind::Text, wrong, meant)
    }

    /// As [`Diagnostic::misspelt`], for a part that is no text.
    pub(crate) fn misspelt_as(mut self, kind: WordKind, wrong: impl Into<String>, meant: Option<&str>) -> Diagnostic {
        let meant = meant.map(|meant| (self.0.helps.len(), meant.to_owned()));
        let dot = if kind == WordKind::Attribute { "." } else { "" };
        let help = meant.as_ref().map(|(_, meant)| format!("did you mean `{dot}{meant}`?"));
        self.0.word = Some(Word { text: wrong.into(), kind, meant, label: String::new() });
        help.into_iter().fold(self, Diagnostic::help)
    }

    /// As [`Diagnostic::misspelt_as`], with the names that are equally near: of several, none is written by an edit.
    pub(crate) fn misspelt_among(self, kind: WordKind, wrong: impl Into<String>, near: &[&str]) -> Diagnostic {
        match near {
            [] | [_] => self.misspelt_as(kind, wrong, near.first().copied()),
            several => self.misspelt_as(kind, wrong, None).help(format!("did you mean {}?", suggest::either(several))),
        }
    }

    /// What is said of the part of the code that [`Diagnostic::misspelt`] named.
    pub(crate) fn saying(mut self, label: impl Into<String>) -> Diagnostic {
        if let Some(word) = &mut self.0.word {
            word.label = label.into();
        }
        self
    }

    /// The same problem in other sources, where `place` says where a place of it is there. A place that is nowhere goes, and
    /// a help that writes there; without its primary place there is no problem.
    pub(crate) fn placed_in(
        mut self,
        sources: &Arc<SourceMap>,
        mut place: impl FnMut(Span) -> Option<Span>,
    ) -> Option<Diagnostic> {
        let parts = &mut *self.0;
        let mut moved = |label: Label| Some(Label { span: place(label.span)?, ..label });
        let mut labels = std::mem::take(&mut parts.labels).into_iter();
        let primary = moved(labels.next()?)?;
        parts.labels = std::iter::once(primary).chain(labels.filter_map(moved)).collect();
        parts.in_full = parts.in_full.and_then(&mut place);
        parts.trace.iter_mut().for_each(|frame| frame.span = frame.span.and_then(&mut place));
        parts.notes.iter_mut().for_each(|note| note.shown_at = note.shown_at.and_then(&mut place));
        parts.helps.retain_mut(|help| {
            let own = std::mem::take(&mut help.labels).into_iter();
            help.labels = own.filter_map(|label| Some(Label { span: place(label.span)?, ..label })).collect();
            let mut edits = help.edit.iter_mut().chain(&mut help.also);
            edits.all(|(span, _)| place(*span).map(|there| *span = there).is_some())
        });
        (parts.raised, parts.fact) = (None, None);
        parts.sources = Some(sources.clone());
        Some(self)
    }

    pub(crate) fn fact(mut self, fact: Fact) -> Diagnostic {
        self.0.fact = Some(fact);
        self
    }

    pub(crate) fn about(mut self, value: DataValue) -> Diagnostic {
        self.0.value = Some(value);
        self
    }

    /// Adds a place; the first one added is the primary one.
    pub(crate) fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.0.labels.push(Label { span, text: text.into() });
        self
    }

    /// Adds a place, if it is known.
    pub(crate) fn label_at(self, span: Option<Span>, text: impl Into<String>) -> Diagnostic {
        match span {
            Some(span) => self.label(span, text),
            None => self,
        }
    }

    /// Says something else of the primary place.
    pub(crate) fn relabel(mut self, text: impl Into<String>) -> Diagnostic {
        if let Some(label) = self.0.labels.first_mut() {
            label.text = text.into();
        }
        self
    }

    /// Sets the primary place, if there is none yet.
    pub(crate) fn at(self, span: Option<Span>) -> Diagnostic {
        match span {
            Some(span) if self.0.labels.is_empty() => self.label(span, ""),
            _ => self,
        }
    }

    /// Says where the code stands that raised it.
    pub(crate) fn raised(mut self, place: Span) -> Diagnostic {
        self.0.raised = Some(place);
        self
    }

    pub(crate) fn note(mut self, note: impl Into<Note>) -> Diagnostic {
        self.0.notes.push(note.into());
        self
    }

    /// Adds a place that says what a note says: reports have the label, programs have both.
    #[cfg_attr(not(test), expect(dead_code, reason = "taken by what follows"))]
    pub(crate) fn label_note(self, span: Span, mut note: Note) -> Diagnostic {
        note.shown_at = Some(span);
        self.label(span, note.text()).note(note)
    }

    pub(crate) fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.0.helps.push(Help::new(text));
        self
    }

    /// Says that the last help hides the problem: it is not tried. It belongs behind those that mend.
    pub(crate) fn silencing(mut self) -> Diagnostic {
        if let Some(help) = self.0.helps.last_mut() {
            help.silences = true;
        }
        self
    }

    /// Says that only people know whether the edit of the last help is meant: it goes if it does not mend, but no program
    /// may make it.
    pub(crate) fn guessing(mut self) -> Diagnostic {
        if let Some(help) = self.0.helps.last_mut() {
            help.is_guess = true;
        }
        self
    }

    /// The last help edits the other side of what does not fit together: a trial decides which of the two is wrong.
    pub(crate) fn other_side(mut self) -> Diagnostic {
        if let Some(help) = self.0.helps.last_mut() {
            (help.must_mend, help.is_other_side) = (true, true);
        }
        self
    }

    /// Writing `new` is of no use if a trial finds that the other side is wrong.
    pub(crate) fn unless_other_side(mut self, new: &str) -> Diagnostic {
        let is_it = |help: &&mut Help| help.edit.as_ref().is_some_and(|(_, own)| own == new);
        self.0.helps.iter_mut().filter(is_it).for_each(|help| help.unless_other_side = true);
        self
    }

    /// The last help is of use only if a trial finds that it mends.
    pub(crate) fn if_it_mends(mut self) -> Diagnostic {
        if let Some(help) = self.0.helps.last_mut() {
            help.must_mend = true;
        }
        self
    }

    /// Adds places that are shown only as long as the last help is.
    pub(crate) fn beside_help(mut self, labels: impl IntoIterator<Item = Label>) -> Diagnostic {
        if let Some(help) = self.0.helps.last_mut() {
            help.labels.extend(labels);
        }
        self
    }

    /// Shows the places of the helps that are left.
    pub(crate) fn show_places_of_helps(&mut self) {
        let Parts { labels, helps, .. } = &mut *self.0;
        for label in helps.iter_mut().flat_map(|help| std::mem::take(&mut help.labels)) {
            if labels.iter().all(|known| known.span != label.span) {
                labels.push(label);
            }
        }
    }

    /// Says that the last help is the reference's own hint, which proposes this name.
    pub(crate) fn proposing(mut self, near: &str) -> Diagnostic {
        if let Some(help) = self.0.helps.last_mut() {
            help.near = Some(near.to_owned());
        }
        self
    }

    pub(crate) fn help_edit(mut self, text: impl Into<String>, span: Span, new: impl Into<String>) -> Diagnostic {
        self.0.helps.push(Help::with_edit(text, span, new));
        self
    }

    /// A help, with the edit to make if its place is known.
    pub(crate) fn edit_at(self, text: impl Into<String>, span: Option<Span>, new: impl Into<String>) -> Diagnostic {
        match span {
            Some(span) => self.help_edit(text, span, new),
            None => self.help(text),
        }
    }

    /// Puts a step in front: `Document on line a.yml:1`, later steps being outer ones.
    pub(crate) fn context(mut self, step: impl Into<Step>) -> Diagnostic {
        self.0.context.insert(0, step.into());
        self
    }

    #[cfg(test)]
    pub(crate) fn frame(mut self, name: impl Into<String>, span: Option<Span>) -> Diagnostic {
        self.0.trace.push(Frame { name: name.into(), span });
        self
    }

    pub(crate) fn parts(&self) -> &Parts {
        &self.0
    }

    pub(crate) fn parts_mut(&mut self) -> &mut Parts {
        &mut self.0
    }

    /// The message with the steps that led to it, in one line, as the reference prints it.
    pub(crate) fn full_message(&self) -> String {
        let steps: String = self.0.context.iter().map(|step| format!("{step}: ")).collect();
        steps + &self.0.message
    }

    /// The stable code.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.0.severity
    }

    /// What is wrong, as ytt says it, without the steps that led there.
    pub fn message(&self) -> &str {
        &self.0.message
    }
}

impl fmt::Debug for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Diagnostic")
            .field("code", &self.0.code.as_str())
            .field("message", &self.full_message())
            .field("labels", &self.0.labels)
            .field("notes", &self.0.notes)
            .field("helps", &self.0.helps)
            .finish()
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.full_message())
    }
}

impl std::error::Error for Diagnostic {}

/// The problems of a stage, in order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Diagnostics(pub(crate) Vec<Diagnostic>);

impl Diagnostics {
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        self.0.push(diagnostic);
    }

    /// Puts a step in front of each: see [`Diagnostic::context`].
    pub(crate) fn context(self, step: impl Into<Step>) -> Diagnostics {
        let step = step.into();
        Diagnostics(self.0.into_iter().map(|problem| problem.context(step.clone())).collect())
    }

    /// `Err` with all of them, if there is any.
    pub(crate) fn into_result(self) -> Result<(), Diagnostics> {
        if self.0.is_empty() { Ok(()) } else { Err(self) }
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.iter().map(Diagnostic::full_message).collect::<Vec<_>>().join("\n"))
    }
}

impl std::error::Error for Diagnostics {}

impl From<Diagnostic> for Diagnostics {
    fn from(diagnostic: Diagnostic) -> Diagnostics {
        Diagnostics(vec![diagnostic])
    }
}

/// Returns early with an error: `bail!(Code::X, "text {}", value)`.
macro_rules! bail {
    ($code:expr, $($text:tt)*) => {
        return Err($crate::diag::Diagnostic::error($code, format!($($text)*)).into())
    };
}
pub(crate) use bail;
