//! A text with another number of places than values: how many there are of each, and the parameter that was forgotten.

use super::super::host::Host;
use super::{code_of, directives, place_at};
use crate::diag::{Diagnostic, Label};
use crate::nearest::only;
use crate::source::{SourceMap, Span};
use crate::template::code::{Binder, FileCode, Function, Parameter};
use crate::template::snippet::ArgumentRole;
use crate::template::word;
use crate::template::written::{self, Argument};

/// What to do where values are missing.
pub(super) fn missing(count: usize) -> String {
    match count {
        1 => "give the value that is missing, in the order of the places, or take out a place".to_owned(),
        count => format!("give the {count} values that are missing, in the order of the places, or take out places"),
    }
}

/// How many places a text has.
pub(super) fn places(count: usize) -> String {
    if count == 1 { "1 place".to_owned() } else { format!("{count} places") }
}

/// Tells of `text % (values)` with too few values or too many.
pub(super) fn told(host: &Host<'_>, problem: &mut Diagnostic, (all, given): (usize, usize)) {
    let sources = &host.sources;
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let Some([format, values]) = written::operands(sources, place) else { return };
    let elements = written::elements(sources, values);
    let values_there = if given == 1 { "1 value".to_owned() } else { format!("{given} values") };
    let mut told = problem.clone();
    if all > given {
        let lacking = directives::place(sources, format, given);
        place_at(&mut told, lacking.unwrap_or(format));
        told = told.relabel(match lacking {
            Some(_) => format!("no value for this one of {}", places(all)),
            None => format!("{} for values", places(all)),
        });
        // Elsewhere the values may be a tuple that has a name.
        let last = elements.last().filter(|_| elements.len() == given);
        let span = elements.first().zip(last).map_or(values, |(first, last)| Span { end: last.end, ..*first });
        told = told.label(span, values_there);
        let end = last.map(|last| (Span { start: last.end, ..*last }, ", "));
        *problem = forgotten(host, told, end, all.saturating_sub(given)).help(missing(all.saturating_sub(given)));
        return;
    }
    let surplus = elements.get(all..).filter(|_| elements.len() == given).unwrap_or_default();
    let span = surplus.first().zip(surplus.last()).map_or(values, |(first, last)| Span { end: last.end, ..*first });
    place_at(&mut told, span);
    let text = match (all, given.saturating_sub(all)) {
        (0, _) => "the text has no place for a value".to_owned(),
        (_, 1) => "no place for this value".to_owned(),
        _ => "no places for these values".to_owned(),
    };
    told = told.relabel(if surplus.is_empty() && all > 0 { values_there } else { text });
    if all > 0 {
        told = told.label(format, format!("{} for values", places(all)));
    }
    *problem = told.help("give the text a place for each value, such as `%s`, or leave out what is too much");
}

/// Adds the parameter that nothing reads, where one value of `text.format(values)` is missing.
pub(super) fn of_call(host: &Host<'_>, told: Diagnostic, call: Span, given: &[Argument], count: usize) -> Diagnostic {
    let is_spread = |one: &Argument| code_of(&host.sources, one.value).starts_with('*');
    if given.iter().any(is_spread) {
        return told;
    }
    let last = given.iter().rfind(|one| one.name.is_none());
    let at = |offset: u32| Span { start: offset, end: offset, ..call };
    let end = match (last, given.first().and_then(|first| first.name)) {
        (Some(last), _) => Some((at(last.value.end), ", ")),
        (None, Some(named)) => Some((at(named.start), "")),
        (None, None) => call.end.checked_sub(1).map(|end| (at(end), "")),
    };
    forgotten(host, told, end, count)
}

/// Adds the edit that gives the one missing value: the only parameter that nothing reads of the function around.
fn forgotten(host: &Host<'_>, told: Diagnostic, end: Option<(Span, &str)>, count: usize) -> Diagnostic {
    let Some((end, before)) = end.filter(|_| count == 1) else { return told };
    let Some((function, unread)) = unread(&host.sources, end) else { return told };
    let behind = if before.is_empty() && !code_of(&host.sources, Span { end: end.end.saturating_add(1), ..end }).eq(")")
    {
        ", "
    } else {
        ""
    };
    let of = function.name.map_or("this function".to_owned(), |name| format!("`{}`", code_of(&host.sources, name)));
    let label = Label { span: unread.span, text: format!("nothing in {of} reads this parameter") };
    let text = format!("is `{}` the value that is missing? Its place is only a guess", unread.name);
    let new = format!("{before}{}{behind}", unread.name);
    told.help_edit(text, end, new).guessing().if_it_mends().beside_help([label])
}

/// The only parameter that nothing reads of the function around a place.
fn unread(sources: &SourceMap, place: Span) -> Option<(Function, Parameter)> {
    let code = FileCode::read(&sources.get(place.source), place.source)?;
    let function = code.function_around(place)?;
    let text = code_of(sources, function.whole);
    let is_read = |parameter: &Parameter| {
        // Texts with code in them are not read as code.
        if text.contains("(@") && word::whole(&text, &parameter.name).count() > 1 {
            return true;
        }
        let is_it = |whole: Span| match code.bound(whole, &parameter.name) {
            Some(bound) => bound.name == parameter.span && matches!(bound.by, Binder::Parameter(_)),
            None => false,
        };
        code.reads(&parameter.name).iter().any(|read| function.whole.holds(read.whole) && is_it(read.whole))
    };
    let is_one =
        |one: &&Parameter| matches!(one.role, ArgumentRole::Plain | ArgumentRole::Named) && !one.name.starts_with('_');
    let unread = only(function.parameters.iter().filter(is_one).filter(|one| !is_read(one)))?.clone();
    Some((function, unread))
}
