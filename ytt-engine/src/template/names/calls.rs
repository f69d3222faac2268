//! Parameters and arguments: which may stand behind which.
#![allow(
    clippy::arithmetic_side_effects,
    reason = "there are not more arguments and parameters than tokens, which a `u32` numbers"
)]

use hashbrown::HashSet;

use super::scope::Resolver;
use crate::diag::Fact;
use crate::template::tree::{Argument, ArgumentRole, Expr, Param, TokenId};

/// Named or positional arguments of one call.
const ARGUMENTS: usize = 256;

impl Resolver<'_> {
    pub(super) fn arguments(&mut self, arguments: &[Argument], call: &Expr) {
        let (mut star, mut double_star) = (false, false);
        let mut named: HashSet<&[u8]> = HashSet::new();
        let (mut positional, mut by_name) = (0, 0);
        for argument in arguments {
            let (first, last) = (argument.first, argument.value.last);
            let message = match argument.role {
                ArgumentRole::DoubleStar if double_star => Some("multiple **kwargs not allowed"),
                ArgumentRole::Star if double_star => Some("*args may not follow **kwargs"),
                ArgumentRole::Star if star => Some("multiple *args not allowed"),
                ArgumentRole::Named if double_star => Some("argument may not follow **kwargs"),
                ArgumentRole::Plain if star => Some("argument may not follow *args"),
                ArgumentRole::Plain if double_star => Some("argument may not follow **kwargs"),
                ArgumentRole::Plain if !named.is_empty() => Some("positional argument may not follow named"),
                _ => None,
            };
            if let Some(message) = message {
                self.problem(message, first, last);
                if message.starts_with("positional")
                    && let Some(problem) = self.problems.0.last_mut()
                {
                    problem.parts_mut().fact = Some(Fact::PositionalBehindNamed);
                }
            }
            match argument.role {
                ArgumentRole::Plain => positional += 1,
                ArgumentRole::Star => star = true,
                ArgumentRole::DoubleStar => double_star = true,
                ArgumentRole::Named => {
                    by_name += 1;
                    let name = self.text(first);
                    if !named.insert(name) {
                        let name = String::from_utf8_lossy(name);
                        self.problem(format!("keyword argument {name} repeated"), first, first);
                    }
                }
            }
            self.expr(&argument.value);
        }
        for (count, kind) in [(positional, "positional"), (by_name, "keyword")] {
            if count >= ARGUMENTS {
                let message = format!("{count} {kind} arguments in call, limit is {}", ARGUMENTS - 1);
                self.problem(message, call.first, call.last);
            }
        }
    }

    /// Parameters and body of a `def` or lambda; defaults belong to the scope outside.
    pub(super) fn function(&mut self, params: &[Param], body: impl FnOnce(&mut Self)) {
        for default in params.iter().filter_map(|param| param.default.as_ref()) {
            self.expr(default);
        }
        let loops = std::mem::take(&mut self.loops);
        self.enter(true);
        self.params(params);
        body(self);
        self.leave();
        self.loops = loops;
    }

    fn params(&mut self, params: &[Param]) {
        let mut optional = false;
        let (mut star, mut double_star): (Option<&Param>, Option<&Param>) = (None, None);
        let mut named_only = 0;
        for param in params {
            let behind = double_star.map(|param| String::from_utf8_lossy(self.text(param.name)).into_owned());
            let problem = match (param.role, behind) {
                (ArgumentRole::Plain, Some(name)) => Some(format!("required parameter may not follow **{name}")),
                (ArgumentRole::Named, Some(name)) => Some(format!("optional parameter may not follow **{name}")),
                (ArgumentRole::Star, Some(name)) => Some(format!("* parameter may not follow **{name}")),
                (ArgumentRole::DoubleStar, Some(_)) => Some("multiple ** parameters not allowed".to_string()),
                (ArgumentRole::Star, None) if star.is_some() => Some("multiple * parameters not allowed".to_string()),
                (ArgumentRole::Plain, None) if star.is_none() && optional => {
                    Some("required parameter may not follow optional".to_string())
                }
                _ => None,
            };
            if double_star.is_none()
                && star.is_some()
                && matches!(param.role, ArgumentRole::Plain | ArgumentRole::Named)
            {
                named_only += 1;
            }
            if let Some(problem) = problem {
                self.problem(problem, param.operator, param.operator);
            } else if param.role == ArgumentRole::Star {
                star = Some(param);
            }
            match param.role {
                ArgumentRole::DoubleStar => double_star = Some(param),
                ArgumentRole::Plain | ArgumentRole::Named => self.parameter(param, param.operator),
                ArgumentRole::Star => {}
            }
            optional |= param.role == ArgumentRole::Named;
        }
        if let Some(star) = star {
            if !star.bare {
                self.parameter(star, star.name);
            } else if named_only == 0 {
                self.problem("bare * must be followed by keyword-only parameters", star.operator, star.operator);
            }
        }
        if let Some(double_star) = double_star {
            self.parameter(double_star, double_star.name);
        }
    }

    fn parameter(&mut self, param: &Param, at: TokenId) {
        if self.bind(param.name) {
            let name = String::from_utf8_lossy(self.text(param.name)).into_owned();
            self.problem(format!("duplicate parameter: {name}"), at, at);
        }
    }
}
