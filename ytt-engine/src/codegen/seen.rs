//! What can be seen of inputs without reading them: whether they are still what they were.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::Inputs;

/// Length and time of a file, if it is there.
type Stamp = Option<(u64, SystemTime)>;

/// Of each file its stamp, of each folder the names in it.
#[derive(Debug, PartialEq)]
pub struct Seen(Vec<(PathBuf, Stamp, BTreeSet<OsString>)>);

impl Seen {
    /// Looks at all files and folders.
    pub fn now(inputs: &Inputs) -> Seen {
        let file = |path: &PathBuf| {
            let found = fs::metadata(path).and_then(|found| Ok((found.len(), found.modified()?)));
            (path.clone(), found.ok(), BTreeSet::new())
        };
        let folder = |path: &PathBuf| {
            let entries = fs::read_dir(path).into_iter().flatten().flatten();
            (path.clone(), None, entries.map(|entry| entry.file_name()).collect())
        };
        Seen(inputs.files.iter().map(file).chain(inputs.folders.iter().map(folder)).collect())
    }

    /// A file that was written after a time: while it was read, perhaps.
    pub fn newer(&self, than: SystemTime) -> Option<&PathBuf> {
        self.0.iter().find(|(_, file, _)| file.is_some_and(|(_, time)| time > than)).map(|(path, ..)| path)
    }

    /// The first thing that is otherwise.
    pub fn changed(&self, before: &Seen) -> Option<&PathBuf> {
        self.0.iter().zip(&before.0).find(|(now, before)| now != before).map(|(now, _)| &now.0)
    }
}
