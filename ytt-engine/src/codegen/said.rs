//! What was told already: one mistake in a shared template is told in full once in a compilation.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use super::STYLE;
use crate::Diagnostic;
use crate::diag::{draw, report};

/// The problems that a compiler's process, or a build script, has told.
///
/// ```
/// use ytt_engine::codegen::said::Said;
///
/// let said = Said::new();
/// let error = ytt_engine::Project::new().file("a.yml", "a: [\n").render().unwrap_err();
/// let first = ytt_engine::codegen::report_of("`a`", &error, &said, |_| None);
/// assert!(first.starts_with("1 problem rendering `a`\n"));
/// let second = ytt_engine::codegen::report_of("`b`", &error, &said, |_| None);
/// assert_eq!(second, "`b` fails for a reason that is told above: a.yml:1:4\n");
/// ```
#[derive(Debug, Default)]
pub struct Said(Mutex<HashSet<String>>);

impl Said {
    /// Nothing was told yet.
    pub fn new() -> Said {
        Said::default()
    }

    /// The place of a problem that was told; another one is taken as told from now on.
    pub(crate) fn place_if_known(&self, diagnostic: &Diagnostic) -> Option<String> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = draw::place(diagnostic, STYLE).unwrap_or_else(|| diagnostic.message().to_owned());
        let mistake = format!("{} {place} {}", diagnostic.code().as_str(), diagnostic.message());
        (!known.insert(mistake)).then_some(place)
    }
}

/// The report of problems or warnings, which `what` says: a line that names the inputs, and what is `new`; of what is
/// known, the places.
pub(super) fn report(
    title: &str,
    what: &str,
    (new, mut known): (&[Diagnostic], Vec<String>),
    limit: usize,
    style: draw::Style,
) -> String {
    let mut seen = HashSet::new();
    known.retain(|place| seen.insert(place.clone()));
    let places = known.join(", ");
    if new.is_empty() {
        return match what {
            "warning" => format!("{title}: the warnings are told above: {places}\n"),
            _ => format!("{title} fails for a reason that is told above: {places}\n"),
        };
    }
    let counted = |count: usize| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let more = match known.len() {
        0 => String::new(),
        count => format!(", beside {} told above ({places})", counted(count)),
    };
    format!("{} rendering {title}{more}\n{}", counted(new.len()), report::report(new, limit, style))
}
