//! Parameters of a query as texts, where lists of texts are wanted.

use super::super::host::Host;
use super::origin::Origins;
use super::{code_of, place_at};
use crate::diag::{Diagnostic, PathStep};
use crate::quoted;
use crate::source::{SourceMap, Span};
use crate::template::written;
use crate::yaml::Val;

/// Marks the values in the dict that a call hands over, and puts them into brackets; `keys` are their parameters.
/// Where they stand elsewhere, and all are texts, the call makes lists of them.
pub(super) fn unlisted(host: &Host<'_>, data: Val, problem: &mut Diagnostic, (keys, are_all): (&[String], bool)) {
    let sources = &host.sources;
    let Some(call) = problem.parts().labels.first().map(|label| label.span) else { return };
    let Some(given) = written::call(sources, call).and_then(|given| Some(given.first()?.value)) else { return };
    let Some(first) = keys.first() else { return };
    let trace = problem.parts().trace.clone();
    let origins = Origins::new(host, data, &trace);
    let dict = origins.given_by(given, 0).map_or(given, |(dict, _)| dict);
    let shown = quoted::starlark(first);
    let mut told = problem.clone().relabel(format!("its {shown} is a text, not a list of texts"));
    place_at(&mut told, given);
    let values: Option<Vec<Span>> =
        keys.iter().map(|key| Some(written::within(sources, dict, &[PathStep::Key(key)])?.value)).collect();
    let general = || format!("a parameter may have several values: give a list of texts, `{shown}: [\"…\"]`");
    let Some(values) = values else {
        *problem = match listing(sources, given).filter(|_| are_all) {
            Some(new) => told.help_edit("a parameter may have several values: make a list of each text", given, new),
            None => told.help(general()),
        };
        return;
    };
    let source = sources.get(dict.source);
    let parts: Vec<(Span, String)> =
        values.iter().map(|value| (*value, format!("[{}]", code_of(sources, *value)))).collect();
    for value in &values {
        told = told.label(*value, "this is a text");
    }
    let edit = source.replaced(parts.iter().map(|(span, new)| (*span, new.as_str())));
    let text = "a parameter may have several values: give a list of texts";
    *problem = match edit {
        Some((span, new)) => told.help_edit(text, span, new),
        None => told.help(general()),
    };
}

/// The dict with a list of each value, where code names a dict or calls for it.
fn listing(sources: &SourceMap, dict: Span) -> Option<String> {
    const NAMES: [(&str, &str); 2] = [("k", "v"), ("key", "value")];
    let is_simple = written::path(sources, dict).is_some() || written::callee(sources, dict).is_some();
    let code = code_of(sources, dict);
    if !is_simple || code.contains('\n') {
        return None;
    }
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let is_free = |name: &str| code.split(|letter| !is_part(letter)).all(|word| word != name);
    let (key, value) = NAMES.into_iter().find(|(key, value)| is_free(key) && is_free(value))?;
    Some(format!("{{{key}: [{value}] for {key}, {value} in {code}.items()}}"))
}
