//! Fields that a rule reads of a map: what YAML gives has keys.

use crate::diag::{Diagnostic, Fact};
use crate::quoted;
use crate::source::{SourceMap, Span, to_u32};
use crate::template::code::FileCode;
use crate::template::word;
use crate::yaml::{Arena, Val};

/// Other places that are marked.
const MARKED: usize = 3;

/// Adds to a rule that crashed the edit that reads all keys of a map by index that its function reads as fields; `value` is
/// what the rule judges.
pub(super) fn as_keys(
    (sources, arena): (&SourceMap, &Arena),
    told: &Diagnostic,
    crash: &Diagnostic,
    value: Val,
) -> Option<Diagnostic> {
    let Some(Fact::NoMember { kind, name, near: None }) = &crash.parts().fact else { return None };
    let (map, place) = (arena.map_of(value)?, crash.parts().labels.first()?.span);
    let source = sources.get(place.source);
    let text = source.text.as_str()?;
    let of = source.written(place)?.strip_suffix(name.as_str())?.strip_suffix('.')?;
    let has_key = |key: &str| arena.find_str(map, key).is_some();
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    if kind != "yamlfragment" || !has_key(name) || !of.chars().all(is_name) {
        return None;
    }
    let whole = match FileCode::read(&source, place.source).and_then(|code| code.function_around(place)) {
        Some(function) => function.whole,
        None => place,
    };
    let inside = text.get(whole.start as usize..whole.end as usize)?;
    let mut fields: Vec<(Span, String)> = Vec::new();
    for at in word::whole(inside, of) {
        let behind = inside.get(at.checked_add(of.len())?..)?.strip_prefix('.').unwrap_or_default();
        let field: String = behind.chars().take_while(|character| is_name(*character)).collect();
        let is_member = inside.get(..at).is_some_and(|before| before.ends_with('.'));
        if has_key(&field) && !is_member {
            let start = whole.start.checked_add(to_u32(at.checked_add(of.len())?))?;
            let end = start.checked_add(to_u32(field.len().checked_add(1)?))?;
            fields.push((Span { start, end, ..place }, format!("[{}]", quoted::starlark(&field))));
        }
    }
    let others = fields.iter().filter(|(span, _)| span.end != place.end).take(MARKED);
    let told = others.fold(told.clone(), |told, (span, _)| told.label(*span, "the same here"));
    let (span, new) = source.replaced(fields.iter().map(|(span, new)| (*span, new.as_str())))?;
    Some(told.help_edit("what YAML gives has keys, no fields", span, new).if_it_mends())
}
