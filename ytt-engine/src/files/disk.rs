//! What reading asks of the file system. All requests go through one door, where tests refuse them one after the other.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
#[cfg(test)]
use std::sync::Arc;
use std::time::SystemTime;

use crate::regular;

/// Asked before each request, with its name.
#[cfg(test)]
pub(crate) type Ask = Arc<dyn Fn(&str, &Path) -> io::Result<()> + Send + Sync>;

#[derive(Clone, Default)]
pub(crate) struct Disk {
    #[cfg(test)]
    pub(crate) ask: Option<Ask>,
}

/// By what it shows that a file changed, or that another one has its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stamp {
    pub(super) size: u64,
    time: Option<SystemTime>,
    /// Device and number, where the system tells them.
    identity: Option<(u64, u64)>,
}

impl Stamp {
    /// `None` for what is no file, such as a link or a pipe.
    pub(super) fn of(about: &fs::Metadata) -> Option<Stamp> {
        #[cfg(unix)]
        let identity = Some((std::os::unix::fs::MetadataExt::dev(about), std::os::unix::fs::MetadataExt::ino(about)));
        #[cfg(not(unix))]
        let identity = None;
        about.is_file().then(|| Stamp { size: about.len(), time: about.modified().ok(), identity })
    }
}

impl std::fmt::Debug for Disk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Disk")
    }
}

impl Disk {
    /// A request that a signal interrupts is made again.
    fn request<T>(&self, name: &str, path: &Path, mut work: impl FnMut() -> io::Result<T>) -> io::Result<T> {
        loop {
            match self.asked(name, path).and_then(|()| work()) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                done => return done,
            }
        }
    }

    #[cfg(test)]
    fn asked(&self, name: &str, path: &Path) -> io::Result<()> {
        self.ask.as_ref().map_or(Ok(()), |ask| ask(name, path))
    }

    #[cfg(not(test))]
    fn asked(&self, _: &str, _: &Path) -> io::Result<()> {
        Ok(())
    }

    /// Of a link itself, not of what it leads to.
    pub(super) fn about(&self, path: &Path) -> io::Result<fs::Metadata> {
        self.request("about", path, || fs::symlink_metadata(path))
    }

    pub(super) fn link(&self, path: &Path) -> io::Result<PathBuf> {
        self.request("link", path, || fs::read_link(path))
    }

    /// Names and kinds of what is in a folder. What is interrupted begins anew, as a stream that failed has no rest.
    pub(super) fn entries(&self, folder: &Path) -> io::Result<Vec<(OsString, fs::FileType)>> {
        self.request("folder", folder, || {
            let entries = fs::read_dir(folder)?.map(|entry| {
                self.asked("entry", folder)?;
                let entry = entry?;
                Ok((entry.file_name(), entry.file_type()?))
            });
            entries.collect()
        })
    }

    /// Of what a path leads to, through all links.
    pub(super) fn target(&self, path: &Path) -> io::Result<fs::Metadata> {
        self.request("target", path, || fs::metadata(path))
    }

    /// Whether it `waits` makes a difference for a pipe alone: until somebody writes to it.
    pub(super) fn open(&self, path: &Path, waits: bool) -> io::Result<File> {
        self.request("open", path, || if waits { File::open(path) } else { regular::open(path) })
    }

    pub(super) fn stamp(&self, file: &File, path: &Path) -> io::Result<Option<Stamp>> {
        self.request("stamp", path, || file.metadata()).map(|about| Stamp::of(&about))
    }

    /// Adds what is left of the file, up to so many bytes.
    pub(super) fn read(&self, file: &File, path: &Path, most: u64, bytes: &mut Vec<u8>) -> io::Result<usize> {
        self.request("read", path, || file.take(most).read_to_end(bytes))
    }
}
