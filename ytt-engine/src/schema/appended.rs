//! Lists of data values to which a document of data values appended an item of the same name: a rule or an assertion that
//! reads such a list may fail for it. Only a render without the item tells whether it does.

use crate::diag::{Diagnostic, Label};
use crate::source::{SourceMap, Span, to_u32};
use crate::template::outline;
use crate::yaml::words::key_text;
use crate::yaml::{Arena, Body, NodeId, Val};

/// Items of a list that are compared.
const ITEMS: usize = 200;
/// What tells items of a list apart.
const NAMES: [&str; 3] = ["name", "id", "key"];

/// An item that repeats an earlier one.
struct Second {
    item: NodeId,
    first: NodeId,
    /// The key of both names; none of scalars.
    key: Option<&'static str>,
    value: Val,
}

/// The problem with the helps that keep a list of data values, which this key holds, from having a name twice, and with
/// the places of the two items. `None`: it has none twice.
pub(crate) fn told(sources: &SourceMap, arena: &Arena, holds: NodeId, problem: &Diagnostic) -> Option<Diagnostic> {
    let Body::MapItem(list, value) = arena.get(holds).body else { return None };
    let second = second(sources, arena, value)?;
    let (here, there) = (place_of(sources, arena, second.item)?, place_of(sources, arena, second.first)?);
    let (list, name) = (key_text(arena, list), format!("`{}`", key_text(arena, second.value)));
    let what = format!("appended to `{list}` as a second {name}, since no annotation says otherwise");
    let labels = [(here, what), (there, format!("the first {name} is here"))].map(|(span, text)| Label { span, text });
    let mut told = problem.clone();
    let whole = holder(arena, second.item);
    // Who has annotations in the list changes items of the one before.
    let is_whole =
        |whole: &Span| sources.get(whole.source).written(*whole).is_some_and(|text| !text.contains("#@overlay/"));
    if let Some((span, indent)) = whole.filter(is_whole).and_then(|whole| sources.get(whole.source).above(whole)) {
        let help = format!("to give a list in place of the one before, write `#@overlay/replace` above `{list}`");
        told = told.help_edit(help, span, format!("#@overlay/replace\n{indent}")).if_it_mends().guessing();
        told = told.beside_help(labels.clone());
    }
    let above = sources.get(here.source).above(here);
    if let (Some(key), Some((span, indent))) = (second.key, above) {
        let help = format!("to change {name} and keep the other items, match it by its `{key}`");
        told = told.help_edit(help, span, format!("#@overlay/match by=\"{key}\"\n{indent}")).if_it_mends().guessing();
        told = told.beside_help(labels);
    }
    (!told.parts().helps.is_empty()).then_some(told)
}

/// The first line of an item; of one that an annotation gives, that annotation.
fn place_of(sources: &SourceMap, arena: &Arena, item: NodeId) -> Option<Span> {
    let whole = arena.place_of(item)?.whole();
    let source = sources.get(whole.source);
    let line = source.line(whole.start);
    // What an annotation gives has the place of its key.
    let given =
        outline::default_above(&source, whole).filter(|_| !source.line_text(line).trim_start().starts_with('-'));
    Some(given.unwrap_or(Span { end: whole.end.min(source.line_range(line).end), ..whole }))
}

/// The first item of a list that a document of data values appended, and that has the name of one of another place.
fn second(sources: &SourceMap, arena: &Arena, list: Val) -> Option<Second> {
    let Val::Node(list) = list else { return None };
    if !matches!(arena.get(list).body, Body::Array(_)) || arena.count(list) > ITEMS {
        return None;
    }
    let items = arena.items(list);
    let source = |item: NodeId| arena.span_of(item).map(|span| span.source);
    let is_appended = |item: NodeId| {
        let place = arena.span_of(item);
        let above = place.and_then(|place| outline::values_above(&sources.get(place.source), place));
        // Annotations of data values are gone when they were applied.
        above.is_some_and(|(_, is_schema)| !is_schema) && place.is_some_and(|place| !is_annotated(sources, place))
    };
    items.iter().enumerate().find_map(|(number, &item)| {
        let (key, value) = name_of(arena, item)?;
        let is_it = |first: &&NodeId| {
            let own = name_of(arena, **first);
            source(**first) != source(item) && own.is_some_and(|(own, other)| own == key && arena.same(other, value))
        };
        let first = *items.iter().take(number).find(is_it).filter(|_| is_appended(item))?;
        Some(Second { item, first, key, value })
    })
}

/// Does an annotation of overlays stand right above a place?
fn is_annotated(sources: &SourceMap, place: Span) -> bool {
    let source = sources.get(place.source);
    let above = (1..source.line(place.start)).rev().map(|line| source.line_text(line));
    let mut comments = above.take_while(|text| text.trim_start().starts_with('#'));
    comments.any(|text| text.trim_start().starts_with("#@overlay/"))
}

/// The key and the value by which people know an item; a scalar is known by itself.
fn name_of(arena: &Arena, item: NodeId) -> Option<(Option<&'static str>, Val)> {
    let value = arena.value(item);
    let is_scalar = |value: &Val| !matches!(value, Val::Node(_) | Val::Raw(_) | Val::Null);
    if is_scalar(&value) {
        return Some((None, value));
    }
    let map = arena.map_of(value)?;
    let name = NAMES.into_iter().find_map(|key| Some((key, arena.value(arena.find_str(map, key)?))))?;
    Some((Some(name.0), name.1)).filter(|(_, value)| is_scalar(value))
}

/// The list in whose lines an item stands, with its key.
fn holder(arena: &Arena, item: NodeId) -> Option<Span> {
    let own = arena.place_of(item)?.whole();
    let all = (0..to_u32(arena.len())).map(NodeId);
    let around = all.filter_map(|node| match arena.get(node).body {
        Body::MapItem(_, Val::Node(list)) if matches!(arena.get(list).body, Body::Array(_)) => arena.place_of(node),
        _ => None,
    });
    let around = around.filter(|place| place.whole().holds(own));
    around.min_by_key(|place| place.whole().end.saturating_sub(place.whole().start)).map(|place| place.whole())
}
