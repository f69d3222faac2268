//! Names that the template compiler writes in another way (`mangle`), as Starlark text: undone where they arrive as
//! keyword arguments, and written so where a `**` argument brings them.

use std::borrow::Cow;

use starlark::collections::SmallMap;
use starlark::eval::Arguments;
use starlark::values::{Heap, StringValue, Value};

use super::error::EvalResult;
use super::text::{from_star, to_star};
use crate::template::{is_marked, mangle, unmangle};

/// Values under names, in order. Names are Starlark text.
pub(crate) type Members<'v> = SmallMap<StringValue<'v>, Value<'v>>;

/// A name as the source has it.
pub(crate) fn unmangled(name: &str) -> Cow<'_, str> {
    match unmangle(name) {
        Cow::Borrowed(_) => Cow::Borrowed(name),
        Cow::Owned(text) => Cow::Owned(to_star(text.as_bytes()).into_owned()),
    }
}

/// As [`unmangled`], for a string of the heap.
pub(crate) fn unmangled_string<'v>(name: StringValue<'v>, heap: Heap<'v>) -> StringValue<'v> {
    match unmangled(name.as_str()) {
        Cow::Borrowed(_) => name,
        Cow::Owned(name) => heap.alloc_str(&name),
    }
}

/// Keyword arguments under their names as the source has them, of a call with so many positional ones.
pub(crate) fn named<'v>(args: &Arguments<'v, '_>, positional: usize, heap: Heap<'v>) -> EvalResult<Members<'v>> {
    // Most calls name none, and the map of names is dear even when it is empty.
    if args.len().is_ok_and(|count| count == positional) {
        return Ok(SmallMap::new());
    }
    let named = args.names_map()?;
    if !named.keys().any(|name| is_marked(name.as_str())) {
        return Ok(named);
    }
    Ok(named.into_iter().map(|(name, value)| (unmangled_string(name, heap), value)).collect())
}

/// A name as generated code has it: the way back from [`unmangled`]. Bytes that are not UTF-8 are never a name there.
pub(crate) fn mangled(name: &str) -> Cow<'_, str> {
    let bytes = from_star(name);
    match std::str::from_utf8(&bytes).map(mangle) {
        Ok(Cow::Owned(name)) => Cow::Owned(name),
        _ => Cow::Borrowed(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_back() {
        let cases = [
            ("a", "a"),
            ("assert", "YTT_U_617373657274"),
            ("\u{c3}\u{a9}", "YTT_U_c3a9"),
            ("a b", "YTT_U_612062"),
            ("\u{ff}", "\u{ff}"),
        ];
        for (name, text) in cases {
            assert_eq!(mangled(name), text);
            assert_eq!(unmangled(text), name);
        }
    }
}
