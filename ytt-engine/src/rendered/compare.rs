//! What a folder has otherwise than a render: the same question as writing, without touching anything.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::RenderedFile;
use super::write::{WriteOptions, check_emptied, destinations, failed, is_behind_link, is_same};
use crate::diag::Diagnostic;
use crate::files::clean;

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
    if options.is_emptied() {
        check_emptied(folder)?;
    }
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    // Of equal destinations the last one counts.
    for (file, destination) in files.iter().zip(&destinations).rev() {
        // Emptying replaces links.
        let removed = options.is_emptied() && is_behind_link(folder, destination);
        if !seen.insert(destination.as_path()) || (!removed && is_same(destination, file.content())) {
            continue;
        }
        found.push(match fs::symlink_metadata(destination) {
            Ok(_) => Difference::Stale(destination.clone()),
            Err(_) => Difference::Missing(destination.clone()),
        });
    }
    found.reverse();
    if options.is_emptied() {
        extra(folder, &seen, &mut found)?;
    }
    Ok(found)
}

/// What is in a folder and is neither one of the destinations nor a folder above one.
fn extra(folder: &Path, destinations: &HashSet<&Path>, found: &mut Vec<Difference>) -> Result<(), Diagnostic> {
    let above: HashSet<&Path> = destinations.iter().flat_map(|destination| destination.ancestors().skip(1)).collect();
    let mut left = vec![clean(folder)];
    let mut extra = Vec::new();
    while let Some(below) = left.pop() {
        let entries = match fs::read_dir(&below) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(failed("open", &below, &error)),
        };
        for entry in entries {
            let (path, kind) = entry
                .and_then(|entry| Ok((below.join(entry.file_name()), entry.file_type()?)))
                .map_err(|error| failed("open", &below, &error))?;
            match kind.is_dir() {
                true if above.contains(path.as_path()) => left.push(path),
                // A folder where a file belongs is stale.
                _ if destinations.contains(path.as_path()) => {}
                _ => extra.push(path),
            }
        }
    }
    extra.sort();
    found.extend(extra.into_iter().map(Difference::Extra));
    Ok(())
}
