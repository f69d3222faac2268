//! Annotations below `@schema/type any=True`, where they declare nothing: the annotation that is at fault is most often the
//! outer one, which is meant for a map or list below it that declares nothing itself.

use crate::call::Call;
use crate::diag::Diagnostic;
use crate::source::Span;
use crate::validate::key_text;
use crate::yaml::{Arena, NodeId, PosId, Val};

/// Whether an item of a map declares nothing: it is an empty map or list, or null.
pub(super) fn takes_none(arena: &Arena, item: NodeId) -> bool {
    let is_empty = match arena.value(item) {
        Val::Null => true,
        Val::Node(value) => arena.items(value).is_empty(),
        _ => false,
    };
    is_empty && !matches!(arena.key(item), Val::Null)
}

/// Shows the `any=True` that annotations conflict with, and what can be done. `empty` is the only item below it that
/// declares nothing. Programs see the reference's part.
pub(super) fn told(
    calls: &dyn Call,
    mut problem: Diagnostic,
    (inner, any): (&[(&str, PosId)], Option<PosId>),
    empty: Option<NodeId>,
) -> Diagnostic {
    if calls.is_tried() {
        return problem;
    }
    let (arena, sources) = (calls.arena().borrow(), calls.sources());
    for label in problem.parts_mut().labels.iter_mut().take(inner.len()) {
        label.text = "has no effect here".to_owned();
    }
    if let Some(node) = problem.parts_mut().labels.get_mut(inner.len()) {
        node.text = "of any type".to_owned();
    }
    let any = any.and_then(|pos| arena.place(pos)).map(|place| place.whole());
    if let Some(any) = any {
        problem = problem.label(any, "all that is below has any type because of this");
        if let Some((name, (span, new))) = empty.and_then(|empty| lowered(calls, &arena, any, empty)) {
            let help = format!("to let `{name}` alone be anything, write the annotation above it");
            problem = problem.help_edit(help, span, new).if_it_mends();
        }
        // What is written below says what is meant, and a constraint would be lost: the outer one goes first.
        let text = format!("to declare types there, remove @schema/type any=True ({})", sources.name_line(any));
        let lines = sources.get(any.source).whole_lines(any);
        problem = problem.edit_at(text, lines, "").guessing();
    }
    for (name, pos) in inner {
        let Some(place) = arena.place(*pos) else { continue };
        let lines = sources.get(place.source).whole_lines(place.whole());
        problem = match lines {
            Some(lines) => problem.help_edit(format!("or remove @{name}"), lines, "").guessing(),
            None => problem,
        };
    }
    problem
}

/// The name of an item, and the edit that moves the annotation above it.
fn lowered(calls: &dyn Call, arena: &Arena, any: Span, item: NodeId) -> Option<(String, (Span, String))> {
    let key = arena.span_of(item).filter(|key| key.source == any.source && key.start > any.end)?;
    let source = calls.sources().get(any.source);
    let (_, indent) = source.above(key)?;
    let text = source.written(any).filter(|text| !text.contains('\n'))?;
    let line = source.line_range(source.line(key.start)).start;
    let edit = source.moved(source.whole_lines(any)?, [line], &format!("{indent}{text}\n"))?;
    Some((key_text(arena, arena.key(item)), edit))
}
