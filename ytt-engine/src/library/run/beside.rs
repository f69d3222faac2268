//! What else is wrong where some files cannot be read as programs: it would be told in the next run.

use std::sync::Arc;

use super::{Addressed, Collected, Input, Run, Stop, Use};
use crate::diag::{Diagnostic, Diagnostics};
use crate::yaml::NodeId;

impl Run<'_, '_, '_, '_, '_> {
    /// Is a file with these problems one that a run which ends early never evaluates? The reference compiles a file when
    /// it evaluates it, so that a look at values or their schema works beside a template that is none.
    pub(super) fn is_beyond(&self, stop: Stop, problems: &Diagnostics) -> bool {
        let annotation = match stop {
            Stop::Render => return false,
            Stop::Values => "@data/values",
            Stop::Schema => "@data/values-schema",
        };
        problems.0.iter().all(|problem| {
            let area = problem.code().as_str().split("::").next();
            matches!(area, Some("template" | "starlark")) && !self.may_hold(problem, annotation)
        })
    }

    /// May the file of a problem have that annotation?
    fn may_hold(&self, problem: &Diagnostic, annotation: &str) -> bool {
        problem.parts().labels.first().is_none_or(|label| {
            let source = self.session.state().sources.get(label.span.source);
            let is_it =
                |line: &str| line.trim_start().strip_prefix('#').is_some_and(|line| line.starts_with(annotation));
            source.text.as_str().is_none_or(|text| text.lines().any(is_it))
        })
    }

    /// What is wrong with the data values where other files are wrong too: the reference would say it first. Names that
    /// these files do not know may be those of values. Where values are right, what fails in the files that were read.
    pub(super) fn wrong_values(
        &mut self,
        mut inputs: Vec<Input>,
        problems: &mut Diagnostics,
    ) -> (Diagnostics, Diagnostics) {
        let state = self.session.state();
        let may_hold_values = |problem: &Diagnostic| self.may_hold(problem, "@data/values");
        // Programs see the first problem only; without a file that gives values, what others give seems wrong.
        if state.trying.get() > 0 || problems.0.iter().any(may_hold_values) {
            return Default::default();
        }
        let checked = self.schema(&mut inputs).and_then(|schema| self.values(&mut inputs, &schema));
        if let Ok(values) = &checked {
            let data = state.arena.borrow().value(*values);
            self.session.name_values(data, problems);
        }
        let is_of_values = |problem: &Diagnostic| {
            let area = problem.code().as_str().split("::").next();
            matches!(area, Some("schema" | "validate" | "values" | "overlay"))
        };
        match checked {
            Ok(values) => {
                self.warn_of_values_beside(&mut inputs, values);
                (Diagnostics::default(), self.wrong_beside(&mut inputs, values))
            }
            Err(found) => (Diagnostics(found.0.into_iter().filter(is_of_values).collect()), Diagnostics::default()),
        }
    }

    /// The problems of rules, with what fails in the files for output, where nothing says that the values are wrong.
    pub(super) fn with_wrong_beside(&mut self, inputs: &mut [Input], problems: Diagnostics, stop: Stop) -> Diagnostics {
        // Programs see the first problem only.
        let is_report = stop == Stop::Render && self.session.state().trying.get() == 0;
        let Some((values, fail)) = self.refused.filter(|_| is_report) else { return problems };
        self.warn_of_values_beside(inputs, values);
        if !fail {
            return problems;
        }
        let mut all = problems;
        all.0.extend(self.wrong_beside(inputs, values).0);
        all
    }

    /// What fails in the files for output that were read, where others were not: they do not know each other.
    fn wrong_beside(&mut self, inputs: &mut [Input], values: NodeId) -> Diagnostics {
        let data = self.session.state().arena.borrow().value(values);
        let addressed = Arc::new(Addressed::new(std::mem::take(&mut self.addressed)));
        let mut found = Collected::default();
        for input in inputs.iter_mut().filter(|input| input.used == Use::Output) {
            if let Err(problems) = self.evaluate_file(input, data, &addressed) {
                found.add(problems);
            }
        }
        found.problems
    }
}
