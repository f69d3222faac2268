//! All that reads folders and files: what a path of the caller brings, which symlinks are followed.
//!
//! Nothing is opened but what the caller named and what lies below it. Files of one path are sorted by their relative
//! paths, compared as bytes; paths keep the order in which they were given. All problems of a folder are reported.
//!
//! Others may change files meanwhile: what was checked when it was listed is checked again when it is opened, and a file
//! that changes while it is read is read again.

use std::cell::Cell;
use std::collections::VecDeque;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::disk::{Disk, Stamp};
use super::{Content, FilePath, Listed, Reads, absolute, clean};
use crate::diag::{Advice, Code, Diagnostic, Diagnostics};
use crate::limits::Limits;
use crate::nearest::nearest_below;
use crate::source::Text;

/// Spans are `u32`, and some room is needed behind the last byte.
const MOST_BYTES: u64 = (1 << 31) - 1;
const MOST_LINKS: u32 = 255;
/// How often a file that changes meanwhile is read.
const TRIES: usize = 3;

/// Which destinations of symlinks are allowed: none, unless said otherwise.
#[derive(Clone, Debug, Default)]
pub(crate) struct Symlinks {
    pub(crate) all: bool,
    pub(crate) destinations: Vec<PathBuf>,
}

/// What may be opened, and how.
#[derive(Clone, Debug, Default)]
pub(crate) struct Access {
    pub(crate) symlinks: Symlinks,
    /// May an input be a named pipe? It blocks until somebody writes to it.
    pub(crate) pipes: bool,
    pub(crate) disk: Disk,
}

/// What `-` stands for, once.
#[derive(Debug, Default)]
pub(crate) struct Stdin {
    text: Option<Text>,
    used: Cell<bool>,
}

impl Stdin {
    pub(crate) fn new(text: Option<Text>) -> Stdin {
        Stdin { text, used: Cell::new(false) }
    }

    /// The second use is a file that cannot be read.
    fn take(&self) -> Result<Content, Diagnostic> {
        let Some(text) = &self.text else {
            let problem = Diagnostic::error(Code::FILES_STDIN, "standard input was not given");
            return Err(problem.advise(Advice::GiveStdin));
        };
        if self.used.replace(true) {
            let text = "Standard input has already been read, has the '-' argument been used in more than one flag?";
            return Ok(Content::Failed(Diagnostic::error(Code::FILES_STDIN, text)));
        }
        Ok(Content::Memory(text.clone()))
    }
}

/// Splits the argument of `-f`: a name to give to a single file, and the path.
pub(crate) fn split_argument(text: &str) -> Result<(Option<&str>, &str), Diagnostic> {
    match text.split_once('=') {
        None => Ok((None, text)),
        Some((name, path)) if !path.contains('=') => Ok((Some(name), path)),
        Some(_) => {
            let text = format!("Expected file '{text}' to only have single '=' sign to for relative path assignment");
            Err(Diagnostic::error(Code::FILES_READ, text))
        }
    }
}

/// How paths become files.
pub(crate) struct Listing<'a> {
    /// What relative paths are joined to.
    pub(crate) base: &'a Path,
    pub(crate) stdin: &'a Stdin,
    pub(crate) reads: &'a Arc<Reads>,
}

impl Listing<'_> {
    /// Files of a path: itself, everything below it, or standard input, and whether it is a folder. `name` renames a single
    /// file.
    pub(crate) fn list(&self, path: &Path, name: Option<&str>, input: u32) -> Result<(Vec<Listed>, bool), Diagnostics> {
        let given = path;
        let path = &self.based(given);
        let (mut files, is_folder) = self.list_path(given, path, input)?;
        // A folder that holds one file keeps its names, as all folders do.
        if let (Some(name), [file], false) = (name.filter(|name| !name.is_empty()), files.as_mut_slice(), is_folder) {
            file.path = Some(FilePath::new(name));
        }
        Ok((files, is_folder))
    }

    /// The path from the base folder. What is no path stays: nothing at all, standard input, an address.
    fn based(&self, path: &Path) -> PathBuf {
        let text = path.to_string_lossy();
        if text.is_empty() || text == "-" || is_address(&text) { path.into() } else { self.base.join(path) }
    }

    /// With whether it is a folder. `given` is the path as the caller wrote it, `path` where it leads.
    fn list_path(&self, given: &Path, path: &Path, input: u32) -> Result<(Vec<Listed>, bool), Diagnostics> {
        let text = path.to_string_lossy();
        if text == "-" {
            let content = self.stdin.take()?;
            return Ok((vec![Listed::new("stdin.yml", content, input)], false));
        }
        if is_address(&text) {
            let text = format!(
                "HTTP input '{text}' is not supported: a build must not depend on the network \
                 (hint: download the file and commit it)"
            );
            return Err(Diagnostic::error(Code::FILES_READ, text).into());
        }
        let kind = self.reads.access.disk.about(path).map_err(|error| {
            let text = format!("lstat {text}: {}", system_text(&error));
            let problem = Diagnostic::error(Code::FILES_READ, text);
            let problem = problem.context(format!("Checking file '{}'", path.display()));
            match nearest_below(self.base, given).filter(|_| error.kind() == io::ErrorKind::NotFound) {
                Some(near) => problem.help(format!("did you mean `{}`?", near.display())),
                None => problem,
            }
        })?;
        if kind.is_dir() {
            return self.list_folder(path, input).map(|files| (files, true));
        }
        self.reads.access.check(path, kind.file_type())?;
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        Ok((vec![Listed::new(name, Content::Disk(path.into()), input)], false))
    }

    fn list_folder(&self, root: &Path, input: u32) -> Result<Vec<Listed>, Diagnostics> {
        let mut found: Vec<(String, Result<Listed, Diagnostic>)> = Vec::new();
        let mut folders = vec![(root.to_path_buf(), String::new())];
        while let Some((folder, relative)) = folders.pop() {
            self.reads.folder(folder.clone());
            let entries = match self.reads.access.disk.entries(&folder) {
                Ok(entries) => entries,
                Err(error) => {
                    let text = format!("open {}: {}", folder.display(), system_text(&error));
                    found.push((relative, Err(Diagnostic::error(Code::FILES_READ, text))));
                    continue;
                }
            };
            let below = if folder == root { clean(root) } else { folder.clone() };
            #[cfg(feature = "pretty")]
            self.reads.names(&folder, &entries);
            for (entry, kind) in entries {
                let path = if below.as_os_str() == "." { PathBuf::from(&entry) } else { below.join(&entry) };
                let separator = if relative.is_empty() { "" } else { "/" };
                let relative = format!("{relative}{separator}{}", entry.to_string_lossy());
                if kind.is_dir() {
                    folders.push((path, relative));
                } else {
                    let file = self.reads.access.check(&path, kind);
                    let file = file.map(|()| Listed::new(relative.as_str(), Content::Disk(path), input));
                    found.push((relative, file));
                }
            }
        }
        found.sort_by(|a, b| a.0.cmp(&b.0));
        let (mut files, mut problems) = (Vec::with_capacity(found.len()), Diagnostics::default());
        for (_, file) in found {
            match file {
                Ok(file) => files.push(file),
                Err(problem) => problems.push(problem.context(format!("Listing files '{}'", root.display()))),
            }
        }
        problems.into_result().map(|()| files)
    }
}

fn is_address(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

#[cfg(unix)]
fn is_pipe(kind: fs::FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&kind)
}

#[cfg(not(unix))]
fn is_pipe(_: fs::FileType) -> bool {
    false
}

impl Symlinks {
    /// Is the destination of this link allowed?
    fn check(&self, disk: &Disk, path: &Path) -> Result<(), Diagnostic> {
        if self.all {
            return Ok(());
        }
        let refused = |text: String| Diagnostic::error(Code::FILES_SYMLINK, text);
        let target = match resolve(disk, path) {
            Ok(target) => target,
            Err((at, _)) if is_own_pipe(&at) => return Ok(()),
            Err((at, None)) => return Err(refused(format!("Eval symlink: {}", at.display()))),
            Err((at, Some(error))) => {
                let text = format!("Eval symlink: lstat {}: {}", at.display(), system_text(&error));
                return Err(refused(text));
            }
        };
        let in_current = |error| refused(format!("Abs path '{}': {}", target.display(), system_text(&error)));
        let real = absolute(&target).map_err(in_current)?;
        for allowed in &self.destinations {
            if real.starts_with(absolute(allowed).map_err(in_current)?) {
                return Ok(());
            }
        }
        let text = format!(
            "Expected symlink file '{}' -> '{}' to be allowed, but was not (hint: symlinks are disallowed as a \
             security feature, use '--allow-symlink-destination' flags to override)",
            path.display(),
            target.display()
        );
        Err(refused(text).advise(Advice::AllowSymlink))
    }
}

/// Follows every link of a path; relative if path and links are. The error is the path and what the system said of it;
/// without the latter, the "path" is the text.
fn resolve(disk: &Disk, path: &Path) -> Result<PathBuf, (PathBuf, Option<io::Error>)> {
    let parts = |path: &Path| path.components().map(|part| part.as_os_str().to_owned()).collect::<VecDeque<_>>();
    let mut rest = parts(path);
    let (mut done, mut links_left) = (PathBuf::new(), MOST_LINKS);
    while let Some(part) = rest.pop_front() {
        match Path::new(&part).components().next() {
            None | Some(Component::CurDir) => continue,
            Some(Component::Prefix(_) | Component::RootDir) => {
                done.push(&part);
                continue;
            }
            Some(Component::ParentDir) => {
                match done.components().next_back() {
                    Some(Component::Normal(_)) => {
                        done.pop();
                    }
                    Some(Component::RootDir) => {}
                    _ => done.push(".."),
                }
                continue;
            }
            Some(Component::Normal(_)) => done.push(&part),
        }
        let found = disk.about(&done).map_err(|error| (done.clone(), Some(error)))?;
        if !found.is_symlink() {
            continue;
        }
        let Some(left) = links_left.checked_sub(1) else {
            return Err((PathBuf::from("EvalSymlinks: too many links"), None));
        };
        links_left = left;
        let target = disk.link(&done).map_err(|error| (done.clone(), Some(error)))?;
        done.pop();
        if target.is_absolute() {
            done.clear();
        }
        // The parts of the link come in front of what is left, so links inside of it are followed too.
        let mut all = parts(&target);
        all.append(&mut rest);
        rest = all;
    }
    Ok(if done.as_os_str().is_empty() { PathBuf::from(".") } else { done })
}

/// A link to a pipe of a process, as `<(command)` of a shell makes it: no file, so nobody can have planted it.
fn is_own_pipe(path: &Path) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some(text) = path.to_str().and_then(|text| text.strip_prefix("/proc/")) else {
        return false;
    };
    let Some((process, pipe)) = text.split_once("/fd/pipe:[") else {
        return false;
    };
    digits(process) && pipe.strip_suffix(']').is_some_and(digits)
}

impl Access {
    /// May a file of this kind be an input?
    fn check(&self, path: &Path, kind: fs::FileType) -> Result<(), Diagnostic> {
        if kind.is_symlink() {
            let checked = self.symlinks.check(&self.disk, path);
            return checked.map_err(|problem| problem.context(format!("Checking symlink file '{}'", path.display())));
        }
        if kind.is_file() || (self.pipes && is_pipe(kind)) {
            return Ok(());
        }
        let text = format!("Expected file '{}' to be a regular file, but was not", path.display());
        Err(Diagnostic::error(Code::FILES_READ, text))
    }

    /// Bytes of a file, if they are not more than the limit `file_bytes`.
    pub(super) fn read(&self, path: &Path, limits: &Limits) -> Result<Vec<u8>, Diagnostic> {
        for _ in 0..TRIES {
            if let Some(bytes) = self.read_once(path, limits)? {
                return Ok(bytes);
            }
        }
        let text = format!("read {}: the file changed while it was read, {TRIES} times", path.display());
        Err(Diagnostic::error(Code::FILES_READ, text).help("render again when whatever writes the file is done"))
    }

    /// `None` if the file changed meanwhile: what was read may be parts of two contents.
    fn read_once(&self, path: &Path, limits: &Limits) -> Result<Option<Vec<u8>>, Diagnostic> {
        let failed = |step: &str, error: io::Error| {
            Diagnostic::error(Code::FILES_READ, format!("{step} {}: {}", path.display(), system_text(&error)))
        };
        let check = |size: u64| {
            check_size(size, limits).map_err(|error| error.context(format!("Reading file '{}'", path.display())))
        };
        // A pipe that took the file's place would block, a link could lead anywhere.
        let about = self.disk.about(path).map_err(|error| {
            let is_gone = error.kind() == io::ErrorKind::NotFound;
            let problem = failed("open", error);
            if is_gone { problem.note("it was there when the files were listed, and is gone since") } else { problem }
        })?;
        self.check(path, about.file_type())?;
        let target = if about.is_symlink() { self.disk.target(path) } else { Ok(about) };
        let wanted = Stamp::of(&target.map_err(|error| failed("open", error))?);
        // A pipe that was allowed is waited for, one that came after the check is not.
        let file = self.disk.open(path, wanted.is_none()).map_err(|error| failed("open", error))?;
        let before = self.disk.stamp(&file, path).map_err(|error| failed("stat", error))?;
        if wanted.is_some() && before != wanted {
            return Ok(None);
        }
        let size = before.map_or(0, |before| before.size);
        check(size)?;
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default().saturating_add(1));
        let most = limits.file_bytes.min(MOST_BYTES).saturating_add(1);
        self.disk.read(&file, path, most, &mut bytes).map_err(|error| failed("read", error))?;
        check(bytes.len() as u64)?;
        let after = self.disk.stamp(&file, path).map_err(|error| failed("stat", error))?;
        Ok((before == after).then_some(bytes))
    }
}

/// Refuses a file, in memory or on disk, that is larger than the limit `file_bytes`.
pub(super) fn check_size(size: u64, limits: &Limits) -> Result<(), Diagnostic> {
    let limit = limits.file_bytes.min(MOST_BYTES);
    if size <= limit {
        return Ok(());
    }
    let text = format!("file has {size} bytes, more than the limit of {limit}");
    Err(if limit < MOST_BYTES {
        Diagnostic::limit(Code::LIMIT, "file_bytes", text)
    } else {
        Diagnostic::error(Code::LIMIT, text).note("this limit is fixed")
    })
}

/// What the system says, in the words of the reference: `no such file or directory`.
pub(crate) fn system_text(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error ").next().unwrap_or_default();
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if error.raw_os_error().is_some() => first.to_lowercase().chain(letters).collect(),
        _ => text.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{FilePath, Known};
    use crate::folder::Folder;

    fn list_with(symlinks: &Symlinks, path: &Path, name: Option<&str>) -> Result<Vec<String>, Vec<String>> {
        let access = Access { symlinks: symlinks.clone(), pipes: true, ..Access::default() };
        let (stdin, reads) = (Stdin::new(Some(Text::Str("".into()))), Arc::new(Reads::new(access, Known::default())));
        let files = Listing { base: Path::new(""), stdin: &stdin, reads: &reads }.list(path, name, 0);
        let shown = |file: Listed| {
            let given = |path: &FilePath| format!("{path}={}", file.original);
            file.path.as_ref().map_or(file.original.to_string(), given)
        };
        files
            .map(|(files, _)| files.into_iter().map(shown).collect())
            .map_err(|problems| problems.0.iter().map(|problem| problem.full_message()).collect())
    }

    fn list(path: &Path) -> Result<Vec<String>, Vec<String>> {
        list_with(&Symlinks::default(), path, None)
    }

    #[test]
    fn a_folder_is_sorted_by_whole_paths() {
        let names = [
            "a/z.yml",
            "é.yml",
            ".hd/x.yml",
            "a.yml",
            "a0.yml",
            "B.yml",
            "a-b.yml",
            "9.yml",
            "10.yml",
            "a b.yml",
            ".h",
        ];
        let folder = Folder::with("order", names.map(|name| (name, "")));
        let expected = [
            ".h",
            ".hd/x.yml",
            "10.yml",
            "9.yml",
            "B.yml",
            "a b.yml",
            "a-b.yml",
            "a.yml",
            "a/z.yml",
            "a0.yml",
            "é.yml",
        ];
        assert_eq!(list(&folder).unwrap(), expected);
        assert_eq!(list(&folder.join("a/../a/")).unwrap(), ["z.yml"]);
    }

    #[test]
    fn a_name_renames_single_files_only() {
        let folder = Folder::with("rename", [("d/x.yml", "")]);
        let none = Symlinks::default();
        assert_eq!(list_with(&none, &folder.join("d/x.yml"), Some("n.yml")).unwrap(), ["n.yml=x.yml"]);
        assert_eq!(list_with(&none, &folder.join("d/x.yml"), Some("")).unwrap(), ["x.yml"]);
        assert_eq!(list_with(&none, &folder.join("d"), Some("n.yml")).unwrap(), ["x.yml"]);
        assert_eq!(list_with(&none, Path::new("-"), Some("n.yml")).unwrap(), ["n.yml=stdin.yml"]);
    }

    #[test]
    fn what_cannot_be_listed() {
        let text = |path: &str| list(Path::new(path)).unwrap_err().join("\n");
        assert_eq!(text("no/where"), "Checking file 'no/where': lstat no/where: no such file or directory");
        assert_eq!(text(""), "Checking file '': lstat : no such file or directory");
        assert!(text("http://h/x.yml").starts_with("HTTP input 'http://h/x.yml' is not supported"));
        if cfg!(unix) {
            assert_eq!(text("/dev/null"), "Expected file '/dev/null' to be a regular file, but was not");
        }
    }

    #[test]
    fn standard_input_can_be_used_once() {
        let stdin = Stdin::new(Some(Text::Str("a: 1".into())));
        assert!(matches!(stdin.take(), Ok(Content::Memory(_))));
        let again = stdin.take();
        assert!(matches!(again, Ok(Content::Failed(problem)) if problem.code() == Code::FILES_STDIN));
        assert_eq!(Stdin::new(None).take().unwrap_err().code(), Code::FILES_STDIN);
    }

    #[cfg(unix)]
    #[test]
    fn symlinks_need_permission() {
        use std::os::unix::fs::symlink;

        let folder = Folder::with("links", [("in/a.yml", ""), ("out/x.yml", "")]);
        let root = &folder;
        symlink("../out/x.yml", root.join("in/l.yml")).unwrap();
        symlink("nowhere", root.join("in/m.yml")).unwrap();
        symlink("n.yml", root.join("in/n.yml")).unwrap();
        let shown = |path: &str| root.join(path).display().to_string();
        let problems = list(&root.join("in")).unwrap_err();
        let listing = |name: &str| format!("Listing files '{0}': Checking symlink file '{0}/{name}': ", shown("in"));
        let expected = format!(
            "{}Expected symlink file '{}' -> '{}' to be allowed, but was not (hint: ",
            listing("l.yml"),
            shown("in/l.yml"),
            shown("out/x.yml")
        );
        assert!(problems[0].starts_with(&expected), "{}", problems[0]);
        assert_eq!(
            problems[1],
            format!("{}Eval symlink: lstat {}: no such file or directory", listing("m.yml"), shown("in/nowhere"))
        );
        assert_eq!(problems[2], format!("{}Eval symlink: EvalSymlinks: too many links", listing("n.yml")));

        let below = |path: &str| Symlinks { all: false, destinations: vec![root.join(path)] };
        assert!(list_with(&below("out"), &root.join("in/l.yml"), None).is_ok());
        assert!(list_with(&below("out/x.yml"), &root.join("in/l.yml"), None).is_ok());
        assert!(list_with(&below("ou"), &root.join("in/l.yml"), None).is_err());
        let all = Symlinks { all: true, destinations: vec![] };
        assert_eq!(list_with(&all, &root.join("in"), None).unwrap(), ["a.yml", "l.yml", "m.yml", "n.yml"]);

        symlink("in", root.join("folder")).unwrap();
        assert_eq!(list_with(&all, &root.join("folder"), None).unwrap(), ["folder"]);
        assert_eq!(list_with(&all, &root.join("folder/"), None).unwrap().len(), 4);
    }

    #[test]
    fn pipes_of_a_process_are_no_files() {
        assert!(is_own_pipe(Path::new("/proc/12/fd/pipe:[345]")));
        assert!(!is_own_pipe(Path::new("/proc/12/fd/pipe:[]")));
        assert!(!is_own_pipe(Path::new("/tmp/proc/12/fd/pipe:[1]")));
    }

    #[test]
    fn a_large_file_is_refused_before_it_is_read() {
        let folder = Folder::with("large", [("a.yml", "12345")]);
        let path = folder.join("a.yml");
        let limits = Limits { file_bytes: 4, ..Limits::build() };
        let text = Access::default().read(&path, &limits).unwrap_err().message().to_string();
        assert_eq!(text, "file has 5 bytes, more than the limit of 4");
        assert!(Access::default().read(&path, &Limits { file_bytes: 5, ..limits }).is_ok());
    }
}
