//! An index that a list of data values does not have: its last item, where the list is set, and how to go without.

use super::super::host::Host;
use super::origin::{Origins, name_of};
use super::{code_of, data_value, endings, structs};
use crate::diag::Diagnostic;
use crate::source::{SourceMap, Span};
use crate::template::{outline, written};
use crate::yaml::{NodeId, Val};

/// Lines of an example that are looked at.
const ITEM_LINES: usize = 50;

/// Adds how many items there are, and where they come from.
pub(super) fn told(host: &Host<'_>, data: Val, problem: &mut Diagnostic) {
    let Some(label) = problem.parts().labels.first() else { return };
    let at = label.span;
    let code = code_of(&host.sources, at);
    endings::indexed(host, data, problem);
    let found = data_value(host, data, &code).or_else(|| followed(host, data, problem, at));
    let Some((list @ (Val::Node(_) | Val::Raw(_)), place, name)) = found else { return };
    let count = host.count(list);
    if count == 0 {
        let of = written::indexed(&host.sources, at).map(|of| code_of(&host.sources, of));
        // One item is enough for these.
        let is_one = code.ends_with("[0]") || code.ends_with("[-1]");
        *problem = empty(host, problem.clone(), (place, &name), &of.unwrap_or_else(|| name.clone()), is_one);
        return;
    }
    let last = last_item(host, list);
    let text = match count {
        1 => format!("`{name}` comes from here, and has 1 item: index 0"),
        count => {
            format!("`{name}` comes from here, and has {count} items: the last index is {}", count.saturating_sub(1))
        }
    };
    let mut told = problem.clone().label(place, text);
    if let Some(place) = last {
        let text = if count == 1 {
            "the only item".to_owned()
        } else {
            format!("item {}, the last one", count.saturating_sub(1))
        };
        told = told.label(place, text);
    }
    let asked = index_of(&host.sources, at, &code);
    if let Some((index, number)) = asked
        && number == count
    {
        let last = count.saturating_sub(1);
        let text = match last {
            0 => "indexes begin with 0: is the only item meant?".to_owned(),
            _ => format!("indexes begin with 0: is the last item, `[{last}]`, meant?"),
        };
        told = told.help_edit(text, index, last.to_string()).guessing();
    }
    let of = asked.and_then(|(index, number)| {
        Some((code.get(..index.start.checked_sub(at.start)?.checked_sub(1)? as usize)?, number))
    });
    *problem = match of {
        Some((of, wanted)) => {
            let or = if told.parts().helps.is_empty() { "" } else { "or " };
            told.help(format!("{or}give `{name}` more items, or ask first: `if len({of}) > {wanted}:`"))
        }
        None => told,
    };
}

/// The list of which `min` or `max` is asked, and which is empty.
pub(super) fn extreme(host: &Host<'_>, data: Val, problem: &mut Diagnostic) {
    let place = problem.parts().labels.first().map(|label| label.span);
    let given = place.and_then(|place| written::call(&host.sources, place));
    let Some([given]) = given.as_deref().map(|given| [given.first().copied()]) else { return };
    let Some(given) = given.filter(|given| given.name.is_none()) else { return };
    if let Some((_, place, name)) = of_data(host, data, problem, given.value) {
        *problem = empty(host, problem.clone(), (place, &name), &code_of(&host.sources, given.value), true);
    }
}

/// An empty list: where it comes from, and what may be meant. `of` is the code that reads it, for which one item may be
/// enough.
fn empty(host: &Host<'_>, told: Diagnostic, (place, name): (Span, &str), of: &str, is_one: bool) -> Diagnostic {
    // What is written as empty there has no example.
    let source = host.sources.get(place.source);
    let line = source.line_text(source.line(place.start));
    let is_schema = outline::is_in_schema(&source, place) && !line.contains('[');
    let text = match is_schema {
        true => {
            format!("`{name}` is an empty list: what a schema has below it is an example, and no data values set it")
        }
        false => format!("`{name}` comes from here, and is empty"),
    };
    let told = told.label(place, text);
    let told = if is_schema && is_one { with_default(host, told, place, name) } else { told };
    let or = if told.parts().helps.is_empty() { "" } else { "or " };
    told.help(format!("{or}set `{name}` in data values, or ask for items first: `if {of}:`"))
}

/// The list that code with an index reads by a name or a parameter: its value, where it is set, and its name.
fn followed(host: &Host<'_>, data: Val, problem: &Diagnostic, at: Span) -> Option<(Val, Span, String)> {
    of_data(host, data, problem, written::indexed(&host.sources, at)?)
}

/// The data value that code is, where it is set, and its name.
fn of_data(host: &Host<'_>, data: Val, problem: &Diagnostic, list: Span) -> Option<(Val, Span, String)> {
    let trace = problem.parts().trace.clone();
    let item = Origins::new(host, data, &trace).only(list, 0)?;
    let name = name_of(host, item, &code_of(&host.sources, list));
    let arena = host.arena.borrow();
    Some((arena.value(item), arena.span_of(item)?, name))
}

/// A list that is empty by its schema, whose example looks as if it was meant to be there: the default that has it.
fn with_default(host: &Host<'_>, told: Diagnostic, place: Span, name: &str) -> Diagnostic {
    let source = host.sources.get(place.source);
    let line = source.line(place.start);
    let indent = |text: &str| text.len().saturating_sub(text.trim_start().len());
    let key = source.line_text(line);
    let above = (1..line).rev().map(|above| source.line_text(above));
    let mut annotations = above.take_while(|text| text.trim_start().starts_with('#'));
    if annotations.any(|text| text.contains("@schema/default")) || !key.trim_end().ends_with(':') {
        return told;
    }
    let below = (line.saturating_add(1)..).take(ITEM_LINES).map(|below| source.line_text(below));
    let item: Vec<String> = below
        .skip_while(|text| text.trim_start().starts_with('#') || text.trim().is_empty() && !text.is_empty())
        .enumerate()
        .take_while(|(number, text)| match number {
            0 => text.trim_start().starts_with("- ") && indent(text) >= indent(&key),
            _ => indent(text) > indent(&key) && !text.trim_start().starts_with("- ") && !text.trim().is_empty(),
        })
        .map(|(_, text)| text)
        .collect();
    let Some(first) = item.first().and_then(|first| first.trim().strip_prefix("- ")) else { return told };
    // Values that say nothing are what the author of an example writes who knows that it is one.
    let says = |value: &str| !matches!(value.trim(), "" | "\"\"" | "''" | "0" | "false" | "null" | "~" | "[]" | "{}");
    let value =
        |text: &str| text.split_once(": ").map(|(_, value)| value.split(" #").next().unwrap_or_default().to_owned());
    let is_map = first.contains(": ") || first.ends_with(':');
    let mut values = item.iter().filter(|text| !text.trim_start().starts_with('#')).filter_map(|text| value(text));
    let default = match is_map {
        // What it lacks comes from what stands below.
        true => values.any(|value| says(&value)).then(|| "{}".to_owned()),
        false => Some(first).filter(|first| says(first)).and_then(structs::literal_of),
    };
    let Some(default) = default else { return told };
    let at = source.line_range(line).start;
    let new = format!("{}#@schema/default [{default}]\n", key.get(..indent(&key)).unwrap_or_default());
    let text = format!("if one item with what the schema says is meant as the default of `{name}`, say so");
    told.help_edit(text, Span { start: at, end: at, ..place }, new).guessing()
}

fn last_item(host: &Host<'_>, list: Val) -> Option<Span> {
    let Val::Node(list) = list else { return None };
    let arena = host.arena.borrow();
    let last: NodeId = *arena.items(list).last()?;
    let place = arena.place_of(last)?;
    Some(place.value_or_key(&host.sources))
}

/// The index that code ends with, and its number.
fn index_of(sources: &SourceMap, at: Span, code: &str) -> Option<(Span, usize)> {
    written::path(sources, at)?;
    let open = code.rfind('[')?;
    let number = code.get(open.checked_add(1)?..)?.strip_suffix(']')?;
    let start = at.start.checked_add(u32::try_from(open).ok()?)?.checked_add(1)?;
    Some((Span { start, end: at.end.checked_sub(1)?, ..at }, number.parse().ok()?))
}
