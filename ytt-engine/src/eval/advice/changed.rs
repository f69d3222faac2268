//! A function that gives back what a method gives which changes its list or dict: None, at once or by the name that it sets.

use super::super::host::Host;
use super::code_of;
use crate::diag::Diagnostic;
use crate::source::{SourceMap, Span, to_u32};
use crate::template::code::{Binder, CHANGING, FileCode, Function};
use crate::template::outline;
use crate::template::written;

/// A returned call of such a method.
struct Given {
    whole: Span,
    of: Span,
    method: String,
}

/// The problem with the place that gives None, and with what to give in its stead; `call` is where the function is called.
pub(super) fn given_back(host: &Host<'_>, problem: &Diagnostic, call: (&str, Span)) -> Option<Diagnostic> {
    let (name, place) = call;
    let sources = &host.sources;
    let (file, own) = outline::home(sources, place.source, name)?;
    let home = sources.get(file);
    if !host.may_advise(home.text.as_bytes().len()) {
        return None;
    }
    let code = FileCode::read(&home, file)?;
    let (_, function) = code.defined().into_iter().rfind(|(known, _)| *known == own)?;
    let primary = problem.parts().labels.first().map(|label| label.span);
    let mut told = problem.clone().relabel("this is None");
    if primary != Some(place) {
        told = told.label(place, format!("`{own}` gives this value"));
    }
    if let Some(Set { name, value, method }) = set(sources, &code, &function) {
        let variable = code_of(sources, name);
        let text = format!("`.{method}(…)` changes `{variable}` and gives None, which is `{variable}` from here on");
        told = told.label(value, text);
        return Some(told.help_edit("change it, and set nothing", Span { end: value.start, ..name }, ""));
    }
    let given = given(sources, &code, &function)?;
    let Given { whole, method, .. } = &given;
    let told = told.label(*whole, format!("`.{method}(…)` changes what stands in front of it, and gives None"));
    let text = format!("let `{own}` give the changed value, not what `{method}` gives");
    Some(match mended(sources, &given) {
        Some((span, new)) => told.help_edit(text, span, new),
        None => told.help(text),
    })
}

/// A name that is set to what such a method gives.
struct Set {
    name: Span,
    value: Span,
    method: String,
}

/// `all = all.append(…)`, where a function returns `all`.
fn set(sources: &SourceMap, code: &FileCode, function: &Function) -> Option<Set> {
    let [returned] = function.returned[..] else { return None };
    let name = code_of(sources, returned);
    let bound = code.bound(returned, &name)?;
    let Binder::Value(value) = bound.by else { return None };
    let callee = code_of(sources, written::callee(sources, value)?);
    let method = callee.strip_prefix(&name)?.strip_prefix('.').filter(|method| CHANGING.contains(method))?.to_owned();
    Some(Set { name: bound.name, value, method })
}

/// The one thing that a function returns, if it is a call of such a method.
fn given(sources: &SourceMap, code: &FileCode, function: &Function) -> Option<Given> {
    let [whole] = function.returned[..] else { return None };
    let text = code_of(sources, written::callee(sources, whole)?);
    let of = written::receiver(sources, whole)?;
    let method = text.rsplit('.').next().filter(|method| CHANGING.contains(method))?.to_owned();
    // A module may have a function of such a name.
    let root = code_of(sources, of);
    let root: String = root.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
    let is_module = code.bound(of, &root).is_some_and(|bound| matches!(bound.by, Binder::Load));
    (!is_module || code_of(sources, of) != root).then_some(Given { whole, of, method })
}

/// What to return: the sum for a list that no name has, and else the name, below its change.
fn mended(sources: &SourceMap, given: &Given) -> Option<(Span, String)> {
    let Given { whole, of, method } = given;
    let (list, arguments) = (code_of(sources, *of), written::call(sources, *whole)?);
    if list.chars().all(|letter| letter.is_alphanumeric() || letter == '_') {
        let source = sources.get(whole.source);
        let line = source.line_range(source.line(whole.start)).start;
        let before = code_of(sources, Span { start: line, end: whole.start, ..*whole });
        let margin = before.strip_suffix("return ").filter(|margin| matches!(margin.trim(), "" | "#@"))?;
        let start = line.checked_add(to_u32(margin.len()))?;
        let new = format!("{}\n{margin}return {list}", code_of(sources, *whole));
        return Some((Span { start, ..*whole }, new));
    }
    let [only] = &arguments[..] else { return None };
    let added = code_of(sources, only.value);
    let is_simple = added.chars().all(|letter| letter.is_alphanumeric() || "_.()[]\"".contains(letter));
    let new = match method.as_str() {
        "append" => format!("{list} + [{added}]"),
        "extend" if is_simple => format!("{list} + {added}"),
        "extend" => format!("{list} + ({added})"),
        _ => return None,
    };
    Some((*whole, new))
}
