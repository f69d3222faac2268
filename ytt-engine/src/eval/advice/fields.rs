//! Dicts whose keys code reads as fields: what a file was decoded to has no fields, other than data values.

use super::super::host::Host;
use super::code_of;
use super::origin::Origins;
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::template::code::FileCode;
use crate::template::loading::with_load;
use crate::yaml::Val;

/// Adds how the field of a dict is read: as a struct, made where a file is decoded, and by keys wherever the name is used.
/// `of` is the dict, `edit` what reads this one.
pub(super) fn told(
    host: &Host<'_>,
    data: Val,
    told: Diagnostic,
    (of, name): (Span, &str),
    edit: (Span, String),
) -> Diagnostic {
    const KEYS: &str = "a dict has keys, no fields";
    let source = host.sources.get(of.source);
    let root = code_of(&host.sources, of);
    let root = root.split(['.', '[']).next().unwrap_or_default();
    let uses = FileCode::read(&source, of.source)
        .and_then(|code| Some(code.fields_of(root, &code.bound(of, root)?)))
        .unwrap_or_default();
    let mut told = told;
    for asked in &uses.asked {
        told = told.label(*asked, "this is False for a dict, whatever keys it has");
    }
    let trace = told.parts().trace.clone();
    let decoded = Origins::new(host, data, &trace).decoded(of).filter(|_| !uses.has_keys);
    let encoded = decoded.and_then(|call| {
        let code = code_of(&host.sources, call);
        let new = format!("struct.encode({code})");
        Some((call, with_load(&host.sources.get(call.source), ("@ytt:struct", "struct"), call, new)?))
    });
    let is_decoded = encoded.is_some();
    if let Some((call, (span, new))) = encoded {
        let function = code_of(&host.sources, call);
        let function = function.split('(').next().unwrap_or_default();
        told = told.label(call, format!("`{function}` gives dicts, which have keys and no fields"));
        // Other code may take their keys.
        told = told.help_edit("make structs of them, which have fields", span, new).if_it_mends();
    }
    let all =
        (uses.as_keys.len() > 1).then(|| source.replaced(uses.as_keys.iter().map(|(span, new)| (*span, new.as_str()))));
    let (text, (span, new)) = match all.flatten() {
        Some(all) => (format!("{KEYS}: read all that is read of `{root}` by its key"), all),
        None if is_decoded => (format!("or read `{name}` by its key"), edit),
        None => (KEYS.to_owned(), edit),
    };
    let told = told.help_edit(text, span, new);
    if is_decoded { told.guessing() } else { told }
}
