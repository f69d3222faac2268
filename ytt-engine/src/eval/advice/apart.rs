//! Maps that a loop takes apart into its names: each name has a key, as a text, where the number of the item and the item
//! were meant.

use super::super::host::Host;
use super::origin::{Origins, place_of};
use super::{code_of, place_at};
use crate::diag::{Diagnostic, Fact, suggest};
use crate::source::{SourceMap, Span};
use crate::template::code::{Binder, FileCode};
use crate::template::written;
use crate::yaml::words::key_text;
use crate::yaml::{Arena, Body, NodeId, Val};

/// Names that people give to the number of an item.
const NUMBERS: [&str; 9] = ["i", "idx", "index", "ix", "n", "nr", "num", "number", "pos"];

/// A loop with several names, of which one is used.
struct Turn {
    vars: Span,
    names: Vec<String>,
    /// What the loop goes over, and the list in it: `x` of `sorted(x)`.
    over: Span,
    list: Span,
}

/// A text that is a key of an item: what the loop does, and the edit that counts the items.
pub(super) fn told(host: &Host<'_>, data: Val, problem: &Diagnostic) -> Option<Diagnostic> {
    let place = problem.parts().labels.first()?.span;
    let sources = &host.sources;
    let texts = match &problem.parts().fact {
        Some(Fact::NoMember { kind, .. }) if kind == "string" => vec![written::receiver(sources, place)?],
        Some(Fact::NoMember { .. } | Fact::Undefined { .. }) => return None,
        Some(Fact::Operands { left, right, .. }) => {
            // The operand that is wrong, as a rule, may be marked already.
            let of_code = || FileCode::read(&sources.get(place.source), place.source)?.operands_around(place);
            let operands = written::operands(sources, place).or_else(of_code)?.into_iter().zip([left, right]);
            operands.filter(|(_, kind)| *kind == "string").map(|(of, _)| of).collect()
        }
        // An index, or an argument: what the names of the code hold is looked up.
        _ => written::names(sources, place),
    };
    let is_sure = matches!(problem.parts().fact, Some(Fact::NoMember { .. } | Fact::Operands { .. }));
    let (of, turn) = texts.into_iter().find_map(|of| Some((of, turn(host, of)?)))?;
    let trace = problem.parts().trace.clone();
    let lists = Origins::new(host, data, &trace).values(turn.list);
    let arena = host.arena.borrow();
    let item = lists.iter().find_map(|list| taken_apart(&arena, *list, turn.names.len()));
    if item.is_none() && !(lists.is_empty() && is_sure) {
        return None;
    }
    let mut told = problem.clone().relabel("this is a text");
    place_at(&mut told, of);
    told.parts_mut().labels.truncate(1);
    told.parts_mut().helps.clear();
    told = match item {
        Some((item, map)) => {
            let keys: Vec<String> = arena.items(map).iter().map(|item| key_text(&arena, arena.key(*item))).collect();
            let pairs = turn.names.iter().zip(&keys).map(|(name, key)| format!("`{name}` is the text `{key}`"));
            let pairs: Vec<String> = pairs.collect();
            told.label(turn.vars, format!("each map is taken apart into its keys: {}", suggest::all_of(&pairs)))
                .label_at(place_of(host, item), format!("an item of `{}` is a map", code_of(sources, turn.list)))
        }
        None => told.label(turn.vars, "an item that is a map is taken apart into its keys, as texts"),
    };
    let new = format!("enumerate({})", code_of(sources, turn.over));
    let text = format!("for the number of each item and the item itself: `{new}`");
    let told = told.help_edit(text, turn.over, new);
    let is_number = turn.names.first().is_some_and(|name| NUMBERS.contains(&name.as_str()));
    Some(if is_number && item.is_some() { told } else { told.guessing() })
}

/// What is taken apart in each turn over a list that is written out, if it is no single value: what a comprehension makes,
/// or the first list in it that has another number of values than there are names.
pub(super) fn written_out(sources: &SourceMap, over: Span, names: usize) -> Option<(Span, String)> {
    if let Some(element) = written::element(sources, over) {
        let may_be_several =
            written::callee(sources, element).is_some() || code_of(sources, element).starts_with(['[', '(']);
        return may_be_several.then(|| (element, "each turn takes one of these apart".to_owned()));
    }
    let rows = written::elements(sources, over).into_iter().map(|row| (row, written::elements(sources, row).len()));
    let (row, count) = rows.filter(|(_, count)| *count > 0).find(|(_, count)| *count != names)?;
    let values = if count == 1 { "value" } else { "values" };
    Some((row, format!("this has {count} {values}, for {names} names")))
}

/// The loop that binds a name beside others, to an item of what it goes over.
fn turn(host: &Host<'_>, of: Span) -> Option<Turn> {
    let source = host.sources.get(of.source);
    if !host.may_advise(source.text.as_bytes().len()) {
        return None;
    }
    let name = code_of(&host.sources, of);
    let Binder::Loop { vars, over } = FileCode::read(&source, of.source)?.bound(of, &name)?.by else { return None };
    let code = code_of(&host.sources, vars);
    let names: Vec<String> = code.trim_matches(['(', ')']).split(',').map(|name| name.trim().to_owned()).collect();
    let list = match written::series(&host.sources, over) {
        // Of a dict, or with numbers already.
        Some((_, true)) => return None,
        Some((list, false)) => list,
        None => over,
    };
    (names.len() > 1 && names.contains(&name)).then_some(Turn { vars, names, over, list })
}

/// The first item of a list, with its map, if it is a map with so many keys.
fn taken_apart(arena: &Arena, list: Val, count: usize) -> Option<(NodeId, NodeId)> {
    let Val::Node(list) = list else { return None };
    let items = matches!(arena.get(list).body, Body::Array(_)).then(|| arena.items(list))?;
    let mut maps = items.iter().filter_map(|item| Some((*item, arena.map_of(arena.value(*item))?)));
    maps.find(|(_, map)| arena.items(*map).len() == count)
}
