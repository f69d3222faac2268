//! A list that code gives as one item of a list of maps: most often its items were meant to go among the others.

use super::super::host::Host;
use super::code_of;
use super::functions;
use crate::diag::{Code, Diagnostic};
use crate::template::code::FileCode;
use crate::template::loading::with_load;
use crate::template::written;
use crate::yaml::NodeId;

/// Keys whose lists may hold lists: pipelines flatten them.
const FLATTENED: [&str; 4] = ["rules", "script", "before_script", "after_script"];

/// Warns of a list of maps that a call gave as the value of `item`, which stands behind a map in the list `around`, the
/// value of `holder`.
pub(in crate::eval) fn list_in_list(
    host: &Host<'_>,
    (around, item): (NodeId, NodeId),
    holder: Option<NodeId>,
    list: NodeId,
) {
    let found = {
        let arena = host.arena.borrow();
        if holder.is_some_and(|holder| arena.str(arena.key(holder)).is_some_and(|key| FLATTENED.contains(&key))) {
            return;
        }
        let is_map = |item: &NodeId| arena.map_of(arena.value(*item)).is_some();
        let Some(first) = arena.items(list).first().filter(|_| arena.items(list).iter().all(is_map)) else { return };
        // Asked for each such item of a list that may be long.
        let before = arena.items(around).iter().rev().find(|other| **other != item);
        let Some(sibling) = before.filter(|before| is_map(before)) else { return };
        let first_key = |item: NodeId| arena.span_of(*arena.items(arena.map_of(arena.value(item))?).first()?);
        let code = arena.place_of(item).and_then(|place| place.code(&host.sources));
        (code, first_key(*sibling), first_key(*first))
    };
    let (Some(code), sibling, first) = found else { return };
    // What is written as a list in the code itself was meant as one.
    let Some(callee) = written::callee(&host.sources, code) else { return };
    if !host.is_first_at(Code::TEMPLATE_LIST_IN_LIST, code) {
        return;
    }
    let (source, text) = (host.sources.get(code.source), code_of(&host.sources, code));
    // What a function gives may be taken apart by code.
    let is_given = FileCode::read(&source, code.source).is_none_or(|file| file.function_around(code).is_some());
    if is_given {
        return;
    }
    let name = code_of(&host.sources, callee);
    let defined = functions::defined(&host.sources, code.source, &name).map(|(_, place)| place);
    let warning = Diagnostic::warning(Code::TEMPLATE_LIST_IN_LIST, "a list is put as one item into a list of maps")
        .label(code, format!("`{name}` gives a list, which is one item here: a list in the list"))
        .label_at(sibling, "the item before it is a map")
        .label_at(defined, format!("`{name}` is defined here"))
        .label_at(first, "this would be an item of the inner list");
    let help = "to put its items among the others, `template.replace`";
    let new = format!("template.replace({text})");
    host.warn(match with_load(&source, ("@ytt:template", "template"), code, new) {
        Some((span, new)) => warning.help_edit(help, span, new),
        None => warning.help(help),
    });
}
