//! Maps that were meant to take any keys: `any=True` is missing, or stands above their only key, one line too low.

use super::misfit::{Checked, Told};
use super::{MapType, TypeKind};
use crate::diag::Diagnostic;
use crate::source::{Source, Span, to_u32};
use crate::yaml::PosId;
use crate::yaml::words::key_text;

impl Told<'_> {
    /// How to declare a map that takes any keys: it has none now.
    pub(super) fn any_map(&self, told: Diagnostic, declared: PosId, key: Span) -> Diagnostic {
        let source = self.sources.get(key.source);
        let value = self.arena.place(declared).map(|place| self.readable(place.value()));
        let empty = value.filter(|value| self.merged && source.written(*value) == Some("{}"));
        let text = match self.merged {
            true => "a map without keys takes none: to take any, `null` with `#@schema/type any=True`",
            false => "a map without keys takes none: to take any, `#@schema/type any=True`",
        };
        let Some((at, indent)) = source.above(key) else { return told.help(text) };
        let mut new = format!("#@schema/type any=True\n{indent}");
        match empty {
            Some(value) => {
                new.extend(source.written(Span { end: value.start, ..at }));
                new.push_str("null");
                told.help_edit(text, Span { end: value.end, ..at }, new).guessing()
            }
            None if self.merged => told.help(text),
            None => told.help_edit(text, at, new).guessing(),
        }
    }

    /// The problem of a key that such a map does not declare, with the edit that moves the annotation above the map.
    pub(super) fn any_one_key_too_low(
        &self,
        told: &Diagnostic,
        map: &MapType,
        declared: Option<Span>,
    ) -> Option<Diagnostic> {
        let ([only], Checked::Values, Some(above)) = (&map.items[..], self.from, declared) else { return None };
        let item = self.schema.item(*only);
        let key = self.arena.place(item.pos)?.key();
        if !matches!(self.schema.ty(item.ty).kind, TypeKind::Any) || key.source != above.source {
            return None;
        }
        let source = self.sources.get(key.source);
        let annotation = any_above(&source, key)?;
        let (_, indent) = source.above(above)?;
        let lines = source.whole_lines(annotation)?;
        let start = source.line_range(source.line(above.start)).start;
        let text = source.written(annotation)?;
        let (span, new) = source.moved(lines, [start], &format!("{indent}{text}\n"))?;
        let (inner, outer) = (key_text(self.arena, item.key), source.written(above)?.trim_end_matches(':'));
        let told = told.clone().label(annotation, format!("this is about `{inner}` alone, not about `{outer}`"));
        let help = format!("to let `{outer}` take any key, put the annotation above it");
        Some(told.help_edit(help, span, new))
    }
}

/// The annotation among the comments directly above a key.
fn any_above(source: &Source, key: Span) -> Option<Span> {
    let mut number = source.line(key.start);
    loop {
        number = number.checked_sub(1).filter(|number| *number > 0)?;
        let line = source.line_text(number);
        let code = line.trim();
        if !code.starts_with('#') {
            return None;
        }
        if code == "#@schema/type any=True" {
            let range = source.line_range(number);
            let indent = line.len().checked_sub(line.trim_start().len())?;
            let start = range.start.checked_add(to_u32(indent))?;
            let end = start.checked_add(to_u32(code.len()))?;
            return Some(Span { start, end, ..key });
        }
    }
}
