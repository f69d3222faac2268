//! `x in ("prod")`: parentheses around one text make no tuple, and `in` looks for a part of that text.

use crate::diag::{Code, Diagnostic};
use crate::source::{Source, SourceId, SourceMap, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::{outline, written};

/// Uses of `in` of one file that are looked at.
const MOST: usize = 200;

/// What a file with such a text has somewhere.
const SIGNS: [&str; 4] = ["= (\"", "= ('", "in (\"", "in ('"];

/// Warns of `in` in these files of code.
pub(super) fn lint(sources: &SourceMap, files: &[SourceId]) -> Vec<Diagnostic> {
    let has = |source: &Source, signs: &[&str]| {
        source.text.as_str().is_some_and(|text| signs.iter().any(|sign| text.contains(sign)))
    };
    // Files are read once more only where there is something to find.
    if !files.iter().any(|file| has(&sources.get(*file), &SIGNS)) {
        return Vec::new();
    }
    let asked = files.iter().filter(|file| has(&sources.get(**file), &[" in "]));
    asked.flat_map(|file| of_file(sources, *file)).collect()
}

fn of_file(sources: &SourceMap, file: SourceId) -> Vec<Diagnostic> {
    let source = sources.get(file);
    let Some(code) = FileCode::read(&source, file) else { return Vec::new() };
    let found = code.looked_through().into_iter().take(MOST).filter_map(|(whole, right)| {
        // Letters of a text are looked for by a name; what is asked of a list mostly has a path.
        let left = source.written(Span { end: right.start, ..whole })?;
        let left = left.trim_end().strip_suffix("in")?.trim_end();
        let left = left.strip_suffix("not").map_or(left, str::trim_end);
        (left.contains('.') && !left.contains(['"', '\'', '('])).then_some(())?;
        let value = value_of(sources, &code, right)?;
        let text = parenthesised(sources, value)?;
        Some(told(sources, (whole, right), value, text))
    });
    found.collect()
}

/// The code that gives the right side of `in` its value.
fn value_of(sources: &SourceMap, code: &FileCode, right: Span) -> Option<Span> {
    let source = sources.get(right.source);
    let name = source.written(right)?;
    if name.starts_with('(') {
        return Some(right);
    }
    match code.bound(right, name)?.by {
        Binder::Value(value) => Some(value),
        Binder::Load => {
            let (home, own) = outline::home(sources, right.source, name)?;
            let (home, own) = (sources.get(home), outline::value(&sources.get(home), home, &own)?);
            let blanks = home.written(own).map_or(0, |code| code.len().saturating_sub(code.trim_start().len()));
            Some(Span { start: own.start.saturating_add(to_u32(blanks)), ..own })
        }
        _ => None,
    }
}

/// The text between parentheses that code is.
fn parenthesised(sources: &SourceMap, value: Span) -> Option<Span> {
    let source = sources.get(value.source);
    let inside = source.written(value)?.strip_prefix('(')?.strip_suffix(')')?;
    let text = Span { start: value.start.saturating_add(1), end: value.end.saturating_sub(1), ..value };
    let literal = inside.trim();
    let words = literal.get(1..literal.len().saturating_sub(1)).unwrap_or_default();
    let is_word = words.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.'));
    (words.len() > 1 && is_word && written::is_text(sources, text)).then_some(text)
}

fn told(sources: &SourceMap, (whole, right): (Span, Span), value: Span, text: Span) -> Diagnostic {
    let source = sources.get(text.source);
    let literal = source.written(text).unwrap_or_default().trim();
    let inside = literal.get(1..literal.len().saturating_sub(1)).unwrap_or_default();
    let warning = Diagnostic::warning(Code::STARLARK_IN_TEXT, "`in` looks for a part of a text here");
    let count = inside.chars().count();
    let word = inside.rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    let half = || inside.chars().skip(count / 2).collect::<String>();
    let part = Some(word.to_owned()).filter(|word| !word.is_empty() && word.len() < inside.len()).unwrap_or_else(half);
    let said = match part == inside {
        true => format!("this asks for a part of the text `{inside}`"),
        false => format!("this holds for each part of `{inside}` too, such as `{part}`"),
    };
    let is_apart = value != right;
    let warning = warning.label(whole, said);
    let warning = match is_apart {
        true => warning.label(value, "parentheses alone make no tuple: this is a text"),
        false => warning.label(right, "parentheses alone make no tuple: this is a text"),
    };
    let behind = Span { start: text.end, ..text };
    warning
        .help_edit("write a comma behind the text: that makes a tuple", behind, ",")
        .guessing()
        .help_edit("or make it a list", value, format!("[{literal}]"))
        .guessing()
}
