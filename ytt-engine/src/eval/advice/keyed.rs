//! A loop over a struct whose body takes the variable, which is a key, for the value of that key.

use crate::source::{Source, Span};
use crate::template::code::{Binder, FileCode, Read};

/// The edit that gives the key a name of its own and the value the one that the body uses. `field` is the one whose lack
/// was noticed, `has` says which fields values have. `None` where a smaller edit does the same.
pub(super) fn by_key(
    source: &Source,
    code: &FileCode,
    (vars, over): (Span, Span),
    field: &str,
    has: &dyn Fn(&str) -> bool,
) -> Option<(Span, String)> {
    let name = source.written(vars)?;
    let is_of_loop = |read: &Read| {
        let bound = code.bound(read.whole, name);
        bound.is_some_and(|bound| bound.by == Binder::Loop { vars, over })
    };
    let mut reads = code.reads(name);
    reads.retain(is_of_loop);
    let is_value = |read: &Read| read.member.as_deref().is_some_and(has);
    let least = if has(field) { 2 } else { 1 };
    if reads.iter().filter(|read| is_value(read)).count() < least {
        return None;
    }
    let is_free = |name: &str| code.reads(name).is_empty() && code.bound(vars, name).is_none();
    let wanted = if has(field) { "key" } else { field };
    let key = [wanted, "key", "one_key"].into_iter().find(|name| is_free(name))?;
    let line = source.line(vars.start);
    let range = source.line_range(line);
    let before = source.written(Span { start: range.start, end: vars.start, ..vars })?.strip_suffix("for ")?;
    let behind = source.written(Span { start: over.end, end: range.end, ..vars })?;
    let (blanks, is_code) = (before.trim_start_matches(' '), source.name.ends_with(".star"));
    if behind.trim() != ":" || !(is_code && blanks.is_empty() || blanks.trim_end() == "#@") {
        return None;
    }
    let deeper = if is_code { "  " } else { "" };
    let list = source.written(over)?;
    let set = format!(":\n{before}{deeper}{name} = {list}[{key}]");
    let mut parts = vec![(vars, key), (Span { start: over.end, end: range.end, ..over }, &*set)];
    parts.extend(reads.iter().filter(|read| !is_value(read)).map(|read| (read.whole, key)));
    source.replaced(parts)
}
