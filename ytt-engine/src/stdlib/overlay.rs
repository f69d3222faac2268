//! `@ytt:overlay`: `apply`, and the matchers `all`, `index`, `map_key`, `subset`, `and_op`, `or_op`, `not_op`.
//!
//! Matchers are data that the overlay engine evaluates by itself; called by hand they ask it, too.

use starlark::eval::Evaluator;
use starlark::values::list::ListRef;
use starlark::values::{Heap, Value, ValueTyped};

use super::arguments::{ONLY_ONE, integer, only, text, warn_unknown, wrong};
use crate::call::{Matcher, ValueHandle};
use crate::diag::{Code, Diagnostic, Fact};
use crate::eval::object::{CallArgs, Func, Functions, ObjectRole};
use crate::eval::text::readable;
use crate::eval::{EvalResult, FileInstance, Fragment, Returned, Session, convert, error};
use crate::overlay;
use crate::quoted;
use crate::yaml::Val;
use crate::yaml::words::kind_name;

pub(super) const FUNCTIONS: Functions = &[
    ("and_op", |function, given, eval| {
        let all = several(function, &given)?;
        Ok(matcher(function.inst, "overlay.and_op", Matcher::And(all), eval.heap()))
    }),
    ("apply", apply),
    ("index", |function, given, eval| {
        let number = integer(only(function, &given)?)?;
        Ok(matcher(function.inst, "overlay.index_matcher", Matcher::Index(number), eval.heap()))
    }),
    ("map_key", |function, given, eval| {
        let name = only(function, &given)?;
        text(name)?;
        Ok(matcher(function.inst, "overlay.map_key_matcher", Matcher::Key(keep(function, name)), eval.heap()))
    }),
    // Compat: what it gives goes by the name of `or_op`.
    ("not_op", |function, given, eval| {
        let opposite = keep(function, only(function, &given)?);
        Ok(matcher(function.inst, "overlay.or_op", Matcher::Not(opposite), eval.heap()))
    }),
    ("or_op", |function, given, eval| {
        let all = several(function, &given)?;
        Ok(matcher(function.inst, "overlay.or_op", Matcher::Or(all), eval.heap()))
    }),
    ("subset", |function, given, eval| {
        if given.positional.is_empty() && !given.named.is_empty() {
            return Err(keywords_for_a_map(&given));
        }
        if given.positional.len() > 1 && given.positional.iter().all(|value| value.get_type() == "dict") {
            let problem = Diagnostic::error(Code::MODULE_ARGUMENT, ONLY_ONE);
            return Err(error::wrap(problem.fact(Fact::SeveralDicts)));
        }
        let part = keep(function, only(function, &given)?);
        Ok(matcher(function.inst, "overlay.subset_matcher", Matcher::Subset(part), eval.heap()))
    }),
];

/// Keywords where `subset` takes one map.
fn keywords_for_a_map(given: &CallArgs<'_>) -> starlark::Error {
    let value = |value: Value<'_>| match value.unpack_str() {
        Some(text) => quoted::starlark(&readable(text)),
        None if matches!(value.get_type(), "int" | "bool" | "NoneType") => value.to_string(),
        None => "…".to_owned(),
    };
    let entries = given
        .named
        .iter()
        .map(|(name, given)| format!("{}: {}", quoted::starlark(&readable(name.as_str())), value(*given)));
    let map = entries.collect::<Vec<_>>().join(", ");
    let problem = Diagnostic::error(Code::MODULE_ARGUMENT, ONLY_ONE);
    error::wrap(problem.fact(Fact::KeywordsForMap).help(format!("give it as a map: `overlay.subset({{{map}}})`")))
}

/// The one matcher that is no function of the module but a value.
pub(super) fn all<'v>(inst: ValueTyped<'v, FileInstance<'v>>, heap: Heap<'v>) -> Value<'v> {
    matcher(inst, "overlay.all", Matcher::All, heap)
}

fn apply<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let Some((first, overlays)) = given.positional.split_first() else {
        let problem = Diagnostic::error(Code::MODULE_ARGUMENT, "expected exactly at least argument");
        return Err(error::wrap(
            problem.help("give the value to change, then one or more overlays: overlay.apply(left, right)"),
        ));
    };
    warn_unknown(function, &given, &[]);
    let (host, heap) = (function.inst.as_ref().host, eval.heap());
    let mut result = convert::to_val(host.as_ref(), *first, heap)?;
    let (left, given) = (kind_name(&host.as_ref().arena.borrow(), result), overlays);
    let overlays = given.iter().enumerate().map(|(number, value)| {
        convert::to_val(host.as_ref(), *value, heap).map_err(|error| told_of_lists(error, left, given, number))
    });
    let overlays = overlays.collect::<EvalResult<Vec<Val>>>()?;
    if overlays.is_empty() {
        let depth = host.as_ref().limits.depth;
        let made = host.as_ref().arena.borrow_mut().nodes(result);
        result = made.map_err(|_| error::text_only(format!("nesting is deeper than {depth} levels")))?;
    }
    for (number, right) in overlays.into_iter().enumerate() {
        let applied = overlay::apply(&mut Session { host, eval }, result, right);
        result = applied.map_err(|problem| told_of_lists(error::wrap(problem), left, given, number))?;
    }
    Ok(Fragment::new(host, result).alloc(heap))
}

/// The lists among overlays, from this one on, if it is a list of overlays for a value of that kind: each with its number in
/// the call and its length.
fn lists<'v>(left: &str, overlays: &[Value<'v>], number: usize) -> Vec<(usize, usize)> {
    let kind = |item: &Value<'v>| Fragment::from_value(*item).map_or_else(|| item.get_type(), Fragment::kind);
    let is_overlay = |item: &Value<'v>| kind(item) == left || kind(item) == "dict" && left == "map";
    let items = |value: &Value<'v>| ListRef::from_value(*value).map(|list| list.content());
    if !overlays.get(number).and_then(items).is_some_and(|items| items.iter().all(is_overlay)) {
        return Vec::new();
    }
    let rest = overlays.iter().enumerate().skip(number);
    rest.filter_map(|(at, right)| Some((at.saturating_add(1), items(right)?.len()))).collect()
}

/// What failed of an overlay: if that is such a list, the call tells it.
fn told_of_lists(failure: starlark::Error, left: &str, overlays: &[Value<'_>], number: usize) -> starlark::Error {
    let lists = lists(left, overlays, number);
    let Some(mut problem) = error::diagnostic_of(&failure).filter(|_| !lists.is_empty()).cloned() else {
        return failure;
    };
    let parts = problem.parts_mut();
    parts.labels.clear();
    parts.helps.clear();
    error::wrap(problem.fact(Fact::ListsOfOverlays { lists }))
}

fn matcher<'v>(inst: ValueTyped<'v, FileInstance<'v>>, name: &'static str, data: Matcher, heap: Heap<'v>) -> Value<'v> {
    Func::new(inst, name, call_by_hand).role(ObjectRole::Matcher(data)).alloc(heap)
}

/// A matcher called as a function. The engine puts the matcher's name in front of what goes wrong.
#[allow(clippy::unreachable, reason = "`matcher` alone makes functions that run this, with the role of a matcher")]
fn call_by_hand<'v>(function: &Func<'v>, given: CallArgs<'v>, eval: &mut Evaluator<'v, '_, '_>) -> Returned<'v> {
    let [first, left, right] = given.positional[..] else {
        let text = format!("{}: expected exactly 3 arguments", function.name);
        let problem = Diagnostic::error(Code::MODULE_ARGUMENT, text);
        let is_all = matches!(function.role, ObjectRole::Matcher(Matcher::All)) && given.positional.is_empty();
        return Err(error::wrap(match is_all {
            true => problem.help("overlay.all is the matcher itself: write it without parentheses"),
            false => problem.help("a matcher is called with index or key, left value, right value"),
        }));
    };
    let ObjectRole::Matcher(data) = &function.role else { unreachable!("only matchers run this") };
    let host = function.inst.as_ref().host;
    let value = |value| convert::to_val(host.as_ref(), value, eval.heap());
    let (first, left, right) = (value(first)?, value(left)?, value(right)?);
    let matches = overlay::call_matcher(&mut Session { host, eval }, data, first, left, right);
    matches.map(Value::new_bool).map_err(error::wrap)
}

fn several<'v>(function: &Func<'v>, given: &CallArgs<'v>) -> EvalResult<Vec<ValueHandle>> {
    if given.positional.is_empty() {
        return Err(wrong("expected at least one argument"));
    }
    warn_unknown(function, given, &[]);
    Ok(given.positional.iter().map(|value| keep(function, *value)).collect())
}

fn keep<'v>(function: &Func<'v>, value: Value<'v>) -> ValueHandle {
    function.inst.as_ref().host.as_ref().keep(value)
}
