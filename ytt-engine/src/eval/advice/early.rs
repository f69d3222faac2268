//! Data values that code reads while documents of data values are evaluated, when there are none yet: which call does
//! so, and the name that has the value already.

use super::super::host::Host;
use crate::diag::Diagnostic;
use crate::source::{Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::outline;
use crate::yaml::Val;

/// Explains a data value that is not there yet; the primary place is its name behind `data.values.`. `false` where data
/// values are there, or where the document that reads its own value is told with the name to give it.
pub(super) fn told(host: &Host<'_>, data: Val, problem: &mut Diagnostic, name: &str) -> bool {
    const READ: &str = "data.values.";
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return false };
    if host.count(data) > 0 {
        return false;
    }
    // What runs outermost is the document.
    let call = problem.parts().trace.iter().rev().find_map(|frame| frame.span).unwrap_or(place);
    let document = host.sources.get(call.source);
    let Some((annotation, is_schema)) =
        outline::values_above(&document, call).or_else(|| outline::values_below(&document, call))
    else {
        return false;
    };
    let is_own = call.source == place.source;
    let source = host.sources.get(place.source);
    let read = Span { start: place.start.saturating_sub(to_u32(READ.len())), ..place };
    let code = FileCode::read(&source, place.source);
    let bound = code.as_ref().and_then(|code| code.bound(read, name));
    // A function or module of that name is something else.
    let own = bound.filter(|bound| matches!(bound.by, Binder::Value(_) | Binder::Parameter(_) | Binder::Part(_)));
    let own = own.filter(|bound| bound.name.start < read.start || !is_own);
    if is_own && own.is_none() {
        return false;
    }
    let mut told = problem.clone().relabel("data values are not there yet: this runs while they are made");
    told.parts_mut().notes.clear();
    let what = if is_schema { "of the schema" } else { "with data values" };
    told = match is_own {
        true => told.label(annotation, "this document makes data values"),
        false => {
            told.label(call, format!("called here, in a document {what}, which is evaluated before there are any"))
        }
    };
    *problem = match own {
        Some(bound) => told
            .label(bound.name, format!("`{name}` has a value here"))
            .help_edit(format!("take `{name}` itself"), read, name)
            .guessing(),
        None => told.help(format!(
            "give the function its `{name}` as an argument, or set it in the file of the function, and take it from there"
        )),
    };
    true
}
