//! Which files are written, and what becomes of those that are there.

#[cfg(unix)]
mod faults;

use super::*;
use crate::files::FileKind;
use crate::folder::Folder;

impl Folder {
    /// All files with their contents, sorted, and folders.
    fn tree(&self) -> Vec<String> {
        let (mut found, mut left) = (Vec::new(), vec![self.to_path_buf()]);
        while let Some(folder) = left.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(&**self).unwrap().display().to_string();
                if path.is_dir() {
                    found.push(format!("{name}/"));
                    left.push(path);
                } else {
                    found.push(format!("{name}={}", fs::read_to_string(path).unwrap()));
                }
            }
        }
        found.sort();
        found
    }

    /// Writes results to `out`; gives what changed.
    fn render(&self, files: &[(&str, &str)], options: &WriteOptions) -> Result<Vec<String>, String> {
        let files = results(files);
        // Where the folder of the system is a link, as on macOS, what was written has the other path.
        let root = fs::canonicalize(&**self).unwrap();
        let name = |path: &Path| path.strip_prefix(&root).unwrap_or(path).display().to_string();
        write(&files, &root.join("out"), options)
            .map(|written| written.changed().map(name).collect())
            .map_err(|problem| problem.to_string().replace(&root.display().to_string(), "ROOT"))
    }
}

fn results(files: &[(&str, &str)]) -> Vec<RenderedFile> {
    let result = |(path, text): &(&str, &str)| RenderedFile {
        path: (*path).into(),
        kind: FileKind::Text,
        content: text.as_bytes().into(),
    };
    files.iter().map(result).collect()
}

#[test]
fn files_of_an_earlier_write_go_away() {
    let folder = Folder::new("earlier");
    let old = [("a", "1"), ("b/c/d", "2"), ("b/e", "3"), ("f", "4")];
    folder.render(&old, &WriteOptions::default()).unwrap();
    folder.write("out/b/mine", "5");
    folder.write("x", "6");
    let names = ["a", "b/c/d", "b/e", "f", "../x", "/x", "", "gone", "b"];
    let options = WriteOptions::default().replacing(names);
    let new = [("a", "1"), ("b/c", "7"), ("f/g", "8")];
    assert_eq!(folder.render(&new, &options).unwrap(), ["out/b/c", "out/f/g"]);
    let expected = ["out/", "out/a=1", "out/b/", "out/b/c=7", "out/b/mine=5", "out/f/", "out/f/g=8", "x=6"];
    assert_eq!(folder.tree(), expected);
}

#[test]
fn two_that_write_at_once_leave_one_whole_result() {
    let folder = Folder::new("at-once");
    let files = |mark: &str| -> Vec<(String, String)> {
        (0..40).map(|number| (format!("d{}/{number}", number % 7), format!("{mark}{number}"))).collect()
    };
    std::thread::scope(|scope| {
        for mark in ["a", "b", "c", "d"] {
            let folder = &folder;
            scope.spawn(move || {
                let files = files(mark);
                let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
                for emptied in [false, true, false] {
                    folder.render(&files, &WriteOptions::default().emptied(emptied)).unwrap();
                }
            });
        }
    });
    let marks: HashSet<char> =
        (0..40).map(|number| folder.read(format!("out/d{}/{number}", number % 7)).chars().next().unwrap()).collect();
    assert_eq!((marks.len(), folder.tree().len()), (1, 48), "{marks:?}");
}

#[test]
fn only_what_differs_is_written() {
    let folder = Folder::new("differs");
    let defaults = WriteOptions::default();
    let files = [("a.yml", "1"), ("s//t/../b.yml", "2"), ("/c", "3")];
    assert_eq!(folder.render(&files, &defaults).unwrap(), ["out/a.yml", "out/s/b.yml", "out/c"]);
    assert_eq!(folder.render(&files, &defaults).unwrap(), Vec::<String>::new());
    let files = [("a.yml", "1"), ("s/b.yml", "other")];
    assert_eq!(folder.render(&files, &defaults).unwrap(), ["out/s/b.yml"]);
    assert_eq!(folder.tree(), ["out/", "out/a.yml=1", "out/c=3", "out/s/", "out/s/b.yml=other"]);
    assert_eq!(folder.render(&[], &defaults).unwrap(), Vec::<String>::new());
}

#[test]
fn names_are_checked_before_anything_is_written() {
    let folder = Folder::new("names");
    let defaults = WriteOptions::default();
    let cases: [(&[(&str, &str)], &str); 5] = [
        (&[("a", "1"), ("../x", "2")], "Expected output path '../x' to be below the output folder"),
        (&[("a", "1"), ("./a", "2")], "Multiple files have same output destination paths: ./a"),
        (&[("a", "1"), ("a/b", "2")], "Expected 'ROOT/out/a' to be a file or a folder, but 'a/b' needs both"),
        (&[("", "1")], "Expected output path '' to name a file"),
        (&[("a/..", "1")], "Expected output path 'a/..' to name a file"),
    ];
    for (files, expected) in cases {
        assert_eq!(folder.render(files, &defaults).unwrap_err(), expected);
    }
    let refused = write(&results(&[("../x", "")]), &folder.join("out"), &defaults).unwrap_err();
    assert_eq!(refused.code(), Code::OUTPUT_PATH);
    assert_eq!(folder.tree(), Vec::<String>::new());
    let loose = WriteOptions::default().allow_outside(true).allow_repeated(true);
    assert_eq!(folder.render(&[("a", "1"), ("../x", "2"), ("./a", "3")], &loose).unwrap(), ["x", "out/a"]);
    assert_eq!(folder.tree(), ["out/", "out/a=3", "x=2"]);
}

#[test]
fn what_is_in_the_way_stays() {
    let folder = Folder::new("way");
    fs::create_dir_all(folder.join("out/d")).unwrap();
    folder.write("out/f", "old");
    let defaults = WriteOptions::default();
    let files = [("a", "1"), ("d", "2")];
    assert_eq!(folder.render(&files, &defaults).unwrap_err(), "open ROOT/out/d: is a directory");
    let files = [("a", "1"), ("f/b", "2")];
    assert_eq!(folder.render(&files, &defaults).unwrap_err(), "mkdir ROOT/out/f: not a directory");
    assert_eq!(folder.tree(), ["out/", "out/d/", "out/f=old"]);
}

#[test]
fn emptying_leaves_the_results_alone() {
    let folder = Folder::new("emptied");
    let emptied = WriteOptions::default().emptied(true);
    let old = [("a", "1"), ("d/x", "2"), ("e/y/z", "3"), ("f", "4")];
    folder.render(&old, &WriteOptions::default()).unwrap();
    let new = [("a", "1"), ("d", "5"), ("f/g", "6")];
    assert_eq!(folder.render(&new, &emptied).unwrap(), ["out/d", "out/f/g"]);
    assert_eq!(folder.tree(), ["out/", "out/a=1", "out/d=5", "out/f/", "out/f/g=6"]);
    assert_eq!(folder.render(&[], &emptied).unwrap(), Vec::<String>::new());
    assert_eq!(folder.tree(), ["out/"]);
}

#[test]
fn folders_that_nobody_means_are_refused() {
    let mut refused = vec!["/".into(), ".".into(), "./".into(), "".into(), "..".into(), "//".into()];
    let here = std::env::current_dir().unwrap();
    refused.extend(here.ancestors().map(Path::to_path_buf));
    refused.push(here.join("src/.."));
    refused.extend(std::env::home_dir());
    for folder in refused {
        let text = check_emptied(&folder).unwrap_err().to_string();
        assert!(text.contains("Expected output directory path to not be one of"), "{text}");
    }
    assert!(check_emptied(Path::new("src/x")).is_ok());
}

#[test]
fn what_a_killed_process_left_goes_away() {
    let folder = Folder::new("killed");
    folder.write(format!("out/.ytt-{}-0/0", std::process::id()), "1");
    folder.write("out/.ytt-1-20/old-1", "2");
    folder.write("out/.ytt-mine-1/x", "3");
    assert_eq!(folder.render(&[("a", "1")], &WriteOptions::default()).unwrap(), ["out/a"]);
    assert_eq!(folder.tree(), ["out/", "out/.ytt-mine-1/", "out/.ytt-mine-1/x=3", "out/a=1"]);
}

#[cfg(unix)]
#[test]
fn links_are_written_through_and_modes_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = Folder::new("links");
    let out = folder.join("out");
    fs::create_dir_all(&out).unwrap();
    folder.write("real", "old");
    fs::set_permissions(folder.join("real"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("../real", out.join("a")).unwrap();
    symlink("../made", out.join("b")).unwrap();
    folder.render(&[("a", "1"), ("b", "2")], &WriteOptions::default()).unwrap();
    assert_eq!(folder.read("real"), "1");
    assert_eq!(folder.read("made"), "2");
    assert_eq!(fs::metadata(folder.join("real")).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(out.join("a")).unwrap().is_symlink());

    // What a link leads to is not a file of the emptied folder, even if it has the same bytes.
    fs::create_dir_all(folder.join("elsewhere")).unwrap();
    folder.write("elsewhere/e", "5");
    symlink("../elsewhere", out.join("d")).unwrap();
    let emptied = WriteOptions::default().emptied(true);
    assert_eq!(folder.render(&[("a", "1"), ("d/e", "5")], &emptied).unwrap(), ["out/a", "out/d/e"]);
    assert_eq!(
        folder.tree(),
        ["elsewhere/", "elsewhere/e=5", "made=2", "out/", "out/a=1", "out/d/", "out/d/e=5", "real=1"]
    );

    symlink("out", folder.join("link")).unwrap();
    let file = RenderedFile { path: "n".into(), kind: FileKind::Text, content: b"x"[..].into() };
    write(&[file], &folder.join("link"), &WriteOptions::default().emptied(true)).unwrap();
    assert_eq!((folder.read("link/n"), folder.read("out/a")), ("x".into(), "1".into()));
    assert!(fs::symlink_metadata(folder.join("link")).unwrap().is_dir());
}

#[test]
fn options_are_equal_that_stop_together() {
    let flag = || Arc::new(AtomicBool::new(false));
    let (one, other) = (flag(), flag());
    let stopped = |flag: &Arc<AtomicBool>| WriteOptions::default().stopped_by(flag.clone());
    assert_eq!(stopped(&one), stopped(&one));
    assert_ne!(stopped(&one), stopped(&other));
    assert_ne!(stopped(&one), WriteOptions::default());
    assert_ne!(stopped(&one), stopped(&one).emptied(true));
}
