//! Documents and flags that a run has for the libraries it evaluates, and which of them were used.
//!
//! They belong to the run, not to an instance: two instances of one library get the same ones, and what none of them
//! took is an error at the end of the templates (libraries-and-files.md 4.4, 4.6).

use std::sync::atomic::{AtomicBool, Ordering};

use super::schemas::GivenSchema;
use super::values::GivenValue;
use crate::diag::{Code, Diagnostic};
use crate::source::SourceMap;
use crate::yaml::{Arena, PosId};

/// What a run hands to libraries, in the order in which it counts.
#[derive(Debug, Default)]
pub(crate) struct Addressed {
    values: Vec<(GivenValue, AtomicBool)>,
    schemas: Vec<(GivenSchema, AtomicBool)>,
}

/// What one library gets: for itself where its route ends, for the libraries that it evaluates otherwise.
#[derive(Debug, Default)]
pub(crate) struct Handed {
    pub(crate) values: Vec<GivenValue>,
    pub(crate) schemas: Vec<GivenSchema>,
}

impl Addressed {
    pub(crate) fn new(handed: Handed) -> Addressed {
        Addressed {
            values: handed.values.into_iter().map(|value| (value, AtomicBool::new(false))).collect(),
            schemas: handed.schemas.into_iter().map(|schema| (schema, AtomicBool::new(false))).collect(),
        }
    }

    /// What is for the library that was got by this name and alias; it counts as used from now on.
    pub(crate) fn hand_to(&self, name: &str, alias: Option<&str>) -> Handed {
        fn all<T>(documents: &[(T, AtomicBool)], follow: impl Fn(&T) -> Option<T>) -> Vec<T> {
            let followed = documents.iter().filter_map(|(document, used)| {
                let followed = follow(document)?;
                used.store(true, Ordering::Relaxed);
                Some(followed)
            });
            followed.collect()
        }
        Handed {
            values: all(&self.values, |value| value.follow(name, alias)),
            schemas: all(&self.schemas, |schema| schema.follow(name, alias)),
        }
    }

    /// # Errors
    ///
    /// No library took one of the documents.
    pub(crate) fn check_used(&self, arena: &Arena, sources: &SourceMap) -> Result<(), Diagnostic> {
        fn unused<T>(documents: &[(T, AtomicBool)]) -> Vec<&T> {
            let unused = documents.iter().filter(|(_, used)| !used.load(Ordering::Relaxed));
            unused.map(|(document, _)| document).collect()
        }
        let (values, schemas) = (unused(&self.values), unused(&self.schemas));
        let kinds = match (values.is_empty(), schemas.is_empty()) {
            (true, true) => return Ok(()),
            (false, true) => "data values",
            (true, false) => "schema",
            (false, false) => "data values, and schema",
        };
        let texts = values.iter().map(|value| value.describe(arena, sources));
        let texts: Vec<String> = texts.chain(schemas.iter().map(|schema| schema.describe(arena, sources))).collect();
        let places = values.iter().map(|value| value.pos);
        let places: Vec<PosId> = places.chain(schemas.iter().map(|schema| arena.get(schema.document).pos)).collect();
        let message = format!(
            "Expected all provided library {kinds} documents to be used but found unused: {}",
            texts.join(", ")
        );
        let mut problem = Diagnostic::error(Code::VALUES_LIBRARY, message);
        for place in places.into_iter().filter_map(|pos| arena.place(pos)) {
            problem = problem.label(place.whole(), "no evaluated library has this name");
        }
        Err(problem
            .help("name a library that a template evaluates with library.get(…).eval(), or remove this document"))
    }
}
