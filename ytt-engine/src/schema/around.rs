//! Values with a level too many or too few around them: `values:` above what is declared, a scalar where a map of one is
//! declared, members of one group given as the whole.

use super::misfit::{Checked, Told};
use super::regroup::Declared;
use super::{ItemId, MapType, Type, TypeKind};
use crate::diag::Diagnostic;
use crate::nearest::only;
use crate::source::{Span, indented};
use crate::template::written;
use crate::validate::key_text;
use crate::yaml::resolve::{Resolved, needs_no_quotes, resolve};
use crate::yaml::{Body, NodeId, Val};

/// Levels that may be too many.
const DEPTH: usize = 3;

impl Told<'_> {
    /// A key around nothing but declared ones: `values:`, or `data:` around that.
    pub(super) fn unwrapped(&self, told: &Diagnostic, item: NodeId, map: &MapType) -> Option<Diagnostic> {
        let (mut at, mut names) = (item, Vec::new());
        loop {
            names.push(key_text(self.arena, self.arena.key(at)));
            let inside = self.arena.items(self.arena.map_of(self.arena.value(at))?);
            let is_declared =
                |item: &NodeId| self.schema.declared_item(map, self.arena, self.arena.key(*item)).is_some();
            if !inside.is_empty() && inside.iter().all(is_declared) {
                break;
            }
            let [only] = inside else { return None };
            if names.len() >= DEPTH {
                return None;
            }
            at = *only;
        }
        let name = names.join(".");
        let text = match &*name {
            "data.values" | "values" => format!("leave `{name}` out: code reads by that name what is in it"),
            _ => format!("leave `{name}` out: what is in it is declared here"),
        };
        let edit = self.given_at(item).and_then(|place| {
            self.in_file(place, |written| {
                let own = *written.around.last()?;
                let mut at = own;
                for _ in 1..names.len() {
                    at = written.arena.item_at(written.arena.map_of(written.arena.value(at))?, 0)?;
                }
                let inside = written.arena.items(written.arena.map_of(written.arena.value(at))?);
                let lines = written.source.written(written.lines_of_all(inside)?)?;
                let new = indented(lines, written.column(*inside.first()?)?, written.column(own)?)?;
                Some((written.lines_of_all(&[own])?, new))
            })
        });
        Some(match edit {
            Some((span, new)) => {
                let told = told.clone().help_edit(text, span, new);
                // Another name may be that of a group which is not declared.
                if matches!(&*name, "data.values" | "values") { told } else { told.guessing() }
            }
            None => told.clone().help(text),
        })
    }

    /// A scalar where a map is declared that has one key for such a value.
    pub(super) fn as_member(&self, told: &Diagnostic, item: NodeId, value: Val, map: &MapType) -> Option<Diagnostic> {
        if let Some(told) = self.as_name(told, item, value, map) {
            return Some(told);
        }
        let only = self.only_member(item, value, map)?;
        let key = key_text(self.arena, self.schema.item(only).key);
        if let Some((span, path)) = self.in_flag(item, self.path) {
            return Some(self.given_there(
                told.clone(),
                item,
                self.schema.item(only).ty,
                (span, format!("{path}.{key}")),
            ));
        }
        let text = format!("did you mean `{key}` of `{}`?", self.path);
        let source = self.sources.get(self.arena.place_of(item)?.source);
        let name = source.written(self.arena.span_of(item)?)?;
        let (span, new) = self.member_edit(item, name, &key)?;
        Some(told.clone().help_edit(text, span, new).guessing())
    }

    /// A text that is an item of a list of maps: most often what names the map.
    fn as_name(&self, told: &Diagnostic, item: NodeId, value: Val, map: &MapType) -> Option<Diagnostic> {
        const NAMES: [&str; 3] = ["name", "id", "key"];
        const VALUE: &str = "value";
        let is_item = matches!(self.arena.get(item).body, Body::ArrayItem(_));
        self.arena.str(value).filter(|_| is_item && matches!(self.from, Checked::Values))?;
        let takes = |id: &ItemId| self.schema.inner(self.schema.item(*id).ty).allows(self.schema, value);
        let key = NAMES.into_iter().find(|name| self.declared(map, name).is_some_and(|id| takes(&id)))?;
        let place = self.arena.place_of(item)?.value();
        let written = self.sources.get(place.source).written(place)?.to_owned();
        let is_plain = !written.is_empty() && !written.contains(['\n', '#']);
        // `NAME=value`, as shells write variables, is a name with its value.
        if written.contains('=') {
            let (name, rest) = written.split_once('=').filter(|_| is_plain)?;
            let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
            let is_text =
                matches!(resolve(rest), Resolved::Str) && !rest.contains([' ', '"', '\\', '{', '[', '&', '*']);
            self.declared(map, VALUE).filter(|id| is_name && is_text && takes(id))?;
            let source = self.sources.get(place.source);
            let line = source.line_range(source.line(place.start));
            let indent = " ".repeat(place.start.saturating_sub(line.start) as usize);
            let text =
                format!("to give a name and its value, write both: `{key}: {name}`, and `{VALUE}: {rest}` below");
            let new = format!("{key}: {name}\n{indent}{VALUE}: {rest}");
            return Some(told.clone().help_edit(text, place, new).guessing());
        }
        let text = format!("if it is the `{key}` of a map, write `{key}: {written}`");
        is_plain.then(|| told.clone().help_edit(text, place, format!("{key}: {written}")).guessing())
    }

    /// The only key of a map that takes a scalar.
    pub(super) fn only_member(&self, item: NodeId, value: Val, map: &MapType) -> Option<ItemId> {
        let is_flag = self.in_flag(item, self.path).is_some();
        // A flag gives a text, whatever is meant.
        let fits = |ty: &Type| match (self.arena.str(value).filter(|_| is_flag).map(resolve), &ty.kind) {
            (Some(Resolved::Bool(_)), kind) => matches!(kind, TypeKind::Bool),
            (Some(Resolved::Str) | None, _) => ty.allows(self.schema, value),
            (Some(_), kind) => matches!(kind, TypeKind::Int | TypeKind::Float),
        };
        let fitting = map.items.iter().filter(|id| fits(self.schema.inner(self.schema.item(**id).ty)));
        only(fitting).copied()
    }

    /// The edit that writes the scalar of an item one level deeper, at a key of a map with this name.
    pub(super) fn member_edit(&self, item: NodeId, name: &str, key: &str) -> Option<(Span, String)> {
        let place = *self.arena.place_of(item).filter(|_| matches!(self.from, Checked::Values))?;
        let source = self.sources.get(place.source);
        let (_, indent) = source.above(place.key())?;
        let between = source.written(Span { start: place.key_end, end: place.value, ..place.key() })?;
        let value = source.written(place.value()).filter(|value| !value.is_empty() && !value.contains('\n'))?;
        let is_plain = between.trim() == ":" && !between.contains('\n') && needs_no_quotes(key);
        let whole = Span { end: place.end, ..place.key() };
        is_plain.then(|| (whole, format!("{name}:\n{indent}  {key}: {value}")))
    }

    /// A dict of code whose keys all belong into one group: the group around it.
    pub(super) fn as_group(&self, told: &Diagnostic, map: &MapType, elsewhere: &Declared) -> Option<Diagnostic> {
        let given = self.given.filter(|_| !self.path.contains(['.', '[']))?.place(self.sources);
        let keys = written::choices(self.sources, given).filter(|keys| !keys.is_empty())?;
        let [group, _] = elsewhere.way.as_ref()?[..] else { return None };
        let TypeKind::Map(inside) = &self.schema.inner(self.schema.item(group).ty).kind else { return None };
        let belongs = |key: &String| self.declared(inside, key).is_some() && self.declared(map, key).is_none();
        let code = self.sources.get(given.source).written(given).filter(|code| code.starts_with('{'))?.to_owned();
        let name = key_text(self.arena, self.schema.item(group).key);
        keys.iter().all(belongs).then(|| {
            let text = format!("give {} in `{name}`", if keys.len() > 1 { "them" } else { "it" });
            told.clone().help_edit(text, given, format!("{{\"{name}\": {code}}}"))
        })
    }
}
