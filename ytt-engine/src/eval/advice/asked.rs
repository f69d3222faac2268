//! `hasattr` of a key that is declared: it says yes where the value is null, too.

use super::super::host::Host;
use super::operands::value_of;
use crate::diag::{Diagnostic, Help, Label};
use crate::source::{Source, SourceId, Span, to_u32};
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
    let sources = &host.sources;
    const CALL: &str = "hasattr(";
    let Some(text) = source.text.as_str() else { return Vec::new() };
    let calls = text.match_indices(CALL).filter_map(|(at, _)| {
        let inside = text.get(at.checked_add(CALL.len())?..)?;
        let (inside, _) = inside.split_once(')')?;
        let end = at.checked_add(CALL.len())?.checked_add(inside.len())?.checked_add(1)?;
        let span = Span::new(id, to_u32(at), to_u32(end));
        let [object, name] = written::call(sources, span)?[..] else { return None };
        let object = source.written(object.value)?;
        let length = name.value.end.saturating_sub(name.value.start);
        let is_it =
            written::string(sources, name.value, key).is_some() && length as usize == key.len().saturating_add(2);
        let instead = format!("{object}.{key}");
        // What has the same key elsewhere is another matter.
        let is_null = || matches!(value_of(host, data, source, &instead), Some((Val::Null, _)));
        (is_it && written::is_dotted(object) && is_null()).then_some(Asked { span, instead })
    });
    calls.collect()
}
