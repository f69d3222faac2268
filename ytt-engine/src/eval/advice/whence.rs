//! Values of a wrong kind that are data values: where they are set, whatever else is told of the code that has them.

use super::super::host::Host;
use super::code_of;
use super::origin::{Origins, described, name_of, place_of};
use crate::diag::{Diagnostic, Fact, Parts};
use crate::source::{SourceMap, Span};
use crate::template::written;
use crate::yaml::Val;

/// Values that are shown.
const SHOWN: usize = 2;

/// The operands of a problem, which may have been marked one by one.
fn operands(sources: &SourceMap, parts: &Parts) -> Option<[Span; 2]> {
    let [first, rest @ ..] = &parts.labels[..] else { return None };
    let second =
        rest.first().filter(|second| second.span.source == first.span.source && first.span.end < second.span.start);
    written::operands(sources, first.span).or_else(|| Some([first.span, second?.span]))
}

/// Adds where the values come from that the code of a problem has, as far as no label says so.
pub(super) fn told(host: &Host<'_>, data: Val, problem: &mut Diagnostic) {
    let parts = problem.parts();
    let Some(place) = parts.labels.first().map(|label| label.span) else { return };
    let sources = &host.sources;
    let line = |span: Span| (span.source, sources.get(span.source).line(span.start));
    let mut codes: Vec<Span> = parts.labels.iter().map(|label| label.span).collect();
    codes.retain(|span| span.source == place.source);
    codes.extend(written::operands(sources, place).into_iter().flatten());
    codes.extend(written::indexed(sources, place));
    codes.extend(written::callee(sources, place));
    let trace = parts.trace.clone();
    let origins = Origins::new(host, data, &trace);
    let mut told = problem.clone();
    let mut left = SHOWN;
    for code in codes {
        let Some(item) = origins.only(code, 0).filter(|_| left > 0) else { continue };
        let Some(place) = place_of(host, item) else { continue };
        if told.parts().labels.iter().any(|label| line(label.span) == line(place)) {
            continue;
        }
        let what = described(&host.arena.borrow(), host.arena.borrow().value(item));
        told = told.label(place, format!("`{}` is {what}", name_of(host, item, &code_of(sources, code))));
        left = left.saturating_sub(1);
    }
    if let (Some(Fact::NotIterable { kind }), true) = (&parts.fact, parts.helps.is_empty())
        && kind == "string"
        && left < SHOWN
    {
        let item = origins.only(place, 0);
        let has_commas = |item| {
            let arena = host.arena.borrow();
            let is_list = |text: &str| text.contains(',') && !text.contains(['\n', ' ', '[', '{', '"']);
            arena.str(arena.value(item)).is_some_and(is_list)
        };
        if item.is_some_and(has_commas) {
            let given = origins.handed(place).unwrap_or(place);
            let end = Span { start: given.end, ..given };
            told = told.help_edit("split the text at its commas", end, ".split(\",\")").guessing();
        }
        let or = if told.parts().helps.is_empty() { "" } else { "or: " };
        let declare = if super::has_schema(host) { ", and declare it as one" } else { "" };
        told = told.help(format!("{or}a text is no list: give a list of texts there{declare}"));
    }
    if let (Some(Fact::Operands { operator, left, right }), true) = (&parts.fact, parts.helps.is_empty())
        && !matches!(&**operator, "+" | "*" | "%" | "in" | "not in")
        && let Some([first, second]) = operands(sources, parts)
    {
        let number = |kind: &str| matches!(kind, "int" | "float");
        let text = match (&**left, &**right) {
            ("string", other) if number(other) => Some(first),
            (other, "string") if number(other) => Some(second),
            _ => None,
        };
        let item = text.and_then(|text| Some((text, origins.only(text, 0)?)));
        let arena = host.arena.borrow();
        let is_number = |item| arena.str(arena.value(item)).is_some_and(|text| text.parse::<i64>().is_ok());
        if let Some((text, item)) = item.filter(|(_, item)| is_number(*item)) {
            let number = arena.str(arena.value(item)).unwrap_or_default();
            let is_whole = number.parse::<i64>().is_ok_and(|whole| whole.to_string() == number);
            // Else the quotes around it are no part of what was written.
            let quoted = place_of(host, item).filter(|place| is_whole && code_of(sources, *place) != number);
            let quoted = quoted.filter(|_| !super::has_schema(host));
            let is_marked = written::operands(sources, place).is_none();
            if let Some(place) = quoted {
                let help = "write it without quotes where it is set: then it is a number";
                told = told.help_edit(help, place, number).if_it_mends().guessing();
            }
            // What is declared as a text may be printed as one elsewhere.
            if !is_marked || quoted.is_some() {
                let new = format!("int({})", code_of(sources, text));
                told = told.help_edit("make a number of the text", text, new);
                told = if quoted.is_some() { told.guessing() } else { told };
            }
        }
    }
    *problem = told;
}
