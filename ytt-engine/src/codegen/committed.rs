//! Committed expansions: generated code with a header that says what it was made of, so that nobody needs the engine to
//! know whether it is still right.
//!
//! A file begins with lines of the form `// ytt-NAME: …`; `// ytt-input:` and `// ytt-folder:` carry digests. Code
//! follows behind the first line that is none of these. Nothing here knows the engine.

use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::regular;

/// The version of the form of headers.
const FORMAT: &str = "1";

/// What names of files count in a folder, unless a template asks for all.
const EXTENSIONS: [&str; 4] = ["yml", "yaml", "txt", "star"];

/// What a file was made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A call of the macro, as [`canonical`](super::call::canonical) writes it.
    Call(String),
    /// What a builder was told, as JSON.
    Recipe(String),
}

/// A file or folder with its digest; paths are relative to the package, with `/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Digest {
    /// Of the content, or of the names in the folder.
    pub digest: String,
    /// The path.
    pub path: String,
}

/// The header of a committed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The inputs, for people.
    pub title: String,
    /// What it was made of.
    pub origin: Origin,
    /// A template asked for all names in the folders.
    pub listed: bool,
    /// Folders among the inputs.
    pub folders: Vec<Digest>,
    /// Files that were read.
    pub files: Vec<Digest>,
}

/// Digest of bytes as hex digits; line ends of Windows count as those of others, since a checkout may change them.
///
/// ```
/// use ytt_engine::codegen::committed::digest;
///
/// assert_eq!(digest(b"a\r\nb"), digest(b"a\nb"));
/// assert!(digest(b"").starts_with("e3b0c44298fc1c14"));
/// ```
pub fn digest(bytes: &[u8]) -> String {
    let mut hash = hmac_sha256::Hash::new();
    let mut rest = bytes;
    while let Some((before, [_, behind @ ..])) =
        rest.windows(2).position(|pair| pair == b"\r\n").and_then(|at| rest.split_at_checked(at))
    {
        hash.update(before);
        rest = behind;
    }
    hash.update(rest);
    hash.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The name of the file in `.ytt` for a call; `source` is the path of the call's file below the package if an input is
/// beside it, and empty otherwise.
pub fn file_name(call: &str, source: &str) -> String {
    let text = format!("{FORMAT}\n{source}\n{call}");
    format!("{:.16}.rs", digest(text.as_bytes()))
}

/// A path as headers have it: relative to the package, with `/`, and with `..` where it leads out of it; `None` if it
/// has no such form.
pub fn relative(package: &Path, path: &Path) -> Option<String> {
    let (from, to) = (clean(package), clean(path));
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    if common == 0 && (from.is_absolute() || to.is_absolute()) {
        return None;
    }
    let up = from.components().skip(common).map(|_| Some(".."));
    let down = to.components().skip(common).map(|part| part.as_os_str().to_str());
    let parts: Vec<&str> = up.chain(down).collect::<Option<_>>()?;
    let text = parts.join("/");
    if text.contains(['\n', '\r']) { None } else { Some(if text.is_empty() { ".".to_owned() } else { text }) }
}

/// A path without `.` and `..`, without asking the file system.
///
/// ```
/// use std::path::Path;
///
/// assert_eq!(ytt_engine::codegen::committed::clean(Path::new("/a/./b/../c")), Path::new("/a/c"));
/// ```
pub fn clean(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(out.components().next_back(), Some(Component::Normal(_))) => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// Digest of the names of all files below a folder that count.
///
/// # Errors
///
/// When a folder cannot be read.
pub fn listing(folder: &Path, all: bool) -> std::io::Result<String> {
    let mut files = Vec::new();
    collect(folder, folder, &mut files)?;
    Ok(listing_of(files, all))
}

/// The same of the paths of all files, relative to the folder.
pub(super) fn listing_of(files: Vec<PathBuf>, all: bool) -> String {
    let counts = |path: &PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        all || extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
    };
    let named = files.iter().filter(|path| counts(path)).map(|path| path.to_string_lossy().replace('\\', "/"));
    let mut names: Vec<String> = named.collect();
    names.sort();
    let text: String = names.iter().map(|name| format!("{name}\n")).collect();
    digest(text.as_bytes())
}

/// Links are not followed, as the engine does not walk them.
fn collect(root: &Path, folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            collect(root, &path, files)?;
        } else {
            files.push(path.strip_prefix(root).unwrap_or(&path).to_path_buf());
        }
    }
    Ok(())
}

impl Header {
    /// The header as text; `maker` is who writes the file again.
    pub fn to_text(&self, maker: &str) -> String {
        let mut text = format!("// @generated by ytt from {}. Do not edit: {maker}.\n", self.title);
        let _ = match &self.origin {
            Origin::Call(call) => writeln!(text, "// ytt-call: {call}"),
            Origin::Recipe(recipe) => writeln!(text, "// ytt-recipe: {recipe}"),
        };
        if self.listed {
            text.push_str("// ytt-listed: all names count\n");
        }
        for (name, list) in [("folder", &self.folders), ("input", &self.files)] {
            for Digest { digest, path } in list {
                let _ = writeln!(text, "// ytt-{name}: {digest} {path}");
            }
        }
        text
    }

    /// Reads a file: its header, and the code behind it.
    ///
    /// # Errors
    ///
    /// What is wrong with it, without the file's name.
    pub fn read(text: &str) -> Result<(Header, &str), String> {
        let mut rest = text;
        let mut header = Header {
            title: String::new(),
            origin: Origin::Call(String::new()),
            listed: false,
            folders: Vec::new(),
            files: Vec::new(),
        };
        let mut has_origin = false;
        while let Some(line) = rest.lines().next().filter(|line| line.starts_with("// ")) {
            let behind = rest.strip_prefix(line).unwrap_or_default();
            rest = behind.trim_start_matches('\r').strip_prefix('\n').unwrap_or("");
            let line = line.trim_end_matches('\r');
            if let Some(title) = line.strip_prefix("// @generated by ytt from ") {
                title.split(". Do not edit").next().unwrap_or(title).clone_into(&mut header.title);
                continue;
            }
            let Some((name, value)) = line.strip_prefix("// ytt-").and_then(|line| line.split_once(": ")) else {
                return Err(format!("`{line}` is no line of a header"));
            };
            match name {
                "call" => (header.origin, has_origin) = (Origin::Call(value.to_owned()), true),
                "recipe" => (header.origin, has_origin) = (Origin::Recipe(value.to_owned()), true),
                "listed" => header.listed = true,
                "folder" | "input" => {
                    let Some((digest, path)) = value.split_once(' ') else {
                        return Err(format!("`{line}` has no path"));
                    };
                    let list = if name == "folder" { &mut header.folders } else { &mut header.files };
                    list.push(Digest { digest: digest.to_owned(), path: path.to_owned() });
                }
                _ => return Err(format!("`ytt-{name}` is not known here: it was written by a newer version")),
            }
        }
        if has_origin { Ok((header, rest)) } else { Err("it does not begin with a header of ytt".to_owned()) }
    }

    /// What differs from the files as they are: names with what became of them.
    pub fn differences(&self, package: &Path) -> Vec<String> {
        let mut found = Vec::new();
        for Digest { digest: wanted, path } in &self.files {
            // The header may be of a stranger: what it names need not be a file.
            match regular::read(&package.join(path)) {
                Ok(bytes) if digest(&bytes) == *wanted => {}
                Ok(_) => found.push(format!("`{path}` changed")),
                Err(error) if error.kind() == std::io::ErrorKind::InvalidInput => {
                    found.push(format!("`{path}` is no file"));
                }
                Err(_) => found.push(format!("`{path}` is gone")),
            }
        }
        for Digest { digest: wanted, path } in &self.folders {
            match listing(&package.join(path), self.listed) {
                Ok(names) if names == *wanted => {}
                Ok(_) if found.iter().any(|one| one.starts_with(&format!("`{path}/")) && one.ends_with("gone")) => {}
                Ok(_) => found.push(format!("`{path}` has other files")),
                Err(_) => found.push(format!("`{path}` is gone")),
            }
        }
        found
    }
}

/// Is the package one that was published, vendored or packed? Its inputs may be left out, and nobody can change them.
pub fn is_packaged(package: &Path) -> bool {
    [".cargo-checksum.json", "Cargo.toml.orig", ".cargo_vcs_info.json"].iter().any(|name| package.join(name).is_file())
}

/// Numbers the files that are written before they are moved.
static REPLACED: AtomicUsize = AtomicUsize::new(0);

/// Gives a file these bytes, in one step. Says whether it had others.
///
/// # Errors
///
/// When the system refuses; the file is as it was then.
pub fn replace(path: &Path, content: &[u8]) -> std::io::Result<bool> {
    if std::fs::read(path).is_ok_and(|old| old == content) {
        return Ok(false);
    }
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    // Other threads may be writing the same file.
    let number = REPLACED.fetch_add(1, Ordering::Relaxed);
    let mut temporary = path.to_path_buf().into_os_string();
    temporary.push(format!(".{}-{number}.tmp", std::process::id()));
    let done = std::fs::write(&temporary, content).and_then(|()| std::fs::rename(&temporary, path));
    if done.is_err() {
        // The first error is the one to tell.
        let _ = std::fs::remove_file(&temporary);
    }
    done.map(|()| true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Folder;

    fn header() -> Header {
        let digest = |digest: &str, path: &str| Digest { digest: digest.to_owned(), path: path.to_owned() };
        Header {
            title: "`config`".to_owned(),
            origin: Origin::Call("\"config\"".to_owned()),
            listed: true,
            folders: vec![digest("aa", "config")],
            files: vec![digest("bb", "config/a b.yml")],
        }
    }

    #[test]
    fn headers_are_read_as_they_are_written() {
        let text = format!("{}static A: i64 = 1;\n", header().to_text("`cargo ytt generate`"));
        assert_eq!(Header::read(&text), Ok((header(), "static A: i64 = 1;\n")));
        let windows = text.replace('\n', "\r\n");
        assert_eq!(Header::read(&windows).map(|(header, _)| header), Ok(header()));
        let recipe = Header { origin: Origin::Recipe("{\"format\":1}".to_owned()), listed: false, ..header() };
        assert_eq!(Header::read(&recipe.to_text("x")), Ok((recipe, "")));
    }

    #[test]
    fn threads_that_replace_one_file_leave_one_whole() {
        let folder = Folder::new("replaced");
        let path = folder.join("new/a.rs");
        std::thread::scope(|scope| {
            for mark in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..50 {
                        replace(path, mark.to_string().repeat(5000).as_bytes()).unwrap();
                    }
                });
            }
        });
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.len() == 5000 && text.chars().all(|one| text.starts_with(one)));
        assert_eq!(std::fs::read_dir(folder.join("new")).unwrap().count(), 1);
        // A folder in the way: an error, and nothing is left.
        assert!(replace(&folder.join("new"), b"1").is_err());
        assert_eq!(std::fs::read_dir(&*folder).unwrap().count(), 1);
    }

    #[test]
    fn other_files_are_refused() {
        for (text, expected) in [
            ("", "does not begin"),
            ("fn main() {}\n", "does not begin"),
            ("// a comment\n", "no line of a header"),
            ("// ytt-call: a\n// ytt-later: 1\n", "newer version"),
            ("// ytt-call: a\n// ytt-input: 1\n", "no path"),
        ] {
            let problem = Header::read(text).unwrap_err();
            assert!(problem.contains(expected), "{text}: {problem}");
        }
    }

    #[test]
    fn what_differs_is_named() {
        let files = [("config/a.yml", "a: 1\n"), ("config/sub/b.yml", "b: 1\n"), ("config/README.md", "")];
        let package = Folder::with("committed", files);
        let of = |path: &str| {
            let digest = digest(&std::fs::read(package.join(path)).unwrap());
            Digest { digest, path: path.to_owned() }
        };
        let folder = |all| Digest { digest: listing(&package.join("config"), all).unwrap(), path: "config".to_owned() };
        let files = vec![of("config/a.yml"), of("config/sub/b.yml")];
        let header = Header { listed: false, folders: vec![folder(false)], files: files.clone(), ..header() };
        let listed = Header { listed: true, folders: vec![folder(true)], files, ..header.clone() };
        assert_eq!(header.differences(&package), [""; 0]);
        package.write("config/a.yml", "a: 1\r\n");
        assert_eq!(header.differences(&package), [""; 0], "line ends are no difference");
        package.write("config/other.md", "");
        assert_eq!(header.differences(&package), [""; 0], "a file of another kind is none");
        assert_eq!(listed.differences(&package), ["`config` has other files"]);
        package.write("config/a.yml", "a: 2\n");
        package.write("config/c.yml", "");
        std::fs::remove_file(package.join("config/sub/b.yml")).unwrap();
        assert_eq!(header.differences(&package), ["`config/a.yml` changed", "`config/sub/b.yml` is gone"]);
        std::fs::remove_dir_all(&*package).unwrap();
        let gone = ["`config/a.yml` is gone", "`config/sub/b.yml` is gone", "`config` is gone"];
        assert_eq!(header.differences(&package), gone);
        if cfg!(unix) {
            let endless = Digest { digest: String::new(), path: "/dev/zero".to_owned() };
            let stranger = Header { folders: Vec::new(), files: vec![endless], ..header };
            assert_eq!(stranger.differences(&package), ["`/dev/zero` is no file"]);
        }
    }

    #[test]
    fn names_of_calls() {
        let name = file_name("\"config\"", "");
        assert!(name.len() == 19 && name.ends_with(".rs"), "{name}");
        assert_ne!(name, file_name("\"config\"", "src/main.rs"));
        assert_ne!(name, file_name("\"other\"", ""));
    }

    #[test]
    fn paths_are_relative_to_the_package() {
        let package = Path::new("/p/shop");
        assert_eq!(relative(package, Path::new("/p/shop/./config/../a.yml")).as_deref(), Some("a.yml"));
        assert_eq!(relative(package, Path::new("/p/shop")).as_deref(), Some("."));
        assert_eq!(relative(package, Path::new("/p/other/a.yml")).as_deref(), Some("../other/a.yml"));
        assert_eq!(relative(package, Path::new("a.yml")), None);
        assert_eq!(relative(Path::new("shop"), Path::new("./shop/src/../a.yml")).as_deref(), Some("a.yml"));
        assert_eq!(["/p/shop/a\n", "/p/shop/a\r"].map(|path| relative(package, Path::new(path))), [None, None]);
    }

    #[test]
    fn what_cargo_leaves_in_packages_that_nobody_edits() {
        assert!(!is_packaged(&Folder::with("own", [("Cargo.toml", ""), ("Cargo.lock", "")])));
        for name in [".cargo-checksum.json", "Cargo.toml.orig", ".cargo_vcs_info.json"] {
            assert!(is_packaged(&Folder::with("packaged", [("Cargo.toml", ""), (name, "")])), "{name}");
            assert!(
                !is_packaged(&Folder::with(
                    "below",
                    [("Cargo.toml", String::new()), (&*format!("a/{name}"), String::new())]
                )),
                "{name}"
            );
        }
    }
}
