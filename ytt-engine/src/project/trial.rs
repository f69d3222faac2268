//! Helps are tried before anybody sees them: the edit is made in memory, and the project is rendered again.
//!
//! An edit that leaves the problem as it was is no help and goes. One that leaves no problem behind that was not there
//! before is marked as tried, so that programs may apply it. Nothing is read again: files have the texts that the render
//! read. The work is bounded by the size of the inputs and by steps, never by time, so that a report is always the same.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::Steps;
use super::run::{Record, render_with};
use crate::diag::{Diagnostic, Help};
use crate::error::{Error, Warnings};
use crate::eval::PrintSink;
use crate::files::{Known, Reads};
use crate::library::Stop;
use crate::source::{Source, SourceMap, Span, Text};

/// Renders for one report.
const MOST: usize = 12;
/// Bytes of input of all of them.
const MOST_BYTES: usize = 2 << 20;
/// Bounds of each: an edit that makes a loop run longer is not worth the wait.
const STEPS: u64 = 25_000;
const NODES: u64 = 250_000;

/// The same error, with helps that were tried.
pub(super) fn tried(steps: &Steps, stop: Stop, sources: &Arc<SourceMap>, mut error: Error) -> Error {
    let bytes: usize = sources.all().iter().map(|source| source.text.as_bytes().len()).sum();
    let left = MOST.min(MOST_BYTES / bytes.max(1));
    let mut trials = Trials { steps: quiet(steps), stop, sources, left, done: HashMap::new() };
    let before = error.diagnostics().to_vec();
    for (diagnostic, own) in error.diagnostics_mut().iter_mut().zip(&before).take(steps.limits.reports as usize) {
        diagnostic.parts_mut().helps.retain_mut(|help| {
            let Some(trial) = trials.of(help) else { return true };
            let is_left = trial.after.contains(&trial.moved(own));
            help.tried = !is_left && {
                let known: HashSet<Key> = before.iter().map(|problem| trial.moved(problem)).collect();
                trial.after.is_subset(&known)
            };
            !is_left
        });
    }
    error
}

/// The same steps, without what anybody would see of them.
fn quiet(steps: &Steps) -> Steps {
    let mut steps = steps.clone();
    steps.print = PrintSink(Arc::new(|_| {}));
    steps.warnings = Warnings::None;
    steps.limits.steps = Some(steps.limits.steps.map_or(STEPS, |most| most.min(STEPS)));
    steps.limits.nodes = Some(steps.limits.nodes.map_or(NODES, |most| most.min(NODES)));
    steps
}

struct Trials<'a> {
    steps: Steps,
    stop: Stop,
    sources: &'a Arc<SourceMap>,
    /// So many renders may follow.
    left: usize,
    /// By edit: several problems may have the same help. `None` is an edit that cannot be made.
    done: HashMap<(Span, String), Option<Trial>>,
}

impl Trials<'_> {
    /// What comes of the edit of a help; `None` where it is not tried.
    fn of(&mut self, help: &Help) -> Option<&Trial> {
        let edit = help.edit.as_ref().filter(|_| !help.silences)?;
        if !self.done.contains_key(edit) {
            self.left = self.left.checked_sub(1)?;
            let trial = self.render(edit);
            self.done.insert(edit.clone(), trial);
        }
        self.done.get(edit)?.as_ref()
    }

    fn render(&self, (span, new): &(Span, String)) -> Option<Trial> {
        let source = self.sources.get(span.source);
        let text = source.text.as_str()?;
        let (before, behind) = (text.get(..span.start as usize)?, text.get(span.end as usize..)?);
        let edited = Text::Str([before, new, behind].concat().into());
        let mut known = Known::of(self.sources);
        if !known.set(&source, edited.clone()) {
            return None;
        }
        let record = Record { sources: Arc::default(), reads: Arc::new(Reads::knowing(known)) };
        let after = match render_with(&self.steps, self.stop, &record) {
            Ok(_) => HashSet::new(),
            Err(error) => {
                error.diagnostics().iter().map(|problem| key(problem, |source, at| source.line(at))).collect()
            }
        };
        let edited = Source::new(source.name.clone(), edited, source.origin.clone(), source.input, source.breaks);
        Some(Trial { span: *span, new: new.len() as u32, edited, after })
    }
}

/// What came of an edit.
struct Trial {
    /// The part that was replaced, and the length of what stands there now.
    span: Span,
    new: u32,
    edited: Source,
    /// The problems that are left.
    after: HashSet<Key>,
}

impl Trial {
    /// The key that a problem of the first render would have after the edit.
    fn moved(&self, problem: &Diagnostic) -> Key {
        let (span, edited) = (self.span, &self.edited);
        key(problem, |source, at| match source.name == edited.name && source.origin == edited.origin {
            true if at >= span.end => edited.line(at - span.end + span.start + self.new),
            true => edited.line(at.min(span.start)),
            false => source.line(at),
        })
    }
}

/// A problem as two renders can both find it: code, message, and the file and line of each label.
type Key = (&'static str, String, Vec<(Arc<str>, u32)>);

fn key(problem: &Diagnostic, line: impl Fn(&Source, u32) -> u32) -> Key {
    let parts = problem.parts();
    let places = parts.sources.iter().flat_map(|sources| parts.labels.iter().map(move |label| (sources, label.span)));
    let places = places.map(|(sources, span)| {
        let source = sources.get(span.source);
        let line = line(&source, span.start);
        (source.name.clone(), line)
    });
    (parts.code.as_str(), parts.message.clone(), places.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::Project;

    /// The helps of the first problem: their texts, and whether the edit was tried.
    fn helps(project: Project) -> Vec<(String, bool)> {
        let error = project.render().unwrap_err();
        error.diagnostics()[0].parts().helps.iter().map(|help| (help.text.clone(), help.tried)).collect()
    }

    const VALUES: &str = "#@data/values\n---\nport: 80\n";
    const CODE: &str = "#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.prot\n";

    #[test]
    fn an_edit_that_mends_is_marked() {
        let project = Project::new().file("v.yml", VALUES).file("a.yml", CODE);
        assert_eq!(helps(project), [("did you mean `.port`?".to_owned(), true)]);
    }

    #[test]
    fn what_brings_another_problem_is_not_marked() {
        let code = CODE.replace(".prot", ".prot + \"x\"");
        let project = Project::new().file("v.yml", VALUES).file("a.yml", code);
        assert_eq!(helps(project), [("did you mean `.port`?".to_owned(), false)]);
    }

    #[test]
    fn large_inputs_are_not_rendered_again() {
        let project = Project::new().file("v.yml", VALUES).file("a.yml", CODE);
        let project = project.file("large.yml", "# x\n".repeat(MOST_BYTES / 4));
        assert_eq!(helps(project), [("did you mean `.port`?".to_owned(), false)]);
    }

    #[test]
    fn a_trial_says_nothing() {
        let printed = Arc::new(std::sync::atomic::AtomicU32::new(0));
        let count = printed.clone();
        let project = Project::new().file("v.yml", VALUES).file("a.yml", CODE.replace("a:", "#@ print(1)\na:"));
        let project = project.on_print(move |_| {
            count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        });
        assert_eq!(helps(project).len(), 1);
        assert_eq!(printed.load(std::sync::atomic::Ordering::Relaxed), 1);
    }
}
