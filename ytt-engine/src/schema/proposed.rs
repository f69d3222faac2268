//! The value that is proposed where a rule refuses one.

use super::run_rules::Walk;
use crate::diag::{Diagnostic, Fact, suggest};
use crate::validate::{Rule, Rules, Test};
use crate::yaml::NodeId;
use crate::yaml::resolve::needs_no_quotes;

impl Walk<'_> {
    /// A value that is near one of those that are allowed; else what it must be.
    pub(super) fn meant(
        &self,
        problem: Diagnostic,
        node: NodeId,
        allowed: &[String],
        (rules, first): (&Rules, &Rule),
    ) -> Diagnostic {
        let arena = self.calls.arena().borrow();
        let value = arena.str(arena.value(node));
        let similar = value.and_then(|value| suggest::similar(value, allowed.iter().map(String::as_str)));
        let is_guess = similar.is_none();
        // `warning` for `warn`.
        let begins = || {
            let value = value?;
            let all = || allowed.iter().map(String::as_str);
            suggest::begins(value, all()).or_else(|| suggest::stem(value, all()))
        };
        let (Some(value), Some(near)) = (value, similar.or_else(begins)) else {
            let Some(place) = arena.place_of(node) else { return problem };
            let given = self.given_by(place.key()).map(|flag| format!(" in {flag}")).unwrap_or_default();
            let fits = |most: i128| {
                value.and_then(|value| value.strip_suffix('\n')).is_some_and(|value| value.len() as i128 <= most)
            };
            let is_long = matches!(first.test, Test::MaxLen(most) if fits(most));
            let file = self.file_of(place.key()).filter(|_| is_long);
            let told = match file {
                Some(file) => problem.help(format!(
                    "take away the line break at the end of `{file}`, if it is too much, or change what stands in it; {}",
                    self.required(rules)
                )),
                None => problem.help(format!("change `{}`{given}; {}", self.shown(), self.required(rules))),
            };
            let Some(value) = value.filter(|_| !allowed.is_empty()) else { return told };
            return match self.also_allowed(rules, value) {
                Some((span, new)) => {
                    let text = format!("or, if `{value}` is right, let the rule allow it, too");
                    told.help_edit(text, span, new).guessing()
                }
                None => told,
            };
        };
        let text = format!("did you mean `{near}`?");
        let sources = self.calls.sources();
        let place = arena.place_of(node).map(|place| place.value_or_key(sources));
        match place.filter(|place| sources.get(place.source).written(*place) == Some(value) && needs_no_quotes(near)) {
            Some(place) if is_guess => problem.help_edit(text, place, near).guessing(),
            Some(place) => problem.help_edit(text, place, near),
            None => {
                let mut told = problem.help(text);
                if let Some(Fact::Rule { near: proposed, .. }) = &mut told.parts_mut().fact {
                    *proposed = Some((near.to_owned(), is_guess));
                }
                told
            }
        }
    }
}
