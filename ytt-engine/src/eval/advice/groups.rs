//! A replacement of `regexp.replace` that names a group which the pattern does not have: `$1_a` is the group `1_a`, not the
//! first one with `_a` behind it.

use super::super::host::Host;
use super::code_of;
use crate::diag::{Code, Diagnostic, WordKind};
use crate::source::{SourceMap, Span, to_u32};
use crate::template::written;

/// Letters of a name that are looked for in the code.
const LETTERS: usize = 64;

/// Warns, once for a call, of the name of a group that is not there and begins with the number of one that is.
pub(crate) fn no_such_group(host: &Host<'_>, call: Span, name: &str, number: &str) {
    if !host.is_first_at(Code::MODULE_NO_SUCH_GROUP, call) {
        return;
    }
    let place = replacement(&host.sources, call);
    let rest = name.strip_prefix(number).unwrap_or_default();
    let warning = Diagnostic::warning(
        Code::MODULE_NO_SUCH_GROUP,
        "the replacement names a group that the pattern does not have: nothing is written for it",
    );
    let warning = warning
        .label(place.unwrap_or(call), format!("`${name}` is the group of the name `{name}`, which is not there"));
    let help = format!("for group {number} with `{rest}` behind it write `${{{number}}}{rest}`");
    let sign = place.and_then(|place| written_out(&host.sources, place, name, number));
    host.warn(warning.edit_at(help, sign, format!("${{{number}}}")));
}

/// The third argument of the call.
fn replacement(sources: &SourceMap, call: Span) -> Option<Span> {
    let given = written::call(sources, call)?;
    let [.., replacement] = &given[..] else { return None };
    let is_plain = given.len() == 3 && given.iter().all(|one| one.name.is_none());
    (is_plain && !code_of(sources, replacement.value).starts_with('*')).then_some(replacement.value)
}

/// Where the sign of the group stands in texts of this code: with the whole name behind it, or with its beginning at the
/// end of a text, to which more is added.
fn written_out(sources: &SourceMap, place: Span, name: &str, number: &str) -> Option<Span> {
    let ends = (number.len()..=name.len().min(LETTERS)).rev();
    let mut begins = ends.filter_map(|end| name.get(..end)).map(|begin| format!("${begin}"));
    let found = begins.find_map(|begin| written::word(sources, place, &begin, WordKind::Text))?;
    let before = code_of(sources, Span { end: found.start, ..place });
    let end = found.start.checked_add(to_u32(number.len()))?.checked_add(1)?;
    (!before.ends_with('$')).then_some(Span { end, ..found })
}
