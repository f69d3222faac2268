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

    /// A file that was written after a time: while it was read, perhaps. Not if it was the same at an earlier look: its
    /// time may lie in the future, where it stays newer than whatever is done.
    pub fn newer(&self, than: SystemTime, earlier: Option<&Seen>) -> Option<&PathBuf> {
        let was_seen = |one| earlier.is_some_and(|earlier| earlier.0.contains(one));
        let is_newer = |file: Stamp| file.is_some_and(|(_, time)| time > than);
        self.0.iter().find(|one| is_newer(one.1) && !was_seen(one)).map(|(path, ..)| path)
    }

    /// The first thing that is otherwise.
    pub fn changed(&self, before: &Seen) -> Option<&PathBuf> {
        self.0.iter().zip(&before.0).find(|(now, before)| now != before).map(|(now, _)| &now.0)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::folder::Folder;

    #[test]
    fn a_time_in_the_future_is_newer_once() {
        let folder = Folder::with("seen", [("a", "1"), ("b", "1")]);
        let start = SystemTime::now();
        let set =
            |name: &str, time| fs::File::options().write(true).open(folder.join(name)).unwrap().set_modified(time);
        let second = Duration::from_secs(1);
        set("a", start + 3600 * second).unwrap();
        set("b", start - second).unwrap();
        let inputs = Inputs { files: vec![folder.join("a"), folder.join("b")], ..Inputs::default() };
        let first = Seen::now(&inputs);
        assert_eq!(first.newer(start, None), Some(&folder.join("a")));
        assert_eq!(first.newer(start, Some(&first)), None);
        // Written again, whether its time is still in the future or not.
        for time in [start + second, start + 7200 * second] {
            set("a", time).unwrap();
            assert_eq!(Seen::now(&inputs).newer(start, Some(&first)), Some(&folder.join("a")));
        }
    }

    #[test]
    fn what_differs_from_the_last_look() {
        let folder = Folder::with("looks", [("a", "1"), ("in/b", "1")]);
        let inputs = Inputs {
            files: vec![folder.join("a"), folder.join("gone")],
            folders: vec![folder.join("in")],
            ..Inputs::default()
        };
        let look = || Seen::now(&inputs);
        let changed =
            |before: &Seen| look().changed(before).map(|path| path.strip_prefix(&*folder).unwrap().to_owned());
        let first = look();
        assert_eq!(changed(&first), None);
        // What is in a folder is asked for by name alone: a file among the inputs is looked at itself.
        folder.write("in/b", "longer");
        assert_eq!(changed(&first), None);
        folder.write("in/c", "");
        assert_eq!(changed(&first), Some("in".into()));
        let second = look();
        folder.write("gone", "");
        assert_eq!(changed(&second), Some("gone".into()));
        let third = look();
        fs::remove_file(folder.join("a")).unwrap();
        assert_eq!(changed(&third), Some("a".into()));
    }
}
