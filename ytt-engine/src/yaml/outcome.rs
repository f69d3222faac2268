//! What came of the items of overlays, by their places and over the whole render, if a lint asks for it.
//!
//! An item that acts several times, in a loop or in a library that is evaluated more than once, is one entry: it did all
//! that it ever did.

use std::collections::{BTreeMap, HashSet};

use super::meta::PosId;
use crate::source::{SourceId, to_u32};

/// What an item did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Did(u8);

impl Did {
    /// It matched something.
    pub(crate) const MATCH: Did = Did(1);
    /// It matched nothing, and added nothing.
    pub(crate) const MISS: Did = Did(2);
    /// It set a scalar that was there with the same value.
    pub(crate) const KEEP: Did = Did(4);
    /// It set another scalar.
    pub(crate) const SET: Did = Did(8);
    /// It did something else, or may have.
    pub(crate) const CHANGE: Did = Did(16);
    /// It is what a matcher compares.
    pub(crate) const SERVE: Did = Did(32);

    pub(crate) fn and(self, other: Did) -> Did {
        Did(self.0 | other.0)
    }

    pub(crate) fn has(self, other: Did) -> bool {
        self.0 & other.0 != 0
    }
}

/// What came of the items of one place.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) pos: PosId,
    /// The item around it; 0 for documents.
    pub(crate) around: PosId,
    /// Where its annotations begin, or it itself.
    pub(crate) start: u32,
    pub(crate) did: Did,
    /// It sets data values.
    pub(crate) is_values: bool,
    /// What else tells of it: the left item that it kept, or the item that set it again.
    pub(crate) other: PosId,
    /// Of what matched nothing its `overlay/match`, if it has one.
    pub(crate) rule: PosId,
    /// How often it set something, and how often that was set again.
    pub(crate) set: u32,
    pub(crate) set_again: u32,
}

/// All outcomes, if they are kept.
#[derive(Debug, Default)]
pub(crate) struct Outcomes {
    kept: bool,
    of_values: bool,
    /// It is asked what was set again.
    of_set_again: bool,
    /// By place: the number of its outcome, from 1.
    numbers: Vec<u32>,
    all: Vec<Outcome>,
    /// By annotation: something was missing.
    missing_ok: BTreeMap<PosId, bool>,
    /// Files that did without a program: no code saw what stands in them.
    literal: HashSet<SourceId>,
    /// Code read files as text.
    texts_are_read: bool,
}

impl Outcomes {
    /// Keeps those of overlays, of data values, or of both; `of_set_again` only as far as it is asked for.
    pub(crate) fn keep(&mut self, of_overlays: bool, of_values: bool, of_set_again: bool) {
        (self.kept, self.of_values, self.of_set_again) = (of_overlays, of_values, of_set_again);
    }

    pub(crate) fn kept_of_set_again(&self) -> bool {
        self.of_set_again
    }

    /// Whether a place did already something of which no lint tells, whatever else it does: most items change something at
    /// their first match, and have many.
    pub(crate) fn is_settled(&self, pos: PosId) -> bool {
        self.get(pos).is_some_and(|one| one.did.has(Did::CHANGE) || !self.of_set_again && one.did.has(Did::SET))
    }

    /// Whether it is noted of a place that it did so.
    pub(crate) fn is_noted(&self, pos: PosId, around: PosId, did: Did) -> bool {
        self.get(pos).is_some_and(|one| one.did.has(did) && one.around == around)
    }

    fn get(&self, pos: PosId) -> Option<&Outcome> {
        let number = *self.numbers.get(pos.0 as usize)?;
        self.all.get((number as usize).checked_sub(1)?)
    }

    pub(crate) fn kept_of_values(&self) -> bool {
        self.of_values
    }

    pub(crate) fn kept(&self) -> bool {
        self.kept
    }

    /// Notes that a file did without a program.
    pub(crate) fn note_literal(&mut self, source: SourceId) {
        if self.kept {
            self.literal.insert(source);
        }
    }

    /// Notes that code read a file as text.
    pub(crate) fn note_text_read(&mut self) {
        self.texts_are_read = true;
    }

    /// Whether nothing but overlays ever looks at what stands in a file.
    pub(crate) fn is_unseen(&self, source: SourceId) -> bool {
        !self.texts_are_read && self.literal.contains(&source)
    }

    /// The outcome of a place. `start` says where its annotations begin, if it is new.
    #[allow(clippy::indexing_slicing, reason = "`numbers` is made long enough, and has numbers of outcomes from 1 on")]
    #[allow(clippy::arithmetic_side_effects, reason = "as many places as there are in memory, and a number from 1 on")]
    pub(crate) fn of(&mut self, pos: PosId, around: PosId, start: u32) -> &mut Outcome {
        let at = pos.0 as usize;
        if self.numbers.len() <= at {
            self.numbers.resize(at + 1, 0);
        }
        if self.numbers[at] == 0 {
            let other = PosId(0);
            self.all.push(Outcome {
                pos,
                around,
                start,
                did: Did::default(),
                is_values: false,
                other,
                rule: PosId(0),
                set: 0,
                set_again: 0,
            });
            self.numbers[at] = to_u32(self.all.len());
        }
        let outcome = &mut self.all[self.numbers[at] as usize - 1];
        if outcome.around != around {
            // What is placed at several places means more than its lines.
            outcome.add(Did::CHANGE);
        }
        outcome
    }

    /// The outcome of a place that has one.
    pub(crate) fn known(&mut self, pos: PosId) -> Option<&mut Outcome> {
        let number = *self.numbers.get(pos.0 as usize)?;
        self.all.get_mut((number as usize).checked_sub(1)?)
    }

    pub(crate) fn all(&self) -> &[Outcome] {
        &self.all
    }

    /// Notes that `missing_ok` of an annotation held, and whether anything was missing.
    pub(crate) fn note_missing_ok(&mut self, annotation: PosId, needed: bool) {
        *self.missing_ok.entry(annotation).or_default() |= needed;
    }

    /// Annotations whose `missing_ok` was never needed.
    pub(crate) fn unneeded_missing_ok(&self) -> impl Iterator<Item = PosId> {
        self.missing_ok.iter().filter(|(_, needed)| !**needed).map(|(annotation, _)| *annotation)
    }
}

impl Outcome {
    pub(crate) fn add(&mut self, did: Did) {
        self.did.0 |= did.0;
    }
}
