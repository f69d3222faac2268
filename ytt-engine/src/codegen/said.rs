//! What was told already: one mistake in a shared template is told in full once in a compilation.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use super::STYLE;
use crate::Diagnostic;
use crate::diag::draw;

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

/// What is said of inputs all of whose problems are known.
pub(super) fn again(title: &str, what: &str, places: &[String]) -> String {
    let places = distinct(places).join(", ");
    match what {
        "warning" => format!("{title}: the warnings are told above: {places}"),
        _ => format!("{title} fails for a reason that is told above: {places}"),
    }
}

/// What is said of known problems beside others.
pub(super) fn more(what: &str, places: &[String]) -> String {
    match distinct(places) {
        places if places.is_empty() => String::new(),
        places => format!(
            ", beside {} {what}{} told above ({})",
            places.len(),
            if places.len() == 1 { "" } else { "s" },
            places.join(", ")
        ),
    }
}

fn distinct(places: &[String]) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for place in places {
        if !found.contains(&place.as_str()) {
            found.push(place);
        }
    }
    found
}
