//! A key of data values with the annotation that lets overlays add keys: no schema knows the key by that.

use super::MapType;
use super::misfit::Told;
use crate::diag::Diagnostic;
use crate::source::{Span, to_u32};
use crate::template::written;
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::{NodeId, Val};

impl Told<'_> {
    /// Says that `missing_ok` above a key does not declare it, and how to do that.
    pub(super) fn let_be_missing(
        &self,
        told: &Diagnostic,
        item: NodeId,
        key: &str,
        map: &MapType,
    ) -> Option<Diagnostic> {
        let argument = self.missing_ok_above(self.given_at(item)?)?;
        let text = "this lets an overlay add a key; a data value has to be declared in the schema";
        let told = told.clone().label(argument, text);
        let example = match self.arena.value(item) {
            Val::Str { .. } => "\"\"",
            Val::Int(_) | Val::UInt(_) => "0",
            Val::Float(_) => "0.0",
            Val::Bool(_) => "false",
            _ => return Some(told.help(format!("declare `{key}` in the schema"))),
        };
        let text = format!("declare it in the schema: `{key}: {example}`");
        Some(match self.declared_last(map, &format!("{key}: {example}")).filter(|_| needs_no_quotes(key)) {
            Some((span, new)) => told.help_edit(text, span, new).guessing(),
            None => told.help(text),
        })
    }

    /// `missing_ok=True` of the annotation above a key. What is merged has lost its annotations.
    fn missing_ok_above(&self, key: Span) -> Option<Span> {
        let source = self.sources.get(key.source);
        let is_comment = |line: &u32| source.line_text(*line).trim_start().starts_with('#');
        (1..source.line(key.start)).rev().take_while(is_comment).find_map(|line| {
            let range = source.line_range(line);
            let arguments = source.line_text(line).trim_start().strip_prefix("#@overlay/match ")?.len();
            let start = range.end.checked_sub(to_u32(arguments))?;
            let argument = written::named(self.sources, Span { start, end: range.end, ..key }, "missing_ok")?;
            (source.written(argument.value) == Some("True")).then(|| argument.whole())
        })
    }

    /// The edit that writes a line behind the last declaration of a map.
    fn declared_last(&self, map: &MapType, line: &str) -> Option<(Span, String)> {
        let last = self.arena.place(self.schema.item(*map.items.last()?).pos)?.key();
        self.in_file(last, |written| {
            let own = *written.around.last()?;
            let end = written.lines_of_all(&[own])?.end;
            let (column, is_open) = (written.column(own)?, !written.ends_line(end));
            let before = if is_open { "\n" } else { "" };
            Some((Span { start: end, end, ..last }, format!("{before}{}{line}\n", " ".repeat(column))))
        })
    }
}
