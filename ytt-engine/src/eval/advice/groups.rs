//! A replacement of `regexp.replace` that names a group which the pattern does not have: `$1_a` is the group `1_a`, not the
//! first one with `_a` behind it.

use starlark::eval::Evaluator;

use super::super::host::Host;
use super::super::trace::call_place;
use super::code_of;
use crate::diag::{Code, Diagnostic};
use crate::nearest::only;
use crate::source::{SourceMap, Span, to_u32};
use crate::template::written;

/// Warns of the name of a group that is not there and begins with the number of one that is.
pub(crate) fn no_such_group(host: &Host<'_>, eval: &Evaluator<'_, '_, '_>, name: &str, number: &str) {
    let Some(call) = call_place(host, eval).filter(|call| host.is_first_at(Code::MODULE_NO_SUCH_GROUP, *call)) else {
        return;
    };
    let place = replacement(&host.sources, call);
    let rest = name.strip_prefix(number).unwrap_or_default();
    let warning = Diagnostic::warning(
        Code::MODULE_NO_SUCH_GROUP,
        "the replacement names a group that the pattern does not have: nothing is written for it",
    );
    let warning = warning
        .label(place.unwrap_or(call), format!("`${name}` is the group of the name `{name}`, which is not there"));
    let help = format!("for group {number} with `{rest}` behind it write `${{{number}}}{rest}`");
    let sign = place.and_then(|place| written_out(&host.sources, place, number));
    host.warn(warning.edit_at(help, sign, format!("${{{number}}}")));
}

/// The third argument of the call.
fn replacement(sources: &SourceMap, call: Span) -> Option<Span> {
    let given = written::call(sources, call)?;
    let [.., replacement] = &given[..] else { return None };
    let is_plain = given.len() == 3 && given.iter().all(|one| one.name.is_none());
    (is_plain && !code_of(sources, replacement.value).starts_with('*')).then_some(replacement.value)
}

/// Where the sign of a group stands, if it does so once in this code, with more of a name behind it or at the end of its
/// text.
fn written_out(sources: &SourceMap, place: Span, number: &str) -> Option<Span> {
    let code = code_of(sources, place);
    let sign = format!("${number}");
    let at = only(code.match_indices(&sign).map(|(at, _)| at))?;
    let (before, after) = (code.get(..at)?, code.get(at.checked_add(sign.len())?..)?);
    let goes_on = after.starts_with(|next: char| next.is_alphabetic() || matches!(next, '_' | '"' | '\''));
    let start = place.start.checked_add(to_u32(at))?;
    (goes_on && !before.ends_with('$'))
        .then(|| Some(Span { start, end: start.checked_add(to_u32(sign.len()))?, ..place }))?
}
