//! Documents that have all that a matcher looks for but the name: the one that is called alike is meant. If none is, people
//! are told which names they can ask for. Where only the kind differs, and no edit is at hand, they are told the kind of the
//! one document that has all that the overlay changes.

use super::nearest::{Fix, Meaning, Near};
use super::parts::{Path, at_path, path_text};
use crate::diag::suggest;
use crate::nearest::only;
use crate::overlay::engine::Scene;
use crate::source::Span;
use crate::template::code::FileCode;
use crate::yaml::{Arena, Body, NodeId, Val};

/// Documents of another kind of which each is looked at as a whole.
const FEW: usize = 50;
/// Names beyond which the others are not looked for.
const SHOWN: usize = 8;

/// A document of another name, by its position among the nearest, and the edit that asks for it.
pub(super) struct OtherName {
    pub(super) at: usize,
    pub(super) name: String,
    pub(super) fix: Fix,
}

/// Does a path lead to the name of a document?
pub(super) fn is_name(arena: &Arena, path: &Path) -> bool {
    let keys = path.iter().map(|(item, _)| arena.str(arena.key(*item)));
    keys.eq([Some("metadata"), Some("name")])
}

/// The name of a document, if the path leads to that.
pub(super) fn name_at<'a>(arena: &'a Arena, item: NodeId, path: &Path) -> Option<&'a str> {
    let is_it = is_name(arena, path) && matches!(arena.get(item).body, Body::Doc(_));
    let (name, _) = at_path(arena, arena.value(item), path).filter(|_| is_it)?;
    arena.str(name)
}

/// The kind of a document, if the path leads to that.
fn kind_at<'a>(arena: &'a Arena, item: NodeId, path: &Path) -> Option<&'a str> {
    let [(step, _)] = path[..] else { return None };
    let is_it = arena.str(arena.key(step)) == Some("kind") && matches!(arena.get(item).body, Body::Doc(_));
    let (kind, _) = at_path(arena, arena.value(item), path).filter(|_| is_it)?;
    arena.str(kind)
}

impl Scene<'_> {
    /// Gives the edit to the one document that shares what tells it apart with the name that is wanted.
    pub(super) fn settle_names(&self, arena: &Arena, near: &mut [Near], wanted: &str, named: Vec<OtherName>) {
        if near.iter().any(|one| one.fix.as_ref().is_some_and(|fix| fix.meaning != Meaning::There)) {
            return;
        }
        let own = self.trail.last().map_or(Val::Null, |step| arena.value(step.node));
        // A name with the very word may be meant as well as one with another form of it.
        let is_meant = |one: &OtherName| suggest::is_called_alike(wanted, &one.name);
        let may_be = |one: &&OtherName| is_meant(one) || suggest::has_all_words(wanted, &one.name);
        if named.iter().filter(may_be).count() > 1 {
            return;
        }
        let Some(OtherName { at, fix, .. }) = only(named.into_iter().filter(is_meant)) else { return };
        if !near.get(at).is_some_and(|one| self.has_all(arena, arena.value(one.item), own, 0)) {
            return;
        }
        near.iter_mut().for_each(|one| one.fix = None);
        let Some(one) = near.get_mut(at) else { return };
        one.rank = (0, 0, at);
        one.fix = Some(Fix { is_guess: true, ..fix });
    }

    /// What to ask for instead, where the nearest documents differ in nothing but their name, none of which is like the
    /// one that is wanted; or in nothing but their kind.
    pub(super) fn other_to_ask_for(&self, near: &[Near]) -> Option<String> {
        let arena = self.arena();
        let is_told =
            |one: &Near| one.fix.is_some() || one.renamed.is_some() || one.apart.is_some() || !one.alike.is_empty();
        if near.iter().any(is_told) {
            return None;
        }
        let first = near.first()?;
        let missed = first.missed.as_ref()?;
        let wanted = arena.str(arena.value(missed.last()?.0))?;
        let list = self.turns(wanted);
        // Another turn of the loop may ask for what is there.
        let may_be = |other: &str| {
            list.is_none_or(|list| self.literal(list, wanted).is_some() && self.literal(list, other).is_none())
        };
        let is_as_near =
            |one: &&Near| one.level() == 1 && one.rank.0 == first.rank.0 && one.missed.as_ref() == Some(missed);
        let mut all = near.iter().filter(is_as_near);
        if !is_name(&arena, missed) {
            let own = self.trail.last().map_or(Val::Null, |step| arena.value(step.node));
            let fits = |one: &&Near| self.has_all(&arena, arena.value(one.item), own, 0);
            // What has not all that is changed is something else.
            let one = only(all.take(FEW).filter(fits))?;
            let kind = kind_at(&arena, one.item, missed).filter(|kind| may_be(kind))?;
            return Some(format!("if {} is meant: its `kind` is `{kind}`", self.document_name(&arena, one.item)));
        }
        let is_of_this_kind = first.rank.0 == 0;
        let mut names: Vec<&str> = Vec::new();
        while let Some(one) = all.next().filter(|_| is_of_this_kind && names.len() <= SHOWN) {
            let name = name_at(&arena, one.item, missed).filter(|name| !names.contains(name) && may_be(name));
            names.extend(name);
        }
        let (is_more, path) = (names.len() > SHOWN, path_text(&arena, missed));
        let mut names: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
        let last = names.pop()?;
        let others = names.join(", ");
        Some(match (names.is_empty(), is_more) {
            (true, _) => format!("ask for the `{path}` that is there, if that is meant: {last}"),
            (false, false) => format!("ask for a `{path}` that is there, if one is meant: {others} or {last}"),
            (false, true) => format!("ask for a `{path}` that is there, if one is meant: {others}, {last}, …"),
        })
    }

    /// What the loop around the matcher goes over, if that is what gives it this text.
    fn turns(&self, text: &str) -> Option<Span> {
        let by = self.by_span().filter(|by| self.literal(*by, text).is_none())?;
        FileCode::read(&self.calls.sources().get(by.source), by.source)?.loop_around(by)
    }
}
