//! Items of overlays that a render could have done without, told when it has ended.
//!
//! An item is judged with all that is in it, and told of at the outermost item of which all is true. What code gives, and
//! what stands elsewhere than in the lines of the item around it, may do more another time, and is not told of.

use std::collections::HashMap;

use crate::diag::{Code, Diagnostic, Fact};
use crate::source::{SourceMap, Span};
use crate::template::code::FileCode;
use crate::template::is_literal;
use crate::template::written;
use crate::yaml::{Arena, Did, NodeSpan, Outcome, PosId};

/// What came of an item and all that is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Came {
    /// Nothing that counts for or against the item around it: keys that a matcher compares, empty maps.
    Neutral,
    /// It matched nothing.
    Nothing,
    /// All that it set was there.
    Kept,
    /// All that it set was set again.
    SetAgain,
    /// More than one of these, or something else.
    Other,
}

impl Came {
    fn with(self, other: Came) -> Came {
        match (self, other) {
            (Came::Neutral, one) | (one, Came::Neutral) => one,
            (one, another) if one == another => one,
            _ => Came::Other,
        }
    }

    fn code(self, is_values: bool) -> Option<Code> {
        match self {
            Came::Kept if is_values => Some(Code::VALUES_SAME_AS_BEFORE),
            _ if is_values => None,
            Came::Neutral | Came::Other => None,
            Came::Nothing => Some(Code::OVERLAY_MATCHED_NOTHING),
            Came::Kept => Some(Code::OVERLAY_NO_EFFECT),
            Came::SetAgain => Some(Code::OVERLAY_OVERRIDDEN),
        }
    }
}

/// The lints that ask what came of overlays.
pub(crate) const USELESS: [Code; 4] = [
    Code::OVERLAY_MATCHED_NOTHING,
    Code::OVERLAY_MISSING_OK_UNNEEDED,
    Code::OVERLAY_NO_EFFECT,
    Code::OVERLAY_OVERRIDDEN,
];

/// The lints of a render that worked.
pub(crate) fn useless(arena: &Arena, sources: &SourceMap, is_on: &dyn Fn(Code) -> bool) -> Vec<Diagnostic> {
    let mut inside: HashMap<PosId, Vec<&Outcome>> = HashMap::new();
    for outcome in arena.outcomes.all() {
        inside.entry(outcome.around).or_default().push(outcome);
    }
    let mut judge =
        Judge { arena, sources, inside, came: HashMap::new(), asks_for_nothing: is_on(Code::OVERLAY_MATCHED_NOTHING) };
    for outcome in judge.items_in(PosId(0)) {
        judge.came_of(outcome);
    }
    let (mut found, mut open) = (Vec::new(), vec![PosId(0)]);
    while let Some(around) = open.pop() {
        let items = judge.items_in(around);
        let code_of =
            |outcome: &Outcome| judge.came.get(&outcome.pos)?.code(outcome.is_values).filter(|code| is_on(*code));
        // What would be left empty stands for something else than for what it sets: a number of matches that is checked.
        let is_left_empty = around != PosId(0) && items.iter().all(|outcome| code_of(outcome).is_some());
        for outcome in items {
            match code_of(outcome).filter(|_| !is_left_empty) {
                Some(code) => found.extend(judge.told(code, outcome)),
                None => open.push(outcome.pos),
            }
        }
    }
    if is_on(Code::OVERLAY_MISSING_OK_UNNEEDED) {
        found.extend(arena.outcomes.unneeded_missing_ok().filter_map(|pos| judge.missing_ok(pos)));
    }
    let place = |one: &Diagnostic| one.parts().labels.first().map(|label| (label.span.source, label.span.start));
    found.sort_by_key(place);
    found
}

struct Judge<'a> {
    arena: &'a Arena,
    sources: &'a SourceMap,
    inside: HashMap<PosId, Vec<&'a Outcome>>,
    came: HashMap<PosId, Came>,
    /// Is it asked what matched nothing?
    asks_for_nothing: bool,
}

impl<'a> Judge<'a> {
    fn items_in(&self, around: PosId) -> Vec<&'a Outcome> {
        self.inside.get(&around).cloned().unwrap_or_default()
    }

    fn came_of(&mut self, outcome: &Outcome) -> Came {
        let inner = self.items_in(outcome.pos);
        let mut came = self.own(outcome);
        for one in inner {
            came = came.with(self.came_of(one));
        }
        // What stands elsewhere does not belong to the lines of this item.
        if !self.is_inside(outcome) {
            came = Came::Other;
        }
        self.came.insert(outcome.pos, came);
        came
    }

    /// What came of an item without those in it.
    fn own(&self, outcome: &Outcome) -> Came {
        let did = outcome.did;
        let is_set_again = did.has(Did::SET) && outcome.set == outcome.set_again;
        if did.has(Did::CHANGE) || did.has(Did::SET) && !is_set_again {
            Came::Other
        } else if did.has(Did::SERVE) {
            // Another time code may give something else than what is looked for.
            if self.is_written(outcome) { Came::Neutral } else { Came::Other }
        } else if is_set_again {
            Came::SetAgain
        } else if did.has(Did::KEEP) {
            if self.is_written(outcome) { Came::Kept } else { Came::Other }
        } else if did.has(Did::MATCH) {
            Came::Neutral
        } else if self.asks_for_nothing && self.looks_by_code(outcome) {
            Came::Other
        } else {
            Came::Nothing
        }
    }

    /// Does its matcher hold more than literals and matchers? Another time it may look for something else.
    fn looks_by_code(&self, outcome: &Outcome) -> bool {
        let rule = self.place(outcome.rule).filter(|_| outcome.rule != PosId(0));
        rule.is_some_and(|rule| {
            self.sources.get(rule.source).written(rule.value()).is_some_and(|text| !is_literal(text))
        })
    }

    fn place(&self, pos: PosId) -> Option<NodeSpan> {
        self.arena.place(pos).copied()
    }

    /// Does the value stand in the file as it is, without code?
    fn is_written(&self, outcome: &Outcome) -> bool {
        self.place(outcome.pos).is_some_and(|place| {
            let source = self.sources.get(place.source);
            place.value < place.end && source.written(place.value()).is_some_and(|text| !text.contains("(@"))
        })
    }

    /// Does an item stand in the lines of the one around it?
    fn is_inside(&self, outcome: &Outcome) -> bool {
        let (own, around) = (self.place(outcome.pos), self.place(outcome.around));
        outcome.around == PosId(0)
            || own.zip(around).is_some_and(|(own, around)| {
                own.source == around.source && (around.start..around.end).contains(&own.start)
            })
    }

    fn told(&self, code: Code, outcome: &Outcome) -> Option<Diagnostic> {
        let place = self.place(outcome.pos)?;
        let (text, label, help) = match code {
            Code::OVERLAY_NO_EFFECT => {
                ("this part of an overlay has no effect", "what it sets is there already, at every match", "remove it")
            }
            Code::VALUES_SAME_AS_BEFORE => {
                ("this sets a data value to what it is already", "it had this value before", "remove it")
            }
            Code::OVERLAY_OVERRIDDEN => (
                "what this part of an overlay sets is set again",
                "nothing looks at it before that",
                "remove it, or apply it later",
            ),
            _ => (
                "this part of an overlay matched nothing",
                "nothing was changed or added by it",
                "remove it, or mend what it looks for",
            ),
        };
        let warning = Diagnostic::warning(code, text).fact(Fact::Useless).label(place.key(), label);
        let other = self.place(outcome.other).map(|other| other.key());
        let other = other.filter(|other| other.source != place.source || other.start != place.start);
        let warning = match code {
            Code::OVERLAY_NO_EFFECT | Code::VALUES_SAME_AS_BEFORE => {
                warning.label_at(other, "set here to the same value")
            }
            _ => warning.label_at(other, "set again here"),
        };
        let mut warning = warning.edit_at(help, self.lines(outcome, place), "");
        if code == Code::OVERLAY_NO_EFFECT && self.is_sure(outcome, place) {
            warning.parts_mut().helps.iter_mut().for_each(|help| help.tried = true);
        }
        Some(warning)
    }

    /// Is it certain that a render without an item that kept what was there gives the same? An item of a map with a scalar,
    /// and with others beside it, is taken out of a file that no code sees, and no alias in it needs it.
    fn is_sure(&self, outcome: &Outcome, place: NodeSpan) -> bool {
        let source = self.sources.get(place.source);
        outcome.did == Did::MATCH.and(Did::KEEP)
            && outcome.start == place.start
            && place.key_end > place.start
            && self.items_in(outcome.pos).is_empty()
            && self.arena.outcomes.is_unseen(place.source)
            && source.written(place.whole()).is_some_and(|text| !text.contains('&'))
    }

    /// The lines of an item with its annotations, if nothing else stands on them, and no code that is needed without it.
    fn lines(&self, outcome: &Outcome, place: NodeSpan) -> Option<Span> {
        let end = place.end.max(place.key_end);
        let source = self.sources.get(place.source);
        let lines = source.lines_of(Span::new(place.source, outcome.start.min(place.start), end))?;
        // An item reaches down to the next one, over lines of code that are not its own.
        let code = FileCode::read(&source, place.source);
        code.is_none_or(|code| code.may_cut(lines)).then_some(lines)
    }

    fn missing_ok(&self, pos: PosId) -> Option<Diagnostic> {
        let place = self.place(pos)?;
        let source = self.sources.get(place.source);
        let argument = written::named(self.sources, place.value(), "missing_ok")?;
        let is_written = source.written(argument.value) == Some("True");
        let argument = argument.whole();
        // What code gives may be needed another time.
        if !is_written {
            return None;
        }
        let warning = Diagnostic::warning(
            Code::OVERLAY_MISSING_OK_UNNEEDED,
            "`missing_ok` is not needed: what it stands for was never missing",
        );
        let is_alone = source.written(place.value()).is_some_and(|text| Some(text.trim()) == source.written(argument));
        let (help, edit) = match is_alone {
            true => ("remove the annotation", source.lines_of(place.whole())),
            false => ("remove the argument", Some(source.with_comma(place.value(), argument))),
        };
        let found = warning.fact(Fact::Useless).label(argument, "everything was there, at every match");
        Some(found.edit_at(help, edit, ""))
    }
}
