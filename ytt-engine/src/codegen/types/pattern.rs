//! Patterns of paths, as `maps` takes them: `*` is one key, `**` any number of them.

use std::cell::RefCell;

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
    all: Vec<Vec<Step>>,
    used: RefCell<Vec<bool>>,
}

impl Patterns {
    /// Parts are separated by dots; a part in quotes keeps its dots.
    pub(in crate::codegen) fn new<'a>(texts: impl IntoIterator<Item = &'a str>) -> Patterns {
        let all: Vec<Vec<Step>> = texts.into_iter().map(steps).collect();
        Patterns { used: RefCell::new(vec![false; all.len()]), all }
    }

    /// Is the map at this path one whose keys are data?
    pub(in crate::codegen) fn matches(&self, path: &[String]) -> bool {
        let mut found = false;
        for (number, steps) in self.all.iter().enumerate() {
            if matches(steps, path) {
                found = true;
                self.used.borrow_mut()[number] = true;
            }
        }
        found
    }

    /// The patterns that matched nothing, by their numbers.
    pub(in crate::codegen) fn unused(&self) -> Vec<usize> {
        let used = self.used.borrow();
        (0..self.all.len()).filter(|number| !used[*number]).collect()
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
    let (mut parts, mut quoted) = (vec![String::new()], false);
    for character in text.chars() {
        match (character, parts.last_mut()) {
            ('"', _) => quoted = !quoted,
            ('.', _) if !quoted => parts.push(String::new()),
            (other, Some(part)) => part.push(other),
            (_, None) => {}
        }
    }
    parts
}

/// Goes through both from the start; at `**` it remembers where to go on, so that the work is at most their product.
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
        assert_eq!(dotted.unused(), [1]);
    }
}
