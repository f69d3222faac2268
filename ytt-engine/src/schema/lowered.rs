//! `#@schema/default` that stands one key too high: above the map of the key whose default it is.

use super::{ItemId, Schema, Type, TypeId, TypeKind};
use crate::diag::Diagnostic;
use crate::nearest::only;
use crate::source::SourceMap;
use crate::validate::key_text;
use crate::yaml::{Arena, Body, PosId, Raw, Val};

/// Says of a default that is none of a map which key in it takes such a value: the first one, as the next line is meant
/// most often, or the only one.
pub(super) fn told(
    (arena, sources, schema): (&Arena, &SourceMap, &Schema),
    (annotation, ty, value): (PosId, TypeId, Val),
    problem: Diagnostic,
) -> Diagnostic {
    let TypeKind::Map(map) = &schema.inner(ty).kind else { return problem };
    let fits = |id: &&ItemId| takes(arena, schema, schema.inner(schema.item(**id).ty), value);
    let first = map.items.first().filter(fits);
    let Some(meant) = first.or_else(|| only(map.items.iter().filter(fits))) else { return problem };
    let item = schema.item(*meant);
    let edit = || {
        let (own, key) = (arena.place(annotation)?.whole(), arena.place(item.pos)?.key());
        let source = sources.get(own.source);
        let (lines, (_, indent)) = (source.whole_lines(own)?, source.above(key)?);
        let at = source.line_range(source.line(key.start)).start;
        let is_below = key.source == own.source && lines.end <= at;
        let new = format!("{indent}{}\n", source.written(own)?);
        is_below.then(|| source.moved(lines, [at], &new)).flatten()
    };
    match edit() {
        Some((span, new)) => {
            let key = key_text(arena, item.key);
            problem.help_edit(format!("if it is the default of `{key}`, write it above that"), span, new).guessing()
        }
        None => problem,
    }
}

/// Whether a value is one of a type, as far as its kind goes.
fn takes(arena: &Arena, schema: &Schema, ty: &Type, value: Val) -> bool {
    match value {
        Val::Raw(number) => match arena.raw(number) {
            Raw::List(_) => matches!(ty.kind, TypeKind::Array(_)),
            Raw::Dict(_) => matches!(ty.kind, TypeKind::Map(_)),
        },
        Val::Node(node) => match arena.get(node).body {
            Body::Array(_) => matches!(ty.kind, TypeKind::Array(_)),
            _ => matches!(ty.kind, TypeKind::Map(_)),
        },
        scalar => !matches!(ty.kind, TypeKind::Any) && ty.allows(schema, scalar),
    }
}
