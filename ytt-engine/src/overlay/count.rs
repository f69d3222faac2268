//! How many items must match: exactly one, unless `expects`, `missing_ok` or `when`, own or inherited, say otherwise.
//!
//! So a key that is only on the right is a problem here. The check comes after matching. An unmet `when` switches the
//! item off; every other unmet rule is a problem.

use super::annotation::{Argument, ArgumentValue, Counts};
use super::engine::Engine;
use super::problem::{Caller, Expected, Problem, Wanted};
use crate::call::{Arg, Seen, ValueHandle};
use crate::yaml::Val;

/// The outcome of a count check.
pub(super) enum Counted {
    Kept,
    /// `when` is not met: nothing is to be done.
    Off,
    /// What was expected, and the argument that says so; without one it is exactly one.
    Unmet(Expected, Option<(&'static str, Argument)>),
}

/// What a single rule expects, if it is not met.
type Missed = Option<Expected>;

impl Engine<'_> {
    /// Checks the number of matches.
    pub(super) fn check_count(&mut self, counts: &Counts, count: usize) -> Result<Counted, Problem> {
        let (argument, missed) = match *counts {
            Counts { missing_ok: Some(ok), expects: Some(expects), .. } => {
                return Err(Problem::OnlyOneOf(("missing_ok", ok), ("expects", expects)));
            }
            Counts { missing_ok: Some(ok), when: Some(when), .. } => {
                return Err(Problem::OnlyOneOf(("missing_ok", ok), ("when", when)));
            }
            Counts { when: Some(when), expects: Some(expects), .. } => {
                return Err(Problem::OnlyOneOf(("when", when), ("expects", expects)));
            }
            Counts { missing_ok: Some(ok), .. } => {
                let missed = match ok.see(&*self.calls) {
                    Seen::Bool(true) if count == 0 => None,
                    Seen::Bool(_) => exactly(1, count),
                    _ => return Err(wrong("missing_ok", ok, Wanted::MissingOk)),
                };
                (Some(("missing_ok", ok)), missed)
            }
            Counts { when: Some(when), .. } => {
                let missed = self.check_rule(when, "when", count, 0)?;
                return Ok(if missed.is_some() { Counted::Off } else { Counted::Kept });
            }
            Counts { expects: Some(expects), .. } => {
                (Some(("expects", expects)), self.check_rule(expects, "expects", count, 0)?)
            }
            Counts { .. } => (None, exactly(1, count)),
        };
        Ok(missed.map_or(Counted::Kept, |expected| Counted::Unmet(expected, argument)))
    }

    fn check_rule(&mut self, rule: Argument, name: &'static str, count: usize, depth: u32) -> Result<Missed, Problem> {
        match rule.see(&*self.calls) {
            Seen::Int(wanted) => Ok(exactly(i128::from(wanted), count)),
            Seen::Str(text) => {
                let Some(wanted) = text.strip_suffix('+').and_then(|number| number.parse::<i64>().ok()) else {
                    return Err(wrong(name, rule, Wanted::AtLeast(text)));
                };
                Ok((count < usize::try_from(wanted).unwrap_or(0)).then_some(Expected::AtLeast(wanted)))
            }
            Seen::List(rules) => {
                let limit = self.arena().depth();
                if depth >= limit {
                    return Err(Problem::TooDeepList(limit));
                }
                // What is wrong with one of them counts if it is the last.
                let mut last = Ok(None);
                for live in rules {
                    let rule = Argument { given: ArgumentValue::Live(live), ..rule };
                    last = self.check_rule(rule, name, count, depth + 1);
                    if matches!(last, Ok(None)) {
                        break;
                    }
                }
                last
            }
            Seen::Function | Seen::Matcher(_) => match rule.given {
                ArgumentValue::Live(function) => self.ask(function, rule, name, count),
                ArgumentValue::True => Ok(None),
            },
            Seen::Other if rule.kind(&*self.calls) == "int" => self.large(rule, name, count),
            _ => Err(wrong(name, rule, Wanted::Count)),
        }
    }

    /// An integer outside of 64 bits with sign.
    fn large(&mut self, rule: Argument, name: &'static str, count: usize) -> Result<Missed, Problem> {
        match rule.given {
            ArgumentValue::Live(live) => match self.calls.to_val(live) {
                Ok(Val::UInt(wanted)) => Ok(exactly(i128::from(wanted), count)),
                _ => Err(wrong(name, rule, Wanted::Integer)),
            },
            ArgumentValue::True => Err(wrong(name, rule, Wanted::Integer)),
        }
    }

    fn ask(
        &mut self,
        function: ValueHandle,
        rule: Argument,
        name: &'static str,
        count: usize,
    ) -> Result<Missed, Problem> {
        let result = self.call(function, &[Arg::Val(Val::Int(count as i64))], Caller::Count)?;
        match self.calls.see(result) {
            Seen::Bool(true) => Ok(None),
            Seen::Bool(false) => Ok(Some(Expected::Agreement)),
            _ => Err(wrong(name, rule, Wanted::Agreement)),
        }
    }
}

fn exactly(wanted: i128, count: usize) -> Missed {
    (wanted != count as i128).then_some(Expected::Exactly(wanted))
}

fn wrong(name: &'static str, argument: Argument, wanted: Wanted) -> Problem {
    Problem::WrongArgument { name, argument, wanted }
}
