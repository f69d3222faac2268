//! Similar names: what was probably meant, by edit distance.
//!
//! [`nearest`] is the rule of the reference's own hints, [`similar`] that of ours, and [`meant`] goes on where no name is
//! spelt alike; [`distance`] is for areas that rank candidates by rules of their own. [`similar`] and [`distance`] are of
//! `crate::nearest`, which knows nothing of diagnostics.

use std::borrow::Cow;

pub(crate) use super::called::{has_all_words, is_beside, is_called_alike};
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

fn folded(name: &str) -> Cow<'_, str> {
    // As methods are named, of which one is looked for each time that a program catches an error.
    if name.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return Cow::Borrowed(name);
    }
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

/// Names of which one was probably meant, in sorted order, and what they have in common with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meant<'a> {
    pub(crate) names: Vec<&'a str>,
    pub(crate) by: Likeness,
}

/// What two names have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Likeness {
    /// They differ by few letters.
    Spelling,
    /// One has all words of the other, which it may shorten: `host` and `hostname`, `db` and `database_name`.
    Part,
    /// They say the same in other words: `db_host` and `db_server`.
    Sense,
    /// One of their words: `maxmemory` and `memory_limit`.
    Word,
}

impl<'a> Meant<'a> {
    /// The one that is meant, if it is not one of several.
    pub(crate) fn only(&self) -> Option<&'a str> {
        only(self.names.iter().copied())
    }

    pub(crate) fn is_guess(&self) -> bool {
        self.by != Likeness::Spelling
    }
}

/// What was probably meant by a name that is not there: the candidates that are spelt alike; if none is, those of which it
/// is a part, or that are a part of it; if none is, those that say the same in other words; if none is, those that share a
/// word with it. Of several none is meant more than another.
pub(crate) fn meant<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Meant<'a> {
    /// Letters of names beyond which they are no names.
    const LONGEST: usize = 100;
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let near = equally_similar(wanted, candidates.iter().copied());
    if !near.is_empty() || wanted.len() > LONGEST {
        return Meant { names: near, by: Likeness::Spelling };
    }
    let own = words(wanted);
    let mut others: Vec<(&str, Vec<String>)> = candidates
        .into_iter()
        .filter(|name| *name != wanted && name.len() <= LONGEST)
        .map(|name| (name, words(name)))
        .collect();
    others.sort_unstable();
    others.dedup();
    let like = |is_like: &dyn Fn(&[String]) -> bool| {
        others.iter().filter(|(_, words)| is_like(words)).map(|(name, _)| *name).collect::<Vec<_>>()
    };
    let is_part_of_one = |other: &[String]| is_part(&own, other) || is_part(other, &own);
    let parts = like(&is_part_of_one);
    let senses = like(&|other| says_same(&own, other));
    // A part of a name may be what another one says as a whole: `host` of `host_port` and `server`.
    let (names, by) = match (&parts[..], &senses[..]) {
        (_, []) => (parts, Likeness::Part),
        ([], _) => (senses, Likeness::Sense),
        _ if parts.iter().any(|part| senses.contains(part)) => (parts, Likeness::Part),
        _ => (like(&|other| is_part_of_one(other) || says_same(&own, other)), Likeness::Part),
    };
    if !names.is_empty() {
        return Meant { names, by };
    }
    let names = like(&|other| share_word(&own, other, false));
    let common = || Some(like(&|other| share_word(&own, other, true))).filter(|names| names.len() > 1);
    let names = if names.is_empty() { common().unwrap_or_default() } else { names };
    Meant { names, by: Likeness::Word }
}

/// Does a name have all words of another one, in order?
fn is_part(part: &[String], whole: &[String]) -> bool {
    let mut whole = whole.iter();
    !part.is_empty() && part.iter().all(|word| whole.any(|other| is_same(word, other)))
}

/// Are two words one, which either name may shorten?
fn is_same(one: &str, other: &str) -> bool {
    one == other || shortens(one, other) || shortens(other, one)
}

/// Is a word the beginning of another one, or its first letter and consonants of it: `env` and `environment`, `db` and
/// `database`?
pub(crate) fn shortens(short: &str, long: &str) -> bool {
    const BEGINNING: usize = 3;
    const LEFT_OUT: usize = 2;
    let (count, all) = (short.chars().count(), long.chars().count());
    if long.starts_with(short) {
        return count >= BEGINNING;
    }
    let (mut own, mut letters) = (short.chars(), long.chars());
    let is_consonant = |letter: char| letter.is_alphabetic() && !"aeiou".contains(letter);
    let begins = own.next().is_some_and(|first| letters.next() == Some(first) && (count > 2 || is_consonant(first)));
    let is_left_out = count > 1 && count.saturating_add(LEFT_OUT) <= all;
    begins && is_left_out && own.all(|own| is_consonant(own) && letters.any(|one| one == own))
}

/// Words that people take for each other in names of settings.
const SENSES: [&[&str]; 15] = [
    &["address", "domain", "fqdn", "host", "hostname", "server"],
    &["endpoint", "uri", "url"],
    &["count", "instances", "replicas"],
    &["active", "enable", "enabled"],
    &["repo", "repository"],
    &["tag", "version"],
    &["env", "environment", "stage"],
    &["login", "user", "username"],
    &["pass", "passwd", "password"],
    &["cert", "certificate", "crt"],
    &["dir", "directory", "folder", "path"],
    &["frequency", "interval", "period"],
    &["kind", "type"],
    &["lower", "min", "minimum"],
    &["limit", "max", "maximum", "upper"],
];

/// Do two names have the same words, but for those that people take for each other?
fn says_same(one: &[String], other: &[String]) -> bool {
    let is_taken = |one: &str, other: &str| SENSES.iter().any(|known| known.contains(&one) && known.contains(&other));
    let mut pairs = one.iter().zip(other);
    one.len() == other.len() && pairs.all(|(one, other)| one == other || is_taken(one, other))
}

/// Words that names of different things have: one name is not meant by such a word alone.
const COMMON: [&str; 12] =
    ["data", "key", "keys", "kind", "list", "name", "names", "number", "set", "type", "value", "values"];

/// Do two names share a word, which may be joined to others in one of them; or one that is `common`?
fn share_word(one: &[String], other: &[String], common: bool) -> bool {
    const WORD: usize = 3;
    const JOINED: usize = 5;
    let joined =
        |part: &str, whole: &str| part.chars().count() >= JOINED && (whole.starts_with(part) || whole.ends_with(part));
    let is_shared = |word: &String, other: &String| match word == other {
        true => word.chars().count() >= WORD,
        false => joined(word, other) || joined(other, word),
    };
    let counts = |word: &&String| COMMON.contains(&word.as_str()) == common;
    one.iter().filter(counts).any(|word| other.iter().filter(counts).any(|other| is_shared(word, other)))
}

/// Is the last of several words of two names the same? It says what they are: `full_name` and `resource_name`.
pub(crate) fn ends_with_same_word(one: &str, other: &str) -> bool {
    let (one, other) = (words(one), words(other));
    one.len() > 1 && other.len() > 1 && one.last() == other.last()
}

/// Is a word of a name one of another name, too?
pub(crate) fn has_word_of(one: &str, other: &str) -> bool {
    const SHORTEST: usize = 2;
    let other = words(other);
    words(one).iter().any(|word| word.chars().count() >= SHORTEST && other.contains(word))
}

/// The words of a name in lower case: `max`, `pod`, `cpu` and `count` of `maxPodCPU_count`.
pub(crate) fn words(name: &str) -> Vec<String> {
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
    fn one_name_is_meant_by_a_part_or_a_word_of_it() {
        use Likeness::{Part, Sense, Spelling, Word};

        for (wanted, candidates, by, found) in [
            ("hostnme", &["host", "hostname"][..], Spelling, &["hostname"][..]),
            ("hostname", &["host", "port"], Part, &["host"]),
            ("mem", &["cpu", "memory"], Part, &["memory"]),
            ("environment", &["env", "name"], Part, &["env"]),
            ("replicaCount", &["replicas", "image"], Part, &["replicas"]),
            ("db", &["database", "debug_level"], Part, &["database", "debug_level"]),
            ("db", &["database", "port"], Part, &["database"]),
            ("dbHost", &["database_host", "database_port"], Part, &["database_host"]),
            ("port", &["container_port", "port_name", "host"], Part, &["container_port", "port_name"]),
            ("host", &["project", "pull_secret", "server", "username"], Sense, &["server"]),
            ("db_host", &["db_name", "db_server"], Sense, &["db_server"]),
            ("domain", &["address", "server", "port"], Sense, &["address", "server"]),
            ("host", &["server_port", "kind"], Word, &[]),
            ("host", &["host_port", "server"], Part, &["host_port", "server"]),
            ("host", &["hostname", "server"], Part, &["hostname"]),
            ("maxmemory", &["image", "memory_limit", "port"], Word, &["memory_limit"]),
            ("url", &["connection_url"], Part, &["connection_url"]),
            ("common_labels", &["standard_labels", "name"], Word, &["standard_labels"]),
            ("needs", &["passed", "trigger"], Word, &[]),
            ("id", &["image_dir", "ingested"], Word, &[]),
            ("max", &["min", "m"], Word, &[]),
            ("hostname", &["name", "image_name"], Word, &[]),
            ("service_name", &["image_name"], Word, &[]),
            ("service_name", &["full_name", "image_name"], Word, &["full_name", "image_name"]),
            ("tag", &["stage", "image"], Word, &[]),
            ("", &["a"], Word, &[]),
        ] {
            let meant = meant(wanted, candidates.iter().copied());
            assert_eq!((meant.by, &meant.names[..]), (by, found), "{wanted}");
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
    fn names_may_have_one_word_in_common() {
        for (one, other, ends, has) in [
            ("full_name", "resource_name", true, true),
            ("full_name", "name_of", false, true),
            ("name", "resource_name", false, true),
            ("redis", "redis_env", false, true),
            ("redis.v", "postgres_v", true, false),
        ] {
            assert_eq!((ends_with_same_word(one, other), has_word_of(one, other)), (ends, has), "{one}");
        }
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
