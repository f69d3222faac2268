//! `template.replace`: items or documents in place of the node that is being built.
//!
//! The placeholder is the last node of its container, and stays the current one when it is gone. The rules are those of
//! `docs/templates.md#replacing-nodes`.

use starlark::values::{Heap, Value, ValueTyped};

use super::build::check_key;
use super::convert::to_val;
use super::error::{self, EvalResult, Returned};
use super::host::FileInstance;
use super::kind::type_name;
use super::object::{Func, ObjectRole};
use super::open::{Context, Dialect, Open};
use crate::diag::{Code, Diagnostic, Fact};
use crate::yaml::{Arena, Body, Event, NodeId, PosId, Raw, Val, view, words};

/// `template.replace(value)`: puts the items or documents of `value` in place of the node that is open in the file that
/// loaded the module. Errors are without the prefix `template.replace: `.
#[allow(clippy::unreachable, reason = "`Func::invoke` refuses to call a noop")]
pub(crate) fn replace<'v>(inst: ValueTyped<'v, FileInstance<'v>>, value: Value<'v>, heap: Heap<'v>) -> Returned<'v> {
    let host = inst.as_ref().host.as_ref();
    let val = to_val(host, value, heap)?;
    let mut contexts = host.contexts.borrow_mut();
    let Some(context) = contexts.iter_mut().rev().find(|context| context.inst == inst.as_ref().number) else {
        let file = host.sources.get(inst.as_ref().compiled.source).name.clone();
        return Err(error::text_only(format!(
            "no YAML node of {file} is being built (load \"@ytt:template\" in the file with the placeholder, or pass it as an argument)"
        )));
    };
    if context.dialect == Dialect::Text {
        return Err(error::text_only("unsupported operation"));
    }
    let mut arena = host.arena.borrow_mut();
    let (container, placeholder) = current(context, &arena)?;
    let new = replacement(&mut arena, placeholder, val, value)?;
    if matches!(arena.get(container).body, Body::Map(_)) {
        check_replacement(context, &mut arena, container, placeholder, &new, matches!(val, Val::Node(_)))?;
    }
    let place = arena.span_of(placeholder);
    for &item in &new {
        arena.events.add(|| Event::Placed { container, item, at: place });
    }
    let items = arena.items_mut(container);
    let Some(at) = items.iter().rposition(|&item| item == placeholder) else {
        return Err(error::text_only("expected to find placeholder in its container: it was replaced before"));
    };
    items.change(|items| drop(items.splice(at..=at, new)));
    drop(arena);
    drop(contexts);
    Ok(Func::new(inst, "noop", |_, _, _| unreachable!("a noop is not called")).role(ObjectRole::Noop).alloc(heap))
}

/// The innermost open document or item, and the container in which it stands.
#[allow(clippy::indexing_slicing, reason = "an index below the length")]
fn current(context: &Context, arena: &Arena) -> EvalResult<(NodeId, NodeId)> {
    let found = |kind: &str| {
        error::text_only(format!("expected to replace document value, map item or array item, but found {kind}"))
    };
    let Some(top) = context.open.last() else { return Err(found("null")) };
    if !matches!(arena.get(top.node).body, Body::Doc(_) | Body::MapItem(..) | Body::ArrayItem(_)) {
        return Err(found(arena.get(top.node).body.kind()));
    }
    let mut container = match context.open.len().checked_sub(2) {
        Some(below) => context.open[below].node,
        None => return Err(found("null")),
    };
    let mut item = top.node;
    if top.whole {
        // The subtree was made in one step: its last node is the one that was started last.
        while let Val::Node(inner) = arena.value(item)
            && let Some(&last) = arena.items(inner).last()
        {
            (container, item) = (inner, last);
        }
    }
    Ok((container, item))
}

/// The nodes to put in place of `placeholder`.
fn replacement(arena: &mut Arena, placeholder: NodeId, val: Val, value: Value<'_>) -> EvalResult<Vec<NodeId>> {
    let pos = arena.get(placeholder).pos;
    let (wanted, kind) = match arena.get(placeholder).body {
        Body::Doc(_) => (0, "document set"),
        Body::MapItem(..) => (1, "map"),
        _ => (2, "array"),
    };
    let wrong = |arena: &Arena| {
        let found = match val {
            Val::Raw(_) => type_name(value),
            _ => words::kind_name(arena, val),
        };
        let diagnostic =
            Diagnostic::error(Code::TEMPLATE_REPLACE, format!("expected value to be {kind}, but was {found}"));
        error::wrap(if found == "null" {
            let help = "a function that may build nothing returns `[]` or `{}` then";
            diagnostic.help(help).fact(Fact::NullForItems { is_map: wanted == 1 })
        } else {
            match wanted {
                0 => diagnostic.help("give documents: a function with `---` in it, or a list"),
                1 => diagnostic.help(
                    "`_:` stands in a map: give map items; where nothing else stands in it, array items go by \
                     `- #@ template.replace(…)`",
                ),
                _ if matches!(found, "map" | "dict" | "struct") => {
                    diagnostic.help("`-` stands in an array: give array items, a list of them").fact(Fact::MapForItems)
                }
                _ => diagnostic.help("`-` stands in an array: give array items"),
            }
        })
    };
    match val {
        Val::Node(id) => {
            let fits = match arena.get(id).body {
                Body::Set(_) => wanted == 0,
                Body::Map(_) => wanted == 1,
                Body::Array(_) => wanted == 2,
                _ => false,
            };
            if fits { Ok(arena.items(id).to_vec()) } else { Err(wrong(arena)) }
        }
        Val::Raw(number) => match (arena.raw(number).clone(), wanted) {
            (Raw::List(values), 0) => Ok(values
                .into_iter()
                .map(|value| {
                    let id = arena.add(Body::Doc(Val::Null), PosId(0));
                    arena.set_value(id, value);
                    id
                })
                .collect()),
            (Raw::List(values), 2) => {
                let made = values.into_iter().map(|value| {
                    let value = placed(arena, value, pos)?;
                    Ok(arena.add(Body::ArrayItem(value), pos))
                });
                made.collect()
            }
            (Raw::Dict(entries), 1) => {
                let made = entries.into_iter().map(|(key, value)| {
                    let value = placed(arena, value, pos)?;
                    Ok(arena.add(Body::MapItem(key, value), pos))
                });
                made.collect()
            }
            _ => Err(wrong(arena)),
        },
        _ => Err(wrong(arena)),
    }
}

/// Nodes of a value that takes a placeholder's place: unlike a value that is set, it has the placeholder's line.
fn placed(arena: &mut Arena, value: Val, pos: PosId) -> EvalResult<Val> {
    arena.nodes_with_pos(value, pos).map_err(|deep| {
        let span = arena.place(pos).map(|place| place.key());
        error::wrap(view::too_deep(deep.limit, span))
    })
}

/// Keys of new map items: those of a fragment must be new, those of a dict remove the old item.
#[allow(clippy::indexing_slicing, reason = "`index` was found in the open nodes")]
fn check_replacement(
    context: &mut Context,
    arena: &mut Arena,
    container: NodeId,
    placeholder: NodeId,
    new: &[NodeId],
    from_fragment: bool,
) -> EvalResult<()> {
    let implicit = context.compiled.options.implicit_map_key_overrides;
    let index = context.open.iter().rposition(|open| open.node == container);
    let mut own = Open::new(0, container);
    let open = match index {
        Some(index) => &mut context.open[index],
        None => &mut own,
    };
    // An overridden item of a fragment may come back, so none may be left that still has to go.
    open.drop_overridden(arena);
    for &item in new {
        let checked = match arena.same(arena.key(item), arena.key(placeholder)) {
            true => Err(error::text_only("new items must not have the placeholder's key '_'")),
            false => check_key(open, arena, item, implicit || !from_fragment),
        };
        if checked.is_err() {
            // A program may go on: the items before this one are not in the map either, so keys are looked at anew.
            open.keys = None;
            return checked;
        }
    }
    open.drop_overridden(arena);
    open.forget(arena, placeholder);
    Ok(())
}
