//! What a name is bound to, read from the generated text: an error of an index comes without the value that it is about.
//!
//! Only what is certain counts: one assignment of the name in the whole file, and for its content a list or dict that is
//! written there and that no code of the file could change.

use super::place::{is_name, scan, split};

/// The one assignment of a name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Bound<'t> {
    pub(crate) name: &'t str,
    /// Where the name stands: line and column in characters, from 0.
    pub(crate) line: u32,
    pub(crate) column: u32,
    /// The display of a list or dict with its brackets, if that is the value for sure.
    display: Option<&'t str>,
}

/// The name that `name[index]` takes from, which is written `__ytt_at(name, index)`.
pub(crate) fn indexed(snippet: &str) -> Option<&str> {
    let (base, _) = snippet.strip_prefix("__ytt_at(")?.split_once(", ")?;
    (is_name(base) && !base.starts_with(|first: char| first.is_ascii_digit())).then_some(base)
}

impl<'t> Bound<'t> {
    /// The assignment of `name` in a generated text, if there is one only.
    pub(crate) fn of(text: &'t str, name: &str) -> Option<Bound<'t>> {
        let last_line = text.trim_end().rfind('\n').map_or(0, |at| at + 1);
        let (mut found, mut changes) = (None, false);
        for at in names(text, name) {
            let start = text[..at].rfind('\n').map_or(0, |at| at + 1);
            let (before, after) = (&text[start..at], text[at + name.len()..].trim_start_matches(' '));
            let line = before.trim_start();
            let begins = line.is_empty() || line.trim_end().ends_with(';');
            if begins && after.starts_with('=') && !after.starts_with("==") {
                if found.replace((start, at, &after[1..])).is_some() {
                    return None;
                }
            } else if binds(line, after) {
                return None;
            } else if at < last_line {
                changes |= !reads(line, after);
            }
        }
        let (start, at, value) = found?;
        let display = display(value.trim_start()).filter(|_| !changes);
        Some(Bound {
            name: &text[at..at + name.len()],
            line: text[..start].matches('\n').count() as u32,
            column: text[start..at].chars().count() as u32,
            display,
        })
    }

    /// The keys of a dict, if all are plain strings.
    pub(crate) fn keys(&self) -> Option<Vec<&'t str>> {
        let inside = self.display?.strip_prefix('{')?.strip_suffix('}')?;
        split(inside).into_iter().map(key).collect()
    }

    /// The number of items of a list.
    pub(crate) fn length(&self) -> Option<usize> {
        let inside = self.display?.strip_prefix('[')?.strip_suffix(']')?;
        let items = split(inside);
        (!items.iter().any(|item| item.contains(" for "))).then_some(items.len())
    }
}

/// Offsets at which a name stands outside of strings, but not as an attribute.
fn names(text: &str, name: &str) -> Vec<usize> {
    let (mut found, mut before) = (Vec::new(), ' ');
    let part = |character: char| character.is_alphanumeric() || character == '_';
    scan(text, |at, character, _| {
        if !part(before) && before != '.' && text[at..].starts_with(name) {
            let after = text[at + name.len()..].chars().next();
            if !after.is_some_and(part) {
                found.push(at);
            }
        }
        before = character;
        false
    });
    found
}

/// Is it a parameter, a variable of a loop, or another target of an assignment?
fn binds(before: &str, after: &str) -> bool {
    let line = after.split('\n').next().unwrap_or_default();
    let loops = before.rfind("for ").is_some_and(|at| !before[at..].contains(" in "));
    let augmented =
        after.split_once('=').is_some_and(|(sign, _)| sign.len() < 3 && sign.ends_with(['+', '-', '*', '|']));
    let several = !before.contains(['(', '[', '{', '=']) && after.starts_with(',') && line.contains('=')
        || before.trim_end().ends_with(',') && !before.contains(['(', '[', '{', '=']);
    before.starts_with("def ") || before.contains("lambda") || loops || augmented || several
}

/// Can the use change nothing?
fn reads(before: &str, after: &str) -> bool {
    // `x.items()` is written `__ytt_walk(x).items()`
    let is_led = before.ends_with("__ytt_walk(") || before.ends_with("__ytt_seek(");
    let after = if is_led { after.strip_prefix(')').unwrap_or(after) } else { after };
    if let Some(rest) = after.strip_prefix('.') {
        let method = rest.split('(').next().unwrap_or_default();
        return matches!(method, "get" | "items" | "keys" | "values" | "index");
    }
    if before.ends_with("__ytt_at(") {
        return after.starts_with(',');
    }
    if after.starts_with('[') {
        let mut end = after.len();
        scan(after, |at, character, depth| {
            let closes = character == ']' && depth == 1;
            if closes {
                end = at + 1;
            }
            closes
        });
        let rest = after[end..].trim_start_matches([' ', '+', '-', '*', '/', '%', '|', '&']);
        return !rest.starts_with('=') || after[end..].trim_start().starts_with("==");
    }
    ["len(", "sorted(", " in ", "not ", "if ", "enumerate(", "str("].iter().any(|reader| before.ends_with(reader))
}

/// The display that a statement's value is.
fn display(value: &str) -> Option<&str> {
    let close = match value.as_bytes().first()? {
        b'[' => ']',
        b'{' => '}',
        _ => return None,
    };
    let mut end = None;
    scan(value, |at, character, depth| {
        if character == close && depth == 1 {
            end = Some(at + 1);
        }
        end.is_some()
    });
    let end = end?;
    let rest = value[end..].trim_start_matches(' ');
    (rest.is_empty() || rest.starts_with(['\n', ';'])).then(|| &value[..end])
}

/// The key of an entry, without its quotes.
fn key(entry: &str) -> Option<&str> {
    let quote = entry.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    let (key, rest) = entry[1..].split_once(quote)?;
    (!key.contains('\\') && rest.trim_start().starts_with(':') && !rest.contains(" for ")).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_assignment_is_found_with_its_content() {
        let text = "def __ytt_file(__i):\n ports = {\"port\": 80, 'admin': f(1, 2)}\n x = __ytt_at(ports, \"prot\")\n return (ports, x)\n";
        let bound = Bound::of(text, "ports").unwrap();
        assert_eq!((bound.line, bound.column, bound.name), (1, 1, "ports"));
        assert_eq!(bound.keys(), Some(vec!["port", "admin"]));
        assert_eq!(bound.length(), None);
        assert_eq!(Bound::of(" n = [1, [2, 3]]\n y = n[2]\n return n\n", "n").unwrap().length(), Some(2));
        assert_eq!(Bound::of(" n = []\n y = n[2]\n return n\n", "n").unwrap().length(), Some(0));
    }

    #[test]
    fn what_may_change_has_no_known_content() {
        for rest in ["n.append(3)", "f(n)", "n[0] = 1", "n[0] += 1", "m = n", "n[0]; n.pop()"] {
            let text = format!(" n = [1]\n {rest}\n return n\n");
            let bound = Bound::of(&text, "n").unwrap();
            assert_eq!(bound.length(), None, "{rest}");
        }
        for value in ["f([1])", "[1] + x", "[x for x in y]", "[1] * 2"] {
            let text = format!(" n = {value}\n y = n[3]\n return n\n");
            assert_eq!(Bound::of(&text, "n").unwrap().length(), None, "{value}");
        }
        assert_eq!(Bound::of(" n = {x: 1}\n return n\n", "n").unwrap().keys(), None);
    }

    #[test]
    fn a_name_of_several_bindings_is_not_known() {
        for rest in
            ["n = 2", "for n in x:", "def f(a, n):", "f = lambda n: n", "n, a = 1, 2", "a, n = 1, 2", "n += [1]"]
        {
            assert_eq!(Bound::of(&format!(" n = [1]\n {rest}\n return n\n"), "n"), None, "{rest}");
        }
        assert_eq!(Bound::of(" x = [1]\n return x\n", "n"), None);
    }

    #[test]
    fn names_that_are_indexed() {
        for (snippet, name) in [
            ("__ytt_at(ports, \"a\")", Some("ports")),
            ("__ytt_at(ports, __ytt_at(x, 1))", Some("ports")),
            ("__ytt_at(a.ports, 0)", None),
            ("__ytt_at(f(x), 0)", None),
            ("__ytt_at(__ytt_at(x, 0), 1)", None),
        ] {
            assert_eq!(indexed(snippet), name, "{snippet}");
        }
    }
}
