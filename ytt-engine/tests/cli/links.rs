//! Inputs that are links: which are followed, and which are refused.

use std::os::unix::fs::symlink;
use std::process::Command;

use crate::folder::Folder;
use crate::{check_error, check_ok};

#[test]
fn symlinks_are_refused_unless_allowed() {
    let folder = Folder::with("links", [("d/a.yml", "a: 1\n"), ("e/b.yml", "b: 1\n")]);
    symlink("../e/b.yml", folder.join("d/b.yml")).unwrap();
    let refused = "Expected symlink file 'd/b.yml' -> 'e/b.yml' to be allowed, but was not";
    check_error(&folder.run(&["-f", "d"]), &[refused]);
    check_error(&folder.run(&["-f", "d", "--allow-symlink-destination", "d,x"]), &[refused]);
    check_ok(&folder.run(&["-f", "d", "--allow-symlink-destination", "d,e"]), "a: 1\n---\nb: 1\n");
    check_ok(&folder.run(&["-f", "d", "--dangerous-allow-all-symlink-destinations"]), "a: 1\n---\nb: 1\n");
}

#[test]
fn links_are_followed_step_by_step() {
    let folder = Folder::with("steps", [("d/in/a.yml", "a: 1\n"), ("e/b.yml", "b: 1\n")]);
    symlink("./../e/./b.yml", folder.join("d/dots.yml")).unwrap();
    // Above the root there is the root.
    let root = format!("/..{}/e/b.yml", folder.canonicalize().unwrap().display());
    symlink(root, folder.join("d/root.yml")).unwrap();
    check_ok(&folder.run(&["-f", "d", "--allow-symlink-destination", "."]), "b: 1\n---\na: 1\n---\nb: 1\n");
    check_ok(&folder.run(&["-f", "d/in/../dots.yml", "--allow-symlink-destination", "d/../e"]), "b: 1\n");
    // From a folder below, where nothing is left to go up from.
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-ytt"));
    command.args(["-f", "../dots.yml", "--allow-symlink-destination", "../../.."]).current_dir(folder.join("d/in"));
    let output = command.output().unwrap();
    assert_eq!((output.status.code(), output.stdout), (Some(0), b"b: 1\n".to_vec()));
    // A file of a process that is no pipe.
    symlink("/proc/self/fd/none", folder.join("d/pipe.yml")).unwrap();
    check_error(&folder.run(&["-f", "d"]), &["Eval symlink: lstat"]);
}
