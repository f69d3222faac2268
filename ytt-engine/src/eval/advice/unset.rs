//! A value of a text template that is None: where it is declared, the item that does not set it, and the lines to leave out.

use super::super::host::Host;
use super::origin::Origins;
use super::{code_of, items, operands};
use crate::diag::Diagnostic;
use crate::source::{LineBreaks, Source, SourceMap, Span, to_u32};
use crate::template::outline;
use crate::yaml::words::key_text;
use crate::yaml::{NodeId, Val};

/// Places that are shown.
const SHOWN: usize = 3;
/// Lines below that have the value, too.
const LINES: u32 = 50;

pub(super) fn told(host: &Host<'_>, data: Val, problem: &mut Diagnostic) {
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    if !problem.parts().helps.is_empty() {
        return;
    }
    let sources = &host.sources;
    let code = code_of(sources, place);
    let trace = problem.parts().trace.clone();
    let origins = Origins::new(host, data, &trace);
    let arena = host.arena.borrow();
    let is_null = |item: &NodeId| arena.value(*item) == Val::Null;
    let mut told = problem.clone();
    let mut places: Vec<(Span, String)> = Vec::new();
    for item in origins.of(place, 0).into_iter().filter(is_null) {
        let Some(set) = arena.span_of(item).filter(|set| places.iter().all(|(known, _)| known != set)) else {
            continue;
        };
        places.push((set, key_text(&arena, arena.key(item))));
    }
    if places.is_empty() || places.len() > SHOWN {
        return;
    }
    for (set, key) in &places {
        let text = match operands::is_nullable(&sources.get(set.source), *set) {
            true => format!("`{key}` is nullable: null where nothing sets it"),
            false => format!("`{key}` is null here"),
        };
        told = told.label(*set, text);
    }
    // The item, where it is the schema that has the null.
    if let [(set, key)] = &places[..]
        && outline::is_in_schema(&sources.get(set.source), *set)
        && code.ends_with(&format!(".{key}"))
        && let Some(of) = items::receiver(host, Span { start: place.end.saturating_sub(to_u32(key.len())), ..place })
    {
        let lacks = |item: &NodeId| {
            let value = arena.map_of(arena.value(*item)).and_then(|map| arena.find_str(map, key));
            value.is_some_and(|item| is_null(&item))
        };
        let item = origins.of(of, 0).into_iter().find(lacks).and_then(|item| arena.place_of(item)).map(|own| own.key());
        if let Some(own) = item.filter(|own| !outline::is_in_schema(&sources.get(own.source), *own)) {
            let source = sources.get(own.source);
            let end = source.line_range(source.line(own.start)).end;
            let is_dash = source.written(own) == Some("-");
            let whole = if is_dash { Span { end, ..own } } else { own };
            told = told.label(whole, format!("this does not set `{key}`"));
        }
    }
    let condition = format!("{code} != None");
    let text = "leave it out where it is None";
    *problem = match around(sources, place, &code, &condition) {
        Some((span, new)) => told.help_edit(text, span, new).guessing(),
        None => told.help(format!("ask for it first: `(@ if {condition}: @)`")),
    };
}

/// The edit that puts an `if` around the lines of a text template that have the value.
fn around(sources: &SourceMap, place: Span, code: &str, condition: &str) -> Option<(Span, String)> {
    let source = sources.get(place.source);
    if source.breaks != LineBreaks::Plain || source.name.ends_with(".star") {
        return None;
    }
    let first = source.line(place.start);
    has_alone(&source, first, code).then_some(())?;
    let more = (first.saturating_add(1)..).take(LINES as usize).take_while(|line| has_alone(&source, *line, code));
    let last = more.last().unwrap_or(first);
    let lines = Span { start: source.line_range(first).start, end: source.line_range(last).end, ..place };
    // Without a line break of their own they change nothing where there is a value.
    let below = source.whole_lines(lines)?.end;
    let at = |offset: u32| Span { start: offset, end: offset, ..place };
    source.replaced([(at(lines.start), &*format!("(@ if {condition}: @)")), (at(below), "(@ end @)")])
}

/// Does a line have the value, and no statement?
fn has_alone(source: &Source, line: u32, code: &str) -> bool {
    let text = source.line_text(line);
    let statements = text.matches("(@").count();
    let values = text.matches("(@=").count();
    values > 0
        && statements == values
        && text.matches("@)").count() == values
        && text.contains(&format!("(@= {code} @)"))
}
