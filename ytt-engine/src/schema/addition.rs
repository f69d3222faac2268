//! A key that is new: how to declare it. The annotation that lets overlays add keys does not do that.

use super::MapType;
use super::misfit::Told;
use crate::diag::Diagnostic;
use crate::files::is_in_library;
use crate::source::{Span, to_u32};
use crate::template::written;
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::words::{example_like, key_text};
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
        let Some(example) = example_like(self.arena.value(item)) else {
            return Some(told.help(format!("declare `{key}` in the schema")));
        };
        let text = format!("declare it in the schema: `{key}: {example}`");
        Some(match self.declared_last(map, &[&format!("{key}: {example}")]).filter(|_| needs_no_quotes(key)) {
            Some((span, new)) => told.help_edit(text, span, new).guessing(),
            None => told.help(text),
        })
    }

    /// Where nothing is like the key: how to declare it, too.
    pub(super) fn among_declared(&self, told: Diagnostic, item: NodeId, key: &str, map: &MapType) -> Diagnostic {
        let first = map.items.first().and_then(|id| self.arena.place(self.schema.item(*id).pos));
        let Some(schema) = first.map(|place| place.key()) else { return told };
        // What a library takes is not for those who call it to say.
        let is_own = !is_in_library(&self.sources.get(schema.source).name);
        let (text, lines) = (format!("if `{key}` is a new data value, declare it, too"), self.example(item, key));
        let edit = lines.filter(|_| is_own && needs_no_quotes(key)).and_then(|lines| {
            let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
            self.declared_last(map, &lines)
        });
        match edit {
            Some((span, new)) => told.help_edit(text, span, new).guessing(),
            None => told,
        }
    }

    /// The lines that declare a value like this one.
    fn example(&self, item: NodeId, key: &str) -> Option<Vec<String>> {
        let value = self.arena.value(item);
        if let Some(scalar) = example_like(value) {
            return Some(vec![format!("{key}: {scalar}")]);
        }
        if self.arena.map_of(value).is_some() {
            return Some(vec!["#@schema/type any=True".to_owned(), format!("{key}: {{}}")]);
        }
        let Val::Node(list) = value else { return None };
        let first = example_like(self.arena.value(*self.arena.items(list).first()?))?;
        Some(vec![format!("{key}:"), format!("- {first}")])
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

    /// The edit that writes lines behind the last declaration of a map.
    fn declared_last(&self, map: &MapType, lines: &[&str]) -> Option<(Span, String)> {
        let item = self.schema.item(*map.items.last()?);
        let last = self.arena.place(item.pos)?.key();
        self.in_file(last, |written| {
            let own = *written.around.last()?;
            // What code declares has the place of a key around it.
            let is_it = key_text(written.arena, written.arena.key(own)) == key_text(self.arena, item.key);
            is_it.then_some(())?;
            let end = written.lines_of_all(&[own])?.end;
            let (column, is_open) = (written.column(own)?, !written.ends_line(end));
            let before = if is_open { "\n" } else { "" };
            let lines: String = lines.iter().map(|line| format!("{}{line}\n", " ".repeat(column))).collect();
            Some((Span { start: end, end, ..last }, format!("{before}{lines}")))
        })
    }
}
