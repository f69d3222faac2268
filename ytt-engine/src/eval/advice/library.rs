//! A data value that a library does not declare, while the application around it does.

use super::super::host::Host;
use super::code_of;
use crate::diag::Diagnostic;
use crate::source::{SourceId, Span, to_u32};

/// The folder that libraries lie in.
const LIBRARIES: &str = "_ytt_lib/";

/// The problem of `name`, which is read in a library; `outer` is where the application declares it.
pub(super) fn not_seen(host: &Host<'_>, problem: &Diagnostic, name: &str, outer: Option<Span>) -> Option<Diagnostic> {
    let place = problem.parts().labels.first()?.span;
    let sources = host.sources.all();
    let file = sources.get(place.source.0 as usize)?;
    let at = file.name.rfind(LIBRARIES)?.checked_add(LIBRARIES.len())?;
    let library = file.name.get(at..)?.split('/').next().filter(|library| !library.is_empty())?;
    let root = file.name.get(..at.checked_add(library.len())?)?;
    let schema = sources.iter().position(|other| {
        other.name.strip_prefix(root).is_some_and(|rest| rest.starts_with('/') && !rest.contains(LIBRARIES))
            && other.text.as_str().is_some_and(|text| text.contains("#@data/values-schema"))
    });
    let schema = schema.map(|number| SourceId(to_u32(number)));
    let mut told = problem.clone();
    told = told.relabel(format!("the values of the library `{library}` have no `{name}`"));
    if let Some(place) = schema.and_then(|id| declaration(host, id)) {
        told = told.label(place, format!("the library `{library}` declares its values here, without `{name}`"));
    }
    if let Some(given) = problem.parts().trace.iter().filter_map(|frame| frame.span).find_map(|span| given(host, span))
    {
        told = told.label(given, format!("its values are given here, without `{name}`"));
    }
    told = told.label_at(outer, "this is the application's value: a library does not see it");
    let declare = match schema {
        Some(id) => format!("declare `{name}` in {}", host.sources.get(id).shown_name()),
        None => format!("declare `{name}` in a schema of the library"),
    };
    Some(told.help(format!(
        "{declare}, and pass it where the library is called: `\"{name}\": data.values.{name}` in `with_data_values`"
    )))
}

/// Where the values of a schema begin.
fn declaration(host: &Host<'_>, id: SourceId) -> Option<Span> {
    let source = host.sources.get(id);
    let at = to_u32(source.text.as_str()?.find("#@data/values-schema")?);
    let line = source.line_range(source.line(at));
    Some(Span::new(id, line.start, line.end))
}

/// The name of the method that gives a library its values, in the code of a call.
fn given(host: &Host<'_>, span: Span) -> Option<Span> {
    const METHOD: &str = "with_data_values";
    // The place is where the call ends: what it is called on may stand on lines above.
    let before = code_of(&host.sources, Span { start: 0, ..span });
    let at = to_u32(before.rfind(METHOD)?);
    Some(Span { start: at, end: at.checked_add(to_u32(METHOD.len()))?, ..span })
}
