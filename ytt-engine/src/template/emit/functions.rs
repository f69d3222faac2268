//! The functions of ours that a program calls: they are parameters of its function, with themselves as defaults.
//!
//! The interpreter compares each function that is known while a program is compiled with some of its own, and makes all of
//! its own library for that, with the documentation: five times the work of a small file. It knows globals, but no
//! parameters.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::template::names::{Resolved, hidden};
use crate::template::token::Kind;

/// Operators that are calls of functions of ours in the program, as the interpreter writes them.
pub(crate) const OPERATORS: [(&str, &str); 8] = [
    ("%", "__ytt_mod"),
    ("&", "__ytt_and"),
    ("*", "__ytt_mul"),
    ("<<", "__ytt_shl"),
    ("^", "__ytt_xor"),
    ("in", "__ytt_in"),
    ("not in", "__ytt_not_in"),
    ("|", "__ytt_or"),
];

/// The function that an operator is, or that of `%=` and its like.
pub(in crate::template) fn of_operator(kind: Kind) -> Option<&'static str> {
    let operator = match kind {
        // the first token of `not in`
        Kind::Not => Kind::NotIn.bare(),
        kind if kind.assigns() => kind.bare().trim_end_matches('='),
        kind => kind.bare(),
    };
    let found = OPERATORS.binary_search_by_key(&operator, |(operator, _)| operator).ok()?;
    OPERATORS.get(found).map(|(_, function)| *function)
}

/// The parameters for what `text` calls, beside `operators`. One that is not called does no harm: what looks like a call
/// may stand in a literal.
pub(super) fn parameters(
    text: &str,
    operators: BTreeSet<&str>,
    resolved: &Resolved,
    builtins: &dyn Fn(&str) -> bool,
) -> String {
    let all = written(text);
    let aliased: BTreeSet<&str> = all.iter().filter_map(|name| name.strip_suffix(ALIAS)).collect();
    let mut called = all;
    called.retain(|name| builtins(name));
    called.extend(operators);
    called.extend(resolved.builtins.iter().map(String::as_str));
    called.into_iter().fold(String::new(), |mut parameters, name| {
        // a builtin that the file binds means the builtin until then
        let _ = write!(parameters, ", {name}={name}");
        if aliased.contains(name) {
            let _ = write!(parameters, ", {name}{ALIAS}={name}");
        }
        if resolved.names.loaded.contains(name) {
            let _ = write!(parameters, ", {}={name}", hidden(name));
        }
        parameters
    })
}

/// What makes another name of that of a function, for a second parameter that has it.
const ALIAS: &str = "_";

/// Variables of a function of the file for what its `text` calls, with the same names: the interpreter takes a variable of
/// the function itself in less time than one of a function around it, which counts where there are loops.
pub(super) fn own(text: &str, operators: &BTreeSet<&str>, builtins: &dyn Fn(&str) -> bool) -> String {
    let mut called = written(text);
    called.retain(|name| builtins(name));
    called.extend(operators);
    let variables: Vec<String> = called.iter().map(|name| format!("{name} = {name}{ALIAS}")).collect();
    if variables.is_empty() { "pass".to_owned() } else { variables.join("; ") }
}

/// The names in a program that are the compiler's.
#[allow(clippy::string_slice, reason = "both ends of a name are found in the text")]
fn written(text: &str) -> BTreeSet<&str> {
    let names = text.match_indices("__ytt_").map(|(start, _)| {
        let rest = &text[start..];
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_found_by_their_tokens() {
        assert!(OPERATORS.is_sorted());
        assert_eq!(of_operator(Kind::Percent), Some("__ytt_mod"));
        assert_eq!(of_operator(Kind::ShiftLeftAssign), Some("__ytt_shl"));
        assert_eq!(of_operator(Kind::Not), Some("__ytt_not_in"));
        assert_eq!([Kind::Plus, Kind::AddAssign, Kind::ShiftRight, Kind::LessEqual].map(of_operator), [None; 4]);
    }

    #[test]
    fn names_end_where_they_end() {
        assert_eq!(written("x = __ytt_at(__ytt_m(a, \"__ytt_é\"), 1)__ytt_"), ["__ytt_", "__ytt_at", "__ytt_m"].into());
    }
}
