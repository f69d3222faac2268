//! Writing of results: all files or none, and only what differs.
//!
//! Names are checked first, then the destinations; then what differs is written into a folder of its own inside the
//! target, and only when all of it stands on the disk it is moved. So a full disk or a missing permission changes nothing.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::RenderedFile;
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
}

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
    let destinations = destinations(files, folder, options)?;
    if options.emptied {
        check_emptied(folder)?;
    }
    // A link or file where the emptied folder is to be goes away, what the link means stays.
    let replaced = options.emptied && fs::symlink_metadata(folder).is_ok_and(|found| !found.is_dir());
    // Of equal destinations the last one counts.
    let last: HashMap<&Path, usize> =
        destinations.iter().enumerate().map(|(number, destination)| (destination.as_path(), number)).collect();
    let mut written = Written::default();
    let mut pending = Vec::new();
    for (number, (file, destination)) in files.iter().zip(&destinations).enumerate() {
        let counts = last[destination.as_path()] == number;
        let removed = replaced || (options.emptied && is_behind_link(folder, destination));
        let same = !removed && is_same(destination, file.content());
        if counts && !same {
            if !options.emptied {
                check_destination(destination)?;
            }
            pending.push((destination, file.content()));
        }
        written.files.push((destination.clone(), counts && !same));
    }
    if replaced {
        fs::remove_file(folder).map_err(|error| failed("unlinkat", folder, &error))?;
    }
    // From here on only the disk can fail: everything is written beside its destination before anything is removed.
    let staged = Staged::new(folder, &pending)?;
    if options.emptied {
        empty(folder, &destinations, &staged.folder)?;
    }
    staged.put(&pending)?;
    Ok(written)
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

/// Can a file stand there? What is in the way is not removed.
fn check_destination(destination: &Path) -> Result<(), Diagnostic> {
    let denied = |step: &str, path: &Path, text: &str| {
        Err(Diagnostic::error(Code::OUTPUT_WRITE, format!("{step} {}: {text}", path.display())))
    };
    for above in destination.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty()) {
        match fs::metadata(above) {
            Ok(found) if found.is_dir() => break,
            Ok(_) => return denied("mkdir", above, "not a directory"),
            Err(_) => {}
        }
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

pub(super) fn is_same(destination: &Path, content: &[u8]) -> bool {
    let size = fs::metadata(destination).ok().filter(fs::Metadata::is_file).map(|found| found.len());
    size == Some(content.len() as u64) && fs::read(destination).is_ok_and(|bytes| bytes == content)
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

/// Removes all others; a link or folder in the way of a file too.
fn empty(folder: &Path, destinations: &[PathBuf], staged: &Path) -> Result<(), Diagnostic> {
    let files: HashSet<&Path> = destinations.iter().map(PathBuf::as_path).collect();
    for (path, kind) in others(folder, &files, |path, kind| path == staged || kind.is_file() && files.contains(path))? {
        let removed = if kind.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.map_err(|error| failed("unlinkat", &path, &error))?;
    }
    Ok(())
}

/// New contents on the disk that are not moved yet. The folder goes away with the value.
struct Staged {
    folder: PathBuf,
    /// Was the folder made? Nothing to write needs none.
    is_made: bool,
    /// Folders that had to be made for it, outermost first: they go away too, if nothing is put.
    made: Vec<PathBuf>,
}

impl Staged {
    /// Makes the target folder and, if there is anything to write, a folder in it with the contents by number.
    fn new(target: &Path, pending: &[(&PathBuf, &[u8])]) -> Result<Staged, Diagnostic> {
        let target = clean(target);
        let made: Vec<PathBuf> = target
            .ancestors()
            .filter(|above| !above.as_os_str().is_empty())
            .take_while(|above| !above.exists())
            .map(Path::to_path_buf)
            .collect();
        fs::create_dir_all(&target).map_err(|error| failed("mkdir", &target, &error))?;
        let name = |number: u32| target.join(format!(".ytt-{}-{number}", std::process::id()));
        let mut staged = Staged { folder: name(0), is_made: false, made };
        if pending.is_empty() {
            staged.made.clear();
            return Ok(staged);
        }
        // Another thread may be writing here, or a killed process with this number may have left its folder.
        for number in 1.. {
            match fs::create_dir(&staged.folder) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => staged.folder = name(number),
                done => {
                    done.map_err(|error| failed("mkdir", &staged.folder, &error))?;
                    staged.is_made = true;
                    break;
                }
            }
        }
        for (number, (destination, content)) in pending.iter().enumerate() {
            fs::write(staged.file(number), content).map_err(|error| failed("open", destination, &error))?;
        }
        Ok(staged)
    }

    fn file(&self, number: usize) -> PathBuf {
        self.folder.join(number.to_string())
    }

    fn put(mut self, pending: &[(&PathBuf, &[u8])]) -> Result<(), Diagnostic> {
        self.made.clear();
        for (number, (destination, content)) in pending.iter().enumerate() {
            if let Some(above) = destination.parent().filter(|above| !above.as_os_str().is_empty()) {
                fs::create_dir_all(above).map_err(|error| failed("mkdir", above, &error))?;
            }
            put(&self.file(number), destination, content).map_err(|error| failed("open", destination, &error))?;
        }
        Ok(())
    }
}

/// Moves a finished file. A link is followed, a file keeps its mode, a device or pipe is written to.
fn put(from: &Path, destination: &Path, content: &[u8]) -> io::Result<()> {
    let destination = match fs::symlink_metadata(destination) {
        Ok(found) if found.is_symlink() => match fs::canonicalize(destination) {
            Ok(target) => target,
            // The link leads nowhere: writing makes its target.
            Err(_) => return fs::write(destination, content),
        },
        _ => destination.to_path_buf(),
    };
    if let Ok(found) = fs::metadata(&destination) {
        if !found.is_file() {
            return fs::write(&destination, content);
        }
        fs::set_permissions(from, found.permissions())?;
    }
    match fs::rename(from, &destination) {
        // Another file system.
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => fs::write(&destination, content),
        done => done,
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // Nothing can be done about a folder that stays: the files themselves have been moved.
        if self.is_made {
            let _ = fs::remove_dir_all(&self.folder);
        }
        for folder in &self.made {
            let _ = fs::remove_dir(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::FileKind;
    use crate::folder::Folder;

    impl Folder {
        /// All files with their contents, sorted, and folders.
        fn tree(&self) -> Vec<String> {
            let (mut found, mut left) = (Vec::new(), vec![self.to_path_buf()]);
            while let Some(folder) = left.pop() {
                for entry in fs::read_dir(folder).unwrap() {
                    let path = entry.unwrap().path();
                    let name = path.strip_prefix(&**self).unwrap().display().to_string();
                    if path.is_dir() {
                        found.push(format!("{name}/"));
                        left.push(path);
                    } else {
                        found.push(format!("{name}={}", fs::read_to_string(path).unwrap()));
                    }
                }
            }
            found.sort();
            found
        }

        /// Writes results to `out`; gives what changed.
        fn render(&self, files: &[(&str, &str)], options: &WriteOptions) -> Result<Vec<String>, String> {
            let files: Vec<RenderedFile> = files
                .iter()
                .map(|(path, text)| RenderedFile {
                    path: (*path).into(),
                    kind: FileKind::Text,
                    content: text.as_bytes().into(),
                })
                .collect();
            // Where the folder of the system is a link, as on macOS, what was written has the other path.
            let root = fs::canonicalize(&**self).unwrap();
            let name = |path: &Path| path.strip_prefix(&root).unwrap_or(path).display().to_string();
            write(&files, &root.join("out"), options)
                .map(|written| written.changed().map(name).collect())
                .map_err(|problem| problem.to_string().replace(&root.display().to_string(), "ROOT"))
        }
    }

    #[test]
    fn only_what_differs_is_written() {
        let folder = Folder::new("differs");
        let defaults = WriteOptions::default();
        let files = [("a.yml", "1"), ("s//t/../b.yml", "2"), ("/c", "3")];
        assert_eq!(folder.render(&files, &defaults).unwrap(), ["out/a.yml", "out/s/b.yml", "out/c"]);
        assert_eq!(folder.render(&files, &defaults).unwrap(), Vec::<String>::new());
        let files = [("a.yml", "1"), ("s/b.yml", "other")];
        assert_eq!(folder.render(&files, &defaults).unwrap(), ["out/s/b.yml"]);
        assert_eq!(folder.tree(), ["out/", "out/a.yml=1", "out/c=3", "out/s/", "out/s/b.yml=other"]);
        assert_eq!(folder.render(&[], &defaults).unwrap(), Vec::<String>::new());
    }

    #[test]
    fn names_are_checked_before_anything_is_written() {
        let folder = Folder::new("names");
        let defaults = WriteOptions::default();
        let cases: [(&[(&str, &str)], &str); 5] = [
            (&[("a", "1"), ("../x", "2")], "Expected output path '../x' to be below the output folder"),
            (&[("a", "1"), ("./a", "2")], "Multiple files have same output destination paths: ./a"),
            (&[("a", "1"), ("a/b", "2")], "Expected 'ROOT/out/a' to be a file or a folder, but 'a/b' needs both"),
            (&[("", "1")], "Expected output path '' to name a file"),
            (&[("a/..", "1")], "Expected output path 'a/..' to name a file"),
        ];
        for (files, expected) in cases {
            assert_eq!(folder.render(files, &defaults).unwrap_err(), expected);
        }
        assert_eq!(folder.tree(), Vec::<String>::new());
        let loose = WriteOptions::default().allow_outside(true).allow_repeated(true);
        assert_eq!(folder.render(&[("a", "1"), ("../x", "2"), ("./a", "3")], &loose).unwrap(), ["x", "out/a"]);
        assert_eq!(folder.tree(), ["out/", "out/a=3", "x=2"]);
    }

    #[test]
    fn what_is_in_the_way_stays() {
        let folder = Folder::new("way");
        fs::create_dir_all(folder.join("out/d")).unwrap();
        folder.write("out/f", "old");
        let defaults = WriteOptions::default();
        let files = [("a", "1"), ("d", "2")];
        assert_eq!(folder.render(&files, &defaults).unwrap_err(), "open ROOT/out/d: is a directory");
        let files = [("a", "1"), ("f/b", "2")];
        assert_eq!(folder.render(&files, &defaults).unwrap_err(), "mkdir ROOT/out/f: not a directory");
        assert_eq!(folder.tree(), ["out/", "out/d/", "out/f=old"]);
    }

    #[test]
    fn emptying_leaves_the_results_alone() {
        let folder = Folder::new("emptied");
        let emptied = WriteOptions::default().emptied(true);
        let old = [("a", "1"), ("d/x", "2"), ("e/y/z", "3"), ("f", "4")];
        folder.render(&old, &WriteOptions::default()).unwrap();
        let new = [("a", "1"), ("d", "5"), ("f/g", "6")];
        assert_eq!(folder.render(&new, &emptied).unwrap(), ["out/d", "out/f/g"]);
        assert_eq!(folder.tree(), ["out/", "out/a=1", "out/d=5", "out/f/", "out/f/g=6"]);
        assert_eq!(folder.render(&[], &emptied).unwrap(), Vec::<String>::new());
        assert_eq!(folder.tree(), ["out/"]);
    }

    #[test]
    fn folders_that_nobody_means_are_refused() {
        let mut refused = vec!["/".into(), ".".into(), "./".into(), "".into(), "..".into(), "//".into()];
        let here = std::env::current_dir().unwrap();
        refused.extend(here.ancestors().map(Path::to_path_buf));
        refused.push(here.join("src/.."));
        refused.extend(std::env::home_dir());
        for folder in refused {
            let text = check_emptied(&folder).unwrap_err().to_string();
            assert!(text.contains("Expected output directory path to not be one of"), "{text}");
        }
        assert!(check_emptied(Path::new("src/x")).is_ok());
    }

    #[test]
    fn what_a_killed_process_left_is_not_in_the_way() {
        let folder = Folder::new("killed");
        fs::create_dir_all(folder.join(format!("out/.ytt-{}-0", std::process::id()))).unwrap();
        assert_eq!(folder.render(&[("a", "1")], &WriteOptions::default()).unwrap(), ["out/a"]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_written_through_and_modes_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let folder = Folder::new("links");
        let out = folder.join("out");
        fs::create_dir_all(&out).unwrap();
        folder.write("real", "old");
        fs::set_permissions(folder.join("real"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink("../real", out.join("a")).unwrap();
        symlink("../made", out.join("b")).unwrap();
        folder.render(&[("a", "1"), ("b", "2")], &WriteOptions::default()).unwrap();
        assert_eq!(folder.read("real"), "1");
        assert_eq!(folder.read("made"), "2");
        assert_eq!(fs::metadata(folder.join("real")).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(fs::symlink_metadata(out.join("a")).unwrap().is_symlink());

        // What a link leads to is not a file of the emptied folder, even if it has the same bytes.
        fs::create_dir_all(folder.join("elsewhere")).unwrap();
        folder.write("elsewhere/e", "5");
        symlink("../elsewhere", out.join("d")).unwrap();
        let emptied = WriteOptions::default().emptied(true);
        assert_eq!(folder.render(&[("a", "1"), ("d/e", "5")], &emptied).unwrap(), ["out/a", "out/d/e"]);
        assert_eq!(
            folder.tree(),
            ["elsewhere/", "elsewhere/e=5", "made=2", "out/", "out/a=1", "out/d/", "out/d/e=5", "real=1"]
        );

        symlink("out", folder.join("link")).unwrap();
        let file = RenderedFile { path: "n".into(), kind: FileKind::Text, content: b"x"[..].into() };
        write(&[file], &folder.join("link"), &WriteOptions::default().emptied(true)).unwrap();
        assert_eq!((folder.read("link/n"), folder.read("out/a")), ("x".into(), "1".into()));
        assert!(fs::symlink_metadata(folder.join("link")).unwrap().is_dir());
    }
}
