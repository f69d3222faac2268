//! Values of the wrong type that a function of the project returns: the `return` that gives them.

use super::super::host::Host;
use super::{code_of, functions};
use crate::diag::{Diagnostic, Fact, Label};
use crate::nearest::only;
use crate::source::{SourceId, SourceMap, Span, to_u32};
use crate::template::code::{Binder, FileCode};
use crate::template::written;

/// Marks what the function returns that the code at the primary place calls, itself or for the name that it is.
pub(super) fn told(sources: &SourceMap, problem: &mut Diagnostic) {
    // A loop that takes items apart marks its names first.
    let labels = if matches!(problem.parts().fact, Some(Fact::NotUnpacked { .. })) { 2 } else { 1 };
    let mut places = problem.parts().labels.iter().take(labels).map(|label| label.span);
    let Some(call) = places.find_map(|place| call_of(sources, place)) else { return };
    // None comes of a way without a `return`, too.
    let is_none = |fact: &Fact| match fact {
        Fact::NotText { kind } | Fact::NotIterable { kind } | Fact::NotIndexed { kind } => kind == "NoneType",
        Fact::Argument { found, .. } => found == "NoneType",
        _ => false,
    };
    if problem.parts().fact.as_ref().is_none_or(is_none) {
        return;
    }
    let callee = written::callee(sources, call).filter(|callee| functions::is_always(sources, *callee));
    // A parameter or another value of a function may have the name of one.
    let is_function = |callee: &Span| {
        let code = FileCode::read(&sources.get(callee.source), callee.source)?;
        Some(matches!(code.bound(*callee, &code_of(sources, *callee))?.by, Binder::Def | Binder::Load))
    };
    let callee = callee.filter(|callee| is_function(callee) == Some(true));
    let Some(callee) = callee.map(|callee| code_of(sources, callee)) else { return };
    let Some((function, name)) = functions::defined(sources, call.source, &callee) else { return };
    let is_told =
        |label: &Label| label.span == name || label.span.source == name.source && function.whole.holds(label.span);
    // With several ways nobody knows which one was gone.
    let [returned] = function.returned[..] else { return };
    if problem.parts().labels.iter().any(is_told) {
        return;
    }
    let mut told = problem.clone().label(returned, format!("`{callee}` returns this"));
    let code = code_of(sources, returned);
    if matches!(told.parts().fact, Some(Fact::NotUnpacked { .. })) && code.starts_with('{') && code.ends_with('}') {
        let end = Span { start: call.end, ..call };
        told = told.help_edit("a dict gives its keys: its pairs come by `items`", end, ".items()").if_it_mends();
        told.parts_mut().helps.rotate_right(1);
    }
    // Others may call it for the float.
    if let Some(Fact::Argument { wanted: "int", found, .. }) = &told.parts().fact
        && found == "float"
        && let Some((span, new)) = divided(sources, returned)
    {
        told = told.help_edit("or divide whole numbers: `/` gives a float, `//` does not", span, new).guessing();
    }
    *problem = told;
}

/// The call that code is, or that the name is set to which it is or is read of.
fn call_of(sources: &SourceMap, place: Span) -> Option<Span> {
    if written::callee(sources, place).is_some() {
        return Some(place);
    }
    let path = written::path(sources, place)?;
    let source = sources.get(place.source);
    let code = FileCode::read(&source, place.source)?;
    let name = code_of(sources, path.root);
    let Binder::Value(value) = code.bound(path.root, &name)?.by else { return None };
    (code.is_bound_once(path.root, &name) && written::callee(sources, value).is_some()).then_some(value)
}

/// The sign of a division that a value is, and the one for whole numbers.
pub(super) fn divided(sources: &SourceMap, value: Span) -> Option<(Span, &'static str)> {
    let [left, right] = written::operands(sources, value)?;
    let between = Span { start: left.end, end: right.start, ..left };
    let at = code_of(sources, between).find('/')?;
    let start = between.start.checked_add(to_u32(at))?;
    let sign = Span { start, end: start.checked_add(1)?, ..left };
    let is_it = code_of(sources, between).trim_matches([' ', '(', ')']) == "/";
    is_it.then_some((sign, "//"))
}

/// A value of `@ytt:url` that nothing encodes: the one function that returns such a value as it is.
pub(super) fn unencoded(host: &Host<'_>, problem: &mut Diagnostic) {
    if !matches!(&problem.parts().fact, Some(Fact::NotEncoded { kind }) if kind == "@ytt:url.value") {
        return;
    }
    let found = host.sources.all().into_iter().enumerate().filter_map(|(number, source)| {
        let file = SourceId(to_u32(number));
        let text = source.text.as_str().filter(|text| text.contains("url.parse("))?;
        let code = host.may_advise(text.len()).then(|| FileCode::read(&source, file))??;
        let all = code.defined().into_iter().flat_map(|(name, function)| {
            let bare = function.returned.into_iter().filter(|value| {
                let written = source.written(*value).unwrap_or_default();
                let chain =
                    written.strip_prefix("url.parse(").and_then(|rest| rest.rsplit_once(").")).map(|(_, last)| last);
                written.starts_with("url.parse(") && matches!(chain, None | Some("without_user()"))
            });
            bare.map(move |value| (name.clone(), value)).collect::<Vec<_>>()
        });
        Some(all.collect::<Vec<_>>())
    });
    let Some((name, value)) = only(found.flatten()) else { return };
    let end = Span { start: value.end, ..value };
    let place = Label { span: value, text: format!("`{name}` returns a URL, which is no text yet") };
    *problem = problem.clone().help_edit("give its text", end, ".string()").if_it_mends().beside_help([place]);
}
