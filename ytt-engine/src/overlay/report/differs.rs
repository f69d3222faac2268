//! Left items that hold all of a `subset` but one leaf: which of them is meant, by the key that differs. A name tells more
//! of what an item is than its kind, and a kind more than the version of an API.

use super::nearest::{Fix, Meaning, Near};
use super::parts::Path;
use crate::yaml::{Arena, Val};

/// The key in which an item differs, that which tells least of an item first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Differs {
    Version,
    /// Something of an item of the right name.
    Detail,
    /// The kind of an item of the right name.
    Kind,
}

impl Differs {
    /// `None`: an item that differs in this key is another one.
    pub(super) fn of(arena: &Arena, path: &Path, leaves: &[(Path, Val)]) -> Option<Differs> {
        let is_name = |path: &Path| path.last().is_some_and(|(item, _)| arena.str(arena.key(*item)) == Some("name"));
        let top = match &path[..] {
            [(item, _)] => arena.str(arena.key(*item)),
            _ => None,
        };
        let has_name = || leaves.iter().any(|(path, _)| is_name(path));
        match top {
            Some("apiVersion") if leaves.len() > 1 => Some(Differs::Version),
            Some("kind") if has_name() => Some(Differs::Kind),
            _ if !is_name(path) && has_name() => Some(Differs::Detail),
            _ => None,
        }
    }
}

/// An item that differs in one key, by its position among the nearest, and the edit that makes the matcher take it.
pub(super) struct Lone {
    pub(super) at: usize,
    pub(super) differs: Differs,
    pub(super) fix: Fix,
}

/// Gives the edit to the one item that is nearest by the key in which it differs, or to all if it is the same for them.
/// `lacking` are those that are called alike, but have not all that is changed.
pub(super) fn settle(near: &mut [Near], mut lones: Vec<Lone>, lacking: &[usize]) {
    let Some(least) = lones.iter().map(|lone| lone.differs).min() else { return };
    lones.retain(|lone| lone.differs == least);
    let is_one = lones.len() == 1;
    let is_clear = lones.windows(2).all(|pair| matches!(pair, [one, next] if one.fix.new == next.fix.new));
    let may_be_meant = |(at, one): (usize, &Near)| one.fix.is_some() && !lacking.contains(&at);
    let has_fix = near.iter().enumerate().any(may_be_meant);
    // What is spelt alike is nearer than another kind.
    if !is_clear || has_fix && least != Differs::Version {
        return;
    }
    for one in lacking {
        if let Some(one) = near.get_mut(*one) {
            one.fix = None;
        }
    }
    for Lone { at, fix, .. } in lones {
        let Some(one) = near.get_mut(at).filter(|one| one.fix.is_none()) else { continue };
        if !lacking.is_empty() {
            one.rank = (0, 0, at);
        }
        let must_mend = !is_one || least == Differs::Kind;
        let is_guess = fix.is_guess || least != Differs::Version;
        one.fix = Some(Fix { meaning: Meaning::There, must_mend, is_guess, ..fix });
    }
}
