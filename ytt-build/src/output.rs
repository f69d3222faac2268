//! Files that a builder writes: whole or not at all, and only if their bytes changed.

use std::collections::BTreeSet;
use std::io;
use std::path::{Component, Path, PathBuf};

use ytt_engine::codegen::committed::replace;
use ytt_engine::{Diagnostic, Inputs, Rendered, WriteOptions};

use crate::failure::Failure;

/// What a build did.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Output {
    /// Files that were written.
    pub written: Vec<PathBuf>,
    /// Files that already had these bytes.
    pub unchanged: Vec<PathBuf>,
    /// What was read.
    pub inputs: Inputs,
    /// What was found but stopped nothing.
    pub warnings: Vec<Diagnostic>,
    /// What else people should look at: an empty result, code that takes long to compile.
    pub notes: Vec<String>,
}

impl Output {
    /// Writes a file unless it has these bytes already.
    pub(crate) fn write(&mut self, path: PathBuf, content: &[u8]) -> io::Result<()> {
        let is_new = replace(&path, content)?;
        if is_new { &mut self.written } else { &mut self.unchanged }.push(path);
        Ok(())
    }
}

/// Keeps the names that a folder holds, so that the next build can remove what it no longer has.
const LIST: &str = ".ytt-files";

impl Output {
    /// Writes all files below a folder, and removes those which an earlier build wrote there; `names` are the names of
    /// the files, without `..`.
    pub(crate) fn write_files(&mut self, rendered: &Rendered, folder: &Path, names: &[String]) -> Result<(), Failure> {
        let list = folder.join(LIST);
        let before = std::fs::read_to_string(&list).unwrap_or_default();
        let options = WriteOptions::default().allow_repeated(true).replacing(before.lines());
        let written = rendered.write_to_with(folder, &options)?;
        let changed: BTreeSet<&Path> = written.changed().collect();
        let files: BTreeSet<&Path> = written.files().collect();
        for file in files {
            if changed.contains(file) { &mut self.written } else { &mut self.unchanged }.push(file.to_path_buf());
        }
        let text: String = names.iter().map(|name| format!("{name}\n")).collect();
        let done = replace(&list, text.as_bytes());
        done.map(|_| ()).map_err(|error| Failure::settings(format!("cannot write {}: {error}", list.display())))
    }
}

/// A name below the output folder: relative, without `..`.
pub(crate) fn is_inside(name: &Path) -> bool {
    name.components().all(|part| matches!(part, Component::Normal(_))) && name.components().next().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Folder;

    #[test]
    fn names_stay_below_the_folder() {
        let cases =
            [("a.yml", true), ("a/b.yml", true), ("../a", false), ("/a", false), ("", false), ("a/../../b", false)];
        for (name, expected) in cases {
            assert_eq!(is_inside(Path::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn a_file_is_only_touched_when_its_bytes_change() {
        let folder = Folder::new("output");
        let path = folder.join("a/b.yml");
        let mut output = Output::default();
        output.write(path.clone(), b"1").unwrap();
        output.write(path.clone(), b"1").unwrap();
        output.write(path.clone(), b"2").unwrap();
        assert_eq!((output.written.len(), output.unchanged.len()), (2, 1));
        assert_eq!(folder.read("a/b.yml"), "2");
    }
}
