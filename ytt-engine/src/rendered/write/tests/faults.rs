//! Writing where the file system refuses one request, for each request in turn: the folder is as it was, or as it is to
//! be.

use std::cell::{Cell, RefCell};
use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;
use crate::folder::Folder;

/// Everything below a folder, with modes, bytes and links.
fn state(folder: &Path) -> Vec<String> {
    let (mut found, mut left) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(below) = left.pop() {
        for entry in fs::read_dir(below).unwrap() {
            let path = entry.unwrap().path();
            let about = fs::symlink_metadata(&path).unwrap();
            let name = path.strip_prefix(folder).unwrap().display();
            found.push(if about.is_symlink() {
                format!("{name} -> {}", fs::read_link(&path).unwrap().display())
            } else if about.is_dir() {
                format!("{name}/")
            } else {
                format!("{name} {:o} {}", about.permissions().mode() & 0o777, fs::read_to_string(&path).unwrap())
            });
            if about.is_dir() {
                left.push(path);
            }
        }
    }
    found.sort();
    found
}

/// What is there before, and what is written.
struct Scene {
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    links: &'static [(&'static str, &'static str)],
    written: &'static [(&'static str, &'static str)],
    options: fn() -> WriteOptions,
}

const SCENES: [Scene; 6] = [
    Scene {
        name: "nothing",
        files: &[],
        links: &[],
        written: &[("a", "1"), ("b/c/d", "2"), ("b/e", "3")],
        options: WriteOptions::default,
    },
    Scene {
        name: "others",
        files: &[("out/a", "old"), ("out/b/c", "old"), ("out/same", "5"), ("out/mine", "6")],
        links: &[],
        written: &[("a", "1"), ("b/c", "2"), ("b/d", "3"), ("n/m", "4"), ("same", "5")],
        options: WriteOptions::default,
    },
    Scene {
        name: "links",
        files: &[("real", "old"), ("out/a", "old")],
        links: &[("out/link", "../real"), ("out/nowhere", "../made")],
        written: &[("a", "1"), ("link", "2"), ("nowhere", "3")],
        options: WriteOptions::default,
    },
    Scene {
        name: "emptied",
        files: &[("out/a", "old"), ("out/b/c", "old"), ("out/f", "old"), ("out/z/y/x", "old"), ("kept", "old")],
        links: &[("out/link", "../kept"), ("out/folder", "..")],
        written: &[("a", "1"), ("b", "2"), ("f/g", "3"), ("link", "4"), ("folder/kept", "5")],
        options: || WriteOptions::default().emptied(true),
    },
    Scene {
        name: "link to the folder",
        files: &[("real/a", "old")],
        links: &[("out", "real")],
        written: &[("a", "1"), ("b", "2")],
        options: || WriteOptions::default().emptied(true),
    },
    Scene {
        name: "earlier",
        files: &[("out/a/b", "old"), ("out/c", "old"), ("out/d/e/f", "old"), ("out/d/mine", "old")],
        links: &[],
        written: &[("a", "1"), ("c/g", "2")],
        options: || WriteOptions::default().replacing(["a/b", "c", "d/e/f"]),
    },
];

impl Scene {
    fn folder(&self) -> Folder {
        let folder = Folder::new("faults");
        for (path, text) in self.files {
            folder.write(path, text);
            fs::set_permissions(folder.join(path), fs::Permissions::from_mode(0o640)).unwrap();
        }
        for (path, target) in self.links {
            fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
            symlink(target, folder.join(path)).unwrap();
        }
        folder
    }

    fn write(&self, folder: &Folder, ask: &dyn Fn(&str, &Path) -> io::Result<()>) -> Result<Written, Diagnostic> {
        write_on(&Disk::new(ask), &results(self.written), &folder.join("out"), &(self.options)())
    }
}

#[test]
fn what_is_refused_changes_nothing() {
    for scene in &SCENES {
        let after = {
            let folder = scene.folder();
            scene.write(&folder, &|_, _| Ok(())).unwrap();
            state(&folder)
        };
        for kind in [io::ErrorKind::StorageFull, io::ErrorKind::PermissionDenied, io::ErrorKind::Interrupted] {
            let mut refused = 0;
            for number in 0.. {
                let folder = scene.folder();
                let before = state(&folder);
                let asked = Cell::new(0);
                let done = scene.write(&folder, &|request, path| {
                    asked.set(asked.get() + 1);
                    if asked.get() - 1 != number {
                        return Ok(());
                    }
                    if request == "write" {
                        // A disk is full in the midst of a file.
                        fs::write(path, "half").unwrap();
                    }
                    Err(kind.into())
                });
                let Err(problem) = done else {
                    assert_eq!(state(&folder), after, "{}: nothing refused", scene.name);
                    break;
                };
                refused += 1;
                assert_eq!(state(&folder), before, "{}: {kind} at request {number}: {problem}", scene.name);
                assert_eq!(problem.code(), Code::OUTPUT_WRITE);
            }
            assert!(refused > scene.written.len(), "{}: {refused} requests", scene.name);
        }
    }
}

/// A folder may be of another file system than what is put into it, which no rename reaches.
#[test]
fn what_cannot_be_moved_is_written_or_removed_in_its_place() {
    // What an earlier write has left goes file by file, and a file is of the file system of its folder.
    for scene in SCENES.iter().filter(|scene| scene.name != "earlier") {
        let mut done = 0;
        let after = {
            let folder = scene.folder();
            scene.write(&folder, &|_, _| Ok(())).unwrap();
            state(&folder)
        };
        for number in 0.. {
            let folder = scene.folder();
            let before = state(&folder);
            let asked = Cell::new(0);
            let written = scene.write(&folder, &|request, _| {
                asked.set(asked.get() + usize::from(request == "rename"));
                match request == "rename" && asked.get() - 1 == number {
                    true => Err(io::ErrorKind::CrossesDevices.into()),
                    false => Ok(()),
                }
            });
            // Where a link or folder that cannot be moved is in the way, nothing is changed.
            let expected = if written.is_ok() { &after } else { &before };
            assert_eq!(state(&folder), *expected, "{}: rename {number}: {written:?}", scene.name);
            if asked.get() <= number {
                break;
            }
            done += usize::from(written.is_ok());
        }
        assert!(done > 0, "{}", scene.name);
    }
}

#[test]
fn what_panics_changes_nothing() {
    for scene in &SCENES {
        for number in 0.. {
            let folder = scene.folder();
            let before = state(&folder);
            let asked = Cell::new(0);
            let done = crate::caught::caught(|| {
                scene.write(&folder, &|_, _| {
                    asked.set(asked.get() + 1);
                    assert!(asked.get() - 1 != number, "planned");
                    Ok(())
                })
            });
            if done.is_ok() {
                break;
            }
            assert_eq!(state(&folder), before, "{}: at request {number}", scene.name);
        }
    }
}

/// Whoever looks at a moment, as after a process was killed, finds each file whole.
#[test]
fn files_are_whole_at_any_time() {
    for scene in &SCENES {
        let folder = scene.folder();
        let old: HashMap<&str, &str> = scene.files.iter().copied().collect();
        let torn = RefCell::new(Vec::new());
        let look = |_: &str, _: &Path| {
            for (path, text) in scene.written {
                let path = format!("out/{path}");
                // What is being made through a link that leads nowhere has no other name to wait under.
                let found = fs::read_to_string(folder.join(&path)).ok();
                let is_old = found.as_deref() == old.get(path.as_str()).copied() || found.as_deref() == Some("old");
                if found.is_some() && !is_old && found.as_deref() != Some(*text) {
                    torn.borrow_mut().push(path);
                }
            }
            Ok(())
        };
        scene.write(&folder, &look).unwrap();
        assert_eq!(*torn.borrow(), Vec::<String>::new(), "{}", scene.name);
    }
}

#[test]
fn what_cannot_be_put_back_is_told() {
    let scene = &SCENES[1];
    let folder = scene.folder();
    let problem = scene.write(&folder, &|request, path| {
        if request == "rename" && path.ends_with("b/c") {
            // Somebody else puts a folder in the way of the file that was replaced before.
            fs::remove_file(folder.join("out/a")).unwrap();
            fs::create_dir_all(folder.join("out/a/b")).unwrap();
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    });
    let report = problem.unwrap_err().to_report(false);
    let text = report.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("out/a could not be put back"), "{text}");
    let kept = text.split("it is ").nth(1).and_then(|rest| rest.split(" now").next()).unwrap();
    assert_eq!(fs::read_to_string(kept).unwrap(), "old", "{text}");
    // It is not taken for what a killed process left.
    fs::remove_dir_all(folder.join("out/a")).unwrap();
    scene.write(&folder, &|_, _| Ok(())).unwrap();
    assert_eq!(fs::read_to_string(kept).unwrap(), "old", "{text}");
}

#[test]
fn a_device_is_written_to() {
    let folder = Folder::new("device");
    fs::create_dir_all(folder.join("out")).unwrap();
    symlink("/dev/null", folder.join("out/a")).unwrap();
    write(&results(&[("a", "1"), ("b", "2")]), &folder.join("out"), &WriteOptions::default()).unwrap();
    assert_eq!(state(&folder), ["out/", "out/a -> /dev/null", "out/b 644 2"]);
}
