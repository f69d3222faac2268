//! The files of a render as a tree of folders, and finding files and libraries in it.
//!
//! Paths are the relative ones, after marks; only they decide what is where. Everything is found by exact names, from a
//! folder downwards, libraries in its `_ytt_lib`: there is no `.` and no `..`. The rules are those of
//! `docs/libraries.md#tree-of-folders` and `docs/libraries.md#reading-files`.

mod near;

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::diag::{Code, Diagnostic, suggest};
use crate::files::{File, FileKind, PRIVATE, is_in_library};
use crate::nearest::only;
use crate::source::to_u32;

/// Number of a folder of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct FolderId(u32);

/// All files of a render, by folders.
#[derive(Debug)]
pub(crate) struct Tree {
    folders: Vec<Folder>,
    files: Vec<Arc<File>>,
    /// Files and libraries that something loaded, read, listed or got.
    used: (Vec<AtomicBool>, Mutex<HashSet<FolderId>>),
}

/// What nothing used.
#[derive(Debug)]
pub(crate) enum Idle {
    /// The path of a library, with one of its files.
    Library(String, Option<Arc<File>>),
    File(Arc<File>),
}

#[derive(Debug, Default)]
struct Folder {
    /// Relative path from the root of the render.
    path: String,
    /// Numbers of files, in file order.
    files: Vec<usize>,
    /// The first file of each name.
    by_name: HashMap<String, usize>,
    /// In the order in which they were first needed.
    folders: Vec<(String, FolderId)>,
    children: HashMap<String, FolderId>,
}

/// A file that was found, with the folder in which it lies.
#[derive(Clone, Debug)]
pub(crate) struct FoundFile {
    pub(crate) file: Arc<File>,
    pub(crate) folder: FolderId,
    /// Number of the file in file order.
    pub(crate) number: usize,
}

impl Tree {
    pub(crate) const ROOT: FolderId = FolderId(0);

    /// Puts files, in file order, into folders.
    pub(crate) fn new(files: &[Arc<File>]) -> Tree {
        let used = (files.iter().map(|_| AtomicBool::new(false)).collect(), Mutex::default());
        let mut tree = Tree { folders: vec![Folder::default()], files: files.to_vec(), used };
        for (number, file) in files.iter().enumerate() {
            let mut at = Tree::ROOT;
            for name in file.path.folders() {
                at = tree.enter(at, name);
            }
            let folder = tree.at_mut(at);
            folder.files.push(number);
            folder.by_name.entry(file.path.name().to_owned()).or_insert(number);
        }
        tree
    }

    /// The folder of that name, made if it is new.
    fn enter(&mut self, folder: FolderId, name: &str) -> FolderId {
        if let Some(known) = self.child(folder, name) {
            return known;
        }
        let parent = &self.at(folder).path;
        let path = if folder == Tree::ROOT { name.to_owned() } else { format!("{parent}/{name}") };
        let new = FolderId(to_u32(self.folders.len()));
        self.folders.push(Folder { path, ..Folder::default() });
        let parent = self.at_mut(folder);
        parent.folders.push((name.to_owned(), new));
        parent.children.insert(name.to_owned(), new);
        new
    }

    /// What a library is called from the root: its path, without the folders that only hold libraries. The root has an
    /// empty name.
    pub(crate) fn name_of(&self, library: FolderId) -> String {
        let path = &self.at(library).path;
        path.split('/').filter(|name| *name != PRIVATE).collect::<Vec<_>>().join("/")
    }

    fn child(&self, folder: FolderId, name: &str) -> Option<FolderId> {
        self.at(folder).children.get(name).copied()
    }

    #[allow(clippy::indexing_slicing, reason = "`new` and `enter` give out the numbers of folders, and none goes away")]
    fn at(&self, folder: FolderId) -> &Folder {
        &self.folders[folder.0 as usize]
    }

    #[allow(clippy::indexing_slicing, reason = "as for `at`: numbers of folders that there are")]
    fn at_mut(&mut self, folder: FolderId) -> &mut Folder {
        &mut self.folders[folder.0 as usize]
    }

    #[allow(clippy::indexing_slicing, reason = "folders have numbers of files, all of which are there from the start")]
    fn found(&self, folder: FolderId, number: usize) -> FoundFile {
        FoundFile { file: self.files[number].clone(), folder, number }
    }

    /// All files of a library in tree order: files of a folder, then its folders, `_ytt_lib` left out.
    pub(crate) fn in_tree_order(&self, folder: FolderId) -> Vec<FoundFile> {
        let mut found = Vec::new();
        let mut open = vec![folder];
        while let Some(at) = open.pop() {
            let Folder { files, folders, .. } = self.at(at);
            found.extend(files.iter().map(|&number| self.found(at, number)));
            open.extend(folders.iter().rev().filter(|(name, _)| name != PRIVATE).map(|(_, id)| *id));
        }
        found
    }

    /// The files of the libraries that files of this one may use, each with the path of its folder below `_ytt_lib`.
    pub(crate) fn in_libraries(&self, library: FolderId) -> Vec<(String, Arc<File>)> {
        let own = &self.at(library).path;
        let found = self.files.iter().filter_map(|file| {
            let path = match library {
                Tree::ROOT => file.path.as_str(),
                _ => file.path.as_str().strip_prefix(own.as_str())?.strip_prefix('/')?,
            };
            let mut folders: Vec<&str> = path.split('/').skip_while(|name| *name != PRIVATE).skip(1).collect();
            folders.pop();
            let is_own = !folders.is_empty() && !folders.contains(&PRIVATE);
            is_own.then(|| (folders.join("/"), file.clone()))
        });
        found.collect()
    }

    /// The file under a path from `folder`, or from `root` if the path begins with a slash.
    pub(crate) fn file(&self, folder: FolderId, root: FolderId, path: &str) -> Result<FoundFile, Diagnostic> {
        let is_absolute = path.starts_with('/');
        let (start, path) = match path.strip_prefix('/') {
            Some(rest) => (root, rest),
            None => (folder, path),
        };
        let (folders, name) = path.rsplit_once('/').map_or((None, path), |(folders, name)| (Some(folders), name));
        let folder = match folders {
            None => start,
            Some(folders) => self.folder(start, folders).map_err(|reason| {
                let text = format!("Expected to find file '{path}', but did not: {reason}");
                self.near_file(Diagnostic::error(Code::TEMPLATE_LOAD, text), (start, root), (path, is_absolute))
            })?,
        };
        match self.at(folder).by_name.get(name) {
            Some(&number) => Ok(self.found(folder, number)),
            None => {
                let text =
                    format!("Expected to find file '{path}' (hint: only files included via -f flag are available)");
                Err(self.near_file(Diagnostic::error(Code::TEMPLATE_LOAD, text), (start, root), (path, is_absolute)))
            }
        }
    }

    /// Goes down by names; the reference's reason where one is missing.
    fn folder(&self, start: FolderId, path: &str) -> Result<FolderId, String> {
        let (mut at, mut seen) = (start, String::new());
        for name in path.split('/') {
            if name == PRIVATE {
                return Err(format!("Encountered private library '{PRIVATE}'"));
            }
            at = self.child(at, name).ok_or_else(|| format!("Did not find '{seen}'"))?;
            if !seen.is_empty() {
                seen.push('/');
            }
            seen.push_str(name);
        }
        Ok(at)
    }

    /// The folder of a library, seen from the folder of the file that asks for it.
    pub(crate) fn library(&self, folder: FolderId, name: &str) -> Result<FolderId, Diagnostic> {
        let Some(libraries) = self.child(folder, PRIVATE) else {
            let text = format!("Could not find private library (directory '{PRIVATE}' missing?)");
            let problem = Diagnostic::error(Code::LIBRARY_NOT_FOUND, text).misspelt(name, None);
            let problem = problem.saying(format!("there is no `{PRIVATE}` beside this file"));
            return Err(match self.elsewhere(name) {
                Some(there) => problem.help(there),
                None => problem.help(format!("a library is a folder in `{PRIVATE}`, beside the file that uses it")),
            });
        };
        let (mut at, mut seen) = (libraries, String::new());
        for piece in name.split('/') {
            let next = self.child(at, piece);
            let text = match next {
                None => format!("Expected to find library '{name}', but did not find '{seen}'"),
                Some(_) if piece == PRIVATE => format!("Could not load private library '{seen}'"),
                Some(next) => {
                    at = next;
                    if !seen.is_empty() {
                        seen.push('/');
                    }
                    seen.push_str(piece);
                    continue;
                }
            };
            return Err(self.no_library(text, name, (libraries, at, piece)));
        }
        Ok(at)
    }

    /// The problem of a library of which the folder `at` has no `piece` that may be used: the name that was probably
    /// meant, where a library of that name is, or what is there.
    fn no_library(&self, text: String, name: &str, (libraries, at, piece): (FolderId, FolderId, &str)) -> Diagnostic {
        let problem = Diagnostic::error(Code::LIBRARY_NOT_FOUND, text);
        let problem = problem.headlined(format!("there is no library `{name}` here"));
        let is_library = |name: &str| {
            let mut pieces = name.split('/').filter(|piece| *piece != PRIVATE);
            pieces.try_fold(libraries, |at, piece| self.child(at, piece)).is_some()
        };
        // A path in the file system, or of an import.
        let ends = std::iter::successors(name.split_once('/'), |(_, end)| end.split_once('/')).map(|(_, end)| end);
        if let Some(end) = ends.filter(|end| !end.is_empty()).find(|end| is_library(end)) {
            let problem = problem.misspelt(name, Some(end));
            return problem.saying(format!("a library is named by its path in `{PRIVATE}`"));
        }
        if let Some(path) = self.below(libraries, name) {
            let problem = problem.misspelt(name, Some(path));
            return problem.saying(format!("a library is named by its path in `{PRIVATE}`"));
        }
        let folder = self.at(at);
        let known = folder.folders.iter().map(|(name, _)| name.as_str()).filter(|name| *name != PRIVATE);
        let near = suggest::similar(piece, known.clone());
        let label = match piece {
            PRIVATE => format!("the libraries of `{}` are for its own files", folder.path),
            _ => format!("no such library in {}", folder.path),
        };
        let problem = problem.misspelt(piece, near).saying(label);
        match (near, self.elsewhere(name), suggest::listed(known)) {
            (Some(_), ..) => problem,
            (None, Some(there), _) => problem.help(there),
            (None, None, Some(known)) => problem.note(format!("libraries there: {known}")),
            (None, None, None) => problem,
        }
    }

    /// The path of the one folder that lies deeper below a folder of libraries and whose path ends with a name.
    fn below(&self, libraries: FolderId, name: &str) -> Option<&str> {
        let path_of = |folder: &'_ Folder| {
            let path = folder.path.strip_prefix(self.at(libraries).path.as_str())?.strip_prefix('/')?;
            let is_it = path.strip_suffix(name)?.ends_with('/') && path.split('/').all(|piece| piece != PRIVATE);
            is_it.then_some(folder.path.len().saturating_sub(path.len()))
        };
        let found = self.folders.iter().filter_map(|folder| folder.path.get(path_of(folder)?..));
        only(found)
    }

    /// What to say of the one library with the last part of a name that is beside other files.
    fn elsewhere(&self, name: &str) -> Option<String> {
        let last = name.rsplit('/').next()?;
        let same = self.folders.iter().filter_map(|folder| {
            let (beside, own) = folder.path.rsplit_once(PRIVATE)?;
            (own.strip_prefix('/')?.rsplit('/').next()? == last).then_some((folder, beside))
        });
        let Some((folder, beside)) = only(same) else {
            return self.misplaced(last);
        };
        let beside = match beside.trim_end_matches('/') {
            "" => "at the top".to_owned(),
            folder => format!("in `{folder}`"),
        };
        let path = self.on_disk(folder);
        Some(format!(
            "`{path}` can be used by files {beside} only: move one to the other, so that they are beside each other"
        ))
    }

    /// The path of a folder as its files were given, if they are on a disk.
    fn on_disk(&self, folder: &Folder) -> String {
        let file = folder.files.first().and_then(|number| self.files.get(*number));
        let given = file.and_then(|file| Some((file.given()?, file.path.as_str())));
        let start = given.and_then(|(given, path)| given.strip_suffix(path)).unwrap_or_default();
        format!("{start}{}", folder.path)
    }

    /// What to say of the one folder of a name that lies in no folder of libraries.
    fn misplaced(&self, name: &str) -> Option<String> {
        let is_it = |folder: &&Folder| folder.path.rsplit('/').next() == Some(name) && !is_in_library(&folder.path);
        let same = self.folders.iter().filter(is_it);
        let folder = only(same)?;
        Some(format!(
            "`{}` is no library where it lies: a library is a folder in `{PRIVATE}`, beside the file that uses it",
            folder.path
        ))
    }

    /// The path of a file of a library, from the library's folder.
    pub(crate) fn path_in<'f>(&self, library: FolderId, file: &'f File) -> &'f str {
        let path = file.path.as_str();
        if library == Tree::ROOT {
            return path;
        }
        path.strip_prefix(self.at(library).path.as_str()).and_then(|path| path.strip_prefix('/')).unwrap_or(path)
    }

    /// The path by which a file in `folder` names another one of its library.
    pub(crate) fn path_from(&self, folder: FolderId, root: FolderId, file: &File) -> String {
        let own = &self.at(folder).path;
        let below = file.path.as_str().strip_prefix(own.as_str()).and_then(|path| path.strip_prefix('/'));
        match below {
            _ if folder == Tree::ROOT => file.path.as_str().to_owned(),
            Some(path) => path.to_owned(),
            None => format!("/{}", self.path_in(root, file)),
        }
    }

    /// Paths for `data.list`: of files below a folder, relative to it; from the root with a slash in front.
    pub(crate) fn list(&self, folder: FolderId, root: FolderId, path: Option<&str>) -> Result<Vec<String>, Diagnostic> {
        self.files.iter().take(1).for_each(|file| file.note_listed());
        let path = path.unwrap_or_default();
        let (start, rest, slash) = match path.strip_prefix('/') {
            Some(rest) => (root, rest, "/"),
            None => (folder, path, ""),
        };
        let start = if rest.is_empty() {
            start
        } else {
            self.folder(start, rest).map_err(|reason| {
                let folders = self.at(start).children.keys().map(String::as_str);
                let near = suggest::similar(rest, folders).map(|near| format!("{slash}{near}"));
                let problem = Diagnostic::error(Code::TEMPLATE_LOAD, reason);
                let problem = problem.misspelt(path, near.as_deref()).saying("no such folder");
                match near {
                    Some(_) => problem,
                    None => problem.help(
                        "paths begin in the folder of the file that asks, or with a slash in the library's root; the \
                         name of a folder that is given itself is no part of them",
                    ),
                }
            })?
        };
        let files = self.in_tree_order(start);
        files.iter().for_each(|found| self.note_used(found));
        Ok(files.iter().map(|found| format!("{slash}{}", self.path_in(start, &found.file))).collect())
    }
}

// What nothing uses.
impl Tree {
    pub(crate) fn note_used(&self, found: &FoundFile) {
        if let Some(used) = self.used.0.get(found.number) {
            used.store(true, Ordering::Relaxed);
        }
    }

    pub(crate) fn note_used_library(&self, library: FolderId) {
        self.used.1.lock().unwrap_or_else(PoisonError::into_inner).insert(library);
    }

    /// Modules and data files of the render's root, and libraries, that nothing used. What is in a library is its own
    /// affair.
    pub(crate) fn idle(&self) -> Vec<Idle> {
        let is_used =
            |found: &FoundFile| self.used.0.get(found.number).is_some_and(|used| used.load(Ordering::Relaxed));
        let is_extra = |file: &File| !file.for_output && (file.is_library || file.kind == FileKind::Data);
        let files = self.in_tree_order(Tree::ROOT);
        let mut idle: Vec<Idle> = files
            .into_iter()
            .filter(|found| is_extra(&found.file) && !is_used(found))
            .map(|found| Idle::File(found.file))
            .collect();
        let used = self.used.1.lock().unwrap_or_else(PoisonError::into_inner);
        let mut open = vec![Tree::ROOT];
        while let Some(at) = open.pop() {
            for (name, folder) in &self.at(at).folders {
                if name == PRIVATE {
                    let libraries = &self.at(*folder).folders;
                    libraries.iter().for_each(|(_, library)| self.idle_libraries(*library, &used, &mut idle));
                } else {
                    open.push(*folder);
                }
            }
        }
        idle
    }

    /// A folder is a library if something got it, or holds some; one that nothing got as a whole is one that is idle.
    fn idle_libraries(&self, folder: FolderId, used: &HashSet<FolderId>, idle: &mut Vec<Idle>) {
        if used.contains(&folder) {
            return;
        }
        let below = self.at(folder);
        match self.holds_used(folder, used) {
            true => below.folders.iter().for_each(|(_, inner)| self.idle_libraries(*inner, used, idle)),
            false => idle.push(Idle::Library(below.path.clone(), self.first_file(folder))),
        }
    }

    fn first_file(&self, folder: FolderId) -> Option<Arc<File>> {
        self.in_tree_order(folder).into_iter().next().map(|found| found.file)
    }

    fn holds_used(&self, folder: FolderId, used: &HashSet<FolderId>) -> bool {
        let inner = &self.at(folder).folders;
        inner.iter().any(|(_, inner)| used.contains(inner) || self.holds_used(*inner, used))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(paths: &[&str]) -> Tree {
        let files: Vec<Arc<File>> = paths.iter().map(|path| Arc::new(File::memory(*path, ""))).collect();
        Tree::new(&files)
    }

    fn message<T>(result: Result<T, Diagnostic>) -> String {
        result.err().map(|error| error.message().to_owned()).unwrap_or_default()
    }

    #[test]
    fn tree_order_is_files_before_folders_without_libraries() {
        let tree = tree(&["a.yml", "a/t.yml", "a0.yml", "_ytt_lib/l/x.yml", "b/c/d.yml", "b/e.yml"]);
        let order: Vec<String> =
            tree.in_tree_order(Tree::ROOT).iter().map(|found| found.file.path.as_str().to_owned()).collect();
        assert_eq!(order, ["a.yml", "a0.yml", "a/t.yml", "b/e.yml", "b/c/d.yml"]);
    }

    #[test]
    fn of_two_files_with_one_path_the_first_is_found() {
        let tree = tree(&["s/a.star", "b.star", "s/a.star", "b.star"]);
        let number = |path| tree.file(Tree::ROOT, Tree::ROOT, path).map(|found| found.number);
        assert_eq!((number("s/a.star").ok(), number("b.star").ok()), (Some(0), Some(1)));
        assert_eq!(tree.in_tree_order(Tree::ROOT).len(), 4);
    }

    #[test]
    fn files_are_found_downwards_only() {
        let tree = tree(&["a.star", "s/h.star", "s/t/q.star", "_ytt_lib/l/f.star"]);
        assert!(tree.file(Tree::ROOT, Tree::ROOT, "s/t/q.star").is_ok());
        assert!(tree.file(Tree::ROOT, Tree::ROOT, "/a.star").is_ok());
        let cases = [
            ("../x.star", "Expected to find file '../x.star', but did not: Did not find ''"),
            ("s/nope/x", "Expected to find file 's/nope/x', but did not: Did not find 's'"),
            ("/b", "Expected to find file 'b' (hint: only files included via -f flag are available)"),
            (
                "_ytt_lib/l/f.star",
                "Expected to find file '_ytt_lib/l/f.star', but did not: Encountered private library '_ytt_lib'",
            ),
        ];
        for (path, text) in cases {
            assert_eq!(message(tree.file(Tree::ROOT, Tree::ROOT, path)), text, "{path}");
        }
    }

    #[test]
    fn libraries_are_found_beside_the_file() {
        let tree = tree(&["_ytt_lib/g/o/f.star", "s/x.yml"]);
        assert!(tree.library(Tree::ROOT, "g").is_ok());
        assert!(tree.library(Tree::ROOT, "g/o").is_ok());
        assert_eq!(
            message(tree.library(Tree::ROOT, "g/x/y")),
            "Expected to find library 'g/x/y', but did not find 'g'"
        );
        let folder = tree.file(Tree::ROOT, Tree::ROOT, "s/x.yml").unwrap().folder;
        assert_eq!(
            message(tree.library(folder, "g")),
            "Could not find private library (directory '_ytt_lib' missing?)"
        );
    }

    #[test]
    fn lists_are_relative_to_the_folder_asked_for() {
        let tree = tree(&["s/h.star", "s/deep/y.bin", "a.yml", "_ytt_lib/l/b.yml"]);
        let list = |path| tree.list(Tree::ROOT, Tree::ROOT, path).unwrap();
        assert_eq!(list(None), ["a.yml", "s/h.star", "s/deep/y.bin"]);
        assert_eq!(list(Some("s")), ["h.star", "deep/y.bin"]);
        assert_eq!(list(Some("/s")), ["/h.star", "/deep/y.bin"]);
        assert_eq!(message(tree.list(Tree::ROOT, Tree::ROOT, Some("nope"))), "Did not find ''");
    }
}
