//! Keys of one map in a file that join several levels: all of them are written below their groups in one edit.

use super::misfit::Told;
use super::regroup::{STEP, TOGETHER, Written};
use super::{ItemId, MapType};
use crate::source::{Span, indented};
use crate::validate::key_text;
use crate::yaml::NodeId;
use crate::yaml::resolve::needs_no_quotes;

/// The edit, and the keys that it moves beside the one that is asked for.
pub(super) struct Nested {
    pub(super) edit: (Span, String),
    pub(super) others: Vec<String>,
}

/// A key, and the names that lead to it from the group that is there.
struct Joined {
    item: NodeId,
    group: NodeId,
    rest: Vec<String>,
}

impl Told<'_> {
    /// The edit that nests a key which joins several levels, with those beside it that do the same.
    pub(super) fn nested(
        &self,
        item: NodeId,
        map: &MapType,
        way: impl Fn(&str) -> Option<Vec<ItemId>>,
    ) -> Option<Nested> {
        let way = |key: &str| {
            let way = way(key).filter(|_| self.declared(map, key).is_none())?;
            Some(way.iter().map(|id| key_text(self.arena, self.schema.item(*id).key)).collect())
        };
        self.in_file(self.given_at(item)?, |written| written.nested(way))
    }
}

impl Written<'_> {
    fn nested(&self, way: impl Fn(&str) -> Option<Vec<String>>) -> Option<Nested> {
        let arena = self.arena;
        let (own, holders) = self.around.split_last()?;
        let holder = *holders.last()?;
        let siblings = arena.items(arena.map_of(arena.value(holder))?);
        let at = siblings.iter().position(|item| item == own)?;
        let near = siblings.iter().skip(at.saturating_sub(TOGETHER)).take(TOGETHER.saturating_mul(2));
        let joined = near.filter_map(|item| {
            let (group, rest) = self.free_place(holder, way(arena.str(arena.key(*item))?)?)?;
            Some(Joined { item: *item, group, rest })
        });
        let joined: Vec<Joined> = joined.collect();
        if !joined.iter().any(|one| one.item == *own) {
            return None;
        }
        let mut edits = Vec::new();
        for one in &joined {
            edits.push((self.lines_of_all(&[one.item])?, String::new()));
        }
        for (number, first) in joined.iter().enumerate() {
            // Of those that go to one place the first one writes them all.
            let is_together = |one: &&Joined| {
                one.group == first.group && (one.group != holder || one.rest.first() == first.rest.first())
            };
            let together: Vec<&Joined> = joined.iter().filter(is_together).collect();
            if together.first().is_none_or(|one| one.item != first.item) {
                continue;
            }
            let keys: Vec<(NodeId, &[String])> = together.iter().map(|one| (one.item, &one.rest[..])).collect();
            if first.group == holder {
                edits.get_mut(number)?.1 = self.tree(&keys, self.column(first.item)?)?;
                continue;
            }
            let there = arena.items(arena.map_of(arena.value(first.group))?);
            let (head, tail) = (there.first()?, there.last()?);
            let text = self.tree(&keys, self.column(*head)?)?;
            // The shortest way.
            let at = match arena.span_of(first.item)?.start < arena.span_of(first.group)?.start {
                true => self.lines_of_all(&[*head])?.start,
                false => self.lines_of_all(&[*tail])?.end,
            };
            // The last line of a file may have no break.
            let text = if self.ends_line(at) { text } else { format!("\n{text}") };
            edits.push((Span { start: at, end: at, ..arena.span_of(*own)? }, text));
        }
        let others = joined.iter().filter(|one| one.item != *own).filter_map(|one| arena.str(arena.key(one.item)));
        Some(Nested { edit: self.as_one(edits)?, others: others.map(str::to_owned).collect() })
    }

    /// The innermost group on a way that is there, and the rest of the way; `None` if the key is there, too.
    fn free_place(&self, holder: NodeId, way: Vec<String>) -> Option<(NodeId, Vec<String>)> {
        let arena = self.arena;
        let (mut group, mut rest) = (holder, &way[..]);
        while let [name, inner @ ..] = rest {
            let Some(item) = arena.find_str(arena.map_of(arena.value(group))?, name) else { break };
            (group, rest) = (item, inner);
        }
        (!rest.is_empty() && rest.iter().all(|name| needs_no_quotes(name))).then(|| (group, rest.to_vec()))
    }

    /// The lines of keys with the groups around them.
    fn tree(&self, keys: &[(NodeId, &[String])], column: usize) -> Option<String> {
        let (mut text, mut done) = (String::new(), Vec::new());
        for (item, way) in keys {
            let (name, inner) = way.split_first()?;
            if done.contains(&name) {
                continue;
            }
            done.push(name);
            let same = keys.iter().filter(|(_, way)| way.first() == Some(name));
            let same: Vec<(NodeId, &[String])> =
                same.map(|(item, way)| Some((*item, way.get(1..)?))).collect::<Option<_>>()?;
            match (inner, &same[..]) {
                ([], [_]) => text.push_str(&self.renamed_lines(*item, name, column)?),
                // A value and a map at one key.
                ([], _) => return None,
                _ => {
                    text.push_str(&format!("{}{name}:\n", " ".repeat(column)));
                    text.push_str(&self.tree(&same, column.checked_add(STEP)?)?);
                }
            }
        }
        Some(text)
    }

    /// The lines of an item under another name, in another column.
    fn renamed_lines(&self, item: NodeId, name: &str, column: usize) -> Option<String> {
        let (lines, key) = (self.lines_of_all(&[item])?, self.arena.span_of(item)?);
        let part = |start: u32, end: u32| self.source.written(Span { start, end, ..lines });
        let text = [part(lines.start, key.start)?, name, part(key.end, lines.end)?].concat();
        indented(&text, self.column(item)?, column)
    }

    /// Several edits as one, with what stands between them.
    fn as_one(&self, mut edits: Vec<(Span, String)>) -> Option<(Span, String)> {
        edits.sort_by_key(|(span, _)| (span.start, span.end));
        let whole = Span { end: edits.iter().map(|(span, _)| span.end).max()?, ..edits.first()?.0 };
        let (mut text, mut at) = (String::new(), whole.start);
        for (span, new) in edits {
            text.push_str(self.source.written(Span { start: at, end: span.start, ..whole })?);
            text.push_str(&new);
            at = span.end;
        }
        Some((whole, text))
    }
}
