//! A key that joins the declared keys of several levels: `pool_size` where `size` is declared in `pool`.

use super::misfit::{Checked, Told};
use super::{MapType, Schema, TypeId, TypeKind};
use crate::diag::{Advice, Diagnostic};
use crate::source::Origin;
use crate::validate::key_text;
use crate::yaml::resolve::needs_no_quotes;
use crate::yaml::{Arena, NodeId, Val};

impl Told<'_> {
    /// A key that joins those of several levels: `pool_size` for `size` in `pool`.
    pub(super) fn across(
        &self,
        told: &Diagnostic,
        container: NodeId,
        item: NodeId,
        map: &MapType,
    ) -> Option<Diagnostic> {
        let key = key_text(self.arena, self.arena.key(item));
        let (names, ty) = self.schema.levels(self.arena, map, &key)?;
        let joined = names.join(".");
        let mut told = told.clone();
        if let [first, inner @ ..] = &names[..]
            && let Some(id) = map.items.iter().find(|id| key_text(self.arena, self.schema.item(**id).key) == *first)
            && let Some(place) = self.arena.place(self.schema.item(*id).pos)
        {
            // Nearer than the map around.
            let text = format!("`{}` is declared in here", inner.join("."));
            match told.parts_mut().labels.get_mut(1) {
                Some(label) => (label.span, label.text) = (place.key(), text),
                None => told = told.label(place.key(), text),
            }
        }
        let text = format!("did you mean `{joined}`?");
        let place = self.arena.place_of(item).filter(|_| matches!(self.from, Checked::Values));
        let Some(place) = place else { return Some(told.help(text)) };
        let span = place.key();
        let source = self.sources.get(span.source);
        if source.written(span) != Some(&*key) {
            return Some(told.help(text));
        }
        if matches!(source.origin, Origin::Flag) {
            let all = source.text.as_str().unwrap_or_default();
            let is_text = !matches!(self.schema.inner(ty).kind, TypeKind::Str | TypeKind::Any);
            if is_text && self.arena.str(self.arena.value(item)).is_some() && source.name.starts_with("(data-value arg")
            {
                let (before, behind) = (all.get(..span.start as usize)?, all.get(span.end as usize..)?);
                let pair = format!("{before}{joined}{behind}").trim_end().to_owned();
                let why = format!("{text} It is of type {}: write", self.schema.inner(ty).name());
                return Some(told.advise(Advice::GiveYaml { why, pair }));
            }
            return Some(told.help_edit(text, span, joined));
        }
        let indent = match source.above(span) {
            Some((_, indent)) if indent.bytes().all(|byte| byte == b' ') => indent,
            _ => return Some(told.help(text)),
        };
        let first = names.first()?.as_str();
        let is_there =
            self.arena.items(container).iter().any(|item| self.arena.str(self.arena.key(*item)) == Some(first));
        let is_plain = names.iter().all(|name| needs_no_quotes(name));
        if is_there || !is_plain || matches!(self.arena.value(item), Val::Node(_) | Val::Raw(_)) {
            return Some(told.help(text));
        }
        let mut new = String::new();
        for (depth, name) in names.iter().enumerate() {
            match depth {
                0 => new.push_str(name),
                _ => new.push_str(&format!(":\n{indent}{}{name}", "  ".repeat(depth))),
            }
        }
        Some(told.help_edit(text, span, new))
    }
}

impl Schema {
    /// The keys of several levels that a key has in one, and the type of the last one.
    fn levels(&self, arena: &Arena, map: &MapType, key: &str) -> Option<(Vec<String>, TypeId)> {
        let folded = |name: &str| name.replace(['_', '-'], "").to_lowercase();
        let mut open = vec![(map, folded(key), Vec::new())];
        while let Some((map, rest, above)) = open.pop() {
            for id in &map.items {
                let item = self.item(*id);
                let (name, mut names) = (key_text(arena, item.key), above.clone());
                let left = match folded(&name) {
                    own if own.is_empty() => None,
                    own => rest.strip_prefix(&own).map(str::to_owned),
                };
                let Some(left) = left else { continue };
                names.push(name);
                match &self.inner(item.ty).kind {
                    _ if left.is_empty() && names.len() > 1 => return Some((names, item.ty)),
                    TypeKind::Map(inner) if !left.is_empty() => open.push((inner, left, names)),
                    _ => {}
                }
            }
        }
        None
    }
}
