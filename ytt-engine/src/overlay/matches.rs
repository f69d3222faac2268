//! Matchers: `by=` of an item made ready, and evaluated on one left item without Starlark where that is possible.
//!
//! A text is short for `map_key` of it. `overlay.index`, `all`, `map_key`, `subset` and their combinations come as data
//! ([`crate::call::Matcher`]), and are made a [`Test`]; only functions of the user are called.

use super::annotation::{MatchRule, RightKind};
use super::compare::{is_part, key_value, key_values};
use super::engine::{Engine, Right};
use super::matcher::{Asked, Target, Test};
use super::problem::{Caller, Problem, Wanted};
use super::target::target_value;
use crate::call::{Arg, Matcher, Seen, ValueHandle};
use crate::yaml::Val;

impl Engine<'_> {
    /// The matcher of a rule; `None` where a map item matches by its own key.
    pub(super) fn test_of(&mut self, rule: &MatchRule, kind: RightKind) -> Result<Option<Test>, Problem> {
        let Some(by) = rule.by else {
            return if kind == RightKind::MapItem { Ok(None) } else { Err(Problem::NoMatcher(kind)) };
        };
        match self.calls.see(by.value) {
            Seen::Str(name) if kind != RightKind::Document => Ok(Some(Test::Key(self.arena_mut().intern(&name)))),
            Seen::Function => Ok(Some(Test::Function(by.value))),
            Seen::Matcher(matcher) => Ok(Some(self.test(&matcher, 0)?)),
            _ => Err(Problem::WrongArgument { name: "by", argument: by, wanted: Wanted::Matcher(kind) }),
        }
    }

    /// Makes a matcher ready. `depth` counts combinations in combinations.
    pub(super) fn test(&mut self, matcher: &Matcher, depth: u32) -> Result<Test, Problem> {
        let limit = self.arena().depth();
        if depth >= limit {
            return Err(Problem::TooDeepList(limit));
        }
        let mut inner = |live: &ValueHandle| match self.calls.see(*live) {
            Seen::Function => Ok(Test::Function(*live)),
            Seen::Matcher(matcher) => self.test(&matcher, depth.saturating_add(1)),
            Seen::Str(text) => Ok(Test::Uncallable("string", Some(text))),
            _ => Ok(Test::Uncallable(self.calls.kind(*live), None)),
        };
        Ok(match matcher {
            Matcher::Index(index) => Test::Index(*index),
            Matcher::All => Test::All,
            Matcher::Key(name) => match self.calls.see(*name) {
                Seen::Str(name) => Test::Key(self.arena_mut().intern(&name)),
                _ => Test::Uncallable("map_key", None),
            },
            Matcher::Subset(target) => Test::Subset(Target::Live(*target)),
            Matcher::And(tests) => Test::And(tests.iter().map(&mut inner).collect::<Result<_, _>>()?),
            Matcher::Or(tests) => Test::Or(tests.iter().map(&mut inner).collect::<Result<_, _>>()?),
            Matcher::Not(test) => Test::Not(Box::new(inner(test)?)),
        })
    }

    /// Does the matcher take this left item?
    pub(super) fn matches(&mut self, test: &mut Test, asked: Asked, right: &mut Right) -> Result<bool, Problem> {
        let result = match test {
            Test::All => Ok(true),
            Test::Index(index) => match asked.first {
                Val::Int(first) => Ok(first == *index),
                other => Err(Problem::KeyAsIndex { is_number: matches!(other, Val::UInt(_)) }),
            },
            Test::Key(key) => self.matches_key(*key, asked, right),
            Test::Subset(target) => self.matches_subset(target, asked),
            Test::And(tests) => self.matches_each(tests, asked, right, false),
            Test::Or(tests) => self.matches_each(tests, asked, right, true),
            Test::Not(test) => self.matches(test, asked, right).map(|found| !found),
            Test::Function(function) => self.matches_function(*function, asked, right),
            Test::Uncallable(kind, text) => Err(Problem::Uncallable(kind, text.clone())),
        };
        result.map_err(|problem| match test.name(self.calls.is_tried()) {
            Some(name) => Problem::Within(name, Box::new(problem)),
            None => problem,
        })
    }

    /// Elements in order, until one is `until`.
    fn matches_each(
        &mut self,
        tests: &mut [Test],
        asked: Asked,
        right: &mut Right,
        until: bool,
    ) -> Result<bool, Problem> {
        for test in tests {
            if self.matches(test, asked, right)? == until {
                return Ok(until);
            }
        }
        Ok(!until)
    }

    fn matches_function(&mut self, function: ValueHandle, asked: Asked, right: &mut Right) -> Result<bool, Problem> {
        self.own(right)?;
        right.exposed = true;
        let (left, new) = (self.value(asked.item), self.value(right.node));
        let args = [Arg::Val(asked.first), Arg::Val(left), Arg::Val(new)];
        let caller = Caller::Matcher { item: asked.item, right: right.node };
        let result = self.call(function, &args, caller)?;
        match self.calls.see(result) {
            Seen::Bool(found) => Ok(found),
            _ => Err(Problem::NoBool { gave: self.calls.kind(result), item: asked.item }),
        }
    }

    /// Compat: `subset` makes nodes of the raw values that it looks at.
    fn matches_subset(&mut self, target: &mut Target, asked: Asked) -> Result<bool, Problem> {
        let wanted = target_value(&*self.calls, target)?;
        self.nodes_below(asked.item)?;
        let arena = self.arena();
        Ok(is_part(&arena, arena.value(asked.item), wanted))
    }

    fn matches_key(&mut self, key: Val, asked: Asked, right: &Right) -> Result<bool, Problem> {
        let arena = self.arena();
        let value_of = |item| {
            let fault = |fault| Problem::KeyFault { fault, item, key, right: right.node };
            key_value(&arena, arena.value(item), key).map_err(fault)
        };
        let (left, new) = (value_of(asked.item)?, value_of(right.node)?);
        let line = |node| arena.span_of(node).map(|span| self.calls.sources().name_line(span));
        Ok(key_values(&arena, left, new, &line))
    }
}
