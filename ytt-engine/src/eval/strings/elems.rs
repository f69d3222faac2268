//! What `elems`, `elem_ords`, `codepoints` and `codepoint_ords` of a string give: a value that can be iterated, and
//! nothing else.
#![expect(unsafe_code, reason = "the value derives of starlark expand to unsafe impls")]

use std::fmt;

use allocative::Allocative;
use starlark::values::{
    Heap, NoSerialize, ProvidesStaticType, StarlarkPagablePanic, StarlarkValue, Trace, Value, starlark_value,
};

use super::decode;
use crate::eval::repr::quote;
use crate::eval::text::from_star;

/// Declares a type of values: its name, what code calls it, the name of its parts, and how they are made of a text, as
/// texts or as numbers.
macro_rules! parts {
    ($name:ident, $kind:literal, $part:literal, |$text:ident, $ordinals:ident, $heap:ident| $parts:expr) => {
        #[derive(Debug, Trace, ProvidesStaticType, Allocative, NoSerialize, StarlarkPagablePanic)]
        struct $name {
            text: String,
            ordinals: bool,
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut quoted = String::new();
                quote(&mut quoted, &self.text);
                write!(f, concat!("{}.", $part, "{}()"), quoted, if self.ordinals { "_ords" } else { "s" })
            }
        }

        #[starlark_value(type = $kind)]
        impl<'v> StarlarkValue<'v> for $name {
            type Canonical = Self;

            fn iterate_collect(&self, $heap: Heap<'v>) -> starlark::Result<Vec<Value<'v>>> {
                let ($text, $ordinals) = (&self.text, self.ordinals);
                Ok($parts.collect())
            }
        }
    };
}

parts!(Elems, "elems", "elem", |text, ordinals, heap| {
    text.chars().map(|byte| if ordinals { heap.alloc(u32::from(byte)) } else { heap.alloc(byte) })
});

parts!(Codepoints, "codepoints", "codepoint", |text, ordinals, heap| {
    let mut rest = text.chars();
    decode(&from_star(text)).into_iter().map(move |(number, width)| {
        let text: String = rest.by_ref().take(width).collect();
        if ordinals { heap.alloc(number) } else { heap.alloc(text) }
    })
});

/// The value of the method `name`.
pub(super) fn parts<'v>(name: &str, text: &str, heap: Heap<'v>) -> Value<'v> {
    let (text, ordinals) = (text.to_owned(), name.ends_with("_ords"));
    if name.starts_with('c') {
        heap.alloc_complex_no_freeze(Codepoints { text, ordinals })
    } else {
        heap.alloc_complex_no_freeze(Elems { text, ordinals })
    }
}
