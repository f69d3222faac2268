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

/// The parts of a string.
#[derive(Debug, Trace, ProvidesStaticType, Allocative, NoSerialize, StarlarkPagablePanic)]
pub(super) struct Elems {
    text: String,
    ordinals: bool,
}

/// The same, by code points; a type of its own since code sees it as one.
#[derive(Debug, Trace, ProvidesStaticType, Allocative, NoSerialize, StarlarkPagablePanic)]
pub(super) struct Codepoints {
    text: String,
    ordinals: bool,
}

/// The value of the method `name`.
pub(super) fn parts<'v>(name: &str, text: &str, heap: Heap<'v>) -> Value<'v> {
    let (text, ordinals) = (text.to_owned(), name.ends_with("_ords"));
    if name.starts_with('c') {
        heap.alloc_complex_no_freeze(Codepoints { text, ordinals })
    } else {
        heap.alloc_complex_no_freeze(Elems { text, ordinals })
    }
}

fn show(f: &mut fmt::Formatter<'_>, text: &str, part: &str, ordinals: bool) -> fmt::Result {
    let mut quoted = String::new();
    quote(&mut quoted, text);
    write!(f, "{quoted}.{part}{}()", if ordinals { "_ords" } else { "s" })
}

impl fmt::Display for Elems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(f, &self.text, "elem", self.ordinals)
    }
}

impl fmt::Display for Codepoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        show(f, &self.text, "codepoint", self.ordinals)
    }
}

#[starlark_value(type = "elems")]
impl<'v> StarlarkValue<'v> for Elems {
    type Canonical = Self;

    fn iterate_collect(&self, heap: Heap<'v>) -> starlark::Result<Vec<Value<'v>>> {
        let part = |character: char| match self.ordinals {
            true => heap.alloc(u32::from(character)),
            false => heap.alloc(character),
        };
        Ok(self.text.chars().map(part).collect())
    }
}

#[starlark_value(type = "codepoints")]
impl<'v> StarlarkValue<'v> for Codepoints {
    type Canonical = Self;

    fn iterate_collect(&self, heap: Heap<'v>) -> starlark::Result<Vec<Value<'v>>> {
        let bytes = from_star(&self.text);
        let mut rest = self.text.chars();
        let part = |(number, width): (u32, usize)| {
            let text: String = rest.by_ref().take(width).collect();
            if self.ordinals { heap.alloc(number) } else { heap.alloc(text) }
        };
        Ok(decode(&bytes).into_iter().map(part).collect())
    }
}
