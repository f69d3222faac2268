//! Writing of results: all files or none, and only what differs.
//!
//! Names are checked first, then the destinations; the rest is one [`Change`]. Who writes holds the folder's lock, so
//! that of two who write at once each finds or leaves one whole result.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::RenderedFile;
use super::change::{Change, Pending};
use super::disk::Disk;
use crate::diag::{Advice, Code, Diagnostic};
use crate::files::{absolute, clean, system_text};

/// How files are written.
///
/// ```no_run
/// use ytt_engine::{Project, WriteOptions};
///
/// let rendered = Project::new().read("config").render()?;
/// rendered.write_to_with("out", &WriteOptions::default().emptied(true))?;
/// # Ok::<(), ytt_engine::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    pub(super) emptied: bool,
    outside: bool,
    repeated: bool,
    earlier: Vec<PathBuf>,
    stop: Stop,
}

/// Options are equal that look at the same flag.
#[derive(Clone, Debug, Default)]
struct Stop(Option<Arc<AtomicBool>>);

impl PartialEq for Stop {
    fn eq(&self, other: &Stop) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }
}

impl Eq for Stop {}

impl WriteOptions {
    /// Removes everything from the folder that is not a result. The root folder, the home folder, the current folder and
    /// those that hold it are refused.
    pub fn emptied(mut self, yes: bool) -> WriteOptions {
        self.emptied = yes;
        self
    }

    /// Allows paths that leave the folder: `../x.yml`.
    pub fn allow_outside(mut self, yes: bool) -> WriteOptions {
        self.outside = yes;
        self
    }

    /// Allows several files with one path: the last one is written.
    pub fn allow_repeated(mut self, yes: bool) -> WriteOptions {
        self.repeated = yes;
        self
    }

    /// Removes files of an earlier write, by their paths below the folder, that are no results any more, and folders
    /// that hold nothing without them. Paths that leave the folder, and what is no file, are left alone.
    ///
    /// ```
    /// use ytt_engine::{Project, WriteOptions};
    ///
    /// # let folder = std::env::temp_dir().join(format!("ytt-earlier-{}", std::process::id()));
    /// let project = |name: &str| Project::new().file(name, "a: 1\n");
    /// project("old/a.yml").render()?.write_to(&folder)?;
    /// let options = WriteOptions::default().replacing(["old/a.yml"]);
    /// project("new.yml").render()?.write_to_with(&folder, &options)?;
    /// assert!(folder.join("new.yml").exists() && !folder.join("old").exists());
    /// # std::fs::remove_dir_all(folder).unwrap();
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn replacing(mut self, earlier: impl IntoIterator<Item = impl Into<PathBuf>>) -> WriteOptions {
        self.earlier = earlier.into_iter().map(Into::into).collect();
        self
    }

    /// Gives up as soon as the flag is set, as a handler of signals may do: what was changed is put back, and writing
    /// ends in an error.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::AtomicBool;
    /// use ytt_engine::{Project, WriteOptions};
    ///
    /// # let folder = std::env::temp_dir().join(format!("ytt-stopped-{}", std::process::id()));
    /// let rendered = Project::new().file("a.yml", "a: 1\n").render()?;
    /// let options = WriteOptions::default().stopped_by(Arc::new(AtomicBool::new(true)));
    /// assert!(rendered.write_to_with(&folder, &options).is_err() && !folder.exists());
    /// # Ok::<(), ytt_engine::Error>(())
    /// ```
    pub fn stopped_by(mut self, flag: Arc<AtomicBool>) -> WriteOptions {
        self.stop = Stop(Some(flag));
        self
    }
}

/// What was written, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    files: Vec<(PathBuf, bool)>,
}

impl Written {
    /// Every file, written or found to hold these bytes already.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().map(|(path, _)| path.as_path())
    }

    /// The files whose bytes changed.
    pub fn changed(&self) -> impl Iterator<Item = &Path> {
        self.files.iter().filter(|(_, changed)| *changed).map(|(path, _)| path.as_path())
    }
}

fn refused(text: String) -> Diagnostic {
    Diagnostic::error(Code::OUTPUT_PATH, text)
}

pub(super) fn failed(step: &str, path: &Path, error: &io::Error) -> Diagnostic {
    let text = format!("{step} {}: {}", path.display(), system_text(error));
    Diagnostic::error(Code::OUTPUT_WRITE, text)
}

pub(super) fn write(files: &[RenderedFile], folder: &Path, options: &WriteOptions) -> Result<Written, Diagnostic> {
    let is_stopped = || options.stop.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
    let ask = |_: &str, _: &Path| if is_stopped() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) };
    write_on(&Disk::new(&ask), files, folder, options)
}

fn write_on(
    disk: &Disk<'_>,
    files: &[RenderedFile],
    folder: &Path,
    options: &WriteOptions,
) -> Result<Written, Diagnostic> {
    let destinations = destinations(files, folder, options)?;
    if options.emptied {
        check_emptied(folder)?;
    }
    let mut change = Change::new(disk, clean(folder));
    let done = changed(&mut change, files, folder, &destinations, options);
    match done {
        Ok(written) => change.finish().map(|()| written),
        Err(problem) => Err(change.undo().into_iter().fold(problem, Diagnostic::note)),
    }
}

fn changed(
    change: &mut Change<'_>,
    files: &[RenderedFile],
    folder: &Path,
    destinations: &[PathBuf],
    options: &WriteOptions,
) -> Result<Written, Diagnostic> {
    // A link or file where the emptied folder is to be goes away, what the link means stays.
    if options.emptied && fs::symlink_metadata(folder).is_ok_and(|found| !found.is_dir()) {
        change.clear_the_place()?;
    }
    change.enter()?;
    // Of equal destinations the last one counts.
    let last: HashMap<&Path, usize> =
        destinations.iter().enumerate().map(|(number, destination)| (destination.as_path(), number)).collect();
    let mut written = Written::default();
    let mut pending = Vec::new();
    for (number, (file, destination)) in files.iter().zip(destinations).enumerate() {
        let counts = last.get(destination.as_path()) == Some(&number);
        let removed = options.emptied && is_behind_link(folder, destination);
        let there = fs::metadata(destination);
        let same = !removed && there.as_ref().is_ok_and(|there| is_same(destination, there, file.content()));
        if counts && !same {
            let is_new = there.is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
            pending.push(Pending { destination, content: file.content(), is_new });
        }
        written.files.push((destination.clone(), counts && !same));
    }
    for name in options.earlier.iter().filter(|name| is_inside(name)) {
        let path = clean(&folder.join(name));
        let is_file = |found: fs::Metadata| !found.is_dir();
        if !last.contains_key(path.as_path()) && fs::symlink_metadata(&path).is_ok_and(is_file) {
            change.set_aside(&path)?;
            change.remove_empty(path.ancestors().skip(1).take_while(|above| *above != clean(folder)))?;
        }
    }
    if !options.emptied {
        let mut folders = HashSet::new();
        pending.iter().try_for_each(|one| check_destination(one, &mut folders))?;
    }
    // From here on only the disk can fail: everything is written beside its destination before anything is removed.
    change.stage(&pending)?;
    if options.emptied {
        let files: HashSet<&Path> = last.into_keys().collect();
        let is_kept = |path: &Path, kind: fs::FileType| change.is_own(path) || kind.is_file() && files.contains(path);
        for (path, _) in others(folder, &files, is_kept)? {
            change.set_aside(&path)?;
        }
    }
    change.put(&pending)?;
    Ok(written)
}

/// A name below a folder: relative, without `..`.
fn is_inside(name: &Path) -> bool {
    name.components().all(|part| matches!(part, Component::Normal(_))) && name.components().next().is_some()
}

/// Where each file goes, after the checks of names.
pub(super) fn destinations(
    files: &[RenderedFile],
    folder: &Path,
    options: &WriteOptions,
) -> Result<Vec<PathBuf>, Diagnostic> {
    let mut destinations = Vec::with_capacity(files.len());
    for file in files {
        // A leading slash does not leave the folder: the reference joins texts.
        let relative = clean(Path::new(file.path().trim_start_matches('/')));
        if relative.starts_with("..") && !options.outside {
            return Err(refused(format!("Expected output path '{}' to be below the output folder", file.path()))
                .advise(Advice::RenameOutput));
        }
        if relative == Path::new(".") {
            return Err(refused(format!("Expected output path '{}' to name a file", file.path())));
        }
        destinations.push(clean(&folder.join(relative)));
    }
    let mut seen = HashSet::new();
    for (file, destination) in files.iter().zip(&destinations) {
        if !seen.insert(destination) && !options.repeated {
            return Err(refused(format!("Multiple files have same output destination paths: {}", file.path())));
        }
    }
    for (file, destination) in files.iter().zip(&destinations) {
        let above = destination
            .ancestors()
            .skip(1)
            .find(|above| above.starts_with(folder) && seen.contains(&above.to_path_buf()));
        if let Some(above) = above {
            let text =
                format!("Expected '{}' to be a file or a folder, but '{}' needs both", above.display(), file.path());
            return Err(refused(text));
        }
    }
    Ok(destinations)
}

/// Emptying would remove what nobody means.
pub(super) fn check_emptied(folder: &Path) -> Result<(), Diagnostic> {
    let refuse = |what: &str| {
        let text = "Expected output directory path to not be one of '/', '.', './', ''";
        Err(refused(format!("{text} (hint: '{}' {what})", folder.display())))
    };
    let text = folder.to_string_lossy();
    if ["/", ".", "./", ""].contains(&&*text) {
        return refuse("would be emptied");
    }
    // A link is removed, not what it means; but `..` behind a link is resolved by the system, so ask it.
    let real = match fs::symlink_metadata(folder) {
        Ok(found) if found.is_dir() => fs::canonicalize(folder),
        _ => absolute(folder),
    };
    let real = real.map_err(|error| failed("stat", folder, &error))?;
    if real.parent().is_none() {
        return refuse("is the root folder");
    }
    let here = std::env::current_dir().and_then(fs::canonicalize);
    if here.is_ok_and(|here| here.starts_with(&real)) {
        return refuse("is or holds the working folder");
    }
    let home = std::env::home_dir().and_then(|home| fs::canonicalize(home).ok());
    if home.is_some_and(|home| home.starts_with(&real)) {
        return refuse("is or holds the home folder");
    }
    Ok(())
}

/// Can a file stand there? What is in the way is not removed. `folders` are those of which it is known.
fn check_destination<'p>(pending: &Pending<'p>, folders: &mut HashSet<&'p Path>) -> Result<(), Diagnostic> {
    let destination = pending.destination;
    let denied = |step: &str, path: &Path, text: &str| {
        Err(Diagnostic::error(Code::OUTPUT_WRITE, format!("{step} {}: {text}", path.display())))
    };
    for above in destination.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty()) {
        if !folders.insert(above) {
            break;
        }
        match fs::metadata(above) {
            Ok(found) if found.is_dir() => break,
            Ok(_) => return denied("mkdir", above, "not a directory"),
            Err(_) => {}
        }
    }
    if pending.is_new {
        return Ok(());
    }
    match fs::metadata(destination) {
        Ok(found) if found.is_dir() => denied("open", destination, "is a directory"),
        // Replacing would go around a file's own permissions.
        Ok(found) if found.is_file() => match fs::OpenOptions::new().write(true).open(destination) {
            Ok(_) => Ok(()),
            Err(error) => Err(failed("open", destination, &error)),
        },
        _ => Ok(()),
    }
}

/// Is the destination a link, or below one? Emptying removes the link, and with it what is found there now.
pub(super) fn is_behind_link(folder: &Path, destination: &Path) -> bool {
    let folder = clean(folder);
    let inside = destination.ancestors().take_while(|above| *above != folder && above.starts_with(&folder));
    inside.into_iter().any(Path::is_symlink)
}

/// Does a file hold these bytes?
pub(super) fn is_same(destination: &Path, there: &fs::Metadata, content: &[u8]) -> bool {
    there.is_file() && there.len() == content.len() as u64 && fs::read(destination).is_ok_and(|bytes| bytes == content)
}

/// What is in a folder, but for what is kept and the folders above a destination: files and whole folders.
pub(super) fn others(
    folder: &Path,
    destinations: &HashSet<&Path>,
    is_kept: impl Fn(&Path, fs::FileType) -> bool,
) -> Result<Vec<(PathBuf, fs::FileType)>, Diagnostic> {
    let above: HashSet<&Path> = destinations.iter().flat_map(|destination| destination.ancestors().skip(1)).collect();
    let (mut left, mut found) = (vec![clean(folder)], Vec::new());
    while let Some(below) = left.pop() {
        let entries = match fs::read_dir(&below) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(failed("open", &below, &error)),
        };
        for entry in entries {
            let (path, kind) = entry
                .and_then(|entry| Ok((below.join(entry.file_name()), entry.file_type()?)))
                .map_err(|error| failed("open", &below, &error))?;
            if kind.is_dir() && above.contains(path.as_path()) {
                left.push(path);
            } else if !is_kept(&path, kind) {
                found.push((path, kind));
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests;
