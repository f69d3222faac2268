//! A change of a folder that happens as a whole or not at all.
//!
//! New contents are written into a folder of its own inside the target, so on the same file system, and moved when all of
//! them stand there. What has to go away is moved into that folder, and a file that is replaced gets a second name there
//! first. So each step can be taken back, and is, when a later one fails.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::disk::{Disk, Lock};
use super::write::failed;
use crate::diag::Diagnostic;
use crate::files::system_text;

/// A file that is to be written.
pub(super) struct Pending<'p> {
    pub(super) destination: &'p Path,
    pub(super) content: &'p [u8],
    /// Nothing was there when the files were compared: a dangling link may be.
    pub(super) is_new: bool,
}

pub(super) struct Change<'a> {
    disk: &'a Disk<'a>,
    target: PathBuf,
    /// Where new contents wait and old ones are kept; once it was made.
    own: Option<PathBuf>,
    /// Numbers what is kept.
    kept: usize,
    /// What was done, in order.
    done: Vec<Done>,
    /// On other file systems, so removed where they are, when all is done.
    doomed: Vec<PathBuf>,
    lock: Option<Lock>,
}

/// A step, with what takes it back.
enum Done {
    /// A folder was made.
    Made(PathBuf),
    /// The folder of what waits and what is kept was made.
    Own(PathBuf),
    /// An empty folder was removed.
    Emptied(PathBuf),
    /// A file was put where none was, perhaps through a link.
    Placed(PathBuf),
    /// Whatever was at a path, or what a file there held, has another name.
    Kept { path: PathBuf, kept: PathBuf },
}

impl Drop for Change<'_> {
    fn drop(&mut self) {
        self.undo();
    }
}

impl<'a> Change<'a> {
    /// Nothing is touched yet.
    pub(super) fn new(disk: &'a Disk<'a>, target: PathBuf) -> Change<'a> {
        Change { disk, target, own: None, kept: 0, done: Vec::new(), doomed: Vec::new(), lock: None }
    }

    /// Moves what stands where the folder is to be to a name beside it.
    pub(super) fn clear_the_place(&mut self) -> Result<(), Diagnostic> {
        let target = self.target.clone();
        let kept = free_name(target.parent().unwrap_or(Path::new("")));
        self.disk.rename(&target, &kept).map_err(|error| failed("unlinkat", &target, &error))?;
        self.done.push(Done::Kept { path: target, kept });
        Ok(())
    }

    /// Makes the folder and the folders above it as needed, and waits for others who write there.
    pub(super) fn enter(&mut self) -> Result<(), Diagnostic> {
        let target = self.target.clone();
        loop {
            self.make_folders(&target)?;
            let lock = self.disk.lock(&target).map_err(|error| failed("open", &target, &error))?;
            // Who had the lock may have taken the folder back.
            if target.exists() {
                self.lock = lock;
                return Ok(());
            }
        }
    }

    fn make_folders(&mut self, folder: &Path) -> Result<(), Diagnostic> {
        let missing: Vec<&Path> =
            folder.ancestors().take_while(|above| !above.as_os_str().is_empty() && !above.exists()).collect();
        for path in missing.into_iter().rev() {
            match self.disk.make_folder(path) {
                Ok(()) => self.done.push(Done::Made(path.to_path_buf())),
                // Another one made it just now.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => {}
                Err(error) => return Err(failed("mkdir", path, &error)),
            }
        }
        Ok(())
    }

    /// Is it the folder of what waits?
    pub(super) fn is_own(&self, path: &Path) -> bool {
        self.own.as_deref() == Some(path)
    }

    fn own(&mut self) -> Result<PathBuf, Diagnostic> {
        if let Some(own) = &self.own {
            return Ok(own.clone());
        }
        if self.lock.is_some() {
            remove_left(&self.target);
        }
        loop {
            let own = free_name(&self.target);
            match self.disk.make_folder(&own) {
                // Another thread has that name since.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(failed("mkdir", &own, &error)),
                Ok(()) => {
                    self.done.push(Done::Own(own.clone()));
                    self.own = Some(own.clone());
                    return Ok(own);
                }
            }
        }
    }

    #[allow(clippy::arithmetic_side_effects, reason = "a step of the change, which is in memory, for each of them")]
    fn name_to_keep(&mut self) -> Result<PathBuf, Diagnostic> {
        self.kept += 1;
        Ok(self.own()?.join(format!("old-{}", self.kept)))
    }

    /// Takes a file, link or folder away.
    pub(super) fn set_aside(&mut self, path: &Path) -> Result<(), Diagnostic> {
        let kept = self.name_to_keep()?;
        match self.disk.rename(path, &kept) {
            Ok(()) => self.done.push(Done::Kept { path: path.to_path_buf(), kept }),
            // Until it is removed, nothing may be written where it leads.
            Err(error)
                if matches!(error.kind(), io::ErrorKind::CrossesDevices | io::ErrorKind::ResourceBusy)
                    && !path.is_symlink() =>
            {
                self.doomed.push(path.to_path_buf());
            }
            Err(error) => return Err(failed("unlinkat", path, &error)),
        }
        Ok(())
    }

    /// Removes folders, innermost first, up to the first that holds something.
    pub(super) fn remove_empty<'p>(&mut self, folders: impl Iterator<Item = &'p Path>) -> Result<(), Diagnostic> {
        for folder in folders {
            if !fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none()) {
                break;
            }
            self.disk.remove_folder(folder).map_err(|error| failed("unlinkat", folder, &error))?;
            self.done.push(Done::Emptied(folder.to_path_buf()));
        }
        Ok(())
    }

    /// Writes contents to where they wait, by their number.
    pub(super) fn stage(&mut self, pending: &[Pending<'_>]) -> Result<(), Diagnostic> {
        for (number, Pending { destination, content, .. }) in pending.iter().enumerate() {
            let waiting = self.own()?.join(number.to_string());
            self.disk.write(&waiting, content).map_err(|error| failed("open", destination, &error))?;
        }
        Ok(())
    }

    /// Moves what waits to where it belongs.
    pub(super) fn put(&mut self, pending: &[Pending<'_>]) -> Result<(), Diagnostic> {
        // Nothing takes back what went into a device or pipe.
        let is_stream = |one: &Pending<'_>| {
            !one.is_new && fs::metadata(one.destination).is_ok_and(|found| !found.is_file() && !found.is_dir())
        };
        let all = pending.iter().enumerate();
        let (last, first): (Vec<_>, Vec<_>) = all.partition(|(_, one)| is_stream(one));
        // Files of one folder stand beside each other.
        let mut made = None;
        for (number, Pending { destination, content, .. }) in first.into_iter().chain(last) {
            let above = destination.parent().filter(|above| !above.as_os_str().is_empty());
            if let Some(above) = above.filter(|above| made != Some(*above)) {
                self.make_folders(above)?;
                made = Some(above);
            }
            self.put_one(number, destination, content)?;
        }
        Ok(())
    }

    /// A link is followed, a file keeps its mode, a device or pipe is written to.
    fn put_one(&mut self, number: usize, destination: &Path, content: &[u8]) -> Result<(), Diagnostic> {
        let wrong = |error: io::Error| failed("open", destination, &error);
        let waiting = self.own()?.join(number.to_string());
        let there = fs::symlink_metadata(destination);
        let is_link = there.as_ref().is_ok_and(fs::Metadata::is_symlink);
        let real = if is_link { fs::canonicalize(destination).ok() } else { Some(destination.into()) };
        let Some(real) = real else {
            // The link leads nowhere: writing makes its target.
            self.done.push(Done::Placed(destination.to_path_buf()));
            return self.disk.write(destination, content).map_err(wrong);
        };
        match if is_link { fs::metadata(&real) } else { there } {
            Ok(found) if !found.is_file() => return self.disk.write(&real, content).map_err(wrong),
            Ok(found) => {
                self.disk.set_permissions(&waiting, found.permissions()).map_err(wrong)?;
                let kept = self.name_to_keep()?;
                self.disk.keep(&real, &kept).map_err(wrong)?;
                self.done.push(Done::Kept { path: real.clone(), kept });
            }
            Err(_) => self.done.push(Done::Placed(real.clone())),
        }
        match self.disk.rename(&waiting, &real) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => self.disk.write(&real, content),
            done => done,
        }
        .map_err(wrong)
    }

    /// Throws away what was kept: from here on nothing is taken back.
    pub(super) fn finish(mut self) -> Result<(), Diagnostic> {
        let mut useless = std::mem::take(&mut self.doomed);
        for done in std::mem::take(&mut self.done) {
            match done {
                Done::Own(path) => useless.push(path),
                // What is in the own folder goes with it.
                Done::Kept { kept, .. } if !self.own.as_ref().is_some_and(|own| kept.starts_with(own)) => {
                    useless.push(kept);
                }
                _ => {}
            }
        }
        let removed = useless.iter().map(|path| {
            let is_folder = fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
            let done = if is_folder { fs::remove_dir_all(path) } else { fs::remove_file(path) };
            done.map_err(|error| failed("unlinkat", path, &error))
        });
        // All are tried; the first error is told.
        removed.fold(Ok(()), Result::and)
    }

    /// Takes back what was done, last things first, and says what could not be taken back.
    pub(super) fn undo(&mut self) -> Vec<String> {
        let mut left = Vec::new();
        let mut told = Vec::new();
        for done in std::mem::take(&mut self.done).into_iter().rev() {
            match done {
                // What others have put into a folder since stays, and so does the folder.
                Done::Made(path) => _ = fs::remove_dir(path),
                Done::Emptied(path) => _ = fs::create_dir(path),
                Done::Placed(path) => _ = fs::canonicalize(path).and_then(fs::remove_file),
                Done::Own(path) if left.is_empty() => _ = fs::remove_dir_all(path),
                Done::Own(path) => told.extend(keep_for_good(&path, std::mem::take(&mut left))),
                Done::Kept { path, kept } => {
                    let back = match fs::rename(&kept, &path) {
                        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                            fs::copy(&kept, &path).map(|_| ())
                        }
                        done => done,
                    };
                    left.extend(back.err().map(|error| Left { path, kept, error }));
                }
            }
        }
        told.extend(left.iter().map(Left::tell));
        told
    }
}

/// What could not be put back.
struct Left {
    path: PathBuf,
    kept: PathBuf,
    error: io::Error,
}

impl Left {
    fn tell(&self) -> String {
        let (path, error, kept) = (self.path.display(), system_text(&self.error), self.kept.display());
        format!("{path} could not be put back ({error}): it is {kept} now")
    }
}

/// Gives the folder of what is kept a name that no later write takes for one of a killed process.
fn keep_for_good(own: &Path, left: Vec<Left>) -> impl Iterator<Item = String> {
    let name = own.file_name().unwrap_or_default().to_string_lossy().replacen(".ytt-", ".ytt-kept-", 1);
    let renamed = own.with_file_name(name);
    let renamed = if fs::rename(own, &renamed).is_ok() { renamed } else { own.to_path_buf() };
    left.into_iter().map(move |left| {
        let kept = left.kept.file_name().map_or_else(|| left.kept.clone(), |name| renamed.join(name));
        Left { kept, ..left }.tell()
    })
}

/// Removes what killed processes have left. Only for who holds the lock: what else there is belongs to nobody who still
/// writes.
fn remove_left(target: &Path) {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_left = |name: &str| {
        let numbers = name.strip_prefix(".ytt-").and_then(|numbers| numbers.split_once('-'));
        numbers.is_some_and(|(process, number)| is_number(process) && is_number(number))
    };
    for entry in fs::read_dir(target).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(is_left) {
            // One that cannot be removed is in nobody's way.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// A name that nothing has: a killed process with this number may have left its own.
fn free_name(folder: &Path) -> PathBuf {
    let name = |number: u32| folder.join(format!(".ytt-{}-{number}", std::process::id()));
    (0..).map(name).find(|path| fs::symlink_metadata(path).is_err()).unwrap_or_else(|| name(u32::MAX))
}
