//! The names of a file: what it exports, loads and shadows, and which uses mean nothing.
//!
//! `scope` resolves every use as the reference does. A name that the interpreter reserves, or that could be mistaken for
//! one of the compiler's, is written in another way in the program: [`mangle`].

mod borrowed;
mod calls;
mod doubtful;
mod loads;
mod scope;
mod unused;
mod uses;

use std::borrow::Cow;
use std::collections::BTreeSet;

pub(super) use self::borrowed::borrowed;
pub(super) use self::doubtful::{Doubtful, doubtful};
pub(super) use self::scope::{Resolved, resolve};
pub(super) use self::unused::unused;
pub(crate) use self::unused::{BoundBy, Unused};
use crate::source::Span;

/// The names that an evaluation of a file binds, as people write them (not mangled).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Names {
    /// Bound in every evaluation that ends well.
    pub(crate) definite: Vec<String>,
    /// Bound only in `if`, `for` or `while`.
    pub(crate) conditional: Vec<String>,
    /// Bound by a `load`: such a name is exported only if it was assigned above, with the value that it had there.
    pub(crate) loaded: BTreeSet<String>,
    /// All that is bound in the file and its functions; only messages ask for it.
    pub(crate) bindings: Vec<Binding>,
}

/// Where a name is bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Binding {
    pub(crate) name: String,
    /// The first place in the order of the file.
    pub(crate) first: Span,
    /// By one assignment, and nowhere else.
    pub(crate) once: bool,
    /// In a function or comprehension too.
    pub(crate) inner: bool,
}

impl Names {
    pub(crate) fn binding(&self, name: &str) -> Option<&Binding> {
        self.bindings.iter().find(|binding| binding.name == name)
    }
}

const MARK: &str = "YTT_U_";

/// How the variable is written that a `load` of the same name hides.
pub(super) fn hidden(name: &str) -> String {
    format!("__ytt_g_{}", mangle(name))
}

/// How a name is written in the program.
///
/// Names that the interpreter reserves and ytt does not, names with letters beyond ASCII, and names that look like the
/// compiler's own become the mark and the hexadecimal digits of their bytes. No two names become one.
pub(crate) fn mangle(name: &str) -> Cow<'_, str> {
    let plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && !name.is_empty()
        && !name.starts_with(MARK)
        && !name.starts_with("__ytt_")
        && !matches!(name, "assert" | "async" | "await" | "__i" | "__l");
    if plain {
        return Cow::Borrowed(name);
    }
    Cow::Owned(marked(name))
}

fn marked(name: &str) -> String {
    name.bytes().fold(String::from(MARK), |text, byte| text + &format!("{byte:02x}"))
}

/// How a function is written if others of the file have its name, so that errors tell which one they are about.
pub(super) fn numbered(name: &str, number: usize) -> String {
    format!("{}_{number}", marked(name))
}

/// Does a name look like one that [`mangle`] made?
#[inline]
pub(crate) fn is_marked(name: &str) -> bool {
    name.as_bytes().starts_with(MARK.as_bytes())
}

/// Undoes [`mangle`], and [`numbered`].
pub(crate) fn unmangle(name: &str) -> Cow<'_, str> {
    let Some(digits) = name.strip_prefix(MARK) else { return Cow::Borrowed(name) };
    let digits = digits.split_once('_').map_or(digits, |(digits, _)| digits);
    let pairs = digits.as_bytes().chunks(2);
    let bytes: Option<Vec<u8>> =
        pairs.map(|pair| std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok())).collect();
    match bytes.and_then(|bytes| String::from_utf8(bytes).ok()) {
        Some(text) => Cow::Owned(text),
        None => Cow::Borrowed(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mangling_is_one_to_one() {
        for (name, mangled) in [
            ("name", "name"),
            ("_name", "_name"),
            ("assert", "YTT_U_617373657274"),
            ("é", "YTT_U_c3a9"),
            ("YTT_U_x", "YTT_U_5954545f555f78"),
            ("__i", "YTT_U_5f5f69"),
            ("__ytt_n", "YTT_U_5f5f7974745f6e"),
        ] {
            assert_eq!(mangle(name), mangled);
            assert_eq!(unmangle(mangled), name);
        }
        assert_eq!(unmangle("YTT_U_zz"), "YTT_U_zz");
        assert_eq!((numbered("f", 2).as_str(), &*unmangle("YTT_U_66_2")), ("YTT_U_66_2", "f"));
    }
}
