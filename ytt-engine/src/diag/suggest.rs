//! Similar names: what was probably meant, by edit distance.
//!
//! [`nearest`] is the rule of the reference's own hints, [`similar`] that of ours; [`distance`] is for areas that rank
//! candidates by rules of their own. The latter two are of `crate::nearest`, which knows nothing of diagnostics.

pub(crate) use crate::nearest::{distance, equally_similar, similar};
use crate::nearest::{edits, only};

/// The candidate nearest to `wanted`, by the reference's rule: without regard to case and `_`, with a distance (insert,
/// delete, replace) below half of the length of `wanted`, rounded up; the first in sorted order of the equally near ones.
pub(crate) fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = folded(wanted);
    let most = wanted.len().div_ceil(2).checked_sub(1)?;
    let near = candidates
        .into_iter()
        .filter_map(|candidate| Some((edits(&wanted, &folded(candidate), most, false)?, candidate)));
    near.min().map(|(_, name)| name)
}

fn folded(name: &str) -> String {
    name.chars().filter(|letter| *letter != '_').flat_map(char::to_lowercase).collect()
}

/// Names of which one is meant: `a`, `b` or `c`, in backticks.
pub(crate) fn either(names: &[&str]) -> String {
    const MOST: usize = 4;
    let quoted: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some(_) if names.len() > MOST => format!("{} or another one", quoted.join(", ")),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// Parts of a sentence that all hold: `a`, `a and b`, `a, b and c`.
pub(crate) fn all_of(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// The only candidate that is `wanted` with its words shortened: `min_len` for `minimum_length`.
pub(crate) fn shortened<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let shortens = |short: &str| {
        let mut words = wanted.split('_');
        short.split('_').all(|part| part.len() > 1 && words.next().is_some_and(|word| word.starts_with(part)))
            && words.next().is_none()
    };
    let found = candidates.into_iter().filter(|candidate| shortens(candidate));
    only(found)
}

/// The only candidate that has the words of `wanted`, where one of both may shorten a word: `std_labels` for
/// `standard_labels`.
pub(crate) fn abbreviated<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let shortens = |short: &str, long: &str| {
        let mut letters = long.chars();
        short.len() > 1
            && short.chars().next() == long.chars().next()
            && short.chars().all(|own| letters.any(|letter| letter == own))
    };
    let wanted = words(wanted);
    let is_it = |candidate: &&str| {
        let candidate = words(candidate);
        let mut pairs = wanted.iter().zip(&candidate);
        // A name of which no word is the same is another one.
        wanted.len() == candidate.len()
            && wanted.iter().zip(&candidate).any(|(one, other)| one == other)
            && pairs.all(|(one, other)| one == other || shortens(one, other) || shortens(other, one))
    };
    only(candidates.into_iter().filter(is_it))
}

/// The only candidate that says more than `wanted`, and whether that is a unit: `timeout_seconds` for `timeout`.
pub(crate) fn extended<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<(&'a str, bool)> {
    const SHORTEST: usize = 3;
    const UNITS: [&str; 26] = [
        "seconds",
        "second",
        "secs",
        "sec",
        "s",
        "ms",
        "millis",
        "milliseconds",
        "minutes",
        "mins",
        "min",
        "hours",
        "hour",
        "days",
        "day",
        "bytes",
        "kb",
        "mb",
        "gb",
        "ki",
        "mi",
        "gi",
        "kib",
        "mib",
        "gib",
        "percent",
    ];
    let extends = |candidate: &'a str| {
        let rest = candidate.strip_prefix(wanted)?;
        let is_word = rest.starts_with(['_', '-']) || rest.starts_with(|first: char| first.is_ascii_uppercase());
        let rest = rest.trim_start_matches(['_', '-']).to_lowercase();
        is_word.then(|| (candidate, UNITS.contains(&rest.as_str())))
    };
    let mut found = candidates.into_iter().filter_map(extends);
    found.next().filter(|_| found.next().is_none() && wanted.len() >= SHORTEST)
}

/// The only candidate that begins as `wanted` does: `hostname` for `host`, `replicaCount` for `replicas`.
pub(crate) fn begins<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const SHORTEST: usize = 3;
    // What several words may have in common: `timeout` and `timezone` are two things.
    const COMMON: usize = 6;
    let is_it = |candidate: &&str| {
        let common = candidate.chars().zip(wanted.chars()).take_while(|(one, other)| one == other).count();
        let shorter = candidate.chars().count().min(wanted.chars().count());
        common >= SHORTEST && common == shorter
            || common >= COMMON && common.saturating_mul(4) >= shorter.saturating_mul(3)
    };
    let found = candidates.into_iter().filter(|candidate| is_it(candidate));
    only(found)
}

/// The only candidate that is another form of the same word, by its first letters: `staging` for `stage`.
pub(crate) fn stem<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    const SHORTEST: usize = 4;
    let is_it = |candidate: &&str| {
        let common = candidate.chars().zip(wanted.chars()).take_while(|(one, other)| one == other).count();
        common >= SHORTEST && wanted.chars().count() <= common.saturating_add(2)
    };
    let found = candidates.into_iter().filter(|candidate| is_it(candidate));
    only(found)
}

/// The only candidate that ends as `wanted` does, but for case, `-` and `_`: `KC_LOG_LEVEL` for `KEYCLOAK_LOGLEVEL`.
pub(crate) fn ends<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // What several words may have in common: `reader` and `loader` are two things.
    const COMMON: usize = 6;
    let wanted = crate::nearest::folded(wanted);
    let is_it = |candidate: &&str| {
        let candidate = crate::nearest::folded(candidate);
        let common = candidate.chars().rev().zip(wanted.chars().rev()).take_while(|(one, other)| one == other).count();
        let shorter = candidate.chars().count().min(wanted.chars().count());
        common >= COMMON && common.saturating_mul(4) >= shorter.saturating_mul(3)
    };
    let found = candidates.into_iter().filter(is_it);
    only(found)
}

/// The only candidate whose words `wanted` has, or that has those of it, in order, and two of them at least:
/// `target_cpu` for `targetCPUUtilization`.
pub(crate) fn worded<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let has = |whole: &[String], part: &[String]| {
        let mut whole = whole.iter();
        part.len() > 1 && part.iter().all(|word| whole.any(|other| other == word))
    };
    let wanted = words(wanted);
    let is_it = |candidate: &&str| {
        let candidate = words(candidate);
        has(&wanted, &candidate) || has(&candidate, &wanted)
    };
    let found = candidates.into_iter().filter(is_it);
    only(found)
}

/// Those that share a word with `wanted`, one of three letters at least: `standard_labels` for `common_labels`.
pub(crate) fn with_shared_words<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    const SHORTEST: usize = 3;
    let wanted = words(wanted);
    let shares = |candidate: &&str| {
        words(candidate).iter().any(|word| word.chars().count() >= SHORTEST && wanted.contains(word))
    };
    candidates.into_iter().filter(shares).collect()
}

/// The only one of [`with_shared_words`].
pub(crate) fn sharing<'a>(wanted: &str, candidates: &'a [String]) -> Option<&'a str> {
    only(with_shared_words(wanted, candidates.iter().map(String::as_str)))
}

/// The words of a name in lower case: `max`, `pod`, `cpu` and `count` of `maxPodCPU_count`.
fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = vec![String::new()];
    for (at, letter) in letters.iter().enumerate() {
        let (before, behind) = (at.checked_sub(1).and_then(|at| letters.get(at)), letters.get(at.saturating_add(1)));
        let ends_capitals =
            before.is_some_and(|before| before.is_uppercase()) && behind.is_some_and(|next| next.is_lowercase());
        let is_start = letter.is_uppercase() && (before.is_some_and(|before| !before.is_uppercase()) || ends_capitals);
        if !letter.is_alphanumeric() || is_start {
            words.push(String::new());
        }
        if let (true, Some(word)) = (letter.is_alphanumeric(), words.last_mut()) {
            word.extend(letter.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// ` (there are: a, b)` for people who look for a name; nothing if there are none or many.
pub(crate) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    const MOST: usize = 12;
    let mut names: Vec<&str> = names.into_iter().take(MOST + 1).collect();
    names.sort_unstable();
    (1..=MOST).contains(&names.len()).then(|| names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_rule_takes_names_nearer_than_half() {
        for (wanted, candidates, found) in [
            ("helo", &["hello", "help"][..], Some("hello")),
            ("Hel_lo", &["hello"], Some("hello")),
            ("ab", &["ac"], None),
            ("abc", &["abd", "abb"], Some("abb")),
            ("", &["a"], None),
            ("tagg", &["image", "tag"], Some("tag")),
            ("TAG_", &["image", "tag"], Some("tag")),
            ("x", &["y"], None),
            // What folding takes away does not count for the half.
            ("a_b", &["ac"], None),
            ("replica", &["name", "replicas"], Some("replicas")),
            ("expcets", &["by", "expects", "missing_ok"], Some("expects")),
        ] {
            assert_eq!(nearest(wanted, candidates.iter().copied()), found, "{wanted}");
        }
    }

    #[test]
    fn a_word_of_a_name_may_be_shortened() {
        let names = ["standard_labels", "standard_annotations", "imagePullPolicy", "request_timeout"];
        for (wanted, found) in [
            ("std_labels", Some("standard_labels")),
            ("std_annotations", Some("standard_annotations")),
            ("img_pull_policy", Some("imagePullPolicy")),
            ("req_timeout", Some("request_timeout")),
            ("labels", None),
            ("std_names", None),
            ("std_lbl", None),
            ("s_labels", None),
        ] {
            assert_eq!(abbreviated(wanted, names), found, "{wanted}");
        }
        assert_eq!(abbreviated("std_labels", ["standard_labels", "studio_labels"]), None);
    }

    #[test]
    fn names_may_lack_their_unit() {
        let names = ["timeout_seconds", "sizeMb", "name_suffix", "port-http", "port-grpc"];
        for (wanted, found) in [
            ("timeout", Some(("timeout_seconds", true))),
            ("size", Some(("sizeMb", true))),
            ("name", Some(("name_suffix", false))),
            ("port", None),
            ("time", None),
        ] {
            assert_eq!(extended(wanted, names), found, "{wanted}");
        }
    }

    #[test]
    fn names_may_share_one_word() {
        let names = ["standard_labels", "annotations", "podLabels", "url_of"].map(str::to_owned);
        for (wanted, found) in [
            ("common_annotations", &["annotations"][..]),
            ("common_labels", &["standard_labels", "podLabels"]),
            ("name_of", &[]),
            ("label", &[]),
        ] {
            assert_eq!(with_shared_words(wanted, names.iter().map(String::as_str)), found, "{wanted}");
            assert_eq!(sharing(wanted, &names), found.first().copied().filter(|_| found.len() == 1), "{wanted}");
        }
    }

    #[test]
    fn names_may_share_their_words() {
        let names = ["target_cpu", "min", "storageClass", "service_account_name"];
        for (wanted, found) in [
            ("targetCPUUtilizationPercentage", Some("target_cpu")),
            ("storage-class-name", Some("storageClass")),
            ("serviceAccount", Some("service_account_name")),
            ("minReplicas", None),
            ("cpuTarget", None),
            ("", None),
        ] {
            assert_eq!(worded(wanted, names), found, "{wanted}");
        }
        assert_eq!(words("maxPodCPU_count-2Ü"), ["max", "pod", "cpu", "count", "2", "ü"]);
    }

    #[test]
    fn names_may_end_alike() {
        let names = ["KC_LOG_LEVEL", "KC_PROXY", "ADMIN"];
        for (wanted, found) in [("KEYCLOAK_LOGLEVEL", Some("KC_LOG_LEVEL")), ("HTTP_PROXY", None), ("SUPERADMIN", None)]
        {
            assert_eq!(ends(wanted, names), found, "{wanted}");
        }
    }

    #[test]
    fn names_may_begin_alike() {
        let names = ["replicaCount", "imageTag", "hostname", "timezone"];
        for (wanted, found) in [
            ("replicas", Some("replicaCount")),
            ("host", Some("hostname")),
            ("imageName", None),
            ("timeout", None),
            ("ho", None),
        ] {
            assert_eq!(begins(wanted, names), found, "{wanted}");
        }
    }

    #[test]
    fn few_names_are_listed() {
        assert_eq!(listed(["b", "a"]).as_deref(), Some("a, b"));
        assert_eq!(listed([]), None);
    }

    #[test]
    fn what_is_as_near_is_named_beside() {
        let names = ["web-2", "web-1", "db", "web-1"];
        let near = equally_similar("web-3", names);
        assert_eq!(either(&near), "`web-1` or `web-2`");
        assert_eq!(equally_similar("Web-1", names), ["web-1"]);
        assert_eq!(either(&["a", "b", "c"]), "`a`, `b` or `c`");
        assert_eq!(either(&["a", "b", "c", "d", "e"]), "`a`, `b`, `c`, `d` or another one");
        assert_eq!((either(&["a"]), either(&[])), ("`a`".to_owned(), String::new()));
    }

    #[test]
    fn words_may_be_shortened() {
        let names = ["min", "min_len", "one_of"];
        for (wanted, found) in [
            ("minimum", Some("min")),
            ("minimum_length", Some("min_len")),
            ("one_of_these", None),
            ("o", None),
            ("", None),
        ] {
            assert_eq!(shortened(wanted, names), found, "{wanted}");
        }
        assert_eq!(shortened("minimum", ["min", "mini"]), None);
    }

    #[test]
    fn exchanged_neighbours_are_two_steps_of_the_reference() {
        assert_eq!(edits("replcias", "replicas", 2, false), Some(2));
    }
}
