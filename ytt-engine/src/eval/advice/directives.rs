//! A `%` that is meant as it stands in a text which is formatted: `date +%Y%m%d`, `100% of %s`.

use super::{code_of, place_at};
use crate::diag::{Diagnostic, Fact};
use crate::source::{SourceMap, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::written;

/// Letters that stand for a value.
pub(in crate::eval) const VERBS: &str = "srdioxXeEfFgGc";

/// A `%` of a text, and what stands behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Directive {
    /// Where it begins in the code of the text, and where it ends.
    at: usize,
    end: usize,
    is_known: bool,
    /// `%(key)s`, which takes its value from a dict.
    has_key: bool,
}

/// Marks the first `%` that takes no value, and doubles those that are meant as they stand.
pub(super) fn told(sources: &SourceMap, problem: &mut Diagnostic, values: usize) {
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let Some([format, given]) = written::operands(sources, place) else { return };
    let literal = literal(sources, format).unwrap_or(format);
    if !written::is_text(sources, literal) {
        if matches!(problem.parts().fact, Some(Fact::Directive { .. })) && problem.parts().helps.is_empty() {
            let text = "`%%` gives a percent sign: double each one of the text that stands for itself";
            *problem = problem.clone().help(text);
        }
        return;
    }
    let code = code_of(sources, literal);
    let all = directives(&code);
    let Some(first) = all.iter().find(|one| !one.is_known) else { return };
    let at = |offset: usize| literal.start.saturating_add(to_u32(offset));
    let span = |one: &Directive| Span { start: at(one.at), end: at(one.end), ..literal };
    let shown = code_of(sources, span(first));
    let mut told = problem.clone();
    told.parts_mut().labels.truncate(1);
    place_at(&mut told, span(first));
    told.parts_mut().helps.clear();
    told = told.relabel(match shown.len() {
        1 => "a `%` by itself stands for no value".to_owned(),
        _ => format!("`{}` stands for no value", shown.escape_debug()),
    });
    let source = sources.get(place.source);
    let between = Span { start: format.end, end: given.start, ..place };
    let sign = source.written(between).and_then(|code| code.find('%'));
    if let Some(sign) = sign {
        let start = format.end.saturating_add(to_u32(sign));
        let text = "this `%` puts values into the text, so each `%` in it has a meaning";
        told = told.label(Span { start, end: start.saturating_add(1), ..place }, text);
    }
    let text = "`%%` gives a percent sign";
    let meant = doubtful(&code, &all, values);
    let edit = meant.and_then(|meant| {
        let parts = meant.iter().map(|one| (Span { end: at(one.at).saturating_add(1), ..span(one) }, "%%"));
        sources.get(literal.source).replaced(parts)
    });
    // A letter of another language, in the place of a value.
    let unknown: Vec<&Directive> = all.iter().filter(|one| !one.is_known).collect();
    if let ([only], None) = (&unknown[..], &edit)
        && all.len() == values
        && only.end == only.at.saturating_add(2)
        && code
            .get(only.at.saturating_add(1)..only.end)
            .is_some_and(|verb| verb.bytes().all(|verb| verb.is_ascii_alphabetic()))
    {
        let verb = Span { start: at(only.at.saturating_add(1)), ..span(only) };
        *problem = told.help_edit("`%s` takes any value", verb, "s").guessing();
        return;
    }
    *problem = match edit {
        Some((span, new)) => told.help_edit(text, span, new),
        None => told.help(format!("{text}: double each one that stands for itself")),
    };
}

/// The place of that number in a text that is formatted.
pub(super) fn place(sources: &SourceMap, format: Span, number: usize) -> Option<Span> {
    let literal = literal(sources, format).unwrap_or(format);
    if !written::is_text(sources, literal) {
        return None;
    }
    let all = directives(&code_of(sources, literal));
    let one = all.get(number).filter(|_| all.iter().all(|one| !one.has_key))?;
    let at = |offset: usize| literal.start.saturating_add(to_u32(offset));
    Some(Span { start: at(one.at), end: at(one.end), ..literal })
}

/// The text that a name is set to, in its file.
fn literal(sources: &SourceMap, name: Span) -> Option<Span> {
    let code = FileCode::read(&sources.get(name.source), name.source)?;
    match code.bound(name, &code_of(sources, name))?.by {
        Binder::Value(value) => Some(value),
        _ => None,
    }
}

/// Each `%` of a text as it is written, but for those that are doubled.
fn directives(code: &str) -> Vec<Directive> {
    let quote = if code.ends_with("\"\"\"") || code.ends_with("'''") { 3 } else { 1 };
    let inside = code.len().checked_sub(quote).and_then(|end| code.get(..end)).unwrap_or_default();
    let mut found = Vec::new();
    let mut from = 0_usize;
    while let Some(at) = inside.get(from..).and_then(|rest| rest.find('%')).map(|at| at.saturating_add(from)) {
        let behind = inside.get(at.saturating_add(1)..).unwrap_or_default();
        if behind.starts_with('%') {
            from = at.saturating_add(2);
            continue;
        }
        // `%(key)s`
        let key = behind.strip_prefix('(').and_then(|rest| rest.find(')')).map_or(0, |end| end.saturating_add(2));
        let verb = behind.get(key..).and_then(|rest| rest.chars().next());
        let length = verb.map_or(0, char::len_utf8);
        let end = at.saturating_add(1).saturating_add(key).saturating_add(length);
        let is_known = verb.is_some_and(|verb| VERBS.contains(verb));
        found.push(Directive { at, end, is_known, has_key: key > 0 });
        from = end.max(at.saturating_add(1));
    }
    found
}

/// Those that stand for themselves, if the others are as many as there are values: what stands for no value, and what is
/// written together with such, as `%d` is in `%Y-%m-%d`.
fn doubtful<'d>(code: &str, all: &'d [Directive], values: usize) -> Option<Vec<&'d Directive>> {
    // Any number of them takes its value from one dict.
    if all.iter().any(|one| one.is_known && one.has_key) {
        let meant: Vec<&Directive> = all.iter().filter(|one| !one.is_known && !one.has_key).collect();
        return (!meant.is_empty()).then_some(meant);
    }
    let mut is_meant: Vec<bool> = all.iter().map(|one| !one.is_known).collect();
    let fits = |is_meant: &[bool]| is_meant.iter().filter(|is_meant| !**is_meant).count() == values;
    if !fits(&is_meant) {
        let is_joined = |left: &Directive, right: &Directive| {
            code.get(left.end..right.at).is_some_and(|between| between.chars().all(|sign| "-_:./T".contains(sign)))
        };
        let pairs = || all.windows(2).enumerate();
        let forth: Vec<_> = pairs().collect();
        for (number, pair) in forth.iter().chain(forth.iter().rev()) {
            let [left, right] = pair else { continue };
            let next = number.saturating_add(1);
            let either = is_meant.get(*number) == Some(&true) || is_meant.get(next) == Some(&true);
            if either && is_joined(left, right) {
                is_meant.iter_mut().skip(*number).take(2).for_each(|is_meant| *is_meant = true);
            }
        }
    }
    fits(&is_meant).then(|| all.iter().zip(is_meant).filter(|(_, is_meant)| *is_meant).map(|(one, _)| one).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with those doubled that stand for themselves.
    fn doubled(code: &str, values: usize) -> Option<String> {
        let all = directives(code);
        let meant = doubtful(code, &all, values)?;
        let mut new = code.to_owned();
        meant.iter().rev().for_each(|one| new.insert(one.at, '%'));
        Some(new)
    }

    #[test]
    fn what_stands_for_no_value_is_doubled_with_what_is_written_together_with_it() {
        for (code, values, new) in [
            ("\"%s-$(date +%Y)\"", 1, "\"%s-$(date +%%Y)\""),
            ("\"$(date +%Y%m%d) %s %d\"", 2, "\"$(date +%%Y%%m%%d) %s %d\""),
            ("\"%d-%m-%Y %s\"", 1, "\"%%d-%%m-%%Y %s\""),
            ("\"100% of %s\"", 1, "\"100%% of %s\""),
            ("\"%(app)s: 90%\"", 1, "\"%(app)s: 90%%\""),
            ("\"%(k)s at %(p)d% \"", 1, "\"%(k)s at %(p)d%% \""),
            ("\"\"\"50%% %s 90%\"\"\"", 1, "\"\"\"50%% %s 90%%\"\"\""),
        ] {
            assert_eq!(doubled(code, values).as_deref(), Some(new), "{code}");
        }
    }

    #[test]
    fn nothing_is_doubled_where_the_others_are_not_as_many_as_values() {
        for (code, values) in [("\"%v\"", 1), ("\"%s %q\"", 2), ("\"%d at %H\"", 2)] {
            assert_eq!(doubled(code, values), None, "{code}");
        }
    }
}
