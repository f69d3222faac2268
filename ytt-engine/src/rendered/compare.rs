//! What a folder has otherwise than a render: the same question as writing, without touching anything.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::RenderedFile;
use super::write::{WriteOptions, check_emptied, destinations, is_behind_link, is_same, others};
use crate::diag::Diagnostic;

/// A file of a folder that is not as a render has it.
///
/// ```no_run
/// use ytt_engine::{Difference, Project, WriteOptions};
///
/// let rendered = Project::new().read("config").render()?;
/// for difference in rendered.compare_with("out", &WriteOptions::default())? {
///     match difference {
///         Difference::Missing(path) => println!("{} is missing", path.display()),
///         Difference::Stale(path) => println!("{} has other bytes", path.display()),
///         other => println!("{}", other.path().display()),
///     }
/// }
/// # Ok::<(), ytt_engine::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Difference {
    /// It would be made.
    Missing(PathBuf),
    /// It has other bytes, or is no file.
    Stale(PathBuf),
    /// It would be removed: only with [`WriteOptions::emptied`].
    Extra(PathBuf),
}

impl Difference {
    /// The file, or a folder in which everything would be removed.
    pub fn path(&self) -> &Path {
        match self {
            Difference::Missing(path) | Difference::Stale(path) | Difference::Extra(path) => path,
        }
    }
}

pub(super) fn compare(
    files: &[RenderedFile],
    folder: &Path,
    options: &WriteOptions,
) -> Result<Vec<Difference>, Diagnostic> {
    let destinations = destinations(files, folder, options)?;
    if options.emptied {
        check_emptied(folder)?;
    }
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    // Of equal destinations the last one counts.
    for (file, destination) in files.iter().zip(&destinations).rev() {
        // Emptying replaces links.
        let removed = options.emptied && is_behind_link(folder, destination);
        if !seen.insert(destination.as_path())
            || (!removed && fs::metadata(destination).is_ok_and(|there| is_same(destination, &there, file.content())))
        {
            continue;
        }
        found.push(match fs::symlink_metadata(destination) {
            Ok(_) => Difference::Stale(destination.clone()),
            Err(_) => Difference::Missing(destination.clone()),
        });
    }
    found.reverse();
    if options.emptied {
        // A folder where a file belongs is stale.
        let mut extra = others(folder, &seen, |path, _| seen.contains(path))?;
        extra.sort_by(|a, b| a.0.cmp(&b.0));
        found.extend(extra.into_iter().map(|(path, _)| Difference::Extra(path)));
    }
    Ok(found)
}
