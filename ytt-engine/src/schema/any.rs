//! Maps that were meant to take any keys: `any=True` is missing, or stands above another key, one line too low or too high.

use super::misfit::{Checked, Told};
use super::{ItemId, MapType, TypeKind};
use crate::diag::{Diagnostic, Label};
use crate::nearest::only;
use crate::source::{Source, Span, to_u32};
use crate::template::handled::names_version;
use crate::yaml::words::key_text;
use crate::yaml::{NodeId, PosId, Val};

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

    /// The problem of a key that such a map does not declare, where the annotation that lets it stands above a scalar right in
    /// front of the map, or right behind it: with the edit that moves it. A switch or a version may be anything on purpose.
    pub(super) fn any_one_key_off(&self, told: &Diagnostic, item: NodeId, key: Span) -> Option<Diagnostic> {
        let source = self.sources.get(key.source);
        let (_, indent) = source.above(key).filter(|_| !self.merged)?;
        let (beside, text) =
            only(self.neighbours(key).into_iter().flatten().filter_map(|item| self.loose_scalar(item)))?;
        let (name, other) = (source.written(key)?.to_owned(), source.written(beside)?.to_owned());
        (!names_version(&other) && !self.is_given_otherwise(item, &other)).then_some(())?;
        let above = annotations_above(&source, beside)?;
        let annotation = above.iter().copied().find(|span| source.written(*span) == Some(ANY))?;
        let words: Vec<&str> =
            above.iter().filter(|span| **span != annotation).filter_map(|span| source.written(*span)).collect();
        let is_told = |key: &str| words.iter().any(|text| names(text, key));
        let is_of_it = is_told(&name);
        // A description of both is of either.
        (!is_of_it || !is_told(&other)).then_some(())?;
        let are_maps = self.neighbours(beside).into_iter().flatten().filter(|item| self.is_empty_map(*item)).count();
        (is_of_it || are_maps < 2).then_some(())?;
        // What a number is for is often open: a port has a name, too.
        let is_clear = is_of_it || text && !is_told(&other);
        let is_plain = is_of_it || words.is_empty() || annotations_above(&source, key).is_none_or(|own| own.is_empty());
        (is_clear && is_plain).then_some(())?;
        let (first, last) = (*above.first()?, *above.last()?);
        let lines = source.whole_lines(Span { end: last.end, ..first })?;
        let texts: Vec<&str> = above.iter().filter_map(|span| source.written(*span)).collect();
        let new: String = texts.iter().map(|text| format!("{indent}{text}\n")).collect();
        let (span, new) = source.moved(lines, [source.line_range(source.line(key.start)).start], &new)?;
        let label = Label { span: annotation, text: format!("this is for `{other}`, not for `{name}`") };
        let what = if above.len() > 1 { "these annotations" } else { "this annotation" };
        // Values that the scalar could not have otherwise say that the annotation is where it belongs.
        let help = format!("to let `{name}` take any key, write {what} above it");
        let told = told.clone().help_edit(help, span, new).if_it_mends().beside_help([label]);
        Some(if is_of_it { told } else { told.guessing() })
    }

    /// The declarations right in front of one and right behind it, in its map.
    fn neighbours(&self, key: Span) -> [Option<ItemId>; 2] {
        let place = |id: &ItemId| self.arena.place(self.schema.item(*id).pos).map(|place| place.key());
        let found = self.schema.types.iter().find_map(|ty| match &ty.kind {
            TypeKind::Map(map) => Some((map, map.items.iter().position(|id| place(id) == Some(key))?)),
            _ => None,
        });
        let Some((map, at)) = found else { return [None; 2] };
        let beside = |at: Option<usize>| at.and_then(|at| map.items.get(at)).copied();
        [beside(at.checked_sub(1)), beside(at.checked_add(1))]
    }

    /// The key of a declaration of any value whose default is a scalar in a line, and whether that is no number.
    fn loose_scalar(&self, item: ItemId) -> Option<(Span, bool)> {
        let item = self.schema.item(item);
        let ty = self.schema.ty(item.ty);
        let is_text = match ty.default {
            Val::Str { .. } => true,
            Val::Int(_) | Val::UInt(_) | Val::Float(_) => false,
            _ => return None,
        };
        matches!(ty.kind, TypeKind::Any).then_some(())?;
        Some((self.arena.place(item.pos)?.key(), is_text))
    }

    /// Whether the file that gives a key in a map gives what is beside that map, and no text.
    fn is_given_otherwise(&self, item: NodeId, beside: &str) -> bool {
        let given = self.given_at(item).and_then(|own| {
            self.in_file(own, |written| {
                let around = written.around.iter().rev().nth(2)?;
                let map = written.arena.map_of(written.arena.value(*around))?;
                let value = written.arena.value(written.arena.find_str(map, beside)?);
                written.arena.str(value).is_none().then_some(())
            })
        });
        given.is_some()
    }

    fn is_empty_map(&self, item: ItemId) -> bool {
        matches!(&self.schema.ty(self.schema.item(item).ty).kind, TypeKind::Map(map) if map.items.is_empty())
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

/// The annotation that lets a value be anything.
const ANY: &str = "#@schema/type any=True";

/// The annotations directly above a key that say of which type it is and what it is for; `None` if other comments are there.
fn annotations_above(source: &Source, key: Span) -> Option<Vec<Span>> {
    const KINDS: [&str; 2] = ["#@schema/desc ", "#@schema/title "];
    let mut found = Vec::new();
    for number in (1..source.line(key.start)).rev() {
        let line = source.line_text(number);
        let code = line.trim();
        if !code.starts_with('#') {
            break;
        }
        (code == ANY || KINDS.iter().any(|kind| code.starts_with(kind))).then_some(())?;
        let indent = to_u32(line.len().checked_sub(line.trim_start().len())?);
        let start = source.line_range(number).start.checked_add(indent)?;
        found.push(Span { start, end: start.checked_add(to_u32(code.len()))?, ..key });
    }
    found.reverse();
    Some(found)
}

/// Whether a text has the name of a key as a word, in any case, or as one of several.
fn names(text: &str, key: &str) -> bool {
    let small = |word: &str| word.to_lowercase().trim_end_matches('s').to_owned();
    let key = small(key);
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| small(word) == key)
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
        if code == ANY {
            let range = source.line_range(number);
            let indent = line.len().checked_sub(line.trim_start().len())?;
            let start = range.start.checked_add(to_u32(indent))?;
            let end = start.checked_add(to_u32(code.len()))?;
            return Some(Span { start, end, ..key });
        }
    }
}
