//! Relative paths of files as ytt sees them: text with `/`, whatever the system's separator is.
//!
//! A path is never cleaned: a mark may give any text, `a//b`, `../x` and the empty one included. Folders are what lies
//! between slashes; a leading slash is a folder with an empty name.

use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The folder beside a file in which its libraries are.
pub(crate) const PRIVATE: &str = "_ytt_lib";

/// Is a file or folder, by its path from the root of the render, a part of a library?
pub(crate) fn is_in_library(path: &str) -> bool {
    path.split('/').any(|part| part == PRIVATE)
}

/// Relative path of a file, after marks: where it stands among libraries, how it is loaded, what it is called.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FilePath(Arc<str>);

impl FilePath {
    pub(crate) fn new(path: impl Into<Arc<str>>) -> FilePath {
        FilePath(path.into())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, shared.
    pub(crate) fn to_arc(&self) -> Arc<str> {
        self.0.clone()
    }

    /// What stands behind the last slash; empty if the path ends in one.
    pub(crate) fn name(&self) -> &str {
        self.0.rsplit('/').next().unwrap_or("")
    }

    /// What stands before the last slash; `None` for a file at the top.
    pub(crate) fn folder(&self) -> Option<&str> {
        self.0.rsplit_once('/').map(|(folder, _)| folder)
    }

    /// Names of the folders, outermost first.
    pub(crate) fn folders(&self) -> impl Iterator<Item = &str> {
        self.folder().into_iter().flat_map(|folder| folder.split('/'))
    }

    /// The last part as the type of a file is found by it: slashes at the end do not count.
    pub(crate) fn base_name(&self) -> &str {
        let trimmed = self.0.trim_end_matches('/');
        trimmed.rsplit('/').next().unwrap_or("")
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

/// `path` without `.`, `..` and doubled separators, without asking the file system; `.` for an empty one.
pub(crate) fn clean(path: &Path) -> PathBuf {
    let mut parts: Vec<Component<'_>> = Vec::new();
    for part in path.components() {
        match (part, parts.last()) {
            (Component::CurDir, _) | (Component::ParentDir, Some(Component::RootDir)) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    if parts.is_empty() { PathBuf::from(".") } else { parts.iter().collect() }
}

/// As [`clean`], seen from the current folder.
pub(crate) fn absolute(path: &Path) -> std::io::Result<PathBuf> {
    if path.is_absolute() { Ok(clean(path)) } else { Ok(clean(&std::env::current_dir()?.join(path))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_names_come_from_slashes_alone() {
        let cases: [(&str, &[&str], &str, &str); 6] = [
            ("a.yml", &[], "a.yml", "a.yml"),
            ("a/b/c.yml", &["a", "b"], "c.yml", "c.yml"),
            ("/x.yml", &[""], "x.yml", "x.yml"),
            ("a//b", &["a", ""], "b", "b"),
            ("a/b.yml/", &["a", "b.yml"], "", "b.yml"),
            ("", &[], "", ""),
        ];
        for (path, folders, name, base) in cases {
            let path = FilePath::new(path);
            assert_eq!(path.folders().collect::<Vec<_>>(), folders, "{path}");
            assert_eq!((path.name(), path.base_name()), (name, base), "{path}");
        }
    }

    #[test]
    fn cleaning_does_not_leave_the_root() {
        let cases = [("./d/", "d"), ("a/../b//c", "b/c"), ("../x", "../x"), ("/../x", "/x"), ("a/..", "."), ("", ".")];
        for (path, expected) in cases {
            assert_eq!(clean(Path::new(path)), Path::new(expected), "{path}");
        }
    }
}
