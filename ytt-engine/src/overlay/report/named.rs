//! Documents that have all that a matcher looks for but the name: the one that is called alike is meant. If none is, people
//! are told which names they can ask for.

use super::nearest::{Fix, Meaning, Near};
use super::parts::{Path, at_path, path_text};
use crate::diag::suggest;
use crate::nearest::only;
use crate::overlay::engine::Scene;
use crate::template::code::FileCode;
use crate::yaml::{Arena, Body, NodeId, Val};

/// Names that a help shows are looked for among so many.
const MOST: usize = 1_000;
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

impl Scene<'_> {
    /// Gives the edit to the one document that shares what tells it apart with the name that is wanted.
    pub(super) fn settle_names(&self, arena: &Arena, near: &mut [Near], wanted: &str, named: Vec<OtherName>) {
        if near.iter().any(|one| one.fix.as_ref().is_some_and(|fix| fix.meaning != Meaning::There)) {
            return;
        }
        let own = self.trail.last().map_or(Val::Null, |step| arena.value(step.node));
        let alike = only(named.into_iter().filter(|one| suggest::is_called_alike(wanted, &one.name)));
        let Some(OtherName { at, fix, .. }) = alike else { return };
        if !near.get(at).is_some_and(|one| self.has_all(arena, arena.value(one.item), own, 0)) {
            return;
        }
        near.iter_mut().for_each(|one| one.fix = None);
        let Some(one) = near.get_mut(at) else { return };
        one.rank = (0, 0, at);
        one.fix = Some(Fix { is_guess: true, ..fix });
    }

    /// What to ask for instead, where the nearest documents differ in nothing but their name, none of which is like the
    /// one that is wanted.
    pub(super) fn names_to_ask_for(&self, near: &[Near]) -> Option<String> {
        let arena = self.arena();
        let first = near.first()?;
        let is_told =
            |one: &Near| one.fix.is_some() || one.renamed.is_some() || one.apart.is_some() || !one.alike.is_empty();
        if near.iter().any(is_told) {
            return None;
        }
        let missed = first.missed.as_ref()?;
        let wanted = arena.value(missed.last()?.0);
        if arena.str(wanted).is_none_or(|wanted| self.is_of_a_turn(wanted)) {
            return None;
        }
        let is_as_near = |one: &&Near| one.level() == 1 && one.rank.0 == 0 && one.missed.as_ref() == Some(missed);
        let mut names: Vec<&str> = Vec::new();
        for found in near.iter().take(MOST).filter(is_as_near).filter_map(|one| name_at(&arena, one.item, missed)) {
            if !names.contains(&found) {
                names.push(found);
            }
            // More are not shown.
            if names.len() > SHOWN {
                break;
            }
        }
        let (is_more, path) = (names.len() > SHOWN, path_text(&arena, missed));
        let mut names: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
        let last = names.pop()?;
        let last = if is_more { format!(", {last}, …") } else { format!(" or {last}") };
        Some(match names.is_empty() {
            true => {
                format!("ask for the `{path}` that is there, if that is meant: {}", last.trim_start_matches(" or "))
            }
            false => format!("ask for a `{path}` that is there, if one is meant: {}{last}", names.join(", ")),
        })
    }

    /// Is the matcher in a loop that gives it this text? Another turn may ask for what is there.
    fn is_of_a_turn(&self, text: &str) -> bool {
        let Some(by) = self.by_span().filter(|by| self.literal(*by, text).is_none()) else { return false };
        let code = FileCode::read(&self.calls.sources().get(by.source), by.source);
        code.is_some_and(|code| code.loop_around(by).is_some())
    }
}
