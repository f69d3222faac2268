//! Lines beside the message of a diagnostic.

use std::fmt;

use crate::source::Span;

/// What a note says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoteKind {
    /// Anything else.
    Text,
    /// What was found where something else was expected.
    Found,
    /// What was expected there.
    Expected,
    /// Where the value that is wrong comes from.
    From,
    /// Another rule that does not hold.
    MustBe,
    /// Key and value of an item that code made, in place of its lines.
    Calculated,
    /// What the reference adds between brackets, `hint: …`.
    Hint,
    /// Where it is in a text that stands in no file.
    Position,
}

impl NoteKind {
    /// What the line begins with.
    fn start(self) -> &'static str {
        match self {
            NoteKind::Text | NoteKind::Position => "",
            NoteKind::Found => "found: ",
            NoteKind::Expected => "expected: ",
            NoteKind::From => "from: ",
            NoteKind::MustBe => "must be: ",
            NoteKind::Calculated => "Data value calculated: ",
            NoteKind::Hint => "hint: ",
        }
    }
}

/// A note: its whole line, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Note {
    pub(crate) kind: NoteKind,
    /// The place of a label that says it: reports need not say it again.
    pub(crate) shown_at: Option<Span>,
    line: String,
}

impl Note {
    pub(crate) fn new(kind: NoteKind, content: impl AsRef<str>) -> Note {
        Note { kind, shown_at: None, line: format!("{}{}", kind.start(), content.as_ref()) }
    }

    /// A note that a label says as well.
    pub(crate) fn shown(self, shown_at: Option<Span>) -> Note {
        Note { shown_at, ..self }
    }

    pub(crate) fn text(&self) -> &str {
        &self.line
    }

    /// The line without the word that it begins with.
    pub(crate) fn content(&self) -> &str {
        self.line.strip_prefix(self.kind.start()).unwrap_or(&self.line)
    }
}

impl From<String> for Note {
    fn from(line: String) -> Note {
        Note { kind: NoteKind::Text, shown_at: None, line }
    }
}

impl From<&str> for Note {
    fn from(line: &str) -> Note {
        Note::from(line.to_owned())
    }
}

#[cfg(test)]
impl PartialEq<&str> for Note {
    fn eq(&self, other: &&str) -> bool {
        self.line == **other
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line)
    }
}
