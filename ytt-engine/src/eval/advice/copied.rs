//! A name that is not known in code which was copied from another loop or function: the variable or parameter that has
//! its place here, as far as its values have what is read of the name.

use std::sync::Arc;

use super::super::host::Host;
use super::operands::items_named;
use super::origin::Origins;
use crate::diag::{Diagnostic, NoteKind, suggest};
use crate::source::{Source, SourceId, Span, to_u32};
use crate::template::code::{Binder, Bound, FileCode};
use crate::template::word;
use crate::yaml::Val;

/// Uses of a name that are looked at.
const MOST: usize = 50;

/// A variable of a loop or a parameter that is in scope.
struct Candidate {
    name: String,
    bound: Bound,
}

/// Tells of a name that is read of, where names around the place have in their values what is read of it.
pub(super) fn told(host: &Host<'_>, data: Val, problem: &Diagnostic, name: &str) -> Option<Diagnostic> {
    let [label] = &problem.parts().labels[..] else { return None };
    let place = label.span;
    let source = host.sources.get(place.source);
    // A name that is spelt alike, or that a `load` brings, says more, as does a data value of that name.
    let is_open = problem.parts().helps.iter().all(|help| help.edit.is_none());
    if !is_open || !host.may_advise(source.text.as_bytes().len()) || !items_named(host, data, name).is_empty() {
        return None;
    }
    let code = FileCode::read(&source, place.source)?;
    let uses: Vec<Span> = code.reads(name).into_iter().take(MOST.saturating_add(1)).map(|read| read.whole).collect();
    // The name alone, without what is read of it.
    let own = |read: &Span| Span { end: read.start.saturating_add(to_u32(name.len())), ..*read };
    let uses: Vec<Span> = uses.iter().map(own).filter(|read| code.bound(*read, name).is_none()).collect();
    if uses.len() > MOST || !uses.contains(&place) {
        return None;
    }
    // `values.name` lacks `data.` in front, and what another file sets is known there.
    if name == "values" || is_set_elsewhere(host, name, place.source) {
        return None;
    }
    let mut found = around(&source, &code, place);
    let fits = |candidate: &Candidate| {
        let mut fits = Some(true);
        for read in uses.iter().filter(|read| is_around(&code, candidate, **read)) {
            match has_what_is_read(host, data, (&source, &code), *read, candidate) {
                Some(true) => {}
                Some(false) => return Some(false),
                None => fits = None,
            }
        }
        fits
    };
    found.retain(|candidate| candidate.name != name && fits(candidate) != Some(false));
    // Beside another one, a variable that nothing reads yet is as likely as one that fits; by itself it is too little.
    if let [only] = &found[..]
        && fits(only).is_none()
    {
        return None;
    }
    let names: Vec<&str> = found.iter().map(|candidate| candidate.name.as_str()).collect();
    let mut told = problem.clone();
    told.parts_mut().helps.clear();
    told.parts_mut().notes.retain(|note| note.kind != NoteKind::Text);
    let text = format!("did you mean {}?", suggest::either(&names));
    let [only] = &found[..] else { return (!names.is_empty()).then(|| told.help(text)) };
    let here = uses.iter().filter(|read| is_around(&code, only, **read)).map(|read| (*read, only.name.as_str()));
    let (span, new) = source.replaced(here)?;
    let set = match only.bound.by {
        Binder::Loop { .. } => format!("`{}` is set by this loop", only.name),
        _ => format!("`{}` is a parameter here", only.name),
    };
    told = told.label(only.bound.name, set);
    match elsewhere(host, name, place.source) {
        Some(other) => {
            Some(told.label(other, format!("`{name}` is set here, for other lines")).help_edit(text, span, new))
        }
        None => Some(told.help_edit(text, span, new).guessing()),
    }
}

/// The variables of the loops around a place and the parameters of the function, the innermost ones first.
fn around(source: &Source, code: &FileCode, place: Span) -> Vec<Candidate> {
    let is_name =
        |name: &&str| !name.starts_with('_') && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
    let mut found = Vec::new();
    let turns = code.turns(place);
    for (vars, over) in turns {
        let names = source.written(vars).unwrap_or_default();
        for name in names.trim_matches(['(', ')']).split(',').map(str::trim).filter(is_name) {
            let bound = code.bound(place, name).filter(|bound| bound.by == Binder::Loop { vars, over });
            found.extend(bound.map(|bound| Candidate { name: name.to_owned(), bound }));
        }
    }
    let function = code.function_around(place);
    for parameter in function.into_iter().flat_map(|function| function.parameters) {
        let bound = code.bound(place, &parameter.name).filter(|bound| bound.name == parameter.span);
        found.extend(bound.map(|bound| Candidate { name: parameter.name, bound }));
    }
    found
}

/// Is the name bound at a place as it is where the candidate was found? The variable of a loop is one inside of it alone.
fn is_around(code: &FileCode, candidate: &Candidate, place: Span) -> bool {
    let is_turned = || match candidate.bound.by {
        Binder::Loop { vars, over } => code.turns(place).contains(&(vars, over)),
        _ => true,
    };
    code.bound(place, &candidate.name).as_ref() == Some(&candidate.bound) && is_turned()
}

/// Do the values of a name, which is used around the place, have what is read of the name there? Where its values are not
/// known, that other code reads the same of it says so; `None` if nothing does.
fn has_what_is_read(
    host: &Host<'_>,
    data: Val,
    (source, code): (&Source, &FileCode),
    place: Span,
    candidate: &Candidate,
) -> Option<bool> {
    let Some(field) = field_behind(source, place) else { return Some(false) };
    let reads = code.reads(&candidate.name).into_iter().take(MOST);
    let reads: Vec<_> = reads.filter(|read| is_around(code, candidate, read.whole)).collect();
    let first = reads.first()?;
    let used = Span { end: first.whole.start.saturating_add(to_u32(candidate.name.len())), ..first.whole };
    let values = Origins::returned(host, data).values(used);
    if values.is_empty() {
        return reads.iter().any(|read| read.member.as_ref() == Some(&field)).then_some(true);
    }
    let arena = host.arena.borrow();
    let has_it = |value: Val| arena.map_of(value).is_some_and(|map| arena.find_str(map, &field).is_some());
    Some(values.into_iter().all(has_it))
}

/// Does another file give the name a value outside of functions?
fn is_set_elsewhere(host: &Host<'_>, name: &str, own: SourceId) -> bool {
    let sources = host.sources.all().into_iter().zip(0..).map(|(source, id)| (source, SourceId(id)));
    let sets = |(source, id): (Arc<Source>, SourceId)| {
        let text = source.text.as_str().filter(|text| host.may_advise(text.len()))?;
        word::whole(text, name).next()?;
        let code = FileCode::read(&source, id)?;
        let place = Span::new(id, 0, 0);
        code.bound(place, name).filter(|bound| matches!(bound.by, Binder::Value(_) | Binder::Part(_)))
    };
    sources.filter(|(_, id)| *id != own).filter_map(sets).next().is_some()
}

/// The field or the key that code reads of the name at a place; what is called is no field.
fn field_behind(source: &Source, place: Span) -> Option<String> {
    let line = source.line_range(source.line(place.end));
    let behind = source.written(Span { start: place.end, end: line.end, ..place })?;
    if let Some(rest) = behind.strip_prefix('.') {
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
        let (field, rest) = rest.split_at_checked(end)?;
        return (!field.is_empty() && !rest.starts_with('(')).then(|| field.to_owned());
    }
    let (key, _) = behind.strip_prefix("[\"")?.split_once("\"]")?;
    (!key.contains(['"', '\\'])).then(|| key.to_owned())
}

/// Where another loop or function of the project has the name, in the same file or in another one: the code was copied.
fn elsewhere(host: &Host<'_>, name: &str, own: SourceId) -> Option<Span> {
    let sources = host.sources.all().into_iter().zip(0..).map(|(source, id)| (source, SourceId(id)));
    let (here, others): (Vec<_>, Vec<_>) = sources.partition(|(_, id)| *id == own);
    here.into_iter().chain(others).find_map(|(source, id)| {
        let text = source.text.as_str().filter(|text| host.may_advise(text.len()))?;
        // That file may be one that cannot be read as code.
        let in_loop = word::whole(text, name).take(MOST).find_map(|at| {
            let span = Span::new(id, to_u32(at), to_u32(at.saturating_add(name.len())));
            let line = source.line_range(source.line(span.start));
            let before = source.written(Span { start: line.start, end: span.start, ..span })?.trim_start();
            let behind = source.written(Span { start: span.end, end: line.end, ..span })?;
            let code = ["#@", "(@-", "(@"].iter().find_map(|mark| before.strip_prefix(mark)).unwrap_or(before);
            let is_set = code.trim_start().starts_with("for ") && !code.contains(" in ") && behind.contains(" in ");
            is_set.then_some(span)
        });
        in_loop.or_else(|| {
            let code = word::whole(text, name).next().and_then(|_| FileCode::read(&source, id))?;
            let mut bound = code.reads(name).into_iter().take(MOST).filter_map(|read| code.bound(read.whole, name));
            bound.find(|bound| matches!(bound.by, Binder::Parameter(_))).map(|bound| bound.name)
        })
    })
}
