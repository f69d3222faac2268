//! Names that the interpreter refuses (`assert`, `async`, letters above U+007F): the template compiler writes them as
//! `YTT_U_` and the hex digits of their UTF-8, and here they are undone where they arrive as keyword arguments.

use std::borrow::Cow;

use starlark::values::{Heap, StringValue};

use super::text::{from_star, to_star};
use crate::template;

/// A name (as Starlark text) as the source has it.
pub(crate) fn plain(name: &str) -> Cow<'_, str> {
    match template::unmangle(name) {
        Cow::Owned(text) => Cow::Owned(to_star(text.as_bytes()).into_owned()),
        Cow::Borrowed(_) => Cow::Borrowed(name),
    }
}

/// As [`plain`], for a string of the heap.
pub(crate) fn undo<'v>(name: StringValue<'v>, heap: Heap<'v>) -> StringValue<'v> {
    match plain(name.as_str()) {
        Cow::Borrowed(_) => name,
        Cow::Owned(name) => heap.alloc_str(&name),
    }
}

/// A name (as Starlark text) as generated code has it: the way back from [`plain`].
pub(crate) fn written(name: &str) -> Cow<'_, str> {
    let bytes = from_star(name);
    match std::str::from_utf8(&bytes).map(|text| template::mangle(text)) {
        Ok(Cow::Owned(written)) => Cow::Owned(written),
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
            ("YTT_U_x", "YTT_U_5954545f555f78"),
        ];
        for (name, text) in cases {
            assert_eq!(written(name), text);
            assert_eq!(plain(text), name);
        }
        assert_eq!(plain("YTT_U_xy"), "YTT_U_xy");
    }
}
