//! How many items may match: `expects`, `missing_ok`, `when`, own or inherited.
//!
//! The check comes after matching. An unmet `when` switches the item off; every other unmet rule is an error, whose
//! labels and candidates `report` adds.

use super::annotation::{Argument, ArgumentValue, Counts, MATCH};
use super::engine::Engine;
use super::failure::Failure;
use crate::call::{Arg, Seen, ValueHandle};
use crate::diag::{Code, Diagnostic};
use crate::yaml::Val;

/// A rule that the number of matches does not keep.
#[derive(Clone, Debug)]
pub(super) struct Unmet {
    pub(super) text: String,
    pub(super) wanted: Wanted,
    /// The argument that holds the rule; `None` for the default, exactly one.
    pub(super) argument: Option<(&'static str, Argument)>,
}

/// What a rule asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Exactly(i128),
    AtLeast(i64),
    Function,
}

/// How a single rule failed.
enum Fault {
    Unmet(String, Wanted),
    Error(Failure),
}

impl<F: Into<Failure>> From<F> for Fault {
    fn from(failure: F) -> Fault {
        Fault::Error(failure.into())
    }
}

/// The outcome of a count check.
pub(super) enum Counted {
    Kept,
    /// `when` is not met: nothing is to be done.
    Off,
    Unmet(Unmet),
}

/// The matches as the check sees them: their number, and their lines only for a message.
pub(super) struct Matches<'a> {
    pub(super) count: usize,
    pub(super) lines: &'a dyn Fn(&Engine<'_>) -> String,
}

impl Engine<'_> {
    /// Checks the number of matches.
    pub(super) fn check_count(&mut self, counts: &Counts, matches: &Matches<'_>) -> Result<Counted, Failure> {
        let (name, argument, result) = match *counts {
            Counts { missing_ok: Some(ok), expects: Some(expects), .. } => {
                return Err(self.only_one(("missing_ok", ok), ("expects", expects)));
            }
            Counts { missing_ok: Some(ok), when: Some(when), .. } => {
                return Err(self.only_one(("missing_ok", ok), ("when", when)));
            }
            Counts { when: Some(when), expects: Some(expects), .. } => {
                return Err(self.only_one(("when", when), ("expects", expects)));
            }
            Counts { missing_ok: Some(ok), .. } => {
                let result = match ok.see(&*self.calls) {
                    Seen::Bool(true) if matches.count == 0 => Ok(()),
                    Seen::Bool(_) => self.exactly(1, matches),
                    _ => {
                        let text = "Expected keyword argument 'missing_ok' to be a boolean".to_string();
                        return Err(ok.wrong(&*self.calls, "missing_ok", text, "True or False"));
                    }
                };
                ("missing_ok", Some(ok), result)
            }
            Counts { when: Some(when), .. } => ("when", Some(when), self.check_rule(when, "when", matches, 0)),
            Counts { expects: Some(expects), .. } => {
                ("expects", Some(expects), self.check_rule(expects, "expects", matches, 0))
            }
            Counts { .. } => ("", None, self.exactly(1, matches)),
        };
        match result {
            Ok(()) => Ok(Counted::Kept),
            Err(Fault::Error(failure)) => Err(failure),
            Err(Fault::Unmet(..)) if name == "when" => Ok(Counted::Off),
            Err(Fault::Unmet(text, wanted)) => {
                Ok(Counted::Unmet(Unmet { text, wanted, argument: argument.map(|argument| (name, argument)) }))
            }
        }
    }

    fn check_rule(
        &mut self,
        rule: Argument,
        name: &'static str,
        matches: &Matches<'_>,
        depth: u32,
    ) -> Result<(), Fault> {
        match rule.see(&*self.calls) {
            Seen::Int(wanted) => self.exactly(i128::from(wanted), matches),
            Seen::Str(text) => self.at_least(rule, name, &text, matches),
            Seen::List(rules) => {
                let limit = self.arena().depth();
                if depth >= limit {
                    let text = format!("nesting is deeper than {limit} levels");
                    return Err(Diagnostic::limit(Code::LIMIT, "depth", text).into());
                }
                let mut last = Ok(());
                for live in rules {
                    let rule = Argument { given: ArgumentValue::Live(live), ..rule };
                    last = self.check_rule(rule, name, matches, depth + 1);
                    if last.is_ok() {
                        break;
                    }
                }
                last
            }
            Seen::Function | Seen::Matcher(_) => match rule.given {
                ArgumentValue::Live(function) => self.ask(function, rule, name, matches),
                ArgumentValue::True => Ok(()),
            },
            Seen::Other if self.kind(rule) == "int" => self.large(rule, name, matches),
            _ => {
                let text = format!(
                    "Expected '{MATCH}' annotation keyword argument '{name}' to be either int, string or function, \
                     but was {}",
                    rule.kind(&*self.calls)
                );
                Err(rule
                    .wrong(&*self.calls, name, text, "a number, a string such as \"1+\", a list or a function")
                    .into())
            }
        }
    }

    fn kind(&self, argument: Argument) -> &'static str {
        match argument.given {
            ArgumentValue::Live(live) => self.calls.kind(live),
            ArgumentValue::True => "bool",
        }
    }

    /// An integer outside of 64 bits with sign.
    fn large(&mut self, rule: Argument, name: &'static str, matches: &Matches<'_>) -> Result<(), Fault> {
        if let ArgumentValue::Live(live) = rule.given
            && let Ok(Val::UInt(wanted)) = self.calls.to_val(live)
        {
            return self.exactly(i128::from(wanted), matches);
        }
        let text = format!("Expected keyword argument '{name}' to be an integer");
        Err(rule.wrong(&*self.calls, name, text, "a number of matches").into())
    }

    fn exactly(&self, wanted: i128, matches: &Matches<'_>) -> Result<(), Fault> {
        if wanted == matches.count as i128 {
            return Ok(());
        }
        let lines = (matches.lines)(self);
        let text = format!("Expected number of matched nodes to be {wanted}, but was {}{lines}", matches.count);
        Err(Fault::Unmet(text, Wanted::Exactly(wanted)))
    }

    fn at_least(&self, rule: Argument, name: &str, text: &str, matches: &Matches<'_>) -> Result<(), Fault> {
        let Some(wanted) = text.strip_suffix('+').and_then(|number| number.parse::<i64>().ok()) else {
            let text = format!("Expected '{text}' to be in format 'i+' where i is an integer");
            return Err(rule.wrong(&*self.calls, name, text, "a number followed by `+`, such as \"1+\"").into());
        };
        if matches.count as i128 >= i128::from(wanted) {
            return Ok(());
        }
        let lines = (matches.lines)(self);
        let text = format!("Expected number of matched nodes to be >= {wanted}, but was {}{lines}", matches.count);
        Err(Fault::Unmet(text, Wanted::AtLeast(wanted)))
    }

    fn ask(
        &mut self,
        function: ValueHandle,
        rule: Argument,
        name: &'static str,
        matches: &Matches<'_>,
    ) -> Result<(), Fault> {
        let result = self.call(function, &[Arg::Val(Val::Int(matches.count as i64))])?;
        match self.calls.see(result) {
            Seen::Bool(true) => Ok(()),
            Seen::Bool(false) => {
                Err(Fault::Unmet("Expectation of number of matched nodes failed".to_string(), Wanted::Function))
            }
            _ => {
                let text = format!("Expected keyword argument '{name}' to have a function that returns a boolean");
                Err(rule.wrong(&*self.calls, name, text, "a function that returns True or False").into())
            }
        }
    }
}
