//! The nearest name of a list, by the rule of the reference: "did you mean".

/// The candidate with the smallest edit distance to `name`, if fewer than half of the bytes differ; the first of equals.
/// Case and `_` count nothing.
pub(crate) fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = fold(name);
    let (mut best, mut limit) = (None, name.len().div_ceil(2));
    for candidate in candidates {
        let distance = distance(name.as_bytes(), fold(candidate).as_bytes(), limit);
        if distance < limit {
            (best, limit) = (Some(candidate), distance);
        }
    }
    best
}

fn fold(name: &str) -> String {
    name.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect()
}

/// Levenshtein distance in bytes; anything above `limit` where it is larger than that.
fn distance(a: &[u8], b: &[u8], limit: usize) -> usize {
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let new = (diagonal + usize::from(x != y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = new;
        }
        if row.iter().all(|distance| *distance > limit) {
            return limit + 1;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn near_names_are_found_by_the_rule_of_the_reference() {
        for (name, candidates, expected) in [
            ("tagg", &["image", "tag"][..], Some("tag")),
            ("TAG_", &["image", "tag"], Some("tag")),
            ("x", &["y"], None),
            ("ab", &["cb"], None),
            ("abc", &["abd", "abe"], Some("abd")),
            ("", &["a"], None),
            ("replica", &["name", "replicas"], Some("replicas")),
        ] {
            assert_eq!(nearest(name, candidates.iter().copied()), expected, "{name}");
        }
    }
}
