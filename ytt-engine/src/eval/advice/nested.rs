//! A list that code gives as one item of a list of maps: most often its items were meant to go among the others.

use super::super::host::Host;
use super::code_of;
use super::functions;
use crate::diag::{Code, Diagnostic};
use crate::template::loading::with_load;
use crate::template::written;
use crate::yaml::NodeId;

/// Warns of a list of maps that a call gave as the value of `item`, which stands behind maps in the list `around`.
pub(in crate::eval) fn list_in_list(host: &Host<'_>, (around, item): (NodeId, NodeId), list: NodeId) {
    let found = {
        let arena = host.arena.borrow();
        let is_map = |item: &NodeId| arena.map_of(arena.value(*item)).is_some();
        let mut others = arena.items(around).iter().filter(|other| **other != item);
        let (Some(sibling), Some(first)) = (others.next(), arena.items(list).first()) else { return };
        if !is_map(sibling) || !others.all(is_map) || !arena.items(list).iter().all(is_map) {
            return;
        }
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
    let name = code_of(&host.sources, callee);
    let defined = functions::defined(&host.sources, code.source, &name).map(|(_, place)| place);
    let warning = Diagnostic::warning(Code::TEMPLATE_LIST_IN_LIST, "a list is put as one item into a list of maps")
        .label(code, format!("`{name}` gives a list, which is one item here: a list in the list"))
        .label_at(sibling, "the others are maps, as this one")
        .label_at(defined, format!("`{name}` is defined here"))
        .label_at(first, "this would be an item of the inner list");
    let help = "to put its items among the others, `template.replace`";
    let new = format!("template.replace({text})");
    host.warn(match with_load(&source, ("@ytt:template", "template"), code, new) {
        Some((span, new)) => warning.help_edit(help, span, new),
        None => warning.help(help),
    });
}
