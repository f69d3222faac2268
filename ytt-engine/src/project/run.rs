//! From recorded steps to a result: files are listed, marks applied, and the render runs on a thread of its own.

use std::sync::Arc;

use super::{At, Input, Steps, anchors, given, trial};
use crate::caught::{caught, told};
use crate::diag::{Code, Diagnostic, Fact};
use crate::error::{Error, Outer, Result};
use crate::files::{self, Access, Beyond, Content, File, Known, Listed, Listing, Reads, Stdin, Symlinks};
use crate::library::values::GivenValue;
use crate::library::{self, Job, Stop};
use crate::limits::{FRAME, Limits};
use crate::rendered::Rendered;
use crate::source::{SourceMap, Span};
use crate::yaml::{Arena, Body, PosId, Val};

/// What parsers and walks need in any case.
const LEAST_STACK: usize = 64 << 20;
/// Below this depth a render is not tried.
const LEAST_DEPTH: u32 = 200;

/// What was read: the texts, and the names of files, folders and variables.
#[derive(Default)]
pub(super) struct Record {
    pub(super) sources: Arc<SourceMap>,
    pub(super) reads: Arc<Reads>,
}

/// Everything that was listed for a render.
pub(super) struct Inputs {
    pub(super) files: Vec<Arc<File>>,
    /// Data values from outside of the files.
    given: Vec<GivenValue>,
    warnings: Vec<Diagnostic>,
    /// Files that a mark was perhaps meant for.
    beyond: Vec<Beyond>,
}

impl Steps {
    /// What of the files is read, with the texts that are known already.
    pub(super) fn reads(&self, known: Known) -> Arc<Reads> {
        let destinations = self.symlinks.destinations.iter().map(|path| self.base.join(path)).collect();
        let symlinks = Symlinks { destinations, ..self.symlinks };
        Arc::new(Reads::new(Access { symlinks, pipes: self.command, disk: self.disk.clone() }, known))
    }

    pub(super) fn record(&self) -> Record {
        Record { sources: Arc::default(), reads: self.reads(Known::default()) }
    }

    /// Does the work of an entry; a panic is an error of it.
    pub(super) fn caught<T>(&self, work: impl FnOnce(&Steps) -> Result<T>) -> Result<T> {
        let done = caught(|| work(self));
        done.unwrap_or_else(|text| Err(self.outer(&self.record(), Vec::new()).error(internal(text))))
    }

    /// What a result or error carries beside its content.
    pub(super) fn outer(&self, record: &Record, found: Vec<Diagnostic>) -> Outer {
        let mut outer = Outer {
            sources: record.sources.clone(),
            lints: self.lints.clone(),
            warnings: Vec::new(),
            inputs: record.reads.inputs(),
            #[cfg(feature = "pretty")]
            reads: record.reads.clone(),
            reports: self.limits.reports,
            voice: self.voice,
        };
        outer.warnings = outer.judge(found);
        outer
    }
}

pub(super) fn render(steps: &Steps, stop: Stop) -> Result<Rendered> {
    let record = Record { sources: Arc::new(SourceMap::timed(steps.times.clone())), ..steps.record() };
    match render_with(steps, stop, &record) {
        Ok(rendered) => trial::confirmed(steps, stop, &record.sources, rendered).permitted(),
        Err(error) => Err(trial::tried(steps, stop, &record.sources, error)),
    }
}

/// Renders with what is recorded. Lints are not judged yet: of a render that worked, those that are denied are errors among
/// the warnings.
pub(super) fn render_with(steps: &Steps, stop: Stop, record: &Record) -> Result<Rendered> {
    let done = on_big_stack(&steps.limits, |limits| render_here(steps, limits, stop, record));
    done.unwrap_or_else(|problem| Err(steps.outer(record, Vec::new()).error(problem)))
}

/// Renders on the thread of the caller.
fn render_here(steps: &Steps, limits: &Limits, stop: Stop, record: &Record) -> Result<Rendered> {
    let mut arena = Arena::new(limits.depth);
    let Inputs { files, given, mut warnings, beyond } = list(steps, record, Some(&mut arena))?;
    let job = Job {
        files,
        given,
        arena,
        options: steps.options,
        limits: limits.clone(),
        sources: record.sources.clone(),
        print: steps.print.clone(),
        explain: steps.explain,
        lints: steps.lints.clone(),
    };
    let (outcome, arena, found) = library::render(job, stop);
    warnings.extend(found);
    let outcome = outcome.map_err(|mut problems| {
        anchors::found_elsewhere(&record.sources, &mut problems.0);
        problems
    });
    if outcome.is_ok() {
        warnings.extend(beyond.iter().filter_map(|beyond| beyond.warning(&record.sources)));
    }
    let outer = steps.outer(record, warnings);
    match outcome {
        Ok(outcome) => Ok(Rendered::new(outcome, arena, stop, outer, steps.limits.clone())),
        Err(problems) => Err(Error::new(problems.0, &outer)),
    }
}

pub(super) fn files(steps: &Steps) -> Result<Rendered> {
    let record = steps.record();
    let Inputs { files, .. } = list(steps, &record, None)?;
    let mut arena = Arena::new(steps.limits.depth);
    let mut items = Vec::new();
    for file in &files {
        if file.path.folders().all(|folder| folder != "_ytt_lib") {
            let path = arena.make_str(file.path.as_str());
            items.push(arena.add(Body::ArrayItem(path), PosId(0)));
        }
    }
    let list = arena.add(Body::Array(items.into()), PosId(0));
    let document = arena.add(Body::Doc(Val::Node(list)), PosId(0));
    let outer = steps.outer(&record, Vec::new());
    Ok(Rendered::document(arena, document, outer, steps.limits.clone()))
}

/// Lists all files, applies the marks and, if there is an arena for them, reads the data values from outside of the
/// files. All problems of steps are reported together.
pub(super) fn list(steps: &Steps, record: &Record, values: Option<&mut Arena>) -> Result<Inputs> {
    let Record { sources, reads } = record;
    let stdin = Stdin::new(steps.stdin.clone());
    let listing = Listing { base: &steps.base, stdin: &stdin, reads };
    let mut problems = steps.problems.clone();
    let (mut listed, mut warnings): (Vec<Listed>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let mut complete = problems.is_empty();
    for (at, input) in &steps.inputs {
        match input {
            Input::Memory(path, text) => {
                listed.push(Listed::new(path.as_str(), Content::Memory(text.clone()), at.number));
            }
            Input::Path(path, name) => match listing.list(path, name.as_deref(), at.number) {
                Ok((files, is_folder)) => {
                    if let (Some(name), true) = (name.as_deref().filter(|name| !name.is_empty()), is_folder) {
                        let text = format!("the name `{name}` is ignored: `{}` is a folder", path.display());
                        let warning = Diagnostic::warning(Code::FILES_RENAME, text);
                        let help = "files of a folder keep their names; a file mark with `path=` changes one";
                        warnings.push(placed(steps, sources, *at, warning.help(help)));
                    }
                    listed.extend(files);
                }
                Err(found) => {
                    complete = false;
                    problems.extend(found.0.into_iter().map(|problem| (*at, problem)));
                }
            },
        }
    }
    let marks: Vec<_> = steps.marks.iter().map(|(_, mark)| mark.clone()).collect();
    for (number, problem) in files::apply(&mut listed, &marks) {
        // What a mark does not match may be what could not be listed.
        if complete || problem.parts().fact != Some(Fact::UnmatchedMark) {
            problems.extend(steps.marks.get(number).map(|(at, _)| (*at, problem)));
        }
    }
    let given = values.map(|arena| given::gather(steps, &listing, arena, sources)).unwrap_or_default();
    problems.extend(given.unlisted);
    if problems.is_empty() && given.problems.is_empty() {
        let beyond = files::beyond(&listed, &marks);
        let files = listed.into_iter().map(|file| Arc::new(file.finish(reads))).collect();
        warnings.extend(given.warnings);
        return Ok(Inputs { files, given: given.values, warnings, beyond });
    }
    if problems.is_empty() {
        warnings.extend(given.warnings);
    } else {
        warnings.clear();
    }
    // Inputs, marks and values were gone through one after the other; the sort is stable, so problems of one step keep
    // their order.
    problems.sort_by_key(|(at, _)| at.number);
    let placed = problems.into_iter().map(|(at, problem)| placed(steps, sources, at, problem));
    Err(Error::new(placed.chain(given.problems).collect(), &steps.outer(record, warnings)))
}

/// The call in Rust code is the place of a problem that has no other; a command line has no such place.
fn placed(steps: &Steps, sources: &SourceMap, at: At, problem: Diagnostic) -> Diagnostic {
    if steps.command || !problem.parts().labels.is_empty() {
        return problem;
    }
    problem.at(Some(Span::new(at.source(sources, "(values)", ""), 0, 0)))
}

/// Runs on a thread with the stack that the call depth needs. Where the system has no such thread, the depth is lowered.
pub(super) fn on_big_stack<T: Send>(
    limits: &Limits,
    run: impl FnOnce(&Limits) -> T + Send,
) -> std::result::Result<T, Diagnostic> {
    let mut limits = limits.clone();
    let mut run = Some(run);
    loop {
        let stack = (limits.call_depth as usize).saturating_mul(FRAME).max(LEAST_STACK);
        let given = limits.clone();
        let slot = &mut run;
        let outcome = std::thread::scope(|scope| {
            let body = move || {
                let run = slot.take()?;
                Some(caught(|| run(&given)))
            };
            let thread = std::thread::Builder::new().name("ytt".into()).stack_size(stack).spawn_scoped(scope, body);
            thread.map(std::thread::ScopedJoinHandle::join)
        });
        match outcome {
            Ok(Ok(Some(Ok(value)))) => return Ok(value),
            Ok(Ok(Some(Err(text)))) => return Err(internal(text)),
            Ok(Err(panic)) => return Err(internal(told(&*panic))),
            // The closure is taken only by a thread that started, and then the loop ends.
            Ok(Ok(None)) => return Err(internal(told(&"the work was begun twice"))),
            // The thread never ran, so the closure is there still: half the depth needs half the stack.
            Err(_) if limits.call_depth / 2 >= LEAST_DEPTH => limits.call_depth /= 2,
            Err(error) => {
                let text = format!("no thread could be started: {}", files::system_text(&error));
                return Err(Diagnostic::error(Code::LIMIT, text));
            }
        }
    }
}

fn internal(text: String) -> Diagnostic {
    Diagnostic::error(Code::INTERNAL, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error() {
        let error = on_big_stack(&Limits::build(), |_| -> u32 { panic!("boom {}", 1) }).unwrap_err();
        assert_eq!(error.message(), "internal error in ytt, please report it: boom 1");
        assert_eq!(on_big_stack(&Limits::build(), |limits| limits.depth).ok(), Some(1000));
    }

    #[test]
    fn a_stack_that_cannot_be_had_lowers_the_depth() {
        let limits = Limits { call_depth: u32::MAX, ..Limits::build() };
        let depth = on_big_stack(&limits, |limits| limits.call_depth);
        assert!(depth.is_ok_and(|depth| depth >= LEAST_DEPTH));
    }
}
