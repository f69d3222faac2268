//! What was probably meant by a name, and by a path that does not exist; and what people call environments.
//! Only `std`: macros without the renderer use it.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// What people call an environment.
#[cfg(feature = "engine")]
pub(crate) const ENVIRONMENTS: [&str; 13] = [
    "dev",
    "development",
    "live",
    "local",
    "preprod",
    "prod",
    "production",
    "qa",
    "stage",
    "staging",
    "test",
    "testing",
    "uat",
];

/// Entries of one folder that are tried in the place of a missing one.
const TRIED: usize = 4;

/// The only one that there is: of several none is meant more than another.
#[cfg(feature = "engine")]
pub fn only<T>(all: impl IntoIterator<Item = T>) -> Option<T> {
    let mut all = all.into_iter();
    all.next().filter(|_| all.next().is_none())
}

/// Edit distance with exchange of neighbours (optimal string alignment), in bytes.
///
/// Gives `None` as soon as it is clear that it is more than `most`, so unlike names cost little.
pub fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    edits(a, b, most, true)
}

/// As [`distance`]; without `exchange` an exchange of neighbours is two edits.
#[allow(clippy::indexing_slicing, reason = "a row has one more place than `b` has bytes; `i` and `j` begin at 1")]
#[allow(clippy::arithmetic_side_effects, reason = "no distance is greater than the lengths of both together")]
pub fn edits(a: &str, b: &str, most: usize, exchange: bool) -> Option<usize> {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut row = vec![0; b.len() + 1];
    for i in 1..=a.len() {
        row[0] = i;
        for j in 1..=b.len() {
            let changed = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = changed.min(last[j] + 1).min(row[j - 1] + 1);
            if exchange && i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        if row.iter().chain(&last).min().is_none_or(|least| *least > most) {
            return None;
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    Some(last[b.len()]).filter(|found| *found <= most)
}

/// A name in lower case, without `-` and `_`.
pub(crate) fn folded(name: &str) -> String {
    name.chars().filter(|letter| !matches!(letter, '_' | '-')).flat_map(char::to_lowercase).collect()
}

/// How far a name is from the wanted one, for people: 0 if they are equal but for case, `-` and `_`; `None` if there is
/// more than a mistake in every three characters. Names of one or two characters are like nothing else.
fn likeness(wanted: &str, name: &str) -> Option<usize> {
    let plain = folded(wanted);
    if plain == folded(name) && !plain.is_empty() {
        return Some(0);
    }
    let length = wanted.chars().count();
    distance(wanted, name, (length / 3).max(usize::from(length > 2)))
}

/// The candidate that was probably meant, for people: equal but for case, `-` and `_`, or with a mistake in every three
/// characters at most; of equally near ones the first in sorted order. Of names of one or two characters nothing is like
/// another.
///
/// ```
/// # #[cfg(feature = "codegen")] {
/// use ytt_engine::codegen::similar;
///
/// assert_eq!(similar("confgi", ["config", "src"]), Some("config"));
/// assert_eq!(similar("zzz", ["config", "src"]), None);
/// # }
/// ```
pub fn similar<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let others = candidates.into_iter().filter(|name| *name != wanted);
    others.filter_map(|name| Some((likeness(wanted, name)?, name))).min().map(|(_, name)| name)
}

/// As [`similar`], with all that are as near as the nearest, in sorted order: none of them is meant more than another.
#[cfg(feature = "engine")]
pub fn equally_similar<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let others = candidates.into_iter().filter(|name| *name != wanted);
    let mut near: Vec<(usize, &str)> = others.filter_map(|name| Some((likeness(wanted, name)?, name))).collect();
    near.sort_unstable();
    near.dedup();
    let least = near.first().map(|(away, _)| *away);
    near.into_iter().take_while(|(away, _)| Some(*away) == least).map(|(_, name)| name).collect()
}

/// As [`similar`], with those that are at most one mistake farther away, nearest first: of flags that differ in a letter
/// any may be meant.
#[cfg(all(feature = "engine", feature = "codegen"))]
pub fn all_similar<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut near: Vec<(usize, &str)> =
        candidates.into_iter().filter_map(|name| Some((likeness(wanted, name)?, name))).collect();
    near.sort_unstable();
    // What is equal but for case and dashes is meant alone.
    let most = near.first().map_or(0, |(nearest, _)| if *nearest == 0 { 0 } else { nearest.saturating_add(1) });
    near.into_iter().take_while(|(away, _)| *away <= most).map(|(_, name)| name).collect()
}

/// The existing path that was probably meant by a missing one: each part that does not exist is replaced by the nearest
/// entry of its folder. `None` if the path exists or nothing is near; what cannot be read has nothing near.
///
/// ```
/// # #[cfg(feature = "codegen")] {
/// use std::path::Path;
/// use ytt_engine::codegen::nearest_path;
///
/// assert_eq!(nearest_path(Path::new("srx/lib.rs")).as_deref(), Some(Path::new("src/lib.rs")));
/// assert_eq!(nearest_path(Path::new("src/lib.rs")), None);
/// # }
/// ```
#[cfg(any(feature = "codegen", test))]
pub fn nearest_path(path: &Path) -> Option<PathBuf> {
    nearest_below(Path::new(""), path)
}

/// As `nearest_path`, for a path that starts in a folder: the folder is not in doubt, and not part of the result.
///
/// ```
/// # #[cfg(feature = "codegen")] {
/// use std::path::Path;
/// use ytt_engine::codegen::nearest_below;
///
/// let near = nearest_below(Path::new("src"), Path::new("yml/read"));
/// assert_eq!(near.as_deref(), Some(Path::new("yaml/read")));
/// # }
/// ```
pub fn nearest_below(folder: &Path, path: &Path) -> Option<PathBuf> {
    let parts: Vec<Component<'_>> = path.components().collect();
    let (mistakes, found) = complete(folder, PathBuf::new(), &parts)?;
    (mistakes > 0).then_some(found)
}

/// Completes `done`, which exists, by `parts`; also says how many mistakes they hold.
fn complete(folder: &Path, mut done: PathBuf, parts: &[Component<'_>]) -> Option<(usize, PathBuf)> {
    let mut parts = parts.iter();
    while let Some(part) = parts.next() {
        let next = done.join(part);
        if fs::symlink_metadata(folder.join(&next)).is_ok() {
            done = next;
            continue;
        }
        let Component::Normal(name) = part else { return None };
        let rest = parts.as_slice();
        let near = entries_like(&folder.join(&done), name.to_str()?).into_iter();
        let tried = near.filter_map(|(mistakes, name)| {
            let (more, path) = complete(folder, done.join(name), rest)?;
            Some((more.saturating_add(mistakes), path))
        });
        return tried.min();
    }
    Some((0, done))
}

/// Entries of a folder that are like a name, the nearest first, with the mistakes, at least one.
fn entries_like(folder: &Path, wanted: &str) -> Vec<(usize, String)> {
    let here = Path::new(".");
    let entries = fs::read_dir(if folder.as_os_str().is_empty() { here } else { folder });
    let names = entries.into_iter().flatten().flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut near: Vec<_> = names.filter_map(|name| Some((file_likeness(wanted, &name)?.max(1), name))).collect();
    near.sort();
    near.truncate(TRIED);
    near
}

/// As [`likeness`], for names of files: what stands in front of the ending is compared by itself, so that two files are
/// not alike by their ending. Another ending, or none, is one mistake.
fn file_likeness(wanted: &str, name: &str) -> Option<usize> {
    let split = |name: &str| match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => (stem.to_owned(), Some(ending.to_owned())),
        _ => (name.to_owned(), None),
    };
    let ((stem, ending), (other, other_ending)) = (split(wanted), split(name));
    let mistakes = if stem == other { Some(0) } else { likeness(&stem, &other) };
    match (ending, other_ending) {
        (ending, other) if ending == other => mistakes,
        (Some(ending), Some(other)) => match mistakes? {
            0 => Some(1),
            mistakes => distance(&ending, &other, 1).map(|more| more.saturating_add(mistakes)),
        },
        _ if mistakes == Some(0) => Some(1),
        _ => likeness(wanted, name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Folder;

    #[test]
    fn people_are_told_of_names_with_few_mistakes() {
        for (wanted, candidates, found) in [
            ("naem", &["name", "near"][..], Some("name")),
            ("Max-Len", &["min_len", "max_len"], Some("max_len")),
            ("a", &["b"], None),
            ("ab", &["aB"], Some("aB")),
            ("replicas", &["replica", "replicaset"], Some("replica")),
            ("x", &["x"], None),
        ] {
            assert_eq!(similar(wanted, candidates.iter().copied()), found, "{wanted}");
        }
    }

    #[test]
    fn exchanged_neighbours_are_one_step() {
        assert_eq!(distance("replcias", "replicas", 2), Some(1));
        assert_eq!(distance("abc", "xyz", 2), None);
        assert_eq!(distance("", "ab", 2), Some(2));
    }

    #[test]
    fn names_of_files_are_alike_by_what_is_in_front_of_the_ending() {
        for (wanted, name, mistakes) in [
            ("a.yml", "b.yml", None),
            ("prod.yml", "dev.yml", None),
            ("values.yaml", "values.yml", Some(1)),
            ("values.json", "values.yml", Some(1)),
            ("vlaues.yaml", "values.yml", Some(2)),
            ("vlaues.json", "values.yml", None),
            ("deployment", "deployment.yml", Some(1)),
            ("config.yml", "config", Some(1)),
            ("configyml", "config.yml", Some(1)),
            (".gitignroe", ".gitignore", Some(1)),
            ("Config", "config", Some(0)),
        ] {
            assert_eq!(file_likeness(wanted, name), mistakes, "{wanted} {name}");
        }
    }

    #[test]
    fn every_part_of_a_path_may_be_wrong() {
        let files = [
            "config/values.yml",
            "deploy/pipelines/build.yml",
            // As near as `deploy`, but what is wanted is not below it.
            "deplou/other.yml",
            "é/x.yml",
            "same/abc1.yml",
            "same/abc0.yml",
        ];
        let root = Folder::with("nearest", files.map(|file| (file, "")));
        for (path, found) in [
            ("confg", Some("config")),
            ("config", None),
            ("config/valeus.yml", Some("config/values.yml")),
            ("config/values.yaml", Some("config/values.yml")),
            ("config/nothing.yml", None),
            ("deplyo/pipelines", Some("deploy/pipelines")),
            ("deploy/piplines/build.yml", Some("deploy/pipelines/build.yml")),
            ("deplyo/pipelnes/biuld.yml", Some("deploy/pipelines/build.yml")),
            ("deplyo/nowhere", None),
            ("./confg/../confgi/values.yml", Some("./config/../config/values.yml")),
            ("config/values.yml/x", None),
            ("config/values.yml/values.yml", None),
            ("same/abc2.yml", Some("same/abc0.yml")),
            ("nowhere", None),
            ("", None),
        ] {
            assert_eq!(nearest_below(&root, Path::new(path)), found.map(PathBuf::from), "{path}");
            let absolute = root.join(path);
            let wanted = found.map(|found| root.join(found).components().collect::<PathBuf>());
            assert_eq!(nearest_path(&absolute), wanted, "{path}");
        }
        fs::remove_dir_all(&*root).unwrap();
        assert_eq!(nearest_path(&root.join("config")), None);
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_read_has_nothing_near() {
        use std::os::unix::ffi::OsStrExt;

        let path = Path::new(std::ffi::OsStr::from_bytes(b"no\xFFname"));
        assert_eq!(nearest_path(path), None);
        assert_eq!(nearest_path(Path::new("/proc/1/fd/x/y")), None);
    }
}
