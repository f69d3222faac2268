//! A float that code computes for a library whose schema declares an integer, as `json.decode` gives all numbers: the entry
//! of the dict that it is, through names and functions of the project.

use super::super::host::Host;
use super::library::METHOD;
use super::origin::Origins;
use super::{code_of, functions, returned};
use crate::diag::path::steps;
use crate::diag::{Diagnostic, Fact, Label, PathStep};
use crate::source::{SourceMap, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::outline;
use crate::template::written::{self, CodeStep};
use crate::yaml::Val;

/// Names, calls and entries that are followed.
const STEPS: usize = 16;

/// Where a value is written.
struct Written {
    place: Span,
    /// A function or another file gives it, so that others may have it as well.
    is_shared: bool,
}

/// Adds the place that gives the float, and makes an integer of it there, if the problem is gone then.
pub(super) fn told(host: &Host<'_>, data: Val, problem: &mut Diagnostic) {
    let parts = problem.parts();
    let is_it = matches!(&parts.fact, Some(Fact::Mismatch { expected, found }) if (&**expected, &**found) == ("integer", "float"));
    let (Some(value), Some(label)) = (parts.value.as_ref().filter(|value| value.is_whole), parts.labels.first()) else {
        return;
    };
    let (first, path) = (label.span, value.path.clone());
    let is_open = is_it && parts.helps.iter().all(|help| help.edit.is_none());
    let sources = &host.sources;
    let source = sources.get(first.source);
    if !is_open || !host.may_advise(source.text.as_bytes().len()) {
        return;
    }
    let (Some(code), Some(path)) = (FileCode::read(&source, first.source), steps(&path)) else { return };
    // An entry that is written out is marked itself.
    let is_whole = code.call_with(first).is_some_and(|(callee, _)| code_of(sources, callee).ends_with(METHOD));
    let path = if is_whole { path } else { Vec::new() };
    let trace = parts.trace.clone();
    let origins = Origins::new(host, data, &trace);
    let Some(found) = follow(sources, &origins, first, path) else { return };
    let written = code_of(sources, found.place);
    if written.contains('\n') {
        return;
    }
    let name = problem.parts().value.as_ref().map(|value| value.path.rsplit('.').next().unwrap_or_default().to_owned());
    let mut labels = vec![Label { span: found.place, text: format!("`{}` is a float here", name.unwrap_or_default()) }];
    labels.extend(
        origins
            .decoded(found.place)
            .map(|decoded| decoded.call)
            .filter(|call| is_json(sources, *call))
            .map(|call| Label { span: call, text: "all numbers of `json.decode` are floats".to_owned() }),
    );
    labels.retain(|label| label.span != first);
    let mut edits = vec![("make an integer of it", (found.place, format!("int({written})")))];
    if let Some((sign, whole)) = returned::divided(sources, found.place) {
        edits.insert(0, ("`/` gives a float: `//` divides whole numbers", (sign, whole.to_owned())));
    }
    for (text, (place, new)) in edits {
        let told = problem.clone().help_edit(text, place, new).if_it_mends().beside_help(labels.clone());
        *problem = if found.is_shared { told.guessing() } else { told };
    }
}

/// Is it a call of the module's own function?
fn is_json(sources: &SourceMap, call: Span) -> bool {
    let callee = written::callee(sources, call).map(|callee| code_of(sources, callee));
    let module = outline::brought(&sources.get(call.source), call.source, "json");
    callee.as_deref() == Some("json.decode") && module.is_some_and(|(path, _)| path.name == "@ytt:json")
}

/// Where the part of a value is written that steps lead to.
fn follow(sources: &SourceMap, origins: &Origins<'_, '_>, value: Span, path: Vec<PathStep<'_>>) -> Option<Written> {
    let mut found = Written { place: value, is_shared: false };
    let mut left: Vec<Step> = path.into_iter().rev().map(Step::of).collect();
    for _ in 0..STEPS {
        let Some(step) = left.last() else { return Some(found) };
        if let Some(entry) = written::within(sources, found.place, &[step.as_path()]) {
            found.place = entry.value;
            left.pop();
            continue;
        }
        let source = sources.get(found.place.source);
        let code = FileCode::read(&source, found.place.source)?;
        if let Some(path) = written::path(sources, found.place) {
            for step in path.steps.into_iter().rev() {
                left.push(Step::of_code(step)?);
            }
            found = named(sources, origins, &code, path.root, found.is_shared)?;
            continue;
        }
        let callee = written::callee(sources, found.place)?;
        let name = code_of(sources, callee);
        let (function, _) =
            functions::defined(sources, callee.source, &name).filter(|_| !code.is_local(callee, &name))?;
        let [returned] = function.returned[..] else { return None };
        found = Written { place: returned, is_shared: true };
    }
    None
}

/// What a name is set to.
fn named(
    sources: &SourceMap,
    origins: &Origins<'_, '_>,
    code: &FileCode,
    place: Span,
    is_shared: bool,
) -> Option<Written> {
    let name = code_of(sources, place);
    let place = match code.bound(place, &name)?.by {
        Binder::Value(value) if code.is_bound_once(place, &name) => return Some(Written { place: value, is_shared }),
        // In a function that has returned nobody knows its arguments.
        Binder::Parameter(Some(_)) if !is_shared => *origins.handed_on(place).0.first()?,
        Binder::Load => {
            let (home, own) = outline::home(sources, place.source, &name)?;
            let value = outline::value(&sources.get(home), home, &own)?;
            let text = code_of(sources, value);
            let blanks = text.len().saturating_sub(text.trim_start().len());
            Span { start: value.start.saturating_add(to_u32(blanks)), ..value }
        }
        _ => return None,
    };
    Some(Written { place, is_shared: true })
}

/// A step of its own.
enum Step {
    Key(String),
    Index(usize),
}

impl Step {
    fn of(step: PathStep<'_>) -> Step {
        match step {
            PathStep::Key(key) => Step::Key(key.to_owned()),
            PathStep::Index(number) => Step::Index(number),
        }
    }

    fn of_code(step: CodeStep) -> Option<Step> {
        match step {
            CodeStep::Key(key) => Some(Step::Key(key)),
            CodeStep::Index(number) => Some(Step::Index(number)),
            CodeStep::Any => None,
        }
    }

    fn as_path(&self) -> PathStep<'_> {
        match self {
            Step::Key(key) => PathStep::Key(key),
            Step::Index(number) => PathStep::Index(*number),
        }
    }
}
