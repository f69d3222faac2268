//! Dicts whose keys code reads as fields: what a file was decoded to has no fields, other than data values.

use super::super::host::Host;
use super::origin::{Decoded, Origins};
use super::{code_of, functions};
use crate::diag::{Diagnostic, Help};
use crate::nearest::only;
use crate::source::{Source, SourceId, Span, to_u32};
use crate::template::code::{FileCode, TakenAsDict};
use crate::template::loading::with_load;
use crate::template::word;
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
    let dict = code_of(&host.sources, of);
    let root = dict.split(['.', '[']).next().unwrap_or_default();
    let code = FileCode::read(&source, of.source);
    let mut uses =
        code.as_ref().and_then(|code| Some(code.fields_of(root, &code.bound(of, root)?))).unwrap_or_default();
    if dict != root {
        // The dict is a field of something else, which has fields.
        uses.asked.clear();
        uses.as_keys = of_field(&source, &dict, uses.as_keys);
    }
    let mut told = told;
    for asked in &uses.asked {
        told = told.label(*asked, "this is False for a dict, whatever keys it has");
    }
    let trace = told.parts().trace.clone();
    let decoded = Origins::new(host, data, &trace).decoded(of);
    // Other code of the file may read the same dict as what it is.
    let own = code.map(|code| code.taken_as_dict(&dict)).filter(|_| decoded.is_some()).unwrap_or_default();
    let of_all = decoded.and_then(|decoded| taken(host, decoded.name?)).unwrap_or_default();
    let source_of = decoded.filter(|_| !uses.has_keys);
    let decoded = source_of.filter(|_| !own.is_any());
    // All of it is of use wherever it goes; what else goes over its keys may need a dict.
    let parts = decoded.iter().flat_map(|Decoded { call, whole, .. }| {
        let is_one = call.source == whole.source && whole.start <= call.start && call.end <= whole.end;
        match (is_one, of_all.by_methods) {
            (true, false) => vec![*whole],
            (true, true) => Vec::new(),
            (false, false) => vec![*call, *whole],
            (false, true) => vec![*whole],
        }
    });
    let encoded: Vec<(Span, String)> = parts
        .filter_map(|part| {
            let new = format!("struct.encode({})", code_of(&host.sources, part));
            with_load(&host.sources.get(part.source), ("@ytt:struct", "struct"), part, new)
        })
        .collect();
    let made = (dict != root).then(|| Made::find(host, &dict)).flatten();
    let is_decoded = !encoded.is_empty() || made.is_some();
    if let Some(Made { call, value, new }) = made {
        told = told.label(call, "makes fields of its own arguments only");
        told = told.label(value, "so this stays a dict");
        told = told.help_edit("make a struct of it, too", value, new).if_it_mends();
    }
    if let Some(Decoded { call, .. }) = source_of {
        let function = code_of(&host.sources, call);
        let function = function.split('(').next().unwrap_or_default();
        told = told.label(call, format!("`{function}` gives dicts, which have keys and no fields"));
    }
    let all =
        (uses.as_keys.len() > 1).then(|| source.replaced(uses.as_keys.iter().map(|(span, new)| (*span, new.as_str()))));
    let by_key = match all.flatten() {
        Some((span, new)) => {
            Help::with_edit(format!("{KEYS}: read all that is read of `{dict}` by its key"), span, new)
        }
        None if is_decoded => Help::with_edit(format!("{KEYS}: read `{name}` by its key"), edit.0, edit.1),
        None => Help::with_edit(KEYS, edit.0, edit.1),
    };
    // The smallest edit where it is the only place, and what fits the rest where that takes the dict for one.
    let is_first = dict == root && (uses.as_keys.len() <= 1 && uses.asked.is_empty() || of_all.is_any());
    if is_first {
        told.parts_mut().helps.push(Help { must_mend: true, ..by_key.clone() });
    }
    let texts = ["make structs of them, which have fields", "make structs of this part of them, which have fields"];
    for ((span, new), text) in encoded.into_iter().zip(texts) {
        told = told.help_edit(text, span, new).if_it_mends();
        // Others who are given them may take them for dicts.
        if span.source != of.source || functions::is_given(host, span) || of_all.is_any() {
            told = told.guessing();
        }
    }
    if !is_first {
        told.parts_mut().helps.push(Help { is_guess: is_decoded, must_mend: true, ..by_key });
    }
    told
}

/// How the file takes what it names so.
fn taken(host: &Host<'_>, name: Span) -> Option<TakenAsDict> {
    let code = FileCode::read(&host.sources.get(name.source), name.source)?;
    Some(code.taken_as_dict(&code_of(&host.sources, name)))
}

/// Of what is read of a name what is read of one of its fields.
fn of_field(source: &Source, dict: &str, all: Vec<(Span, String)>) -> Vec<(Span, String)> {
    let mut kept: Vec<(Span, String)> = Vec::new();
    for (span, new) in all {
        let before = source.written(Span { start: 0, end: span.start, ..span }).unwrap_or_default();
        let is_of_it = before.strip_suffix(dict).is_some_and(|before| {
            !before.ends_with(|letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.'))
        });
        if is_of_it || kept.last().is_some_and(|(last, _)| last.end == span.start) {
            kept.push((span, new));
        }
    }
    kept
}

/// A dict that `struct.make` is given for a field: it stays one.
struct Made {
    call: Span,
    value: Span,
    new: String,
}

impl Made {
    /// The only one for the last field of this code.
    fn find(host: &Host<'_>, dict: &str) -> Option<Made> {
        const MAKE: &str = ".make";
        let (_, field) = dict.rsplit_once('.')?;
        let mut found = Vec::new();
        for (number, source) in host.sources.all().iter().enumerate() {
            let id = SourceId(to_u32(number));
            let Some(text) = source.text.as_str().filter(|text| text.contains(MAKE)) else { continue };
            if !host.may_advise(text.len()) {
                return None;
            }
            let Some(code) = FileCode::read(source, id) else { continue };
            for at in word::whole(text, field) {
                let start = to_u32(at);
                let name = Span { start, end: start.checked_add(to_u32(field.len()))?, source: id };
                let Some((callee, given)) = code.call_of_argument(name) else { continue };
                let module = code_of(&host.sources, callee);
                let Some(module) = module.strip_suffix(MAKE) else { continue };
                let value = given.iter().find(|one| one.name == Some(name))?.value;
                let written = code_of(&host.sources, value);
                if written.starts_with('{') {
                    found.push(Made { call: callee, value, new: format!("{module}.encode({written})") });
                }
            }
        }
        only(found)
    }
}
