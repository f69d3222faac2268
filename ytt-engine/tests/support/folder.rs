//! A temporary folder for a test: unit tests and test programs of all three crates include this file.
#![allow(dead_code, reason = "each test program uses a part")]

use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of its own that goes away with the value.
pub struct Folder(PathBuf);

impl Folder {
    /// An empty folder. The name is for people who look at what a killed test has left.
    pub fn new(name: &str) -> Folder {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let root = std::env::temp_dir().join(format!("ytt-{name}-{}-{number}", std::process::id()));
        // Left by a killed process that had the same number.
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(&root).unwrap_or_else(|error| panic!("{}: {error}", root.display()));
        Folder(root)
    }

    /// A folder with these files.
    pub fn with<P: AsRef<Path>, T: AsRef<[u8]>>(name: &str, files: impl IntoIterator<Item = (P, T)>) -> Folder {
        let folder = Folder::new(name);
        files.into_iter().for_each(|(path, text)| folder.write(path, text));
        folder
    }

    /// Writes a file, and makes the folders above it.
    #[track_caller]
    pub fn write(&self, path: impl AsRef<Path>, text: impl AsRef<[u8]>) {
        let path = self.0.join(path);
        let above = path.parent().expect("below the root");
        let done = fs::create_dir_all(above).and_then(|()| fs::write(&path, text));
        done.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }

    /// The text of a file.
    #[track_caller]
    pub fn read(&self, path: impl AsRef<Path>) -> String {
        let path = self.0.join(path);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }
}

impl Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Every file below a folder by its path from there, with `/`, in order.
#[track_caller]
pub fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let entry = entry.expect("an entry of a folder");
        let name = entry.file_name().into_string().expect("names of files are UTF-8");
        if entry.path().is_dir() {
            found.extend(files(&entry.path()).into_iter().map(|below| format!("{name}/{below}")));
        } else {
            found.push(name);
        }
    }
    found.sort();
    found
}
