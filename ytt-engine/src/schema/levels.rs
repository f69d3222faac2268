//! A key that joins the declared keys of several levels: `pool_size` or `pool.size` where `size` is declared in `pool`.

use super::misfit::{Checked, Told};
use super::nested::Nested;
use super::{ItemId, MapType, Schema, TypeKind};
use crate::diag::{Diagnostic, grouped};
use crate::nearest::only;
use crate::source::Origin;
use crate::validate::key_text;
use crate::yaml::{Arena, NodeId};

impl Told<'_> {
    /// A declared key with dots in its name, which no flag reaches: there each dot leads one level deeper.
    pub(super) fn dotted_key(&self, told: &Diagnostic, item: NodeId, map: &MapType, near: &str) -> Option<Diagnostic> {
        self.in_flag(item, self.path).filter(|_| near.contains('.'))?;
        let declared = map.items.iter().map(|id| self.schema.item(*id));
        let declared = declared.into_iter().find(|declared| self.arena.str(declared.key) == Some(near));
        let place = declared.and_then(|declared| self.arena.place(declared.pos)).map(|place| place.key());
        let mut told = told.clone();
        told.parts_mut().labels.truncate(1);
        let told = told.label_at(place, format!("`{near}` is one key, with a dot in its name"));
        let inside = near.split('.').collect::<Vec<_>>().join("` with, below it, `");
        Some(
            told.help(format!(
                "a flag reaches no key with a dot in its name, since a dot leads to a key inside of another one: \
                 give `{near}` by `--data-values-file`"
            ))
            .help(format!(
                "or declare `{inside}`, and read it as `data.values.{near}` where it is `data.values[\"{near}\"]` now"
            )),
        )
    }

    /// The declared key that was written as several ones, one in the other: `ca.pem` for `ca_pem`.
    pub(super) fn key_of_parts(&self, key: &str, item: NodeId, keys: &[String]) -> Option<String> {
        let mut joined = key.to_owned();
        let mut at = item;
        loop {
            let map = self.arena.map_of(self.arena.value(at))?;
            let &[only] = self.arena.items(map) else { return None };
            joined.push_str(&key_text(self.arena, self.arena.key(only)));
            if let Some(near) = keys.iter().find(|known| folded(known) == folded(&joined)) {
                return Some(near.clone());
            }
            at = only;
        }
    }

    /// A key that joins those of several levels: `pool_size` for `size` in `pool`.
    pub(super) fn across(&self, told: &Diagnostic, item: NodeId, map: &MapType) -> Option<Diagnostic> {
        self.along(told, item, map, |key| self.schema.levels(self.arena, map, key))
    }

    /// A key whose last words are a key of a group, as after a group was made: `ingress_static_ip` for `static_ip` in
    /// `balancer`.
    pub(super) fn by_last_words(&self, told: &Diagnostic, item: NodeId, map: &MapType) -> Option<Diagnostic> {
        let way = |key: &str| self.schema.ending(self.arena, map, key);
        Some(self.along(told, item, map, way)?.guessing())
    }

    /// A key whose first word is short for the group that has the rest: `db_name` for `name` in `database`.
    pub(super) fn in_short_group(&self, told: &Diagnostic, item: NodeId, map: &MapType) -> Option<Diagnostic> {
        let way = |key: &str| self.schema.short_group(self.arena, map, key);
        Some(self.along(told, item, map, way)?.guessing())
    }

    fn along(
        &self,
        told: &Diagnostic,
        item: NodeId,
        map: &MapType,
        ways: impl Fn(&str) -> Option<Vec<ItemId>>,
    ) -> Option<Diagnostic> {
        let key = key_text(self.arena, self.arena.key(item));
        let way = ways(&key)?;
        let ty = self.schema.item(*way.last()?).ty;
        let names: Vec<String> = way.iter().map(|id| key_text(self.arena, self.schema.item(*id).key)).collect();
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
            let last = way.last().and_then(|id| self.arena.place(self.schema.item(*id).pos));
            told = told.label_at(last.map(|place| place.key()), format!("`{joined}` is declared here"));
        }
        let mut text = match names.split_last() {
            Some((last, groups)) if key.contains('.') => {
                format!("a dot is part of the key here: write `{last}` in `{}`", groups.join("."))
            }
            _ => format!("did you mean `{joined}`?"),
        };
        let place = self.arena.place_of(item).filter(|_| matches!(self.from, Checked::Values));
        let Some(place) = place else { return Some(told.help(text)) };
        let span = place.key();
        let source = self.sources.get(span.source);
        if matches!(source.origin, Origin::Flag) && source.written(span) == Some(&*key) {
            return Some(self.given_there(told, item, ty, (span, joined)));
        }
        let Some(Nested { edit: (span, new), others }) = self.nested(item, map, ways) else {
            return Some(told.help(text));
        };
        match &others[..] {
            [] => {}
            [other] => text.push_str(&format!(" (and `{other}` with it)")),
            _ => text.push_str(&format!(" (and {} other such keys with it)", others.len())),
        }
        Some(told.help_edit(text, span, new))
    }
}

impl Schema {
    /// The items of several levels whose keys a key has in one.
    pub(super) fn levels(&self, arena: &Arena, map: &MapType, key: &str) -> Option<Vec<ItemId>> {
        let mut open = vec![(map, folded(key), Vec::new())];
        while let Some((map, rest, above)) = open.pop() {
            for id in &map.items {
                let item = self.item(*id);
                let left = match folded(&key_text(arena, item.key)) {
                    own if own.is_empty() => None,
                    own => rest.strip_prefix(&own).map(str::to_owned),
                };
                let Some(left) = left else { continue };
                let way: Vec<ItemId> = above.iter().copied().chain([*id]).collect();
                match &self.inner(item.ty).kind {
                    _ if left.is_empty() && way.len() > 1 => return Some(way),
                    TypeKind::Map(inner) if !left.is_empty() => open.push((inner, left, way)),
                    _ => {}
                }
            }
        }
        None
    }

    /// The only group that the first word of a key is short for and that declares the rest, and that key in it.
    fn short_group(&self, arena: &Arena, map: &MapType, key: &str) -> Option<Vec<ItemId>> {
        let found = map.items.iter().filter_map(|group| {
            let declared = self.item(*group);
            let TypeKind::Map(inner) = &self.inner(declared.ty).kind else { return None };
            let member = folded(grouped::member_in(key, &key_text(arena, declared.key))?);
            let is_it = |id: &&ItemId| folded(&key_text(arena, self.item(**id).key)) == member;
            Some(vec![*group, *inner.items.iter().find(is_it)?])
        });
        only(found)
    }

    /// The items that lead to the only key below a map that is the last words of another key, two of them at least.
    fn ending(&self, arena: &Arena, map: &MapType, key: &str) -> Option<Vec<ItemId>> {
        /// Declared keys that are looked at.
        const MOST: usize = 1_000;
        let spread = |name: &str| name.replace(['-', '.'], "_").to_lowercase();
        let key = spread(key);
        let (mut open, mut found, mut left) = (vec![(map, Vec::new())], Vec::new(), MOST);
        while let Some((map, above)) = open.pop() {
            for id in &map.items {
                left = left.checked_sub(1)?;
                let item = self.item(*id);
                let way: Vec<ItemId> = above.iter().copied().chain([*id]).collect();
                if let TypeKind::Map(inner) = &self.inner(item.ty).kind {
                    open.push((inner, way));
                    continue;
                }
                let own = spread(&key_text(arena, item.key));
                let ends = key.strip_suffix(&own).is_some_and(|rest| rest.ends_with('_')) && own.contains('_');
                if ends && way.len() > 1 {
                    found.push(way);
                }
            }
        }
        only(found)
    }
}

/// A key without what separates its words, also those of several levels.
fn folded(key: &str) -> String {
    key.replace(['_', '-', '.'], "").to_lowercase()
}
