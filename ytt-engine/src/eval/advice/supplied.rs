//! What an argument that a call lacks may be, as far as code beside the call tells: a value of that name, or what another
//! call beside it gives for that parameter. All of it is a guess.

use super::super::host::Host;
use super::lacked::{argument, parameter, parameters};
use super::{code_of, is_plain_literal};
use crate::source::{Source, Span};
use crate::template::code::{Binder, Bound, FileCode};
use crate::template::written;

/// Lines between a call and another one that stands beside it.
const LINES: u32 = 40;
/// Calls of a file that is looked through.
const CALLS: usize = 500;

/// What an argument may be.
pub(super) struct Supplied {
    pub(super) code: String,
    /// Where it is written, and what is said of that place.
    pub(super) place: Span,
    pub(super) label: String,
    /// Why it may be meant, for the end of a help.
    pub(super) why: String,
}

/// The argument for a parameter that is missing in a call.
pub(super) fn beside(host: &Host<'_>, call: Span, callee: &str, name: &str) -> Option<Supplied> {
    let source = host.sources.get(call.source);
    let code = FileCode::read(&source, call.source)?;
    in_scope(host, &code, call, name)
        .or_else(|| of_others(host, (&source, &code), (call, callee), name))
        .or_else(|| of_the_same(host, &code, (call, callee), name))
}

/// A value of the same name that code has where the call stands.
fn in_scope(host: &Host<'_>, code: &FileCode, call: Span, name: &str) -> Option<Supplied> {
    let bound = code.bound(call, name)?;
    let is_value = match bound.by {
        // What the call itself gives is not there yet.
        Binder::Value(value) | Binder::Part(value) => value.end <= call.start,
        Binder::Parameter(_) | Binder::Loop { .. } => true,
        Binder::Load | Binder::Def => false,
    };
    let is_it = is_value && code.is_bound_once(call, name) && is_there(code, &bound, call);
    let line = host.sources.get(call.source).line(bound.name.start);
    is_it.then(|| Supplied {
        code: name.to_owned(),
        place: bound.name,
        label: format!("there is a `{name}` here"),
        why: format!("`{name}` of line {line} may be meant"),
    })
}

/// Has a name its value at a place in every run that comes there?
fn is_there(code: &FileCode, bound: &Bound, place: Span) -> bool {
    let around = code.conditions(place);
    let is_set = bound.name.start < place.start && code.conditions(bound.name).iter().all(|one| around.contains(one));
    match bound.by {
        Binder::Loop { vars, over } => code.turns(place).contains(&(vars, over)),
        _ => is_set,
    }
}

/// What calls beside it give, of this function or one of a like name, if they give the same.
fn of_others(
    host: &Host<'_>,
    (source, code): (&Source, &FileCode),
    (call, callee): (Span, &str),
    name: &str,
) -> Option<Supplied> {
    let function = code.function_around(call).map(|function| function.whole);
    let mut found: Option<(String, Span, String)> = None;
    let calls = code.calls();
    if calls.len() > CALLS {
        return None;
    }
    for (other, whole, given) in calls {
        let own = code_of(&host.sources, other);
        let is_beside = whole.start != call.start
            && is_alike(&own, callee)
            && code.function_around(whole).map(|function| function.whole) == function
            && stand_together(source, call, whole);
        let is_function = || matches!(code.bound(other, &own), Some(Bound { by: Binder::Load | Binder::Def, .. }));
        if !is_beside || !is_function() || !code.is_bound_once(other, &own) {
            continue;
        }
        let Some(at) = parameter(host, call.source, &own, name) else { continue };
        let Some(value) = argument(host, &given, name, Some(at)) else { continue };
        let text = code_of(&host.sources, value);
        if !is_plain_literal(&text) && !is_same_there(host, code, value, call) {
            return None;
        }
        match &found {
            Some((known, ..)) if *known != text => return None,
            _ => found = Some((text, whole, own)),
        }
    }
    let (text, whole, own) = found?;
    Some(Supplied {
        label: format!("`{name}` of this call is `{text}`"),
        why: format!("`{own}` in line {} is given `{text}` for it", source.line(whole.start)),
        code: text,
        place: whole,
    })
}

/// What calls for the same thing give, which have a text in common with this one: `metadata("web", "batch")` tells the tier
/// of `labels("web")`.
fn of_the_same(host: &Host<'_>, code: &FileCode, (call, callee): (Span, &str), name: &str) -> Option<Supplied> {
    let written = written::call(&host.sources, call)?;
    let texts: Vec<(String, String)> = parameters(host, call.source, callee)?
        .into_iter()
        .enumerate()
        .filter_map(|(at, own)| {
            let text = code_of(&host.sources, argument(host, &written, &own, Some(at))?);
            is_name(&text).then_some((own, text))
        })
        .collect();
    let calls = code.calls();
    if texts.is_empty() || calls.len() > CALLS {
        return None;
    }
    let mut found: Option<(String, Span, String)> = None;
    for (other, whole, given) in calls {
        let is_given = |text: &String| given.iter().any(|one| code_of(&host.sources, one.value) == *text);
        if whole.start == call.start || !texts.iter().all(|(_, text)| is_given(text)) {
            continue;
        }
        let own = code_of(&host.sources, other);
        let Some(names) = parameters(host, call.source, &own) else { continue };
        let value = |name: &str| {
            let at = names.iter().position(|own| own == name)?;
            argument(host, &given, name, Some(at))
        };
        let is_same =
            |(name, text): &(String, String)| value(name).is_some_and(|own| code_of(&host.sources, own) == *text);
        let Some(argument) = value(name).filter(|_| texts.iter().all(is_same)) else { continue };
        let text = code_of(&host.sources, argument);
        let is_function = matches!(code.bound(other, &own), Some(Bound { by: Binder::Load | Binder::Def, .. }));
        let is_it = is_function && code.is_bound_once(other, &own) && is_plain_literal(&text);
        match &found {
            Some((known, ..)) if is_it && *known == text => {}
            None if is_it => found = Some((text, whole, own)),
            _ => return None,
        }
    }
    let (text, whole, own) = found?;
    let (_, same) = texts.first()?;
    Some(Supplied {
        label: format!("`{name}` of this call is `{text}`, for {same} too"),
        why: format!("`{own}` in line {} is given `{text}` for it", host.sources.get(whole.source).line(whole.start)),
        code: text,
        place: whole,
    })
}

/// A text that may be the name of something.
fn is_name(code: &str) -> bool {
    is_plain_literal(code) && code.starts_with('"') && code.len() > 3
}

/// `http_probe` and `tcp_probe`: names with a word in common, or the same.
fn is_alike(one: &str, other: &str) -> bool {
    one == other || one.split('_').any(|word| word.len() > 2 && other.split('_').any(|own| own == word))
}

/// Does what is read of a name mean the same at another place?
fn is_same_there(host: &Host<'_>, code: &FileCode, value: Span, place: Span) -> bool {
    let Some(path) = written::path(&host.sources, value) else { return false };
    let root = code_of(&host.sources, path.root);
    let bound = code.bound(path.root, &root);
    bound.is_some_and(|bound| is_there(code, &bound, place) && code.bound(place, &root) == Some(bound))
}

/// Two lines of code, or the values of two keys of one map as far as columns tell.
fn stand_together(source: &Source, one: Span, other: Span) -> bool {
    let [first, last] = if one.start < other.start { [one, other] } else { [other, one] };
    let [first, last] = [first, last].map(|span| source.line(span.start));
    let is_code = |line: u32| source.name.ends_with(".star") || source.line_text(line).trim_start().starts_with("#@");
    let are_code = [first, last].map(is_code);
    if first == last || are_code == [true, true] {
        return true;
    }
    let column = |text: &str, skipped: &[char]| text.len().saturating_sub(text.trim_start_matches(skipped).len());
    // Of `- name: x` the key begins behind the dash.
    let own = column(&source.line_text(first), &[' ', '-']);
    let is_of_map = |line: u32| {
        let text = source.line_text(line);
        let inner = text.trim_start();
        inner.is_empty() || inner.starts_with('#') || column(&text, &[' ']) >= own && !text.starts_with("---")
    };
    let is_near = are_code == [false, false] && last.saturating_sub(first) <= LINES;
    is_near && column(&source.line_text(last), &[' ']) == own && (first.saturating_add(1)..=last).all(is_of_map)
}
