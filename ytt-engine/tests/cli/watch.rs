//! `watch`: what is a change, and what is none.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::folder::Folder;

#[test]
fn a_change_renders_again() {
    use std::io::{BufRead, BufReader};

    let folder = Folder::with("watch", [("in/a.yml", "a: 1\n")]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_cargo-ytt"))
        .args(["watch", "-f", "in", "--output-files", "out"])
        .current_dir(&*folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let mut until = |wanted: &str| {
        let mut seen = Vec::new();
        loop {
            let line = lines.next().unwrap_or_else(|| panic!("no {wanted:?} after {seen:?}"));
            if line.contains(wanted) {
                break seen.join("\n");
            }
            seen.push(line);
        }
    };
    let watching = "watching: a change of what was read renders again";
    until(watching);
    assert_eq!(folder.read("out/a.yml"), "a: 1\n");
    folder.write("in/a.yml", "a: [1, 2\n");
    until("in/a.yml changed");
    assert!(until(watching).contains("--> in/a.yml:1:4"));
    assert_eq!(folder.read("out/a.yml"), "a: 1\n");
    folder.write("in/a.yml", "a: [1, 2]\n");
    until(watching);
    assert_eq!(folder.read("out/a.yml"), "a:\n- 1\n- 2\n");
    folder.write("in/b.yml", "b: 1\n");
    until("in changed");
    until(watching);
    assert_eq!(folder.read("out/b.yml"), "b: 1\n");
    child.kill().unwrap();
    child.wait().unwrap();

    let ran = folder.run_with(&["watch", "-f", "-"], "a: 1\n", &[]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("standard input cannot be read again"), "{}", ran.err);
    let ran = folder.run(&["watch", "-f", "nothing"]);
    assert!(ran.code == Some(1) && ran.err.contains("nothing"), "{}", ran.err);
}

/// A file may be newer than whatever is done: of another machine, or of a clock that was wrong.
#[test]
fn a_time_in_the_future_is_no_change() {
    let folder = Folder::with("future", [("in/a.yml", "a: 1\n")]);
    let file = fs::File::options().write(true).open(folder.join("in/a.yml")).unwrap();
    file.set_modified(std::time::SystemTime::now() + Duration::from_secs(3600)).unwrap();
    let command = Command::new(env!("CARGO_BIN_EXE_cargo-ytt"))
        .args(["watch", "-f", "in", "--output-files", "out"])
        .current_dir(&*folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = command.unwrap();
    std::thread::sleep(Duration::from_secs(2));
    child.kill().unwrap();
    let told = String::from_utf8(child.wait_with_output().unwrap().stderr).unwrap();
    // It may have been written while it was read, so it is read twice.
    assert_eq!(told.matches("watching: ").count(), 2, "{told}");
}

/// It ends by itself, at the first render that it cannot tell.
#[test]
fn it_ends_with_its_reader() {
    let folder = Folder::with("watch-end", [("in/a.yml", "a: 1\n")]);
    let (mut reader, writer) = std::io::pipe().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cargo-ytt"));
    command.args(["watch", "-f", "in", "--message-format", "json"]).current_dir(&*folder).stdout(writer);
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    drop(command);
    let mut text = [0; 5];
    std::io::Read::read_exact(&mut reader, &mut text).unwrap();
    assert_eq!(&text, b"a: 1\n");
    drop(reader);
    // The first render is over, but it may still look at what it read.
    std::thread::sleep(Duration::from_millis(300));
    folder.write("in/a.yml", "a: #@ 1 + 1\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(0), ""));
}
