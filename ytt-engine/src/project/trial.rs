//! Helps are tried before anybody sees them: the edit is made in memory, and the project is rendered again.
//!
//! An edit that leaves the problem as it was is no help and goes. One that leaves no problem behind that was not there
//! before, and is the only one, is marked as tried, so that programs may apply it; of several problems, if all such edits
//! together mend all of them. Files have the texts that the render
//! read; folders are listed again. The work is bounded by the bytes that were read and by steps, never by time, so that a
//! report is always the same.

mod cause;
mod flag;
mod hidden;
mod once;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::Steps;
use super::run::{Record, render_with};
use crate::diag::{Code, Diagnostic, Fact, Help};
use crate::error::{Error, Result};
use crate::eval::PrintSink;
use crate::files::Known;
use crate::library::Stop;
use crate::lints::{By, Level, Lints};
use crate::rendered::Rendered;
use crate::source::{Origin, Source, SourceMap, Span, Text, to_u32};

/// Renders for one report.
const MOST: usize = 12;
/// Bytes of input of all of them.
const MOST_BYTES: usize = 2 << 20;
/// Bounds of each: an edit that makes a loop run longer is not worth the wait.
const STEPS: u64 = 25_000;
const NODES: u64 = 250_000;

/// The same error, with helps that were tried.
pub(super) fn tried(steps: &Steps, stop: Stop, sources: &Arc<SourceMap>, mut error: Error) -> Error {
    let mut trials = Trials::new(steps, stop, sources);
    // A new warning where something was written says that the edit is not what is meant.
    trials.steps.lints.clone_from(&steps.lints);
    let before = Before { problems: error.diagnostics().to_vec(), warnings: error.warnings().to_vec() };
    trials.kept = usize::from(before.problems.len() > 1 && trials.left > 2);
    for beyond in error.diagnostics_mut().iter_mut().skip(steps.limits.reports as usize) {
        beyond.parts_mut().helps.retain(|help| !help.must_mend);
    }
    let mut told = HashSet::new();
    for (diagnostic, own) in
        error.diagnostics_mut().iter_mut().zip(&before.problems).take(steps.limits.reports as usize)
    {
        if let Some(cause) = trials.cause(own, &before) {
            cause.blame(diagnostic);
            told.insert(cause.number);
            continue;
        }
        let helps = &mut diagnostic.parts_mut().helps;
        // By what each leaves, if it mends.
        let (mut least, mut others, mut mending) = (None, Vec::new(), Vec::new());
        let mut has_better = false;
        // A help for a value that is None, or with a fallback behind it, stays if it mends its own problem: another one may
        // show elsewhere, which the first one hid.
        let is_of_none = matches!(&own.parts().fact, Some(Fact::NoMember { kind, .. }) if kind == "NoneType");
        let may_show_others = is_of_none || helps.iter().any(|help| help.is_fallback);
        helps.retain_mut(|help| {
            if help.is_fallback && has_better {
                return false;
            }
            let Some(trial) = trials.of(help, &before) else { return !help.must_mend };
            let is_left = trial.after.contains(&trial.moved(own));
            let is_enough = may_show_others && help.must_mend && !help.is_fallback && !trial.is_worse_there;
            let mends = (trial.adds_none || is_enough) && !is_left;
            help.tried = trial.adds_none && mends && !help.is_guess;
            if mends {
                mending.extend(help.edit.clone());
            }
            match (mends, help.is_other_side) {
                (true, true) => others.push((trial.after.len(), help.clone())),
                (true, false) => least = least.into_iter().chain([trial.after.len()]).min(),
                _ => {}
            }
            has_better |= help.must_mend && mends && !help.is_other_side;
            if help.must_mend { mends && !help.is_other_side } else { !is_left }
        });
        let mut other = others.into_iter().min_by_key(|(left, _)| *left);
        if let Some((_, other)) = other.as_mut().filter(|_| least.is_none()) {
            let by_flag = trials.by_flag(own, other);
            if let Some(by_flag) = &by_flag {
                by_flag.show(other);
                helps.splice(0..0, by_flag.sides(other));
            }
            // Nobody knows of a fraction whether it is a text as long as the number was not tried.
            let untried = trials.gives_fraction(own).then_some(0);
            least = by_flag.map(|by_flag| by_flag.left).or(untried);
        }
        if let Some((_, other)) = other.filter(|(left, _)| least.is_none_or(|least| *left < least)) {
            helps.iter_mut().for_each(|help| help.tried = false);
            helps.retain(|help| !help.unless_other_side);
            helps.insert(0, other);
        }
        trials.put_first(helps, &mending);
        // Where several edits mend, somebody has to choose.
        if helps.iter().filter(|help| help.tried).count() > 1 {
            helps.iter_mut().for_each(|help| help.tried = false);
        }
        diagnostic.show_places_of_helps();
    }
    together(&mut trials, &mut error, &before);
    hidden::reveal(&mut trials, &mut error, &before, steps.limits.reports as usize);
    let mut number = 0..;
    error.warnings_mut().retain(|_| number.next().is_none_or(|number| !told.contains(&number)));
    // An item that a problem comes of is told there.
    let places: HashSet<Span> =
        error.diagnostics().iter().flat_map(|one| &one.parts().labels).map(|label| label.span).collect();
    let is_told = |one: &Diagnostic| one.parts().labels.first().is_some_and(|label| places.contains(&label.span));
    error.warnings_mut().retain(|one| one.code() != Code::OVERLAY_SECOND_ITEM || !is_told(one));
    // Nothing tells whether they are right as long as the render fails.
    for help in error.warnings_mut().iter_mut().flat_map(|warning| &mut warning.parts_mut().helps) {
        if help.must_mend && !help.tried {
            help.edit = None;
        }
    }
    once::told_once(&mut error);
    error
}

/// Of edits that mend one problem each, those stay marked that can be made together.
fn together(trials: &mut Trials<'_>, error: &mut Error, before: &Before) {
    let mut edits: Vec<Edit> = Vec::new();
    let mut targets = Vec::new();
    for (diagnostic, own) in error.diagnostics_mut().iter_mut().zip(&before.problems) {
        for help in diagnostic.parts_mut().helps.iter_mut().filter(|help| help.tried) {
            let is_apart = |edit: &Edit| edits.iter().all(|other| is_apart(trials.sources, edit, other));
            help.tried = help.edit.is_some() && help.edits().all(|edit| edits.contains(edit) || is_apart(edit));
            if help.tried {
                targets.push(own);
                let new: Vec<Edit> = help.edits().filter(|edit| !edits.contains(edit)).cloned().collect();
                edits.extend(new);
            }
        }
    }
    let Some(first) = edits.first().cloned().filter(|_| edits.len() > 1) else { return };
    let trial = trials.of_all(&edits, before);
    // What they hid together is another matter, unless it is where they write.
    let all_mend =
        |trial: &Trial| !trial.is_worse_there && targets.iter().all(|own| !trial.after.contains(&trial.moved(own)));
    if trial.is_some_and(all_mend) {
        return;
    }
    for help in error.diagnostics_mut().iter_mut().flat_map(|diagnostic| &mut diagnostic.parts_mut().helps) {
        help.tried &= help.edit.as_ref() == Some(&first);
    }
}

/// Whether two edits change different parts of the files.
fn is_apart(sources: &SourceMap, (one, _): &Edit, (other, _): &Edit) -> bool {
    let is_one = one.source == other.source || is_same_file(&sources.get(one.source), &sources.get(other.source));
    let overlap = one.start < other.end && other.start < one.end || one.start == other.start;
    !(is_one && overlap)
}

/// The same result, of whose lints those stay that are true: what they say can be left out was left out, and the render
/// gave the same.
pub(super) fn confirmed(steps: &Steps, stop: Stop, sources: &Arc<SourceMap>, mut rendered: Rendered) -> Rendered {
    let is_useless = |one: &Diagnostic| {
        let parts = one.parts();
        parts.fact == Some(Fact::Useless) && !parts.helps.iter().any(|help| help.tried)
    };
    let waits = |one: &Diagnostic| one.parts().helps.iter().any(|help| help.must_mend);
    let is_open = |one: &Diagnostic| is_useless(one) || waits(one);
    let Some(warnings) = rendered.warnings_mut().filter(|warnings| warnings.iter().any(is_open)) else {
        return rendered;
    };
    let mut warnings = std::mem::take(warnings);
    let mut trials = Trials::new(steps, stop, sources);
    if warnings.iter().any(waits) {
        trials.settle(&steps.lints, &mut warnings);
    }
    warnings.retain_mut(|one| {
        if !is_useless(one) {
            return true;
        }
        let code = one.code();
        let parts = one.parts_mut();
        let Some(help) = parts.helps.first_mut() else { return true };
        let Some((edit, left)) = help.edit.as_ref().zip(trials.left.checked_sub(1)) else { return true };
        trials.left = left;
        match trials.render_with(edit) {
            Some(Ok(other)) => {
                help.tried = is_as_good(code, &rendered, &other);
                help.tried
            }
            // More than the edit has to change: what it is good for is told, but not how.
            Some(Err(_)) | None => {
                help.edit = None;
                true
            }
        }
    });
    rendered.warnings_mut().into_iter().for_each(|told| told.clone_from(&warnings));
    rendered
}

/// Whether a render without what a lint tells of gave all that counts: a data value that is not used is gone then, and all
/// else is the same.
pub(super) fn is_as_good(code: Code, rendered: &Rendered, other: &Rendered) -> bool {
    if code == Code::VALUES_UNUSED { rendered.prints_same(other) } else { rendered.is_same(other) }
}

/// The same steps, without what anybody would see of them.
fn quiet(steps: &Steps) -> Steps {
    let mut steps = steps.clone();
    steps.print = PrintSink(Arc::new(|_| {}));
    steps.lints.set("all", Level::Allow, By::Step);
    // A record takes memory and steps: what is tried would end by another limit.
    steps.explain = false;
    steps.limits.steps = Some(steps.limits.steps.map_or(STEPS, |most| most.min(STEPS)));
    steps.limits.nodes = Some(steps.limits.nodes.map_or(NODES, |most| most.min(NODES)));
    steps
}

/// What a help replaces, and by what.
type Edit = (Span, String);

/// What the first render found.
struct Before {
    problems: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

pub(super) struct Trials<'a> {
    steps: Steps,
    stop: Stop,
    sources: &'a Arc<SourceMap>,
    /// So many renders may follow.
    left: usize,
    /// Of them, so many are for all edits together.
    kept: usize,
    /// By edits: several problems may have the same help. `None` are edits that cannot be made.
    done: HashMap<Vec<Edit>, Option<Trial>>,
}

impl<'a> Trials<'a> {
    pub(super) fn new(steps: &Steps, stop: Stop, sources: &'a Arc<SourceMap>) -> Trials<'a> {
        let bytes: usize = sources.all().iter().map(|source| source.text.as_bytes().len()).sum();
        let left = MOST.min(MOST_BYTES.checked_div(bytes).unwrap_or(MOST));
        Trials { steps: quiet(steps), stop, sources, left, kept: 0, done: HashMap::new() }
    }

    /// What comes of the edit of a help; `None` where it is not tried.
    fn of(&mut self, help: &Help, before: &Before) -> Option<&Trial> {
        help.edit.as_ref().filter(|_| !help.silences)?;
        let edits: Vec<Edit> = help.edits().cloned().collect();
        if !self.done.contains_key(&edits) && self.left <= self.kept {
            return None;
        }
        self.of_all(&edits, before)
    }

    /// Puts the first edit that mends in front of those that were tried and do not: what stands first is what people do.
    fn put_first(&self, helps: &mut [Help], mending: &[Edit]) {
        let is_vain = |help: &Help| {
            let is_open = help.edit.as_ref().is_some_and(|edit| !mending.contains(edit));
            is_open && matches!(self.done.get(&help.edits().cloned().collect::<Vec<_>>()), Some(Some(_)))
        };
        let first = helps.iter().position(|help| help.edit.is_some()).filter(|at| helps.get(*at).is_some_and(is_vain));
        let better = helps.iter().position(|help| help.edit.as_ref().is_some_and(|edit| mending.contains(edit)));
        if let Some(between) = first.zip(better).and_then(|(first, better)| helps.get_mut(first..=better)) {
            between.rotate_right(1);
        }
    }

    /// What comes of edits that are apart from each other; `None` if they cannot be made, or there was enough work.
    fn of_all(&mut self, edits: &[Edit], before: &Before) -> Option<&Trial> {
        if !self.done.contains_key(edits) {
            self.left = self.left.checked_sub(1)?;
            let trial = self.render(edits, before);
            self.done.insert(edits.to_vec(), trial);
        }
        self.done.get(edits)?.as_ref()
    }

    /// Keeps the edit of a help for a warning that only a render can judge if the project renders with it, and without
    /// the warning; what the help says is right all the same.
    fn settle(&mut self, lints: &Lints, warnings: &mut [Diagnostic]) {
        let unheard = std::mem::replace(&mut self.steps.lints, lints.clone());
        let before = Before { problems: Vec::new(), warnings: warnings.to_vec() };
        for (warning, own) in warnings.iter_mut().zip(&before.warnings) {
            for help in warning.parts_mut().helps.iter_mut().filter(|help| help.must_mend && !help.tried) {
                let trial = self.of(help, &before);
                let mends = trial.is_some_and(|trial| trial.adds_none && !trial.warned.contains(&trial.moved(own)));
                help.tried = mends && !help.is_guess;
                if !mends {
                    help.edit = None;
                }
            }
        }
        self.steps.lints = unheard;
        self.done.clear();
    }

    /// Renders with an edit, if it can be made.
    pub(super) fn render_with(&self, edit: &Edit) -> Option<Result<Rendered>> {
        self.render_with_all(std::slice::from_ref(edit))
    }

    /// Renders with edits that are apart from each other, the last one of each file first.
    fn render_with_all(&self, edits: &[Edit]) -> Option<Result<Rendered>> {
        let record = Record { sources: Arc::default(), reads: self.steps.reads(self.known_with(edits)?) };
        Some(render_with(&self.steps, self.stop, &record))
    }

    /// The files with edits that are apart from each other, the last one of each file first.
    fn known_with(&self, edits: &[Edit]) -> Option<Known> {
        let mut known = Known::of(self.sources);
        let mut texts: Vec<(Arc<Source>, String)> = Vec::new();
        for (span, new) in edits {
            let source = self.sources.get(span.source);
            let at = texts.iter().position(|(known, _)| is_same_file(known, &source));
            let old = at.map(|at| texts.swap_remove(at)).map(|(_, text)| text);
            let text = old.as_deref().or(source.text.as_str())?;
            let (above, behind) = (text.get(..span.start as usize)?, text.get(span.end as usize..)?);
            let text = [above, new, behind].concat();
            texts.push((source, text));
        }
        for (source, text) in texts {
            if !known.set(&source, &Text::Str(text.into())) {
                return None;
            }
        }
        Some(known)
    }

    /// What comes of edits that are apart from each other.
    fn render(&self, edits: &[Edit], before: &Before) -> Option<Trial> {
        let mut edits: Vec<&Edit> = edits.iter().collect();
        edits.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        let edits: Vec<Edit> = edits.into_iter().cloned().collect();
        let (found, warnings) = match self.render_with_all(&edits)? {
            Ok(rendered) => (Vec::new(), rendered.warnings().to_vec()),
            Err(error) => (error.diagnostics().to_vec(), error.warnings().to_vec()),
        };
        let written = edits.iter().map(|(span, new)| Written {
            span: *span,
            new: to_u32(new.len()),
            source: self.sources.get(span.source),
        });
        let mut trial = Trial {
            written: written.collect(),
            after: found.iter().map(|problem| key(problem, |_, at| at)).collect(),
            warned: warnings.iter().map(|warning| key(warning, |_, at| at)).collect(),
            adds_none: false,
            is_worse_there: false,
            apart: Vec::new(),
        };
        let known = |all: &[Diagnostic]| all.iter().map(|one| trial.moved(one)).collect::<HashSet<Key>>();
        let (problems, told) = (known(&before.problems), known(&before.warnings));
        let is_new =
            |one: &Diagnostic| !told.contains(&key(one, |_, at| at)) && one.parts().fact != Some(Fact::Useless);
        let warns = warnings.iter().any(|one| is_new(one) && trial.touches(one));
        let is_other = |one: &Diagnostic| !problems.contains(&key(one, |_, at| at));
        trial.is_worse_there = warns || found.iter().any(|one| is_other(one) && trial.touches(one));
        trial.adds_none = !warns && trial.after.is_subset(&problems);
        trial.apart = found.into_iter().filter(|one| is_other(one) && !trial.touches(one)).collect();
        Some(trial)
    }
}

/// A part of a file that was replaced, and the length of what stands there now.
struct Written {
    span: Span,
    new: u32,
    source: Arc<Source>,
}

/// What came of edits.
struct Trial {
    /// The last one of each file first.
    written: Vec<Written>,
    /// The problems that are left.
    after: HashSet<Key>,
    /// The warnings that there are.
    warned: HashSet<Key>,
    /// All problems were there before, and no warning tells of what was written.
    adds_none: bool,
    /// Something that was not there before is wrong with what was written.
    is_worse_there: bool,
    /// The problems that were not there before and have no place on the lines that were written.
    apart: Vec<Diagnostic>,
}

impl Trial {
    /// The key that a problem of the first render would have after the edits.
    fn moved(&self, problem: &Diagnostic) -> Key {
        key(problem, |source, at| self.offset(source, at))
    }

    /// Where a place of the first render is after the edits.
    fn offset(&self, source: &Source, at: u32) -> u32 {
        let here = self.written.iter().filter(|written| is_same_file(source, &written.source));
        here.fold(at, |at, Written { span, new, .. }| match at.checked_sub(span.end) {
            Some(behind) => behind.saturating_add(span.start).saturating_add(*new),
            None => at.min(span.start),
        })
    }

    /// Whether a problem has a place on the lines that were written.
    fn touches(&self, problem: &Diagnostic) -> bool {
        let parts = problem.parts();
        let places =
            parts.sources.iter().flat_map(|sources| parts.labels.iter().map(move |label| (sources, label.span)));
        let mut places = places.map(|(sources, span)| (sources.get(span.source), span));
        places.any(|(source, span)| {
            let mut here = self.written.iter().filter(|written| is_same_file(&source, &written.source));
            here.any(|written| {
                let end = self.offset(&source, written.span.end);
                let lines = source.line(end.saturating_sub(written.new))..=source.line(end);
                lines.contains(&source.line(span.start))
            })
        })
    }
}

/// A file on a disk may be an input twice.
fn is_same_file(one: &Source, other: &Source) -> bool {
    one.origin == other.origin && (matches!(one.origin, Origin::File(_)) || one.name == other.name)
}

/// A problem as two renders can both find it: code, message, and the places of its labels.
type Key = (&'static str, String, Vec<(Arc<str>, u32)>);

/// `moved` gives the offset that a place has after an edit.
fn key(problem: &Diagnostic, moved: impl Fn(&Source, u32) -> u32) -> Key {
    let parts = problem.parts();
    let places = parts.sources.iter().flat_map(|sources| parts.labels.iter().map(move |label| (sources, label.span)));
    let places = places.map(|(sources, span)| {
        let source = sources.get(span.source);
        let at = moved(&source, span.start);
        (source.name.clone(), at)
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
    fn arguments_are_swapped_only_where_that_mends() {
        let call = |call: &str| {
            let text = format!("#@ def f(spec, count):\n#@   return spec.isnumeric()\n#@ end\na: #@ {call}\n");
            helps(Project::new().file("a.yml", text))
        };
        assert_eq!(call("f(\"a\", 1)"), []);
        let text = "#@ def f(spec, name):\n#@   return spec.a\n#@ end\na: #@ f(\"a\", struct.make(a=1))\n";
        let text = format!("#@ load(\"@ytt:struct\", \"struct\")\n{text}");
        let swapped = "did you mean the arguments in the other order?".to_owned();
        assert_eq!(helps(Project::new().file("a.yml", text)), [(swapped, true)]);
    }

    #[test]
    fn the_same_mistake_twice_in_a_line_is_no_failure_of_the_edit() {
        let project = Project::new().file("a.yml", "#@ name = 1\na: #@ nmae + nmae\n");
        let error = project.render().unwrap_err();
        let tried = |problem: &Diagnostic| problem.parts().helps.iter().map(|help| help.tried).collect::<Vec<_>>();
        assert_eq!(error.diagnostics().iter().map(tried).collect::<Vec<_>>(), [[true], [true]]);
        let project =
            Project::new().file("v.yml", VALUES).file("a.yml", CODE.replace(".prot", ".prot + data.values.prot"));
        assert_eq!(helps(project), [("did you mean `.port`?".to_owned(), false)]);
    }

    #[test]
    fn where_two_edits_mend_a_program_may_make_none() {
        let project = Project::new().file("a.yml", "a: #@ 1\nb: 2 #@ 3\n");
        let helps = helps(project);
        assert!(helps.len() == 2 && helps.iter().all(|(_, tried)| !tried), "{helps:?}");
    }

    /// Whether the edits of each problem were tried.
    fn tried(files: &[(&str, &str)]) -> Vec<Vec<bool>> {
        let project = files.iter().fold(Project::new(), |project, (path, text)| project.file(*path, *text));
        let error = project.render().unwrap_err();
        let tried = |problem: &Diagnostic| {
            let helps = problem.parts().helps.iter().filter(|help| help.edit.is_some());
            helps.map(|help| help.tried).collect::<Vec<_>>()
        };
        error.diagnostics().iter().map(tried).collect()
    }

    #[test]
    fn of_edits_that_exclude_each_other_one_is_marked() {
        let overlay = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\n";
        let base = "spec:\n  inner:\n    one: 1\n    two: 2\n";
        let apart = format!("{overlay}spec:\n  innre:\n    one: 1\nspce:\n  inner: {{}}\n");
        assert!(tried(&[("a.yml", base), ("o.yml", &apart)])[0][0]);
        // Each writes an `inner` of its own.
        let both = format!("{overlay}spec:\n  one: 3\n  two: 4\n");
        let found = tried(&[("a.yml", base), ("o.yml", &both)]);
        assert_eq!((found[0][0], found[1][0]), (true, false), "{found:?}");
    }

    #[test]
    fn what_brings_a_warning_where_it_is_written_is_not_marked() {
        let values = "app:\n  name:\n    first: x\n  nmae: z\n";
        let folder = crate::folder::Folder::with("trial-values", [("v.yml", values)]);
        let project = Project::new().base_dir(&*folder).file("s.yml", "#@data/values-schema\n---\napp: {name: x}\n");
        let error = project.data_values_file("v.yml").render().unwrap_err();
        let mut helps = error.diagnostics().iter().flat_map(|problem| &problem.parts().helps);
        // It would be set twice.
        assert!(helps.all(|help| !help.tried), "{error:?}");
    }

    #[test]
    fn a_file_that_is_an_input_twice_is_edited_in_both() {
        let folder = crate::folder::Folder::with("trial", [("d/v.yml", VALUES), ("d/a.yml", CODE)]);
        let project = Project::new().base_dir(&*folder).read("d").read("d/a.yml");
        assert_eq!(helps(project), [("did you mean `.port`?".to_owned(), true)]);
    }

    #[test]
    fn an_item_that_is_surely_useless_needs_no_render() {
        let base = "kind: A\nspec:\n  a: 1\n  b: 2\n";
        let load = "#@ load(\"@ytt:overlay\", \"overlay\")\n";
        let overlay =
            format!("{load}#@overlay/match by=overlay.subset({{\"kind\": \"A\"}})\n---\nspec:\n  a: 1\n  b: 3\n");
        // Whether it is sure, and whether it is so.
        let judged = |files: &[(&str, &str)]| {
            let project = files
                .iter()
                .fold(Project::new().file("a.yml", base), |project, (path, text)| project.file(*path, *text));
            let record = Record::default();
            let rendered = render_with(&project.steps, Stop::Render, &record).unwrap();
            let warnings = rendered.warnings().to_vec();
            let [warning] = &warnings[..] else { panic!("{warnings:?}") };
            let help = &warning.parts().helps[0];
            let trials = Trials::new(&project.steps, Stop::Render, &record.sources);
            let other = trials.render_with(help.edit.as_ref().unwrap()).unwrap();
            (help.tried, other.is_ok_and(|other| is_as_good(warning.code(), &rendered, &other)))
        };
        assert_eq!(judged(&[("o.yml", &overlay)]), (true, true));
        let anchors = overlay.replace("a: 1", "a: &one 1").replace("b: 3", "b: *one");
        assert_eq!(judged(&[("o.yml", &anchors)]), (false, false));
        let annotated = overlay.replace("  a: 1", "  #@overlay/replace\n  a: 1");
        assert_eq!(judged(&[("o.yml", &annotated)]), (false, true));
        let size = format!("{}z: #@ len(data.read(\"o.yml\"))\n", load.replace("overlay", "data"));
        assert_eq!(judged(&[("o.yml", &overlay), ("z.yml", &size)]), (false, false));
        let program = format!("#@ one = 1\n{overlay}");
        assert_eq!(judged(&[("o.yml", &program)]), (false, true));
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
