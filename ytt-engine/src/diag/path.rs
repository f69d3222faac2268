//! Paths in data values, as messages write them: `db.hosts[0].name`.

/// A step down into a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathStep<'a> {
    Key(&'a str),
    Index(usize),
}

/// Adds a key to a path: `a.b`, and `a."b.c"` where the key needs it.
pub(crate) fn push_key(path: &mut String, key: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    if key.is_empty() || key.contains(['.', '[', ']', '"', '\n']) {
        path.push_str(&format!("{key:?}"));
    } else {
        path.push_str(key);
    }
}

/// The steps of a path; `None` where a key is quoted.
pub(crate) fn steps(path: &str) -> Option<Vec<PathStep<'_>>> {
    let mut steps = Vec::new();
    for part in path.split_inclusive(['.', '[', ']']).filter(|_| !path.contains('"')) {
        let mut letters = part.chars();
        let (name, end) = match letters.next_back() {
            Some(end @ ('.' | '[' | ']')) => (letters.as_str(), Some(end)),
            _ => (part, None),
        };
        match (name, end) {
            ("", _) => {}
            (number, Some(']')) => steps.push(PathStep::Index(number.parse().ok()?)),
            (key, _) => steps.push(PathStep::Key(key)),
        }
    }
    (!path.contains('"')).then_some(steps)
}

/// Adds the number of an item to a path.
pub(crate) fn push_index(path: &mut String, index: usize) {
    path.push_str(&format!("[{index}]"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_lead_where_the_path_was_pushed() {
        let mut path = String::new();
        push_key(&mut path, "db");
        push_key(&mut path, "hosts");
        push_index(&mut path, 12);
        push_key(&mut path, "name");
        assert_eq!(path, "db.hosts[12].name");
        let expected = [PathStep::Key("db"), PathStep::Key("hosts"), PathStep::Index(12), PathStep::Key("name")];
        assert_eq!(steps(&path).as_deref(), Some(&expected[..]));
        push_key(&mut path, "a.b");
        assert_eq!((path.as_str(), steps(&path)), ("db.hosts[12].name.\"a.b\"", None));
        assert_eq!(steps("").as_deref(), Some(&[][..]));
    }
}
