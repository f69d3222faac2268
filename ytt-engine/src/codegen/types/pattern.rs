//! Patterns of paths, as `maps` takes them: `*` is one key, `**` any number of them.

use std::cell::Cell;

/// What a part of a pattern means.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Key(String),
    One,
    Any,
}

/// Patterns, and which of them were of use.
#[derive(Clone, Debug, Default)]
pub(in crate::codegen) struct Patterns {
    /// Text and steps of each, and whether it matched something.
    all: Vec<(String, Vec<Step>, Cell<bool>)>,
}

impl Patterns {
    /// Parts are separated by dots; a part in quotes keeps its dots.
    pub(in crate::codegen) fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Patterns {
        Patterns { all: texts.into_iter().map(|text| (text.to_owned(), steps(text), Cell::default())).collect() }
    }

    /// Is the map at this path one whose keys are data?
    pub(in crate::codegen) fn matches(&self, path: &[String]) -> bool {
        self.all.iter().filter(|(_, steps, _)| matches(steps, path)).inspect(|(.., used)| used.set(true)).count() > 0
    }

    /// The texts of those that matched something.
    pub(in crate::codegen) fn used(&self) -> impl Iterator<Item = &str> {
        self.all.iter().filter(|(.., used)| used.get()).map(|(text, ..)| text.as_str())
    }
}

fn steps(text: &str) -> Vec<Step> {
    split(text)
        .into_iter()
        .map(|part| match part.as_str() {
            "*" => Step::One,
            "**" => Step::Any,
            _ => Step::Key(part),
        })
        .collect()
}

/// Splits at dots outside of quotes.
fn split(text: &str) -> Vec<String> {
    let (mut parts, mut part, mut quoted) = (Vec::new(), String::new(), false);
    for character in text.chars() {
        match character {
            '"' => quoted = !quoted,
            '.' if !quoted => parts.push(std::mem::take(&mut part)),
            other => part.push(other),
        }
    }
    parts.push(part);
    parts
}

/// Goes through both from the start; at `**` it remembers where to go on, so that the work is at most their product.
#[allow(clippy::arithmetic_side_effects, reason = "numbers of steps and keys that were seen there")]
fn matches(steps: &[Step], path: &[String]) -> bool {
    let (mut step, mut key, mut retry) = (0, 0, None);
    loop {
        match steps.get(step) {
            Some(Step::Any) => {
                retry = Some((step, key));
                step += 1;
                continue;
            }
            Some(Step::One) if key < path.len() => (step, key) = (step + 1, key + 1),
            Some(Step::Key(wanted)) if path.get(key) == Some(wanted) => (step, key) = (step + 1, key + 1),
            None if key == path.len() => return true,
            _ => match retry {
                Some((any, from)) if from < path.len() => {
                    retry = Some((any, from + 1));
                    (step, key) = (any + 1, from + 1);
                }
                _ => return false,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_patterns_match() {
        let cases = [
            ("labels", "labels", true),
            ("labels", "a.labels", false),
            ("*.labels", "a.labels", true),
            ("*.labels", "a.b.labels", false),
            ("**.labels", "labels", true),
            ("**.labels", "a.b.labels", true),
            ("**.labels", "labels.a", false),
            ("**.a.**.b", "a.x.a.y.z.b", true),
            ("**.a.**.b", "b.x.y", false),
            ("**", "", true),
            ("a.**", "a", true),
            ("a.**", "b", false),
        ];
        for (pattern, path, expected) in cases {
            let keys: Vec<String> = path.split('.').filter(|key| !key.is_empty()).map(str::to_owned).collect();
            assert_eq!(Patterns::new([pattern]).matches(&keys), expected, "{pattern} {path}");
        }
        let dotted = Patterns::new(["a.\"b.c\"", "x"]);
        assert!(dotted.matches(&["a".to_owned(), "b.c".to_owned()]));
        assert_eq!(dotted.used().collect::<Vec<_>>(), ["a.\"b.c\""]);
    }
}
