//! Steps that led to a problem: what was being done, as the reference prints it in front of the message.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepKind {
    /// Anything else.
    Other,
    /// A file of data values was listed and read.
    ValuesFile,
    /// A file or module was loaded.
    Load,
    /// The text of a text template was taken apart.
    TextTemplate,
    /// The summary of a report, which stands above all of its problems.
    Summary,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) kind: StepKind,
    /// The place of the problem shows it as well: reports need not say it.
    pub(crate) is_shown: bool,
    text: String,
    /// What reports say in its place.
    reported: Option<String>,
}

impl Step {
    pub(crate) fn new(kind: StepKind, text: impl Into<String>) -> Step {
        Step { kind, is_shown: false, text: text.into(), reported: None }
    }

    /// A step that the place of the problem shows as well.
    pub(crate) fn shown(text: impl Into<String>) -> Step {
        Step::new(StepKind::Other, text).shown_if(true)
    }

    pub(crate) fn shown_if(self, is_shown: bool) -> Step {
        Step { is_shown, ..self }
    }

    /// Says what reports show in place of the text, which programs see.
    pub(crate) fn reported(self, reported: Option<String>) -> Step {
        Step { reported, ..self }
    }

    /// What reports show.
    pub(crate) fn shown_text(&self) -> &str {
        self.reported.as_deref().unwrap_or(&self.text)
    }

    /// Several, outermost first, as one text.
    pub(crate) fn join(steps: &[Step]) -> String {
        let texts: Vec<&str> = steps.iter().map(Step::text).collect();
        texts.join(": ")
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

impl<T: Into<String>> From<T> for Step {
    fn from(text: T) -> Step {
        Step::new(StepKind::Other, text)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
