//! What a serializer or deserializer reports: a diagnostic that gains its place and path on the way out.

use std::fmt;

use crate::diag::{Code, Diagnostic};
use crate::source::Span;

/// A type and a value that do not fit, and the path from the root, innermost step first.
#[derive(Debug)]
pub(crate) struct Failure(Box<(Diagnostic, Vec<String>)>);

impl Failure {
    pub(super) fn new(message: impl fmt::Display) -> Failure {
        Failure::from(Diagnostic::error(Code::SERDE_MISMATCH, message.to_string()))
    }

    /// Gives it a place, if it has none yet.
    pub(super) fn at(mut self, span: Option<Span>) -> Failure {
        self.0.0 = self.0.0.at(span);
        self
    }

    /// Adds the step that led here: a key or index.
    pub(super) fn under(mut self, step: impl FnOnce() -> String) -> Failure {
        self.0.1.push(step());
        self
    }

    pub(super) fn into_diagnostic(self) -> Diagnostic {
        let (diagnostic, steps) = *self.0;
        let mut path = String::new();
        for step in steps.iter().rev() {
            if !path.is_empty() && !step.starts_with('[') {
                path.push('.');
            }
            path.push_str(step);
        }
        if path.is_empty() { diagnostic } else { diagnostic.note(format!("at {path}")) }
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Failure {
        Failure(Box::new((diagnostic, Vec::new())))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.0.message())
    }
}

impl std::error::Error for Failure {}

impl serde::ser::Error for Failure {
    fn custom<T: fmt::Display>(message: T) -> Failure {
        Failure::new(message)
    }
}

impl serde::de::Error for Failure {
    fn custom<T: fmt::Display>(message: T) -> Failure {
        Failure::new(message)
    }
}
