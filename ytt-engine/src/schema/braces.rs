//! What YAML reads as something else than was meant: a list in braces, as other tools have it, with commas alone, or one
//! item of it by a flag, and a text with a colon in it.

use super::misfit::{Checked, Told};
use super::{MapType, Type, TypeKind};
use crate::diag::{Advice, Diagnostic};
use crate::quoted;
use crate::source::{Origin, Span, to_u32};
use crate::validate::key_text;
use crate::yaml::resolve::{Resolved, needs_no_quotes, resolve};
use crate::yaml::{Body, NodeId, Val};

impl Told<'_> {
    /// A text with commas where an array of texts is declared: the same as a list.
    pub(super) fn with_commas(&self, told: &Diagnostic, item: NodeId, (value, ty): (Val, &Type)) -> Option<Diagnostic> {
        let TypeKind::Array(element) = ty.kind else { return None };
        let takes_texts = matches!(self.schema.inner(self.schema.item(element).ty).kind, TypeKind::Str | TypeKind::Any);
        let text = self.arena.str(value).filter(|_| takes_texts && matches!(self.from, Checked::Values))?;
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let is_plain = |part: &&str| {
            let is_text = matches!(resolve(part), Resolved::Str);
            let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"._/@+-".contains(&byte);
            is_text && !part.starts_with(['-', '@']) && !part.is_empty() && part.bytes().all(is_word)
        };
        if parts.len() < 2 || !parts.iter().all(is_plain) {
            return None;
        }
        let span = self.arena.place_of(item)?.value();
        let source = self.sources.get(span.source);
        let new = format!("[{}]", parts.join(", "));
        if source.origin == Origin::Flag {
            let name = source.text.as_str()?.split_once('=')?.0;
            let why = "a text with commas is no list: write".to_owned();
            return Some(
                told.clone().advise(Advice::GiveYaml { why, pair: format!("{name}={}", new.replace(' ', "")) }),
            );
        }
        let is_written = source.written(span).is_some_and(|written| written.trim_matches(['"', '\'']) == text);
        is_written.then(|| told.clone().help_edit("if these are several, write them as a list", span, new).guessing())
    }

    /// An item of a list that a flag is to set alone.
    pub(super) fn with_index(&self, told: &Diagnostic, item: NodeId, map: &MapType) -> Option<Diagnostic> {
        let source = self.sources.get(self.arena.span_of(item)?.source);
        (source.origin == Origin::Flag).then_some(())?;
        let key = key_text(self.arena, self.arena.key(item));
        let (name, index) = key.split_once('[').filter(|(_, index)| index.ends_with(']'))?;
        let declared = self.schema.item(self.declared(map, name)?);
        let TypeKind::Array(element) = self.schema.inner(declared.ty).kind else { return None };
        index.trim_end_matches(']').parse::<u32>().ok()?;
        let (path, value) = source.text.as_str()?.trim_end().split_once('=')?;
        let path = path.split_once('[').map_or(path, |(path, _)| path);
        let why = format!("no flag sets one item of a list: give all of `{name}`, as in");
        // A flag for YAML reads `1` as a number.
        let is_text = matches!(self.schema.inner(self.schema.item(element).ty).kind, TypeKind::Str);
        let value = match is_text && !needs_no_quotes(value) {
            true => quoted::go(value.trim_matches('"').as_bytes()),
            false => value.to_owned(),
        };
        Some(told.clone().advise(Advice::GiveYaml { why, pair: format!("{path}=[{value}]") }))
    }

    /// A map of keys without values where a list is declared: the list.
    pub(super) fn in_braces(&self, told: &Diagnostic, item: NodeId, value: Val) -> Option<Diagnostic> {
        let items = self.arena.items(self.arena.map_of(value)?);
        let has_no_values = items.iter().all(|item| self.arena.value(*item) == Val::Null);
        let place = self.arena.place_of(item).filter(|_| matches!(self.from, Checked::Values) && has_no_values)?;
        let span = place.value();
        let source = self.sources.get(span.source);
        let inside = source.written(span)?.strip_prefix('{')?.strip_suffix('}')?;
        let is_plain = !inside.trim().is_empty() && !inside.contains([':', '{', '[', '#']);
        let text = "braces make a map, here of keys without values: a list has brackets";
        is_plain.then(|| told.clone().help_edit(text, span, format!("[{inside}]")))
    }

    /// A list item on one line where a string is declared: the blank behind its colon makes it a map.
    pub(super) fn in_quotes(&self, told: &Diagnostic, item: NodeId, value: Val) -> Option<Diagnostic> {
        let [only] = self.arena.items(self.arena.map_of(value)?) else { return None };
        let is_item = matches!(self.arena.get(item).body, Body::ArrayItem(_));
        let place = self.arena.place_of(item).filter(|_| matches!(self.from, Checked::Values) && is_item)?;
        let source = self.sources.get(place.key().source);
        let written = source.written(place.value())?.trim_end();
        let is_plain = !written.contains(['\n', '"', '\\', '#']) && !written.starts_with(['{', '\'', '&', '!', '*']);
        let is_scalar = !matches!(self.arena.value(*only), Val::Node(_) | Val::Null);
        let span = Span { end: place.value().start.saturating_add(to_u32(written.len())), ..place.value() };
        let text = "a colon with a blank behind it makes a map: put the text into quotes";
        (is_plain && is_scalar).then(|| told.clone().help_edit(text, span, format!("\"{written}\"")).guessing())
    }
}
