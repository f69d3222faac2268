//! A key of values that the schema declares in several groups, and that stands in none of them.

use super::misfit::Told;
use super::regroup::{Declared, From, MOST, Move, Place, SHOWN, written_there};
use super::{ItemId, MapType, TypeId, TypeKind};
use crate::diag::Diagnostic;
use crate::nearest::only;
use crate::source::Span;
use crate::yaml::{NodeId, Val};

/// Values that are looked at.
const LARGE: usize = 2000;

impl Told<'_> {
    /// Of the groups that stand in the same document one lacks the key, and takes what is given: the others have it already. A
    /// key that stands in a group belongs to that one, and not to a group elsewhere; a group that the file lacks may be meant.
    pub(super) fn in_the_only_free(
        &self,
        told: &Diagnostic,
        item: NodeId,
        map: &MapType,
        elsewhere: &[Declared],
    ) -> Option<Diagnostic> {
        (elsewhere.len() < MOST).then_some(())?;
        let (mut taken, mut free) = (Vec::new(), Vec::new());
        let mut lacks_one = false;
        for one in elsewhere {
            // A list may have the item that it belongs to.
            let way = one.way.as_ref()?;
            match self.moved(item, map, (From::Top, way)) {
                Some(Place::Taken(place)) => taken.push((place, one)),
                Some(Place::Free(found)) => {
                    lacks_one |= found.group.is_none();
                    free.extend(found.group.map(|group| (found, group, one)));
                }
                None => return None,
            }
        }
        let value = self.arena.value(item);
        let takes = |one: &Declared| {
            let last = one.way.as_ref().and_then(|way| way.last());
            last.is_some_and(|last| self.takes_all(self.schema.item(*last).ty, value))
        };
        let (found, group, one) = only(free.into_iter().filter(|(.., one)| takes(one)))?;
        let own = self.given_at(item)?;
        let is_right_behind = self.is_right_behind(own, group);
        let is_below = |around: &str| one.path.strip_prefix(around).is_some_and(|rest| rest.starts_with('.'));
        let is_near = self.path.rsplit_once('.').is_none_or(|(around, _)| is_below(around));
        (is_near && !taken.is_empty() && (is_right_behind || !lacks_one)).then_some(())?;
        let told = self.declared_there(told.clone(), *one.way.as_ref()?.last()?, &one.path);
        let told = taken.iter().take(SHOWN).fold(told, |told, (place, one)| {
            let group = one.path.rsplit_once('.').map_or("", |(group, _)| group);
            told.label(
                *place,
                if group.is_empty() { "given here".to_owned() } else { format!("`{group}` has its own") },
            )
        });
        let told = written_there(told, &one.path, found);
        Some(if is_right_behind { told } else { told.guessing() })
    }

    /// Whether a key stands right below the map of another one.
    fn is_right_behind(&self, own: Span, group: Span) -> bool {
        let found = self.in_file(own, |written| {
            let (item, holders) = written.around.split_last()?;
            let siblings = written.arena.items(written.arena.map_of(written.arena.value(*holders.last()?))?);
            let at = siblings.iter().position(|sibling| sibling == item)?;
            let before = siblings.get(at.checked_sub(1)?)?;
            (written.arena.span_of(*before)? == group).then_some(())
        });
        found.is_some()
    }

    /// Whether a type takes a value with all that is in it; of what is large nobody knows.
    fn takes_all(&self, declared: TypeId, value: Val) -> bool {
        let mut open = vec![(declared, value)];
        let mut left = LARGE;
        while let Some((declared, value)) = open.pop() {
            left = left.saturating_sub(1);
            if left == 0 {
                return false;
            }
            let (whole, ty) = (self.schema.ty(declared), self.schema.inner(declared));
            match (&ty.kind, value) {
                (TypeKind::Any, _) => {}
                (TypeKind::Map(map), Val::Node(_)) => {
                    let Some(inner) = self.arena.map_of(value) else { return false };
                    for item in self.arena.items(inner) {
                        let declared = self.schema.declared_item(map, self.arena, self.arena.key(*item));
                        let Some(declared) = declared else { return false };
                        open.push((self.schema.item(declared).ty, self.arena.value(*item)));
                    }
                }
                (TypeKind::Array(of), Val::Node(list)) if self.arena.map_of(value).is_none() => {
                    let ty = self.schema.item(*of).ty;
                    open.extend(self.arena.items(list).iter().map(|item| (ty, self.arena.value(*item))));
                }
                _ if whole.allows(self.schema, value) => {}
                _ => return false,
            }
        }
        true
    }

    /// Several groups have the key: each declaration, and of two the edits that write it there. People know which is meant.
    /// `Err` without edits.
    pub(super) fn one_of(
        &self,
        told: Diagnostic,
        item: NodeId,
        map: &MapType,
        elsewhere: &[Declared],
    ) -> Result<Diagnostic, Diagnostic> {
        let declared = |one: &Declared| Some((one.path.clone(), one.way.clone()?, *one.way.as_ref()?.last()?));
        let ways: Vec<(String, Vec<ItemId>, ItemId)> = elsewhere.iter().filter_map(declared).collect();
        let told = ways.iter().take(SHOWN).fold(told, |told, (path, _, last)| self.declared_there(told, *last, path));
        if ways.len() != 2 || ways.len() < elsewhere.len() {
            return Err(told);
        }
        let mut with_edits = told.clone();
        for (path, way, last) in ways {
            if let Some(edit) = self.in_flag(item, &path) {
                with_edits = self.given_there(with_edits, item, self.schema.item(last).ty, edit);
                continue;
            }
            let Some(Place::Free(Move { edit: (span, new), .. })) = self.moved(item, map, (From::Top, &way)) else {
                return Err(told);
            };
            with_edits = with_edits.help_edit(format!("if `{path}` is meant, write it there"), span, new).guessing();
        }
        Ok(with_edits)
    }
}
