//! `hasattr` of a key that is declared: it says yes where the value is null, too.

use super::super::host::Host;
use super::operands::value_of;
use crate::diag::{Diagnostic, Help, Label};
use crate::source::{Source, SourceId, Span};
use crate::template::code::FileCode;
use crate::template::written;
use crate::yaml::Val;

/// `hasattr(data.values, "tls")`.
struct Asked {
    span: Span,
    /// `data.values.tls`.
    instead: String,
}

/// Adds where code asks by `hasattr` for the key of a value that is null, and what it has to ask instead.
pub(super) fn for_null(host: &Host<'_>, data: Val, problem: &mut Diagnostic, key: &str) {
    const SHOWN: usize = 3;
    let sources =
        host.sources.all().into_iter().zip(0..).filter(|(source, _)| host.may_advise(source.text.as_bytes().len()));
    let mut found = sources
        .map(|(source, id)| (calls(host, data, &source, SourceId(id), key), source))
        .filter(|(calls, _)| !calls.is_empty());
    let Some((calls, source)) = found.next() else { return };
    let others = found.flat_map(|(calls, _)| calls);
    let spans: Vec<Span> = calls.iter().map(|asked| asked.span).chain(others.map(|asked| asked.span)).collect();
    let parts = problem.parts_mut();
    let text = format!("always true: `{key}` is declared, and None where it is not set");
    parts.labels.extend(spans.iter().take(SHOWN).map(|span| Label { span: *span, text: text.clone() }));
    let edit = source.replaced(calls.iter().map(|asked| (asked.span, asked.instead.as_str())));
    let text = format!("ask for the value: `{}`", calls.first().map_or("", |asked| asked.instead.as_str()));
    parts.helps = vec![Help { edit, ..Help::new(text) }];
}

/// The calls of `hasattr` for a data value that is null.
fn calls(host: &Host<'_>, data: Val, source: &Source, id: SourceId, key: &str) -> Vec<Asked> {
    const FUNCTION: &str = "hasattr";
    let is_there = source.text.as_str().is_some_and(|text| text.contains(FUNCTION));
    let Some(code) = is_there.then(|| FileCode::read(source, id)).flatten() else { return Vec::new() };
    let calls = code.calls_of(FUNCTION).into_iter().filter_map(|(span, given)| {
        let [object, name] = given[..] else { return None };
        let object = source.written(object.value)?;
        let length = name.value.end.saturating_sub(name.value.start);
        let is_it =
            written::string(&host.sources, name.value, key).is_some() && length as usize == key.len().saturating_add(2);
        let instead = format!("{object}.{key}");
        // What has the same key elsewhere is another matter.
        let is_null = || matches!(value_of(host, data, source, &instead), Some((Val::Null, _)));
        (is_it && written::is_dotted(object) && is_null()).then_some(Asked { span, instead })
    });
    calls.collect()
}
