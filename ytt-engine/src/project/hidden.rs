//! Problems that others hid: what keeps a file from being read keeps people from what else is wrong with the project. Where
//! the edit of a help lets the file be read, the render with it tells.

use std::collections::HashSet;
use std::sync::Arc;

use super::trial::{Key, Trial, is_same_file, key};
use crate::diag::{Code, Diagnostic};
use crate::source::{Source, SourceId, SourceMap, Span, to_u32};

/// Problems that are told beside those of a render.
const MOST: usize = 5;

/// Those that showed when edits were made, at their places in the files as they are.
#[derive(Default)]
pub(super) struct Hidden {
    pub(super) found: Vec<Diagnostic>,
    known: HashSet<Key>,
}

impl Hidden {
    /// Takes what showed after edits that mend a problem. This kept a file from being read, so that what showed comes of no
    /// guess about values, if it is not where the edits are.
    pub(super) fn take(&mut self, sources: &Arc<SourceMap>, own: &Diagnostic, trial: &Trial) {
        let all = sources.all();
        for problem in &trial.shown {
            let Some(mut problem) = at_old_places(sources, &all, problem, trial) else { continue };
            // The same place is no better for the edit.
            if goes_on_there(sources, own, &problem) {
                continue;
            }
            if self.found.len() < MOST && self.known.insert(key(&problem, |_, at| at)) {
                // Nothing was tried of it.
                problem.parts_mut().helps.iter_mut().for_each(|help| help.tried = false);
                self.found.push(problem.note("this shows once the help above is followed"));
            }
        }
    }
}

/// Does a problem keep its file from being read or run at all, whatever the values are?
pub(super) fn stops_its_file(problem: &Diagnostic) -> bool {
    let code = problem.code();
    let is_read =
        [Code::YAML_SYNTAX, Code::STARLARK_SYNTAX, Code::STARLARK_UNDEFINED, Code::MODULE_ARGUMENT].contains(&code);
    is_read || code.as_str().starts_with("template::") || problem.parts().message.starts_with("load: ")
}

/// Is one problem of grammar in the place of another one, on the lines that it has marked? A like one further on is not.
fn goes_on_there(sources: &SourceMap, own: &Diagnostic, problem: &Diagnostic) -> bool {
    let lines = |problem: &Diagnostic| {
        let labels = problem.parts().labels.iter().map(|label| label.span);
        labels.map(|span| (span.source, sources.get(span.source).line(span.start))).collect::<Vec<_>>()
    };
    let (marked, there) = (lines(own), lines(problem));
    // The next one of the same kind has its own line, which the first one does not mark.
    let decide = if own.parts().message == problem.parts().message { 1 } else { there.len() };
    own.code() == problem.code() && there.iter().take(decide).any(|line| marked.contains(line))
}

/// A problem of a render with edits as one of the files without them, if all its places are there.
fn at_old_places(
    sources: &Arc<SourceMap>,
    all: &[Arc<Source>],
    problem: &Diagnostic,
    trial: &Trial,
) -> Option<Diagnostic> {
    let own = problem.parts().sources.clone()?;
    let old = |span: Span| {
        let source = own.get(span.source);
        let at = all.iter().position(|other| is_same_file(&source, other))?;
        let [start, end] = [span.start, span.end].map(|place| trial.before(&source, place));
        Some(Span::new(SourceId(to_u32(at)), start?, end?))
    };
    let mut problem = problem.clone();
    let parts = problem.parts_mut();
    for label in &mut parts.labels {
        label.span = old(label.span)?;
    }
    for frame in &mut parts.trace {
        frame.span = frame.span.and_then(old);
    }
    for help in &mut parts.helps {
        help.edit = help.edit.take().and_then(|(span, new)| Some((old(span)?, new)));
    }
    parts.sources = Some(sources.clone());
    (!parts.labels.is_empty()).then_some(problem)
}

#[cfg(test)]
mod tests {
    use crate::project::Project;

    /// The messages of what is wrong with one file, and the lines of their first places.
    fn told(text: &str) -> Vec<(String, u32)> {
        let error = Project::new().file("a.yml", text).render().unwrap_err();
        let line = |one: &crate::Diagnostic| one.labels().next().map_or(0, |label| label.place().start().line);
        error.diagnostics().iter().map(|one| (one.message().to_owned(), line(one))).collect()
    }

    #[test]
    fn what_shows_is_told_where_it_stands_in_the_file_as_it_is() {
        let lines = |text: &str| told(text).into_iter().map(|(_, line)| line).collect::<Vec<_>>();
        // What is on the line of the edit may come of it; the other one has the place that it has in the file.
        assert_eq!(lines("a: #@ x.class\nb: #@ y\n"), [1, 2]);
        assert_eq!(lines("b: #@ y\na: #@ 1 .class\n"), [2, 1]);
    }

    #[test]
    fn the_same_place_is_told_once() {
        // Behind the bracket the grammar fails again, on a line that is marked.
        assert_eq!(told("#@ x = {\n#@   \"a\": f(\n#@   \"b\": 1\n#@ }\n").len(), 1);
    }
}
