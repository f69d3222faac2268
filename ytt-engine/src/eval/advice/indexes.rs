//! An index that a list of data values does not have: its last item, where the list is set, and how to go without.

use super::super::host::Host;
use super::{code_of, data_value, schemas};
use crate::diag::Diagnostic;
use crate::source::{SourceMap, Span};
use crate::template::written;
use crate::yaml::{NodeId, Val};

/// Adds how many items there are, and where they come from.
pub(super) fn told(host: &Host<'_>, data: Val, problem: &mut Diagnostic) {
    let Some(label) = problem.parts().labels.first() else { return };
    let at = label.span;
    let code = code_of(&host.sources, at);
    let Some((list @ (Val::Node(_) | Val::Raw(_)), place, name)) = data_value(host, data, &code) else { return };
    // What is written as empty there has no example.
    let line = host.sources.get(place.source).line_text(host.sources.get(place.source).line(place.start)).to_owned();
    let is_schema = schemas::is_in_one(&host.sources, place) && !line.contains('[');
    let count = host.count(list);
    let last = last_item(host, list);
    let text = match count {
        0 if is_schema => {
            format!("`{name}` is an empty list: what a schema has below it is an example, and no data values set it")
        }
        0 => format!("`{name}` comes from here, and is empty"),
        1 => format!("`{name}` comes from here, and has 1 item: index 0"),
        count => {
            format!("`{name}` comes from here, and has {count} items: the last index is {}", count.saturating_sub(1))
        }
    };
    let mut told = problem.clone().label(place, text);
    if let Some(place) = last.filter(|_| count > 0) {
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
        && count > 0
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
        Some((of, _)) if count == 0 => {
            told.help(format!("set `{name}` in data values, or ask for items first: `if {of}:`"))
        }
        Some((of, wanted)) => {
            let or = if told.parts().helps.is_empty() { "" } else { "or " };
            told.help(format!("{or}give `{name}` more items, or ask first: `if len({of}) > {wanted}:`"))
        }
        None => told,
    };
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
