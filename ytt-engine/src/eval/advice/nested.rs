//! A list that code gives as one item of a list of maps: most often its items were meant to go among the others.

use super::super::host::{FirstItem, Host};
use super::code_of;
use super::functions;
use crate::diag::{Code, Diagnostic};
use crate::source::{SourceId, Span, to_u32};
use crate::template::code::{Binder, Bound, FileCode};
use crate::template::loading::with_load;
use crate::template::{outline, written};
use crate::yaml::{Arena, NodeId};

/// Keys whose lists may hold lists: pipelines flatten them.
const FLATTENED: [&str; 4] = ["rules", "script", "before_script", "after_script"];

/// The function that puts items among others, and its module.
const REPLACE: &str = "template.replace";
const MODULE: &str = "@ytt:template";
/// Warnings of first items; for some of them all files are searched.
const MOST: usize = 50;
const SEARCHES: usize = 5;

/// Warns of a list of maps that a call gave as the value of `item`, which stands behind a map in the list `around`, the
/// value of `holder`. What follows the first item is not known yet.
pub(in crate::eval) fn list_in_list(
    host: &Host<'_>,
    (around, item): (NodeId, NodeId),
    holder: Option<NodeId>,
    list: NodeId,
) {
    let sibling = {
        let arena = host.arena.borrow();
        if holder.is_some_and(|holder| arena.str(arena.key(holder)).is_some_and(|key| FLATTENED.contains(&key))) {
            return;
        }
        if arena.items(list).is_empty() || !arena.items(list).iter().all(|item| is_map(&arena, *item)) {
            return;
        }
        // Asked for each such item of a list that may be long.
        let before = arena.items(around).iter().rev().find(|other| **other != item);
        match before {
            Some(before) if is_map(&arena, *before) => *before,
            Some(_) => return,
            None => return host.first_lists.borrow_mut().push(FirstItem { around, item, list }),
        }
    };
    let beside = || shown(host, sibling).map(|span| (span, "the item before it is a map")).into_iter().collect();
    if let Some(warning) = told(host, (item, list), beside) {
        host.warn(warning);
    }
}

/// Warnings of first items before which nothing was known: the next item of the list is a map.
pub(crate) fn first_lists(host: &Host<'_>) -> Vec<Diagnostic> {
    let waiting = std::mem::take(&mut *host.first_lists.borrow_mut());
    let mut searches = 0_usize;
    let warn = |FirstItem { around, item, list }: FirstItem| {
        let behind = {
            let arena = host.arena.borrow();
            let items = arena.items(around);
            (items.first() == Some(&item)).then_some(())?;
            items.get(1).copied().filter(|next| is_map(&arena, *next))?
        };
        told(host, (item, list), || {
            searches = usize::saturating_add(searches, 1);
            let wrapped = code_at(host, item).filter(|_| searches <= SEARCHES).and_then(|code| wrapped(host, code));
            let behind = shown(host, behind).map(|span| (span, "the item behind it is a map"));
            behind.into_iter().chain(wrapped.map(|span| (span, "here its items go among the others"))).collect()
        })
    };
    waiting.into_iter().filter_map(warn).take(MOST).collect()
}

fn is_map(arena: &Arena, item: NodeId) -> bool {
    arena.map_of(arena.value(item)).is_some()
}

/// The first key of the map that an item holds.
fn first_key(host: &Host<'_>, item: NodeId) -> Option<Span> {
    let arena = host.arena.borrow();
    arena.span_of(*arena.items(arena.map_of(arena.value(item))?).first()?)
}

/// Where an item shows that it is a map: its code, or its first key.
fn shown(host: &Host<'_>, item: NodeId) -> Option<Span> {
    code_at(host, item).or_else(|| first_key(host, item))
}

fn code_at(host: &Host<'_>, item: NodeId) -> Option<Span> {
    let place = *host.arena.borrow().place_of(item)?;
    place.code(&host.sources)
}

/// Where `template.replace` is given what the same function gives.
fn wrapped(host: &Host<'_>, code: Span) -> Option<Span> {
    let sources = &host.sources;
    let name = code_of(sources, written::callee(sources, code)?);
    let home = outline::home(sources, code.source, &name)?;
    sources.all().iter().enumerate().find_map(|(number, source)| {
        let id = SourceId(to_u32(number));
        let may = source.text.as_str().is_some_and(|text| text.contains(REPLACE) && text.contains(MODULE));
        (may && host.may_advise(source.text.as_bytes().len())).then_some(())?;
        let file = FileCode::read(source, id)?;
        file.calls().into_iter().find_map(|(function, call, given)| {
            let [only] = given[..] else { return None };
            let inner = code_of(sources, written::callee(sources, only.value)?);
            let is_module = || matches!(file.bound(function, "template"), Some(Bound { by: Binder::Load, .. }));
            let is_it = code_of(sources, function) == REPLACE && is_module() && !file.is_local(only.value, &inner);
            (is_it && outline::home(sources, id, &inner)? == home).then_some(call)
        })
    })
}

/// The warning of an item that a call gave a list of maps, with a place that shows what its list holds.
fn told(
    host: &Host<'_>,
    (item, list): (NodeId, NodeId),
    beside: impl FnOnce() -> Vec<(Span, &'static str)>,
) -> Option<Diagnostic> {
    let code = code_at(host, item)?;
    // What is written as a list in the code itself was meant as one.
    let callee = written::callee(&host.sources, code)?;
    host.is_first_at(Code::TEMPLATE_LIST_IN_LIST, code).then_some(())?;
    let (source, text) = (host.sources.get(code.source), code_of(&host.sources, code));
    // What a function gives may be taken apart by code.
    if functions::is_given(host, code) {
        return None;
    }
    let name = code_of(&host.sources, callee);
    let defined = functions::defined(&host.sources, code.source, &name).map(|(_, place)| place);
    let first = host.arena.borrow().items(list).first().copied();
    let beside = beside();
    let warning = Diagnostic::warning(Code::TEMPLATE_LIST_IN_LIST, "a list is put as one item into a list of maps")
        .label(code, format!("`{name}` gives a list, which is one item here: a list in the list"));
    let warning = beside.into_iter().fold(warning, |warning, (span, text)| warning.label(span, text));
    let warning = warning
        .label_at(defined, format!("`{name}` is defined here"))
        .label_at(first.and_then(|first| first_key(host, first)), "this would be an item of the inner list");
    let help = "to put its items among the others, `template.replace`";
    let new = format!("template.replace({text})");
    Some(match with_load(&source, (MODULE, "template"), code, new) {
        Some((span, new)) => warning.help_edit(help, span, new),
        None => warning.help(help),
    })
}
