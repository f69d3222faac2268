//! Values that a later schema document declares again, with another type: what people give fits the first declaration.

use super::misfit::Told;
use super::{Schema, Type};
use crate::diag::Diagnostic;
use crate::source::{SourceMap, Span};
use crate::yaml::keys::MapIndex;
use crate::yaml::words::kind_name;
use crate::yaml::{Arena, Body, NodeId, PosId, Val};

/// A declaration that replaced an earlier one of another type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Redeclared {
    /// Where the one stands that counts, and the one before it.
    by: PosId,
    first: PosId,
    /// The type of the first one.
    kind: &'static str,
    /// The lines that declare it again.
    lines: Option<Span>,
}

/// Those of a schema document that is about to be merged into `left`.
pub(crate) fn redeclared(arena: &Arena, sources: &SourceMap, left: NodeId, right: NodeId) -> Vec<Redeclared> {
    let mut found = Vec::new();
    // With the item goes what would be left empty.
    let mut open = vec![(left, right, None, arena.depth())];
    while let Some((left, right, alone, depth)) = open.pop() {
        let (Some(lefts), Some(rights)) = (arena.map_of(arena.value(left)), arena.map_of(arena.value(right))) else {
            if let Some(one) = of_scalars(arena, sources, (left, right), alone.unwrap_or(right)) {
                found.push(one);
            }
            continue;
        };
        let Some(depth) = depth.checked_sub(1) else { continue };
        let index = MapIndex::new(arena, lefts);
        let items = arena.items(rights);
        for &item in items {
            if let Body::MapItem(key, _) = arena.get(item).body
                && let Some(left) = index.find(arena, lefts, key).and_then(|at| arena.items(lefts).get(at))
            {
                let is_alone = items.len() == 1;
                open.push((*left, item, Some(alone.filter(|_| is_alone).unwrap_or(item)), depth));
            }
        }
    }
    found
}

fn of_scalars(
    arena: &Arena,
    sources: &SourceMap,
    (left, right): (NodeId, NodeId),
    alone: NodeId,
) -> Option<Redeclared> {
    let scalar = |item: NodeId| {
        let value = arena.value(item);
        let is_typed = arena.anns_of(item).iter().any(|one| matches!(&*one.name, "schema/type" | "schema/nullable"));
        (!is_typed && !matches!(value, Val::Node(_) | Val::Raw(_) | Val::Null)).then(|| kind_name(arena, value))
    };
    let (kind, new) = (scalar(left)?, scalar(right)?);
    (kind != new).then_some(())?;
    let place = arena.place_of(alone)?;
    let starts = arena.anns_of(alone).iter().filter_map(|one| arena.place(one.pos)).map(|one| one.key().start);
    let start = starts.fold(place.key().start, u32::min);
    let lines = sources.get(place.source).whole_lines(Span::new(place.source, start, place.end));
    let is_document = matches!(arena.get(alone).body, Body::Doc(_));
    Some(Redeclared {
        by: arena.get(right).pos,
        first: arena.get(left).pos,
        kind,
        lines: lines.filter(|_| !is_document),
    })
}

impl Schema {
    /// Keeps what was declared again, for those who are told of a value of the first type.
    pub(crate) fn with_redeclared(self, redeclared: Vec<Redeclared>) -> Schema {
        Schema { redeclared, ..self }
    }
}

impl Told<'_> {
    /// Says of a value that its first declaration would take it.
    pub(super) fn fits_first(&self, told: &Diagnostic, value: Val, ty: &Type) -> Option<Diagnostic> {
        let is_it = |one: &&Redeclared| one.by == ty.pos && one.kind == kind_name(self.arena, value);
        let one = self.schema.redeclared.iter().rfind(is_it)?;
        let (first, by) = (self.arena.place(one.first)?, self.arena.place(one.by)?);
        let mut told = told.clone();
        let key = self.path.rsplit('.').next().unwrap_or_default();
        for label in &mut told.parts_mut().labels {
            if label.span == by.declared(self.sources) {
                label.text = format!("{}: declared again here, and this one counts", label.text);
            }
        }
        let told = told.label(first.key(), format!("first declared here, with type {}", one.kind));
        let text = format!("`{key}` is declared twice, by another type: if the first one is meant, delete the second");
        let told = match one.lines {
            Some(lines) => told.help_edit(text, lines, "").guessing(),
            None => told.help(text),
        };
        Some(told.help(format!("or declare it as {} there, too", one.kind)))
    }
}
