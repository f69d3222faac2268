//! Which scalars a type allows ([`Type::allows`]), and what is said of a value that does not fit, with both places.
//!
//! The reference prints a block for each violation; here `found` and `expected` are notes in its words, its hints are
//! helps, and the places are labels. Beyond it: the path, and hints by cause
//! (`docs/data-values.md#hints-and-warnings`).

use crate::diag::path::steps;
use crate::diag::suggest::{self, equally_similar, extended, nearest};
use crate::diag::{Advice, Code, DataValue, Diagnostic, Note, NoteKind, Step, StepKind};
use crate::nearest::only;
use crate::quoted;
use crate::source::{Origin, SourceMap, Span};
use crate::template::written::{self, GivenInCall};
use crate::validate::key_text;
use crate::yaml::words::{kind_name, place_text};
use crate::yaml::{Arena, Body, NodeId, PosId, Val};

use super::{MapType, Schema, Type, TypeKind, numbers};

/// Where a value comes from that is checked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Checked {
    /// Data values.
    Values,
    /// `@schema/default`, at this place.
    Default(PosId),
    /// `@schema/examples`, at this place: the example of that number.
    Example(PosId, usize),
}

impl Checked {
    /// The reference's words behind `found: string`.
    fn found(self, arena: &Arena, sources: &SourceMap, found: &str) -> String {
        match self {
            Checked::Values => found.to_owned(),
            Checked::Default(pos) => format!("{found} (at {})", place_text(arena, sources, pos)),
            Checked::Example(pos, _) => format!("{found} (by {})", place_text(arena, sources, pos)),
        }
    }

    fn annotation(self) -> Option<PosId> {
        match self {
            Checked::Values => None,
            Checked::Default(pos) | Checked::Example(pos, _) => Some(pos),
        }
    }

    /// Where the value is written in the annotation.
    pub(super) fn written(self, arena: &Arena, sources: &SourceMap) -> Option<Span> {
        let argument = |pos, number: usize| {
            let arguments = written::arguments(sources, arena.place(pos)?.value());
            arguments.get(number).map(|argument| argument.value)
        };
        match self {
            Checked::Values => None,
            Checked::Default(pos) => argument(pos, 0),
            Checked::Example(pos, number) => written::elements(sources, argument(pos, number)?).get(1).copied(),
        }
    }

    /// The summary of the reference's report, which stands in front.
    fn summary(self) -> &'static str {
        match self {
            Checked::Values => "One or more data values were invalid",
            Checked::Default(_) => "Invalid schema - @schema/default is wrong type",
            Checked::Example(..) => "Invalid schema - @schema/examples has wrong type",
        }
    }

    fn code(self, values: Code) -> Code {
        match self {
            Checked::Values => values,
            Checked::Default(_) => Code::SCHEMA_DEFAULT,
            Checked::Example(..) => Code::SCHEMA_EXAMPLES,
        }
    }
}

impl Type {
    /// What a type is called: `integer`, `map`, `any`.
    pub(crate) fn name(&self) -> &'static str {
        match self.kind {
            TypeKind::Str => "string",
            TypeKind::Int => "integer",
            TypeKind::Float => "float",
            TypeKind::Bool => "boolean",
            TypeKind::Map(_) => "map",
            TypeKind::Array(_) => "array",
            TypeKind::Any => "any",
            TypeKind::Nullable(_) => "null",
        }
    }

    /// May a scalar or null be a value of this type?
    pub(crate) fn allows(&self, schema: &Schema, value: Val) -> bool {
        match (&self.kind, value) {
            (TypeKind::Any, _) | (TypeKind::Nullable(_), Val::Null) => true,
            (TypeKind::Nullable(inner), _) => schema.ty(*inner).allows(schema, value),
            (TypeKind::Str, Val::Str { .. } | Val::Bytes(_)) => true,
            (TypeKind::Int | TypeKind::Float, Val::Int(_) | Val::UInt(_)) => true,
            (TypeKind::Float, Val::Float(_)) => true,
            (TypeKind::Bool, Val::Bool(_)) => true,
            _ => false,
        }
    }
}

/// What a violation needs to be told.
pub(super) struct Told<'a> {
    pub(super) arena: &'a Arena,
    pub(super) sources: &'a SourceMap,
    pub(super) schema: &'a Schema,
    pub(super) from: Checked,
    /// The values as a call gives them.
    pub(super) given: Option<&'a GivenInCall>,
    pub(super) path: &'a str,
    /// The nearest place above, where code computed what has no place of its own, and the steps from there.
    pub(super) near: (PosId, usize),
    /// Look for what was meant? That means to look at the whole schema.
    pub(super) hints: bool,
    /// Are the values merged as an overlay? Their keys must be there then, below a type that takes any, too.
    pub(super) merged: bool,
}

/// So many problems are told with hints: more than people read at once.
pub(crate) const HINTED: usize = 50;

impl Told<'_> {
    /// Adds to a problem the step that it belongs to, and its places.
    fn start(&self, told: Diagnostic, item: NodeId, key: bool, label: String) -> Diagnostic {
        let mut told = told.context(Step::new(StepKind::Summary, self.from.summary()));
        if let Some(place) = self.from.annotation().and_then(|pos| self.arena.place(pos)) {
            let entry = self.in_code().map(|entry| entry.key.filter(|_| key).unwrap_or(entry.value));
            let written = entry.or_else(|| self.from.written(self.arena, self.sources));
            told = told.label(written.unwrap_or(place.whole()), label.clone());
        }
        match self.arena.place_of(item) {
            // A default stands in its annotation, which was labelled; the declaration gets its label when it is told.
            Some(place) if !told.parts().labels.is_empty() && self.is_whole() => {
                told.label(place.declared(self.sources), "")
            }
            Some(place) if !told.parts().labels.is_empty() => {
                let text = if matches!(self.from, Checked::Example(..)) {
                    "the annotation gives an example for this"
                } else {
                    "the annotation gives the default of this"
                };
                told.label(if key { place.key() } else { place.value_or_key(self.sources) }, text)
            }
            Some(place) => told.label(if key { place.key() } else { place.value_or_key(self.sources) }, label),
            None => {
                let told = told.note(Note::new(NoteKind::Calculated, self.calculated(item)));
                if let Some(entry) = if key { self.made() } else { self.in_code() } {
                    return told.label(entry.key.filter(|_| key).unwrap_or(entry.value), label);
                }
                if let Some(given) = self.given {
                    return told.label(given.place(self.sources), "the values are given here");
                }
                // It may be what the schema declares, where code changed a value of it.
                let near = self.arena.place(self.near.0).filter(|place| place.code(self.sources).is_some());
                told.label_at(near.map(|place| place.value_or_key(self.sources)), "calculated here")
            }
        }
    }

    /// Where the value stands in the call or annotation that gave it.
    pub(super) fn in_code(&self) -> Option<written::Entry> {
        let steps = steps(self.path)?;
        match self.given {
            Some(given) => given.entry(self.sources, &steps),
            None => {
                let code = match self.from {
                    Checked::Values => self.arena.place(self.near.0)?.code(self.sources)?,
                    _ => self.from.written(self.arena, self.sources)?,
                };
                let inside = match self.from {
                    Checked::Values => steps.get(steps.len().checked_sub(self.near.1)?..)?,
                    _ => &steps,
                };
                written::within(self.sources, code, inside)
            }
        }
    }

    /// Where a key stands that code gave, also in a function that made the value.
    pub(super) fn made(&self) -> Option<written::Entry> {
        match self.given {
            Some(given) => given.made(self.sources, &steps(self.path)?),
            None => self.in_code(),
        }
    }

    /// Is the value that of the annotation itself, not a part of it?
    fn is_whole(&self) -> bool {
        self.path.is_empty() && !matches!(self.from, Checked::Values)
    }

    /// Key and value of an item without a place, as the reference writes them.
    fn calculated(&self, item: NodeId) -> String {
        let value = match self.arena.value(item) {
            text @ (Val::Str { .. } | Val::Bytes(_)) => quoted::go(key_text(self.arena, text).as_bytes()),
            Val::Node(_) | Val::Raw(_) => String::new(),
            scalar => key_text(self.arena, scalar),
        };
        let text = match self.arena.get(item).body {
            Body::MapItem(key, _) => format!("{}: {value}", key_text(self.arena, key)),
            Body::ArrayItem(_) => format!("- {value}"),
            _ => value,
        };
        text.trim_end().to_owned()
    }

    /// What is said at the place of a value: the words of a note, and which value it is.
    fn found_here(&self, found: &str, not_declared: bool) -> String {
        let found = Note::new(NoteKind::Found, self.from.found(self.arena, self.sources, found));
        match (self.path, not_declared) {
            ("", _) => found.text().to_owned(),
            (path, false) => format!("{}, for `{path}`", found.text()),
            (path, true) => format!("{}, but no `{path}` is declared", found.text()),
        }
    }

    /// The place of the label that says what was found, if there is a place for it.
    fn found_at(&self, told: &Diagnostic, item: NodeId, key: bool) -> Option<Span> {
        let is_written = self.from.annotation().is_some_and(|pos| self.arena.place(pos).is_some())
            || self.arena.place_of(item).is_some()
            || if key { self.made() } else { self.in_code() }.is_some();
        told.parts().labels.first().filter(|_| is_written).map(|label| label.span)
    }

    /// What was found and expected; of both the place of the label that says it, if one does.
    fn notes(&self, told: Diagnostic, found: (&str, Option<Span>), expected: (String, Option<Span>)) -> Diagnostic {
        let (found, found_at) = found;
        let told = told
            .note(Note::new(NoteKind::Found, self.from.found(self.arena, self.sources, found)).shown(found_at))
            .note(Note::new(NoteKind::Expected, expected.0).shown(expected.1));
        if self.path.is_empty() {
            return told;
        }
        let written = !told.parts().labels.is_empty();
        let value = DataValue { path: self.path.to_owned(), found: found.to_owned(), written, is_whole: false };
        told.note(Note::from(format!("path: {}", self.path)).shown(found_at)).about(value)
    }

    /// The value of `item` is of the wrong kind.
    pub(super) fn mismatch(&self, item: NodeId, value: Val, ty: &Type) -> Diagnostic {
        let ty = if let TypeKind::Nullable(inner) = ty.kind { self.schema.ty(inner) } else { ty };
        let (found, expected) = (kind_name(self.arena, value), ty.name());
        let problem = Diagnostic::mismatch(self.from.code(Code::SCHEMA_TYPE), expected, found);
        let found_here = self.found_here(found, false);
        let mut told = self.start(problem, item, false, found_here);
        let by = place_text(self.arena, self.sources, ty.pos);
        let expected_here = format!("{expected} (by {by})");
        let found_at = self.found_at(&told, item, false);
        let mut expected_at = None;
        if let Some(place) = self.arena.place(ty.pos) {
            let collection = matches!(ty.kind, TypeKind::Map(_) | TypeKind::Array(_));
            let span = self.readable(if collection { place.key() } else { place.declared(self.sources) });
            let text = Note::new(NoteKind::Expected, &expected_here).text().to_owned();
            expected_at = Some(span);
            match told.parts_mut().labels.iter_mut().find(|label| label.span == span && label.text.is_empty()) {
                Some(label) => label.text = text,
                None => told = told.label(span, text),
            }
        }
        let mut told = self.notes(told, (found, found_at), (expected_here, expected_at));
        if let (Some(about), Val::Float(number)) = (&mut told.parts_mut().value, value) {
            about.is_whole = number.fract() == 0.0;
        }
        match self.from {
            Checked::Values => match self.fits_first(&told, value, ty) {
                Some(told) => told,
                None => self.hint(told, item, value, ty),
            },
            _ => match self.in_code() {
                Some(entry) => self.as_declared(self.quotes(told, entry.value, value, ty, true), value, ty),
                None => told,
            },
        }
    }

    /// How to write a value with quotes, or without, if that makes it fit. In code the words for booleans are others.
    fn quotes(&self, told: Diagnostic, span: Span, value: Val, ty: &Type, is_code: bool) -> Diagnostic {
        let source = self.sources.get(span.source);
        let Some(written) = source.written(span) else { return told };
        let is_scalar = !matches!(value, Val::Node(_) | Val::Raw(_)) && !written.contains(['\n', '#']);
        // What code computes is no text that could be put into quotes.
        let is_number = written.starts_with(|first: char| first.is_ascii_digit())
            && written.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
        let is_literal = !is_code || is_number || matches!(written, "True" | "False");
        let is_flag = matches!(source.origin, Origin::Flag) && source.name.starts_with("(data-value-yaml arg");
        let pair = source.text.as_str().unwrap_or_default().trim_end();
        let is_whole = pair.split_once('=').is_some_and(|(_, value)| value == written);
        if matches!(ty.kind, TypeKind::Str) && is_scalar && is_flag && is_whole {
            // A shell would take the quotes away.
            return told.advise(Advice::GiveText(pair.to_owned()));
        }
        if matches!(ty.kind, TypeKind::Str) && is_scalar && is_literal && !written.is_empty() {
            let example = self.arena.str(ty.default).filter(|_| is_number);
            return numbers::quoted(told, (self.path, example), span, written);
        }
        let is_quoted = written.starts_with(['"', '\'']) && !(is_code && written.contains('#'));
        if let TypeKind::Array(item) = ty.kind
            && is_scalar
            && !written.is_empty()
            && (written.starts_with(['"', '\'']) || !written.contains([',', '[', ']', '{', '}', ':']))
            && self.schema.ty(self.schema.item(item).ty).allows(self.schema, value)
        {
            let text = "to give an array of this one item, put it into brackets";
            return told.help_edit(text, span, format!("[{written}]"));
        }
        let Some(text) = self.arena.str(value) else { return told };
        let is_literal = is_quoted || !is_code;
        let told = self.quantity(told, text, ty);
        if let Some((help, new)) = numbers::without_unit(text, (self.path, &ty.kind)).filter(|_| is_literal) {
            let told = told.edit_at(help, new.is_some().then_some(span), new.clone().unwrap_or_default());
            return if new.is_some() { told.guessing() } else { told };
        }
        if !is_quoted {
            return told;
        }
        let new = match (&ty.kind, text) {
            (TypeKind::Int, text) if text.parse::<i64>().is_ok() => text,
            (TypeKind::Float, text) if text.parse::<f64>().is_ok() => text,
            (TypeKind::Bool, "true" | "True") if is_code => "True",
            (TypeKind::Bool, "false" | "False") if is_code => "False",
            (TypeKind::Bool, "true" | "false") => text,
            _ => return told,
        };
        told.help_edit("remove the quotes", span, new.to_owned())
    }

    /// How to write what was probably meant.
    fn hint(&self, told: Diagnostic, item: NodeId, value: Val, ty: &Type) -> Diagnostic {
        let place = self.arena.place_of(item).copied();
        if value == Val::Null {
            return self.null(told, item, ty);
        }
        if let TypeKind::Map(map) = &ty.kind
            && !map.items.is_empty()
        {
            let keys: Vec<String> =
                map.items.iter().take(9).map(|id| key_text(self.arena, self.schema.item(*id).key)).collect();
            let more = if map.items.len() > keys.len() { ", …" } else { "" };
            let keys = match keys.as_slice() {
                [key] => format!("the declared key is {key}"),
                keys => format!("the declared keys are {}{more}", keys.join(", ")),
            };
            let told = self
                .in_halves(&told, item, value, map)
                .or_else(|| self.as_member(&told, item, value, map))
                .unwrap_or(told);
            let told = self.listed(told, item, map);
            return told.help(format!("give a map: {keys}"));
        }
        if let Some(told) = self.with_commas(&told, item, (value, ty)) {
            return told;
        }
        if let (TypeKind::Array(_), Some(told)) = (&ty.kind, self.in_braces(&told, item, value)) {
            return told;
        }
        if let (TypeKind::Str, Some(told)) = (&ty.kind, self.in_quotes(&told, item, value)) {
            return told;
        }
        let Some(place) = place else {
            return match self.in_code() {
                Some(entry) => self.quotes(told, entry.value, value, ty, true),
                None => told,
            };
        };
        match (place.value_or_key(self.sources), place.code(self.sources)) {
            (_, Some(code)) => self.quotes(told, code, value, ty, true),
            (span, None) if span != place.key() => {
                let told = self.quotes(told, span, value, ty, false);
                if matches!(ty.kind, TypeKind::Int) { self.fraction(told, span, value, ty) } else { told }
            }
            _ => told,
        }
    }

    /// `item` of the map `container` has a key that its type does not declare; `declared` is the place of the map.
    pub(super) fn undeclared(&self, container: NodeId, item: NodeId, map: &MapType, declared: PosId) -> Diagnostic {
        let told = self.not_declared(container, item, map, declared);
        match (self.hints, self.from) {
            (true, Checked::Values) => self.as_code_has_it(told, &key_text(self.arena, self.arena.key(item)), map),
            _ => told,
        }
    }

    fn not_declared(&self, container: NodeId, item: NodeId, map: &MapType, declared: PosId) -> Diagnostic {
        let key = key_text(self.arena, self.arena.key(item));
        let place = place_text(self.arena, self.sources, declared);
        let few = map.items.len() <= 9;
        let mut keys = Vec::new();
        if few || self.hints {
            keys.extend(map.items.iter().map(|id| key_text(self.arena, self.schema.item(*id).key)));
            keys.sort();
        }
        let expected = match &keys[..] {
            [only] => format!("a map item with the key named \"{only}\" (from {place})"),
            few @ [_, ..] if few.len() <= 9 => format!("one of {{ {} }} (from {place})", few.join(", ")),
            _ => format!("a key declared in map (from {place})"),
        };
        let message = "Given data value is not declared in schema";
        let problem = Diagnostic::error(self.from.code(Code::SCHEMA_UNDECLARED), message);
        let found_here = self.found_here(&key, true);
        let mut told = self.start(problem, item, true, found_here);
        let found_at = self.found_at(&told, item, true);
        let expected_at = self.arena.place(declared).map(|place| self.readable(place.key()));
        if let Some(place) = expected_at {
            told = told.label(place, Note::new(NoteKind::Expected, &expected).text());
        }
        let told = self.notes(told, (&key, found_at), (expected, expected_at));
        if !self.hints {
            return told;
        }
        let like_it = self.like_it((container, item), map, &key);
        let (renamed, are_several) = (only(like_it.iter()), like_it.len() > 1);
        let is_renamed = renamed.is_some() || self.of_same_shape(container, item, map).is_some();
        if let Some(told) = self.whole_given(&told, container, map).filter(|_| !is_renamed) {
            return told;
        }
        if let Some((span, written)) = self.key_as_written(item, map) {
            let text = format!("YAML 1.1 reads the key `{written}` as `{key}`: quote it");
            return told.help_edit(text, span, format!("\"{written}\""));
        }
        if let Some(span) = self.key_that_schema_wrote(item, map) {
            let text = format!("YAML 1.1 reads the key `{key}` of the schema as no string: quote it");
            return told.help_edit(text, span, format!("\"{key}\""));
        }
        if let Some(told) = self.any_one_key_too_low(&told, map, expected_at) {
            return told;
        }
        if let Some(told) = self.across(&told, item, map) {
            return told;
        }
        if let Some(told) = self.with_index(&told, item, map) {
            return told;
        }
        if matches!(self.from, Checked::Values)
            && let Some(told) = self.without_header(&told, item, declared)
        {
            return told;
        }
        let alike = equally_similar(&key, keys.iter().map(String::as_str));
        let proposed = nearest(&key, keys.iter().map(String::as_str));
        if let Some(told) = self.without_edit(&told, (container, item, map), &alike, proposed) {
            return told;
        }
        let elsewhere = self.schema.declared_elsewhere(self.arena, self.arena.key(item));
        // Where the same key is declared elsewhere, one that is only alike, and takes another type, is hardly meant.
        if let Some(near) = proposed.filter(|near| !elsewhere.is_empty() && !self.takes(map, near, item)) {
            let told = self.regrouped(told, item, map, &elsewhere);
            return told.help(format!("did you mean `{near}`?")).proposing(near);
        }
        if let Some(near) = proposed {
            let told = self.meant(told, (item, map), &key, near, format!("did you mean `{near}`?")).proposing(near);
            return if near == key { self.same_text(told, item, map, near) } else { told };
        }
        if let Some(told) = self.renamed_in_default(&told, (container, item), map) {
            return told;
        }
        if let Some(told) = self.unwrapped(&told, item, map) {
            return told;
        }
        if let Some(near) = self.key_of_parts(&key, item, &keys) {
            if let Some(told) = self.dotted_key(&told, item, map, &near) {
                return told;
            }
            return told.help(format!("did you mean `{near}`? A dot, or a map, leads to a key inside of `{key}`"));
        }
        if !elsewhere.is_empty() {
            return self.regrouped(told, item, map, &elsewhere);
        }
        // In other quotes than the hint that programs see, which the reference gives only for names nearer than this.
        let near = alike.first();
        let longer = extended(&key, keys.iter().map(String::as_str)).filter(|_| near.is_none());
        // Of several that go on, one that adds a unit says the same.
        let longer =
            longer.filter(|(name, is_unit)| *is_unit || renamed.is_none_or(|like| like == name) && !are_several);
        let told = match (near, longer) {
            (Some(near), _) => self.meant(told, (item, map), &key, near, format!("did you mean `{near}`?")),
            (None, Some((near, is_unit))) if !self.is_set(container, map, near) => {
                let told = self.meant(told, (item, map), &key, near, format!("did you mean `{near}`?"));
                if is_unit { told } else { told.guessing() }
            }
            _ => told,
        };
        let told = match near.is_none() && longer.is_none() {
            true => self.let_be_missing(&told, item, &key, map).unwrap_or(told),
            false => told,
        };
        if let (true, Checked::Values, Some(place)) = (map.items.is_empty(), &self.from, expected_at) {
            let group = self.given_at(item).and_then(|at| self.sources.get(at.source).parent_key(at));
            let told = told.label_at(group, "keys are given to it here");
            return self.any_map(self.any_one_key_off(&told, item, place).unwrap_or(told), declared, place);
        }
        if keys.is_empty() || keys.len() > 9 || matches!(self.from, Checked::Default(_) | Checked::Example(..)) {
            return told;
        }
        let begins = suggest::begins(&key, keys.iter().map(String::as_str));
        let begins = begins.or_else(|| suggest::worded(&key, keys.iter().map(String::as_str)));
        let begins = begins.filter(|name| renamed.is_none_or(|like| like == name) && !are_several);
        if let (None, None, None) = (near, longer, begins)
            && let Some(told) = self.in_short_group(&told, item, map).or_else(|| self.by_last_words(&told, item, map))
        {
            return told;
        }
        if let Some((near, place)) =
            self.of_same_shape(container, item, map).filter(|_| begins.is_none() && near.is_none())
        {
            let told = told.label(place, format!("`{near}` has the same keys as `{key}`, and is not given"));
            return self.meant(told, (item, map), &key, &near, format!("did you mean `{near}`?")).guessing();
        }
        if let Some(near) = begins.filter(|near| longer.is_none() && !self.is_set(container, map, near)) {
            let text = format!("is `{near}` meant? The declared keys of this map: {}", keys.join(", "));
            return self.meant(told, (item, map), &key, near, text).guessing();
        }
        if let Some(near) = renamed.filter(|_| begins.is_none() && near.is_none() && longer.is_none()) {
            let text = format!("is `{near}` meant? The declared keys of this map: {}", keys.join(", "));
            return self.meant(told, (item, map), &key, near, text).guessing();
        }
        if are_several && near.is_none() && longer.is_none() {
            let names: Vec<&str> = like_it.iter().map(String::as_str).collect();
            let text =
                format!("is {} meant? The declared keys of this map: {}", suggest::either(&names), keys.join(", "));
            return self.among_declared(told, item, &key, map).help(text);
        }
        let told = match self.only_key_left(container, map).filter(|_| near.is_none() && longer.is_none()) {
            Some(left) => {
                let text = format!("of the declared keys only `{left}` is not set here: is it meant?");
                self.meant(told, (item, map), &key, &left, text).guessing()
            }
            None => told,
        };
        let told = match told.parts().helps.is_empty() {
            true => self.among_declared(self.not_set(told, container, map), item, &key, map),
            false => told,
        };
        told.help(format!("declared keys of this map: {}", keys.join(", ")))
    }

    /// Shows the declared keys that are not set, if they are few: one of them may be meant.
    fn not_set(&self, told: Diagnostic, container: NodeId, map: &MapType) -> Diagnostic {
        const MOST: usize = 4;
        let declared = map.items.iter().filter_map(|id| {
            let item = self.schema.item(*id);
            let key = key_text(self.arena, item.key);
            let place = self.arena.place(item.pos)?.key();
            (!self.is_set(container, map, &key)).then_some((place, key))
        });
        let left: Vec<(Span, String)> = declared.take(MOST.saturating_add(1)).collect();
        if left.len() > MOST {
            return told;
        }
        left.into_iter().fold(told, |told, (place, key)| told.label(place, format!("`{key}` is not set")))
    }

    /// A place to mark: the first line of a list item, of which `-` alone is easily taken for a part of the drawing.
    pub(super) fn readable(&self, place: Span) -> Span {
        let source = self.sources.get(place.source);
        match source.written(place) {
            Some("-") => Span { end: source.line_range(source.line(place.start)).end, ..place },
            _ => place,
        }
    }

    /// A key that differs from the declared one in its kind only.
    fn same_text(&self, told: Diagnostic, item: NodeId, map: &MapType, text: &str) -> Diagnostic {
        let found = kind_name(self.arena, self.arena.key(item));
        let mut keys = map.items.iter().map(|id| self.schema.item(*id).key);
        match keys.find(|key| key_text(self.arena, *key) == text) {
            Some(key) => told.note(format!("the declared key is of kind {}, not {found}", kind_name(self.arena, key))),
            None => told,
        }
    }

    /// The text of a key that is no string, if the map declares a string of that text.
    fn key_as_written(&self, item: NodeId, map: &MapType) -> Option<(Span, String)> {
        if matches!(self.arena.key(item), Val::Str { .. } | Val::Bytes(_)) {
            return None;
        }
        let span = self.arena.span_of(item)?;
        let source = self.sources.get(span.source);
        let written = source.written(span)?;
        let mut keys = map.items.iter().map(|id| self.schema.item(*id).key);
        keys.any(|key| self.arena.str(key) == Some(written)).then(|| (span, written.to_owned()))
    }

    /// A key of the schema that is written as this string, but was read as something else: `n` is `false`.
    fn key_that_schema_wrote(&self, item: NodeId, map: &MapType) -> Option<Span> {
        let wanted = self.arena.str(self.arena.key(item))?;
        // What is shown as it is written is told in another way: the string "1" for the integer 1.
        let other = |key: Val| self.arena.str(key).is_none() && key_text(self.arena, key) != wanted;
        let declared = map.items.iter().map(|id| self.schema.item(*id)).filter(|item| other(item.key));
        let spans = declared.filter_map(|item| Some(self.arena.place(item.pos)?.key()));
        spans.into_iter().find(|span| self.sources.get(span.source).written(*span) == Some(wanted))
    }
}
