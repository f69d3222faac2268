//! `name, tag = image.split(":")` of a text with more parts than names: the text, and how to take it apart once.

use super::super::host::Host;
use super::origin::{Origins, described, name_of, place_of};
use super::{code_of, endings};
use crate::diag::Diagnostic;
use crate::nearest::only;
use crate::source::{SourceMap, Span};
use crate::template::written;
use crate::yaml::{NodeId, Val};

/// Names of what stands behind the last separator, and of all that is behind the first one.
const LAST: [&str; 9] = ["digest", "ext", "extension", "leaf", "port", "suffix", "tag", "ver", "version"];
const REST: [&str; 7] = ["path", "remainder", "rest", "tail", "v", "val", "value"];
/// Separators behind which all belongs together.
const ONCE: [&str; 4] = ["=", ",", " ", ": "];

/// A call of `split` whose parts are named.
pub(super) struct Split {
    pub(super) whole: Span,
    pub(super) of: Span,
    pub(super) separator: Span,
    pub(super) frame: usize,
}

/// Adds the text that is taken apart, if data values have it, and for too many parts the calls that give as many as there
/// are names: `counts` are the parts and the names.
pub(super) fn told(host: &Host<'_>, data: Val, problem: &mut Diagnostic, counts: (u64, u64)) {
    let (got, want) = counts;
    let Some(place) = problem.parts().labels.first().map(|label| label.span) else { return };
    let sources = &host.sources;
    let trace = problem.parts().trace.clone();
    let origins = Origins::new(host, data, &trace);
    let Some(split) = split(sources, &origins, place) else { return };
    let separator = code_of(sources, split.separator);
    let between = separator.get(1..separator.len().saturating_sub(1)).unwrap_or_default().to_owned();
    // A separator with escapes, or with quotes of another kind, is written in another way than it is.
    if between.is_empty() || between.contains(['\\', '"', '\'']) {
        return;
    }
    let text_of = |item: NodeId| {
        let arena = host.arena.borrow();
        arena.str(arena.value(item)).map(str::to_owned)
    };
    let has_parts = |item: &NodeId| text_of(*item).is_some_and(|text| text.split(&between).count() as u64 == got);
    let item = only(origins.of(split.of, split.frame).into_iter().filter(has_parts));
    let text = item.and_then(text_of);
    let said = format!("this gives {got} part{}, for {want} name{}", plural(got), plural(want));
    let mut told = match split.whole == place {
        true => problem.clone().relabel(said),
        false => problem.clone().label(split.whole, said),
    };
    if let Some((item, place)) = item.and_then(|item| Some((item, place_of(host, item)?))) {
        let what = described(&host.arena.borrow(), host.arena.borrow().value(item));
        told = told.label(place, format!("`{}` is {what}", name_of(host, item, &code_of(sources, split.of))));
    }
    let pieces = text.as_deref().map(|text| text.split(&between).collect::<Vec<_>>()).unwrap_or_default();
    let is_path = |piece: &&str| piece.starts_with('/') && !piece.starts_with("//");
    if got > want && want > 1 && !(between == ":" && pieces.iter().skip(1).any(is_path)) {
        let times = want.saturating_sub(1);
        let call = |method: &str| format!(".{method}({separator}, {times})");
        let behind = Span { start: split.of.end, ..split.whole };
        let number = if times > 1 { format!("{times} ") } else { String::new() };
        let from_end = format!("take it apart at the last {number}`{between}` only");
        let from_start = format!("take it apart at the first {number}`{between}` only");
        let mut ways = [(from_end, call("rsplit")), (from_start, call("split"))];
        if is_once(sources, place, &between, &pieces) {
            ways.reverse();
        }
        let [first, second] = ways;
        told = told.help_edit(first.0, behind, first.1).guessing();
        told = told.help_edit(format!("or {}", second.0), behind, second.1).guessing();
    }
    *problem = told;
    endings::told(host, data, problem, place);
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}

/// The call that code is, or that its name is set to.
pub(super) fn split(sources: &SourceMap, origins: &Origins<'_, '_>, place: Span) -> Option<Split> {
    let (whole, frame) = match written::callee(sources, place) {
        Some(_) => (place, 0),
        None => origins.given_by(place, 0)?,
    };
    let callee = code_of(sources, written::callee(sources, whole)?);
    let [separator] = <[_; 1]>::try_from(written::call(sources, whole)?).ok()?;
    let is_split = callee.ends_with(".split") || callee.ends_with(".rsplit");
    let is_plain = separator.name.is_none() && written::is_text(sources, separator.value);
    let of = written::receiver(sources, whole).filter(|_| is_split && is_plain)?;
    Some(Split { whole, of, separator: separator.value, frame })
}

/// Does all behind the first separator probably belong together? So the last name says, or else the separator and the text.
fn is_once(sources: &SourceMap, place: Span, separator: &str, pieces: &[&str]) -> bool {
    let source = sources.get(place.source);
    let line = source.line_range(source.line(place.start)).start;
    let before = code_of(sources, Span { start: line, end: place.start, ..place });
    let names = before.trim_end().strip_suffix('=').unwrap_or_default();
    let last = names.rsplit(',').next().unwrap_or_default().trim().trim_end_matches(')');
    match last {
        _ if LAST.contains(&last) => false,
        _ if REST.contains(&last) => true,
        // `host:port/name:tag`.
        _ if separator == ":" => !pieces.is_empty() && pieces.iter().all(|piece| !piece.contains('/')),
        _ => ONCE.contains(&separator),
    }
}
