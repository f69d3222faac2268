//! A null where a value of another type is declared: most often nothing stands behind the key.

use super::misfit::Told;
use super::{Type, TypeKind};
use crate::diag::Diagnostic;
use crate::quoted;
use crate::source::{SourceMap, Span, to_u32};
use crate::validate::key_text;
use crate::yaml::layout;
use crate::yaml::words::article;
use crate::yaml::{Arena, Body, NodeId, Val};

/// The edit that makes an item of a schema nullable whose value is null: an example says of which type it is else.
pub(crate) fn with_example(arena: &Arena, sources: &SourceMap, item: NodeId, example: &str) -> Option<(Span, String)> {
    let place = arena.place_of(item).filter(|_| matches!(arena.get(item).body, Body::MapItem(..)))?;
    let source = sources.get(place.source);
    let (at, indent) = source.above(place.key())?;
    let key = source.written(place.key())?;
    let line = source.line_range(source.line(place.key_end));
    let rest = source.written(Span { start: place.key().end, end: line.end, ..place.key() })?;
    let written = rest.strip_prefix(':')?;
    let value = written.split(" #").next().unwrap_or(written);
    // Code may be null for a reason, and an anchor is for others.
    let is_plain = matches!(value.trim(), "" | "null" | "~") && !written.contains("#@");
    let end = place.key().end.checked_add(1)?.checked_add(to_u32(value.trim_end().len()))?;
    let annotation = match arena.ann(item, "schema/nullable") {
        Some(_) => String::new(),
        None => format!("#@schema/nullable\n{indent}"),
    };
    is_plain.then(|| (Span { end, ..at }, format!("{annotation}{key}: {example}")))
}

/// Lines of comments that are looked at.
const SEARCHED: usize = 50;

impl Told<'_> {
    /// What to write in place of a null.
    pub(super) fn null(&self, told: Diagnostic, item: NodeId, ty: &Type) -> Diagnostic {
        let told_text = "to allow null, annotate the key in the schema with @schema/nullable";
        if let Some((behind, is_key)) = self.nothing_behind(item) {
            if self.hints
                && let TypeKind::Map(map) = &ty.kind
                && let Some((span, new)) = self.indented_below(item, map)
            {
                let key = self.path.rsplit('.').next().unwrap_or_default();
                return told.help_edit(format!("indent what belongs to `{key}`"), span, new);
            }
            let told = self.unwritten(told, ty, (behind, is_key));
            return match self.commented_out(item) {
                Some((lines, mark)) => self.commented(told, item, lines, mark),
                None => told.help(told_text),
            };
        }
        let declared = self.arena.place(ty.pos).map(|place| place.key());
        let above = declared.and_then(|span| self.sources.get(span.source).above(span));
        match above {
            Some((at, indent)) => told.help_edit(told_text, at, format!("#@schema/nullable\n{indent}")).guessing(),
            None => told.help(told_text),
        }
    }

    /// Comments right below a key that has no value, which hold keys or items deeper than it: where they stand, and what
    /// makes a comment of a line there.
    fn commented_out(&self, item: NodeId) -> Option<(Span, &'static str)> {
        let place = self.arena.place_of(item)?;
        let source = self.sources.get(place.source);
        let first = source.line(place.start).saturating_add(1);
        let lines = (first..).map_while(|line| {
            let written = source.line_text(line);
            let written = written.trim();
            let mark = if written.starts_with("#!") { "#!" } else { "#" };
            let content = written.strip_prefix(mark).filter(|content| !content.starts_with('@'))?;
            layout::begins_node(content).then_some((line, mark))
        });
        let lines: Vec<(u32, &'static str)> = lines.take(SEARCHED).collect();
        let (&(first, mark), &(last, _)) = (lines.first()?, lines.last()?);
        let start = source.line_range(first);
        let indent = to_u32(source.line_text(first).len().checked_sub(source.line_text(first).trim_start().len())?);
        let end = source.line_range(last).end;
        Some((Span::new(place.source, start.start.saturating_add(indent), end), mark))
    }

    /// Says that what was in a map or list is commented out, so that its key may go with it.
    fn commented(&self, told: Diagnostic, item: NodeId, lines: Span, mark: &str) -> Diagnostic {
        let key = self.path.rsplit('.').next().unwrap_or_default();
        let told = told.label(lines, format!("what was in `{key}` is commented out, so `{key}` is null"));
        let text = format!("to leave `{key}` as it is without this, comment it out, too");
        let place = self.arena.place_of(item).map(|place| Span { end: place.start, ..place.key() });
        match place.filter(|place| self.sources.get(place.source).above(*place).is_some()) {
            Some(place) => told.help_edit(text, place, format!("{mark} ")).guessing(),
            None => told.help(text),
        }
    }

    /// Where a value is missing that is not written: behind the colon of a key, or behind the `-` of an item.
    fn nothing_behind(&self, item: NodeId) -> Option<(Span, bool)> {
        let place = self.arena.place_of(item)?;
        let source = self.sources.get(place.source);
        if place.value().start < place.value().end || place.code(self.sources).is_some() {
            return None;
        }
        let line = source.line_range(source.line(place.key_end));
        let rest = source.written(Span::new(place.source, place.key_end, line.end))?;
        let (colon, is_key) = match rest.trim_start().strip_prefix(':') {
            Some(behind) => (rest.len().checked_sub(behind.len())?, true),
            None => (0, false),
        };
        let behind = rest.get(colon..)?;
        let is_bare = source.written(place.key()).is_some_and(|key| key == "-" || is_key);
        let is_nothing = behind.trim().is_empty() || behind.trim_start().starts_with('#');
        let start = place.key_end.checked_add(to_u32(colon))?;
        let blanks = to_u32(behind.len().checked_sub(behind.trim_start().len())?);
        (is_bare && is_nothing).then(|| (Span::new(place.source, start, start.saturating_add(blanks)), is_key))
    }

    /// Nothing is written: an empty list or map as such; of a scalar only people know what it was to be.
    fn unwritten(&self, told: Diagnostic, ty: &Type, (behind, is_key): (Span, bool)) -> Diagnostic {
        let empty = match &ty.kind {
            TypeKind::Array(_) => Some(("an empty array is `[]`", "[]")),
            TypeKind::Map(_) => Some(("to set nothing in the map, write `{}`", "{}")),
            _ => None,
        };
        let source = self.sources.get(behind.source);
        let is_last = source.line_range(source.line(behind.start)).end == behind.end;
        if let Some((text, new)) = empty {
            let new = if is_last { format!(" {new}") } else { format!(" {new} ") };
            return told.help_edit(text, behind, new);
        }
        let name = ty.name();
        let key = self.path.rsplit('.').next().unwrap_or_default();
        let what = match (&ty.kind, is_key) {
            (TypeKind::Str, true) => format!("write the string behind `{key}:`, `\"\"` if it is empty"),
            (_, true) => format!("write {} {name} behind `{key}:`", article(name)),
            _ => return told.help(format!("write {} {name} behind the `-`, or take the item away", article(name))),
        };
        match self.default_text(ty).filter(|_| !self.path.contains('[')) {
            Some(default) => {
                told.help(format!("{what}; or take the line away, then the default of the schema stays: `{default}`"))
            }
            None => told.help(what),
        }
    }

    /// The default of a scalar as YAML has it.
    fn default_text(&self, ty: &Type) -> Option<String> {
        match ty.default {
            Val::Null | Val::Node(_) | Val::Raw(_) => None,
            text @ (Val::Str { .. } | Val::Bytes(_)) => Some(quoted::go(key_text(self.arena, text).as_bytes())),
            scalar => Some(key_text(self.arena, scalar)),
        }
    }
}
