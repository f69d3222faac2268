//! Files that must be regular ones: whatever else has their name, such as a pipe or a device, makes nobody wait or read
//! without an end.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// What lets a pipe be opened while nobody writes to it, `O_NONBLOCK`: of the systems where it is none of the two,
/// nothing is asked. Where it differs by processor, those processors are left out, too.
#[cfg(unix)]
const WITHOUT_WAITING: i32 = if cfg!(all(
    any(target_os = "linux", target_os = "android"),
    not(any(
        target_arch = "mips",
        target_arch = "mips32r6",
        target_arch = "mips64",
        target_arch = "mips64r6",
        target_arch = "sparc",
        target_arch = "sparc64"
    ))
)) {
    0o4000
} else if cfg!(any(
    target_vendor = "apple",
    target_os = "freebsd",
    target_os = "netbsd",
    target_os = "openbsd",
    target_os = "dragonfly"
)) {
    4
} else {
    0
};

/// Opens a path for reading, at once. What was opened is still to be asked whether it is a regular file: for such a one
/// the flag means nothing.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, WITHOUT_WAITING);
    options.open(path)
}

/// The bytes of a regular file.
///
/// # Errors
///
/// As the system says, and of everything that is no regular file.
#[cfg(feature = "codegen")]
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file"));
    }
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut file, &mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    #[cfg(all(unix, feature = "codegen"))]
    #[test]
    fn what_is_no_regular_file_is_refused_at_once() {
        use super::{Path, read};
        use crate::folder::Folder;

        let folder = Folder::with("regular", [("a", "1")]);
        let made = std::process::Command::new("mkfifo").arg(folder.join("pipe")).status();
        assert!(made.is_ok_and(|status| status.success()));
        assert_eq!(read(&folder.join("a")).ok().as_deref(), Some(b"1".as_slice()));
        for path in [&folder.join("pipe"), &folder.join(""), Path::new("/dev/zero")] {
            let refused = read(path).unwrap_err();
            assert_eq!(refused.to_string(), "it is no regular file", "{}", path.display());
        }
    }
}
