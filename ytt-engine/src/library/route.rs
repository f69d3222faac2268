//! Which library a document or flag is for: `@library/ref` and the prefix `@lib:`.
//!
//! A [`Route`] is followed one piece at a time: each library hands to its children what is left.

use crate::call::{Call, Seen};
use crate::diag::{Code, Diagnostic};
use crate::overlay::host_kind;
use crate::template::written;
use crate::yaml::NodeId;

/// One piece of a reference: `@path`, `@~alias` or `@path~alias`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LibraryRef {
    pub(crate) path: String,
    pub(crate) alias: Option<String>,
}

impl LibraryRef {
    /// Does it mean the library that was got by `path`, with this alias?
    pub(crate) fn matches(&self, path: &str, alias: Option<&str>) -> bool {
        match &self.alias {
            None => self.path == path,
            Some(own) => alias == Some(own) && (self.path.is_empty() || self.path == path),
        }
    }
}

/// The way to a library; empty where the way ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Route {
    /// As it was written.
    original: Vec<LibraryRef>,
    /// How many pieces are already followed.
    done: usize,
}

impl Route {
    /// Reads `@path~alias@path2…`.
    pub(crate) fn parse(text: &str) -> Result<Route, Diagnostic> {
        let wrong = |message: String| Err(Diagnostic::error(Code::VALUES_LIBRARY, message));
        if text.is_empty() {
            return wrong("Expected library ref to not be empty".to_owned());
        }
        let Some(pieces) = text.strip_prefix('@') else {
            return wrong("Expected library ref to start with '@'".to_owned());
        };
        let mut original = Vec::new();
        for piece in pieces.split('@') {
            let mut parts = piece.split('~');
            let (path, alias) = (parts.next().unwrap_or_default(), parts.next());
            if parts.next().is_some() {
                return wrong(format!(
                    "Expected library ref to have form: '@path', '@~alias', or '@path~alias', got: '{text}'"
                ));
            }
            if alias == Some("") {
                return wrong("Expected library alias to not be empty".to_owned());
            }
            original.push(LibraryRef { path: path.to_owned(), alias: alias.map(str::to_owned) });
        }
        Ok(Route { original, done: 0 })
    }

    /// The route that `@library/ref` of a document gives; empty without it.
    pub(crate) fn of_document(calls: &dyn Call, document: NodeId) -> Result<Route, Diagnostic> {
        let annotation = calls.arena().borrow().ann(document, "library/ref").cloned();
        let Some(annotation) = annotation else { return Ok(Route::default()) };
        let args = calls.args(annotation.args);
        let route = match args.positional[..] {
            [text] => match calls.see(text) {
                Seen::Str(text) => Route::parse(&text).map_err(|problem| problem.context("Annotation library/ref")),
                _ => Err(Diagnostic::error(
                    Code::VALUES_LIBRARY,
                    format!("expected a string, but was {}", calls.kind(text)),
                )),
            },
            ref more => Err(Diagnostic::error(
                Code::VALUES_LIBRARY,
                format!("Expected library/ref annotation to have one arg, got {}", more.len()),
            )),
        };
        route.map_err(|problem| {
            let arena = calls.arena().borrow();
            let Some(place) = arena.place(annotation.pos) else { return problem };
            let span = Some(place.value()).filter(|span| span.start < span.end).unwrap_or(place.whole());
            let problem = problem.label(span, "must be a text such as \"@db\": `@` and the name of a library");
            let [text] = args.positional[..] else { return problem };
            match calls.see(text) {
                Seen::Str(text) if !text.is_empty() && !text.starts_with('@') => {
                    let written = written::find(calls.sources(), span, &text);
                    problem.edit_at(format!("did you mean `@{text}`?"), written, format!("@{text}"))
                }
                _ => problem,
            }
        })
    }

    /// Does the way end here?
    pub(crate) fn is_here(&self) -> bool {
        self.done == self.original.len()
    }

    /// The way from the library that was got by `path` with this alias, if it leads there.
    pub(crate) fn follow(&self, path: &str, alias: Option<&str>) -> Option<Route> {
        let next = self.original.get(self.done)?;
        next.matches(path, alias).then(|| Route { original: self.original.clone(), done: self.done.saturating_add(1) })
    }

    /// The library that is the next one on the way.
    pub(crate) fn next(&self) -> Option<&LibraryRef> {
        self.original.get(self.done)
    }

    /// `@path~alias@path2`, as it was written.
    pub(crate) fn text(&self) -> String {
        let pieces = self.original.iter().map(|piece| match &piece.alias {
            Some(alias) => format!("@{}~{alias}", piece.path),
            None => format!("@{}", piece.path),
        });
        pieces.collect()
    }
}

/// `after_library_module=` of `@data/values`, which needs a route.
pub(crate) fn after_library_module(calls: &dyn Call, document: NodeId, route: &Route) -> Result<bool, Diagnostic> {
    let annotation = calls.arena().borrow().ann(document, "data/values").cloned();
    let Some(annotation) = annotation else { return Ok(false) };
    let place = || calls.arena().borrow().place(annotation.pos).map(|place| place.whole());
    let wrong = |message: String| Err(Diagnostic::error(Code::VALUES_DOCUMENT, message).at(place()));
    let mut after = false;
    for (name, value) in &calls.args(annotation.args).named {
        if &**name != "after_library_module" {
            return wrong(format!("Unknown kwarg {name} for annotation data/values"));
        }
        let Seen::Bool(value) = calls.see(*value) else {
            let kind = host_kind(calls.kind(*value));
            return wrong(format!("expected starlark.Bool, but was {kind}"));
        };
        if route.original.is_empty() {
            return wrong(
                "Annotation data/values: Expected kwarg 'after_library_module' to be used with library/ref annotation"
                    .to_owned(),
            );
        }
        after = value;
    }
    Ok(after)
}

#[cfg(test)]
mod tests {
    use super::Route;

    #[test]
    fn references_are_read_and_followed() {
        let route = Route::parse("@a~b@c").unwrap();
        assert_eq!(route.text(), "@a~b@c");
        assert!(route.follow("a", None).is_none());
        assert!(route.follow("x", Some("b")).is_none());
        let next = route.follow("a", Some("b")).unwrap();
        assert!(!next.is_here());
        assert!(next.follow("c", Some("z")).unwrap().is_here());
        assert!(Route::parse("@~b").unwrap().follow("anything", Some("b")).is_some());
        assert!(Route::parse("@").unwrap().follow("a", None).is_none());
    }

    #[test]
    fn wrong_references_have_the_reference_s_texts() {
        for (text, expected) in [
            ("", "Expected library ref to not be empty"),
            ("a", "Expected library ref to start with '@'"),
            ("@a~", "Expected library alias to not be empty"),
            ("@a~b~c", "Expected library ref to have form: '@path', '@~alias', or '@path~alias', got: '@a~b~c'"),
        ] {
            assert_eq!(Route::parse(text).unwrap_err().message(), expected);
        }
    }
}
