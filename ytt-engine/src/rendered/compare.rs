//! What a folder has otherwise than a render: the same question as writing, without touching anything.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::RenderedFile;
use super::write::{WriteOptions, check_emptied, failed, is_behind_link, is_same, places};
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
    let places = places(files, folder, options)?;
    if options.is_emptied() {
        check_emptied(folder)?;
    }
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    // Of equal places the last one counts.
    for (file, place) in files.iter().zip(&places).rev() {
        // Emptying replaces links.
        let removed = options.is_emptied() && is_behind_link(folder, place);
        if !seen.insert(place.as_path()) || (!removed && is_same(place, file.content())) {
            continue;
        }
        found.push(match fs::symlink_metadata(place) {
            Ok(_) => Difference::Stale(place.clone()),
            Err(_) => Difference::Missing(place.clone()),
        });
    }
    found.reverse();
    if options.is_emptied() {
        extra(folder, &seen, &mut found)?;
    }
    Ok(found)
}

/// What is in a folder and is neither one of the places nor a folder above one.
fn extra(folder: &Path, places: &HashSet<&Path>, found: &mut Vec<Difference>) -> Result<(), Diagnostic> {
    let above: HashSet<&Path> = places.iter().flat_map(|place| place.ancestors().skip(1)).collect();
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
                // A folder in the place of a file is stale.
                _ if places.contains(path.as_path()) => {}
                _ => extra.push(path),
            }
        }
    }
    extra.sort();
    found.extend(extra.into_iter().map(Difference::Extra));
    Ok(())
}
