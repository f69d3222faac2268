//! How many items must match: exactly one, unless `expects`, `missing_ok` or `when`, own or inherited, say otherwise.
//!
//! So a key that is only on the right is a problem here. The check comes after matching. An unmet `when` switches the
//! item off; every other unmet rule is a problem.

use super::annotation::{Argument, Counts};
use super::engine::Engine;
use super::problem::{Caller, Expected, Problem, Wanted};
use crate::call::{Arg, Seen};
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
        let given = |name, argument: Option<Argument>| Some((name, argument?));
        let missing_ok = given("missing_ok", counts.missing_ok);
        let (expects, when) = (given("expects", counts.expects), given("when", counts.when));
        let (argument, missed) = match (missing_ok, expects, when) {
            (Some(first), Some(second), _) | (Some(first), None, Some(second)) | (None, Some(second), Some(first)) => {
                return Err(Problem::OnlyOneOf(first, second));
            }
            (Some((name, ok)), None, None) => match self.calls.see(ok.value) {
                Seen::Bool(true) if count == 0 => (missing_ok, None),
                Seen::Bool(_) => (missing_ok, exactly(1, count)),
                _ => return Err(wrong(name, ok, Wanted::MissingOk)),
            },
            (None, None, Some((name, when))) => {
                let missed = self.check_rule(when, name, count, 0)?;
                return Ok(if missed.is_some() { Counted::Off } else { Counted::Kept });
            }
            (None, Some((name, rule)), None) => (expects, self.check_rule(rule, name, count, 0)?),
            (None, None, None) => (None, exactly(1, count)),
        };
        Ok(missed.map_or(Counted::Kept, |expected| Counted::Unmet(expected, argument)))
    }

    fn check_rule(&mut self, rule: Argument, name: &'static str, count: usize, depth: u32) -> Result<Missed, Problem> {
        match self.calls.see(rule.value) {
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
                for value in rules {
                    last = self.check_rule(Argument { value, ..rule }, name, count, depth.saturating_add(1));
                    if matches!(last, Ok(None)) {
                        break;
                    }
                }
                last
            }
            Seen::Function | Seen::Matcher(_) => {
                let number = i64::try_from(count).unwrap_or(i64::MAX);
                let result = self.call(rule.value, &[Arg::Val(Val::Int(number))], Caller::Count)?;
                match self.calls.see(result) {
                    Seen::Bool(true) => Ok(None),
                    Seen::Bool(false) => Ok(Some(Expected::Agreement)),
                    _ => Err(wrong(name, rule, Wanted::Agreement)),
                }
            }
            // Outside of 64 bits with sign.
            Seen::Other if self.calls.kind(rule.value) == "int" => match self.calls.to_val(rule.value) {
                Ok(Val::UInt(wanted)) => Ok(exactly(i128::from(wanted), count)),
                _ => Err(wrong(name, rule, Wanted::Integer)),
            },
            _ => Err(wrong(name, rule, Wanted::Count)),
        }
    }
}

fn exactly(wanted: i128, count: usize) -> Missed {
    (wanted != count as i128).then_some(Expected::Exactly(wanted))
}

fn wrong(name: &'static str, argument: Argument, wanted: Wanted) -> Problem {
    Problem::WrongArgument { name, argument, wanted }
}
