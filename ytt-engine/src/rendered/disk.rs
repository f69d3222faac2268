//! What writing asks of the file system. All requests go through one door, where they are refused when writing is to
//! stop; tests refuse them there one after the other.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::Duration;

use fd_lock::RwLock;

/// Asked before each request, with its name.
type Ask<'a> = &'a dyn Fn(&str, &Path) -> io::Result<()>;

pub(super) struct Disk<'a> {
    ask: Ask<'a>,
}

/// Held until it is dropped.
pub(super) struct Lock(#[expect(dead_code, reason = "closing the file ends the lock")] RwLock<File>);

/// How long to wait for another who writes, before asking again.
const WAIT: Duration = Duration::from_millis(10);

impl<'a> Disk<'a> {
    pub(super) fn new(ask: Ask<'a>) -> Disk<'a> {
        Disk { ask }
    }

    pub(super) fn make_folder(&self, path: &Path) -> io::Result<()> {
        (self.ask)("make folder", path)?;
        fs::create_dir(path)
    }

    pub(super) fn write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        (self.ask)("write", path)?;
        fs::write(path, content)
    }

    pub(super) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        (self.ask)("rename", to)?;
        fs::rename(from, to)
    }

    pub(super) fn set_permissions(&self, path: &Path, permissions: fs::Permissions) -> io::Result<()> {
        (self.ask)("set permissions", path)?;
        fs::set_permissions(path, permissions)
    }

    pub(super) fn remove_folder(&self, path: &Path) -> io::Result<()> {
        (self.ask)("remove folder", path)?;
        fs::remove_dir(path)
    }

    /// Keeps the bytes of a file, and its mode, under a second name.
    pub(super) fn keep(&self, path: &Path, kept: &Path) -> io::Result<()> {
        (self.ask)("keep", path)?;
        // Where two names of one file cannot be: another file system, or one that has no such names.
        fs::hard_link(path, kept).or_else(|_| fs::copy(path, kept).map(|_| ()))
    }

    /// Waits until nobody else writes below the folder. Where the system has no locks for folders (Windows, some network
    /// file systems) there is none to wait for.
    pub(super) fn lock(&self, folder: &Path) -> io::Result<Option<Lock>> {
        (self.ask)("lock", folder)?;
        let Ok(file) = File::open(folder) else { return Ok(None) };
        let mut lock = RwLock::new(file);
        loop {
            match lock.try_write() {
                // What a guard ends, the end of the file ends as well.
                Ok(held) => std::mem::forget(held),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    std::thread::sleep(WAIT);
                    (self.ask)("lock", folder)?;
                    continue;
                }
                Err(_) => return Ok(None),
            }
            return Ok(Some(Lock(lock)));
        }
    }
}
