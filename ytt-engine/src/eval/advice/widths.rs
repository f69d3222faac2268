//! A width in `%`, which Starlark does not have: how a number is padded by hand, at each place with the same format.

use super::code_of;
use crate::diag::Diagnostic;
use crate::source::{Source, SourceMap, Span, to_u32};
use crate::template::written;

/// Digits to which a number is padded: more are no slip.
const MOST: usize = 9;
/// Places with the same format that are looked at.
const PLACES: usize = 10;

/// `spec` is what stands behind the `%`, up to its letter.
pub(super) fn padded(sources: &SourceMap, problem: &mut Diagnostic, spec: &str) {
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let Some([format, _]) = written::operands(sources, place) else { return };
    let literal = code_of(sources, format);
    let source = sources.get(place.source);
    let Some(places) = same(&source, place, &literal) else { return };
    let mut told = problem.clone().relabel(format!("`%{spec}`: `%` takes no width and no precision in Starlark"));
    for other in places.iter().filter(|other| other.start != format.start) {
        let span = Span { end: other.start.saturating_add(to_u32(literal.len())), ..*other };
        told = told.label(span, "the same format here: change both, if names have to agree");
    }
    if let Some((parts, example)) = parts(&source, &places, &literal, spec)
        && let Some((span, new)) = source.replaced(parts.iter().map(|(span, new)| (*span, new.as_str())))
    {
        told.parts_mut().helps.clear();
        let all = if places.len() > 1 { ", at each place alike" } else { "" };
        told = told.help_edit(format!("put the zeros in front by hand{all}: `{example}`"), span, new).guessing();
    } else if spec.ends_with(['d', 'i', 's', 'x']) {
        told.parts_mut().helps.clear();
        told = told.help("put zeros or blanks in front by hand: `\"0\" * (2 - len(str(n))) + str(n)`");
    }
    *problem = told;
}

/// Where the text stands, of which one is inside of `place`: each is as long as the text, and what follows up to its value.
fn same(source: &Source, place: Span, literal: &str) -> Option<Vec<Span>> {
    let text = source.text.as_str()?;
    let mut found = Vec::new();
    for (at, _) in text.match_indices(literal).take(PLACES) {
        let rest = text.get(at.checked_add(literal.len())?..)?;
        let behind = rest.trim_start_matches(' ').strip_prefix('%');
        let Some(value) = behind.map(|behind| behind.trim_start_matches(' ')) else { continue };
        let length = value.find(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '.');
        let end = text.len().checked_sub(value.len())?.checked_add(length.unwrap_or(value.len()))?;
        found.push(Span { start: to_u32(at), end: to_u32(end), ..place });
    }
    found.iter().any(|one| one.start >= place.start && one.end <= place.end).then_some(found)
}

/// What to write at each place, if all of them have one number in the format and a name behind it.
fn parts(source: &Source, places: &[Span], literal: &str, spec: &str) -> Option<(Vec<(Span, String)>, String)> {
    let width: usize = spec.strip_prefix('0')?.strip_suffix(['d', 'i'])?.parse().ok()?;
    let inner = literal.strip_prefix('"')?.strip_suffix('"')?;
    let (before, behind) = inner.split_once(&format!("%{spec}"))?;
    if !(2..=MOST).contains(&width) || before.contains('%') || behind.contains('%') {
        return None;
    }
    let mut parts = Vec::new();
    let mut example = String::new();
    for place in places {
        let value = source.written(*place)?.rsplit('%').next()?.trim();
        let next = source.written(Span { start: place.end, end: place.end.checked_add(1)?, ..*place });
        let is_call = next.is_some_and(|next| next == "(" || next == "[");
        if value.is_empty() || value.starts_with(|first: char| first.is_ascii_digit()) || is_call {
            return None;
        }
        example = format!("\"0\" * ({width} - len(str({value}))) + str({value})");
        let mut all = vec![example.clone()];
        if !before.is_empty() {
            all.insert(0, format!("\"{before}\""));
        }
        if !behind.is_empty() {
            all.push(format!("\"{behind}\""));
        }
        parts.push((*place, all.join(" + ")));
    }
    Some((parts, example))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{LineBreaks, Origin, SourceId, Text};

    /// What becomes of all places with the format of the first one.
    fn padded(code: &str, literal: &str, spec: &str) -> Option<String> {
        let source = Source::new("a.star", Text::from_bytes(code.into()), Origin::Memory, 0, LineBreaks::Plain);
        let whole = Span::new(SourceId(0), 0, to_u32(code.len()));
        let places = same(&source, whole, literal)?;
        let (parts, _) = parts(&source, &places, literal, spec)?;
        let (span, new) = source.replaced(parts.iter().map(|(span, new)| (*span, new.as_str())))?;
        let (before, behind) = (code.get(..span.start as usize)?, code.get(span.end as usize..)?);
        Some([before, &new, behind].concat())
    }

    #[test]
    fn a_number_is_padded_at_each_place_with_the_same_format() {
        let both = padded("a = \"n-%02d\" % i\nb = [\"n-%02d\" % job.nr for job in jobs]", "\"n-%02d\"", "02d");
        let new = "a = \"n-\" + \"0\" * (2 - len(str(i))) + str(i)\n\
                   b = [\"n-\" + \"0\" * (2 - len(str(job.nr))) + str(job.nr) for job in jobs]";
        assert_eq!(both.as_deref(), Some(new));
        assert_eq!(padded("\"%03d\" % n", "\"%03d\"", "03d").as_deref(), Some("\"0\" * (3 - len(str(n))) + str(n)"));
    }

    #[test]
    fn what_is_no_name_behind_one_format_is_left() {
        for (code, literal, spec) in [
            ("\"%02d-%d\" % (a, b)", "\"%02d-%d\"", "02d"),
            ("\"%02d\" % f(a)", "\"%02d\"", "02d"),
            ("\"%02d\" % 7", "\"%02d\"", "02d"),
            ("\"%2d\" % n", "\"%2d\"", "2d"),
            ("\"%.2f\" % n", "\"%.2f\"", ".2f"),
        ] {
            assert_eq!(padded(code, literal, spec), None, "{code}");
        }
    }
}
