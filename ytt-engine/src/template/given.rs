//! Texts that flags and variables gave, where code needs something else: who gave one is known by its value, and by the
//! key that the code names.

use super::word;
use crate::diag::{Advice, Diagnostic};
use crate::nearest::only;
use crate::source::{Origin, SourceId, SourceMap, Span, to_u32};

/// How data values are given as texts, as sources are called.
const FLAG: &str = "(data-value arg)";
const VARIABLES: &str = "(data-values-env arg) ";

/// Adds to a problem the flag or variable that gave `text` for a key which `code` names, and how to give it as YAML.
pub(crate) fn told_of_text(sources: &SourceMap, told: Diagnostic, code: &str, text: &str) -> Diagnostic {
    let all = sources.all();
    let found = all.iter().enumerate().filter_map(|(number, source)| {
        let is_text = source.name.starts_with(FLAG) || source.name.starts_with(VARIABLES);
        let pair = source.text.as_str().filter(|_| is_text && source.origin == Origin::Flag)?.trim_end();
        let (key, value) = pair.split_once('=')?;
        // The prefix of variables ends in one `_`, the names of groups in two.
        let key = match source.name.strip_prefix(VARIABLES) {
            Some(prefix) => key.strip_prefix(prefix.trim_end())?.strip_prefix('_')?,
            None => key,
        };
        let last = key.rsplit(['.', ':']).next()?.rsplit("__").next()?;
        let is_it = value == text && word::whole(code, last).next().is_some();
        let (start, end) = (to_u32(pair.len().checked_sub(value.len())?), to_u32(pair.len()));
        is_it.then(|| (source, pair.to_owned(), Span::new(SourceId(to_u32(number)), start, end)))
    });
    let Some((source, pair, place)) = only(found) else { return told };
    let told = told.label(place, format!("this gives the text `{text}`"));
    match source.name.strip_prefix(VARIABLES) {
        Some(prefix) => told.advise(Advice::ReadVariablesAsYaml { prefix: prefix.to_owned() }),
        None => told.advise(Advice::GiveYaml { why: "to give a boolean, write".to_owned(), pair }),
    }
}

/// Whether a text was probably meant as a boolean.
pub(crate) fn is_boolean(text: &str) -> bool {
    text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false")
}
