//! The edit of code that needs a module, with the `load` where the file has none.

use super::code::{Binder, FileCode};
use super::outline::{Load, loads};
use crate::quoted;
use crate::source::{LineBreaks, Source, Span};

/// How a file writes code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Yaml,
    Text,
    Code,
}

/// The edit of a place that needs a name of a module, with the `load` where the file has none; nothing where the name is
/// taken.
pub(crate) fn with_load(
    source: &Source,
    (module, name): (&str, &str),
    place: Span,
    new: String,
) -> Option<(Span, String)> {
    let loaded = loads(source, place.source);
    let is_it = |load: &Load| load.path.name == module && load.names.iter().any(|known| known.here() == name);
    let is_loaded = loaded.iter().any(is_it);
    match FileCode::read(source, place.source).and_then(|code| code.bound(place, name)) {
        Some(bound) if !(is_loaded && matches!(bound.by, Binder::Load)) => return None,
        _ if is_loaded => return Some((place, new)),
        _ => {}
    }
    let style = match source.breaks {
        _ if source.name.ends_with(".star") => Style::Code,
        LineBreaks::Yaml => Style::Yaml,
        LineBreaks::Plain => Style::Text,
    };
    let load = line(style, module, &quoted::go(name.as_bytes()));
    let (at, load) = match loaded.iter().rfind(|load| load.end <= place.start) {
        Some(last) => (source.line_range(source.line(last.end)).end, format!("\n{load}")),
        None => (0, format!("{load}\n")),
    };
    let between = source.written(Span { start: at, end: place.start, ..place }).unwrap_or_default();
    Some((Span { start: at, ..place }, format!("{load}{between}{new}")))
}

/// A `load` on a line of its own; `name` is what stands behind the path.
pub(crate) fn line(style: Style, path: &str, name: &str) -> String {
    let (before, after) = match style {
        Style::Yaml => ("#@ ", ""),
        Style::Text => ("(@ ", " -@)"),
        Style::Code => ("", ""),
    };
    format!("{before}load({}, {name}){after}", quoted::go(path.as_bytes()))
}
