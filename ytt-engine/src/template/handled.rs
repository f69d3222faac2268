//! What code does with a data value, as far as the line of code says that reads it: helps that would make a text of a number,
//! or a number of a text, ask for it.

use crate::source::SourceMap;

/// What code does with a data value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Handled {
    /// It is a part of a text, maybe with a unit beside it.
    pub(crate) is_joined: bool,
    /// It is a number: a sign of arithmetic stands beside it.
    pub(crate) is_counted: bool,
}

/// What code of all files does with the data value of a path.
pub(crate) fn handled(sources: &SourceMap, path: &str) -> Handled {
    let code = format!("data.values.{path}");
    let mut found = Handled::default();
    for source in sources.all() {
        for line in source.text.as_str().unwrap_or_default().lines() {
            for (at, _) in line.match_indices(&code) {
                let (before, behind) = line.split_at(at);
                let own = in_line(before, behind.strip_prefix(&*code).unwrap_or_default());
                found.is_joined |= own.is_joined;
                found.is_counted |= own.is_counted;
            }
        }
    }
    found
}

/// What a line does with a value that it reads between two texts.
fn in_line(before: &str, behind: &str) -> Handled {
    if behind.starts_with(|letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '[' | '(')) {
        return Handled::default();
    }
    let (before, behind) = (before.trim_end(), behind.trim_start());
    let is_quoted = before.contains(['"', '\'']);
    let is_joined = before.contains(".format(")
        || before.ends_with("str(")
        || before.ends_with("(@=")
        || is_quoted && before.ends_with(['%', '+', '('])
        || ["+ \"", "+ '", "+\"", "+'"].iter().any(|sign| behind.starts_with(sign));
    let is_counted = before.ends_with(['*', '/', '-']) || behind.starts_with(['*', '/', '-', '%']);
    Handled { is_joined, is_counted }
}

/// Whether a key is the name of a version, which is a text also where it looks like a number.
pub(crate) fn names_version(key: &str) -> bool {
    const NAMES: [&str; 4] = ["tag", "version", "release", "revision"];
    let name = key.to_lowercase();
    NAMES.iter().any(|end| {
        let before = name.strip_suffix(end);
        before.is_some_and(|before| before.is_empty() || before.ends_with(['_', '-']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_whether_it_joins_a_value_or_counts_with_it() {
        let (none, joined) = (Handled::default(), Handled { is_joined: true, is_counted: false });
        let counted = Handled { is_joined: false, is_counted: true };
        for (before, behind, expected) in [
            ("a: #@ ", "", none),
            ("- #@ ", "", none),
            ("a: #@ \"{}Mi\".format(", ")", joined),
            ("a: #@ \"r=%d\" % ", "", joined),
            ("a: #@ \"x:\" + str(", ")", joined),
            ("a: #@ ", " + \"Mi\"", joined),
            ("a: -Xmx(@= ", " @)m", joined),
            ("a: #@ ", " * 2", counted),
            ("a: #@ 2 * ", "", counted),
            ("a: #@ ", " // 2", counted),
            ("a: #@ \"{}\".format(", "_more)", none),
            ("a: #@ ", ".more * 2", none),
        ] {
            assert_eq!(in_line(before, behind), expected, "{before}{behind}");
        }
    }

    #[test]
    fn versions_have_names_of_their_own() {
        assert!(
            ["tag", "imageVersion", "image_tag", "app-release"].iter().filter(|key| names_version(key)).count() == 3
        );
        assert!(!names_version("stage"));
    }
}
