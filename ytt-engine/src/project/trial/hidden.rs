//! Problems that others hid: a file that cannot be read or loaded says nothing of its other mistakes. They are found by the
//! renders in which the edits of helps were tried, and told with them if they are there whatever these edits are.

use std::sync::Arc;

use super::{Before, Edit, Trial, Trials, Written, is_apart, is_same_file};
use crate::diag::{Code, Diagnostic, Fact, Help};
use crate::error::Error;
use crate::source::{Source, SourceId, SourceMap, Span, to_u32};

/// So often what shows is mended, to see what shows then.
const ROUNDS: usize = 3;

/// Problems of a file that is not compiled: it says nothing of what it does.
const UNREAD: [Code; 6] = [
    Code::STARLARK_SYNTAX,
    Code::TEMPLATE_AFTER_END,
    Code::TEMPLATE_CODE,
    Code::TEMPLATE_COMMENT,
    Code::TEMPLATE_STRUCTURE,
    Code::YAML_SYNTAX,
];

/// Adds the problems that come to light when each problem has its first edit.
pub(super) fn reveal(trials: &mut Trials<'_>, error: &mut Error, before: &Before, most: usize) {
    let (mut edits, mut guesses): (Vec<Edit>, bool) = (Vec::new(), false);
    let is_slip = |one: &Diagnostic| [Code::STARLARK_SYNTAX, Code::YAML_SYNTAX].contains(&one.code());
    for (diagnostic, own) in error.diagnostics().iter().zip(&before.problems).take(most) {
        // After a wrong edit other problems may come.
        let is_sure = |help: &&Help| !help.silences && (!help.is_guess || is_slip(own));
        let first = diagnostic.parts().helps.first().filter(is_sure);
        let Some(edit) = first.and_then(|help| help.edit.clone()) else { continue };
        let is_known = trials.done.get(std::slice::from_ref(&edit)).and_then(Option::as_ref);
        let is_gone = is_known.is_some_and(|trial| !trial.after.contains(&trial.moved(own)));
        guesses |= is_gone && first.is_some_and(|help| help.is_guess);
        if is_gone && !edits.contains(&edit) && edits.iter().all(|other| is_apart(trials.sources, &edit, other)) {
            edits.push(edit);
        }
    }
    let first = edits.len();
    // Where a slip hid another one, that one may hide more.
    for _ in 0..ROUNDS {
        let known = edits.len();
        if known > 0 {
            beneath(trials, error, before, (&mut edits, guesses), most);
        }
        if edits.len() == known {
            break;
        }
    }
    if edits.len() == first {
        return;
    }
    let is_mended = trials.of_all(&edits, before).is_some_and(|trial| trial.after.is_empty() && trial.adds_none);
    if is_mended {
        for problem in error.diagnostics_mut() {
            let helps = &mut problem.parts_mut().helps;
            let [help] = &mut helps.iter_mut().filter(|help| help.edit.is_some()).collect::<Vec<_>>()[..] else {
                continue;
            };
            help.tried = !help.is_guess && help.edit.as_ref().is_some_and(|edit| edits.contains(edit));
        }
    }
}

/// Adds the problems that show once edits are made, and to the edits those that mend them.
fn beneath(
    trials: &mut Trials<'_>,
    error: &mut Error,
    before: &Before,
    (edits, guesses): (&mut Vec<Edit>, bool),
    most: usize,
) {
    let sources = trials.sources;
    let known: Vec<(Code, Option<Span>)> = error.diagnostics().iter().map(kind).collect();
    let written = WrittenParts::of(sources, edits);
    let Some(trial) = trials.of_all(edits, before) else { return };
    // What lies beneath a file that is not compiled, or a module that is not loaded, is told with a word that it may come of
    // the edit.
    let is_open = |one: &Diagnostic| {
        UNREAD.contains(&one.code())
            || one.parts().helps.first().is_some_and(|help| help.edit.as_ref().is_some_and(loads_module))
    };
    let tells_all = !written.is_structural && error.diagnostics().iter().all(is_open);
    // The same slip at another place is there as well.
    let again =
        |one: &Diagnostic| Some((one.code(), one.message().to_owned(), one.parts().helps.first()?.edit.clone()?.1));
    let known_slips: Vec<_> = error.diagnostics().iter().filter_map(again).collect();
    let is_again =
        |one: &Diagnostic| !written.is_structural && again(one).is_some_and(|slip| known_slips.contains(&slip));
    let found =
        trial.apart.iter().filter(|problem| tells_all || !guesses && (written.leave(problem) || is_again(problem)));
    let found = found.filter_map(|problem| {
        let told =
            problem.clone().placed_in(sources, |span| trial.origin(problem.parts().sources.as_ref()?, span, sources));
        let told = told.filter(|told| !known.contains(&kind(told)))?;
        let is_sure = !guesses && (written.leave(problem) || is_again(problem));
        let told = if is_sure { told } else { told.note("this shows once what is above is mended as proposed") };
        Some((problem.clone(), told))
    });
    let mut found: Vec<(Diagnostic, Diagnostic)> = found.take(most.saturating_sub(known.len())).collect();
    let mut all = edits.clone();
    for (there, told) in &mut found {
        let (mut first, mut has_better) = (None, false);
        told.parts_mut().helps.retain_mut(|help| {
            if help.is_fallback && has_better {
                return false;
            }
            let mends = mends(trials, before, edits, (help, there));
            help.tried = false;
            has_better |= help.must_mend && mends == Some(true) && !help.is_other_side;
            first = first.take().or_else(|| help.edit.clone().filter(|_| mends == Some(true)));
            mends.map_or(!help.must_mend && !help.is_other_side, |mends| mends && !help.is_other_side)
        });
        told.show_places_of_helps();
        all.extend(first.filter(|edit| all.iter().all(|other| is_apart(sources, edit, other))));
    }
    *edits = all;
    error.add(found.into_iter().map(|(_, told)| told));
}

/// Whether the edit of a help takes away a problem that the first edits revealed; `None` where it was not tried.
fn mends(
    trials: &mut Trials<'_>,
    before: &Before,
    first: &[Edit],
    (help, there): (&Help, &Diagnostic),
) -> Option<bool> {
    let edit = help.edit.clone().filter(|_| !help.silences)?;
    if !first.iter().all(|other| is_apart(trials.sources, &edit, other)) {
        return None;
    }
    let edits: Vec<Edit> = first.iter().cloned().chain([edit.clone()]).collect();
    let trial = trials.of_all(&edits, before)?;
    // Its place is that of the render with the first edits, which the last one may move.
    let place = |one: &Diagnostic| {
        let (sources, label) = one.parts().sources.as_ref().zip(one.parts().labels.first())?;
        Some((sources.get(label.span.source).name.clone(), i64::from(label.span.start)))
    };
    let own = place(there);
    let longer = |new: usize| i64::try_from(new).ok()?.checked_sub(i64::from(edit.0.end.checked_sub(edit.0.start)?));
    let moved = longer(edit.1.len()).unwrap_or_default();
    let is_there = |other: &Diagnostic| match (place(other), &own) {
        (Some((file, start)), Some((own, at))) => file == *own && (start == *at || start == at.saturating_add(moved)),
        _ => true,
    };
    let is_left = trial.apart.iter().any(|other| {
        let is_alike = other.code() == there.code() && other.parts().fact == there.parts().fact;
        is_alike && other.parts().labels.len() == there.parts().labels.len() && is_there(other)
    });
    Some(!is_left && !trial.is_worse_there)
}

/// Is an edit the line that loads a module of ytt's?
fn loads_module((span, new): &Edit) -> bool {
    let line = new.strip_suffix('\n').filter(|line| span.start == span.end && !line.contains('\n'));
    line.is_some_and(|line| line.trim_start_matches(['#', '@', ' ']).starts_with("load(\"@ytt:"))
}

fn kind(problem: &Diagnostic) -> (Code, Option<Span>) {
    (problem.code(), problem.parts().labels.first().map(|label| label.span))
}

/// What edits wrote, and in place of what.
struct WrittenParts {
    sources: Vec<Arc<Source>>,
    old: Vec<String>,
    /// Other brackets, quotes or lines are there than before: what comes behind may be read in another way.
    is_structural: bool,
    /// Other lines have the numbers that texts say.
    moves_lines: bool,
}

impl WrittenParts {
    fn of(sources: &SourceMap, edits: &[Edit]) -> WrittenParts {
        let source = |edit: &Edit| sources.get(edit.0.source);
        let old = |edit: &Edit| source(edit).written(edit.0).unwrap_or_default().to_owned();
        let count = |text: &str, letter: char| text.matches(letter).count();
        let balance = |text: &str, open: char, close: char| count(text, open).wrapping_sub(count(text, close));
        let shape = |text: &str| {
            let brackets = [('(', ')'), ('[', ']'), ('{', '}')].map(|(open, close)| balance(text, open, close));
            (brackets, ['"', '\''].map(|quote| count(text, quote) % 2), count(text, '\n'))
        };
        let moves = |edit: &Edit| count(&old(edit), '\n') != count(&edit.1, '\n');
        WrittenParts {
            sources: edits.iter().map(source).collect(),
            old: edits.iter().map(old).collect(),
            is_structural: edits.iter().any(|edit| shape(&old(edit)) != shape(&edit.1) && !loads_module(edit)),
            moves_lines: edits.iter().any(moves),
        }
    }

    /// May data values be others than before?
    fn writes_values(&self) -> bool {
        self.sources.iter().any(|source| {
            source.text.as_str().is_none_or(|text| text.contains("#@data/values") || !text.contains("#@ "))
        })
    }

    /// Is a problem there whatever was written? That is sure of what its own lines say, not of values.
    fn leave(&self, problem: &Diagnostic) -> bool {
        let parts = problem.parts();
        let is_line = |text: &str| text.contains("line ") || text.contains(".yml:") || text.contains(".yaml:");
        let mut texts = parts.context.iter().map(|step| step.text()).chain([&*parts.message]);
        if self.moves_lines && texts.any(is_line) {
            return false;
        }
        let is_here = |source: &Arc<Source>| self.sources.iter().any(|written| is_same_file(source, written));
        let place = parts.sources.as_ref().zip(parts.labels.first());
        let is_written = place.is_none_or(|(sources, label)| is_here(&sources.get(label.span.source)));
        let is_named = |name: &str| self.old.iter().any(|old| old.contains(name));
        if self.is_structural && (is_written || matches!(parts.fact, Some(Fact::NotExported { .. }))) {
            return false;
        }
        match (&parts.fact, parts.code) {
            (Some(Fact::Undefined { name, .. } | Fact::NotExported { name, .. }), _) => !is_named(name),
            (Some(Fact::UnknownKeyword { .. } | Fact::Uncalled), _) => true,
            (Some(Fact::NoMember { .. }), _) => !self.writes_values() && is_of_values(problem),
            (_, code) => SURE.contains(&code),
        }
    }
}

/// Is a member of a data value read by its whole path?
fn is_of_values(problem: &Diagnostic) -> bool {
    let parts = problem.parts();
    let Some((sources, label)) = parts.sources.as_ref().zip(parts.labels.first()) else { return false };
    let source = sources.get(label.span.source);
    let start = source.line_range(source.line(label.span.start)).start;
    let before = source.written(Span { start, end: label.span.start, ..label.span }).unwrap_or_default();
    let path = before.trim_end_matches(|letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.'));
    let is_path = |code: Option<&str>| code.is_some_and(|code| code.starts_with("data.values."));
    is_path(before.get(path.len()..)) || is_path(source.written(label.span))
}

/// Problems that lines have whatever the values are that they deal with.
const SURE: [Code; 11] = [
    Code::MODULE_UNKNOWN_ARGUMENT,
    Code::OVERLAY_ARGUMENTS,
    Code::SCHEMA_ANNOTATION,
    Code::STARLARK_SYNTAX,
    Code::TEMPLATE_AFTER_END,
    Code::TEMPLATE_CODE,
    Code::TEMPLATE_COMMENT,
    Code::TEMPLATE_KEY,
    Code::TEMPLATE_LOAD,
    Code::VALIDATE_ANNOTATION,
    Code::YAML_SYNTAX,
];

impl Trial {
    /// Where a place of the render with the edits was before them.
    fn origin(&self, there: &SourceMap, span: Span, here: &SourceMap) -> Option<Span> {
        let source = there.get(span.source);
        let is_it = |known: &Arc<Source>| is_same_file(known, &source) && known.input == source.input;
        let known = here.all().iter().position(is_it).map(|at| SourceId(to_u32(at)));
        let Some(known) = known else {
            let Source { name, text, origin, input, breaks, .. } = &*source;
            let copy = Source::new(name.clone(), text.clone(), origin.clone(), *input, *breaks);
            return Some(Span { source: here.add(copy), ..span });
        };
        let start = self.offset_before(&source, span.start)?;
        let end = match span.end.checked_sub(span.start) {
            Some(length @ 1..) => self
                .offset_before(&source, span.end.checked_sub(1)?)?
                .checked_add(1)
                .filter(|end| *end == start.saturating_add(length))?,
            _ => start,
        };
        Some(Span::new(known, start, end))
    }

    /// `None` inside of what was written.
    fn offset_before(&self, source: &Source, at: u32) -> Option<u32> {
        let mut at = at;
        // The last one of the file is first: each is looked for where the ones above it have put it.
        let here: Vec<&Written> = self.written.iter().filter(|one| is_same_file(source, &one.source)).collect();
        for Written { span, new, .. } in here.into_iter().rev() {
            // Edits above this one were taken back already.
            if at < span.start {
                break;
            }
            at = at.checked_sub(span.start.checked_add(*new)?)?.checked_add(span.end)?;
        }
        Some(at)
    }
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
