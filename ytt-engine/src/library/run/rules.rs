//! Rules that values break beside others that are of a wrong type: they would be told in the next run else.

use super::values::{self, GivenValue};
use super::{Run, early, order};
use crate::diag::{Code, Diagnostic, Diagnostics, Fact, Label};
use crate::schema::{self, Schema};
use crate::source::SourceMap;
use crate::yaml::NodeId;

impl Run<'_, '_, '_, '_, '_> {
    /// The rules that final values break.
    pub(super) fn broken_rules(
        &mut self,
        schema: &Schema,
        values: NodeId,
        given: (&[NodeId], &[GivenValue]),
    ) -> Diagnostics {
        let mut broken = schema::validate(self.session, schema, values);
        let state = self.session.state();
        values::tell_of_rules(&state.arena.borrow(), &state.sources, &mut broken.0, given);
        broken
    }
}

impl Run<'_, '_, '_, '_, '_> {
    /// The warnings of values of an environment that others of the same folder override.
    pub(super) fn overridden_by_bases(&self, documents: &[NodeId]) -> Vec<Diagnostic> {
        let state = self.session.state();
        match self.scope.common.lints.is_on(Code::VALUES_OUT_OF_ORDER.as_str()) && documents.len() > 1 {
            true => order::overridden_by_bases(&state.arena.borrow(), &state.sources, documents),
            false => Vec::new(),
        }
    }

    /// Values of flags that the documents of a schema which is wrong do not declare.
    pub(super) fn undeclared_early(&self, schemas: &[NodeId]) -> Vec<Diagnostic> {
        let state = self.session.state();
        // Programs see the first problem only.
        match state.trying.get() {
            0 => early::undeclared(&state.arena.borrow(), schemas, &self.given.values),
            _ => Vec::new(),
        }
    }
}

/// Do these rules all fail before they can tell whether a value is right?
pub(super) fn all_fail(broken: &Diagnostics) -> bool {
    let fails = |problem: &Diagnostic| matches!(problem.parts().fact, Some(Fact::Rule { fails: true, .. }));
    !broken.0.is_empty() && broken.0.iter().all(fails)
}

/// Of the rules that are broken where values of a wrong type are left out: those which do not come of that. A value that is
/// judged was given by somebody, not put back to its default, and its rule looks at nothing else.
pub(super) fn beside(sources: &SourceMap, broken: Diagnostics, wrong: &Diagnostics) -> Vec<Diagnostic> {
    let paths: Vec<&str> = wrong.0.iter().filter_map(|problem| Some(&*problem.parts().value.as_ref()?.path)).collect();
    // Where a problem has no path, nobody knows what was left out; a key that is not declared may be meant for another.
    let is_of_type = |problem: &Diagnostic| problem.code() == Code::SCHEMA_TYPE;
    if paths.len() != wrong.0.len() || !wrong.0.iter().all(is_of_type) {
        return Vec::new();
    }
    let is_apart = |problem: &Diagnostic| {
        let parts = problem.parts();
        let (Some(Fact::Rule { path, .. }), [value, rule @ ..]) = (&parts.fact, &parts.labels[..]) else {
            return false;
        };
        let touches = |other: &&str| is_within(other, path) || is_within(path, other);
        let asks = |label: &Label| {
            let source = sources.get(label.span.source);
            source.written(label.span).is_none_or(|text| text.contains("when"))
        };
        // A default stands in the schema, as its rule does.
        let is_given = rule.len() == 1 && rule.iter().all(|label| label.span.source != value.span.source);
        problem.code() == Code::VALIDATE_RULE && is_given && !rule.iter().any(asks) && !paths.iter().any(touches)
    };
    broken.0.into_iter().filter(is_apart).collect()
}

/// Is a path that of a value inside of another one, or the same?
fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}
