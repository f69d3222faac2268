//! A data value that is declared as a boolean or a number, where code compares it with a text: the two are never equal.

use std::collections::HashSet;

use super::data_values::{data_value, declared_at};
use crate::diag::path::push_key;
use crate::diag::{Code, Diagnostic};
use crate::files::is_in_library;
use crate::schema::{Schema, TypeKind};
use crate::source::{Source, SourceId, SourceMap, to_u32};
use crate::template::code::{Comparison, FileCode};
use crate::template::written;
use crate::yaml::{Arena, NodeId};

/// Texts that people write for a boolean, and what they mean.
const BOOLEANS: [(&str, bool); 8] = [
    ("true", true),
    ("false", false),
    ("True", true),
    ("False", false),
    ("yes", true),
    ("no", false),
    ("on", true),
    ("off", false),
];
const QUOTES: [char; 2] = ['"', '\''];

/// What a data value is, whatever anybody gives.
#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Boolean,
    Number,
}

/// The comparisons of templates and their functions that never find what they look for.
pub(super) fn lint(arena: &Arena, sources: &SourceMap, schema: &Schema, values: NodeId) -> Vec<Diagnostic> {
    let (mut found, mut told) = (Vec::new(), HashSet::new());
    for (number, source) in sources.all().iter().enumerate() {
        // A library has data values of its own.
        if is_in_library(&source.name) || !may_compare(source) {
            continue;
        }
        let Some(code) = FileCode::read(source, SourceId(to_u32(number))) else { continue };
        for comparison in code.comparisons() {
            if told.insert(comparison.whole) {
                found.extend(never_equal(arena, sources, &code, &comparison, (schema, values)));
            }
        }
    }
    found
}

/// Whether such a text may stand behind a comparison; most files have none.
fn may_compare(source: &Source) -> bool {
    let text = source.text.as_str().unwrap_or_default();
    text.match_indices("= ").any(|(at, sign)| {
        let rest = text.get(at.saturating_add(sign.len())..).and_then(|rest| rest.strip_prefix(QUOTES));
        let inside = rest.and_then(|rest| rest.split(QUOTES).next());
        text.get(..at).is_some_and(|before| before.ends_with(['=', '!']))
            && inside.is_some_and(|text| sort(text).is_some())
    })
}

/// What a text stands for where it is no text.
fn sort(text: &str) -> Option<Sort> {
    // As code writes it without quotes.
    let is_octal = text.len() > 1 && text.starts_with('0') && !text.starts_with("0.");
    let is_number = || {
        text.len() < 20
            && text.starts_with(|first: char| first.is_ascii_digit())
            && text.parse::<f64>().is_ok_and(f64::is_finite)
    };
    match BOOLEANS.iter().any(|(word, _)| *word == text) {
        true => Some(Sort::Boolean),
        false => (!is_octal && is_number()).then_some(Sort::Number),
    }
}

fn never_equal(
    arena: &Arena,
    sources: &SourceMap,
    code: &FileCode,
    comparison: &Comparison,
    (schema, values): (&Schema, NodeId),
) -> Option<Diagnostic> {
    let [value, quoted] = comparison.sides;
    let source = sources.get(value.source);
    let (read, text) = (source.written(value)?, source.written(quoted)?);
    let inside = text.strip_prefix(QUOTES)?.strip_suffix(QUOTES)?;
    let wanted = sort(inside).filter(|_| written::is_text(sources, quoted))?;
    let keys = data_value(sources, code, value)?;
    let item = declared_at(arena, schema, values, &keys)?;
    let declared = *arena.place(item.pos)?;
    let is_nullable = matches!(schema.ty(item.ty).kind, TypeKind::Nullable(_));
    let is_it = match schema.inner(item.ty).kind {
        TypeKind::Bool => wanted == Sort::Boolean,
        TypeKind::Int | TypeKind::Float => wanted == Sort::Number,
        _ => false,
    };
    is_it.then_some(())?;
    let mut name = String::new();
    keys.iter().for_each(|key| push_key(&mut name, key));
    let what = if wanted == Sort::Boolean { "a boolean" } else { "a number" };
    let what = if is_nullable { format!("{what} or null") } else { what.to_owned() };
    let message = format!("`{name}` is {what}, which no text is equal to");
    let always = if comparison.is_equal { "never true" } else { "always true" };
    let warning = Diagnostic::warning(Code::STARLARK_NEVER_EQUAL, message)
        .label(comparison.whole, format!("this is {always}: `{text}` is a text"))
        .label(declared.value_or_key(sources), format!("declared as {what}"));
    let meant = BOOLEANS.iter().find(|(word, _)| *word == inside).map(|(_, meant)| *meant == comparison.is_equal);
    let warning = match meant {
        Some(true) => warning.help_edit(format!("ask for the boolean itself: `{read}`"), comparison.whole, read),
        // Null would be taken for false.
        Some(false) if is_nullable => warning.help("compare with the boolean, without quotes"),
        Some(false) => {
            let new = format!("not {read}");
            warning.help_edit(format!("ask for the boolean itself: `{new}`"), comparison.whole, new)
        }
        None => warning.help_edit("leave out the quotes to compare with the number", quoted, inside),
    };
    Some(warning.guessing())
}
