//! What annotations of overlays say: operations, match rules and their arguments, as data.
//!
//! `rules` reads them from the annotations of an item.

use crate::call::ValueHandle;
use crate::yaml::{Body, PosId};

/// What kind of item a right node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RightKind {
    Document,
    MapItem,
    ArrayItem,
}

impl RightKind {
    pub(super) fn of(body: &Body) -> Option<RightKind> {
        match body {
            Body::Doc(_) => Some(RightKind::Document),
            Body::MapItem(..) => Some(RightKind::MapItem),
            Body::ArrayItem(_) => Some(RightKind::ArrayItem),
            _ => None,
        }
    }
}

/// What an item does to the items that it matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Merge,
    Remove,
    Replace,
    Insert,
    Append,
    Assert,
}

impl Operation {
    pub(super) const ALL: [Operation; 6] = [
        Operation::Merge,
        Operation::Remove,
        Operation::Replace,
        Operation::Insert,
        Operation::Append,
        Operation::Assert,
    ];

    /// The name of its annotation.
    pub(super) fn name(self) -> &'static str {
        match self {
            Operation::Merge => "overlay/merge",
            Operation::Remove => "overlay/remove",
            Operation::Replace => "overlay/replace",
            Operation::Insert => "overlay/insert",
            Operation::Append => "overlay/append",
            Operation::Assert => "overlay/assert",
        }
    }
}

pub(crate) const MATCH: &str = "overlay/match";
pub(super) const CHILD_DEFAULTS: &str = "overlay/match-child-defaults";

/// A keyword argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Argument {
    pub(super) value: ValueHandle,
    /// Place of the annotation.
    pub(super) pos: PosId,
}

/// `expects`, `missing_ok` and `when`, each of which is inherited separately.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) expects: Option<Argument>,
    pub(super) missing_ok: Option<Argument>,
    pub(super) when: Option<Argument>,
}

impl Counts {
    /// Takes one of the arguments by its name. False: it has another name.
    pub(super) fn set(&mut self, name: &str, argument: Argument) -> bool {
        match name {
            "expects" => self.expects = Some(argument),
            "missing_ok" => self.missing_ok = Some(argument),
            "when" => self.when = Some(argument),
            _ => return false,
        }
        true
    }

    /// These, and what is inherited where there are none.
    pub(super) fn over(self, inherited: &Counts) -> Counts {
        Counts {
            expects: self.expects.or(inherited.expects),
            missing_ok: self.missing_ok.or(inherited.missing_ok),
            when: self.when.or(inherited.when),
        }
    }
}

/// The match rule of an item.
#[derive(Clone, Copy, Debug)]
pub(super) struct MatchRule {
    pub(super) by: Option<Argument>,
    pub(super) counts: Counts,
    /// An array item without `@overlay/match`: matches nothing and expects nothing.
    pub(super) nothing: bool,
}

/// Arguments of `@overlay/replace`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ReplaceRule {
    pub(super) via: Option<ValueHandle>,
    pub(super) or_add: bool,
}

/// Arguments of `@overlay/insert`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InsertRule {
    pub(super) before: bool,
    pub(super) after: bool,
    pub(super) via: Option<ValueHandle>,
}
